#include "saltus/items/bodies/rigid_body.hpp"

#include <Eigen/Eigenvalues>

#include "saltus/base/value.hpp"

namespace saltus {

std::string RigidBody::invalid() const {
  Eigen::Matrix3d J;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J(i, j) = inertia(i, j);
  const double small = 1e-9 * J.cwiseAbs().maxCoeff();
  if ((J - J.transpose()).cwiseAbs().maxCoeff() > small) return "inertia is not symmetric";
  const Eigen::Vector3d principal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  const auto text = [&](int i) { return number_text(std::abs(principal[i]) < small ? 0.0 : principal[i]); };
  const std::string moments = "principal moments of inertia " + text(0) + ", " + text(1) + ", " + text(2) + " kg m^2";
  if (principal[0] < -small) return moments + ": none may be negative";
  if (principal[2] > principal[0] + principal[1] + small)
    return moments + ": no body has one larger than the sum of the others; give them about the centre of mass, in body axes";
  return {};
}

}  // namespace saltus
