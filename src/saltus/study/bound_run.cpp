#include "saltus/study/bound_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "saltus/base/suggest.hpp"
#include "saltus/integrate/automatic.hpp"
#include "saltus/integrate/model_checks.hpp"

namespace saltus {

std::string other_scheme(std::string_view name) {
  const std::vector<std::string_view> names = scheme_names();
  if (std::string near = did_you_mean(name, names); !near.empty()) return near;
  return "use auto, " + listed(names, names.size());
}

BoundRun::BoundRun(std::shared_ptr<const System> system, RunSettings settings, std::vector<Fault> warnings) : warnings_(std::move(warnings)) {
  SchemeOptions o;
  o.threads = settings.threads;
  o.tolerance = settings.tolerance;
  o.error_control = settings.error_control;
  o.coarse_step = uncontrolled_step(settings.until);
  o.given = std::move(settings.options);
  o.consistent = settings.consistent;
  o.contacts = settings.contacts && !system->contacts.empty();
  if (settings.scheme == "auto") {
    const AutomaticChoice choice = automatic_choice(*system, o);
    scheme_ = choice.scheme, reason_ = choice.reason;
  } else {
    scheme_ = find_scheme(settings.scheme);
  }
  if (!scheme_) throw ModelError("simulation/scheme", "'" + settings.scheme + "' is not a scheme", other_scheme(settings.scheme));
  if (std::vector<Fault> faults = rateless_laws(*system); !faults.empty()) throw ModelError(std::move(faults));
  if (std::vector<Fault> faults = unfound_contacts(*system, *scheme_); !faults.empty()) throw ModelError(std::move(faults));
  if (!scheme_->is_static())
    for (auto check : {wrong_masses, massless_coordinates, impossible_circuits, unresolved_shapes})
      if (std::vector<Fault> faults = check(*system); !faults.empty()) throw ModelError(std::move(faults));
  plan_ = scheme_->bind(system, o);
  state_ = plan_->new_state();
  limits_.until = settings.until;
  limits_.step = settings.step;
  limits_.consistent = settings.consistent;
  limits_.stop = std::move(settings.stop);
  const auto scheduled = [](const RunParameter& p) { return !p.schedule.empty(); };
  if (!system->controllers.empty() || std::any_of(system->parameters.begin(), system->parameters.end(), scheduled)) {
    sampler_ = std::make_unique<ControllerSampler>(system);
    limits_.sampler = sampler_.get();
  }
}

std::string_view BoundRun::scheme() const { return scheme_in_use(*scheme_, *plan_, state_); }

void BoundRun::start_from(double t, std::span<const double> y, std::span<const double> data, bool sampled) {
  const Layout& l = plan_->layout.system;
  if (static_cast<int>(y.size()) != l.y_size() || static_cast<int>(data.size()) != l.nd) throw ModelError("simulation/start", "has another number of unknowns than this model", "start from a run of the same model");
  if (!std::all_of(y.begin(), y.end(), [](double value) { return std::isfinite(value); })) throw ModelError("simulation/start", "holds numbers that are not finite", "start from an earlier state");
  state_ = plan_->new_state();
  state_.t() = t;
  limits_.sampled = sampled;
  std::copy_n(y.data(), y.size(), state_.y());
  std::copy_n(data.data(), data.size(), state_.data());
  resume_ = false;
}

void BoundRun::load_state(std::span<const char> bytes) {
  const auto b = state_.bytes();
  if (bytes.size() != b.size_bytes())
    throw ModelError("checkpoint", "holds " + std::to_string(bytes.size()) + " bytes, this model and scheme need " + std::to_string(b.size_bytes()),
                     "restart with the model and scheme that wrote it");
  State loaded = state_;
  std::memcpy(loaded.bytes().data(), bytes.data(), bytes.size());
  const Layout& l = loaded.layout().system;
  const auto finite = [](const double* x, int n) { return std::all_of(x, x + n, [](double value) { return std::isfinite(value); }); };
  if (!std::isfinite(loaded.t()) || !std::isfinite(loaded.h()) || !finite(loaded.y(), l.y_size()) || !finite(loaded.a(), l.nv) || !finite(loaded.lambda(), l.rows))
    throw ModelError("checkpoint", "holds numbers that are not finite", "it is damaged: take an earlier one");
  state_ = loaded;
  resume_ = true;
}

}  // namespace saltus
