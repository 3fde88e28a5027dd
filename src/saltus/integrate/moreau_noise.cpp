#include "saltus/integrate/moreau_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

double StepNoise::energy_left(double& size) const {
  double left = 0.0;
  size = 0.0;
  const auto inertia = [&](int i) { return std::abs(problem_.A[system_.diagonal_slot[i]]); };
  for (int i = 0; i < system_.layout.nv; ++i)
    if (const double m = inertia(i); m > 0.0) left = std::max(left, end_.residual[i] * end_.residual[i] / m), size = std::max(size, end_.term[i] * end_.term[i] / m);
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (p.level != Level::rate) continue;
    for (int r = 0; r < e.rows; ++r) {
      double compliance = 0.0;  // of the row
      for (int c = 0; c < p.columns; ++c)
        if (const int dof = plan_.columns[p.column_begin + c]; dof < system_.layout.nv && inertia(dof) > 0.0) compliance += std::pow(problem_.C[block_begin_[i] + r * p.columns + c], 2) / inertia(dof);
      const double open = end_.w[e.row + r] + before_.bias[e.row + r] - (p.equality ? 0.0 : solution_.w[e.row + r]);
      if (compliance > 0.0) left = std::max(left, open * open / compliance);
    }
  }
  size = std::sqrt(size);
  return std::sqrt(left);
}

void StepNoise::find(const Residuals& left, double& before) {
  constexpr double digits = 10.0 * std::numeric_limits<double>::epsilon();
  const int nv = system_.layout.nv;
  const auto inertia = [&](int i) { return std::abs(problem_.A[system_.diagonal_slot[i]]); };
  // Laws that hold exactly, in modes, leave what the solution does.
  const bool laws = !contacts_.empty() || std::any_of(rows_.entries.begin(), rows_.entries.end(), [&](int i) { return !plan_.entries[i].equality; });
  const double laws_left = !laws ? 0.0 : solution_.in_modes ? left.laws : 10.0 * solution_.velocity_residual;
  double size = 0.0, open = energy_left(size);
  open += std::max(laws_left, digits) * size;
  std::swap(before, open);
  open = std::max(before, open);
  for (int i = 0; i < nv; ++i) noise_[i] = inertia(i) > 0.0 ? open / std::sqrt(inertia(i)) : digits * std::max(std::abs(solution_.xi[i]), std::abs(before_.xi[i]));
  for (int i = nv; i < nv + system_.layout.nx; ++i) {
    const double m = inertia(i), terms = m > 0.0 ? end_.term[i] / m : 0.0;
    noise_[i] = std::max({left.equations, left.constraints, laws_left, digits}) * std::max({std::abs(solution_.xi[i]), std::abs(before_.xi[i]), terms});
  }
}

}  // namespace saltus
