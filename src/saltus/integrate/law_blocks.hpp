// The blocks of a RowProblem with their laws, for schemes that take a law in one problem at an instant.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/row_problem.hpp"
#include "saltus/integrate/scheme.hpp"

namespace saltus {

class LawBlocks {
 public:
  LawBlocks(const System& system, const RowProblem& rows) : system_(system), rows_(rows) {}
  int size() const { return rows_.relations() + static_cast<int>(rows_.contacts().size()); }
  bool in_group(int block) const { return block >= rows_.relations(); }
  const LawRef& law(int block) const { return in_group(block) ? system_.contacts.law(contact(block)) : system_.relation_entries[block].law; }
  const std::string& name(int block) const { return in_group(block) ? system_.contacts.groups[contact(block).group].name : system_.relation_entries[block].name; }
  /// The same block from one configuration to the next: contacts between groups by their identity.
  double key(int block) const { return in_group(block) ? contact(block).identity() : -1.0 - block; }
  /// The block of a key here, -1: it is not there.
  int of_key(double key) const { return key < 0.0 ? static_cast<int>(-1.0 - key) : rows_.block_of(key); }

  /// Multipliers of a step: of relations into lambda, of contacts between groups their sum into the group's data.
  void clear(State& state, StepReport& report) const;
  /// velocity: at the configuration of the rows; step: [s] over which the force is a mean, 0: of an instant.
  void write(int block, const double* force, const double* velocity, double step, State& state, StepReport& report) const;

 private:
  const Contact& contact(int block) const { return rows_.contacts()[block - rows_.relations()]; }
  const System& system_;
  const RowProblem& rows_;
};

/// The forces of a contact between groups: added to the sums in the data, and told if contacts are. pull: what its law's set is shifted by; velocity:
/// at the configuration of the rows.
void give_contact(const System& system, const ContactSet& set, const Contact& c, const double* force, double pull, const double* velocity, double step, State& state, StepReport& report);

/// What such a scheme takes: equalities of bodies, and laws of one phase on gaps and rates of bodies. A fault for each row that it does not,
/// with a scheme that does; the levels of rows.
std::vector<Level> rows_at_once(const System& system, std::string_view scheme, Faults& faults);
/// Fills the plan of such a scheme, which has a fixed step and no options; refuses what the scheme does not take.
void bind_at_once(Plan& plan, const Scheme& scheme, std::shared_ptr<const System> system, const SchemeOptions& options);

}  // namespace saltus
