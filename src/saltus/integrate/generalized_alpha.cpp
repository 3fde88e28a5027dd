// Generalized-alpha on the Lie group: options and refusals. The step is in generalized_alpha_step.cpp.
#include <algorithm>

#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/generalized_alpha_step.hpp"
#include "saltus/integrate/newton.hpp"

namespace saltus {
namespace {

struct AlphaOptions {
  double spectral_radius = 0.8;
  int index = 3;
  std::string newton = "full";
  static constexpr auto fields() {
    return std::tuple{field("spectral_radius", &AlphaOptions::spectral_radius, "", "of the numerical damping at infinite frequency, 0 all to 1 none (with constraints at index 2 alone)",
                            or_else(between(0.0, 1.0), "leave it out for 0.8")),
                      field("index", &AlphaOptions::index, "", "3 holds constraints by position, 2 by position and velocity (Gear, Gupta, Leimkuhler 1985)",
                            or_else(between(2, 3), "must be 2 or 3: 3 holds positions, 2 positions and velocities")),
                      field("newton", &AlphaOptions::newton, "", "full forms the matrix anew in each step, modified keeps its factor while it serves", one_of("full|modified"))};
  }
};

class GeneralizedAlpha final : public SteppingScheme<AlphaWorkspace, AlphaPlan> {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<AlphaOptions>("generalized_alpha", "Generalized-alpha on the Lie group (Bruls, Cardona, Arnold 2012): joints, stiff forces, first-order states.");
    return type;
  }

  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<AlphaPlan>();
    Faults faults;
    const AlphaOptions given = read_options<AlphaOptions>(options, faults);
    faults.raise();
    const double S = given.spectral_radius;
    refuse_jumps(*system, "generalized_alpha");
    make_alpha_plan(*plan, std::move(system), options, AlphaWeights(S), given.index, given.newton == "modified");
    if (S == 1.0 && holds_positions_alone(*plan))
      throw ModelError("simulation/scheme/spectral_radius", "is 1: at index 3 the multipliers of constraints grow then", "use at most 0.95, or index 2");
    return plan;
  }
};

}  // namespace

void make_alpha_plan(AlphaPlan& plan, std::shared_ptr<const System> system, const SchemeOptions& options, const AlphaWeights& weights, int index, bool modified) {
  const System& s = *system;
  bool out = false;
  for (const RelationEntry& e : s.relation_entries) {
    const RelationTraits traits = pool_of(s, e).traits();
    plan.row_level.push_back(traits.written);
    const bool both = index == 2 && row_form(s, e) == RowForm::second && !traits.uses_velocity;
    for (int r = 0; r < e.rows; ++r) plan.by_rate.push_back(traits.written == Level::rate), plan.at_both.push_back(both), plan.out.push_back(!e.law.type->equality);
    plan.stabilized |= both;
    out |= !e.law.type->equality;
  }
  if (!out) plan.out.clear();
  plan.modified = modified;
  plan.w = weights;
  plan.symmetric = NewtonMatrix::nearly_symmetric(s);
  plan.options = options;
  plan.layout.system = s.layout;
  plan.layout.memory_size = AlphaMemory(s.layout, plan.stabilized, plan.modified, options.error_control ? ErrorNorm(s).memory_size() : 0, options.error_control && bends(s)).size;
  plan.system = std::move(system);
}

bool holds_positions_alone(const AlphaPlan& plan) {
  const auto& entries = plan.system->relation_entries;
  return std::any_of(entries.begin(), entries.end(), [&](const RelationEntry& e) {
    const RelationTraits traits = pool_of(*plan.system, e).traits();
    return e.rows > 0 && traits.written == Level::value && !traits.uses_lambda && !plan.at_both[e.row];
  });
}

void refuse_jumps(const System& system, std::string_view scheme) {
  for (const RelationEntry& e : system.relation_entries)
    if (!e.law.type->equality)
      throw ModelError("simulation/scheme", std::string(scheme) + " cannot hold '" + e.name + "' with the law '" + std::string(e.law.type->name) + "': it has no jumps", "use moreau_jean");
}

const Scheme& generalized_alpha_scheme() {
  static const GeneralizedAlpha scheme;
  return scheme;
}

}  // namespace saltus
