// Constants of a model by name, and numbers that are written as expressions of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "saltus/base/errors.hpp"
#include "saltus/base/field.hpp"
#include "saltus/base/value.hpp"
#include "saltus/math/expression.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

/// Rows of a function that formulas call by name: `signal(t)`. What tables are: math/table.hpp.
struct TableRecord {
  std::vector<double> input, output, slopes;
  std::string kind = "linear", outside = "hold";

  static constexpr auto fields() {
    return std::tuple{field("input", &TableRecord::input, "", "inputs of the rows, ascending", required()),
                      field("output", &TableRecord::output, "", "outputs of the rows", required()),
                      field("kind", &TableRecord::kind, "", "between the rows: output of the last, lines, a cubic spline with ends not a knot or of second derivative 0, cubics that keep to the rows' values",
                            one_of("step|linear|spline|natural_spline|monotone")),
                      field("outside", &TableRecord::outside, "", "before and behind the rows: the end's output, a line of the end's slope, the rows again, or an error",
                            one_of("hold|linear|periodic|refuse")),
                      field("slopes", &TableRecord::slopes, "", "of a spline: first derivatives at its two ends; default: from the rows")};
  }
};

/// A parameter that a run may change, {"value": x, "schedule": [[t, x], ...]} in the model. Its number in the table is its place in the data of
/// the state.
struct RunParameter {
  std::string name;
  double value = 0.0;
  std::vector<std::pair<double, double>> schedule;  // from each time on another value; times rise
};

/// Values of all parameters, and all tables. A parameter is a number or an expression of others, in any order, without a cycle, or one that a run
/// may change; numbers of tables may be expressions of parameters.
class ParameterTable {
 public:
  ParameterTable() = default;
  /// Faults name each parameter that has no finite value; later uses of it are not reported again.
  ParameterTable(const Object& parameters, const std::string& file, Faults& faults);
  ParameterTable(const Model& model, Faults& faults);

  /// Null pointer if it is not there or has no value.
  const double* find(std::string_view name) const;
  /// Sorted.
  std::vector<std::string_view> names() const;
  /// Those that a run may change, in the order of the model.
  const std::vector<RunParameter>& of_run() const { return of_run_; }

  /// A finite number from a number or the text of a constant expression, which no parameter enters that a run may change; nothing and a fault else.
  std::optional<double> constant(const Value& value, const Place& place, const std::string& path, Faults& faults) const;

  /// Values of the parameters in a text whose other names are `inputs`; nothing, and a fault, if one is not there.
  std::optional<Parameters> used_by(std::string_view text, std::span<const std::string_view> inputs, const Place& place,
                                    const std::string& path, Faults& faults) const;

 private:
  struct Known {
    std::optional<double> value;
    int place = -1;  // in the data, of one that a run may change
  };
  void add_table(const Member& entry, const std::string& file, Tables& tables, Faults& faults) const;
  void read_of_run(const Member& member, const std::string& file, Faults& faults);

  std::unordered_map<std::string, Known> values_;
  std::vector<RunParameter> of_run_;
  std::shared_ptr<const Tables> tables_;
};

/// Names that a text uses as variables: identifiers that are not called.
std::vector<std::string_view> variables_of(std::string_view expression);

/// Sets a parameter, of one that a run may change what it begins with, from `name=value`; the value is a number or an expression. Throws ModelError for one that is not there.
void override_parameter(Model& model, std::string_view assignment);

}  // namespace saltus
