#include "sized_functions.hpp"

#include <algorithm>

#include "saltus/items/sized_item.hpp"
#include "saltus/model/references.hpp"
#include "values.hpp"

namespace nb = nanobind;

namespace saltus::python {
namespace {

/// Coordinates of a node, from its type and fields; -1 where they have faults.
int coordinates_of(const std::string& type, const Object& fields, const ParameterTable& parameters) {
  const ItemEntry* e = find_entry("nodes", type);
  if (!e) return -1;
  Faults faults;
  const auto pool = e->make_node_pool();
  Object values = fields;
  values.remove("type");
  e->add_node(*pool, FieldSource(values, "node", "", {}), {parameters}, faults);
  if (faults.errors() > 0) return -1;
  const NodeSizes s = pool->sizes(0);
  return s.v + s.x + s.z;
}

/// Coordinates that the item's ports name; -1 where they have faults.
int coordinates_of(const ItemEntry& entry, const Object& fields, const Model& model, const ParameterTable& parameters) {
  int n = 0;
  for (const PortInfo& port : entry.ports) {
    const Value* value = fields.find(port.name);
    if (!value) continue;
    if (port.kind == "coordinate") {
      n += port.many && value->list() ? static_cast<int>(value->list()->size()) : 1;
    } else if (port.kind == "node") {
      const Object* object = value->object();
      const Value* type = object ? object->find("type") : nullptr;
      if (type && type->text()) return coordinates_of(*type->text(), *object, parameters);
      const Record* node = value->text() ? model.find(*value->text()) : nullptr;
      return node ? coordinates_of(node->type, node->fields, parameters) : -1;
    }
  }
  return n;
}

int frames_of(const ItemEntry& entry, const Object& fields) {
  int n = 0;
  for (const PortInfo& port : entry.ports)
    if (const Value* value = fields.find(port.name); value && port.kind == "frame") n += port.many && value->list() ? static_cast<int>(value->list()->size()) : 1;
  return n;
}

}  // namespace

void size_functions(const ItemEntry& entry, const Object& fields, const Model& model, nb::dict callables, const std::string& path, std::vector<Function>& functions) {
  if (!entry.dynamic || nb::len(callables) == 0) return;
  Faults faults;
  const ParameterTable parameters(model, faults);
  const int n = coordinates_of(entry, fields, model, parameters), frames = frames_of(entry, fields);
  if (n < 0 || n + frames == 0) return;
  const detail::InputCounts counts(frames, n, fields);
  std::vector<const FieldInfo*> open;
  for (const FieldInfo& info : entry.fields)
    if (const Value* value = fields.find(info.name); value && value->handle() && callables.contains(info.name.c_str())) open.push_back(&info);
  // One result a row, one a coordinate, with forces and torques on frames, or what is remembered: the item says which by what it refuses.
  std::vector<int> sizes;
  for (const int size : {counts.rows, n, 6 * frames + n, counts.memory})
    if (size > 0 && std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  std::size_t choices = 1;
  for (std::size_t i = 0; i < open.size(); ++i) choices *= sizes.size();
  for (std::size_t choice = 0; choice < choices; ++choice) {
    std::size_t left = choice;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::string inputs = detail::expanded_inputs(open[i]->range.inputs, counts);
      const int count = inputs.empty() ? 0 : 1 + static_cast<int>(std::count(inputs.begin(), inputs.end(), '|'));
      const Range& range = open[i]->range;
      const nb::object callable = callables[open[i]->name.c_str()];
      const int declared = nb::hasattr(callable, "_saltus_results") ? nb::cast<int>(callable.attr("_saltus_results")) : 0;  // of the verbs, which know
      const int results = declared > 0 ? declared : range.size > 0 ? range.size : range.square ? n * n : sizes[left % sizes.size()];
      left /= sizes.size();
      functions[fields.find(open[i]->name)->handle()->index] = external_function(callable, count, results, path + "/" + std::string(open[i]->name));
    }
    Faults found;
    Object values = fields;
    const FieldContext context{parameters, functions};
    const FieldSource source(values, "item", "", {});
    std::vector<Endpoint> ends(frames);
    ends.resize(ends.size() + n, Endpoint{EndpointKind::coordinate, 0, {}});
    if (entry.family == Family::relation) entry.add_relation(*entry.make_relation_pool(), source, context, ends, {}, found);
    else if (entry.family == Family::object) entry.add_object(*entry.make_object_pool(), source, context, ends, found);
    else entry.add_force(*entry.make_force_pool(), source, context, ends, found);
    if (found.errors() == 0) return;
  }
}

}  // namespace saltus::python
