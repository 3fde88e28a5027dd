// Whether gaps closed and opened within a step, at both ends of which they are open.
#pragma once

#include <vector>

#include "saltus/integrate/group_passes.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/integrate/row_problem.hpp"

namespace saltus {

/// Gaps of relations by the tangents at both ends, those of bodies of groups along the way (GroupPasses).
class GapPasses {
 public:
  explicit GapPasses(const System& system) : system_(system), rows_(system), blocks_(system, rows_), groups_(system) {}
  /// No velocity jumps between the two states. unseen: an overlap that is none [m].
  bool passed(const State& before, const State& after, double unseen);
  /// The deepest overlap at the end of a gap of a relation that was open before, over what the motion along it comes by `range` (one a velocity).
  double sunk(const State& before, const State& after, std::span<const double> range);

 private:
  void look_at(const State& before);
  const System& system_;
  RowProblem rows_;
  LawBlocks blocks_;
  GroupPasses groups_;
  std::vector<double> first_, row_;  // values and rates where the step begins; a row
};

}  // namespace saltus
