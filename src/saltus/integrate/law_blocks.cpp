#include "saltus/integrate/law_blocks.hpp"

#include <algorithm>

namespace saltus {

void LawBlocks::clear(State& state, StepReport& report) const {
  std::fill_n(state.lambda(), system_.layout.rows, 0.0);
  system_.contacts.clear_forces(state.data());
  report.contacts.clear();
}

void LawBlocks::write(int block, const double* force, const double* velocity, double step, State& state, StepReport& report) const {
  if (in_group(block)) return give_contact(system_, rows_.contact_set(), contact(block), force, 0.0, velocity, step, state, report);
  std::copy_n(force, rows_.rows(block), state.lambda() + system_.relation_entries[block].row);
}

void give_contact(const System& system, const ContactSet& set, const Contact& c, const double* force, double pull, const double* velocity, double step, State& state, StepReport& report) {
  system.contacts.add_force(c, force, state.data());
  if (set.told()) report.contacts.push_back(set.state_of(c, force, pull, velocity, step));
}

std::vector<Level> rows_at_once(const System& s, std::string_view scheme, Faults& faults) {
  const std::string me(scheme);
  std::vector<Level> levels;
  const auto refuse = [&](const std::string& name, const LawRef& law, const std::string& why) {
    faults.error({}, "relations/" + name, "has the law '" + std::string(law.type->name) + "'" + why, "use moreau_jean");
  };
  const std::string takes = ": " + me + " takes impacts of one phase, friction alike in all directions, and no pull";
  for (const RelationEntry& e : s.relation_entries) {
    const RowForm form = row_form(s, e);
    const RelationTraits traits = pool_of(s, e).traits();
    levels.push_back(Level::rate);
    if (traits.switched) faults.error({}, "joints/" + e.name, "is switched, with a jump of velocities, which " + me + " cannot follow", "use the scheme moreau_jean");
    else if (form == RowForm::mixed || form == RowForm::value || form == RowForm::first_order)
      faults.error({}, "relations/" + e.name, "is an equality on what has no velocity, which " + me + " cannot hold", "use moreau_jean");
    if (form != RowForm::set_valued) continue;
    bool mechanical = !traits.has_input && !traits.uses_lambda;
    for (const int c : columns_of(s, e)) mechanical &= c < s.layout.nv || c >= s.layout.unknowns();
    const bool at_rate = e.law.type->unilateral || e.law.written == 1 || traits.written == Level::rate;
    if (!at_once(*e.law.type)) refuse(e.name, e.law, takes);
    else if (!mechanical || !at_rate || e.rows > 3) refuse(e.name, e.law, " on what has no velocity: " + me + " takes gaps, friction and relays on rates");
  }
  for (const ContactLaw& law : s.contacts.laws)
    if (!at_once(*law.law.type)) refuse(law.name, law.law, takes);
  if (s.layout.nz > 0) faults.error({}, "simulation/scheme", me + " does not hold algebraic unknowns, such as potentials", "use the scheme moreau_jean");
  return levels;
}

void bind_at_once(Plan& plan, const Scheme& scheme, std::shared_ptr<const System> system, const SchemeOptions& options) {
  Faults faults;
  (void)read_options<NoOptions>(options, faults);
  if (options.error_control) faults.error({}, "simulation/step", std::string(scheme.name()) + " has no error estimate and needs a fixed step", "give step=, or use event_driven or moreau_jean");
  plan.row_level = rows_at_once(*system, scheme.name(), faults);
  faults.raise();
  plan.system = std::move(system);
  plan.options = options;
  plan.layout = {plan.system->layout, 0};
}

}  // namespace saltus
