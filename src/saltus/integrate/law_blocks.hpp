// The blocks of a RowProblem with their laws: names, keys, what each law asks of a problem over a step or at an instant.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/row_problem.hpp"
#include "saltus/integrate/scheme.hpp"
#include "saltus/system/law_memory.hpp"

namespace saltus {

class LawBlocks {
 public:
  LawBlocks(const System& system, const RowProblem& rows) : system_(system), rows_(rows), memory_(system) {}
  int size() const { return rows_.relations() + count_of(rows_.contacts()); }
  bool in_group(int block) const { return block >= rows_.relations(); }
  const LawRef& law(int block) const {
    if (in_group(block)) return contacts_.size() == rows_.contacts().size() ? contacts_[block - rows_.relations()] : system_.contacts.law(contact(block));
    return memory_.relation(block);
  }
  /// What laws with memory are at the configuration of the rows, in a problem over `step`; 1: its rows are displacements.
  void see(double step, const double* data);
  /// Widest gap across which some law may pull.
  double reach() const { return std::max(memory_.reach(), 0.0); }
  /// Whether its law pulls across the gap, which is open: the pull is all of its force.
  bool across(int block, double closed) const { return law(block).across && rows_.value(block) > closed; }
  const std::string& name(int block) const { return in_group(block) ? system_.contacts.groups[contact(block).group].name : system_.relation_entries[block].name; }
  bool joint(int block) const { return law(block).type->equality; }
  /// A gap of bodies: in a problem only while it is closed.
  bool gap(int block) const { return law(block).type->unilateral && !rows_.first_order(block); }
  /// The same block from one configuration to the next: contacts between groups by their identity.
  double key(int block) const { return in_group(block) ? contact(block).identity() : -1.0 - block; }
  /// The block of a key here, -1: it is not there.
  int of_key(double key) const { return key < 0.0 ? static_cast<int>(-1.0 - key) : rows_.block_of(key); }

  /// Shifts and offsets of all rows at the present configuration := 0.
  void begin();
  double* shift(int block) { return shift_.data() + row_[block]; }
  double* offset(int block) { return offset_.data() + row_[block]; }
  /// All rows of a block in its law, with its shifts, where multipliers are impulses over `dt`: what forces bound counts dt times, 0 in an impact. `adheres`: with the pull of its law.
  HeldRows held(int block, double dt, bool adheres);
  /// The same of a block that pulls across its gap.
  HeldRows held_across(int block, double dt);
  /// What is held has no multiplier beside its offset.
  static void pull_alone(HeldRows& rows);
  /// Whether the first multiplier presses, or what adheres opens no faster than what counts as slow: the forces of redundant contacts are not unique, and one may pull with all its adhesion where all hold.
  static bool bears(const HeldRows& held, double r, double w, double slow) { return r > (held.offset ? held.offset[0] : 0.0) || (held.offset && held.offset[0] < 0.0 && w <= slow); }

  /// Multipliers of a step: of relations into lambda, of contacts between groups their sum into the group's data.
  void clear(State& state, StepReport& report) const;
  /// velocity: at the configuration of the rows; step: [s] over which the force is a mean, 0: of an instant.
  void write(int block, const double* force, const double* velocity, double step, State& state, StepReport& report) const;

 private:
  const Contact& contact(int block) const { return rows_.contacts()[block - rows_.relations()]; }
  const System& system_;
  const RowProblem& rows_;
  std::vector<std::size_t> row_;  // first of each block
  std::vector<double> shift_, offset_;
  LawMemory memory_;
  std::vector<LawRef> contacts_;  // of those between groups, where some law remembers
};

/// The forces of a contact between groups: added to the sums in the data, and recorded if contacts are. pull: what its law's set is shifted by; velocity:
/// at the configuration of the rows.
void give_contact(const System& system, const ContactSet& set, const Contact& c, const double* force, double pull, const double* velocity, double step, State& state, StepReport& report);

/// Contacts of both halves of a step of length h as those of the whole, their forces means over it: those of the second take in those of the first.
void join_contacts(const std::vector<ContactState>& first, double h, std::vector<ContactState>& second);

/// Whether pairs of groups could pass through each other within a step that begins or ends at the configuration of the rows: then the report rejects it.
/// at_begin: the step begins there; those that do not meet on straight ways are left out.
bool could_pass(const System& system, RowProblem& rows, double h, StepReport& report, bool at_begin);
/// What rounding leaves of a way between places of the state [m]: of places alone, a quaternion is no length.
double rounding_of_ways(const System& system, const State& state, double size);
/// Forces of laws where a run begins: those at the end of a step(state, h) a thousandth as long as the first, where it has no impact.
template <class Step>
void forces_at_start(const System& system, State& state, Step&& step) {
  if (state.t() != state.begun() || !(state.h() > 0.0)) return;
  State trial = state;
  const StepReport report = step(trial, 1e-3 * state.h());
  if (report.status != StepStatus::accepted || std::ranges::any_of(report.events, [](const Event& e) { return e.kind == "impact"; })) return;
  std::copy_n(trial.lambda(), system.layout.rows, state.lambda());
  system.contacts.take_forces(trial.data(), state.data());
}

/// A fault where a relation with a set-valued law has rows that a problem of rates cannot hold: it takes gaps, friction and relays on rates, and laws on first-order states.
void refuse_row(const System& system, const RelationEntry& entry, std::string_view scheme, Faults& faults);
/// Which laws with memory a scheme takes.
enum class Memory { none, closed, all };
/// A fault for each law with memory that is not among them; closed: it pulls at closed gaps alone.
void refuse_memory(const System& system, Memory takes, std::string_view scheme, Faults& faults);
/// A fault for each law whose impacts are followed along their impulse.
void refuse_along_impulse(const System& system, std::string_view scheme, Faults& faults);
/// Fills the plan of a scheme for bodies and first-order states that has no options; refuses what the scheme does not take.
void bind_rows(Plan& plan, const Scheme& scheme, std::shared_ptr<const System> system, const SchemeOptions& options, Memory takes);

}  // namespace saltus
