#include "saltus/items/bodies/rigid_body.hpp"


#include <cstdio>

#include "saltus/base/value.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {

namespace {
constexpr double rounding = 1e-9;

struct Principal {
  Eigen::Vector3d moment;  // rising
  double small;            // rounding of the largest entry
  bool symmetric;

  explicit Principal(const Mat3<double>& inertia) {
    Eigen::Matrix3d J;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J(i, j) = inertia(i, j);
    small = rounding * J.cwiseAbs().maxCoeff();
    symmetric = (J - J.transpose()).cwiseAbs().maxCoeff() <= small;
    moment = dense::symmetric_eigenvalues(J);
  }
  /// By how much the largest is above the sum of the others.
  double excess() const { return moment[2] - moment[0] - moment[1]; }
  std::string text() const {
    const auto one = [&](int i) { return number_text(std::abs(moment[i]) < small ? 0.0 : moment[i]); };
    return "principal moments of inertia " + one(0) + ", " + one(1) + ", " + one(2) + " kg m^2";
  }
};
}  // namespace

std::string RigidBody::invalid() const {
  const Principal p(inertia);
  if (!p.symmetric) return "inertia is not symmetric";
  if (p.moment[0] < -p.small) return p.text() + ": none may be negative";
  if (p.excess() > rounding * p.moment[2])
    return p.text() + ": no body has one larger than the sum of the others; give them about the centre of mass, in body axes";
  return {};
}

std::string RigidBody::rounded() const {
  const Principal p(inertia);
  if (!(p.excess() > p.small)) return {};
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.2g", 100.0 * p.excess() / p.moment[2]);
  return p.text() + ": the largest is above the sum of the others by " + percent + " %, taken as rounded";
}

}  // namespace saltus
