// Sparse factorization of matrices of small dense blocks with a symmetric pattern: multifrontal, symbolic once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "saltus/base/threads.hpp"

namespace saltus::friction {

/// Cholesky (symmetric positive definite) or LU with pivoting inside a front (general values, symmetric pattern).
/// All blocks are `block` x `block`, row-major. Ordering: approximate minimum degree on the blocks; supernodes are merged
/// where few zeros are added. Subtrees of the elimination tree, chosen by the matrix alone, are one task each; what is above
/// them follows in order, large fronts by columns: equal bits for any number of threads. Source: Duff, Reid 1983; Liu 1992.
class BlockFactor {
 public:
  using Edge = std::pair<int, int>;  // (i, j), i > j, each pair once

  /// Ordering and symbolic factorization.
  void analyse(int count, int block, const std::vector<Edge>& edges);

  /// Values: diagonal[i], lower[e] = A(i, j), upper[e] = A(j, i) of edge e. Without `upper` the matrix is symmetric (only
  /// the lower triangle of the diagonal blocks is read) and a Cholesky factorization is made. False on a zero or, for
  /// Cholesky, negative pivot.
  bool factor(const double* diagonal, const double* lower, const double* upper, Threads* threads = nullptr);

  /// x = A^-1 x, with the last successful factor.
  void solve(double* x, Threads* threads = nullptr);

  std::int64_t entries() const { return entries_; }
  std::int64_t factor_flops(bool symmetric) const { return symmetric ? flops_ : 2 * flops_; }
  std::int64_t solve_flops() const { return 4 * entries_; }

 private:
  struct Front {
    int first = 0, pivots = 0;         // pivot positions [first, first + pivots), in blocks
    int rows_begin = 0, rows = 0;      // rows below the pivots, positions in `rows_`
    int parent = -1;
    std::vector<int> children;
    std::int64_t panel = 0, upper_panel = 0;  // offsets of the panels
    int target_begin = 0;              // places of the rows in the parent's front, in `targets_`
    int beside = 0;                    // what a solve collects for the ancestors, in blocks behind all positions
    std::int64_t built = 0, kept = 0;  // where the update matrix is made, and where it waits for the parent
  };
  /// Fronts [first, last) whose ancestors outside are all in the top.
  struct Part {
    int first = 0, last = 0;
    int begin = 0, end = 0;                // pivot positions
    int beside = 0, beside_size = 0;       // what its roots collect
  };
  struct Entry { int edge, row, column; bool swapped; };  // block of an edge: place in its front

  void order(const std::vector<Edge>& edges);
  void structure(const std::vector<Edge>& edges);
  void place(const std::vector<Edge>& edges);
  void divide();
  void reach();
  bool eliminate(Front& front, const double* diagonal, const double* lower, const double* upper, Threads* threads);
  void forward(const Front& front, double* y, double* local) const;
  void backward(const Front& front, double* y, double* local) const;
  void fetch(const Front& front, double* y) const;
  void assemble(const Front& front, const double* diagonal, const double* lower, const double* upper);
  void gather(const Front& child, const Front& front, const double* update, double* parent_update);
  bool eliminate_symmetric(const Front& front, double* update, Threads* threads);
  bool eliminate_general(const Front& front, double* update, Threads* threads);

  int count_ = 0, block_ = 1;
  bool symmetric_ = true;
  std::vector<int> position_, node_;   // position of a node in the elimination order, and back
  std::vector<Front> fronts_;
  std::vector<int> rows_, targets_;
  std::vector<Part> parts_;
  std::vector<int> top_;               // fronts in no part
  std::vector<int> slots_;             // where a solve adds up row k of `rows_`: a position, or behind all positions, `beside`
  int beside_ = 0, most_rows_ = 0;
  std::vector<int> by_height_;         // top_, leaves first
  std::vector<int> height_of_;         // place of a front in by_height_; -1 in a part
  std::unique_ptr<std::atomic<std::int64_t>[]> done_;  // round in which a front of by_height_ was finished last
  std::int64_t rounds_ = 0;
  std::vector<Entry> sorted_;          // entries by front
  std::vector<int> entry_begin_;
  std::vector<double> panels_, upper_panels_, stack_, work_;
  std::vector<int> pivots_;
  std::int64_t panel_size_ = 0, upper_size_ = 0, stack_size_ = 0, entries_ = 0, flops_ = 0;
};

}  // namespace saltus::friction
