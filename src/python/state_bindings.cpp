// A state that a program reads, sets and steps.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "bound_run.hpp"
#include "saltus/study/stepped_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace saltus::python {

nb::object python_faults(const std::vector<Fault>& faults);  // errors_bindings.cpp

namespace {

using Rows = nb::ndarray<nb::numpy, double, nb::c_contig>;

class PythonState : public SteppedState {
 public:
  PythonState(const PythonSystem& system, RunSettings settings) : SteppedState(system.system, std::move(settings), system.warnings) {}

  Rows part(const double* from, int n) const { return own_array(std::vector<double>(from, from + n), {static_cast<std::size_t>(n)}); }
  void give(int begin, int count, Given values) { put(begin, count, numbers_of(values)); }
  /// Of the parameters that a run may change.
  Rows parameters() const { return part(now().data(), static_cast<int>(system()->parameters.size())); }
  Rows mass() {
    const CsrPattern& p = system()->pattern;
    std::vector<double> values(p.column.size());
    looked().mass(1.0, 1.0, values.data());
    const std::size_t n = layout().nv;
    std::vector<double> M(n * n, 0.0);
    for (int i = 0; i < layout().nv; ++i)
      for (int k = p.begin[i]; k < p.begin[i + 1]; ++k)
        if (p.column[k] < layout().nv) M[static_cast<std::size_t>(i) * n + p.column[k]] = values[k];
    return own_array(std::move(M), {n, n});
  }
  /// Rates of the rows of relations by velocity (rows, nv).
  Rows jacobian() {
    Assembly& a = looked();
    a.input_blocks();
    const std::size_t n = layout().nv, rows = layout().rows;
    std::vector<double> H(rows * n, 0.0);
    for (const RelationEntry& e : system()->relation_entries) {
      const double* block = a.direction(e);
      for (int r = 0; r < e.rows; ++r)
        for (int c = 0; c < e.columns; ++c)
          if (const int column = system()->relation_columns[e.column_begin + c]; column < layout().nv) H[static_cast<std::size_t>(e.row + r) * n + column] += block[r * e.columns + c];
    }
    return own_array(std::move(H), {rows, n});
  }
  /// Values of the rows of relations (rows).
  Rows gaps() {
    std::vector<double> y(layout().rows);
    RowSink sink;
    sink.y = y.data();
    looked().relations(sink);
    const std::size_t rows = y.size();
    return own_array(std::move(y), {rows});
  }
  /// Right-hand side of the equations of motion without multipliers (nv).
  Rows forces() {
    std::vector<double> F(layout().unknowns() + 1, 0.0);
    looked().forces(F.data());
    return part(F.data(), layout().nv);
  }
  std::pair<double, double> energies() {
    Assembly& a = looked();
    return {a.kinetic_energy(), a.potential_energy()};
  }
  Rows evaluate(const std::string& path) {
    const Quantity quantity(system(), path);
    std::vector<double> out(quantity.components());
    SteppedState::evaluate(quantity, out.data());
    const std::size_t n = out.size();
    return own_array(std::move(out), {n});
  }
  nb::dict report() const {
    const RunReport& r = simulation().report();
    nb::dict d, residual;
    residual["equations"] = r.residual.equations, residual["constraints"] = r.residual.constraints, residual["laws"] = r.residual.laws;
    d["steps"] = r.steps, d["rejected"] = r.rejected, d["iterations"] = r.iterations, d["residual"] = residual;
    std::vector<Fault> all = warnings();
    all.insert(all.end(), r.warnings.begin(), r.warnings.end());
    d["warnings"] = python_faults(all);
    return d;
  }
};

}  // namespace

void bind_state(nb::module_& m) {
  using S = PythonState;
  nb::class_<S>(m, "SteppedState", "A state that a program reads, sets and steps.")
      .def("__init__", [](S* s, const PythonSystem& system, const std::string& scheme, nb::dict options, std::optional<double> step, double tolerance, int threads, bool consistent) {
        new (s) S(system, settings_of(scheme, options, step, tolerance, threads, consistent));
      }, "system"_a, "scheme"_a = "auto", "options"_a = nb::dict(),
           "step"_a.none() = nb::none(), "tolerance"_a = 1e-6, "threads"_a = 1, "consistent"_a = true, nb::keep_alive<1, 2>())
      .def("begin", [](S& s) { return s.begin(); }, nb::call_guard<nb::gil_scoped_release>())
      .def("advance", &S::advance, "until"_a, "step"_a.none() = nb::none(), nb::call_guard<nb::gil_scoped_release>())
      .def("start_from", [](S& s, double t, Given y, Given data, bool sampled) { s.start_from(t, numbers_of(y), numbers_of(data), sampled); }, "t"_a, "y"_a, "data"_a, "sampled"_a = false)
      .def("bytes", [](const S& s) { return state_of(s); })
      .def("load", [](S& s, nb::bytes bytes) { s.load(bytes_of(bytes)); }, "bytes"_a)
      .def_prop_rw("time", [](const S& s) { return s.now().t(); }, &S::set_time)
      .def_prop_rw("q", [](const S& s) { return s.part(s.now().q(), s.layout().nq); }, [](S& s, Given x) { s.give(0, s.layout().nq, x); }, nb::rv_policy::move)
      .def_prop_rw("v", [](const S& s) { return s.part(s.now().v(), s.layout().nv); }, [](S& s, Given x) { s.give(s.layout().v_begin(), s.layout().nv, x); }, nb::rv_policy::move)
      .def_prop_rw("x", [](const S& s) { return s.part(s.now().x(), s.layout().nx); }, [](S& s, Given x) { s.give(s.layout().x_begin(), s.layout().nx, x); }, nb::rv_policy::move)
      .def_prop_rw("z", [](const S& s) { return s.part(s.now().z(), s.layout().nz); }, [](S& s, Given x) { s.give(s.layout().z_begin(), s.layout().nz, x); }, nb::rv_policy::move)
      .def_prop_ro("a", [](const S& s) { return s.part(s.now().a(), s.layout().nv); }, nb::rv_policy::move)
      .def_prop_ro("multipliers", [](const S& s) { return s.part(s.now().lambda(), s.layout().rows); }, nb::rv_policy::move)
      .def_prop_ro("mass", &S::mass, nb::rv_policy::move)
      .def_prop_ro("jacobian", &S::jacobian, nb::rv_policy::move)
      .def_prop_ro("gaps", &S::gaps, nb::rv_policy::move)
      .def_prop_ro("forces", &S::forces, nb::rv_policy::move)
      .def_prop_ro("energies", &S::energies)
      .def("step_end", [](const S& s, double h) { return s.simulation().step_end(s.now(), h); }, "h"_a)
      .def("parameters", &S::parameters, nb::rv_policy::move)
      .def("set_parameter", &S::set_parameter, "name"_a, "value"_a)
      .def("evaluate", &S::evaluate, "path"_a)
      .def_prop_ro("report", &S::report)
      .def_prop_ro("scheme", [](const S& s) { return std::string(s.scheme()); });
}

}  // namespace saltus::python
