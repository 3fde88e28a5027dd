// Supernodal multifrontal factorization: L D L^T with signed pivots, or L U, of a matrix with a symmetric pattern.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "saltus/base/threads.hpp"
#include "saltus/math/front_tree.hpp"
#include "saltus/math/pivot_report.hpp"

namespace saltus {

/// Each front of the tree takes its entries and what its children left, eliminates its pivots by dense kernels and leaves the rest on
/// a stack to its parent (Duff, Reid 1983; Liu 1992). Pivots are taken in the order given: the symmetric kind exchanges none, L U
/// exchanges rows within a front. Subtrees are one task each, chosen by the matrix alone; large fronts above them share their
/// columns: equal bits for any number of threads.
class FrontFactor {
 public:
  /// Where the entries of a front go, column-major: the pivots' columns, rows of the tree; the rest of the pivots' rows, transposed.
  struct Target {
    double* panel;
    double* side;
    int rows, side_rows, rest_row;
    bool symmetric;  // only entries on and below the diagonal, none in `side`
  };

  /// graph: vertices as they are eliminated; size: unknowns of each vertex; unknown: the caller's numbers, vertex after vertex.
  void analyze(const CsrPattern& graph, std::span<const int> size, std::span<const int> unknown);
  const FrontTree& tree() const { return tree_; }
  /// Position of the caller's unknowns, and back.
  const std::vector<int>& position() const { return position_; }
  const std::vector<int>& unknown() const { return unknown_; }
  /// Bytes that a factor and what it is made of take.
  double bytes(bool symmetric, const Threads* threads) const;
  double flops(bool symmetric) const { return symmetric ? tree_.flops() : 2.0 * tree_.flops(); }
  double solve_flops() const { return 4.0 * tree_.entries(); }

  /// fill(front, target) adds the entries of a front. substitute, lost: as in SparseLdlt; substitute by the caller's unknowns.
  template <class Fill>
  PivotReport factorize_symmetric(const Fill& fill, std::span<const double> substitute, double lost, Threads* threads) {
    return factorize(true, &fill, call<Fill>, substitute, lost, threads);
  }
  /// L U. A pivot below `threshold` of the largest entry of its column outside of its front ends the work, as one of zero: `replaced` is 1 then.
  template <class Fill>
  PivotReport factorize_general(const Fill& fill, double threshold, Threads* threads) {
    return factorize(false, &fill, call<Fill>, {}, threshold, threads);
  }
  /// The caller's unknowns of pivots that were replaced, in the order of elimination.
  std::vector<int> replaced() const;

  /// x := A^-1 x, or A^-T x, with the last successful factor.
  void solve(double* x, Threads* threads, bool transposed = false);

 private:
  using Front = FrontTree::Front;
  using Caller = void (*)(const void*, int, const Target&);
  template <class Fill>
  static void call(const void* of, int front, const Target& target) {
    (*static_cast<const Fill*>(of))(front, target);
  }
  struct Work {  // of a factorization
    const void* of;
    Caller fill;
    double lost;
    bool divided, replaces;
  };

  PivotReport factorize(bool symmetric, const void* of, Caller fill, std::span<const double> substitute, double lost, Threads* threads);
  bool room_to_divide() const;
  void reserve(bool divided);
  int eliminate(int f, const Work& work, Threads* threads);
  int eliminate_symmetric(const Front& front, const Target& target, const Work& work, double* update, Threads* threads);
  int eliminate_general(const Front& front, const Target& target, const Work& work, double* update, Threads* threads);
  void gather(const Front& child, const Front& front, const Target& target, const double* left, double* update) const;
  void gather_general(const Front& child, const Front& front, const Target& target, const double* left, double* update) const;
  PivotReport report(std::int64_t failed) const;
  void forward(const Front& front, double* y, bool transposed) const;
  void backward(const Front& front, double* y, bool transposed) const;
  double* sums(const Front& front, double* y) const { return y + tree_.size() + front.sums; }

  FrontTree tree_;
  bool symmetric_ = true;
  std::vector<int> position_, unknown_;
  std::unique_ptr<double[]> panels_, sides_, stack_;
  std::int64_t stack_size_ = 0;
  std::vector<double> pivot_, substitute_, work_;
  std::vector<char> mark_;  // of pivots, see PivotRule
  std::vector<int> exchanges_;
  std::vector<int> by_height_, height_of_;  // fronts of the top, leaves first; place of a front there, -1 in a task
  std::unique_ptr<std::atomic<std::int64_t>[]> done_;  // round in which a front of by_height_ was finished last
  std::int64_t rounds_ = 0;
};

}  // namespace saltus
