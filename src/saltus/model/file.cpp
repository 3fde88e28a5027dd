#include "saltus/model/file.hpp"

#include <algorithm>
#include <fstream>

#include "saltus/base/suggest.hpp"
#include "saltus/base/text.hpp"
#include "saltus/model/json_text.hpp"
#include "saltus/model/quantity_text.hpp"
#include "saltus/model/references.hpp"
#include "saltus/model/run_options.hpp"

namespace saltus {

namespace {

/// Reads the root's keys into a model.
class TreeReader {
 public:
  TreeReader(const Value& root, const std::string& file, Faults& faults) : root_(root), faults_(faults) { model_.file = file; }

  Model read() {
    const Object* root = root_.object();
    if (!root) {
      faults_.error(place(root_.mark), "", "expected an object, got " + kind_text(root_), "a model is {\"saltus\": 1, ...}");
      return std::move(model_);
    }
    version(root->find("saltus"));
    for (const Member& member : *root) key(member);
    return std::move(model_);
  }

 private:
  Place place(Mark mark) const { return {model_.file, static_cast<int>(mark.line), static_cast<int>(mark.column)}; }

  void version(const Value* version) {
    const std::string readable = "this build reads version 1" + (format_version > 1 ? " to " + std::to_string(format_version) : "");
    if (!version) return faults_.error(place(root_.mark), "saltus", "is missing", "a model begins with {\"saltus\": 1, ...}");
    if (!version->integer())
      return faults_.error(place(version->mark), "saltus", "expected the format version, got " + kind_text(*version), readable);
    if (*version->integer() < 1 || *version->integer() > format_version)
      faults_.error(place(version->mark), "saltus", "is format version " + kind_text(*version), readable);
  }

  void key(const Member& member) {
    const Value& value = member.value;
    if (member.key == "saltus") return;
    if (std::find(sections.begin(), sections.end(), member.key) != sections.end()) return section(member);
    if (member.key == "gravity") {
      model_.gravity = value;
    } else if (member.key == "title") {
      if (value.text()) model_.title = *value.text();
      else wrong(member, "text");
    } else if (member.key == "units") {
      if (!value.text() || *value.text() != "SI")
        faults_.error(place(value.mark), "units", "is " + kind_text(value) + ", must be \"SI\"",
                      "convert the model to m, kg, s, N, rad, V, A, K");
    } else if (member.key == "parameters") {
      object(member, model_.parameters);
    } else if (member.key == "tables") {
      object(member, model_.tables);
    } else if (member.key == "controllers") {
      object(member, model_.controllers);
    } else if (member.key == "outputs") {
      object(member, model_.outputs);
    } else if (member.key == "simulation") {
      object(member, model_.simulation);
    } else {
      unknown(member);
    }
  }

  void wrong(const Member& member, std::string_view expected) {
    faults_.error(place(member.value.mark), member.key, "expected " + std::string(expected) + ", got " + kind_text(member.value));
  }

  void object(const Member& member, Object& target) {
    if (const Object* object = member.value.object()) target = *object;
    else wrong(member, "an object");
  }

  void unknown(const Member& member) {
    std::vector<std::string_view> known = {"saltus", "title", "units", "parameters", "tables", "gravity"};
    known.insert(known.end(), sections.begin(), sections.end());
    known.insert(known.end(), {"controllers", "outputs", "simulation"});
    std::string remedy = did_you_mean(member.key, known);
    if (remedy.empty()) remedy = "known keys: " + listed(known, 20);
    faults_.error(place(member.mark), shown(member.key), "unknown key " + in_quotes(member.key), std::move(remedy));
  }

  void section(const Member& member) {
    const Object* records = member.value.object();
    if (!records)
      return faults_.error(place(member.value.mark), member.key, "expected an object of items by name, got " + kind_text(member.value),
                           "write {\"name\": {\"type\": ...}, ...}");
    for (const Member& entry : *records) record(member.key, entry);
  }

  void record(const std::string& section, const Member& entry) {
    const std::string path = section + "/" + entry.key;
    const Object* fields = entry.value.object();
    if (!fields) return faults_.error(place(entry.value.mark), path, "expected an object, got " + kind_text(entry.value));
    const Value* type = fields->find("type");
    if (!type) return faults_.error(place(entry.value.mark), path + "/type", "is missing", "it says what kind of item this is");
    if (!type->text()) return faults_.error(place(type->mark), path + "/type", "expected text, got " + kind_text(*type));
    Record record{section, *type->text(), entry.key, *fields, place(entry.mark)};
    record.fields.remove("type");
    model_.add(std::move(record), faults_);
  }

  const Value& root_;
  Faults& faults_;
  Model model_;
};

void check_outputs(const Model& model, Faults& faults) {
  for (const Member& output : model.outputs) {
    const std::string path = "outputs/" + output.key;
    const Place place{model.file, static_cast<int>(output.value.mark.line), static_cast<int>(output.value.mark.column)};
    const std::string* text = output.value.text();
    const std::size_t dot = text ? text->find('.') : std::string::npos;
    if (!text || (!is_formula(*text) && (dot == std::string::npos || dot + 1 == text->size()))) {
      faults.error(place, path, "expected name.quantity, got " + kind_text(output.value), "such as \"cart.position.x\"");
      continue;
    }
    for (const NameSpan& span : names_in(*text)) {
      const std::string name = text->substr(span.begin, span.length);
      const bool known = name == "energy" || name == "ground" || model.find(name) || model.controllers.find(name);  // energy.total and the like are the whole model's
      if (!known) faults.error(place, path, "item " + in_quotes(name) + " is not there", faults.full() ? "" : did_you_mean(name, model.names()));
    }
  }
}

}  // namespace

Model model_from_tree(const Value& root, const std::string& file, Faults& faults) { return TreeReader(root, file, faults).read(); }

Model read_model(std::string_view text, const std::string& file, Faults& faults) {
  const int errors = faults.errors();
  const Value root = parse_json(text, file, faults);
  if (faults.errors() > errors) {
    Model model;
    model.file = file;
    return model;
  }
  return model_from_tree(root, file, faults);
}

Model load_model(const std::filesystem::path& path) {
  Faults faults;
  const std::string file = path.string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const auto refuse = [&](std::string message) {
    faults.error({file}, "", std::move(message));
    faults.raise();
  };
  if (!std::filesystem::exists(status)) refuse("file is not there");
  if (!std::filesystem::is_regular_file(status)) refuse("is not a file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) refuse("cannot be read: " + error.message());
  if (size > JsonLimits{}.bytes)
    refuse("has " + std::to_string(size) + " bytes, the limit is " + std::to_string(JsonLimits{}.bytes));
  std::string text(size, '\0');
  std::ifstream stream(path, std::ios::binary);
  if (!stream || !stream.read(text.data(), static_cast<std::streamsize>(size))) refuse("cannot be read");
  Model model = read_model(text, file, faults);
  faults.raise();
  return model;
}

void check_model(const Model& model, const Catalogue& catalogue, std::span<const Function> functions, Faults& faults) {
  const ParameterTable parameters(model, faults);
  const FieldContext context{parameters, functions};
  (void)read_gravity(model, context, faults);
  check_records(model, catalogue, context, faults);
  check_outputs(model, faults);
  (void)read_run_options(model, context, faults);
}

Value model_tree(const Model& model) {
  Object root;
  root.append("saltus", format_version);
  if (!model.title.empty()) root.append("title", model.title);
  root.append("units", "SI");
  if (!model.parameters.empty()) root.append("parameters", model.parameters);
  if (!model.tables.empty()) root.append("tables", model.tables);
  if (!model.gravity.is_null()) root.append("gravity", model.gravity);
  for (const std::string_view section : sections) {
    Object records;
    for (const Record* record : model.in_section(section)) {
      Object fields;
      fields.append("type", record->type);
      for (const Member& field : record->fields) fields.append(field.key, field.value);
      records.append(record->name, std::move(fields));
    }
    if (!records.empty()) root.append(std::string(section), std::move(records));
  }
  if (!model.controllers.empty()) root.append("controllers", model.controllers);
  if (!model.outputs.empty()) root.append("outputs", model.outputs);
  if (!model.simulation.empty()) root.append("simulation", model.simulation);
  return root;
}

std::string model_text(const Model& model) { return json_text(model_tree(model)) + "\n"; }

void save_model(const Model& model, const std::filesystem::path& path) {
  const std::string text = model_text(model);
  std::error_code error;
  const auto write = [&](const std::filesystem::path& file) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw ModelError(path.string(), "cannot be written");
  };
  // Beside the target (of a link, not the link), then renamed; what is no file (a pipe, a terminal) is written and stays what it is.
  std::filesystem::path target = std::filesystem::canonical(path, error);
  if (error) target = path;
  if (std::filesystem::exists(target, error) && !std::filesystem::is_regular_file(target, error)) return write(target);
  std::filesystem::path part = target;
  part += ".part";
  write(part);
  std::filesystem::rename(part, target, error);
  if (error) throw ModelError(path.string(), "cannot be written: " + error.message());
}

}  // namespace saltus
