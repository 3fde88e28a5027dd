#include "saltus/integrate/mean_slip.hpp"

#include <bit>
#include <cmath>

#include "saltus/problem/slip_arms.hpp"

namespace saltus::mean_slip {
namespace {

constexpr int most_rows = 7;  // a bit each

/// Rows, as bits, that slip together: of each arm of a law's cone; of a cone that names none, those that slide; of a convex set all.
int together(const LawRef& law, int rows, unsigned* slips) {
  const SetType& set = *law.type->set;
  if (bounds_forces_together(law, rows)) return slips[0] = (1u << rows) - 1u, 1;
  SlipArm arms[FrictionArm::most];
  const int count = slip_arms(set, law.parameters, arms);
  for (int i = 0; i < count; ++i) {
    slips[i] = 0;
    for (int k = 0; k < arms[i].count; ++k) slips[i] |= 1u << arms[i].row[k];
  }
  if (count > 0 || set.sliding == 0) return count;
  return slips[0] = (1u << (set.sliding + 1)) - 2u, 1;
}
}  // namespace

bool bounds_forces_together(const LawRef& law, int rows) {
  const LawType& type = *law.type;
  return type.force_bounded && !type.unilateral && !type.set->bounds && !type.set->standing && rows > 1 && rows <= most_rows;
}

unsigned rows(const LawRef& law, int rows, const double* u, double least) {
  unsigned slips[FrictionArm::most], slip = 0;
  if (law.type->by_speed && !law.type->set->halved) return 0;
  const int count = together(law, rows, slips);
  for (int i = 0; i < count; ++i) {
    if ((std::has_single_bit(slips[i]) && !law.type->by_speed) || slips[i] >> rows != 0) continue;
    double speed = 0.0;
    for (int r = 0; r < rows; ++r)
      if (slips[i] >> r & 1) speed = std::hypot(speed, u[r]);
    if (speed > least) slip |= slips[i];
  }
  return slip;
}

bool goes_on(const LawRef& law, int count, unsigned rows, const double* before, const double* behind, double least) {
  unsigned slips[FrictionArm::most];
  const int all = rows ? together(law, count, slips) : 0;
  for (int i = 0; i < all; ++i) {
    if (!(rows & slips[i])) continue;
    double mean = 0.0, along = 0.0;
    for (int r = 0; r < count; ++r)
      if (slips[i] >> r & 1) mean = std::hypot(mean, before[r] + behind[r]), along += before[r] * behind[r];
    if (!(mean > least && along > 0.0)) return false;
  }
  return true;
}

std::vector<double> parameters(const LawRef& law) {
  const SetType& set = *law.type->set;
  if (!law.type->by_speed || !set.halved) return {};
  std::vector<double> out(LawType::most_parameters);
  set.halved(law.parameters, out.data());
  return out;
}

}  // namespace saltus::mean_slip
