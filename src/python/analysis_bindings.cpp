// Constraints, masses and forces at any configuration, for analyses that take no steps in time; how texts name quantities.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "engine.hpp"
#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/math/rank.hpp"
#include "saltus/model/quantity_text.hpp"
#include "saltus/system/assembly.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace saltus::python {
namespace {

std::size_t size_of(int n) { return static_cast<std::size_t>(n); }

void check_sizes(const System& s, const Given& y, const Given& data) {
  if (y.size() != size_of(s.layout.y_size()) || data.size() != size_of(s.layout.nd))
    throw ModelError("state", "has " + std::to_string(y.size()) + " and " + std::to_string(data.size()) + " numbers, expected " + std::to_string(s.layout.y_size()) + " and " + std::to_string(s.layout.nd),
                     "the state is not of this model");
}

/// Rows of joints and relations by velocities: rate = H v + time_rate, its rate H a + curvature.
nb::dict rows_at(const PythonSystem& p, double t, Given y, Given data) {
  const System& s = *p.system;
  check_sizes(s, y, data);
  const std::size_t rows = size_of(s.layout.rows), nv = size_of(s.layout.nv);
  Assembly assembly(s);
  assembly.update(t, y.data(), nullptr, data.data());
  std::vector<double> value(rows), time_rate(rows), curvature(rows), H(rows * nv, 0.0);
  RowSink also;
  also.y = value.data(), also.time_rate = time_rate.data(), also.curvature = curvature.data();
  assembly.input_blocks();
  assembly.relations(also);
  for (const RelationEntry& e : s.relation_entries) {
    const double* block = assembly.direction(e);
    for (int r = 0; r < e.rows; ++r)
      for (int c = 0; c < e.columns; ++c)
        if (const int column = s.relation_columns[e.column_begin + c]; column < s.layout.nv) H[size_of(e.row + r) * nv + size_of(column)] += block[r * e.columns + c];
  }
  nb::dict d;
  d["value"] = own_array(std::move(value), {rows}), d["time_rate"] = own_array(std::move(time_rate), {rows}), d["curvature"] = own_array(std::move(curvature), {rows});
  d["jacobian"] = own_array(std::move(H), {rows, nv});
  return d;
}

/// By entry with rows: name, first row, rows, "value" or "rate", whether its law holds it.
/// A gap of bodies without friction or adhesion.
bool is_plain_gap(const System& s, const RelationEntry& e) {
  const auto columns = columns_of(s, e);
  return e.rows == 1 && e.law.type->unilateral && !e.law.type->pulls() && std::any_of(columns.begin(), columns.end(), [&](int c) { return c >= 0 && c < s.layout.nv; });
}

nb::list row_entries(const PythonSystem& p) {
  nb::list out;
  for (const RelationEntry& e : p.system->relation_entries)
    if (e.rows > 0) out.append(nb::make_tuple(e.name, e.row, e.rows, p.system->relations[e.pool]->traits().written == Level::value ? "value" : "rate", e.law.type->equality, is_plain_gap(*p.system, e)));
  return out;
}

/// M (nv, nv) and the forces (nv) of M vdot = forces + H^T multipliers.
nb::tuple equations_of_motion(const PythonSystem& p, double t, Given y, Given data) {
  const System& s = *p.system;
  check_sizes(s, y, data);
  const std::size_t nv = size_of(s.layout.nv);
  Assembly assembly(s);
  assembly.update(t, y.data(), nullptr, data.data());
  std::vector<double> values(s.pattern.column.size()), M(nv * nv, 0.0), F(size_of(s.layout.unknowns()) + 1, 0.0);
  assembly.mass(1.0, 1.0, values.data());
  for (int i = 0; i < s.layout.nv; ++i)
    for (int k = s.pattern.begin[i]; k < s.pattern.begin[i + 1]; ++k)
      if (s.pattern.column[k] < s.layout.nv) M[size_of(i) * nv + size_of(s.pattern.column[k])] = values[k];
  assembly.forces(F.data());
  F.resize(nv);
  return nb::make_tuple(own_array(std::move(M), {nv, nv}), own_array(std::move(F), {nv}));
}

}  // namespace

void bind_analysis(nb::module_& m) {
  m.def("rows_at", &rows_at, "system"_a, "t"_a, "y"_a, "data"_a, "Values, time rates, curvatures and Jacobian of the rows.");
  m.def("row_entries", &row_entries, "system"_a, "(name, first row, rows, level, held, plain gap) of what has rows.");
  m.def("equations_of_motion", &equations_of_motion, "system"_a, "t"_a, "y"_a, "data"_a, "(M, forces).");
  m.def("retracted", [](const PythonSystem& p, Given y, Given tangent) {
    const Layout& l = p.system->layout;
    if (y.size() != size_of(l.y_size()) || tangent.size() != size_of(l.nv)) throw ModelError("state", "is not of this model");
    std::vector<double> out(y.data(), y.data() + y.size());
    p.system->map.retract(out.data(), tangent.data());
    p.system->map.normalize(out.data());
    const std::size_t n = out.size();
    return own_array(std::move(out), {n});
  }, "system"_a, "y"_a, "tangent"_a, "y with positions moved by a tangent (nv).");
  m.def("remembered", [](const PythonSystem& p, double t, Given y, Given data) {
    check_sizes(*p.system, y, data);
    std::vector<double> out(data.data(), data.data() + data.size());
    if (p.system->history >= 0) {
      Assembly assembly(*p.system);
      assembly.update(t, y.data(), nullptr, out.data());
      (void)assembly.remember(out.data() + p.system->history);
    }
    const std::size_t n = out.size();
    return own_array(std::move(out), {n});
  }, "system"_a, "t"_a, "y"_a, "data"_a, "data with what the items remember of a state, such as turns.");
  m.def("column_scales", [](const PythonSystem& p, Given y) {
    Assembly assembly(*p.system);
    assembly.update(0.0, y.data(), nullptr, p.system->initial_data.data());
    std::vector<double> scale = column_scales(*p.system, assembly.kinematics());
    const std::size_t n = scale.size();
    return own_array(std::move(scale), {n});
  }, "system"_a, "y"_a, "1 of an unknown that translates, 1 / length of one that turns a frame.");
  m.def("dependent_rows", [](Given H) {
    CsrPattern pattern;
    pattern.rows = static_cast<int>(H.shape(0)), pattern.cols = static_cast<int>(H.shape(1));
    std::vector<double> values;
    pattern.begin.assign(1, 0);
    for (int r = 0; r < pattern.rows; ++r) {
      for (int c = 0; c < pattern.cols; ++c)
        if (const double x = H.data()[size_of(r) * size_of(pattern.cols) + size_of(c)]; x != 0.0) pattern.column.push_back(c), values.push_back(x);
      pattern.begin.push_back(static_cast<int>(values.size()));
    }
    nb::list out;
    for (const DependentRow& row : dependent_rows(pattern, values)) {
      nb::list with;
      for (const int r : row.with) with.append(r);
      out.append(nb::make_tuple(row.row, with));
    }
    return out;
  }, "H"_a, "(row, earlier rows of which it is a combination) of a matrix whose columns are scaled.");
  m.def("operands_of", [](const std::string& text) {
    nb::list out;
    if (is_formula(text))
      for (const QuantityOperand& o : operands_of(text)) out.append(nb::make_tuple(o.begin, o.end, o.inner, o.component));
    return out;
  }, "formula"_a, "(begin, end, path or formula, component) of what a formula reads.");
}

}  // namespace saltus::python
