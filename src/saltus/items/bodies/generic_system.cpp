#include "saltus/items/bodies/generic_system.hpp"

#include "saltus/math/dense.hpp"


namespace saltus {

std::string GenericSystem::invalid(int n) const {
  std::string message = sizes::first(sizes::wrong("mass_matrix", mass, n, n), sizes::wrong("stiffness_matrix", stiffness, n, n, true),
                                     sizes::wrong("damping_matrix", damping, n, n, true), sizes::wrong("force", force, n, true));
  if (!message.empty()) return message;
  const auto M = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(mass.values.data(), n, n);
  if ((M - M.transpose()).cwiseAbs().maxCoeff() > 1e-12 * M.cwiseAbs().maxCoeff()) return "mass_matrix is not symmetric";
  if (!dense::positive_definite(M)) return "mass_matrix is not positive definite";
  return {};
}

}  // namespace saltus
