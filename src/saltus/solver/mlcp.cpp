#include "saltus/solver/mlcp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/solver/enumerate.hpp"

namespace saltus {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rank_tolerance = 1e-11;  // of the equilibrated matrix, whose rows and columns have size 1
}  // namespace

// --- the equilibrated problem ------------------------------------------------------------------------------------------

/// Row and column scales by three passes of Ruiz' square roots (keeps a symmetric matrix symmetric), then one factor that
/// brings q and the bounds to size 1.
void MlcpSolver::scale(const MixedLcp& p) {
  n_ = p.n;
  const std::size_t n = at(n_);
  free_.resize(n);
  fixed_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    free_[i] = std::isinf(p.low[i]) && std::isinf(p.high[i]);
    fixed_[i] = p.low[i] == p.high[i];
  }
  scaled_.row_scale.assign(n, 1.0);
  scaled_.col_scale.assign(n, 1.0);
  scaled_.A = p.A;
  std::vector<double>&rows = try_.w, &cols = try_.y;
  for (int pass = 0; pass < 3; ++pass) {
    rows.assign(n, 0.0);
    cols.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double a = std::abs(scaled_.A[i * n + j]);
        rows[i] = std::max(rows[i], a);
        cols[j] = std::max(cols[j], a);
      }
    for (std::size_t i = 0; i < n; ++i) {
      rows[i] = rows[i] > 0.0 ? 1.0 / std::sqrt(rows[i]) : 1.0;
      cols[i] = cols[i] > 0.0 ? 1.0 / std::sqrt(cols[i]) : 1.0;
      scaled_.row_scale[i] *= rows[i];
      scaled_.col_scale[i] *= cols[i];
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) scaled_.A[i * n + j] *= rows[i] * cols[j];
  }
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    size = std::max(size, std::abs(p.q[i]) * scaled_.row_scale[i]);
    if (std::isfinite(p.low[i])) size = std::max(size, std::abs(p.low[i]) / scaled_.col_scale[i]);
    if (std::isfinite(p.high[i])) size = std::max(size, std::abs(p.high[i]) / scaled_.col_scale[i]);
  }
  if (!(size > 0.0)) size = 1.0;
  scaled_.q.resize(n);
  scaled_.low.resize(n);
  scaled_.high.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    scaled_.row_scale[i] /= size;
    scaled_.col_scale[i] *= size;
    scaled_.q[i] = p.q[i] * scaled_.row_scale[i];
    scaled_.low[i] = p.low[i] / scaled_.col_scale[i];
    scaled_.high[i] = p.high[i] / scaled_.col_scale[i];
  }
}

/// Each variable starts at a bound: the upper one where there is no lower, or where the warm point says so.
void MlcpSolver::choose_references(std::span<const double> warm) {
  reference_.assign(n_, 0.0);
  sign_.assign(n_, 1.0);
  for (std::size_t i = 0; i < at(n_); ++i) {
    if (free_[i]) continue;
    const bool nearer_high = std::isfinite(scaled_.low[i]) && std::isfinite(scaled_.high[i]) && !warm.empty() &&
                             2.0 * warm[i] > scaled_.low[i] + scaled_.high[i];
    if (std::isinf(scaled_.low[i]) || nearer_high) {
      reference_[i] = scaled_.high[i];
      sign_[i] = -1.0;
    } else {
      reference_[i] = scaled_.low[i];
    }
  }
}

void MlcpSolver::slack(std::span<const double> z) {
  try_.w.resize(n_);
  for (std::size_t i = 0; i < at(n_); ++i) {
    double sum = scaled_.q[i];
    for (std::size_t j = 0; j < at(n_); ++j) sum += scaled_.A[i * at(n_) + j] * z[j];
    try_.w[i] = sum;
  }
}

/// Largest entry of z - mid(low, z - w, high), with w by its row's size, z by the largest z; leaves w in try_.w.
double MlcpSolver::residual(std::span<const double> z) {
  slack(z);
  double size = 1.0, worst = 0.0;
  for (double zi : z) size = std::max(size, std::abs(zi));
  for (std::size_t i = 0; i < at(n_); ++i) {
    const double target = std::min(std::max(z[i] - try_.w[i], scaled_.low[i]), scaled_.high[i]);
    const double error = std::abs(z[i] - target);
    if (!(error <= worst)) worst = error;
  }
  return std::isfinite(worst) ? worst / size : infinity;
}

// --- the dictionary --------------------------------------------------------------------------------------------------

void MlcpSolver::fill_dictionary() {
  const std::size_t n = at(n_);
  dictionary_.table.resize(n * (n + 1));
  dictionary_.basic.resize(n);
  dictionary_.column.resize(n);
  dictionary_.place.resize(2 * n);
  slack(reference_);
  for (int i = 0; i < n_; ++i) {
    double* r = row(i);
    r[0] = sign_[i] * try_.w[i];
    for (int j = 0; j < n_; ++j) r[j + 1] = sign_[i] * scaled_.A[at(i) * n + at(j)] * sign_[j];
    dictionary_.basic[i] = n_ + i;
    dictionary_.column[i] = i;
    dictionary_.place[n_ + i] = i;
    dictionary_.place[i] = -1 - i;
  }
}

void MlcpSolver::pivot(int r, int c) {
  ++pivots_;
  const int e = c + 1, stride = n_ + 1;
  double* p = row(r);
  const double inverse = 1.0 / p[e];
  for (int j = 0; j < stride; ++j) p[j] *= -inverse;
  p[e] = inverse;
  for (int i = 0; i < n_; ++i) {
    if (i == r) continue;
    double* other = row(i);
    const double factor = other[e];
    if (factor == 0.0) continue;
    other[e] = 0.0;
    for (int j = 0; j < stride; ++j) other[j] += factor * p[j];
  }
  std::swap(dictionary_.basic[r], dictionary_.column[c]);
  dictionary_.place[dictionary_.basic[r]] = r;
  dictionary_.place[dictionary_.column[c]] = -1 - c;
}

/// Full pivoting on equations x free variables; where that block is exhausted, complementary pairs close it.
void MlcpSolver::eliminate_free(bool close_by_laws) {
  rows_.clear();
  columns_.clear();
  for (int i = 0; i < n_; ++i)
    if (free_[i]) {
      rows_.push_back(i);     // row i holds w_i
      columns_.push_back(i);  // column i holds z_i
    }
  while (!rows_.empty()) {
    std::size_t best_row = 0, best_column = 0;
    double largest = 0.0;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (const double a = std::abs(row(rows_[r])[columns_[c] + 1]); a > largest) {
          largest = a;
          best_row = r;
          best_column = c;
        }
    if (largest > rank_tolerance) {
      pivot(rows_[best_row], columns_[best_column]);
      rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(best_row));
      columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(best_column));
    } else if (!close_by_laws || !close_by_a_law(rows_, columns_)) {
      break;
    }
  }
}

/// One equation i and one free variable j that do not meet are both taken by a pair c: z_c into row i, z_j into row w_c.
/// A principal pivot, so that a monotone problem stays monotone.
bool MlcpSolver::close_by_a_law(std::vector<int>& rows, std::vector<int>& columns) {
  double best = 1e-8;
  std::size_t best_row = 0, best_column = 0;
  int pair = -1;
  for (int c = 0; c < n_; ++c) {
    if (free_[c] || fixed_[c] || row_of(n_ + c) < 0) continue;
    if (std::isfinite(scaled_.low[c]) && std::isfinite(scaled_.high[c])) continue;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const double size = std::min(std::abs(row(rows[i])[column_of(c) + 1]), std::abs(row(row_of(n_ + c))[columns[j] + 1]));
        if (size > best) {
          best = size;
          best_row = i;
          best_column = j;
          pair = c;
        }
      }
  }
  if (pair < 0) return false;
  const int r = row_of(n_ + pair);
  pivot(rows[best_row], column_of(pair));
  pivot(r, columns[best_column]);
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(best_row));
  columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(best_column));
  return true;
}

/// Starts with the pairs inside that were inside in the warm point.
void MlcpSolver::swap_warm(std::span<const double> warm) {
  if (warm.empty()) return;
  for (int c = 0; c < n_; ++c) {
    if (free_[c] || fixed_[c] || (std::isfinite(scaled_.low[c]) && std::isfinite(scaled_.high[c]))) continue;
    if (row_of(n_ + c) < 0 || std::abs(warm[c] - reference_[c]) < 1e-9) continue;
    const int r = row_of(n_ + c), column = column_of(c);
    if (std::abs(row(r)[column + 1]) > 1e-6) pivot(r, column);
  }
}

/// What is left once the free variables are out: pairs in standard form. An equation and a free variable that nothing
/// closed become two pairs, (z+, w) and (z-, -w).
void MlcpSolver::standardize(std::span<const int> open_rows, std::span<const int> open_columns) {
  pairs_.clear();
  for (int c = 0; c < n_; ++c) {
    if (free_[c] || fixed_[c]) continue;
    if (row_of(n_ + c) >= 0) pairs_.push_back({row_of(n_ + c), column_of(c), c, c, Role::plain});
    else pairs_.push_back({row_of(c), column_of(n_ + c), c, c, Role::swapped});
  }
  for (std::size_t k = 0; k < open_rows.size(); ++k)
    for (Role role : {Role::plus, Role::minus})
      pairs_.push_back({open_rows[k], open_columns[k], dictionary_.column[open_columns[k]], dictionary_.basic[open_rows[k]] - n_, role});
  const std::size_t n = pairs_.size();
  standard_.n = static_cast<int>(n);
  standard_.T.resize(n * n);
  standard_.q.resize(n);
  standard_.range.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Pair& pair = pairs_[k];
    const double s = pair.role == Role::minus ? -1.0 : 1.0;
    const double* r = row(pair.row);
    standard_.q[k] = s * r[0];
    for (std::size_t l = 0; l < n; ++l)
      standard_.T[k * n + l] = (pairs_[l].role == Role::minus ? -s : s) * r[pairs_[l].column + 1];
    standard_.range[k] = pair.role == Role::plain ? scaled_.high[pair.z] - scaled_.low[pair.z] : infinity;
  }
}

void MlcpSolver::prepare(const MixedLcp&, std::span<const double> warm, bool close_by_laws) {
  choose_references(warm);
  fill_dictionary();
  eliminate_free(close_by_laws);
  swap_warm(warm);
  standardize(rows_, columns_);
}

void MlcpSolver::recover(std::span<const double> x, std::span<const double> y, std::span<double> z) const {
  for (std::size_t i = 0; i < at(n_); ++i) z[i] = reference_[i];
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Pair& pair = pairs_[k];
    const double value = pair.role == Role::swapped ? y[k] : pair.role == Role::minus ? -x[k] : x[k];
    z[pair.z] += sign_[pair.z] * value;
  }
  for (int i = 0; i < n_; ++i) {  // free variables in the basis
    const int variable = dictionary_.basic[i];
    if (variable >= n_ || !free_[variable]) continue;
    const double* r = row(i);
    double sum = r[0];
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      sum += (pairs_[k].role == Role::minus ? -x[k] : x[k]) * r[pairs_[k].column + 1];
    z[variable] = sum;
  }
}

// --- paths ------------------------------------------------------------------------------------------------------------

/// Solves for the variables that inside_ names, the others at the nearest bound. Singular: least squares of minimum norm.
bool MlcpSolver::basis_point(std::span<double> z) {
  index_.clear();
  for (int i = 0; i < n_; ++i) {
    if (inside_[i]) index_.push_back(i);
    else if (!(z[i] - scaled_.low[i] <= scaled_.high[i] - z[i])) z[i] = scaled_.high[i];
    else z[i] = scaled_.low[i];
  }
  const Eigen::Index k = static_cast<Eigen::Index>(index_.size());
  if (k == 0) return true;
  for (int i : index_) z[i] = 0.0;
  slack(z);
  basis_.matrix.resize(k, k);
  basis_.vector.resize(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    basis_.vector[i] = -try_.w[index_[static_cast<int>(i)]];
    for (Eigen::Index j = 0; j < k; ++j)
      basis_.matrix(i, j) = scaled_.A[at(index_[static_cast<int>(i)]) * at(n_) + at(index_[static_cast<int>(j)])];
  }
  basis_.lu.compute(basis_.matrix);
  Eigen::VectorXd& x = basis_.solution;
  found_.rank_deficient = !basis_.lu.regular(rank_tolerance);
  if (found_.rank_deficient) {
    x = dense::least_norm(basis_.matrix, basis_.vector, rank_tolerance);
  } else {
    basis_.lu.solve(basis_.vector, x);
    basis_.correction = basis_.vector;
    basis_.correction.noalias() -= basis_.matrix * x;
    basis_.lu.solve(basis_.correction, basis_.vector);  // one refinement
    x += basis_.vector;
  }
  if (!x.allFinite()) return false;
  for (Eigen::Index i = 0; i < k; ++i) z[index_[static_cast<int>(i)]] = x[i];
  return true;
}

/// Newton's method on the natural map (Newton-min): each step solves for the variables inside. Keeps the best point.
bool MlcpSolver::improve(std::span<double> z, int steps) {
  try_.point.assign(z.begin(), z.end());
  for (int step = 0; step < steps; ++step) {
    const double error = residual(try_.point);
    if (step > 0 && error < try_.best_residual) {
      try_.best_residual = error;
      std::copy(try_.point.begin(), try_.point.end(), z.begin());
    }
    if (error <= 1e-15) break;
    for (std::size_t i = 0; i < at(n_); ++i) {
      const double c = try_.point[i] - try_.w[i];
      inside_[i] = c > scaled_.low[i] && c < scaled_.high[i];
      if (!inside_[i]) try_.point[i] = c <= scaled_.low[i] ? scaled_.low[i] : scaled_.high[i];
    }
    if (!basis_point(try_.point)) break;
  }
  const double error = residual(try_.point);
  if (error < try_.best_residual) {
    try_.best_residual = error;
    std::copy(try_.point.begin(), try_.point.end(), z.begin());
  }
  return true;
}

/// Lemke's path with several covering vectors: an exponential or dead path for one is short for most others.
bool MlcpSolver::follow_paths(const MlcpOptions& options) {
  const std::size_t pairs = pairs_.size();
  const int limit = options.max_pivots > 0 ? options.max_pivots : 20 * standard_.n + 100;
  std::uint32_t state = 12345;  // fixed seed: the same path on every machine
  for (int attempt = 0; attempt < options.covers; ++attempt) {
    try_.cover.assign(pairs, 1.0);
    if (attempt > 0)
      for (double& d : try_.cover) {
        state = state * 1664525u + 1013904223u;
        d = std::exp2(static_cast<double>(attempt) * (static_cast<double>(state >> 8) / 8388608.0 - 1.0));
      }
    const PivotOutcome outcome = lemke_.run(standard_, try_.cover, limit);
    pivots_ += lemke_.pivots();
    try_.y.resize(n_);
    recover(lemke_.x(), lemke_.y(), try_.y);
    const double error = residual(try_.y);
    if (error < try_.best_residual) {
      try_.best_residual = error;
      try_.best.assign(try_.y.begin(), try_.y.end());
    }
    if (outcome == PivotOutcome::solved) {
      // The basis again from the given matrix: free of what the pivots lost.
      inside_.assign(n_, 0);
      for (int i = 0; i < n_; ++i) inside_[i] = free_[i];
      for (std::size_t k = 0; k < pairs; ++k)
        if (!free_[pairs_[k].z])
          inside_[pairs_[k].z] = (pairs_[k].role == Role::swapped) != lemke_.inside(static_cast<int>(k));
      try_.point.assign(try_.y.begin(), try_.y.end());
      if (basis_point(try_.point)) {
        const double again = residual(try_.point);
        if (again < try_.best_residual || (again <= options.tolerance && again <= 10 * try_.best_residual && found_.rank_deficient)) {
          try_.best_residual = again;
          try_.best = try_.point;
        }
      }
      if (try_.best_residual > 1e-13) improve(try_.best, 3);
      if (try_.best_residual <= options.tolerance) return true;
    }
    if (outcome == PivotOutcome::ray && proves_infeasible()) {
      found_.infeasible = true;
      return false;
    }
  }
  return false;
}

/// Says not unique where it is certain: a null vector of the inside block with all others strict, or an idle pair that may
/// rise at no cost.
void MlcpSolver::test_uniqueness(std::span<const double> z) {
  found_.not_unique = false;
  residual(z);
  constexpr double strict = 1e-9;
  index_.clear();
  columns_.clear();
  bool interior = true;
  for (int i = 0; i < n_; ++i) {
    if (fixed_[i]) continue;
    const bool off_bounds = z[i] - scaled_.low[i] > strict && scaled_.high[i] - z[i] > strict;
    if (off_bounds) index_.push_back(i);
    else if (std::abs(try_.w[i]) <= strict) columns_.push_back(i);
    interior &= off_bounds || std::abs(try_.w[i]) > strict;
  }
  const Eigen::Index k = static_cast<Eigen::Index>(index_.size());
  found_.rank_deficient = false;
  if (k > 0) {
    basis_.matrix.resize(k, k);
    for (Eigen::Index i = 0; i < k; ++i)
      for (Eigen::Index j = 0; j < k; ++j)
        basis_.matrix(i, j) = scaled_.A[at(index_[i]) * at(n_) + at(index_[j])];
    basis_.lu.compute(basis_.matrix);
    found_.rank_deficient = !basis_.lu.regular(rank_tolerance);
  }
  if (found_.rank_deficient) {
    found_.not_unique = interior;
    return;
  }
  Eigen::VectorXd& follow = basis_.solution;
  for (int c : columns_) {  // raise idle pair c by 1, those inside follow
    const double inward = z[c] - scaled_.low[c] <= strict ? 1.0 : -1.0;
    basis_.vector.resize(k);
    for (Eigen::Index i = 0; i < k; ++i) basis_.vector[i] = -inward * scaled_.A[at(index_[i]) * at(n_) + at(c)];
    if (k > 0) basis_.lu.solve(basis_.vector, follow);
    bool free_to_move = true;
    for (int d : columns_) {
      double change = inward * scaled_.A[at(d) * at(n_) + at(c)];
      for (Eigen::Index i = 0; i < k; ++i) change += scaled_.A[at(d) * at(n_) + at(index_[i])] * follow[i];
      const double outward = z[d] - scaled_.low[d] <= strict ? change : -change;
      free_to_move &= d == c ? std::abs(change) < 1e-11 : outward > -1e-11;
    }
    found_.not_unique |= free_to_move;
  }
}

MlcpStatus MlcpSolver::solve(const MixedLcp& problem, std::span<const double> warm, std::span<double> z,
                             const MlcpOptions& options) {
  pivots_ = 0;
  found_.infeasible = found_.rank_deficient = found_.not_unique = false;
  proof_.clear();
  scale(problem);
  try_.best_residual = infinity;
  inside_.assign(n_, 0);
  std::vector<double>& start = try_.cover;  // the warm point in scaled units, used before the covering vectors
  start.clear();
  try_.best.assign(n_, 0.0);
  if (!warm.empty()) {
    start.resize(n_);
    for (std::size_t i = 0; i < at(n_); ++i) start[i] = std::clamp(warm[i] / scaled_.col_scale[i], scaled_.low[i], scaled_.high[i]);
    try_.best = start;
    improve(try_.best, 4);
  }
  MlcpStatus status = try_.best_residual <= 1e-13 ? MlcpStatus::solved : MlcpStatus::limit;
  if (status != MlcpStatus::solved) {
    prepare(problem, start, true);
    bool solved = follow_paths(options);
    if (!solved && !found_.infeasible) {  // other start: no law closed by choice, no warm basis
      prepare(problem, {}, false);
      solved = follow_paths(options);
    }
    if (!solved && !found_.infeasible) {
      improve(try_.best, 30);
      solved = try_.best_residual <= options.tolerance;
    }
    if (!solved && !found_.infeasible && standard_.n <= options.enumerate_below) {
      const Enumeration all = enumerate_bases(standard_);
      for (const std::vector<double>& x : all.x) {
        try_.w.assign(x.size(), 0.0);
        std::vector<double> y(standard_.q), candidate(at(n_));
        for (std::size_t k = 0; k < x.size(); ++k)
          for (std::size_t l = 0; l < x.size(); ++l) y[k] += standard_.T[k * x.size() + l] * x[l];
        recover(x, y, candidate);
        const double error = residual(candidate);
        if (error < try_.best_residual) {
          try_.best_residual = error;
          try_.best = candidate;
          improve(try_.best, 2);
        }
      }
      solved = try_.best_residual <= options.tolerance;
      if (all.x.empty() && all.certain) found_.infeasible = true;
    }
    if (!solved && !found_.infeasible && n_ <= options.contradict_below) found_.infeasible = contradictory();
    status = solved ? MlcpStatus::solved : found_.infeasible ? MlcpStatus::infeasible : MlcpStatus::ray;
  }
  if (status == MlcpStatus::solved) test_uniqueness(try_.best);
  if (status != MlcpStatus::infeasible) proof_.clear();
  for (std::size_t i = 0; i < at(n_); ++i) z[i] = try_.best[i] * scaled_.col_scale[i];
  for (std::size_t i = 0; i < proof_.size(); ++i) proof_[i] *= scaled_.row_scale[i];
  return status;
}

MlcpSolver::Solutions MlcpSolver::all_solutions(const MixedLcp& problem, int max_pairs) {
  Solutions result;
  scale(problem);
  prepare(problem, {}, true);
  if (standard_.n > max_pairs) return result;
  const Enumeration all = enumerate_bases(standard_);
  result.complete = all.certain;
  result.unbounded = all.unbounded;
  for (const std::vector<double>& x : all.x) {
    std::vector<double> y(standard_.q), z(at(n_));
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t l = 0; l < x.size(); ++l) y[k] += standard_.T[k * x.size() + l] * x[l];
    recover(x, y, z);
    for (std::size_t i = 0; i < at(n_); ++i) z[i] *= scaled_.col_scale[i];
    result.z.push_back(std::move(z));
  }
  return result;
}

}  // namespace saltus
