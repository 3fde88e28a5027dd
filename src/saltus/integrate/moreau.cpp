#include "saltus/integrate/moreau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/integrate/within_step.hpp"
#include "saltus/integrate/impact_energy.hpp"
#include "saltus/integrate/moreau_control.hpp"

namespace saltus {
namespace {

/// Violation of joints, as part of the model's size, that neither the start nor a step may leave.
constexpr double joints_open = 1e-6;
}  // namespace

StepReport MoreauStep::step(State& state, double h) {
  StepReport report;
  double& implicit = state.memory()[plan_.implicit_steps()];
  double theta = implicit > 0.0 ? 1.0 : plan_.theta;
  problem_.set_scale = h;
  change_.kept = allowed_.kept && (kept_.follows_modes() || !(implicit > 0.0)) && step_kept(state, h, theta, report);
  if (change_.kept) return report;
  solution_.loose = solution_.contradicts = false;
  change_.impacts.reset();
  solver_.general().passes(state.t());
  beginning_.begin(state, h, Rows::all);
  if (beginning_.met().way < h) {
    stop_before(beginning_.met().way, report);
    return report;
  }
  change_.approach = beginning_.met().approach, change_.closing = beginning_.met().closing, change_.passage = beginning_.met().passage;
  Outcome out;
  const bool struck = plan_.phases == 0 || percuss(state, h, out);
  if (struck) {
    report.iterations = out.iterations;
    out = solve(state, h, theta);
  }
  report.iterations += out.iterations;
  // The friction of an impact is against the slip behind it, of what slid before as well: its mean with that before is a slip of forces.
  if (beginning_.slides() && (contacts_.strike(true) || statuses_.strike() || !statuses_.slips_on() || !contacts_.slips_on(solution_.xi.data()))) {
    beginning_.end_slips();
    out = solve(state, h, theta);
    report.iterations += out.iterations;
  }
  if (out.converged) statuses_.find();
  const bool switched = out.converged && plan_.switches && (positions_changed(state, state.t() + h, equations_.y().data()) || statuses_.differ(state));
  if (switched && theta < 1.0) {
    theta = 1.0;
    out = solve(state, h, theta);
    report.iterations += out.iterations;
    if (out.converged) statuses_.find();
  }
  if (plan_.phases == 0 && (out.converged || solution_.contradicts) && bounces(out.converged)) lessen(state, h, theta, out, report);
  if (out.converged && met_unseen(state, h, theta, report)) return report;
  change_.first_order = theta != 0.5;
  report.residual = {out.equations, out.rows, out.laws};
  report.loose = solution_.loose;
  if (!out.converged) {
    report.status = solver_.general().gives_up(state.t(), h) ? StepStatus::failed : StepStatus::rejected;
    report.suggested_step = 0.5 * h;
    report.cause = out.cause;
    if (report.status == StepStatus::failed)
      report.cause += ", nor in shorter steps, of which no more are tried; look for bodies held between others without play, and for masses, lengths or coefficients of friction of very different size";
    return report;
  }
  if (plan_.positions.rows > 0) saved_.assign(state.bytes().begin(), state.bytes().end());
  write_positions(state);
  if (plan_.switches) implicit = switched ? 1.0 : std::max(0.0, implicit - 1.0);
  const double open = accept(state, h, theta, report);
  if (!(open <= joints_open)) {  // velocities solved to rounding of the largest, which other bodies do not stand
    std::copy(saved_.begin(), saved_.end(), state.bytes().begin());
    report.status = StepStatus::rejected;
    report.suggested_step = 0.5 * h;
    report.events.clear();
    report.cause = "the positions leave the joints open by " + std::to_string(open) + " of the model's size";
    return report;
  }
  if (allowed_.kept) remember_modes(state, h, theta);
  return report;
}

ImpactWork MoreauStep::impact_work() {
  ImpactWork work;
  gap_.assign(at(system_.layout.nv), 0.0);
  work.done = statuses_.add_impulses(gap_.data());
  contacts_.add_impulses(gap_.data());
  for (int i = 0; i < system_.layout.nv; ++i) work.add(gap_[i], before_.xi[i], solution_.xi[i]);
  return work;
}

/// Less restitution where the impact of the step has no solution, or would give more energy than it has.
void MoreauStep::lessen(const State& state, double h, double theta, Outcome& out, StepReport& report) {
  ImpactWork work;
  if (out.converged) work = impact_work();
  const std::string cause = out.cause;
  const bool solved = lessen_restitution(out.converged, work, [&](double share, ImpactWork& done) {
    beginning_.restitute(share);
    contacts_.restitute(share);
    out = solve(state, h, theta);
    report.iterations += out.iterations;
    if (out.converged) statuses_.find(), done = impact_work();
    return out.converged;
  });
  change_.impacts = work;
  if (!solved) out.converged = false, out.cause = cause;
}

/// Whether a switch is at another position than at the end of the last step.
bool MoreauStep::positions_differ(const State& state, double t, const double* y) {
  const std::vector<char>& off = switches_.off(assembly_, t, y, state.data());
  return !std::equal(off.begin(), off.end(), state.memory() + plan_.switches_off(), [](char now, double before) { return (now != 0) == (before != 0.0); });
}

/// Whether bodies would pass through each other on the way of the step, which forces and impacts within it may have made another than it was at its beginning.
bool MoreauStep::met_unseen(const State& state, double h, double theta, StepReport& report) {
  if (system_.contacts.empty() || plan_.options.error_control || !contacts_.went_far(assembly_.kinematics(), h)) return false;
  const Layout& l = system_.layout;
  gap_.assign(state.y(), state.y() + l.y_size());
  double* mean = gap_.data() + l.v_begin();
  for (int i = 0; i < l.nv; ++i) mean[i] = (1.0 - theta) * before_.xi[i] + theta * solution_.xi[i];
  assembly_.update(state.t(), gap_.data(), nullptr, state.data());
  const double way = contacts_.way(assembly_.kinematics(), h);
  assembly_.update(state.t() + h, equations_.y().data(), nullptr, state.data());
  if (!(way < h)) return false;
  stop_before(way, report);
  return true;
}

void MoreauStep::stop_before(double way, StepReport& report) {
  report.status = StepStatus::rejected, report.passing = true;
  report.suggested_step = way;
  report.cause = "bodies would pass through each other within the step";
}

double MoreauStep::accept(State& state, double h, double theta, StepReport& report) {
  const Layout& l = system_.layout;
  state.t() += h;
  if (reactions_.needed()) {
    assembly_.update(state.t(), equations_.y().data(), nullptr, state.data());
    assembly_.input_blocks();
    reactions_.apply(assembly_, solution_.mu.data());
  }
  change_.impact = statuses_.strike();
  change_.mode = statuses_.mode_changed(state);
  change_.first_order |= statuses_.first_order();
  if (plan_.options.error_control) noise_.find(report.residual, state.memory()[plan_.left_open()]);
  statuses_.write_multipliers(state, h, report);
  statuses_.report_events(state, report);
  statuses_.write(state);
  std::copy_n(equations_.largest_terms(), 2, state.memory() + plan_.largest_terms());
  if (!system_.contacts.empty()) contacts_.accept(h, theta, state.t(), beginning_.moves(), solution_.xi.data(), state.memory() + plan_.contact_tail, state.data(), report);
  const bool impact = change_.impact || contacts_.impact();
  if (impact) report.impacts.add(change_.impacts ? *change_.impacts : impact_work());
  for (int i = 0; !impact && i < l.nv; ++i) state.a()[i] = (solution_.xi[i] - before_.xi[i]) / h;  // an impulse over its step is no acceleration
  for (int i = 0; i < l.nx; ++i) state.xdot()[i] = (solution_.xi[l.nv + i] - before_.xi[l.nv + i]) / h;
  std::copy(equations_.y().begin(), equations_.y().end(), state.y());
  system_.map.normalize(state.q());
  if (!system_.contacts.empty() && plan_.options.error_control) {
    assembly_.update(state.t(), state.y(), nullptr, state.data());
    change_.impact |= contacts_.impact();
    change_.frozen = !contacts_.empty() && contacts_.turns().first_order();
    change_.mode |= contacts_.changed();
    if (!allowed_.ranges.empty()) {
      change_.missed = contacts_.missed(assembly_.kinematics(), state.v(), allowed_.ranges, allowed_.tolerance, 1e-9 * system_.contacts.size);
      if (state.t() - h > state.begun()) change_.missed = std::max(change_.missed, contacts_.met_within(allowed_.ranges, allowed_.tolerance));
      change_.lost = contacts_.lost();
    }
  }
  bool constrained = false;
  for (int i : rows_.entries) constrained |= plan_.entries[i].projected >= 0 && (!plan_.entries[i].gap || statuses_.rests(at(i)));
  if (plan_.positions.rows == 0 || !constrained) return 0.0;
  const double left = (plan_.drift == Drift::ggl ? equations_.open() : projection_.project(state.t(), state.y(), state.data(), false, metric())) / system_.length_scale;
  report.residual.constraints = std::max(report.residual.constraints, left);
  return left > joints_open ? projection_.violation(state.t(), state.y(), state.data(), true) / system_.length_scale : left;  // contacts may overlap, joints may not open
}

void MoreauStep::part(State& state, double h, StepReport& report) {
  if (system_.contacts.empty() || plan_.drift == Drift::none) return;
  assembly_.update(state.t(), state.y(), nullptr, state.data());
  const double enough = 1e-7 * system_.contacts.size, *tail = state.memory() + plan_.contact_tail;
  const bool close = plan_.options.error_control && allowed_.compared;
  const double depth = close ? contacts_.farthest(assembly_.kinematics(), std::max(10.0 * enough, norm(system_.gravity) * h * h), tail) : contacts_.deepest(assembly_.kinematics(), enough);
  if (!(depth > enough)) return;
  hold_equalities();
  if (const double* dq = contacts_.lift(assembly_.kinematics(), state.v(), h, depth, enough, close ? tail : nullptr, held_, solver_.general().like(), metric() ? *metric() : before_.mass, solver_.general().solver(), plan_.options.threads)) {
    system_.map.retract(state.q(), dq);
    system_.map.normalize(state.q());
    contacts_.tell_parted(dq, report);
    report.parted = true;
  }
}

/// Joints, drives and locks at the configuration of the assembly: what parts bodies must not move them.
void MoreauStep::hold_equalities() {
  held_.clear();
  bool blocks = false;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const MoreauEntry& p = plan_.entries[i];
    const RelationEntry& e = system_.relation_entries[i];
    if (!p.equality || !p.impulse || p.gap) continue;
    if (!blocks) assembly_.input_blocks(), blocks = true;
    const double* H = assembly_.direction(e);
    for (int r = 0; r < e.rows; ++r) {
      gap_.assign(at(p.columns), 0.0);
      for (int c = 0; c < e.columns; ++c)
        if (const int dof = system_.relation_columns[e.column_begin + c]; dof >= 0 && dof < system_.layout.nv) gap_[at(plan_.place[p.place_begin + c])] += H[r * e.columns + c];
      for (int c = 0; c < p.columns; ++c)
        if (gap_[at(c)] != 0.0) held_.column.push_back(plan_.columns[p.column_begin + c]), held_.value.push_back(gap_[at(c)]);
      if (count_of(held_.column) > held_.begin.back()) held_.begin.push_back(count_of(held_.column));
    }
  }
}

double MoreauStep::missed_depth(const State& state) {
  model_.values(state.t(), state.y(), state.data(), before_.values.data());
  const double closed = 1e-9 * system_.length_scale;
  double worst = 0.0;
  bool blocks = model_.affine;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (!plan_.entries[i].gap || !(before_.values[e.row] < -closed)) continue;
    // A row that is in has no impulse where what closes turns back of itself within the step: it went in before.
    if (rows_.row[i] >= 0 && (solution_.mu[e.row] > 0.0 || !(before_.u_minus[e.row] < -1e-6 * before_.reach[e.row]))) continue;
    if (!blocks) assembly_.input_blocks(), blocks = true;
    worst = std::max(worst, depth_over_allowed(i, -before_.values[e.row]));
  }
  return worst;
}

double MoreauStep::sunk_depth() {
  double worst = 0.0;
  for (const auto& [entry, depth] : beginning_.sunk()) worst = std::max(worst, depth_over_allowed(at(entry), depth));
  return worst;
}

/// By the direction of the gap that was evaluated last.
double MoreauStep::depth_over_allowed(std::size_t i, double depth) const {
  const RelationEntry& e = system_.relation_entries[i];
  double way = 0.0;
  for (int c = 0; c < e.columns; ++c)
    if (const int dof = system_.relation_columns[e.column_begin + c]; dof < system_.layout.nv && dof >= 0) way += std::abs(model_.direction[i][c]) * allowed_.ranges[dof];
  return depth / (allowed_.tolerance * way + 1e-9 * system_.length_scale);
}

bool MoreauStep::leapt(const State& before, const State& half, const State& after) {
  constexpr int pieces = 8;
  const double closed = 1e-9 * system_.length_scale, held = 1e-6 * system_.length_scale, length = half.t() - before.t();
  State between = before;
  std::vector<double> way(at(system_.layout.nv)), values(before_.values), rates(before_.rate), first;
  const auto look = [&](const State& from, const State& to, int k) {
    between.t() = from.t() + k * length / pieces;
    if (k > 0) on_the_way(system_, from, to, way, static_cast<double>(k) / pieces, false, between.y());
    beginning_.look_at(k > 0 ? between : from);
  };
  for (const State* from : {&before, &half}) {
    const State& to = from == &before ? half : after;
    system_.map.difference(from->q(), to.q(), way.data());
    for (int k = 0; k <= pieces; ++k) {
      values.swap(before_.values), rates.swap(before_.rate);
      look(*from, to, k);
      if (first.empty()) first = before_.values;
      for (std::size_t i = 0; k > 0 && i < plan_.entries.size(); ++i) {
        const auto row = at(system_.relation_entries[i].row);
        if (!plan_.entries[i].gap || half.memory()[row] != 0.0 || after.memory()[row] != 0.0) continue;
        const double h = length / pieces, y0 = values[row], rate0 = rates[row], y1 = before_.values[row], rate1 = before_.rate[row];
        const double deep = std::min(0.0, first[row]) - held;
        if (y1 < deep && k < pieces) return true;
        if (!(y0 > deep && rate0 < 0.0 && y1 > closed && rate1 > 0.0)) continue;
        const double s = (y1 - y0 - rate1 * h) / (rate0 - rate1);  // the tangents y0 + rate0 s and y1 - rate1 (h - s) meet there
        if (s > 0.0 && s < h && y0 + rate0 * s < deep) return true;
      }
    }
  }
  return false;
}

namespace {
class MoreauJean final : public SteppingScheme<MoreauControl, MoreauPlan> {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<MoreauOptions>("moreau_jean", "Moreau and Jean's time stepping (Jean 1999) for contact, impact, friction, diodes, relays.");
    return type;
  }
  Rates rates() const override { return Rates::mean; }
  bool finds_contacts() const override { return true; }
  bool carries_rates() const override { return false; }
  std::span<const double> samples(const Plan&, const State&) const override {
    static constexpr double halves[] = {0.0, 0.5, 1.0};
    return halves;
  }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    return bind_moreau(std::move(system), options);
  }
};
}  // namespace

const Scheme& moreau_jean() {
  static const MoreauJean scheme;
  return scheme;
}

}  // namespace saltus
