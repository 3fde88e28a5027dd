// saltus._core: the engine as Python sees it. The package around it (python/saltus) adds the words of the user.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_core, m) {
  // A model whose function knows the model is a cycle that Python's collector does not see: it ends with the process.
  nanobind::set_leak_warnings(false);
  m.doc() = "The compiled engine of Saltus. Use it through the package `saltus`.";
  m.attr("version") = SALTUS_VERSION;
  m.attr("architecture") = SALTUS_ARCH;  // -march level of the engine, "" for the compiler's default
  m.attr("compiler") = __VERSION__;
  saltus::python::bind_errors(m);
  saltus::python::bind_engine(m);
  saltus::python::bind_study(m);
  saltus::python::bind_track(m);
  saltus::python::bind_state(m);
  saltus::python::bind_analysis(m);
  saltus::python::bind_rope(m);
  saltus::python::bind_shapes(m);
}
