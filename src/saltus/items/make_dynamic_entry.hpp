// From the struct of an item of run-time size (pool/dynamic_ends.hpp) to its entry. What it declares beside name, section,
// doc and fields(): `ports()` (frames first), `coordinates` (the kind it needs), `sample`, `sample_coordinates`, `invalid(n)` for n
// coordinates, where it is on frames too `sample_frames` and `invalid(frames, n)`; an object mass_matrix(view, M), another force `rest`, a
// relation rows() and `h`; know_ends(frames, n) for what follows from its ends. In the inputs of its functions a name with a star stands for as many as there are: q* for q0, q1, ...; lambda* by
// rows; m* by its `memory`; pose* for A_x, A_y, A_z, A_R00, ..., A_R22, B_x, ... of its frames A, B, ...; frame* with A_vx, ..., A_wz behind those
// of each frame.
#pragma once

#include "saltus/items/entry.hpp"
#include "saltus/pool/dynamic_ends.hpp"
#include "saltus/pool/item_pool.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {
namespace detail {

/// How many there are of what an input with a star stands for.
struct InputCounts {
  int frames = 0, coordinates = 0, rows = 1, memory = 0;

  InputCounts(int frames, int coordinates, const Object& fields);
};
inline constexpr int most_frames = 26;  // A to Z
/// "t|q*" -> "t|q0|q1" for two coordinates.
std::string expanded_inputs(std::string_view inputs, const InputCounts& counts);
/// The record without its functions, whose inputs are not known yet, and their slots.
void check_without_functions(const FieldSource& source, std::vector<FieldSlot> slots, std::span<const PortInfo> ports,
                             const FieldContext& context, Faults& faults);
/// Fills the slots for an item on so many frames and coordinates.
void read_with_functions(const FieldSource& source, std::vector<FieldSlot> slots, std::span<const PortInfo> ports, const InputCounts& counts,
                         const FieldContext& context, Faults& faults);
/// What is wrong with the item on these ends, empty if nothing.
template <class Item>
std::string invalid(const Item& item, const InputCounts& counts) {
  if constexpr (requires { Item::sample_frames; }) return counts.frames > most_frames ? "is on more than 26 frames" : item.invalid(counts.frames, counts.coordinates);
  else return item.invalid(counts.coordinates);
}

template <class Item>
std::span<const PortInfo> dynamic_ports() {
  static const std::vector<PortInfo> all = [] {
    const auto own = ports_of<Item>();
    std::vector<PortInfo> ports(own.begin(), own.end());
    if constexpr (requires(const Item& item) { item.rows(); }) ports.push_back({"law", "law", false, false, "law of the rows; default: equality"});
    return ports;
  }();
  return all;
}
template <class Item>
constexpr int sample_frames_of() {
  if constexpr (requires { Item::sample_frames; }) return Item::sample_frames;
  else return 0;
}
template <class Item>
std::vector<FieldSlot> slot_list(Item& item) {
  const auto slots = field_slots(item);
  return {slots.begin(), slots.end()};
}
template <class Item>
Item read_dynamic_item(const FieldSource& source, const FieldContext& context, int frames, int coordinates, Faults& faults) {
  Item item;
  const int before = faults.errors();
  const InputCounts counts(frames, coordinates, source.fields);
  read_with_functions(source, slot_list(item), dynamic_ports<Item>(), counts, context, faults);
  if (faults.errors() == before)
    if (const std::string message = invalid(item, counts); !message.empty()) faults.error(source.place(source.mark), source.path, message);
  if constexpr (requires { item.know_ends(frames, coordinates); }) item.know_ends(frames, coordinates);
  return item;
}
template <class Item>
Item read_dynamic_item(const FieldSource& source, const FieldContext& context, std::span<const Endpoint> ends, Faults& faults) {
  const auto frames = std::count_if(ends.begin(), ends.end(), [](const Endpoint& e) { return e.kind == EndpointKind::frame; });
  return read_dynamic_item<Item>(source, context, static_cast<int>(frames), static_cast<int>(ends.size() - static_cast<std::size_t>(frames)), faults);
}

}  // namespace detail

template <class Item>
ItemEntry make_dynamic_entry() {
  ItemEntry e;
  e.name = Item::name;
  e.section = Item::section;
  e.doc = Item::doc;
  if constexpr (requires { Item::picture; }) e.picture = Item::picture;
  e.fields = describe_fields<Item>();
  e.ports = detail::dynamic_ports<Item>();
  e.dynamic = true;
  e.coordinates = Item::coordinates;
  e.sample = Item::sample;
  e.sample_coordinates = Item::sample_coordinates;
  e.sample_frames = detail::sample_frames_of<Item>();
  if constexpr (requires { Item::branches; }) e.of_circuits = true, e.branches = Item::branches;
  e.check_fields = [](const FieldSource& s, const FieldContext& c, Faults& faults) {
    Item item;
    detail::check_without_functions(s, detail::slot_list(item), detail::dynamic_ports<Item>(), c, faults);
  };
  e.round_trip = [](const FieldSource& s, const FieldContext& c, Faults& faults) {
    return fields_of(detail::read_dynamic_item<Item>(s, c, detail::sample_frames_of<Item>(), Item::sample_coordinates, faults));
  };
  if constexpr (requires(const Item& item) { item.rows(); }) {
    e.family = Family::relation;
    e.default_law = "equality";
    e.make_relation_pool = []() -> std::unique_ptr<RelationPool> { return std::make_unique<ItemRelationPool<Item>>(); };
    e.add_relation = [](RelationPool& pool, const FieldSource& s, const FieldContext& c, std::span<const Endpoint> ends, LawRef law, Faults& faults) {
      static_cast<ItemRelationPool<Item>&>(pool).add(detail::read_dynamic_item<Item>(s, c, ends, faults), ends, law);
    };
  } else if constexpr (requires(const Item& item) { item.constant_mass(); }) {
    e.family = Family::object;
    e.make_object_pool = []() -> std::unique_ptr<ObjectPool> { return std::make_unique<ItemObjectPool<Item>>(); };
    e.add_object = [](ObjectPool& pool, const FieldSource& s, const FieldContext& c, std::span<const Endpoint> ends, Faults& faults) {
      static_cast<ItemObjectPool<Item>&>(pool).add(detail::read_dynamic_item<Item>(s, c, ends, faults), ends);
    };
  } else {
    e.family = Family::force;
    e.make_force_pool = []() -> std::unique_ptr<ForcePool> { return std::make_unique<ItemForcePool<Item>>(); };
    e.add_force = [](ForcePool& pool, const FieldSource& s, const FieldContext& c, std::span<const Endpoint> ends, Faults& faults) {
      static_cast<ItemForcePool<Item>&>(pool).add(detail::read_dynamic_item<Item>(s, c, ends, faults), ends);
    };
  }
  return e;
}

}  // namespace saltus
