#include "saltus/integrate/sleepers.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {
constexpr double rounding = 1e-8;  // of the speed that counts as slow: schemes that take velocities from positions leave as much
constexpr double touching = 1e-6;  // of the model's size: contacts at rest are closed within it

bool moves(const Sleeper& s, const State& state) {
  return std::any_of(s.unknowns.begin(), s.unknowns.end(), [&](int u) { return std::abs(state.v()[u]) > rounding * s.speed; });
}
}  // namespace

Sleepers::Sleepers(const System& system) : system_(system), contacts_(system.contacts, false, true), of_base_(system.bases.size(), -1) {
  for (std::size_t i = 0; i < system.sleepers.size(); ++i) of_base_[at(system.nodes[at(system.sleepers[i].node)].place.frame)] = static_cast<int>(i);
}

bool Sleepers::some_asleep(const State& state) const {
  return std::any_of(system_.sleepers.begin(), system_.sleepers.end(), [&](const Sleeper& s) { return !s.awake(state.data()); });
}

bool Sleepers::disturbed(const State& after) const {
  return std::any_of(system_.sleepers.begin(), system_.sleepers.end(), [&](const Sleeper& s) { return !s.awake(after.data()) && moves(s, after); });
}

int Sleepers::island(int sleeper) {
  while (parent_[at(sleeper)] != sleeper) sleeper = parent_[at(sleeper)] = parent_[at(parent_[at(sleeper)])];
  return sleeper;
}

void Sleepers::find_islands(Assembly& assembly, const State& state) {
  const std::size_t n = system_.sleepers.size();
  parent_.resize(n), held_.assign(n, 0), busy_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) parent_[i] = static_cast<int>(i);
  assembly.update(state.t(), state.y(), state.lambda(), state.data());
  contacts_.find(assembly.kinematics(), touching * system_.length_scale);
  const auto sleeper = [&](int collider) { return system_.contacts.colliders[at(collider)].base < 0 ? -1 : of_base_[at(system_.contacts.colliders[at(collider)].base)]; };
  for (const Contact& c : contacts_.contacts()) {
    const int a = sleeper(c.A), b = sleeper(c.B);
    for (const auto& [own, other, collider] : {std::tuple{a, b, c.B}, std::tuple{b, a, c.A}}) {
      if (own < 0) continue;
      held_[at(own)] = 1;
      if (other < 0 && system_.contacts.colliders[at(collider)].base >= 0) busy_[at(own)] = 1;
    }
    if (a < 0 || b < 0) continue;
    const int first = island(a), second = island(b);
    parent_[at(std::max(first, second))] = std::min(first, second);
  }
}

void Sleepers::rouse(State& state, int i, std::vector<Event>& events) const {
  const Sleeper& s = system_.sleepers[at(i)];
  if (s.awake(state.data())) return;
  state.data()[s.data] = 1.0;
  state.data()[s.data + 1] = Sleeper::never;
  events.push_back({state.t(), "awake", s.body, 0.0});
}

void Sleepers::wake(State& before, const State& after, Assembly& assembly, std::vector<Event>& events) {
  find_islands(assembly, before);
  std::vector<char> woken(system_.sleepers.size(), 0);
  for (std::size_t i = 0; i < woken.size(); ++i)
    if (!system_.sleepers[i].awake(after.data()) && moves(system_.sleepers[i], after)) woken[at(island(static_cast<int>(i)))] = 1;
  for (std::size_t i = 0; i < woken.size(); ++i)
    if (woken[at(island(static_cast<int>(i)))]) rouse(before, static_cast<int>(i), events);
}

void Sleepers::wake_all(State& state, std::vector<Event>& events) const {
  for (std::size_t i = 0; i < system_.sleepers.size(); ++i) rouse(state, static_cast<int>(i), events);
}

void Sleepers::settle(State& state, Assembly& assembly, std::vector<Event>& events) {
  assembly.update(state.t(), state.y(), state.lambda(), state.data());
  const Kinematics& k = assembly.kinematics();
  bool long_enough = false;
  const auto ready = [&](const Sleeper& s) { return !s.awake(state.data()) || state.t() - state.data()[s.data + 1] >= s.after - BodyPresence::slack(state.t()); };
  for (const Sleeper& s : system_.sleepers) {
    if (!s.awake(state.data())) {
      for (const int u : s.unknowns) state.v()[u] = state.a()[u] = 0.0;
      continue;
    }
    const Frame<double>& f = k.frames[s.frame];
    double& since = state.data()[s.data + 1];
    if (!(norm(f.v) + s.reach * norm(f.w) <= s.speed)) since = Sleeper::never;
    else if (since == Sleeper::never) since = state.t();
    long_enough |= ready(s);
  }
  if (!long_enough) return;
  find_islands(assembly, state);
  std::vector<char> stays(system_.sleepers.size(), 0), rests(stays);  // by island: one of it is not ready; one touches something
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const std::size_t own = at(island(static_cast<int>(i)));
    stays[own] |= busy_[i] || !ready(system_.sleepers[i]);
    rests[own] |= held_[i];
  }
  const auto energy = [&] {
    assembly.update(state.t(), state.y(), state.lambda(), state.data());
    return assembly.kinetic_energy();
  };
  double moving = energy();
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const Sleeper& s = system_.sleepers[i];
    const std::size_t own = at(island(static_cast<int>(i)));
    if (stays[own] || !rests[own] || !s.awake(state.data())) continue;
    for (const int u : s.unknowns) state.v()[u] = state.a()[u] = 0.0;
    state.data()[s.data] = 0.0;
    const double left = energy();
    events.push_back({state.t(), "asleep", s.body, moving - left});
    moving = left;
  }
}

}  // namespace saltus
