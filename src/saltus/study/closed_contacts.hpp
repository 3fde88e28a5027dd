// Contacts between groups that carry at a state, as rows of its linear equations.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/integrate/contact_stiffness.hpp"

namespace saltus {

/// A row that a contact holds: the gap, or a direction in which it sticks.
struct ContactRow {
  std::string group;
  bool gap = true;
  std::vector<int> columns;
  std::vector<double> H;  // by column
};

struct ClosedContacts {
  std::vector<ContactRow> rows;
  std::vector<std::string> groups;        // names, each once
  std::vector<double> forces;             // H^T r by unknown
  std::vector<StiffnessEntry> stiffness;  // what they add where surfaces are curved
};

/// Of the wrenches of a recorded state those that press, and gaps beside them that touch. Throws ModelError for a contact that slides, or has the bound of its friction, for one that presses while the state moves, for one that is not found
/// again, and where points are others at the least motion of bodies that may move on each other.
ClosedContacts closed_contacts(const System& system, double t, const double* y, const double* data, std::span<const ContactWrench> wrenches);

}  // namespace saltus
