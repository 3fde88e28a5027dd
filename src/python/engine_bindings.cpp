// Model, System and Run: what the package builds its words on.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <exception>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "bindings.hpp"
#include "bound_run.hpp"
#include "state_table.hpp"
#include "saltus/base/memory.hpp"
#include "saltus/integrate/automatic.hpp"
#include "saltus/problem/polyhedron.hpp"
#include "saltus/solver/solve_log.hpp"
#include "saltus/integrate/model_checks.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/items/entry.hpp"
#include "saltus/items/notes.hpp"
#include "saltus/model/json_text.hpp"
#include "saltus/model/run_options.hpp"
#include "saltus/model/schema.hpp"
#include "saltus/study/quantity.hpp"
#include "saltus/study/state_layout.hpp"
#include "saltus/study/between_states.hpp"
#include "saltus/study/stop.hpp"
#include "saltus/system/compile.hpp"
#include "saltus/system/inverse_dynamics.hpp"
#include "sized_functions.hpp"
#include "saltus/system/model_number.hpp"
#include "values.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace saltus::python {

nb::object python_faults(const std::vector<Fault>& faults);  // errors_bindings.cpp

namespace {

using Rows = nb::ndarray<nb::numpy, double, nb::c_contig>;

Rows array(std::vector<double>&& data, std::initializer_list<std::size_t> shape) { return own_array(std::move(data), shape); }

/// The scheme's own options, parameters as numbers.
Object read_scheme_options(const Scheme& scheme, const RunOptions& options, const FieldContext& context, Faults& faults) {
  const Mark mark{static_cast<std::uint32_t>(options.scheme_place.line), static_cast<std::uint32_t>(options.scheme_place.column)};
  return scheme.type().read(FieldSource(options.scheme_options, "simulation/scheme", options.scheme_place.file, mark), context, faults);
}

/// A model with the functions that Python gave.
struct PythonModel {
  Model model;
  std::vector<Function> functions;
  std::vector<ControllerRecord> controllers;

  FunctionSize sizes(std::string_view section, std::string_view type) const {
    const ItemEntry* entry = find_entry(section, type);
    return [entry](const std::string& field) -> std::pair<int, int> {
      if (entry)
        for (const FieldInfo& info : entry->fields)
          if (info.name == field && info.kind == FieldKind::function)
            return {info.range.inputs.empty() ? 0 : 1 + static_cast<int>(std::count(info.range.inputs.begin(), info.range.inputs.end(), '|')), std::max(1, info.range.size)};
      return {0, 0};
    };
  }
  void size_functions_of(std::string_view section, std::string_view type, const std::string& path, const Object& values, nb::dict given) {
    const ItemEntry* entry = find_entry(section, type);
    nb::dict callables;
    for (const Member& member : values)
      if (member.value.handle() && given.contains(member.key.c_str())) callables[member.key.c_str()] = given[member.key.c_str()];
    if (entry) size_functions(*entry, values, model, callables, path, functions);
  }
  /// (n) values of an expression of inputs (n, inputs) and the model's parameters.
  Rows expression(const std::string& text, const std::vector<std::string>& inputs, Given values, const std::string& path) const {
    Faults faults;
    const ParameterTable parameters(model, faults);
    const std::vector<std::string_view> names(inputs.begin(), inputs.end());
    const auto used = parameters.used_by(text, names, {model.file, 0, 0}, path, faults);
    faults.raise();
    std::optional<ExpressionFault> fault;
    const Expression expression = Expression::parse(text, inputs, *used, fault);
    if (fault) throw ModelError(path, fault->message, fault->remedy);
    if (values.ndim() != 2 || values.shape(1) != inputs.size()) throw ModelError(path, "one column of values an input is needed");
    std::vector<double> out(values.shape(0));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = expression(values.data() + i * inputs.size());
    const std::size_t n = out.size();
    return array(std::move(out), {n});
  }
  std::string add(const std::string& section, const std::string& type, const std::string& name, nb::dict fields, const std::string& file, int line) {
    const std::string called = name.empty() ? model.free_name(type) : name, path = section + "/" + called;
    Object values = to_object(fields, functions, path, sizes(section, type));
    size_functions_of(section, type, path, values, fields);
    return model.add(section, type, called, std::move(values), {file, line, 0}).name;
  }
  nb::object record(const std::string& name) const {
    const Record* r = model.find(name);
    if (!r) throw ModelError(name, "is not an item of the model");
    nb::dict d;
    d["section"] = r->section;
    d["type"] = r->type;
    d["name"] = r->name;
    d["fields"] = to_python(Value(r->fields));
    return d;
  }
  void set(const std::string& name, const std::string& field, nb::handle value) {
    Record* r = model.find(name);
    if (!r) throw ModelError(name, "is not an item of the model");
    r->fields.set(field, to_value(value, functions, r->path(field), sizes(r->section, r->type)(field)));
    nb::dict given;
    given[field.c_str()] = value;
    size_functions_of(r->section, r->type, r->path(), r->fields, given);
  }
  /// Puts records in the place of others, at that of the first of them, so that an item made anew stands where it stood; without others
  /// at the end. `groups`: (names of the old, [(section, type, name, fields, file, line)]). Nothing changes where one is refused.
  void replace(nb::list groups) {
    const std::size_t known = functions.size();
    std::vector<std::pair<std::vector<std::string>, std::vector<Record>>> read;
    try {
      for (nb::handle group : groups) {
        const nb::tuple both = nb::cast<nb::tuple>(group);
        auto& [old, records] = read.emplace_back(nb::cast<std::vector<std::string>>(both[0]), std::vector<Record>{});
        for (nb::handle entry : nb::cast<nb::list>(both[1])) {
          const nb::tuple given = nb::cast<nb::tuple>(entry);
          Record r{.section = nb::cast<std::string>(given[0]), .type = nb::cast<std::string>(given[1]), .name = nb::cast<std::string>(given[2])};
          const nb::dict fields = nb::cast<nb::dict>(given[3]);
          r.place = {nb::cast<std::string>(given[4]), nb::cast<int>(given[5]), 0};
          if (std::find(old.begin(), old.end(), r.name) == old.end())
            if (Faults faults; !Model().add(r, faults) || (model.find(r.name) && !model.add(r, faults))) faults.raise();
          r.fields = to_object(fields, functions, r.path(), sizes(r.section, r.type));
          size_functions_of(r.section, r.type, r.path(), r.fields, fields);
          records.push_back(std::move(r));
        }
      }
    } catch (...) {
      functions.resize(known);
      throw;
    }
    for (auto& [old, records] : read) put(old, std::move(records));
  }
  void put(const std::vector<std::string>& old, std::vector<Record> with) {
    const bool same = old.size() == with.size() && std::all_of(with.begin(), with.end(), [&](const Record& r) {
      const Record* held = model.find(r.name);
      return held && held->section == r.section && std::find(old.begin(), old.end(), r.name) != old.end();
    });
    Faults faults;
    if (old.empty()) {
      for (Record& r : with) (void)model.add(std::move(r), faults);
      return faults.raise();
    }
    if (same) {
      for (Record& r : with) {
        Record& held = *model.find(r.name);
        held.type = std::move(r.type), held.fields = std::move(r.fields), held.place = std::move(r.place);
      }
      return;
    }
    Model next;
    next.file = model.file, next.title = model.title, next.parameters = model.parameters, next.tables = model.tables, next.gravity = model.gravity;
    next.controllers = model.controllers, next.outputs = model.outputs, next.simulation = model.simulation;
    bool here = false;
    const auto insert = [&] {
      for (Record& r : with) (void)next.add(std::move(r), faults);
      here = true;
    };
    for (const Record& r : std::as_const(model).records()) {
      if (std::find(old.begin(), old.end(), r.name) == old.end()) (void)next.add(r, faults);
      else if (!here) insert();
    }
    if (!here) insert();
    faults.raise();
    model = std::move(next);
  }
  std::vector<Fault> check() const {
    Faults faults;
    try {
      const auto system = compiled(faults);
      const ParameterTable parameters(model, faults);
      const FieldContext context{parameters, functions};
      const RunOptions options = read_run_options(model, context, faults);
      const Scheme* scheme = options.scheme == "auto" ? automatic_choice(*system, {.given = options.scheme_options, .error_control = options.step <= 0.0}).scheme : find_scheme(options.scheme);
      if (!scheme) faults.error(options.scheme_place, "simulation/scheme", "'" + options.scheme + "' is not a scheme", other_scheme(options.scheme));
      else (void)read_scheme_options(*scheme, options, context, faults);
      if (scheme) for (Fault& fault : unfound_contacts(*system, *scheme)) faults.add(std::move(fault));
      for (Fault& fault : rateless_laws(*system)) faults.add(std::move(fault));
      if (scheme && !scheme->is_static())
        for (auto check : {wrong_masses, massless_coordinates, impossible_circuits, unresolved_shapes})
          for (Fault& fault : check(*system)) faults.add(std::move(fault));
    } catch (const ModelError& error) {
      return error.faults();
    }
    return faults.list();
  }
  /// (name, system with a number of the model lower, with it higher, their difference): an input of a linearization.
  nb::tuple varied(const std::string& name) const {
    const ModelNumber number = find_number(model, name);
    const double half = 0.5 * variation * size_of(model, number);
    const auto moved = [&](double by) {
      std::vector<Function> all = functions;
      Faults warnings;
      const Model changed = shifted(model, number, by, all);
      return PythonSystem{compile(changed, all, warnings, controllers), {}};
    };
    return nb::make_tuple(number.name, moved(-half), moved(half), 2.0 * half);
  }
  /// Replaces the controllers whose functions are of the program; those written as formulas are in model.controllers. Each: name,
  /// period, function, number of its arguments and of its results, quantities, outputs, initial values, memory, delay, how much of the memory is its value.
  void set_controllers(nb::list list) {
    controllers.clear();
    for (nb::handle entry : list) {
      const nb::tuple given = nb::cast<nb::tuple>(entry);
      ControllerRecord c;
      c.name = nb::cast<std::string>(given[0]), c.period = nb::cast<double>(given[1]);
      c.function = external_function(given[2], nb::cast<int>(given[3]), nb::cast<int>(given[4]), "controllers/" + c.name);
      c.inputs = nb::cast<std::vector<std::string>>(given[5]), c.outputs = nb::cast<std::vector<std::string>>(given[6]);
      c.initial = nb::cast<std::vector<double>>(given[7]), c.memory = nb::cast<std::vector<double>>(given[8]);
      c.delay = nb::cast<double>(given[9]), c.shown = nb::cast<int>(given[10]);
      controllers.push_back(std::move(c));
    }
  }
  /// Numbers that an output of a controller takes.
  int width_of(const std::string& output) const {
    const ModelNumber number = find_number(model, output);
    return number.component < 0 ? number.size : 1;
  }
  std::string text() const {
    if (!controllers.empty())
      throw ModelError("controllers/" + controllers[0].name, "has a function of the program that made the model, which a model file cannot hold",
                       "write it as expressions of t and named inputs, such as m.controller(\"-2*x\", inputs={\"x\": ...}, ...)");
    return model_text(model);
  }
  static constexpr double variation = 0.0078125;  // of the number, a power of two; right sides are linear in loads and drives

  /// The system; warnings of the model and of what is seen of the whole.
  std::shared_ptr<const System> compiled(Faults& warnings) const {
    std::shared_ptr<const System> system = compile(model, functions, warnings, controllers);
    Faults faults;
    for (const Member& output : model.outputs) {
      try {
        if (output.value.text()) (void)Quantity(system, *output.value.text());
      } catch (const ModelError& error) {
        const Mark mark = output.value.mark;
        for (Fault fault : error.faults()) {
          fault.path = "outputs/" + output.key;
          if (mark.line > 0) fault.place = {model.file, static_cast<int>(mark.line), static_cast<int>(mark.column)};
          faults.add(std::move(fault));
        }
      }
    }
    faults.raise();
    if (!model.gravity.is_null())
      for (Fault& fault : idle_gravity(*system)) warnings.add(std::move(fault));
    for (Fault& fault : overlaps_at_start(*system)) warnings.add(std::move(fault));
    for (Fault& fault : rounded_inertias(model, {ParameterTable(model, faults), functions})) warnings.add(std::move(fault));
    return system;
  }
};

nb::object evaluate(const PythonSystem& s, const std::string& path, Given t, Given y, Given a, Given lambda, Given data) {
  const Quantity quantity(s.system, path);
  const std::size_t n = t.size(), width = quantity.components();
  const Layout& l = s.system->layout;
  const auto expect = [&](const Given& x, int columns, const char* name) {
    if (x.size() != n * static_cast<std::size_t>(columns))
      throw ModelError(path, std::string(name) + " has " + std::to_string(x.size()) + " numbers, expected " + std::to_string(n) + " x " + std::to_string(columns),
                       "the result is not of this model");
  };
  expect(y, l.y_size(), "y"), expect(a, l.nv, "a"), expect(lambda, l.rows, "lambda"), expect(data, l.nd, "data");
  std::vector<double> out(n * width);
  {
    nb::gil_scoped_release release;
    Assembly assembly(*s.system);
    for (std::size_t i = 0; i < n; ++i)
      quantity.evaluate(assembly, {t.data()[i], y.data() + i * static_cast<std::size_t>(l.y_size()), a.data() + i * static_cast<std::size_t>(l.nv),
                                   lambda.data() + i * static_cast<std::size_t>(l.rows), data.data() + i * static_cast<std::size_t>(l.nd)},
                        out.data() + i * width);
  }
  return nb::make_tuple(array(std::move(out), {n, width}), quantity.unit(), quantity.component_names());
}

/// (n, frames, 7): origin and quaternion of each named frame at the states y (n, ny).
Rows poses_of(const PythonSystem& s, Given y) {
  const std::size_t ny = s.system->layout.y_size(), n = ny ? y.size() / ny : 0;
  if (y.size() != n * ny || (y.ndim() == 2 && y.shape(1) != ny)) throw ModelError("frames", "y has " + std::to_string(y.size()) + " numbers, expected rows of " + std::to_string(ny), "the states are not of this model");
  const std::vector<NamedFrame> frames = named_frames(*s.system);
  std::vector<double> out(n * frames.size() * 7);
  {
    nb::gil_scoped_release release;
    Assembly assembly(*s.system);
    double* pose = out.data();
    for (std::size_t i = 0; i < n; ++i) {
      assembly.update(0.0, y.data() + i * ny, nullptr, s.system->initial_data.data());
      const Kinematics& k = assembly.kinematics();
      for (const NamedFrame& frame : frames) write_pose(k.frames[frame.marker], pose), pose += 7;
    }
  }
  return array(std::move(out), {n, frames.size(), 7});
}

/// The same of the reference position (frames, 7).
Rows reference_poses_of(const PythonSystem& s) {
  const std::vector<NamedFrame> frames = named_frames(*s.system);
  std::vector<double> out(frames.size() * 7);
  for (std::size_t i = 0; i < frames.size(); ++i) write_pose(s.system->reference_frames[frames[i].marker], out.data() + 7 * i);
  return array(std::move(out), {frames.size(), 7});
}

nb::object csr_parts(const SparseRows& A) {
  if (A.rows() == 0) return nb::none();
  SparseRows packed = A;
  packed.makeCompressed();
  const std::size_t n = packed.nonZeros(), rows = static_cast<std::size_t>(packed.rows()) + 1;
  return nb::make_tuple(own_array(std::vector<double>(packed.valuePtr(), packed.valuePtr() + n), {n}), own_array(std::vector<int>(packed.innerIndexPtr(), packed.innerIndexPtr() + n), {n}),
                        own_array(std::vector<int>(packed.outerIndexPtr(), packed.outerIndexPtr() + rows), {rows}), nb::make_tuple(packed.rows(), packed.cols()));
}
nb::object column(const std::vector<double>& x) { return nb::cast(own_array(std::vector<double>(x), {x.size()})); }

/// A problem that a run kept: its matrices, its blocks (set, rows, parameters), its solution, what the solve came to.
nb::dict as_dict(const HardProblem& hard) {
  nb::dict d;
  const Problem& p = hard.problem;
  d["M"] = csr_parts(p.M), d["G"] = csr_parts(p.G), d["H"] = csr_parts(p.H), d["D"] = csr_parts(p.D);
  d["p0"] = column(p.p0), d["b"] = column(p.b);
  nb::list blocks;
  for (const Block& block : p.blocks) {
    const int count = block.parameters ? parameters_needed(*block.set, block.dim, block.parameters) : 0;
    blocks.append(nb::make_tuple(std::string(block.set->name), block.dim, std::vector<double>(block.parameters, block.parameters + count)));
  }
  d["blocks"] = blocks;
  d["r"] = column(hard.report.r), d["w"] = column(hard.report.w), d["v"] = column(hard.report.v);
  d["time"] = hard.time, d["solved"] = hard.report.status == SolveStatus::solved, d["flops"] = hard.report.flops, d["residual"] = hard.report.residual;
  d["iterations"] = hard.report.iterations, d["solver"] = std::string(hard.report.solver), d["cause"] = hard.report.cause;
  return d;
}

/// A recorded run, advanced once, in chunks that Python sees.
class Run : public BoundRun {
 public:
  Run(const PythonSystem& system, RunSettings settings) : BoundRun(system.system, std::move(settings), system.warnings) {}
  /// Why scheme="auto" took it; empty where it was asked for by name.
  std::string reason() const {
    const std::string seen = reason_in_use(*scheme_, *plan_, state_);
    return seen.empty() ? reason_ : seen;
  }
  /// again: the state is the first that is recorded; else it stands in the record that goes on.
  void load_state(nb::bytes bytes, bool again) {
    BoundRun::load_state(bytes_of(bytes));
    recorded_ = !again;
  }

  /// Keeps problems of the run that were hard: those without a solution, and those that took most work, `most` of each.
  void keep_problems(int most) {
    problems_ = std::make_unique<SolveLog>(most, [this] { return state_.t(); });
  }
  nb::list problems() const {
    nb::list list;
    if (problems_)
      for (const auto* kept : {&problems_->unsolved(), &problems_->long_ones()})
        for (const HardProblem& hard : *kept) list.append(as_dict(hard));
    return list;
  }

  nb::dict advance(nb::object callback, double progress_interval, double record_interval, bool record_all, unsigned progress_steps, nb::object before_step, nb::object after_step) {
    hook(before_step, after_step);
    progress_steps_ = std::max(1u, progress_steps);
    look_after_ = progress_interval > 0.0 ? 1 : progress_steps_;
    rejected_ = state_.rejected(), began_ = state_.t();
    if (!record_all && !curve_) {
      curve_ = std::make_unique<BetweenStates>(plan_->system, scheme());
      previous_ = kept_ = missed_ = between_ = state_;
      from_ = state_.t();
      started_ = resume_ && recorded_, records_ = std::floor(state_.t() / record_interval + 1e-9) + 1.0;
      if (started_) kept_.t() = std::min(from_, (records_ - 1.0) * record_interval), missed_.t() = HUGE_VAL;  // kept by the run before: only its time is known
    }
    const double interval = record_all ? limits_.step.value_or(0.0) : record_interval;
    record_ = std::make_unique<StateTable>(plan_->layout.system, interval > 0.0 ? (limits_.until - state_.t()) / interval + 2.0 : 0.0);
    RunReport report;
    std::exception_ptr failure;
    {
      nb::gil_scoped_release release;
      try {
        const SolveLog::Scope scope(problems_.get());
        if (resume_ && !std::exchange(recorded_, true)) observe(state_, {}, callback, progress_interval, record_interval, record_all);
        report = simulate(*scheme_, *plan_, state_, limits_, [&](const State& state, const StepReport& step) { return observe(state, step, callback, progress_interval, record_interval, record_all); }, resume_);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    if (report.exception) ended_by_function(report);
    deliver(callback, state_.t());
    if (failure) std::rethrow_exception(failure);
    resume_ = true;
    nb::dict d;
    static const char* const words[] = {"done", "failed", "interrupted", "stopped"};
    d["status"] = words[static_cast<int>(report.status)];
    d["t"] = report.t;
    d["steps"] = report.steps;
    d["rejected"] = report.rejected;
    d["iterations"] = report.iterations;
    nb::dict residual;
    residual["equations"] = report.residual.equations;
    residual["constraints"] = report.residual.constraints;
    residual["laws"] = report.residual.laws;
    d["residual"] = residual;
    if (const std::string why = reason(); !why.empty()) d["chosen"] = why;
    d["energy_start"] = report.energy_start;
    d["energy_end"] = report.energy_end;
    d["cause"] = python_text(report.cause);
    d["apart"] = apart_;
    std::vector<Fault> all = warnings_;
    all.insert(all.end(), report.warnings.begin(), report.warnings.end());
    d["warnings"] = python_faults(all);
    return d;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Functions of the program that see the state's bytes around each step; the one before it may give new values of the parameters.
  void hook(nb::handle before, nb::handle after) {  // which the caller keeps alive
    limits_.before_step = {}, limits_.after_step = {};
    const auto bytes = [](const State& state) { return nb::bytes(reinterpret_cast<const char*>(state.bytes().data()), state.bytes().size_bytes()); };
    if (!after.is_none())
      limits_.after_step = [this, after, bytes](const State& state) {
        nb::gil_scoped_acquire gil;
        in_hook_ = "after_step";
        after(bytes(state));
        in_hook_ = "";
      };
    if (!before.is_none())
      limits_.before_step = [this, before, bytes](State& state) {
        nb::gil_scoped_acquire gil;
        in_hook_ = "before_step";
        const nb::object given = before(bytes(state));
        in_hook_ = "";
        if (given.is_none()) return false;
        const auto values = nb::cast<std::vector<double>>(given);
        const std::size_t n = plan_->system->parameters.size();
        if (values.size() != n || std::equal(values.begin(), values.end(), state.data())) return false;
        std::copy(values.begin(), values.end(), state.data());
        return hooked_ = true;
      };
  }

  bool observe(const State& state, const StepReport& step, nb::object& callback, double progress_interval, double record_interval, bool record_all) {
    Piece piece = std::exchange(hooked_, false) || (sampler_ && state.t() >= sampler_->next(began_)) ? Piece::sampled : Piece::smooth;
    if (state.rejected() > rejected_) events_.push_back({began_, "step_rejected", "", state.rejected() - rejected_});
    rejected_ = state.rejected();
    const bool between_states = std::exchange(began_, state.t()) == state.t();  // a jump whose two sides are states: no piece has it
    if (step.parted && !between_states) piece = Piece::jump;
    bool last = false;
    for (const Event& e : step.events) {
      if (!between_states && (e.kind == "impact" || e.kind == "percussion")) piece = Piece::jump;
      last |= e.kind == "stop";
      if (e.kind == "scheme" && curve_) curve_ = std::make_unique<BetweenStates>(plan_->system, e.item);
      events_.push_back(e);
    }
    if (record_all) {
      record_->append(state, step, piece);
    } else if (!thin(state, step, piece, record_interval, last || state.t() >= limits_.until, callback)) {
      return false;
    }
    if (++count_ < look_after_ && !record_->full()) return true;
    // The clock is read after as many steps as took a tenth of the interval lately: slow ones are handed over one by one.
    const Clock::time_point now = Clock::now();
    const double pace = std::chrono::duration<double>(now - looked_).count() / count_;
    if (progress_interval > 0.0)
      look_after_ = static_cast<unsigned>(std::clamp(pace > 0.0 ? 0.1 * progress_interval / pace : HUGE_VAL, 1.0, static_cast<double>(progress_steps_)));
    looked_ = now, count_ = 0;
    if (!record_->full() && std::chrono::duration<double>(now - last_).count() < progress_interval) return true;
    return deliver(callback, state.t());
  }

  static RecordedState view(const State& s) { return {s.t(), s.y(), s.a(), s.xdot(), s.lambda(), s.data()}; }

  /// Records the states at the multiples of the interval that the step to `state` passed, by the curve of the step, and `state` where
  /// it is on one of them or the last. Of the steps that it leaves out it notes how far one of them is from the curve that joins
  /// what is kept.
  bool thin(const State& state, const StepReport& step, Piece piece, double interval, bool last, nb::object& callback) {
    const double slack = 1e-9 * interval;  // a sum of fixed steps may fall short of the interval by its rounding
    parted_ |= step.parted;
    const auto before = [&] { return kept_.t() >= from_ ? piece : parted_ ? Piece::jump : Piece::skipped; };
    const auto keep = [&](const RecordedState& s, Piece p) {
      record_->append(s, state.h(), step, p);
      if (p == Piece::skipped && missed_.t() > kept_.t() && missed_.t() < s.t) {
        curve_->set(view(kept_), s, p);
        apart_ = std::max(apart_, curve_->distance(view(missed_)));
      }
    };
    const auto known = [&](const RecordedState& s) {  // the last that is kept
      const Layout& l = kept_.layout().system;
      kept_.t() = s.t;
      missed_.t() = std::min(missed_.t(), s.t);
      std::copy(s.y, s.y + l.y_size(), kept_.y());
      std::copy(s.a, s.a + l.nv, kept_.a());
      std::copy(s.xdot, s.xdot + l.nx, kept_.xdot());
      std::copy(s.lambda, s.lambda + l.rows, kept_.lambda());
      std::copy(s.data, s.data + l.nd, kept_.data());
    };
    if (!started_) {
      started_ = true;
      record_->append(state, step, piece);
      records_ = std::floor((state.t() + slack) / interval) + 1.0;
      kept_ = previous_ = missed_ = state;
      from_ = state.t();
      return true;
    }
    for (; records_ * interval < state.t() - slack; records_ += 1.0) {
      const double t = records_ * interval;
      const StateOutput out{between_.y(), between_.a(), between_.xdot(), between_.lambda(), between_.data()};
      if (previous_.t() == from_) curve_->set(view(previous_), view(state), piece, after_jump_);
      else curve_->set(view(kept_), view(state), before());  // a step longer than it was meant to be
      curve_->evaluate(t, false, true, out);
      between_.t() = t;
      keep(view(between_), before());
      known(view(between_));
      if (record_->full() && !deliver(callback, t)) return false;
    }
    if (last || state.t() >= records_ * interval - slack) {
      if (state.t() > kept_.t()) keep(view(state), before()), known(view(state));
      if (state.t() >= records_ * interval - slack) records_ += 1.0;
    } else if (missed_.t() <= kept_.t() && state.t() >= kept_.t() + 0.5 * interval) {
      missed_ = state;  // one near the middle
    }
    // No step is longer than the next is meant to be, but for a tenth that is put to the last one.
    if (state.t() + 2.0 * std::max(state.h(), limits_.step.value_or(0.0)) >= records_ * interval - slack) previous_ = state;
    if (kept_.t() >= from_) parted_ = step.parted && kept_.t() < state.t();
    from_ = state.t(), after_jump_ = piece == Piece::jump;
    return true;
  }

  /// A function of the model raised: Ctrl-C there interrupts the run, anything else is why it failed.
  void ended_by_function(RunReport& report) const {
    nb::gil_scoped_acquire gil;
    try {
      std::rethrow_exception(std::exchange(report.exception, nullptr));
    } catch (nb::python_error& error) {
      if (error.matches(PyExc_KeyboardInterrupt)) {
        report.status = RunStatus::interrupted;
        report.cause.clear();
        return;
      }
      const std::string type = nb::cast<std::string>(error.type().attr("__name__")), text = nb::str(error.value()).c_str();
      char time[32];
      std::snprintf(time, sizeof time, "%.9g", report.t);
      report.cause = std::string("at t = ") + time + " s: " + (*in_hook_ ? in_hook_ : "a function of the model") + " raised " + type + (text.empty() ? "" : ": " + text);
    } catch (...) {  // its text is the cause already
    }
  }

  /// Hands what was recorded to Python. False: stop. Signals (Ctrl-C) stop too, and are raised by Python later.
  bool deliver(nb::object& callback, double now) {
    nb::gil_scoped_acquire gil;
    last_ = Clock::now();
    if (PyErr_CheckSignals() != 0) {
      interrupted_ = true;
      PyErr_Clear();
    }
    nb::list events;
    for (const Event& e : events_) events.append(nb::make_tuple(e.t, e.kind, e.item, e.value));
    events_.clear();
    bool go_on = true;
    const std::size_t rows = record_->rows();
    std::vector<double> pieces(rows, static_cast<int>(Piece::smooth));
    for (const auto& [row, piece] : record_->pieces()) pieces[row] = piece;
    const nb::object contacts = plan_->options.contacts ? record_->take_contacts() : nb::none();
    const nb::list c = record_->take();
    if (!callback.is_none()) {
      const auto call = [&](auto... more) { return callback(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], own_array(std::move(pieces), {rows}), events, now, more...); };
      const nb::object answer = contacts.is_none() ? call() : call(contacts);
      go_on = answer.is_none() || nb::cast<bool>(answer);
    }
    return go_on && !interrupted_;
  }

  const char* in_hook_ = "";  // the function around a step that runs
  bool hooked_ = false;        // one before a step changed parameters
  bool recorded_ = true, interrupted_ = false;
  double rejected_ = 0.0, began_ = 0.0;  // attempts before this step, and where it began
  double records_ = 0.0;  // number of the next interval at whose end a state is kept
  State previous_, kept_, missed_, between_;  // of a run that keeps not all: the last step's end, the last that is kept, one that is not, one in between
  std::unique_ptr<BetweenStates> curve_;
  std::unique_ptr<SolveLog> problems_;
  bool started_ = false, after_jump_ = false, parted_ = false;
  double from_ = 0.0;   // where the last step began
  double apart_ = 0.0;  // largest distance of a state that is not kept from the curve through those that are
  unsigned count_ = 0, look_after_ = 1, progress_steps_ = 16;  // steps since the clock was read, when it is read next, and at most
  Clock::time_point last_ = Clock::now(), looked_ = last_;
  std::unique_ptr<StateTable> record_;
  std::vector<Event> events_;
};

nb::object options_of(const PythonModel& m) {
  Faults faults;
  const ParameterTable parameters(m.model, faults);
  const FieldContext context{parameters, m.functions};
  const RunOptions o = read_run_options(m.model, context, faults);
  faults.raise();
  const Scheme* scheme = find_scheme(o.scheme);
  nb::dict d;
  d["until"] = o.until;
  d["step"] = o.step > 0.0 ? nb::object(nb::float_(o.step)) : nb::object(nb::none());
  d["tolerance"] = o.tolerance;
  d["threads"] = o.threads;
  d["consistent"] = o.consistent;
  d["drift"] = o.drift;
  d["stop"] = o.stop;
  d["scheme"] = o.scheme;
  d["options"] = to_python(Value(scheme ? read_scheme_options(*scheme, o, context, faults) : o.scheme_options));
  faults.raise();
  d["record"] = to_python(Value(o.record));
  return d;
}

void bind_catalogue(nb::module_& m) {
  m.def("items", [] { return to_python(items_list(item_catalogue())); }, "All item types with their fields and ports.");
  m.def("schema", [] { return json_text(json_schema(item_catalogue(), scheme_types())); }, "JSON schema of a model file, as text.");
  m.def("variables", [](const std::string& text) {
    std::vector<std::string> names;
    for (std::string_view name : variables_of(text))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    return names;
  }, "text"_a, "Names that an expression uses.");
  m.def("available_memory", &available_memory, "Bytes that this process may still take; infinite where the system says nothing.");
  m.def("bytes_text", &bytes_text, "bytes"_a, "`1.5 GB`.");
  m.def("schemes", [] {
    std::vector<std::string> names;
    for (std::string_view s : scheme_names()) names.emplace_back(s);
    return names;
  }, "Names of the time integrators.");
  m.def("scheme_types", [] { return to_python(schemes_list(scheme_types())); }, "All time integrators with their options.");
}

void bind_model(nb::module_& m) {
  nb::class_<PythonModel>(m, "Model", "A model: named records by section.")
      .def(nb::init<>())
      .def_static("load", [](const std::string& path) { return PythonModel{load_model(path), {}}; }, "path"_a, "Reads a model file; ModelError with all its mistakes.")
      .def_static("parse", [](const std::string& text, const std::string& file) {
        Faults faults;
        PythonModel model{read_model(text, file, faults), {}};
        faults.raise();
        return model;
      }, "text"_a, "file"_a = "")
      .def("add", &PythonModel::add, "section"_a, "type"_a, "name"_a = "", "fields"_a = nb::dict(), "file"_a = "", "line"_a = 0, "Adds an item and returns its name.")
      .def("record", &PythonModel::record, "name"_a)
      .def("set", &PythonModel::set, "name"_a, "field"_a, "value"_a.none())
      .def("copy", [](const PythonModel& p) { return PythonModel{p.model, p.functions, {}}; }, "The same records with the same functions of the program, without the controllers of set_controllers.")
      .def("replace", &PythonModel::replace, "groups"_a, "Puts records (section, type, name, fields, file, line) in the place of others: [(names, records)].")
      .def("records", [](const PythonModel& p) {
        nb::list list;
        for (const Record& r : p.model.records()) list.append(nb::make_tuple(r.section, r.type, r.name));
        return list;
      })
      .def_prop_rw("parameters", [](const PythonModel& p) { return to_python(Value(p.model.parameters)); },
                   [](PythonModel& p, nb::dict d) { p.model.parameters = to_object(d, p.functions, "parameters"); })
      .def_prop_rw("tables", [](const PythonModel& p) { return to_python(Value(p.model.tables)); },
                   [](PythonModel& p, nb::dict d) { p.model.tables = to_object(d, p.functions, "tables"); })
      .def_prop_rw("gravity", [](const PythonModel& p) { return to_python(p.model.gravity); },
                   [](PythonModel& p, nb::object o) { p.model.gravity = to_value(o, p.functions, "gravity"); }, nb::for_setter(nb::arg("value").none()))
      .def_prop_rw("controllers", [](const PythonModel& p) { return to_python(Value(p.model.controllers)); },
                   [](PythonModel& p, nb::dict d) { p.model.controllers = to_object(d, p.functions, "controllers"); })
      .def_prop_rw("outputs", [](const PythonModel& p) { return to_python(Value(p.model.outputs)); },
                   [](PythonModel& p, nb::dict d) { p.model.outputs = to_object(d, p.functions, "outputs"); })
      .def_prop_rw("simulation", [](const PythonModel& p) { return to_python(Value(p.model.simulation)); },
                   [](PythonModel& p, nb::dict d) { p.model.simulation = to_object(d, p.functions, "simulation"); })
      .def_prop_ro("file", [](const PythonModel& p) { return p.model.file; })
      .def("run_options", &options_of, "Options of a run as `simulation` holds them, defaults filled in.")
      .def("expression", &PythonModel::expression, "text"_a, "inputs"_a, "values"_a, "path"_a = "expression",
           "(n) values of an expression of inputs (n, inputs) and the model's parameters.")
      .def("varied", &PythonModel::varied, "name"_a, "(name, system with the number lower, higher, difference).")
      .def("override", [](PythonModel& p, const std::string& text) { override_parameter(p.model, text); }, "assignment"_a, "Sets a parameter: `name=value`.")
      .def("text", &PythonModel::text, "The model file's text; ModelError naming a Python function or controller in it.")
      .def("save", [](const PythonModel& p, const std::string& path) { (void)p.text(), save_model(p.model, path); }, "path"_a)
      .def("set_controllers", &PythonModel::set_controllers, "controllers"_a)
      .def("width_of", &PythonModel::width_of, "output"_a, "How many numbers a load or drive takes.")
      .def("stop_where", [](const PythonModel& p, const PythonSystem& s, const std::string& text) { return PythonStop{stop_where(s.system, p.model, text)}; }, "system"_a, "expression"_a)
      .def("check", [](const PythonModel& p) { return python_faults(p.check()); }, "All mistakes and warnings; raises nothing.")
      .def("compile", [](const PythonModel& p) {
        Faults warnings;
        auto system = p.compiled(warnings);
        return PythonSystem{std::move(system), warnings.list()};
      });
}

void bind_stop(nb::module_& m) {
  nb::class_<PythonStop>(m, "Stop", "A condition that ends a run.").def_prop_ro("name", [](const PythonStop& s) { return s.condition.name; });
  m.def("stop_at", [](const PythonSystem& s, const std::vector<std::string>& paths, const std::string& component, const std::string& sign, double bound) {
    return PythonStop{stop_at(s.system, paths, component, sign == "<" ? Passes::below : sign == ">" ? Passes::above : Passes::either, bound)};
  }, "system"_a, "paths"_a, "component"_a, "sign"_a, "bound"_a, "Sign: <, > or anything else for a change of side.");
}

void bind_system(nb::module_& m) {
  nb::class_<PythonSystem>(m, "System", "A compiled model, immutable.")
      .def("sizes", [](const PythonSystem& s) {
        const Layout& l = s.system->layout;
        return std::map<std::string, int>{{"nq", l.nq}, {"nv", l.nv}, {"nx", l.nx}, {"nz", l.nz}, {"nd", l.nd}, {"rows", l.rows},
                                          {"unknowns", l.unknowns()}, {"ny", l.y_size()}, {"nonzeros", s.system->pattern.nonzeros()},
                                          {"history", s.system->history < 0 ? 0 : l.nd - s.system->history}};
      })
      .def("items", [](const PythonSystem& s) {
        nb::list list;
        for (const ItemPlace& i : s.system->items) list.append(nb::make_tuple(i.section, i.type, i.name));
        return list;
      })
      .def("inverse_dynamics", [](const PythonSystem& s, const std::string& tree, const std::vector<double>& q, const std::vector<double>& v, const std::vector<double>& a) {
        return inverse_dynamics(*s.system, tree, q, v, a);
      }, "tree"_a, "q"_a, "v"_a, "a"_a, "Forces of the joints of a kinematic tree.")
      .def("quantities", [](const PythonSystem& s, const std::string& item) { return quantities_of(*s.system, item); }, "item"_a)
      .def("evaluate", &evaluate, "path"_a, "t"_a, "y"_a, "a"_a, "lam"_a, "data"_a,
           "(values (n, components), unit, component names) of `name.quantity[.component]` for recorded states.")
      .def("contact_names", [](const PythonSystem& s) {
        nb::list shapes, bodies, groups;
        for (const Collider& c : s.system->contacts.colliders) shapes.append(c.name), bodies.append(c.owner);
        for (const ContactGroup& g : s.system->contacts.groups) groups.append(g.name);
        return nb::make_tuple(shapes, bodies, groups);
      }, "Shapes of contacts between groups, the bodies that have them, the groups: what the numbers of recorded contacts stand for.")
      .def("layout", [](const PythonSystem& s) {
        nb::list list;
        for (const StatePart& part : state_parts(s.system)) list.append(nb::make_tuple(part.item, part.part, part.array, part.begin, part.names, part.units));
        return list;
      }, "(item, part, array, begin, names, units) of the entries of a state, by item.")
      .def("frame_names", [](const PythonSystem& s) {
        nb::list list;
        for (const NamedFrame& frame : named_frames(*s.system)) list.append(nb::make_tuple(frame.name, frame.plane));
        return list;
      }, "(name, whether it stays in a plane) of each frame: nodes, then markers.")
      .def("frames", &poses_of, "y"_a, "(n, frames, 7) origins and unit quaternions at states y (n, ny).")
      .def("reference_frames", &reference_poses_of, "(frames, 7) of the reference position.")
      .def_prop_ro("warnings", [](const PythonSystem& s) { return python_faults(s.warnings); });
}

void bind_run(nb::module_& m) {
  nb::class_<Run>(m, "Run", "One run of a system with a scheme.")
      .def("__init__", [](Run* run, const PythonSystem& system, const std::string& scheme, nb::dict options, double until, std::optional<double> step, double tolerance,
                          bool error_control, int threads, bool consistent, const std::vector<PythonStop>& stop, bool contacts) {
        RunSettings settings = settings_of(scheme, options, step, tolerance, threads, consistent);
        settings.until = until, settings.error_control = error_control, settings.contacts = contacts;
        for (const PythonStop& s : stop) settings.stop.push_back(s.condition);
        new (run) Run(system, std::move(settings));
      }, "system"_a, "scheme"_a = "auto", "options"_a = nb::dict(), "until"_a = 1.0, "step"_a.none() = nb::none(), "tolerance"_a = 1e-6,
           "error_control"_a = true, "threads"_a = 1, "consistent"_a = true, "stop"_a = std::vector<PythonStop>(), "contacts"_a = false, nb::keep_alive<1, 2>())
      .def("advance", &Run::advance, "callback"_a.none() = nb::none(), "progress_interval"_a = 0.1, "record_interval"_a = 0.0, "record_all"_a = true,
           "progress_steps"_a = 16, "before_step"_a.none() = nb::none(), "after_step"_a.none() = nb::none())
      .def("keep_problems", &Run::keep_problems, "most"_a, "Before advance: keeps problems that were hard.")
      .def("problems", &Run::problems, "What it kept: those without a solution, then those with most work.")
      .def("state", [](const Run& r) { return state_of(r); }, "Checkpoint: all that a later step reuses.")
      .def("start_from", [](Run& r, double t, Given y, Given data, bool sampled) { r.start_from(t, numbers_of(y), numbers_of(data), sampled); }, "t"_a, "y"_a, "data"_a, "sampled"_a = false)
      .def("load_state", &Run::load_state, "state"_a, "again"_a = false)
      .def_prop_ro("scheme", [](const Run& r) { return std::string(r.scheme()); }, "The scheme that the state is advanced with.")
      .def_prop_ro("is_static", &Run::is_static);
}

}  // namespace

void bind_engine(nb::module_& m) {
  bind_catalogue(m);
  bind_model(m);
  bind_stop(m);
  bind_system(m);
  bind_run(m);
}

}  // namespace saltus::python
