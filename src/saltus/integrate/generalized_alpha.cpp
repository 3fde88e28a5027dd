// Generalized-alpha on the Lie group: options and refusals. The step is in generalized_alpha_step.cpp.
#include "saltus/base/value.hpp"
#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/generalized_alpha_step.hpp"
#include "saltus/integrate/newton.hpp"

namespace saltus {
namespace {

constexpr const char* options_text = "it has spectral_radius, index, newton";

double number_option(const SchemeOptions& options, const char* name, double otherwise) {
  const auto it = options.numbers.find(name);
  return it == options.numbers.end() ? otherwise : it->second;
}

class GeneralizedAlpha final : public Scheme {
 public:
  std::string_view name() const override { return "generalized_alpha"; }

  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<AlphaPlan>();
    const std::string path = "simulation/scheme/";
    for (const auto& [key, value] : options.numbers)
      if (key != "spectral_radius" && key != "index" && key != "consistent") throw ModelError(path + key, "is not an option of generalized_alpha", options_text);
    for (const auto& [key, value] : options.words) {
      if (key != "newton") throw ModelError(path + key, "is not an option of generalized_alpha", options_text);
      if (value != "full" && value != "modified") throw ModelError(path + key, "is '" + value + "'", "`full` factors in every step, `modified` keeps the factor while it serves");
      plan->modified = value == "modified";
    }
    const double S = number_option(options, "spectral_radius", 0.8), index = number_option(options, "index", 3.0);
    if (!(S >= 0.0 && S <= 1.0)) throw ModelError(path + "spectral_radius", "is " + number_text(S) + ", must be between 0 and 1", "leave it out for 0.8");
    if (index != 2.0 && index != 3.0) throw ModelError(path + "index", "is " + number_text(index) + ", must be 2 or 3", "3 holds positions, 2 positions and velocities");
    bool index_3 = false;  // some constraint is held by its position alone
    for (const RelationEntry& e : system->relation_entries) {
      if (!e.law.type->equality)
        throw ModelError("simulation/scheme", "generalized_alpha cannot hold '" + e.name + "' with the law '" + std::string(e.law.type->name) + "': it has no jumps", "use moreau_jean");
      const RelationTraits traits = pool_of(*system, e).traits();
      plan->row_level.push_back(traits.written);
      const bool both = index == 2.0 && row_form(*system, e) == RowForm::second && !traits.uses_velocity;
      for (int r = 0; r < e.rows; ++r) plan->by_rate.push_back(traits.written == Level::rate), plan->at_both.push_back(both);
      plan->stabilized |= both;
      index_3 |= traits.written == Level::value && !traits.uses_lambda && !both;
    }
    if (index_3 && S == 1.0)
      throw ModelError(path + "spectral_radius", "is 1: at index 3 the multipliers of constraints grow then", "use at most 0.95, or index 2");
    plan->w = AlphaWeights(S);
    plan->symmetric = NewtonMatrix::nearly_symmetric(*system);
    plan->options = options;
    plan->layout.system = system->layout;
    plan->layout.memory_size = AlphaMemory(system->layout, plan->stabilized, plan->modified, options.error_control ? ErrorNorm(*system).memory_size() : 0).size;
    plan->system = std::move(system);
    return plan;
  }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override { return std::make_unique<AlphaWorkspace>(static_cast<const AlphaPlan&>(plan)); }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<AlphaWorkspace&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override { return static_cast<AlphaWorkspace&>(work).step(state, h); }
};

}  // namespace

const Scheme& generalized_alpha_scheme() {
  static const GeneralizedAlpha scheme;
  return scheme;
}

}  // namespace saltus
