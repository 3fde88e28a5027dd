#include "saltus/solver/all_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double accepted = 1e-9;
}  // namespace

/// z_ in the states: Gauss on the rows inside, each divided by its largest entry, with the largest entry of all as pivot. False
/// where they are singular.
bool AllModes::point(const MixedLcp& p) {
  const int n = p.n, stride = n + 1;
  std::vector<int> inside;
  for (int i = 0; i < n; ++i) {
    if (states_[i] == State::inside) inside.push_back(i);
    else z_[i] = states_[i] == State::low ? p.low[i] : p.high[i];
  }
  const int k = count_of(inside);
  rows_.assign(k * stride, 0.0);
  for (int i = 0; i < k; ++i) {
    double* row = rows_.data() + i * stride;
    const double* A = p.A.data() + at(inside[i]) * at(n);
    double size = 0.0;
    for (int j = 0; j < k; ++j) size = std::max(size, std::abs(row[j] = A[inside[j]]));
    row[k] = -p.q[inside[i]];
    for (int j = 0; j < n; ++j)
      if (states_[j] != State::inside && A[j] != 0.0) row[k] -= A[j] * z_[j];
    if (!(size > 0.0)) return false;
    for (int j = 0; j <= k; ++j) row[j] /= size;
  }
  std::vector<int> column(at(k));
  for (int j = 0; j < k; ++j) column[j] = j;
  for (int step = 0; step < k; ++step) {
    int r = step, c = step;
    for (int i = step; i < k; ++i)
      for (int j = step; j < k; ++j)
        if (std::abs(rows_[i * stride + j]) > std::abs(rows_[r * stride + c])) r = i, c = j;
    double* pivot = rows_.data() + step * stride;
    if (r != step) std::swap_ranges(pivot, pivot + k + 1, rows_.data() + r * stride);
    if (c != step) {
      for (int i = 0; i < k; ++i) std::swap(rows_[i * stride + c], rows_[i * stride + step]);
      std::swap(column[c], column[step]);
    }
    if (!(std::abs(pivot[step]) > 0.0)) return false;
    for (int i = 0; i < k; ++i) {
      double* row = rows_.data() + i * stride;
      if (i == step || row[step] == 0.0) continue;
      const double f = row[step] / pivot[step];
      for (int j = step; j <= k; ++j) row[j] -= f * pivot[j];
    }
  }
  for (int i = 0; i < k; ++i) {
    const double x = rows_[i * stride + k] / rows_[i * stride + i];
    if (!std::isfinite(x)) return false;
    z_[inside[column[i]]] = x;
  }
  return true;
}

double AllModes::violation(const MixedLcp& p) const {
  double worst = 0.0;
  for (int i = 0; i < p.n; ++i) {
    const double z = z_[i], low = p.low[i], high = p.high[i];
    double error = 0.0, size = std::abs(z);
    if (states_[i] == State::inside) {
      error = std::max(low - z, z - high);
      if (std::isfinite(low)) size = std::max(size, std::abs(low));
      if (std::isfinite(high)) size = std::max(size, std::abs(high));
    } else if (low < high) {
      double w = p.q[i];
      size = std::abs(w);
      for (int j = 0; j < p.n; ++j) {
        const double term = p.A[at(i) * at(p.n) + at(j)] * z_[j];
        w += term;
        size += std::abs(term);
      }
      error = states_[i] == State::low ? -w : w;
    }
    if (error > 0.0) worst = std::max(worst, size > 0.0 ? error / size : infinity);
  }
  return worst;
}

/// Of the rows with a choice from the start, bounds as the unit where there are some.
double AllModes::distance(const MixedLcp& p) const {
  double sum = 0.0;
  for (int i = 0; i < p.n; ++i) {
    const double low = p.low[i], high = p.high[i];
    if (std::isinf(low) && std::isinf(high)) continue;
    const double width = std::isfinite(high - low) && high > low ? high - low : std::max(std::abs(z_[i]), std::abs(start_[i]));
    if (width > 0.0) sum += std::pow((z_[i] - start_[i]) / width, 2);
  }
  return sum;
}

bool AllModes::solve(const MixedLcp& p, std::span<double> z) {
  start_.assign(z.begin(), z.end());
  std::vector<int> open;  // rows with a choice
  states_.assign(p.n, State::inside);
  z_.assign(p.n, 0.0);
  const auto first = [&](int i) { return std::isfinite(p.low[i]) ? State::low : State::inside; };
  for (int i = 0; i < p.n; ++i) {
    states_[i] = first(i);
    if (p.low[i] < p.high[i] && (std::isfinite(p.low[i]) || std::isfinite(p.high[i]))) open.push_back(i);
  }
  double nearest = infinity;
  for (tried_ = 0;; ++tried_) {
    if (point(p) && violation(p) <= accepted)
      if (const double here = distance(p); here < nearest) {
        nearest = here;
        found_ = z_;
      }
    std::size_t k = 0;  // the next combination
    for (; k < open.size(); ++k) {
      State& state = states_[open[k]];
      if (state == State::low) state = State::inside;
      else if (state == State::inside && std::isfinite(p.high[open[k]])) state = State::high;
      else state = first(open[k]);
      if (state != first(open[k])) break;
    }
    if (k == open.size()) break;
  }
  if (std::isinf(nearest)) return false;
  std::copy(found_.begin(), found_.end(), z.begin());
  return true;
}

}  // namespace saltus
