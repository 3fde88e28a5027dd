// What the parts of Moreau's step share, and what never changes of a system.
#pragma once

#include <vector>

#include "saltus/integrate/moreau_plan.hpp"
#include "saltus/system/affine.hpp"
#include "saltus/system/assembly.hpp"
#include "saltus/system/law_memory.hpp"

namespace saltus {

struct MoreauModel {
  explicit MoreauModel(const MoreauPlan& plan);

  const MoreauPlan& plan;
  const System& system;
  Assembly assembly;
  AffineSystem affine_system;
  LawMemory laws;
  bool constant_mass = false, constant_matrix = false, varies_in_time = false;
  bool affine = false;      // all items are, at all times, and no contacts between groups: one linear problem a step
  bool by_position = false; // or all are while switches stay as they are
  bool value_rows = false;  // some row is one in values, or its rate is not H v
  std::vector<const double*> direction;  // by entry, Assembly::direction
  std::vector<int> block_begin;          // by entry: of its rows x unique columns
  int block_size = 0;                    // of all entries

  /// The directions of an entry, as its items gave them last, over its unique columns: in `out` at block_begin.
  void spread_direction(std::size_t entry, double* out) const;
  /// Values of all rows at a configuration.
  void values(double t, const double* y, const double* data, double* out);
};

}  // namespace saltus
