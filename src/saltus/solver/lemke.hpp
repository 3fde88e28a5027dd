// Lemke's path for complementarity with ranges, on a dense dictionary.
#pragma once

#include <span>
#include <vector>

namespace saltus {

/// Complementarity in standard form: y = q + T x, per pair x = 0 and y >= 0, or 0 <= x <= range and y = 0, or x = range and
/// y <= 0. T is n x n, row-major; range may be infinite.
struct StandardLcp {
  int n = 0;
  std::vector<double> T, q, range;
};

enum class PivotOutcome { solved, ray, limit };

/// Follows y = q + cover z0 + T x from a large z0 to 0 (Lemke 1965), ties broken lexicographically (Cottle, Pang, Stone
/// 2009, 4.9); a variable that meets its range is reflected, x' = range - x, y' = -y, and the path goes on.
/// Allocates only while it grows. Scale the problem before: pivots below 1e-11 of their column are refused.
class Lemke {
 public:
  /// `cover` > 0 (n). Result in x(), y(); with PivotOutcome::ray the direction of the ray in ray() (of x).
  PivotOutcome run(const StandardLcp& problem, std::span<const double> cover, int max_pivots);

  std::span<const double> x() const { return x_; }
  std::span<const double> y() const { return y_; }
  std::span<const double> ray() const { return ray_; }
  /// Pair k is inside its range: x_k is basic.
  bool inside(int k) const { return x_basic_[k] != 0; }
  int pivots() const { return pivots_; }

 private:
  // Variables: x_k is 2k, y_k is 2k + 1, z0 is 2n.
  double* row(int i) { return table_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(stride_); }
  void start(const StandardLcp& problem, std::span<const double> cover);
  int first_leaving(bool& feasible);
  void pivot(int leaving_row, int entering_column);
  void reflect_row(int i);
  void reflect_column(int variable);
  int leaving_row(int entering_column, bool& at_range, bool& flips);
  bool precedes(int candidate, int best, int entering_column);
  double perturbation(int i, int j);
  void finish();

  int n_ = 0, stride_ = 0, pivots_ = 0;
  std::vector<double> table_;               // rows: value, then n + 1 coefficients
  std::vector<double> range_, sign_;        // sign of the reflected pair
  std::vector<int> basic_, column_;         // variable of each row, of each column
  std::vector<int> place_;                  // of each variable: row i as i, column j as -1 - j
  std::vector<double> x_, y_, ray_;
  std::vector<char> x_basic_;
};

}  // namespace saltus
