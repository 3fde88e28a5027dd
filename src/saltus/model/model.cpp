#include "saltus/model/model.hpp"

#include <algorithm>

#include "saltus/base/suggest.hpp"
#include "saltus/base/text.hpp"

namespace saltus {

std::string Record::path(std::string_view field) const {
  std::string out = section + "/" + name;
  if (!field.empty()) out.append("/").append(field);
  return out;
}

Place Record::place_of(Mark mark) const {
  if (mark.line == 0) return place;
  return {place.file, static_cast<int>(mark.line), static_cast<int>(mark.column)};
}

std::string name_fault(std::string_view name) {
  if (name.empty()) return "is an empty name";
  if (name.size() > 200) return "is a name of " + std::to_string(name.size()) + " bytes, the limit is 200";
  if (name == ground) return "is the name of the fixed frame, which no item may have";
  if (name.front() == ' ' || name.back() == ' ') return "is a name that begins or ends with a space";
  for (std::size_t at = 0; at < name.size();) {
    const auto [value, bytes] = code_point(name, at);
    const std::string_view piece = name.substr(at, bytes);
    if (value == '.' || value == '/') return "is a name with " + in_quotes(piece) + ", which parts the words of a path";
    if (value == 0xFFFD && bytes == 1) return "is a name that is not UTF-8";
    if (is_invisible(value)) return "is a name with the invisible character " + shown(piece);
    at += bytes;
  }
  return {};
}

Model::Model(const Model& other)
    : file(other.file), title(other.title), parameters(other.parameters), tables(other.tables), gravity(other.gravity), controllers(other.controllers), outputs(other.outputs),
      simulation(other.simulation), records_(other.records_), last_number_(other.last_number_) {
  index();
}

Model& Model::operator=(const Model& other) {
  if (this != &other) *this = Model(other);
  return *this;
}

void Model::index() {
  by_name_.clear();
  for (Record& record : records_) by_name_.emplace(record.name, &record);
}

Record& Model::add(std::string_view section, std::string_view type, std::string name, Object fields, Place place) {
  Faults faults;
  if (name.empty()) name = free_name(type);
  Record* record = add(Record{std::string(section), std::string(type), std::move(name), std::move(fields), std::move(place)}, faults);
  faults.raise();
  return *record;
}

Record* Model::add(Record record, Faults& faults) {
  if (std::find(sections.begin(), sections.end(), record.section) == sections.end()) {
    faults.error(record.place, record.path(), "is in section " + in_quotes(record.section) + ", which is not there",
                 did_you_mean(record.section, sections));
    return nullptr;
  }
  if (std::string fault = name_fault(record.name); !fault.empty()) {
    faults.error(record.place, record.path(), std::move(fault), "choose another name");
    return nullptr;
  }
  if (const Record* twin = find(record.name)) {
    std::string message = "is the name of another item, " + twin->path();
    if (twin->place.line > 0) message += " on line " + std::to_string(twin->place.line);
    faults.error(record.place, record.path(), std::move(message), "names are unique over the model");
    return nullptr;
  }
  Record& kept = records_.emplace_back(std::move(record));
  by_name_.emplace(kept.name, &kept);
  return &kept;
}

const Record* Model::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

Record* Model::find(std::string_view name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

std::vector<const Record*> Model::in_section(std::string_view section) const {
  std::vector<const Record*> out;
  for (const Record& record : records_)
    if (record.section == section) out.push_back(&record);
  return out;
}

std::vector<std::string_view> Model::names(std::span<const std::string_view> of_sections) const {
  std::vector<std::string_view> out;
  for (const Record& record : records_)
    if (of_sections.empty() || std::find(of_sections.begin(), of_sections.end(), record.section) != of_sections.end())
      out.push_back(record.name);
  return out;
}

std::string Model::free_name(std::string_view type) const {
  int& number = last_number_[std::string(type)];
  std::string name;
  do {
    name = std::string(type) + "_" + std::to_string(++number);
  } while (find(name));
  return name;
}

void Model::rename_record(std::string_view old_name, std::string name) {
  Record* record = find(old_name);
  if (!record) throw ModelError(std::string(old_name), "is not there", did_you_mean(old_name, names()));
  if (name == old_name) return;
  if (std::string fault = name_fault(name); !fault.empty()) throw ModelError(record->path(), in_quotes(name) + " " + fault);
  if (const Record* twin = find(name)) throw ModelError(record->path(), in_quotes(name) + " is the name of " + twin->path());
  by_name_.erase(record->name);
  record->name = std::move(name);
  by_name_.emplace(record->name, record);
}

}  // namespace saltus
