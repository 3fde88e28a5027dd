// What a run is asked for, as Python says it.
#pragma once

#include <optional>
#include <string>

#include "engine.hpp"
#include "saltus/study/bound_run.hpp"

namespace saltus::python {

/// Settings without `until` and `stop`.
RunSettings settings_of(const std::string& scheme, nanobind::dict options, std::optional<double> step, double tolerance, int threads, bool consistent);

inline std::span<const char> bytes_of(const nanobind::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
inline std::span<const double> numbers_of(const Given& given) { return {given.data(), given.size()}; }
inline nanobind::bytes state_of(const BoundRun& run) {
  const auto b = run.state();
  return nanobind::bytes(reinterpret_cast<const char*>(b.data()), b.size_bytes());
}

}  // namespace saltus::python
