// A state that a program reads, sets and steps.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <algorithm>
#include <cmath>
#include <utility>

#include "bindings.hpp"
#include "bound_run.hpp"
#include "saltus/base/suggest.hpp"
#include "saltus/study/quantity.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace saltus::python {

nb::object python_faults(const std::vector<Fault>& faults);  // errors_bindings.cpp

namespace {

using Rows = nb::ndarray<nb::numpy, double, nb::c_contig>;

class SteppedState : public BoundRun {
 public:
  SteppedState(const PythonSystem& system, const std::string& scheme, nb::dict options, std::optional<double> step, double tolerance, int threads, bool consistent)
      : BoundRun(system, scheme, options, step ? *step : 1.0, step, tolerance, !step, threads, consistent, {}), system_(system.system), assembly_(*system.system, threads) {
    if (scheme_->is_static()) throw ModelError("simulation/scheme", "is static, which makes no steps in time", "take a scheme for motions, or m.static()");
    simulation_ = std::make_unique<Simulation>(*scheme_, *plan_, limits_);
  }

  /// Accelerations, multipliers and memory where positions, velocities or the time were given; what is wrong, if they do not exist.
  std::string begin() { return begin(state_.t() + 1.0); }
  std::string begin(double until) {
    if (resume_ && !std::exchange(renew_, false)) return {};
    const State given = state_;
    if (resume_) {
      {
        nb::gil_scoped_release release;
        simulation_->renew(state_);
      }
      return failure();
    }
    renew_ = false;
    simulation_->aim(until);
    {
      nb::gil_scoped_release release;
      simulation_->begin(state_);
    }
    if (simulation_->report().status != RunStatus::done) state_ = given;
    else resume_ = true;
    return failure();
  }
  /// On to a time; what stopped it before, if something did. step: of schemes with fixed steps.
  std::string advance(double until, std::optional<double> step) {
    if (std::string wrong = begin(until); !wrong.empty()) return wrong;
    {
      nb::gil_scoped_release release;
      if (step) simulation_->set_step(state_, *step);
      simulation_->advance(state_, until);
    }
    return failure();
  }

  void load(nb::bytes bytes) {
    load_state(bytes);
    renew_ = false;
  }

  const Simulation& simulation() const { return *simulation_; }
  const State& now() const { return state_; }
  double time() const { return state_.t(); }
  Rows part(const double* from, int n) const { return own_array(std::vector<double>(from, from + n), {static_cast<std::size_t>(n)}); }
  const Layout& layout() const { return system_->layout; }
  void put(int begin, int count, Given values) {
    if (static_cast<int>(values.size()) != count) throw ModelError("state", "takes " + std::to_string(count) + " numbers, not " + std::to_string(values.size()));
    if (!std::all_of(values.data(), values.data() + count, [](double x) { return std::isfinite(x); })) throw ModelError("state", "holds a number that is not finite");
    std::copy_n(values.data(), count, state_.y() + begin);
    resume_ = false;
  }
  /// Of the parameters that a run may change.
  Rows parameters() const { return part(state_.data(), static_cast<int>(system_->parameters.size())); }
  void set_parameter(const std::string& name, double value) {
    const auto& all = system_->parameters;
    const auto found = std::find_if(all.begin(), all.end(), [&](const RunParameter& p) { return p.name == name; });
    if (found == all.end()) {
      std::vector<std::string_view> known;
      for (const RunParameter& p : all) known.push_back(p.name);
      const std::string near = did_you_mean(name, known);
      throw ModelError("parameters/" + name, "is no parameter that a run may change", !near.empty() ? near : known.empty() ? "make it one: m.parameter(\"" + name + "\", value)" : "there are " + listed(known));
    }
    if (!std::isfinite(value)) throw ModelError("parameters/" + name, "is set to a number that is not finite");
    double& held = state_.data()[found - all.begin()];
    renew_ = renew_ || held != value;
    held = value;
  }
  void set_time(double t) {
    state_.t() = t;
    resume_ = false;
  }

  Rows mass() {
    const CsrPattern& p = system_->pattern;
    std::vector<double> values(p.column.size());
    looked().mass(1.0, 1.0, values.data());
    const std::size_t n = static_cast<std::size_t>(layout().nv);
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
    const std::size_t n = static_cast<std::size_t>(layout().nv), rows = static_cast<std::size_t>(layout().rows);
    std::vector<double> H(rows * n, 0.0);
    for (const RelationEntry& e : system_->relation_entries) {
      const double* block = a.direction(e);
      for (int r = 0; r < e.rows; ++r)
        for (int c = 0; c < e.columns; ++c)
          if (const int column = system_->relation_columns[e.column_begin + c]; column < layout().nv) H[static_cast<std::size_t>(e.row + r) * n + column] += block[r * e.columns + c];
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
    const Quantity quantity(system_, path);
    std::vector<double> out(quantity.components());
    quantity.evaluate(assembly_, {state_.t(), state_.y(), state_.a(), state_.lambda(), state_.data()}, out.data());
    const std::size_t n = out.size();
    return own_array(std::move(out), {n});
  }
  nb::dict report() const {
    const RunReport& r = simulation_->report();
    nb::dict d, residual;
    residual["equations"] = r.residual.equations, residual["constraints"] = r.residual.constraints, residual["laws"] = r.residual.laws;
    d["steps"] = r.steps, d["rejected"] = r.rejected, d["iterations"] = r.iterations, d["residual"] = residual;
    std::vector<Fault> all = warnings_;
    all.insert(all.end(), r.warnings.begin(), r.warnings.end());
    d["warnings"] = python_faults(all);
    return d;
  }

 private:
  Assembly& looked() {
    assembly_.update(state_.t(), state_.y(), state_.lambda(), state_.data());
    return assembly_;
  }
  /// The cause, and the simulation made anew, for the state may be set and tried again.
  std::string failure() {
    const RunReport& r = simulation_->report();
    if (r.status == RunStatus::done) return {};
    const std::string cause = r.cause;
    const std::exception_ptr thrown = r.exception;
    simulation_ = std::make_unique<Simulation>(*scheme_, *plan_, limits_);
    if (thrown) std::rethrow_exception(thrown);
    return cause;
  }

  std::shared_ptr<const System> system_;
  Assembly assembly_;
  std::unique_ptr<Simulation> simulation_;
  bool renew_ = false;  // a parameter was set since the state was looked at
};

}  // namespace

void bind_state(nb::module_& m) {
  using S = SteppedState;
  nb::class_<S>(m, "SteppedState", "A state that a program reads, sets and steps.")
      .def(nb::init<const PythonSystem&, const std::string&, nb::dict, std::optional<double>, double, int, bool>(), "system"_a, "scheme"_a = "auto", "options"_a = nb::dict(),
           "step"_a.none() = nb::none(), "tolerance"_a = 1e-6, "threads"_a = 1, "consistent"_a = true, nb::keep_alive<1, 2>())
      .def("begin", [](S& s) { return s.begin(); })
      .def("advance", &S::advance, "until"_a, "step"_a.none() = nb::none())
      .def("start_from", &S::start_from, "t"_a, "y"_a, "data"_a, "sampled"_a = false)
      .def("bytes", &S::state)
      .def("load", &S::load, "bytes"_a)
      .def_prop_rw("time", &S::time, &S::set_time)
      .def_prop_rw("q", [](const S& s) { return s.part(s.now().q(), s.layout().nq); }, [](S& s, Given x) { s.put(0, s.layout().nq, x); }, nb::rv_policy::move)
      .def_prop_rw("v", [](const S& s) { return s.part(s.now().v(), s.layout().nv); }, [](S& s, Given x) { s.put(s.layout().v_begin(), s.layout().nv, x); }, nb::rv_policy::move)
      .def_prop_rw("x", [](const S& s) { return s.part(s.now().x(), s.layout().nx); }, [](S& s, Given x) { s.put(s.layout().x_begin(), s.layout().nx, x); }, nb::rv_policy::move)
      .def_prop_rw("z", [](const S& s) { return s.part(s.now().z(), s.layout().nz); }, [](S& s, Given x) { s.put(s.layout().z_begin(), s.layout().nz, x); }, nb::rv_policy::move)
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
