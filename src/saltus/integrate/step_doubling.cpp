#include "saltus/integrate/step_doubling.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/integrate/within_step.hpp"

namespace saltus {
namespace {

class DoublingPlan final : public Plan {
 public:
  std::unique_ptr<Plan> one;  // of the scheme
  Doubling how;
  std::vector<double> samples;
  int search() const { return one->layout.memory_size; }
  int last_half() const { return search() + EventSearch::memory_size; }
  int ranges() const { return last_half() + 1; }
};

constexpr double says_nothing = 0.01;  // error of a step that tells of no motion: drives prescribe all of it

bool has_impact(const StepReport& report) {
  return std::ranges::any_of(report.events, [](const Event& e) { return e.kind == "impact" || e.kind == "percussion"; });
}

bool has_gaps(const System& system) {
  return !system.contacts.empty() || std::ranges::any_of(system.relation_entries, [](const RelationEntry& e) { return e.law.type->unilateral; });
}

/// Where a step asks that is taken as a whole and by halves.
std::vector<double> of_doubled(std::span<const double> samples) {
  std::vector<double> all(samples.begin(), samples.end());
  for (const double s : samples) all.push_back(0.5 * s), all.push_back(0.5 + 0.5 * s);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

class DoublingStep final : public Workspace {
 public:
  DoublingStep(const Scheme& one, const DoublingPlan& plan)
      : one_(one), plan_(plan), l_(plan.layout.system), work_(one.new_workspace(*plan.one)), norm_(*plan.system, 1.0), before_(plan.layout), whole_(plan.layout), half_(plan.layout) {
    for (auto* x : {&position_, &velocity_, &first_order_}) x->assign(at(l_.unknowns()) + 1, 0.0);
    between_.assign(at(l_.y_size()), 0.0), range_.assign(at(l_.nv), 0.0);
    holds_ = !plan.system->contacts.empty() || std::ranges::any_of(plan.system->relation_entries, [](const RelationEntry& e) { return !e.law.type->equality; });
    if (has_gaps(*plan.system)) passes_.emplace(*plan.system);
  }

  StepReport start(State& state) {
    StepReport report = one_.start(*plan_.one, state, *work_);
    if (report.status == StepStatus::accepted) norm_.begin(state.y(), ranges(state));
    return report;
  }

  StepReport step(State& state, double h) {
    search_.begin(state.t(), memory(state));
    before_ = state, whole_ = state;
    const StepReport whole = attempt(whole_, h);
    if (whole.status != StepStatus::accepted) return whole;
    const StepReport first = attempt(state, 0.5 * h);
    if (first.status != StepStatus::accepted) return back(state, first, 0.5 * h);
    half_ = state;
    StepReport report = attempt(state, 0.5 * h);
    if (report.status != StepStatus::accepted) return back(state, std::move(report), 0.5 * h);
    struck_[0] = has_impact(first), struck_[1] = has_impact(report);
    impact_ = struck_[0] || struck_[1] || has_impact(whole);
    if (passes_ && h > EventSearch::smallest(before_.t()) && passed(state)) return back(state, refused(std::move(report), "bodies could pass through each other within the step"), 0.5 * h);
    join(first, whole, h, report);
    StepError found = estimate(state, h);
    if (!(found.error <= 1.0) && !found.event) search_.unannounced(found, before_.t(), h);
    report.error = found.error;
    const double shortest = EventSearch::shortest(before_.t(), plan_.options.tolerance, std::min(norm_.pace(), norm_.age()));
    if (const bool passes = found.event && h <= shortest && std::isfinite(found.error); !(found.error <= 1.0) && !passes) {
      report = back(state, refused(std::move(report), "the error estimate exceeds the tolerance"), 0.0);
      if (!norm_.runs_away(before_.y(), ranges(state))) norm_.foresee(found.error, found.share * plan_.options.tolerance, ranges(state), 2.0);
      report.suggested_step = search_.shorter(state.t(), h, found);
      return report;
    }
    norm_.see(ranges(state));
    state.memory()[plan_.last_half()] = 0.5 * h;
    report.suggested_step = search_.next(state.t(), h, shortest, found, impact_, memory(state));
    return report;
  }

 private:
  StepReport attempt(State& state, double h) {
    work_->latest = latest;
    return one_.step(*plan_.one, state, *work_, h);
  }
  double* memory(State& state) const { return state.memory() + plan_.search(); }
  double* ranges(State& state) const { return state.memory() + plan_.ranges(); }
  static StepReport refused(StepReport report, const char* cause) {
    report.status = StepStatus::rejected, report.cause = cause;
    return report;
  }
  /// To where the step began.
  StepReport back(State& state, StepReport report, double next) const {
    state = before_;
    report.residual = {}, report.events.clear(), report.contacts.clear();
    if (report.suggested_step == 0.0 || report.suggested_step > next) report.suggested_step = next;
    return report;
  }
  /// Whether bodies went through each other in a half in which none struck.
  bool passed(const State& end) {
    const double unseen = 1e-6 * (plan_.system->length_scale > 0.0 ? plan_.system->length_scale : 1.0);
    return (!struck_[0] && passes_->passed(before_, half_, unseen)) || (!struck_[1] && passes_->passed(half_, end, unseen));
  }
  static void join(const StepReport& first, const StepReport& whole, double h, StepReport& report) {
    join_contacts(first.contacts, h, report.contacts);
    report.residual.worst(first.residual);
    report.impacts.add(first.impacts);
    report.iterations += first.iterations + whole.iterations;
    report.factorizations += first.factorizations + whole.factorizations;
    report.events.insert(report.events.begin(), first.events.begin(), first.events.end());
    report.warnings.insert(report.warnings.begin(), first.warnings.begin(), first.warnings.end());
  }

  StepError estimate(const State& end, double h) {
    const double tolerance = plan_.options.tolerance, by = impact_ ? 1.0 : std::exp2(plan_.how.order) - 1.0;
    plan_.system->map.difference(whole_.q(), end.q(), position_.data());
    for (int i = 0; i < l_.nv; ++i) position_[at(i)] /= by, velocity_[at(i)] = (whole_.v()[i] - end.v()[i]) / by;
    for (int i = 0; i < l_.nx; ++i) first_order_[at(i)] = (whole_.x()[i] - end.x()[i]) / by;
    if (impact_) add_jumps(end, h);
    const bool velocities = !impact_ && one_.rates() != Rates::mean;
    StepError found{.error = worst(end, h, tolerance, velocities), .event = impact_, .power = impact_ ? 1.0 : plan_.how.order + 1.0};
    const Forces forces = holds_ && !impact_ ? this->forces(end) : Forces{};
    if (forces.jump) found.event = true, found.power = 1.0;
    if (const double share = norm_.share(h); !found.event && plan_.how.order > 1 && share < 1.0)
      found = {.error = worst(end, h, share * tolerance, velocities), .power = static_cast<double>(plan_.how.order), .share = share};
    const auto take = [&](const StepError& other) { found = other.error > found.error ? other : found; };
    if (!impact_ && (plan_.how.exact || (l_.rows > 0 && found.error < says_nothing))) take(off_the_curve(end, h));
    if (passes_) take({.error = sunk(end) / tolerance, .event = true});
    if (holds_ && !impact_ && one_.rates() == Rates::mean) take(unseen_jump(end, h));
    if (h > plan_.options.coarse_step) take({.error = forces.off / std::sqrt(tolerance), .power = 2.0});
    return found;
  }
  /// Where velocities are means, a slip that ends in the first half ends where that begins, in the whole step and in its halves: what the velocity changes by beside its acceleration acts for half the half.
  StepError unseen_jump(const State& end, double h) {
    const double last = before_.memory()[plan_.last_half()], over = last > 0.0 ? 0.5 * (last + 0.5 * h) : 0.25 * h;
    for (int i = 0; i < l_.nv; ++i) position_[at(i)] = 0.25 * h * (half_.v()[i] - before_.v()[i] - over * before_.a()[i]);
    std::fill(first_order_.begin(), first_order_.end(), 0.0);
    return {.error = worst(end, h, plan_.options.tolerance, false), .power = 2.0};
  }
  /// How the forces of what is held run, of which no error of the motion tells.
  struct Forces {
    double off = 0.0;   // the largest share of itself by which one is off the line through the step
    bool jump = false;  // one begins, ends or jumps: the motion is of order 1
  };
  Forces forces(const State& end) const {
    const System& s = *plan_.system;
    Forces out;
    const auto look = [&](int count, const double* before, const double* half, const double* last, const double* whole) {
      double off = 0.0, begun = 0.0, size = 0.0;
      for (int r = 0; r < count; ++r) {
        begun = std::max(begun, std::abs(before[r])), size = std::max({size, std::abs(half[r]), std::abs(last[r])});
        off = std::max(off, plan_.how.means ? std::abs(whole[r] - 0.5 * (half[r] + last[r])) : std::abs(half[r] - 0.5 * (before[r] + last[r])));
      }
      out.jump |= (begun > 0.0) != (size > 0.0) || off > 0.1 * size;
      if (begun > 0.0 && size > 0.0) out.off = std::max(out.off, off / std::max(begun, size));
    };
    for (const RelationEntry& e : s.relation_entries)
      if (!e.law.type->equality) look(e.rows, before_.lambda() + e.row, half_.lambda() + e.row, end.lambda() + e.row, whole_.lambda() + e.row);
    for (const ContactGroup& g : s.contacts.groups) look(3, before_.data() + g.data, half_.data() + g.data, end.data() + g.data, whole_.data() + g.data);
    return out;
  }
  /// How deep a gap closed in a half in which none struck, over the motion along it: an impact that comes with the next step.
  double sunk(const State& end) {
    norm_.ranges(before_.memory() + plan_.ranges(), range_.data());
    return std::max(struck_[0] ? 0.0 : passes_->sunk(before_, half_, range_), struck_[1] ? 0.0 : passes_->sunk(half_, end, range_));
  }
  /// An impact acts for the whole of its half step, and behind one velocities that differ jumped at another time, or once more: two walls that are hit in turn give the same place.
  void add_jumps(const State& end, double h) {
    for (int i = 0; i < l_.nv; ++i) {
      double& error = position_[at(i)];
      error = std::max(std::abs(error), 0.25 * h * std::abs(whole_.v()[i] - end.v()[i]));
      if (struck_[0]) error = std::max(error, 0.5 * h * std::abs(half_.v()[i] - before_.v()[i]));
      if (struck_[1]) error = std::max(error, 0.5 * h * std::abs(end.v()[i] - half_.v()[i]));
    }
  }
  /// Of the state in the middle, beside the cubic through both ends.
  StepError off_the_curve(const State& end, double h) {
    const System& s = *plan_.system;
    s.map.difference(before_.q(), end.q(), position_.data());
    on_the_way(s, before_, end, position_, 0.5, false, between_.data());
    s.map.difference(between_.data(), half_.q(), position_.data());
    for (int i = 0; i < l_.nx; ++i) first_order_[at(i)] = 0.5 * (before_.x()[i] + end.x()[i]) + 0.125 * h * (before_.xdot()[i] - end.xdot()[i]) - half_.x()[i];
    return {.error = worst(end, h, plan_.options.tolerance, false), .power = 4.0};
  }
  double worst(const State& end, double h, double tolerance, bool velocities) {
    constexpr double noise = 16.0;  // of solvers, in units of rounding
    return norm_.worst(before_.memory() + plan_.ranges(), end.y(), h, tolerance, position_.data(), velocities ? velocity_.data() : nullptr, first_order_.data(), {.coarseness = noise, .xdot = end.xdot()});
  }

  const Scheme& one_;
  const DoublingPlan& plan_;
  const Layout& l_;
  std::unique_ptr<Workspace> work_;
  ErrorNorm norm_;
  EventSearch search_;
  std::optional<GapPasses> passes_;
  State before_, whole_, half_;
  bool holds_ = false;                    // laws or contacts may hold something at rest whatever the forces are
  bool struck_[2] = {}, impact_ = false;  // in the halves, in one of the three
  std::vector<double> position_, velocity_, first_order_;  // errors
  std::vector<double> between_, range_;  // of the cubic; of the motion by velocity
};
}  // namespace

std::unique_ptr<Plan> StepDoubling::bind(std::shared_ptr<const System> system, const SchemeOptions& options) const {
  std::unique_ptr<Plan> one = one_->bind(system, options);
  Doubling how = options.error_control ? one_->doubling(options) : Doubling{};
  if (how.order == 0) return one;
  if (one_->rates() == Rates::mean && system->layout.nx > 0) how.order = 1;  // first-order states go by the rates of one end of the step
  auto plan = std::make_unique<DoublingPlan>();
  plan->doubled = true;
  plan->how = how;
  plan->samples = of_doubled(one_->samples(*one, one->new_state()));
  plan->row_level = one->row_level, plan->warnings = one->warnings;
  plan->one = std::move(one);
  plan->take(std::move(system), options);
  plan->layout.memory_size = plan->ranges() + ErrorNorm(*plan->system).memory_size();
  return plan;
}

std::unique_ptr<Workspace> StepDoubling::new_workspace(const Plan& plan) const {
  if (!plan.doubled) return one_->new_workspace(plan);
  return std::make_unique<DoublingStep>(*one_, static_cast<const DoublingPlan&>(plan));
}

StepReport StepDoubling::start(const Plan& plan, State& state, Workspace& work) const { return plan.doubled ? static_cast<DoublingStep&>(work).start(state) : one_->start(plan, state, work); }

StepReport StepDoubling::step(const Plan& plan, State& state, Workspace& work, double h) const {
  return plan.doubled ? static_cast<DoublingStep&>(work).step(state, h) : one_->step(plan, state, work, h);
}

std::span<const double> StepDoubling::samples(const Plan& plan, const State& state) const { return plan.doubled ? static_cast<const DoublingPlan&>(plan).samples : one_->samples(plan, state); }

}  // namespace saltus
