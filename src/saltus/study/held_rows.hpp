// Which rows hold near a state: equalities, and what a set-valued law holds where its multiplier is inside its set.
#pragma once

#include <string>
#include <vector>

#include "saltus/integrate/accelerations_mass.hpp"

namespace saltus {

/// A row that is an equation near the state.
struct HeldRow {
  int row = 0;    // of the system; of a contact between groups its number
  int entry = 0;  // relation; -1: a contact between groups
  RowForm form = RowForm::second;
};

struct EquationRows {
  std::vector<HeldRow> rows;
  std::vector<std::string> closed, open;  // relations with a set-valued law: held, left out
};

/// Equalities are held. A unilateral row is held where its multiplier is above 1e-9 of the largest one and left out where it is
/// not; the tangential rows of a contact that sticks are held at rate level; a relay inside its bounds is held at its level.
/// Throws ModelError for a contact that slides (its friction follows the normal force and the direction of sliding, which no
/// fixed row says) and for relations that mix configuration and first-order states.
/// v: rates of the system's rows are taken from y. lambda: multipliers of all rows.
EquationRows held_rows(const System& system, Assembly& assembly, double t, const double* y, const double* lambda, const double* data);

}  // namespace saltus
