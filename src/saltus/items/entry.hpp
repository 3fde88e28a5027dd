// The catalogue's erased entry of an item type: its description and how to put one of its records into a pool.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/model/item_type.hpp"
#include "saltus/pool/frame_source.hpp"
#include "saltus/pool/joint_coordinates.hpp"
#include "saltus/pool/node_pool.hpp"
#include "saltus/pool/pool.hpp"
#include "saltus/pool/tree_dynamics.hpp"

namespace saltus {

enum class Family { node, object, marker, force, relation, law };

/// What an element of a circuit says of the currents and voltages between two of its ends, for the graph of the circuit (integrate/circuit.hpp).
enum class BranchKind {
  any,             // each current goes with some voltage
  valve,           // so, but next to no current passes it in one direction, or while it is off
  capacitor, inductor,  // keeps its voltage, its current: the end `state`
  voltage_source,  // its equation, at the end `state`, prescribes the voltage
  current_source,  // prescribes the current
  law,             // one row, v_B - v_A but for a constant and a resistance, and a law for the current
};
struct BranchInfo {
  BranchKind kind = BranchKind::any;
  int A = 0, B = 1, state = -1;  // ends of the item
};

/// A law as compile() keeps it: type and struct with its fields.
struct LawInstance {
  const LawType* type = nullptr;
  std::shared_ptr<const void> fields;
  int written = -1;
  int rows = 0;  // that it is for; 0: any
};

/// How pools of an item's type are made and filled, by family; the others are null.
struct PoolMaking {
  std::unique_ptr<NodePool> (*make_node_pool)() = nullptr;
  std::unique_ptr<ObjectPool> (*make_object_pool)() = nullptr;
  std::unique_ptr<ForcePool> (*make_force_pool)() = nullptr;
  std::unique_ptr<RelationPool> (*make_relation_pool)() = nullptr;
  std::unique_ptr<FrameSource> (*make_frame_source)() = nullptr;  // of a marker whose frame is a function of others

  /// Reads the record's fields into a new item of the pool. With faults, an item with defaults is added all the same.
  void (*add_node)(NodePool&, const FieldSource&, const FieldContext&, Faults&) = nullptr;
  void (*add_object)(ObjectPool&, const FieldSource&, const FieldContext&, std::span<const Endpoint>, Faults&) = nullptr;
  void (*add_force)(ForcePool&, const FieldSource&, const FieldContext&, std::span<const Endpoint>, Faults&) = nullptr;
  void (*add_relation)(RelationPool&, const FieldSource&, const FieldContext&, std::span<const Endpoint>, LawRef, Faults&) = nullptr;
  void (*add_frame_source)(FrameSource&, const FieldSource&, const FieldContext&, std::span<const Endpoint>, Faults&) = nullptr;
  /// Of a link: how it stands on its parent, which the compiler knows. Links make an object of the type that says `is_tree`.
  LinkOfTree (*make_link)(const FieldSource&, const FieldContext&, Faults&) = nullptr;
  bool is_tree = false;
  LawInstance (*make_law)(const FieldSource&, const FieldContext&, Faults&) = nullptr;
  const LawType* law = nullptr;
};

struct ItemEntry : ItemType, PoolMaking {
  Family family = Family::force;
  std::span<const EndpointKind> endpoints;     // what the pool wants, in the order of `ports`
  bool located = false;                        // a joint: two frames that coincide at `at` in the reference position
  const JointMotion* motion = nullptr;         // the record names two frames, its last endpoint is this motion of theirs, the others are ground
  std::string (*free_motions)(const FieldSource&, const FieldContext&) = nullptr;  // of a joint: those that it leaves, "angle|position"
  double (*center)(const FieldSource&, const FieldContext&) = nullptr;  // of an angle: near which value it starts
  std::string_view stands_on;                  // of a frame source: type of the item that its first port names, whose ends are its own
  int sliding = -1;                            // of a contact: rows behind the gap that slide, the others turn; -1: of no contact
  std::string_view default_law;                // of a relation, "" : must be given
  bool of_circuits = false;                    // its currents flow in `branches` alone
  std::span<const BranchInfo> branches;        // of run-time size: one, repeated over its ends

  /// Endpoints are known at run time: any number of frames, then of coordinates. A port of kind "node" gives all coordinates of the node.
  bool dynamic = false;
  /// The kind of coordinates that it can act on; none: any.
  CoordinateKind coordinates = CoordinateKind::none;
  std::span<const CoordinateKind> coordinate_kinds;  // the same end by end, where they differ

  // What the property tests need to know.
  bool passive = false;       // forces are the gradient of potential_energy and damping
  bool world_axes = false;    // a pair item that the direction of the world's axes is part of
  bool planar = false;        // vectors have no z component
  std::string_view sample;    // JSON of fields for the ends below, where random values do not fit together
  int sample_frames = 0, sample_coordinates = 0;
  /// Fields of the item that is read from a record.
  Object (*round_trip)(const FieldSource&, const FieldContext&, Faults&) = nullptr;
};

/// All item types, in the order of the folder's CMakeLists.
std::span<const ItemEntry* const> catalogue();
/// The same for checks, schema and lists.
const Catalogue& item_catalogue();
/// Null if there is none of this name in the section.
const ItemEntry* find_entry(std::string_view section, std::string_view name);

}  // namespace saltus
