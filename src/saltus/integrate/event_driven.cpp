// The event-driven scheme (Pfeiffer, Glocker 1996; Acary, Brogliato 2008, ch. 8): its refusals, and the smooth motion between events, where what is
// closed or sticks is held like an equality at index 1, with projection.
#include "saltus/integrate/event_driven.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "saltus/integrate/start.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
constexpr double share = 0.4, safety = 0.9, most_growth = 10.0, least_growth = 0.2;  // as in the explicit schemes
constexpr int most_stalled = 20;  // jumps at one time
std::size_t at(int i) { return static_cast<std::size_t>(i); }

StepReport ended(StepReport report, StepStatus status, std::string cause) {
  report.status = status;
  report.cause = std::move(cause);
  return report;
}
}  // namespace

EventStep::EventStep(const EventPlan& plan)
    : RungeKuttaStages(*plan.system, 7), plan_(plan), system_(*plan.system), tableau_(dormand_prince_tableau()), accelerations_(system_, plan.options.threads),
      rows_(system_, plan.options.threads), norm_(system_), reactions_(system_, accelerations_.assembly()), touches_(plan.touches) {
  near_ = 0.05 * system_.length_scale;
  closed_ = 1e-9 * (system_.length_scale > 0.0 ? system_.length_scale : 1.0);
}

void EventStep::load(const State& state) {
  rows_.begin_step();
  const double* memory = state.memory();
  const auto read = [](Touch& touch, const double* from) { std::memcpy(static_cast<void*>(&touch.kept), from, sizeof touch.kept); };
  touches_.resize(plan_.touches.size());
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    Touch& touch = touches_[i];
    read(touch, memory + EventPlan::first + EventPlan::kept_size * static_cast<int>(i));
    std::copy_n(state.lambda() + system_.relation_entries[touch.relation].row + touch.row, touch.rows, touch.force);
  }
  stalled_ = memory[EventPlan::stalled];
  double far = 0.0;
  for (int i = 0; i < layout.nq; ++i) far = std::max(far, std::abs(state.q()[i]));
  unseen_ = 1e-4 * closed_ + 64.0 * std::numeric_limits<double>::epsilon() * far;
  for (int i = 0; i < static_cast<int>(memory[plan_.tail()]); ++i) {
    Touch touch;
    read(touch, memory + plan_.tail() + 1 + EventPlan::kept_size * i);
    touches_.push_back(touch);
  }
  place_touches();
}

void EventStep::save(State& state) const {
  double* memory = state.memory();
  const auto write = [](const Touch& touch, double* to) { std::memcpy(to, &touch.kept, sizeof touch.kept); };
  for (std::size_t i = 0; i < plan_.touches.size(); ++i) write(touches_[i], memory + EventPlan::first + EventPlan::kept_size * static_cast<int>(i));
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
      continue;
    }
    touch.block = rows_.block_of(touch.kept.identity);
    if (touch.law.type || touch.block < 0) continue;
    const Contact& c = rows_.contacts()[touch.block - rows_.relations()];
    touch.law = system_.contacts.groups[c.group].law;
    touch.rows = c.rows;
    touch.friction = touch.law.type->set->friction ? touch.law.type->set->friction(touch.law.parameters) : 0.0;
  }
}

void EventStep::add_joints(Level level) {
  const std::vector<char>& held = plan_.held[level == Level::value ? 0 : level == Level::rate ? 1 : 2];
  for (int i = 0; i < rows_.relations(); ++i)
    if (held[i]) held_.push_back({.block = i, .count = rows_.rows(i), .set = &equality_set});
}

/// Rows of what is closed and of what sticks, like equalities; friction of what slides goes with its normal force.
void EventStep::add_modes(Level level) {
  for (Touch& touch : touches_) {
    if (touch.mode() == TouchMode::open || touch.block < 0) continue;
    const bool sticks = touch.mode() == TouchMode::stick;
    if (!touch.gap) {
      if (sticks && level != Level::value) held_.push_back({.block = touch.block, .first = touch.row, .set = &equality_set});
      continue;
    }
    HeldRows rows{.block = touch.block, .count = sticks && level != Level::value ? (touch.friction > 0.0 ? touch.rows : 1) : 1, .set = &equality_set};
    if (!sticks && level == Level::acceleration) {
      double direction[2];
      (void)sliding(touch, direction);
      for (int t = 0; t < touch.rows - 1; ++t) rows.slide[t] = -touch.friction * direction[t];
    }
    held_.push_back(rows);
  }
}

/// Speed and direction of slip at the configuration of the rows. Beyond the point where it comes to rest the direction goes on as it was: the
/// event is located there, and the motion is smooth up to it.
double EventStep::sliding(const Touch& touch, double* direction) const {
  double along = 0.0, square = 0.0;
  for (int t = 0; t < 2; ++t) direction[t] = touch.kept.direction[t];
  for (int t = 0; t < touch.rows - 1; ++t) {
    const double u = rows_.rate(touch.block, 1 + t);
    along += u * direction[t], square += u * u;
  }
  const double speed = std::sqrt(square);
  if (touch.rows < 3 || !(speed > slow(touch, 1))) return along;
  for (int t = 0; t < 2; ++t) direction[t] = (along < 0.0 ? -1.0 : 1.0) / speed * rows_.rate(touch.block, 1 + t);
  return along;
}

/// [vdot | xdot] at (t, y), with lambda and the forces of the touches.
bool EventStep::rates(double t, const double* data, double* out) {
  if (!holding_) {
    const LinearOutcome solved = accelerations_.solve(t, y.data(), data, lambda.data(), out);
    cause_ = solved.cause;
    return solved.ok;
  }
  rows_.configure(t, y.data(), data, 100.0 * closed_);
  place_touches();
  held_.clear();
  add_joints(Level::acceleration);
  add_modes(Level::acceleration);
  rows_.load_forces();
  for (Touch& touch : touches_)
    if (!touch.gap && touch.mode() == TouchMode::slip) rows_.load_row(touch.block, touch.row, touch.force[0] = touch.kept.direction[0] > 0.0 ? touch.low : touch.high);
  if (!rows_.solve({.level = Level::acceleration}, held_, 1e-8)) {
    cause_ = rows_.report().cause;
    return false;
  }
  const double* r = rows_.report().r.data();
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (const HeldRows& rows : held_) {
    if (rows.block < rows_.relations()) std::copy_n(r, rows.count, lambda.begin() + system_.relation_entries[rows.block].row + rows.first);
    for (Touch& touch : touches_)
      if (touch.block == rows.block && touch.row == rows.first) {
        std::copy_n(r, rows.count, touch.force);
        for (int k = rows.count; k < touch.rows; ++k) touch.force[k] = rows.slide[k - 1] * r[0];
      }
    r += rows.count;
  }
  for (const Touch& touch : touches_)
    if (touch.relation >= 0 && touch.mode() != TouchMode::open) std::copy_n(touch.force, touch.rows, lambda.begin() + system_.relation_entries[touch.relation].row + touch.row);
  std::copy_n(rows_.report().v.begin(), layout.nv + layout.nx, out);
  return true;
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
  return norm_.worst(state.memory() + plan_.norm(), y.data(), h, share * plan_.options.tolerance, by, by + layout.nv, by + 2 * layout.nv);
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
    rows_.configure(t, y.data(), data, 100.0 * closed_);
    place_touches();
    held_.clear();
    add_joints(Level::value);
    add_modes(Level::value);
    const double before = report.residual.constraints;
    report.residual.constraints = rows_.open(held_) / size;
    if (report.residual.constraints <= 1e-14 || (pass > 1 && report.residual.constraints > 0.5 * before)) break;
    rows_.load_nothing();
    if (!rows_.solve({.level = Level::value}, held_, 1e-8)) break;  // redundant rows may contradict each other by rounding
    const std::vector<double>& by = rows_.report().v;
    system_.map.retract(y.data(), by.data());
    for (int i = 0; i < layout.nx; ++i) y[layout.x_begin() + i] += by[layout.nv + i];
  }
  rows_.configure(t, y.data(), data, 100.0 * closed_);
  place_touches();
  held_.clear();
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
void EventStep::write_groups(double* data) const {
  for (const ContactGroup& g : system_.contacts.groups) std::fill(data + g.data, data + g.data + 4, 0.0);
  for (const Touch& touch : touches_) {
    if (touch.relation >= 0 || touch.mode() == TouchMode::open || touch.block < 0) continue;
    const Contact& c = rows_.contacts()[touch.block - rows_.relations()];
    double* to = data + system_.contacts.groups[c.group].data;
    for (int r = 0; r < c.rows; ++r)
      for (int j = 0; j < 3; ++j) to[j] += c.axes[r][j] * touch.force[r];
    to[3] += 1.0;
  }
}

void EventStep::accept(State& state, double t) {
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
    for (int r = 0; r < touch.rows; ++r) touch.kept.reach = std::max(touch.kept.reach, rows_.reach(touch.block, touch.row + r));
    if (!touch.gap || touch.mode() != TouchMode::slip) continue;
    double direction[2];
    (void)sliding(touch, direction);
    std::copy_n(direction, 2, touch.kept.direction);
  }
  if (!system_.contacts.empty()) write_groups(state.data());
}

StepReport EventStep::start(State& state) {
  StepReport report;
  StartReport consistent = make_consistent(accelerations_, state, plan_.options.consistent);
  report.warnings = std::move(consistent.warnings);
  if (!consistent.ok) return ended(std::move(report), StepStatus::failed, std::move(consistent.cause));
  load(state);
  for (Touch& touch : touches_) touch.kept.mode = touch.kept.due = 0.0;
  rows_.configure(state.t(), state.y(), state.data(), closed_);
  find_strangers();
  double* memory = state.memory();
  memory[EventPlan::pending] = approaches();
  memory[EventPlan::stalled] = 0.0, memory[EventPlan::stepped] = 0.0;
  if (!settle(state, report, false)) memory[EventPlan::pending] = 1.0;  // the first step tells
  norm_.begin(state.y(), memory + plan_.norm());
  save(state);
  return report;
}

StepReport EventStep::step(State& state, double h) {
  load(state);
  double* memory = state.memory();
  if (memory[EventPlan::pending] != 0.0) return jump(state);
  h = seen(state, h);
  StepReport report;
  if (!advance(state, h, report)) {
    if (!cause_.empty() && holding_ && h <= plan_.options.coarse_step) return step_over(state, std::move(report));
    return ended(std::move(report), StepStatus::rejected, cause_.empty() ? "the motion left the finite numbers" : cause_);
  }
  const bool control = plan_.options.error_control;
  double next = h;
  if (control) {
    const double error = report.error = estimate(state, h);
    if (!(error <= 1.0)) {
      report.suggested_step = h * (std::isfinite(error) ? std::max(least_growth, safety * std::pow(error, -0.2)) : least_growth);
      norm_.foresee(error, share * plan_.options.tolerance, memory + plan_.norm());
      return ended(std::move(report), StepStatus::rejected, "the error estimate exceeds the tolerance");
    }
    next = h * std::clamp(safety * std::pow(std::max(error, 1e-10), -0.2), least_growth, most_growth);
  }
  double length = first_event(state, h) * h;
  if (!cause_.empty()) return ended(std::move(report), StepStatus::rejected, cause_);
  const bool event = !due_.empty();
  if (const double rough = !event && control ? roughness() : 0.0; rough > 0.0) {
    const double by = std::clamp(safety * std::pow(rough, -0.25), 0.1, most_growth);
    if (rough > 1.0) {
      report.suggested_step = by * h;
      return ended(std::move(report), StepStatus::rejected, "the forces of contacts vary faster than the step sees");
    }
    next = std::min(next, by * h);
  }
  if (event && !(length > 1e-14 * std::max(h, std::abs(state.t())))) {  // at once
    if ((stalled_ = memory[EventPlan::stalled] += 1.0) > most_stalled) {
      cause_ = "modes of contacts change again and again at one time";
      return step_over(state, std::move(report));
    }
    y.assign(state.y(), state.y() + layout.y_size());
    if (holding_) (void)rates(state.t(), state.data(), stage(1) + layout.nv);
    mark_due();
    save(state);
    return jump(state);
  }
  if (event && (length = polish(state, length, report)) < 0.0) return ended(std::move(report), StepStatus::rejected, cause_);
  if (!event) y = end_;
  if (!project(state.t() + length, state.data(), report)) return ended(std::move(report), StepStatus::rejected, cause_);
  if (control) {
    report.error = estimate(state, length);
    norm_.see(memory + plan_.norm());
    report.suggested_step = next;
  }
  if (length > 1e-12 * std::max(h, std::abs(state.t()))) memory[EventPlan::stalled] = 0.0;
  accept(state, state.t() + length);
  memory[EventPlan::pending] = event, memory[EventPlan::proposed] = next;
  mark_due();
  save(state);
  return report;
}

namespace {
void refuse(Faults& faults, const RelationEntry& e, const std::string& message) { faults.error({}, "relations/" + e.name, message, "use the scheme moreau_jean"); }

/// The touch of a relation with a set-valued law; a fault where the scheme cannot follow it.
void add_touch(const System& s, int relation, std::vector<Touch>& touches, Faults& faults) {
  const RelationEntry& e = s.relation_entries[relation];
  const RelationTraits traits = pool_of(s, e).traits();
  const LawType& law = *e.law.type;
  const std::string named = "has the law '" + std::string(law.name) + "'";
  bool mechanical = !traits.has_input && !traits.uses_lambda && !traits.uses_velocity;
  for (const int c : columns_of(s, e)) mechanical &= c < s.layout.nv || c >= s.layout.unknowns();
  if (!mechanical) return refuse(faults, e, named + " beside first-order states, forces of its own or rates: event_driven locates gaps of bodies and zeros of their rates");
  if (law.unilateral) {
    if (traits.written != Level::value || (e.rows > 1 && !law.set->friction) || e.rows > 3)
      return refuse(faults, e, named + " on " + std::to_string(e.rows) + " rows: event_driven takes a gap, alone or with the one or two rows of its friction");
    if (!at_once(law)) return refuse(faults, e, named + ": event_driven takes impacts of one phase, friction alike in all directions, and no pull");
    touches.push_back({.relation = relation, .rows = e.rows, .law = e.law, .friction = law.set->friction ? law.set->friction(e.law.parameters) : 0.0});
    return;
  }
  if (!law.set->bounds || !law.force_bounded || (e.law.written != 1 && traits.written != Level::rate))
    return refuse(faults, e, named + (law.set->bounds ? " on a value: its switching has no speed that could vanish" : ": event_driven takes gaps, and relays on rates"));
  std::vector<double> bounds(at(2 * e.rows));
  law.set->bounds(e.law.parameters, e.rows, 1.0, bounds.data(), bounds.data() + e.rows);
  for (int r = 0; r < e.rows; ++r)
    touches.push_back({.relation = relation, .row = r, .law = e.law, .gap = false, .low = bounds[r], .high = bounds[e.rows + r]});
}

class EventDriven final : public Scheme {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<EventOptions>("event_driven", "Dormand and Prince's scheme between events that are located exactly: impacts, detachment, stick and slip (Pfeiffer, Glocker 1996).");
    return type;
  }
  Rates rates() const override { return Rates::at_states; }
  bool finds_contacts() const override { return true; }
  std::span<const double> samples(const Plan&, const State&) const override {
    static constexpr double stages[] = {0.0, 0.25, 0.5, 0.75, 1.0};  // at which it looks at the laws; the error estimate counts others, too
    return stages;
  }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<EventPlan>();
    Faults faults;
    plan->accumulation = read_options<EventOptions>(options, faults).accumulation;
    if (system->layout.nz > 0) faults.error({}, "simulation/scheme", "event_driven does not hold algebraic unknowns, such as potentials", "use the scheme moreau_jean");
    for (int i = 0; i < static_cast<int>(system->relation_entries.size()); ++i) {
      const RelationEntry& e = system->relation_entries[i];
      const RowForm form = row_form(*system, e);
      if (form == RowForm::set_valued) add_touch(*system, i, plan->touches, faults);
      else if (pool_of(*system, e).traits().switched) refuse(faults, e, "is switched at times that event_driven does not look for");
      else if (form == RowForm::value || form == RowForm::mixed) refuse(faults, e, "is an equality that event_driven cannot hold as an acceleration");
      plan->held[0].push_back(form == RowForm::second || form == RowForm::first_order);
      plan->held[1].push_back(form == RowForm::second || form == RowForm::first_rate);
      plan->held[2].push_back(form == RowForm::second || form == RowForm::first_rate || form == RowForm::first_order);
      plan->row_level.push_back(Level::acceleration);
    }
    for (const RelationEntry& e : system->relation_entries)
      if (pool_of(*system, e).traits().has_input && e.law.type->equality && (!plan->touches.empty() || !system->contacts.empty()))
        faults.error({}, "relations/" + e.name, "has forces beside those of its rows, such as friction of its own reaction: event_driven does not follow it beside laws with jumps", "use the scheme moreau_jean");
    for (const ContactGroup& g : system->contacts.groups)
      if (!g.law.type->unilateral || (g.rows > 1 && !g.law.type->set->friction) || !at_once(*g.law.type)) faults.error({}, "relations/" + g.name, "has the law '" + std::string(g.law.type->name) + "', which event_driven does not follow in contacts", "use the scheme moreau_jean");
    faults.raise();
    plan->system = std::move(system);
    plan->options = options;
    plan->layout = {plan->system->layout, plan->norm() + ErrorNorm(*plan->system).memory_size()};
    return plan;
  }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override { return std::make_unique<EventStep>(static_cast<const EventPlan&>(plan)); }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<EventStep&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override { return static_cast<EventStep&>(work).step(state, h); }
};
}  // namespace

const Scheme& event_driven() {
  static const EventDriven scheme;
  return scheme;
}

}  // namespace saltus
