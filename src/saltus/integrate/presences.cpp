#include "saltus/integrate/presences.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

namespace saltus {
double total_energy(Assembly& assembly, const State& state) {
  assembly.update(state.t(), state.y(), state.lambda(), state.data());
  return assembly.kinetic_energy() + assembly.potential_energy();
}

double Presences::next(double t) const {
  double first = HUGE_VAL;
  for (const BodyPresence& p : system_.presences)
    for (const double time : {p.begin, p.end})
      if (time > t + BodyPresence::slack(t)) first = std::min(first, time);
  return first;
}

bool Presences::due(const State& state, Assembly& assembly) {
  changes_.clear();
  bool updated = false;
  for (int i = 0; i < count_of(system_.presences); ++i) {
    const BodyPresence& p = system_.presences[i];
    const double now = state.data()[p.data];
    if (now < 0.0) continue;
    const bool bounded = now > 0.0 && !p.inside.is_constant();
    if (bounded && !updated) assembly.update(state.t(), state.y(), state.lambda(), state.data()), updated = true;
    const double to = bounded && p.left(assembly.frames(), state.data()) ? BodyPresence::gone : p.wanted(state.t(), state.data()) ? BodyPresence::there : BodyPresence::away;
    if (to != now) changes_.push_back({i, to});
  }
  return !changes_.empty();
}

void Presences::apply(State& state, Assembly& assembly, std::vector<Event>& events) const {
  for (const Change& c : changes_) {
    const BodyPresence& p = system_.presences[c.presence];
    const double before = total_energy(assembly, state);
    const bool comes = c.to > 0.0;
    state.data()[p.data] = c.to;
    for (const auto& [first, count] : p.places)
      if (comes) std::copy_n(system_.initial_y.begin() + first, count, state.q() + first);
    for (std::size_t i = 0; i < p.unknowns.size(); ++i) state.v()[p.unknowns[i]] = comes ? p.velocities[i] : 0.0, state.a()[p.unknowns[i]] = 0.0;
    events.push_back({state.t(), comes ? "born" : "removed", p.body, total_energy(assembly, state) - before});
  }
}

}  // namespace saltus
