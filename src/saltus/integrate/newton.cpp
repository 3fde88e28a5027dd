#include "saltus/integrate/newton.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations_mass.hpp"

namespace saltus {
namespace {
constexpr double regularization = 1e-11;  // of the largest diagonal of C A^-1 B, by the diagonal of A
}

NewtonMatrix::NewtonMatrix(const System& system, bool symmetric_too) : system_(system) {
  const int nu = system.layout.unknowns(), n = nu + system.layout.rows;
  CsrBuilder builder(n, n);
  diagonal_ = builder.add_diagonal(0, n);
  first_entry_ = diagonal_ + 1;
  for (int i = 0; i < nu; ++i)
    for (const int c : system.pattern.row(i)) builder.add_entry(i, c);
  first_relation_ = first_entry_ + system.pattern.nonzeros();
  std::vector<int> rows;
  for (const RelationEntry& e : system.relation_entries) {
    rows.clear();
    for (int r = 0; r < e.rows; ++r) rows.push_back(nu + e.row + r);
    const std::span<const int> columns(system.relation_columns.data() + e.column_begin, e.columns);
    builder.add_block(rows, columns);
    builder.add_block(columns, rows);
    builder.add_block(rows, rows);
  }
  layout_ = builder.build();
  D_.resize(system.square_count);
  if (symmetric_too) analyze_symmetric();
}

bool NewtonMatrix::nearly_symmetric(const System& s) {
  return s.layout.nx == 0 && s.layout.nz == 0 &&
         std::none_of(s.relations.begin(), s.relations.end(), [](const auto& pool) { return pool->traits().has_input; });
}

void NewtonMatrix::analyze_symmetric() {
  const System& s = system_;
  const int nu = s.layout.unknowns(), n = nu + s.layout.rows;
  CsrBuilder builder(n, n);
  for (int i = 0; i < nu; ++i)
    for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; ++k)
      if (const int j = s.pattern.column[k]; j <= i) {
        const int mirror = s.pattern.slot(j, i);
        entries_.push_back({k, mirror < 0 ? k : mirror, builder.add_entry(i, j)});
      }
  std::vector<int> rows, columns;
  std::vector<int> row_block, square_block;
  for (const RelationEntry& e : s.relation_entries) {
    rows.clear();
    for (int r = 0; r < e.rows; ++r) rows.push_back(nu + e.row + r);
    columns.assign(s.relation_columns.begin() + e.column_begin, s.relation_columns.begin() + e.column_begin + e.columns);
    for (int& c : columns)
      if (c >= nu) c = -1;  // ground
    row_block.push_back(builder.add_block(rows, columns));
    square_block.push_back(builder.add_block(rows, rows));
  }
  const CsrLayout layout = builder.build();
  for (Mirrored& entry : entries_) entry.place = layout.slots(entry.place)[0];
  row_place_.assign(s.value_count, -1);
  square_place_.assign(s.square_count, -1);
  for (std::size_t i = 0; i < s.relation_entries.size(); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    const auto row = layout.slots(row_block[i]), square = layout.slots(square_block[i]);
    std::copy(row.begin(), row.end(), row_place_.begin() + e.value_begin);
    for (int r = 0; r < e.rows; ++r) own_place_.push_back(square[r * e.rows + r]);
    if (s.relations[e.pool]->traits().uses_lambda) std::copy(square.begin(), square.end(), square_place_.begin() + e.square_begin);
  }
  Assembly assembly(s);
  assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  assembly.input_blocks();
  const std::vector<double> scale = column_scales(s, assembly.kinematics());
  std::vector<double> weights;
  for (const RelationEntry& e : s.relation_entries) add_row_weights(s, assembly, e, scale, weights);
  symmetric_.analyze(MatrixKind::symmetric_quasidefinite, layout.pattern, s.layout.rows, weights);
}

FactorReport NewtonMatrix::factorize_symmetric(Assembly& assembly, std::span<const double> A, std::span<const double> row_scale) {
  is_symmetric_ = true;
  const std::span<double> values = symmetric_.values();
  std::fill(values.begin(), values.end(), 0.0);
  for (const Mirrored& e : entries_)
    values[e.place] = 0.5 * (A[e.slot] + A[e.mirror]);
  bool has_D = false;
  for (const RelationEntry& e : system_.relation_entries) {
    const RelationTraits traits = system_.relations[e.pool]->traits();
    const double* direction = assembly.direction(e);
    if (left_out(e)) {
      for (int r = 0; r < e.rows; ++r) values[own_place_[e.row + r]] = -1.0;
      continue;
    }
    for (int k = 0; k < e.rows * e.columns; ++k)
      if (const int place = row_place_[e.value_begin + k]; place >= 0) values[place] += direction[k];
    has_D |= traits.uses_lambda;
  }
  if (has_D) {
    RowSink sink;
    sink.D = D_.data();
    assembly.relations(sink);
    for (const RelationEntry& e : system_.relation_entries)
      for (int r = 0; r < e.rows; ++r)
        for (int c = 0; c <= r; ++c) {
          const std::size_t at = e.square_begin + r * e.rows + c, mirror = e.square_begin + c * e.rows + r;
          if (square_place_[at] >= 0) values[square_place_[at]] -= 0.5 * (D_[at] + D_[mirror]) / row_scale[e.row + r];
        }
  }
  return symmetric_.factorize(values, assembly.threads());
}

void NewtonMatrix::apply(std::span<double> x) {
  if (!is_symmetric_) return solver_.apply(x);
  symmetric_.apply(x);
  for (std::size_t i = system_.layout.unknowns(); i < x.size(); ++i) x[i] = -x[i];
}

FactorReport NewtonMatrix::factorize(Assembly& assembly, std::span<const double> A, const Seeds& seeds, std::span<const double> row_scale,
                                     std::span<const double> least) {
  const int nu = system_.layout.unknowns();
  is_symmetric_ = false;
  if (values_.empty()) {
    solver_.analyze(MatrixKind::unsymmetric, layout_.pattern, system_.layout.rows);
    values_.resize(layout_.pattern.nonzeros());
    turn_.resize(at_rate_.empty() ? 0 : system_.value_count);
  }
  std::fill(values_.begin(), values_.end(), 0.0);
  if (!turn_.empty()) {
    RowSink sink;
    sink.turn = turn_.data();
    assembly.relations(sink);
  }
  for (int k = 0; k < system_.pattern.nonzeros(); ++k) values_[layout_.slots(first_entry_ + k)[0]] += A[k];
  if (!D_.empty()) {
    RowSink sink;
    sink.D = D_.data();
    assembly.relations(sink);
  }
  double largest = 0.0;
  for (int i = 0; i < count_of(system_.relation_entries); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const RelationTraits traits = system_.relations[e.pool]->traits();
    const double* direction = assembly.direction(e);
    const double *H = assembly.H().data() + e.value_begin, *G = assembly.rate_H().data() + e.value_begin, *B = assembly.B().data() + e.value_begin;
    const int block = first_relation_ + 3 * i;
    const auto row_slots = layout_.slots(block), column_slots = layout_.slots(block + 1), square_slots = layout_.slots(block + 2);
    if (left_out(e)) {
      for (int r = 0; r < e.rows; ++r) values_[square_slots[r * e.rows + r]] = 1.0;
      continue;
    }
    for (int r = 0; r < e.rows; ++r) {
      const double scale = row_scale[e.row + r];
      double diagonal = 0.0;
      for (int c = 0; c < e.columns; ++c) {
        const int unknown = system_.relation_columns[e.column_begin + c], at = r * e.columns + c;
        if (unknown < 0 || unknown >= nu) continue;  // ground
        const int kind = static_cast<int>(system_.kind_of(unknown));
        const double of_row = turn_.empty() || !at_rate_[e.row + r]
                                  ? seeds.value[kind] * H[at] + seeds.rate[kind] * G[at]
                                  : seeds.rate[kind] * H[at] + seeds.value[kind] * turn_[e.value_begin + at];
        const double derivative = of_row / scale;
        const double input = traits.has_input ? B[c * e.rows + r] : direction[at];
        values_[row_slots[at]] += derivative;
        values_[column_slots[c * e.rows + r]] -= input;
        double own = std::abs(A[system_.diagonal_slot[unknown]]);
        if (!least.empty()) own = std::max(own, least[unknown]);
        if (own > 0.0) diagonal += std::abs(derivative * input) / own;
      }
      largest = std::max(largest, diagonal);
      if (traits.uses_lambda)
        for (int c = 0; c < e.rows; ++c)
          values_[square_slots[r * e.rows + c]] += D_[e.square_begin + r * e.rows + c] / scale;
    }
  }
  const auto diagonal_slots = layout_.slots(diagonal_);
  for (int r = 0; r < system_.layout.rows; ++r) values_[diagonal_slots[nu + r]] += regularization * largest;
  return solver_.factorize(values_);
}

}  // namespace saltus
