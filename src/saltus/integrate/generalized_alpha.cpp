// Generalized-alpha on the Lie group (Bruls, Cardona, Arnold 2012; Arnold, Bruls, Cardona 2015), index 3.
//
// Unknowns of a step are vdot+, xdot+, z+, lambda+; everything else follows from
//   (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) vdot+ + alpha_f vdot,
//   v+ = v + h ((1 - gamma) a + gamma a+),  q+ = q (+) (h v + h^2 ((1/2 - beta) a + beta a+)).
// With rows divided by dq/dvdot (value) or dv/dvdot (rate) the matrix is [M + b1 D_v + b0 (K - ..), -H^T; H, 0]: its
// condition does not depend on h (Bottasso, Bauchau, Cardona 2007).
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/integrate/newton.hpp"
#include "saltus/integrate/scheme.hpp"
#include "saltus/integrate/start.hpp"

namespace saltus {
namespace {

struct Weights {
  double alpha_m, alpha_f, gamma, beta;
  double alpha_m1, gamma1;  // first-order states
  explicit Weights(double S)
      : alpha_m((2.0 * S - 1.0) / (1.0 + S)), alpha_f(S / (1.0 + S)), gamma(0.5 + alpha_f - alpha_m), beta(0.25 * (gamma + 0.5) * (gamma + 0.5)),
        alpha_m1((3.0 * S - 1.0) / (2.0 * (1.0 + S))), gamma1(1.0 / (1.0 + S)) {}
};

class AlphaPlan final : public Plan {
 public:
  Weights w{0.8};
  std::vector<char> by_rate;  // by row: written at rate
};

/// Offsets in State::memory: [a | xa | slope of vdot | slope of xdot | step of a and v | 1 at the start].
struct Memory {
  explicit Memory(const Layout& l) : a(0), xa(l.nv), slope(l.nv + l.nx), last_h(2 * (l.nv + l.nx)), fresh(last_h + 1), size(last_h + 2) {}
  int a, xa, slope, last_h, fresh, size;
};

class AlphaWorkspace final : public Workspace {
 public:
  explicit AlphaWorkspace(const AlphaPlan& plan)
      : plan_(plan), s_(*plan.system), l_(s_.layout), assembly_(s_, plan.options.threads, Frames::needed), accelerations_(s_, plan.options.threads), matrix_(s_), memory_(l_) {
    const int nu = l_.unknowns(), n = nu + l_.rows;
    A_.resize(static_cast<std::size_t>(s_.pattern.nonzeros()));
    M_.resize(A_.size());
    const auto size = static_cast<std::size_t>(n);
    F_.resize(size + 1), residual_.resize(size), correction_.resize(size), row_.resize(static_cast<std::size_t>(l_.rows)), row_scale_.resize(row_.size());
    inertia_.resize(static_cast<std::size_t>(nu)), input_.resize(static_cast<std::size_t>(nu) + 1);
    tangent_.resize(static_cast<std::size_t>(std::max(1, l_.nv)));
    y_.resize(static_cast<std::size_t>(l_.y_size())), vdot_.resize(static_cast<std::size_t>(l_.nv)), xdot_.resize(static_cast<std::size_t>(l_.nx)),
        lambda_.resize(row_.size());
    a_.resize(vdot_.size()), v_.resize(vdot_.size()), xa_.resize(xdot_.size()), rates_.resize(static_cast<std::size_t>(nu) + 1);
    slope_.resize(static_cast<std::size_t>(l_.nv + l_.nx)), old_vdot_ = vdot_, old_xdot_ = xdot_, near_y_ = y_, near_lambda_ = lambda_;
    assembly_.update(0.0, s_.initial_y.data(), nullptr, s_.initial_data.data());
    weight_ = column_scales(s_, assembly_.kinematics());
  }

  StepReport start(State& state) {
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
    set_averages(state.h());
    double* m = state.memory();
    std::copy(a_.begin(), a_.end(), m + memory_.a);
    std::copy(xa_.begin(), xa_.end(), m + memory_.xa);
    std::copy(slope_.begin(), slope_.end(), m + memory_.slope);
    m[memory_.last_h] = state.h(), m[memory_.fresh] = 1.0;
    return report;
  }

  StepReport step(State& state, double h) {
    StepReport report;
    const Weights& w = plan_.w;
    const double t = state.t() + h;
    if (const LinearOutcome out = predict(state, h); !out.ok) return rejected(report, out.cause);
    const double ratio = (1.0 - w.alpha_f) / (1.0 - w.alpha_m), ratio1 = (1.0 - w.alpha_f) / (1.0 - w.alpha_m1);
    const double b0 = h * h * w.beta * ratio, b1 = h * w.gamma * ratio, bx = h * w.gamma1 * ratio1;
    Seeds seeds;
    seeds.value[0] = b0, seeds.value[1] = bx, seeds.value[2] = 1.0;
    seeds.rate[0] = b1;
    double last = std::numeric_limits<double>::infinity(), z_last = last;
    bool fresh = false, converged = false, shifted = l_.rows == 0 || !anew_;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      correct(state, h);
      assembly_.update(t, y_.data(), lambda_.data(), state.data());
      if (!residuals(b0, b1, report)) return rejected(report, "a force or constraint is not finite");
      if (converged && report.residual.equations < 1e-9) break;
      if (!fresh) {
        if (!factor(seeds, b0, b1, report)) return rejected(report, report.cause);
        fresh = true;
        if (!shifted) {
          shift_velocity(h);
          shifted = true;
          continue;
        }
      }
      std::copy(residual_.begin(), residual_.end(), correction_.begin());
      for (double& r : correction_) r = -r;
      matrix_.apply(correction_);
      double change = 0.0, size = 0.0;
      for (int i = 0; i < l_.nv; ++i) {
        vdot_[i] += correction_[i];
        change = std::max(change, b0 * std::abs(correction_[i]) / s_.length_scale), size = std::max(size, std::abs(vdot_[i]) * b0 / s_.length_scale);
      }
      for (int i = 0; i < l_.nx; ++i) xdot_[i] += correction_[l_.nv + i], change = std::max(change, bx * std::abs(correction_[l_.nv + i])), size = std::max(size, bx * std::abs(xdot_[i]));
      double z_change = 0.0, z_size = 1e-6;  // in units of their own
      for (int i = 0; i < l_.nz; ++i) {
        double& z = y_[l_.z_begin() + i];
        z += correction_[l_.nv + l_.nx + i];
        z_change = std::max(z_change, std::abs(correction_[l_.nv + l_.nx + i])), z_size = std::max(z_size, std::abs(z));
      }
      for (int i = 0; i < l_.rows; ++i) lambda_[i] += correction_[l_.unknowns() + i];
      ++report.iterations;
      if (!std::isfinite(change + z_change)) return rejected(report, "Newton's iteration ran off");
      // Converged where the change is rounding, or so small that the next one will be (linear rate from the last two).
      const double floor = 1e-15 + 1e-13 * size, rate = change / last;
      const double z_floor = 1e-13 * z_size, z_rate = z_change / z_last;
      converged = (change <= floor || (rate < 0.5 && change * rate <= floor)) && (z_change <= z_floor || (z_rate < 0.5 && z_change * z_rate <= z_floor));
      if (rate > 0.2 || (z_rate > 0.2 && z_change > z_floor)) fresh = false;  // a new matrix where the old one converges slowly
      if (iteration > 3 && rate > 2.0 && change > 1e3 * floor) return rejected(report, "Newton's iteration diverges");
      last = change, z_last = z_change;
    }
    if (!converged && last > 1e-8) return rejected(report, "Newton's iteration did not converge in " + std::to_string(most_iterations) + " steps");
    if (report.residual.equations > 1e-6 || report.residual.constraints > 1e-6) return rejected(report, "the residual stays at " + std::to_string(std::max(report.residual.equations, report.residual.constraints)));
    estimate(h, report);
    if (plan_.options.error_control && report.error > 1.0) {
      report.status = StepStatus::rejected;
      report.cause = "the local error is " + std::to_string(report.error) + " times the tolerance";
      return report;
    }
    accept(state, h, t);
    return report;
  }

 private:
  static constexpr int most_iterations = 20;

  static StepReport failed(StepReport report, std::string cause) {
    report.status = StepStatus::failed;
    report.cause = std::move(cause);
    return report;
  }
  static StepReport rejected(StepReport report, std::string cause) {
    report.status = StepStatus::rejected;
    report.cause = std::move(cause);
    report.residual = {};
    return report;
  }

  /// vdot_, xdot_, z and lambda_ at y_, and slope_, their central difference over +-e along the motion. y_ stays but for z.
  LinearOutcome rates_along(double t, const double* data, double e) {
    LinearOutcome out = accelerations_.solve(t, y_.data(), data, lambda_.data(), rates_.data());
    if (!out.ok) return out;
    std::copy(rates_.begin(), rates_.begin() + l_.nv, vdot_.begin());
    std::copy(rates_.begin() + l_.nv, rates_.begin() + l_.nv + l_.nx, xdot_.begin());
    std::fill(slope_.begin(), slope_.end(), 0.0);
    for (const double shift : {e, -e}) {
      near_y_ = y_, near_lambda_ = lambda_;
      for (int i = 0; i < l_.nv; ++i) tangent_[i] = shift * (y_[l_.v_begin() + i] + 0.5 * shift * vdot_[i]);
      s_.map.retract(near_y_.data(), tangent_.data());
      for (int i = 0; i < l_.nv; ++i) near_y_[l_.v_begin() + i] += shift * vdot_[i];
      for (int i = 0; i < l_.nx; ++i) near_y_[l_.x_begin() + i] += shift * xdot_[i];
      out = accelerations_.solve(t + shift, near_y_.data(), data, near_lambda_.data(), rates_.data());
      if (!out.ok) return out;
      for (int i = 0; i < l_.nv + l_.nx; ++i) slope_[i] += rates_[i] / (2.0 * shift);
    }
    return out;
  }
  /// a at t + (alpha_m - alpha_f) h: second order from the first step (Arnold, Bruls, Cardona 2015).
  void set_averages(double h) {
    const Weights& w = plan_.w;
    for (int i = 0; i < l_.nv; ++i) a_[i] = vdot_[i] + (w.alpha_m - w.alpha_f) * h * slope_[i];
    for (int i = 0; i < l_.nx; ++i) xa_[i] = xdot_[i] + (w.alpha_m1 - w.alpha_f) * h * slope_[l_.nv + i];
  }

  /// v_, a_, xa_, old rates and the first guess of vdot+, xdot+. After a change of the step all start anew from q and v:
  /// a scaled by differences of vdot feeds their alternating error back, and runs off while the step falls (measured on a
  /// pendulum).
  LinearOutcome predict(const State& state, double h) {
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
      std::copy(m + memory_.slope, m + memory_.slope + l_.nv + l_.nx, slope_.begin());
    } else {
      if (accelerations_.has_velocity_rows()) out = accelerations_.project_velocity(state.t(), y_.data(), state.data());
      if (out.ok) out = rates_along(state.t(), state.data(), 1e-3 * h);
      if (!out.ok) return out;
      set_averages(h);
    }
    old_vdot_ = vdot_, old_xdot_ = xdot_;
    std::copy(y_.begin() + l_.v_begin(), y_.begin() + l_.v_begin() + l_.nv, v_.begin());
    return out;
  }

  /// With a at t + (alpha_m - alpha_f) h the positions of constraints are met where velocities normal to them are off by
  /// C h^2 d(vdot)/dt, C = 1/6 - (alpha_m - alpha_f)/2 - beta: steps of constant h keep that; otherwise lambda would answer
  /// with an error of first order (from the expansion of the position update; compare Arnold, Bruls, Cardona 2015). Adds
  /// that to v_ where steps of this length begin, by the matrix just factored. Rows written at rate hold their velocity.
  void shift_velocity(double h) {
    const Weights& w = plan_.w;
    const double c = (1.0 / 6.0 - 0.5 * (w.alpha_m - w.alpha_f) - w.beta) * h * h;
    std::fill(correction_.begin(), correction_.end(), 0.0);
    for (const RelationEntry& e : s_.relation_entries) {
      const double* H = assembly_.H().data() + e.value_begin;
      const auto columns = columns_of(s_, e);
      for (int r = 0; r < e.rows; ++r)
        for (int k = 0; k < e.columns && !plan_.by_rate[e.row + r]; ++k)
          if (columns[k] < l_.nv) correction_[l_.unknowns() + e.row + r] += c * H[r * e.columns + k] * slope_[columns[k]];
    }
    matrix_.apply(correction_);
    for (int i = 0; i < l_.nv; ++i) v_[i] += correction_[i];
  }

  double next_a(int i) const {
    const Weights& w = plan_.w;
    return ((1.0 - w.alpha_f) * vdot_[i] + w.alpha_f * old_vdot_[i] - w.alpha_m * a_[i]) / (1.0 - w.alpha_m);
  }
  double next_xa(int i) const {
    const Weights& w = plan_.w;
    return ((1.0 - w.alpha_f) * xdot_[i] + w.alpha_f * old_xdot_[i] - w.alpha_m1 * xa_[i]) / (1.0 - w.alpha_m1);
  }

  /// y+ from vdot+, xdot+.
  void correct(const State& state, double h) {
    const Weights& w = plan_.w;
    for (int i = 0; i < l_.nv; ++i) {
      const double a = next_a(i);
      tangent_[i] = h * v_[i] + h * h * ((0.5 - w.beta) * a_[i] + w.beta * a);
      y_[l_.v_begin() + i] = v_[i] + h * ((1.0 - w.gamma) * a_[i] + w.gamma * a);
    }
    s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
    for (int i = 0; i < l_.nx; ++i) y_[l_.x_begin() + i] = state.x()[i] + h * ((1.0 - w.gamma1) * xa_[i] + w.gamma1 * next_xa(i));
  }

  /// [M vdot - F - H^T lambda; xdot - F; -F_z; y / b0 or ydot / b1] and their scaled sizes.
  bool residuals(double b0, double b1, StepReport& report) {
    const int nu = l_.unknowns();
    evaluate_dynamics();
    RowSink rows;
    rows.y = row_.data();
    assembly_.relations(rows);
    double constraint = 0.0;
    for (int r = 0; r < l_.rows; ++r) {
      residual_[nu + r] = row_[r] / (plan_.by_rate[r] ? b1 : b0);
      constraint = std::max(constraint, std::abs(row_[r]));
    }
    report.residual.equations = equation_residual();
    report.residual.constraints = constraint / std::max(1.0, s_.length_scale);
    return std::all_of(residual_.begin(), residual_.end(), [](double r) { return std::isfinite(r); });
  }

  /// inertia_, F_, input_ and the first rows of residual_ at the assembly's configuration.
  void evaluate_dynamics() {
    const int nu = l_.unknowns();
    assembly_.input_blocks();
    assembly_.forces(F_.data());
    assembly_.mass(1.0, 1.0, M_.data());
    std::fill(input_.begin(), input_.end(), 0.0);
    if (l_.rows > 0) assembly_.add_inputs(lambda_.data(), 1.0, input_.data());
    std::fill(inertia_.begin(), inertia_.end(), 0.0);
    for (int i = 0; i < l_.nv; ++i)
      for (int k = s_.pattern.begin[i]; k < s_.pattern.begin[i + 1]; ++k)
        if (s_.pattern.column[k] < l_.nv) inertia_[i] += M_[k] * vdot_[s_.pattern.column[k]];
    for (int i = 0; i < l_.nx; ++i) inertia_[l_.nv + i] = xdot_[i];
    for (int i = 0; i < nu; ++i) residual_[i] = inertia_[i] - F_[i] - input_[i];
  }
  /// Largest residual over the largest term of equations of its kind, moments by the model's size. Stiff forces that cancel
  /// leave rounding of K L: their sum counts as 1e-7 K L at least.
  double equation_residual() const {
    double worst[3] = {}, scale[3] = {std::max(internal_, 1e-300), 1e-300, 1e-300};
    for (int i = 0; i < l_.unknowns(); ++i) {
      const int kind = i < l_.nv ? 0 : i < l_.nv + l_.nx ? 1 : 2;
      worst[kind] = std::max(worst[kind], weight_[i] * std::abs(residual_[i]));
      scale[kind] = std::max(scale[kind], weight_[i] * std::max({std::abs(inertia_[i]), std::abs(F_[i]), std::abs(input_[i])}));
    }
    for (int i = l_.nv + l_.nx; i < l_.unknowns(); ++i)  // the terms of 0 = F cancel within F: by its coefficients
      for (int k = s_.pattern.begin[i]; k < s_.pattern.begin[i + 1]; ++k)
        if (const int j = s_.pattern.column[k]; j >= l_.nv + l_.nx)
          scale[2] = std::max(scale[2], std::abs(A_[k]) * std::max(1e-6, std::abs(y_[l_.z_begin() + j - l_.nv - l_.nx])));
    return std::max({worst[0] / scale[0], worst[1] / scale[1], worst[2] / scale[2]});
  }

  /// The matrix of the step at the assembly's configuration.
  bool factor(const Seeds& seeds, double b0, double b1, StepReport& report) {
    A_ = M_;  // of this configuration: residuals() comes first
    assembly_.add_force_matrix(seeds, A_.data());
    if (l_.rows > 0) assembly_.add_input_matrix(seeds, 1.0, A_.data());
    internal_ = 0.0;
    for (int i = 0; i < l_.nv; ++i) {
      const int k = s_.diagonal_slot[i];
      internal_ = std::max(internal_, 1e-7 * s_.length_scale * weight_[i] * weight_[i] * std::abs(A_[k] - M_[k]) / b0);
    }
    for (int r = 0; r < l_.rows; ++r) row_scale_[r] = plan_.by_rate[r] ? b1 : b0;
    const FactorReport f = matrix_.factorize(assembly_, A_, seeds, row_scale_);
    if (f.status == FactorStatus::ok) return true;
    if (f.status == FactorStatus::not_finite)
      report.cause = "the matrix of the step is not finite";
    else
      report.cause = "the matrix of the step is singular: " + (f.row < 0 ? std::string("no unknown named") : f.row < l_.unknowns() ? unknown_name(s_, f.row) + " has no mass or stiffness" : row_name(s_, f.row - l_.unknowns()));
    return false;
  }

  /// Local error of q from the change of vdot: (beta + delta/2 - 1/6) h^2 (vdot+ - vdot), delta = alpha_m - alpha_f; of x
  /// from the second difference of xdot.
  void estimate(double h, StepReport& report) {
    const Weights& w = plan_.w;
    const double c = std::abs(w.beta + 0.5 * (w.alpha_m - w.alpha_f) - 1.0 / 6.0) + 1.0 / 12.0, tolerance = plan_.options.tolerance;
    double worst = 0.0, speed = 0.0;
    for (int i = 0; i < l_.nv; ++i) speed = std::max(speed, std::abs(y_[l_.v_begin() + i]) * h);
    for (int i = 0; i < l_.nv; ++i) {
      const double position = s_.map.q_of_v[i] >= 0 ? std::abs(y_[s_.map.q_of_v[i]]) : 1.0;
      const double scale = tolerance * (std::max(position, speed) + 1e-2 * s_.length_scale);
      worst = std::max(worst, c * h * h * std::abs(vdot_[i] - old_vdot_[i]) / scale);
    }
    for (int i = 0; i < l_.nx; ++i) {
      const double scale = tolerance * (std::abs(y_[l_.x_begin() + i]) + 1e-2);
      worst = std::max(worst, h / 6.0 * std::abs(xdot_[i] - old_xdot_[i] - h * slope_[l_.nv + i]) / scale);
    }
    report.error = worst;
    const double factor = std::clamp(0.9 / std::cbrt(std::max(worst, 1e-9)), 0.25, 2.0);
    report.suggested_step = factor >= 1.0 && factor < 1.3 ? h : h * factor;  // a change starts the averages anew
  }

  void accept(State& state, double h, double t) {
    double* m = state.memory();
    for (int i = 0; i < l_.nv; ++i) {
      m[memory_.a + i] = next_a(i);
      m[memory_.slope + i] = (vdot_[i] - old_vdot_[i]) / h;
    }
    for (int i = 0; i < l_.nx; ++i) {
      m[memory_.xa + i] = next_xa(i);
      m[memory_.slope + l_.nv + i] = (xdot_[i] - old_xdot_[i]) / h;
    }
    m[memory_.last_h] = h, m[memory_.fresh] = 0.0;
    std::copy(y_.begin(), y_.end(), state.y());
    std::copy(vdot_.begin(), vdot_.end(), state.a());
    std::copy(xdot_.begin(), xdot_.end(), state.xdot());
    std::copy(lambda_.begin(), lambda_.end(), state.lambda());
    state.t() = t;
  }

  const AlphaPlan& plan_;
  const System& s_;
  const Layout& l_;
  Assembly assembly_;
  Accelerations accelerations_;  // of the start
  NewtonMatrix matrix_;
  Memory memory_;
  double internal_ = 0.0;  // 1e-7 K L of the last matrix [N]
  std::vector<double> A_, M_, F_, residual_, correction_, row_, row_scale_, inertia_, input_, tangent_, y_, vdot_, xdot_, lambda_, v_, a_, xa_, rates_, weight_, slope_, old_vdot_, old_xdot_, near_y_, near_lambda_;
  bool anew_ = true;  // steps of this length begin here
};

class GeneralizedAlpha final : public Scheme {
 public:
  std::string_view name() const override { return "generalized_alpha"; }

  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<AlphaPlan>();
    const auto it = options.numbers.find("spectral_radius");
    const double S = it == options.numbers.end() ? 0.8 : it->second;
    if (!(S >= 0.0 && S <= 1.0)) throw ModelError("simulation/scheme/spectral_radius", "is " + std::to_string(S) + ", must be between 0 and 1");
    for (const auto& [key, value] : options.words) throw ModelError("simulation/scheme/" + key, "is not an option of generalized_alpha", "it has spectral_radius");
    for (const auto& [key, value] : options.numbers)
      if (key != "spectral_radius" && key != "consistent") throw ModelError("simulation/scheme/" + key, "is not an option of generalized_alpha", "it has spectral_radius");
    bool constrained = false;
    for (const RelationEntry& e : system->relation_entries) {
      if (!e.law.type->equality)
        throw ModelError("simulation/scheme", "generalized_alpha cannot hold '" + e.name + "' with the law '" + std::string(e.law.type->name) + "': it has no jumps", "use moreau_jean");
      const Level level = system->relations[static_cast<std::size_t>(e.pool)]->traits().written;
      plan->row_level.push_back(level);
      for (int r = 0; r < e.rows; ++r) plan->by_rate.push_back(level == Level::rate);
      constrained |= level == Level::value && !system->relations[static_cast<std::size_t>(e.pool)]->traits().uses_lambda;
    }
    if (constrained && S == 1.0)
      throw ModelError("simulation/scheme/spectral_radius", "is 1: the multipliers of constraints do not converge then", "use at most 0.95, for example 0.9");
    plan->w = Weights(S);
    plan->options = options;
    plan->layout.system = system->layout;
    plan->layout.memory_size = Memory(system->layout).size;
    plan->system = std::move(system);
    return plan;
  }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override { return std::make_unique<AlphaWorkspace>(static_cast<const AlphaPlan&>(plan)); }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<AlphaWorkspace&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override { return static_cast<AlphaWorkspace&>(work).step(state, h); }
};

}  // namespace

const Scheme& generalized_alpha_scheme() {
  static const GeneralizedAlpha scheme;
  return scheme;
}

}  // namespace saltus
