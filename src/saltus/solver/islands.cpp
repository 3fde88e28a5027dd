#include "saltus/solver/islands.hpp"

#include <algorithm>
#include <numeric>

namespace saltus {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Empty, of this shape; keeps its memory where it has that shape already.
void clear(Eigen::Index rows, Eigen::Index columns, SparseRows& A) {
  if (A.rows() == rows && A.cols() == columns) {
    if (rows > 0) A.setZero();
  } else {
    A.resize(rows, columns);
  }
}

/// The entries of `source` in `rows`, columns renamed by `place`; no entry leaves the island but zeros.
void cut(const SparseRows& source, std::span<const int> rows, const std::vector<int>& column_island, int island,
         const std::vector<int>& place, int columns, SparseRows& out) {
  clear(static_cast<Eigen::Index>(rows.size()), columns, out);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.startVec(static_cast<Eigen::Index>(i));
    for (SparseRows::InnerIterator a(source, rows[i]); a; ++a)
      if (column_island[static_cast<int>(a.col())] == island)
        out.insertBack(static_cast<Eigen::Index>(i), place[static_cast<int>(a.col())]) = a.value();
  }
  out.finalize();
}

}  // namespace

int Islands::root(int node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

/// The smaller node becomes the root: a component with blocks is rooted in its first block.
void Islands::join(int a, int b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  parent_[std::max(a, b)] = std::min(a, b);
  --parts_;
}

void Islands::sort_into(std::span<const int> island_of, std::vector<int>& members, std::vector<int>& start, std::vector<int>& place) {
  start.assign(at(count_) + 1, 0);
  for (int island : island_of) ++start[island + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  members.resize(island_of.size());
  place.resize(island_of.size());
  label_.assign(start.begin(), start.end() - 1);  // next free place of each island
  for (std::size_t i = 0; i < island_of.size(); ++i) {
    const std::size_t k = at(island_of[i]);
    place[i] = label_[k] - start[k];
    members[label_[k]++] = static_cast<int>(i);
  }
}

int Islands::find(const Problem& problem) {
  const int blocks = static_cast<int>(problem.blocks.size()), n = problem.unknowns(), m = problem.rows();
  if (blocks <= 1) return count_ = 1;
  parent_.resize(blocks + n);
  std::iota(parent_.begin(), parent_.end(), 0);
  parts_ = blocks + n;
  row_block_.resize(m);
  for (int k = 0; k < blocks; ++k)
    std::fill_n(row_block_.begin() + problem.blocks[k].begin, problem.blocks[k].dim, k);

  const auto join_all = [this](const SparseRows& A, auto row_node, auto column_node) {
    if (A.nonZeros() == 0) return;
    for (int i = 0; i < A.outerSize() && parts_ > 1; ++i) {
      int last = -1;
      for (SparseRows::InnerIterator a(A, i); a; ++a)
        if (const int node = column_node(static_cast<int>(a.col())); node != last && a.value() != 0.0) join(row_node(i), last = node);
    }
  };
  const auto block_of = [this](int row) { return row_block_[row]; };
  const auto velocity = [blocks](int i) { return blocks + i; };
  join_all(problem.D, block_of, block_of);
  if (n > 0) {
    join_all(problem.H, block_of, velocity);
    join_all(problem.G, velocity, block_of);
    join_all(problem.M, velocity, velocity);
  }

  if (parts_ == 1) return count_ = 1;
  label_.assign(blocks + n, -1);
  count_ = 0;
  for (int k = 0; k < blocks; ++k)
    if (root(k) == k) label_[k] = count_++;
  bool idle = false;
  for (int i = 0; i < n && !idle; ++i) idle = root(blocks + i) >= blocks;
  if (count_ + (idle ? 1 : 0) == 1) return count_ = 1;
  row_island_.resize(m);
  velocity_island_.resize(n);
  for (int i = 0; i < m; ++i) row_island_[i] = label_[root(row_block_[i])];
  for (int i = 0; i < n; ++i) {
    const int top = root(blocks + i);
    velocity_island_[i] = top < blocks ? label_[top] : count_;
  }
  if (idle) ++count_;
  sort_into(row_island_, rows_, row_start_, row_place_);
  sort_into(velocity_island_, velocities_, velocity_start_, velocity_place_);
  return count_;
}

void Islands::extract(const Problem& problem, int k, Problem& island) const {
  const std::span<const int> rows = this->rows(k), velocities = this->velocities(k);
  const int m = static_cast<int>(rows.size()), n = static_cast<int>(velocities.size());
  island.b.resize(rows.size());
  island.p0.resize(velocities.size());
  for (std::size_t i = 0; i < rows.size(); ++i) island.b[i] = problem.b[rows[i]];
  for (std::size_t i = 0; i < velocities.size(); ++i) island.p0[i] = problem.p0[velocities[i]];
  island.sizes.resize(problem.sizes.empty() ? 0 : velocities.size());
  for (std::size_t i = 0; i < island.sizes.size(); ++i) island.sizes[i] = problem.sizes[velocities[i]];
  island.blocks.clear();
  for (std::size_t i = 0; i < rows.size();) {
    Block block = problem.blocks[row_block_[rows[i]]];
    block.begin = static_cast<int>(i);
    i += at(block.dim);
    island.blocks.push_back(block);
  }
  island.symmetric = problem.symmetric;
  if (problem.D.nonZeros() > 0) cut(problem.D, rows, row_island_, k, row_place_, m, island.D);
  else if (n == 0) clear(m, m, island.D);
  else clear(0, 0, island.D);
  if (n > 0) {
    cut(problem.M, velocities, velocity_island_, k, velocity_place_, n, island.M);
    cut(problem.H, rows, velocity_island_, k, velocity_place_, n, island.H);
  } else {
    clear(0, 0, island.M);
    clear(0, 0, island.H);
  }
  if (n == 0 || m == 0 || problem.G.nonZeros() == 0) {
    clear(0, 0, island.G);
    return;
  }
  cut(problem.G, velocities, row_island_, k, row_place_, m, island.G);
  if (island.G.nonZeros() == 0) {  // rows without input: an empty G would stand for H^T
    island.G.insert(0, 0) = 0.0;
    island.G.makeCompressed();
  }
}

}  // namespace saltus
