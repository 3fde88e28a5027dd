// Which entries of a state belong to which item, and where its frames are: what pictures, exports and programs read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/system/assembly.hpp"

namespace saltus {

/// Consecutive entries of one array of a recorded state that one item has for its own.
struct StatePart {
  std::string item;               // empty: of the system
  std::string part;               // q, v, x, z, lambda, data
  std::string array;              // y, lam, data: that `begin` counts in
  int begin = 0;
  std::vector<std::string> names, units;  // by entry
};
/// All of them, nodes first. Together they are every entry of y but the last (ground), of lambda and of data, once.
std::vector<StatePart> state_parts(const std::shared_ptr<const System>& system);

/// A frame that a user can name.
struct NamedFrame {
  std::string name;
  int marker = 0;
  bool plane = false;  // stays in a plane parallel to x-y
};
/// Those of nodes, in their order, then those of markers.
std::vector<NamedFrame> named_frames(const System& system);
/// Seven numbers: origin (3) [m] and unit quaternion (w, x, y, z), w not negative.
void write_pose(const Frame<double>& frame, double* out);

}  // namespace saltus
