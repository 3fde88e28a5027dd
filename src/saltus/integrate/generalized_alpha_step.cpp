// Generalized-alpha on the Lie group (Bruls, Cardona, Arnold 2012; Arnold, Bruls, Cardona 2015), index 3 or stabilized index 2.
//
// Unknowns of a step are vdot+, xdot+, z+, lambda+; everything else follows from
//   (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) vdot+ + alpha_f vdot,
//   v+ = v + h ((1 - gamma) a + gamma a+),  q+ = q (+) (h v + h^2 ((1/2 - beta) a + beta a+) + closing).
// Index 3: y(q+) = 0, closing = 0. Index 2: ydot(q+, v+) = 0 and y(q+) = 0 (Gear, Gupta, Leimkuhler 1985), closing normal to
// the constraints in the metric of the step's matrix. With rows divided by dq/dvdot (value) or dv/dvdot (rate) the matrix is
// [M + b1 D_v + b0 (K - ..), -H^T; H, 0]: its condition does not depend on h (Bottasso, Bauchau, Cardona 2007).
#include "saltus/integrate/generalized_alpha_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "saltus/integrate/circuit.hpp"
#include "saltus/integrate/history.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/math/breaks.hpp"
#include "saltus/math/long_vectors.hpp"

namespace saltus {
namespace {

constexpr int most_iterations = 20;
constexpr double equation_tolerance = 1e-9;    // of the largest term
constexpr double constraint_tolerance = 1e-13; // of the model's length
constexpr double longest_pause = 15.0;         // steps between attempts to keep a factor
constexpr double sure_turn = 0.5;              // [rad] of a step: Newton's matrix has H in place of H T, T the tangent map, and quarters errors up to there
constexpr double felt_noise = 1e-6;            // of accelerations [m/s^2], by rounding of positions

StepReport failed(StepReport report, std::string cause) {
  report.status = StepStatus::failed;
  report.cause = std::move(cause);
  return report;
}
StepReport rejected(StepReport report, std::string cause) {
  report.status = StepStatus::rejected;
  report.cause = std::move(cause);
  report.residual = {};
  return report;
}

}  // namespace

AlphaWorkspace::AlphaWorkspace(const AlphaPlan& plan)
    : plan_(plan), w_(plan.w), s_(*plan.system), l_(s_.layout), assembly_(s_, plan.options.threads, Frames::needed), accelerations_(s_, plan.options.threads), matrix_(s_, plan.symmetric),
      inertia_(s_, assembly_), reactions_(s_, assembly_), norm_(s_, 1.0),
      memory_(l_, plan.stabilized, plan.modified, plan.options.error_control ? norm_.memory_size() : 0, plan.options.error_control && norm_.bends()) {
  const std::size_t nu = l_.unknowns(), rows = l_.rows, nv = l_.nv, nx = l_.nx;
  newton_.A.resize(s_.pattern.nonzeros());
  for (auto* v : {&work_.residual, &work_.correction}) v->resize(nu + rows);
  for (auto* v : {&work_.F, &work_.rates, &work_.input}) v->resize(nu + 1);
  for (auto* v : {&work_.row, &work_.time_rate, &newton_.row_scale, &now_.lambda}) v->resize(rows);
  for (auto* v : {&now_.vdot, &now_.a, &now_.v, &before_.vdot}) v->resize(nv);
  for (auto* v : {&now_.xdot, &now_.xa, &before_.xdot, &before_.first_slope}) v->resize(nx);
  for (auto* v : {&work_.tangent, &now_.closing}) v->resize(std::max<std::size_t>(1, nv));
  work_.inertial.resize(nu), before_.slope.resize(nv + nx + rows), now_.y.resize(l_.y_size());
  work_.near_y = now_.y, work_.near_lambda = now_.lambda;
  if (nx > 0) middle_ = now_;
  newton_.stamp.resize(memory_.factor_size);
  open_.resize(nv + nx);
  slow_.resize(memory_.size - memory_.slow);
  if (plan.stabilized) matrix_.hold_at_rate(plan.at_both);
  matrix_.leave_out(plan.out);
  assembly_.update(0.0, s_.initial_y.data(), nullptr, s_.initial_data.data());
  size_.weight = column_scales(s_, assembly_.kinematics());
}

StepReport AlphaWorkspace::start(State& state) {
  StepReport report;
  w_ = plan_.w;
  const StartReport consistent = make_consistent(accelerations_, state, plan_.options.consistent);
  report.warnings = consistent.warnings;
  if (!consistent.ok) return failed(report, consistent.cause);
  std::copy(state.y(), state.y() + l_.y_size(), now_.y.begin());
  std::copy(state.lambda(), state.lambda() + l_.rows, now_.lambda.begin());
  if (const LinearOutcome out = rates_along(state.t(), state.data(), 1e-3 * state.h()); !out.ok) return failed(report, out.cause);
  if (accelerations_.differentiates() && !share_charges(state, report)) return failed(report, report.cause);
  std::copy(now_.y.begin(), now_.y.end(), state.y());
  std::copy(now_.vdot.begin(), now_.vdot.end(), state.a());
  std::copy(now_.xdot.begin(), now_.xdot.end(), state.xdot());
  std::copy(now_.lambda.begin(), now_.lambda.end(), state.lambda());
  assembly_.update(state.t(), state.y(), state.lambda(), state.data());
  choose_reactions(state.lambda());
  set_averages(state.h());
  double* m = state.memory();
  std::copy(now_.a.begin(), now_.a.end(), m + memory_.a);
  std::copy(now_.xa.begin(), now_.xa.end(), m + memory_.xa);
  std::copy(before_.slope.begin(), before_.slope.end(), m + memory_.slope);
  std::copy(before_.slope.begin(), before_.slope.end(), m + memory_.before);
  m[memory_.last_h] = state.h(), m[memory_.fresh] = 1.0, m[memory_.general] = plan_.symmetric ? 0.0 : 1.0;
  std::fill_n(m + memory_.closing, memory_.ranges - memory_.closing, 0.0);
  if (plan_.options.error_control) norm_.begin(state.y(), m + memory_.ranges);
  return report;
}

/// Charges and fluxes that contradict sources, or each other, jump to what agrees.
bool AlphaWorkspace::share_charges(const State& state, StepReport& report) {
  constexpr double rounding = 1e-9;
  const Circuit::Contradiction none = Circuit(s_).contradiction(assembly_, state.t(), now_.y.data(), state.data(), true);
  const double moved = accelerations_.close_algebraic(state.t(), now_.y.data(), state.data(), now_.lambda.data());
  double size = 0.0;
  for (int i = 0; i < l_.nx; ++i) size = std::max(size, std::abs(now_.y[l_.x_begin() + i]));
  if (!(moved > 0.0)) return true;
  if (moved > rounding * size) {
    const std::string open = none.found() ? none.message : "states contradict algebraic equations";
    report.cause = open + " at the start, and consistent is off";
    if (!plan_.options.consistent) return false;
    report.warnings.push_back({{}, "nodes", open + " at the start: in the first step voltages of capacitors and currents of inductors jump to values that agree",
                               none.found() ? none.remedy : "give voltages and currents that agree", Severity::warning});
  }
  const LinearOutcome out = rates_along(state.t(), state.data(), 1e-3 * state.h());
  report.cause = out.cause;
  return out.ok;
}

StepReport AlphaWorkspace::step(State& state, double h, bool alone) {
  StepReport report;
  const double t = state.t() + h;
  if (!std::exchange(looked_, true) && l_.nz > 0 && l_.nx > 0) {  // whether equations are of index 2: of a run that goes on
    std::copy(state.y(), state.y() + l_.y_size(), now_.y.begin());
    std::copy(state.lambda(), state.lambda() + l_.rows, now_.lambda.begin());
    (void)accelerations_.solve(state.t(), now_.y.data(), state.data(), now_.lambda.data(), work_.rates.data());
  }
  if (const LinearOutcome out = predict(state, h); !out.ok) return rejected(report, out.cause);
  set_steps(h);
  begun_open_ = 0.0;
  bool general = state.memory()[memory_.general] != 0.0;
  const bool recalled = recall_factor(state, h, report);
  bool have = recalled, kept = have;
  if (begins_.anew || begins_.resized) {
    if (!begin_averages(state, h, general, report)) return rejected(report, report.cause);
    // The matrix of the beginning serves a run's first step where all is linear. At index 2 the metric of the closing is that of the end.
    have = kept = plan_.modified && !plan_.stabilized && state.memory()[memory_.last_h] == h;
  }
  constexpr double none = std::numeric_limits<double>::infinity();
  Progress last{none, none};
  int tries = 0;  // Newton steps with the present matrix
  double before = none;  // residual over tolerance, before the last Newton step with the present matrix
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    correct(state, h);
    assembly_.update(t, now_.y.data(), now_.lambda.data(), state.data());
    if (!residuals(h, report)) return rejected(report, "a force or constraint is not finite");
    const double error = std::max(report.residual.equations / equation_tolerance, report.residual.constraints / constraint_tolerance);
    if (last.converged && error < 1.0) break;
    if (have && kept && error > 0.1 * before) {
      have = kept = false;  // a new matrix at this point
    } else if (have && tries > 1 && error > 0.25 * before) {
      // As far as rounding lets it come: positions far from the origin leave noise of eps |q| / b0 in the accelerations.
      if (last.exact || (error < 1e3 && error > 0.5 * before)) break;
      if (error > 1e3) have = false, general = true;  // a new symmetric part served no better: the whole, here
    }
    if (!have) last = {none, none};
    before = error;
    if (!have) {
      if (!factor(general, report)) return rejected(report, report.cause);
      note_factor(h, t, general);
      have = true, tries = 0;
    }
    const Progress now = improve(last);
    ++report.iterations, ++tries;
    if (!std::isfinite(now.change + now.z_change)) return rejected(report, "Newton's iteration ran off");
    if (iteration > 3 && now.change > 2.0 * last.change && now.change > 1e-10) return rejected(report, "Newton's iteration diverges");
    last = now;
  }
  if (!last.converged && !(last.change <= 1e-8)) return rejected(report, "Newton's iteration did not converge in " + std::to_string(most_iterations) + " steps");
  if (report.residual.equations > 1e-6 || report.residual.constraints > 1e-6)
    return rejected(report, "the residual stays at " + std::to_string(std::max(report.residual.equations, report.residual.constraints)));
  if (plan_.options.error_control && report.residual.constraints > constraint_tolerance && turn() > sure_turn)
    return rejected(report, "joints do not close in a step in which a body turns by " + std::to_string(turn()) + " rad");
  if (plan_.options.error_control) estimate(state, h, alone, report);
  if (!(report.error <= (alone ? 1.0 : std::numeric_limits<double>::max()))) {
    report.status = StepStatus::rejected;
    report.cause = "the local error is " + std::to_string(report.error) + " times the tolerance";
    return report;
  }
  choose_reactions(now_.lambda.data());
  accept(state, h, t, general, recalled, recalled ? kept && report.iterations <= 2 : report.iterations <= 2);
  if (accelerations_.differentiates()) take_derivatives(state);
  return report;
}

/// Of equations of index 2, whose states the step meets exactly, rates and algebraic unknowns by these states: those of the step alternate about them.
void AlphaWorkspace::take_derivatives(State& state) {
  if (!accelerations_.solve(state.t(), now_.y.data(), state.data(), now_.lambda.data(), work_.rates.data()).ok) return;
  std::copy_n(now_.y.begin() + l_.z_begin(), l_.nz, state.z());
  std::copy_n(work_.rates.begin() + l_.nv, l_.nx, state.xdot());
  std::copy(now_.lambda.begin(), now_.lambda.end(), state.lambda());
}

void AlphaWorkspace::add_to_rates(State& state, double h, std::span<const double> change) const {
  const double share = (1.0 - w_.alpha_f) / (1.0 - w_.alpha_m), x_share = (1.0 - w_.alpha_f) / (1.0 - w_.alpha_m1);
  double* m = state.memory();
  for (int i = 0; i < count_of(change); ++i) {
    const int x = i - l_.nv;
    (x < 0 ? state.a()[i] : state.xdot()[x]) += change[at(i)];
    m[x < 0 ? memory_.a + i : memory_.xa + x] += (x < 0 ? share : x_share) * change[at(i)];
    m[memory_.slope + i] += change[at(i)] / h;
  }
}

/// now_.vdot, now_.xdot, z and now_.lambda at now_.y, and before_.slope, their central difference over +-e along the motion. now_.y stays but for z.
LinearOutcome AlphaWorkspace::rates_along(double t, const double* data, double e) {
  LinearOutcome out = accelerations_.solve(t, now_.y.data(), data, now_.lambda.data(), work_.rates.data());
  if (!out.ok) return out;
  std::copy(work_.rates.begin(), work_.rates.begin() + l_.nv, now_.vdot.begin());
  std::copy(work_.rates.begin() + l_.nv, work_.rates.begin() + l_.nv + l_.nx, now_.xdot.begin());
  std::fill(before_.slope.begin(), before_.slope.end(), 0.0);
  bool behind_break = false;  // a force jumped just now: the slope is the one ahead
  for (const TimeFormula& f : s_.time_formulas) {
    e = std::max(first_break(f.formula, f.inputs, t, t + e, data) - t, 1e-3 * e);
    behind_break |= first_break(f.formula, f.inputs, t - e, t, data) < t;
  }
  behind_break |= AskedSwitches(s_).differ(accelerations_.assembly(), t - e, t, now_.y.data(), now_.lambda.data(), data);
  for (const double shift : {e, -e}) {
    work_.near_y = now_.y, work_.near_lambda = now_.lambda;
    for (int i = 0; i < l_.nv; ++i) work_.tangent[i] = shift * (now_.y[l_.v_begin() + i] + 0.5 * shift * now_.vdot[i]);
    s_.map.retract(work_.near_y.data(), work_.tangent.data());
    for (int i = 0; i < l_.nv; ++i) work_.near_y[l_.v_begin() + i] += shift * now_.vdot[i];
    for (int i = 0; i < l_.nx; ++i) work_.near_y[l_.x_begin() + i] += shift * now_.xdot[i];
    out = accelerations_.solve(t + shift, work_.near_y.data(), data, work_.near_lambda.data(), work_.rates.data());
    if (!out.ok) return e > 1e-12 * std::max(1.0, std::abs(t)) ? rates_along(t, data, 1e-3 * e) : out;  // far beyond the knee of a diode
    const double by = behind_break ? shift : 2.0 * shift;
    for (int i = 0; i < l_.nv + l_.nx; ++i) before_.slope[i] += work_.rates[i] / by;
    for (int r = 0; r < l_.rows; ++r) before_.slope[l_.nv + l_.nx + r] += work_.near_lambda[r] / by;
    if (!behind_break) continue;
    for (int i = 0; i < l_.nv; ++i) before_.slope[i] -= now_.vdot[i] / by;
    for (int i = 0; i < l_.nx; ++i) before_.slope[l_.nv + i] -= now_.xdot[i] / by;
    for (int r = 0; r < l_.rows; ++r) before_.slope[l_.nv + l_.nx + r] -= now_.lambda[r] / by;
    break;
  }
  return out;
}

/// a at t + (alpha_m - alpha_f) h: second order from the first step (Arnold, Bruls, Cardona 2015).
void AlphaWorkspace::set_averages(double h) {
  now_.a = now_.vdot, now_.xa = now_.xdot;
  shift_averages(h);
}

/// Moves them on in time, as where steps of another length follow: there what vibrates faster than the step keeps its averages, which damp it, and forces of the state alone would stir it up.
void AlphaWorkspace::shift_averages(double change) {
  for (int i = 0; i < l_.nv; ++i) now_.a[i] += (w_.alpha_m - w_.alpha_f) * change * before_.slope[i];
  for (int i = 0; i < l_.nx; ++i) now_.xa[i] += (w_.alpha_m1 - w_.alpha_f) * change * before_.slope[l_.nv + i];
}

/// now_.v, now_.a, now_.xa, old rates and the first guess of vdot+, xdot+, lambda+ along their slopes and the change of these. After a
/// change of the step all start anew from q and v: a scaled by differences of vdot feeds their alternating error back, and
/// runs off while the step falls (measured on a pendulum). Once there was a jump, and where go_on() says so, they go on, by what the step sees of these differences.
LinearOutcome AlphaWorkspace::predict(const State& state, double h) {
  const double *m = state.memory(), last = m[memory_.last_h];
  const bool same = std::abs(h - last) < 1e-9 * h;
  begins_.behind_jump = goes_on() && last == 0.0, begins_.resized = goes_on() && last > 0.0 && !same && m[memory_.fresh] == 0.0;
  begins_.anew = !begins_.behind_jump && !begins_.resized && (!same || m[memory_.fresh] != 0.0);
  w_ = weights(state);
  std::copy(state.y(), state.y() + l_.y_size(), now_.y.begin());
  std::copy(state.lambda(), state.lambda() + l_.rows, now_.lambda.begin());
  LinearOutcome out;
  if (begins_.behind_jump) {
    for (auto* rates : {&now_.vdot, &now_.a, &before_.slope}) std::fill(rates->begin(), rates->end(), 0.0);
    std::copy(state.xdot(), state.xdot() + l_.nx, now_.xdot.begin());
    now_.xa = now_.xdot;
  } else if (same || begins_.resized) {
    std::copy(state.a(), state.a() + l_.nv, now_.vdot.begin());
    std::copy(state.xdot(), state.xdot() + l_.nx, now_.xdot.begin());
    std::copy(m + memory_.a, m + memory_.a + l_.nv, now_.a.begin());
    std::copy(m + memory_.xa, m + memory_.xa + l_.nx, now_.xa.begin());
    std::copy(m + memory_.slope, m + memory_.slope + l_.nv + l_.nx + l_.rows, before_.slope.begin());
  } else {
    if (accelerations_.has_velocity_rows()) out = accelerations_.project_velocity(state.t(), now_.y.data(), state.data());
    if (out.ok) out = rates_along(state.t(), state.data(), 1e-3 * h);
    if (!out.ok) return out;
  }
  before_.vdot = now_.vdot, before_.xdot = now_.xdot;
  std::copy(now_.y.begin() + l_.v_begin(), now_.y.begin() + l_.v_begin() + l_.nv, now_.v.begin());
  if (!begins_.anew && !begins_.resized) follow_slopes(h, m + memory_.before, bends_gently(m) ? 1.0 : 0.0);
  std::fill(now_.closing.begin(), now_.closing.end(), 0.0);
  if (plan_.stabilized && (same || begins_.resized)) std::copy_n(m + memory_.closing, l_.nv, now_.closing.begin());
  return out;
}

/// The first guess of vdot+, xdot+, lambda+ from those at the beginning.
void AlphaWorkspace::follow_slopes(double h, const double* before, double curved) {
  const auto guess = [&](std::vector<double>& x, int first) {
    const double *slope = before_.slope.data() + first, *last = before + first;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * (slope[i] + curved * (slope[i] - last[i]));
  };
  guess(now_.vdot, 0);
  guess(now_.xdot, l_.nv);
  guess(now_.lambda, l_.nv + l_.nx);
}

/// True where the last two slopes are alike enough to extrapolate their change: not in vibrations faster than the step.
bool AlphaWorkspace::bends_gently(const double* memory) const {
  double slope = 0.0, change = 0.0;
  measure_change(l_.nv + l_.nx, before_.slope.data(), memory + memory_.before, slope, change);
  return change < 0.5 * slope;
}

/// newton_.b0, newton_.b1, newton_.bx and the scales of rows. They serve Newton's matrix and measures alone: of h without its last bits, which differ
/// from step to step where times are rounded, so that constant parts of the matrix stay.
void AlphaWorkspace::set_steps(double h) {
  int exponent = 0;
  h = std::frexp(h, &exponent);
  h = std::ldexp(std::nearbyint(std::ldexp(h, 36)), exponent - 36);
  const AlphaWeights& w = w_;
  const double ratio = (1.0 - w.alpha_f) / (1.0 - w.alpha_m), ratio1 = (1.0 - w.alpha_f) / (1.0 - w.alpha_m1);
  newton_.b0 = h * h * w.beta * ratio, newton_.b1 = h * w.gamma * ratio, newton_.bx = h * w.gamma1 * ratio1;
  for (int r = 0; r < l_.rows; ++r) newton_.row_scale[r] = plan_.by_rate[r] || plan_.at_both[r] ? newton_.b1 : newton_.b0;
}

/// work_.correction := [A -H^T; H 0]^-1 [M x; 0; H x], x of length nv + nx: what a step sees of rates x. Along motions that it resolves it is x itself
/// up to terms of order h, along springs and dampers far stiffer than the step next to nothing (as Radau's estimates are filtered: Hairer,
/// Wanner 1996, IV.8). Rows held by forces of their own (dh/dlambda) count as such springs.
void AlphaWorkspace::see_by_step(const double* x) {
  std::fill(work_.correction.begin(), work_.correction.end(), 0.0);
  inertia_.multiply(x, work_.correction.data());
  for (const RelationEntry& e : s_.relation_entries) {
    if (pool_of(s_, e).traits().uses_lambda || (!plan_.out.empty() && plan_.out[e.row])) continue;
    const double* H = assembly_.direction(e);
    const auto columns = columns_of(s_, e);
    for (int r = 0; r < e.rows; ++r) {
      double rate = 0.0;
      for (int k = 0; k < e.columns; ++k)
        if (const int c = columns[k]; c < l_.nv + l_.nx && c >= 0) rate += H[r * e.columns + k] * x[c] * (c < l_.nv ? 1.0 : newton_.bx / newton_.row_scale[e.row + r]);
      work_.correction[l_.unknowns() + e.row + r] = rate;
    }
  }
  matrix_.apply(work_.correction);
}

/// Where steps of this length begin: takes from the slopes of vdot and xdot what the step resolves, by its matrix at the beginning. The rest is
/// how far v is from the slow motion along stiff springs, times their stiffness: no jerk to extrapolate, and along the springs as they
/// stand here, so that a matrix at the end would leave a part of it. Then a, xa, the shift of v and the first guess.
bool AlphaWorkspace::begin_averages(const State& state, double h, bool general, StepReport& report) {
  const int rates = l_.nv + l_.nx;
  assembly_.update(state.t(), now_.y.data(), now_.lambda.data(), state.data());
  inertia_.update(assembly_);
  if (!factor(general, report)) return false;
  note_factor(h, state.t(), general);
  if (l_.rows > 0) begun_open_ = accelerations_.position_violation(state.t(), now_.y.data(), state.data());
  std::copy_n(before_.slope.begin() + l_.nv, l_.nx, before_.first_slope.begin());
  see_by_step(before_.slope.data());
  std::copy_n(work_.correction.begin(), rates, before_.slope.begin());
  for (int r = 0; r < l_.rows; ++r) before_.slope[rates + r] += work_.correction[l_.unknowns() + r];
  const double last = begins_.resized ? state.memory()[memory_.last_h] : 0.0;
  if (begins_.resized) shift_averages(h - last);
  else set_averages(h);
  follow_slopes(h, before_.slope.data(), 0.0);
  shift_velocity(h, last);
  return true;
}

/// With a at t + (alpha_m - alpha_f) h the position update misses the motion by h (C h^2 d(vdot)/dt + h^2/12 [v, vdot]),
/// C = 1/6 - (alpha_m - alpha_f)/2 - beta, [v, vdot] = w x wdot of rotations (third term of Magnus' series; Arnold, Bruls, Cardona
/// 2015). So positions of constraints are met where velocities normal to them are off by that: steps of constant h keep it; otherwise
/// lambda would answer with an error of first order. Adds it to now_.v, by the matrix just factored. Rows held at their rate keep
/// their velocity.
void AlphaWorkspace::shift_velocity(double h, double last) {
  const AlphaWeights& w = w_;
  const double k = 1.0 / 6.0 - 0.5 * (w.alpha_m - w.alpha_f) - w.beta, c = k * h * h - k * last * last;
  if (l_.rows == 0) return;
  for (int i = 0; i < l_.nv; ++i) work_.tangent[i] = c * before_.slope[i];
  for (const RotationBlock& rotation : s_.map.rotations) {
    const double *w_B = now_.v.data() + rotation.v, *wdot_B = before_.vdot.data() + rotation.v;
    const Vec3<double> bracket = cross(Vec3<double>{{w_B[0], w_B[1], w_B[2]}}, Vec3<double>{{wdot_B[0], wdot_B[1], wdot_B[2]}});
    for (int i = 0; i < 3; ++i) work_.tangent[rotation.v + i] += (h * h - last * last) / 12.0 * bracket[i];
  }
  std::fill(work_.correction.begin(), work_.correction.end(), 0.0);
  for (const RelationEntry& e : s_.relation_entries) {
    const double* H = assembly_.H().data() + e.value_begin;
    const auto columns = columns_of(s_, e);
    for (int r = 0; r < e.rows; ++r)
      for (int k = 0; k < e.columns && !plan_.by_rate[e.row + r] && !plan_.at_both[e.row + r] && (plan_.out.empty() || !plan_.out[e.row]); ++k)
        if (columns[k] < l_.nv) work_.correction[l_.unknowns() + e.row + r] += H[r * e.columns + k] * work_.tangent[columns[k]];
  }
  matrix_.apply(work_.correction);
  for (int i = 0; i < l_.nv; ++i) now_.v[i] += work_.correction[i];
}

double AlphaWorkspace::next_xa(int i) const {
  const AlphaWeights& w = w_;
  return ((1.0 - w.alpha_f) * now_.xdot[i] + w.alpha_f * before_.xdot[i] - w.alpha_m1 * now_.xa[i]) / (1.0 - w.alpha_m1);
}

/// next := a at the end of the step.
void AlphaWorkspace::next_average(double* next) const {
  const AlphaWeights& w = w_;
  const double now = (1.0 - w.alpha_f) / (1.0 - w.alpha_m), old = w.alpha_f / (1.0 - w.alpha_m), before = w.alpha_m / (1.0 - w.alpha_m);
  const double *vdot = now_.vdot.data(), *old_vdot = before_.vdot.data(), *a = now_.a.data();
  for (int i = 0; i < l_.nv; ++i) next[i] = now * vdot[i] + old * old_vdot[i] - before * a[i];
}

/// y+ from vdot+, xdot+ and closing, with a+ = now vdot+ + old vdot - before a put in.
void AlphaWorkspace::correct(const State& state, double h) {
  const AlphaWeights& w = w_;
  const double now = (1.0 - w.alpha_f) / (1.0 - w.alpha_m), old = w.alpha_f / (1.0 - w.alpha_m), before = w.alpha_m / (1.0 - w.alpha_m);
  const double by_next = h * h * w.beta, rate_by_next = h * w.gamma;
  const double* terms[] = {now_.a.data(), now_.vdot.data(), before_.vdot.data(), now_.v.data()};
  const double by[] = {h * h * (0.5 - w.beta) - by_next * before, by_next * now, by_next * old, h};
  const double rate_by[] = {h * (1.0 - w.gamma) - rate_by_next * before, rate_by_next * now, rate_by_next * old};
  add_weighted_sum(l_.nv, now_.closing.data(), 4, by, terms, work_.tangent.data());
  add_weighted_sum(l_.nv, now_.v.data(), 3, rate_by, terms, now_.y.data() + l_.v_begin());
  s_.map.retract(state.q(), work_.tangent.data(), l_.nq, now_.y.data());
  for (int i = 0; i < l_.nx; ++i) now_.y[l_.x_begin() + i] = state.x()[i] + h * ((1.0 - w.gamma1) * now_.xa[i] + w.gamma1 * next_xa(i));
}

/// [M vdot - F - H^T lambda; xdot - F; -F_z; y / b0 or ydot / b1] and their scaled sizes: rates by the speeds that cancel.
bool AlphaWorkspace::residuals(double h, StepReport& report) {
  const int nu = l_.unknowns();
  const bool finite_dynamics = evaluate_dynamics();
  double constraint = 0.0, fastest = 0.0, speed = 0.01 * s_.length_scale / h;
  // Positions far from the origin are apart by rounding; divided by h^2 that would be noise in accelerations and multipliers.
  const double last_digit = 2.0 * std::numeric_limits<double>::epsilon() * s_.length_scale;
  const double rounding = last_digit > felt_noise * newton_.b0 ? last_digit : 0.0;
  for (int r = 0; r < l_.rows; ++r) {
    if (!plan_.out.empty() && plan_.out[r]) {
      work_.residual[nu + r] = now_.lambda[r];  // no multiplier
      continue;
    }
    const double open = plan_.by_rate[r] ? work_.row[r] : work_.row[r] - std::clamp(work_.row[r], -rounding, rounding);
    work_.residual[nu + r] = open / newton_.row_scale[r];
    constraint = std::max(constraint, std::abs(work_.row[r]));
  }
  if (plan_.stabilized)
    for (const RelationEntry& e : s_.relation_entries) {
      const double *H = assembly_.H().data() + e.value_begin, *v = now_.y.data() + l_.v_begin();
      const auto columns = columns_of(s_, e);
      for (int r = 0; r < e.rows && plan_.at_both[e.row + r]; ++r) {
        double rate = work_.time_rate[e.row + r];
        for (int k = 0; k < e.columns; ++k) {
          const double term = H[r * e.columns + k] * v[columns[k]];
          rate += term, speed = std::max(speed, std::abs(term));
        }
        work_.residual[nu + e.row + r] = rate / newton_.b1;
        fastest = std::max(fastest, std::abs(rate));
      }
    }
  report.residual.equations = equation_residual();
  report.residual.constraints = std::max(constraint / std::max(1.0, s_.length_scale), fastest / speed);
  return finite_dynamics && finite(work_.residual.data() + nu, l_.rows);
}

/// work_.inertial, work_.F, work_.input, work_.row (index 2: work_.time_rate and the blocks too) and the first rows of work_.residual at the assembly's configuration,
/// with size_.worst and size_.scale. False where one is not finite.
bool AlphaWorkspace::evaluate_dynamics() {
  assembly_.forces(work_.F.data());
  inertia_.update(assembly_);
  std::fill(work_.input.begin(), work_.input.end(), 0.0);
  if (plan_.stabilized) {
    RowSink rows;
    rows.y = work_.row.data();
    rows.time_rate = work_.time_rate.data();
    assembly_.input_blocks(rows);
    assembly_.add_inputs(now_.lambda.data(), 1.0, work_.input.data());
  } else if (l_.rows > 0) {
    assembly_.residual(now_.lambda.data(), work_.row.data(), work_.input.data());
  }
  std::copy(now_.vdot.begin(), now_.vdot.end(), work_.rates.begin());
  std::copy(now_.xdot.begin(), now_.xdot.end(), work_.rates.begin() + l_.nv);
  inertia_.multiply(work_.rates.data(), work_.inertial.data());  // rows of z: 0 from the start
  const int begin[4] = {0, l_.nv, l_.nv + l_.nx, l_.unknowns()};
  bool ok = true;
  for (int kind = 0; kind < 3; ++kind) {
    const int i = begin[kind];
    size_.worst[kind] = 0.0, size_.scale[kind] = 1e-300;
    ok &= subtract_measured(begin[kind + 1] - i, size_.weight.data() + i, work_.inertial.data() + i, work_.F.data() + i, work_.input.data() + i, work_.residual.data() + i, size_.worst[kind], size_.scale[kind]);
  }
  return ok;
}

/// Largest residual over the largest term of equations of its kind, moments by the model's size. Stiff forces that cancel
/// leave rounding of K L: their sum counts as 1e-7 K L at least; so do the stiff parts of rates.
double AlphaWorkspace::equation_residual() const {
  double scale[3] = {std::max(newton_.internal, size_.scale[0]), std::max(newton_.internal_first, size_.scale[1]), size_.scale[2]};
  for (int i = l_.nv + l_.nx; i < l_.unknowns(); ++i)  // the terms of 0 = F cancel within F: by its coefficients
    for (int k = s_.pattern.begin[i]; k < s_.pattern.begin[i + 1]; ++k)
      if (const int j = s_.pattern.column[k]; j >= l_.nv + l_.nx)
        scale[2] = std::max(scale[2], std::abs(newton_.A[k]) * std::max(1e-6, std::abs(now_.y[l_.z_begin() + j - l_.nv - l_.nx])));
  return std::max({size_.worst[0] / scale[0], size_.worst[1] / scale[1], size_.worst[2] / scale[2]});
}

/// newton_.A := masses and what forces of constant matrices add; made once for steps of one length where masses are constant.
void AlphaWorkspace::constant_part(const Seeds& seeds) {
  if (!(inertia_.constant() && newton_.constant_b0 == newton_.b0 && newton_.constant_b1 == newton_.b1)) {
    newton_.constant.resize(newton_.A.size());
    inertia_.scatter(newton_.constant.data());
    assembly_.add_force_matrix(seeds, Matrices::constant, newton_.constant.data());
    newton_.constant_b0 = newton_.b0, newton_.constant_b1 = newton_.b1;
  }
  std::copy(newton_.constant.begin(), newton_.constant.end(), newton_.A.begin());
}

/// The matrix of the step at the assembly's configuration, after residuals(); `general`: the whole, by L U.
bool AlphaWorkspace::factor(bool general, StepReport& report) {
  ++report.factorizations;
  Seeds seeds;
  seeds.value[0] = newton_.b0, seeds.value[1] = newton_.bx, seeds.value[2] = 1.0;
  seeds.rate[0] = newton_.b1;
  assembly_.input_blocks();
  constant_part(seeds);
  newton_.internal = newton_.internal_first = 0.0;
  assembly_.add_force_matrix(seeds, Matrices::varying, newton_.A.data());
  if (l_.rows > 0) assembly_.add_input_matrix(seeds, 1.0, newton_.A.data());
  const CsrPattern& mass = inertia_.pattern();
  for (int i = 0; i < l_.nv; ++i) {
    double own = 0.0;
    for (int k = mass.begin[i]; k < mass.begin[i + 1]; ++k)
      if (mass.column[k] == i) own = inertia_.values()[k];
    newton_.internal = std::max(newton_.internal, 1e-7 * s_.length_scale * size_.weight[i] * size_.weight[i] * std::abs(newton_.A[s_.diagonal_slot[i]] - own) / newton_.b0);
  }
  for (int i = 0; i < l_.nx; ++i)
    newton_.internal_first = std::max(newton_.internal_first, 1e-7 * std::abs(now_.y[l_.x_begin() + i] * (newton_.A[s_.diagonal_slot[l_.nv + i]] - 1.0)) / newton_.bx);
  const FactorReport f = general ? matrix_.factorize(assembly_, newton_.A, seeds, newton_.row_scale) : matrix_.factorize_symmetric(assembly_, newton_.A, newton_.row_scale);
  if (f.status == FactorStatus::ok) return true;
  if (f.status == FactorStatus::not_finite)
    report.cause = "the matrix of the step is not finite";
  else
    report.cause = "the matrix of the step is singular: " + (f.row < 0 ? std::string("no unknown named") : f.row < l_.unknowns() ? unknown_name(s_, f.row) + " has no mass or stiffness" : row_name(s_, f.row - l_.unknowns()));
  return false;
}

/// True where the factor that the state remembers serves a step of length h: it is that of matrix_, or is made again at the
/// point where it was, so that a restarted run goes on bit for bit.
bool AlphaWorkspace::recall_factor(const State& state, double h, StepReport& report) {
  newton_.noted = false;
  if (!plan_.modified || begins_.anew || state.memory()[memory_.patience + 1] > 0.0) return false;
  const double* kept = state.memory() + memory_.factor;
  if (kept[0] == 0.0 || std::abs(kept[1] - h) > 1e-9 * h) return false;
  if (std::memcmp(kept, newton_.stamp.data(), newton_.stamp.size() * sizeof(double)) == 0) return true;
  const double *y = kept + 3, *lambda = y + l_.y_size();
  assembly_.update(kept[2], y, lambda, state.data());
  inertia_.update(assembly_);
  newton_.stamp[0] = 0.0;
  if (!factor(kept[0] == 2.0, report)) return false;
  std::copy(kept, kept + memory_.factor_size, newton_.stamp.begin());
  return true;
}

/// The factor of matrix_ is that of the configuration in now_.y, now_.lambda.
void AlphaWorkspace::note_factor(double h, double t, bool general) {
  if (!plan_.modified) return;
  newton_.noted = true;
  newton_.stamp[0] = general ? 2.0 : 1.0, newton_.stamp[1] = h, newton_.stamp[2] = t;
  std::copy(now_.y.begin(), now_.y.end(), newton_.stamp.begin() + 3);
  std::copy(now_.lambda.begin(), now_.lambda.end(), newton_.stamp.begin() + 3 + l_.y_size());
}

/// One Newton step from work_.residual. Converged where the change is rounding, or so small that the next one will be (linear rate
/// from the last two).
AlphaWorkspace::Progress AlphaWorkspace::improve(const Progress& last) {
  std::copy(work_.residual.begin(), work_.residual.end(), work_.correction.begin());
  matrix_.apply(work_.correction);
  double change = 0.0, size = 0.0, x_change = 0.0, x_size = 0.0;
  subtract_change(l_.nv, work_.correction.data(), now_.vdot.data(), change, size);
  subtract_change(l_.nx, work_.correction.data() + l_.nv, now_.xdot.data(), x_change, x_size);
  change = std::max(newton_.b0 * change / s_.length_scale, newton_.bx * x_change), size = std::max(newton_.b0 * size / s_.length_scale, newton_.bx * x_size);
  double z_change = 0.0, z_size = 1e-6;  // in units of their own
  for (int i = 0; i < l_.nz; ++i) {
    double& z = now_.y[l_.z_begin() + i];
    z -= work_.correction[l_.nv + l_.nx + i];
    z_change = std::max(z_change, std::abs(work_.correction[l_.nv + l_.nx + i])), z_size = std::max(z_size, std::abs(z));
  }
  double ignored = 0.0;
  subtract_change(l_.rows, work_.correction.data() + l_.unknowns(), now_.lambda.data(), ignored, ignored);
  if (plan_.stabilized) {
    close_positions();
    for (int i = 0; i < l_.nv; ++i) change = std::max(change, std::abs(work_.correction[i]) / s_.length_scale);
  }
  Progress now{change, z_change};
  const double floor = 1e-15 + 1e-13 * size, rate = change / last.change;
  const double z_floor = 1e-13 * z_size, z_rate = z_change / last.z_change;
  now.converged = (change <= floor || (rate < 0.5 && change * rate <= floor)) && (z_change <= z_floor || (z_rate < 0.5 && z_change * z_rate <= z_floor));
  now.exact = change <= floor && z_change <= z_floor;
  return now;
}

/// What the step just made leaves of y at the rows held at both levels, taken out of the position: adds to now_.closing the
/// displacement [A, -H^T; H, 0]^-1 [0; -y]. Leaves it in work_.correction, which holds what was taken from vdot.
void AlphaWorkspace::close_positions() {
  for (const RelationEntry& e : s_.relation_entries) {
    const double* H = assembly_.H().data() + e.value_begin;
    const auto columns = columns_of(s_, e);
    for (int r = 0; r < e.rows; ++r) {
      double open = 0.0;
      if (plan_.at_both[e.row + r]) {
        open = work_.row[e.row + r];
        for (int k = 0; k < e.columns; ++k)
          if (columns[k] < l_.nv) open -= newton_.b0 * H[r * e.columns + k] * work_.correction[columns[k]];
      }
      work_.row[e.row + r] = open;
    }
  }
  std::fill(work_.correction.begin(), work_.correction.begin() + l_.unknowns(), 0.0);
  for (int r = 0; r < l_.rows; ++r) work_.correction[l_.unknowns() + r] = -work_.row[r];
  matrix_.apply(work_.correction);
  for (int i = 0; i < l_.nv; ++i) now_.closing[i] += work_.correction[i];
}

/// Of reactions that load the bodies alike at the configuration of the assembly, those of least norm.
void AlphaWorkspace::choose_reactions(double* lambda) {
  if (!reactions_.needed()) return;
  assembly_.input_blocks();
  reactions_.apply(assembly_, lambda);
}

/// Local error of q from the change of vdot: (beta + delta/2 - 1/6) h^2 (vdot+ - vdot), delta = alpha_m - alpha_f, which is h times that of v,
/// so that a vibration counts by its speed; of x from the second difference of xdot, as the step sees it: what it damps along stiff
/// directions is no error of x. Errors add up over the time in which the motion runs through its range: a step may make its share of the
/// tolerance, so that the error of a run follows the tolerance though the scheme is of second order.
void AlphaWorkspace::estimate(State& state, double h, bool alone, StepReport& report) {
  constexpr double large = 0.05;  // below, the next step is twice as long in any case
  for (int i = 0; i < l_.nv; ++i) work_.rates[i] = now_.vdot[i] - before_.vdot[i];
  // h^2/2 of the second derivative of xdot: beside the slope where steps of this length begin; beside that of the step before the difference is twice it.
  for (int i = 0; i < l_.nx; ++i) work_.rates[l_.nv + i] = begins_.anew ? now_.xdot[i] - before_.xdot[i] - h * before_.first_slope[i] : 0.5 * (now_.xdot[i] - before_.xdot[i] - h * before_.slope[l_.nv + i]);
  double tolerance = this->tolerance(), worst = scaled_error(state, h, tolerance, work_.rates.data());
  if (const double share = norm_.share(h); share < 1.0) worst = scaled_error(state, h, tolerance *= share, work_.rates.data());
  if ((l_.nx > 0 || norm_.bends()) && !(worst <= large) && !accelerations_.differentiates()) {  // what sources prescribe no step sees
    if (plan_.modified || reactions_.needed()) assembly_.input_blocks();  // not those of the factor: a restart does not have them
    std::vector<double>& part = work_.F;
    const auto filter = [&](int first, int last) {  // by itself: how states follow a change of accelerations is no second difference of theirs
      std::fill(part.begin(), part.end(), 0.0);
      std::copy(work_.rates.begin() + first, work_.rates.begin() + last, part.begin() + first);
      see_by_step(part.data());
      std::copy(work_.correction.begin() + first, work_.correction.begin() + last, work_.rates.begin() + first);
    };
    if (norm_.bends()) filter(0, l_.nv);
    for (int pass = 0; l_.nx > 0 && pass < (begins_.anew ? 2 : 1); ++pass) filter(l_.nv, l_.nv + l_.nx);  // the slope of the equations at the beginning has their stiffness once more
    worst = scaled_error(state, h, tolerance, work_.rates.data());
    if (l_.nx > 0 && worst <= 1.0) worst = std::max(worst, open_within(state, h));
  }
  if (const double slow = follows() ? slow_error(state, h) : 0.0; jumped_) worst = std::max(worst, slow);
  double* ranges = state.memory() + memory_.ranges;
  if (worst <= 1.0 || !alone) norm_.see(ranges);
  else norm_.foresee(worst, tolerance, ranges, 2.0);  // at second order a motion that begins with t^4 is its own error at any step
  report.error = worst;
  const bool closes = report.residual.constraints < 0.1 * constraint_tolerance || 2.0 * turn() <= sure_turn;
  const double factor = std::clamp(0.9 / std::sqrt(std::max(worst, 1e-9)), 0.25, closes ? 2.0 : 1.0);
  report.suggested_step = factor >= 1.0 && factor < 1.3 ? h : h * factor;  // a change starts the averages anew
}

/// Error of the slow motion over the tolerance itself: that of the step or, where it is less, of what running means over `averaged` steps leave of its rate, three in a row. Of a vibration of
/// frequency w they leave 1 / (1 + (w h averaged)^2)^(3/2): it counts where a hundred steps or more follow it. What does not bend counts by the largest motion
/// in the model: feet that beams stand on move by nothing that is to be followed. The means go on from the beginning of a run, whether there was a jump or not.
double AlphaWorkspace::slow_error(const State& state, double h) {
  constexpr double averaged = 32.0;
  const double *before = state.memory() + memory_.slow, seen = before[0], share = std::max(1.0 / averaged, 1.0 / (1.0 + seen));
  std::vector<double>& changes = work_.F;
  std::fill(changes.begin(), changes.end(), 0.0);
  for (int i = 0; i < l_.nv; ++i) changes[i] = now_.vdot[i] - before_.vdot[i];
  see_by_step(changes.data());
  std::copy_n(work_.correction.begin(), l_.nv, changes.begin());
  const double whole = scaled_error(state, h, plan_.options.tolerance, changes.data(), 1.0);
  slow_[0] = seen + 1.0;
  for (int i = 0; i < l_.nv; ++i) {
    double jerk = changes[i] / h;
    for (int k = 1 + i; k < count_of(slow_); k += l_.nv) jerk = slow_[k] = before[k] + share * (jerk - before[k]);
    changes[i] = h * jerk;
  }
  return std::min(whole, scaled_error(state, h, plan_.options.tolerance, changes.data(), 1.0));
}

/// Largest angle by which a body turns in the step [rad].
double AlphaWorkspace::turn() const {
  double most = 0.0;
  for (const RotationBlock& r : s_.map.rotations) most = std::max(most, norm(Vec3<double>{{work_.tangent[r.v], work_.tangent[r.v + 1], work_.tangent[r.v + 2]}}));
  return most;
}

/// Largest error over what is allowed, of a change of vdot and a second difference of xdot (nv + nx).
double AlphaWorkspace::scaled_error(const State& state, double h, double tolerance, const double* change, double least) {
  constexpr double newton = 16.0;  // of rounding, which Newton's iteration leaves
  // What joints were left open by, the step closes, however short it is: more than rounding where the last step turned bodies far.
  const bool turned = turn() * state.memory()[memory_.last_h] > sure_turn * h;
  std::fill_n(open_.begin(), l_.nv, turned ? begun_open_ / h : 0.0);
  const double c = w_.error_constant();
  for (int i = 0; i < l_.nv; ++i) work_.correction[i] = c * h * h * change[i];
  for (int i = 0; i < l_.nx; ++i) work_.correction[l_.nv + i] = h / 6.0 * change[l_.nv + i];
  return norm_.worst(state.memory() + memory_.ranges, now_.y.data(), h, tolerance, work_.correction.data(), nullptr, work_.correction.data() + l_.nv, {.coarseness = newton, .noise = open_.data(), .least = least});
}

/// How far first-order states are from their equations in the middle of the step, on the line between its ends, over the root of the tolerance of their range. A stiff one follows what
/// changes at once, as the potential of a transistor that switches within the step, and both ends are right. By the matrix of the step.
double AlphaWorkspace::open_within(const State& state, double h) {
  const int first = l_.nv, last = l_.nv + l_.nx, n = l_.unknowns();
  std::swap(now_, middle_);
  const auto halve = [](const double* from, const std::vector<double>& to, std::vector<double>& out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = 0.5 * (from[i] + to[i]);
  };
  halve(state.y(), middle_.y, now_.y), halve(state.lambda(), middle_.lambda, now_.lambda), halve(before_.vdot.data(), middle_.vdot, now_.vdot);
  for (int i = 0; i < l_.nv; ++i) work_.rates[i] = 0.5 * work_.tangent[i];
  s_.map.retract(state.q(), work_.rates.data(), l_.nq, now_.y.data());
  for (int i = 0; i < l_.nx; ++i) now_.xdot[i] = (middle_.y[l_.x_begin() + i] - state.x()[i]) / h;
  assembly_.update(state.t() + 0.5 * h, now_.y.data(), now_.lambda.data(), state.data());
  StepReport ignored;
  double worst = 0.0;
  if (residuals(h, ignored)) {  // joints and motions of bodies have errors of their own
    std::fill_n(work_.residual.begin(), first, 0.0);
    for (const RelationEntry& e : s_.relation_entries)
      if (row_form(s_, e) != RowForm::value) std::fill_n(work_.residual.begin() + n + e.row, e.rows, 0.0);
    std::copy(work_.residual.begin(), work_.residual.end(), work_.correction.begin());
    matrix_.apply(work_.correction);
    for (int i = first; i < last; ++i) work_.correction[i] *= newton_.bx;
    worst = norm_.worst(state.memory() + memory_.ranges, middle_.y.data(), h, std::sqrt(plan_.options.tolerance), nullptr, nullptr, work_.correction.data() + first, {.coarseness = 16.0});
  }
  std::swap(now_, middle_);
  assembly_.update(state.t() + h, now_.y.data(), now_.lambda.data(), state.data());
  return worst;
}

/// recalled: the step began with a factor of an earlier one. served: well enough for the next step.
void AlphaWorkspace::accept(State& state, double h, double t, bool general, bool recalled, bool served) {
  double* m = state.memory();
  std::copy(before_.slope.begin(), before_.slope.end(), m + memory_.before);  // where the averages started anew: of this point
  next_average(m + memory_.a);
  if (plan_.modified) {
    double &pause = m[memory_.patience], &left = m[memory_.patience + 1];
    if (recalled) left = pause = served ? 0.0 : std::min(2.0 * pause + 1.0, longest_pause);
    else left = std::max(0.0, left - 1.0);
    if (newton_.noted) std::copy(newton_.stamp.begin(), newton_.stamp.end(), m + memory_.factor);
    if (!served) m[memory_.factor] = 0.0;
  }
  for (int i = 0; i < l_.nv; ++i) m[memory_.slope + i] = (now_.vdot[i] - before_.vdot[i]) / h;
  if (begins_.behind_jump) std::fill_n(m + memory_.slope, l_.nv, 0.0);
  for (int i = 0; i < l_.nx; ++i) {
    m[memory_.xa + i] = next_xa(i);
    m[memory_.slope + l_.nv + i] = (now_.xdot[i] - before_.xdot[i]) / h;
  }
  for (int r = 0; r < l_.rows; ++r) m[memory_.slope + l_.nv + l_.nx + r] = (now_.lambda[r] - state.lambda()[r]) / h;
  m[memory_.last_h] = h, m[memory_.fresh] = 0.0, m[memory_.general] = general;
  if (follows()) std::copy(slow_.begin(), slow_.end(), m + memory_.slow);
  if (plan_.stabilized) std::copy_n(now_.closing.begin(), l_.nv, m + memory_.closing);
  std::copy(now_.y.begin(), now_.y.end(), state.y());
  std::copy(now_.vdot.begin(), now_.vdot.end(), state.a());
  std::copy(now_.xdot.begin(), now_.xdot.end(), state.xdot());
  std::copy(now_.lambda.begin(), now_.lambda.end(), state.lambda());
  state.t() = t;
}

}  // namespace saltus
