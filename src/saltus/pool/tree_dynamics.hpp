// Kinematics and dynamics of one kinematic tree by recursion over its links (Featherstone 2008). Vectors are in the world's axes about each link's own origin: from link to link
// they are shifted, never turned, and distances are those of joints, not differences of places.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/math/rigid_motion.hpp"
#include "saltus/pool/kinematics.hpp"

namespace saltus {

enum class TreeJoint { fixed, revolute, prismatic, ball, free };

/// What one velocity of a joint does: it turns the link about an axis of its own, or slides it along one of its parent.
struct JointAxis {
  bool turns = false;
  Vec3<double> axis{};
};

/// The joint that carries a link: where it is in the frame of the link's parent, and its axis, the same in its own axes and in the link's. In a tree it has one velocity
/// at most: three axes of the link through one point are a ball, behind three slides a free joint.
struct JointOfLink {
  TreeJoint type = TreeJoint::fixed;
  RigidMotion<double> at;
  Vec3<double> axis{};

  JointOfLink() = default;
  JointOfLink(TreeJoint joint, const RigidMotion<double>& place, const Vec3<double>& direction);
  bool turns() const { return type == TreeJoint::revolute || type == TreeJoint::ball; }
  bool slides() const { return type == TreeJoint::prismatic; }
  /// Whether one number says where the link stands.
  bool has_coordinate() const { return type == TreeJoint::revolute || type == TreeJoint::prismatic; }
  /// By velocity; none of a fixed joint.
  std::vector<JointAxis> axes() const;
  /// Joints of one velocity each that follow each other in its place; itself where it has no more.
  std::vector<JointOfLink> parts() const;
  const Vec3<double>& axis_in_parent() const { return slide_; }
  /// The link's frame as seen from its parent.
  RigidMotion<double> motion(double q) const;

 private:
  Mat3<double> along_ = identity<double>(), across_{}, around_{};  // R = along + across cos q + around sin q (Rodrigues)
  Vec3<double> slide_{};
};

/// Of a quaternion among the coordinates.
inline Mat3<double> rotation_at(const double* q) { return rotation_matrix(Quaternion<double>{{q[0], q[1], q[2], q[3]}}); }

struct LinkOfTree {
  int parent = -1;      // an older link, -1: the base
  int coordinate = -1;  // number of its velocity among those of the tree, -1: a fixed joint
  int turned_by = -1;   // the link, -1: the base, in which the axis of the joint stands: the parent, or that of the first axis of a ball
  JointOfLink joint;
  double mass = 0.0;
  Mat3<double> inertia{};  // about the centre of mass, in the link's axes
  Vec3<double> center{};
  double rotor = 0.0;  // of the joint's drive, as the coordinate feels it: J n^2
  bool has_inertia() const { return mass != 0.0 || inertia.a != Mat3<double>{}.a; }
};

/// A tree: links in an order in which parents come first. Coordinates are the velocities of its joints, in this order.
struct Tree {
  std::vector<LinkOfTree> links;
  std::vector<int> carrier;                // by coordinate: the nearest coordinate towards the base, -1: none
  std::vector<int> link_of;                // by coordinate

  int coordinates() const { return count_of(carrier); }
  /// Whether two links, one before the other, are axes of one ball.
  bool same_ball(int i, int j) const { return links[i].joint.type == TreeJoint::ball && links[j].joint.type == TreeJoint::ball && links[i].turned_by == links[j].turned_by; }
  /// Its number. Joints of more than one velocity come as links without mass.
  int add(const LinkOfTree& link);

 private:
  void add_one(LinkOfTree link);
};

/// Inertia about an origin: [m, -[h]x; [h]x, J], h = m c.
struct LinkInertia {
  double m = 0.0;
  Vec3<double> h{};
  Mat3<double> J{};
};

namespace tree {

/// How a link moves with its parent: r from the parent's origin to its own, the axis of the joint, its axes and angular velocity, all in the world.
struct Motion {
  Mat3<double> R;
  Vec3<double> r, axis, w;
  double rate = 0.0;
};

struct Wrench {
  Vec3<double> force{}, moment{};
};
/// Of a frame: of its origin, and angular.
struct Acceleration {
  Vec3<double> linear{}, angular{};
};
/// The frame of the base, in the world, and its acceleration where those of the coordinates vanish.
struct Base {
  Mat3<double> R;
  Vec3<double> w;
  Acceleration acceleration;
};

/// Numbers of one thread that a recursion fills and forgets.
template <class T, int Use = 0>
T* scratch(int n) {
  thread_local std::vector<T> kept;
  if (kept.size() < static_cast<std::size_t>(n)) kept.resize(n);
  return kept.data();
}

/// q(i), v(i) of coordinate i; q.rotation(i) of the ball whose first it is.
template <class Value, class Rate>
Motion* motions(const Tree& t, const Mat3<double>& base_R, const Vec3<double>& base_w, const Value& q, const Rate& v) {
  Motion* all = scratch<Motion>(count_of(t.links));
  for (std::size_t i = 0; i < t.links.size(); ++i) {
    const LinkOfTree& link = t.links[i];
    const Mat3<double>& R = link.parent < 0 ? base_R : all[link.parent].R;
    RigidMotion<double> x = link.joint.motion(link.joint.has_coordinate() ? q(link.coordinate) : 0.0);
    const bool ball = link.joint.type == TreeJoint::ball;
    if (ball && link.turned_by == link.parent) x.R = x.R * q.rotation(link.coordinate);
    Motion& m = all[i];
    m.R = R * x.R, m.r = R * x.p;
    m.w = link.parent < 0 ? base_w : all[link.parent].w;
    m.axis = ball ? m.R * link.joint.axis : R * link.joint.axis_in_parent();
    m.rate = link.coordinate < 0 ? 0.0 : v(link.coordinate);
    if (link.joint.turns()) m.w += m.axis * m.rate;
  }
  return all;
}

/// Of the links, for a(i) of the coordinates.
template <class Second>
Acceleration* accelerations(const Tree& t, const Motion* motion, const Base& base, const Second& a) {
  Acceleration* all = scratch<Acceleration>(count_of(t.links));
  for (std::size_t i = 0; i < t.links.size(); ++i) {
    const LinkOfTree& link = t.links[i];
    const Motion& m = motion[i];
    const Acceleration& from = link.parent < 0 ? base.acceleration : all[link.parent];
    const Vec3<double>& spin = link.parent < 0 ? base.w : motion[link.parent].w;
    Acceleration& to = all[i];
    to.angular = from.angular;
    to.linear = from.linear + cross(from.angular, m.r) + cross(spin, cross(spin, m.r));
    if (link.coordinate < 0) continue;
    const double second = a(link.coordinate);
    if (link.joint.turns()) to.angular += cross(link.turned_by < 0 ? base.w : motion[link.turned_by].w, m.axis * m.rate) + m.axis * second;
    else to.linear += cross(spin, m.axis * m.rate) * 2.0 + m.axis * second;
  }
  return all;
}

/// What the motion of a link alone takes, about its origin.
Wrench wrench_of(const LinkOfTree& link, const Motion& m, const Acceleration& of, const Vec3<double>& gravity);

/// Inverse dynamics: forces of the joints, force(i, x), and the wrench on the base about its origin, for a(i) of the coordinates.
template <class Second, class Put>
Wrench inverse_dynamics(const Tree& t, const Motion* motion, const Base& base, const Second& a, const Vec3<double>& gravity, const Put& force) {
  const int n = count_of(t.links);
  const Acceleration* acceleration = accelerations(t, motion, base, a);
  Wrench* wrench = scratch<Wrench>(n);
  for (int i = 0; i < n; ++i) wrench[i] = wrench_of(t.links[i], motion[i], acceleration[i], gravity);
  Wrench on_base;
  for (int i = n; i-- > 0;) {
    const LinkOfTree& link = t.links[i];
    if (link.coordinate >= 0) force(link.coordinate, dot(motion[i].axis, link.joint.turns() ? wrench[i].moment : wrench[i].force) + link.rotor * a(link.coordinate));
    Wrench& to = link.parent < 0 ? on_base : wrench[link.parent];
    to.force += wrench[i].force, to.moment += wrench[i].moment + cross(motion[i].r, wrench[i].force);
  }
  return on_base;
}

/// K := by_value times the derivative of inverse dynamics at vdot = 0 by the coordinates, balls turned about the axes of their links, + by_rate times that by the velocities, row by row. by_base: in
/// front of the coordinates stand the force on the base in the world and the moment in its axes, as the base moves and turns so, its acceleration being given.
void differentiate(const Tree& t, const Motion* motion, const Base& base, const Vec3<double>& gravity, double by_value, double by_rate, bool by_base, double* K);

/// Composite inertias (Walker, Orin 1982): entry(i, j, x) of M for each coordinate i and j = i or a carrier of it, base(i, wrench) what coordinate i puts on the base; returns the
/// inertia of the whole about the base's origin, in the world's axes.
LinkInertia add_shifted(const LinkInertia& of, const Vec3<double>& r, const LinkInertia& to);
LinkInertia in_world(const LinkOfTree& link, const Mat3<double>& R);

template <class Entry, class Base>
LinkInertia composite_inertias(const Tree& t, const Motion* motion, const Entry& entry, const Base& base) {
  const int n = count_of(t.links);
  LinkInertia* inertia = scratch<LinkInertia>(n);
  for (int i = 0; i < n; ++i) inertia[i] = in_world(t.links[i], motion[i].R);
  LinkInertia whole;
  for (int i = n; i-- > 0;) {
    const LinkOfTree& link = t.links[i];
    if (link.coordinate >= 0) {
      const Vec3<double>& s = motion[i].axis;
      const LinkInertia& I = inertia[i];
      Wrench p = link.joint.turns() ? Wrench{cross(s, I.h), I.J * s} : Wrench{s * I.m, cross(I.h, s)};
      for (int j = i; j >= 0; j = t.links[j].parent) {
        const LinkOfTree& on = t.links[j];
        if (on.coordinate >= 0) entry(link.coordinate, on.coordinate, dot(motion[j].axis, on.joint.turns() ? p.moment : p.force) + (j == i ? link.rotor : 0.0));
        p.moment += cross(motion[j].r, p.force);
      }
      base(link.coordinate, p);
    }
    LinkInertia& to = link.parent < 0 ? whole : inertia[link.parent];
    to = add_shifted(inertia[i], motion[i].r, to);
  }
  return whole;
}

/// a := M^-1 force on a base that stands, by articulated bodies (Featherstone 1983): the cost grows with the number of links. Number of the link whose joint
/// has no inertia, -1: all have.
int solve_mass(const Tree& t, const Motion* motion, const double* force, double* a);

double kinetic_energy(const Tree& t, const Motion* motion, const Frame<double>& base);
/// Momentum of all links, and its moment about the origin of the base.
Wrench momentum(const Tree& t, const Motion* motion, const Frame<double>& base);
double potential_energy(const Tree& t, const Motion* motion, const Frame<double>& base, const Vec3<double>& gravity);

}  // namespace tree
}  // namespace saltus
