#include "saltus/integrate/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/base/value.hpp"
#include "saltus/math/breaks.hpp"

namespace saltus {

namespace {
constexpr int least_looks = 16, looks_of_run = 1000;  // for a change of sign of a function of the program: in a step, in a run
}  // namespace

SwitchPositions::SwitchPositions(const System& system) : system_(system) {
  const auto has = [&](int pool) { return system.relations[at(pool)]->traits().switched && system.relations[at(pool)]->traits().written == Level::value; };
  for (int p = 0; p < count_of(system.relations); ++p)
    if (has(p)) pools_.push_back(p);
  for (const RelationEntry& e : system.relation_entries)
    if (has(e.pool)) blocks_.push_back({e.value_begin, e.value_begin + e.rows * e.columns});
  off_.resize(blocks_.size());
  none_.assign(at(system.layout.rows), 0.0), H_.assign(pools_.empty() ? 0 : at(system.value_count), 0.0);
}

const std::vector<char>& SwitchPositions::off(Assembly& assembly, double t, const double* y, const double* data) {
  assembly.update(t, y, none_.data(), data);
  for (const int p : pools_) {
    const RelationPool& pool = *system_.relations[p];
    RowSink sink;
    sink.H = H_.data();
    sink.row_begin = system_.row_begin[p].data(), sink.value_begin = system_.value_begin[p].data(), sink.square_begin = system_.square_begin[p].data();
    pool.evaluate(assembly.kinematics(), sink, 0, pool.size());
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    off_[i] = std::all_of(H_.data() + blocks_[i].first, H_.data() + blocks_[i].second, [](double x) { return x == 0.0; });
  return off_;
}

AskedSwitches::AskedSwitches(const System& system) : system_(system) {
  for (int p = 0; p < count_of(system.relations); ++p)
    if (const RelationPool& pool = *system.relations[p]; pool.traits().switched && !pool.parallel()) pools_.push_back(p);
  off_.assign(pools_.empty() ? 0 : at(system.square_count) + at(system.value_count), 0.0);
}

const std::vector<double>& AskedSwitches::off(Assembly& assembly, double t, const double* y, const double* lambda, const double* data) {
  assembly.update(t, y, lambda, data);
  for (const int p : pools_) {
    RowSink sink;
    sink.D = off_.data(), sink.H = off_.data() + system_.square_count;
    sink.row_begin = system_.row_begin[p].data(), sink.value_begin = system_.value_begin[p].data(), sink.square_begin = system_.square_begin[p].data();
    system_.relations[p]->evaluate(assembly.kinematics(), sink, 0, system_.relations[p]->size());
  }
  return off_;
}

bool AskedSwitches::differ(Assembly& assembly, double from, double to, const double* y, const double* lambda, const double* data) {
  if (empty()) return false;
  const std::vector<double> before = off(assembly, from, y, lambda, data);
  return off(assembly, to, y, lambda, data) != before;
}

std::vector<int> places_of_breaks(const System& system) {
  std::vector<int> places;
  for (const auto& pool : system.relations)
    if (pool->traits().switched)
      for (int i = 0; i < pool->remembered(); ++i) places.push_back(pool->history_first(0) + i);
  return places;
}

History::History(const System& system) : system_(system), asked_(system), laws_(system), events_(places_of_breaks(system)) {
  if (system.history >= 0 || !asked_.empty()) assembly_ = std::make_unique<Assembly>(system, 1, Frames::needed);
  before_.resize(events_.size());
  for (const RelationEntry& e : system.relation_entries)
    if (const RelationPool& pool = *system.relations[e.pool]; pool.traits().switched) {
      switched_.push_back({&e, pool.history_first(e.item)});
    }
}

double History::next_switch(const State& state, double to, double whole) {
  if (asked_.empty()) return to;
  try {
    double low = state.t() + passed_break(state.t(), to), high = to;
    if (!(low < to)) return to;
    const auto off = [&](double t) -> const std::vector<double>& { return asked_.off(*assembly_, t, state.y(), state.lambda(), state.data()); };
    const std::vector<double> now = off(low);
    const int looks = std::max(least_looks, static_cast<int>(std::min<double>(looks_of_run, looks_of_run * (to - low) / whole)));
    const double spacing = (to - low) / looks;
    for (int i = 1; i <= looks; ++i, low = high) {
      high = i == looks ? to : low + spacing;
      if (off(high) != now) break;
      if (i == looks) return to;
    }
    while (high - low > 0.5 * passed_break(low, to)) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) break;
      (off(middle) == now ? low : high) = middle;
    }
    return low;
  } catch (...) {
    return to;  // the step asks again, and tells
  }
}

/// With the percussions of what is switched as forces over the step.
std::span<const double> History::multipliers(const State& state, double h, const StepReport& report, bool& struck) {
  struck = false;
  const std::size_t rows = system_.layout.rows;
  for (const Event& event : report.events) {
    if (event.kind != "percussion") continue;
    const auto of = std::find_if(switched_.begin(), switched_.end(), [&](const Switched& s) { return s.entry->name == event.item; });
    if (of == switched_.end()) continue;
    if (!struck) lambda_.assign(state.lambda(), state.lambda() + rows);
    struck = true;
    for (int r = 0; r < std::min(of->entry->rows, 6); ++r)
      if (const double impulse = event.rows[r]; impulse != 0.0) lambda_[of->entry->row + r] += impulse / h;
  }
  return {struck ? lambda_.data() : state.lambda(), rows};
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
  bool struck = false;
  assembly_->update(state.t(), state.y(), multipliers(state, h, report, struck).data(), state.data());
  for (std::size_t i = 0; i < events_.size(); ++i) before_[i] = block[events_[i]];
  const Remembered found = assembly_->remember(block);
  if (!struck && !located(block, state, h, report)) return false;
  laws_.remember(*assembly_, block);
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (block[events_[i]] != before_[i])
      for (const Switched& s : switched_)
        if (s.place == events_[i]) report.events.push_back({state.t(), "break", s.entry->name, 0.0});
  // What a straight line misses grows with the square of the step.
  const double fits = found.share > 0.0 ? 0.9 * h / std::sqrt(found.share) : std::numeric_limits<double>::infinity();
  if (found.share <= 1.0) {
    if (report.suggested_step > 0.0) report.suggested_step = std::min(report.suggested_step, fits);
    return true;
  }
  const ItemPlace& item = system_.items[found.item];
  const std::string why = item.in ? item.in->refusal(item.item, block) : "";
  report.status = StepStatus::rejected;
  report.suggested_step = std::isfinite(found.share) ? std::clamp(fits, 0.1 * h, 0.5 * h) : 0.1 * h;
  report.cause = item.section + "/" + item.name + ": ";
  if (!why.empty()) report.cause += "at t = " + short_text(state.t()) + " s " + why;
  else report.cause += "the step is longer than it can follow: an angle changes by more than a quarter turn beside what the speeds "
                 "at both ends say, or bodies could pass through each other; take a smaller step";
  return false;
}

}  // namespace saltus
