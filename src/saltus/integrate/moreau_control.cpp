#include "saltus/integrate/moreau_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double safety = 0.9, most_growth = 4.0, least_growth = 0.1;
enum Memory { smooth_step, event_by, event_step, after_event, spent, spent_at, crowded, warned };

/// Attempts at events that may be spent at once where contacts crowd; how many more are allowed for each coarse step; control
/// begins again when there are enough.
constexpr double most_attempts = 128.0, allowed_a_step = 0.5, enough_attempts = 32.0;

/// Largest error over its scale.
void worst(double& largest, double error, double scale) {
  const double e = std::abs(error) / scale;
  if (!(e <= largest)) largest = std::isnan(e) ? std::numeric_limits<double>::infinity() : e;
}
}  // namespace

MoreauControl::MoreauControl(const MoreauPlan& plan)
    : plan_(plan), one_(plan), before_(plan.layout), whole_(plan.layout), half_(plan.layout), probe_(plan.layout), beyond_(plan.layout), tangent_(at(plan.system->layout.nv)) {
  const System& s = *plan.system;
  holds_ = !s.contacts.empty();
  held_scale_.assign(at(s.layout.nv), 0.0);
  held_bound_.assign(plan.entries.size(), 0.0);
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    if (plan.entries[i].equality) continue;
    holds_ = true;
    if (!e.law.type->set->bounds || !e.law.type->force_bounded) continue;
    std::vector<double> low(at(e.rows)), high(at(e.rows));
    e.law.type->set->bounds(e.law.parameters, e.rows, 1.0, low.data(), high.data());
    double& bound = held_bound_[i];
    for (int r = 0; r < e.rows; ++r)
      for (const double x : {low[at(r)], high[at(r)]})
        if (std::isfinite(x)) bound = std::max(bound, std::abs(x));
    for (int c = 0; c < plan.entries[i].columns; ++c)
      if (const int dof = plan.columns[at(plan.entries[i].column_begin + c)]; dof < s.layout.nv) held_scale_[at(dof)] = std::max(held_scale_[at(dof)], bound);
  }
  for (std::vector<double>& f : forces_) f.reserve(at(s.layout.unknowns() + 1));
  for (auto* x : {&row_at_start_, &row_at_half_, &row_at_end_}) x->reserve(at(s.layout.rows));
}

double MoreauControl::smallest(double t) { return 4e-12 * std::max(1.0, std::abs(t)); }

StepReport MoreauControl::start(State& state) { return one_.start(state); }

StepReport MoreauControl::step(State& state, double h) {
  const bool control = plan_.options.error_control, groups = !plan_.system->contacts.empty();
  StepReport report = !control ? one_.step(state, h) : groups ? rationed(state, h) : controlled(state, h);
  if (groups && report.status == StepStatus::accepted) one_.part(state, h);
  return report;
}

StepReport MoreauControl::rationed(State& state, double h) {
  double* memory = state.memory() + plan_.control();
  const double t = state.t(), coarse = plan_.options.coarse_step;
  if (ration_.from != t) ration_ = {t, std::max(0.0, memory[spent] - allowed_a_step * (t - memory[spent_at]) / coarse), memory[crowded] != 0.0};
  if (ration_.spent > most_attempts - 1.0) ration_.crowded = true;
  if (ration_.spent <= most_attempts - enough_attempts) ration_.crowded = false;
  event_ = false;
  StepReport report = ration_.crowded ? uncontrolled(state, h) : controlled(state, h);
  if (event_) ration_.spent += 1.0;
  if (report.status != StepStatus::accepted) return report;
  memory[spent] = ration_.spent, memory[spent_at] = t, memory[crowded] = ration_.crowded;
  ration_.from = -1.0;
  if (!ration_.crowded) return report;
  if (memory[warned] == 0.0)
    report.warnings.push_back({{}, "simulation/step", "contacts between groups crowd from t = " + short_text(t) + " s on: where they do, steps of up to " + short_text(coarse) +
                               " s are taken without error control", "compare with a run of step=" + short_text(0.5 * coarse) + ", or allow more with tolerance="});
  memory[warned] = 1.0, memory[after_event] = 1.0, memory[event_by] = 0.0;
  return report;
}

StepReport MoreauControl::uncontrolled(State& state, double h) {
  before_ = state;
  StepReport report = one_.step(state, h);
  if (report.status != StepStatus::accepted) return report;
  const double coarse = plan_.options.coarse_step, passage = one_.change().passage;
  if (passage > 1.0) {
    state = before_;
    return too_far(h, passage, std::move(report));
  }
  report.suggested_step = std::min(coarse, passage > 0.0 ? safety * h / passage : coarse);
  return report;
}

StepReport MoreauControl::too_far(double h, double passage, StepReport report) {
  report.status = StepStatus::rejected;
  report.cause = "bodies could pass through each other within the step";
  report.events.clear();
  report.suggested_step = h * std::max(safety / passage, least_growth);
  return report;
}

StepReport MoreauControl::controlled(State& state, double h) {
  const double* memory = state.memory() + plan_.control();
  if (event_from_ != state.t()) event_from_ = state.t(), event_by_ = memory[event_by], event_step_ = memory[event_step];
  before_ = state;
  whole_ = state;
  MoreauStep::Change change;
  const auto attempt = [&](State& s, double length, int part) {
    StepReport report = one_.step(s, length);
    if (holds_) forces_[part].assign(one_.mean_forces().begin(), one_.mean_forces().end());
    const MoreauStep::Change& c = one_.change();
    change = {.impact = change.impact || c.impact, .mode = change.mode || c.mode, .approach = change.approach || (&s == &whole_ && c.approach), .closing = change.closing || c.closing,
              .first_order = change.first_order || c.first_order, .frozen = change.frozen || c.frozen, .missed = &s == &whole_ ? 0.0 : std::max(change.missed, c.missed), .passage = std::max(change.passage, c.passage), .speed = std::max(change.speed, c.speed)};
    return report;
  };
  event_ = true;
  StepReport whole = attempt(whole_, h, 0);
  if (whole.status != StepStatus::accepted) return whole;
  if (change.passage > 1.0) return too_far(h, change.passage, std::move(whole));
  const double passage = change.passage;
  if (holds_) row_at_start_.assign(one_.rows_before().begin(), one_.rows_before().end());
  StepReport report = attempt(state, 0.5 * h, 1);
  if (report.status == StepStatus::accepted) {
    half_ = state;
    if (holds_) row_at_half_.assign(one_.row_values().begin(), one_.row_values().end());
    StepReport second = attempt(state, 0.5 * h, 2);
    if (holds_) row_at_end_.assign(one_.row_values().begin(), one_.row_values().end());
    second.residual.worst(report.residual);
    second.iterations += report.iterations + whole.iterations;
    second.events.insert(second.events.begin(), report.events.begin(), report.events.end());
    report = std::move(second);
  }
  if (report.status != StepStatus::accepted) {
    state = before_;
    report.suggested_step = 0.5 * h;
    return report;
  }
  if (change.closing && one_.leapt(before_, half_, state, h) && h > smallest(before_.t())) {
    state = before_;
    return too_far(h, 2.0, std::move(report));
  }
  Estimate found = estimate(whole_, state, change);
  if (found.error <= 1.0)
    if (const Estimate jump = unseen_jump(h, state, change); jump.error > found.error) found = jump;
  if (found.error <= 1.0 && !found.event) {
    const Estimate missed = missed_release(state, h, change.speed);
    if (release_.from != before_.t()) release_ = {before_.t(), std::numeric_limits<double>::infinity()};
    // What does not fall with the step is no release: a velocity that the first half put right, as of a contact that closes softly.
    if (missed.event && missed.error < 0.5 * release_.error) release_.error = missed.error, found = missed;
  }
  if (holds_ && h > plan_.options.coarse_step && !change.impact) found.error = std::max(found.error, std::pow(roughness(state), 0.5 * found.power));
  if (holds_ && found.error <= 1.0) look_between(h, state, change, found);
  report.error = found.error;
  event_ = found.event;
  const bool passes = found.event && h <= smallest(before_.t()) && std::isfinite(found.error);
  if (!(found.error <= 1.0) && !passes) {
    state = before_;
    return reject(state, h, found, std::move(report));
  }
  if (!change.impact) draw_on(state);
  propose(state, h, found, report);
  if (passage > 0.0) report.suggested_step = std::min(report.suggested_step, safety * h / passage);
  return report;
}

MoreauControl::Estimate MoreauControl::estimate(const State& whole, const State& halves, const MoreauStep::Change& change) {
  const System& s = *plan_.system;
  const Layout& l = s.layout;
  const double size = s.length_scale, tolerance = plan_.options.tolerance;
  Estimate out;
  const double missed = std::max(one_.missed_depth(halves), change.missed) / (tolerance * size);
  out.event = change.impact || change.mode || change.approach || missed > 1.0;
  // Local errors of h and of twice h/2 go 1 to 2^-power: their difference is 2^power - 1 times that of the halves.
  out.power = out.event ? 1.0 : change.first_order ? 2.0 : 3.0;
  const double share = out.event ? 1.0 : change.first_order ? 1.0 : 3.0, position_floor = (out.event ? 1.0 : 0.01) * size;
  s.map.difference(whole.q(), halves.q(), tangent_.data());
  // A problem that is solved to solver_tolerance leaves that much of the speeds open.
  const double speed_floor = std::max(0.01 * tolerance, 10.0 * plan_.solver_tolerance) * std::max(change.speed, 1e-3 * size);
  // With directions of mid step velocities lag by half a step: an error that does not add up.
  const double lag = change.frozen ? 100.0 : 1.0;
  for (int i = 0; i < l.nv; ++i) {
    const int q = s.map.q_of_v[at(i)];
    const double position = q >= 0 ? std::abs(halves.q()[q]) : 0.0;
    worst(out.error, tangent_[at(i)] / share, plan_.turns[at(i)] ? tolerance : tolerance * (position_floor + position));
    if (!change.impact) worst(out.error, (whole.v()[i] - halves.v()[i]) / share, lag * (tolerance * std::abs(halves.v()[i]) + speed_floor));
  }
  double most = 1e-3;
  for (int i = 0; i < l.nx; ++i) most = std::max(most, std::abs(halves.x()[i]));
  for (int i = 0; i < l.nx; ++i)
    worst(out.error, (whole.x()[i] - halves.x()[i]) / share, tolerance * ((out.event ? 1.0 : 0.01) * most + std::abs(halves.x()[i])));
  out.error = std::max(out.error, missed);
  return out;
}

StepReport MoreauControl::reject(const State& state, double h, const Estimate& found, StepReport report) {
  report.status = StepStatus::rejected;
  report.cause = "the error estimate exceeds the tolerance";
  report.events.clear();
  const double factor = std::isfinite(found.error) ? safety * std::pow(found.error, -1.0 / found.power) : 0.0;
  if (!found.event) {
    report.suggested_step = h * std::clamp(factor, least_growth, safety);
    return report;
  }
  event_by_ = state.t() + h;
  event_step_ = factor * h;
  report.suggested_step = std::max(event_step_, 0.5 * h);
  return report;
}

void MoreauControl::propose(State& state, double h, const Estimate& found, StepReport& report) {
  double* memory = state.memory() + plan_.control();
  const double error = std::max(found.error, 1e-12), fits = h * safety * std::pow(error, -1.0 / found.power);
  if (found.event) {
    // Events that follow each other step by step: no way back to the smooth step yet.
    const bool crowded = memory[after_event] > 0.0;
    const double next = std::min(fits, 2.0 * h);
    report.suggested_step = crowded ? next : std::max(next, memory[smooth_step]);
    event_step_ = fits;
  } else {
    memory[smooth_step] = std::min(fits, most_growth * std::max(h, memory[smooth_step]));
    report.suggested_step = std::min(fits, most_growth * h);
    if (memory[after_event] > 0.0 || event_by_ <= state.t()) report.suggested_step = memory[smooth_step];
  }
  memory[after_event] = found.event ? 1.0 : 0.0;
  const double left = event_by_ - state.t();
  memory[event_by] = left > smallest(state.t()) ? event_by_ : 0.0;
  memory[event_step] = event_step_;
  if (memory[event_by] > 0.0) report.suggested_step = std::min(report.suggested_step, left <= event_step_ ? left : 0.5 * left);
  event_from_ = -1.0;
}

}  // namespace saltus
