// Bodies that come and go in a run: which unknowns, shapes and energies are theirs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "saltus/base/errors.hpp"
#include "saltus/math/function.hpp"

namespace saltus {

class System;
struct Kinematics;

/// One body, or several that come and go together. Whether it is there is a number in the data of the state.
struct BodyPresence {
  static constexpr double there = 1.0, away = 0.0, gone = -1.0;  // the last: for good

  std::string record, body;
  double begin = 0.0, end = 0.0;  // [s]; end 0: never
  Function present{1.0};          // of t: above 0 it is there
  Function inside{1.0};           // of x, y, z: where it is not above 0 at a frame, the body goes for good
  int data = 0;
  std::vector<int> nodes;
  std::vector<int> frames;        // markers of their frames
  std::vector<int> unknowns;      // their velocities, ascending
  std::vector<double> velocities; // with which it comes
  std::vector<std::pair<int, int>> places;          // first entry and number of its coordinates in q
  std::vector<std::pair<int, int>> objects, forces; // pools and items whose energies are its own

  bool is_there(const double* state_data) const { return !state_data || state_data[data] > 0.0; }
  /// By time and by what the data hold, wherever it is.
  bool wanted(double t, const double* state_data) const;
  static double slack(double t);
  /// Whether a frame of it is outside of the region.
  bool left(const Kinematics& k, const double* state_data) const;
};

/// Adds one of these bodies, which come and go together; what is wrong with it and what to do, empty if nothing is. shapes: after all are there.
std::pair<std::string, std::string> add_presence(System& system, BodyPresence presence, const std::vector<std::string>& bodies);

/// When columns are known: the unknowns of each presence, its data and velocities at the start. Faults of items that join what comes and goes to what does not.
std::vector<Fault> place_presences(System& system);

}  // namespace saltus
