// The half-explicit scheme D1- (Schindler, Acary 2014; Schindler, Rezaei, Kursawe, Acary 2015): contact forces within the step, from discontinuous
// Galerkin methods, and impacts at its end.
//
//   M a = f(t, q, v+) + H^T l,   w = H a + Hdot v + u / h of what is closed, in the laws,    q+ = q (+) (h v + h^2/2 a),  v* = v + h a
//   M b = f(t+, q+, v*) + H^T l, w = H v- of what pressed,                                   v- = v + h/2 (a + b)
//   M (v+ - v-) = H^T L,         w = H v+ + bias(u-) of what is closed at q+.
//
// u / h lets friction and what only just closed choose by the velocity at the end of the step; it is zero where a gap stays closed or a foot sticks.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/math/long_vectors.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
constexpr double tolerance = 1e-10;

class D1Step final : public Workspace {
 public:
  explicit D1Step(const Plan& plan) : plan_(plan), s_(*plan.system), l_(s_.layout), accelerations_(s_, plan.options.threads), rows_(s_, plan.options.threads, plan.options.contacts), blocks_(s_, rows_) {
    size_ = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
    y_.resize(l_.y_size());
    for (auto* x : {&first_, &second_, &change_, &tangent_}) x->resize(static_cast<std::size_t>(l_.unknowns()) + 1);
  }

  StepReport start(State& state) {
    StepReport report;
    State trial = state;
    StartReport consistent = make_consistent(accelerations_, trial, plan_.options.consistent);
    if (!consistent.ok) return ended(std::move(report), StepStatus::failed, consistent.cause);
    report.warnings = std::move(consistent.warnings);
    rows_.begin_step();
    if (!begin(trial, trial.h())) return ended(std::move(report), StepStatus::failed, rows_.report().cause);
    write(trial, trial.v(), first_, 0.0, report);
    state = trial;
    return report;
  }

  StepReport step(State& state, double h) {
    StepReport report;
    const double t1 = state.t() + h;
    rows_.begin_step();
    if (!begin(state, h)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
    for (int i = 0; i < l_.nv; ++i) tangent_[i] = h * (state.v()[i] + 0.5 * h * first_[i]);
    s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
    for (int i = 0; i < l_.nv + l_.nx; ++i) y_[l_.v_begin() + i] = state.v()[i] + h * first_[i];
    if (!end(state, t1, h)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
    for (int i = 0; i < l_.nv + l_.nx; ++i) y_[l_.v_begin() + i] = state.v()[i] + 0.5 * h * (first_[i] + second_[i]);
    if (!finite(y_.data(), l_.nq + l_.nv + l_.nx)) return ended(std::move(report), StepStatus::rejected, "the motion left the finite numbers");
    LinearOutcome out = accelerations_.project_position(t1, y_.data(), state.data(), 1e-13 * size_);
    if (out.ok) out = accelerations_.project_velocity(t1, y_.data(), state.data());
    if (!out.ok) return ended(std::move(report), StepStatus::rejected, out.cause);
    if (!strike(t1, state.data(), report)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
    write(state, y_.data() + l_.v_begin(), second_, h, report);
    std::copy(y_.begin(), y_.end(), state.y());
    state.t() = t1;
    return report;
  }

 private:
  static StepReport ended(StepReport report, StepStatus status, std::string cause) {
    report.status = status, report.cause = std::move(cause), report.residual = {}, report.events.clear();
    return report;
  }
  bool joint(int block) const { return blocks_.law(block).type->equality; }
  bool closed(int block) const { return rows_.value(block) <= 1e-9 * size_; }

  HeldRows all_rows(int block) {
    const LawRef& law = blocks_.law(block);
    return {.block = block, .count = rows_.rows(block), .set = joint(block) ? &equality_set : law.type->set, .parameters = law.parameters};
  }

  /// first_: accelerations at the beginning, with the forces of what is closed; pressed_: which these are.
  bool begin(const State& state, double h) {
    rows_.configure(state.t(), state.y(), state.data(), 0.02 * size_);
    held_.clear(), pressed_.clear();
    shift_.assign(3 * static_cast<std::size_t>(blocks_.size()), 0.0);
    for (int b = 0; b < blocks_.size(); ++b) {
      if (blocks_.law(b).type->unilateral && !closed(b)) continue;
      held_.push_back(all_rows(b));
      if (joint(b)) continue;
      held_.back().shift = shift_.data() + 3 * b;
      for (int r = 0; r < rows_.rows(b); ++r) shift_[3 * static_cast<std::size_t>(b) + static_cast<std::size_t>(r)] = rows_.rate(b, r) / h;
    }
    rows_.load_forces();
    if (!rows_.solve({.level = Level::acceleration}, held_, tolerance)) return false;
    std::copy_n(rows_.report().v.begin(), l_.nv + l_.nx, first_.begin());
    keep();
    return true;
  }
  /// forces_ and pressed_ from the problem just solved.
  void keep() {
    forces_.clear(), pressed_.clear();
    const double* r = rows_.report().r.data();
    for (const HeldRows& held : held_) {
      forces_.push_back({blocks_.key(held.block), {}});
      std::copy_n(r, std::min(held.count, 6), forces_.back().force);
      if (!joint(held.block) && (!blocks_.law(held.block).type->unilateral || r[0] > 0.0)) pressed_.push_back(blocks_.key(held.block));
      r += held.count;
    }
  }

  /// second_: accelerations at the end, y_ with its first guess of rates, with the forces that leave what pressed at rest there.
  bool end(const State& state, double t1, double h) {
    rows_.configure(t1, y_.data(), state.data(), 0.02 * size_);
    held_.clear();
    shift_.assign(static_cast<std::size_t>(s_.layout.rows) + 3 * pressed_.size(), 0.0);
    for (int i = 0; i < l_.nv; ++i) change_[i] = -0.5 * h * first_[i];
    double* shift = shift_.data();
    for (int b = 0; b < blocks_.size(); ++b) {
      if (!joint(b) && std::find(pressed_.begin(), pressed_.end(), blocks_.key(b)) == pressed_.end()) continue;
      held_.push_back(all_rows(b));
      held_.back().shift = shift;
      // Level::rate writes w = ydot + H x of its unknown x, which is the acceleration here: ydot of v + h/2 a, times 2 / h, in its place.
      for (int r = 0; r < rows_.rows(b); ++r) *shift++ = -rows_.rate(b, r) + 2.0 / h * (rows_.rate(b, r) + rows_.change_of_rate(b, r, change_.data()));
    }
    rows_.load_forces();
    if (!rows_.solve({.level = Level::rate}, held_, tolerance)) return false;
    std::copy_n(rows_.report().v.begin(), l_.nv + l_.nx, second_.begin());
    keep();
    return true;
  }

  /// Impacts at y_, whose rates are those before them.
  bool strike(double t, const double* data, StepReport& report) {
    rows_.configure(t, y_.data(), data, 0.02 * size_);
    held_.clear();
    bool hit = false;
    bias_.assign(3 * static_cast<std::size_t>(blocks_.size()), 0.0);
    for (int b = 0; b < blocks_.size(); ++b) {
      const LawRef& law = blocks_.law(b);
      if (!joint(b) && !(law.type->unilateral && closed(b))) continue;
      held_.push_back(all_rows(b));
      if (joint(b)) continue;
      double u[3], *bias = bias_.data() + 3 * b;
      for (int r = 0; r < rows_.rows(b); ++r) u[r] = rows_.rate(b, r);
      if (!(u[0] < -1e-10 * std::max(rows_.reach(b, 0), 1e-300))) continue;
      hit = true;
      impact_bias(law, rows_.rows(b), u, bias);
      held_.back().shift = bias;
    }
    if (!hit) return true;
    rows_.load_nothing();
    if (!rows_.solve({.level = Level::rate}, held_, tolerance)) return false;
    report.residual.laws = std::max(report.residual.laws, rows_.report().residual);
    for (int i = 0; i < l_.nv; ++i) y_[l_.v_begin() + i] += rows_.report().v[i];
    const double* r = rows_.report().r.data();
    for (const HeldRows& held : held_) {
      if (!joint(held.block) && held.shift && r[0] > 0.0) report.events.push_back({t, "impact", blocks_.name(held.block), r[0]});
      r += held.count;
    }
    return true;
  }

  void write(State& state, const double* velocity, const std::vector<double>& rates, double h, StepReport& report) const {
    blocks_.clear(state, report);
    for (const Multiplier& f : forces_)
      if (const int block = blocks_.of_key(f.key); block >= 0) blocks_.write(block, f.force, velocity, h, state, report);
    std::copy_n(rates.begin(), l_.nv, state.a());
    std::copy_n(rates.begin() + l_.nv, l_.nx, state.xdot());
  }

  struct Multiplier {
    double key;
    double force[6];
  };
  const Plan& plan_;
  const System& s_;
  const Layout& l_;
  Accelerations accelerations_;  // of the start, and of projections
  RowProblem rows_;
  LawBlocks blocks_;
  double size_ = 1.0;
  std::vector<HeldRows> held_;
  std::vector<Multiplier> forces_;
  std::vector<double> pressed_;  // keys of what carried in the last problem
  std::vector<double> y_, first_, second_, change_, tangent_, shift_, bias_;
};

class D1Minus final : public Scheme {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<NoOptions>("d1_minus", "Schindler and Acary's half-explicit scheme D1- at a fixed step: contact forces in each step, impacts at its end, order 2 between them (Schindler, Acary 2014).");
    return type;
  }
  bool finds_contacts() const override { return true; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<Plan>();
    bind_at_once(*plan, *this, std::move(system), options);
    return plan;
  }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override { return std::make_unique<D1Step>(plan); }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<D1Step&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override { return static_cast<D1Step&>(work).step(state, h); }
};
}  // namespace

const Scheme& d1_minus() {
  static const D1Minus scheme;
  return scheme;
}

}  // namespace saltus
