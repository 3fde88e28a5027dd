// What the parts of Moreau's step hand each other: the rows that are in it, what is known before it, its linear problem, a solution of
// that, and what the items say there.
#pragma once

#include <string>
#include <vector>

namespace saltus {

/// Which relations are in a step.
struct ActiveRows {
  std::vector<int> entries;    // in the step, ascending
  std::vector<int> row;        // by entry: the first of its rows among those of the problem, -1: not in the step
  int count = 0;               // rows of the problem
  std::vector<int> touched;    // entries in the step, and those that the last step left something of
  std::vector<char> closed;    // by entry: a contact that carried in the last step and is closed still
  std::vector<char> slides;    // by entry: rows, as bits, whose friction acts against the mean slip of the step (mean_slip)
  std::vector<char> across;    // by entry: its law pulls across its gap, which is open
  bool rates_alone = false;    // algebraic unknowns stay: their equations need rows that are not in this problem
  std::vector<char> at_end;    // by entry: its rate row holds in the end configuration
};

/// What is known before the step is solved.
struct StepBefore {
  std::vector<double> xi, forces;               // v, x, z; their forces
  std::vector<double> values, rate, time_rate;  // of the rows; time_rate: at mid step
  std::vector<double> mass;                     // at mid step, slots of the system's matrix
  std::vector<double> directions;               // at mid step, by entry from MoreauModel::block_begin on: rows x unique columns
  std::vector<double> u_minus, reach, bias;     // by row: its rate by the directions of mid step, how far velocities and forces could move it, of its law
};

/// The linear problem of a step in its total unknowns: A xi = p0 + G mu, w = C xi + D mu + b, (mu, w) in the laws of the rows.
struct MoreauProblem {
  std::vector<double> A;        // slots of the system's matrix
  std::vector<double> C, G;     // by entry from MoreauModel::block_begin on: rows x unique columns, columns x rows
  std::vector<double> D;        // by entry from RelationEntry::square_begin on
  std::vector<double> p0, b;    // by unknown; by row of the problem
  double set_scale = 1.0;       // of force-bounded sets where the multiplier is an impulse: the step
  long matrices = 0;            // of an affine system: A, C, G and D of one number are the same
  bool diagonal = false;        // of an affine system: A is, `inverse` its inverse
  std::vector<double> inverse;
};

struct MoreauSolution {
  std::vector<double> xi, mu, w;    // unknowns; multipliers and rows, by row of the system
  bool in_modes = false;            // each row holds, or its multiplier sits at a bound, exactly
  double laws = 0.0;                // residual of the laws over the sizes of their terms
  double velocity_residual = 0.0;   // of a solver's natural map
  bool loose = false;               // within what is acceptable, not within the solver's tolerance
  std::string cause;                // why there is none
  bool contradicts = false;         // it is proved that there is none
};

/// What the items say at the end of the step.
struct StepEnd {
  std::vector<double> residual, term;         // of the equations, by unknown; largest term
  std::vector<double> w, magnitude, scale;    // rows without their bias; size of their terms, and with what the step's forces could do to them
};

}  // namespace saltus
