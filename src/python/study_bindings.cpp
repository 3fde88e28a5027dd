// Linearization: sparse equations about a state, and their reduction to A, B, C, D.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <tuple>

#include "bindings.hpp"
#include "engine.hpp"
#include "saltus/math/rank.hpp"
#include "saltus/study/state_space.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace saltus::python {

namespace {

using Given = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

nb::object csr(const CsrPattern& pattern, const std::vector<double>& values) {
  return nb::make_tuple(own_array(std::vector<double>(values), {values.size()}), own_array(std::vector<int>(pattern.column), {pattern.column.size()}),
                        own_array(std::vector<int>(pattern.begin), {pattern.begin.size()}), nb::make_tuple(pattern.rows, pattern.cols));
}
nb::object matrix(Matrix&& m) {
  const std::size_t rows = m.rows, cols = m.cols;
  return nb::cast(own_array(std::move(m.values), {rows, cols}));
}

LinearEquations equations_at(const PythonSystem& s, double t, Given y, std::optional<Given> a, std::optional<Given> lambda, std::optional<Given> data, std::optional<Given> contacts) {
  const Layout& l = s.system->layout;
  const auto expect = [](const Given& x, int size, const char* name) {
    if (x.size() != static_cast<std::size_t>(size))
      throw ModelError("linearize", std::string(name) + " has " + std::to_string(x.size()) + " numbers, expected " + std::to_string(size), "the state is not of this model");
  };
  expect(y, l.y_size(), "y");
  if (a) expect(*a, l.nv, "a");
  if (lambda) expect(*lambda, l.rows, "lambda");
  if (data) expect(*data, l.nd, "data");
  std::vector<ContactWrench> wrenches;
  for (std::size_t i = 0; contacts && i + 7 <= contacts->size(); i += 7) {
    const double* x = contacts->data() + i;
    wrenches.push_back({x[0], {{x[1], x[2], x[3]}}, {{x[4], x[5], x[6]}}});
  }
  return linear_equations(s.system, {t, y.data(), a ? a->data() : nullptr, lambda ? lambda->data() : nullptr, data ? data->data() : nullptr}, wrenches);
}

nb::dict sparse(const LinearEquations& e) {
  nb::dict d;
  const CsrPattern& pattern = e.pattern;
  d["mass"] = csr(pattern, e.mass);
  d["stiffness"] = csr(pattern, e.stiffness);
  d["damping"] = csr(pattern, e.damping);
  d["value"] = csr(e.rows.pattern, e.value);
  d["rate"] = csr(e.rows.pattern, e.rate);
  d["input"] = csr(e.rows.pattern, e.input);
  nb::list forms, dependent;
  static const char* const words[] = {"second", "first_rate", "first_order", "value", "mixed", "set_valued"};
  for (const HeldRow& row : e.held.rows) forms.append(words[static_cast<int>(row.form)]);
  Assembly assembly(*e.system);
  assembly.update(e.t, e.y.data());
  for (const DependentRow& row : dependent_rows(e.rows.pattern, e.rate, column_scales(*e.system, assembly.kinematics()))) dependent.append(row.row);
  d["forms"] = forms;
  d["dependent"] = dependent;
  return d;
}

}  // namespace

void bind_study(nb::module_& m) {
  nb::class_<LinearEquations>(m, "LinearEquations", "The equations of motion to first order about one state.")
      .def_prop_ro("t", [](const LinearEquations& e) { return e.t; })
      .def_prop_ro("y", [](const LinearEquations& e) { return nb::cast(own_array(std::vector<double>(e.y), {e.y.size()})); })
      .def_prop_ro("a", [](const LinearEquations& e) {
        const std::size_t nv = e.system->layout.nv;
        return nb::cast(own_array(std::vector<double>(e.rates.begin(), e.rates.begin() + static_cast<std::ptrdiff_t>(nv)), {nv}));
      })
      .def_prop_ro("scales", [](const LinearEquations& e) {
        Assembly assembly(*e.system);
        assembly.update(e.t, e.y.data());
        std::vector<double> scale = column_scales(*e.system, assembly.kinematics());
        const std::size_t n = scale.size();
        return nb::cast(own_array(std::move(scale), {n}));
      }, "1 of an unknown that translates, 1 / length of one that turns a frame.")
      .def_prop_ro("length", [](const LinearEquations& e) { return e.system->length_scale > 0.0 ? e.system->length_scale : 1.0; }, "The model's length [m].")
      .def_prop_ro("lam", [](const LinearEquations& e) { return nb::cast(own_array(std::vector<double>(e.lambda), {e.lambda.size()})); })
      .def_prop_ro("data", [](const LinearEquations& e) { return nb::cast(own_array(std::vector<double>(e.data), {e.data.size()})); })
      .def_ro("rests", &LinearEquations::rests, "No velocity, no acceleration.")
      .def_ro("exact", &LinearEquations::exact, "No derivative was taken by differences.")
      .def_ro("residual", &LinearEquations::residual)
      .def_prop_ro("closed", [](const LinearEquations& e) { return e.held.closed; }, "Relations with a set-valued law that are held.")
      .def_prop_ro("open", [](const LinearEquations& e) { return e.held.open; }, "Relations with a set-valued law that are left out.")
      .def_prop_ro("rows", [](const LinearEquations& e) { return e.row_count(); })
      .def("sparse", &sparse, "Sparse matrices (data, indices, indptr, shape), and which rows depend on others.")
      .def("moved", [](const LinearEquations& e, Given theta, Given rest, double by) {
        const Layout& l = e.system->layout;
        std::vector<double> y = e.y, tangent(theta.data(), theta.data() + theta.size());
        if (theta.size() != static_cast<std::size_t>(l.nv) || rest.size() != static_cast<std::size_t>(l.unknowns())) throw ModelError("linearize", "the deviation is not of this model");
        for (double& x : tangent) x *= by;
        e.system->map.retract(y.data(), tangent.data());
        for (int i = 0; i < l.unknowns(); ++i) y[l.v_begin() + i] += by * rest.data()[i];
        const std::size_t n = y.size();
        return own_array(std::move(y), {n});
      }, "theta"_a, "rest"_a, "by"_a, "y of the state moved by a multiple of a deviation (theta, (v, x, z)).")
      .def("state_space", [](const LinearEquations& e, const std::vector<std::tuple<std::string, PythonSystem, PythonSystem, double>>& inputs, const std::vector<std::string>& outputs) {
        std::vector<LinearInput> given;
        for (const auto& [name, lower, upper, width] : inputs) given.push_back({name, lower.system, upper.system, width});
        StateSpace s;
        {
          nb::gil_scoped_release release;
          s = state_space(e, given, outputs);
        }
        nb::dict d;
        d["positions"] = s.positions, d["velocities"] = s.velocities, d["first_order"] = s.first_order;
        d["A"] = matrix(std::move(s.A)), d["B"] = matrix(std::move(s.B)), d["C"] = matrix(std::move(s.C)), d["D"] = matrix(std::move(s.D));
        d["shapes"] = matrix(std::move(s.shapes));
        d["mass"] = matrix(std::move(s.mass)), d["damping"] = matrix(std::move(s.damping)), d["stiffness"] = matrix(std::move(s.stiffness));
        const std::size_t n = s.rest.size();
        d["rest"] = own_array(std::move(s.rest), {n});
        return d;
      }, "inputs"_a, "outputs"_a, "A, B, C, D and what they stand for. inputs: (name, system with it lower, with it higher, difference).");
  m.def("linear_equations", &equations_at, "system"_a, "t"_a, "y"_a, "a"_a.none() = nb::none(), "lam"_a.none() = nb::none(), "data"_a.none() = nb::none(), "contacts"_a.none() = nb::none(),
        "Linearizes at one state of [q v x z 0], accelerations, multipliers, data; contacts: 7 numbers each, identity, force and torque on B, of those between groups.");
  m.def("reference_state", [](const PythonSystem& s, bool reference) {
    std::vector<double> y = s.system->initial_y, data = s.system->initial_data;
    if (reference && s.system->history >= 0) data[s.system->history + HistoryBlock::time] = std::numeric_limits<double>::quiet_NaN();
    if (reference) {
      for (const NodeEntry& node : s.system->nodes)
        s.system->node_pools[node.pool]->reference(node.item, y.data() + node.place.q);
      std::fill(y.begin() + s.system->layout.v_begin(), y.begin() + s.system->layout.x_begin(), 0.0);
    }
    const std::size_t n = y.size();
    return nb::make_tuple(own_array(std::move(y), {n}), own_array(std::move(data), {s.system->initial_data.size()}));
  }, "system"_a, "reference"_a, "(y, data): the reference position at rest, or the initial values.");
}

}  // namespace saltus::python
