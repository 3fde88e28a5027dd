#include "saltus/solver/friction/block_factor.hpp"

#include <Eigen/Dense>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/solver/friction/dense_kernels.hpp"

namespace saltus::friction {
namespace {

using Pattern = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// Elimination tree of the pattern in elimination order (Liu 1986): adjacency by position, smaller neighbours only.
std::vector<int> elimination_tree(const std::vector<std::vector<int>>& smaller) {
  const int n = static_cast<int>(smaller.size());
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int j = 0; j < n; ++j)
    for (int start : smaller[j])
      for (int i = start; i != -1 && i < j;) {
        const int next = ancestor[i];
        ancestor[i] = j;
        if (next == -1) parent[i] = j;
        i = next;
      }
  return parent;
}

std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> head(n, -1), next(n, -1), order, stack;
  for (int j = n - 1; j >= 0; --j)
    if (parent[j] >= 0) next[j] = head[parent[j]], head[parent[j]] = j;
  order.reserve(n);
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int j = stack.back(), child = head[j];
      if (child < 0) {
        order.push_back(j);
        stack.pop_back();
      } else {
        head[j] = next[child];
        stack.push_back(child);
      }
    }
  }
  return order;
}

std::vector<std::vector<int>> smaller_neighbours(int count, const std::vector<BlockFactor::Edge>& edges,
                                                 const std::vector<int>& position) {
  std::vector<std::vector<int>> smaller(count);
  for (const auto& [i, j] : edges)
    smaller[std::max(position[i], position[j])].push_back(std::min(position[i], position[j]));
  return smaller;
}

}  // namespace

void BlockFactor::analyse(int count, int block, const std::vector<Edge>& edges) {
  count_ = count;
  block_ = block;
  order(edges);
  structure(edges);
  place(edges);
}

void BlockFactor::order(const std::vector<Edge>& edges) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * edges.size() + count_);
  for (int i = 0; i < count_; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [i, j] : edges) entries.emplace_back(i, j, 1.0), entries.emplace_back(j, i, 1.0);
  Pattern A(count_, count_);
  A.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> minimum_degree;
  Eigen::internal::minimum_degree_ordering(A, minimum_degree);
  std::vector<int> first(count_);
  position_.resize(count_);
  for (int k = 0; k < count_; ++k) first[k] = minimum_degree.indices()[k], position_[first[k]] = k;
  const std::vector<int> post = postorder(elimination_tree(smaller_neighbours(count_, edges, position_)));
  node_.resize(count_);
  for (int k = 0; k < count_; ++k) node_[k] = first[post[k]];
  for (int k = 0; k < count_; ++k) position_[node_[k]] = k;
}

void BlockFactor::structure(const std::vector<Edge>& edges) {
  const auto smaller = smaller_neighbours(count_, edges, position_);
  const std::vector<int> parent = elimination_tree(smaller);
  std::vector<std::vector<int>> below(count_), children(count_);
  for (int j = 0; j < count_; ++j) {
    for (int i : smaller[j]) below[i].push_back(j);
    if (parent[j] >= 0) children[parent[j]].push_back(j);
  }
  std::vector<int> mark(count_, -1);
  for (int j = 0; j < count_; ++j) {
    std::vector<int> rows;
    mark[j] = j;
    auto take = [&](int i) {
      if (i > j && mark[i] != j) mark[i] = j, rows.push_back(i);
    };
    for (int i : below[j]) take(i);
    for (int child : children[j])
      for (int i : below[child]) take(i);
    std::sort(rows.begin(), rows.end());
    below[j] = std::move(rows);
  }
  // Supernodes: a column joins the front of the column before it, its last child, where few zeros are added.
  std::vector<int> front_of(count_);
  fronts_.clear();
  std::vector<std::int64_t> zeros;
  for (int j = 0; j < count_; ++j) {
    bool join = false;
    std::int64_t extra = 0;
    if (j > 0 && parent[j - 1] == j) {
      Front& last = fronts_.back();
      const std::int64_t missing = static_cast<std::int64_t>(below[j].size()) + 1 - static_cast<std::int64_t>(below[j - 1].size());
      extra = zeros.back() + last.pivots * missing;
      const std::int64_t k = last.pivots + 1, total = k * (k + 1) / 2 + k * static_cast<std::int64_t>(below[j].size());
      const double allowed = k * block_ <= 12 ? 0.5 : k * block_ <= 32 ? 0.25 : k * block_ <= 96 ? 0.1 : 0.03;
      join = missing == 0 ? true : static_cast<double>(extra) <= allowed * static_cast<double>(total);
    }
    if (join) {
      ++fronts_.back().pivots;
      zeros.back() = extra;
    } else {
      Front front;
      front.first = j, front.pivots = 1;
      fronts_.push_back(std::move(front));
      zeros.push_back(0);
    }
    front_of[j] = static_cast<int>(fronts_.size()) - 1;
  }
  rows_.clear();
  panel_size_ = upper_size_ = entries_ = flops_ = 0;
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    Front& front = fronts_[k];
    const auto& rows = below[front.first + front.pivots - 1];
    front.rows_begin = static_cast<int>(rows_.size());
    front.rows = static_cast<int>(rows.size());
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    if (front.rows > 0) {
      front.parent = front_of[rows[0]];
      fronts_[front.parent].children.push_back(static_cast<int>(k));
    }
    const std::int64_t p = static_cast<std::int64_t>(front.pivots) * block_, r = static_cast<std::int64_t>(front.rows) * block_;
    front.panel = panel_size_, front.upper_panel = upper_size_;
    panel_size_ += (p + r) * p, upper_size_ += r * p;
    entries_ += p * (p + 1) / 2 + r * p;
    flops_ += p * p * p / 3 + p * p * r + p * r * r;
  }
}

void BlockFactor::place(const std::vector<Edge>& edges) {
  std::vector<int> front_of(count_), local(count_, 0);
  for (std::size_t k = 0; k < fronts_.size(); ++k)
    for (int i = 0; i < fronts_[k].pivots; ++i) front_of[fronts_[k].first + i] = static_cast<int>(k);
  auto enter = [&](const Front& front) {
    for (int i = 0; i < front.pivots; ++i) local[front.first + i] = i;
    for (int i = 0; i < front.rows; ++i) local[rows_[front.rows_begin + i]] = front.pivots + i;
  };
  entry_begin_.assign(fronts_.size() + 1, 0);
  for (const auto& [i, j] : edges) ++entry_begin_[front_of[std::min(position_[i], position_[j])] + 1];
  std::partial_sum(entry_begin_.begin(), entry_begin_.end(), entry_begin_.begin());
  sorted_.resize(edges.size());
  std::vector<int> next(entry_begin_.begin(), entry_begin_.end() - 1);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const int a = position_[edges[e].first], b = position_[edges[e].second];
    sorted_[next[front_of[std::min(a, b)]]++] = {static_cast<int>(e), std::max(a, b), std::min(a, b), a < b};
  }
  targets_.clear();
  std::int64_t depth = 0;
  stack_size_ = 0;
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    Front& front = fronts_[k];
    enter(front);
    for (int e = entry_begin_[k]; e < entry_begin_[k + 1]; ++e)
      sorted_[e].row = local[sorted_[e].row], sorted_[e].column = local[sorted_[e].column];
    std::int64_t released = 0;
    for (int child : front.children) {
      Front& c = fronts_[child];
      c.target_begin = static_cast<int>(targets_.size());
      for (int i = 0; i < c.rows; ++i) targets_.push_back(local[rows_[c.rows_begin + i]]);
      released += static_cast<std::int64_t>(c.rows) * c.rows * block_ * block_;
    }
    // The new update is built above the children's, then moved down onto them.
    const std::int64_t own = static_cast<std::int64_t>(front.rows) * front.rows * block_ * block_;
    stack_size_ = std::max(stack_size_, depth + own);
    depth += own - released;
  }
}

void BlockFactor::assemble(const Front& front, const double* diagonal, const double* lower, const double* upper) {
  const int b = block_, area = b * b, p = front.pivots * b, n = p + front.rows * b, r = front.rows * b;
  double* panel = panels_.data() + front.panel;
  double* other = symmetric_ ? nullptr : upper_panels_.data() + front.upper_panel;
  std::fill(panel, panel + static_cast<std::int64_t>(n) * p, 0.0);
  if (other) std::fill(other, other + static_cast<std::int64_t>(r) * p, 0.0);
  // Row-major block into a column-major target of leading dimension `stride`.
  auto put = [b](const double* source, double* target, int stride, bool transposed) {
    for (int i = 0; i < b; ++i)
      for (int j = 0; j < b; ++j) {
        if (transposed) target[j + static_cast<std::int64_t>(i) * stride] = source[b * i + j];
        else target[i + static_cast<std::int64_t>(j) * stride] = source[b * i + j];
      }
  };
  for (int i = 0; i < front.pivots; ++i)
    put(diagonal + static_cast<std::int64_t>(area) * node_[front.first + i], panel + static_cast<std::int64_t>(i) * b * (n + 1), n, false);
  const std::size_t k = static_cast<std::size_t>(&front - fronts_.data());
  for (int e = entry_begin_[k]; e < entry_begin_[k + 1]; ++e) {
    const Entry& entry = sorted_[e];
    const double* low = lower + static_cast<std::int64_t>(area) * entry.edge;
    double* target = panel + static_cast<std::int64_t>(entry.row) * b + static_cast<std::int64_t>(entry.column) * b * n;
    if (symmetric_) {
      put(low, target, n, entry.swapped);
      continue;
    }
    const double* up = upper + static_cast<std::int64_t>(area) * entry.edge;
    put(entry.swapped ? up : low, target, n, false);
    const double* mirror = entry.swapped ? low : up;  // A(column, row)
    if (entry.row < front.pivots) put(mirror, panel + static_cast<std::int64_t>(entry.column) * b + static_cast<std::int64_t>(entry.row) * b * n, n, false);
    else put(mirror, other + static_cast<std::int64_t>(entry.row - front.pivots) * b + static_cast<std::int64_t>(entry.column) * b * r, r, true);
  }
}

// Adds a child's update matrix to the front: pivot columns to the panel(s), the rest to the front's update matrix.
void BlockFactor::gather(const Front& child, const Front& front, const double* update, double* parent_update) {
  const int b = block_, p = front.pivots, n = (front.pivots + front.rows) * b, r = front.rows * b, m = child.rows * b;
  double* panel = panels_.data() + front.panel;
  double* other = symmetric_ ? nullptr : upper_panels_.data() + front.upper_panel;
  const int* target = targets_.data() + child.target_begin;
  for (int cj = 0; cj < child.rows; ++cj) {
    const int tj = target[cj];
    for (int ci = symmetric_ ? cj : 0; ci < child.rows; ++ci) {
      const int ti = target[ci];
      const double* source = update + static_cast<std::int64_t>(ci) * b + static_cast<std::int64_t>(cj) * b * m;
      double* to = nullptr;
      int stride = n;
      bool transposed = false;
      if (tj < p) to = panel + static_cast<std::int64_t>(ti) * b + static_cast<std::int64_t>(tj) * b * n;
      else if (ti < p) to = other + static_cast<std::int64_t>(tj - p) * b + static_cast<std::int64_t>(ti) * b * r, stride = r, transposed = true;
      else to = parent_update + static_cast<std::int64_t>(ti - p) * b + static_cast<std::int64_t>(tj - p) * b * r, stride = r;
      for (int j = 0; j < b; ++j)
        for (int i = 0; i < b; ++i)
          (transposed ? to[j + static_cast<std::int64_t>(i) * stride] : to[i + static_cast<std::int64_t>(j) * stride]) +=
              source[i + static_cast<std::int64_t>(j) * m];
    }
  }
}

bool BlockFactor::factor(const double* diagonal, const double* lower, const double* upper) {
  symmetric_ = upper == nullptr;
  panels_.resize(panel_size_);
  if (!symmetric_) upper_panels_.resize(upper_size_), pivots_.resize(static_cast<std::size_t>(count_) * block_);
  stack_.resize(stack_size_);
  std::int64_t depth = 0;
  for (const Front& front : fronts_) {
    assemble(front, diagonal, lower, upper);
    const std::int64_t size = static_cast<std::int64_t>(front.rows) * front.rows * block_ * block_;
    double* update = stack_.data() + depth;
    std::fill(update, update + size, 0.0);
    std::int64_t bottom = depth;
    for (auto child = front.children.rbegin(); child != front.children.rend(); ++child) {
      const Front& c = fronts_[*child];
      bottom -= static_cast<std::int64_t>(c.rows) * c.rows * block_ * block_;
      gather(c, front, stack_.data() + bottom, update);
    }
    if (!(symmetric_ ? eliminate_symmetric(front, update) : eliminate_general(front, update))) return false;
    if (bottom != depth) std::copy(update, update + size, stack_.data() + bottom);
    depth = bottom + size;
  }
  return true;
}

bool BlockFactor::eliminate_symmetric(const Front& front, double* update) {
  const int p = front.pivots * block_, r = front.rows * block_, n = p + r;
  double* panel = panels_.data() + front.panel;
  if (!cholesky_panel(panel, n, p)) return false;
  subtract_lower(panel + p, n, r, p, update);
  return true;
}

bool BlockFactor::eliminate_general(const Front& front, double* update) {
  const int p = front.pivots * block_, r = front.rows * block_, n = p + r;
  double *panel = panels_.data() + front.panel, *other = upper_panels_.data() + front.upper_panel;
  if (!lu_panel(panel, n, p, other, r, pivots_.data() + static_cast<std::int64_t>(front.first) * block_)) return false;
  subtract_product(panel + p, n, other, r, r, p, update);
  return true;
}

void BlockFactor::solve(double* x) {
  const int b = block_;
  work_.resize(static_cast<std::size_t>(count_) * b + static_cast<std::size_t>(count_) * b);
  double *y = work_.data(), *local = y + static_cast<std::size_t>(count_) * b;
  for (int k = 0; k < count_; ++k) std::copy_n(x + static_cast<std::int64_t>(b) * node_[k], b, y + static_cast<std::int64_t>(b) * k);
  for (const Front& front : fronts_) {
    const int p = front.pivots * b, r = front.rows * b, n = p + r;
    const double* panel = panels_.data() + front.panel;
    double* pivot = y + static_cast<std::int64_t>(front.first) * b;
    if (!symmetric_) permute(pivots_.data() + static_cast<std::int64_t>(front.first) * b, p, pivot);
    lower_solve(panel, n, p, symmetric_, pivot);
    if (r == 0) continue;
    std::fill_n(local, r, 0.0);
    for (int j = 0; j < p; ++j) {
      const double f = pivot[j];
      const double* column = panel + p + static_cast<std::int64_t>(j) * n;
      for (int i = 0; i < r; ++i) local[i] += column[i] * f;
    }
    for (int i = 0; i < front.rows; ++i) {
      double* target = y + static_cast<std::int64_t>(rows_[front.rows_begin + i]) * b;
      for (int k = 0; k < b; ++k) target[k] -= local[i * b + k];
    }
  }
  for (auto it = fronts_.rbegin(); it != fronts_.rend(); ++it) {
    const Front& front = *it;
    const int p = front.pivots * b, r = front.rows * b, n = p + r;
    const double* panel = panels_.data() + front.panel;
    const double* below = symmetric_ ? panel + p : upper_panels_.data() + front.upper_panel;
    const int stride = symmetric_ ? n : r;
    double* pivot = y + static_cast<std::int64_t>(front.first) * b;
    for (int i = 0; i < front.rows; ++i) std::copy_n(y + static_cast<std::int64_t>(rows_[front.rows_begin + i]) * b, b, local + i * b);
    for (int j = 0; j < p; ++j) pivot[j] -= inner(below + static_cast<std::int64_t>(j) * stride, local, r);
    upper_solve(panel, n, p, symmetric_, pivot);
  }
  for (int k = 0; k < count_; ++k) std::copy_n(y + static_cast<std::int64_t>(b) * k, b, x + static_cast<std::int64_t>(b) * node_[k]);
}

}  // namespace saltus::friction
