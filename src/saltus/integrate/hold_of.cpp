#include "saltus/integrate/hold_of.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {
constexpr double small = 1e-9;  // of the force along the normal: a probe
}  // namespace

Hold hold_of(const LawRef& law, int r, const std::vector<double>& force) {
  const SetType& set = *law.type->set;
  std::vector<double> point(force), none(force.size()), nearest(force.size());
  const auto moved = [&](double by) {
    point[at(r)] = force[at(r)] + by;
    set.prox(law.parameters, static_cast<int>(force.size()), point.data(), none.data(), 0.0, 1.0, nearest.data());
    return std::abs(nearest[at(r)] - point[at(r)]);
  };
  const double probe = 10.0 * small * force[0];
  if (std::max(moved(probe), moved(-probe)) <= 0.1 * probe) return Hold::holds;
  moved(1e3 * force[0]);
  return nearest[at(r)] == 0.0 ? Hold::free : Hold::slides;
}

}  // namespace saltus
