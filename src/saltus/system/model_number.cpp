#include "saltus/system/model_number.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "saltus/base/errors.hpp"
#include "saltus/base/suggest.hpp"
#include "saltus/items/entry.hpp"

namespace saltus {
namespace {

bool movable(const FieldInfo& field) {
  return (field.kind == FieldKind::function && !field.range.square) || field.kind == FieldKind::number || field.kind == FieldKind::vector3;
}
int size_of_field(const FieldInfo& field) {
  if (field.kind == FieldKind::vector3) return 3;
  return field.kind == FieldKind::function ? field.range.size : 1;
}

/// A function of which one result is moved.
Function moved(const Function& given, int component, double by) {
  struct Moved {
    Function function;
    int component;
    double by;
  };
  auto owner = std::make_shared<Moved>(Moved{given, std::max(component, 0), by});
  CFunction f;
  f.context = owner.get();
  f.call = [](void* context, const double* in, double* out) {
    const auto& m = *static_cast<const Moved*>(context);
    m.function(in, out, nullptr);
    out[m.component] += m.by;
  };
  f.inputs = given.inputs(), f.outputs = given.outputs(), f.parallel = given.parallel();
  return Function::external(f, owner, "moved", given.input_names());
}

Value moved(const Value& value, const ModelNumber& number, double by, std::vector<Function>& functions) {
  if (const Handle* handle = value.handle()) {
    functions.push_back(moved(functions.at(handle->index), number.component, by));
    return Value(Handle{static_cast<std::uint32_t>(functions.size() - 1)});
  }
  if (const List* list = value.list()) {
    List changed = *list;
    const std::size_t i = std::max(number.component, 0);
    if (i < changed.size()) changed[i] = moved(changed[i], {}, by, functions);
    return Value(std::move(changed));
  }
  if (const std::string* text = value.text()) return Value("(" + *text + ") + (" + number_text(by) + ")");
  return Value(value.number() + by);
}

const Value* value_of(const Model& model, const ModelNumber& number) {
  if (number.record.empty()) return model.parameters.find(number.name);
  return model.find(number.record)->fields.find(number.field);
}

/// Where the field is not written: zeros, or its default.
Value absent(const Model& model, const ModelNumber& number) {
  const Record& record = *model.find(number.record);
  for (const FieldInfo& field : find_entry(record.section, record.type)->fields)
    if (field.name == number.field && !field.default_value.is_null()) return field.default_value;
  return number.size > 1 ? Value(List(number.size, Value(0.0))) : Value(0.0);
}

}  // namespace

ModelNumber find_number(const Model& model, const std::string& name) {
  if (model.parameters.find(name)) return {name, {}, {}, -1, 1, false};
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (c == '.') words.emplace_back();
    else words.back() += c;
  }
  const Record* record = model.find(words[0]);
  if (!record) {
    std::vector<std::string_view> known = model.names();
    for (const Member& m : model.parameters) known.push_back(m.key);
    throw ModelError("inputs/" + name, "'" + words[0] + "' is neither an item nor a parameter of the model", did_you_mean(words[0], known));
  }
  const std::vector<FieldInfo>& fields = find_entry(record->section, record->type)->fields;
  std::vector<std::string_view> known;
  const FieldInfo* found = nullptr;
  for (const FieldInfo& field : fields) {
    if (!movable(field)) continue;
    known.push_back(field.name);
    const bool better = words.size() > 1 ? field.name == words[1] : !found || (found->kind != FieldKind::function && field.kind == FieldKind::function);
    if (better) found = &field;
  }
  if (!found)
    throw ModelError("inputs/" + name, words.size() > 1 ? "'" + words[0] + "' has no number '" + words[1] + "'" : "'" + words[0] + "' has no number",
                     known.empty() ? "name a load, a drive or a source" : "it has " + listed(known));
  ModelNumber number{words[0] + "." + found->name, words[0], found->name, -1, size_of_field(*found), found->kind == FieldKind::function};
  if (words.size() > 2) {
    const auto letter = std::string("xyz").find(words[2]);
    number.component = words[2].size() == 1 && letter != std::string::npos ? static_cast<int>(letter) : words[2].find_first_not_of("0123456789") == std::string::npos && words[2].size() < 4 && !words[2].empty() ? std::stoi(words[2]) : -1;
    if (number.component < 0 || (number.size > 0 && number.component >= number.size) || words.size() > 3)
      throw ModelError("inputs/" + name, "'" + number.name + "' has no component '" + words[2] + "'", number.size == 3 ? "it has x, y, z" : "");
    number.name += "." + words[2];
  }
  return number;
}

Model shifted(const Model& model, const ModelNumber& number, double by, std::vector<Function>& functions) {
  Model out = model;
  const Value* value = value_of(model, number);
  if (number.record.empty()) {
    if (value->object()) throw ModelError("inputs/" + number.name, "is a parameter that a run may change: a state holds it, and is not linearized by it", "make it a number, or take a load as the input");
    out.parameters.set(number.name, moved(*value, number, by, functions));
    return out;
  }
  if (number.size > 1 && number.component < 0)
    throw ModelError("inputs/" + number.name, "has " + std::to_string(number.size) + " components", "name one: " + number.name + ".x");
  out.find(number.record)->fields.set(number.field, moved(value ? *value : absent(model, number), number, by, functions));
  return out;
}

double size_of(const Model& model, const ModelNumber& number) {
  const Value* value = value_of(model, number);
  if (value && value->list() && number.component >= 0 && static_cast<std::size_t>(number.component) < value->list()->size())
    value = &(*value->list())[number.component];
  const double size = value && value->is_number() ? std::abs(value->number()) : 0.0;
  return size > 0.0 ? size : 1.0;
}

}  // namespace saltus
