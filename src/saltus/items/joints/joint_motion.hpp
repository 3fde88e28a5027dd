// The scalar coordinates that items are written for, and their words: those of nodes, and the motions of B against A in a joint.
#pragma once

#include <string_view>

#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/joint_coordinates.hpp"

namespace saltus {

/// Coordinates of nodes. An item that takes them also takes those of joints, by the name of a marker (markers/joint_coordinate.hpp).
struct NodeCoordinate {
  static constexpr std::string_view unit = "", rate_unit = "", effort_unit = "N or N m";
};

/// Angle of B about the z axis of the joint frames [rad], its turns counted from the start of the model.
/// Effort on B: torque [N m] times the gradient of the angle, which makes springs conservative also where the z axes differ.
/// Singular where they are opposite.
struct Twist {
  static constexpr std::string_view name = "angle", unit = "rad", rate_unit = "rad/s", effort_unit = "N m";
  static constexpr bool counts_turns = true;

  template <class S>
  static S value(const FramePair::View<S>& r) { return alignment::twist(r.R); }
  template <class S>
  static Vec6<S> gradient(const FramePair::View<S>& r) {
    const Vec3<S> g = alignment::twist_gradient(r.R);
    return {{S(0.0), S(0.0), S(0.0), g[0], g[1], g[2]}};
  }
  static Mat6<double> turning(const FramePair::View<double>& r) {
    const Mat3<double> of_angle = alignment::twist_turning(r.R);
    Mat6<double> out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out(3 + i, 3 + j) = of_angle(i, j);
    return out;
  }
};

/// Position of B along the z axis of A's joint frame [m]. Effort on B: force [N] along z.
struct Slide {
  static constexpr std::string_view name = "position", unit = "m", rate_unit = "m/s", effort_unit = "N";
  static constexpr bool counts_turns = false;

  template <class S>
  static S value(const FramePair::View<S>& r) { return r.p[2]; }
  template <class S>
  static Vec6<S> gradient(const FramePair::View<S>&) {
    return {{S(0.0), S(0.0), S(1.0), S(0.0), S(0.0), S(0.0)}};
  }
  static Mat6<double> turning(const FramePair::View<double>&) { return {}; }
};

/// Distance of the points of A and B [m]. Effort: force [N] that pushes them apart. Singular where the points meet.
struct Length {
  static constexpr std::string_view name = "distance", unit = "m", rate_unit = "m/s", effort_unit = "N";
  static constexpr bool counts_turns = false;

  template <class S>
  static S value(const FramePair::View<S>& r) { return norm(r.p); }
  template <class S>
  static Vec6<S> gradient(const FramePair::View<S>& r) {
    const S length = norm(r.p);
    return {{r.p[0] / length, r.p[1] / length, r.p[2] / length, S(0.0), S(0.0), S(0.0)}};
  }
};

/// The motion of this name, null: there is none.
inline const JointMotion* motion_named(std::string_view name) {
  for (const JointMotion* motion : {&motion_of<Twist>(), &motion_of<Slide>(), &motion_of<Length>()})
    if (motion->name == name) return motion;
  return nullptr;
}

/// Which words an item of a scalar coordinate uses.
template <class Of> inline constexpr bool of_node = std::is_same_v<Of, NodeCoordinate>;
template <class Of> inline constexpr bool of_angle = std::is_same_v<Of, Twist>;
template <class Of>
constexpr std::string_view word_for(std::string_view node, std::string_view angle, std::string_view position) {
  return of_node<Of> ? node : of_angle<Of> ? angle : position;
}

}  // namespace saltus
