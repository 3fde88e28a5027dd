// What the bindings of the engine share: the compiled model as Python holds it, arrays that own their data.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "saltus/base/errors.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/system/system.hpp"

namespace saltus::python {

/// A compiled model as Python holds it, with the warnings of its compilation.
struct PythonSystem {
  std::shared_ptr<const System> system;
  std::vector<Fault> warnings;
};

/// Numbers that Python gives.
using Given = nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu>;

/// A condition that ends a run.
struct PythonStop {
  StopCondition condition;
};

/// A numpy array that owns the data.
template <class T>
nanobind::ndarray<nanobind::numpy, T, nanobind::c_contig> own_array(std::vector<T>&& data, std::initializer_list<std::size_t> shape) {
  auto* owned = new std::vector<T>(std::move(data));
  return {owned->data(), shape, nanobind::capsule(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); })};
}

}  // namespace saltus::python
