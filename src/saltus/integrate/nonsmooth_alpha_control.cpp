// Error control of the nonsmooth generalized-alpha: where impacts are, what forces change, what a step went through.
#include "saltus/integrate/nonsmooth_alpha.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace saltus {

/// Whether an overlap at the end of the step was there before it.
bool NonsmoothStep::overlapped(const State& state, double h, double overlap) {
  rows_.configure(state.t(), state.y(), state.data(), closed_);
  double before = 0.0;
  for (int b = 0; b < blocks_.size(); ++b)
    if (blocks_.gap(b)) before = std::max(before, -rows_.value(b));
  configure_end(h);
  return before > 0.5 * overlap;
}

/// Whether bodies that were apart are left in each other: so deep, after a long step, that no displacement that their rows tell of parts them.
bool NonsmoothStep::buried(const State& state, double h, StepReport& report) {
  if (!(control_.deep > closed_) || overlapped(state, h, control_.deep)) return false;
  report = rejected(std::move(report));
  report.cause = "bodies are left in each other", report.suggested_step = 0.25 * h;
  return true;
}

/// Whether the error falls no faster than the step, while attempts from t become eight times as short: the force jumps, by what a step before left in the rates of rows
/// or by friction that turns. That happens once: it does not add up.
bool NonsmoothStep::jumps(double t, double h, double error) {
  if (control_.from != t) control_.from = t, control_.first = error, control_.first_h = h;
  return 8.0 * h <= control_.first_h && error >= control_.first * std::pow(h / control_.first_h, 1.5);
}

/// Whether a gap was hit that overlapped, and overlap over speed does not say since when: at the end of the smooth step other points of the bodies met.
bool NonsmoothStep::untimed() const {
  for (int b = 0; b < blocks_.size(); ++b)
    if (hits_[b] && pressed(b) && since(b, 1.0) == 0.0) return true;
  return false;
}

/// Whether contacts pushed in the last step, which had no impact: then what they take of the smooth motion is known. First-order states have errors of their own.
bool NonsmoothStep::pressing(const State& state) const {
  const int nv = system_.layout.nv;
  if (!plan_.options.error_control || plan_.bends || system_.layout.nx > 0) return false;
  const double* before = state.memory() + plan_.pushed();
  return before[nv] != 0.0 && std::any_of(before, before + nv, [](double x) { return x != 0.0; });
}

/// The error of the smooth motion and of the contacts together, where these go on: what the one changes the others may take back, as of a body at rest under a force that varies.
/// It is that of the velocities after both, by the mean accelerations of this step and the last. The contacts' forces are known at the ends of steps alone: they change by `most` in one.
double NonsmoothStep::error_together(const State& state, double h, const double* ranges) {
  constexpr double most = 0.003;
  const int nv = system_.layout.nv;
  const double *pushed = state.memory() + plan_.pushed(), last = pushed[nv], *mean = pushed + nv + 1;
  const double c = plan_.smooth.w.error_constant() * h * h * 2.0 * h / (h + last);
  for (int i = 0; i < nv; ++i) control_.allowed[at(i)] = c * ((trial_.v()[i] - state.v()[i]) / h - mean[i]);
  double worst = control_.norm.worst(ranges, trial_.y(), h, plan_.options.tolerance * control_.norm.share(h), control_.allowed.data(), nullptr, nullptr, {.coarseness = 16.0});
  for (std::size_t k = joints_; k < held_.size(); ++k) {
    if (const LawRef& law = blocks_.law(held_[k].block); law.type->pulls() || law.type->by_speed) return HUGE_VAL;  // its force falls at once where it is overcome
    double size = 0.0, change = 0.0;
    for (int r = 0; r < std::min(held_[k].count, 3); ++r) {
      const double now = rows_.change_of_rate(held_[k].block, r, changes_.data()) / h, before = rows_.change_of_rate(held_[k].block, r, pushed);
      size += std::max(now * now, before * before), change += (now - before) * (now - before);
    }
    if (size > 0.0) worst = std::max(worst, change / size / (most * most));
  }
  return worst;
}

/// How long before the end of the step a gap closed that is hit. What rests falls in the smooth step: the forces of the step before say by how much.
double NonsmoothStep::late_of(int block, double h, const double* pushed, double unseen) {
  const double push = rows_.change_of_rate(block, 0, pushed);
  double value = 0.5 * h * h * push, rate = rows_.rate(block, 0) + h * push;
  for (const auto& [key, time, overlap] : control_.late)
    if (key == blocks_.key(block)) value += overlap, rate = overlap / time + h * push;
  const double late = rate < 0.0 && std::abs(value) > 1e-14 * size() ? std::min(std::abs(value / rate), h) : 0.0;
  return late * std::abs(rate) > unseen ? late : 0.0;
}

/// How far first-order states err by what they follow of impulses, over what is allowed: of forces that change evenly by a sixth of the change, of one that begins or ends within the step
/// by as much as all, but once.
double NonsmoothStep::unfollowed(const State& state, double h, const double* ranges) {
  const Layout& l = system_.layout;
  if (!plan_.follows || l.nx == 0) return 0.0;
  const double* before = state.memory() + plan_.pushed() + 2 * l.nv + 1;
  std::vector<double>&even = control_.even, &once = control_.once;
  even.assign(at(l.nx), 0.0), once.assign(at(l.nx), 0.0);
  for (int i = 0; i < l.nx; ++i) {
    const double now = following_.changes.empty() ? 0.0 : following_.changes[at(l.nv + i)], last = h * h * before[i];
    if (now == 0.0 || last == 0.0) once[at(i)] = now - last;
    else even[at(i)] = (now - last) / 6.0;
  }
  const auto error_of = [&](double tolerance, const std::vector<double>& x) { return control_.norm.worst(ranges, trial_.y(), h, tolerance, nullptr, nullptr, x.data()); };
  const double beginning = error_of(plan_.options.tolerance, once);
  return std::max(beginning, error_of(plan_.options.tolerance * control_.norm.share(h), even));
}

/// The errors that rows add to those of the smooth step, over what is allowed. An impact acts at the end of its step: where gaps closed earlier, by overlap over speed,
/// positions err by that time times the change of velocity, and the step is cut to where they close. Forces of the step err by its square times their change: since the step
/// before, or, where it had an impact, from one end of the step to the other as their rows turn.
bool NonsmoothStep::judge(State& state, double h, StepReport& report) {
  const Layout& l = system_.layout;
  double *memory = state.memory(), *before = memory + plan_.pushed(), *ranges = trial_.memory() + AlphaMemory(l, plan_.smooth.stabilized, plan_.smooth.modified, 0).ranges;
  const double *pushed = plan_.bends ? bending_.released.data() : before, by = plan_.bends ? h / 3.0 : h / 12.0;
  const bool even = changes_.empty() || ((plan_.bends ? bending_.known : before[l.nv] != 0.0) && !control_.lets_go);
  const double unseen = this->unseen(state);
  const bool lifted = control_.overlap > unseen && (control_.lifted || (struck_ ? untimed() : changes_.empty() && !control_.late.empty()));  // what overlapped was moved out, and no impact or force says when
  double late = 0.0, push = 0.0, rate = 0.0, uneven = 0.0;  // the last: where no force of a step before is known, what is not half of the rate of the gaps over the step
  for (int b = 0; b < blocks_.size(); ++b)
    if (hits_[b]) late = std::max(late, late_of(b, h, pushed, unseen)), push = std::max(push, h * std::abs(rows_.change_of_rate(b, 0, pushed))), rate = std::max(rate, std::abs(rows_.rate(b, 0)));
  push = struck_ && push > 0.0 ? push / std::max(rate, push) : 0.0;
  for (const auto& [key, time, value] : control_.late) uneven = std::max(uneven, std::abs(value * (1.0 - 0.5 * h / time)) / control_.overlap);
  for (int i = 0; i < l.nv; ++i) {
    const double change = changes_.empty() ? 0.0 : changes_[at(i)];
    const double turned = control_.turned.empty() ? 0.0 : 2.0 * control_.turned[at(i)];
    control_.allowed[at(i)] = struck_ ? std::abs(late * change) + (lifted ? std::abs(move_[at(i)]) : 0.0) : lifted ? move_[at(i)] : even ? by * (change - h * pushed[i]) : std::max(uneven * std::abs(move_[at(i)]), h / 12.0 * std::abs(turned));
  }
  const auto error_of = [&](double tolerance, const double* position, const double* velocity) { return control_.norm.worst(ranges, trial_.y(), h, tolerance, position, velocity, nullptr); };
  const double tolerance = struck_ || lifted ? plan_.options.tolerance : smooth_.tolerance();  // forces change as the smooth motion does
  double worst = error_of(tolerance, control_.allowed.data(), nullptr);
  if (const double share = control_.norm.share(h); !struck_ && !lifted && share < 1.0 && !jumps(state.t(), h, worst)) worst = error_of(tolerance * share, control_.allowed.data(), nullptr);
  worst = std::max(worst, unfollowed(state, h, ranges));
  if (lifted && worst > 1.0 && overlapped(state, h, control_.overlap)) worst = 1.0;  // a point found late: no shorter step finds it earlier
  double blurred = 0.0;
  if (push > 0.0) {
    for (int i = 0; i < l.nv; ++i) control_.speed[at(i)] = push * changes_[at(i)];
    blurred = error_of(plan_.options.tolerance, nullptr, control_.speed.data()), worst = std::max(worst, blurred);
  }
  const bool flight = control_.settles;
  if (control_.settles) {
    for (int i = 0; i < l.nv; ++i) control_.allowed[at(i)] = h * changes_[at(i)];
    control_.settles = h * rate <= 4.0 * unseen || error_of(plan_.options.tolerance, control_.allowed.data(), nullptr) <= 1.0;  // no place says that it flew
  }
  const double alone = report.error;
  bool& together = control_.together = false;
  if (control_.pressing && even && !struck_ && !lifted && !changes_.empty() && std::max(alone, worst) > 0.05) {
    const double whole = error_together(state, h, ranges);
    together = whole < std::max(alone, worst);
    if (together) worst = report.error = whole, find_beside(state, h);
  }
  if (!together && alone > 1.0) {
    control_.norm.foresee(alone, smooth_.tolerance() * control_.norm.share(h), memory + (ranges - trial_.memory()), 2.0);
    report.status = StepStatus::rejected, report.cause = "the local error is " + std::to_string(alone) + " times the tolerance", report.events.clear();
    return false;
  }
  report.error = std::max(report.error, worst);
  const bool vague = flight && !control_.settles && late > 0.1 * h;  // overlap over speed is not yet the time since it closed
  if (!(worst <= 1.0) || vague) {
    const bool before = blurred * (h - late) > 0.5 * h;  // a step by the forces first, and what is left to the impact in a short one
    double there = h - late + (vague ? 0.0 : 0.5 * late / worst);
    if (before) there = control_.aimed == state.t() ? std::min(there, 0.5 * h / blurred) : 0.99 * (h - late), control_.aimed = state.t();
    const double shorter = struck_ && !lifted && (late > 0.0 || before) ? std::max(there, 0.1 * h) : h * std::max(0.25, 0.9 / std::sqrt(worst));
    if (struck_ && memory[plan_.before_impact()] == 0.0) memory[plan_.before_impact()] = h;
    report.status = StepStatus::rejected, report.cause = struck_ ? "an impact within the step is located" : "forces of contacts change within the step";
    report.suggested_step = std::isfinite(shorter) ? shorter : 0.25 * h, report.events.clear();
    return false;
  }
  const double factor = std::clamp(0.9 / std::sqrt(std::max(worst, 1e-9)), 0.25, 2.0);
  if (together) report.suggested_step = factor >= 1.0 && factor < 1.3 ? h : h * factor;  // a change starts the averages anew
  else if (!struck_) report.suggested_step = std::min(report.suggested_step, h * factor);
  else report.suggested_step = std::max(report.suggested_step, memory[plan_.before_impact()]);
  if (struck_) memory[plan_.before_impact()] = 0.0;
  if (plan_.bends) return true;
  for (int i = 0; i < l.nv; ++i) before[i] = struck_ ? before[i] : changes_.empty() ? 0.0 : changes_[at(i)] / h;
  for (int i = 0; i < l.nv; ++i) before[l.nv + 1 + i] = (trial_.v()[i] - state.v()[i]) / h;
  for (int i = 0; i < l.nx; ++i) before[2 * l.nv + 1 + i] = following_.changes.empty() ? 0.0 : following_.changes[at(l.nv + i)] / (h * h);
  before[l.nv] = struck_ ? 0.0 : h;
  return true;
}

/// Whether bodies would pass through each other within a step of fixed length: fast ones at its end that meet on the way that it takes, not those that fly past each other.
bool NonsmoothStep::pass_unseen(const State& state, double h, StepReport& report) {
  const double suggested = report.suggested_step;
  if (plan_.options.error_control || !could_pass(system_, rows_, h, report, false)) return false;
  way_.assign(state.y(), state.y() + system_.layout.y_size());
  double* mean = way_.data() + system_.layout.v_begin();  // velocity
  system_.map.difference(state.q(), trial_.q(), mean);
  for (int i = 0; i < system_.layout.nv; ++i) mean[i] /= h;
  rows_.configure(state.t(), way_.data(), state.data(), closed_);
  if (rows_.way(h) < h) return true;
  report.status = StepStatus::accepted, report.passing = false, report.suggested_step = suggested;
  report.cause.clear();
  configure_end(h);
  return false;
}

/// An overlap that is not looked for: what was closed where the step began is not found open by a shorter one, and steps of 1e-12 s are the shortest. In a step that short
/// an approach is still faster than what counts as slow, however far from the origin it is.
double NonsmoothStep::unseen(const State& state) const {
  double fastest = 0.0;
  for (int b = 0; b < blocks_.size(); ++b)
    if (blocks_.gap(b)) fastest = std::max(fastest, std::abs(rows_.rate(b, 0)));
  return std::max({0.1 * closed_, 1e-11 * std::max(1.0, std::abs(trial_.t())) * fastest, 30.0 * rounding_of_ways(system_, state, size())});
}

/// The smooth step moves beside h/2 of its velocities by (beta - gamma/2) h^2 of the change of its accelerations.
void NonsmoothStep::find_beside(const State& state, double h) {
  const int nv = system_.layout.nv;
  control_.beside.resize(at(nv));
  system_.map.difference(state.q(), smooth_q_.data(), control_.beside.data());
  for (int i = 0; i < nv; ++i) control_.beside[at(i)] -= 0.5 * h * (state.v()[i] + control_.end_v[at(i)]);
}

}  // namespace saltus
