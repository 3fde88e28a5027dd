// Whether a multiplier leaves its set late in a step whose means stay inside it, or jumps in one.
#pragma once

#include "saltus/pool/law.hpp"

namespace saltus {

/// What multipliers of laws did between the ends of two steps.
struct Switched {
  bool jumped = false;  // to a bound, as a relay or dry friction that changes its sign, a diode that blocks; to or from any where the row is passed with speed
  bool held = false;    // a row vanishes that did not
  void add(const Switched& other) { jumped |= other.jumped, held |= other.held; }
};

/// Of the arms of a law's cone that resist rolling and spinning, by its multipliers (rows) before and behind: one that moved comes to a stop, or turns round.
Switched switched_arms(const LawRef& law, int rows, const double* before, const double* behind);

/// Multipliers (rows) [N] of a step by its halves and as a whole; whole null: not known.
struct StepMeans {
  const double *whole, *first, *second;
};

/// A step by two halves knows a multiplier by its means over them, which stand for a quarter and three quarters of the step. Drawn on:
/// the share of the step, 0 to 1/4, that is left when it leaves its law's set (a contact opens, a joint with dry friction
/// or a foot begins to slip); 0 where it stays inside, or was not strictly inside at the first. row: the rows at the end, which a characteristic
/// reads. sticks: a foot that is known
/// not to slip may have all of its friction, as one of four whose forces the motion does not determine.
double late_release(const LawType& law, const double* parameters, int rows, const StepMeans& means, const double* row, bool sticks = false);

/// The largest multiplier of a row that a law bounds by itself [N]; 0: it bounds none.
double largest_force(const LawRef& law, int rows);

/// Means over the halves of a step (rows) drawn on to its end, into the second. false: that of the whole is not the mean of theirs, but the second, which stands at the end.
bool draw_on(int rows, const double* whole, const double* first, double* second);
/// Whether a contact has all the friction that its pressure allows, of its multipliers (rows) less what the law's set is shifted by. Without friction there is none to have.
bool all_friction(const LawRef& law, int rows, const double* multipliers);
/// The force (rows), less what the law's set is shifted by, that is next in the set.
void into_set(const LawRef& law, int rows, double* force);

}  // namespace saltus
