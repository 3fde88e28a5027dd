// Schatzman and Paoli's scheme (Paoli, Schatzman 2002): the central difference with laws on positions, whose mean over two steps has the restitution.
//
//   M(q_k) (v_{k+1/2} - v_{k-1/2}) = h (f(t_k, q_k, v_k) + H(q_k)^T l),   q_{k+1} = q_k (+) h v_{k+1/2},
//   y(q_{k+1}) = 0 of joints,   0 <= y(q_{k+1}) + e y(q_{k-1}), complementary to l >= 0, of gaps; friction and relays on the rates of v_{k+1/2}.
//
// The velocity of a state is v_{k+1/2} and half a step of accelerations, where something carries v_{k+1/2} itself.
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
constexpr int most_iterations = 20;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Memory: [v of the last half step | q before the last step | its length, 0: none].
class PaoliPlan final : public Plan {
 public:
  int half() const { return 0; }
  int before() const { return system->layout.nv; }
  int last_h() const { return before() + system->layout.nq; }
};

/// Rows of relations and gaps of contacts between groups at a configuration.
class Positions {
 public:
  explicit Positions(const System& system, int threads) : system_(system), assembly_(system, threads), contacts_(system.contacts), values_(at(system.layout.rows)) {}
  void find(double t, const double* y, const double* data, double within) {
    assembly_.update(t, y, nullptr, data);
    RowSink sink;
    sink.y = values_.data();
    if (system_.layout.rows > 0) assembly_.relations(sink);
    if (!system_.contacts.empty()) contacts_.find(assembly_.kinematics(), within);
  }
  /// Row of a relation; the gap of a contact by its identity, `otherwise` where it is out of sight.
  double relation(int row) const { return values_[at(row)]; }
  double gap(double identity, double otherwise) const {
    for (const Contact& c : contacts_.contacts())
      if (c.identity() == identity) return c.gap;
    return otherwise;
  }

 private:
  const System& system_;
  Assembly assembly_;
  ContactSet contacts_;
  std::vector<double> values_;
};

class PaoliStep final : public Workspace {
 public:
  explicit PaoliStep(const PaoliPlan& plan)
      : plan_(plan), s_(*plan.system), l_(s_.layout), accelerations_(s_, plan.options.threads), rows_(s_, plan.options.threads, plan.options.contacts), next_(s_, plan.options.threads), past_(s_, plan.options.threads), blocks_(s_, rows_) {
    size_ = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
    y_.resize(l_.y_size());
    for (auto* x : {&x_, &half_, &change_, &tangent_, &rates_}) x->resize(at(l_.unknowns()) + 1);
  }

  StepReport start(State& state) {
    StepReport report;
    State trial = state;
    StartReport consistent = make_consistent(accelerations_, trial, plan_.options.consistent);
    if (!consistent.ok) return ended(std::move(report), StepStatus::failed, consistent.cause);
    report.warnings = std::move(consistent.warnings);
    if (LinearOutcome out = accelerations_.solve(trial.t(), trial.y(), trial.data(), trial.lambda(), rates_.data()); !out.ok) return ended(std::move(report), StepStatus::failed, out.cause);
    std::copy_n(rates_.begin(), l_.nv, trial.a());
    std::copy_n(rates_.begin() + l_.nv, l_.nx, trial.xdot());
    std::fill_n(trial.memory(), plan_.last_h() + 1, 0.0);
    state = trial;
    return report;
  }

  StepReport step(State& state, double h) {
    StepReport report;
    rows_.begin_step();
    const double *memory = state.memory(), last = memory[plan_.last_h()], t1 = state.t() + h;
    k_ = last > 0.0 ? 0.5 * (last + h) : 0.5 * h;  // the first half step has none before it
    std::copy_n(last > 0.0 ? memory + plan_.half() : state.v(), l_.nv, half_.begin());
    for (int i = 0; i < l_.nv; ++i) change_[at(i)] = half_[at(i)] - state.v()[i];
    within_ = 0.02 * size_ + 2.0 * h * fastest(state);
    look_back(state, h, last);
    rows_.configure(state.t(), state.y(), state.data(), within_);
    hold();
    std::fill(x_.begin(), x_.end(), 0.0);
    double before = HUGE_VAL;
    for (int pass = 0; pass < most_iterations; ++pass) {
      move(state, h);
      next_.find(t1, y_.data(), state.data(), 2.0 * within_);
      if (!solve(h)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
      ++report.iterations;
      double changed = 0.0;
      for (int i = 0; i < l_.nv + l_.nx; ++i) {
        changed = std::max(changed, std::abs(rows_.report().v[at(i)] - x_[at(i)]));
        x_[at(i)] = rows_.report().v[at(i)];
      }
      changed *= h * k_ / size_;
      if (!std::isfinite(changed)) return ended(std::move(report), StepStatus::rejected, "the motion left the finite numbers");
      if (changed <= 1e-14 || (changed <= 1e-9 && changed > 0.5 * before)) return accept(state, t1, h, std::move(report));
      before = changed;
    }
    return ended(std::move(report), StepStatus::rejected, "positions at the end of the step were not found in " + std::to_string(most_iterations) + " iterations");
  }

 private:
  static StepReport ended(StepReport report, StepStatus status, std::string cause) {
    report.status = status, report.cause = std::move(cause), report.residual = {}, report.events.clear();
    return report;
  }
  bool joint(int block) const { return blocks_.law(block).type->equality; }
  /// Whether this row is held by position.
  bool by_position(int block, int row) const {
    if (joint(block)) return row_form(s_, s_.relation_entries[at(block)]) == RowForm::second;
    return row == 0 && blocks_.law(block).type->unilateral;
  }
  double fastest(const State& state) const {
    double most = 0.0;
    for (int i = 0; i < l_.nv; ++i) most = std::max(most, std::abs(state.v()[i]) + std::abs(state.a()[i]) * k_);
    return most;
  }

  /// past_ := the rows a step ago, at the start where the velocity comes from.
  void look_back(const State& state, double h, double last) {
    std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
    if (last > 0.0) {
      std::copy_n(state.memory() + plan_.before(), l_.nq, y_.begin());
    } else {
      for (int i = 0; i < l_.nv; ++i) tangent_[at(i)] = -h * state.v()[i];
      s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
    }
    past_.find(state.t() - (last > 0.0 ? last : h), y_.data(), state.data(), 2.0 * within_);
  }

  /// y_ := where half_ + k x leads.
  void move(const State& state, double h) {
    for (int i = 0; i < l_.nv; ++i) {
      y_[at(l_.v_begin() + i)] = half_[at(i)] + k_ * x_[at(i)];
      tangent_[at(i)] = h * y_[at(l_.v_begin() + i)];
    }
    s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
    for (int i = 0; i < l_.nx; ++i) y_[at(l_.x_begin() + i)] = state.x()[i] + h * x_[at(l_.nv + i)];
  }

  /// What is in the problem of the step.
  void hold() {
    held_.clear();
    std::size_t rows = 0;
    for (int b = 0; b < blocks_.size(); ++b) {
      const LawRef& law = blocks_.law(b);
      held_.push_back({.block = b, .count = rows_.rows(b), .set = joint(b) ? &equality_set : law.type->set, .parameters = law.parameters});
      rows += at(rows_.rows(b));
    }
    shift_.assign(rows, 0.0);
  }

  /// y of the row at the end with the present x, and e times that of a step ago.
  double at_end(int block, int row) const {
    double e = 0.0, u[3] = {-1.0, 0.0, 0.0}, bias[3] = {};
    if (blocks_.law(block).type->impact) impact_bias(blocks_.law(block), rows_.rows(block), u, bias), e = -bias[0];
    if (blocks_.in_group(block)) {
      const double here = rows_.value(block);
      return next_.gap(blocks_.key(block), here) + e * past_.gap(blocks_.key(block), here);
    }
    const int r = s_.relation_entries[at(block)].row + row;
    return next_.relation(r) + e * past_.relation(r);
  }

  /// x_ with multipliers from the rows linearized about it. Level::rate writes w = ydot + H x, so shifts put in what each row is: positions over
  /// h k, rates over k.
  bool solve(double h) {
    double* shift = shift_.data();
    for (HeldRows& held : held_) {
      held.shift = shift;
      for (int r = 0; r < held.count; ++r) {
        const double rate = rows_.rate(held.block, r);
        if (by_position(held.block, r)) *shift++ = at_end(held.block, r) / (h * k_) - rate - rows_.change_of_rate(held.block, r, x_.data());
        else *shift++ = (rate + rows_.change_of_rate(held.block, r, change_.data())) / k_ - rate;
      }
    }
    rows_.load_forces();
    return rows_.solve({.level = Level::rate}, held_, tolerance);
  }

  StepReport accept(State& state, double t1, double h, StepReport report) {
    move(state, h);
    report.residual.laws = rows_.report().residual;
    before_.assign(state.lambda(), state.lambda() + l_.rows);
    for (int i = 0; i < l_.nv; ++i) half_[at(i)] = y_[at(l_.v_begin() + i)];
    blocks_.clear(state, report);
    bool carries = false;
    const double* r = rows_.report().r.data();
    for (const HeldRows& held : held_) {
      const bool pushes = std::any_of(r, r + held.count, [](double x) { return x != 0.0; });
      if (pushes || !blocks_.in_group(held.block)) blocks_.write(held.block, r, half_.data(), h, state, report);
      if (!joint(held.block) && pushes) {
        carries = true;
        const bool gap = blocks_.law(held.block).type->unilateral;
        const bool fresh = blocks_.in_group(held.block) ? past_.gap(blocks_.key(held.block), 1.0) > 1e-9 * size_ : before_[at(s_.relation_entries[at(held.block)].row)] == 0.0;
        if (gap && fresh && r[0] > 0.0) report.events.push_back({t1, "impact", blocks_.name(held.block), r[0] * k_});
      }
      r += held.count;
    }
    std::copy_n(state.q(), l_.nq, state.memory() + plan_.before());
    std::copy_n(half_.begin(), l_.nv, state.memory() + plan_.half());
    state.memory()[plan_.last_h()] = h;
    std::copy_n(x_.begin(), l_.nv + l_.nx, rates_.begin());
    lambda_.assign(state.lambda(), state.lambda() + l_.rows);
    if (!carries) {
      const LinearOutcome out = accelerations_.solve(t1, y_.data(), state.data(), lambda_.data(), rates_.data());
      report.residual.equations = out.residual;
      for (int i = 0; i < l_.nv && out.ok; ++i) y_[at(l_.v_begin() + i)] += 0.5 * h * rates_[at(i)];
    }
    (void)accelerations_.project_velocity(t1, y_.data(), state.data());
    report.residual.constraints = accelerations_.position_violation(t1, y_.data(), state.data()) / size_;
    std::copy(y_.begin(), y_.end(), state.y());
    std::copy_n(rates_.begin(), l_.nv, state.a());
    std::copy_n(rates_.begin() + l_.nv, l_.nx, state.xdot());
    if (!carries) std::copy(lambda_.begin(), lambda_.end(), state.lambda());
    state.t() = t1;
    return report;
  }

  const PaoliPlan& plan_;
  const System& s_;
  const Layout& l_;
  Accelerations accelerations_;
  RowProblem rows_;
  Positions next_, past_;
  LawBlocks blocks_;
  double size_ = 1.0, k_ = 0.0, within_ = 0.0;
  std::vector<HeldRows> held_;
  std::vector<double> y_, lambda_, before_, x_, half_, change_, tangent_, rates_, shift_;
};

class SchatzmanPaoli final : public Scheme {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<NoOptions>("schatzman_paoli", "Schatzman and Paoli's scheme at a fixed step: the central difference with impacts by positions, those of two steps together (Paoli, Schatzman 2002).");
    return type;
  }
  bool finds_contacts() const override { return true; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<PaoliPlan>();
    bind_at_once(*plan, *this, std::move(system), options);
    plan->layout.memory_size = plan->last_h() + 1;
    return plan;
  }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override { return std::make_unique<PaoliStep>(static_cast<const PaoliPlan&>(plan)); }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<PaoliStep&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override { return static_cast<PaoliStep&>(work).step(state, h); }
};
}  // namespace

const Scheme& schatzman_paoli() {
  static const SchatzmanPaoli scheme;
  return scheme;
}

}  // namespace saltus
