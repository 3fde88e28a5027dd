#include "saltus/items/bodies/generic_system.hpp"

#include <cmath>

#include "saltus/base/value.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {
constexpr double rounding = 1e-12;  // of the largest entry: that far M may be from symmetric

/// Cholesky's factor in the place of the lower triangle; false where a pivot is not positive.
bool positive_definite(double* M, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double sum = M[i * n + j];
      for (int k = 0; k < j; ++k) sum -= M[i * n + k] * M[j * n + k];
      if (i == j && !(sum > 0.0)) return false;
      M[i * n + j] = i == j ? std::sqrt(sum) : sum / M[j * n + j];
    }
  return true;
}

std::string at_coordinates(const CoordinateView<double>& x) {
  std::string text = " at q = (";
  for (int i = 0; i < x.n; ++i) text += (i ? ", " : "") + short_text(x.q[i]);
  return text + ")";
}
}  // namespace

std::string GenericSystem::invalid(int n) const {
  std::string message = sizes::first(sizes::wrong("stiffness_matrix", stiffness, n, n, true), sizes::wrong("damping_matrix", damping, n, n, true),
                                     sizes::wrong("force", force, n, true), sizes::wrong("potential", potential, 1));
  if (mass.outputs() != n * n) {
    const int rows = static_cast<int>(std::lround(std::sqrt(mass.outputs())));
    return "mass_matrix " + (rows * rows == mass.outputs() ? "is " + sizes::text(rows, rows) : "has " + std::to_string(mass.outputs()) + " results") + ", must be " + sizes::text(n, n);
  }
  if (!message.empty() || !constant_mass()) return message;
  CoordinateView<double> anywhere;
  anywhere.n = n;
  return wrong_mass(anywhere);
}

void GenericSystem::mass_matrix(const CoordinateView<double>& x, double* M) const {
  mass(x.q, M, x.data);
  for (int i = 0; i < x.n; ++i)
    for (int j = 0; j < i; ++j) M[i * x.n + j] = M[j * x.n + i] = 0.5 * (M[i * x.n + j] + M[j * x.n + i]);
}

std::string GenericSystem::wrong_mass(const CoordinateView<double>& x) const {
  const int n = x.n;
  const std::string where = x.q ? at_coordinates(x) : "";
  detail::Buffer<double> M(n * n);
  mass(x.q, M.data(), x.data);
  double largest = 0.0;
  for (int i = 0; i < n * n; ++i) {
    if (!std::isfinite(M[i])) return "mass_matrix is not finite" + where + " (entry " + std::to_string(i / n) + ", " + std::to_string(i % n) + ")";
    largest = std::max(largest, std::abs(M[i]));
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (const double a = M[i * n + j], b = M[j * n + i]; std::abs(a - b) > rounding * largest)
        return "mass_matrix is not symmetric" + where + ": entry " + std::to_string(i) + ", " + std::to_string(j) + " is " + short_text(a) + ", entry " + std::to_string(j) + ", " + std::to_string(i) + " is " + short_text(b);
  if (positive_definite(M.data(), n)) return {};
  mass_matrix(x, M.data());
  const auto values = dense::symmetric_eigenvalues(Eigen::Map<const Eigen::MatrixXd>(M.data(), n, n));
  return "mass_matrix is not positive definite" + where + ": its smallest eigenvalue is " + short_text(values.minCoeff());
}

double GenericSystem::potential_energy(const CoordinateView<double>& x) const {
  double energy = 0.0;
  potential(x.q, &energy, x.data);
  for (int r = 0; r < stiffness.rows; ++r)
    for (int c = 0; c < stiffness.cols; ++c) energy += 0.5 * x.q[r] * stiffness(r, c) * x.q[c];
  return energy;
}

}  // namespace saltus
