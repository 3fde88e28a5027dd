#include "saltus/solver/friction/block_factor.hpp"

#include <Eigen/Dense>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "saltus/solver/friction/dense_kernels.hpp"

namespace saltus::friction {
namespace {

using Pattern = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

constexpr std::int64_t divided_from = 60'000;  // entries; below, handing over costs more than it saves

template <class F>
void each(Threads* threads, int n, const F& task) {
  if (threads) threads->each(n, task);
  else
    for (int i = 0; i < n; ++i) task(i);
}

template <class F>
void spread(Threads* threads, int n, const F& task) {
  if (threads) threads->spread(n, task);
  else
    for (int i = 0; i < n; ++i) task(i);
}

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
  divide();
  place(edges);
  reach();
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

// Parts: runs of whole subtrees of at most a sixteenth of all entries. Small factors have none.
void BlockFactor::divide() {
  parts_.clear(), top_.clear();
  const int n = static_cast<int>(fronts_.size());
  std::vector<std::int64_t> own(n), below(n);  // entries of a front, of its subtree
  std::vector<int> first(n);                   // of its subtree
  for (int k = 0; k < n; ++k) {
    const std::int64_t p = static_cast<std::int64_t>(fronts_[k].pivots) * block_, r = static_cast<std::int64_t>(fronts_[k].rows) * block_;
    own[k] = below[k] = p * (p + 1) / 2 + r * p;
    first[k] = k;
    for (int child : fronts_[k].children) below[k] += below[child], first[k] = std::min(first[k], first[child]);
  }
  const std::int64_t most = entries_ >= divided_from ? entries_ / 16 : -1;
  std::vector<std::pair<int, int>> roots;  // first front and root of the largest subtrees that are small enough
  for (int k = n - 1; k >= 0;) {
    if (below[k] <= most) roots.emplace_back(first[k], k), k = first[k] - 1;
    else top_.push_back(k--);
  }
  std::reverse(top_.begin(), top_.end());
  std::reverse(roots.begin(), roots.end());
  std::int64_t size = 0;
  for (const auto& [begin, root] : roots) {
    if (!parts_.empty() && parts_.back().last == begin && size + below[root] <= most) {
      parts_.back().last = root + 1;
      size += below[root];
    } else {
      parts_.push_back({begin, root + 1});
      size = below[root];
    }
  }
  for (Part& part : parts_) {
    part.begin = fronts_[part.first].first;
    part.end = fronts_[part.last - 1].first + fronts_[part.last - 1].pivots;
  }
}

// What a front adds to its ancestors: inside of a part at their places; the root of a subtree and a front of the top collect
// beside y, where the parent fetches it.
void BlockFactor::reach() {
  slots_ = rows_;
  int beside = 0;
  std::vector<int> place(count_, -1);
  for (Part& part : parts_) {
    part.beside = beside;
    for (int k = part.last - 1, root = -1; k >= part.first; --k) {  // a root before what is below it
      Front& front = fronts_[k];
      if (front.parent < 0 || front.parent >= part.last) {
        root = k;
        front.beside = beside, beside += front.rows;
        for (int i = 0; i < front.rows; ++i) place[rows_[front.rows_begin + i]] = i;
      }
      for (int i = front.rows_begin; i < front.rows_begin + front.rows; ++i)
        if (rows_[i] >= part.end) slots_[i] = count_ + fronts_[root].beside + place[rows_[i]];
    }
    part.beside_size = beside - part.beside;
  }
  // The top by height, so that whoever takes the next front seldom waits for what is below it.
  std::vector<int> height(fronts_.size(), 0);
  for (int k : top_) {
    Front& front = fronts_[k];
    front.beside = beside, beside += front.rows;
    for (int i = 0; i < front.rows; ++i) slots_[front.rows_begin + i] = count_ + front.beside + i;
    if (front.parent >= 0) height[front.parent] = std::max(height[front.parent], height[k] + 1);
  }
  beside_ = beside;
  by_height_ = top_;
  std::stable_sort(by_height_.begin(), by_height_.end(), [&](int i, int j) { return height[i] < height[j]; });
  height_of_.assign(fronts_.size(), -1);
  for (std::size_t i = 0; i < by_height_.size(); ++i) height_of_[by_height_[i]] = static_cast<int>(i);
  done_ = std::make_unique<std::atomic<std::int64_t>[]>(by_height_.size());
  most_rows_ = 0;
  for (const Front& front : fronts_) most_rows_ = std::max(most_rows_, front.rows);
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
  stack_size_ = 0;
  std::vector<int> part_of(fronts_.size(), -1);
  for (std::size_t i = 0; i < parts_.size(); ++i)
    std::fill(part_of.begin() + parts_[i].first, part_of.begin() + parts_[i].last, static_cast<int>(i));
  const auto size = [this](const Front& front) { return static_cast<std::int64_t>(front.rows) * front.rows * block_ * block_; };
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    Front& front = fronts_[k];
    enter(front);
    for (int e = entry_begin_[k]; e < entry_begin_[k + 1]; ++e)
      sorted_[e].row = local[sorted_[e].row], sorted_[e].column = local[sorted_[e].column];
    for (int child : front.children) {
      Front& c = fronts_[child];
      c.target_begin = static_cast<int>(targets_.size());
      for (int i = 0; i < c.rows; ++i) targets_.push_back(local[rows_[c.rows_begin + i]]);
    }
  }
  // A stack a part, one for the top: the new update is built above the children's, then moved down onto them.
  std::int64_t base = 0, depth = 0;
  const auto push = [&](int k) {
    Front& front = fronts_[k];
    std::int64_t released = 0;
    for (int child : front.children)
      if (part_of[child] == part_of[k]) released += size(fronts_[child]);
    front.built = base + depth, front.kept = front.built - released;
    stack_size_ = std::max(stack_size_, front.built + size(front));
    depth += size(front) - released;
  };
  for (const Part& part : parts_) {
    base = stack_size_, depth = 0;
    for (int k = part.first; k < part.last; ++k) push(k);
  }
  base = stack_size_, depth = 0;
  for (int k : top_) push(k);
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

bool BlockFactor::factor(const double* diagonal, const double* lower, const double* upper, Threads* threads) {
  symmetric_ = upper == nullptr;
  panels_.resize(panel_size_);
  if (!symmetric_) upper_panels_.resize(upper_size_), pivots_.resize(static_cast<std::size_t>(count_) * block_);
  stack_.resize(stack_size_);
  std::atomic<bool> regular{true};
  spread(threads, static_cast<int>(parts_.size()), [&](int i) {
    for (int k = parts_[i].first; k < parts_[i].last && regular; ++k)
      if (!eliminate(fronts_[k], diagonal, lower, upper, nullptr)) regular = false;
  });
  for (int k : top_)
    if (!regular || !eliminate(fronts_[k], diagonal, lower, upper, threads)) return false;
  return regular;
}

bool BlockFactor::eliminate(Front& front, const double* diagonal, const double* lower, const double* upper, Threads* threads) {
  assemble(front, diagonal, lower, upper);
  const std::int64_t size = static_cast<std::int64_t>(front.rows) * front.rows * block_ * block_;
  double* update = stack_.data() + front.built;
  std::fill(update, update + size, 0.0);
  for (auto child = front.children.rbegin(); child != front.children.rend(); ++child)
    gather(fronts_[*child], front, stack_.data() + fronts_[*child].kept, update);
  if (!(symmetric_ ? eliminate_symmetric(front, update, threads) : eliminate_general(front, update, threads))) return false;
  if (front.kept != front.built) std::copy(update, update + size, stack_.data() + front.kept);
  return true;
}

bool BlockFactor::eliminate_symmetric(const Front& front, double* update, Threads* threads) {
  const int p = front.pivots * block_, r = front.rows * block_, n = p + r;
  double* panel = panels_.data() + front.panel;
  if (!cholesky_panel(panel, n, p, threads)) return false;
  invert_diagonal(panel, n, p);
  subtract_lower(panel + p, n, r, p, update, threads);
  return true;
}

bool BlockFactor::eliminate_general(const Front& front, double* update, Threads* threads) {
  const int p = front.pivots * block_, r = front.rows * block_, n = p + r;
  double *panel = panels_.data() + front.panel, *other = upper_panels_.data() + front.upper_panel;
  if (!lu_panel(panel, n, p, other, r, pivots_.data() + static_cast<std::int64_t>(front.first) * block_, threads)) return false;
  invert_diagonal(panel, n, p);
  subtract_product(panel + p, n, other, r, r, p, update, threads);
  return true;
}

void BlockFactor::forward(const Front& front, double* y, double* local) const {
  const int b = block_, p = front.pivots * b, r = front.rows * b, n = p + r;
  const double* panel = panels_.data() + front.panel;
  double* pivot = y + static_cast<std::int64_t>(front.first) * b;
  if (!symmetric_) permute(pivots_.data() + static_cast<std::int64_t>(front.first) * b, p, pivot);
  lower_solve(panel, n, p, symmetric_, pivot);
  if (r == 0) return;
  product(panel + p, n, pivot, r, p, local);
  for (int i = 0; i < front.rows; ++i) {
    double* target = y + static_cast<std::int64_t>(slots_[front.rows_begin + i]) * b;
    for (int k = 0; k < b; ++k) target[k] -= local[i * b + k];
  }
}

void BlockFactor::backward(const Front& front, double* y, double* local) const {
  const int b = block_, p = front.pivots * b, r = front.rows * b, n = p + r;
  const double* panel = panels_.data() + front.panel;
  const double* below = symmetric_ ? panel + p : upper_panels_.data() + front.upper_panel;
  double* pivot = y + static_cast<std::int64_t>(front.first) * b;
  for (int i = 0; i < front.rows; ++i) std::copy_n(y + static_cast<std::int64_t>(rows_[front.rows_begin + i]) * b, b, local + i * b);
  if (r > 0) subtract_transposed(below, symmetric_ ? n : r, local, r, p, pivot);
  upper_solve(panel, n, p, symmetric_, pivot);
}

// Contributions of the children to a front of the top.
void BlockFactor::fetch(const Front& front, double* y) const {
  const int b = block_;
  double* beside = y + static_cast<std::int64_t>(count_) * b;
  double* own = beside + static_cast<std::int64_t>(front.beside) * b;
  std::fill_n(own, front.rows * b, 0.0);
  for (int child : front.children) {
    const Front& c = fronts_[child];
    const double* source = beside + static_cast<std::int64_t>(c.beside) * b;
    for (int i = 0; i < c.rows; ++i, source += b) {
      const int t = targets_[c.target_begin + i];
      double* target = t < front.pivots ? y + static_cast<std::int64_t>(front.first + t) * b : own + static_cast<std::int64_t>(t - front.pivots) * b;
      for (int k = 0; k < b; ++k) target[k] += source[k];
    }
  }
}

void BlockFactor::solve(double* x, Threads* threads) {
  const std::int64_t b = block_, most = b * most_rows_;
  const int parts = static_cast<int>(parts_.size()), fronts = static_cast<int>(by_height_.size());
  work_.resize(b * count_ + b * beside_ + most * (threads ? parts + fronts : 1));
  double *y = work_.data(), *locals = y + b * count_ + b * beside_;
  const auto local = [&](int task) { return locals + (threads ? most * task : 0); };
  const auto enter = [&](int begin, int end) {
    for (int k = begin; k < end; ++k) std::copy_n(x + b * node_[k], b, y + b * k);
  };
  const auto leave = [&](int begin, int end) {
    for (int k = begin; k < end; ++k) std::copy_n(y + b * k, b, x + b * node_[k]);
  };
  // Fronts of the top are taken in their order: whom one waits for has been taken before. The parts stand for themselves.
  std::int64_t round = ++rounds_;
  const auto wait_for = [&](int front) {
    if (height_of_[front] < 0) return;
    for (int tries = 0; done_[height_of_[front]].load(std::memory_order_acquire) < round; ++tries)
      if (tries > 100000) std::this_thread::yield();
  };
  const auto finished = [&](int i) { done_[i].store(round, std::memory_order_release); };
  spread(threads, parts, [&](int i) {
    const Part& part = parts_[i];
    enter(part.begin, part.end);
    std::fill_n(y + b * (count_ + part.beside), b * part.beside_size, 0.0);
    for (int k = part.first; k < part.last; ++k) forward(fronts_[k], y, local(i));
  });
  each(threads, fronts, [&](int i) {
    const Front& front = fronts_[by_height_[i]];
    enter(front.first, front.first + front.pivots);
    for (int child : front.children) wait_for(child);
    fetch(front, y);
    forward(front, y, local(parts + i));
    finished(i);
  });
  round = ++rounds_;
  each(threads, fronts, [&](int k) {
    const int i = fronts - 1 - k;
    const Front& front = fronts_[by_height_[i]];
    if (front.parent >= 0) wait_for(front.parent);
    backward(front, y, local(parts + i));
    leave(front.first, front.first + front.pivots);
    finished(i);
  });
  spread(threads, parts, [&](int i) {
    const Part& part = parts_[i];
    for (int k = part.last - 1; k >= part.first; --k) backward(fronts_[k], y, local(i));
    leave(part.begin, part.end);
  });
}

}  // namespace saltus::friction
