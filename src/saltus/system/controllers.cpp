#include "saltus/system/controllers.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "saltus/base/suggest.hpp"
#include "saltus/items/entry.hpp"
#include "saltus/math/held_value.hpp"
#include "saltus/system/model_number.hpp"

namespace saltus {
namespace {

/// Names of the arguments of a record's function field.
std::vector<std::string> arguments(const Record& record, const std::string& field) {
  for (const FieldInfo& info : find_entry(record.section, record.type)->fields)
    if (info.name == field) {
      const std::vector<std::string_view> names = words(info.range.inputs);
      return {names.begin(), names.end()};
    }
  return {};
}

/// What stands in the field where the controller sets one component of it; zeros else.
Function base_of(const Model& model, const ModelNumber& number, std::span<const Function> functions, const ParameterTable& parameters, Faults& faults) {
  const Record& record = *model.find(number.record);
  const Value* value = number.component < 0 ? nullptr : record.fields.find(number.field);
  if (value && value->handle()) return functions[value->handle()->index];
  std::vector<std::string> sources(static_cast<std::size_t>(number.size), "0");
  const std::vector<std::string> inputs = arguments(record, number.field);
  const std::vector<std::string_view> names(inputs.begin(), inputs.end());
  Parameters used;
  if (value && value->list() && value->list()->size() == sources.size())
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Value& entry = (*value->list())[i];
      sources[i] = entry.text() ? *entry.text() : number_text(entry.number());
      if (entry.text())
        if (const auto of = parameters.used_by(*entry.text(), names, record.place, record.path(number.field), faults))
          for (const auto& p : *of)
            if (std::find(used.begin(), used.end(), p) == used.end()) used.push_back(p);
    }
  return Function::parse(sources, inputs, used, record.place, record.path(number.field), faults);
}

}  // namespace

Controlled::Controlled(const Model& given, std::span<const Function> given_functions, std::span<const ControllerRecord> controllers)
    : model(given), functions(given_functions.begin(), given_functions.end()) {
  Faults faults;
  const ParameterTable parameters(model.parameters, model.file, faults);
  int next = 0;
  for (const Record& r : model.records())
    if (r.section == "nodes" && !controllers.empty()) {
      Object fields = r.fields;  // history variables of nodes come first
      if (const Value* count = fields.find("count"); r.type == "node_data" && count)
        if (const auto n = parameters.constant(*count, r.place, r.path("count"), faults)) next += static_cast<int>(*n);
    }
  std::set<std::string> taken;
  for (const ControllerRecord& c : controllers) {
    const std::string path = "controllers/" + c.name;
    const auto refuse = [&](const std::string& message, const std::string& remedy) { faults.error({}, path, message, remedy); };
    if (!(c.period > 0.0) || !std::isfinite(c.period)) refuse("has the period " + number_text(c.period) + " s, must be above 0", "");
    ControllerEntry entry{c.name, c.period, c.function, c.inputs, next, 0, static_cast<int>(c.memory.size())};
    for (const std::string& output : c.outputs) {
      ModelNumber number;
      try {
        number = find_number(model, output);
      } catch (const ModelError& error) {
        for (Fault fault : error.faults()) fault.path = path + "/outputs", faults.add(fault);
        continue;
      }
      if (number.record.empty() || !number.function || number.size == 0) {
        refuse("cannot set '" + output + "': it is no function of time", "name a load, or a joint driven by speed=, torque= or force=");
        continue;
      }
      const int width = number.component < 0 ? number.size : 1;
      for (int i = 0; i < width; ++i)
        if (!taken.insert(number.record + "." + number.field + "." + std::to_string(std::max(number.component, 0) + i)).second)
          refuse("sets '" + number.name + "', which is set already", "give each load or drive one controller");
      functions.push_back(held_function(base_of(model, number, functions, parameters, faults), number.component, next + entry.outputs, width));
      model.find(number.record)->fields.set(number.field, Value(Handle{static_cast<std::uint32_t>(functions.size() - 1)}));
      entry.outputs += width;
    }
    std::vector<double> initial = c.initial;
    if (initial.empty()) initial.assign(static_cast<std::size_t>(entry.outputs), 0.0);
    if (static_cast<int>(initial.size()) != entry.outputs)
      refuse("has " + std::to_string(initial.size()) + " initial values of its outputs, expected " + std::to_string(entry.outputs), "");
    if (c.function.outputs() != entry.outputs + entry.memory)
      refuse("gives " + std::to_string(c.function.outputs()) + " numbers, expected " + std::to_string(entry.outputs) + " for its outputs" +
                 (entry.memory ? " and " + std::to_string(entry.memory) + " to keep" : ""), "");
    initial.resize(static_cast<std::size_t>(entry.outputs), 0.0);
    initial.insert(initial.end(), c.memory.begin(), c.memory.end());
    next += entry.outputs + entry.memory;
    entries.emplace_back(std::move(entry), std::move(initial));
  }
  faults.raise();
}

}  // namespace saltus
