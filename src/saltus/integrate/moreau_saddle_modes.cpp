#include "saltus/integrate/moreau_saddle_modes.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/math/rank.hpp"

namespace saltus {
namespace {
constexpr int all_at_once = 8, most_changes = 60;
constexpr int dense_most = 32;  // unknowns and multipliers together
}  // namespace

bool SaddleModes::solve(const RowTask& t) {
  modes_.first(t);
  for (int pass = 0; pass < most_changes; ++pass) {
    if (!solve_in_modes(t)) return false;
    const bool balanced = pass > 0;
    if (modes_.revise(t, pass < all_at_once ? RowModes::Change::all : RowModes::Change::first, balanced) != 0) continue;
    double worst = modes_.worst(t);
    if (!balanced && !(worst <= plan_.solver_tolerance)) {
      modes_.revise(t, RowModes::Change::none, true);
      worst = modes_.worst(t);
    }
    return modes_.take(t, worst);
  }
  return false;
}

/// Whether the factor at hand is that of the problem in its modes; else it is from now on taken for it.
bool SaddleModes::factor_is_current(const RowTask& t) {
  const bool symmetric = plan_.may_be_symmetric;
  const bool numbered = affine_ && factored_.matrices == t.problem.matrices;  // matrices are those of the factor, for the entries in it
  const bool same = factored_.any && factored_.entries == t.rows.entries && factored_.mode == modes_.mode &&
                    (numbered || (!affine_ && factored_.A == t.problem.A && factored_.C == t.problem.C && (symmetric || (factored_.G == t.problem.G && factored_.D == t.problem.D))));
  if (same) return true;
  factored_.any = false;
  factored_.entries = t.rows.entries;
  factored_.mode = modes_.mode;
  factored_.matrices = t.problem.matrices;
  if (affine_) return false;
  factored_.A = t.problem.A;
  factored_.C = t.problem.C;
  if (!symmetric) factored_.G = t.problem.G, factored_.D = t.problem.D;
  return false;
}

DenseModes::DenseModes(const MoreauModel& model, RowModes& modes, ProximalWeight& proximal) : SaddleModes(model, modes), proximal_(proximal) {
  const std::size_t all = at(system_.layout.unknowns() + system_.layout.rows), size = all <= 64 ? all : dense_most;  // more rows are never active in it
  matrix_.reserve(size * size);
  x_.reserve(size);
}

/// A dense factor is singular where rows are redundant; the sparse one is not.
bool DenseModes::can(const RowTask& t) {
  const bool small = system_.layout.unknowns() + t.rows.count <= dense_most && (plan_.may_be_symmetric || proximal_.of(t) == 0.0);
  return small && t.planar;
}

/// Dense [A -G; rows in their modes].
void DenseModes::fill(const RowTask& t) {
  const int n = system_.layout.unknowns(), size = n + t.rows.count;
  matrix_.assign(size * size, 0.0);
  const auto entry = [&](int row, int column) -> double& { return matrix_[row * size + column]; };
  for (int row = 0; row < n; ++row)
    for (int k = system_.pattern.begin[row]; k < system_.pattern.begin[row + 1]; ++k) entry(row, system_.pattern.column[k]) = t.problem.A[k];
  for (int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double *C = t.problem.C.data() + block_begin_[i], *G = t.problem.G.data() + block_begin_[i];
    for (int r = 0; r < e.rows; ++r) {
      const int row = n + t.rows.row[i] + r;
      const LawMode mode = modes_.mode[e.row + r];
      for (int c = 0; c < p.columns; ++c) {
        const int dof = plan_.columns[p.column_begin + c];
        entry(dof, row) -= G[c * e.rows + r];
        if (mode == LawMode::holds) entry(row, dof) += C[r * p.columns + c];
      }
      if (mode != LawMode::holds) {
        entry(row, row) = 1.0;
        if (!e.law.type->set->bounds && r == 1 && modes_.mode[e.row] == LawMode::holds)  // r_t = +- mu r_n
          entry(row, row - 1) = (mode == LawMode::high ? -1.0 : 1.0) * e.law.type->set->friction(e.law.parameters);
      } else if (p.level == Level::value) {
        for (int c = 0; c < e.rows; ++c) entry(row, row - r + c) += t.problem.D[e.square_begin + r * e.rows + c];
      }
    }
  }
}

bool DenseModes::solve_in_modes(const RowTask& t) {
  const int n = system_.layout.unknowns(), size = n + t.rows.count;
  if (!factor_is_current(t)) {
    fill(t);
    if (!lu_.factorize(matrix_, size)) return false;
    factored_.any = true;
  }
  x_.resize(size);
  std::copy(t.problem.p0.begin(), t.problem.p0.end(), x_.begin());
  for (int i : t.rows.entries)
    for (int r = 0; r < system_.relation_entries[i].rows; ++r) x_[n + t.rows.row[i] + r] = modes_.target(t, at(i), r);
  lu_.solve(x_);
  if (!std::all_of(x_.begin(), x_.end(), [](double x) { return std::isfinite(x); })) return false;
  std::copy(x_.begin(), x_.begin() + n, modes_.trial.xi.begin());
  for (int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    std::copy_n(x_.begin() + n + t.rows.row[i], e.rows, modes_.trial.mu.begin() + e.row);
  }
  return true;
}

double ProximalWeight::of(const RowTask& t) {
  if (weight_ >= 0.0) return weight_;
  weight_ = 0.0;
  CsrBuilder builder(system_.layout.rows, system_.layout.unknowns());
  std::vector<int> rows;
  std::vector<std::size_t> joints;
  for (const int i : t.rows.entries) {
    if (!plan_.entries[i].equality) continue;
    const RelationEntry& e = system_.relation_entries[i];
    rows.clear();
    for (int r = 0; r < e.rows; ++r) rows.push_back(e.row + r);
    builder.add_block(rows, std::span(plan_.columns).subspan(at(plan_.entries[i].column_begin), at(plan_.entries[i].columns)));
    joints.push_back(at(i));
  }
  if (joints.size() < 2) return weight_;
  const CsrLayout layout = builder.build();
  std::vector<double> values(at(layout.pattern.nonzeros()));
  double largest = 0.0;
  for (int k = 0; k < count_of(joints); ++k) {
    const MoreauEntry& p = plan_.entries[joints[k]];
    const int m = system_.relation_entries[joints[k]].rows;
    const double *C = t.problem.C.data() + block_begin_[joints[k]], *G = t.problem.G.data() + block_begin_[joints[k]];
    layout.add(k, C, values.data());
    for (int r = 0; r < m; ++r) {
      double sum = 0.0;
      for (int c = 0; c < p.columns; ++c) {
        const double own = std::abs(t.problem.A[system_.diagonal_slot[plan_.columns[p.column_begin + c]]]);
        if (own > 0.0) sum += std::abs(C[r * p.columns + c] * G[c * m + r]) / own;
      }
      largest = std::max(largest, sum);
    }
  }
  for (const DependentRow& row : dependent_rows(layout.pattern, values))
    if (!row.with.empty()) weight_ = 1e-9 * largest;  // empty: rows of no joint
  return weight_;
}

SparseModes::SparseModes(const MoreauModel& model, RowModes& modes, ProximalWeight& proximal)
    : SaddleModes(model, modes), proximal_(proximal), symmetric_(plan_.may_be_symmetric) {
  values_.resize(plan_.modes.pattern.nonzeros());
  rhs_.resize(plan_.modes.pattern.rows);
  x_.resize(plan_.modes.pattern.rows);
}

bool SparseModes::solve_in_modes(const RowTask& t) {
  const double proximal = symmetric_ ? 0.0 : proximal_.of(t);
  if (!factorize(t, proximal)) return false;
  right_side(t);
  const int most = proximal > 0.0 ? 4 : 1;
  for (int k = 0; k < most; ++k) {
    if (k > 0) right_side_of_joints(t, proximal);
    const LinearReport solved = saddle_.solve(rhs_, x_);
    if (!(solved.residual < 1e-8)) return false;
  }
  take_trial(t);
  return true;
}

bool SparseModes::factorize(const RowTask& t, double proximal) {
  const MoreauSaddle& s = plan_.modes;
  if (!analyzed_) {
    saddle_.analyze(symmetric_ ? MatrixKind::symmetric_quasidefinite : MatrixKind::unsymmetric, s.pattern, symmetric_ ? s.rows : 0);
    analyzed_ = true;
  }
  if (factor_is_current(t)) return true;
  fill(t, proximal);
  return factored_.any = saddle_.factorize(values_).status == FactorStatus::ok;
}

void SparseModes::fill(const RowTask& t, double proximal) {
  const MoreauSaddle& s = plan_.modes;
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t k = 0; k < t.problem.A.size(); ++k)
    if (s.system_slot[k] >= 0) values_[s.system_slot[k]] = t.problem.A[k];
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (!e.law.type->set->bounds) continue;
    const int m = e.rows, columns = p.columns;
    const double *C = t.problem.C.data() + block_begin_[i], *G = t.problem.G.data() + block_begin_[i];
    for (int r = 0; r < m; ++r) {
      const int D = s.D_begin[i] + r * m;
      if (t.rows.row[i] < 0 || modes_.mode[e.row + r] != LawMode::holds) {
        values_[s.D_slot[D + r]] = symmetric_ ? -1.0 : 1.0;
        continue;
      }
      for (int c = 0; c < columns; ++c) {
        values_[s.C_slot[s.C_begin[i] + r * columns + c]] = C[r * columns + c];
        if (!symmetric_) values_[s.G_slot[s.G_begin[i] + c * m + r]] = -G[c * m + r];
      }
      for (int c = 0; p.level == Level::value && c < m; ++c) values_[s.D_slot[D + c]] += t.problem.D[e.square_begin + r * m + c];
      if (p.equality) values_[s.D_slot[D + r]] += proximal;
    }
  }
}

void SparseModes::right_side(const RowTask& t) {
  std::copy(t.problem.p0.begin(), t.problem.p0.end(), rhs_.begin());
  int row = system_.layout.unknowns();
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (!e.law.type->set->bounds) continue;
    const double* G = t.problem.G.data() + block_begin_[i];
    for (int r = 0; r < e.rows; ++r) {
      const bool in = t.rows.row[i] >= 0;
      rhs_[row + r] = in ? modes_.target(t, i, r) : 0.0;
      if (!in || modes_.mode[e.row + r] == LawMode::holds) continue;
      for (int c = 0; c < p.columns; ++c) rhs_[plan_.columns[p.column_begin + c]] += G[c * e.rows + r] * rhs_[row + r];  // at its bound: a given force
    }
    row += e.rows;
  }
}

void SparseModes::right_side_of_joints(const RowTask& t, double proximal) {
  int row = system_.layout.unknowns();
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    if (!system_.relation_entries[i].law.type->set->bounds) continue;
    for (int r = 0; r < system_.relation_entries[i].rows; ++r, ++row)
      if (plan_.entries[i].equality && t.rows.row[i] >= 0) rhs_[row] = modes_.target(t, i, r) + proximal * x_[row];
  }
}

void SparseModes::take_trial(const RowTask& t) {
  int row = system_.layout.unknowns();
  std::copy_n(x_.begin(), row, modes_.trial.xi.begin());
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (!e.law.type->set->bounds) continue;
    for (int r = 0; r < e.rows; ++r, ++row)
      if (t.rows.row[i] >= 0) modes_.trial.mu[e.row + r] = symmetric_ ? -x_[row] : x_[row];
  }
}

}  // namespace saltus
