// Bodies that may fall asleep: which unknowns and shapes are theirs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "saltus/base/errors.hpp"

namespace saltus {

class System;

/// One body. In the data of the state: 1 while it is awake, 0 asleep; then since when it has been slow [s], `never`: it is not.
struct Sleeper {
  static constexpr double never = 1e300;

  std::string record, body;
  double speed = 0.0, after = 0.0;
  int data = 0;
  int node = -1;
  int frame = 0;              // marker of its frame
  double reach = 0.0;         // of its shapes about its frame [m]
  std::vector<int> unknowns;  // its velocities

  bool awake(const double* state_data) const { return !state_data || state_data[data] > 0.0; }
};

/// Adds a body; what is wrong with it and what to do, empty if nothing is. After all shapes are there.
std::pair<std::string, std::string> add_sleeper(System& system, Sleeper sleeper);

/// Room in the data for the forces of contacts that sleep. After all sleepers are there.
void place_resting(System& system);

/// When columns are known: unknowns, and data at the start. Faults of items that act on a body that may sleep.
std::vector<Fault> place_sleepers(System& system);

}  // namespace saltus
