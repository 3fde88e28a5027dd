// Newmark's scheme (Newmark 1959) and the trapezoidal rule: the step of generalized-alpha without averages of accelerations.
#include "saltus/integrate/generalized_alpha_step.hpp"
#include "saltus/integrate/step_doubling.hpp"

namespace saltus {
namespace {

struct TrapezoidalOptions {
  std::string newton = "full";
  static constexpr auto fields() {
    return std::tuple{field("newton", &TrapezoidalOptions::newton, "", "full forms the matrix anew in each step, modified keeps its factor while it serves", one_of("full|modified"))};
  }
};

struct NewmarkOptions {
  double beta = 0.25, gamma = 0.5;
  int index = 2;
  std::string newton = "full";
  static constexpr auto fields() {
    return std::tuple{field("beta", &NewmarkOptions::beta, "", "weight of the acceleration at the end of the step in positions: 1/4 the mean, 1/6 a linear one", or_else(between(0.05, 0.5), "leave it out for 0.25")),
                      field("gamma", &NewmarkOptions::gamma, "", "the same in velocities, and of the rates of first-order states: 1/2 keeps energy and is of order 2, more damps and is of order 1",
                            or_else(between(0.5, 1.0), "leave it out for 0.5")),
                      field("index", &NewmarkOptions::index, "", "3 holds constraints by position, 2 by position and velocity (Gear, Gupta, Leimkuhler 1985)",
                            or_else(between(2, 3), "must be 2 or 3: 3 holds positions, 2 positions and velocities")),
                      field("newton", &NewmarkOptions::newton, "", "full forms the matrix anew in each step, modified keeps its factor while it serves", one_of("full|modified"))};
  }
};
NewmarkOptions weights_of(const NewmarkOptions& given) { return given; }
NewmarkOptions weights_of(const TrapezoidalOptions& given) { return {.newton = given.newton}; }

template <class Options>
class Newmark final : public SteppingScheme<AlphaWorkspace, AlphaPlan> {
 public:
  Newmark(std::string_view name, std::string_view doc) : type_(scheme_type<Options>(name, doc)) {}
  const SchemeType& type() const override { return type_; }
  /// With gamma other than 1/2 the estimate of the second order is none.
  Doubling doubling(const SchemeOptions& options) const override {
    Faults faults;
    return {.order = weights_of(read_options<Options>(options, faults)).gamma == 0.5 ? 0 : 1};
  }

  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<AlphaPlan>();
    Faults faults;
    const NewmarkOptions given = weights_of(read_options<Options>(options, faults));
    faults.raise();
    refuse_jumps(*system, name());
    SchemeOptions own = options;
    own.error_control &= given.gamma == 0.5;
    make_alpha_plan(*plan, std::move(system), own, AlphaWeights(given.beta, given.gamma), given.index, given.newton == "modified");
    if (given.gamma == 0.5 && given.index == 2)
      for (const RelationEntry& e : plan->system->relation_entries)
        if (row_form(*plan->system, e) == RowForm::first_order)
          throw ModelError("relations/" + e.name, "holds first-order states by their values: with gamma = 1/2 nothing damps its multiplier in " + std::string(name()) + ", and it grows",
                           "use newmark with gamma above 1/2, or generalized_alpha");
    if (given.gamma == 0.5 && holds_positions_alone(*plan))
      throw ModelError("simulation/scheme/index", "is 3 with gamma = 1/2: nothing damps the multipliers of constraints then, and they grow", "use index 2, or gamma above 1/2");
    return plan;
  }

 private:
  SchemeType type_;
};

}  // namespace

const Scheme& newmark() {
  static const StepDoubling scheme(std::make_unique<Newmark<NewmarkOptions>>("newmark", "Newmark's scheme on the Lie group (Newmark 1959): joints, stiff forces, first-order states."));
  return scheme;
}

const Scheme& trapezoidal() {
  static const Newmark<TrapezoidalOptions> scheme("trapezoidal", "The trapezoidal rule on the Lie group, constraints at position and velocity: order 2 without numerical damping, for stiff forces, too.");
  return scheme;
}

}  // namespace saltus
