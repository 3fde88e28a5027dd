#include "saltus/items/circuits/coupled_inductors.hpp"

#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/base/value.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {
dense::Matrix eigen(const Matrix& m) {
  dense::Matrix out(m.rows, m.cols);
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.cols; ++j) out(i, j) = m(i, j);
  return out;
}
}  // namespace

std::string CoupledInductors::invalid(int n) const {
  if (n == 0 || n % 3 != 0) return "`on` has " + std::to_string(n) + " ends; give three a winding: terminal A, terminal B, current_state";
  const int windings = n / 3;
  std::string message = sizes::wrong("inductance", inductance, windings, windings);
  if (message.empty() && !resistance.empty() && count_of(resistance) != windings)
    message = "resistance has " + std::to_string(resistance.size()) + " entries, must have " + std::to_string(windings);
  if (!message.empty()) return message;
  for (int i = 0; i < windings; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(inductance(i, j) - inductance(j, i)) > 1e-12 * std::abs(inductance(i, j)))
        return "inductance is not symmetric: windings " + std::to_string(j) + ", " + std::to_string(i) + " have " + short_text(inductance(j, i)) + " and " + short_text(inductance(i, j)) + " H";
  if (!dense::positive_definite(eigen(inductance)))
    return "inductance is not positive definite: some currents would store no energy; couple by less than 1, or put an ideal_transformer beside an inductor";
  return {};
}

void CoupledInductors::know_ends(int, int n) {
  const int windings = n / 3;
  const dense::Matrix inverse = dense::Lu(eigen(inductance)).solve(dense::Matrix(dense::Matrix::Identity(windings, windings)));
  forces.rows = forces.cols = n;
  forces.values.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < windings; ++i) {
    forces(3 * i, 3 * i + 2) = -1.0, forces(3 * i + 1, 3 * i + 2) = 1.0;
    for (int j = 0; j < windings; ++j) {
      const double share = 0.5 * (inverse(i, j) + inverse(j, i));
      forces(3 * i + 2, 3 * j) = share, forces(3 * i + 2, 3 * j + 1) = -share;
      if (!resistance.empty()) forces(3 * i + 2, 3 * j + 2) = -share * resistance[j];
    }
  }
}

}  // namespace saltus
