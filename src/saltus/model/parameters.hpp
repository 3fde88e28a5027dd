// Constants of a model by name, and numbers that are written as expressions of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "saltus/base/errors.hpp"
#include "saltus/base/value.hpp"
#include "saltus/math/expression.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

/// Values of all parameters. A parameter is a number or an expression of others, in any order, without a cycle.
class ParameterTable {
 public:
  ParameterTable() = default;
  /// Faults name each parameter that has no finite value; later uses of it are not reported again.
  ParameterTable(const Object& parameters, const std::string& file, Faults& faults);

  /// Null pointer if it is not there or has no value.
  const double* find(std::string_view name) const;
  /// Sorted.
  std::vector<std::string_view> names() const;

  /// A finite number from a number or the text of a constant expression; nothing and a fault else.
  std::optional<double> constant(const Value& value, const Place& place, const std::string& path, Faults& faults) const;

  /// Values of the parameters in a text whose other names are `inputs`; nothing, and a fault, if one is not there.
  std::optional<Parameters> used_by(std::string_view text, std::span<const std::string_view> inputs, const Place& place,
                                    const std::string& path, Faults& faults) const;

 private:
  std::unordered_map<std::string, std::optional<double>> values_;
};

/// Names that a text uses as variables: identifiers that are not called.
std::vector<std::string_view> variables_of(std::string_view expression);

/// Sets a parameter from `name=value`; the value is a number or an expression. Throws ModelError for one that is not there.
void override_parameter(Model& model, std::string_view assignment);

}  // namespace saltus
