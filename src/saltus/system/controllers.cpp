#include "saltus/system/controllers.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "saltus/base/index.hpp"
#include "saltus/base/suggest.hpp"
#include "saltus/base/value.hpp"
#include "saltus/items/entry.hpp"
#include "saltus/system/model_number.hpp"

namespace saltus {
namespace {

constexpr int most_waiting = 2000;  // samples of which the state keeps the outputs

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
  std::vector<std::string> sources(number.size, "0");
  const std::vector<std::string> inputs = arguments(record, number.field);
  const std::vector<std::string_view> names(inputs.begin(), inputs.end());
  Parameters used;
  if (value && value->list() && value->list()->size() == sources.size())
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Value& entry = (*value->list())[i];
      sources[i] = entry.text() ? *entry.text() : number_text(entry.number());
      if (entry.text())
        if (const auto of = parameters.used_by(*entry.text(), names, record.place, record.path(number.field), faults)) used.add(*of);
    }
  return Function::parse(sources, inputs, used, record.place, record.path(number.field), faults);
}

/// Reads the keys of one controller of a model.
class ControllerReader {
 public:
  ControllerReader(const Model& model, const Member& entry, const ParameterTable& parameters, Faults& faults)
      : model_(model), parameters_(parameters), faults_(faults), path_("controllers/" + entry.key), mark_(entry.mark) {
    record_.name = entry.key;
    const Object* fields = entry.value.object();
    if (const std::string fault = name_fault(entry.key); !fault.empty()) error(path_, mark_, fault);
    else if (model.find(entry.key)) error(path_, mark_, "is the name of an item", "names are unique over the model");
    if (!fields) {
      error(path_, entry.value.mark, "expected an object, got " + kind_text(entry.value), "write {\"period\": ..., \"function\": ..., \"outputs\": [...]}");
      return;
    }
    const std::string_view keys[] = {"period", "function", "inputs", "outputs", "initial", "memory", "delay", "shown"};
    for (const Member& member : *fields)
      if (std::find(std::begin(keys), std::end(keys), member.key) == std::end(keys)) {
        const std::string near = did_you_mean(member.key, keys);
        error(path_ + "/" + member.key, member.mark, "unknown key \"" + member.key + "\"", near.empty() ? "known keys: " + listed(keys) : near);
      }
    const auto needed = [&](const char* key) {
      const Value* value = fields->find(key);
      if (!value) error(path_ + "/" + key, mark_, "is missing", "a controller has period, function, outputs");
      return value;
    };
    if (const Value* period = needed("period"))
      if (const auto x = parameters.constant(*period, place(period->mark), path_ + "/period", faults)) record_.period = *x;
    if (const Value* delay = fields->find("delay"))
      if (const auto x = parameters.constant(*delay, place(delay->mark), path_ + "/delay", faults)) record_.delay = *x;
    if (const Value* shown = fields->find("shown"))
      if (const auto x = parameters.constant(*shown, place(shown->mark), path_ + "/shown", faults)) {
        record_.shown = *x >= 0.0 && *x < 1e6 ? static_cast<int>(*x) : -1;
        if (record_.shown != *x) error(path_ + "/shown", shown->mark, "is " + number_text(*x) + ", expected a whole number from 0");
      }
    if (const Value* outputs = needed("outputs")) record_.outputs = texts(*outputs, "outputs");
    numbers(fields->find("initial"), "initial", record_.initial);
    numbers(fields->find("memory"), "memory", record_.memory);
    std::vector<std::string> arguments{"t"};
    if (const Value* inputs = fields->find("inputs")) {
      if (!inputs->object()) error(path_ + "/inputs", inputs->mark, "expected an object, got " + kind_text(*inputs), "write {\"x\": \"cart.position.x\"}");
      else
        for (const Member& input : *inputs->object()) {
          if (!input.value.text()) error(path_ + "/inputs/" + input.key, input.value.mark, "expected a quantity, got " + kind_text(input.value), "such as \"cart.position.x\"");
          else arguments.push_back(input.key), record_.inputs.push_back(*input.value.text());
        }
    }
    for (std::size_t i = 0; i < record_.memory.size(); ++i) arguments.push_back("m" + std::to_string(i));
    if (const Value* function = needed("function")) parse(texts(*function, "function"), function->mark, arguments);
  }
  ControllerRecord record() && { return std::move(record_); }

 private:
  Place place(Mark mark) const { return {model_.file, static_cast<int>(mark.line), static_cast<int>(mark.column)}; }
  void error(const std::string& path, Mark mark, std::string message, std::string remedy = {}) { faults_.error(place(mark), path, std::move(message), std::move(remedy)); }
  /// One text, or a list of them.
  std::vector<std::string> texts(const Value& value, const std::string& key) {
    std::vector<std::string> out;
    if (value.text()) out.push_back(*value.text());
    else if (!value.list()) error(path_ + "/" + key, value.mark, "expected text or a list of it, got " + kind_text(value));
    else
      for (const Value& entry : *value.list()) {
        if (entry.text()) out.push_back(*entry.text());
        else error(path_ + "/" + key, entry.mark, "expected text, got " + kind_text(entry));
      }
    return out;
  }
  void numbers(const Value* value, const std::string& key, std::vector<double>& out) {
    if (!value) return;
    if (!value->list()) return error(path_ + "/" + key, value->mark, "expected a list of numbers, got " + kind_text(*value));
    for (const Value& entry : *value->list())
      if (const auto x = parameters_.constant(entry, place(entry.mark), path_ + "/" + key, faults_)) out.push_back(*x);
  }
  void parse(const std::vector<std::string>& sources, Mark mark, const std::vector<std::string>& arguments) {
    const std::vector<std::string_view> names(arguments.begin(), arguments.end());
    Parameters used;
    for (const std::string& source : sources) {
      const auto of = parameters_.used_by(source, names, place(mark), path_ + "/function", faults_);
      if (!of) return;
      used.add(*of);
    }
    record_.function = Function::parse(sources, arguments, used, place(mark), path_ + "/function", faults_);
  }

  const Model& model_;
  const ParameterTable& parameters_;
  Faults& faults_;
  std::string path_;
  Mark mark_;
  ControllerRecord record_;
};

}  // namespace

std::vector<ControllerRecord> written_controllers(const Model& model, Faults& faults) {
  const ParameterTable parameters(model, faults);
  std::vector<ControllerRecord> records;
  for (const Member& entry : model.controllers) records.push_back(ControllerReader(model, entry, parameters, faults).record());
  return records;
}

Controlled::Controlled(const Model& given, std::span<const Function> given_functions, std::span<const ControllerRecord> given_controllers)
    : model(given), functions(given_functions.begin(), given_functions.end()) {
  Faults faults;
  std::vector<ControllerRecord> controllers = written_controllers(model, faults);
  faults.raise();
  controllers.insert(controllers.end(), given_controllers.begin(), given_controllers.end());
  const ParameterTable parameters(model, faults);
  int next = count_of(parameters.of_run());
  for (const Record& r : model.records())
    if (r.section == "nodes" && !controllers.empty()) {
      Object fields = r.fields;  // parameters and history variables of nodes come first
      if (const Value* count = fields.find("count"); r.type == "node_data" && count)
        if (const auto n = parameters.constant(*count, r.place, r.path("count"), faults)) next += static_cast<int>(*n);
    }
  std::set<std::string> taken;
  for (const ControllerRecord& c : controllers) {
    const std::string path = "controllers/" + c.name;
    const auto refuse = [&](const std::string& message, const std::string& remedy) { faults.error({}, path, message, remedy); };
    if (!(c.period > 0.0) || !std::isfinite(c.period)) refuse("has the period " + number_text(c.period) + " s, must be above 0", "");
    ControllerEntry entry{c.name, c.period, c.function, c.inputs, next, 0, count_of(c.memory), {}, c.delay, 0, c.shown};
    const double periods = c.delay / c.period;
    if (!(c.delay >= 0.0) || !std::isfinite(c.delay)) refuse("has the delay " + number_text(c.delay) + " s, must be at least 0", "");
    else if (periods > most_waiting) refuse("has a delay of " + number_text(c.delay) + " s, more than " + std::to_string(most_waiting) + " periods", "take a longer period, or less delay");
    else if (c.delay > 0.0 && c.outputs.empty()) refuse("has a delay and no outputs that it could delay", "delay what it reads, by a sensor");
    else if (c.delay > 0.0) entry.waiting = static_cast<int>(std::floor(periods + ControllerEntry::slack)) + 1;
    if (c.shown > entry.memory) refuse("shows " + std::to_string(c.shown) + " numbers of " + std::to_string(entry.memory) + " that it keeps", "");
    std::vector<double> begins;
    for (const std::string& output : c.outputs) {
      ModelNumber number;
      try {
        number = find_number(model, output);
      } catch (const ModelError& error) {
        for (Fault fault : error.faults()) fault.path = path + "/outputs", faults.add(fault);
        continue;
      }
      if (number.record.empty()) {
        const auto& of_run = parameters.of_run();
        const auto p = std::find_if(of_run.begin(), of_run.end(), [&](const RunParameter& one) { return one.name == number.name; });
        if (p == of_run.end()) refuse("cannot set the parameter '" + output + "', which is read once, before a run", "make it one that a run may change: m.parameter(\"" + output + "\", value)");
        else if (!p->schedule.empty()) refuse("sets the parameter '" + output + "', which has a schedule", "let one of them set it");
        else if (!taken.insert(number.name).second) refuse("sets '" + number.name + "', which is set already", "give each load, drive or parameter one controller");
        else entry.parameters.emplace_back(entry.outputs++, static_cast<int>(p - of_run.begin())), begins.push_back(p->value);
        continue;
      }
      if (!number.function || number.size == 0) {
        refuse("cannot set '" + output + "': it is no function of time", "name a load, a joint driven by speed=, torque= or force=, or a parameter that a run may change");
        continue;
      }
      const int width = number.component < 0 ? number.size : 1;
      for (int i = 0; i < width; ++i)
        if (!taken.insert(number.record + "." + number.field + "." + std::to_string(std::max(number.component, 0) + i)).second)
          refuse("sets '" + number.name + "', which is set already", "give each load or drive one controller");
      functions.push_back(base_of(model, number, functions, parameters, faults).held(number.component, next + entry.outputs, width));
      model.find(number.record)->fields.set(number.field, Value(Handle{static_cast<std::uint32_t>(functions.size() - 1)}));
      entry.outputs += width;
      begins.resize(entry.outputs, 0.0);
    }
    std::vector<double> initial = c.initial;
    if (initial.empty()) initial = begins;
    if (count_of(initial) != entry.outputs)
      refuse("has " + std::to_string(initial.size()) + " initial values of its outputs, expected " + std::to_string(entry.outputs), "");
    if (c.function.outputs() != entry.outputs + entry.memory)
      refuse("gives " + std::to_string(c.function.outputs()) + " numbers, expected " + std::to_string(entry.outputs) + " for its outputs" +
                 (entry.memory ? " and " + std::to_string(entry.memory) + " to keep" : ""), "");
    initial.resize(entry.outputs, 0.0);
    const std::vector<double> first = initial;
    initial.insert(initial.end(), c.memory.begin(), c.memory.end());
    for (int i = 0; i < entry.waiting; ++i) initial.insert(initial.end(), first.begin(), first.end());
    next += entry.outputs + entry.memory + entry.waiting * entry.outputs;
    entries.emplace_back(std::move(entry), std::move(initial));
  }
  faults.raise();
}

}  // namespace saltus
