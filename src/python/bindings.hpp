// Each topic of the module is one *_bindings.cpp with one function, declared here and called by module.cpp.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace saltus::python {

/// Text that may hold bytes of a file or of another library; those that are no UTF-8 are replaced.
nanobind::str python_text(const std::string& text);

void bind_errors(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_study(nanobind::module_& m);
void bind_track(nanobind::module_& m);
void bind_state(nanobind::module_& m);
void bind_analysis(nanobind::module_& m);
void bind_rope(nanobind::module_& m);
void bind_shapes(nanobind::module_& m);

}  // namespace saltus::python
