#include "saltus/model/references.hpp"

#include <algorithm>
#include <unordered_set>

#include "saltus/base/suggest.hpp"
#include "saltus/base/text.hpp"
#include "saltus/model/quantity_text.hpp"

namespace saltus {

namespace {

constexpr std::array<std::string_view, 5> reference_keys = {"body", "node", "joint", "marker", "item"};

bool takes_ground(std::string_view kind) { return kind == "frame" || kind == "body" || kind == "terminal" || kind == "coordinate" || kind == "item"; }

/// Keys that hold geometry, not the name of an item: the compiler reads them.
bool is_geometry(std::string_view kind) { return kind == "point" || kind == "direction" || kind == "rotation"; }

/// Section of items that may be written in place as {"type": ...}; empty if this kind of port takes names only.
std::string_view inline_section(std::string_view kind) { return kind == "law" ? "laws" : kind == "node" ? "nodes" : ""; }

/// The text of a reference within a value: the value itself or that of its `body`, `node`, ... key.
const Value* reference_text(const Value& value) {
  if (value.text()) return &value;
  if (const Object* object = value.object())
    for (const std::string_view key : reference_keys)
      if (const Value* name = object->find(key)) return name;
  return nullptr;
}

/// Calls use(value, path) for each reference of a port: its value, or each entry of its list.
template <class Use>
void each_reference(const Value& value, const PortInfo& port, const std::string& path, Use use) {
  const List* list = port.many ? value.list() : nullptr;
  if (!list) return use(value, path);
  for (std::size_t i = 0; i < list->size(); ++i) use((*list)[i], path + "/" + std::to_string(i));
}

class RecordCheck {
 public:
  RecordCheck(const Model& model, const Catalogue& catalogue, const FieldContext& context, Faults& faults)
      : model_(model), catalogue_(catalogue), context_(context), faults_(faults) {}

  void record(const Record& record) {
    const ItemType* type = catalogue_.find(record.section, record.type, record.place, record.path(), faults_);
    if (type) item(*type, FieldSource(record));
  }

 private:
  void item(const ItemType& type, const FieldSource& source) {
    type.check_fields(source, context_, faults_);
    std::unordered_set<std::string> joined;
    const bool pair = std::any_of(type.ports.begin(), type.ports.end(), [](const PortInfo& port) { return port.name == "A"; });
    for (const PortInfo& port : type.ports) {
      if (is_geometry(port.kind)) continue;
      const std::string path = source.path + "/" + std::string(port.name);
      // Of a pair of coordinates A, B what comes beside it, another winding or a control, may be on the same ones; the ground may stand in a list more than once.
      const bool beside = pair && port.kind == "coordinate" && port.name != "A" && port.name != "B";
      if (const Value* value = source.fields.find(port.name)) {
        each_reference(*value, port, path, [&](const Value& reference, const std::string& at) {
          std::unordered_set<std::string> none;
          check(reference, port, source, at, beside ? none : joined);
          if (port.many) joined.erase(std::string(ground));
        });
      } else if (port.required) {
        faults_.error(source.place({}), path, "is missing", "it names a " + std::string(port.kind));
      }
    }
  }

  void check(const Value& value, const PortInfo& port, const FieldSource& source, const std::string& path,
             std::unordered_set<std::string>& joined) {
    const Object* object = value.object();
    const std::string_view section = inline_section(port.kind);
    const Value* type_name = object && !section.empty() ? object->find("type") : nullptr;
    if (type_name) return in_place(section, *object, *type_name, value.mark, source, path);
    const Place place = source.place(value.mark);
    const Reference reference = read_reference(value, place, path, faults_);
    if (reference.name.empty() || !resolves(reference.name, port, place, path)) return;
    if (port.kind == "law" || object || !reference.part.empty()) return;
    if (!joined.insert(reference.name).second)
      faults_.error(place, path, "joins " + in_quotes(reference.name) + " to itself", "name two different ends; \"ground\" is the fixed one");
  }

  void in_place(std::string_view section, const Object& object, const Value& type_name, Mark mark, const FieldSource& source, const std::string& path) {
    if (!type_name.text())
      return faults_.error(source.place(type_name.mark), path + "/type", "expected text, got " + kind_text(type_name));
    const ItemType* type = catalogue_.find(section, *type_name.text(), source.place(type_name.mark), path, faults_);
    if (type) item(*type, FieldSource(object, path, source.file, mark.line ? mark : source.mark));
  }

  bool resolves(const std::string& name, const PortInfo& port, const Place& place, const std::string& path) {
    if (name == ground && takes_ground(port.kind)) return true;
    const std::span<const std::string_view> allowed = sections_of_port(port.kind);
    const Record* record = model_.find(name);
    if (!record && port.kind == "law" && catalogue_.find("laws", name)) return true;  // a law without parameters, by its type
    if (record && (allowed.empty() || std::find(allowed.begin(), allowed.end(), record->section) != allowed.end())) return true;
    std::string message = record ? in_quotes(name) + " is one of the " + record->section + ", expected a " + std::string(port.kind)
                                 : std::string(port.kind) + " " + in_quotes(name) + " is not there";
    std::string remedy;
    if (!faults_.full()) {
      std::vector<std::string_view> known = model_.names(allowed);
      if (takes_ground(port.kind)) known.push_back(ground);
      remedy = record ? "" : did_you_mean(name, known);
      if (remedy.empty()) remedy = known.empty() ? "the model has none" : "the model has " + listed(known);
    }
    faults_.error(place, path, std::move(message), std::move(remedy));
    return false;
  }

  const Model& model_;
  const Catalogue& catalogue_;
  const FieldContext& context_;
  Faults& faults_;
};

}  // namespace

Reference read_reference(const Value& value, const Place& place, const std::string& path, Faults& faults) {
  const Value* name = reference_text(value);
  if (!name || !name->text() || name->text()->empty()) {
    faults.error(place, path, "expected the name of an item, got " + kind_text(name ? *name : value),
                 "write a name, or an object such as {\"body\": name, \"at\": [x, y, z]} or, of a coordinate, {\"joint\": name, \"motion\": \"angle\"}");
    return {};
  }
  const std::string& text = *name->text();
  const std::size_t dot = text.find('.');
  return {text.substr(0, dot), dot == std::string::npos ? "" : text.substr(dot + 1), value.object()};
}

std::span<const std::string_view> sections_of_port(std::string_view kind) {
  static constexpr std::string_view frames[] = {"bodies", "markers", "nodes"}, bodies[] = {"bodies"}, nodes[] = {"nodes"},
                                    markers[] = {"markers"}, laws[] = {"laws"},
                                    coordinates[] = {"nodes", "bodies", "markers", "joints", "connectors"};
  if (kind == "frame") return frames;
  if (kind == "body") return bodies;
  if (kind == "node" || kind == "terminal") return nodes;
  if (kind == "marker") return markers;
  if (kind == "law") return laws;
  if (kind == "coordinate") return coordinates;
  return {};
}

void check_records(const Model& model, const Catalogue& catalogue, const FieldContext& context, Faults& faults) {
  RecordCheck check(model, catalogue, context, faults);
  for (const Record& record : model.records()) check.record(record);
}

void rename(Model& model, std::string_view old_name, const std::string& name, const Catalogue& catalogue) {
  const std::string old(old_name);
  model.rename_record(old, name);
  const auto follow = [&](const Value& found) {
    const std::string* text = found.text();
    if (text && (*text == old || text->starts_with(old + ".")))
      const_cast<Value&>(found) = [&] { Value v(name + text->substr(old.size())); v.mark = found.mark; return v; }();
  };
  const auto follow_in_path = [&](const Value& found) {
    const std::string* text = found.text();
    if (!text) return;
    std::string renamed = *text;
    std::vector<NameSpan> names = names_in(*text);
    for (auto span = names.rbegin(); span != names.rend(); ++span)
      if (text->compare(span->begin, span->length, old) == 0) renamed.replace(span->begin, span->length, name);
    if (renamed != *text) const_cast<Value&>(found) = [&] { Value v(renamed); v.mark = found.mark; return v; }();
  };
  for (Record& record : model.records())
    if (const ItemType* type = catalogue.find(record.section, record.type))
      for (const PortInfo& port : type->ports)
        if (const Value* value = record.fields.find(port.name))
          each_reference(*value, port, "", [&](const Value& reference, const std::string&) {
            if (const Value* text = reference_text(reference)) follow(*text);
          });
  for (const Member& output : model.outputs) follow_in_path(output.value);
  for (const Member& controller : model.controllers) {
    const Object* fields = controller.value.object();
    const Value* inputs = fields ? fields->find("inputs") : nullptr;
    const Value* outputs = fields ? fields->find("outputs") : nullptr;
    if (inputs && inputs->object())
      for (const Member& input : *inputs->object()) follow_in_path(input.value);
    if (outputs && outputs->list())
      for (const Value& output : *outputs->list()) follow(output);
  }
}

}  // namespace saltus
