#include "saltus/system/affine.hpp"

#include <algorithm>

#include "saltus/base/index.hpp"

namespace saltus {

bool AffineSystem::can(const System& s, bool by_position) {
  const auto all = [](const auto& pools, auto property) { return std::all_of(pools.begin(), pools.end(), property); };
  const auto constant = [](const auto& p) { return p->constant_matrix(); };
  return s.presences.empty() && s.sleepers.empty() && all(s.objects, constant) && all(s.forces, constant) && s.map.rotations.empty() &&
         std::all_of(s.map.q_of_v.begin(), s.map.q_of_v.end(), [](int q) { return q >= 0; }) &&
         all(s.relations, [&](const auto& p) {
           const RelationTraits t = p->traits();
           return !t.has_input && ((t.linear && !t.uses_time) || (by_position && t.switched && t.written == Level::value));
         });
}

void AffineSystem::Matrix::add(int at, double x) {
  if (x == 0.0) return;
  column.push_back(at);
  value.push_back(x);
}
void AffineSystem::Matrix::end_row() {
  constant.push_back(0.0);
  begin.push_back(count_of(column));
}
void AffineSystem::Matrix::end_row(double value_at_reference, const double* y) {
  double rest = value_at_reference;
  for (std::size_t k = at(begin.back()); k < column.size(); ++k) rest -= value[k] * y[column[k]];
  constant.push_back(rest);
  begin.push_back(count_of(column));
}

void AffineSystem::evaluate(const Matrix& m, const double* y, double* out) {
  const int n = count_of(m.constant), *begin = m.begin.data(), *column = m.column.data();
  const double *value = m.value.data(), *constant = m.constant.data();
  for (int i = 0, k = 0; i < n; ++i) {
    double sum = constant[i];
    for (; k < begin[i + 1]; ++k) sum += value[k] * y[column[k]];
    out[i] = sum;
  }
}

void AffineSystem::build(const System& s, Assembly& assembly, double t, const double* data) {
  const Layout& l = s.layout;
  const double* y = s.initial_y.data();
  const std::size_t slots = at(s.pattern.nonzeros());
  std::vector<double> F(at(l.unknowns() + 1)), by_value(slots, 0.0), by_rate(slots, 0.0), rows(at(l.rows)), none(at(l.rows), 0.0);
  assembly.update(t, y, none.data(), data);
  assembly.forces(F.data());
  assembly.add_force_matrix({{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}, by_value.data());  // subtracts the derivatives
  assembly.add_force_matrix({{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}, by_rate.data());
  const auto value_place = [&](int unknown) { return unknown < l.nv ? s.map.q_of_v[unknown] : l.v_begin() + unknown; };
  for (int i = 0; i < l.unknowns(); ++i) {
    for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; ++k) {
      const int j = s.pattern.column[k];
      forces_.add(value_place(j), -by_value[k]);
      if (j < l.nv) forces_.add(l.v_begin() + j, -by_rate[k]);
    }
    forces_.end_row(F[i], y);
  }
  assembly.input_blocks();
  RowSink sink;
  sink.y = rows.data();
  assembly.relations(sink);
  for (const RelationEntry& e : s.relation_entries) {
    const bool at_value = s.relations[e.pool]->traits().written == Level::value;
    const double* direction = assembly.direction(e);
    for (int r = 0; r < e.rows; ++r) {
      const double *H = assembly.H().data() + e.value_begin + r * e.columns, *H_v = assembly.rate_H().data() + e.value_begin + r * e.columns;
      for (int c = 0; c < e.columns; ++c) {
        const int j = s.relation_columns[e.column_begin + c];
        if (j >= l.unknowns()) continue;  // ground
        rows_.add(value_place(j), H[c]);
        if (j < l.nv) rows_.add(l.v_begin() + j, H_v[c]);
        if (!at_value) rates_.add(value_place(j), H[c]);
        if (j < l.nv) rates_.add(l.v_begin() + j, at_value ? direction[r * e.columns + c] : H_v[c]);
      }
      rows_.end_row(rows[e.row + r], y);
      if (at_value) rates_.end_row();
      else rates_.end_row(rows[e.row + r], y);
    }
  }
}

}  // namespace saltus
