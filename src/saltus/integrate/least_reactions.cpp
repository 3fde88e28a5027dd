#include "saltus/integrate/least_reactions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/math/rank.hpp"

namespace saltus {
namespace {
constexpr double delta = 1e-11;           // of unit rows: above the rounding of pivots, below squares of distances that count as redundant
constexpr double nearly_redundant = 1e-5; // where to look at all: joints that fit to the digits a user gave
constexpr int passes = 3;                 // rounding over delta is 1e-4: what a pass leaves of the null space

/// Joints whose multipliers enter by their own rows.
bool takes_part(const System& s, const RelationEntry& e) {
  const RowForm form = row_form(s, e);
  return (form == RowForm::second || form == RowForm::first_rate || form == RowForm::first_order) && !pool_of(s, e).traits().has_input;
}

/// Extent of the bodies: of their frames, and of the arms on them. It does not depend on where the origin is.
double size_of_bodies(const System& s) {
  Assembly every(s);
  every.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  const Kinematics& k = every.kinematics();
  double size = 0.0;
  for (int i = 0; i < 3; ++i) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const BaseFrame& b : s.bases) low = std::min(low, k.frames[b.marker].p[i]), high = std::max(high, k.frames[b.marker].p[i]);
    size = std::max(size, high - low);
  }
  for (const MarkerEntry& m : s.markers)
    if (m.base >= 0) size = std::max(size, norm(m.p_NM));
  return size > 0.0 ? size : s.length_scale;
}
}  // namespace

LeastReactions::LeastReactions(const System& s, Assembly& assembly) : system_(s) {
  const int dynamic = s.layout.nv + s.layout.nx;
  std::vector<int> owner, numbers, used;
  CsrBuilder builder(s.layout.rows, s.layout.unknowns() + 1);
  for (int i = 0; i < count_of(s.relation_entries); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    if (!takes_part(s, e)) continue;
    numbers.clear();
    for (int r = 0; r < e.rows; ++r) numbers.push_back(count_of(owner)), owner.push_back(i);
    builder.add_block(numbers, columns_of(s, e));
    used.push_back(i);
  }
  if (used.empty()) return;
  CsrLayout layout = builder.build();
  assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  assembly.input_blocks();
  std::vector<double> values(layout.pattern.nonzeros(), 0.0);
  for (int b = 0; b < count_of(used); ++b) layout.add(b, assembly.direction(s.relation_entries[used[b]]), values.data());
  layout.pattern.rows = count_of(owner);
  layout.pattern.begin.resize(owner.size() + 1);
  for (int i = 0; i < layout.pattern.nonzeros(); ++i)
    if (layout.pattern.column[i] >= dynamic) values[i] = 0.0;
  std::vector<double> scale = column_scales(s, assembly.kinematics());
  scale.push_back(0.0);
  const std::vector<DependentRow> dependent = dependent_rows(layout.pattern, values, scale, nearly_redundant);
  if (dependent.empty()) return;
  // Joints that act on bodies of a redundant one, and so on.
  std::vector<char> chosen(s.relation_entries.size(), 0), reached(dynamic, 0);
  for (const DependentRow& d : dependent) chosen[owner[d.row]] = 1;
  for (bool grows = true; grows;) {
    grows = false;
    for (const int i : used) {
      const auto columns = columns_of(s, s.relation_entries[i]);
      const auto moves = [&](int c) { return c >= 0 && c < dynamic; };
      bool& changed = grows;
      char& in = chosen[i];
      for (const int c : columns)
        if (!in && moves(c) && reached[c]) in = 1;
      for (const int c : columns)
        if (in && moves(c) && !reached[c]) reached[c] = 1, changed = true;
    }
  }
  build(assembly, chosen);
}

void LeastReactions::build(Assembly& assembly, const std::vector<char>& chosen) {
  const System& s = system_;
  const int dynamic = s.layout.nv + s.layout.nx;
  const std::vector<double> scale = column_scales(s, assembly.kinematics(), size_of_bodies(s));
  std::vector<double> weights;
  std::vector<int> local(scale.size(), -1);
  for (int i = 0; i < count_of(chosen); ++i) {
    if (!chosen[i]) continue;
    const RelationEntry& e = s.relation_entries[i];
    entries_.push_back(i);
    for (int r = 0; r < e.rows; ++r) row_.push_back(e.row + r);
    for (const int c : columns_of(s, e))
      if (c >= 0 && c < dynamic && local[c] < 0) local[c] = columns_++;
    add_row_weights(s, assembly, e, scale, weights);
  }
  const int rows = count_of(row_);
  CsrBuilder builder(columns_ + rows, columns_ + rows);
  builder.add_diagonal(0, columns_ + rows);
  int next = 0;
  std::size_t widest = 0;
  std::vector<int> numbers, columns;
  for (const int i : entries_) {
    const RelationEntry& e = s.relation_entries[i];
    numbers.clear(), columns.clear();
    for (const int c : columns_of(s, e)) columns.push_back(c >= 0 && c < dynamic ? local[c] : -1);
    for (int r = 0; r < e.rows; ++r, ++next) {
      numbers.push_back(columns_ + next);
      scale_.push_back(std::sqrt(weights[next]));
      for (const int c : columns_of(s, e)) block_scale_.push_back(c >= 0 && c < dynamic ? scale[c] / scale_.back() : 0.0);
    }
    builder.add_block(numbers, columns);
    widest = std::max(widest, numbers.size() * columns.size());
  }
  layout_ = builder.build();
  ldlt_.analyze(layout_.pattern, rows);
  values_.resize(layout_.pattern.nonzeros());
  block_.resize(widest);
  shift_.assign(columns_, 0.0);
  shift_.resize(columns_ + rows, -delta);
  scaled_.resize(rows);
  solution_.resize(shift_.size());
}

void LeastReactions::apply(Assembly& assembly, double* lambda) {
  if (!needed()) return;
  std::fill(values_.begin(), values_.end(), 0.0);
  for (const int slot : layout_.slots(0).first(static_cast<std::size_t>(columns_))) values_[slot] = 1.0;
  const double* factor = block_scale_.data();
  for (int b = 0; b < count_of(entries_); ++b) {
    const RelationEntry& e = system_.relation_entries[entries_[b]];
    const double* H = assembly.direction(e);
    for (int k = 0; k < e.rows * e.columns; ++k) block_[k] = *factor++ * H[k];
    layout_.add(b + 1, block_.data(), values_.data());
  }
  if (!ldlt_.factorize(values_.data(), shift_, shift_, 0.0).finite) return;
  for (std::size_t r = 0; r < row_.size(); ++r) scaled_[r] = scale_[r] * lambda[row_[r]];
  const auto rows_of_solution = solution_.begin() + columns_;
  for (int pass = 0; pass < passes; ++pass) {
    std::copy(scaled_.begin(), scaled_.end(), rows_of_solution);
    for (int twice = 0; twice < 2; ++twice) {
      std::fill(solution_.begin(), rows_of_solution, 0.0);
      for (std::size_t r = 0; r < row_.size(); ++r) rows_of_solution[static_cast<std::ptrdiff_t>(r)] *= -delta;
      ldlt_.solve(solution_.data());
    }
    for (std::size_t r = 0; r < row_.size(); ++r) scaled_[r] -= rows_of_solution[static_cast<std::ptrdiff_t>(r)];
  }
  if (!finite(scaled_.data(), count_of(scaled_))) return;
  for (std::size_t r = 0; r < row_.size(); ++r) lambda[row_[r]] = scaled_[r] / scale_[r];
}

}  // namespace saltus
