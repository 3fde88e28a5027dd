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

#include "saltus/integrate/start.hpp"
#include "saltus/math/breaks.hpp"
#include "saltus/math/long_vectors.hpp"

namespace saltus {
namespace {

constexpr int most_iterations = 20;
constexpr double equation_tolerance = 1e-9;    // of the largest term
constexpr double constraint_tolerance = 1e-13; // of the model's length
constexpr double longest_pause = 15.0;         // steps between attempts to keep a factor
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
    : plan_(plan), s_(*plan.system), l_(s_.layout), assembly_(s_, plan.options.threads, Frames::needed), accelerations_(s_, plan.options.threads), matrix_(s_, plan.symmetric),
      inertia_(s_, assembly_), reactions_(s_, assembly_), norm_(s_, 1.0),
      memory_(l_, plan.stabilized, plan.modified, plan.options.error_control ? norm_.memory_size() : 0) {
  const auto nu = static_cast<std::size_t>(l_.unknowns()), rows = static_cast<std::size_t>(l_.rows), nv = static_cast<std::size_t>(l_.nv), nx = static_cast<std::size_t>(l_.nx);
  A_.resize(s_.pattern.nonzeros());
  for (auto* v : {&residual_, &correction_}) v->resize(nu + rows);
  for (auto* v : {&F_, &rates_, &input_}) v->resize(nu + 1);
  for (auto* v : {&row_, &time_rate_, &row_scale_, &lambda_}) v->resize(rows);
  for (auto* v : {&vdot_, &a_, &v_, &old_vdot_}) v->resize(nv);
  for (auto* v : {&xdot_, &xa_, &old_xdot_, &first_slope_}) v->resize(nx);
  for (auto* v : {&tangent_, &closing_}) v->resize(std::max<std::size_t>(1, nv));
  inertial_.resize(nu), slope_.resize(nv + nx + rows), y_.resize(l_.y_size());
  near_y_ = y_, near_lambda_ = lambda_;
  stamp_.resize(memory_.factor_size);
  if (plan.stabilized) matrix_.hold_at_rate(plan.at_both);
  matrix_.leave_out(plan.out);
  assembly_.update(0.0, s_.initial_y.data(), nullptr, s_.initial_data.data());
  weight_ = column_scales(s_, assembly_.kinematics());
}

StepReport AlphaWorkspace::start(State& state) {
  StepReport report;
  const StartReport consistent = make_consistent(accelerations_, state, plan_.options.consistent);
  report.warnings = consistent.warnings;
  if (!consistent.ok) return failed(report, consistent.cause);
  std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
  std::copy(state.lambda(), state.lambda() + l_.rows, lambda_.begin());
  if (const LinearOutcome out = rates_along(state.t(), state.data(), 1e-3 * state.h()); !out.ok) return failed(report, out.cause);
  std::copy(y_.begin(), y_.end(), state.y());
  std::copy(vdot_.begin(), vdot_.end(), state.a());
  std::copy(xdot_.begin(), xdot_.end(), state.xdot());
  std::copy(lambda_.begin(), lambda_.end(), state.lambda());
  assembly_.update(state.t(), state.y(), state.lambda(), state.data());
  choose_reactions(state.lambda());
  set_averages(state.h());
  double* m = state.memory();
  std::copy(a_.begin(), a_.end(), m + memory_.a);
  std::copy(xa_.begin(), xa_.end(), m + memory_.xa);
  std::copy(slope_.begin(), slope_.end(), m + memory_.slope);
  std::copy(slope_.begin(), slope_.end(), m + memory_.before);
  m[memory_.last_h] = state.h(), m[memory_.fresh] = 1.0, m[memory_.general] = plan_.symmetric ? 0.0 : 1.0;
  std::fill_n(m + memory_.closing, memory_.ranges - memory_.closing, 0.0);
  if (plan_.options.error_control) norm_.begin(state.y(), m + memory_.ranges);
  return report;
}

StepReport AlphaWorkspace::step(State& state, double h) {
  StepReport report;
  const double t = state.t() + h;
  if (const LinearOutcome out = predict(state, h); !out.ok) return rejected(report, out.cause);
  set_steps(h);
  bool general = state.memory()[memory_.general] != 0.0;
  const bool recalled = recall_factor(state, h, report);
  bool have = recalled, kept = have;
  if (anew_) {
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
    assembly_.update(t, y_.data(), lambda_.data(), state.data());
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
  if (plan_.options.error_control) estimate(state, h, report);
  if (!(report.error <= 1.0)) {
    report.status = StepStatus::rejected;
    report.cause = "the local error is " + std::to_string(report.error) + " times the tolerance";
    return report;
  }
  choose_reactions(lambda_.data());
  accept(state, h, t, general, recalled, recalled ? kept && report.iterations <= 2 : report.iterations <= 2);
  return report;
}

/// vdot_, xdot_, z and lambda_ at y_, and slope_, their central difference over +-e along the motion. y_ stays but for z.
LinearOutcome AlphaWorkspace::rates_along(double t, const double* data, double e) {
  LinearOutcome out = accelerations_.solve(t, y_.data(), data, lambda_.data(), rates_.data());
  if (!out.ok) return out;
  std::copy(rates_.begin(), rates_.begin() + l_.nv, vdot_.begin());
  std::copy(rates_.begin() + l_.nv, rates_.begin() + l_.nv + l_.nx, xdot_.begin());
  std::fill(slope_.begin(), slope_.end(), 0.0);
  bool behind_break = false;  // a force jumped just now: the slope is the one ahead
  for (const TimeFormula& f : s_.time_formulas) {
    e = std::max(first_break(f.formula, f.inputs, t, t + e, data) - t, 1e-3 * e);
    behind_break |= first_break(f.formula, f.inputs, t - e, t, data) < t;
  }
  for (const double shift : {e, -e}) {
    near_y_ = y_, near_lambda_ = lambda_;
    for (int i = 0; i < l_.nv; ++i) tangent_[i] = shift * (y_[l_.v_begin() + i] + 0.5 * shift * vdot_[i]);
    s_.map.retract(near_y_.data(), tangent_.data());
    for (int i = 0; i < l_.nv; ++i) near_y_[l_.v_begin() + i] += shift * vdot_[i];
    for (int i = 0; i < l_.nx; ++i) near_y_[l_.x_begin() + i] += shift * xdot_[i];
    out = accelerations_.solve(t + shift, near_y_.data(), data, near_lambda_.data(), rates_.data());
    if (!out.ok) return out;
    const double by = behind_break ? shift : 2.0 * shift;
    for (int i = 0; i < l_.nv + l_.nx; ++i) slope_[i] += rates_[i] / by;
    for (int r = 0; r < l_.rows; ++r) slope_[l_.nv + l_.nx + r] += near_lambda_[r] / by;
    if (!behind_break) continue;
    for (int i = 0; i < l_.nv; ++i) slope_[i] -= vdot_[i] / by;
    for (int i = 0; i < l_.nx; ++i) slope_[l_.nv + i] -= xdot_[i] / by;
    for (int r = 0; r < l_.rows; ++r) slope_[l_.nv + l_.nx + r] -= lambda_[r] / by;
    break;
  }
  return out;
}

/// a at t + (alpha_m - alpha_f) h: second order from the first step (Arnold, Bruls, Cardona 2015).
void AlphaWorkspace::set_averages(double h) {
  const AlphaWeights& w = plan_.w;
  for (int i = 0; i < l_.nv; ++i) a_[i] = vdot_[i] + (w.alpha_m - w.alpha_f) * h * slope_[i];
  for (int i = 0; i < l_.nx; ++i) xa_[i] = xdot_[i] + (w.alpha_m1 - w.alpha_f) * h * slope_[l_.nv + i];
}

/// v_, a_, xa_, old rates and the first guess of vdot+, xdot+, lambda+ along their slopes and the change of these. After a
/// change of the step all start anew from q and v: a scaled by differences of vdot feeds their alternating error back, and
/// runs off while the step falls (measured on a pendulum).
LinearOutcome AlphaWorkspace::predict(const State& state, double h) {
  const double *m = state.memory(), last = m[memory_.last_h];
  const bool same = std::abs(h - last) < 1e-9 * h;
  anew_ = !same || m[memory_.fresh] != 0.0;
  std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
  std::copy(state.lambda(), state.lambda() + l_.rows, lambda_.begin());
  LinearOutcome out;
  if (same) {
    std::copy(state.a(), state.a() + l_.nv, vdot_.begin());
    std::copy(state.xdot(), state.xdot() + l_.nx, xdot_.begin());
    std::copy(m + memory_.a, m + memory_.a + l_.nv, a_.begin());
    std::copy(m + memory_.xa, m + memory_.xa + l_.nx, xa_.begin());
    std::copy(m + memory_.slope, m + memory_.slope + l_.nv + l_.nx + l_.rows, slope_.begin());
  } else {
    if (accelerations_.has_velocity_rows()) out = accelerations_.project_velocity(state.t(), y_.data(), state.data());
    if (out.ok) out = rates_along(state.t(), state.data(), 1e-3 * h);
    if (!out.ok) return out;
  }
  old_vdot_ = vdot_, old_xdot_ = xdot_;
  std::copy(y_.begin() + l_.v_begin(), y_.begin() + l_.v_begin() + l_.nv, v_.begin());
  if (!anew_) follow_slopes(h, m + memory_.before, bends_gently(m) ? 1.0 : 0.0);
  std::fill(closing_.begin(), closing_.end(), 0.0);
  if (plan_.stabilized && same) std::copy_n(m + memory_.closing, l_.nv, closing_.begin());
  return out;
}

/// The first guess of vdot+, xdot+, lambda+ from those at the beginning.
void AlphaWorkspace::follow_slopes(double h, const double* before, double curved) {
  const auto guess = [&](std::vector<double>& x, int first) {
    const double *slope = slope_.data() + first, *last = before + first;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * (slope[i] + curved * (slope[i] - last[i]));
  };
  guess(vdot_, 0);
  guess(xdot_, l_.nv);
  guess(lambda_, l_.nv + l_.nx);
}

/// True where the last two slopes are alike enough to extrapolate their change: not in vibrations faster than the step.
bool AlphaWorkspace::bends_gently(const double* memory) const {
  double slope = 0.0, change = 0.0;
  measure_change(l_.nv + l_.nx, slope_.data(), memory + memory_.before, slope, change);
  return change < 0.5 * slope;
}

/// b0_, b1_, bx_ and the scales of rows. They serve Newton's matrix and measures alone: of h without its last bits, which differ
/// from step to step where times are rounded, so that constant parts of the matrix stay.
void AlphaWorkspace::set_steps(double h) {
  int exponent = 0;
  h = std::frexp(h, &exponent);
  h = std::ldexp(std::nearbyint(std::ldexp(h, 36)), exponent - 36);
  const AlphaWeights& w = plan_.w;
  const double ratio = (1.0 - w.alpha_f) / (1.0 - w.alpha_m), ratio1 = (1.0 - w.alpha_f) / (1.0 - w.alpha_m1);
  b0_ = h * h * w.beta * ratio, b1_ = h * w.gamma * ratio, bx_ = h * w.gamma1 * ratio1;
  for (int r = 0; r < l_.rows; ++r) row_scale_[r] = plan_.by_rate[r] || plan_.at_both[r] ? b1_ : b0_;
}

/// correction_ := [A -H^T; H 0]^-1 [M x; 0; H x], x of length nv + nx: what a step sees of rates x. Along motions that it resolves it is x itself
/// up to terms of order h, along springs and dampers far stiffer than the step next to nothing (as Radau's estimates are filtered: Hairer,
/// Wanner 1996, IV.8). Rows held by forces of their own (dh/dlambda) count as such springs.
void AlphaWorkspace::see_by_step(const double* x) {
  std::fill(correction_.begin(), correction_.end(), 0.0);
  inertia_.multiply(x, correction_.data());
  for (const RelationEntry& e : s_.relation_entries) {
    if (pool_of(s_, e).traits().uses_lambda || (!plan_.out.empty() && plan_.out[e.row])) continue;
    const double* H = assembly_.direction(e);
    const auto columns = columns_of(s_, e);
    for (int r = 0; r < e.rows; ++r) {
      double rate = 0.0;
      for (int k = 0; k < e.columns; ++k)
        if (const int c = columns[k]; c < l_.nv + l_.nx && c >= 0) rate += H[r * e.columns + k] * x[c] * (c < l_.nv ? 1.0 : bx_ / row_scale_[e.row + r]);
      correction_[l_.unknowns() + e.row + r] = rate;
    }
  }
  matrix_.apply(correction_);
}

/// Where steps of this length begin: takes from the slopes of vdot and xdot what the step resolves, by its matrix at the beginning. The rest is
/// how far v is from the slow motion along stiff springs, times their stiffness: no jerk to extrapolate, and along the springs as they
/// stand here, so that a matrix at the end would leave a part of it. Then a, xa, the shift of v and the first guess.
bool AlphaWorkspace::begin_averages(const State& state, double h, bool general, StepReport& report) {
  const int rates = l_.nv + l_.nx;
  assembly_.update(state.t(), y_.data(), lambda_.data(), state.data());
  inertia_.update(assembly_);
  if (!factor(general, report)) return false;
  note_factor(h, state.t(), general);
  std::copy_n(slope_.begin() + l_.nv, l_.nx, first_slope_.begin());
  see_by_step(slope_.data());
  std::copy_n(correction_.begin(), rates, slope_.begin());
  for (int r = 0; r < l_.rows; ++r) slope_[rates + r] += correction_[l_.unknowns() + r];
  set_averages(h);
  follow_slopes(h, slope_.data(), 0.0);
  shift_velocity(h);
  return true;
}

/// With a at t + (alpha_m - alpha_f) h the position update misses the motion by h (C h^2 d(vdot)/dt + h^2/12 [v, vdot]),
/// C = 1/6 - (alpha_m - alpha_f)/2 - beta, [v, vdot] = w x wdot of rotations (third term of Magnus' series; Arnold, Bruls, Cardona
/// 2015). So positions of constraints are met where velocities normal to them are off by that: steps of constant h keep it; otherwise
/// lambda would answer with an error of first order. Adds it to v_, by the matrix just factored. Rows held at their rate keep
/// their velocity.
void AlphaWorkspace::shift_velocity(double h) {
  const AlphaWeights& w = plan_.w;
  const double c = (1.0 / 6.0 - 0.5 * (w.alpha_m - w.alpha_f) - w.beta) * h * h;
  if (l_.rows == 0) return;
  for (int i = 0; i < l_.nv; ++i) tangent_[i] = c * slope_[i];
  for (const RotationBlock& rotation : s_.map.rotations) {
    const double *w_B = v_.data() + rotation.v, *wdot_B = old_vdot_.data() + rotation.v;
    const Vec3<double> bracket = cross(Vec3<double>{{w_B[0], w_B[1], w_B[2]}}, Vec3<double>{{wdot_B[0], wdot_B[1], wdot_B[2]}});
    for (int i = 0; i < 3; ++i) tangent_[rotation.v + i] += h * h / 12.0 * bracket[i];
  }
  std::fill(correction_.begin(), correction_.end(), 0.0);
  for (const RelationEntry& e : s_.relation_entries) {
    const double* H = assembly_.H().data() + e.value_begin;
    const auto columns = columns_of(s_, e);
    for (int r = 0; r < e.rows; ++r)
      for (int k = 0; k < e.columns && !plan_.by_rate[e.row + r] && !plan_.at_both[e.row + r] && (plan_.out.empty() || !plan_.out[e.row]); ++k)
        if (columns[k] < l_.nv) correction_[l_.unknowns() + e.row + r] += H[r * e.columns + k] * tangent_[columns[k]];
  }
  matrix_.apply(correction_);
  for (int i = 0; i < l_.nv; ++i) v_[i] += correction_[i];
}

double AlphaWorkspace::next_xa(int i) const {
  const AlphaWeights& w = plan_.w;
  return ((1.0 - w.alpha_f) * xdot_[i] + w.alpha_f * old_xdot_[i] - w.alpha_m1 * xa_[i]) / (1.0 - w.alpha_m1);
}

/// next := a at the end of the step.
void AlphaWorkspace::next_average(double* next) const {
  const AlphaWeights& w = plan_.w;
  const double now = (1.0 - w.alpha_f) / (1.0 - w.alpha_m), old = w.alpha_f / (1.0 - w.alpha_m), before = w.alpha_m / (1.0 - w.alpha_m);
  const double *vdot = vdot_.data(), *old_vdot = old_vdot_.data(), *a = a_.data();
  for (int i = 0; i < l_.nv; ++i) next[i] = now * vdot[i] + old * old_vdot[i] - before * a[i];
}

/// y+ from vdot+, xdot+ and closing, with a+ = now vdot+ + old vdot - before a put in.
void AlphaWorkspace::correct(const State& state, double h) {
  const AlphaWeights& w = plan_.w;
  const double now = (1.0 - w.alpha_f) / (1.0 - w.alpha_m), old = w.alpha_f / (1.0 - w.alpha_m), before = w.alpha_m / (1.0 - w.alpha_m);
  const double by_next = h * h * w.beta, rate_by_next = h * w.gamma;
  const double* terms[] = {a_.data(), vdot_.data(), old_vdot_.data(), v_.data()};
  const double by[] = {h * h * (0.5 - w.beta) - by_next * before, by_next * now, by_next * old, h};
  const double rate_by[] = {h * (1.0 - w.gamma) - rate_by_next * before, rate_by_next * now, rate_by_next * old};
  add_weighted_sum(l_.nv, closing_.data(), 4, by, terms, tangent_.data());
  add_weighted_sum(l_.nv, v_.data(), 3, rate_by, terms, y_.data() + l_.v_begin());
  s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
  for (int i = 0; i < l_.nx; ++i) y_[l_.x_begin() + i] = state.x()[i] + h * ((1.0 - w.gamma1) * xa_[i] + w.gamma1 * next_xa(i));
}

/// [M vdot - F - H^T lambda; xdot - F; -F_z; y / b0 or ydot / b1] and their scaled sizes: rates by the speeds that cancel.
bool AlphaWorkspace::residuals(double h, StepReport& report) {
  const int nu = l_.unknowns();
  const bool finite_dynamics = evaluate_dynamics();
  double constraint = 0.0, fastest = 0.0, speed = 0.01 * s_.length_scale / h;
  // Positions far from the origin are apart by rounding; divided by h^2 that would be noise in accelerations and multipliers.
  const double last_digit = 2.0 * std::numeric_limits<double>::epsilon() * s_.length_scale;
  const double rounding = last_digit > felt_noise * b0_ ? last_digit : 0.0;
  for (int r = 0; r < l_.rows; ++r) {
    if (!plan_.out.empty() && plan_.out[r]) {
      residual_[nu + r] = lambda_[r];  // no multiplier
      continue;
    }
    const double open = plan_.by_rate[r] ? row_[r] : row_[r] - std::clamp(row_[r], -rounding, rounding);
    residual_[nu + r] = open / row_scale_[r];
    constraint = std::max(constraint, std::abs(row_[r]));
  }
  if (plan_.stabilized)
    for (const RelationEntry& e : s_.relation_entries) {
      const double *H = assembly_.H().data() + e.value_begin, *v = y_.data() + l_.v_begin();
      const auto columns = columns_of(s_, e);
      for (int r = 0; r < e.rows && plan_.at_both[e.row + r]; ++r) {
        double rate = time_rate_[e.row + r];
        for (int k = 0; k < e.columns; ++k) {
          const double term = H[r * e.columns + k] * v[columns[k]];
          rate += term, speed = std::max(speed, std::abs(term));
        }
        residual_[nu + e.row + r] = rate / b1_;
        fastest = std::max(fastest, std::abs(rate));
      }
    }
  report.residual.equations = equation_residual();
  report.residual.constraints = std::max(constraint / std::max(1.0, s_.length_scale), fastest / speed);
  return finite_dynamics && finite(residual_.data() + nu, l_.rows);
}

/// inertial_, F_, input_, row_ (index 2: time_rate_ and the blocks too) and the first rows of residual_ at the assembly's configuration,
/// with worst_ and scale_. False where one is not finite.
bool AlphaWorkspace::evaluate_dynamics() {
  assembly_.forces(F_.data());
  inertia_.update(assembly_);
  std::fill(input_.begin(), input_.end(), 0.0);
  if (plan_.stabilized) {
    RowSink rows;
    rows.y = row_.data();
    rows.time_rate = time_rate_.data();
    assembly_.input_blocks(rows);
    assembly_.add_inputs(lambda_.data(), 1.0, input_.data());
  } else if (l_.rows > 0) {
    assembly_.residual(lambda_.data(), row_.data(), input_.data());
  }
  std::copy(vdot_.begin(), vdot_.end(), rates_.begin());
  std::copy(xdot_.begin(), xdot_.end(), rates_.begin() + l_.nv);
  inertia_.multiply(rates_.data(), inertial_.data());  // rows of z: 0 from the start
  const int begin[4] = {0, l_.nv, l_.nv + l_.nx, l_.unknowns()};
  bool ok = true;
  for (int kind = 0; kind < 3; ++kind) {
    const int i = begin[kind];
    worst_[kind] = 0.0, scale_[kind] = 1e-300;
    ok &= subtract_measured(begin[kind + 1] - i, weight_.data() + i, inertial_.data() + i, F_.data() + i, input_.data() + i, residual_.data() + i, worst_[kind], scale_[kind]);
  }
  return ok;
}

/// Largest residual over the largest term of equations of its kind, moments by the model's size. Stiff forces that cancel
/// leave rounding of K L: their sum counts as 1e-7 K L at least; so do the stiff parts of rates.
double AlphaWorkspace::equation_residual() const {
  double scale[3] = {std::max(internal_, scale_[0]), std::max(internal_first_, scale_[1]), scale_[2]};
  for (int i = l_.nv + l_.nx; i < l_.unknowns(); ++i)  // the terms of 0 = F cancel within F: by its coefficients
    for (int k = s_.pattern.begin[i]; k < s_.pattern.begin[i + 1]; ++k)
      if (const int j = s_.pattern.column[k]; j >= l_.nv + l_.nx)
        scale[2] = std::max(scale[2], std::abs(A_[k]) * std::max(1e-6, std::abs(y_[l_.z_begin() + j - l_.nv - l_.nx])));
  return std::max({worst_[0] / scale[0], worst_[1] / scale[1], worst_[2] / scale[2]});
}

/// A_ := masses and what forces of constant matrices add; made once for steps of one length where masses are constant.
void AlphaWorkspace::constant_part(const Seeds& seeds) {
  if (!(inertia_.constant() && constant_b0_ == b0_ && constant_b1_ == b1_)) {
    constant_.resize(A_.size());
    inertia_.scatter(constant_.data());
    assembly_.add_force_matrix(seeds, Matrices::constant, constant_.data());
    constant_b0_ = b0_, constant_b1_ = b1_;
  }
  std::copy(constant_.begin(), constant_.end(), A_.begin());
}

/// The matrix of the step at the assembly's configuration, after residuals(); `general`: the whole, by L U.
bool AlphaWorkspace::factor(bool general, StepReport& report) {
  ++report.factorizations;
  Seeds seeds;
  seeds.value[0] = b0_, seeds.value[1] = bx_, seeds.value[2] = 1.0;
  seeds.rate[0] = b1_;
  assembly_.input_blocks();
  constant_part(seeds);
  internal_ = internal_first_ = 0.0;
  assembly_.add_force_matrix(seeds, Matrices::varying, A_.data());
  if (l_.rows > 0) assembly_.add_input_matrix(seeds, 1.0, A_.data());
  const CsrPattern& mass = inertia_.pattern();
  for (int i = 0; i < l_.nv; ++i) {
    double own = 0.0;
    for (int k = mass.begin[i]; k < mass.begin[i + 1]; ++k)
      if (mass.column[k] == i) own = inertia_.values()[k];
    internal_ = std::max(internal_, 1e-7 * s_.length_scale * weight_[i] * weight_[i] * std::abs(A_[s_.diagonal_slot[i]] - own) / b0_);
  }
  for (int i = 0; i < l_.nx; ++i)
    internal_first_ = std::max(internal_first_, 1e-7 * std::abs(y_[l_.x_begin() + i] * (A_[s_.diagonal_slot[l_.nv + i]] - 1.0)) / bx_);
  const FactorReport f = general ? matrix_.factorize(assembly_, A_, seeds, row_scale_) : matrix_.factorize_symmetric(assembly_, A_, row_scale_);
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
  noted_ = false;
  if (!plan_.modified || anew_ || state.memory()[memory_.patience + 1] > 0.0) return false;
  const double* kept = state.memory() + memory_.factor;
  if (kept[0] == 0.0 || std::abs(kept[1] - h) > 1e-9 * h) return false;
  if (std::memcmp(kept, stamp_.data(), stamp_.size() * sizeof(double)) == 0) return true;
  const double *y = kept + 3, *lambda = y + l_.y_size();
  assembly_.update(kept[2], y, lambda, state.data());
  inertia_.update(assembly_);
  stamp_[0] = 0.0;
  if (!factor(kept[0] == 2.0, report)) return false;
  std::copy(kept, kept + memory_.factor_size, stamp_.begin());
  return true;
}

/// The factor of matrix_ is that of the configuration in y_, lambda_.
void AlphaWorkspace::note_factor(double h, double t, bool general) {
  if (!plan_.modified) return;
  noted_ = true;
  stamp_[0] = general ? 2.0 : 1.0, stamp_[1] = h, stamp_[2] = t;
  std::copy(y_.begin(), y_.end(), stamp_.begin() + 3);
  std::copy(lambda_.begin(), lambda_.end(), stamp_.begin() + 3 + l_.y_size());
}

/// One Newton step from residual_. Converged where the change is rounding, or so small that the next one will be (linear rate
/// from the last two).
AlphaWorkspace::Progress AlphaWorkspace::improve(const Progress& last) {
  std::copy(residual_.begin(), residual_.end(), correction_.begin());
  matrix_.apply(correction_);
  double change = 0.0, size = 0.0, x_change = 0.0, x_size = 0.0;
  subtract_change(l_.nv, correction_.data(), vdot_.data(), change, size);
  subtract_change(l_.nx, correction_.data() + l_.nv, xdot_.data(), x_change, x_size);
  change = std::max(b0_ * change / s_.length_scale, bx_ * x_change), size = std::max(b0_ * size / s_.length_scale, bx_ * x_size);
  double z_change = 0.0, z_size = 1e-6;  // in units of their own
  for (int i = 0; i < l_.nz; ++i) {
    double& z = y_[l_.z_begin() + i];
    z -= correction_[l_.nv + l_.nx + i];
    z_change = std::max(z_change, std::abs(correction_[l_.nv + l_.nx + i])), z_size = std::max(z_size, std::abs(z));
  }
  double ignored = 0.0;
  subtract_change(l_.rows, correction_.data() + l_.unknowns(), lambda_.data(), ignored, ignored);
  if (plan_.stabilized) {
    close_positions();
    for (int i = 0; i < l_.nv; ++i) change = std::max(change, std::abs(correction_[i]) / s_.length_scale);
  }
  Progress now{change, z_change};
  const double floor = 1e-15 + 1e-13 * size, rate = change / last.change;
  const double z_floor = 1e-13 * z_size, z_rate = z_change / last.z_change;
  now.converged = (change <= floor || (rate < 0.5 && change * rate <= floor)) && (z_change <= z_floor || (z_rate < 0.5 && z_change * z_rate <= z_floor));
  now.exact = change <= floor && z_change <= z_floor;
  return now;
}

/// What the step just made leaves of y at the rows held at both levels, taken out of the position: adds to closing_ the
/// displacement [A, -H^T; H, 0]^-1 [0; -y]. Leaves it in correction_, which holds what was taken from vdot.
void AlphaWorkspace::close_positions() {
  for (const RelationEntry& e : s_.relation_entries) {
    const double* H = assembly_.H().data() + e.value_begin;
    const auto columns = columns_of(s_, e);
    for (int r = 0; r < e.rows; ++r) {
      double open = 0.0;
      if (plan_.at_both[e.row + r]) {
        open = row_[e.row + r];
        for (int k = 0; k < e.columns; ++k)
          if (columns[k] < l_.nv) open -= b0_ * H[r * e.columns + k] * correction_[columns[k]];
      }
      row_[e.row + r] = open;
    }
  }
  std::fill(correction_.begin(), correction_.begin() + l_.unknowns(), 0.0);
  for (int r = 0; r < l_.rows; ++r) correction_[l_.unknowns() + r] = -row_[r];
  matrix_.apply(correction_);
  for (int i = 0; i < l_.nv; ++i) closing_[i] += correction_[i];
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
void AlphaWorkspace::estimate(State& state, double h, StepReport& report) {
  constexpr double large = 0.05;  // below, the next step is twice as long in any case
  for (int i = 0; i < l_.nv; ++i) rates_[i] = vdot_[i] - old_vdot_[i];
  for (int i = 0; i < l_.nx; ++i) rates_[l_.nv + i] = xdot_[i] - old_xdot_[i] - h * (anew_ ? first_slope_[i] : slope_[l_.nv + i]);
  double tolerance = plan_.options.tolerance, worst = scaled_error(state, h, tolerance, rates_.data());
  if (const double share = h / norm_.pace(); share < 1.0) worst = scaled_error(state, h, tolerance *= share, rates_.data());
  if (l_.nx > 0 && !(worst <= large)) {
    if (plan_.modified || reactions_.needed()) assembly_.input_blocks();  // not those of the factor: a restart does not have them
    for (int pass = 0; pass < (anew_ ? 2 : 1); ++pass) {  // the slope of the equations at the beginning has their stiffness once more
      see_by_step(rates_.data());
      std::copy_n(correction_.begin() + l_.nv, l_.nx, rates_.begin() + l_.nv);
    }
    worst = scaled_error(state, h, tolerance, rates_.data());
  }
  double* ranges = state.memory() + memory_.ranges;
  if (worst <= 1.0) norm_.see(ranges);
  else norm_.foresee(worst, tolerance, ranges, 2.0);  // at second order a motion that begins with t^4 is its own error at any step
  report.error = worst;
  const double factor = std::clamp(0.9 / std::sqrt(std::max(worst, 1e-9)), 0.25, 2.0);
  report.suggested_step = factor >= 1.0 && factor < 1.3 ? h : h * factor;  // a change starts the averages anew
}

/// Largest error over what is allowed, of a change of vdot and a second difference of xdot (nv + nx).
double AlphaWorkspace::scaled_error(const State& state, double h, double tolerance, const double* change) {
  constexpr double newton = 16.0;  // of rounding, which Newton's iteration leaves
  const AlphaWeights& w = plan_.w;
  const double c = std::abs(w.beta + 0.5 * (w.alpha_m - w.alpha_f) - 1.0 / 6.0) + 1.0 / 12.0;
  for (int i = 0; i < l_.nv; ++i) correction_[i] = c * h * h * change[i];
  for (int i = 0; i < l_.nx; ++i) correction_[l_.nv + i] = h / 6.0 * change[l_.nv + i];
  return norm_.worst(state.memory() + memory_.ranges, y_.data(), h, tolerance, correction_.data(), nullptr, correction_.data() + l_.nv, {.coarseness = newton});
}

/// recalled: the step began with a factor of an earlier one. served: well enough for the next step.
void AlphaWorkspace::accept(State& state, double h, double t, bool general, bool recalled, bool served) {
  double* m = state.memory();
  std::copy(slope_.begin(), slope_.end(), m + memory_.before);  // where the averages started anew: of this point
  next_average(m + memory_.a);
  if (plan_.modified) {
    double &pause = m[memory_.patience], &left = m[memory_.patience + 1];
    if (recalled) left = pause = served ? 0.0 : std::min(2.0 * pause + 1.0, longest_pause);
    else left = std::max(0.0, left - 1.0);
    if (noted_) std::copy(stamp_.begin(), stamp_.end(), m + memory_.factor);
    if (!served) m[memory_.factor] = 0.0;
  }
  for (int i = 0; i < l_.nv; ++i) m[memory_.slope + i] = (vdot_[i] - old_vdot_[i]) / h;
  for (int i = 0; i < l_.nx; ++i) {
    m[memory_.xa + i] = next_xa(i);
    m[memory_.slope + l_.nv + i] = (xdot_[i] - old_xdot_[i]) / h;
  }
  for (int r = 0; r < l_.rows; ++r) m[memory_.slope + l_.nv + l_.nx + r] = (lambda_[r] - state.lambda()[r]) / h;
  m[memory_.last_h] = h, m[memory_.fresh] = 0.0, m[memory_.general] = general;
  if (plan_.stabilized) std::copy_n(closing_.begin(), l_.nv, m + memory_.closing);
  std::copy(y_.begin(), y_.end(), state.y());
  std::copy(vdot_.begin(), vdot_.end(), state.a());
  std::copy(xdot_.begin(), xdot_.end(), state.xdot());
  std::copy(lambda_.begin(), lambda_.end(), state.lambda());
  state.t() = t;
}

}  // namespace saltus
