// saltus._numerics: problem and solver layers alone, without the engine.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

namespace saltus::python {
void bind_numerics(nanobind::module_& m);
}

NB_MODULE(_numerics, m) {
  m.doc() = "Complementarity and friction solvers. Use them through the package `saltus.numerics`.";
  saltus::python::bind_errors(m);
  saltus::python::bind_numerics(m);
}
