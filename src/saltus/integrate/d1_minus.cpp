// The half-explicit scheme D1- (Schindler, Acary 2014; Schindler, Rezaei, Kursawe, Acary 2015): contact forces within the step, from discontinuous
// Galerkin methods, and impacts at its end.
//
//   M h a = h f(t, q, v+) + H^T r,        w = u + h (H a + Hdot v) of what is closed, in the laws,  q+ = q (+) (h v + h^2/2 a),  v* = v + h a
//   M h/2 b = h/2 f(t+, q+, v*) + H^T s,  w = H v- of what pressed,                                 v- = v + h/2 (a + b)
//   M (v+ - v-) = H^T L,                  w = H v+ + bias(u-) of what is closed at q+, in phases where a law has them.
//
// Multipliers are impulses and rows are velocities, so that a law whose set depends on speed or is bounded by a force reads what it means. That w is the velocity
// at the end of the step lets friction and what only just closed choose by it. Rows on first-order states stand in the same problems by their values at the end: x
// goes by the explicit trapezoidal rule. What adheres pulls with up to its force in both, and with nothing in an impact.
#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/integrate/step_doubling.hpp"
#include "saltus/math/long_vectors.hpp"

namespace saltus {
namespace {
constexpr double tolerance = 1e-10;
constexpr int most_impact_rows = 6;

class D1Step final : public Workspace {
 public:
  explicit D1Step(const Plan& plan) : plan_(plan), s_(*plan.system), l_(s_.layout), accelerations_(s_, plan.options.threads), rows_(s_, plan.options.threads, plan.tells_contacts()), blocks_(s_, rows_) {
    size_ = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
    closed_ = 1e-9 * s_.contacts.size;
    y_.resize(l_.y_size());
    for (auto* x : {&first_, &second_, &change_, &tangent_}) x->assign(static_cast<std::size_t>(l_.unknowns()) + 1, 0.0);
  }

  StepReport start(State& state) {
    StepReport report;
    State trial = state;
    StartReport consistent = make_consistent(accelerations_, trial, plan_.options.consistent);
    if (!consistent.ok) return ended(std::move(report), StepStatus::failed, consistent.cause);
    report.warnings = std::move(consistent.warnings);
    rows_.begin_step();
    look(trial);
    if (!begin(trial, trial.h())) return ended(std::move(report), StepStatus::failed, rows_.report().cause);
    write(trial, trial.v(), first_, 0.0, report);
    state = trial;
    return report;
  }

  StepReport step(State& state, double h) {
    StepReport report;
    const double t1 = state.t() + h;
    rows_.begin_step();
    look(state);
    const bool fast = could_pass(s_, rows_, h, report, false);
    const double slow = rounding_of_ways(s_, state, size_) / h;
    if (approaches(slow)) {  // at a start, or of a body that appears
      if (!strike(state.t(), slow, state.data(), report)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
      configure(state.t(), y_.data(), state.data());
    }
    before_.assign(y_.begin() + l_.v_begin(), y_.begin() + l_.v_begin() + l_.nv + l_.nx);
    if (!begin(state, h)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
    for (int i = 0; i < l_.nv; ++i) tangent_[i] = h * (before_[i] + 0.5 * h * first_[i]);
    s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
    for (int i = 0; i < l_.nv + l_.nx; ++i) y_[l_.v_begin() + i] = before_[i] + h * first_[i];
    configure(t1, y_.data(), state.data());
    if ((fast || could_pass(s_, rows_, h, report, false)) && pass_unseen(state, t1, h, report)) return report;
    if (!end(state, h)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
    for (int i = 0; i < l_.nv + l_.nx; ++i) y_[l_.v_begin() + i] = before_[i] + 0.5 * h * (first_[i] + second_[i]);
    if (!finite(y_.data(), l_.nq + l_.nv + l_.nx)) return ended(std::move(report), StepStatus::rejected, "the motion left the finite numbers");
    LinearOutcome out = accelerations_.project_position(t1, y_.data(), state.data(), 1e-13 * size_);
    if (out.ok) out = accelerations_.project_velocity(t1, y_.data(), state.data());
    if (!out.ok) return ended(std::move(report), StepStatus::rejected, out.cause);
    if (!strike(t1, slow, state.data(), report)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
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
  bool closed(int block) const { return rows_.value(block) <= closed_; }
  bool across(int block) const { return blocks_.gap(block) && blocks_.across(block, closed_); }
  void configure(double t, const double* y, const double* data) { rows_.configure(t, y, data, std::max(0.02 * size_, blocks_.reach())); }
  /// Closed by a law that pulls, and not parting, unless it pulls across the gap, too.
  bool adheres(const State& state, int block, double h) const {
    const LawRef& law = blocks_.law(block);
    return law.adhesion() > 0.0 && closed(block) && (law.across || rows_.rate(block, 0) <= least_rate(state, block, h));
  }
  /// A rate that counts: slower ones are rounding of the row and of a way over the step.
  double least_rate(const State& state, int block, double h) const { return std::max(1e-6 * rows_.reach(block, 0), rounding_of_ways(s_, state, size_) / h); }

  /// Solves the problem of a part of the step as long as `dt`, whose rows stand in held_: accelerations into `rates`, and what carries.
  bool solve(const State& state, double h, double dt, std::vector<double>& rates) {
    rows_.load_forces(dt, dt);
    if (!rows_.solve({.level = Level::rate, .direct = 1.0 / dt}, held_, tolerance)) return false;
    const SolveReport& solved = rows_.report();
    for (int i = 0; i < l_.nv + l_.nx; ++i) rates[i] = solved.v[i] / dt;
    forces_.clear(), pressed_.clear(), force_.clear();
    const double *r = solved.r.data(), *w = solved.w.data();
    for (const HeldRows& held : held_) {
      forces_.push_back({blocks_.key(held.block), force_.size()});
      for (int i = 0; i < held.count; ++i) force_.push_back(r[i] / dt);
      if (blocks_.gap(held.block) && LawBlocks::bears(held, r[0], w[0], blocks_.law(held.block).across ? -HUGE_VAL : least_rate(state, held.block, h))) pressed_.push_back(forces_.back().key);
      r += held.count, w += held.count;
    }
    return true;
  }

  /// y_ and the rows := the state.
  void look(const State& state) {
    std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
    configure(state.t(), y_.data(), state.data());
  }
  /// Whether a closed gap closes on, faster than what the impacts of a step leave.
  bool approaches(double slow) const {
    for (int b = 0; b < blocks_.size(); ++b)
      if (blocks_.gap(b) && closed(b) && rows_.rate(b, 0) < -std::max(1e-6 * rows_.reach(b, 0), slow)) return true;
    return false;
  }

  /// first_: accelerations at the beginning, at the rows, with the forces of what is closed; pressed_: which these are.
  bool begin(const State& state, double h) {
    blocks_.begin(), held_.clear();
    blocks_.see(0.0, state.data());
    for (int b = 0; b < blocks_.size(); ++b) {
      const bool across = this->across(b);
      if (blocks_.gap(b) && !closed(b) && !across) continue;
      held_.push_back(across ? blocks_.held_across(b, h) : blocks_.held(b, h, adheres(state, b, h)));
      const bool at_rest = blocks_.joint(b) && !rows_.first_order(b);  // joints are projected: what is left of their rate is rounding
      for (int r = 0; r < rows_.rows(b); ++r) blocks_.shift(b)[r] = h * rows_.drift(b, r) - (at_rest ? rows_.rate(b, r) : 0.0);
    }
    return solve(state, h, h, first_);
  }

  /// Whether bodies pass through each other on the way of the step, along tangent_; a report that tells of fast ones is put right where they do not.
  bool pass_unseen(const State& state, double t1, double h, StepReport& report) {
    way_.assign(state.y(), state.y() + l_.y_size());
    for (int i = 0; i < l_.nv; ++i) way_[at(l_.v_begin() + i)] = tangent_[i] / h;
    configure(state.t(), way_.data(), state.data());
    const double way = rows_.way(h);
    if (way < h) {
      report.suggested_step = way;
      return true;
    }
    report.status = StepStatus::accepted, report.passing = false, report.suggested_step = 0.0;
    report.cause.clear();
    configure(t1, y_.data(), state.data());
    return false;
  }
  /// second_: accelerations at the end, at the rows, y_ with its first guess of rates, with the forces that leave what pressed at rest there.
  bool end(const State& state, double h) {
    blocks_.begin(), held_.clear();
    blocks_.see(h, state.data());
    for (int i = 0; i < l_.nv + l_.nx; ++i) change_[i] = -0.5 * h * first_[i];
    for (int b = 0; b < blocks_.size(); ++b) {
      const bool presses = std::find(pressed_.begin(), pressed_.end(), blocks_.key(b)) != pressed_.end(), across = !presses && blocks_.gap(b) && blocks_.law(b).across;  // what opens by less than what counts as closed is pulled, too
      if (blocks_.gap(b) && !presses && !across) continue;
      held_.push_back(across ? blocks_.held_across(b, 0.5 * h) : blocks_.held(b, 0.5 * h, blocks_.law(b).adhesion() > 0.0));
      for (int r = 0; r < rows_.rows(b); ++r) blocks_.shift(b)[r] = rows_.change_of_rate(b, r, change_.data());
    }
    return solve(state, h, 0.5 * h, second_);
  }

  /// Impacts at y_ that are faster than `slow`; its rates are those before them. Laws that a force bounds give no impulse.
  bool strike(double t, double slow, const double* data, StepReport& report) {
    configure(t, y_.data(), data);
    blocks_.begin(), held_.clear(), phased_.clear();
    bool strikes = false;
    blocks_.see(0.0, data);
    for (int b = 0; b < blocks_.size(); ++b) {
      if (rows_.first_order(b) || (blocks_.gap(b) && !closed(b))) continue;
      held_.push_back(blocks_.held(b, 0.0, false));
      const LawRef& law = blocks_.law(b);
      if (!blocks_.gap(b)) continue;
      if (law.type->phases > 0) phased_.push_back({.held = held_.size() - 1, .law = &law});
      if (!(rows_.rate(b, 0) < -std::max(1e-10 * rows_.reach(b, 0), slow))) continue;
      strikes = held_.back().strikes = true;
      double u[most_impact_rows];
      for (int r = 0; law.type->bias && r < rows_.rows(b); ++r) u[r] = rows_.rate(b, r);
      impact_bias(law, rows_.rows(b), u, blocks_.shift(b));
    }
    if (!strikes) return true;
    rows_.load_nothing();
    ImpactWork work;  // laws in phases give none
    if (!(phased_.empty() ? rows_.solve_impact({.level = Level::rate}, held_, tolerance, work) : rows_.solve_phases(held_, phased_, tolerance))) return false;
    report.impacts.add(work);
    report.residual.laws = std::max(report.residual.laws, rows_.report().residual);
    for (int i = 0; i < l_.nv; ++i) y_[l_.v_begin() + i] += rows_.report().v[i];
    const double* r = rows_.report().r.data();
    for (const HeldRows& held : held_) {
      if (held.strikes && r[0] > 0.0) report.events.push_back({t, "impact", blocks_.name(held.block), r[0]});
      r += held.count;
    }
    return true;
  }

  void write(State& state, const double* velocity, const std::vector<double>& rates, double h, StepReport& report) const {
    blocks_.clear(state, report);
    for (const Multiplier& f : forces_)
      if (const int block = blocks_.of_key(f.key); block >= 0) blocks_.write(block, force_.data() + f.first, velocity, h, state, report);
    std::copy_n(rates.begin(), l_.nv, state.a());
    std::copy_n(rates.begin() + l_.nv, l_.nx, state.xdot());
  }

  struct Multiplier {
    double key;
    std::size_t first;  // of force_
  };
  const Plan& plan_;
  const System& s_;
  const Layout& l_;
  Accelerations accelerations_;  // of the start, and of projections
  RowProblem rows_;
  LawBlocks blocks_;
  double size_ = 1.0, closed_ = 1e-9;
  std::vector<HeldRows> held_;
  std::vector<PhasedRows> phased_;
  std::vector<Multiplier> forces_;
  std::vector<double> pressed_;  // keys of the gaps that carried in the last problem
  std::vector<double> y_, way_, before_, first_, second_, change_, tangent_, force_;
};

class D1Minus final : public SteppingScheme<D1Step> {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<NoOptions>("d1_minus", "Schindler and Acary's half-explicit scheme D1-: contact forces in each step, impacts at its end and at the start, order 2 between them (Schindler, Acary 2014).");
    return type;
  }
  bool finds_contacts() const override { return true; }
  Doubling doubling(const SchemeOptions&) const override { return {.order = 2}; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<Plan>();
    bind_rows(*plan, *this, std::move(system), options, Memory::all);
    return plan;
  }
};
}  // namespace

const Scheme& d1_minus() {
  static const StepDoubling scheme(std::make_unique<D1Minus>());
  return scheme;
}

}  // namespace saltus
