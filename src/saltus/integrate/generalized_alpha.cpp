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

#include "saltus/integrate/scheme.hpp"
#include "saltus/math/sparse_solver.hpp"

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

/// Offsets in State::memory: [a | xa | slope of vdot | slope of xdot | last h].
struct Memory {
  explicit Memory(const Layout& l) : a(0), xa(l.nv), slope(l.nv + l.nx), last_h(2 * (l.nv + l.nx)), size(last_h + 1) {}
  int a, xa, slope, last_h, size;
};

class AlphaWorkspace final : public Workspace {
 public:
  explicit AlphaWorkspace(const AlphaPlan& plan)
      : plan_(plan), s_(*plan.system), l_(s_.layout), assembly_(s_, plan.options.threads), memory_(l_) {
    const int nu = l_.unknowns(), n = nu + l_.rows;
    CsrBuilder builder(n, n);
    const auto entry_blocks = [&] {
      for (const RelationEntry& e : s_.relation_entries) {
        std::vector<int> rows(static_cast<std::size_t>(e.rows));
        for (int r = 0; r < e.rows; ++r) rows[static_cast<std::size_t>(r)] = nu + e.row + r;
        const std::span<const int> columns(s_.relation_columns.data() + e.column_begin, static_cast<std::size_t>(e.columns));
        builder.add_block(rows, columns);
        builder.add_block(columns, rows);
        builder.add_block(rows, rows);
      }
    };
    diagonal_ = builder.add_diagonal(0, n);
    for (int i = 0; i < nu; ++i)
      for (int c : s_.pattern.row(i)) builder.add_entry(i, c);
    first_entry_ = diagonal_ + 1;
    first_relation_ = first_entry_ + s_.pattern.nonzeros();
    entry_blocks();
    layout_ = builder.build();
    solver_.analyze(MatrixKind::unsymmetric, layout_.pattern);
    values_.resize(static_cast<std::size_t>(layout_.pattern.nonzeros()));
    A_.resize(static_cast<std::size_t>(s_.pattern.nonzeros()));
    M_.resize(A_.size());
    const auto size = static_cast<std::size_t>(n);
    F_.resize(size + 1), residual_.resize(size), correction_.resize(size), row_.resize(static_cast<std::size_t>(l_.rows)), row2_.resize(row_.size());
    inertia_.resize(static_cast<std::size_t>(nu)), input_.resize(static_cast<std::size_t>(nu) + 1);
    D_.resize(static_cast<std::size_t>(s_.square_count));
    tangent_.resize(static_cast<std::size_t>(std::max(1, l_.nv)));
    y_.resize(static_cast<std::size_t>(l_.y_size())), vdot_.resize(static_cast<std::size_t>(l_.nv)), xdot_.resize(static_cast<std::size_t>(l_.nx)),
        lambda_.resize(row_.size());
    a_.resize(vdot_.size()), xa_.resize(xdot_.size()), start_.resize(static_cast<std::size_t>(nu));
  }

  StepReport start(State& state) {
    StepReport report;
    std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
    std::copy(state.lambda(), state.lambda() + l_.rows, lambda_.begin());
    if (!accelerations(state.t(), report)) return report;
    std::copy(y_.begin(), y_.end(), state.y());
    std::copy(vdot_.begin(), vdot_.end(), state.a());
    std::copy(xdot_.begin(), xdot_.end(), state.xdot());
    std::copy(lambda_.begin(), lambda_.end(), state.lambda());
    // a(0) approximates vdot at t0 + (alpha_m - alpha_f) h: second order of lambda from the first step. The slope is a
    // central difference of accelerations along the motion.
    const double h = state.h(), e = 1e-3 * h;
    double* m = state.memory();
    std::vector<double> plus(static_cast<std::size_t>(l_.nv + l_.nx)), minus(plus.size());
    for (int sign : {1, -1}) {
      std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
      for (int i = 0; i < l_.nv; ++i) tangent_[i] = sign * e * state.v()[i] + 0.5 * e * e * state.a()[i];
      s_.map.retract(y_.data(), tangent_.data());
      for (int i = 0; i < l_.nv; ++i) y_[l_.v_begin() + i] += sign * e * state.a()[i];
      for (int i = 0; i < l_.nx; ++i) y_[l_.x_begin() + i] += sign * e * state.xdot()[i];
      std::copy(state.lambda(), state.lambda() + l_.rows, lambda_.begin());
      if (!accelerations(state.t() + sign * e, report)) return report;
      auto& out = sign > 0 ? plus : minus;
      std::copy(vdot_.begin(), vdot_.end(), out.begin());
      std::copy(xdot_.begin(), xdot_.end(), out.begin() + l_.nv);
    }
    const Weights& w = plan_.w;
    for (int i = 0; i < l_.nv + l_.nx; ++i) m[memory_.slope + i] = (plus[i] - minus[i]) / (2.0 * e);
    for (int i = 0; i < l_.nv; ++i) m[memory_.a + i] = state.a()[i] + (w.alpha_m - w.alpha_f) * h * m[memory_.slope + i];
    for (int i = 0; i < l_.nx; ++i) m[memory_.xa + i] = state.xdot()[i] + (w.alpha_m1 - w.alpha_f) * h * m[memory_.slope + l_.nv + i];
    m[memory_.last_h] = h;
    return report;
  }

  StepReport step(State& state, double h) {
    StepReport report;
    const Weights& w = plan_.w;
    const double t = state.t() + h;
    predict(state, h);
    const double ratio = (1.0 - w.alpha_f) / (1.0 - w.alpha_m), ratio1 = (1.0 - w.alpha_f) / (1.0 - w.alpha_m1);
    const double b0 = h * h * w.beta * ratio, b1 = h * w.gamma * ratio, bx = h * w.gamma1 * ratio1;
    Seeds seeds;
    seeds.value[0] = b0, seeds.value[1] = bx, seeds.value[2] = 1.0;
    seeds.rate[0] = b1;
    double last = std::numeric_limits<double>::infinity();
    bool fresh = false, converged = false;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      correct(state, h);
      assembly_.update(t, y_.data(), lambda_.data(), state.data());
      if (!residuals(b0, b1, report)) return rejected(report, "a force or constraint is not finite");
      if (converged && report.residual.equations < 1e-9) break;
      if (!fresh) {
        if (!factor(seeds, b0, b1, report)) return rejected(report, report.cause);
        fresh = true;
      }
      std::copy(residual_.begin(), residual_.end(), correction_.begin());
      for (double& r : correction_) r = -r;
      solver_.apply(correction_);
      double change = 0.0, size = 0.0;
      for (int i = 0; i < l_.nv; ++i) {
        vdot_[i] += correction_[i];
        change = std::max(change, b0 * std::abs(correction_[i]) / s_.length_scale), size = std::max(size, std::abs(vdot_[i]) * b0 / s_.length_scale);
      }
      for (int i = 0; i < l_.nx; ++i) xdot_[i] += correction_[l_.nv + i], change = std::max(change, bx * std::abs(correction_[l_.nv + i])), size = std::max(size, bx * std::abs(xdot_[i]));
      for (int i = 0; i < l_.nz; ++i) y_[l_.z_begin() + i] += correction_[l_.nv + l_.nx + i];
      for (int i = 0; i < l_.rows; ++i) lambda_[i] += correction_[l_.unknowns() + i];
      ++report.iterations;
      if (!std::isfinite(change)) return rejected(report, "Newton's iteration ran off");
      // Converged where the change is rounding, or so small that the next one will be (linear rate from the last two).
      const double floor = 1e-15 + 1e-13 * size, rate = change / last;
      converged = change <= floor || (rate < 0.5 && change * rate <= floor);
      if (rate > 0.2) fresh = false;  // a new matrix where the old one converges slowly
      if (iteration > 3 && rate > 2.0 && change > 1e3 * floor) return rejected(report, "Newton's iteration diverges");
      last = change;
    }
    if (!converged && last > 1e-8) return rejected(report, "Newton's iteration did not converge in " + std::to_string(most_iterations) + " steps");
    if (report.residual.equations > 1e-6 || report.residual.constraints > 1e-6) return rejected(report, "the residual stays at " + std::to_string(std::max(report.residual.equations, report.residual.constraints)));
    estimate(state, h, report);
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

  static StepReport rejected(StepReport report, std::string cause) {
    report.status = StepStatus::rejected;
    report.cause = std::move(cause);
    report.residual = {};
    return report;
  }

  /// vdot+, xdot+ as at the end of the last step; a for this step's length (Arnold, Bruls 2007).
  void predict(const State& state, double h) {
    const double* m = state.memory();
    const Weights& w = plan_.w;
    const double stretch = h - m[memory_.last_h];
    for (int i = 0; i < l_.nv; ++i) {
      a_[i] = m[memory_.a + i] + (w.alpha_m - w.alpha_f) * stretch * m[memory_.slope + i];
      vdot_[i] = state.a()[i];
    }
    for (int i = 0; i < l_.nx; ++i) {
      xa_[i] = m[memory_.xa + i] + (w.alpha_m1 - w.alpha_f) * stretch * m[memory_.slope + l_.nv + i];
      xdot_[i] = state.xdot()[i];
    }
    std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
    std::copy(state.lambda(), state.lambda() + l_.rows, lambda_.begin());
  }

  double next_a(const State& state, int i) const {
    const Weights& w = plan_.w;
    return ((1.0 - w.alpha_f) * vdot_[i] + w.alpha_f * state.a()[i] - w.alpha_m * a_[i]) / (1.0 - w.alpha_m);
  }
  double next_xa(const State& state, int i) const {
    const Weights& w = plan_.w;
    return ((1.0 - w.alpha_f) * xdot_[i] + w.alpha_f * state.xdot()[i] - w.alpha_m1 * xa_[i]) / (1.0 - w.alpha_m1);
  }

  /// y+ from vdot+, xdot+.
  void correct(const State& state, double h) {
    const Weights& w = plan_.w;
    for (int i = 0; i < l_.nv; ++i) {
      const double a = next_a(state, i);
      tangent_[i] = h * state.v()[i] + h * h * ((0.5 - w.beta) * a_[i] + w.beta * a);
      y_[l_.v_begin() + i] = state.v()[i] + h * ((1.0 - w.gamma) * a_[i] + w.gamma * a);
    }
    s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
    for (int i = 0; i < l_.nx; ++i) y_[l_.x_begin() + i] = state.x()[i] + h * ((1.0 - w.gamma1) * xa_[i] + w.gamma1 * next_xa(state, i));
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
  double equation_residual() const {
    double worst = 0.0, scale = 1e-300;
    for (int i = 0; i < l_.unknowns(); ++i) {
      worst = std::max(worst, std::abs(residual_[i]));
      scale = std::max({scale, std::abs(inertia_[i]), std::abs(F_[i]), std::abs(input_[i])});
    }
    return scale > 1e-290 ? worst / scale : 0.0;
  }

  /// The matrix of the step at the assembly's configuration; second-order rows (start) where b0 = 0.
  bool factor(const Seeds& seeds, double b0, double b1, StepReport& report) {
    const int nu = l_.unknowns();
    assembly_.mass(1.0, 1.0, A_.data());
    assembly_.add_force_matrix(seeds, A_.data());
    if (l_.rows > 0) assembly_.add_input_matrix(seeds, 1.0, A_.data());
    std::fill(values_.begin(), values_.end(), 0.0);
    for (int k = 0; k < s_.pattern.nonzeros(); ++k) values_[layout_.slots(first_entry_ + k)[0]] += A_[k];
    if (l_.rows > 0) {
      RowSink sink;
      sink.D = D_.data();
      assembly_.relations(sink);
    }
    double largest = 0.0;  // of H M^-1 H^T, by its diagonal
    for (std::size_t i = 0; i < s_.relation_entries.size(); ++i) {
      const RelationEntry& e = s_.relation_entries[i];
      const RelationPool& pool = *s_.relations[static_cast<std::size_t>(e.pool)];
      const double* direction = assembly_.direction(e);
      const double *H = assembly_.H().data() + e.value_begin, *G = assembly_.rate_H().data() + e.value_begin, *B = assembly_.B().data() + e.value_begin;
      const int block = first_relation_ + 3 * static_cast<int>(i);
      const auto row_slots = layout_.slots(block), column_slots = layout_.slots(block + 1), square_slots = layout_.slots(block + 2);
      for (int r = 0; r < e.rows; ++r) {
        const double scale = b0 == 0.0 ? 1.0 : (plan_.by_rate[e.row + r] ? b1 : b0);
        double diagonal = 0.0;
        for (int c = 0; c < e.columns; ++c) {
          const int unknown = s_.relation_columns[static_cast<std::size_t>(e.column_begin + c)], at = r * e.columns + c;
          const int kind = static_cast<int>(s_.kind_of(unknown));
          const double derivative = b0 == 0.0 && !pool.traits().uses_lambda ? direction[at]
                                                                            : (seeds.value[kind] * H[at] + seeds.rate[kind] * G[at]) / scale;
          const double input = pool.traits().has_input ? B[c * e.rows + r] : direction[at];
          values_[row_slots[at]] += derivative;
          values_[column_slots[c * e.rows + r]] -= input;
          const double mass = std::abs(A_[s_.diagonal_slot[unknown]]);
          if (mass > 0.0) diagonal += std::abs(derivative * input) / mass;
        }
        largest = std::max(largest, diagonal);
        if (pool.traits().uses_lambda)
          for (int c = 0; c < e.rows; ++c) values_[square_slots[r * e.rows + c]] += D_[e.square_begin + r * e.rows + c] / scale;
      }
    }
    // Redundant rows: the small diagonal keeps the factor regular; the iteration on the exact residual leaves the part of
    // lambda in the null space of H^T where it was, zero at the start (proximal iteration, Rockafellar 1976).
    const auto diagonal_slots = layout_.slots(diagonal_);
    for (int r = 0; r < l_.rows; ++r) values_[diagonal_slots[nu + r]] += 1e-11 * largest;
    const FactorReport f = solver_.factorize(values_);
    if (f.status == FactorStatus::ok) return true;
    report.cause = f.status == FactorStatus::not_finite ? "the matrix of the step is not finite" : "the matrix of the step is singular: " + unknown_name(f.row);
    return false;
  }

  std::string unknown_name(int i) const {
    if (i < 0) return "no unknown named";
    if (i >= l_.unknowns()) {
      for (const RelationEntry& e : s_.relation_entries)
        if (i - l_.unknowns() >= e.row && i - l_.unknowns() < e.row + e.rows) return "row " + std::to_string(i - l_.unknowns() - e.row) + " of '" + e.name + "'";
    } else if (i < l_.nv) {
      for (const NodeEntry& node : s_.nodes)
        if (i >= node.place.v && i < node.place.v + node.place.sizes.v) return "velocity " + std::to_string(i - node.place.v) + " of '" + node.name + "' has no mass or stiffness";
    }
    return "unknown " + std::to_string(i);
  }

  /// vdot_, xdot_, z in y_ and lambda_ at the configuration y_: relations at acceleration level, compliant ones at value.
  bool accelerations(double t, StepReport& report) {
    Seeds seeds;
    seeds.value[0] = seeds.value[1] = 0.0;
    seeds.value[2] = 1.0;
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      assembly_.update(t, y_.data(), lambda_.data());
      evaluate_dynamics();
      const int nu = l_.unknowns();
      RowSink rows;
      rows.y = row_.data();
      rows.curvature = row2_.data();
      assembly_.relations(rows);
      for (const RelationEntry& e : s_.relation_entries) {
        const bool compliant = s_.relations[static_cast<std::size_t>(e.pool)]->traits().uses_lambda;
        const double* H = assembly_.direction(e);
        for (int r = 0; r < e.rows; ++r) {
          double value = compliant ? row_[e.row + r] : row2_[e.row + r];
          if (!compliant)
            for (int c = 0; c < e.columns; ++c) {
              const int unknown = s_.relation_columns[static_cast<std::size_t>(e.column_begin + c)];
              if (unknown < l_.nv) value += H[r * e.columns + c] * vdot_[unknown];
            }
          residual_[nu + e.row + r] = value;
        }
      }
      if (!std::all_of(residual_.begin(), residual_.end(), [](double r) { return std::isfinite(r); })) {
        report.status = StepStatus::failed;
        report.cause = "a force or constraint is not finite at the start";
        return false;
      }
      if (!factor(seeds, 0.0, 0.0, report)) {
        report.status = StepStatus::failed;
        report.cause += " (accelerations at the start)";
        return false;
      }
      std::copy(residual_.begin(), residual_.end(), correction_.begin());
      for (double& r : correction_) r = -r;
      solver_.apply(correction_);
      double change = 0.0, size = 0.0;
      for (int i = 0; i < l_.nv; ++i) vdot_[i] += correction_[i];
      for (int i = 0; i < l_.nx; ++i) xdot_[i] += correction_[l_.nv + i];
      for (int i = 0; i < l_.nz; ++i) y_[l_.z_begin() + i] += correction_[l_.nv + l_.nx + i];
      for (int i = 0; i < l_.rows; ++i) lambda_[i] += correction_[nu + i];
      for (double c : correction_) change = std::max(change, std::abs(c));
      for (double a : vdot_) size = std::max(size, std::abs(a));
      for (double a : lambda_) size = std::max(size, std::abs(a));
      for (double a : xdot_) size = std::max(size, std::abs(a));
      if (change <= 1e-13 * size || change == 0.0 || (change <= 1e-9 * size && change > 0.3 * last)) return true;
      last = change;
    }
    report.status = StepStatus::failed;
    report.cause = "the accelerations at the start could not be solved";
    return false;
  }

  /// Local error of q from the change of vdot: (beta + delta/2 - 1/6) h^2 (vdot+ - vdot), delta = alpha_m - alpha_f; of x
  /// from the second difference of xdot.
  void estimate(const State& state, double h, StepReport& report) {
    const Weights& w = plan_.w;
    const double c = std::abs(w.beta + 0.5 * (w.alpha_m - w.alpha_f) - 1.0 / 6.0) + 1.0 / 12.0, tolerance = plan_.options.tolerance;
    double worst = 0.0, speed = 0.0;
    for (int i = 0; i < l_.nv; ++i) speed = std::max(speed, std::abs(y_[l_.v_begin() + i]) * h);
    for (int i = 0; i < l_.nv; ++i) {
      const double position = s_.map.q_of_v[i] >= 0 ? std::abs(y_[s_.map.q_of_v[i]]) : 1.0;
      const double scale = tolerance * (std::max(position, speed) + 1e-2 * s_.length_scale);
      worst = std::max(worst, c * h * h * std::abs(vdot_[i] - state.a()[i]) / scale);
    }
    const double* slope = state.memory() + memory_.slope + l_.nv;
    for (int i = 0; i < l_.nx; ++i) {
      const double scale = tolerance * (std::abs(y_[l_.x_begin() + i]) + 1e-2);
      worst = std::max(worst, h / 6.0 * std::abs(xdot_[i] - state.xdot()[i] - h * slope[i]) / scale);
    }
    report.error = worst;
    report.suggested_step = h * std::clamp(0.9 / std::cbrt(std::max(worst, 1e-9)), 0.25, 2.0);
  }

  void accept(State& state, double h, double t) {
    double* m = state.memory();
    for (int i = 0; i < l_.nv; ++i) {
      m[memory_.a + i] = next_a(state, i);
      m[memory_.slope + i] = (vdot_[i] - state.a()[i]) / h;
    }
    for (int i = 0; i < l_.nx; ++i) {
      m[memory_.xa + i] = next_xa(state, i);
      m[memory_.slope + l_.nv + i] = (xdot_[i] - state.xdot()[i]) / h;
    }
    m[memory_.last_h] = h;
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
  Memory memory_;
  CsrLayout layout_;
  int diagonal_ = 0, first_entry_ = 0, first_relation_ = 0;
  SparseSolver solver_;
  std::vector<double> values_, A_, M_, D_, F_, residual_, correction_, row_, row2_, inertia_, input_, tangent_, y_, vdot_, xdot_, lambda_, a_, xa_, start_;
};

class GeneralizedAlpha final : public Scheme {
 public:
  std::string_view name() const override { return "generalized_alpha"; }

  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<AlphaPlan>();
    const auto it = options.numbers.find("spectral_radius");
    const double S = it == options.numbers.end() ? 0.8 : it->second;
    if (!(S >= 0.0 && S <= 1.0)) throw ModelError("simulation/scheme/spectral_radius", "is " + std::to_string(S) + ", must be between 0 and 1");
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
