// From an item's struct to its entry in the catalogue. What an item declares, by family:
//   all        name, section, doc, fields(), but for laws picture (a shape and the fields of its sizes: "coil", "capsule|radius|length",
//              the words are those of python/saltus/view/pictures.py); optional: example (a small model), invalid() -> what is wrong with the values
//   node       sizes(), initial(), reference(), frame()           (pool/node_pool.hpp)
//   object     port, mass(view), lhs(view, context)               (pool/item_pool.hpp)
//   connector  port, lhs(view, context);  load: port, is_load, rhs(view, context)
//              a kernel for a scalar coordinate says in `of` whose: NodeCoordinate or a joint's motion (joints/joint_motion.hpp)
//              a joint with free_motions(): those of joints/joint_motion.hpp that it leaves; an angle is then counted, for who reads it
//   relation   port, rows, h(view, context), optional g, jacobian (pool/relation_pool.hpp); default_law, located
//   law        set, what else law_type() of pool/law.hpp asks for
//   frame source  is_marker, port, pose(views...), optional jacobian, stands_on (pool/frame_pool.hpp)
//   link of a tree  link(), its joint and its mass (pool/tree_dynamics.hpp); the tree: is_tree
//   any of these of run-time size, instead of port: items/sized_item.hpp
//   an object, connector, load or relation with more to read than all of its kind: quantities, quantity(which, view)
//   an element of a circuit: branches, see BranchInfo of entry.hpp; without, current may flow from each of its terminals to every other
//   an item that has no numbers in some places: trouble(view) -> what is wrong there and what to do, reported where a run ends
//   an item that measures from the reference position: refer(view) -> what is wrong with it
// For the property tests (properties_test.cpp): passive, world_axes, planar, see entry.hpp.
#pragma once

#include "saltus/base/index.hpp"
#include "saltus/items/entry.hpp"
#include "saltus/items/sized_item.hpp"
#include "saltus/pool/dynamic_ends.hpp"
#include "saltus/pool/frame_pool.hpp"
#include "saltus/pool/item_pool.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

template <class T> concept NodeItem = requires(const T& t) { t.sizes(); };
template <class T> concept LawItem = requires { T::set->prox; };
template <class T> concept SizedItem = requires { T::sample_coordinates; };  // of run-time size
template <class T> concept RelationItem = requires { T::rows; typename T::port; } || (SizedItem<T> && requires(const T& t) { t.rows(); });
template <class T> concept FrameItem = requires { T::is_marker; typename T::port; };
template <class T> concept LinkItem = requires(const T& t) { { t.link() } -> std::same_as<LinkOfTree>; };
template <class T> concept ObjectItem = requires(const T& t, typename T::port::template View<double> view) { t.mass(view); } ||
                                        (SizedItem<T> && requires(const T& t) { t.constant_mass(); });

namespace detail {
/// Written for a scalar coordinate, and its record for a joint's.
template <class Item>
constexpr bool acts_on_joint = requires { Item::of::counts_turns; };
template <class Item>
constexpr bool located_item = requires { Item::located; } || acts_on_joint<Item>;
template <class Item>
constexpr std::string_view default_law() {
  if constexpr (requires { Item::default_law; }) return Item::default_law;
  else return SizedItem<Item> && RelationItem<Item> ? "equality" : "";
}

/// What the keys of an item that refer to other items follow from.
struct PortsOf {
  std::span<const PortInfo> own;           // that it names itself
  bool names_own = false;
  std::span<const EndpointKind> kinds = {};
  bool of_joint = false, of_node = false;  // on a coordinate of a joint; an object, on a node
  bool located = false;
  bool run_time_size = false;
  bool has_law = false, law_given = false; // a relation; its law must be given
};
/// What the item names itself, else `node` of a body, `on` for one endpoint, A and B.
std::vector<PortInfo> port_list(const PortsOf& of);

template <class Item>
std::span<const PortInfo> item_ports() {
  static const std::vector<PortInfo> all = [] {
    PortsOf of{.own = ports_of<Item>(), .located = located_item<Item>};
    of.run_time_size = SizedItem<Item>;
    if constexpr (requires { Item::ports(); }) of.names_own = true;
    else if constexpr (requires { typename Item::port; }) of.kinds = Item::port::kinds, of.of_joint = acts_on_joint<Item>, of.of_node = ObjectItem<Item>;
    if constexpr (RelationItem<Item>) of.has_law = true, of.law_given = default_law<Item>().empty();
    return port_list(of);
  }();
  return all;
}

/// Reads the fields and asks the item whether the values make sense together.
template <class Item>
Item read_item(const FieldSource& source, const FieldContext& context, Faults& faults) {
  Item item;
  const int before = faults.errors();
  read_slots(source, field_slots(item), item_ports<Item>(), context, faults);
  if constexpr (requires { { item.invalid() } -> std::convertible_to<std::string>; })
    if (faults.errors() == before)
      if (const std::string message = item.invalid(); !message.empty()) faults.error(source.place(source.mark), source.path, message);
  return item;
}
/// The same of an item that may be of run-time size, on its ends.
template <class Item>
Item read_item(const FieldSource& source, const FieldContext& context, std::span<const Endpoint> ends, Faults& faults) {
  if constexpr (SizedItem<Item>) {
    const auto frames = static_cast<int>(std::count_if(ends.begin(), ends.end(), [](const Endpoint& e) { return e.kind == EndpointKind::frame; }));
    return read_sized_item<Item>(source, item_ports<Item>(), context, frames, count_of(ends) - frames, faults);
  } else {
    return read_item<Item>(source, context, faults);
  }
}

/// What the item is, and how pools of its kind are made and filled.
template <class Item>
void set_family(ItemEntry& e) {
  if constexpr (requires { Item::is_marker; }) {
    e.family = Family::marker;
    if constexpr (FrameItem<Item>) {
      if constexpr (requires { Item::stands_on; }) e.stands_on = Item::stands_on;
      e.make_frame_source = []() -> std::unique_ptr<FrameSource> { return std::make_unique<ItemFrameSource<Item>>(); };
      e.add_frame_source = [](FrameSource& pool, const FieldSource& s, const FieldContext& c, std::span<const Endpoint> ends, Faults& faults) {
        static_cast<ItemFrameSource<Item>&>(pool).add(read_item<Item>(s, c, faults), ends);
      };
    }
  } else if constexpr (LinkItem<Item>) {
    e.family = Family::marker;  // a frame; its mass is its tree's
    e.make_link = [](const FieldSource& s, const FieldContext& c, Faults& faults) { return read_item<Item>(s, c, faults).link(); };
  } else if constexpr (requires { Item::is_tree; }) {
    e.family = Family::object;  // made of the records of its links
    e.is_tree = true;
  } else if constexpr (NodeItem<Item>) {
    e.family = Family::node;
    e.make_node_pool = []() -> std::unique_ptr<NodePool> { return std::make_unique<ItemNodePool<Item>>(); };
    e.add_node = [](NodePool& pool, const FieldSource& s, const FieldContext& c, Faults& faults) {
      static_cast<ItemNodePool<Item>&>(pool).add(read_item<Item>(s, c, faults));
    };
  } else if constexpr (LawItem<Item>) {
    e.family = Family::law;
    e.law = &law_type<Item>();
    e.rows = e.law->rows;
    e.make_law = [](const FieldSource& s, const FieldContext& c, Faults& faults) {
      const auto law = std::make_shared<const Item>(read_item<Item>(s, c, faults));
      LawInstance instance{&law_type<Item>(), law, law_ref(*law).written, law_type<Item>().rows};
      if constexpr (requires { law->row_count(); }) instance.rows = law->row_count();
      return instance;
    };
  } else if constexpr (RelationItem<Item>) {
    e.family = Family::relation;
    if constexpr (!SizedItem<Item> && !requires(const Item& item) { item.row_count(); }) e.rows = Item::rows;
    if constexpr (requires { Item::sliding; }) e.sliding = Item::sliding;
    e.default_law = default_law<Item>();
    e.make_relation_pool = []() -> std::unique_ptr<RelationPool> { return std::make_unique<ItemRelationPool<Item>>(); };
    e.add_relation = [](RelationPool& pool, const FieldSource& s, const FieldContext& c,
                        std::span<const Endpoint> ends, LawRef law, Faults& faults) {
      static_cast<ItemRelationPool<Item>&>(pool).add(read_item<Item>(s, c, ends, faults), ends, law);
    };
  } else if constexpr (ObjectItem<Item>) {
    e.family = Family::object;
    e.make_object_pool = []() -> std::unique_ptr<ObjectPool> { return std::make_unique<ItemObjectPool<Item>>(); };
    e.add_object = [](ObjectPool& pool, const FieldSource& s, const FieldContext& c,
                      std::span<const Endpoint> ends, Faults& faults) {
      static_cast<ItemObjectPool<Item>&>(pool).add(read_item<Item>(s, c, ends, faults), ends);
    };
  } else {
    e.family = Family::force;
    e.make_force_pool = []() -> std::unique_ptr<ForcePool> { return std::make_unique<ItemForcePool<Item>>(); };
    e.add_force = [](ForcePool& pool, const FieldSource& s, const FieldContext& c,
                     std::span<const Endpoint> ends, Faults& faults) {
      static_cast<ItemForcePool<Item>&>(pool).add(read_item<Item>(s, c, ends, faults), ends);
    };
  }
}

/// How the fields of an item are checked whose ends are not known.
template <class Item>
void set_sized(ItemEntry& e) {
  e.dynamic = true;
  e.sample_coordinates = Item::sample_coordinates;
  e.sample_frames = sample_frames_of<Item>();
  e.check_fields = [](const FieldSource& s, const FieldContext& c, Faults& faults) {
    Item item;
    check_without_functions(s, slot_list(item), item_ports<Item>(), c, faults);
  };
  e.round_trip = [](const FieldSource& s, const FieldContext& c, Faults& faults) {
    return fields_of(read_sized_item<Item>(s, item_ports<Item>(), c, sample_frames_of<Item>(), Item::sample_coordinates, faults));
  };
}

}  // namespace detail

template <class Item>
ItemEntry make_entry() {
  ItemEntry e;
  e.name = Item::name;
  e.section = Item::section;
  e.doc = Item::doc;
  if constexpr (requires { Item::example; }) e.example = Item::example;
  if constexpr (requires { Item::picture; }) e.picture = Item::picture;
  if constexpr (requires { Item::quantities; }) e.quantities = Item::quantities;
  if constexpr (requires { Item::free_motions(); }) e.motions = Item::free_motions();
  e.fields = describe_fields<Item>();
  if constexpr (SizedItem<Item>) {
    detail::set_sized<Item>(e);
  } else {
    e.check_fields = [](const FieldSource& s, const FieldContext& c, Faults& faults) { (void)detail::read_item<Item>(s, c, faults); };
    e.round_trip = [](const FieldSource& s, const FieldContext& c, Faults& faults) { return fields_of(detail::read_item<Item>(s, c, faults)); };
  }
  if constexpr (requires { Item::coordinates; }) e.coordinates = Item::coordinates;
  if constexpr (requires { Item::coordinate_kinds; }) e.coordinate_kinds = Item::coordinate_kinds;
  if constexpr (requires { Item::passive; }) e.passive = Item::passive;
  if constexpr (requires { Item::world_axes; }) e.world_axes = Item::world_axes;
  if constexpr (requires { Item::planar; }) e.planar = Item::planar;
  if constexpr (requires { Item::sample; }) e.sample = Item::sample;
  e.ports = detail::item_ports<Item>();
  if constexpr (requires { typename Item::port; }) e.endpoints = Item::port::kinds;
  e.located = detail::located_item<Item>;
  if constexpr (requires { Item::branches; }) e.of_circuits = true, e.branches = Item::branches;
  if constexpr (requires(const Item& item) { item.free_motions(); })
    e.free_motions = []([[maybe_unused]] const FieldSource& s, [[maybe_unused]] const FieldContext& c) {
      if constexpr (requires { Item::free_motions(); }) return std::string(Item::free_motions());
      else {
        Faults unused;  // what is wrong is said where the item is read
        return std::string(detail::read_item<Item>(s, c, unused).free_motions());
      }
    };
  if constexpr (detail::acts_on_joint<Item>) {
    e.motion = &motion_of<typename Item::of>();
    if constexpr (requires(const Item& item) { item.center; })
      e.center = [](const FieldSource& s, const FieldContext& c) {
        Faults unused;  // what is wrong is said where the item is read
        return detail::read_item<Item>(s, c, unused).center;
      };
  }
  detail::set_family<Item>(e);
  return e;
}

}  // namespace saltus
