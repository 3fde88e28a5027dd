// From the keys of a record to the members of an item's struct, by its fields(). Nearly all of it is compiled once:
// an item's template only lists its members.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/math/vec.hpp"
#include "saltus/model/model.hpp"
#include "saltus/model/parameters.hpp"

namespace saltus {

enum class FieldKind { number, integer, boolean, text, vector3, matrix3, numbers, matrix, function };
std::string_view to_text(FieldKind kind);

/// A key of an item that names other items: "A" of kind "frame". Kinds: see references.hpp.
struct PortInfo {
  std::string_view name;
  std::string_view kind;
  bool required = true;
  bool many = false;  // a list of references
  std::string_view doc = {};
};

/// A member of an item with its type erased.
struct FieldSlot {
  std::string_view name;
  std::string_view unit;
  std::string_view doc;
  Range range;
  FieldKind kind;
  void* target;  // of the type that `kind` says
};

/// Description of a field without its item, for the schema, the docs and the Python classes.
struct FieldInfo {
  std::string name;
  FieldKind kind = FieldKind::number;
  std::string unit;
  std::string doc;
  Value default_value;
  Range range;
};

/// Keys to read, and where they stand: `path` begins the paths of faults, `mark` is the item's own.
struct FieldSource {
  const Object& fields;
  std::string path;
  std::string file;
  Mark mark;

  FieldSource(const Object& fields, std::string path, std::string file, Mark mark)
      : fields(fields), path(std::move(path)), file(std::move(file)), mark(mark) {}
  FieldSource(const Record& record)
      : FieldSource(record.fields, record.path(), record.place.file,
                    {static_cast<std::uint32_t>(record.place.line), static_cast<std::uint32_t>(record.place.column)}) {}
  Place place(Mark at) const;
};

/// What fields may refer to: parameters, and the functions that the program gave (Handle is an index into them).
struct FieldContext {
  const ParameterTable& parameters;
  std::span<const Function> functions = {};
};

/// Fills the slots. A fault for each unknown key, missing required field, wrong kind, size or value out of range.
void read_slots(const FieldSource& source, std::span<const FieldSlot> slots, std::span<const PortInfo> ports,
                const FieldContext& context, Faults& faults);

/// Value of a slot as a file holds it.
Value slot_value(const FieldSlot& slot);

/// "at least 0", "above 0", "between 0 and 1", "x, y or z"; empty if all values are allowed.
std::string range_text(const Range& range);

inline constexpr FieldKind kind_of(const double*) { return FieldKind::number; }
inline constexpr FieldKind kind_of(const int*) { return FieldKind::integer; }
inline constexpr FieldKind kind_of(const bool*) { return FieldKind::boolean; }
inline constexpr FieldKind kind_of(const std::string*) { return FieldKind::text; }
inline constexpr FieldKind kind_of(const Vec3<double>*) { return FieldKind::vector3; }
inline constexpr FieldKind kind_of(const Mat3<double>*) { return FieldKind::matrix3; }
inline constexpr FieldKind kind_of(const std::vector<double>*) { return FieldKind::numbers; }
inline constexpr FieldKind kind_of(const Matrix*) { return FieldKind::matrix; }
inline constexpr FieldKind kind_of(const Function*) { return FieldKind::function; }

template <class Item>
auto field_slots(Item& item) {
  return std::apply(
      [&](const auto&... f) {
        return std::array<FieldSlot, sizeof...(f)>{
            FieldSlot{f.name, f.unit, f.doc, f.range, kind_of(&(item.*f.member)), &(item.*f.member)}...};
      },
      Item::fields());
}

/// The keys of an item that are references, from its `ports()`; none if it has no such function.
template <class Item>
std::span<const PortInfo> ports_of() {
  if constexpr (requires { Item::ports(); }) {
    static const auto ports = Item::ports();
    return ports;
  } else {
    return {};
  }
}

template <class Item>
Item read_fields(const FieldSource& source, const FieldContext& context, Faults& faults) {
  Item item;
  read_slots(source, field_slots(item), ports_of<Item>(), context, faults);
  return item;
}

std::vector<FieldInfo> describe_slots(std::span<const FieldSlot> slots);
Object changed_slots(std::span<const FieldSlot> slots, std::span<const FieldSlot> defaults);

template <class Item>
std::vector<FieldInfo> describe_fields() {
  Item item;
  return describe_slots(field_slots(item));
}

/// Fields of an item as a record holds them; those that have their default are left out.
template <class Item>
Object fields_of(const Item& item) {
  Item copy = item, defaults;
  return changed_slots(field_slots(copy), field_slots(defaults));
}

}  // namespace saltus
