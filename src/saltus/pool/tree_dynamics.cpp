#include "saltus/pool/tree_dynamics.hpp"

#include <cmath>

#include "saltus/base/index.hpp"

namespace saltus {

JointOfLink::JointOfLink(TreeJoint joint, const RigidMotion<double>& place, const Vec3<double>& direction) : type(joint), at(place), axis(direction), slide_(place.R * direction) {
  if (joint == TreeJoint::ball || joint == TreeJoint::free) {
    along_ = place.R;
    return;
  }
  const Mat3<double> k = skew(direction), square = k * k;
  along_ = place.R * (identity<double>() + square), across_ = place.R * square * -1.0, around_ = place.R * k;
}

RigidMotion<double> JointOfLink::motion(double q) const {
  RigidMotion<double> x;
  x.p = slides() ? at.p + slide_ * q : at.p;
  const double c = turns() ? std::cos(q) : 1.0, s = turns() ? std::sin(q) : 0.0;
  for (std::size_t i = 0; i < 9; ++i) x.R.a[i] = along_.a[i] + across_.a[i] * c + around_.a[i] * s;
  return x;
}

namespace {
Vec3<double> unit(int i) {
  Vec3<double> e{};
  e[i] = 1.0;
  return e;
}
}  // namespace

std::vector<JointAxis> JointOfLink::axes() const {
  if (type == TreeJoint::revolute) return {{true, axis}};
  if (type == TreeJoint::prismatic) return {{false, slide_}};
  std::vector<JointAxis> all;
  for (int i = 0; i < 3 && type == TreeJoint::free; ++i) all.push_back({false, at.R * unit(i)});
  for (int i = 0; i < 3 && type != TreeJoint::fixed; ++i) all.push_back({true, unit(i)});
  return all;
}

std::vector<JointOfLink> JointOfLink::parts() const {
  if (type != TreeJoint::ball && type != TreeJoint::free) return {*this};
  std::vector<JointOfLink> all;
  for (const JointAxis& one : axes()) {
    const int axis = count_of(all) % 3;
    all.push_back({one.turns ? TreeJoint::ball : TreeJoint::prismatic, all.empty() ? at : RigidMotion<double>{}, unit(axis)});
  }
  return all;
}

int Tree::add(const LinkOfTree& link) {
  const std::vector<JointOfLink> parts = link.joint.parts();
  int ball = -1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    LinkOfTree one = i + 1 < parts.size() ? LinkOfTree{} : link;
    one.joint = parts[i], one.parent = i == 0 ? link.parent : count_of(links) - 1;
    const bool follows = i > 0 && parts[i].type == TreeJoint::ball && parts[i - 1].type == TreeJoint::ball;
    one.turned_by = ball = follows ? ball : one.parent;
    add_one(std::move(one));
  }
  return count_of(links) - 1;
}

void Tree::add_one(LinkOfTree link) {
  link.coordinate = link.joint.type == TreeJoint::fixed ? -1 : coordinates();
  if (link.coordinate >= 0) {
    int on = link.parent;
    while (on >= 0 && links[on].coordinate < 0) on = links[on].parent;
    carrier.push_back(on < 0 ? -1 : links[on].coordinate);
    link_of.push_back(count_of(links));
  }
  links.push_back(std::move(link));
}

namespace tree {

LinkInertia in_world(const LinkOfTree& link, const Mat3<double>& R) {
  LinkInertia out;
  if (!link.has_inertia()) return out;
  const Vec3<double> c = R * link.center;
  out.m = link.mass, out.h = c * link.mass;
  const Mat3<double> turned = R * link.inertia;
  const double square = dot(c, out.h);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      double x = -out.h[i] * c[j] + (i == j ? square : 0.0);
      for (int k = 0; k < 3; ++k) x += turned(i, k) * R(j, k);
      out.J(i, j) = out.J(j, i) = x;
    }
  return out;
}

/// J about an origin from which this one is at r: J + (2 r.h + m r.r) 1 - h r^T - r h^T - m r r^T.
LinkInertia add_shifted(const LinkInertia& of, const Vec3<double>& r, const LinkInertia& to) {
  LinkInertia out = to;
  const Vec3<double> h = of.h + r * of.m;
  const double square = dot(r, of.h) + dot(r, h);
  out.m += of.m, out.h += h;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.J(i, j) += of.J(i, j) - of.h[i] * r[j] - r[i] * h[j] + (i == j ? square : 0.0);
  return out;
}

Wrench wrench_of(const LinkOfTree& link, const Motion& m, const Acceleration& of, const Vec3<double>& gravity) {
  if (!link.has_inertia()) return {};
  const Vec3<double> c = m.R * link.center, w = transposed_times(m.R, m.w);
  const Vec3<double> force = (of.linear + cross(of.angular, c) + cross(m.w, cross(m.w, c)) - gravity) * link.mass;
  return {force, m.R * (link.inertia * transposed_times(m.R, of.angular) + cross(w, link.inertia * w)) + cross(c, force)};
}

namespace {

/// Force and moment by linear and angular acceleration: [A, B; B^T, C], A and C symmetric.
struct Articulated {
  Mat3<double> A{}, B{}, C{};
  Wrench bias{};
};

/// What the joint's own motion takes, and lets through: inertia times the axis.
struct Axis {
  Wrench U;
  double inverse = 0.0;
};

void take(Mat3<double>& m, const Vec3<double>& x, const Vec3<double>& y, double factor) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) -= factor * x[i] * y[j];
}

/// to += from, shifted by r.
void add_shifted(const Articulated& from, const Vec3<double>& r, Articulated& to) {
  const Mat3<double> rA = cross(r, from.A), rB = cross(r, from.B);
  // B' = B - A [r]x = B + (r x A)^T, C' = C + [r]x B - B^T [r]x - [r]x A [r]x.
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      to.A(i, j) += from.A(i, j);
      to.B(i, j) += from.B(i, j) + rA(j, i);
      to.C(i, j) += from.C(i, j) + rB(i, j) + rB(j, i);
    }
  const Mat3<double> square = cross(r, transposed(rA));
  for (int i = 0; i < 9; ++i) to.C.a[i] += square.a[i];
  to.bias.force += from.bias.force, to.bias.moment += from.bias.moment + cross(r, from.bias.force);
}

}  // namespace

int solve_mass(const Tree& t, const Motion* motion, const double* force, double* a) {
  constexpr double lost = 1e-14;  // of the joint's own inertia, that rounding leaves of one that is none
  const int n = count_of(t.links);
  Articulated* body = scratch<Articulated>(n);
  Axis* axis = scratch<Axis>(n);
  for (int i = 0; i < n; ++i) {
    const LinkInertia I = in_world(t.links[i], motion[i].R);
    body[i] = {identity<double>() * I.m, skew(I.h) * -1.0, I.J, {}};
  }
  for (int i = n; i-- > 0;) {
    const LinkOfTree& link = t.links[i];
    Articulated& own = body[i];
    if (link.coordinate >= 0) {
      const Vec3<double>& s = motion[i].axis;
      const bool turns = link.joint.turns();
      Wrench& U = axis[i].U;
      U = turns ? Wrench{own.B * s, own.C * s} : Wrench{own.A * s, transposed_times(own.B, s)};
      const double D = dot(s, turns ? U.moment : U.force) + link.rotor, scale = turns ? own.C(0, 0) + own.C(1, 1) + own.C(2, 2) : own.A(0, 0) + own.A(1, 1) + own.A(2, 2);
      if (!(D > lost * scale)) return i;
      axis[i].inverse = 1.0 / D;
      const double u = force[link.coordinate] - dot(s, turns ? own.bias.moment : own.bias.force);
      a[link.coordinate] = u;
      if (link.parent < 0) continue;
      take(own.A, U.force, U.force, axis[i].inverse), take(own.B, U.force, U.moment, axis[i].inverse), take(own.C, U.moment, U.moment, axis[i].inverse);
      own.bias.force += U.force * (u * axis[i].inverse), own.bias.moment += U.moment * (u * axis[i].inverse);
    }
    if (link.parent >= 0) add_shifted(own, motion[i].r, body[link.parent]);
  }
  Acceleration* acceleration = scratch<Acceleration>(n);
  for (int i = 0; i < n; ++i) {
    const LinkOfTree& link = t.links[i];
    Acceleration now{};
    if (link.parent >= 0) {
      const Acceleration& from = acceleration[link.parent];
      now = {from.linear + cross(from.angular, motion[i].r), from.angular};
    }
    if (link.coordinate >= 0) {
      double& x = a[link.coordinate];
      x = (x - dot(axis[i].U.force, now.linear) - dot(axis[i].U.moment, now.angular)) * axis[i].inverse;
      (link.joint.turns() ? now.angular : now.linear) += motion[i].axis * x;
    }
    acceleration[i] = now;
  }
  return -1;
}

double kinetic_energy(const Tree& t, const Motion* motion, const Frame<double>& base) {
  Vec3<double>* velocity = scratch<Vec3<double>>(count_of(t.links));
  const Vec3<double> spin = base.R * base.w;
  double energy = 0.0;
  for (std::size_t i = 0; i < t.links.size(); ++i) {
    const LinkOfTree& link = t.links[i];
    const Motion& m = motion[i];
    velocity[i] = (link.parent < 0 ? base.v : velocity[link.parent]) + cross(link.parent < 0 ? spin : motion[link.parent].w, m.r);
    if (link.joint.slides()) velocity[i] += m.axis * m.rate;
    const Vec3<double> v = velocity[i] + cross(m.w, m.R * link.center), w = transposed_times(m.R, m.w);
    energy += 0.5 * link.mass * dot(v, v) + 0.5 * dot(w, link.inertia * w) + 0.5 * link.rotor * m.rate * m.rate;
  }
  return energy;
}

Wrench momentum(const Tree& t, const Motion* motion, const Frame<double>& base) {
  Vec3<double>* velocity = scratch<Vec3<double>>(count_of(t.links));
  Vec3<double>* place = scratch<Vec3<double>, 1>(count_of(t.links));  // from the base
  const Vec3<double> spin = base.R * base.w;
  Wrench sum;
  for (std::size_t i = 0; i < t.links.size(); ++i) {
    const LinkOfTree& link = t.links[i];
    const Motion& m = motion[i];
    velocity[i] = (link.parent < 0 ? base.v : velocity[link.parent]) + cross(link.parent < 0 ? spin : motion[link.parent].w, m.r);
    place[i] = m.r;
    if (link.parent >= 0) place[i] += place[link.parent];
    if (link.joint.slides()) velocity[i] += m.axis * m.rate;
    const Vec3<double> c = m.R * link.center, p = (velocity[i] + cross(m.w, c)) * link.mass;
    sum.force += p, sum.moment += cross(place[i] + c, p) + m.R * (link.inertia * transposed_times(m.R, m.w));
  }
  return sum;
}

double potential_energy(const Tree& t, const Motion* motion, const Frame<double>& base, const Vec3<double>& gravity) {
  Vec3<double>* place = scratch<Vec3<double>>(count_of(t.links));
  double energy = 0.0;
  for (std::size_t i = 0; i < t.links.size(); ++i) {
    const LinkOfTree& link = t.links[i];
    place[i] = (link.parent < 0 ? base.p : place[link.parent]) + motion[i].r;
    energy -= link.mass * dot(gravity, place[i] + motion[i].R * link.center);
  }
  return energy;
}

}  // namespace tree
}  // namespace saltus
