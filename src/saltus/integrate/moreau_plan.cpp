#include "saltus/base/index.hpp"
#include "saltus/integrate/moreau_plan.hpp"
#include "saltus/integrate/moreau_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/circuit.hpp"
#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/history.hpp"
#include "saltus/integrate/mean_slip.hpp"
#include "saltus/integrate/model_checks.hpp"

namespace saltus {
namespace {
constexpr double damping_theta = 0.6;

void refuse(Faults& faults, const RelationEntry& e, const std::string& message, const std::string& remedy) {
  faults.add({.path = "relations/" + e.name, .message = message, .remedy = remedy});
}

/// Law acts on rate: rate; a relay by its word; else rate where the relation moves mechanical coordinates without lambda, and is an equality of places or has
/// no input of its own; else value.
Level level_of(const System& s, const RelationEntry& e, const RelationTraits& traits, bool mechanical, Faults& faults) {
  const LawType& law = *e.law.type;
  if (law.rows != 0 && law.rows != e.rows)
    refuse(faults, e, "has " + std::to_string(e.rows) + " rows, its law `" + std::string(law.name) + "` wants " + std::to_string(law.rows),
           "choose a law with as many rows");
  if (auto fault = rateless(s, e)) faults.add(std::move(*fault));
  if (e.law.written == 0 && traits.written == Level::rate)
    refuse(faults, e, "the law acts on a value; this relation is written at rate", "set `on` to rate");
  if (law.acts == Acts::rate || e.law.written == 1 || traits.written == Level::rate) return Level::rate;
  if (e.law.written == 0) return Level::value;
  return mechanical && !traits.uses_lambda && (!traits.has_input || (law.equality && !traits.uses_velocity)) ? Level::rate : Level::value;
}

void unique_columns(MoreauPlan& plan) {
  const System& s = *plan.system;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    MoreauEntry& entry = plan.entries[i];
    std::vector<int> sorted(s.relation_columns.begin() + e.column_begin, s.relation_columns.begin() + e.column_begin + e.columns);
    const std::vector<int> given = sorted;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    entry.column_begin = count_of(plan.columns);
    entry.columns = count_of(sorted);
    entry.place_begin = count_of(plan.place);
    for (int c : given) plan.place.push_back(static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), c) - sorted.begin()));
    plan.columns.insert(plan.columns.end(), sorted.begin(), sorted.end());
  }
}

/// Unknowns that masses and impulses join, by entry.
void find_components(MoreauPlan& plan) {
  const System& s = *plan.system;
  const int n = s.layout.unknowns();
  CsrBuilder builder(n, n);
  for (int i = 0; i < n; ++i)
    for (const int j : s.pattern.row(i)) builder.add_entry(i, j);
  std::vector<int> columns;
  const auto mechanical = [&](const MoreauEntry& e) {
    columns.assign(plan.columns.begin() + e.column_begin, plan.columns.begin() + e.column_begin + e.columns);
    std::erase_if(columns, [&](int c) { return c >= s.layout.nv; });
  };
  for (const MoreauEntry& e : plan.entries) {
    mechanical(e);
    if (e.impulse) builder.add_block(columns, columns);
  }
  const Components parts = components(builder.build().pattern);
  for (MoreauEntry& e : plan.entries) {
    mechanical(e);
    if (e.impulse && !columns.empty()) e.component = parts.of[columns[0]];
  }
}

/// rows(i): rows of entry i in this matrix; first(i) its first; `unknowns`: how many of the system's enter.
template <class Rows>
MoreauSaddle saddle(const MoreauPlan& plan, int unknowns, bool lower, Rows rows_of) {
  const System& s = *plan.system;
  MoreauSaddle out;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) out.rows += rows_of(i);
  CsrBuilder builder(unknowns + out.rows, unknowns + out.rows);
  std::vector<std::pair<int, int>> slots;  // system slot, block
  int blocks = 0;
  for (int i = 0; i < unknowns; ++i)
    for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; ++k) {
      const int j = s.pattern.column[k];
      if (j >= unknowns || (lower && j > i)) continue;
      builder.add_entry(i, j);
      slots.emplace_back(k, blocks++);
    }
  std::vector<int> C_block(plan.entries.size(), -1), G_block(plan.entries.size(), -1), D_block(plan.entries.size(), -1);
  int next = unknowns;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const int m = rows_of(i);
    if (m == 0) continue;
    std::vector<int> rows(m);
    std::iota(rows.begin(), rows.end(), next);
    next += m;
    const MoreauEntry& e = plan.entries[i];
    std::vector<int> columns(plan.columns.begin() + e.column_begin, plan.columns.begin() + e.column_begin + e.columns);
    for (int& c : columns)
      if (c >= unknowns) c = -1;
    builder.add_block(rows, columns), C_block[i] = blocks++;
    if (!lower) builder.add_block(columns, rows), G_block[i] = blocks++;
    builder.add_block(rows, rows), D_block[i] = blocks++;
  }
  builder.add_diagonal(0, unknowns + out.rows);
  CsrLayout built = builder.build();
  out.system_slot.assign(s.pattern.nonzeros(), -1);
  for (const auto& [slot, block] : slots) out.system_slot[slot] = built.slots(block)[0];
  const auto collect = [&](const std::vector<int>& of, std::vector<int>& begin, std::vector<int>& slot) {
    begin.assign(1, 0);
    for (int block : of) {
      if (block >= 0) slot.insert(slot.end(), built.slots(block).begin(), built.slots(block).end());
      begin.push_back(count_of(slot));
    }
  };
  collect(C_block, out.C_begin, out.C_slot);
  collect(G_block, out.G_begin, out.G_slot);
  collect(D_block, out.D_begin, out.D_slot);
  out.pattern = std::move(built.pattern);
  return out;
}

}  // namespace

std::unique_ptr<MoreauPlan> bind_moreau(std::shared_ptr<const System> system, const SchemeOptions& options) {
  auto plan = std::make_unique<MoreauPlan>();
  const System& s = *system;
  plan->system = system;
  plan->options = options;
  Faults faults;
  const MoreauOptions given = read_options<MoreauOptions>(options, faults);
  // A current that transistors and diodes cut off is stiff beyond any step, and what the rule of the middle leaves of it alternates.
  const bool damps = options.error_control && !options.given.find("theta") && !Circuit(s).cut_off_inductor().empty();
  plan->theta = damps ? damping_theta : given.theta, plan->gamma = given.gamma, plan->newton_tolerance = given.newton_tolerance, plan->solver_tolerance = given.solver_tolerance, plan->acceptable_residual = given.acceptable_residual;
  plan->drift = given.drift == "ggl" ? Drift::ggl : given.drift == "none" ? Drift::none : Drift::projection;
  if (plan->gamma < 1.0 && options.error_control)
    faults.error({}, "simulation/gamma", "is " + short_text(plan->gamma) + " without a fixed step: under error control friction takes the mean slip of a step by itself", "give step=, or leave gamma out");
  bool impulses_only = true;
  int projected = 0;
  for (const RelationEntry& e : s.relation_entries) {
    const RelationTraits traits = s.relations[e.pool]->traits();
    bool mechanical = false;
    for (int c = 0; c < e.columns; ++c)
      mechanical |= s.kind_of(s.relation_columns[e.column_begin + c]) == CoordinateKind::ode2;
    MoreauEntry entry;
    entry.level = level_of(s, e, traits, mechanical, faults);
    entry.value_row = traits.written == Level::value;
    entry.has_input = traits.has_input;
    entry.impulse = entry.level == Level::rate && !traits.has_input;
    entry.equality = e.law.type->equality;
    entry.gap = e.law.type->unilateral && entry.level == Level::rate && entry.value_row;
    entry.rubs = entry.level == Level::rate && mean_slip::bounds_forces_together(e.law, e.rows);
    entry.at_end = entry.level == Level::rate && e.law.type->acts != Acts::rate && !entry.gap;
    entry.algebraic = !entry.impulse && traits.uses_lambda;
    for (int c = 0; c < e.columns; ++c)
      entry.algebraic |= !entry.impulse && s.kind_of(s.relation_columns[e.column_begin + c]) == CoordinateKind::algebraic;
    impulses_only &= entry.impulse;
    if (entry.level == Level::rate && entry.value_row && (entry.equality || entry.gap)) {
      entry.projected = projected;
      entry.projected_rows = entry.gap ? 1 : e.rows;
      projected += entry.projected_rows;
    }
    plan->row_level.push_back(entry.level);
    plan->entries.push_back(entry);
  }
  faults.raise();
  const auto ask = [&](const LawType& law) {
    plan->phases = std::max(plan->phases, law.phases);
    plan->shifts |= law.phases > 0 || law.pulls();
  };
  for (const RelationEntry& e : s.relation_entries) ask(*e.law.type);
  for (const ContactLaw& law : s.contacts.laws) ask(*law.law.type);
  plan->switches = s.layout.nz > 0;
  plan->switch_count = SwitchPositions(s).size();
  plan->bends = bends(s);
  plan->may_be_symmetric = impulses_only && s.layout.nx == 0 && s.layout.nz == 0;
  plan->layout.system = s.layout;
  plan->contact_tail = plan->largest_terms() + 2;
  plan->ranges = plan->contact_tail + MoreauContacts::tail_size(s);
  plan->layout.memory_size = plan->ranges + (options.error_control ? ErrorNorm(s).memory_size() : 0);
  unique_columns(*plan);
  find_components(*plan);
  Assembly assembly(s);
  assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  const std::vector<double> scale = column_scales(s, assembly.kinematics());
  for (int i = 0; i < s.layout.nv; ++i)
    plan->turns.push_back(s.map.q_of_v[i] < 0 || scale[i] != 1.0);
  plan->transposed_slot.resize(s.pattern.nonzeros());
  plan->row_of_slot.resize(plan->transposed_slot.size());
  for (int i = 0; i < s.pattern.rows; ++i)
    for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; ++k) {
      plan->row_of_slot[k] = i;
      plan->transposed_slot[k] = s.pattern.slot(s.pattern.column[k], i);
    }
  plan->modes = saddle(*plan, s.layout.unknowns(), plan->may_be_symmetric,
                       [&](std::size_t i) { return s.relation_entries[i].law.type->set->bounds ? s.relation_entries[i].rows : 0; });
  if (plan->drift != Drift::none && projected > 0)
    plan->positions = saddle(*plan, s.layout.nv, true, [&](std::size_t i) { return plan->entries[i].projected_rows; });
  return plan;
}

}  // namespace saltus
