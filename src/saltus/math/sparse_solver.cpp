#include "saltus/math/sparse_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "saltus/base/memory.hpp"
#include "saltus/math/dense_lu.hpp"
#include "saltus/math/factor_memory.hpp"
#include "saltus/math/front_lu.hpp"
#include "saltus/math/ldlt.hpp"
#include "saltus/math/sparse_lu.hpp"

namespace saltus {
namespace {

/// L U of an unsymmetric matrix, by what fits: a dense matrix, fronts, or exchanges of all rows where fronts lose too many digits.
class GeneralLu {
 public:
  void analyze(const CsrPattern& pattern, int multipliers, double memory) {
    memory_ = memory;
    exchanging_.reset();
    way_ = pattern.rows <= dense_most ? Way::dense : Way::fronts;
    if (way_ == Way::dense) dense_matrix_.assign(static_cast<std::size_t>(pattern.rows) * static_cast<std::size_t>(pattern.rows), 0.0);
    else fronts_.analyze(pattern, multipliers, memory);
  }
  /// False where a pivot is zero.
  bool factorize(const CsrPattern& pattern, const double* values, Threads* threads) {
    threads_ = threads;
    if (way_ != Way::dense) way_ = Way::fronts;
    if (way_ == Way::fronts) return fronts_.factorize(pattern, values, threads) || exchange_all(pattern, values);
    std::fill(dense_matrix_.begin(), dense_matrix_.end(), 0.0);
    for (int i = 0; i < pattern.rows; ++i)
      for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) dense_matrix_[static_cast<std::size_t>(i) * static_cast<std::size_t>(pattern.rows) + pattern.column[s]] = values[s];
    return dense_.factorize(dense_matrix_, pattern.rows, 0.0);
  }
  /// Whether the factor at hand is one that could not exchange all rows.
  bool could_be_better() const { return way_ == Way::fronts; }
  bool exchange_all(const CsrPattern& pattern, const double* values) {
    way_ = Way::exchanges;
    if (!exchanging_) {
      exchanging_ = std::make_unique<ExchangingLu>();
      exchanging_->analyze(pattern, memory_);
    }
    return exchanging_->factorize(pattern, values);
  }
  /// The unknown without a pivot (or the row without entries) of a failed factorization; -1 if not known.
  int zero() const { return way_ == Way::dense ? dense_.failed() : exchanging_->zero(); }
  void solve(double* x) {
    if (way_ == Way::dense) dense_.solve({x, static_cast<std::size_t>(dense_.size())});
    else if (way_ == Way::fronts) fronts_.solve(x, threads_);
    else exchanging_->solve(x);
  }
  void solve_transposed(double* x) {
    if (way_ == Way::dense) dense_.solve_transposed({x, static_cast<std::size_t>(dense_.size())});
    else if (way_ == Way::fronts) fronts_.solve_transposed(x, threads_);
    else exchanging_->solve_transposed(x);
  }
  std::string_view name() const { return way_ == Way::dense ? "dense_lu" : way_ == Way::fronts ? "front_lu" : "exchanging_lu"; }
  std::int64_t fill() const { return way_ == Way::dense ? std::int64_t{dense_.size()} * dense_.size() : way_ == Way::fronts ? fronts_.fill() : exchanging_->fill(); }

 private:
  static constexpr int dense_most = 40;  // unknowns: no library call, no allocation
  enum class Way { dense, fronts, exchanges };
  Way way_ = Way::dense;
  DenseLu dense_;
  std::vector<double> dense_matrix_;
  FrontLu fronts_;
  std::unique_ptr<ExchangingLu> exchanging_;
  Threads* threads_ = nullptr;
  double memory_ = 0.0;
};

}  // namespace

namespace {
constexpr double accurate_fronts = 1e-8;  // residual of a probe from which on refinement gains eight digits a solution
}

struct SparseSolver::Impl {
  SparseOptions options;
  MatrixKind kind = MatrixKind::unsymmetric;
  CsrPattern pattern;
  int primal = 0;
  std::vector<double> weights;  // of the multipliers
  std::vector<double> metric;   // the same where they stand above rounding
  std::vector<int> diagonal_slot;  // -1: none
  std::vector<double> values, shift, substitute, residual, best, work, row_scale, rhs, contradiction, diagonal;
  double regularization = 0.0;
  SparseLdlt ldlt;
  GeneralLu lu;
  Threads* threads = nullptr;  // of the last factorization
  bool factored = false;

  bool symmetric() const { return kind == MatrixKind::symmetric_quasidefinite; }
  int size() const { return pattern.rows; }

  /// Calls visit(i, j, value) for all entries, those above the diagonal too.
  template <class Visit>
  void for_each_entry(Visit&& visit) const {
    for (int i = 0; i < pattern.rows; ++i)
      for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
        const int j = pattern.column[s];
        if (!symmetric()) {
          visit(i, j, values[s]);
        } else if (j <= i) {
          visit(i, j, values[s]);
          if (j < i) visit(j, i, values[s]);
        }
      }
  }

  void collect_diagonal();
  void prepare_regularization();
  double probe();
  FactorReport probe_range(FactorReport report, double relative);
  double backward_error(std::span<const double> b, std::span<const double> x, double allowed = 100.0);
  void apply(double* x) { symmetric() ? ldlt.solve(x, threads) : lu.solve(x); }
  void apply_transposed(double* x) { symmetric() ? ldlt.solve(x, threads) : lu.solve_transposed(x); }
  LinearReport refine(std::span<const double> b, std::span<double> x);
  bool solve_contradiction(std::span<const double> b, std::span<double> x);
};

SparseSolver::SparseSolver(SparseOptions options) : impl_(std::make_unique<Impl>()) { impl_->options = options; }
SparseSolver::~SparseSolver() = default;
SparseSolver::SparseSolver(SparseSolver&&) noexcept = default;
SparseSolver& SparseSolver::operator=(SparseSolver&&) noexcept = default;

void SparseSolver::analyze(MatrixKind kind, const CsrPattern& pattern, int multipliers,
                           std::span<const double> weights) {
  assert(pattern.rows == pattern.cols && multipliers >= 0 && multipliers <= pattern.rows);
  assert(weights.empty() || weights.size() == static_cast<std::size_t>(multipliers));
  Impl& s = *impl_;
  s.kind = kind;
  s.pattern = pattern;
  s.primal = pattern.rows - multipliers;
  s.weights.assign(multipliers, 1.0);
  s.metric = s.weights;
  std::copy(weights.begin(), weights.end(), s.weights.begin());
  const std::size_t n = pattern.rows;
  for (auto* array : {&s.shift, &s.substitute, &s.residual, &s.best, &s.work, &s.row_scale, &s.rhs,
                      &s.contradiction, &s.diagonal}) array->assign(n, 0.0);
  s.values.assign(pattern.column.size(), 0.0);
  s.diagonal_slot.resize(n);
  for (int i = 0; i < pattern.rows; ++i) s.diagonal_slot[i] = pattern.slot(i, i);
  s.factored = false;
  s.symmetric() ? s.ldlt.analyze(pattern, multipliers, s.options.memory) : s.lu.analyze(pattern, multipliers, s.options.memory);
}

/// |K_ii| and the like, for the measure of the residual.
void SparseSolver::Impl::collect_diagonal() {
  std::fill(diagonal.begin(), diagonal.end(), 0.0);
  for (int i = 0; i < size(); ++i)
    if (diagonal_slot[i] >= 0) diagonal[i] = std::abs(values[diagonal_slot[i]]);
}

/// delta = relative * S, S the largest (H K^-1 H^T + D)_ii / w_i, K by its diagonal, but at most ten times the smallest:
/// refinement contracts by
/// delta / (delta + sigma), sigma the smallest eigenvalue of the weighted Delassus matrix, which a long chain brings down
/// to 1/n^2 of its rows; weights of unlike units would raise the largest far above it. Rows for which delta w_i drowns in
/// the rounding of their pivot get a larger weight.
void SparseSolver::Impl::prepare_regularization() {
  const int n = size();
  collect_diagonal();
  double diagonal_size = 0.0;
  for (int i = 0; i < primal; ++i) diagonal_size = std::max(diagonal_size, diagonal[i]);
  double schur = std::numeric_limits<double>::infinity(), largest_schur = 0.0, row_size = 0.0;
  for (int i = primal; i < n; ++i) {
    double sum = diagonal[i], largest = 0.0;
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
      const int j = pattern.column[s];
      if (j >= primal) break;
      if (diagonal[j] > 0.0) sum += values[s] * values[s] / diagonal[j];
      largest = std::max(largest, std::abs(values[s]));
    }
    metric[i - primal] = sum;
    if (sum > 0.0) schur = std::min(schur, sum / weights[i - primal]);
    largest_schur = std::max(largest_schur, sum / weights[i - primal]);
    row_size = std::max(row_size, largest);
  }
  schur = std::min(10.0 * schur, largest_schur);
  if (schur == 0.0) schur = row_size > 0.0 ? row_size : 1.0;
  if (diagonal_size == 0.0) diagonal_size = row_size > 0.0 ? row_size : 1.0;
  regularization = primal < n ? options.regularization * schur : 0.0;
  for (int i = primal; i < n; ++i) metric[i - primal] = std::max(weights[i - primal], 1e-12 * metric[i - primal] / regularization);
  for (int i = 0; i < n; ++i) {
    shift[i] = i < primal ? 0.0 : -regularization * metric[i - primal];
    substitute[i] = i < primal ? 1e-8 * diagonal_size : shift[i];
  }
}

FactorReport SparseSolver::factorize(std::span<const double> values, Threads* threads) {
  Impl& s = *impl_;
  s.threads = threads;
  assert(values.size() == s.values.size());
  if (values.data() != s.values.data()) std::copy(values.begin(), values.end(), s.values.begin());
  s.factored = false;
  FactorReport report;
  const auto not_finite = [&](int otherwise) {  // a value that is not finite makes a pivot not finite: the search can wait
    for (int i = 0; i < s.size(); ++i)
      for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; ++k)
        if (!std::isfinite(s.values[k]) && !(s.symmetric() && s.pattern.column[k] > i)) return FactorReport{.status = FactorStatus::not_finite, .row = i};
    return otherwise < 0 ? FactorReport{} : FactorReport{.status = FactorStatus::not_finite, .row = otherwise};
  };
  if (s.size() == 0) return report;

  if (s.symmetric()) {
    s.regularization = 0.0;
    PivotReport pivots = s.ldlt.factorize(s.values.data(), {}, {}, s.options.lost_pivot, threads);
    if (pivots.finite && pivots.replaced > 0) {
      s.prepare_regularization();
      pivots = s.ldlt.factorize(s.values.data(), s.shift, s.substitute, 1e-13, threads);
    }
    report.row = pivots.row;
    if (!pivots.finite) return not_finite(pivots.row);
    report.lost_pivots = pivots.replaced;
    report.negative_pivots = pivots.negative;
    report.regularization = s.regularization;
    report.pivot_ratio = pivots.largest > 0.0 ? pivots.smallest / pivots.largest : 0.0;
    s.factored = true;
    // Small pivots of saddle points are often right (bodies of 1e12 times the mass of their neighbours), and no probe can tell.
    const bool in_doubt = pivots.replaced > 0 || (pivots.doubtful > 0 && s.primal == s.size());
    return in_doubt ? s.probe_range(report, s.probe()) : report;
  }
  if (const FactorReport bad = not_finite(-1); bad.status != FactorStatus::ok) return bad;
  const auto singular = [&] {
    report.status = FactorStatus::singular;
    report.row = s.lu.zero();
    return report;
  };
  if (!s.lu.factorize(s.pattern, s.values.data(), threads)) return singular();
  s.factored = true;
  double relative = s.probe();
  if (s.lu.could_be_better() && !(relative < accurate_fronts)) {
    s.factored = false;
    if (!s.lu.exchange_all(s.pattern, s.values.data())) return singular();
    s.factored = true;
    relative = s.probe();
  }
  return s.probe_range(report, relative);
}

/// Largest residual, of the rows' sizes, that tells whether the matrix is singular beyond redundant rows. Solves for a right-hand side with pseudo-random entries of the rows' size,
/// whose multiplier part is H x: it lies in the range unless there is a null vector with a primal
/// part, and then its residual stays of its own size however often it is refined. Without multipliers sizes are random too: with signs alone it is a column
/// of the matrix, and lies in its range, where one column is the largest of all rows.
double SparseSolver::Impl::probe() {
  const int n = size();
  std::vector<double>&b = best, &x = work;
  std::fill(row_scale.begin(), row_scale.end(), 0.0);
  for_each_entry([&](int i, int, double a) { row_scale[i] = std::max(row_scale[i], std::abs(a)); });
  std::uint32_t state = 12345;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator: it need be no better
    const double size = primal < n ? 1.0 : 0.5 + std::ldexp(static_cast<double>(state & 0x7fffffffu), -31);
    x[i] = state >> 31 ? size : -size;
    if (row_scale[i] == 0.0) row_scale[i] = 1.0;
    b[i] = i < primal ? x[i] * row_scale[i] : 0.0;
  }
  if (primal < n)
    for_each_entry([&](int i, int j, double a) {
      if (i >= primal && j < primal) b[i] += a * (j % 3 == 0 ? -x[j] : x[j]);
    });
  std::fill(x.begin(), x.end(), 0.0);
  double relative = 0.0;
  for (int k = 0; k <= (symmetric() ? options.refinements : 0); ++k) {
    double previous = relative;
    relative = 0.0;
    residual = b;
    if (k > 0) for_each_entry([&](int i, int j, double a) { residual[i] -= a * x[j]; });
    apply(residual.data());
    for (int i = 0; i < n; ++i) x[i] += residual[i];
    residual = b;
    for_each_entry([&](int i, int j, double a) { residual[i] -= a * x[j]; });
    for (int i = 0; i < n; ++i) {
      const double part = std::abs(residual[i]) / row_scale[i];
      if (!(part <= relative)) relative = std::isnan(part) ? std::numeric_limits<double>::infinity() : part;
    }
    if (relative < 1e-6 || (k > 1 && relative > 0.9 * previous)) break;
  }
  return relative;
}

/// What the residual of a probe, whose solution is in `work`, says of the matrix.
FactorReport SparseSolver::Impl::probe_range(FactorReport report, double relative) {
  const std::vector<double>& x = work;
  if (relative < 1e-3) return report;
  report.status = FactorStatus::singular;
  report.row = 0;
  for (int i = 0; i < primal; ++i)
    if (std::abs(x[i]) > std::abs(x[report.row])) report.row = i;
  return report;
}

/// Fills `residual` with b - A x and returns its componentwise backward error; allowed: units of rounding of the largest terms that a
/// row of a regularized factor may keep.
double SparseSolver::Impl::backward_error(std::span<const double> b, std::span<const double> x, double allowed) {
  const int n = size();
  double size_of[2] = {0.0, 0.0};  // of the primal and the multiplier part: they differ in units
  for (int i = 0; i < n; ++i) {
    residual[i] = b[i];
    work[i] = std::abs(b[i]);
    double& m = size_of[i >= primal];
    m = std::isfinite(x[i]) ? std::max(m, std::abs(x[i])) : std::numeric_limits<double>::infinity();
  }
  std::fill(row_scale.begin(), row_scale.end(), 0.0);
  for_each_entry([&](int i, int j, double a) {
    const double term = a * x[j];
    residual[i] -= term;
    work[i] += std::abs(term);
  });
  // Where all primal unknowns vanish, their size is what each force alone would give: terms / K_ii.
  if (symmetric() && primal < n)
    for (int i = 0; i < primal; ++i)
      if (diagonal[i] > 0.0) size_of[0] = std::max(size_of[0], work[i] / diagonal[i]);
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  // Where all multipliers are rounding, as beside an unknown without inertia that takes all of a motion, theirs is what the primal part needs to change.
  double force = 0.0;
  for (int i = 0; symmetric() && i < primal && primal < n; ++i) force = std::max(force, diagonal[i] * size_of[0]);
  if (size_of[1] <= 1000.0 * epsilon * force) size_of[1] = force;
  for_each_entry([&](int i, int j, double a) { row_scale[i] += std::abs(a) * size_of[j >= primal]; });
  double worst = 0.0;
  for (int i = 0; i < n; ++i) {
    const double whole = row_scale[i] + std::abs(b[i]), negligible = 1000.0 * epsilon * whole;
    const double terms = work[i] > negligible ? work[i] : work[i] + row_scale[i];
    // Of redundant rows a regularized factor leaves the rounding of the largest terms, also in a row whose own are far below.
    const bool rounding = regularization > 0.0 && i >= primal && std::abs(residual[i]) <= allowed * epsilon * whole;
    const double error = residual[i] == 0.0 ? 0.0 : std::abs(residual[i]) / (rounding ? whole : terms);
    if (!(error <= worst)) worst = error;  // keeps a NaN
    if (std::isnan(error)) return error;
  }
  return worst;
}

/// One run of refinement from zero. A row whose terms are far below those of others has backward error 1 until the
/// residuals of the large rows have come down to its terms: it stalls only where the normwise error stands still too.
LinearReport SparseSolver::Impl::refine(std::span<const double> b, std::span<double> x) {
  LinearReport report{.residual = std::numeric_limits<double>::infinity()};
  std::fill(x.begin(), x.end(), 0.0);
  std::copy(b.begin(), b.end(), residual.begin());
  double normwise = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= options.refinements; ++k) {
    std::copy(x.begin(), x.end(), best.begin());
    apply(residual.data());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += residual[i];
    const double error = backward_error(b, x);
    if (std::isnan(error)) return {.residual = error};
    double whole = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (residual[i] != 0.0) whole = std::max(whole, std::abs(residual[i]) / (row_scale[i] + std::abs(b[i])));
    const bool falls = whole <= 0.5 * normwise, stalls = k > 1 && error > 0.5 * report.residual && !falls;
    if (error > report.residual && !falls) {
      std::copy(best.begin(), best.end(), x.begin());
    } else {
      report.residual = error;
      report.refinements = k;
      normwise = whole;
    }
    if (report.residual <= options.tolerance || stalls) break;
  }
  report.converged = report.residual <= options.tolerance;
  return report;
}

/// Redundant rows that contradict each other leave e = b - A x with H^T W^-1 e = 0, and each refinement has put
/// W^-1 e / delta into lambda. Then b - e is consistent: solves for it, and takes W^-1 e out of lambda.
bool SparseSolver::Impl::solve_contradiction(std::span<const double> b, std::span<double> x) {
  const int n = size();
  (void)backward_error(b, x);
  double largest = 0.0;
  for (int i = 0; i < n; ++i) {
    contradiction[i] = i < primal ? 0.0 : residual[i];
    largest = std::max(largest, std::abs(contradiction[i]));
  }
  if (!(largest > 0.0) || !std::isfinite(largest)) return false;
  std::fill(residual.begin(), residual.end(), 0.0);
  double terms = 0.0, image = 0.0;
  for_each_entry([&](int i, int j, double a) {
    if (j < primal) return;
    const double term = a * contradiction[j] / metric[j - primal];
    residual[i] += term;
    terms = std::max(terms, std::abs(term));
  });
  for (int i = 0; i < n; ++i) image = std::max(image, std::abs(residual[i]));
  if (image > 1e-6 * terms) return false;
  for (int i = 0; i < n; ++i) rhs[i] = b[i] - contradiction[i];
  (void)refine(rhs, x);
  double along = 0.0, length = 0.0;
  for (int i = primal; i < n; ++i) {
    along += x[i] * contradiction[i];
    length += contradiction[i] * contradiction[i] / metric[i - primal];
  }
  for (int i = primal; i < n; ++i) x[i] -= contradiction[i] / metric[i - primal] * along / length;
  return true;
}

LinearReport SparseSolver::solve(std::span<const double> b, std::span<double> x) {
  Impl& s = *impl_;
  assert(s.factored || s.size() == 0);
  assert(b.size() == x.size() && x.size() == static_cast<std::size_t>(s.size()));
  s.collect_diagonal();
  LinearReport report = s.refine(b, x);
  if (!report.converged && s.regularization > 0.0 && !std::isnan(report.residual) && s.primal < s.size() && s.solve_contradiction(b, x)) {
    report.inconsistent = true;
    report.residual = s.backward_error(b, x);
  }
  // More refinement does not help rows whose terms are far below the others': what they keep is judged by these.
  constexpr double refused = 1e-6, rounding = 1e4;
  if (s.regularization > 0.0 && report.residual > refused) report.residual = std::min(report.residual, s.backward_error(b, x, rounding));
  return report;
}

void SparseSolver::apply(std::span<double> x) {
  assert(impl_->factored && x.size() == static_cast<std::size_t>(impl_->size()));
  impl_->apply(x.data());
}

double SparseSolver::reciprocal_condition() {
  Impl& s = *impl_;
  const int n = s.size();
  if (n == 0 || !s.factored) return 0.0;
  std::vector<double>& columns = s.work;
  std::fill(columns.begin(), columns.end(), 0.0);
  s.for_each_entry([&](int, int j, double a) { columns[j] += std::abs(a); });
  const double norm = *std::max_element(columns.begin(), columns.end());
  std::vector<double> x(n, 1.0 / n), z;
  double inverse_norm = 0.0;
  for (int k = 0, last = -1; k < 5; ++k) {
    s.apply(x.data());
    double sum = 0.0;
    for (const double v : x) sum += std::abs(v);
    if (!std::isfinite(sum)) return 0.0;
    if (k > 0 && sum <= inverse_norm) break;
    inverse_norm = sum;
    z.resize(x.size());
    for (int i = 0; i < n; ++i) z[i] = std::copysign(1.0, x[i]);
    s.apply_transposed(z.data());
    int at = 0;
    for (int i = 1; i < n; ++i)
      if (std::abs(z[i]) > std::abs(z[at])) at = i;
    if (at == last) break;
    last = at;
    std::fill(x.begin(), x.end(), 0.0);
    x[at] = 1.0;
  }
  return norm > 0.0 && inverse_norm > 0.0 ? 1.0 / (norm * inverse_norm) : 0.0;
}

std::span<double> SparseSolver::values() { return impl_->values; }
int SparseSolver::size() const { return impl_->size(); }

std::span<const LinearSolverEntry> linear_solvers() {
  static constexpr std::array<LinearSolverEntry, 5> table{{
      {"small_fronts", "symmetric, also saddle points: signs of pivots as they come", "by the order: no front of 32 rows (chains, trees of bodies)", "Duff, Reid 1983; Vanderbei 1995"},
      {"fronts", "symmetric, also saddle points: signs of pivots as they come", "by the order: a front of 32 rows or more (meshes, nets)", "Duff, Reid 1983; Liu 1992; George 1973"},
      {"dense_lu", "any", "by the size: up to 40 unknowns", "Golub, Van Loan 2013, 3.4"},
      {"front_lu", "any", "above 40 unknowns; rows are exchanged inside a front", "Duff, Reid 1983"},
      {"exchanging_lu", "any", "where front_lu has no pivot, or leaves more than 1e-8 of a probe", "Eigen's SparseLU; Li 2005"},
  }};
  return table;
}

std::string_view SparseSolver::method() const {
  const Impl& s = *impl_;
  return !s.symmetric() ? s.lu.name() : s.ldlt.large() ? "fronts" : "small_fronts";
}
std::int64_t SparseSolver::fill() const { return impl_->symmetric() ? impl_->ldlt.fill() : impl_->lu.fill(); }

}  // namespace saltus
