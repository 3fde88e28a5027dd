// What happens at an event: impacts at velocity level with the laws' bias, then the laws at acceleration level choose who stays closed, sticks or slips.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "saltus/base/index.hpp"
#include "saltus/integrate/event_driven.hpp"
#include "saltus/integrate/moreau.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
constexpr double rounding = 1e-9;  // of the speeds that make a rate
}  // namespace

const std::string& EventStep::name(const Touch& touch) const {
  if (touch.relation >= 0) return system_.relation_entries[touch.relation].name;
  return system_.contacts.groups[rows_.contacts()[touch.block - rows_.relations()].group].name;
}

/// A rate below this is zero; where jumps do not let time go on, more and more. Of what rests under forces all rates are rounding, and so is what a 1e-10 of these makes of them.
double EventStep::slow(const Touch& touch, int row) {
  const double reach = std::max(touch.kept.reach[touch.gap && row > touch.law.type->set->sliding], rows_.reach(touch.block, touch.row + row));
  const double still = touch.gap && limits_.still > 0.0 ? limits_.still * rows_.compliance(touch.block, touch.row + row) : 0.0;
  return std::max(rounding * std::pow(4.0, std::min(stalled_, 8.0)) * reach, still);
}

/// Which gaps are closed and do not part; true where one of them closes with a speed, or a row moves where its law does not let it.
bool EventStep::approaches() {
  bool any = false;
  for (Touch& touch : touches_) {
    touch.in = touch.struck = false;
    if (!touch.gap && !touch.first_order && !touch.valued) {  // on the side where its law has no multiplier: at a start
      if (!touch.corners.empty()) touch.find_corner(rows_.rate(touch.block, touch.row), slow(touch, 0));
      const double rate = pace(touch);
      any |= std::abs(rate) > slow(touch, 0) && std::isinf(rate > 0.0 ? touch.low : touch.high);
    }
    if (!touch.gap || touch.block < 0) continue;
    const double rate = rows_.rate(touch.block, 0);
    const bool parts = touch.mode() != TouchMode::open && touch.due(0);
    touch.in = !parts && (touch.mode() != TouchMode::open || (rows_.value(touch.block) <= limits_.closed && rate <= slow(touch, 0)));
    any |= touch.in && rate < -slow(touch, 0);
  }
  return any;
}

StepReport EventStep::jump(State& state, double longest) {
  StepReport report;
  rough_.shared = false;
  rows_.configure(state.t(), state.y(), state.data(), 100.0 * limits_.closed);
  place_touches();
  if (!stop_slips(state)) return step_over(state, std::move(report), longest);
  double* memory = state.memory();
  memory[EventPlan::spent] += 1.0;
  report.suggested_step = plan_.options.error_control ? memory[EventPlan::proposed] : 0.0;
  if (approaches()) {
    if (!strike(state, report)) return step_over(state, std::move(report), longest);
    double soon = 0.0;  // the next impact of what bounces
    for (const Touch& touch : touches_)
      if (touch.struck && touch.kept.interval > 0.0) soon = std::max(soon, 2.0 * touch.kept.interval);
    if (soon > 0.0 && report.suggested_step > soon) report.suggested_step = soon;
  }
  if (!settle(state, report, true)) return step_over(state, std::move(report), longest);
  memory[EventPlan::pending] = 0.0;
  save(state);
  return report;
}

/// Where events do not let time go on, or laws have no solution at acceleration level (Painleve), one step of moreau_jean; a warning tells where first.
StepReport EventStep::step_over(State& state, StepReport report, double longest) {
  double* memory = state.memory();
  const std::string why = cause_;
  if (!moreau_.work) {
    SchemeOptions options;
    options.threads = plan_.options.threads;
    options.tolerance = plan_.options.tolerance, options.error_control = plan_.options.error_control && layout.nz > 0;  // circuits may stay in such modes
    moreau_.plan = moreau_jean().bind(plan_.system, options);
    moreau_.work = moreau_jean().new_workspace(*moreau_.plan);
  }
  State other = moreau_.plan->new_state();
  std::copy(state.y(), state.y() + layout.y_size(), other.y());
  std::copy(state.data(), state.data() + layout.nd, other.data());
  other.t() = state.t(), other.h() = std::min(plan_.options.coarse_step, layout.nz > 0 ? longest : std::max(longest, latest - state.t()));
  StepReport taken = moreau_jean().start(*moreau_.plan, other, *moreau_.work);
  std::vector<Fault> warnings = std::move(taken.warnings);
  for (double h = other.h(); taken.status != StepStatus::failed; h *= 0.5) {
    taken = moreau_jean().step(*moreau_.plan, other, *moreau_.work, h);
    if (taken.status == StepStatus::accepted || !(h > (layout.nz > 0 ? 1e-9 : 1e-3) * other.h())) break;
  }
  if (taken.status != StepStatus::accepted) {
    report.status = StepStatus::failed;
    report.cause = why + ", and moreau_jean cannot step over it: " + taken.cause;
    return report;
  }
  if (memory[EventPlan::stepped] == 0.0) {
    report.warnings.insert(report.warnings.end(), std::make_move_iterator(warnings.begin()), std::make_move_iterator(warnings.end()));
    report.warnings.push_back({{}, "simulation/scheme", "at t = " + short_text(state.t()) + " s " + why + ": here and where it happens again moreau_jean takes a step of " + short_text(other.t() - state.t()) + " s",
                               "a smaller tolerance does not help; compare with moreau_jean", Severity::warning});
  }
  memory[EventPlan::stepped] += 1.0;
  report.events.insert(report.events.end(), taken.events.begin(), taken.events.end());
  report.residual.worst(taken.residual);
  report.parted = taken.parted;
  std::copy(other.y(), other.y() + layout.y_size(), state.y());
  std::copy(other.data(), other.data() + layout.nd, state.data());
  std::copy(other.a(), other.a() + layout.nv, state.a());
  std::copy(other.xdot(), other.xdot() + layout.nx, state.xdot());
  std::copy(other.lambda(), other.lambda() + layout.rows, state.lambda());
  state.t() = other.t();
  stalled_ = memory[EventPlan::stalled] = 0.0, rough_.shared = false;
  for (Touch& touch : touches_) open(touch), touch.kept.due = 0.0;
  rows_.configure(state.t(), state.y(), state.data(), limits_.closed);
  find_strangers();
  memory[EventPlan::pending] = approaches();
  StepReport ignored;
  if (memory[EventPlan::pending] == 0.0 && !settle(state, ignored, false)) memory[EventPlan::pending] = 1.0;
  const bool slow_still = memory[EventPlan::short_steps] > EventPlan::most_short && memory[EventPlan::pending] == 0.0 && plan_.options.coarse_step * turning() > 50.0;
  memory[EventPlan::short_steps] = slow_still ? EventPlan::most_short + 1.0 : 0.0;
  report.suggested_step = plan_.options.error_control ? (layout.nz > 0 && taken.suggested_step > 0.0 ? taken.suggested_step : plan_.options.coarse_step) : 0.0;
  save(state);
  return report;
}

/// What has just come to rest, as far as its event was located, is put to rest.
bool EventStep::stop_slips(State& state) {
  std::vector<double*> stopped;  // what says that it slips
  for (Touch& touch : touches_) {
    if (touch.mode() == TouchMode::open || touch.block < 0) continue;
    if (!touch.gap && touch.mode() == TouchMode::slip && touch.due(0)) stopped.push_back(&touch.kept.mode);
    for (int a = 0; a < touch.arms; ++a)
      if (touch.slips(a) && touch.due(1 + a)) stopped.push_back(touch.kept.slips + a);
  }
  if (stopped.empty()) return true;
  for (double* slips : stopped) *slips -= 1.0;
  add_joints(Level::rate);
  add_modes(Level::rate);
  for (double* slips : stopped) *slips += 1.0;
  if (!change_velocities(state.v())) return false;
  rows_.configure(state.t(), state.y(), state.data(), 100.0 * limits_.closed);
  place_touches();
  return true;
}

/// M dv = H^T r with the laws of all closed gaps; relays give no impulse on the sides where their forces are bounded. Impacts of one contact that have become slow
/// beside its fastest, or whose flights are as high as rounding lets it see, end: the times that are left are a geometric series.
bool EventStep::strike(State& state, StepReport& report) {
  add_joints(Level::rate);
  bias_.assign(Touch::most_rows * touches_.size(), 0.0), parameters_.assign(FrictionArm::most * touches_.size(), 0.0);
  phased_.clear();
  bool strikes = false;
  double u[Touch::most_rows];
  for (int i = 0; i < count_of(touches_); ++i) {
    Touch& touch = touches_[i];
    if (!touch.gap && !touch.first_order && (std::isinf(touch.low) || std::isinf(touch.high))) {
      double* bounds = parameters_.data() + FrictionArm::most * i;
      bounds[0] = std::isinf(touch.low) ? touch.low : 0.0, bounds[1] = std::isinf(touch.high) ? touch.high : 0.0;
      touch.coupled = -touch.speed();
      held_.push_back({.block = touch.block, .first = touch.row, .set = &box_set, .parameters = bounds, .shift = &touch.coupled});
      holder_.push_back(i);
    }
    if (!touch.gap || !touch.in) continue;
    for (int r = 0; r < touch.rows; ++r) u[r] = rows_.rate(touch.block, r);
    see_reach(touch);
    bool ends = false;
    if (u[0] < -slow(touch, 0) && touch.law.type->impact) {
      const double between = state.t() - touch.kept.last, ratio = touch.kept.interval > 0.0 ? between / touch.kept.interval : 0.0;
      const bool faster = ratio < 1.0 && ratio * touch.kept.earlier <= touch.kept.interval;  // flights that shrink more at each impact: the next one tells
      ends = touch.kept.interval > 0.0 && (-u[0] < plan_.accumulation * touch.kept.approach || -u[0] * between * (faster ? ratio : 1.0) < limits_.unseen);
      if (ends) {
        const double left = ratio < 1.0 ? between * ratio / (1.0 - ratio) : 0.0;
        report.warnings.push_back({{}, "relations/" + name(touch), "its impacts accumulate at t = " + short_text(state.t() + left) + " s: from there on it is closed",
                                   "none is needed; moreau_jean steps over accumulations", Severity::warning});
      } else {
        impact_bias(touch.law, touch.rows, u, bias_.data() + Touch::most_rows * i);
        strikes = true;
      }
      touch.kept.approach = std::max(touch.kept.approach, -u[0]);
      touch.kept.earlier = touch.kept.interval;
      touch.kept.interval = touch.kept.last > 0.0 ? between : 0.0;
      touch.kept.last = state.t();
      touch.struck = true;
    }
    if (touch.law.type->phases > 0 && !ends) phased_.push_back({.held = held_.size(), .law = &touch.law});
    held_.push_back({.block = touch.block, .count = touch.rows, .set = touch.law.type->set, .parameters = touch.law.parameters, .set_scale = touch.law.type->force_bounded ? 0.0 : 1.0, .shift = bias_.data() + Touch::most_rows * i, .strikes = touch.struck});
    holder_.push_back(i);
  }
  rows_.load_nothing();
  ImpactWork work;  // laws in phases give none
  if (!(strikes && !phased_.empty() ? rows_.solve_phases(held_, phased_, 1e-10) : rows_.solve_impact({.level = Level::rate}, held_, 1e-10, work))) {
    cause_ = "the impact has no solution: " + rows_.report().cause;
    return false;
  }
  const SolveReport& solved = rows_.report();
  report.impacts.add(work);
  report.iterations += solved.iterations;
  report.residual.laws = std::max(report.residual.laws, solved.residual);
  double largest = 0.0;
  for (const double r : solved.r) largest = std::max(largest, std::abs(r));
  const double* r = solved.r.data();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const HeldRows& rows = held_[i];
    double square = 0.0;
    std::array<double, 6> parts{};
    for (int k = 0; k < rows.count; ++k) square += r[k] * r[k];
    std::copy_n(r, std::min(rows.count, 6), parts.begin());
    const Touch* touch = holder_[i] < 0 ? nullptr : &touches_[holder_[i]];
    const bool struck = touch && touch->struck && r[0] > 0.0;
    if (struck || std::sqrt(square) > 1e-12 * largest)
      report.events.push_back({state.t(), struck ? "impact" : "percussion", touch ? name(*touch) : system_.relation_entries[rows.block].name, struck ? r[0] : std::sqrt(square), parts});
    r += rows.count;
  }
  for (int i = 0; i < layout.nv; ++i) state.v()[i] += solved.v[i];
  return true;
}

/// Whether an arm that was at rest is to slip: its function ended the step.
bool EventStep::begins(const Touch& touch, int a) { return touch.mode() != TouchMode::open && !touch.slips(a) && touch.due(1 + a); }

/// Rows at acceleration level: what slides with the direction of its slip, what rests with its whole law. Slips: those that move alone; what is to begin, too; and what slipped
/// goes on, however slowly.
void EventStep::add_laws(Slips which) {
  std::vector<double>& loads = slip_loads_;
  parameters_.assign(FrictionArm::most * touches_.size(), 0.0), pulls_.assign(Touch::most_rows * touches_.size(), 0.0);
  loads.assign(touches_.size(), 0.0);
  for (int i = 0; i < count_of(touches_); ++i) {
    Touch& touch = touches_[i];
    if (touch.block < 0 || (touch.gap && !touch.in)) continue;
    if (!touch.gap) {
      touch.in = false;
      if (!touch.corners.empty()) touch.find_corner(rows_.rate(touch.block, touch.row), slow(touch, 0));
      const double w = touch.valued ? 0.0 : pace(touch);  // of what is held at its value the whole problem tells
      const bool begins = touch.mode() == TouchMode::stick && touch.kept.due != 0.0, ends = touch.valued && touch.mode() == TouchMode::slip && touch.kept.due != 0.0;
      if (!begins && std::abs(w) > slow(touch, 0)) touch.kept.direction[0] = w > 0.0 ? 1.0 : -1.0;
      if (begins || std::abs(w) > slow(touch, 0)) {
        touch.kept.mode = static_cast<double>(TouchMode::slip);
        loads[i] = touch.slip_force(w);
        touch.force[0] = loads[i];
        if (!std::isfinite(loads[i])) cause_ = "the row of '" + name(touch) + "' is on the side where its law has no multiplier";
        continue;
      }
      double* bounds = parameters_.data() + FrictionArm::most * i;
      bounds[0] = touch.low, bounds[1] = touch.high;
      touch.in = true;
      held_.push_back({.block = touch.block, .first = touch.row, .set = ends ? &equality_set : &box_set, .parameters = bounds});
      holder_.push_back(i);
      continue;
    }
    SlipArm still[FrictionArm::most];
    int count = 0;
    touch.stopped = false;
    for (int a = 0; a < touch.arms; ++a) {
      const SlipArm& arm = touch.arm[a];
      const bool stops = touch.slips(a) && touch.due(1 + a);
      const bool begins = which != Slips::none && EventStep::begins(touch, a), goes_on = which == Slips::all && touch.slips(a) && !stops;
      double speed = 0.0, limit = 0.0;
      for (int k = 0; arm.acts() && k < arm.count; ++k) {
        speed = std::hypot(speed, arm.weight(k) * rows_.rate(touch.block, arm.row[k]));
        limit = std::max(limit, arm.weight(k) * slow(touch, arm.row[k]));
      }
      touch.kept.slips[a] = arm.acts() && (begins || goes_on || speed > limit);
      if (arm.acts() && !touch.slips(a)) still[count++] = arm, touch.stopped |= stops;
      for (int k = 0; touch.slips(a) && !begins && speed > limit && k < arm.count; ++k) touch.kept.direction[arm.row[k] - 1] = arm.weight(k) * rows_.rate(touch.block, arm.row[k]) / speed;
    }
    held_.push_back(closed_rows(touch, Level::acceleration));
    HeldRows& rows = held_.back();
    double* parameters = parameters_.data() + FrictionArm::most * i;
    rows.set = &cone_of_arms(still, count, parameters), rows.parameters = parameters;
    if (touch.pull > 0.0) pulls_[Touch::most_rows * i] = -touch.pull, rows.offset = pulls_.data() + Touch::most_rows * i;
    holder_.push_back(i);
  }
}

/// Contacts that hold a body more than once share their forces in many ways: one comes to its limit before the others, with a force that points where no slip would go. What begins to
/// slip does so against the friction that it has where the laws hold all of it. True: something begins, and what slips already is not to take its share back.
bool EventStep::begin_slips(State& state) {
  constexpr double equal = 1e-8;  // of its pressure
  int closed = 0;
  bool any = false, strikes = false;
  for (const Touch& touch : touches_) {
    closed += touch.gap && touch.in, strikes |= touch.struck;
    for (int a = 0; touch.gap && touch.in && a < touch.arms; ++a) any |= begins(touch, a);
  }
  if (!any || strikes || closed < 2 || stalled_ > 0.0) return false;  // where time stands still the laws choose
  std::vector<Touch> now = touches_;
  add_joints(Level::acceleration);
  add_laws(Slips::none);
  const bool solved = cause_.empty() && solve_laws(state);
  const double* r = rows_.report().r.data();
  for (std::size_t k = 0; solved && k < held_.size(); r += held_[k++].count) {
    if (holder_[k] < 0 || !touches_[holder_[k]].gap) continue;
    Touch& touch = now[holder_[k]];
    take_forces(touch, held_[k], r);
    for (int a = 0; a < touch.arms; ++a)
      if (begins(touch, a) && touch.room(a) <= equal * (touch.force[0] + touch.pull)) begin_slip(touch, a);
  }
  cause_.clear();
  touches_ = now;
  return true;
}

/// The mode of what was at rest, from its multipliers and accelerations.
void EventStep::take_mode(Touch& touch, const HeldRows& rows, const double* r, const double* w, double largest) {
  take_forces(touch, rows, r);
  constexpr double equal = 1e-9, solved = 1e-10;  // of its own pressure; of the largest, to which the problem was solved
  if (!touch.gap) {
    const double room = std::min(touch.high - r[0], r[0] - touch.low), width = touch.high - touch.low, range = width > 0.0 && std::isfinite(width) ? width : largest;
    const double still = touch.valued ? slow(touch, 0) : equal * range * rows_.compliance(touch.block, touch.row);
    const bool slips = !(room > equal * range) && std::abs(w[0]) > still;
    touch.kept.mode = static_cast<double>(slips ? TouchMode::slip : TouchMode::stick);
    if (slips) touch.kept.direction[0] = w[0] > 0.0 ? 1.0 : -1.0;
    return;
  }
  const double pressure = r[0] + touch.pull;
  const bool parts = !(touch.base() > 0.0) || w[0] > solved * largest * rows_.compliance(touch.block, 0);
  if (!(pressure > solved * largest) && parts) return open(touch);
  touch.kept.mode = static_cast<double>(TouchMode::stick);
  int k = 1;  // of the rows that are held
  for (int a = 0; a < touch.arms; ++a) {
    const SlipArm& arm = touch.arm[a];
    if (!arm.acts() || touch.slips(a)) continue;
    double load = 0.0, speed = 0.0, compliance = 0.0;
    for (int i = 0; i < arm.count; ++i) {
      load = std::hypot(load, r[k + i] / arm.friction[i]), speed = std::hypot(speed, arm.weight(i) * w[k + i]);
      compliance = std::max(compliance, arm.weight(i) * arm.friction[i] * rows_.compliance(touch.block, arm.row[i]));
    }
    touch.kept.slips[a] = load >= (1.0 - equal) * pressure && speed > std::max(equal * pressure, solved * largest) * compliance;
    for (int i = 0; touch.slips(a) && i < arm.count; ++i) touch.kept.direction[arm.row[i] - 1] = arm.weight(i) * w[k + i] / speed;
    k += arm.count;
  }
}

void EventStep::open(Touch& touch) {
  touch.kept.mode = static_cast<double>(TouchMode::open);
  std::fill(std::begin(touch.kept.slips), std::end(touch.kept.slips), 0.0);
  std::fill(std::begin(touch.force), std::end(touch.force), 0.0);
}

/// Accelerations and multipliers of what is held, with algebraic unknowns that agree with them.
bool EventStep::solve_laws(State& state) {
  Newton newton;
  const std::vector<double> guess(state.z(), state.z() + layout.nz);
  const auto none = [&](std::string cause) {
    std::copy(guess.begin(), guess.end(), state.z());
    cause_ = std::move(cause);
    return false;
  };
  do {
    if (newton.passes > 0) rows_.configure(state.t(), state.y(), state.data(), 100.0 * limits_.closed), place_touches();
    rows_.load_forces();
    for (std::size_t i = 0; i < touches_.size(); ++i)
      if (!touches_[i].gap && touches_[i].mode() == TouchMode::slip && !touches_[i].in) rows_.load_row(touches_[i].block, touches_[i].row, touches_[i].force[0] = slip_loads_[i]);
    if (!rows_.solve({.level = Level::acceleration, .direct = 1.0}, held_, 1e-10)) return none("no accelerations agree with the laws: " + rows_.report().cause);
  } while (improve_algebraic(state.z(), newton));
  return newton.converged || none("Newton's iteration for the algebraic unknowns, such as potentials, does not converge");
}

/// What is closed and at rest stays so where its law allows the forces, of those that others hold too the least. A slip may solve the laws as well: one
/// from which the motion turns back to rest at once, or one of rounding. of_stopped: of what this event has brought to rest alone.
bool EventStep::stay_at_rest(State& state, bool of_stopped) {
  std::vector<std::pair<std::size_t, const SetType*>> laws;
  bool others = false;
  for (std::size_t k = 0; k < held_.size(); ++k) {
    if (holder_[k] < 0 || !touches_[holder_[k]].gap) continue;
    const bool stopped = touches_[holder_[k]].stopped;
    others |= !stopped;
    if (stopped || !of_stopped) laws.emplace_back(k, std::exchange(held_[k].set, &equality_set));
  }
  const auto give_back = [&] {
    for (const auto& [k, set] : laws) held_[k].set = set;
  };
  if (laws.empty() || (of_stopped && !others)) return give_back(), false;  // nothing, or what has been tried
  bool allowed = solve_laws(state);
  const double* r = rows_.report().r.data();
  for (std::size_t k = 0, law = 0; allowed && law < laws.size(); r += held_[k++].count) {
    if (laws[law].first != k) continue;
    const HeldRows& rows = held_[k];
    const SetType& set = *laws[law++].second;
    double in[Touch::most_rows], nearest[Touch::most_rows];
    const double none[Touch::most_rows] = {};
    for (int i = 0; i < rows.count; ++i) in[i] = r[i] - (rows.offset ? rows.offset[i] : 0.0);
    set.prox(rows.parameters, rows.count, in, none, 1.0, rows.set_scale, nearest);
    allowed = std::equal(in, in + rows.count, nearest);
  }
  give_back();
  cause_.clear();
  return allowed;
}

/// Accelerations and forces at the state, with the modes that the laws choose.
bool EventStep::settle(State& state, StepReport& report, bool tell) {
  rows_.configure(state.t(), state.y(), state.data(), 100.0 * limits_.closed);
  place_touches();
  std::vector<Touch::Motion>& before = motions_;
  before.clear();
  for (Touch& touch : touches_) {
    before.push_back(touch.motion());
    if (touch.block < 0) continue;
    see_reach(touch), take_axes(touch);
    if (touch.gap) touch.in = touch.in && std::abs(rows_.rate(touch.block, 0)) <= slow(touch, 0);
  }
  cause_.clear();
  const Slips which = begin_slips(state) ? Slips::all : Slips::that_begin;
  add_joints(Level::acceleration);
  add_laws(which);
  if (!cause_.empty()) return false;
  for (std::size_t k = 0; k < held_.size(); ++k)
    if (holder_[k] >= 0 && touches_[holder_[k]].valued) couple(touches_[holder_[k]], held_[k]);
  if (!stay_at_rest(state, false) && !stay_at_rest(state, true) && !solve_laws(state)) return false;
  const SolveReport& solved = rows_.report();
  report.residual.laws = std::max(report.residual.laws, solved.residual);
  double largest = 0.0;
  for (const double r : solved.r) largest = std::max(largest, std::abs(r));
  for (Touch& touch : touches_)
    if (touch.gap && !touch.in) open(touch);
  const double *r = solved.r.data(), *w = solved.w.data();
  std::fill(state.lambda(), state.lambda() + layout.rows, 0.0);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const HeldRows& rows = held_[i];
    if (holder_[i] < 0) std::copy_n(r, rows.count, state.lambda() + system_.relation_entries[rows.block].row);
    else take_mode(touches_[holder_[i]], rows, r, w, largest);
    r += rows.count, w += rows.count;
  }
  std::copy_n(solved.v.begin(), layout.nv, state.a());
  std::copy_n(solved.v.begin() + layout.nv, layout.nx, state.xdot());
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    Touch& touch = touches_[i];
    if (touch.relation >= 0 && touch.mode() != TouchMode::open) std::copy_n(touch.force, touch.rows, state.lambda() + system_.relation_entries[touch.relation].row + touch.row);
    touch.kept.due = 0.0;
    if (!touch.gap) touch.in = false;
    const Touch::Motion now = touch.motion();
    if (!tell || before[i] == now || touch.block < 0) continue;
    if (now == Touch::Motion::open) report.events.push_back({state.t(), "detach", name(touch), 0.0});
    else if (before[i] != Touch::Motion::open) report.events.push_back({state.t(), now == Touch::Motion::slip ? "slip" : now == Touch::Motion::roll ? "roll" : "stick", name(touch), 0.0});
  }
  if (reactions_.needed()) {
    accelerations_.assembly().update(state.t(), state.y(), nullptr, state.data());
    accelerations_.assembly().input_blocks();
    reactions_.apply(accelerations_.assembly(), state.lambda());
  }
  if (!system_.contacts.empty()) write_groups(state, report);
  return true;
}

}  // namespace saltus
