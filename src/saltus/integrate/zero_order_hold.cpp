// Zero-order hold of multipliers on a linear system: w_{k+1} = exp(A h) w_k + int_0^h exp(A s) ds (g + B l), the laws on the rows at the end of the step
// (Acary, Brogliato 2010; Huber, Acary, Brogliato, Plestan 2016). Free motion is exact, and so is motion under multipliers that are constant over a step.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/linear_motion.hpp"
#include "saltus/integrate/scheme.hpp"
#include "saltus/math/long_vectors.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

class HoldStep final : public Workspace {
 public:
  explicit HoldStep(const Plan& plan) : plan_(plan), s_(*plan.system), l_(s_.layout), motion_(s_, plan.options.threads), y_(at(l_.y_size())) {
    rows_at(0.0, s_.initial_y.data(), s_.initial_data.data(), &D_);
    for (const RelationEntry& e : s_.relation_entries)
      problem_.blocks.push_back({.begin = e.row, .dim = e.rows, .set = e.law.type->set, .parameters = e.law.parameters});
  }

  StepReport start(State& state) {
    settle(state, state.t());
    return {};
  }

  StepReport step(State& state, double h) {
    StepReport report;
    if (h != h_) take_length(h);
    const double t1 = state.t() + h;
    const int n = motion_.size();
    dense::Vector w = Eigen::Map<const dense::Vector>(state.y(), n), l = dense::Vector::Zero(l_.rows);
    w = (Phi_ * w + drift_).eval();
    if (l_.rows > 0) {
      put(state, w);
      rows_at(t1, y_.data(), state.data());
      // A row that slides shrinks by the rounding of each step, down to numbers without digits.
      for (int r = 0; r < l_.rows; ++r) problem_.b[at(r)] = std::abs(row_[r]) < 1e-200 ? 0.0 : row_[r];
      SolveOptions options;
      options.tolerance = 1e-12;
      options.timed = false;
      solver_.solve(problem_, options, solved_);
      if (solved_.status != SolveStatus::solved) {
        report.status = StepStatus::rejected;
        report.cause = solved_.cause.empty() ? "no solver solved the problem of the rows" : solved_.cause;
        return report;
      }
      report.residual.laws = solved_.residual;
      l = Eigen::Map<const dense::Vector>(solved_.r.data(), l_.rows);
      w += held_ * l;
    }
    if (!finite(w.data(), n)) {
      report.status = StepStatus::rejected, report.cause = "the motion left the finite numbers";
      return report;
    }
    std::copy_n(w.data(), n, state.y());
    std::copy_n(l.data(), l_.rows, state.lambda());
    settle(state, t1);
    report.iterations = 1;
    return report;
  }

 private:
  void put(const State& state, const dense::Vector& w) {
    std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
    std::copy_n(w.data(), motion_.size(), y_.begin());
  }
  /// row_ := what the laws act on: rates where a law or a row says so, else values.
  void rows_at(double t, const double* y, const double* data, dense::Matrix* D = nullptr) {
    motion_.rows(t, y, data, value_, rate_, D);
    row_ = value_;
    for (const RelationEntry& e : s_.relation_entries)
      if (e.law.written == 1 || e.law.type->acts == Acts::rate) row_.segment(e.row, e.rows) = rate_.segment(e.row, e.rows);
  }
  /// exp of [A (g B); 0 0] h holds both the flow and what inputs that are held make of it (Van Loan 1978).
  void take_length(double h) {
    const int n = motion_.size(), m = l_.rows;
    dense::Matrix all = dense::Matrix::Zero(n + 1 + m, n + 1 + m);
    all.topLeftCorner(n, n) = motion_.A() * h;
    all.block(0, n, n, 1) = motion_.g() * h;
    all.topRightCorner(n, m) = motion_.B() * h;
    const dense::Matrix E = dense::exponential(all);
    Phi_ = E.topLeftCorner(n, n), drift_ = E.block(0, n, n, 1), held_ = E.topRightCorner(n, m);
    h_ = h;
    // Rows are affine: their dependence on what is held by differences, exactly.
    std::copy(s_.initial_y.begin(), s_.initial_y.end(), y_.begin());
    rows_at(0.0, y_.data(), s_.initial_data.data());
    const dense::Vector base = row_;
    dense::Matrix W = D_;
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < n; ++i) y_[at(i)] = s_.initial_y[at(i)] + held_(i, j);
      rows_at(0.0, y_.data(), s_.initial_data.data());
      W.col(j) += row_ - base;
    }
    problem_.D = W.sparseView();
    problem_.D.makeCompressed();
    problem_.b.assign(at(m), 0.0);
  }
  void settle(State& state, double t) const {
    const dense::Vector rates = motion_.A() * Eigen::Map<const dense::Vector>(state.y(), motion_.size()) + motion_.g() + motion_.B() * Eigen::Map<const dense::Vector>(state.lambda(), l_.rows);
    std::copy_n(rates.data() + l_.nv, l_.nv, state.a());
    std::copy_n(rates.data() + 2 * l_.nv, l_.nx, state.xdot());
    state.t() = t;
  }

  const Plan& plan_;
  const System& s_;
  const Layout& l_;
  LinearMotion motion_;
  Problem problem_;
  Solver solver_;
  SolveReport solved_;
  double h_ = 0.0;  // of Phi_, drift_, held_ and the problem
  dense::Matrix Phi_, held_, D_;
  dense::Vector drift_, value_, rate_, row_;
  std::vector<double> y_;
};

class ZeroOrderHold final : public Scheme {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<NoOptions>("zero_order_hold", "Exact on linear systems under multipliers that are held over a step, by the exponential of the matrix: relays, complementarity, sliding modes at a fixed step (Acary, Brogliato 2010).");
    return type;
  }
  bool carries_rates() const override { return false; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<Plan>();
    Faults faults;
    (void)read_options<NoOptions>(options, faults);
    if (options.error_control) faults.error({}, "simulation/step", "zero_order_hold has no error estimate and needs a fixed step", "give step=, or use moreau_jean");
    refuse_nonlinear(*system, name(), faults);
    for (const RelationEntry& e : system->relation_entries) {
      const LawType& law = *e.law.type;
      const std::string has = "has the law '" + std::string(law.name) + "'";
      const auto columns = columns_of(*system, e);
      const bool on_bodies = std::any_of(columns.begin(), columns.end(), [&](int c) { return c >= 0 && c < system->layout.nv; });
      if (law.equality) faults.error({}, "relations/" + e.name, has + ", which zero_order_hold does not hold: it takes relays and complementarity", "use the scheme moreau_jean");
      else if (law.impact || law.by_speed || law.adhesion || law.oriented || law.phases > 0 || (law.unilateral && on_bodies))
        faults.error({}, "relations/" + e.name, has + ", of impacts, which zero_order_hold does not take", "use exact_modal or moreau_jean");
      plan->row_level.push_back(e.law.written == 1 ? Level::rate : Level::value);
    }
    faults.raise();
    plan->system = std::move(system);
    plan->options = options;
    plan->layout = {plan->system->layout, 0};
    return plan;
  }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override { return std::make_unique<HoldStep>(plan); }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<HoldStep&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override { return static_cast<HoldStep&>(work).step(state, h); }
};
}  // namespace

const Scheme& zero_order_hold() {
  static const ZeroOrderHold scheme;
  return scheme;
}

}  // namespace saltus
