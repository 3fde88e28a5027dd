#include "saltus/integrate/moreau_flight.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/explicit.hpp"
#include "saltus/integrate/model_checks.hpp"
#include "saltus/integrate/within_step.hpp"
#include "saltus/system/law_memory.hpp"

namespace saltus {
namespace {
constexpr double safety = 0.9, least_growth = 0.2;
constexpr double faster = 1.1;  // than where the step begins, shapes may move for as far as it looks

/// Dormand and Prince's scheme at the tolerance of the run.
SchemeOptions smooth_options(const MoreauPlan& plan) {
  SchemeOptions options;
  options.threads = plan.options.threads, options.tolerance = plan.options.tolerance, options.error_control = true;
  return options;
}
}  // namespace

bool MoreauFlight::possible(const MoreauPlan& plan) {
  const System& s = *plan.system;
  if (!plan.options.error_control || plan.theta != 0.5 || plan.drift != Drift::projection || s.layout.nz > 0 || plan.switch_count > 0 || plan.bends) return false;
  if (!s.sleepers.empty() || LawMemory::size(s) > 0) return false;
  bool gaps = !s.contacts.empty();
  for (const ContactLaw& g : s.contacts.laws)
    if (g.law.type->pulls()) return false;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    const RelationTraits traits = pool_of(s, e).traits();
    const RowForm form = row_form(s, e);
    if (traits.switched || traits.has_input || form == RowForm::value || form == RowForm::mixed) return false;
    if (plan.entries[i].equality) continue;
    if (!plan.entries[i].gap || !plan.entries[i].impulse || e.law.type->pulls()) return false;
    gaps = true;
  }
  return gaps;
}

MoreauFlight::MoreauFlight(const MoreauPlan& plan)
    : plan_(plan), system_(*plan.system), smooth_(free_motion(plan.system, smooth_options(plan))), work_(dormand_prince().new_workspace(*smooth_)), accelerations_(system_, plan.options.threads), assembly_(system_, plan.options.threads),
      reactions_(system_, accelerations_.assembly()), norm_(system_, 1.0), contacts_(system_.contacts), before_(smooth_->layout), after_(smooth_->layout) {
  const Layout& l = system_.layout;
  for (auto* x : {&way_, &position_, &velocity_}) x->resize(at(l.nv));
  y_.resize(at(l.y_size())), lambda_.resize(at(l.rows)), rates_.resize(at(l.unknowns() + 1));
}

/// The state for the scheme of smooth motion, with its accelerations and the multipliers of joints.
bool MoreauFlight::begin(const State& state) {
  const Layout& l = system_.layout;
  before_.t() = state.t();
  std::copy_n(state.y(), l.y_size(), before_.y());
  std::copy_n(state.data(), l.nd, before_.data());
  std::fill_n(before_.lambda(), l.rows, 0.0);
  std::fill_n(before_.memory(), smooth_->layout.memory_size, 0.0);
  std::copy_n(state.memory() + plan_.ranges, norm_.memory_size(), before_.memory() + 1);
  before_.memory()[0] = 1.0;
  if (!accelerations_.solve(before_.t(), before_.y(), before_.data(), before_.lambda(), rates_.data()).ok) return false;
  reactions_.apply(accelerations_.assembly(), before_.lambda());
  std::copy_n(rates_.begin(), l.nv, before_.a());
  std::copy_n(rates_.begin() + l.nv, l.nx, before_.xdot());
  return true;
}

/// Speed of the fastest point of shapes of groups, at the configuration of the assembly.
double MoreauFlight::fastest() {
  const Kinematics& k = assembly_.kinematics();
  double most = 0.0;
  for (const Collider& c : system_.contacts.colliders)
    if (!c.rests(k) && !c.away(k)) {
      const Frame<double>& frame = k.frames[c.marker];
      const double turns = norm(frame.w);
      most = std::max(most, norm(frame.v) + (turns > 0.0 ? turns * c.shape.bound() : 0.0));
    }
  return most;
}

/// The least gap of contacts between groups up to `within`, which stands for none.
double MoreauFlight::nearest(double within) {
  contacts_.find(assembly_.kinematics(), within);
  for (const Contact& c : contacts_.contacts()) within = std::min(within, c.gap);
  return within;
}

/// Values and rates of the gaps of relations.
void MoreauFlight::look(const State& at, Gaps& gaps) {
  assembly_.update(at.t(), at.y(), nullptr, at.data());
  assembly_.input_blocks();
  gaps.value.resize(lambda_.size()), gaps.rate.assign(lambda_.size(), 0.0);
  RowSink sink;
  sink.y = gaps.value.data(), sink.time_rate = gaps.rate.data();
  assembly_.relations(sink);
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    if (!plan_.entries[i].gap) continue;
    const RelationEntry& e = system_.relation_entries[i];
    const double* H = assembly_.direction(e);
    const auto columns = columns_of(system_, e);
    for (int c = 0; c < e.columns; ++c)
      if (columns[c] < system_.layout.nv && columns[c] >= 0) gaps.rate[e.row] += H[c] * at.v()[columns[c]];
  }
}

/// Whether the gaps of relations stay open in the step: no cubic through their values and rates comes down to zero.
bool MoreauFlight::stays_open(double h) {
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    if (!plan_.entries[i].gap) continue;
    const std::size_t row = system_.relation_entries[i].row;
    const double down = std::max(0.0, -at_start_.rate[row]) + std::max(0.0, at_end_.rate[row]);
    if (!(std::min(at_start_.value[row], at_end_.value[row]) > 4.0 / 27.0 * h * down)) return false;
  }
  return true;
}

std::optional<StepReport> MoreauFlight::step(State& state, double h, double least) {
  if (!begin(state)) return std::nullopt;
  look(before_, at_start_);
  const double speed = system_.contacts.empty() ? 0.0 : fastest();
  if (speed > 0.0) {
    const double path = 2.0 * faster * speed * h;
    if (!std::isfinite(path)) return std::nullopt;
    h = std::min(h, h * nearest(path) / path);
  }
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const std::size_t row = system_.relation_entries[i].row;
    if (plan_.entries[i].gap && at_start_.rate[row] < 0.0) h = std::min(h, 0.5 * at_start_.value[row] / -at_start_.rate[row]);
  }
  if (!(h >= least)) return std::nullopt;
  after_ = before_;
  StepReport report = dormand_prince().step(*smooth_, after_, *work_, h);
  const auto shorter = [&](double by, bool met = false) {
    report.status = StepStatus::rejected, report.passing = met, report.suggested_step = by * h;
    if (met) report.cause = "gaps could close within the step";
    return report;
  };
  if (report.status != StepStatus::accepted) {
    std::copy_n(after_.memory() + 1, norm_.memory_size(), state.memory() + plan_.ranges);
    return shorter(report.suggested_step > 0.0 ? report.suggested_step / h : 0.5);
  }
  if (!system_.contacts.empty()) {
    assembly_.update(after_.t(), after_.y(), nullptr, after_.data());
    const double path = faster * (speed + fastest()) * h;
    assembly_.update(before_.t(), before_.y(), nullptr, before_.data());
    if (!(nearest(path) >= path)) return shorter(0.5, true);
  }
  look(after_, at_end_);
  if (!stays_open(h)) return shorter(0.5, true);
  double next = report.suggested_step;
  if (const double error = curve_error(h, next); !(error <= 1.0)) return shorter(std::min(0.9, next / h));
  report.suggested_step = next;
  write(state);
  return report;
}

/// How far the motion leaves the cubic through both ends, and multipliers their line, over what is allowed: by accelerations at mid step. next: as long as both are good for.
double MoreauFlight::curve_error(double h, double& next) {
  const Layout& l = system_.layout;
  constexpr double between = 10.0;  // tolerances, of velocities between the ends
  system_.map.difference(before_.q(), after_.q(), way_.data());
  on_the_way(system_, before_, after_, way_, 0.5, false, y_.data());
  std::copy_n(after_.lambda(), l.rows, lambda_.begin());
  if (!accelerations_.solve(before_.t() + 0.5 * h, y_.data(), before_.data(), lambda_.data(), rates_.data()).ok) return next = least_growth * h, HUGE_VAL;
  reactions_.apply(accelerations_.assembly(), lambda_.data());
  for (int i = 0; i < l.nv; ++i) {
    const double off = rates_[at(i)] - (after_.v()[i] - before_.v()[i]) / h;
    position_[at(i)] = h * h / 16.0 * off, velocity_[at(i)] = h * off / (5.0 * between);
  }
  const double curve = norm_.worst(before_.memory() + 1, after_.y(), h, plan_.options.tolerance, position_.data(), velocity_.data(), nullptr);
  double apart = 0.0, largest = 0.0;
  for (int r = 0; r < l.rows; ++r) {
    apart = std::max(apart, std::abs(lambda_[at(r)] - 0.5 * (before_.lambda()[r] + after_.lambda()[r])));
    largest = std::max({largest, std::abs(lambda_[at(r)]), std::abs(before_.lambda()[r]), std::abs(after_.lambda()[r])});
  }
  const double line = largest > 0.0 ? apart / (std::sqrt(plan_.options.tolerance) * largest) : 0.0;
  const auto by = [](double error, double power) { return std::max(least_growth, safety * std::pow(std::max(error, 1e-12), -1.0 / power)); };
  next = std::min({next, h * by(curve, 3.0), h * by(line, 2.0)});
  return std::max(curve, line);
}

/// The end of the step, with no multiplier of a law.
void MoreauFlight::write(State& state) const {
  const Layout& l = system_.layout;
  state.t() = after_.t();
  std::copy_n(after_.y(), l.y_size(), state.y());
  std::copy_n(after_.a(), l.nv, state.a());
  std::copy_n(after_.xdot(), l.nx, state.xdot());
  std::copy_n(after_.memory() + 1, norm_.memory_size(), state.memory() + plan_.ranges);
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (plan_.entries[i].equality) std::copy_n(after_.lambda() + e.row, e.rows, state.lambda() + e.row);
    else std::fill_n(state.lambda() + e.row, e.rows, 0.0);
  }
  system_.contacts.clear_forces(state.data());
}

}  // namespace saltus
