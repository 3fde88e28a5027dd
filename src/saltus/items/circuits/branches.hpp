// What elements of circuits have in common: branches and names of ends.
#pragma once

#include <array>

#include "saltus/items/entry.hpp"

namespace saltus {

/// Between the first two ends, A and B.
constexpr std::array<BranchInfo, 1> one_branch(BranchKind kind, int state = -1) { return {{{kind, 0, 1, state}}}; }
/// Between A and B, and between C and D.
constexpr std::array<BranchInfo, 2> two_branches() { return {{{BranchKind::any, 0, 1, -1}, {BranchKind::any, 2, 3, -1}}}; }

inline constexpr PortInfo leaves_at_A{"A", "coordinate", true, false, "terminal, current leaves it into the element"};
inline constexpr PortInfo enters_at_B{"B", "coordinate", true, false, "terminal, current enters it"};
inline constexpr PortInfo anode_A{"A", "coordinate", true, false, "anode: terminal, current leaves it into the element"};
inline constexpr PortInfo cathode_B{"B", "coordinate", true, false, "cathode: terminal, current enters it"};
inline constexpr PortInfo own_current{"current_of", "coordinate", true, false, "its source_current"};

}  // namespace saltus
