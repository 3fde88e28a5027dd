#include "saltus/integrate/moreau_projection.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

PositionProjection::PositionProjection(MoreauModel& model, const RowStatuses& statuses) : plan_(model.plan), system_(model.system), model_(model), statuses_(statuses) {
  const MoreauSaddle& s = plan_.positions;
  values_.resize(system_.layout.rows);
  if (s.rows == 0) return;
  mass_.resize(system_.pattern.nonzeros());
  saddle_.resize(s.pattern.nonzeros());
  for (auto* x : {&rhs_, &x_}) x->resize(s.pattern.rows);
  solver_.analyze(MatrixKind::symmetric_quasidefinite, s.pattern, s.rows);
}

double PositionProjection::violation(double t, const double* y, const double* data, bool joints_only) {
  model_.values(t, y, data, values_.data());
  double worst = 0.0;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const MoreauEntry& p = plan_.entries[i];
    const int row = system_.relation_entries[i].row;
    if (p.projected < 0) continue;
    if (p.gap && (joints_only || !statuses_.rests(i))) continue;
    for (int r = 0; r < p.projected_rows; ++r) worst = std::max(worst, std::abs(values_[row + r]));
  }
  return worst;
}

/// The saddle of the projection and its right side at the configuration of the assembly.
void PositionProjection::fill(bool joints_only) {
  const MoreauSaddle& s = plan_.positions;
  std::fill(saddle_.begin(), saddle_.end(), 0.0);
  std::fill(rhs_.begin(), rhs_.end(), 0.0);
  for (std::size_t k = 0; k < mass_.size(); ++k)
    if (s.system_slot[k] >= 0) saddle_[s.system_slot[k]] = mass_[k];
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const MoreauEntry& p = plan_.entries[i];
    if (p.projected < 0) continue;
    const RelationEntry& e = system_.relation_entries[i];
    const double* H = model_.assembly.direction(e);
    const bool in = !p.gap || (!joints_only && statuses_.rests(i));
    for (int r = 0; r < p.projected_rows; ++r) {
      if (!in) {
        saddle_[s.D_slot[s.D_begin[i] + r * p.projected_rows + r]] = -1.0;
        continue;
      }
      rhs_[system_.layout.nv + p.projected + r] = -values_[e.row + r];
      for (int c = 0; c < e.columns; ++c) {
        const int slot = s.C_slot[s.C_begin[i] + r * p.columns + plan_.place[plan_.entries[i].place_begin + c]];
        if (slot >= 0) saddle_[slot] += H[r * e.columns + c];
      }
    }
  }
}

double PositionProjection::project(double t, double* y, const double* data, bool joints_only, const std::vector<double>* metric) {
  const MoreauSaddle& s = plan_.positions;
  const double enough = 1e-13 * system_.length_scale;
  double left = 0.0;
  for (int pass = 0;; ++pass) {
    const double before = left;
    left = violation(t, y, data, joints_only);
    if (s.rows == 0 || left <= enough || pass == 8 || (pass > 1 && left > 0.5 * before)) return left;
    if (model_.affine) model_.assembly.update(t, y, nullptr, nullptr);
    if (metric) mass_ = *metric;
    else model_.assembly.mass(1.0, 1.0, mass_.data());
    model_.assembly.input_blocks();
    fill(joints_only);
    if (solver_.factorize(saddle_).status != FactorStatus::ok) return left;
    const LinearReport solved = solver_.solve(rhs_, x_);
    if (!std::isfinite(solved.residual)) return left;
    system_.map.retract(y, x_.data());
  }
}

}  // namespace saltus
