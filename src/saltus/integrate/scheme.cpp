#include "saltus/integrate/scheme.hpp"

#include <algorithm>
#include <utility>

#include "saltus/integrate/moreau.hpp"

namespace saltus {

void Residuals::worst(const Residuals& other) {
  equations = std::max(equations, other.equations);
  constraints = std::max(constraints, other.constraints);
  laws = std::max(laws, other.laws);
}

void Plan::take(std::shared_ptr<const System> of, const SchemeOptions& with, int memory) {
  system = std::move(of), options = with;
  layout = {system->layout, memory};
}

State Plan::new_state() const {
  State state(layout);
  std::copy(system->initial_y.begin(), system->initial_y.end(), state.y());
  std::copy(system->initial_data.begin(), system->initial_data.end(), state.data());
  return state;
}

std::span<const double> Scheme::samples(const Plan&, const State&) const {
  static constexpr double ends[] = {0.0, 1.0};
  return ends;
}

// One declaration and one line in the table a scheme.
const Scheme& generalized_alpha_scheme();
const Scheme& explicit_euler();
const Scheme& explicit_midpoint();
const Scheme& heun();
const Scheme& runge_kutta_3();
const Scheme& runge_kutta_4();
const Scheme& runge_kutta_6();
const Scheme& bogacki_shampine();
const Scheme& dormand_prince();
const Scheme& symplectic_euler();
const Scheme& velocity_verlet();
const Scheme& half_explicit();
const Scheme& newmark();
const Scheme& trapezoidal();
const Scheme& event_driven();
const Scheme& nonsmooth_generalized_alpha();
const Scheme& d1_minus();
const Scheme& schatzman_paoli();
const Scheme& exact_modal();
const Scheme& zero_order_hold();
const Scheme& static_scheme();

namespace {
const std::vector<const Scheme*>& table() {
  static const std::vector<const Scheme*> schemes{
      &generalized_alpha_scheme(),
      &explicit_euler(),
      &explicit_midpoint(),
      &heun(),
      &runge_kutta_3(),
      &runge_kutta_4(),
      &runge_kutta_6(),
      &bogacki_shampine(),
      &dormand_prince(),
      &symplectic_euler(),
      &velocity_verlet(),
      &half_explicit(),
      &newmark(),
      &trapezoidal(),
      &moreau_jean(),
      &event_driven(),
      &nonsmooth_generalized_alpha(),
      &d1_minus(),
      &schatzman_paoli(),
      &exact_modal(),
      &zero_order_hold(),
      &static_scheme(),
  };
  return schemes;
}
}  // namespace

const Scheme* find_scheme(std::string_view name) {
  for (const Scheme* scheme : table())
    if (scheme->name() == name) return scheme;
  return nullptr;
}

std::vector<std::string_view> scheme_names() {
  std::vector<std::string_view> names;
  for (const Scheme* scheme : table()) names.push_back(scheme->name());
  return names;
}

std::vector<SchemeType> scheme_types() {
  std::vector<SchemeType> types;
  for (const Scheme* scheme : table()) types.push_back(scheme->type());
  return types;
}

}  // namespace saltus
