// Schatzman and Paoli's scheme (Paoli, Schatzman 2002): the central difference with laws on positions, whose mean over two steps has the restitution.
//
//   M(q_k) (v_{k+1/2} - v_{k-1/2}) = k f(t_k, q_k, v_k) + H(q_k)^T r,   q_{k+1} = q_k (+) h v_{k+1/2},   k the mean of this step and the one before,
//   y(q_{k+1}) = 0 of joints,   0 <= (y(q_{k+1}) + e y(q_{k-1})) / h, complementary to r >= 0, of gaps; friction and relays on the rates of v_{k+1/2}.
//
// Multipliers are impulses and rows velocities, so that each law reads what it means; what adheres pulls with up to k times its force. Rows on first-order states
// stand in the same problem by their values at the end, x_{k+1} = x_k + h xdot.
// An impact by positions is spread over two steps. With friction, whose direction each of them would choose anew, and in phases, it is solved at once, ahead of the step in
// which its gap would close: what its law takes is the offset of its set in the step, and y(q_{k+1}) >= y(q_k) + h u for the rate u after it.
// The velocity of a state is v_{k+1/2} and half a step of accelerations, where something carries v_{k+1/2} itself.
#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/math/long_vectors.hpp"
#include "saltus/system/usual_contacts.hpp"

namespace saltus {
namespace {
constexpr double tolerance = 1e-10;
constexpr int most_iterations = 20, most_impact_rows = 6;

/// Memory: [v of the last half step | q before the last step | its length, 0: none | impulses of impacts that began in it, by row | of contacts between groups: their number, identities and impulses].
class PaoliPlan final : public Plan {
 public:
  int half() const { return 0; }
  int before() const { return system->layout.nv; }
  int last_h() const { return before() + system->layout.nq; }
  int begun() const { return last_h() + 1; }
  int tail() const { return begun() + system->layout.rows; }
  int capacity() const { return usual_contacts(system->contacts); }
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
      : plan_(plan), s_(*plan.system), l_(s_.layout), accelerations_(s_, plan.options.threads), rows_(s_, plan.options.threads, plan.tells_contacts()), next_(s_, plan.options.threads), past_(s_, plan.options.threads), blocks_(s_, rows_) {
    size_ = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
    y_.resize(l_.y_size());
    for (auto* x : {&by_, &half_, &change_, &tangent_, &rates_}) x->assign(at(l_.unknowns()) + 1, 0.0);
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
    std::fill_n(trial.memory(), trial.layout().memory_size, 0.0);
    forces_at_start(s_, trial, [this](State& next, double h) {
      StepReport first = step(next, h);
      const double* begun = next.memory() + plan_.begun();  // impacts, whose events come with the second step
      if (std::any_of(begun, begun + s_.layout.rows + 1, [](double x) { return x != 0.0; })) first.status = StepStatus::rejected;
      return first;
    });
    state = trial;
    return report;
  }

  StepReport step(State& state, double h) {
    StepReport report;
    rows_.begin_step();
    const double *memory = state.memory(), last = memory[plan_.last_h()], t1 = state.t() + h;
    back_ = last > 0.0 ? last : h;
    k_ = last > 0.0 ? 0.5 * (last + h) : 0.5 * h;  // the first half step has none before it
    std::copy_n(last > 0.0 ? memory + plan_.half() : state.v(), l_.nv, half_.begin());
    for (int i = 0; i < l_.nv; ++i) change_[at(i)] = half_[at(i)] - state.v()[i];
    within_ = std::max(0.02 * size_, blocks_.reach()) + 2.0 * h * fastest(state);
    look_back(state, last);
    unseen_ = rounding_of_ways(s_, state, size_);
    rows_.configure(state.t(), state.y(), state.data(), within_);
    if (could_pass(s_, rows_, h, report, true)) {  // its law is one of equal steps
      report.passing = false;
      return ended(std::move(report), StepStatus::failed, "bodies would pass through each other within a step, which schatzman_paoli does not shorten: take step=" + short_text(report.suggested_step) + " or less, or the scheme moreau_jean");
    }
    if (!strike_ahead(h)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
    hold(state, h);
    std::fill(by_.begin(), by_.end(), 0.0);
    double before = HUGE_VAL;
    for (int pass = 0; pass < most_iterations; ++pass) {
      move(state, h);
      next_.find(t1, y_.data(), state.data(), 2.0 * within_);
      if (!solve(h)) return ended(std::move(report), StepStatus::rejected, rows_.report().cause);
      ++report.iterations;
      double changed = 0.0;
      for (int i = 0; i < l_.nv + l_.nx; ++i) {
        changed = std::max(changed, std::abs(rows_.report().v[at(i)] - by_[at(i)]) * (i < l_.nv ? h : 1.0) / size_);
        by_[at(i)] = rows_.report().v[at(i)];
      }
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
  /// Whether this row is held by position.
  bool by_position(int block, int row) const {
    if (blocks_.joint(block)) return row_form(s_, s_.relation_entries[at(block)]) == RowForm::second;
    return row == 0 && blocks_.gap(block);
  }
  /// How fast a gap opened over the last step.
  double opened(int block) const {
    const double here = rows_.value(block), key = blocks_.key(block);
    return (here - (blocks_.in_group(block) ? past_.gap(key, here) : past_.relation(s_.relation_entries[at(block)].row))) / back_;
  }
  bool approaches(int block) const { return blocks_.gap(block) && opened(block) < -std::max(1e-6 * rows_.reach(block, 0), unseen_ / back_); }
  /// Whether a gap would close in a step of length h without forces.
  bool meets(int block, double h) const { return blocks_.gap(block) && rows_.value(block) + h * std::min(opened(block), 0.0) <= 1e-9 * size_; }
  /// A row's rate of the velocity of the last half step.
  double rate_before(int block, int row) { return rows_.rate(block, row) + rows_.change_of_rate(block, row, change_.data()); }
  double fastest(const State& state) const {
    double most = 0.0;
    for (int i = 0; i < l_.nv; ++i) most = std::max(most, std::abs(state.v()[i]) + std::abs(state.a()[i]) * k_);
    return most;
  }

  /// past_ := the rows a step ago, at the start where the velocity comes from.
  void look_back(const State& state, double last) {
    std::copy(state.y(), state.y() + l_.y_size(), y_.begin());
    if (last > 0.0) {
      std::copy_n(state.memory() + plan_.before(), l_.nq, y_.begin());
    } else {
      for (int i = 0; i < l_.nv; ++i) tangent_[at(i)] = -back_ * state.v()[i];
      s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
    }
    past_.find(state.t() - back_, y_.data(), state.data(), 2.0 * within_);
  }

  /// y_ := where half_ + by_ leads.
  void move(const State& state, double h) {
    for (int i = 0; i < l_.nv; ++i) {
      y_[at(l_.v_begin() + i)] = half_[at(i)] + by_[at(i)];
      tangent_[at(i)] = h * y_[at(l_.v_begin() + i)];
    }
    s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
    for (int i = 0; i < l_.nx; ++i) y_[at(l_.x_begin() + i)] = state.x()[i] + by_[at(l_.nv + i)];
  }

  /// Length of time of a block's impulses: rows on first-order states go over the whole step.
  double length(int block, double h) const { return rows_.first_order(block) ? h : k_; }

  /// What is in the problem of the step. What adheres is closed, and not about to part.
  void hold(const State& state, double h) {
    held_.clear(), blocks_.begin();
    blocks_.see(0.0, state.data());
    for (int b = 0; b < blocks_.size(); ++b) {
      if (blocks_.gap(b) && blocks_.across(b, 1e-9 * size_) && !meets(b, h)) {
        held_.push_back(blocks_.held_across(b, length(b, h)));
        continue;
      }
      const bool closed = blocks_.law(b).adhesion() > 0.0 && rows_.value(b) <= 1e-9 * size_ && (blocks_.law(b).across || back_ * opened(b) <= unseen_);
      held_.push_back(blocks_.held(b, length(b, h), closed));
      if (blocks_.gap(b) && blocks_.law(b).type->force_bounded && !meets(b, h)) held_.back().set_scale = 0.0;  // cohesion is of closed gaps
    }
    std::size_t row = 0;
    for (const Struck& one : impacts_.ahead) {
      std::copy_n(percussion_.begin() + static_cast<std::ptrdiff_t>(row), rows_.rows(one.block), blocks_.offset(one.block));
      held_[at(one.block)].offset = blocks_.offset(one.block);
      row += at(rows_.rows(one.block));
    }
  }

  /// Whether impacts of a block are solved ahead of the step: in phases, or with friction, which the two steps of an impact by positions would each give a direction of its own.
  bool ahead(int block) const { return blocks_.gap(block) && blocks_.law(block).type->impact && (blocks_.law(block).type->phases > 0 || rows_.rows(block) > 1); }

  /// Percussions of the gaps that would close in this step, of laws whose impacts are solved ahead of it: into impacts_.ahead and percussion_.
  bool strike_ahead(double h) {
    impacts_.ahead.clear(), percussion_.clear(), phased_.clear(), held_.clear();
    bool any = false;
    for (int b = 0; b < blocks_.size(); ++b) any |= ahead(b) && approaches(b) && meets(b, h);
    if (!any) return true;
    blocks_.begin();
    for (int b = 0; b < blocks_.size(); ++b) {
      const bool gap = blocks_.gap(b), closing = approaches(b);
      if (rows_.first_order(b) || (gap && !meets(b, h))) continue;
      held_.push_back(blocks_.held(b, 0.0, false));
      const LawRef& law = blocks_.law(b);
      if (gap && law.type->phases > 0) phased_.push_back({.held = held_.size() - 1, .law = &law});
      double before[most_impact_rows], *shift = blocks_.shift(b);
      for (int r = 0; closing && law.type->bias && r < rows_.rows(b); ++r) before[r] = r == 0 ? opened(b) : rate_before(b, r);
      if (closing) impact_bias(law, rows_.rows(b), before, shift);
      if (ahead(b)) impacts_.ahead.push_back({b, -shift[0]});
      for (int r = 0; r < rows_.rows(b); ++r) shift[r] += (blocks_.joint(b) ? 0.0 : r == 0 && gap ? std::min(opened(b), 0.0) : rate_before(b, r)) - rows_.rate(b, r);
    }
    rows_.load_nothing();
    if (!(phased_.empty() ? rows_.solve({.level = Level::rate}, held_, tolerance) : rows_.solve_phases(held_, phased_, tolerance))) return false;
    std::size_t row = 0, next = 0;
    for (const HeldRows& held : held_) {
      if (next < impacts_.ahead.size() && impacts_.ahead[next].block == held.block) {
        impacts_.ahead[next++].parting += std::max(rows_.report().w[row], 0.0);
        for (int r = 0; r < held.count; ++r) percussion_.push_back(rows_.report().r[row + at(r)]);
      }
      row += at(held.count);
    }
    return true;
  }

  /// Over h, in a velocity: y of the row at the end with the present by_, and e times that of a step ago; where the block has struck, how much more it opens than after that.
  double at_end(int block, int row, double h) const {
    const double here = rows_.value(block), key = blocks_.key(block);
    const int r = blocks_.in_group(block) ? 0 : s_.relation_entries[at(block)].row + row;
    const double end = blocks_.in_group(block) ? next_.gap(key, here) : next_.relation(r);
    for (const Struck& one : impacts_.ahead)
      if (one.block == block) return (end - here) / h - one.parting;
    double u[most_impact_rows] = {-1.0}, bias[most_impact_rows] = {};
    if (row > 0 || ahead(block) || !blocks_.law(block).type->bias) return end / h;
    impact_bias(blocks_.law(block), rows_.rows(block), u, bias);
    return (end - bias[0] * (blocks_.in_group(block) ? past_.gap(key, here) : past_.relation(r))) / h;
  }

  /// by_ with multipliers from the rows linearized about it. Level::rate writes w = ydot + H by, so shifts put in what each row is.
  bool solve(double h) {
    for (const HeldRows& held : held_) {
      double* shift = blocks_.shift(held.block);
      for (int r = 0; r < held.count; ++r) {
        const double rate = rows_.rate(held.block, r);
        if (rows_.first_order(held.block)) shift[r] = next_.relation(s_.relation_entries[at(held.block)].row + r) - rate - rows_.change_of_rate(held.block, r, by_.data());
        else if (by_position(held.block, r)) shift[r] = at_end(held.block, r, h) - rate - rows_.change_of_rate(held.block, r, by_.data());
        else shift[r] = rows_.change_of_rate(held.block, r, change_.data());
      }
    }
    rows_.load_forces(k_, h);
    return rows_.solve({.level = Level::rate, .direct = 1.0 / h}, held_, tolerance);
  }

  /// Whether a gap has just closed: it was open a step ago; of a relation, it carried nothing, where that is known.
  bool fresh(int block, bool begins) const {
    if (blocks_.in_group(block)) return past_.gap(blocks_.key(block), 1.0) > 1e-9 * size_;
    const int row = s_.relation_entries[at(block)].row;
    return begins ? past_.relation(row) > 1e-9 * size_ : before_[at(row)] == 0.0;
  }

  /// impacts_.begun := impacts that began in the last step, which the memory then has no more.
  void find_begun(double* memory) {
    impacts_.begun.clear();
    for (const RelationEntry& e : s_.relation_entries)
      if (const double impulse = memory[plan_.begun() + e.row]; impulse > 0.0) impacts_.begun.push_back({-1.0 - static_cast<double>(&e - s_.relation_entries.data()), impulse});
    double* tail = memory + plan_.tail();
    for (int i = 0; i < static_cast<int>(*tail); ++i) impacts_.begun.push_back({tail[1 + 2 * i], tail[2 + 2 * i]});
    std::fill(memory + plan_.begun(), tail + 1, 0.0);
  }
  void keep_begun(double* memory, int block, double impulse) const {
    if (!blocks_.in_group(block)) return void(memory[plan_.begun() + s_.relation_entries[at(block)].row] = impulse);
    double* tail = memory + plan_.tail();
    if (*tail == plan_.capacity()) return;
    double* next = tail + 1 + 2 * static_cast<int>((*tail)++);
    next[0] = blocks_.key(block), next[1] = impulse;
  }

  /// Events of impacts: of those by positions with the impulses of both their steps, at the end of the first.
  void tell_impacts(State& state, double t1, StepReport& report) {
    double* memory = state.memory();
    const bool begins = memory[plan_.last_h()] == 0.0;
    find_begun(memory);
    const double* r = rows_.report().r.data();
    for (const HeldRows& held : held_) {
      const double impulse = *r;
      r += held.count;
      if (!blocks_.gap(held.block)) continue;
      const auto first = std::find_if(impacts_.begun.begin(), impacts_.begun.end(), [&](const Begun& one) { return one.key == blocks_.key(held.block); });
      if (first != impacts_.begun.end()) {
        report.events.push_back({state.t(), "impact", blocks_.name(held.block), first->impulse + std::max(impulse, 0.0)});
        impacts_.begun.erase(first);
      } else if (fresh(held.block, begins) && impulse > 0.0) {
        if (ahead(held.block)) report.events.push_back({t1, "impact", blocks_.name(held.block), impulse});
        else keep_begun(memory, held.block, impulse);
      }
    }
    for (const Begun& one : impacts_.begun) {  // whose points the bodies have left
      bool ignored = false;
      const auto [A, B] = s_.contacts.pair_of(one.key);
      report.events.push_back({state.t(), "impact", s_.contacts.groups[at(s_.contacts.group_of(A, B, ignored))].name, one.impulse});
    }
  }

  StepReport accept(State& state, double t1, double h, StepReport report) {
    move(state, h);
    report.residual.laws = rows_.report().residual;
    before_.assign(state.lambda(), state.lambda() + l_.rows);
    for (int i = 0; i < l_.nv; ++i) half_[at(i)] = y_[at(l_.v_begin() + i)];
    blocks_.clear(state, report);
    tell_impacts(state, t1, report);
    bool carries = false;
    const double* r = rows_.report().r.data();
    for (const HeldRows& held : held_) {
      const bool pushes = std::any_of(r, r + held.count, [](double x) { return x != 0.0; });
      lambda_.assign(r, r + held.count);
      for (double& f : lambda_) f /= length(held.block, h);
      if (pushes || !blocks_.in_group(held.block)) blocks_.write(held.block, lambda_.data(), half_.data(), h, state, report);
      carries |= pushes && !blocks_.joint(held.block);
      r += held.count;
    }
    std::copy_n(state.q(), l_.nq, state.memory() + plan_.before());
    std::copy_n(half_.begin(), l_.nv, state.memory() + plan_.half());
    state.memory()[plan_.last_h()] = h;
    for (int i = 0; i < l_.nv + l_.nx; ++i) rates_[at(i)] = by_[at(i)] / (i < l_.nv ? k_ : h);
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
  double size_ = 1.0, k_ = 0.0, back_ = 0.0, within_ = 0.0, unseen_ = 0.0;  // back_: length of the last step; unseen_: of a way, rounding
  std::vector<HeldRows> held_;
  /// A gap that has struck ahead of this step, and its rate then.
  struct Struck {
    int block;
    double parting;
  };
  struct Begun {
    double key, impulse;
  };
  struct {
    std::vector<Struck> ahead;
    std::vector<Begun> begun;  // in the last step
  } impacts_;
  std::vector<PhasedRows> phased_;
  std::vector<double> percussion_;  // of impacts_.ahead, row by row
  std::vector<double> y_, lambda_, before_, by_, half_, change_, tangent_, rates_;
};

class SchatzmanPaoli final : public SteppingScheme<PaoliStep, PaoliPlan> {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<NoOptions>("schatzman_paoli", "Schatzman and Paoli's scheme at a fixed step: the central difference with impacts by positions, those of two steps together (Paoli, Schatzman 2002).");
    return type;
  }
  bool finds_contacts() const override { return true; }
  Rates rates() const override { return Rates::mean; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<PaoliPlan>();
    Faults faults;  // two steps of different length are another scheme: what rests would gain energy
    if (options.error_control) faults.error({}, "simulation/step", "schatzman_paoli reads two steps of one length and needs a fixed step", "give step=, or use event_driven or moreau_jean");
    faults.raise();
    bind_rows(*plan, *this, std::move(system), options, Memory::all);
    plan->layout.memory_size = plan->tail() + 1 + 2 * plan->capacity();
    return plan;
  }
};
}  // namespace

const Scheme& schatzman_paoli() {
  static const SchatzmanPaoli scheme;
  return scheme;
}

}  // namespace saltus
