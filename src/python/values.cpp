#include "values.hpp"

#include <nanobind/stl/string.h>

#include <cmath>
#include <cstdint>

#include "saltus/base/errors.hpp"
#include "saltus/base/value.hpp"

namespace nb = nanobind;

namespace saltus::python {

bool to_number(nb::handle object, double& value) {
  if (nb::isinstance<nb::str>(object) || nb::isinstance<nb::bytes>(object) || !PyNumber_Check(object.ptr()) || PyComplex_Check(object.ptr())) return false;
  value = PyFloat_AsDouble(object.ptr());
  if (!PyErr_Occurred()) return true;
  PyErr_Clear();
  return false;
}

namespace {

constexpr int deepest = 64;

/// A Python callable f(inputs...) -> number or sequence. Runs under the GIL, never beside another thread's.
struct Callable {
  nb::object function;
  std::string path;  // of the field that holds it
  ~Callable() {
    nb::gil_scoped_acquire gil;
    function.reset();
  }
};

/// " in wind (program.py:5)": where an error came up, in the last line of the way there that is not of an installed package.
std::string place_of(const nb::python_error& error) {
  std::string place;
  for (nb::object step = error.traceback(); step.is_valid() && !step.is_none(); step = step.attr("tb_next")) {
    const nb::object code = step.attr("tb_frame").attr("f_code");
    const std::string file = nb::cast<std::string>(code.attr("co_filename"));
    if (!place.empty() && file.find("site-packages") != std::string::npos) continue;
    place = " in " + nb::cast<std::string>(code.attr("co_name")) + " (" + file.substr(file.find_last_of("/\\") + 1) + ":" + std::to_string(nb::cast<int>(step.attr("tb_lineno"))) + ")";
  }
  return place;
}

/// What a user's function raised, as a mistake of the field that holds it. Ctrl-C and SystemExit stay what they are.
[[noreturn]] void throw_from(const std::string& path, nb::python_error& error, const double* in, int inputs) {
  if (!error.matches(PyExc_Exception) || error.matches(PyExc_KeyboardInterrupt)) throw;
  if (nb::hasattr(error.value(), "faults")) throw;  // a ModelError
  const std::string type = nb::cast<std::string>(error.type().attr("__name__")), text = nb::str(error.value()).c_str();
  std::string given;
  for (int i = 0; i < inputs; ++i) given += (i ? ", " : "") + number_text(in[i]);
  const bool arity = error.matches(PyExc_TypeError) && text.find("argument") != std::string::npos;
  throw ModelError(path, "the function raised " + type + (text.empty() ? "" : ": " + text) + place_of(error),
                   arity ? "it is called with " + std::to_string(inputs) + (inputs == 1 ? " number" : " numbers") : "call it yourself with the same numbers: (" + given + ")");
}

/// The entries of a matrix one after another; else the list as it is.
nb::object without_rows(nb::object list) {
  const auto is_list = [](nb::handle entry) { return nb::isinstance<nb::list>(entry) || nb::isinstance<nb::tuple>(entry); };
  nb::list entries;
  for (nb::handle row : list) {
    if (!is_list(row)) return list;
    for (nb::handle entry : row) entries.append(entry);
  }
  return entries;
}

void call_python(void* context, const double* in, double* out, int inputs, int outputs) {
  nb::gil_scoped_acquire gil;
  const auto& callable = *static_cast<Callable*>(context);
  nb::list arguments;
  for (int i = 0; i < inputs; ++i) arguments.append(in[i]);
  nb::object result;
  try {
    result = callable.function(*nb::tuple(arguments));
  } catch (nb::python_error& error) {
    throw_from(callable.path, error, in, inputs);
  }
  const std::string expected = outputs == 1 ? "a number" : std::to_string(outputs) + " numbers";
  const auto refuse = [&](const std::string& what) { throw ModelError(callable.path, "the function returned " + what + ", expected " + expected, "return " + expected); };
  if (outputs == 1 && to_number(result, out[0])) return;
  if (nb::hasattr(result, "tolist")) result = result.attr("tolist")();
  if (outputs == 1 && to_number(result, out[0])) return;
  if (!nb::isinstance<nb::list>(result) && !nb::isinstance<nb::tuple>(result)) refuse(nb::repr(result).c_str());
  result = without_rows(result);
  if (PySequence_Size(result.ptr()) != outputs) refuse(std::to_string(PySequence_Size(result.ptr())) + " numbers");
  for (int i = 0; i < outputs; ++i)
    if (const nb::object entry = nb::steal(PySequence_GetItem(result.ptr(), i)); !to_number(entry, out[i])) refuse(nb::repr(entry).c_str());
}

/// A compiled function by its address: void f(const double* inputs, double* outputs). Runs in any thread.
Function compiled_function(nb::handle object, int inputs, int outputs) {
  struct Compiled {
    Callable keeps_alive;
    void (*call)(const double*, double*);
  };
  const auto address = nb::cast<std::uintptr_t>(object.attr("address"));
  auto owner = std::make_shared<Compiled>(Compiled{{nb::borrow(object), {}}, reinterpret_cast<void (*)(const double*, double*)>(address)});
  CFunction f;
  f.context = owner.get();
  f.call = [](void* context, const double* in, double* out) { static_cast<Compiled*>(context)->call(in, out); };
  f.inputs = inputs;
  f.outputs = outputs;
  return Function::external(f, owner, nb::cast<std::string>(nb::repr(object)));
}

bool is_compiled(nb::handle object) { return nb::hasattr(object, "_saltus_compiled"); }

}  // namespace

/// The sizes of a Python function are known only where it is used: they are bound when a field takes it.
Function external_function(nb::handle object, int inputs, int outputs, const std::string& path) {
  if (is_compiled(object)) return compiled_function(object, inputs, outputs);
  struct Sized {
    Callable callable;
    int inputs, outputs;
  };
  auto owner = std::make_shared<Sized>(Sized{{nb::borrow(object), path}, inputs, outputs});
  CFunction f;
  f.context = owner.get();
  f.call = [](void* context, const double* in, double* out) {
    auto* sized = static_cast<Sized*>(context);
    call_python(&sized->callable, in, out, sized->inputs, sized->outputs);
  };
  f.inputs = inputs;
  f.outputs = outputs;
  f.parallel = false;
  return Function::external(f, owner, nb::cast<std::string>(nb::repr(object)));
}

Value to_value(nb::handle object, std::vector<Function>& functions, const std::string& path, std::pair<int, int> size, int depth) {
  if (depth > deepest) throw ModelError(path, "is nested deeper than " + std::to_string(deepest) + " levels");
  if (object.is_none()) return {};
  if (nb::isinstance<nb::bool_>(object)) return Value(nb::cast<bool>(object));
  if (nb::isinstance<nb::int_>(object)) {
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (double number = 0.0; overflow && to_number(object, number)) return Value(number);
    if (overflow) throw ModelError(path, "is an integer outside the range of double");
    return Value(static_cast<std::int64_t>(whole));
  }
  if (nb::isinstance<nb::float_>(object)) return Value(nb::cast<double>(object));
  if (nb::isinstance<nb::str>(object)) return Value(std::string(nb::str(object).c_str()));
  if (nb::isinstance<nb::dict>(object)) return Value(to_object(object, functions, path, {}));
  if (nb::hasattr(object, "tolist")) return to_value(object.attr("tolist")(), functions, path, size, depth + 1);
  if (is_compiled(object) || PyCallable_Check(object.ptr())) {
    if (size.second == 0) throw ModelError(path, "takes no function", "give a number or a text");
    functions.push_back(external_function(object, size.first, size.second, path));
    return Value(Handle{static_cast<std::uint32_t>(functions.size() - 1)});
  }
  if (nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object)) {
    List list;
    for (nb::handle entry : object) list.push_back(to_value(entry, functions, path + "/" + std::to_string(list.size()), {size.first, size.second ? 1 : 0}, depth + 1));
    return Value(std::move(list));
  }
  if (PyNumber_Check(object.ptr()) && PyFloat_Check(nb::float_(object).ptr())) return Value(nb::cast<double>(nb::float_(object)));
  throw ModelError(path, "cannot hold a " + nb::cast<std::string>(object.type().attr("__name__")));
}

Object to_object(nb::handle dict, std::vector<Function>& functions, const std::string& path, const FunctionSize& size_of) {
  Object object;
  for (const auto& [key, value] : nb::borrow<nb::dict>(dict)) {
    const std::string name = nb::cast<std::string>(key);
    object.set(name, to_value(value, functions, path + "/" + name, size_of ? size_of(name) : std::pair{0, 0}, 1));
  }
  return object;
}

nb::object to_python(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null: return nb::none();
    case Value::Kind::boolean: return nb::bool_(*value.boolean());
    case Value::Kind::integer: return nb::int_(*value.integer());
    case Value::Kind::number: return nb::float_(value.number());
    case Value::Kind::text: return nb::str(value.text()->data(), value.text()->size());
    case Value::Kind::list: {
      nb::list list;
      for (const Value& entry : *value.list()) list.append(to_python(entry));
      return list;
    }
    case Value::Kind::object: {
      nb::dict dict;
      for (const Member& member : *value.object()) dict[nb::str(member.key.data(), member.key.size())] = to_python(member.value);
      return dict;
    }
    case Value::Kind::handle: return nb::str("<function>");
  }
  return nb::none();
}

}  // namespace saltus::python
