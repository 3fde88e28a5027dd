#include "saltus/integrate/moreau_band.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {
constexpr int widest = 4;
constexpr double accuracy = RowModes::accuracy;
}  // namespace

BandModes::BandModes(const MoreauModel& model, RowModes& modes)
    : plan_(model.plan), system_(model.system), block_begin_(model.block_begin), modes_(modes) {
  if (!model.affine || !plan_.may_be_symmetric) return;
  std::vector<double> directions(at(model.block_size));
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) model.spread_direction(i, directions.data());
  plan(directions);
}

/// Which rows share which unknowns, in the order of Cuthill and McKee (1969): rows next to each other stand close. The band stays
/// -1 where it would be wide.
void BandModes::plan(const std::vector<double>& directions) {
  const int n = system_.layout.unknowns(), m = system_.layout.rows;
  struct Use { int row, place; };
  std::vector<std::vector<Use>> uses(at(n));
  std::vector<std::vector<int>> unknowns(at(m));
  entry_of_row_.resize(m);
  for (int i = 0; i < count_of(plan_.entries); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    for (int r = 0; r < e.rows; ++r) {
      entry_of_row_[e.row + r] = i;
      for (int c = 0; c < p.columns; ++c) {
        const int place = block_begin_[i] + r * p.columns + c, unknown = plan_.columns[p.column_begin + c];
        if (directions[place] == 0.0) continue;
        uses[unknown].push_back({e.row + r, place});
        unknowns[e.row + r].push_back(unknown);
      }
    }
  }
  std::vector<int> degree(at(m), 0), place(at(m), -1), seeds(at(m));
  for (int row = 0; row < m; ++row)
    for (const int unknown : unknowns[row]) degree[row] += count_of(uses[unknown]);
  std::iota(seeds.begin(), seeds.end(), 0);
  std::stable_sort(seeds.begin(), seeds.end(), [&](int a, int b) { return degree[a] < degree[b]; });
  std::vector<int> order;
  for (const int seed : seeds) {
    if (place[seed] >= 0) continue;
    place[seed] = count_of(order);
    order.push_back(seed);
    for (std::size_t next = order.size() - 1; next < order.size(); ++next)
      for (const int unknown : unknowns[order[next]])
        for (const Use& use : uses[unknown])
          if (place[use.row] < 0) place[use.row] = count_of(order), order.push_back(use.row);
  }
  int band = 0;
  for (int unknown = 0; unknown < n; ++unknown)
    for (const Use& own : uses[unknown])
      for (const Use& other : uses[unknown]) {
        const int back = place[own.row] - place[other.row];
        if (back < 0) continue;
        band = std::max(band, back);
        if (band > widest) return shared_.clear();
        shared_.push_back({place[own.row], back, own.place, other.place, unknown});
      }
  band_ = band;
  row_at_ = std::move(order);
  const std::size_t places = at(m + 2 * widest), width = at(band + 1);  // `widest` without a row on both sides
  W_.assign(places * width, 0.0);
  for (auto* x : {&place_.mu, &place_.bound, &place_.free, &place_.size, &place_.x}) x->assign(places, 0.0);
  place_.factor.assign(places * width, 0.0);
  place_.holds.assign(places, 0);
  place_.active.assign(places, 0);
  free_.resize(n);
  for (auto* x : {&again_, &changed_}) x->reserve(at(m + 1));
  runs_.reserve(m);
}

/// W of all rows, active or not.
void BandModes::find_band(const RowTask& t) {
  matrices_ = t.problem.matrices;
  std::fill(W_.begin(), W_.end(), 0.0);
  minkowski_ = t.problem.diagonal;
  if (!t.problem.diagonal) return;
  for (const Shared& s : shared_) W_[(s.place + widest) * (band_ + 1) + s.back] += t.before.directions[s.own] * t.before.directions[s.other] * t.problem.inverse[s.unknown];
  for (std::size_t k = 0; k < W_.size(); ++k) minkowski_ &= k % at(band_ + 1) == 0 || W_[k] <= 0.0;
}

/// Rows by place without multipliers: w at the free motion, the size of its terms, their modes.
void BandModes::free_places(const RowTask& t) {
  const int n = system_.layout.unknowns(), places = count_of(row_at_);
  const double *p0 = t.problem.p0.data(), *b = t.problem.b.data(), *inverse = t.problem.inverse.data(), *reach = t.before.reach.data(), *directions = t.before.directions.data();
  const int* first_row = t.rows.row.data();
  for (int i = 0; i < n; ++i) free_[i] = p0[i] * inverse[i];
  place_.pushed = false;
  for (int p = 0; p < places; ++p) {
    const int row = row_at_[p], i = entry_of_row_[row];
    const std::size_t place = at(p + widest);
    place_.active[place] = first_row[i] >= 0;
    place_.holds[place] = 0;
    place_.mu[place] = place_.bound[place] = 0.0;
    if (first_row[i] < 0) continue;
    const MoreauEntry& entry = plan_.entries[i];
    const int r = row - system_.relation_entries[i].row, *columns = plan_.columns.data() + entry.column_begin;
    const double* C = directions + block_begin_[i] + r * entry.columns;
    double w = b[first_row[i] + r], size = std::max(std::abs(w), reach[row]);
    for (int c = 0; c < entry.columns; ++c) {
      if (C[c] == 0.0) continue;  // ground
      const double term = C[c] * free_[columns[c]];
      w += term;
      size = std::max(size, std::abs(term));
    }
    place_.free[place] = w;
    place_.size[place] = size;
    set_place(place, row);
  }
}

/// Takes over the mode of a row.
void BandModes::set_place(std::size_t place, int row) {
  const LawMode mode = modes_.mode[row];
  place_.holds[place] = mode == LawMode::holds;
  place_.bound[place] = mode == LawMode::holds ? 0.0 : mode == LawMode::low ? modes_.low[row] : modes_.high[row];
  place_.pushed |= place_.bound[place] != 0.0;
}

/// Multipliers of the rows that hold among places begin .. end, next to which no other row holds. False where a pivot is lost to
/// rounding: redundant rows.
template <int Band>
bool BandModes::solve_places(int begin, int end) {
  constexpr int width = Band + 1;
  const double* W = W_.data();
  const double *bound = place_.bound.data(), *free = place_.free.data();
  double *factor = place_.factor.data(), *x = place_.x.data(), *mu = place_.mu.data();
  const char* holds = place_.holds.data();
  for (int p = begin; p < end; ++p) {  // row p of L beside 1 / D, and the forward substitution; zeros where a row does not hold
    double* L = factor + p * width;
    if (!holds[p]) {
      for (int k = 0; k < width; ++k) L[k] = 0.0;
      x[p] = 0.0;
      mu[p] = bound[p];
      continue;
    }
    double pivot = W[p * width], sum = -free[p], times_D[width] = {};
    if (place_.pushed)
      for (int k = 1; k <= Band; ++k) sum -= W[p * width + k] * bound[p - k] + W[(p + k) * width + k] * bound[p + k];
    for (int k = Band; k > 0; --k) {
      const double* other = factor + (p - k) * width;
      times_D[k] = W[p * width + k];
      for (int j = Band; j > k; --j) times_D[k] -= times_D[j] * other[j - k];
      L[k] = times_D[k] * other[0];
      pivot -= L[k] * times_D[k];
      sum -= L[k] * x[p - k];
    }
    if (!(pivot > 1e-11 * W[p * width])) return false;
    L[0] = 1.0 / pivot;
    x[p] = sum;
  }
  for (int p = end; p-- > begin;) {
    if (!holds[p]) continue;
    double sum = x[p] * factor[p * width];
    for (int k = 1; k <= Band; ++k) sum -= factor[(p + k) * width + k] * mu[p + k];
    mu[p] = sum;
  }
  return true;
}

bool BandModes::solve_places(int begin, int end) {
  switch (band_) {
    case 0: return solve_places<0>(begin, end);
    case 1: return solve_places<1>(begin, end);
    case 2: return solve_places<2>(begin, end);
    case 3: return solve_places<3>(begin, end);
    default: return solve_places<widest>(begin, end);
  }
}

/// Turns the mode of a row whose multiplier or rate contradicts it; the check of the law itself is that of RowModes.
bool BandModes::change_place(int p, double largest_mu) {
  const int row = row_at_[p - widest], width = band_ + 1;
  LawMode& mode = modes_.mode[row];
  const double low = modes_.low[row], high = modes_.high[row], mu = place_.mu[p];
  if (mode == LawMode::holds) {
    if (low - mu > accuracy * largest_mu) mode = LawMode::low;
    else if (mu - high > accuracy * largest_mu) mode = LawMode::high;
    else return false;
    set_place(at(p), row);
    return true;
  }
  if (!(low < high)) return false;
  double w = place_.free[p] + W_[p * width] * mu, terms = place_.size[p];
  for (int k = 1; k < width; ++k) {
    const double before = W_[p * width + k] * place_.mu[p - k], after = W_[(p + k) * width + k] * place_.mu[p + k];
    w += before + after;
    terms = std::max({terms, std::abs(before), std::abs(after)});
  }
  if (!((mode == LawMode::low ? -w : w) > accuracy * terms)) return false;
  mode = LawMode::holds;
  set_place(at(p), row);
  return true;
}

BandModes::Run BandModes::alone(int place) const {
  const double inverse = 1.0 / W_[place * (band_ + 1)], before = coupling(place) * inverse, behind = coupling(place + 1) * inverse;
  return Run{place, place + 1, {-place_.free[place] * inverse, before, behind}, {-place_.free[place] * inverse, before, behind}};
}

/// Two runs that meet, as one.
BandModes::Run BandModes::joined(const Run& A, const Run& B) {
  const double inverse = 1.0 / (1.0 - A.b[2] * B.a[1]);
  const double x[3] = {(A.b[0] + A.b[2] * B.a[0]) * inverse, A.b[1] * inverse, A.b[2] * B.a[2] * inverse};  // last of A
  const double y[3] = {B.a[0] + B.a[1] * x[0], B.a[1] * x[1], B.a[2] + B.a[1] * x[2]};                      // first of B
  return Run{A.begin, B.end, {A.a[0] + A.a[2] * y[0], A.a[1] + A.a[2] * y[1], A.a[2] * y[2]},
             {B.b[0] + B.b[1] * x[0], B.b[1] * x[1], B.b[2] + B.b[1] * x[2]}};
}

/// Modes of a column of contacts by one sweep: row by row, the solution of the rows so far grows only, so that rows join runs
/// of rows that hold and never leave (Cryer 1983). A run answers to its neighbours as a two-port: its first and its last multiplier are
/// a[0] + a[1] u + a[2] v and b[0] + b[1] u + b[2] v of the multipliers u before and v behind it. Does nothing where W is wider or a
/// multiplier has other bounds than 0 and infinity.
void BandModes::sweep_modes(const RowTask& t) {
  if (band_ > 1) return;
  const int first = widest, last = first + count_of(row_at_);
  for (const int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int row = e.row; row < e.row + e.rows; ++row)
      if (modes_.low[row] != 0.0 || modes_.high[row] < HUGE_VAL) return;
  }
  runs_.clear();
  for (int p = first; p < last; ++p) {
    if (!place_.active[p]) continue;
    const bool joins = !runs_.empty() && runs_.back().end == p;
    if (!(place_.free[p] - (joins ? coupling(p) * runs_.back().b[0] : 0.0) < 0.0)) continue;
    Run run = alone(p);
    if (joins) run = joined(runs_.back(), run), runs_.pop_back();
    for (int q = run.begin - 1; q >= first && place_.active[q]; q = run.begin - 1) {  // the row before does not hold: does it still open?
      const bool meets = !runs_.empty() && runs_.back().end == q;
      const double w = place_.free[q] - (meets ? coupling(q) * runs_.back().b[0] : 0.0) - coupling(q + 1) * run.a[0];
      if (!(w < 0.0)) break;
      run = joined(alone(q), run);
      if (meets) run = joined(runs_.back(), run), runs_.pop_back();
    }
    runs_.push_back(run);
  }
  for (int p = first; p < last; ++p) {
    if (!place_.active[p]) continue;
    modes_.mode[row_at_[p - widest]] = LawMode::low;
    place_.holds[p] = 0;
    place_.bound[p] = 0.0;
  }
  for (const Run& run : runs_)
    for (int p = run.begin; p < run.end; ++p) {
      modes_.mode[row_at_[p - widest]] = LawMode::holds;
      place_.holds[p] = 1;
    }
}

/// Appends places to ascending ranges, joined with the last one where they meet.
void BandModes::append(std::vector<Range>& ranges, int begin, int end) {
  if (!ranges.empty() && begin <= ranges.back().end) ranges.back().end = std::max(ranges.back().end, end);
  else ranges.push_back({begin, end});
}

/// Solves again_ and the runs of rows that hold beside it; changed_ is then where to look.
bool BandModes::solve_again(double& largest_mu) {
  const int first = widest, last = first + count_of(row_at_);
  const char* holds = place_.holds.data();
  const auto none_within = [&](int p, int step) {
    for (int k = 0; k < band_; ++k)
      if (holds[p + k * step]) return false;
    return true;
  };
  changed_.clear();
  for (const Range& range : again_) {  // whole runs of rows that hold
    int begin = range.begin, end = range.end;
    while (begin > first && !none_within(begin - 1, -1)) --begin;
    while (end < last && !none_within(end, 1)) ++end;
    append(changed_, begin, end);
  }
  again_.clear();
  for (const Range& range : changed_) {
    if (!solve_places(range.begin, range.end)) return false;
    for (int p = range.begin; p < range.end; ++p) largest_mu = std::max(largest_mu, std::abs(place_.mu[p]));
    append(again_, std::max(first, range.begin - band_), std::min(last, range.end + band_));
  }
  changed_.swap(again_);
  return true;
}

bool BandModes::can(const RowTask& t) {
  if (band_ < 0 || !t.bounds) return false;
  if (matrices_ != t.problem.matrices) find_band(t);
  return minkowski_;
}

bool BandModes::solve(const RowTask& t) {
  const int first = widest, last = first + count_of(row_at_);
  modes_.first(t);
  free_places(t);
  double largest_mu = 0.0;
  again_.assign(1, {first, last});
  for (int pass = 0; !again_.empty(); ++pass) {
    if (pass > t.rows.count + 1 || !solve_again(largest_mu)) return false;
    again_.clear();
    for (const Range& range : changed_)
      for (int p = range.begin; p < range.end; ++p)
        if (place_.active[p] && change_place(p, largest_mu)) append(again_, std::max(first, p - band_), std::min(last, p + band_ + 1));
    if (pass == 0 && !again_.empty()) {
      sweep_modes(t);
      again_.assign(1, {first, last});
    }
  }
  return take_places(t);
}

/// The trial point of the places' multipliers, if it fulfils the laws.
bool BandModes::take_places(const RowTask& t) {
  const int n = system_.layout.unknowns();
  std::copy(free_.begin(), free_.end(), modes_.trial.xi.begin());
  for (std::size_t place = 0; place < row_at_.size(); ++place) {
    if (!place_.active[place + widest]) continue;
    const int row = row_at_[place], i = entry_of_row_[row];
    const double mu = modes_.trial.mu[row] = place_.mu[place + widest];
    if (mu == 0.0) continue;
    const MoreauEntry& p = plan_.entries[i];
    const double* C = t.before.directions.data() + block_begin_[i] + (row - system_.relation_entries[i].row) * p.columns;
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int c = 0; c < p.columns; ++c)
      if (C[c] != 0.0) modes_.trial.xi[columns[c]] += C[c] * mu * t.problem.inverse[columns[c]];
  }
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += 0.0 * modes_.trial.xi[i];  // NaN for NaN and for infinity
  if (!(sum == 0.0)) return false;
  return modes_.consistent(t) && modes_.take(t, modes_.worst(t));
}

}  // namespace saltus
