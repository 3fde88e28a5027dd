// The symbolic part of a multifrontal factorization: fronts, who hands what to whom, and how much memory that takes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/math/csr.hpp"

namespace saltus {

/// Flops and entries of the factor L of a symmetric matrix, by the columns' lengths (Gilbert, Ng, Peyton 1994), without L itself.
struct EliminationCost {
  double entries = 0.0, flops = 0.0;  // lower triangle with its diagonal; one product and sum count two
  int longest = 0;                    // column of L
};
/// graph: symmetric pattern of vertices numbered as they are eliminated; size: unknowns of each. A vertex is dense in itself.
EliminationCost elimination_cost(const CsrPattern& graph, std::span<const int> size);

/// Assembly tree (Duff, Reid 1983; Liu 1992): columns of L with equal rows are one front, and a front joins its parent where that
/// adds few zeros. A front is a dense matrix of `width` pivots and `rest` later rows, whose update it leaves to its parent.
class FrontTree {
 public:
  struct Front {
    int begin = 0, width = 0, rest = 0;       // pivots are at positions begin .. begin + width - 1
    int parent = -1;
    int child_begin = 0, child_end = 0;       // of children
    int run_begin = 0, run_end = 0;           // of runs
    std::int64_t panel = 0, side = 0;         // offsets of the pivots' columns, and of their rows where the matrix is not symmetric
    std::int64_t sums = 0;                    // where a solve collects what it hands on

    /// Pivots and the rest of a front begin at rows that are multiples of four; rows between them are zero.
    int rest_row() const { return (width + 3) & ~3; }
    int rest_rows() const { return (rest + 3) & ~3; }
    int rows() const { return rest_row() + rest_rows(); }
    /// Numbers in the update matrix, and one a row beside it (sizes of the terms of pivots).
    std::int64_t update() const { return std::int64_t{rest_rows()} * (rest + 1); }
  };
  /// Rows of a front that follow each other both in the whole matrix (from `position`) and in the front of the parent (from `row`).
  struct Run {
    int position, row, length;
  };
  /// Fronts [first, last): whole subtrees, a task of one thread.
  struct Task {
    int first, last;
  };

  /// graph, size: as for elimination_cost.
  void build(const CsrPattern& graph, std::span<const int> size);

  const std::vector<Front>& fronts() const { return fronts_; }
  std::span<const int> children(const Front& f) const { return {children_.data() + f.child_begin, children_.data() + f.child_end}; }
  std::span<const Run> runs(const Front& f) const { return {runs_.data() + f.run_begin, runs_.data() + f.run_end}; }
  /// First position of each vertex.
  const std::vector<int>& position() const { return position_; }
  /// Front of the pivot at a position.
  int front_of(int position) const;
  /// row[p] = row within the front, for all positions p that the front has.
  void enter(const Front& f, std::vector<int>& row) const;

  /// Subtrees that are tasks, chosen by the matrix alone, and the fronts above them, children first.
  const std::vector<Task>& tasks() const { return tasks_; }
  const std::vector<int>& top() const { return top_; }

  int size() const { return size_; }
  int widest() const { return widest_; }                      // rows of the largest front
  std::int64_t panel_size() const { return panel_size_; }     // numbers in the columns of all pivots
  std::int64_t side_size() const { return side_size_; }
  std::int64_t sums_size() const { return sums_size_; }
  /// Numbers that update matrices take together at the most: in one stack, or one for each task and one above them.
  std::int64_t stack_size(bool divided) const { return divided ? divided_stack_ : stack_; }
  /// Places of the updates in the stack: where each is built, and where it waits for the parent.
  struct Place {
    std::int64_t built, kept;
  };
  const std::vector<Place>& places(bool divided) const { return divided ? divided_places_ : places_; }
  double entries() const { return entries_; }                 // of L with its diagonal, zeros within fronts included
  double flops() const { return flops_; }

 private:
  struct Merged;
  void number(Merged& merged, std::span<const int> size);
  void find_rows(const CsrPattern& graph, std::span<const int> size, const std::vector<std::vector<int>>& members);
  void divide();
  void stack(bool divided, std::vector<Place>& places, std::int64_t& most);

  std::vector<Front> fronts_;
  std::vector<int> children_, position_, top_, front_at_;
  std::vector<Run> runs_;
  std::vector<Task> tasks_;
  std::vector<Place> places_, divided_places_;
  int size_ = 0, widest_ = 0;
  std::int64_t panel_size_ = 0, side_size_ = 0, sums_size_ = 0, stack_ = 0, divided_stack_ = 0;
  double entries_ = 0.0, flops_ = 0.0;
};

}  // namespace saltus
