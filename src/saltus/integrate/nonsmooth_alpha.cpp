// Nonsmooth generalized-alpha (Chen, Acary, Virlez, Bruls 2013; Bruls, Acary, Cardona 2014; decoupled as Cosimo, Galvez, Cavalieri, Cardona, Bruls 2020;
// friction Galvez et al. 2020): a step of generalized-alpha without contacts, whose second order stays, then positions that the gaps allow,
// then velocities by the laws.
//
//   (q~, v~) by generalized_alpha from (q_n, v_n), joints at position and velocity,
//   M U = H^T nu,  0 <= y(q~ (+) U) complementary to nu >= 0,                 q_{n+1} = q~ (+) U,
//   M W = H^T r,   w = H (v~ + W) + bias(H v_n) of what is closed, in the laws,  v_{n+1} = v~ + W.
//
// Where bodies bend M is M + b0 K + b1 C, and forces of contacts stand in the averages of generalized-alpha (begin_bending).
// Without an impact M in the last line is M + b1 C, and 1 - bx dF/dx of first-order states (begin_following): forces follow what contacts change.
// Without an impact r are impulses of forces over the step, along the mean of their directions at its two ends, and q_{n+1} = q~ (+) h/2 W but for the gaps that carry, which are closed: of second order, too.
// Under error control a step ends where a gap closes, as far as the tolerance asks, and the impact has the velocities there instead of v_n.
// An impact in phases is solved from them first; what its laws take there is the offset of their sets in r, and gaps open at least as fast as after it.
// What adheres pulls with up to h a in r, and so far that a constant force as large just holds, h^2 a / 2, in nu.
#include "saltus/integrate/nonsmooth_alpha.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/system/assembly.hpp"

namespace saltus {
namespace {

/// Whether forces depend on velocities or first-order states, and whether unsymmetrically; how a body turns by itself does not count.
void find_following(NonsmoothPlan& plan, const System& system) {
  const CsrPattern& pattern = system.pattern;
  Assembly assembly(system);
  std::vector<double> y(system.initial_y.begin(), system.initial_y.begin() + system.layout.y_size()), matrix(at(pattern.nonzeros()), 0.0);
  for (int i = 0; i < system.layout.nv; ++i) y[at(system.layout.v_begin() + i)] += 1.0;
  assembly.update(0.0, y.data(), nullptr, system.initial_data.data());
  assembly.add_force_matrix({{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}, matrix.data());
  for (const RotationBlock& r : system.map.rotations)
    for (int i = 0; i < 9; ++i)
      if (const int slot = pattern.slot(r.v + i / 3, r.v + i % 3); slot >= 0) matrix[at(slot)] = 0.0;
  plan.skew = system.layout.nx > 0;
  plan.follows = plan.skew || std::any_of(matrix.begin(), matrix.end(), [](double x) { return x != 0.0; });
  for (int i = 0; i < pattern.rows && plan.follows; ++i)
    for (const int j : pattern.row(i)) {
      const int other = pattern.slot(j, i);
      const double one = matrix[at(pattern.slot(i, j))];
      plan.skew |= std::abs(one - (other >= 0 ? matrix[at(other)] : 0.0)) > 1e-12 * std::abs(one);
    }
}

struct NonsmoothOptions {
  double spectral_radius = 0.8;
  static constexpr auto fields() {
    return std::tuple{field("spectral_radius", &NonsmoothOptions::spectral_radius, "", "of the numerical damping at infinite frequency, 0 all to 1 none (without contacts alone)",
                            or_else(between(0.0, 1.0), "leave it out for 0.8"))};
  }
};

class NonsmoothAlpha final : public SteppingScheme<NonsmoothStep, NonsmoothPlan> {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<NonsmoothOptions>(
        "nonsmooth_generalized_alpha", "Generalized-alpha with impacts and friction, positions and velocities both on the constraints; under error control steps end at impacts (Bruls, Acary, Cardona 2014).");
    return type;
  }
  bool finds_contacts() const override { return true; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<NonsmoothPlan>();
    Faults faults;
    const double S = read_options<NonsmoothOptions>(options, faults).spectral_radius;
    bool laws = !system->contacts.empty();
    for (const RelationEntry& e : system->relation_entries) {
      const RowForm form = row_form(*system, e);
      laws |= form == RowForm::set_valued;
      if (options.error_control && e.law.type->memory > 0 && e.law.written == 0)
        faults.error({}, "relations/" + e.name, "has the law '" + std::string(e.law.type->name) + "', whose state switches: nonsmooth_generalized_alpha does not look for when", "give step=, or use event_driven or moreau_jean");
      if (form == RowForm::set_valued) refuse_row(*system, e, name(), faults);
      plan->held.push_back(form == RowForm::second ? 1 : form == RowForm::first_rate ? 2 : 0);
    }
    const auto ask = [&](const LawType& type) { plan->phases |= type.phases > 0, plan->adhesion |= type.pulls(); };
    for (const RelationEntry& e : system->relation_entries) ask(*e.law.type);
    for (const ContactLaw& law : system->contacts.laws) ask(*law.law.type);
    if (laws && system->layout.nz > 0) faults.error({}, "simulation/scheme", "nonsmooth_generalized_alpha does not hold algebraic unknowns, such as potentials, beside contacts", "use the scheme moreau_jean");
    if (laws && S == 1.0) faults.error({}, "simulation/scheme/spectral_radius", "is 1: what an impact leaves in the averages of accelerations would swing on for ever", "use at most 0.95");
    faults.raise();
    plan->bends = laws && bends(*system);
    if (laws && !plan->bends) find_following(*plan, *system);
    make_alpha_plan(plan->smooth, system, options, AlphaWeights(S), 2, false);
    plan->row_level = plan->smooth.row_level;
    plan->system = std::move(system);
    plan->options = options;
    plan->layout = {plan->system->layout, plan->tail() + 1 + plan->capacity()};
    return plan;
  }
};
}  // namespace

const Scheme& nonsmooth_generalized_alpha() {
  static const NonsmoothAlpha scheme;
  return scheme;
}

}  // namespace saltus
