#include "saltus/solver/saddle_factor.hpp"

namespace saltus {

/// The lower part of the matrix, row by row; false where D joins an equality row to another one.
bool SaddleFactor::fill(const Problem& problem, std::span<const int> place) {
  velocities_ = problem.unknowns();
  pattern_.begin.assign(1, 0);
  pattern_.column.clear();
  values_.clear();
  const auto add = [this](int column, double value) {
    pattern_.column.push_back(column);
    values_.push_back(value);
  };
  const auto end_row = [this] { pattern_.begin.push_back(pattern_.nonzeros()); };
  for (int i = 0; i < velocities_; ++i) {
    for (SparseRows::InnerIterator a(problem.M, i); a; ++a)
      if (a.col() <= i) add(static_cast<int>(a.col()), a.value());
    end_row();
  }
  const bool direct = problem.D.nonZeros() > 0;
  for (int row = 0; row < problem.rows(); ++row) {
    const bool equality = place[row] < 0;
    if (equality)
      for (SparseRows::InnerIterator a(problem.H, row); a; ++a) add(static_cast<int>(a.col()), a.value());
    if (direct)
      for (SparseRows::InnerIterator a(problem.D, row); a; ++a) {
        if ((place[a.col()] < 0) != equality) return false;
        if (equality && a.col() <= row) add(velocities_ - 1 - place[a.col()], -a.value());
      }
    if (equality) end_row();
  }
  pattern_.rows = pattern_.cols = count_of(pattern_.begin) - 1;
  return true;
}

bool SaddleFactor::compute(const Problem& problem, std::span<const int> place) {
  if (!fill(problem, place)) return false;
  if (pattern_ != last_) {
    ldlt_.analyze(pattern_, pattern_.rows - velocities_);
    last_ = pattern_;
  }
  const PivotReport pivots = ldlt_.factorize(values_.data(), {}, {});
  return pivots.finite && pivots.replaced == 0;
}

void SaddleFactor::solve(double* x) {
  ldlt_.solve(x);
  for (int i = velocities_; i < pattern_.rows; ++i) x[i] = -x[i];
}

void SaddleFactor::subtract(const double* x, double* y) const {
  for (int i = 0; i < pattern_.rows; ++i)
    for (int s = pattern_.begin[i]; s < pattern_.begin[i + 1]; ++s) {
      const int j = pattern_.column[s];
      const double a = values_[s];
      if (i < velocities_) {
        y[i] -= a * x[j];
        if (j < i) y[j] -= a * x[i];
      } else if (j < velocities_) {
        y[i] -= a * x[j];
        y[j] += a * x[i];
      } else {  // -D
        y[i] += a * x[j];
        if (j < i) y[j] += a * x[i];
      }
    }
}

}  // namespace saltus
