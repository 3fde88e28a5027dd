#include "saltus/integrate/law_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/problem/sets.hpp"

namespace saltus {

void LawBlocks::begin() {
  row_.clear();
  std::size_t rows = 0;
  for (int b = 0; b < size(); rows += static_cast<std::size_t>(rows_.rows(b++))) row_.push_back(rows);
  shift_.assign(rows, 0.0), offset_.assign(rows, 0.0);
}

HeldRows LawBlocks::held(int block, double dt, bool adheres) {
  const LawRef& of = law(block);
  HeldRows rows{.block = block, .count = rows_.rows(block), .set = of.type->equality ? &equality_set : of.type->set, .parameters = of.parameters};
  if (of.type->force_bounded) rows.set_scale = dt;
  rows.shift = shift(block);
  if (adheres) offset(block)[0] = -dt * of.adhesion(), rows.offset = offset(block);
  return rows;
}

HeldRows LawBlocks::held_across(int block, double dt) {
  HeldRows rows = held(block, dt, true);
  pull_alone(rows);
  return rows;
}

void LawBlocks::pull_alone(HeldRows& rows) {
  static constexpr double nothing[2 * ContactGroup::most_rows] = {};
  rows.set = &box_set, rows.parameters = nothing, rows.set_scale = 1.0;
}

void LawBlocks::see(double step, const double* data) {
  if (memory_.empty()) return;
  for (int i = 0; i < rows_.relations(); ++i)
    if (memory_.remembers(i)) memory_.see(i, {.step = step, .gap = rows_.value(i)}, data);
  if (!memory_.of_contacts()) return;
  contacts_.clear();
  for (const Contact& c : rows_.contacts()) contacts_.push_back(memory_.contact(c, {.step = step, .gap = c.gap}, data));
}

void LawBlocks::clear(State& state, StepReport& report) const {
  std::fill_n(state.lambda(), system_.layout.rows, 0.0);
  system_.contacts.clear_forces(state.data());
  report.contacts.clear();
}

void LawBlocks::write(int block, const double* force, const double* velocity, double step, State& state, StepReport& report) const {
  if (in_group(block)) return give_contact(system_, rows_.contact_set(), contact(block), force, law(block).adhesion(), velocity, step, state, report);
  std::copy_n(force, rows_.rows(block), state.lambda() + system_.relation_entries[block].row);
}

void give_contact(const System& system, const ContactSet& set, const Contact& c, const double* force, double pull, const double* velocity, double step, State& state, StepReport& report) {
  system.contacts.add_force(c, force, state.data());
  if (set.with_slip()) report.contacts.push_back(set.state_of(c, force, pull, velocity, step));
}

void join_contacts(const std::vector<ContactState>& first, double h, std::vector<ContactState>& second) {
  for (ContactState& c : second) c.force = 0.5 * c.force, c.torque = 0.5 * c.torque, c.step = h;
  const std::size_t count = second.size();
  std::size_t next = 0;  // both lists have one order
  for (const ContactState& f : first) {
    const auto same = [&](std::size_t i) { return second[i].A == f.A && second[i].B == f.B && second[i].group == f.group && second[i].name == f.name; };
    std::size_t tried = 0;
    while (tried < count && !same(next)) next = (next + 1) % count, ++tried;
    if (tried == count) {
      second.push_back(f);
      ContactState& left = second.back();
      left.force = 0.5 * f.force, left.torque = 0.5 * f.torque, left.step = h;
    } else {
      second[next].force = second[next].force + 0.5 * f.force, second[next].torque = second[next].torque + 0.5 * f.torque;
    }
  }
}

double rounding_of_ways(const System& system, const State& state, double size) {
  double far = 0.0;
  for (const int q : system.map.q_of_v)
    if (q >= 0) far = std::max(far, std::abs(state.q()[q]));
  return 1e-13 * size + 64.0 * std::numeric_limits<double>::epsilon() * far;
}

void refuse_row(const System& s, const RelationEntry& e, std::string_view scheme, Faults& faults) {
  const RelationTraits traits = pool_of(s, e).traits();
  bool mechanical = !traits.has_input && !traits.uses_lambda, first_order = true;
  for (const int c : columns_of(s, e)) {
    mechanical &= c < s.layout.nv || c >= s.layout.unknowns();
    first_order &= (c >= s.layout.nv && c < s.layout.nv + s.layout.nx) || c >= s.layout.unknowns();
  }
  if (first_order && !e.law.type->impact && e.law.written != 1) return;
  const bool at_rate = e.law.type->unilateral || e.law.written == 1 || traits.written == Level::rate;
  if (!mechanical || !at_rate)
    faults.error({}, "relations/" + e.name, "has the law '" + std::string(e.law.type->name) + "' on what has no velocity: " + std::string(scheme) + " takes gaps, friction and relays on rates", "use moreau_jean");
}

void refuse_memory(const System& s, Memory takes, std::string_view scheme, Faults& faults) {
  const auto check = [&](const std::string& name, const LawType& law) {
    if (law.memory == 0 || takes == Memory::all || (takes == Memory::closed && !law.reach)) return;
    faults.error({}, "relations/" + name, "has the law '" + std::string(law.name) + (law.reach ? "', which pulls across an open gap: " : "', which remembers what was before the step: ") + std::string(scheme) + " does not follow it", "use the scheme moreau_jean");
  };
  for (const RelationEntry& e : s.relation_entries) check(e.name, *e.law.type);
  for (const ContactLaw& g : s.contacts.laws) check(g.name, *g.law.type);
}

bool could_pass(const System& system, RowProblem& rows, double h, StepReport& report, bool at_begin) {
  const double passes = system.contacts.empty() ? 0.0 : 0.5 * rows.passage(2.0 * h);
  if (!(passes > 1.0) || (at_begin && !(rows.way(h) < h))) return false;
  report.status = StepStatus::rejected, report.passing = true;
  report.suggested_step = 0.9 * h / passes;
  report.cause = "bodies would pass through each other within the step";
  return true;
}

void refuse_along_impulse(const System& s, std::string_view scheme, Faults& faults) {
  for (const RelationEntry& e : s.relation_entries)
    if (e.law.type->along_impulse) faults.error({}, "relations/" + e.name, "has the law '" + std::string(e.law.type->name) + "', whose impacts are followed along their impulse: " + std::string(scheme) + " has rows of its own", "use the scheme moreau_jean");
}

void bind_rows(Plan& plan, const Scheme& scheme, std::shared_ptr<const System> system, const SchemeOptions& options, Memory takes) {
  const std::string me(scheme.name());
  Faults faults;
  (void)read_options<NoOptions>(options, faults);
  for (const RelationEntry& e : system->relation_entries) {
    const RowForm form = row_form(*system, e);
    plan.row_level.push_back(Level::rate);
    if (pool_of(*system, e).traits().switched) faults.error({}, "joints/" + e.name, "is switched, with a jump of velocities, which " + me + " cannot follow", "use the scheme moreau_jean");
    else if (form == RowForm::mixed || form == RowForm::value) faults.error({}, "relations/" + e.name, "is an equality on what has no velocity, which " + me + " cannot hold", "use moreau_jean");
    else if (form == RowForm::set_valued) refuse_row(*system, e, me, faults);
  }
  if (system->layout.nz > 0) faults.error({}, "simulation/scheme", me + " does not hold algebraic unknowns, such as potentials", "use the scheme moreau_jean");
  refuse_memory(*system, takes, me, faults);
  faults.raise();
  plan.system = std::move(system);
  plan.options = options;
  plan.layout = {plan.system->layout, 0};
}

}  // namespace saltus
