#include "saltus/solver/lemke.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {
namespace {
constexpr double pivot_tolerance = 1e-11;
constexpr double tie_tolerance = 1e-12;
}  // namespace

void Lemke::start(const StandardLcp& problem, std::span<const double> cover) {
  n_ = problem.n;
  stride_ = n_ + 2;
  pivots_ = 0;
  const std::size_t n = n_;
  table_.resize(n * static_cast<std::size_t>(stride_));
  basic_.resize(n);
  column_.resize(n + 1);
  place_.resize(2 * n + 1);
  sign_.assign(n, 1.0);
  range_ = problem.range;
  for (int i = 0; i < n_; ++i) {
    double* r = row(i);
    r[0] = problem.q[i];
    std::copy_n(problem.T.data() + static_cast<std::size_t>(i) * n, n, r + 1);
    r[n_ + 1] = cover[i];
    basic_[i] = 2 * i + 1;
    column_[i] = 2 * i;
    place_[2 * i + 1] = i;
    place_[2 * i] = -1 - i;
  }
  column_[n] = 2 * n_;
  place_[2 * n] = -1 - n_;
}

/// Row that z0 must leave for: largest -q/cover, the last one of equal rows (its perturbation is the smallest).
int Lemke::first_leaving(bool& feasible) {
  int best = -1;
  double ratio = 0.0;
  for (int i = 0; i < n_; ++i) {
    const double* r = row(i);
    if (r[0] < 0.0 && -r[0] / r[n_ + 1] >= ratio) {
      ratio = -r[0] / r[n_ + 1];
      best = i;
    }
  }
  feasible = best < 0;
  return best;
}

void Lemke::pivot(int leaving_row, int entering_column) {
  ++pivots_;
  const int e = entering_column + 1;
  double* p = row(leaving_row);
  const double inverse = 1.0 / p[e];
  for (int j = 0; j < stride_; ++j) p[j] *= -inverse;
  p[e] = inverse;
  for (int i = 0; i < n_; ++i) {
    if (i == leaving_row) continue;
    double* r = row(i);
    const double factor = r[e];
    if (factor == 0.0) continue;
    r[e] = 0.0;
    for (int j = 0; j < stride_; ++j) r[j] += factor * p[j];
  }
  std::swap(basic_[leaving_row], column_[entering_column]);
  place_[basic_[leaving_row]] = leaving_row;
  place_[column_[entering_column]] = -1 - entering_column;
}

void Lemke::reflect_row(int i) {
  const int pair = basic_[i] / 2;
  double* r = row(i);
  for (int j = 0; j < stride_; ++j) r[j] = -r[j];
  r[0] += range_[pair];
  sign_[pair] *= -1.0;
}

void Lemke::reflect_column(int variable) {
  const int column = -1 - place_[variable];
  for (int i = 0; i < n_; ++i) row(i)[column + 1] *= -1.0;
}

/// Coefficient of the perturbation of q_j in basic variable i; y_j is q_j's slack, sign_ its orientation.
double Lemke::perturbation(int i, int j) {
  const int place = place_[2 * j + 1];
  const double sign = sign_[j];
  if (place >= 0) return place == i ? sign : 0.0;
  return -sign * row(i)[-place];  // column index -1 - place, plus 1 for the value
}

/// Lexicographic order of the ratios of two rows that tie.
bool Lemke::precedes(int candidate, int best, int entering_column) {
  const double c = row(candidate)[entering_column + 1], b = row(best)[entering_column + 1];
  for (int j = 0; j < n_; ++j) {
    const double left = -perturbation(candidate, j) / c, right = -perturbation(best, j) / b;
    if (std::abs(left - right) > tie_tolerance * (std::abs(left) + std::abs(right))) return left < right;
  }
  return false;
}

/// Row that blocks the entering variable first; -1 with `flips` if the variable meets its own range, -1 without on a ray.
int Lemke::leaving_row(int entering_column, bool& at_range, bool& flips) {
  const int e = entering_column + 1;
  double largest = 0.0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(row(i)[e]));
  const double tolerance = pivot_tolerance * std::max(largest, 1.0);
  int best = -1;
  double shortest = std::numeric_limits<double>::infinity();
  const auto limit_of = [&](int i) {
    const double* r = row(i);
    const int variable = basic_[i];
    if (r[e] < -tolerance) return std::max(r[0], 0.0) / -r[e];
    if (r[e] > tolerance && variable % 2 == 0 && variable != 2 * n_)
      return std::max(range_[variable / 2] - r[0], 0.0) / r[e];
    return std::numeric_limits<double>::infinity();
  };
  for (int i = 0; i < n_; ++i) shortest = std::min(shortest, limit_of(i));
  const int entering = column_[entering_column];
  flips = false;
  if (entering % 2 == 0 && entering != 2 * n_ && range_[entering / 2] <= shortest &&
      std::isfinite(range_[entering / 2])) {
    flips = true;
    return -1;
  }
  if (!std::isfinite(shortest)) return -1;
  const double tie = shortest + tie_tolerance * (1.0 + shortest);
  for (int i = 0; i < n_; ++i) {
    if (limit_of(i) > tie) continue;
    if (basic_[i] == 2 * n_) {
      best = i;  // z0 may leave: the solution is reached
      break;
    }
    if (best < 0 || precedes(i, best, entering_column)) best = i;
  }
  at_range = row(best)[e] > 0.0;
  return best;
}

PivotOutcome Lemke::run(const StandardLcp& problem, std::span<const double> cover, int max_pivots) {
  start(problem, cover);
  bool feasible = false;
  const int first = first_leaving(feasible);
  if (feasible) {
    finish();
    return PivotOutcome::solved;
  }
  int left = basic_[first];
  pivot(first, n_);
  while (pivots_ < max_pivots) {
    const int entering = left ^ 1;  // the complement of the variable that left
    const int column = -1 - place_[entering];
    bool at_range = false, flips = false;
    const int leaving = leaving_row(column, at_range, flips);
    if (flips) {
      const std::size_t pair = entering / 2;
      for (int i = 0; i < n_; ++i) row(i)[0] += row(i)[column + 1] * range_[pair];
      sign_[pair] *= -1.0;
      reflect_column(entering);
      reflect_column(entering ^ 1);
      left = entering;
      ++pivots_;
      continue;
    }
    if (leaving < 0) {
      finish();
      ray_.assign(n_, 0.0);
      const auto add = [&](int variable, double value) {
        if (variable % 2 == 0 && variable != 2 * n_) ray_[variable / 2] = value * sign_[variable / 2];
      };
      add(entering, 1.0);
      for (int i = 0; i < n_; ++i) add(basic_[i], row(i)[column + 1]);
      return PivotOutcome::ray;
    }
    left = basic_[leaving];
    if (at_range) {
      reflect_row(leaving);
      reflect_column(left ^ 1);
    }
    pivot(leaving, column);
    if (left == 2 * n_) {
      finish();
      return PivotOutcome::solved;
    }
  }
  finish();
  return PivotOutcome::limit;
}

void Lemke::finish() {
  const std::size_t n = n_;
  x_.assign(n, 0.0);
  y_.assign(n, 0.0);
  x_basic_.assign(n, 0);
  for (int i = 0; i < n_; ++i) {
    const int variable = basic_[i];
    if (variable == 2 * n_) continue;
    const std::size_t pair = variable / 2;
    (variable % 2 == 0 ? x_ : y_)[pair] = std::max(row(i)[0], 0.0);
    if (variable % 2 == 0) x_basic_[pair] = 1;
  }
  for (std::size_t k = 0; k < n; ++k)
    if (sign_[k] < 0.0) {
      x_[k] = range_[k] - x_[k];
      y_[k] = -y_[k];
    }
}

}  // namespace saltus
