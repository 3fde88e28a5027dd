// What happens at an event: impacts at velocity level with the laws' bias, then the laws at acceleration level choose who stays closed, sticks or slips.
#include <algorithm>
#include <cmath>

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

/// A rate below this is zero; where jumps do not let time go on, more and more.
double EventStep::slow(const Touch& touch, int row) const { return rounding * std::pow(4.0, std::min(stalled_, 8.0)) * std::max(touch.kept.reach, rows_.reach(touch.block, touch.row + row)); }

/// Which gaps are closed and do not part; true where one of them closes with a speed.
bool EventStep::approaches() {
  bool any = false;
  for (Touch& touch : touches_) {
    touch.in = touch.struck = false;
    if (!touch.gap || touch.block < 0) continue;
    const double rate = rows_.rate(touch.block, 0);
    const bool parts = touch.mode() != TouchMode::open && touch.kept.due == 1.0;
    touch.in = !parts && (touch.mode() != TouchMode::open || (rows_.value(touch.block) <= closed_ && rate <= slow(touch, 0)));
    any |= touch.in && rate < -slow(touch, 0);
  }
  return any;
}

StepReport EventStep::jump(State& state) {
  StepReport report;
  rows_.configure(state.t(), state.y(), state.data(), 100.0 * closed_);
  place_touches();
  if (!stop_slips(state)) return step_over(state, std::move(report));
  double* memory = state.memory();
  report.suggested_step = plan_.options.error_control ? memory[EventPlan::proposed] : 0.0;
  if (approaches()) {
    if (!strike(state, report)) return step_over(state, std::move(report));
    double soon = 0.0;  // the next impact of what bounces
    for (const Touch& touch : touches_)
      if (touch.struck && touch.kept.interval > 0.0) soon = std::max(soon, 2.0 * touch.kept.interval);
    if (soon > 0.0 && report.suggested_step > soon) report.suggested_step = soon;
  }
  if (!settle(state, report, true)) return step_over(state, std::move(report));
  memory[EventPlan::pending] = 0.0;
  save(state);
  return report;
}

/// Where events do not let time go on, or laws have no solution at acceleration level (Painleve), one step of moreau_jean; a warning tells where first.
StepReport EventStep::step_over(State& state, StepReport report) {
  double* memory = state.memory();
  const std::string why = cause_;
  if (!stepping_) {
    SchemeOptions options;
    options.threads = plan_.options.threads;
    stepping_plan_ = moreau_jean().bind(plan_.system, options);
    stepping_ = moreau_jean().new_workspace(*stepping_plan_);
  }
  State other = stepping_plan_->new_state();
  std::copy(state.y(), state.y() + layout.y_size(), other.y());
  std::copy(state.data(), state.data() + layout.nd, other.data());
  other.t() = state.t(), other.h() = plan_.options.coarse_step;
  StepReport taken = moreau_jean().start(*stepping_plan_, other, *stepping_);
  for (double h = other.h(); taken.status != StepStatus::failed; h *= 0.5) {
    taken = moreau_jean().step(*stepping_plan_, other, *stepping_, h);
    if (taken.status == StepStatus::accepted || !(h > 1e-3 * plan_.options.coarse_step)) break;
  }
  if (taken.status != StepStatus::accepted) {
    report.status = StepStatus::failed;
    report.cause = why + ", and moreau_jean cannot step over it: " + taken.cause;
    return report;
  }
  if (memory[EventPlan::stepped] == 0.0)
    report.warnings.push_back({{}, "simulation/scheme", "at t = " + short_text(state.t()) + " s " + why + ": here and where it happens again moreau_jean takes a step of " + short_text(other.t() - state.t()) + " s",
                               "a smaller tolerance does not help; compare with moreau_jean", Severity::warning});
  memory[EventPlan::stepped] += 1.0;
  report.events.insert(report.events.end(), taken.events.begin(), taken.events.end());
  report.residual.worst(taken.residual);
  std::copy(other.y(), other.y() + layout.y_size(), state.y());
  std::copy(other.data(), other.data() + layout.nd, state.data());
  std::copy(other.a(), other.a() + layout.nv, state.a());
  std::copy(other.xdot(), other.xdot() + layout.nx, state.xdot());
  std::copy(other.lambda(), other.lambda() + layout.rows, state.lambda());
  state.t() = other.t();
  stalled_ = memory[EventPlan::stalled] = 0.0;
  for (Touch& touch : touches_) touch.kept.mode = touch.kept.due = 0.0;
  rows_.configure(state.t(), state.y(), state.data(), closed_);
  find_strangers();
  memory[EventPlan::pending] = approaches();
  StepReport ignored;
  if (memory[EventPlan::pending] == 0.0 && !settle(state, ignored, false)) memory[EventPlan::pending] = 1.0;
  report.suggested_step = plan_.options.error_control ? plan_.options.coarse_step : 0.0;
  save(state);
  return report;
}

/// What has just come to rest, as far as its event was located, is put to rest.
bool EventStep::stop_slips(State& state) {
  std::vector<Touch*> stopped;
  for (Touch& touch : touches_)
    if (touch.mode() == TouchMode::slip && touch.block >= 0 && touch.kept.due == (touch.gap ? 2.0 : 1.0)) stopped.push_back(&touch);
  if (stopped.empty()) return true;
  for (Touch* touch : stopped) touch->kept.mode = static_cast<double>(TouchMode::stick);
  held_.clear();
  add_joints(Level::rate);
  add_modes(Level::rate);
  for (Touch* touch : stopped) touch->kept.mode = static_cast<double>(TouchMode::slip);
  if (!change_velocities(state.v())) return false;
  rows_.configure(state.t(), state.y(), state.data(), 100.0 * closed_);
  place_touches();
  return true;
}

/// M dv = H^T r with the laws of all closed gaps; relays, whose forces are bounded, give no impulse. Impacts of one contact that have become slow
/// beside its fastest, or whose flights are as high as rounding lets it see, end: the times that are left are a geometric series.
bool EventStep::strike(State& state, StepReport& report) {
  held_.clear();
  add_joints(Level::rate);
  bias_.assign(3 * touches_.size(), 0.0);
  double u[3];
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    Touch& touch = touches_[i];
    if (!touch.in) continue;
    for (int r = 0; r < touch.rows; ++r) {
      u[r] = rows_.rate(touch.block, r);
      touch.kept.reach = std::max(touch.kept.reach, rows_.reach(touch.block, r));
    }
    if (u[0] < -slow(touch, 0) && touch.law.type->impact) {
      const double between = state.t() - touch.kept.last, ratio = touch.kept.interval > 0.0 ? between / touch.kept.interval : 0.0;
      const bool ends = touch.kept.interval > 0.0 && (-u[0] < plan_.accumulation * touch.kept.approach || -u[0] * between < unseen_);
      if (ends) {
        const double left = ratio < 1.0 ? between * ratio / (1.0 - ratio) : 0.0;
        report.warnings.push_back({{}, "relations/" + name(touch), "its impacts accumulate at t = " + short_text(state.t() + left) + " s: from there on it is closed",
                                   "none is needed; moreau_jean steps over accumulations", Severity::warning});
      } else {
        impact_bias(touch.law, touch.rows, u, bias_.data() + 3 * i);
      }
      touch.kept.approach = std::max(touch.kept.approach, -u[0]);
      touch.kept.interval = touch.kept.last > 0.0 ? between : 0.0;
      touch.kept.last = state.t();
      touch.struck = true;
    }
    held_.push_back({.block = touch.block, .count = touch.rows, .set = touch.law.type->set, .parameters = touch.law.parameters, .shift = bias_.data() + 3 * i});
  }
  rows_.load_nothing();
  if (!rows_.solve({.level = Level::rate}, held_, 1e-10)) {
    cause_ = "the impact has no solution: " + rows_.report().cause;
    return false;
  }
  const SolveReport& solved = rows_.report();
  report.iterations += solved.iterations;
  report.residual.laws = std::max(report.residual.laws, solved.residual);
  double largest = 0.0;
  for (const double r : solved.r) largest = std::max(largest, std::abs(r));
  const double* r = solved.r.data();
  for (const HeldRows& rows : held_) {
    double square = 0.0;
    for (int k = 0; k < rows.count; ++k) square += r[k] * r[k];
    const bool joint = rows.set == &equality_set;
    const Touch* touch = nullptr;
    for (const Touch& t : touches_)
      if (!joint && t.block == rows.block && t.in) touch = &t;
    const bool struck = touch && touch->struck && r[0] > 0.0;
    if (struck || std::sqrt(square) > 1e-12 * largest)
      report.events.push_back({state.t(), struck ? "impact" : "percussion", touch ? name(*touch) : system_.relation_entries[rows.block].name, struck ? r[0] : std::sqrt(square)});
    r += rows.count;
  }
  for (int i = 0; i < layout.nv; ++i) state.v()[i] += solved.v[i];
  return true;
}

/// Rows at acceleration level: what slides with the direction of its slip, what rests with its whole law.
void EventStep::add_laws(std::vector<double>& loads) {
  bias_.assign(4 * touches_.size(), 0.0);  // bounds of relays
  loads.assign(touches_.size(), 0.0);
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    Touch& touch = touches_[i];
    if (touch.block < 0 || (touch.gap && !touch.in)) continue;
    if (!touch.gap) {
      const double w = rows_.rate(touch.block, touch.row);
      const bool begins = touch.mode() == TouchMode::stick && touch.kept.due != 0.0;
      if (!begins && std::abs(w) > slow(touch, 0)) touch.kept.direction[0] = w > 0.0 ? 1.0 : -1.0;
      if (begins || std::abs(w) > slow(touch, 0)) {
        touch.kept.mode = static_cast<double>(TouchMode::slip);
        loads[i] = touch.kept.direction[0] > 0.0 ? touch.low : touch.high;
        continue;
      }
      bias_[4 * i] = touch.low, bias_[4 * i + 1] = touch.high;
      touch.in = true;
      held_.push_back({.block = touch.block, .first = touch.row, .set = &box_set, .parameters = bias_.data() + 4 * i});
      continue;
    }
    const bool begins = touch.mode() == TouchMode::stick && touch.kept.due == 2.0;
    double speed = 0.0, limit = 0.0, u[2] = {0.0, 0.0};
    for (int t = 0; t < touch.rows - 1; ++t) u[t] = rows_.rate(touch.block, 1 + t), limit = std::max(limit, slow(touch, 1 + t));
    speed = std::hypot(u[0], u[1]);
    HeldRows rows{.block = touch.block, .count = 1, .set = &half_line_set};
    const bool slides = touch.friction > 0.0 && (begins || speed > limit);
    if (slides) {
      for (int t = 0; t < touch.rows - 1; ++t) {
        if (!begins) touch.kept.direction[t] = u[t] / speed;
        rows.slide[t] = -touch.friction * touch.kept.direction[t];
      }
    } else if (touch.friction > 0.0) {
      rows.count = touch.rows, rows.set = touch.law.type->set, rows.parameters = touch.law.parameters;
    }
    held_.push_back(rows);
  }
}

void EventStep::take_mode(Touch& touch, const double* r, const double* w, double largest) {
  std::copy_n(r, touch.gap ? touch.rows : 1, touch.force);
  constexpr double equal = 1e-9;
  if (!touch.gap) {
    const double room = std::min(touch.high - r[0], r[0] - touch.low), range = touch.high - touch.low;
    const bool slips = !(room > equal * range) && std::abs(w[0]) > equal * range * rows_.compliance(touch.block, touch.row);
    touch.kept.mode = static_cast<double>(slips ? TouchMode::slip : TouchMode::stick);
    if (slips) touch.kept.direction[0] = w[0] > 0.0 ? 1.0 : -1.0;
    return;
  }
  if (!(r[0] > 1e-10 * largest)) {
    touch.kept.mode = static_cast<double>(TouchMode::open);
    std::fill_n(touch.force, 3, 0.0);
    return;
  }
  touch.kept.mode = static_cast<double>(TouchMode::stick);
  if (touch.rows == 1 || !(touch.friction > 0.0)) return;
  double pull = 0.0, speed = 0.0, compliance = 0.0;
  for (int t = 1; t < touch.rows; ++t) pull = std::hypot(pull, r[t]), speed = std::hypot(speed, w[t]), compliance = std::max(compliance, rows_.compliance(touch.block, t));
  if (pull < (1.0 - equal) * touch.friction * r[0] || !(speed > equal * r[0] * compliance)) return;
  touch.kept.mode = static_cast<double>(TouchMode::slip);
  for (int t = 1; t < touch.rows; ++t) touch.kept.direction[t - 1] = w[t] / speed;
}

/// Accelerations and forces at the state, with the modes that the laws choose.
bool EventStep::settle(State& state, StepReport& report, bool tell) {
  rows_.configure(state.t(), state.y(), state.data(), 100.0 * closed_);
  place_touches();
  std::vector<TouchMode> before;
  for (Touch& touch : touches_) {
    before.push_back(touch.mode());
    if (touch.block < 0) continue;
    for (int r = 0; r < touch.rows; ++r) touch.kept.reach = std::max(touch.kept.reach, rows_.reach(touch.block, touch.row + r));
    if (touch.gap) touch.in = touch.in && std::abs(rows_.rate(touch.block, 0)) <= slow(touch, 0);
  }
  held_.clear();
  add_joints(Level::acceleration);
  const std::size_t joints = held_.size();
  std::vector<double> loads;
  add_laws(loads);
  rows_.load_forces();
  for (std::size_t i = 0; i < touches_.size(); ++i)
    if (!touches_[i].gap && touches_[i].mode() == TouchMode::slip && !touches_[i].in) rows_.load_row(touches_[i].block, touches_[i].row, touches_[i].force[0] = loads[i]);
  if (!rows_.solve({.level = Level::acceleration}, held_, 1e-10)) {
    cause_ = "no accelerations agree with the laws of the contacts: " + rows_.report().cause;
    return false;
  }
  const SolveReport& solved = rows_.report();
  report.residual.laws = std::max(report.residual.laws, solved.residual);
  double largest = 0.0;
  for (const double r : solved.r) largest = std::max(largest, std::abs(r));
  for (Touch& touch : touches_)
    if (touch.gap && !touch.in) touch.kept.mode = static_cast<double>(TouchMode::open), std::fill_n(touch.force, 3, 0.0);
  const double *r = solved.r.data(), *w = solved.w.data();
  std::fill(state.lambda(), state.lambda() + layout.rows, 0.0);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const HeldRows& rows = held_[i];
    if (i < joints) {
      std::copy_n(r, rows.count, state.lambda() + system_.relation_entries[rows.block].row);
    } else {
      Touch& touch = *std::find_if(touches_.begin(), touches_.end(), [&](const Touch& t) { return t.block == rows.block && t.row == rows.first && (!t.gap || t.in); });
      const bool slides = rows.slide[0] != 0.0 || rows.slide[1] != 0.0;
      if (slides || (touch.gap && rows.count < touch.rows)) {
        const double force[3] = {r[0], rows.slide[0] * r[0], rows.slide[1] * r[0]}, still[3] = {};
        take_mode(touch, force, still, largest);
        if (slides && touch.mode() != TouchMode::open) touch.kept.mode = static_cast<double>(TouchMode::slip);
      } else {
        take_mode(touch, r, w, largest);
      }
    }
    r += rows.count, w += rows.count;
  }
  std::copy_n(solved.v.begin(), layout.nv, state.a());
  std::copy_n(solved.v.begin() + layout.nv, layout.nx, state.xdot());
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    Touch& touch = touches_[i];
    if (touch.relation >= 0 && touch.mode() != TouchMode::open) std::copy_n(touch.force, touch.rows, state.lambda() + system_.relation_entries[touch.relation].row + touch.row);
    touch.kept.due = 0.0;
    if (!touch.gap) touch.in = false;
    if (!tell || before[i] == touch.mode() || touch.block < 0) continue;
    if (touch.mode() == TouchMode::open) report.events.push_back({state.t(), "detach", name(touch), 0.0});
    else if (before[i] != TouchMode::open && (!touch.gap || touch.friction > 0.0)) report.events.push_back({state.t(), touch.mode() == TouchMode::slip ? "slip" : "stick", name(touch), 0.0});
  }
  if (reactions_.needed()) {
    accelerations_.assembly().update(state.t(), state.y(), nullptr, state.data());
    accelerations_.assembly().input_blocks();
    reactions_.apply(accelerations_.assembly(), state.lambda());
  }
  if (!system_.contacts.empty()) write_groups(state.data());
  return true;
}

}  // namespace saltus
