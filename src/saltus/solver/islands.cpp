#include "saltus/solver/islands.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

/// Velocities up to which one block and all that it does not touch are one island: few rows are solved with as many.
constexpr int one_block = 72;

/// Empty, of this shape; keeps its memory where it has that shape already.
void clear(Eigen::Index rows, Eigen::Index columns, SparseRows& A) {
  if (A.rows() == rows && A.cols() == columns) {
    if (rows > 0) A.setZero();
  } else {
    A.resize(rows, columns);
  }
}

/// The entries of `source` in `rows`, columns renamed by `place`; no entry leaves the island but zeros. `zeros`: with those stored in it.
void cut(const SparseRows& source, std::span<const int> rows, const std::vector<int>& column_island, int island,
         const std::vector<int>& place, int columns, bool zeros, SparseRows& out) {
  clear(static_cast<Eigen::Index>(rows.size()), columns, out);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.startVec(static_cast<Eigen::Index>(i));
    for (SparseRows::InnerIterator a(source, rows[i]); a; ++a)
      if (column_island[static_cast<int>(a.col())] == island && (zeros || a.value() != 0.0))
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
  for (int i = 0; i < count_of(island_of); ++i) {
    const std::size_t k = at(island_of[i]);
    place[i] = label_[k] - start[k];
    members[label_[k]++] = i;
  }
}

/// Labels the parts without blocks: a number each where they are large, `count_` for all others, which is counted if there are any.
void Islands::label_idle(int blocks, int n) {
  bool some = false;
  for (int i = blocks; i < blocks + n; ++i)
    if (const int top = root(i); top >= blocks) --label_[top];  // -1 less its size
  for (int i = blocks; i < blocks + n; ++i) {
    if (root(i) != i) continue;
    if (-1 - label_[i] > small_part) label_[i] = count_++;
    else some = true;
  }
  for (int i = blocks; i < blocks + n; ++i)
    if (root(i) == i && label_[i] < 0) label_[i] = count_;
  count_ += some;
}

/// Counts the members of each part at its root's label, which becomes the place of the next of them.
void Islands::sort_free(int blocks) {
  free_velocities_.clear(), free_start_.clear();
  if (count_ == 0 || row_start_[count_] != row_start_[count_ - 1]) return;  // the last one has rows
  const int last = count_ - 1;
  const std::span<const int> members = velocities(last);
  for (const int i : members) label_[root(blocks + i)] = 0;
  for (const int i : members) ++label_[root(blocks + i)];
  int next = 0;
  for (const int i : members)
    if (const int top = root(blocks + i); top == blocks + i) {
      if (label_[top] > small_part) return free_start_.clear();  // one large part
      free_start_.push_back(next);
      next += std::exchange(label_[top], next);
    }
  free_start_.push_back(next);
  free_velocities_.resize(members.size());
  for (const int i : members) free_velocities_[label_[root(blocks + i)]++] = i;
}

int Islands::find(const Problem& problem) {
  const int blocks = count_of(problem.blocks), n = problem.unknowns(), m = problem.rows();
  free_start_.clear();
  if (blocks == 0 || (blocks == 1 && n <= one_block)) return count_ = 1;
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
  label_idle(blocks, n);
  if (count_ == 1) return count_;
  row_island_.resize(m);
  velocity_island_.resize(n);
  for (int i = 0; i < m; ++i) row_island_[i] = label_[root(row_block_[i])];
  for (int i = 0; i < n; ++i) velocity_island_[i] = label_[root(blocks + i)];
  const int all = blocks + n;
  sort_into(row_island_, rows_, row_start_, row_place_);
  sort_into(velocity_island_, velocities_, velocity_start_, velocity_place_);
  label_.assign(all, 0);
  sort_free(blocks);
  return count_;
}

void Islands::extract(const Problem& problem, int k, Problem& island) const {
  const std::span<const int> rows = this->rows(k), velocities = this->velocities(k);
  const int m = count_of(rows), n = count_of(velocities);
  island.b.resize(rows.size());
  island.p0.resize(velocities.size());
  for (std::size_t i = 0; i < rows.size(); ++i) island.b[i] = problem.b[rows[i]];
  island.rest.resize(problem.rest.empty() ? 0 : rows.size());
  for (std::size_t i = 0; i < island.rest.size(); ++i) island.rest[i] = problem.rest[rows[i]];
  island.springs.resize(problem.springs.empty() ? 0 : rows.size());
  for (std::size_t i = 0; i < island.springs.size(); ++i) island.springs[i] = problem.springs[rows[i]];
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
  if (problem.D.nonZeros() > 0) cut(problem.D, rows, row_island_, k, row_place_, m, true, island.D);
  else if (n == 0) clear(m, m, island.D);
  else clear(0, 0, island.D);
  if (n > 0) {
    cut(problem.M, velocities, velocity_island_, k, velocity_place_, n, false, island.M);  // of a ball, 30 of 36
    cut(problem.H, rows, velocity_island_, k, velocity_place_, n, true, island.H);
  } else {
    clear(0, 0, island.M);
    clear(0, 0, island.H);
  }
  if (n == 0 || m == 0 || problem.G.nonZeros() == 0) {
    clear(0, 0, island.G);
    return;
  }
  cut(problem.G, velocities, row_island_, k, row_place_, m, true, island.G);
  if (island.G.nonZeros() == 0) {  // rows without input: an empty G would stand for H^T
    island.G.insert(0, 0) = 0.0;
    island.G.makeCompressed();
  }
}

}  // namespace saltus
