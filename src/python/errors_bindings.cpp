// saltus::ModelError <-> saltus.errors.ModelError: the Python class stands in the package, because the package
// raises it, too (YAML, importers, result files), also where the engine is not loaded.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>

#include "bindings.hpp"
#include "saltus/base/errors.hpp"
#include "saltus/base/memory.hpp"

namespace nb = nanobind;

namespace saltus::python {

nb::str python_text(const std::string& text) {
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

namespace {

nb::object python_fault(const nb::module_& errors, const Fault& fault) {
  return errors.attr("Fault")(nb::arg("path") = python_text(fault.path), nb::arg("message") = python_text(fault.message),
                              nb::arg("remedy") = python_text(fault.remedy), nb::arg("file") = python_text(fault.place.file),
                              nb::arg("line") = fault.place.line, nb::arg("column") = fault.place.column,
                              nb::arg("severity") = fault.severity == Severity::warning ? "warning" : "error");
}

Fault engine_fault(nb::handle fault) {
  const auto severity = nb::cast<std::string>(fault.attr("severity"));
  return {{nb::cast<std::string>(fault.attr("file")), nb::cast<int>(fault.attr("line")),
           nb::cast<int>(fault.attr("column"))},
          nb::cast<std::string>(fault.attr("path")),
          nb::cast<std::string>(fault.attr("message")),
          nb::cast<std::string>(fault.attr("remedy")),
          severity == "warning" ? Severity::warning : Severity::error};
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const ModelError& error) {
    const nb::module_ errors = nb::module_::import_("saltus.errors");
    nb::list faults;
    for (const Fault& fault : error.faults()) faults.append(python_fault(errors, fault));
    const nb::object type = errors.attr("ModelError");
    PyErr_SetObject(type.ptr(), type(faults).ptr());
  } catch (const std::bad_alloc& error) {  // outside of a run: there it is why the run failed
    const nb::module_ errors = nb::module_::import_("saltus.errors");
    const nb::object type = errors.attr("ModelError");
    PyErr_SetObject(type.ptr(), type(python_fault(errors, Fault{{}, "", out_of_memory(error), ""})).ptr());
  }
}

}  // namespace

nb::object python_faults(const std::vector<Fault>& faults) {
  const nb::module_ errors = nb::module_::import_("saltus.errors");
  nb::list list;
  for (const Fault& fault : faults) list.append(python_fault(errors, fault));
  return list;
}

void bind_errors(nb::module_& m) {
  nb::register_exception_translator(translate);
  m.def(
      "raise_faults",
      [](const nb::list& faults) {
        Faults collected;
        for (nb::handle fault : faults) collected.add(engine_fault(fault));
        collected.raise();
      },
      nb::arg("faults"),
      "Raises `saltus.ModelError` with all faults (`saltus.errors.Fault`) if one of them is an error.");
  m.def(
      "fault_text", [](nb::handle fault) { return engine_fault(fault).text(); }, nb::arg("fault"),
      "The one-line text of a fault as the engine writes it.");
}

}  // namespace saltus::python
