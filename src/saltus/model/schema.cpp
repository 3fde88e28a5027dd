#include "saltus/model/schema.hpp"

#include <cmath>

#include "saltus/base/suggest.hpp"
#include "saltus/model/file.hpp"
#include "saltus/model/run_options.hpp"

namespace saltus {

namespace {

Value type_of(const char* name) {
  Object out;
  out.append("type", name);
  return out;
}

Value reference_to(const std::string& definition) {
  Object out;
  out.append("$ref", "#/$defs/" + definition);
  return out;
}

Value any_of(List options) {
  Object out;
  out.append("anyOf", std::move(options));
  return out;
}

Value text_list(std::span<const std::string_view> texts) { return List(texts.begin(), texts.end()); }

/// A number within the range, or an expression.
Value number_schema(const Range& range, const char* type = "number") {
  Object number;
  number.append("type", type);
  if (std::isfinite(range.low)) number.append(range.low_open ? "exclusiveMinimum" : "minimum", range.low);
  if (std::isfinite(range.high)) number.append(range.high_open ? "exclusiveMaximum" : "maximum", range.high);
  return any_of({Value(std::move(number)), reference_to("expression")});
}

Value list_schema(Value items, int size) {
  Object out;
  out.append("type", "array");
  out.append("items", std::move(items));
  if (size > 0) {
    out.append("minItems", size);
    out.append("maxItems", size);
  }
  return out;
}

Value value_schema(const FieldInfo& field) {
  const Value number = number_schema(field.range);
  switch (field.kind) {
    case FieldKind::number: return number;
    case FieldKind::integer: return number_schema(field.range, "integer");
    case FieldKind::boolean: return type_of("boolean");
    case FieldKind::text: {
      Value text = type_of("string");
      if (!field.range.choices.empty()) text.object()->append("enum", text_list(words(field.range.choices)));
      return text;
    }
    case FieldKind::vector3: {
      Value list = list_schema(number, 3);
      if (!field.range.direction) return list;
      Object axis;
      axis.append("enum", text_list(words("x|y|z|-x|-y|-z")));
      return any_of({std::move(list), Value(std::move(axis))});
    }
    case FieldKind::matrix3: return any_of({list_schema(list_schema(number, 3), 3), list_schema(number, 3)});
    case FieldKind::numbers: return list_schema(number, field.range.size);
    case FieldKind::matrix: {
      Value matrix = list_schema(list_schema(number, 0), 0);
      return field.range.size > 0 ? any_of({std::move(matrix), list_schema(number, field.range.size)}) : matrix;
    }
    case FieldKind::function: {
      if (field.range.square) return list_schema(list_schema(number, 0), 0);
      Value list = list_schema(number, field.range.size);
      return field.range.size > 1 ? list : any_of({number, std::move(list)});
    }
  }
  return {};
}

Value field_schema(const FieldInfo& field) {
  Value schema = value_schema(field);
  Object& out = *schema.object();
  out.append("description", field.unit.empty() ? field.doc : field.doc + " [" + field.unit + "]");
  if (!field.range.required && !field.default_value.is_null()) out.append("default", field.default_value);
  return schema;
}

Value port_schema(const PortInfo& port) {
  Value one = port.kind == "law" ? any_of({reference_to("reference"), reference_to("laws")}) : reference_to("reference");
  if (port.kind == "point" || port.kind == "direction" || port.kind == "rotation") {
    Value three = list_schema(number_schema({}), 3);
    Object axis;
    axis.append("enum", text_list(words("x|y|z|-x|-y|-z")));
    one = port.kind == "point" ? any_of({std::move(three), std::move(one)}) : port.kind == "direction" ? any_of({std::move(three), Value(std::move(axis))}) : std::move(three);
  }
  Value schema = port.many ? any_of({list_schema(one, 0), one}) : one;
  schema.object()->append("description", port.doc.empty() ? "a " + std::string(port.kind) : std::string(port.doc));
  return schema;
}

Value closed_object(Object properties, List required) {
  Object out;
  out.append("type", "object");
  out.append("properties", std::move(properties));
  if (!required.empty()) out.append("required", std::move(required));
  out.append("additionalProperties", false);
  return out;
}

Value item_schema(const ItemType& type) {
  Object name, properties;
  name.append("const", type.name);
  properties.append("type", std::move(name));
  List required{"type"};
  for (const PortInfo& port : type.ports) {
    properties.append(std::string(port.name), port_schema(port));
    if (port.required) required.emplace_back(port.name);
  }
  for (const FieldInfo& field : type.fields) {
    properties.append(field.name, field_schema(field));
    if (field.range.required) required.emplace_back(field.name);
  }
  Value schema = closed_object(std::move(properties), std::move(required));
  schema.object()->append("description", type.doc);
  return schema;
}

Value reference_schema() {
  Object name;
  name.append("type", "string");
  name.append("minLength", 1);
  List keys;
  for (const char* key : {"body", "node", "joint", "marker", "item"}) {
    Object required;
    required.append("required", List{key});
    keys.emplace_back(std::move(required));
  }
  Object object;
  object.append("type", "object");
  object.append("anyOf", std::move(keys));
  return any_of({Value(std::move(name)), Value(std::move(object))});
}

Value map_of(Value entries) {
  Object out;
  out.append("type", "object");
  out.append("additionalProperties", std::move(entries));
  return out;
}

/// A scheme by its name, or as an object with its options; "auto" takes those of the schemes that it chooses from.
Value scheme_schema(std::span<const SchemeType> schemes) {
  Object name, automatic, properties;
  List names{"auto"}, forms;
  for (const SchemeType& type : schemes) {
    names.emplace_back(type.name);
    Object constant, options;
    constant.append("const", type.name);
    options.append("name", std::move(constant));
    for (const FieldInfo& field : type.fields) options.append(field.name, field_schema(field));
    Value form = closed_object(std::move(options), {"name"});
    form.object()->append("description", type.doc);
    forms.push_back(std::move(form));
  }
  name.append("enum", std::move(names));
  Object constant;
  constant.append("const", "auto");
  properties.append("name", std::move(constant));
  automatic.append("type", "object");
  automatic.append("properties", std::move(properties));
  automatic.append("required", List{"name"});
  forms.insert(forms.begin(), {Value(std::move(name)), Value(std::move(automatic))});
  return any_of(std::move(forms));
}

Value simulation_schema(std::span<const SchemeType> schemes) {
  Object properties;
  for (const FieldInfo& field : describe_fields<RunOptions>()) properties.append(field.name, field_schema(field));
  properties.append("scheme", scheme_schema(schemes));
  properties.append("record", type_of("object"));
  return closed_object(std::move(properties), {});
}

/// A parameter that a run may change.
Value run_parameter_schema() {
  Object properties;
  properties.append("value", number_schema({}));
  properties.append("schedule", list_schema(list_schema(number_schema({}), 2), 0));
  return closed_object(std::move(properties), {"value"});
}

/// A sampled controller whose function is written: one formula a number that it sets or keeps.
Value controller_schema() {
  Object properties;
  properties.append("period", number_schema({.low = 0, .low_open = true}));
  properties.append("function", any_of({type_of("string"), list_schema(type_of("string"), 0)}));
  properties.append("inputs", map_of(type_of("string")));
  properties.append("outputs", list_schema(type_of("string"), 0));
  properties.append("initial", list_schema(number_schema({}), 0));
  properties.append("memory", list_schema(number_schema({}), 0));
  properties.append("delay", number_schema({.low = 0}));
  properties.append("shown", number_schema({.low = 0}));
  return closed_object(std::move(properties), {"period", "function", "outputs"});
}

Value table_schema() {
  Object properties;
  List required;
  for (const FieldInfo& field : describe_fields<TableRecord>()) {
    properties.append(field.name, field_schema(field));
    if (field.range.required) required.emplace_back(field.name);
  }
  return closed_object(std::move(properties), std::move(required));
}

Value fields_list(std::span<const FieldInfo> fields) {
  List list;
  for (const FieldInfo& field : fields) {
    Object entry;
    entry.append("name", field.name);
    entry.append("kind", field.range.square ? "function_matrix" : to_text(field.kind));
    entry.append("unit", field.unit);
    entry.append("doc", field.doc);
    entry.append("default", field.range.required ? Value() : field.default_value);
    entry.append("range", range_text(field.range));
    entry.append("required", field.range.required);
    if (!field.range.choices.empty()) entry.append("choices", text_list(words(field.range.choices)));
    list.emplace_back(std::move(entry));
  }
  return list;
}

Value quantities_list(std::span<const ItemQuantity> quantities) {
  List list;
  for (const ItemQuantity& quantity : quantities) {
    Object entry;
    entry.append("name", quantity.name);
    entry.append("unit", quantity.unit);
    entry.append("doc", quantity.doc);
    entry.append("components", text_list(words(quantity.components)));
    list.emplace_back(std::move(entry));
  }
  return list;
}

/// What a drawing shows of an item: {"shape", "sizes": names of fields}; null where its type does not say.
Value picture_of(std::string_view picture) {
  const std::vector<std::string_view> all = words(picture);
  if (all.empty()) return {};
  Object out;
  out.append("shape", all.front());
  out.append("sizes", text_list(std::span(all).subspan(1)));
  return out;
}

}  // namespace

Value json_schema(const Catalogue& catalogue, std::span<const SchemeType> schemes) {
  Object definitions, properties, version, units;
  definitions.append("expression", type_of("string"));
  definitions.append("reference", reference_schema());
  version.append("const", format_version);
  units.append("const", "SI");
  properties.append("saltus", std::move(version));
  properties.append("title", type_of("string"));
  properties.append("units", std::move(units));
  properties.append("parameters", map_of(any_of({number_schema({}), run_parameter_schema()})));
  properties.append("tables", map_of(table_schema()));
  properties.append("gravity", list_schema(number_schema({}), 3));
  for (const std::string_view section : sections) {
    List types;
    for (const std::string_view name : catalogue.names(section)) {
      const std::string definition = std::string(section) + "." + std::string(name);
      definitions.append(definition, item_schema(*catalogue.find(section, name)));
      types.push_back(reference_to(definition));
    }
    Object none;
    none.append("not", Object{});
    definitions.append(std::string(section), types.empty() ? Value(std::move(none)) : any_of(std::move(types)));
    properties.append(std::string(section), map_of(reference_to(std::string(section))));
  }
  properties.append("controllers", map_of(controller_schema()));
  properties.append("outputs", map_of(type_of("string")));
  properties.append("simulation", simulation_schema(schemes));
  Object root;
  root.append("$schema", "https://json-schema.org/draft/2020-12/schema");
  root.append("title", "Saltus model");
  Value model = closed_object(std::move(properties), {"saltus"});
  for (Member& member : *model.object()) root.append(std::move(member.key), std::move(member.value));
  root.append("$defs", std::move(definitions));
  return root;
}

Value items_list(const Catalogue& catalogue) {
  List items;
  for (const ItemType* type : catalogue.types()) {
    List ports;
    for (const PortInfo& port : type->ports) {
      Object entry;
      entry.append("name", port.name);
      entry.append("kind", port.kind);
      entry.append("required", port.required);
      entry.append("many", port.many);
      entry.append("doc", port.doc);
      ports.emplace_back(std::move(entry));
    }
    Object item;
    item.append("name", type->name);
    item.append("family", type->section);
    item.append("doc", type->doc);
    item.append("fields", fields_list(type->fields));
    item.append("ports", std::move(ports));
    item.append("quantities", quantities_list(type->quantities));
    item.append("rows", type->rows);
    item.append("picture", picture_of(type->picture));
    item.append("motions", text_list(words(type->motions)));
    items.emplace_back(std::move(item));
  }
  return items;
}

Value schemes_list(std::span<const SchemeType> schemes) {
  List list;
  for (const SchemeType& type : schemes) {
    Object scheme;
    scheme.append("name", type.name);
    scheme.append("doc", type.doc);
    scheme.append("fields", fields_list(type.fields));
    list.emplace_back(std::move(scheme));
  }
  return list;
}

}  // namespace saltus
