#include "saltus/integrate/moreau_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/integrate/event_ration.hpp"
#include "saltus/integrate/law_blocks.hpp"

namespace saltus {
namespace {
constexpr double safety = 0.9, least_growth = 0.1;
constexpr double impact_before = EventSearch::impact_before;
enum Memory { smooth_step, event_by, event_step, after_event, spent = EventSearch::memory_size, spent_at, crowded, warned, pause, flown, flight_step };

/// Least share of the tolerance that a step of smooth motion may make, over the root of it: noise of solvers.
constexpr double least_share = 0.1;

/// Flights are worth it from so many steps of smooth motion on; they rest for so many where gaps are near, or where they are not worth it; so many are made before their
/// steps are compared once more.
constexpr double worth = 2.0, near_rest = 8.0, long_rest = 100.0, most_flown = 100.0;
}  // namespace

MoreauControl::MoreauControl(const MoreauPlan& plan)
    : plan_(plan), one_(plan), norm_(*plan.system, 1.0) {
  if (!plan.options.error_control) return;  // steps of fixed length ask for nothing of this
  for (State* state : {&before_, &whole_, &half_, &probe_, &beyond_}) *state = State(plan.layout);
  const System& s = *plan.system;
  if (MoreauFlight::possible(plan)) flight_ = std::make_unique<MoreauFlight>(plan);
  error_.resize(2 * s.layout.nv + s.layout.nx);
  range_.resize(s.layout.nv);
  noise_.resize(s.layout.nv + s.layout.nx);
  feels_.resize(s.layout.nv);
  holds_ = !s.contacts.empty();
  held_scale_.assign(s.layout.nv, 0.0);
  held_bound_.assign(plan.entries.size(), 0.0);
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    if (plan.entries[i].equality) continue;
    holds_ = true;
    const double bound = held_bound_[i] = largest_force(e.law, e.rows);
    for (int c = 0; c < plan.entries[i].columns; ++c)
      if (const int dof = plan.columns[plan.entries[i].column_begin + c]; dof < s.layout.nv) held_scale_[dof] = std::max(held_scale_[dof], bound);
  }
  for (std::vector<double>& f : forces_) f.reserve(s.layout.unknowns() + 1);
  for (auto* x : {&net_, &gross_}) x->resize(at(s.layout.unknowns()));
  for (auto* x : {&row_at_start_, &row_at_half_, &row_at_end_}) x->reserve(at(s.layout.rows));
}

double MoreauControl::smallest(double t) { return EventSearch::smallest(t); }
double MoreauControl::shortest(double t) const { return EventSearch::shortest(t, plan_.options.tolerance, pace()); }

StepReport MoreauControl::start(State& state) {
  const std::vector<double> known(ranges(state), state.memory() + state.layout().memory_size);  // by a start anew at a sample
  one_.compare(state.memory()[plan_.control() + crowded] == 0.0);
  StepReport report = one_.start(state);
  if (!plan_.options.error_control) return report;
  std::copy(known.begin(), known.end(), ranges(state));
  norm_.begin(state.y(), ranges(state));
  return report;
}

StepReport MoreauControl::step(State& state, double h) {
  if (plan_.options.error_control) (void)norm_.worst(ranges(state), state.y(), h, plan_.options.tolerance, nullptr, nullptr, nullptr);
  return flight_ ? with_flights(state, h) : own_step(state, h);
}

inline StepReport MoreauControl::own_step(State& state, double h) {
  const bool groups = !plan_.system->contacts.empty();
  StepReport report = !plan_.options.error_control ? one_.step(state, h) : groups ? rationed(state, h) : controlled(state, h);
  if (groups && report.status == StepStatus::accepted) one_.part(state, h, report);
  return report;
}

[[gnu::noinline]] StepReport MoreauControl::with_flights(State& state, double h) {
  if (std::optional<StepReport> report = fly(state, h)) return std::move(*report);
  if (const double* memory = state.memory() + plan_.control(); memory[smooth_step] > 0.0 && memory[pause] > 0.0) h = std::min(h, memory[smooth_step]);
  StepReport report = own_step(state, h);
  if (report.status == StepStatus::accepted) rest_flights(state, report);
  return report;
}

/// Whether a law acted in the last step, or is not known to have not.
bool MoreauControl::acts(const State& state) const {
  const double* memory = state.memory();
  if (memory[plan_.control() + after_event] > 0.0 || memory[plan_.control() + crowded] > 0.0 || memory[plan_.contact_tail] > 0.0) return true;
  for (int i = 0; i < count_of(plan_.entries); ++i)
    if (!plan_.entries[at(i)].equality && memory[plan_.status(i)] != 0.0) return true;
  return false;
}

std::optional<StepReport> MoreauControl::fly(State& state, double h) {
  double* memory = state.memory() + plan_.control();
  const double least = worth * memory[smooth_step];
  if (!(least > 0.0) || memory[pause] > 0.0 || h < least || acts(state)) return std::nullopt;
  std::optional<StepReport> report = flight_->step(state, h, least);
  if (!report) return memory[pause] = near_rest, memory[flown] = 0.0, std::nullopt;
  double& next = memory[flight_step] = report->suggested_step;
  if (next < least) memory[pause] = report->passing ? near_rest : long_rest, next = 0.0;
  if (report->status != StepStatus::accepted) return report;
  if ((memory[flown] += 1.0) >= most_flown) memory[pause] = near_rest;
  if (memory[pause] > 0.0) memory[flown] = 0.0, report->suggested_step = memory[smooth_step];
  return report;
}

void MoreauControl::rest_flights(State& state, StepReport& report) const {
  constexpr double first = 8.0;  // steps of smooth motion
  double* memory = state.memory() + plan_.control();
  memory[pause] = std::max(0.0, memory[pause] - 1.0);
  if (!(memory[smooth_step] > 0.0) || memory[pause] > 0.0 || memory[event_by] > 0.0 || acts(state)) return;
  report.suggested_step = std::max(report.suggested_step, memory[flight_step] > 0.0 ? memory[flight_step] : first * memory[smooth_step]);
}

/// A share of the time in which the motion runs through its range, the cube root of the tolerance: not above 1 ms, nor below a ten-thousandth of the run, which
/// steps with impacts have.
double MoreauControl::crowded_step() const {
  constexpr double longest = 1e-3;
  return std::max(plan_.options.coarse_step, std::min(longest, std::cbrt(plan_.options.tolerance) * pace()));
}

StepReport MoreauControl::rationed(State& state, double h) {
  double* memory = state.memory() + plan_.control();
  const double t = state.t(), coarse = memory[spent] > 0.0 ? crowded_step() : plan_.options.coarse_step;
  if (ration_.from != t) ration_ = {t, event_ration::left(memory[spent], (t - memory[spent_at]) / coarse), memory[crowded] != 0.0};
  // An event would have passed at twice this step: friction of many contacts that changes from attempt to attempt, as of feet whose slips turn round at once.
  if (h < 0.5 * shortest(t) && t > state.begun()) ration_.spent = event_ration::most;
  if (ration_.spent > event_ration::most - 1.0) ration_.crowded = true;
  if (ration_.spent <= event_ration::most - event_ration::enough) ration_.crowded = false;
  last_.event = false;
  one_.compare(!ration_.crowded);
  StepReport report = ration_.crowded ? uncontrolled(state, h, coarse) : controlled(state, h);
  if (last_.event) ration_.spent += 1.0;
  if (report.status != StepStatus::accepted) return report;
  memory[spent] = ration_.spent, memory[spent_at] = t, memory[crowded] = ration_.crowded;
  ration_.from = -1.0;
  if (!ration_.crowded) return report;
  if (memory[warned] == 0.0)
    report.warnings.push_back({{}, "simulation/step", "contacts between groups crowd from t = " + short_text(t) + " s on: where they do, steps of up to " + short_text(coarse) +
                               " s are taken without error control", "compare with a run of step=" + short_text(0.5 * coarse) + ", or allow more with tolerance=", Severity::warning});
  memory[warned] = 1.0, memory[after_event] = impact_before, memory[event_by] = 0.0;
  return report;
}

StepReport MoreauControl::uncontrolled(State& state, double h, double coarse) {
  const double fine = plan_.options.coarse_step, allowed = std::pow(plan_.options.tolerance, 2.0 / 3.0);
  before_ = state;
  norm_.ranges(ranges(state), range_.data());
  one_.allow(range_, allowed);
  StepReport report = one_.step(state, h);
  if (report.status != StepStatus::accepted) return report;
  const double passage = one_.change().passage;
  if (passage > 1.0) {
    state = before_;
    return too_far(h, passage, std::move(report));
  }
  // An impact acts for the whole step: bodies are beside their way by what they close in it, or overlap by that.
  const double beside = std::max(one_.change().missed, one_.change().impact ? h * one_.fastest_impact(range_) / allowed : 0.0);
  if (beside > 1.0 && h > 1.01 * fine) {
    state = before_;
    return shorter("bodies strike each other", std::max(fine, h * std::max(0.25, safety / beside)), std::move(report));
  }
  coarse = std::min(coarse, std::max(fine, 2.0 * h));
  (void)norm_.worst(ranges(state), state.y(), h, plan_.options.tolerance, nullptr, nullptr, nullptr);
  norm_.see(ranges(state));
  report.suggested_step = std::min(coarse, passage > 0.0 ? safety * h / passage : coarse);
  return report;
}

StepReport MoreauControl::shorter(const char* cause, double h, StepReport report) {
  report.status = StepStatus::rejected;
  report.cause = cause;
  report.events.clear();
  report.suggested_step = h;
  return report;
}

StepReport MoreauControl::too_far(double h, double passage, StepReport report) {
  return shorter("bodies could pass through each other within the step", h * std::max(safety / passage, least_growth), std::move(report));
}

StepReport MoreauControl::controlled(State& state, double h) {
  const double* memory = state.memory() + plan_.control();
  search_.begin(state.t(), memory);
  before_ = state;
  whole_ = state;
  const double felt = plan_.entries.empty() && plan_.system->contacts.empty() ? 0.0 : 10.0 * h / pace();
  norm_.ranges(ranges(state), range_.data());
  one_.allow(range_, plan_.options.tolerance);
  std::fill(noise_.begin(), noise_.end(), 0.0);
  MoreauStep::Change change;
  double beside = 0.0;  // MoreauStep::beside of the halves
  const auto attempt = [&](State& s, double length, int part) {
    one_.second_half(part == 2);
    StepReport report = one_.step(s, length);
    if (part > 0 && report.status == StepStatus::accepted && one_.change().impact && before_.t() > before_.begun()) beside = std::max(beside, one_.beside(range_, length));
    if (holds_) forces_[part].assign(one_.mean_forces().begin(), one_.mean_forces().end());
    for (std::size_t i = 0; i < noise_.size(); ++i) noise_[i] = std::max(noise_[i], one_.noise()[i]);
    const MoreauStep::Change& c = one_.change();
    change = {.impact = change.impact || c.impact, .mode = change.mode || c.mode, .approach = change.approach || (&s == &whole_ && c.approach), .closing = change.closing || c.closing,
              .first_order = change.first_order || c.first_order, .lost = part > 0 && (change.lost || c.lost), .frozen = change.frozen || c.frozen, .missed = &s == &whole_ ? 0.0 : std::max(change.missed, c.missed), .passage = std::max(change.passage, c.passage)};
    return report;
  };
  last_.event = true, last_.slip_ended = false;
  StepReport whole = attempt(whole_, h, 0);
  if (whole.status != StepStatus::accepted) return whole;
  if (change.passage > 1.0) return too_far(h, change.passage, std::move(whole));
  if (holds_) row_at_start_.assign(one_.rows_before().begin(), one_.rows_before().end());
  StepReport report = attempt(state, 0.5 * h, 1);
  if (report.status == StepStatus::accepted) {
    half_ = state;
    if (change.closing || change.approach) change.missed = std::max(change.missed, one_.missed_depth(half_));
    if (holds_) row_at_half_.assign(one_.row_values().begin(), one_.row_values().end());
    StepReport second = attempt(state, 0.5 * h, 2);
    if (second.status == StepStatus::accepted) change.missed = std::max({change.missed, one_.sunk_depth(), one_.missed_depth(state)});
    if (holds_) row_at_end_.assign(one_.row_values().begin(), one_.row_values().end());
    if (second.status == StepStatus::accepted && !change.impact && !plan_.system->contacts.empty()) one_.draw_on_contacts(whole_, half_, state);
    second.residual.worst(report.residual);
    second.impacts.add(report.impacts);
    join_contacts(report.contacts, h, second.contacts);
    second.iterations += report.iterations + whole.iterations;
    second.events.insert(second.events.begin(), report.events.begin(), report.events.end());
    report = std::move(second);
  }
  if (report.status != StepStatus::accepted) {
    state = before_;
    report.suggested_step = 0.5 * h;
    return report;
  }
  if (change.passage > 1.0 || (change.closing && one_.leapt(before_, half_, state) && h > smallest(before_.t()))) {
    state = before_;
    return too_far(h, std::max(change.passage, 2.0), std::move(report));
  }
  // What rounding of positions leaves in forces: by stiffness, and by directions that turn with the motion.
  for (int i = 0; i < count_of(feels_); ++i) feels_[i] = std::min(1.0, felt + 16.0 * (1.0 / one_.seen(i) - 1.0));
  StepError found = estimate(whole_, state, h, change, beside);
  if (!(found.error <= 1.0) && !found.event) search_.unannounced(found, before_.t(), h);
  if (found.error <= 1.0)
    if (const StepError jump = unseen_jump(h, state, change, before_.memory()[plan_.control() + after_event] < impact_before); jump.error > found.error) found = jump;
  if (found.error <= 1.0 && !change.impact) {
    const StepError missed = missed_release(state, h, change.lost);
    if (release_.from != before_.t()) release_ = {before_.t(), std::numeric_limits<double>::infinity()};
    // What does not fall with the step is no release: a velocity that the first half put right, as of a contact that closes softly.
    if (missed.event && missed.error < 0.5 * release_.error) release_.error = missed.error, found = missed;
  }
  if (holds_ && h > plan_.options.coarse_step && !change.impact) found.error = std::max(found.error, std::pow(roughness(state), 0.5 * found.power));
  if (holds_ && found.error <= 1.0) look_between(h, state, change, found);
  report.error = found.error;
  last_.event = found.event;
  const bool passes = found.event && h <= shortest(before_.t()) && std::isfinite(found.error);
  if (!(found.error <= 1.0) && !passes) {
    state = before_;
    return reject(state, h, found, std::move(report));
  }
  norm_.see(ranges(state));
  if (!change.impact) draw_on(state, found.event);
  report.suggested_step = search_.next(state.t(), h, shortest(state.t()), found, change.impact, state.memory() + plan_.control());
  if (passes) report.suggested_step = std::max(report.suggested_step, 2.0 * h);  // no shorter step is better
  if (change.passage > 0.0) report.suggested_step = std::min(report.suggested_step, safety * h / change.passage);
  return report;
}

double MoreauControl::worst(const State& halves, double h, double tolerance, bool velocities) {
  const int nv = plan_.system->layout.nv;
  const double *position = error_.data(), *velocity = position + nv;
  return norm_.worst(before_.memory() + plan_.ranges, halves.y(), h, tolerance, position, velocities ? velocity : nullptr, velocity + nv,
                     {.noise = noise_.data(), .feels = feels_.data(), .xdot = halves.xdot()});
}

StepError MoreauControl::estimate(const State& whole, const State& halves, double h, const MoreauStep::Change& change, double beside) {
  const System& s = *plan_.system;
  const Layout& l = s.layout;
  const double tolerance = plan_.options.tolerance, missed = change.missed;
  StepError out;
  out.event = change.impact || change.mode || change.approach || missed > 1.0;
  // Local errors of h and of twice h/2 go 1 to 2^-power: their difference is 2^power - 1 times that of the halves.
  out.power = out.event ? 1.0 : change.first_order ? 2.0 : 3.0;
  const bool smooth = !out.event && !change.first_order;
  const double by = smooth ? 3.0 : 1.0, lag = change.frozen ? 100.0 : 1.0;  // with directions of mid step velocities lag by half a step: an error that does not add up
  double *position = error_.data(), *velocity = position + l.nv, *first_order = velocity + l.nv;
  s.map.difference(whole.q(), halves.q(), position);
  for (int i = 0; i < l.nv; ++i) position[i] /= by, velocity[i] = (whole.v()[i] - halves.v()[i]) / (lag * by);
  for (int i = 0; i < l.nx; ++i) first_order[i] = (whole.x()[i] - halves.x()[i]) / by;
  // Velocities that differ behind an impact jumped at another time, or once more: two walls that are hit in turn give the same place.
  for (int i = 0; change.impact && i < l.nv; ++i) position[i] = std::max(std::abs(position[i]), 0.25 * h * std::abs(whole.v()[i] - halves.v()[i]));
  out.error = worst(halves, h, tolerance, !change.impact);
  // What does not bounce ends at one place whenever in the step it struck. Where a run begins nothing has moved yet that it could be compared with.
  out.error = std::max(out.error, beside / tolerance);
  // Errors of smooth motion add up over the time in which it runs through its range, those along stiff springs and dampers do not: what the step sees
  // of them counts. Events are rare, and do not grow in number as the step falls.
  const double share = norm_.bends() ? 1.0 : std::max(h / pace(), least_share * std::sqrt(tolerance));
  if (smooth && !change.frozen && share < 1.0) {
    out.error = std::max(out.error, adding_up(halves, h, share * tolerance));
    out.share = share, out.power -= 1.0;
  }
  out.error = std::max(out.error, missed);
  const StepError switching = switched(h);
  return switching.error > out.error ? switching : out;
}

StepError MoreauControl::switched(double h) const {
  StepError out;
  for (int i = 0; holds_ && i < count_of(plan_.system->relation_entries); ++i)
    if (one_.switches(i, row_at_end_[plan_.system->relation_entries[i].row], before_)) out = {.error = h / (plan_.options.tolerance * pace()), .event = true};
  return out;
}

/// Over `tolerance`, which is a share of what is allowed, of error_. What contacts hold is found anew in each step: where the error without it is smaller that counts.
double MoreauControl::adding_up(const State& halves, double h, double tolerance) {
  constexpr double far = 0.1;  // an error that does not limit the step
  const Layout& l = plan_.system->layout;
  const int all = l.nv + l.nx;
  double* velocity = error_.data() + l.nv;
  free_.assign(at(l.unknowns()), 0.0);
  std::copy_n(velocity, all, free_.begin());
  for (int i = 0; i < all; ++i) velocity[i] *= one_.seen(i);
  const double error = worst(halves, h, tolerance, true);
  if (!(error > far) || !one_.take_held_out(free_)) return error;
  for (int i = 0; i < all; ++i) velocity[i] = free_[at(i)] * one_.seen(i);
  return std::min(error, worst(halves, h, tolerance, true));
}

StepReport MoreauControl::reject(State& state, double h, const StepError& found, StepReport report) {
  report.status = StepStatus::rejected;
  report.cause = "the error estimate exceeds the tolerance";
  report.events.clear();
  norm_.foresee(found.error, found.share * plan_.options.tolerance, ranges(state), 2.0);  // at second order a motion that begins with t^4 is its own error at any step
  report.suggested_step = search_.shorter(state.t(), h, found);
  return report;
}

}  // namespace saltus
