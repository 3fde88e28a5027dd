// Each topic of the module is one *_bindings.cpp with one function, declared here and called by module.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace saltus::python {

void bind_errors(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_study(nanobind::module_& m);
void bind_track(nanobind::module_& m);

}  // namespace saltus::python
