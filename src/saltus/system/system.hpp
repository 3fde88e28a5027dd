// The compiled model: immutable pools, layout and sparsity, shared by threads. It knows no scheme.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/math/csr.hpp"
#include "saltus/math/function.hpp"
#include "saltus/model/parameters.hpp"
#include "saltus/pool/joint_coordinates.hpp"
#include "saltus/pool/node_pool.hpp"
#include "saltus/pool/pool.hpp"
#include "saltus/system/contacts.hpp"
#include "saltus/system/layout.hpp"
#include "saltus/system/presence.hpp"
#include "saltus/system/sleep.hpp"

namespace saltus {

/// What the world calls an item, and where it lies in its pool.
struct ItemPlace {
  std::string name;
  std::string type;
  std::string section;  // nodes, bodies, markers, connectors, joints, relations, loads
  int pool = -1;
  int item = -1;
  const Pool* in = nullptr;  // that pool; of nodes and contacts of groups none
};

struct NodeEntry {
  std::string name;
  NodePlace place;
  int pool = -1;
  int item = -1;
};

/// What markers are fixed to: the frame of a node, or of a source.
struct BaseFrame {
  int node = -1;             // index in System::nodes, -1: a source
  int pool = -1, item = -1;  // of a source: in System::frame_sources
  int marker = 0;            // its own: the frame itself
};

/// A frame fixed to a base frame N (-1: the ground).
struct MarkerEntry {
  int base = -1;
  Vec3<double> p_NM{};
  Mat3<double> R_NM = identity<double>();
};

/// One relation item in the whole system.
struct RelationEntry {
  std::string name;
  int pool = -1;
  int item = -1;
  int row = 0;          // first row
  int rows = 0;
  int value_begin = 0;  // its rows x columns block in the flat H
  int column_begin = 0; // its columns in relation_columns
  int columns = 0;
  int square_begin = 0; // its rows x rows block in the flat D
  LawRef law;
};

/// A frame fixed to a base frame, beside or turned against it.
struct ArmTask {
  int marker = 0, base = 0;             // the second: the base's own marker
  bool turned = false, whole = true;    // R_NM is not the identity; more than p and v is read
};

/// A source, and the arms that stand on it: [first_arm, last_arm) of FramePlan::source_arms.
struct SourceTask {
  int marker = 0;  // its own
  SourceRef source;
  int columns = 0;  // as of FrameTask
  int first_arm = 0, last_arm = 0;
};

/// What an Assembly has to update: frames of nodes by pool, those that stand on one of them, and sources, each after what it is a function of.
struct FramePlan {
  std::vector<std::vector<FrameTask>> nodes;  // by node pool
  std::vector<ArmTask> arms, source_arms;     // on nodes; on sources
  std::vector<SourceTask> sources;
  std::vector<int> wrenches;                  // markers that a wrench can stand on
};

/// A pool's matrix blocks: slots into the values of the system pattern.
struct PoolSlots {
  std::vector<int> begin;  // items + 1
  std::vector<int> slots;
};

/// A sampled controller: at t = 0, period, 2 period, ... its function gives what loads and drives hold until the next sample.
struct ControllerEntry {
  static constexpr double slack = 1e-9;  // of a period: a time this close to a sample is the sample
  std::string name;
  double period = 0.0;
  Function function;                // (t, inputs, memory) -> (outputs, memory)
  std::vector<std::string> inputs;  // quantities, `name.quantity[.component]`
  int first = 0;                    // data: outputs, then memory, then waiting outputs
  int outputs = 0, memory = 0;
  std::vector<std::pair<int, int>> parameters;  // outputs that are parameters: which, and their places in the data
  double delay = 0.0;  // [s] from a sample until its outputs act
  int waiting = 0;     // samples that the data keep behind the memory, the newest first: those that have not acted, and the one that does
  int shown = 0;       // numbers of the memory that are its value
};

/// Of an item, input 0 the time: where time changes its branch a step ends; with one input a part of time alone, whose pulses a step must see.
struct TimeFormula {
  Expression formula;
  int inputs = 1;
};

/// Nodes, and the frames and coordinates that items stand on.
struct SystemFrames {
  std::vector<std::unique_ptr<NodePool>> node_pools;
  std::vector<NodeEntry> nodes;
  std::vector<std::unique_ptr<FrameSource>> frame_sources;
  std::vector<BaseFrame> bases;
  std::vector<MarkerEntry> markers;        // 0: ground
  std::vector<Frame<double>> reference_frames;  // by marker, in the reference position
  std::vector<std::pair<std::string, int>> named_markers;  // frames that the model names
  std::vector<int> marker_column_begin;    // markers + 1
  std::vector<int> marker_columns;         // unknowns
  FramePlan every_frame, needed_frames;    // all of them, and those that some pool reads or that arms stand on

  std::vector<std::pair<std::string, int>> named_coordinates;  // of these, by the names of markers
  JointCoordinates joint_coordinates;      // scalar coordinates that items act on beside those of nodes

  SourceRef source(const BaseFrame& base) const { return base.node < 0 ? SourceRef{frame_sources[base.pool].get(), base.item} : SourceRef{}; }
};

/// Items by pools, with the laws of those that have one.
struct SystemItems {
  std::vector<std::unique_ptr<ObjectPool>> objects;
  std::vector<std::unique_ptr<ForcePool>> forces;  // connectors and loads
  std::vector<std::unique_ptr<RelationPool>> relations;
  std::vector<ItemPlace> items;
  std::vector<std::shared_ptr<const void>> laws;   // their fields
  std::vector<std::unique_ptr<const std::vector<double>>> law_parameters;  // of their sets
  std::vector<BodyPresence> presences;  // bodies that come and go
  std::vector<Sleeper> sleepers;        // bodies that may fall asleep
  ContactTable contacts;  // between groups: rows that only a step knows, behind those of the relations
};

/// Where each relation has its rows and blocks.
struct SystemRows {
  std::vector<RelationEntry> relation_entries;     // pool after pool
  std::vector<int> relation_entry_begin;           // pools + 1
  std::vector<std::vector<int>> row_begin, value_begin, square_begin;  // by pool, one an item
  std::vector<int> relation_columns;
  int value_count = 0;   // length of the flat H
  int square_count = 0;  // length of the flat D
};

/// Where items add to the matrices.
struct SystemMatrices {
  /// Pattern of the unknowns x unknowns matrix M, K, D_v; every diagonal entry is stored.
  CsrPattern pattern;
  std::vector<PoolSlots> object_slots, force_slots, relation_slots;
  std::vector<int> diagonal_slot;
  std::vector<char> own_mass;        // by pool of objects: it solves with its own masses, and no other has mass on its unknowns
  std::vector<int> own_mass_unknowns;  // of those pools
};

class System : public SystemFrames, public SystemItems, public SystemRows, public SystemMatrices {
 public:
  Layout layout;
  KinematicMap map;
  Vec3<double> gravity{};

  std::vector<RunParameter> parameters;  // that a run may change: the first of the data
  std::vector<ControllerEntry> controllers;
  std::vector<TimeFormula> time_formulas;  // of loads, drives, sources, ...: that jump or have kinks; what varies with time alone
  std::vector<double> initial_y;     // [q | v | x | z | 0]
  std::vector<double> initial_data;
  int history = -1;                  // first number of the history block in the data, which ends them; -1: no item remembers
  int law_history = -1;              // in that block, of laws with memory (law_memory.hpp); -1: none
  bool remembers_turns_only = true;  // no item has to remember each step
  std::vector<int> spins;            // velocities that are rates of rotations of frames
  double length_scale = 1.0;         // size of the model [m]: makes moments comparable with forces

  bool python_free() const;
  CoordinateKind kind_of(int unknown) const;
  /// Called once by the compiler when nodes, markers and pools are complete: columns, rows, sparsity.
  void finish();
  /// The law with the parameters that its set reads on so many rows, which are kept here.
  LawRef for_rows(LawRef law, int rows);

 private:
  FrameUse frame_use() const;
  void place_columns();
  void plan_frames();
  void find_own_masses(const Kinematics& k);
  FramePlan plan(const FrameUse& use, bool all) const;
};

}  // namespace saltus
