// A link of a kinematic tree and the joint that carries it.
#pragma once

#include <array>
#include <string>
#include <tuple>

#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/tree_dynamics.hpp"

namespace saltus {

/// Its frame is that of its joint at coordinate 0, moved by the coordinate: items take it wherever they take a frame. Coordinate and velocity are those of its node.
struct TreeLink {
  std::string joint = "revolute";
  Vec3<double> axis{{0.0, 0.0, 1.0}}, position{}, rotation{};
  double mass = 0.0;
  Mat3<double> inertia{};
  Vec3<double> center_of_mass{};
  double armature = 0.0, ratio = 1.0;

  static constexpr std::string_view name = "tree_link";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "link";
  static constexpr std::string_view doc = "A link of a kinematic tree on the joint that carries it; its frame is that of the joint, moved by its coordinate.";
  static constexpr auto fields() {
    return std::tuple{
        field("joint", &TreeLink::joint, "", "type of the joint that carries it", one_of("revolute|prismatic|fixed|ball|free")),
        field("axis", &TreeLink::axis, "", "of a revolute or prismatic joint, in its own axes and in the link's", direction()),
        field("position", &TreeLink::position, "m", "of the joint in the frame of the parent"),
        field("rotation", &TreeLink::rotation, "rad", "rotation vector from the parent's axes to the joint's"),
        field("mass", &TreeLink::mass, "kg", "mass", at_least(0.0)),
        field("inertia", &TreeLink::inertia, "kg m^2", "inertia about the centre of mass, in the link's axes"),
        field("center_of_mass", &TreeLink::center_of_mass, "m", "from the link's frame to the centre of mass, in the link's axes"),
        field("armature", &TreeLink::armature, "", "J of a rotor that drives the joint (kg m^2), without its gyroscopic moment; see the body `armature`", at_least(0.0)),
        field("ratio", &TreeLink::ratio, "", "n, motion of the rotor by that of the joint; rad/m where it slides")};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"parent", "body", true, false, "the link that carries it, or the tree itself: its base does"},
                      PortInfo{"node", "node", false, false, "a node_1d: the coordinate of the joint, rad or m; of a ball a node_rotation, of a free joint a node_pose; a fixed joint has none"}};
  }
  std::string invalid() const {
    if (armature > 0.0 && ratio == 0.0) return "`ratio` is 0: the rotor would not move; leave the armature out, or give n of a gear with n:1";
    if (armature > 0.0 && joint == "fixed") return "`armature` is of a joint that moves, and this one is fixed; leave it out";
    if (armature > 0.0 && (joint == "ball" || joint == "free")) return "`armature` is of a joint with one coordinate, and this one is " + joint + "; leave it out";
    return RigidBody{.mass_value = mass, .inertia = inertia}.invalid();
  }

  TreeJoint type() const {
    if (joint == "fixed") return TreeJoint::fixed;
    if (joint == "ball") return TreeJoint::ball;
    if (joint == "free") return TreeJoint::free;
    return joint == "revolute" ? TreeJoint::revolute : TreeJoint::prismatic;
  }
  LinkOfTree link() const {
    return {.joint = {type(), {position, rotation_exp(rotation)}, axis}, .mass = mass, .inertia = inertia, .center = center_of_mass, .rotor = armature * ratio * ratio};
  }
};

}  // namespace saltus
