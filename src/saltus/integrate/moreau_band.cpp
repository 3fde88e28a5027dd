// Modes of rows whose Delassus matrix is a narrow band: beads on a wire, columns, and other bodies side by side.
//
// Where A is diagonal, W = C A^-1 C^T couples only rows that share an unknown; where these stand close to each other a pass over
// modes (moreau_modes.cpp) is a banded L D L^T of the rows that hold, a few operations a row. If no entry of W beside the
// diagonal is positive (W a Minkowski matrix), changing all contradicting rows at once ends after at most one pass more
// than there are rows, with the only solution (Hintermueller, Ito, Kunisch 2002, theorem 3.2).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int widest = 4;
constexpr double accuracy = 1e-11;  // as in moreau_modes.cpp
}  // namespace

/// Which rows share which unknowns, in the order of Cuthill and McKee (1969): rows next to each other stand close. The band stays
/// -1 where it would be wide.
void MoreauStep::plan_band() {
  const int n = system_.layout.unknowns(), m = system_.layout.rows;
  if (!plan_.may_be_symmetric) return;
  struct Use { int row, place; };
  std::vector<std::vector<Use>> uses(at(n));
  std::vector<std::vector<int>> unknowns(at(m));
  entry_of_row_.resize(at(m));
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    for (int r = 0; r < e.rows; ++r) {
      entry_of_row_[at(e.row + r)] = static_cast<int>(i);
      for (int c = 0; c < p.columns; ++c) {
        const int place = C_begin_[i] + r * p.columns + c, unknown = plan_.columns[at(p.column_begin + c)];
        if (frozen_[at(place)] == 0.0) continue;
        uses[at(unknown)].push_back({e.row + r, place});
        unknowns[at(e.row + r)].push_back(unknown);
      }
    }
  }
  std::vector<int> degree(at(m), 0), place(at(m), -1), seeds(at(m));
  for (int row = 0; row < m; ++row)
    for (const int unknown : unknowns[at(row)]) degree[at(row)] += static_cast<int>(uses[at(unknown)].size());
  std::iota(seeds.begin(), seeds.end(), 0);
  std::stable_sort(seeds.begin(), seeds.end(), [&](int a, int b) { return degree[at(a)] < degree[at(b)]; });
  std::vector<int> order;
  for (const int seed : seeds) {
    if (place[at(seed)] >= 0) continue;
    place[at(seed)] = static_cast<int>(order.size());
    order.push_back(seed);
    for (std::size_t next = order.size() - 1; next < order.size(); ++next)
      for (const int unknown : unknowns[at(order[next])])
        for (const Use& use : uses[at(unknown)])
          if (place[at(use.row)] < 0) place[at(use.row)] = static_cast<int>(order.size()), order.push_back(use.row);
  }
  int band = 0;
  for (int unknown = 0; unknown < n; ++unknown)
    for (const Use& own : uses[at(unknown)])
      for (const Use& other : uses[at(unknown)]) {
        const int back = place[at(own.row)] - place[at(other.row)];
        if (back < 0) continue;
        band = std::max(band, back);
        if (band > widest) return shared_.clear();
        shared_.push_back({place[at(own.row)], back, own.place, other.place, unknown});
      }
  band_ = band;
  row_at_ = std::move(order);
  W_.resize(at(m * (band + 1)));
  band_factor_.resize(W_.size());
  band_x_.resize(at(m));
  free_.resize(at(n));
  inverse_.resize(at(n));
  holding_.reserve(at(m));
}

/// W of all rows, active or not, by place in the order: entry (i, i - k) at i (band + 1) + k.
void MoreauStep::band_values() {
  std::fill(W_.begin(), W_.end(), 0.0);
  for (std::size_t i = 0; i < free_.size(); ++i) inverse_[i] = 1.0 / A_[at(system_.diagonal_slot[i])];
  for (const Shared& s : shared_) W_[at(s.place * (band_ + 1) + s.back)] += frozen_[at(s.own)] * frozen_[at(s.other)] * inverse_[at(s.unknown)];
  minkowski_ = true;
  for (std::size_t k = 0; k < A_.size(); ++k) minkowski_ &= A_[k] == 0.0 || plan_.row_of_slot[k] == system_.pattern.column[k];
  for (std::size_t k = 0; k < W_.size(); ++k) minkowski_ &= k % at(band_ + 1) == 0 || W_[k] <= 0.0;
}

/// trial_xi_ and trial_mu_ in the present modes. False where a pivot is lost to rounding: redundant rows.
bool MoreauStep::solve_mode_band() {
  const int n = system_.layout.unknowns(), width = band_ + 1;
  const auto add_input = [&](int i, int r, double mu, double* x) {
    const MoreauEntry& p = plan_.entries[at(i)];
    const double* C = frozen_.data() + C_begin_[at(i)] + r * p.columns;
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int c = 0; c < p.columns; ++c) x[columns[c]] += C[c] * mu * inverse_[at(columns[c])];
  };
  std::copy(free_.begin(), free_.end(), trial_xi_.begin());
  holding_.clear();
  for (int place = 0; place < static_cast<int>(row_at_.size()); ++place) {
    const int row = row_at_[at(place)], i = entry_of_row_[at(row)];
    if (active_row_[at(i)] < 0) continue;
    if (mode_[at(row)] == Mode::holds) {
      holding_.push_back(place);
      continue;
    }
    const double mu = trial_mu_[at(row)] = mode_[at(row)] == Mode::low ? low_[at(row)] : high_[at(row)];
    if (mu != 0.0) add_input(i, row - system_.relation_entries[at(i)].row, mu, trial_xi_.data());
  }
  const int count = static_cast<int>(holding_.size());
  for (int p = 0; p < count; ++p) {  // row p of L beside D, and the forward substitution
    const int place = holding_[at(p)], row = row_at_[at(place)], i = entry_of_row_[at(row)], r = row - system_.relation_entries[at(i)].row;
    const MoreauEntry& entry = plan_.entries[at(i)];
    const double* C = frozen_.data() + C_begin_[at(i)] + r * entry.columns;
    const int* columns = plan_.columns.data() + entry.column_begin;
    double x = -problem_.b[at(active_row_[at(i)] + r)];
    for (int c = 0; c < entry.columns; ++c) x -= C[c] * trial_xi_[at(columns[c])];
    double *L = band_factor_.data() + p * width, pivot = W_[at(place * width)];
    const int first = std::max(0, p - band_);
    for (int q = first; q < p; ++q) {
      const int back = place - holding_[at(q)];
      double sum = back <= band_ ? W_[at(place * width + back)] : 0.0;
      const double* other = band_factor_.data() + q * width;
      for (int k = std::max(first, q - band_); k < q; ++k) sum -= L[p - k] * other[q - k];  // L of this row still holds L D
      L[p - q] = sum;
    }
    for (int q = first; q < p; ++q) {
      const double l = L[p - q] * band_factor_[at(q * width)];  // times 1 / D
      pivot -= l * L[p - q];
      x -= l * band_x_[at(q)];
      L[p - q] = l;
    }
    if (!(pivot > 1e-11 * W_[at(place * width)])) return false;
    L[0] = 1.0 / pivot;
    band_x_[at(p)] = x;
  }
  for (int p = count; p-- > 0;) {
    double x = band_x_[at(p)] * band_factor_[at(p * width)];
    for (int q = p + 1; q < std::min(count, p + width); ++q) x -= band_factor_[at(q * width + q - p)] * trial_mu_[at(row_at_[at(holding_[at(q)])])];
    trial_mu_[at(row_at_[at(holding_[at(p)])])] = x;
  }
  for (const int place : holding_) {
    const int row = row_at_[at(place)], i = entry_of_row_[at(row)];
    add_input(i, row - system_.relation_entries[at(i)].row, trial_mu_[at(row)], trial_xi_.data());
  }
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += 0.0 * trial_xi_[at(i)];  // NaN for NaN and for infinity
  return sum == 0.0;
}

/// Turns the mode of a row whose multiplier or rate contradicts it; the check of the law itself is that of check_modes().
bool MoreauStep::change_mode_in_band(int row, double largest_mu) {
  Mode& mode = mode_[at(row)];
  const double low = low_[at(row)], high = high_[at(row)];
  if (mode == Mode::holds) {
    const double mu = trial_mu_[at(row)];
    if (low - mu > accuracy * largest_mu) return mode = Mode::low, true;
    if (mu - high > accuracy * largest_mu) return mode = Mode::high, true;
    return false;
  }
  if (!(low < high)) return false;
  const int i = entry_of_row_[at(row)], r = row - system_.relation_entries[at(i)].row;
  const MoreauEntry& p = plan_.entries[at(i)];
  const double* C = frozen_.data() + C_begin_[at(i)] + r * p.columns;
  const int* columns = plan_.columns.data() + p.column_begin;
  double w = problem_.b[at(active_row_[at(i)] + r)], terms = std::max(std::abs(w), reach_[at(row)]);
  for (int c = 0; c < p.columns; ++c) {
    const double term = C[c] * trial_xi_[at(columns[c])];
    w += term;
    terms = std::max(terms, std::abs(term));
  }
  if (!((mode == Mode::low ? -w : w) > accuracy * terms)) return false;
  return mode = Mode::holds, true;
}

bool MoreauStep::search_band() {
  const int n = system_.layout.unknowns();
  first_modes();
  for (int i = 0; i < n; ++i) free_[at(i)] = problem_.p0[at(i)] * inverse_[at(i)];
  for (int pass = 0; pass <= active_rows_ + 1; ++pass) {
    if (!solve_mode_band()) return false;
    const double largest_mu = largest_trial_mu();
    bool changed = false;
    for (const int i : active_) {
      const RelationEntry& e = system_.relation_entries[at(i)];
      for (int row = e.row; row < e.row + e.rows; ++row) changed |= change_mode_in_band(row, largest_mu);
    }
    if (changed) continue;
    double worst = 0.0;
    int contradicting = 0;
    for (const int i : active_) contradicting += check_modes(at(i), largest_mu, false, worst);
    return contradicting == 0 && take_modes(worst);
  }
  return false;
}

}  // namespace saltus
