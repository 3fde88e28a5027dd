// Keys that name other items: which items a kind of port takes, checks, and renaming.
#pragma once

#include "saltus/model/item_type.hpp"

namespace saltus {

/// A reference is the name of an item, `name.frame` for a part of it, or an object with one of the keys `body`, `node`,
/// `marker`, `item` and keys of its own (at, local, rotation, ...). A law may also be written in place: {"type": ...}.
struct Reference {
  std::string name;      // of the item
  std::string part;      // after the first dot, if any
  const Object* inline_object = nullptr;
};

/// Reads a reference; empty name and a fault if it is none.
Reference read_reference(const Value& value, const Place& place, const std::string& path, Faults& faults);

/// Sections whose items a port of this kind takes: "frame", "body", "node", "marker", "terminal", "coordinate", "law".
/// Empty for other kinds ("item"): all.
std::span<const std::string_view> sections_of_port(std::string_view kind);

/// Checks type, fields and references of each record, and of laws written in place.
void check_records(const Model& model, const Catalogue& catalogue, const FieldContext& context, Faults& faults);

/// Gives an item another name, in references and outputs too. ModelError if it is not there or the name cannot be had.
void rename(Model& model, std::string_view old_name, const std::string& name, const Catalogue& catalogue);

}  // namespace saltus
