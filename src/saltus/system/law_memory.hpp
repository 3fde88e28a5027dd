// Laws with memory: what relations and contacts between groups remember of accepted states, and what their laws are by it.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "saltus/system/assembly.hpp"
#include "saltus/system/contacts.hpp"

namespace saltus {

/// The numbers stand in the history block (history.hpp), from System::law_history on: whether a run began, how many contacts remember, the numbers
/// of each relation, then (identity, numbers) of each such contact. A contact remembers from the start of a run on, until its law says that it ends.
class LawMemory {
 public:
  explicit LawMemory(const System& system);

  /// Of a system whose relations and groups are complete; 0: no law remembers.
  static int size(const System& system);

  bool empty() const { return empty_; }
  bool of_contacts() const { return reach_ >= 0.0; }
  /// Widest gap of a contact that may remember.
  double reach() const { return reach_; }

  /// What is remembered at the start of a run, where it has not begun; block: the history block. Throws ModelError where there are too many contacts.
  void begin(Assembly& assembly, double* block);
  /// After an accepted step, at the assembly's configuration with its multipliers.
  void remember(Assembly& assembly, double* block);

  /// The time from what the data remember to t.
  double since(double t, const double* data) const;
  /// What the law of a relation is in a step that begins with these data.
  void see(int entry, LawSight sight, const double* data);
  const LawRef& relation(int entry) const { return now_.empty() ? system_.relation_entries[entry].law : now_[entry]; }
  /// Whether the state of a law on a value is another one where its row stands at y than the data remember: it switches.
  bool switches(int entry, double y, const double* data) const;
  bool remembers(int entry) const { return system_.relation_entries[entry].law.type->memory > 0; }
  /// The same of a contact, whose set reads what it read at compile time: its pull alone changes.
  LawRef contact(const Contact& contact, LawSight sight, const double* data);

 private:
  static constexpr int head = 2;
  static int relation_numbers(const System& system);
  static int entry_size(const System& system);
  static int capacity(const System& system);
  void rows(Assembly& assembly);
  void find_order();
  LawSight sight_of(const RelationEntry& e, const Kinematics& k) const;
  const double* known(const double* table, double identity) const;

  const System& system_;
  bool empty_ = true;
  double reach_ = -1.0;
  int entry_ = 0, contacts_ = 0;       // numbers of a contact; where they begin behind the head
  std::vector<int> place_;             // by relation: its numbers, -1: none
  std::vector<LawRef> now_;            // by relation
  std::vector<std::array<double, LawType::most_parameters>> parameters_;  // by relation that remembers, in their order
  std::vector<int> number_;            // by relation: in parameters_
  ContactSet set_;
  std::vector<std::pair<double, int>> order_;
  std::vector<double> y_, time_rate_, rate_;
};

}  // namespace saltus
