// Python values <-> the model's tree; Python callables become functions of the model.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <utility>
#include <vector>

#include "saltus/base/value.hpp"
#include "saltus/math/function.hpp"

namespace saltus::python {

/// How many numbers a function of this field takes and gives; {0, 0}: the field takes no function.
using FunctionSize = std::function<std::pair<int, int>(const std::string& field)>;

/// Numbers, bools, text, lists, tuples, arrays, dicts, None; callables are appended to `functions`, with the size that
/// `size_of` gives for the field. ModelError for others.
Object to_object(nanobind::handle dict, std::vector<Function>& functions, const std::string& path, const FunctionSize& size_of = {});
Value to_value(nanobind::handle object, std::vector<Function>& functions, const std::string& path, std::pair<int, int> size = {0, 0},
               int depth = 0);
/// The value of an int, float or number of numpy; false for anything else, text and complex numbers among it.
bool to_number(nanobind::handle object, double& value);
nanobind::object to_python(const Value& value);
/// A callable of Python, or a compiled function (saltus.Compiled), of so many inputs and results; `path` of the field that holds it.
Function external_function(nanobind::handle object, int inputs, int outputs, const std::string& path);

}  // namespace saltus::python
