#include "saltus/math/front_factor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "saltus/base/index.hpp"
#include "saltus/base/memory.hpp"
#include "saltus/math/front_kernels.hpp"

namespace saltus {
namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

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

void add(const double* from, int count, double* to) {
  for (int i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace

void FrontFactor::analyze(const CsrPattern& graph, std::span<const int> size, std::span<const int> unknown) {
  tree_.build(graph, size);
  panels_.reset(), sides_.reset(), stack_.reset();
  stack_size_ = 0;
  const std::size_t n = tree_.size();
  position_.resize(n), unknown_.resize(n);
  for (int v = 0, next = 0; v < graph.rows; ++v)
    for (int i = 0; i < size[v]; ++i, ++next) {
      const int at = tree_.position()[v] + i;
      unknown_[at] = unknown[next], position_[unknown[next]] = at;
    }
  pivot_.assign(n, 0.0);
  mark_.assign(n, 0);
  // The top by height, so that whoever takes the next front seldom waits for what is below it.
  const auto& fronts = tree_.fronts();
  std::vector<int> height(fronts.size(), 0);
  for (const int f : tree_.top())
    if (const int parent = fronts[f].parent; parent >= 0) height[parent] = std::max(height[parent], height[f] + 1);
  by_height_ = tree_.top();
  std::stable_sort(by_height_.begin(), by_height_.end(), [&](int i, int j) { return height[i] < height[j]; });
  height_of_.assign(fronts.size(), -1);
  for (int i = 0; i < count_of(by_height_); ++i) height_of_[by_height_[i]] = i;
  done_ = std::make_unique<std::atomic<std::int64_t>[]>(by_height_.size());
}

double FrontFactor::bytes(bool symmetric, const Threads* threads) const {
  const bool divided = threads && threads->count() > 1;
  return sizeof(double) * static_cast<double>(tree_.panel_size() + (symmetric ? 0 : tree_.side_size()) + tree_.stack_size(divided) + tree_.sums_size() + 2 * tree_.size());
}

/// Whether a stack for each task is there or can be had: they take more memory together than one, for the same bits.
bool FrontFactor::room_to_divide() const {
  constexpr double small = 64e6;  // bytes: the system need not be asked
  const double more = sizeof(double) * static_cast<double>(tree_.stack_size(true) - stack_size_ + (panels_ ? 0 : tree_.panel_size()));
  return stack_size_ >= tree_.stack_size(true) || more < small || more < available_memory();
}

void FrontFactor::reserve(bool divided) {
  const auto taken = [](std::unique_ptr<double[]>& array, std::int64_t size) {
    if (!array && size > 0) array = std::make_unique_for_overwrite<double[]>(size);
  };
  taken(panels_, tree_.panel_size());
  if (!symmetric_) taken(sides_, tree_.side_size()), exchanges_.resize(pivot_.size());
  if (const std::int64_t size = tree_.stack_size(divided); size > stack_size_) {
    stack_.reset();
    taken(stack_, stack_size_ = size);
  }
}

PivotReport FrontFactor::factorize(bool symmetric, const void* of, Caller fill, std::span<const double> substitute, double lost, Threads* threads) {
  symmetric_ = symmetric;
  if (threads && (threads->count() == 1 || !room_to_divide())) threads = nullptr;
  const Work work{of, fill, lost, threads != nullptr, !substitute.empty()};
  reserve(work.divided);
  if (work.replaces) {
    substitute_.resize(pivot_.size());
    for (std::size_t p = 0; p < unknown_.size(); ++p) substitute_[p] = substitute[unknown_[p]];
  }
  std::fill(mark_.begin(), mark_.end(), char{0});
  // Of the fronts that fail the first one counts: whoever stands before it is done, with any number of threads.
  std::atomic<std::int64_t> failed{none};
  const auto& fronts = tree_.fronts();
  const auto take = [&](int f, Threads* own) {
    if (fronts[f].begin >= failed.load(std::memory_order_relaxed)) return false;
    const int columns = eliminate(f, work, own);
    if (columns == fronts[f].width) return true;
    for (std::int64_t at = fronts[f].begin + columns, seen = failed.load(); at < seen && !failed.compare_exchange_weak(seen, at);) {}
    return false;
  };
  if (!threads) {
    for (int f = 0; f < count_of(fronts) && take(f, nullptr); ++f) {}
  } else {
    threads->spread(count_of(tree_.tasks()), [&](int t) {
      const FrontTree::Task& task = tree_.tasks()[t];
      for (int f = task.first; f < task.last && take(f, nullptr); ++f) {}
    });
    for (const int f : tree_.top())
      if (!take(f, threads)) break;
  }
  return report(failed);
}

PivotReport FrontFactor::report(std::int64_t failed) const {
  PivotReport report;
  if (failed != none) {
    report.row = unknown_[failed];
    report.finite = std::isfinite(pivot_[failed]);
    report.replaced = report.finite ? 1 : 0;
    return report;
  }
  report.smallest = pivot_.empty() ? 0.0 : std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < pivot_.size(); ++p) {
    if (mark_[p] == replaced_mark && report.replaced++ == 0) report.row = unknown_[p];
    report.doubtful += mark_[p] != 0;
    if (pivot_[p] < 0.0 && report.negative++ == 0) report.first_negative = unknown_[p];
    report.smallest = std::min(report.smallest, std::abs(pivot_[p]));
    report.largest = std::max(report.largest, std::abs(pivot_[p]));
  }
  return report;
}

std::vector<int> FrontFactor::replaced() const {
  std::vector<int> rows;
  for (std::size_t p = 0; p < mark_.size(); ++p)
    if (mark_[p] == replaced_mark) rows.push_back(unknown_[p]);
  return rows;
}

/// Number of pivots that were found: the front's width, or the first column without one.
int FrontFactor::eliminate(int f, const Work& work, Threads* threads) {
  const Front& front = tree_.fronts()[f];
  const Target target{panels_.get() + front.panel, symmetric_ ? nullptr : sides_.get() + front.side, front.rows(), front.rest_rows(), front.rest_row(), symmetric_};
  std::fill_n(target.panel, std::int64_t{target.rows} * front.width, 0.0);
  if (!symmetric_) std::fill_n(target.side, std::int64_t{target.side_rows} * front.width, 0.0);
  work.fill(work.of, f, target);
  const FrontTree::Place place = tree_.places(work.divided)[f];
  double* update = stack_.get() + place.built;
  std::fill_n(update, front.update(), 0.0);
  const int found = symmetric_ ? eliminate_symmetric(front, target, work, update, threads) : eliminate_general(front, target, work, update, threads);
  if (place.kept != place.built) std::copy_n(update, front.update(), stack_.get() + place.kept);
  return found;
}

int FrontFactor::eliminate_symmetric(const Front& front, const Target& target, const Work& work, double* update, Threads* threads) {
  thread_local std::vector<double> terms_buffer;
  terms_buffer.assign(target.rows, 0.0);
  double *terms = terms_buffer.data(), *handed = update + std::int64_t{front.rest_rows()} * front.rest;
  const auto& places = tree_.places(work.divided);
  for (int j = 0; j < front.width; ++j) terms[j] = std::abs(target.panel[std::int64_t{j} * (target.rows + 1)]);
  const auto children = tree_.children(front);
  for (auto c = children.rbegin(); c != children.rend(); ++c) {
    const Front& child = tree_.fronts()[*c];
    const double* left = stack_.get() + places[*c].kept;
    gather(child, front, target, left, update);
    const double* of_child = left + std::int64_t{child.rest_rows()} * child.rest;
    for (const FrontTree::Run& run : tree_.runs(child)) add(of_child, run.length, terms + run.row), of_child += run.length;
  }
  const PivotRule rule{work.lost, work.replaces ? substitute_.data() + front.begin : nullptr, pivot_.data() + front.begin, mark_.data() + front.begin};
  const int found = ldlt_panel(target.panel, target.rows, front.width, terms, rule, threads);
  if (found < front.width) return found;
  subtract_ldlt(target.panel + target.rest_row, target.rows, rule.pivot, front.rest, front.width, update, threads);
  std::copy_n(terms + target.rest_row, front.rest_rows(), handed);
  return found;
}

int FrontFactor::eliminate_general(const Front& front, const Target& target, const Work& work, double* update, Threads* threads) {
  const auto& places = tree_.places(work.divided);
  const auto children = tree_.children(front);
  for (auto c = children.rbegin(); c != children.rend(); ++c) gather_general(tree_.fronts()[*c], front, target, stack_.get() + places[*c].kept, update);
  const int found = lu_panel(target.panel, target.rows, front.width, target.rest_row, target.side, front.rest, exchanges_.data() + front.begin, work.lost, threads);
  for (int j = 0; j < found; ++j) pivot_[front.begin + j] = 1.0 / target.panel[std::int64_t{j} * (target.rows + 1)];
  if (found < front.width) {
    pivot_[front.begin + found] = target.panel[std::int64_t{found} * (target.rows + 1)];
    return found;
  }
  subtract_product(target.panel + target.rest_row, target.rows, target.side, target.side_rows, front.rest, front.width, update, threads);
  return found;
}

/// Adds what a child left, lower triangle: columns of pivots to the panel, the others to the front's own update.
void FrontFactor::gather(const Front& child, const Front& front, const Target& target, const double* left, double* update) const {
  const auto runs = tree_.runs(child);
  const int stride = child.rest_rows();
  int first = 0;  // row of the run in what the child left
  for (std::size_t a = 0; a < runs.size(); first += runs[a++].length)
    for (int k = 0; k < runs[a].length; ++k, left += stride) {
      const int column = runs[a].row + k;
      double* to = column < front.width ? target.panel + std::int64_t{column} * target.rows : update + std::int64_t{column - target.rest_row} * target.side_rows - target.rest_row;
      add(left + first + k, runs[a].length - k, to + column);
      const double* from = left + first + runs[a].length;
      for (std::size_t b = a + 1; b < runs.size(); from += runs[b++].length) add(from, runs[b].length, to + runs[b].row);
    }
}

/// The same of a whole matrix: rows of pivots right of the panel go to `side`.
void FrontFactor::gather_general(const Front& child, const Front& front, const Target& target, const double* left, double* update) const {
  const auto runs = tree_.runs(child);
  const int stride = child.rest_rows();
  for (const FrontTree::Run& of_columns : runs)
    for (int k = 0; k < of_columns.length; ++k, left += stride) {
      const int column = of_columns.row + k, behind = column - target.rest_row;
      const double* from = left;
      for (const FrontTree::Run& run : runs) {
        if (column < front.width) add(from, run.length, target.panel + std::int64_t{column} * target.rows + run.row);
        else if (run.row >= target.rest_row) add(from, run.length, update + std::int64_t{behind} * target.side_rows + run.row - target.rest_row);
        else
          for (int i = 0; i < run.length; ++i) {  // a run may reach from the pivots into the rest
            const int row = run.row + i;
            if (row < front.width) target.side[behind + std::int64_t{row} * target.side_rows] += from[i];
            else update[std::int64_t{behind} * target.side_rows + row - target.rest_row] += from[i];
          }
        from += run.length;
      }
    }
}

/// Takes what the children collected, and collects what the front adds to its later rows.
void FrontFactor::forward(const Front& front, double* y, bool transposed) const {
  double *own = sums(front, y), *pivot = y + front.begin;
  std::fill_n(own, front.rest_rows(), 0.0);
  for (const int c : tree_.children(front)) {
    const Front& child = tree_.fronts()[c];
    const double* from = sums(child, y);
    for (const FrontTree::Run& run : tree_.runs(child)) {
      const int in_pivots = std::clamp(front.width - run.row, 0, run.length);
      add(from, in_pivots, pivot + run.row);
      add(from + in_pivots, run.length - in_pivots, own + (run.row + in_pivots - front.rest_row()));
      from += run.length;
    }
  }
  const int rows = front.rows();
  const double* panel = panels_.get() + front.panel;
  if (symmetric_ || !transposed) {
    if (!symmetric_) permute(exchanges_.data() + front.begin, front.width, pivot);
    lower_solve(panel, rows, front.width, pivot);
    subtract_from(panel + front.rest_row(), rows, pivot, front.rest_rows(), front.width, own);
  } else {
    upper_transposed_solve(panel, rows, front.width, pivot);
    subtract_from(sides_.get() + front.side, front.rest_rows(), pivot, front.rest_rows(), front.width, own);
  }
}

void FrontFactor::backward(const Front& front, double* y, bool transposed) const {
  double *later = sums(front, y), *pivot = y + front.begin, *next = later;
  for (const FrontTree::Run& run : tree_.runs(front)) next = std::copy_n(y + run.position, run.length, next);
  const int rows = front.rows();
  const double* panel = panels_.get() + front.panel;
  if (symmetric_)
    for (int j = 0; j < front.width; ++j) pivot[j] *= panel[std::int64_t{j} * (rows + 1)];
  const bool by_columns = symmetric_ || transposed;
  if (by_columns) subtract_transposed(panel + front.rest_row(), rows, later, front.rest, front.width, pivot);
  else subtract_transposed(sides_.get() + front.side, front.rest_rows(), later, front.rest, front.width, pivot);
  if (by_columns) lower_transposed_solve(panel, rows, front.width, pivot);
  else upper_solve(panel, rows, front.width, pivot);
  if (!symmetric_ && transposed) permute_back(exchanges_.data() + front.begin, front.width, pivot);
}

void FrontFactor::solve(double* x, Threads* threads, bool transposed) {
  if (threads && threads->count() == 1) threads = nullptr;
  const auto& fronts = tree_.fronts();
  const int tasks = count_of(tree_.tasks()), top = count_of(by_height_);
  work_.resize(pivot_.size() + tree_.sums_size());
  double* y = work_.data();
  const auto enter = [&](const Front& f) {
    for (int p = f.begin; p < f.begin + f.width; ++p) y[p] = x[unknown_[p]];
  };
  const auto leave = [&](const Front& f) {
    for (int p = f.begin; p < f.begin + f.width; ++p) x[unknown_[p]] = y[p];
  };
  // Fronts of the top are taken in their order: whom one waits for has been taken before. The tasks stand for themselves.
  std::int64_t round = ++rounds_;
  const auto wait_for = [&](int f) {
    if (height_of_[f] < 0) return;
    for (int tries = 0; done_[height_of_[f]].load(std::memory_order_acquire) < round; ++tries)
      if (tries > 100000) std::this_thread::yield();
  };
  const auto finished = [&](int i) { done_[i].store(round, std::memory_order_release); };
  spread(threads, tasks, [&](int t) {
    for (int f = tree_.tasks()[t].first; f < tree_.tasks()[t].last; ++f) enter(fronts[f]), forward(fronts[f], y, transposed);
  });
  each(threads, top, [&](int i) {
    const Front& front = fronts[by_height_[i]];
    enter(front);
    for (const int c : tree_.children(front)) wait_for(c);
    forward(front, y, transposed);
    finished(i);
  });
  round = ++rounds_;
  each(threads, top, [&](int k) {
    const int i = top - 1 - k;
    const Front& front = fronts[by_height_[i]];
    if (front.parent >= 0) wait_for(front.parent);
    backward(front, y, transposed);
    leave(front);
    finished(i);
  });
  spread(threads, tasks, [&](int t) {
    for (int f = tree_.tasks()[t].last - 1; f >= tree_.tasks()[t].first; --f) backward(fronts[f], y, transposed), leave(fronts[f]);
  });
}

}  // namespace saltus
