#include "saltus/integrate/mean_slip.hpp"

#include <cmath>

#include "saltus/problem/slip_arms.hpp"

namespace saltus::mean_slip {
namespace {

/// Arms of a law's cone; of a cone that names none, that of all rows that slide.
int arms_of(const LawRef& law, SlipArm* arms) {
  const SetType& set = *law.type->set;
  if (const int count = slip_arms(set, law.parameters, arms); count > 0 || set.sliding == 0) return count;
  arms[0] = {.row = {1, 2}, .count = set.sliding};
  return 1;
}

unsigned bits(const SlipArm& arm) {
  unsigned all = 0;
  for (int k = 0; k < arm.count; ++k) all |= 1u << arm.row[k];
  return all;
}
}  // namespace

unsigned rows(const LawRef& law, int rows, const double* u, double least) {
  SlipArm arms[FrictionArm::most];
  if (law.type->by_speed && !law.type->set->halved) return 0;
  const int count = arms_of(law, arms);
  unsigned slip = 0;
  for (const SlipArm* arm = arms; arm < arms + count; ++arm) {
    if ((arm->count < 2 && !law.type->by_speed) || arm->row[arm->count - 1] >= rows) continue;
    double speed = 0.0;
    for (int k = 0; k < arm->count; ++k) speed = std::hypot(speed, u[arm->row[k]]);
    if (speed > least) slip |= bits(*arm);
  }
  return slip;
}

bool goes_on(const LawRef& law, unsigned rows, const double* before, const double* behind, double least) {
  SlipArm arms[FrictionArm::most];
  const int count = rows ? arms_of(law, arms) : 0;
  for (const SlipArm* arm = arms; arm < arms + count; ++arm) {
    if (!(rows & bits(*arm))) continue;
    double mean = 0.0, along = 0.0;
    for (int k = 0; k < arm->count; ++k) {
      const int r = arm->row[k];
      mean = std::hypot(mean, before[r] + behind[r]), along += before[r] * behind[r];
    }
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
