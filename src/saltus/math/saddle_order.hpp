// Elimination order of saddle-point matrices [K H^T; H -D] whose pivots stay clear of zero without regularization.
#pragma once

#include <vector>

#include "saltus/math/csr.hpp"
#include "saltus/math/front_tree.hpp"

namespace saltus {

/// Which unknown is eliminated at each place, and where the parts (a body with its joint, ...) begin: parts + 1 places. Groups: the body
/// and the joints of a part each for themselves, whose rows meet the same others.
struct EliminationOrder {
  std::vector<int> unknown, part_begin;
  CsrPattern groups;           // pattern of the groups, numbered as they are eliminated, without entries (i, i)
  std::vector<int> group_size; // unknowns
  EliminationCost cost;
};

/// Order in which to eliminate the unknowns of a symmetric pattern (lower entries suffice). The last rows - primal unknowns
/// are multipliers (rows of H).
///
/// A multiplier eliminated before the unknowns that its row acts on has the pivot -D, zero or a regularization, and the
/// factor grows by its reciprocal. So unknowns that are in the same rows (a body) form a group, rows on the same groups (a
/// joint) another, and each joint is matched with one of its bodies that has freedoms left, as each link of a chain has its
/// inboard joint; body and joint are eliminated together, the body first, and the pivots of the joint are -H_b K_b^-1 H_b^T
/// or larger. Joints left over close loops: they follow the last of their bodies. Groups are ordered by approximate minimum
/// degree or nested dissection (fill_reducing_order). The matching takes forced choices first (Karp, Sipser 1981).
EliminationOrder saddle_order(const CsrPattern& pattern, int primal);

}  // namespace saltus
