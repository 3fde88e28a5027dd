#include "saltus/integrate/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {
/// Of the switched relation that remembers at this place.
std::string name_of(const System& system, int place) {
  for (const RelationEntry& e : system.relation_entries)
    if (const RelationPool& pool = *system.relations[e.pool]; pool.traits().switched && pool.history_first(e.item) == place) return e.name;
  return {};
}
}  // namespace

History::History(const System& system) : system_(system), laws_(system) {
  if (system.history >= 0) assembly_ = std::make_unique<Assembly>(system, 1, Frames::needed);
  for (const auto& pool : system.relations)
    if (pool->traits().switched)
      for (int i = 0; i < pool->remembered(); ++i) events_.push_back(pool->history_first(0) + i);
  before_.resize(events_.size());
}

/// Whether what is switched has changed its mind since `before_`: it breaks. The step is then halved until it ends within a millionth behind the break,
/// where the error is controlled; steps of fixed length see it at their ends.
bool History::located(const double* block, const State& state, double h, StepReport& report) const {
  if (report.suggested_step <= 0.0 || h <= 1e-6 * std::max(1.0, std::abs(state.t()))) return true;
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (block[events_[i]] != before_[i]) {
      report.status = StepStatus::rejected;
      report.suggested_step = 0.5 * h;
      report.cause = "what is switched breaks within the step";
      return false;
    }
  return true;
}

void History::start(State& state) {
  if (empty()) return;
  assembly_->update(state.t(), state.y(), state.lambda(), state.data());
  laws_.begin(*assembly_, state.data() + system_.history);
  (void)assembly_->remember(state.data() + system_.history);  // from what it remembers of an earlier time, if it does
}

bool History::accept(State& state, double h, double next, StepReport& report) {
  constexpr double sixteenth = 0.39269908169872414;
  double* block = state.data() + system_.history;
  double fastest = block[HistoryBlock::speed];
  for (const int i : system_.spins) fastest = std::max(fastest, std::abs(state.v()[i]));
  // Two frames turn against each other by at most twice the norm of three rates.
  const double turned = 2.0 * std::sqrt(3.0) * fastest * (state.t() - block[HistoryBlock::time] + std::max(h, next));
  if (system_.remembers_turns_only && turned < sixteenth) {
    block[HistoryBlock::speed] = fastest;
    return true;
  }
  assembly_->update(state.t(), state.y(), state.lambda(), state.data());
  for (std::size_t i = 0; i < events_.size(); ++i) before_[i] = block[events_[i]];
  const Remembered found = assembly_->remember(block);
  if (!located(block, state, h, report)) return false;
  laws_.remember(*assembly_, block);
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (block[events_[i]] != before_[i]) report.events.push_back({state.t(), "break", name_of(system_, events_[i]), 0.0});
  // What a straight line misses grows with the square of the step.
  const double fits = found.share > 0.0 ? 0.9 * h / std::sqrt(found.share) : std::numeric_limits<double>::infinity();
  if (found.share <= 1.0) {
    if (report.suggested_step > 0.0) report.suggested_step = std::min(report.suggested_step, fits);
    return true;
  }
  const ItemPlace& item = system_.items[found.item];
  report.status = StepStatus::rejected;
  report.suggested_step = std::isfinite(found.share) ? std::clamp(fits, 0.1 * h, 0.5 * h) : 0.1 * h;
  report.cause = item.section + "/" + item.name + ": the step is longer than it can follow: an angle changes by more than a quarter turn beside what the speeds "
                 "at both ends say, or bodies could pass through each other; take a smaller step";
  return false;
}

}  // namespace saltus
