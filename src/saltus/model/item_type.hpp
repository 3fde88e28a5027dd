// An entry of the catalogue: what is known of a type of item without its C++ type.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Layers below derive from it what they need to build the item.
struct ItemType {
  std::string_view name;
  std::string_view section;
  std::string_view doc;
  std::vector<FieldInfo> fields;
  std::span<const PortInfo> ports;
  std::span<const ItemQuantity> quantities;  // of its own
  std::string_view picture;  // "coil", "capsule|radius|length": its shape in a drawing, then the fields that say the sizes; "none": it has none
  std::string_view motions;  // of a joint: those of B against A that it leaves whatever its fields say, "angle|position"
  std::string_view example;  // JSON text of a small model that holds one
  int rows = 0;              // of a relation, or that a law is for; 0: known at run time, any
  /// Reads the fields of a record for their faults alone.
  void (*check_fields)(const FieldSource&, const FieldContext&, Faults&) = nullptr;
};

/// Entry of an item struct with `name`, `fields()` and, where it has them, `doc`, `ports()` and `example`.
template <class Item>
ItemType item_type(std::string_view section) {
  ItemType type{.name = Item::name, .section = section, .fields = describe_fields<Item>(), .ports = ports_of<Item>()};
  if constexpr (requires { Item::doc; }) type.doc = Item::doc;
  if constexpr (requires { Item::picture; }) type.picture = Item::picture;
  if constexpr (requires { Item::example; }) type.example = Item::example;
  type.check_fields = [](const FieldSource& source, const FieldContext& context, Faults& faults) {
    (void)read_fields<Item>(source, context, faults);
  };
  return type;
}

/// All types of items by section and name. Does not own them.
class Catalogue {
 public:
  /// ModelError for a section that is not there or a name that the section has already.
  void add(const ItemType& type);
  const ItemType* find(std::string_view section, std::string_view name) const;
  /// In the order of sections, within one in the order of names.
  std::vector<const ItemType*> types() const;
  std::vector<std::string_view> names(std::string_view section) const;
  /// Finds the type; a fault with the nearest name, or with the section that has it, if it is not there.
  const ItemType* find(std::string_view section, std::string_view name, const Place& place, const std::string& path,
                       Faults& faults) const;

 private:
  std::map<std::string_view, std::map<std::string_view, const ItemType*>> sections_;
};

}  // namespace saltus
