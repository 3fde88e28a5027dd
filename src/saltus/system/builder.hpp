// Puts typed items into a System: what compile(Model) and C++ users call.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>

#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/pool/frame_pool.hpp"
#include "saltus/pool/item_pool.hpp"
#include "saltus/pool/relation_pool.hpp"
#include "saltus/pool/tree_dynamics.hpp"
#include "saltus/system/system.hpp"

namespace saltus {

class SystemBuilder {
 public:
  SystemBuilder() : system_(std::make_unique<System>()) {
    system_->markers.push_back({});  // ground
    system_->reference_frames.push_back({});
  }
  System& system() { return *system_; }
  const System& system() const { return *system_; }

  /// Registers the last node of `pool`; returns the index in System::nodes.
  int register_node(const std::string& name, const std::string& type, NodePool& pool, int pool_index);
  /// Pool of a type, created at its first item.
  int node_pool(const std::string& type, std::unique_ptr<NodePool> (*make)());
  int object_pool(const std::string& type, std::unique_ptr<ObjectPool> (*make)());
  int force_pool(const std::string& type, std::unique_ptr<ForcePool> (*make)());
  int relation_pool(const std::string& type, std::unique_ptr<RelationPool> (*make)());
  void register_item(const std::string& section, const std::string& type, const std::string& name, int pool, int item, const Pool* in = nullptr);

  template <class N>
  int node(const std::string& name, N item) {
    const int p = node_pool(std::string(N::name), [] { return std::unique_ptr<NodePool>(std::make_unique<ItemNodePool<N>>()); });
    auto& pool = static_cast<ItemNodePool<N>&>(*system_->node_pools[p]);
    pool.add(std::move(item));
    return register_node(name, std::string(N::name), pool, p);
  }
  template <class Item>
  void object(const std::string& name, Item item, std::initializer_list<Endpoint> endpoints) {
    const int p = object_pool(std::string(Item::name), [] { return std::unique_ptr<ObjectPool>(std::make_unique<ItemObjectPool<Item>>()); });
    auto& pool = static_cast<ItemObjectPool<Item>&>(*system_->objects[p]);
    pool.add(std::move(item), {endpoints.begin(), endpoints.size()});
    register_item("bodies", std::string(Item::name), name, p, pool.size() - 1, &pool);
  }
  template <class Item>
  void force(const std::string& name, Item item, std::initializer_list<Endpoint> endpoints) {
    const int p = force_pool(std::string(Item::name), [] { return std::unique_ptr<ForcePool>(std::make_unique<ItemForcePool<Item>>()); });
    auto& pool = static_cast<ItemForcePool<Item>&>(*system_->forces[p]);
    const std::vector<Endpoint> ends = ends_of(item, endpoints);
    pool.add(std::move(item), ends);
    register_item(FixedEnds<Item>::sign < 0.0 ? "connectors" : "loads", std::string(Item::name), name, p, pool.size() - 1, &pool);
  }
  template <class R>
  void relation(const std::string& name, R item, std::initializer_list<Endpoint> endpoints, LawRef law) {
    const int p = relation_pool(std::string(R::name), [] { return std::unique_ptr<RelationPool>(std::make_unique<ItemRelationPool<R>>()); });
    auto& pool = static_cast<ItemRelationPool<R>&>(*system_->relations[p]);
    const std::vector<Endpoint> ends = ends_of(item, endpoints);
    if constexpr (requires { item.free_motions(); })
      if (item.free_motions().starts_with(Twist::name)) count_angle(ends[0], ends[1]);
    pool.add(std::move(item), ends, law);
    register_item("relations", std::string(R::name), name, p, pool.size() - 1, &pool);
  }

  template <class Item>
  Endpoint source(Item item, std::initializer_list<Endpoint> endpoints) {
    auto& pool = static_cast<ItemFrameSource<Item>&>(frame_source(std::string(Item::name), [] { return std::unique_ptr<FrameSource>(std::make_unique<ItemFrameSource<Item>>()); }));
    pool.add(std::move(item), {endpoints.begin(), endpoints.size()});
    return marker_on(register_source(pool));
  }
  /// The frame of a link on that of its parent, whose joint moves by the coordinate (the ground's where it is fixed).
  Endpoint link(const LinkOfTree& link, const Endpoint& parent, std::span<const Endpoint> coordinates);
  /// A kinematic tree on a frame, by the coordinates of its joints.
  void tree(const std::string& name, Tree tree, const Endpoint& base, std::span<const Endpoint> coordinates);
  /// Pool of sources of a type, created at its first item.
  FrameSource& frame_source(const std::string& type, std::unique_ptr<FrameSource> (*make)());
  /// The last item of `pool` becomes a base; returns the index in System::bases.
  int register_source(FrameSource& pool);
  /// Index in System::bases of a node's frame, -1: the node has none.
  int base_of(int node) const { return system_->nodes[node].place.frame; }

  /// Marker fixed to the frame of a node; node -1: fixed in the world.
  Endpoint marker(int node, const Vec3<double>& p_NM = {}, const Mat3<double>& R_NM = identity<double>()) { return marker_on(node < 0 ? -1 : base_of(node), p_NM, R_NM); }
  /// The same on any base.
  Endpoint marker_on(int base, const Vec3<double>& p_NM = {}, const Mat3<double>& R_NM = identity<double>());
  /// Marker fixed to another frame, p and R in its axes.
  Endpoint arm(const Endpoint& frame, const Vec3<double>& p, const Mat3<double>& R = identity<double>()) {
    const MarkerEntry M = system_->markers[frame.marker];
    return marker_on(M.base, M.p_NM + M.R_NM * p, M.R_NM * R);
  }
  Endpoint ground() const { return {EndpointKind::frame, 0, {}}; }
  /// Coordinate i of a node (mechanical, first-order or algebraic, counted in this order).
  Endpoint coordinate(int node, int i = 0);
  /// By velocity of a node; those of a rotation in space stand at its quaternion.
  std::vector<Endpoint> velocities(int node);
  /// The motion of the frame B against A as a coordinate, of the item that is registered next. center: JointCoordinates::add.
  Endpoint joint_coordinate(const JointMotion& motion, const Endpoint& A, const Endpoint& B, double center = 0.0);
  /// The turns of the angle of B against A are counted, for who reads it.
  void count_angle(const Endpoint& A, const Endpoint& B);
  /// Ground as a coordinate.
  Endpoint ground_coordinate();

  /// A base in the reference position.
  const Frame<double>& reference_frame(int base) const { return reference_[base]; }
  /// Items that measure from the reference position learn it: what is wrong with it, by name. finish() does the same, and throws.
  std::vector<std::pair<std::string, std::string>> refer();

  /// The length of a rope over these frames as a coordinate, which outputs know by its name.
  Endpoint rope_coordinate(const std::string& name, TautPath path, std::span<const Endpoint> frames);
  /// The ends in the pool of an item for a joint's motion, which two frames are given for: ground, then the motion as a coordinate.
  std::vector<Endpoint> ends_of_joint(const JointMotion& motion, int count, const Endpoint& A, const Endpoint& B, double center);

  /// What a run may change; before any node.
  void parameters(std::vector<RunParameter> all);
  /// Adds a controller; its outputs and memory become history variables with these initial values, `first` is set.
  void controller(ControllerEntry entry, std::span<const double> initial);

  /// Completes columns, rows, sparsity and the initial state. The builder is empty afterwards.
  std::shared_ptr<const System> finish();

 private:
  template <class Item>
  std::vector<Endpoint> ends_of(const Item& item, std::initializer_list<Endpoint> given) {
    if constexpr (requires { Item::of::counts_turns; }) {
      double center = 0.0;
      if constexpr (requires { item.center; }) center = item.center;
      return ends_of_joint(motion_of<typename Item::of>(), Item::port::endpoints, given.begin()[0], given.begin()[1], center);
    }
    return given;
  }
  const std::vector<double>& reference_coordinates();
  std::vector<int> order_of_joint_coordinates() const;
  void place_history();
  void start_history();
  std::unique_ptr<System> system_;
  std::vector<std::pair<int, std::vector<double>>> controller_data_;  // first history variable, initial values
  std::map<std::array<double, 13>, int> marker_index_;  // base, p_NM, R_NM -> marker
  std::map<std::string, int> node_pools_, object_pools_, force_pools_, relation_pools_, frame_sources_;
  std::vector<Frame<double>> reference_;  // by base
  std::vector<double> reference_y_;       // of all nodes
};

}  // namespace saltus
