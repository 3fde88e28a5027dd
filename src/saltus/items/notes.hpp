// What is said of items whose values are allowed but probably rounded.
#pragma once

#include <vector>

#include "saltus/base/errors.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

/// A warning of each rigid body whose moments of inertia are those of no body, by what rounding explains.
std::vector<Fault> rounded_inertias(const Model& model, const FieldContext& context);

}  // namespace saltus
