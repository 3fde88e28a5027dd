// What a scheme says of itself: from the fields() of its options follow schema, Python class, stub, docs and validation.
#pragma once

#include <algorithm>
#include <vector>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// A scheme as schema, programs and docs see it.
struct SchemeType {
  std::string_view name;
  std::string_view doc;
  std::vector<FieldInfo> fields;
  /// The options that are given, expressions of parameters as their values; a fault for each that is unknown or out of range.
  Object (*read)(const FieldSource&, const FieldContext&, Faults&) = nullptr;
};

/// Of a struct of options with `fields()`.
template <class Options>
SchemeType scheme_type(std::string_view name, std::string_view doc) {
  const auto read = [](const FieldSource& source, const FieldContext& context, Faults& faults) {
    Options options = read_fields<Options>(source, context, faults);
    Object given;
    for (const FieldSlot& slot : field_slots(options))
      if (source.fields.find(slot.name)) given.append(std::string(slot.name), slot_value(slot));
    return given;
  };
  return {name, doc, describe_fields<Options>(), read};
}

}  // namespace saltus
