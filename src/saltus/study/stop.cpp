#include "saltus/study/stop.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/value.hpp"
#include "saltus/model/parameters.hpp"
#include "saltus/study/quantity.hpp"

namespace saltus {
namespace {

constexpr const char* place = "simulation/stop";

Sample sample_of(const State& state) { return {state.t(), state.y(), state.a(), state.lambda(), state.data()}; }

/// Quantities and the room to evaluate them, shared by the copies of a condition.
struct Reader {
  explicit Reader(std::shared_ptr<const System> s) : system(std::move(s)), assembly(*system) {}
  std::shared_ptr<const System> system;
  Assembly assembly;
  std::vector<Quantity> quantities;
  std::vector<double> values, sum;
};

}  // namespace

StopCondition stop_at(std::shared_ptr<const System> system, std::span<const std::string> paths, const std::string& component, Passes passes, double bound) {
  auto reader = std::make_shared<Reader>(system);
  for (const std::string& path : paths) reader->quantities.emplace_back(system, path);
  const Quantity& first = reader->quantities.at(0);
  const std::size_t width = first.components();
  reader->values.resize(width), reader->sum.resize(width);
  const auto& names = first.component_names();
  const auto found = std::find(names.begin(), names.end(), component);
  const std::string label = paths[0] + (component.empty() ? "" : "." + component);
  if (component.empty() ? width != 1 : component != "norm" && found == names.end()) {
    std::string known;
    for (const std::string& name : names) known += name + ", ";
    throw ModelError(place, label + (component.empty() ? " has " + std::to_string(width) + " components, a condition needs one" : " is not there"), "it has " + known + "norm");
  }
  const int index = component.empty() ? 0 : component == "norm" ? -1 : static_cast<int>(found - names.begin());
  const double sign = passes == Passes::below ? -1.0 : 1.0;
  StopCondition condition;
  condition.either = passes == Passes::either;
  condition.name = label + (passes == Passes::below ? " < " : passes == Passes::above ? " > " : " crosses ") + number_text(bound);
  condition.distance = [reader, index, sign, bound](const State& state) {
    std::fill(reader->sum.begin(), reader->sum.end(), 0.0);
    for (const Quantity& q : reader->quantities) {
      q.evaluate(reader->assembly, sample_of(state), reader->values.data());
      for (std::size_t i = 0; i < reader->sum.size(); ++i) reader->sum[i] += reader->values[i];
    }
    double value = 0.0;
    if (index >= 0) value = reader->sum[index];
    else
      for (const double x : reader->sum) value = std::hypot(value, x);
    return sign * (value - bound);
  };
  return condition;
}

StopCondition stop_where(std::shared_ptr<const System> system, const Model& model, const std::string& text) {
  Faults faults;
  const ParameterTable parameters(model, faults);
  auto reader = std::make_shared<Reader>(system);
  std::vector<std::string> inputs{"t"};
  for (const std::string_view name : variables_of(text)) {
    const Value* output = model.outputs.find(name);
    if (!output || !output->text() || std::find(inputs.begin(), inputs.end(), name) != inputs.end()) continue;
    inputs.emplace_back(name);
    const int width = reader->quantities.emplace_back(system, *output->text()).components();
    if (width != 1)
      throw ModelError(place, "takes the output '" + std::string(name) + "', which has " + std::to_string(width) + " components", "name one component in `outputs`");
  }
  const std::vector<std::string_view> names(inputs.begin(), inputs.end());
  const auto used = parameters.used_by(text, names, {model.file, 0, 0}, place, faults);
  faults.raise();
  std::optional<ExpressionFault> fault;
  auto expression = std::make_shared<Expression>(Expression::parse(text, inputs, *used, fault));
  if (fault) throw ModelError(place, fault->message, fault->remedy);
  reader->values.resize(inputs.size());
  return {[reader, expression](const State& state) {
            reader->values[0] = state.t();
            for (std::size_t i = 0; i < reader->quantities.size(); ++i)
              reader->quantities[i].evaluate(reader->assembly, sample_of(state), &reader->values[i + 1]);
            return (*expression)(reader->values.data(), state.data()) != 0.0 ? 1.0 : -1.0;
          },
          false, text};
}

}  // namespace saltus
