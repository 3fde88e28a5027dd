#include "saltus/integrate/sleepers.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

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
  for (int i = 0; i < count_of(system.sleepers); ++i) of_base_[at(system.nodes[at(system.sleepers[i].node)].place.frame)] = i;
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
  for (int i = 0; i < count_of(woken); ++i)
    if (!system_.sleepers[i].awake(after.data()) && moves(system_.sleepers[i], after)) woken[at(island(i))] = 1;
  for (int i = 0; i < count_of(woken); ++i)
    if (woken[at(island(i))]) rouse(before, i, events);
}

void Sleepers::wake_all(State& state, std::vector<Event>& events) const {
  for (int i = 0; i < count_of(system_.sleepers); ++i) rouse(state, i, events);
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
  for (int i = 0; i < count_of(stays); ++i) {
    const std::size_t own = at(island(i));
    stays[own] |= busy_[i] || !ready(system_.sleepers[i]);
    rests[own] |= held_[i];
  }
  const auto energy = [&] {
    assembly.update(state.t(), state.y(), state.lambda(), state.data());
    return assembly.kinetic_energy();
  };
  double moving = energy();
  for (int i = 0; i < count_of(stays); ++i) {
    const Sleeper& s = system_.sleepers[i];
    const std::size_t own = at(island(i));
    if (stays[own] || !rests[own] || !s.awake(state.data())) continue;
    for (const int u : s.unknowns) state.v()[u] = state.a()[u] = 0.0;
    state.data()[s.data] = 0.0;
    const double left = energy();
    events.push_back({state.t(), "asleep", s.body, moving - left});
    moving = left;
  }
}

/// Whether both shapes of a contact sleep or are fixed.
bool Sleepers::rests(const State& state, double identity) const {
  Kinematics k;
  k.data = state.data();
  const auto [A, B] = system_.contacts.pair_of(identity);
  return system_.contacts.colliders[at(A)].rests(k) && system_.contacts.colliders[at(B)].rests(k);
}

void Sleepers::carry(State& state, Assembly& assembly, StepReport& step, bool tell) {
  rows_ = step.contacts.size();
  const ContactTable& t = system_.contacts;
  if (t.asleep.data < 0) return;
  double *count = state.data() + t.asleep.data, *kept = count + 1;
  const double* end = kept + ContactTable::asleep_entry * static_cast<int>(*count);
  double* to = kept;
  for (const double* e = kept; e < end; e += ContactTable::asleep_entry)
    if (rests(state, e[0])) to = std::copy_n(e, ContactTable::asleep_entry, to);
  std::fill(to, kept + ContactTable::asleep_entry * t.asleep.most, 0.0);
  *count = static_cast<double>((to - kept) / ContactTable::asleep_entry);
  for (const double* e = kept; e < to; e += ContactTable::asleep_entry) {
    Contact c;
    c.rows = 3;
    for (int i = 0; i < 3; ++i) c.axes[i][i] = 1.0;
    std::tie(c.A, c.B) = t.pair_of(e[0]);
    bool first = true;
    c.group = t.group_of(c.A, c.B, first);
    t.add_force(c, e + 1, state.data());
  }
  if (!tell) return;
  find_resting(assembly, state);
  step.contacts.insert(step.contacts.end(), resting_.begin(), resting_.end());
}

/// Points and normals of the contacts that are kept; they stay as long as their bodies sleep.
void Sleepers::find_resting(Assembly& assembly, const State& state) {
  const ContactTable& t = system_.contacts;
  const double *count = state.data() + t.asleep.data, *kept = count + 1;
  const auto entry = [&](std::size_t i) { return kept + ContactTable::asleep_entry * i; };
  const std::size_t n = *count;
  bool known = n == resting_.size();
  for (std::size_t i = 0; known && i < n; ++i) known = resting_[i].name == entry(i)[0];
  if (known) return;
  resting_.clear();
  assembly.update(state.t(), state.y(), state.lambda(), state.data());
  contacts_.find(assembly.kinematics(), touching * t.size);
  std::unordered_map<double, const Contact*> found;
  for (const Contact& c : contacts_.contacts()) found.emplace(c.identity(), &c);
  for (std::size_t i = 0; i < n; ++i)
    if (const auto it = found.find(entry(i)[0]); it != found.end()) {
      const Contact& c = *it->second;
      double rows[ContactGroup::most_rows];
      const Vec3<double> force{{entry(i)[1], entry(i)[2], entry(i)[3]}}, torque{{entry(i)[4], entry(i)[5], entry(i)[6]}};
      for (int r = 0; r < c.rows; ++r) rows[r] = dot(r < c.along ? force : torque, c.axis(r));
      resting_.push_back(contacts_.state_of(c, rows, t.law(c).adhesion(), state.v(), 0.0));
    }
}

void Sleepers::keep(State& state, const StepReport& step) const {
  const ContactTable& t = system_.contacts;
  if (t.asleep.data < 0) return;
  double *count = state.data() + t.asleep.data, *kept = count + 1;
  for (const ContactState& c : std::span(step.contacts).first(rows_)) {
    if (!rests(state, c.name) || static_cast<int>(*count) == t.asleep.most) continue;
    double* e = kept + ContactTable::asleep_entry * static_cast<int>(*count);
    *e++ = c.name;
    for (const Vec3<double>& v : {c.force, c.torque}) e = std::copy_n(v.data(), 3, e);
    *count += 1.0;
  }
}

}  // namespace saltus
