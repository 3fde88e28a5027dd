#include "saltus/model/item_type.hpp"

#include <algorithm>

#include "saltus/base/suggest.hpp"
#include "saltus/base/text.hpp"

namespace saltus {

void Catalogue::add(const ItemType& type) {
  const std::string path = std::string(type.section) + "/" + std::string(type.name);
  if (std::find(sections.begin(), sections.end(), type.section) == sections.end())
    throw ModelError(path, "is an item type of a section that is not there", did_you_mean(type.section, sections));
  if (!sections_[type.section].emplace(type.name, &type).second) throw ModelError(path, "is the name of two item types");
}

const ItemType* Catalogue::find(std::string_view section, std::string_view name) const {
  const auto types = sections_.find(section);
  if (types == sections_.end()) return nullptr;
  const auto found = types->second.find(name);
  return found == types->second.end() ? nullptr : found->second;
}

std::vector<const ItemType*> Catalogue::types() const {
  std::vector<const ItemType*> out;
  for (const std::string_view section : sections)
    if (const auto types = sections_.find(section); types != sections_.end())
      for (const auto& [name, type] : types->second) out.push_back(type);
  return out;
}

std::vector<std::string_view> Catalogue::names(std::string_view section) const {
  std::vector<std::string_view> out;
  if (const auto types = sections_.find(section); types != sections_.end())
    for (const auto& [name, type] : types->second) out.push_back(name);
  return out;
}

const ItemType* Catalogue::find(std::string_view section, std::string_view name, const Place& place, const std::string& path,
                                Faults& faults) const {
  if (const ItemType* type = find(section, name)) return type;
  const std::vector<std::string_view> known = names(section);
  std::string remedy = did_you_mean(name, known);
  for (const std::string_view other : sections)
    if (remedy.empty() && find(other, name)) remedy = "it belongs in section `" + std::string(other) + "`";
  if (remedy.empty()) remedy = known.empty() ? "this build has no types for this section" : "known types: " + listed(known, 20);
  faults.error(place, path, "type " + in_quotes(name) + " is not there", std::move(remedy));
  return nullptr;
}

}  // namespace saltus
