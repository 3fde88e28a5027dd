// The linear dynamics M v = p0 + G r of a problem: bodies (small independent blocks of M) or a sparse factorization.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/problem/problem.hpp"

namespace saltus {
class SparseLu;
}

namespace saltus::friction {

/// Columns of v that belong together, at most six, not coupled by M to any other; part after part.
struct Bodies {
  std::vector<int> columns, begin{0};
  int count() const { return count_of(begin) - 1; }
  std::span<const int> operator[](int k) const {
    const std::size_t first = begin[k];
    return {columns.data() + first, static_cast<std::size_t>(begin[static_cast<std::size_t>(k) + 1]) - first};
  }
  void close() { begin.push_back(count_of(columns)); }
};

/// M v = p0 + G r for one impulse after the other: the parts of M and their factors are found once. The problem must live on.
class Motion {
 public:
  explicit Motion(const Problem& problem);
  /// Connected components of M in the order of their first column; none where one is larger than six, or without M.
  const Bodies& parts() const { return parts_; }
  /// v = M^-1 (p0 + G r); r may be empty (zero). False where M is singular.
  [[nodiscard]] bool operator()(std::span<const double> r, std::vector<double>& v);

 private:
  void factorize();
  void solve_parts(double* v) const;

  const Problem& problem_;
  Bodies parts_;
  std::vector<double> factors_;  // L and U of each part, row by row
  std::vector<int> factor_begin_, pivots_;
  std::shared_ptr<SparseLu> whole_;  // where M is not made of parts
  bool singular_ = false;
  std::vector<double> load_;
};

/// Groups the columns of v into bodies: parts of M, neighbours merged up to six columns where they meet
/// the same contacts. `block_of_row` numbers the contacts. Empty where a part has more than six columns.
std::optional<Bodies> bodies(const Problem& problem, const Motion& motion, std::span<const int> block_of_row);

/// w = H v + D r + b; without M: w = D r + b. r may be empty (zero).
std::vector<double> relative_velocity(const Problem& problem, std::span<const double> v, std::span<const double> r);

/// W = H M^-1 G + D row by row as a sparse matrix. Empty where M is singular.
std::optional<SparseRows> condensed(const Problem& problem, const Motion& motion);

}  // namespace saltus::friction
