#include "bound_run.hpp"

#include "values.hpp"

namespace saltus::python {

RunSettings settings_of(const std::string& scheme, nanobind::dict options, std::optional<double> step, double tolerance, int threads, bool consistent) {
  std::vector<Function> none;
  RunSettings s;
  s.scheme = scheme;
  s.options = to_object(options, none, "simulation/scheme");
  s.step = step;
  s.tolerance = tolerance;
  s.threads = threads;
  s.consistent = consistent;
  return s;
}

}  // namespace saltus::python
