#include "saltus/integrate/hold_of.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {
constexpr double small = 1e-9;  // of the force along the normal: a probe
constexpr double dependent = 1e-9;  // what a combination of rows leaves of another, over its size
}  // namespace

Hold hold_of(const LawRef& law, int r, const std::vector<double>& force) {
  const SetType& set = *law.type->set;
  std::vector<double> point(force), none(force.size()), nearest(force.size());
  const auto moved = [&](double by) {
    point[at(r)] = force[at(r)] + by;
    set.prox(law.parameters, count_of(force), point.data(), none.data(), 0.0, 1.0, nearest.data());
    return std::abs(nearest[at(r)] - point[at(r)]);
  };
  const double probe = 10.0 * small * force[0];
  if (std::max(moved(probe), moved(-probe)) <= 0.1 * probe) return Hold::holds;
  moved(1e3 * force[0]);
  return nearest[at(r)] == 0.0 ? Hold::free : Hold::slides;
}

bool holds_friction(const LawType& law, const double* parameters, std::span<const double> force, double within) {
  std::vector<double> none(force.size()), nearest(force.size());
  law.set->prox(parameters, count_of(force), force.data(), none.data(), 0.0, 1.0, nearest.data());
  for (std::size_t k = 1; k < force.size(); ++k)
    if (std::abs(nearest[k] - force[k]) > within) return false;
  return true;
}

std::vector<double> least_strain(std::span<const double> rows, std::span<const double> share) {
  if (share.empty()) return {};
  const auto count = static_cast<Eigen::Index>(share.size());
  const dense::Matrix A = Eigen::Map<const dense::Matrix>(rows.data(), static_cast<Eigen::Index>(rows.size()) / count, count);
  const dense::Vector given = Eigen::Map<const dense::Vector>(share.data(), count), carried = A * given, least = dense::least_norm(A, carried, dependent).col(0);
  if (!((A * least - carried).norm() <= dependent * A.norm() * given.norm())) return {};
  return {least.data(), least.data() + count};
}

}  // namespace saltus
