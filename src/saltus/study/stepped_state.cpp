#include "saltus/study/stepped_state.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "saltus/base/suggest.hpp"

namespace saltus {

namespace {

RunSettings without_end(RunSettings settings) {
  settings.until = settings.step.value_or(1.0);
  settings.error_control = !settings.step;
  settings.stop.clear();
  return settings;
}

}  // namespace

SteppedState::SteppedState(std::shared_ptr<const System> system, RunSettings settings, std::vector<Fault> warnings)
    : BoundRun(system, without_end(settings), std::move(warnings)), system_(system), assembly_(*system, settings.threads) {
  if (scheme_->is_static()) throw ModelError("simulation/scheme", "is static, which makes no steps in time", "take a scheme for motions, or m.static()");
  simulation_ = std::make_unique<Simulation>(*scheme_, *plan_, limits_);
}

std::string SteppedState::begin(double until) {
  if (resume_ && !std::exchange(renew_, false)) return {};
  if (resume_) {
    simulation_->renew(state_);
    return failure();
  }
  const State given = state_;
  renew_ = false;
  simulation_->aim(until);
  simulation_->begin(state_);
  if (simulation_->report().status != RunStatus::done) state_ = given;
  else resume_ = true;
  return failure();
}

std::string SteppedState::advance(double until, std::optional<double> step) {
  if (std::string wrong = begin(until); !wrong.empty()) return wrong;
  if (step) simulation_->set_step(state_, *step);
  simulation_->advance(state_, until);
  return failure();
}

void SteppedState::load(std::span<const char> bytes) {
  load_state(bytes);
  renew_ = false;
}

void SteppedState::set_time(double t) {
  state_.t() = t;
  resume_ = false;
}

void SteppedState::put(int begin, int count, std::span<const double> values) {
  if (static_cast<int>(values.size()) != count) throw ModelError("state", "takes " + std::to_string(count) + " numbers, not " + std::to_string(values.size()));
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) throw ModelError("state", "holds a number that is not finite");
  std::copy_n(values.data(), count, state_.y() + begin);
  resume_ = false;
}

void SteppedState::set_parameter(const std::string& name, double value) {
  const auto& all = system_->parameters;
  const auto found = std::find_if(all.begin(), all.end(), [&](const RunParameter& p) { return p.name == name; });
  if (found == all.end()) {
    std::vector<std::string_view> known;
    for (const RunParameter& p : all) known.push_back(p.name);
    const std::string near = did_you_mean(name, known);
    throw ModelError("parameters/" + name, "is no parameter that a run may change", !near.empty() ? near : known.empty() ? "make it one: m.parameter(\"" + name + "\", value)" : "there are " + listed(known));
  }
  if (!std::isfinite(value)) throw ModelError("parameters/" + name, "is set to a number that is not finite");
  double& held = state_.data()[found - all.begin()];
  renew_ = renew_ || held != value;
  held = value;
}

Assembly& SteppedState::looked() {
  assembly_.update(state_.t(), state_.y(), state_.lambda(), state_.data());
  return assembly_;
}

std::string SteppedState::failure() {
  const RunReport& r = simulation_->report();
  if (r.status == RunStatus::done) return {};
  const std::string cause = r.cause;
  const std::exception_ptr thrown = r.exception;
  simulation_ = std::make_unique<Simulation>(*scheme_, *plan_, limits_);
  if (thrown) std::rethrow_exception(thrown);
  return cause;
}

}  // namespace saltus
