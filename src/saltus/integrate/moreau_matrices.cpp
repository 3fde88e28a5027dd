#include "saltus/integrate/moreau_matrices.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

namespace saltus {

StepMatrices::StepMatrices(MoreauModel& model, const ActiveRows& rows, const StepBefore& before, MoreauProblem& problem)
    : plan_(model.plan), system_(model.system), model_(model), rows_(rows), before_(before), problem_(problem) {
  for (auto* x : {&jacobian_, &problem.A}) x->resize(system_.pattern.nonzeros());
  const bool forces = std::any_of(plan_.entries.begin(), plan_.entries.end(), [](const MoreauEntry& p) { return !p.impulse; });
  input_matrix_.resize(forces ? system_.pattern.nonzeros() : 0);
  for (auto* x : {&problem.C, &problem.G}) x->resize(at(model.block_size));
  problem.D.resize(system_.square_count);
  if (model.affine) problem.inverse.resize(system_.layout.unknowns());
  made_.rows.assign(plan_.entries.size(), 0);
}

void StepMatrices::take_mass() {
  problem_.A = before_.mass;
  made_.h = -1.0, ++problem_.matrices;
}

/// A, C and G of the linear problem at the iterate.
void StepMatrices::update(double h, double theta) {
  bool forces = false, own_D = false;
  for (const int i : rows_.entries) {
    const MoreauEntry& p = plan_.entries[i];
    forces |= !p.impulse;
    own_D |= p.level == Level::value;
  }
  if (!(model_.affine && made_.h == h && made_.theta == theta && made_.forces == forces)) {
    system_matrix(h, theta, forces);
    made_.h = h, made_.theta = theta, made_.forces = forces;
    std::fill(made_.rows.begin(), made_.rows.end(), char{0});
    ++problem_.matrices;
    if (own_D) {
      RowSink sink;
      sink.D = problem_.D.data();
      model_.assembly.relations(sink);
    }
    if (model_.affine) find_diagonal();
  }
  for (const int i : rows_.entries) {
    if (model_.affine && made_.rows[i]) continue;
    made_.rows[i] = 1;
    update_rows(at(i), h, theta);
  }
}

/// A = M + h theta times the derivatives of forces and inputs; algebraic rows without h.
void StepMatrices::system_matrix(double h, double theta, bool inputs) {
  const Layout& l = system_.layout;
  const int ode = l.nv + l.nx;
  Seeds seeds;
  seeds.value[0] = h * theta;
  seeds.rate[0] = 1.0;
  if (!model_.constant_matrix || seed_ != h * theta) {
    std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
    model_.assembly.add_force_matrix(seeds, jacobian_.data());
    seed_ = h * theta;
  }
  if (inputs) {
    std::fill(input_matrix_.begin(), input_matrix_.end(), 0.0);
    model_.assembly.add_input_matrix(seeds, 1.0, input_matrix_.data());
  }
  for (std::size_t k = 0; k < problem_.A.size(); ++k) {
    const bool algebraic = plan_.row_of_slot[k] >= ode;
    problem_.A[k] = before_.mass[k] + (algebraic ? 1.0 : h * theta) * jacobian_[k] + (inputs ? (algebraic ? 1.0 : h) * input_matrix_[k] : 0.0);
  }
  for (int i = ode; rows_.rates_alone && i < l.unknowns(); ++i) {
    for (int k = system_.pattern.begin[i]; k < system_.pattern.begin[i + 1]; ++k) problem_.A[k] = 0.0;
    problem_.A[system_.diagonal_slot[i]] = 1.0;
  }
  if (!plan_.may_be_symmetric) return;
  // Newton with the symmetric part: what is left out (gyroscopic, order h) costs iterations, not accuracy.
  for (std::size_t k = 0; k < problem_.A.size(); ++k) {
    const std::size_t other = at(plan_.transposed_slot[k]);
    if (other > k) problem_.A[k] = problem_.A[other] = 0.5 * (problem_.A[k] + problem_.A[other]);
  }
}

/// C (rows x columns) and G (columns x rows) of an active entry.
void StepMatrices::update_rows(std::size_t i, double h, double theta) {
  const Layout& l = system_.layout;
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  const int n = p.columns, m = e.rows, ode = l.nv + l.nx;
  double *C = problem_.C.data() + model_.block_begin[i], *G = problem_.G.data() + model_.block_begin[i];
  const double *frozen = before_.directions.data() + model_.block_begin[i], *H = model_.assembly.H().data() + e.value_begin,
               *H_v = model_.assembly.rate_H().data() + e.value_begin, *direction = model_.direction[i];
  std::fill(C, C + m * n, 0.0);
  std::fill(G, G + m * n, 0.0);
  const auto weight = [&](int dof) { return p.impulse ? (dof < ode ? 1.0 : (h > 0.0 ? 1.0 / h : 0.0)) : (dof < ode ? h : 1.0); };
  if (p.impulse)
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < m; ++r) G[c * m + r] = weight(plan_.columns[p.column_begin + c]) * frozen[r * n + c];
  for (int c = 0; c < e.columns; ++c) {
    const int k = plan_.place[p.place_begin + c], dof = plan_.columns[p.column_begin + k];
    for (int r = 0; r < m; ++r) {
      if (p.level == Level::value)
        C[r * n + k] += dof < l.nv ? h * theta * H[r * e.columns + c] + H_v[r * e.columns + c] : H[r * e.columns + c];
      if (!p.impulse)
        G[k * m + r] += weight(dof) * (p.has_input ? model_.assembly.B()[e.value_begin + c * m + r] : direction[r * e.columns + c]);
    }
  }
  if (p.level == Level::rate)
    for (int r = 0; r < m; ++r)
      for (int c = 0; c < n; ++c)
        if (plan_.columns[p.column_begin + c] < l.nv) C[r * n + c] = frozen[r * n + c];
}

/// Whether A is diagonal: then the free motion is a product.
void StepMatrices::find_diagonal() {
  const int n = system_.layout.unknowns();
  problem_.diagonal = true;
  for (std::size_t k = 0; k < problem_.A.size(); ++k) problem_.diagonal &= problem_.A[k] == 0.0 || plan_.row_of_slot[k] == system_.pattern.column[k];
  for (int i = 0; i < n; ++i) {
    const double pivot = problem_.A[system_.diagonal_slot[i]];
    problem_.diagonal &= pivot > 0.0;
    problem_.inverse[i] = 1.0 / pivot;
  }
}

}  // namespace saltus
