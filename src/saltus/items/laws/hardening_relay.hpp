// A relay whose bounds grow and move with the way of its row: plastic hinge, clutch that wears in, dry friction of a yielding layer.
#pragma once

#include <cmath>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/graph.hpp"

namespace saltus {

/// lambda = low - H p - K s while the row goes up, high + H p - K s while it goes down, anything between while it stands (Prager 1956 with K, isotropic hardening with H;
/// Simo, Hughes 1998): s how far the row has gone since the run began, p the length of that way. It is rigid until it yields. Of the work that it takes, K s^2 / 2 is stored and
/// comes back; the rest, the bound plus H p along the way, is gone. Both are remembered once for each accepted step; within a step
/// the bounds follow its own way, so that statics yield to where the load is borne.
struct HardeningRelay {
  double low = -1.0, high = 1.0, isotropic = 0.0, kinematic = 0.0;

  static constexpr std::string_view name = "hardening_relay";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "A relay on a rate whose bounds grow with the distance covered (isotropic hardening) and shift with the displacement (kinematic hardening): a plastic hinge. Energy: of the work that it takes K s^2 / 2 is stored (s displacement); the bound plus H p along the way is gone (p distance covered).";
  static constexpr auto fields() {
    return std::tuple{field("low", &HardeningRelay::low, "N", "multiplier while the row first goes up, in its force unit"),
                      field("high", &HardeningRelay::high, "N", "multiplier while the row first goes down, in its force unit"),
                      field("isotropic", &HardeningRelay::isotropic, "N/m", "H, growth of both bounds over the distance covered", or_else(at_least(0.0), "what softens has no unique motion; a cohesive law lets go")),
                      field("kinematic", &HardeningRelay::kinematic, "N/m", "K, shift of both bounds over the displacement, against it", or_else(at_least(0.0), "what softens has no unique motion; a cohesive law lets go"))};
  }
  std::string invalid() const { return low < high ? "" : "`low` is not below `high`"; }
  static constexpr const SetType* set = &graph_set;
  static constexpr int rows = 1;
  static constexpr bool force_bounded = true;
  int written() const { return 1; }
  std::vector<double> set_parameters(int) const { return {4.0, -1.0, high, 0.0, high, 0.0, low, 1.0, low}; }

  static constexpr int memory = 3;  // p, s, value of the row
  bool begin(const LawSight& sight, double* memory) const {
    memory[0] = memory[1] = 0.0;
    memory[2] = sight.y ? sight.y[0] : 0.0;
    return true;
  }
  bool remember(const LawSight& sight, double* memory) const {
    const double way = sight.y ? sight.y[0] - memory[2] : sight.since * sight.rate[0];
    memory[0] += std::abs(way), memory[1] += way;
    if (sight.y) memory[2] = sight.y[0];
    return true;
  }
  double now(const LawSight& sight, const double* memory, double* parameters) const {
    constexpr double none[3] = {};
    const double* kept = memory ? memory : none;
    const double way = memory && sight.y ? sight.y[0] - kept[2] : 0.0;
    const double wide = isotropic * (kept[0] + std::abs(way)), moved = -kinematic * (kept[1] + way), slope = (isotropic + kinematic) * sight.step;
    const double up = low - wide + moved, down = high + wide + moved;
    const double corners[] = {4.0, -1.0, down + slope, 0.0, down, 0.0, up, 1.0, up - slope};
    for (int i = 0; i < 9; ++i) parameters[i] = corners[i];
    return 0.0;
  }
};

}  // namespace saltus
