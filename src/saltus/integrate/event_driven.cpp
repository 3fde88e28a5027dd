// The event-driven scheme (Pfeiffer, Glocker 1996; Acary, Brogliato 2008, ch. 8): the smooth motion between events, where what is closed or sticks is held
// like an equality at index 1, with projection.
#include "saltus/integrate/event_driven.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "saltus/base/index.hpp"
#include "saltus/integrate/event_ration.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
constexpr double share = 0.4, safety = 0.9, most_growth = 10.0, least_growth = 0.2;  // as in the explicit schemes
constexpr int most_stalled = 20;  // jumps at one time
constexpr double short_step = 0.05;  // of the coarse step, from which on steps are short

StepReport ended(StepReport report, StepStatus status, std::string cause) {
  report.status = status;
  report.cause = std::move(cause);
  return report;
}
}  // namespace

EventStep::EventStep(const EventPlan& plan)
    : RungeKuttaStages(*plan.system, 7), plan_(plan), system_(*plan.system), tableau_(dormand_prince_tableau()), accelerations_(system_, plan.options.threads),
      rows_(system_, plan.options.threads, plan.tells_contacts()), norm_(system_), passes_(system_), memory_(system_), reactions_(system_, accelerations_.assembly()), touches_(plan.touches) {
  limits_.near = 0.05 * system_.length_scale;
  limits_.closed = 1e-9 * system_.contacts.size;
}

void EventStep::load(const State& state) {
  rows_.begin_step();
  const double* memory = state.memory();
  const auto read = [](Touch& touch, const double* from) { std::memcpy(static_cast<void*>(&touch.kept), from, sizeof touch.kept); };
  touches_.resize(plan_.touches.size());
  for (int i = 0; i < count_of(touches_); ++i) {
    Touch& touch = touches_[i];
    read(touch, memory + EventPlan::first + EventPlan::kept_size * i);
    touch.take_corner(touch.number_of_corner());
    std::copy_n(state.lambda() + system_.relation_entries[touch.relation].row + touch.row, touch.rows, touch.force);
  }
  stalled_ = memory[EventPlan::stalled];
  limits_.unseen = rounding_of_ways(system_, state, 1e9 * limits_.closed);
  for (int i = 0; i < static_cast<int>(memory[plan_.tail()]); ++i) {
    Touch touch;
    read(touch, memory + plan_.tail() + 1 + EventPlan::kept_size * i);
    touches_.push_back(touch);
  }
  limits_.still = 1e-10 * plan_.options.coarse_step * memory[EventPlan::load];
  place_touches();
}

void EventStep::save(State& state) const {
  double* memory = state.memory();
  memory[EventPlan::load] = 0.0;
  for (const Touch& touch : touches_)
    if (touch.gap && touch.mode() != TouchMode::open) memory[EventPlan::load] = std::max(memory[EventPlan::load], std::abs(touch.force[0]));
  const auto write = [](const Touch& touch, double* to) { std::memcpy(to, &touch.kept, sizeof touch.kept); };
  for (int i = 0; i < count_of(plan_.touches); ++i) write(touches_[i], memory + EventPlan::first + EventPlan::kept_size * i);
  int kept = 0;
  for (const bool closed : {true, false})  // where there is no room, those that are open are forgotten
    for (std::size_t i = plan_.touches.size(); i < touches_.size(); ++i)
      if ((touches_[i].mode() != TouchMode::open) == closed && kept < plan_.capacity() && (closed || touches_[i].block >= 0 || touches_[i].kept.due != 0.0))
        write(touches_[i], memory + plan_.tail() + 1 + EventPlan::kept_size * kept++);
  memory[plan_.tail()] = kept;
}

/// Blocks of the touches at the configuration of the rows.
void EventStep::place_touches() {
  holding_ = false;
  for (Touch& touch : touches_) {
    holding_ |= touch.mode() != TouchMode::open;
    if (touch.relation >= 0) {
      touch.block = touch.relation;
      if (memory_.remembers(touch.relation)) see_memory(touch);
      continue;
    }
    touch.block = rows_.block_of(touch.kept.identity);
    if (touch.law.type || touch.block < 0) continue;
    const Contact& c = rows_.contacts()[touch.block - rows_.relations()];
    touch.take_law(system_.contacts.law(c), c.rows);
  }
}

/// Bounds that follow the way of a row, at the configuration of the rows.
void EventStep::see_memory(Touch& touch) {
  if (!rows_.data()) return;
  memory_.see(touch.relation, {.gap = rows_.value(touch.block), .y = rows_.values(touch.block)}, rows_.data());
  touch.corners = graph_corners(memory_.relation(touch.relation).parameters);
  touch.take_corner(touch.number_of_corner());
}

void EventStep::add_joints(Level level) {
  const std::vector<char>& held = plan_.held[level == Level::value ? 0 : level == Level::rate ? 1 : 2];
  held_.clear(), holder_.clear();
  for (int i = 0; i < rows_.relations(); ++i)
    if (held[i]) held_.push_back({.block = i, .count = rows_.rows(i), .set = &equality_set}), holder_.push_back(-1);
}

/// Rows of a closed gap by its modes: n, then those of arms that stick; of those that slip the multiplier goes with that along n.
HeldRows EventStep::closed_rows(Touch& touch, Level level) {
  HeldRows rows{.block = touch.block, .which = touch.held};
  touch.held[0] = 0;
  for (int a = 0; a < touch.arms && level != Level::value; ++a) {
    const SlipArm& arm = touch.arm[a];
    if (!arm.acts()) continue;
    if (!touch.slips(a)) {
      for (int k = 0; k < arm.count; ++k) touch.held[rows.count++] = arm.row[k];
      continue;
    }
    if (level != Level::acceleration) continue;
    const Slip slip = sliding(touch, a);
    for (int k = 0; k < arm.count; ++k) {
      const double slide = rows.slide[arm.row[k] - 1] = -arm.friction[k] * slip.direction[k] * arm.share(slip.speed);
      rows.beside[arm.row[k] - 1] = slide * arm.base;
    }
  }
  return rows;
}

/// Rows of what is closed and of what sticks, like equalities.
void EventStep::add_modes(Level level) {
  pulls_.assign(Touch::most_rows * touches_.size(), 0.0);
  for (int i = 0; i < count_of(touches_); ++i) {
    Touch& touch = touches_[i];
    if (touch.mode() == TouchMode::open || touch.block < 0) continue;
    if (!touch.gap && (touch.mode() == TouchMode::slip || (touch.valued ? level != Level::acceleration : level == (touch.first_order ? Level::rate : Level::value)))) continue;
    held_.push_back(touch.gap ? closed_rows(touch, level) : HeldRows{.block = touch.block, .first = touch.row});
    HeldRows& rows = held_.back();
    rows.set = &equality_set;
    if (touch.valued) couple(touch, rows);
    else if (!touch.corners.empty() && level != Level::acceleration) touch.coupled = -touch.speed(), rows.shift = &touch.coupled;
    if (touch.pull > 0.0 && level == Level::acceleration) pulls_[Touch::most_rows * i] = -touch.pull, rows.offset = pulls_.data() + Touch::most_rows * i;
    holder_.push_back(i);
  }
}

/// Forces of a touch from the multipliers of its rows.
void EventStep::take_forces(Touch& touch, const HeldRows& rows, const double* r) const {
  std::fill_n(touch.force, Touch::most_rows, 0.0);
  for (int k = 1; touch.gap && k < touch.rows; ++k) touch.force[k] = rows.slide[k - 1] * (r[0] + touch.pull) + rows.beside[k - 1];
  for (int k = 0; k < rows.count; ++k) touch.force[touch.gap ? rows.row(k) : 0] = r[k];
}

void EventStep::see_reach(Touch& touch) const {
  const int sliding = touch.gap ? touch.law.type->set->sliding : touch.rows;
  for (int r = 0; r < touch.rows; ++r) {
    double& reach = touch.kept.reach[r > sliding];
    reach = std::max(reach, rows_.reach(touch.block, touch.row + r));
  }
}

/// Notes the axes of a contact at the configuration of the rows, in which its kept directions stand.
void EventStep::take_axes(Touch& touch) {
  Vec3<double> axes[3];
  const bool has = touch.gap && touch.block >= 0 && rows_.axes(touch.block, axes);
  for (int k = 0; k < 3; ++k) touch.kept.axes[k] = has ? axes[0][k] : 0.0, touch.kept.axes[3 + k] = has ? axes[1][k] : 0.0;
}

/// The kept direction of an arm in the axes that its contact has now: as it was, turned with the normal. The tangents themselves may jump.
void EventStep::kept_direction(const Touch& touch, const SlipArm& arm, double* direction) {
  for (int k = 0; k < arm.count; ++k) direction[k] = touch.kept.direction[arm.row[k] - 1];
  const double* kept = touch.kept.axes;
  const Vec3<double> n{{kept[0], kept[1], kept[2]}}, t1{{kept[3], kept[4], kept[5]}};
  Vec3<double> now[3];
  if (arm.count < 2 || dot(n, n) == 0.0 || !rows_.axes(touch.block, now)) return;
  const Vec3<double> before[3] = {n, t1, cross(n, t1)};
  const auto axis = [](int row) { return row < 3 ? row : (row - 2) % 3; };
  const double reversed = 1.0 + dot(n, now[0]);
  if (!(reversed > 1e-6)) return;
  Vec3<double> along{};
  for (int k = 0; k < arm.count; ++k) along = along + before[axis(arm.row[k])] * direction[k];
  const double about = dot(along, n);
  along = along - n * about;
  along = along - (n + now[0]) * (dot(now[0], along) / reversed) + now[0] * about;
  for (int k = 0; k < arm.count; ++k) direction[k] = dot(along, now[axis(arm.row[k])]);
}

/// Speed and direction of slip at the configuration of the rows. Beyond the point where it comes to rest the direction goes on as it was: the
/// event is located there, and the motion is smooth up to it.
EventStep::Slip EventStep::sliding(const Touch& touch, int a) {
  const SlipArm& arm = touch.arm[a];
  Slip slip;
  double rate[SlipArm::most_rows], square = 0.0, slowest = 0.0;
  kept_direction(touch, arm, slip.direction);
  for (int k = 0; k < arm.count; ++k) {
    rate[k] = arm.weight(k) * rows_.rate(touch.block, arm.row[k]);
    slip.along += rate[k] * slip.direction[k], square += rate[k] * rate[k];
    slowest = std::max(slowest, arm.weight(k) * slow(touch, arm.row[k]));
  }
  slip.speed = arm.count < 2 ? std::max(slip.along, 0.0) : std::sqrt(square);
  if (arm.count < 2 || !(slip.speed > slowest)) return slip;
  for (int k = 0; k < arm.count; ++k) slip.direction[k] = (slip.along < 0.0 ? -1.0 : 1.0) / slip.speed * rate[k];
  return slip;
}

/// How fast friction turns the direction of the slowest slip [1/s]: explicit steps are no longer than three times its inverse.
double EventStep::turning() {
  double fastest = 0.0;
  for (const Touch& touch : touches_) {
    if (!touch.gap || touch.mode() == TouchMode::open || touch.block < 0) continue;
    for (int a = 0; a < touch.arms; ++a) {
      const SlipArm& arm = touch.arm[a];
      if (!arm.acts() || !touch.slips(a) || arm.count < 2) continue;
      double by_force = 0.0;
      for (int k = 0; k < arm.count; ++k) by_force = std::max(by_force, arm.weight(k) * arm.friction[k] * rows_.compliance(touch.block, arm.row[k]));
      fastest = std::max(fastest, by_force * (touch.force[0] + touch.pull + arm.base) / std::max(sliding(touch, a).speed, 1e-300));
    }
  }
  return fastest;
}

/// [vdot | xdot] at (t, y), with lambda and the forces of the touches.
bool EventStep::rates(double t, const double* data, double* out) {
  if (!holding_) {
    const LinearOutcome solved = accelerations_.solve(t, y.data(), data, lambda.data(), out);
    if (solved.ok) cause_.clear();
    else cause_ = solved.cause;
    return solved.ok;
  }
  if (!solve_modes(t, data)) return false;
  const double* r = rows_.report().r.data();
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (std::size_t k = 0; k < held_.size(); r += held_[k++].count) {
    if (holder_[k] < 0) std::copy_n(r, held_[k].count, lambda.begin() + system_.relation_entries[held_[k].block].row);
    else take_forces(touches_[holder_[k]], held_[k], r);
  }
  for (const Touch& touch : touches_)
    if (touch.relation >= 0 && touch.mode() != TouchMode::open) std::copy_n(touch.force, touch.rows, lambda.begin() + system_.relation_entries[touch.relation].row + touch.row);
  std::copy_n(rows_.report().v.begin(), layout.nv + layout.nx, out);
  return true;
}

/// The problem of the modes at (t, y); algebraic unknowns of y by Newton's method.
bool EventStep::solve_modes(double t, const double* data) {
  Newton newton;
  do {
    rows_.configure(t, y.data(), data, 100.0 * limits_.closed);
    place_touches();
    rows_.load_forces();
    for (Touch& touch : touches_)
      if (!touch.gap && touch.mode() == TouchMode::slip) touch.force[0] = touch.slip_force(touch.corners.empty() ? 0.0 : pace(touch)), rows_.load_row(touch.block, touch.row, touch.force[0]);
    add_joints(Level::acceleration);
    add_modes(Level::acceleration);
    if (!rows_.solve({.level = Level::acceleration, .direct = 1.0}, held_, 1e-8)) return cause_ = rows_.report().cause, false;
  } while (improve_algebraic(y.data() + layout.z_begin(), newton));
  if (!newton.converged) cause_ = "Newton's iteration for the algebraic unknowns, such as potentials, does not converge";
  return newton.converged;
}

/// Adds the change of the last solution; true where another one is needed.
bool EventStep::improve_algebraic(double* z, Newton& newton) const {
  constexpr int free = 8, most = 25;  // passes without demands, and at all
  double change = 0.0, size = 0.0;
  bool finite = true;
  const double* by = rows_.report().v.data() + layout.nv + layout.nx;
  for (int i = 0; i < layout.nz; ++i) {
    z[i] += by[i];
    finite &= std::isfinite(z[i]);
    change = std::max(change, std::abs(by[i])), size = std::max(size, std::abs(z[i]));
  }
  const bool falls = ++newton.passes < free || (change < 0.5 * newton.change && newton.passes < most);
  newton.change = change, newton.converged = finite && change <= 1e-9 * size;
  return finite && falls && change > 1e-13 * size;
}

/// What vanishes while a relay is held: a rate, or a value.
double EventStep::pace(const Touch& touch) const {
  double sum = rows_.rate(touch.block, touch.row);
  if (!touch.valued) return sum - touch.speed();
  const Touch* first = &touch - touch.row;
  for (int c = 0; c < rows_.rows(touch.block); ++c) sum += rows_.direct(touch.block, touch.row, c) * first[c].force[0];
  return sum;
}

/// Largest value of a row that is held, less where it is held.
double EventStep::open_rows() const {
  double most = 0.0;
  for (const HeldRows& held : held_)
    for (int r = 0; r < held.count; ++r) most = std::max(most, std::abs(rows_.value(held.block, held.row(r)) + (held.shift ? held.shift[r] : 0.0)));
  return most;
}

/// What multipliers at their bounds add to a row that they couple to.
void EventStep::couple(Touch& touch, HeldRows& rows) {
  const Touch* first = &touch - touch.row;
  touch.coupled = 0.0;
  for (int c = 0; c < rows_.rows(touch.block); ++c)
    if (first[c].mode() == TouchMode::slip && !first[c].in) touch.coupled += rows_.direct(touch.block, touch.row, c) * first[c].force[0];
  rows.shift = &touch.coupled;
}

/// The stages of a step of length h; y is its end.
bool EventStep::advance(const State& state, double h, StepReport& report) {
  std::copy(state.z(), state.y() + layout.y_size(), y.begin() + layout.z_begin());
  std::copy(state.lambda(), state.lambda() + layout.rows, lambda.begin());
  std::copy(state.v(), state.v() + layout.nv, stage(0));
  std::copy(state.a(), state.a() + layout.nv, stage(0) + layout.nv);
  std::copy(state.xdot(), state.xdot() + layout.nx, stage(0) + 2 * layout.nv);
  for (int i = 1; i < tableau_.stages; ++i) {
    move(system_, state.y(), tableau_.a[i], i, h);
    tangent_rate(system_, i);
    ++report.iterations;
    if (!rates(state.t() + tableau_.c[i] * h, state.data(), stage(i) + layout.nv)) return false;
  }
  return finite(y.data(), layout.nq + layout.nv + layout.nx);
}

double EventStep::estimate(const State& state, double h) {
  combine(tableau_.error, tableau_.stages, h);
  const double* by = change.data();
  noise_.clear();
  if (holding_)
    for (const double noise : rows_.noise()) noise_.push_back(h * noise);
  return norm_.worst(state.memory() + plan_.norm(), y.data(), h, share * plan_.options.tolerance, by, by + layout.nv, by + 2 * layout.nv, {.noise = noise_.empty() ? nullptr : noise_.data()});
}

/// Positions, then velocities, back onto what is held.
bool EventStep::project(double t, const double* data, StepReport& report) {
  const double size = system_.length_scale > 0.0 ? system_.length_scale : 1.0;
  if (!holding_) {
    if (!accelerations_.has_velocity_rows()) return true;
    LinearOutcome out = accelerations_.project_position(t, y.data(), data, 1e-13 * size);
    if (out.ok) out = accelerations_.project_velocity(t, y.data(), data);
    cause_ = out.cause;
    report.residual.constraints = accelerations_.position_violation(t, y.data(), data) / size;
    return out.ok && rates(t, data, stage(tableau_.stages - 1) + layout.nv);
  }
  for (int pass = 0; pass < 8; ++pass) {
    rows_.configure(t, y.data(), data, 100.0 * limits_.closed);
    place_touches();
    add_joints(Level::value);
    add_modes(Level::value);
    const double before = report.residual.constraints;
    report.residual.constraints = open_rows() / size;
    if (report.residual.constraints <= 1e-14 || (pass > 1 && report.residual.constraints > 0.5 * before)) break;
    rows_.load_nothing();
    if (!rows_.solve({.level = Level::value}, held_, 1e-8)) break;  // redundant rows may contradict each other by rounding
    const std::vector<double>& by = rows_.report().v;
    system_.map.retract(y.data(), by.data());
    for (int i = 0; i < layout.nx; ++i) y[layout.x_begin() + i] += by[layout.nv + i];
  }
  rows_.configure(t, y.data(), data, 100.0 * limits_.closed);
  place_touches();
  add_joints(Level::rate);
  add_modes(Level::rate);
  if (!change_velocities(y.data() + layout.v_begin())) return false;
  return rates(t, data, stage(tableau_.stages - 1) + layout.nv);
}

/// Takes the rates of the rows of held_ out of the velocities.
bool EventStep::change_velocities(double* v) {
  if (!(rows_.moving(held_) > 1e-15)) return true;
  rows_.load_nothing();
  if (!rows_.solve({.level = Level::rate}, held_, 1e-8)) {
    cause_ = rows_.report().cause;
    return false;
  }
  for (int i = 0; i < layout.nv; ++i) v[i] += rows_.report().v[i];
  return true;
}

/// Sums of the forces of groups on B, and their number of contacts.
void EventStep::write_groups(State& state, StepReport& report) const {
  system_.contacts.clear_forces(state.data());
  report.contacts.clear();
  for (const Touch& touch : touches_) {
    if (touch.relation >= 0 || touch.mode() == TouchMode::open || touch.block < 0) continue;
    const Contact& contact = rows_.contacts()[touch.block - rows_.relations()];
    give_contact(system_, rows_.contact_set(), contact, touch.force, system_.contacts.law(contact).adhesion(), state.v(), 0.0, state, report);
  }
}

void EventStep::accept(State& state, double t, StepReport& report) {
  if (reactions_.needed()) {
    accelerations_.assembly().update(t, y.data(), nullptr, state.data());
    accelerations_.assembly().input_blocks();
    reactions_.apply(accelerations_.assembly(), lambda.data());
  }
  std::copy(y.begin(), y.end(), state.y());
  std::copy(lambda.begin(), lambda.end(), state.lambda());
  const double* end = stage(tableau_.stages - 1) + layout.nv;
  std::copy(end, end + layout.nv, state.a());
  std::copy(end + layout.nv, end + layout.nv + layout.nx, state.xdot());
  state.t() = t;
  for (Touch& touch : touches_) {
    if (touch.mode() == TouchMode::open || touch.block < 0) continue;
    see_reach(touch);
    for (int a = 0; touch.gap && a < touch.arms; ++a) {
      if (!touch.slips(a)) continue;
      const Slip slip = sliding(touch, a);
      for (int k = 0; k < touch.arm[a].count; ++k) touch.kept.direction[touch.arm[a].row[k] - 1] = slip.direction[k];
    }
    take_axes(touch);
  }
  if (!system_.contacts.empty()) write_groups(state, report);
}

StepReport EventStep::start(State& state) {
  StepReport report;
  StartReport consistent = make_consistent(accelerations_, state, plan_.options.consistent);
  report.warnings = std::move(consistent.warnings);
  if (!consistent.ok) return ended(std::move(report), StepStatus::failed, std::move(consistent.cause));
  load(state);
  for (Touch& touch : touches_) open(touch), touch.kept.due = 0.0;
  rows_.configure(state.t(), state.y(), state.data(), limits_.closed);
  find_strangers();
  double* memory = state.memory();
  memory[EventPlan::pending] = approaches();
  for (const int count : {EventPlan::stalled, EventPlan::stepped, EventPlan::short_steps, EventPlan::spent, EventPlan::crowded, EventPlan::patience}) memory[count] = 0.0;
  memory[EventPlan::spent_at] = state.t();
  if (!settle(state, report, false)) memory[EventPlan::pending] = 1.0;  // the first step tells
  norm_.begin(state.y(), memory + plan_.norm());
  save(state);
  return report;
}

/// Whether forces of contacts vary faster than a step of h sees; how long the next one is.
bool EventStep::too_rough(const State& state, double h, double& next, StepReport& report) {
  const double rough = roughness(), coarse = plan_.options.coarse_step;
  if (!(rough > 0.0)) return false;
  const double by = std::clamp(safety * std::pow(rough, -0.25), 0.1, most_growth);
  if (rough_.from != state.t()) rough_.from = state.t(), rough_.least = rough_.shared ? rough_.least : HUGE_VAL;
  const bool falls = rough < 0.6 * rough_.least && h > 1e-3 * coarse;  // shorter, it is of a corner that carries next to nothing
  rough_.least = std::min(rough_.least, rough);
  if (rough > 1.0 && (falls || h > coarse)) return report.suggested_step = by * h, true;
  rough_.shared |= rough > 1.0;  // what redundant contacts share in other ways from look to look does not fall
  next = std::min(next, std::max(by * h, std::min(rough_.shared ? most_growth * h : h, coarse)));
  return false;
}

/// Events are rationed, as attempts of moreau_jean are where contacts crowd: so many at once, one more for every other coarse step. Short steps without an end count as
/// many. Where it happens soon again, twice as many steps pass before events are followed one by one once more.
bool EventStep::crowds(const State& state, double* memory) const {
  using event_ration::enough, event_ration::most;
  constexpr double forgets = 4.0;
  const double passed = std::max(0.0, state.t() - memory[EventPlan::spent_at]) / plan_.options.coarse_step;
  double &spent = memory[EventPlan::spent], &crowded = memory[EventPlan::crowded], &patience = memory[EventPlan::patience];
  spent = event_ration::left(spent, passed);
  memory[EventPlan::spent_at] = state.t();
  if (memory[EventPlan::short_steps] > EventPlan::most_short) spent = std::max(spent, most + 1.0);
  if (crowded == 0.0 && spent > most) {
    crowded = 1.0;
    spent += enough * patience;
    patience = 1.0 + 2.0 * patience;
  }
  if (spent <= most - enough) {
    if (crowded == 0.0) patience = std::max(0.0, patience - passed / (forgets * enough));
    crowded = 0.0;
  }
  return crowded != 0.0;
}

/// A jump that is due, or a step of moreau_jean where events crowd or a slip turns too fast, in the place of a step.
bool EventStep::instead(State& state, double h, StepReport& report) {
  double* memory = state.memory();
  if (plan_.options.error_control && !system_.contacts.empty() && crowds(state, memory)) {
    cause_ = "contacts between groups meet and part too often to be followed one by one";
    return report = step_over(state, {}, h), true;
  }
  if (memory[EventPlan::pending] != 0.0) return report = jump(state, h), true;
  if (memory[EventPlan::short_steps] <= EventPlan::most_short) return false;
  cause_ = "a contact slips so slowly that its direction changes faster than steps can see";
  return report = step_over(state, {}, h), true;
}

StepReport EventStep::step(State& state, double h) {
  load(state);
  double* memory = state.memory();
  StepReport report;
  if (instead(state, h, report)) return report;
  h = seen(state, h);
  const auto unsolved = [&] {
    if (!cause_.empty() && (holding_ || layout.nz > 0) && h <= plan_.options.coarse_step) return step_over(state, std::move(report), h);
    return ended(std::move(report), StepStatus::rejected, cause_.empty() ? "the motion left the finite numbers" : cause_);
  };
  if (!advance(state, h, report)) return unsolved();
  const bool control = plan_.options.error_control;
  double next = h;
  if (control) {
    const double error = report.error = estimate(state, h);
    if (!(error <= 1.0)) {
      if (rough_.shared && h <= 1e-3 * plan_.options.coarse_step) {
        cause_ = "forces of redundant contacts jump from look to look";
        return step_over(state, std::move(report), h);
      }
      report.suggested_step = h * (std::isfinite(error) ? std::max(least_growth, safety * std::pow(error, -0.2)) : least_growth);
      if (!norm_.runs_away(state.y(), memory + plan_.norm())) norm_.foresee(error, share * plan_.options.tolerance, memory + plan_.norm());
      return ended(std::move(report), StepStatus::rejected, "the error estimate exceeds the tolerance");
    }
    next = h * std::clamp(safety * std::pow(std::max(error, 1e-10), -0.2), least_growth, most_growth);
  }
  double length = first_event(state, h) * h;
  if (!cause_.empty()) return unsolved();
  const bool event = !due_.empty();
  if (event && control && length > plan_.options.coarse_step && ended_before(state, h, length / h)) {
    report.suggested_step = 0.25 * length;
    return ended(std::move(report), StepStatus::rejected, "the forces of contacts vary faster than the step sees");
  }
  if (!event && control && too_rough(state, h, next, report)) return ended(std::move(report), StepStatus::rejected, "the forces of contacts vary faster than the step sees");
  if (control && layout.nz > 0 && h > plan_.options.coarse_step) {
    const std::vector<double> multipliers = lambda;
    const double bent = bend(state, h, length / h);
    lambda = multipliers;
    const double by = std::clamp(safety * std::pow(std::max(bent, 1e-10), -0.5), 0.1, most_growth);
    if (bent > 1.0) {
      report.suggested_step = std::min(by, 0.5) * length;
      return ended(std::move(report), StepStatus::rejected, "the algebraic unknowns vary faster than the step sees");
    }
    next = std::min(next, by * h);
  }
  const bool at_once = event && !(length > 1e-14 * std::max(h, std::abs(state.t())));
  const bool soon = event && length < 1e-5 * h && std::none_of(due_.begin(), due_.end(), [&](int f) { return touches_[at(f / Touch::functions)].mode() == TouchMode::open; });
  if ((at_once || soon) && (stalled_ = memory[EventPlan::stalled] += 1.0) > most_stalled) {
    cause_ = "modes of contacts change again and again at one time";
    return step_over(state, std::move(report), h);
  }
  if (at_once) {
    y.assign(state.y(), state.y() + layout.y_size());
    if (holding_) (void)rates(state.t(), state.data(), stage(1) + layout.nv);
    mark_due();
    save(state);
    return jump(state, h);
  }
  if (event && (length = polish(state, length, report)) < 0.0) return unsolved();
  if (!event) y = end_.y;
  if (!project(state.t() + length, state.data(), report)) return unsolved();
  if (control) {
    report.error = estimate(state, length);
    if (!(report.error <= 1.0) && event) {  // at the event itself the forces jump
      cause_ = "forces of contacts jump at an event";
      if (length <= 1e-3 * plan_.options.coarse_step) return step_over(state, std::move(report), h);
      report.suggested_step = 0.5 * length;
      return ended(std::move(report), StepStatus::rejected, cause_);
    }
    norm_.see(memory + plan_.norm());
    report.suggested_step = next;
  }
  if (flew_through(state, length)) return step(state, 0.5 * length);
  if (!soon && length > 1e-12 * std::max(h, std::abs(state.t()))) memory[EventPlan::stalled] = 0.0;
  accept(state, state.t() + length, report);
  memory[EventPlan::pending] = event, memory[EventPlan::proposed] = next;
  memory[EventPlan::short_steps] = control && length <= short_step * plan_.options.coarse_step && length * turning() > 0.5 ? memory[EventPlan::short_steps] + 1.0 : 0.0;
  mark_due(), save(state);
  return report;
}

}  // namespace saltus
