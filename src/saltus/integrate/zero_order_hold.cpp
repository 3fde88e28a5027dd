// Zero-order hold of multipliers on a linear system: w_{k+1} = exp(A h) w_k + int_0^h exp(A s) ds (g + B l), the laws on the rows at the end of the step
// (Acary, Brogliato 2010; Huber, Acary, Brogliato, Plestan 2016). Free motion is exact, and so is motion under multipliers that are constant over a step.
// A gap is in the problem where the free motion would close it, by its rate at the end, with the bias of an impact from the rate at the beginning; impacts in phases are
// solved at the beginning, and what they take, over h, is the offset of their sets.
#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/integrate/linear_motion.hpp"
#include "saltus/integrate/step_doubling.hpp"
#include "saltus/math/long_vectors.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {
namespace {

class HoldStep final : public Workspace {
 public:
  explicit HoldStep(const Plan& plan) : plan_(plan), s_(*plan.system), l_(s_.layout), motion_(s_, plan.options.threads), y_(at(l_.y_size())) {
    rows_at(0.0, s_.initial_y.data(), s_.initial_data.data(), &D_);
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
      if (!strike(state, w, t1, h)) {
        report.status = StepStatus::rejected;
        report.cause = solved_.cause.empty() ? "no solver solved the problem of the rows" : solved_.cause;
        return report;
      }
      report.residual.laws = solved_.residual;
      w += held_flow_ * multiplier_;
      l = multiplier_;
    }
    if (!finite(w.data(), n)) {
      report.status = StepStatus::rejected, report.cause = "the motion left the finite numbers";
      return report;
    }
    for (const int k : closing_) {  // of an impact the step has no mean force
      const RelationEntry& e = s_.relation_entries[at(k)];
      if (l[e.row] > 0.0) report.events.push_back({t1, "impact", e.name, h * l[e.row]});
      l.segment(e.row, e.rows).setZero();
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
  /// A gap of bodies.
  bool gap(const RelationEntry& e) const {
    const auto columns = columns_of(s_, e);
    return e.law.type->unilateral && std::any_of(columns.begin(), columns.end(), [&](int c) { return c >= 0 && c < l_.nv; });
  }

  /// multiplier_ of the step whose free motion ends at w.
  bool strike(const State& state, const dense::Vector& w, double t1, double h) {
    bias_ = dense::Vector::Zero(l_.rows), offset_ = dense::Vector::Zero(l_.rows), multiplier_ = dense::Vector::Zero(l_.rows);
    closing_.clear(), held_.clear(), phased_.clear();
    rows_at(state.t(), state.y(), state.data());
    start_ = row_;
    const dense::Vector before = value_;
    put(state, w);
    rows_at(t1, y_.data(), state.data());
    const double size = s_.length_scale > 0.0 ? s_.length_scale : 1.0, slow = rounding_of_ways(s_, state, size) / h;
    for (int k = 0; k < count_of(s_.relation_entries); ++k) {
      const RelationEntry& e = s_.relation_entries[at(k)];
      const bool gap = this->gap(e), adheres = e.law.adhesion() > 0.0 && before[e.row] <= 1e-9 * size && h * start_[e.row] <= 1e-9 * size;
      if (gap && value_[e.row] > 0.0 && !adheres) continue;
      held_.push_back({.block = k, .count = e.rows, .set = e.law.type->set, .parameters = e.law.parameters, .shift = bias_.data() + e.row, .offset = offset_.data() + e.row});
      if (adheres) offset_[e.row] = -e.law.adhesion();
      if (gap && e.law.type->phases > 0) phased_.push_back({.held = held_.size() - 1, .law = &e.law});
      if (!gap || !(start_[e.row] < -slow)) continue;
      if (e.law.type->impact) closing_.push_back(k);
      if (e.law.type->bias) impact_bias(e.law, e.rows, start_.data() + e.row, bias_.data() + e.row);
    }
    if (held_.empty()) return true;
    if (!closing_.empty() && !phased_.empty() && !strike_in_phases(h)) return false;
    if (!solve(held_, W_, row_)) return false;
    int row = 0;
    for (const HeldRows& held : held_)
      for (int i = 0; i < held.count; ++i) multiplier_[s_.relation_entries[at(held.block)].row + i] = solved_.r[at(row++)];
    return true;
  }

  /// Impacts where the step begins: offsets and biases of laws in phases.
  bool strike_in_phases(double h) {
    std::vector<HeldRows> ahead = held_;
    for (HeldRows& held : ahead) {
      held.offset = nullptr;
      if (s_.relation_entries[at(held.block)].law.type->force_bounded) held.set_scale = 0.0;
    }
    if (!in_phases(ahead, phased_, solved_.r, [&](const std::vector<HeldRows>& held) { return solve(held, now_, start_); })) return false;
    for (const PhasedRows& rows : phased_) {
      const RelationEntry& e = s_.relation_entries[at(ahead[rows.held].block)];
      int row = 0;
      for (std::size_t k = 0; k < rows.held; ++k) row += ahead[k].count;
      bias_[e.row] = -std::max(solved_.w[at(row)], 0.0);
      for (int i = 0; i < e.rows; ++i) offset_[e.row + i] = rows.percussion[i] / h;
    }
    return true;
  }

  /// The laws of `held` on rows that are `base` and W times the multipliers; these, with their offsets, into solved_.
  bool solve(const std::vector<HeldRows>& held, const dense::Matrix& W, const dense::Vector& base) {
    std::vector<int> rows;
    problem_.blocks.clear(), problem_.b.clear();
    dense::Vector offset = dense::Vector::Zero(l_.rows);
    for (const HeldRows& h : held) {
      const int first = s_.relation_entries[at(h.block)].row;
      problem_.blocks.push_back({.begin = count_of(rows), .dim = h.count, .set = h.set, .parameters = h.parameters, .set_scale = h.set_scale});
      for (int i = 0; i < h.count; ++i) {
        rows.push_back(first + i);
        if (h.offset) offset[first + i] = h.offset[i];
        // A row that slides shrinks by the rounding of each step, down to numbers without digits.
        problem_.b.push_back((std::abs(base[first + i]) < 1e-200 ? 0.0 : base[first + i]) + h.shift[i]);
      }
    }
    const auto n = static_cast<Eigen::Index>(rows.size());
    const dense::Vector pushed = W * offset;
    dense::Matrix D(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      problem_.b[at(static_cast<int>(i))] += pushed[rows[at(static_cast<int>(i))]];
      for (Eigen::Index j = 0; j < n; ++j) D(i, j) = W(rows[at(static_cast<int>(i))], rows[at(static_cast<int>(j))]);
    }
    problem_.D = D.sparseView();
    problem_.D.makeCompressed();
    SolveOptions options;
    options.tolerance = 1e-12;
    options.timed = false;
    solver_.solve(problem_, options, solved_);
    for (std::size_t i = 0; i < rows.size() && i < solved_.r.size(); ++i) solved_.r[i] += offset[rows[i]];
    return solved_.status == SolveStatus::solved;
  }

  /// row_ := what the laws act on: rates where a law or a row says so, else values.
  void rows_at(double t, const double* y, const double* data, dense::Matrix* D = nullptr) {
    motion_.rows(t, y, data, value_, rate_, D);
    row_ = value_;
    for (const RelationEntry& e : s_.relation_entries)
      if (e.law.written == 1 || e.law.type->acts == Acts::rate || gap(e)) row_.segment(e.row, e.rows) = rate_.segment(e.row, e.rows);
  }
  /// exp of [A (g B); 0 0] h holds both the flow and what inputs that are held make of it (Van Loan 1978).
  void take_length(double h) {
    const int n = motion_.size(), m = l_.rows;
    dense::Matrix all = dense::Matrix::Zero(n + 1 + m, n + 1 + m);
    all.topLeftCorner(n, n) = motion_.A() * h;
    all.block(0, n, n, 1) = motion_.g() * h;
    all.topRightCorner(n, m) = motion_.B() * h;
    const dense::Matrix E = dense::exponential(all);
    Phi_ = E.topLeftCorner(n, n), drift_ = E.block(0, n, n, 1), held_flow_ = E.topRightCorner(n, m);
    h_ = h;
    W_ = D_ + by(held_flow_), now_ = by(motion_.B());
  }
  /// What the rows change by, one column each, where the state changes by the columns; rows are affine: by differences, exactly.
  dense::Matrix by(const dense::Matrix& columns) {
    std::copy(s_.initial_y.begin(), s_.initial_y.end(), y_.begin());
    rows_at(0.0, y_.data(), s_.initial_data.data());
    const dense::Vector base = row_;
    dense::Matrix out(l_.rows, l_.rows);
    for (int j = 0; j < l_.rows; ++j) {
      for (int i = 0; i < motion_.size(); ++i) y_[at(i)] = s_.initial_y[at(i)] + columns(i, j);
      rows_at(0.0, y_.data(), s_.initial_data.data());
      out.col(j) = row_ - base;
    }
    return out;
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
  double h_ = 0.0;  // of Phi_, drift_, held_flow_ and W_
  dense::Matrix Phi_, held_flow_, D_, W_, now_;  // rows by multipliers: W_ held over a step, at its end; now_ impulses
  dense::Vector drift_, value_, rate_, row_, start_, bias_, offset_, multiplier_;
  std::vector<HeldRows> held_;
  std::vector<PhasedRows> phased_;
  std::vector<int> closing_;     // relations with an impact
  std::vector<double> y_;
};

class ZeroOrderHold final : public SteppingScheme<HoldStep> {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<NoOptions>("zero_order_hold", "Exact on linear systems under multipliers that are held over a step, by the exponential of the matrix: relays, complementarity, sliding modes, impacts (Acary, Brogliato 2010).");
    return type;
  }
  bool carries_rates() const override { return false; }
  Doubling doubling(const SchemeOptions&) const override { return {.order = 1, .exact = true, .means = true}; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<Plan>();
    Faults faults;
    (void)read_options<NoOptions>(options, faults);
    refuse_nonlinear(*system, name(), faults);
    for (const RelationEntry& e : system->relation_entries) {
      const LawType& law = *e.law.type;
      const std::string has = "has the law '" + std::string(law.name) + "'";
      if (law.equality) faults.error({}, "relations/" + e.name, has + ", which zero_order_hold does not hold: it takes laws with sets", "use the scheme moreau_jean");
      plan->row_level.push_back(e.law.written == 1 ? Level::rate : Level::value);
    }
    refuse_along_impulse(*system, name(), faults);
    refuse_memory(*system, Memory::none, name(), faults);
    faults.raise();
    plan->take(std::move(system), options);
    return plan;
  }
};
}  // namespace

const Scheme& zero_order_hold() {
  static const StepDoubling scheme(std::make_unique<ZeroOrderHold>());
  return scheme;
}

}  // namespace saltus
