// Derivatives of inverse dynamics at vdot = 0 (Carpentier, Mansard 2018; Singh, Russo, Wensing 2022). A coordinate that moves takes all links behind it along as one rigid body. Their
// forces turn with it, and change by the velocities and accelerations of what does not move along.
#include <algorithm>

#include "saltus/pool/tree_dynamics.hpp"

namespace saltus::tree {
namespace {

/// Of a rigid body, about an origin.
struct Twist {
  Vec3<double> angular{}, linear{};
};

Wrench operator*(const LinkInertia& I, const Twist& x) { return {x.linear * I.m + cross(x.angular, I.h), I.J * x.angular + cross(I.h, x.linear)}; }

/// Some links, about an origin.
struct Composite {
  LinkInertia inertia;
  Wrench force;               // that their motion takes
  Vec3<double> momentum{};
  Mat3<double> gyroscopic{};
  /// What a change of their angular velocity adds to that force, beside what it adds to their accelerations; a change of the linear one adds nothing.
  Wrench by_spin(const Vec3<double>& change) const { return {cross(change, momentum) * 2.0, gyroscopic * change}; }
};

/// velocity: of its origin, against that of the base.
Composite composite_of(const LinkOfTree& link, const Motion& m, const Vec3<double>& velocity, const Wrench& force) {
  Composite out{in_world(link, m.R), force};
  if (!link.has_inertia()) return out;
  const Mat3<double> spun = cross(m.w, out.inertia.J);
  out.momentum = velocity * link.mass + cross(m.w, out.inertia.h);
  out.gyroscopic = spun + transposed(spun) + skew(out.inertia.J * m.w) * -1.0 + cross(out.inertia.h, skew(velocity)) * -2.0;
  return out;
}

/// to += from, whose origin is at r.
void add_shifted(const Composite& from, const Vec3<double>& r, Composite& to) {
  to.inertia = tree::add_shifted(from.inertia, r, to.inertia);
  to.force.force += from.force.force, to.force.moment += from.force.moment + cross(r, from.force.force);
  to.momentum += from.momentum;
  const double along = dot(r, from.momentum);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) to.gyroscopic(i, j) += from.gyroscopic(i, j) + 2.0 * ((i == j ? along : 0.0) - from.momentum[i] * r[j]);  // r x 2 (change x momentum)
}

/// A coordinate: its axis about its link's origin, and by how much the velocity (its angular part) and the acceleration of the links behind it change as it does, seen by one who moves along.
struct Column {
  bool turns = false;
  Vec3<double> axis, spin{};
  Twist acceleration;
  double along(const Wrench& w) const { return dot(axis, turns ? w.moment : w.force); }
};

/// The force of links by a coordinate that takes them along: seen by one who turns with it, and by one who does not.
struct Push {
  Wrench turned, whole;
  Push(const Column& c, const Composite& behind, double by_value) : turned(behind.inertia * c.acceleration) {
    const Wrench more = behind.by_spin(c.spin), &f = behind.force;
    turned.force += more.force, turned.moment += more.moment;
    whole = turned;
    whole.moment += cross(c.axis, c.turns ? f.moment : f.force) * by_value;
    if (c.turns) whole.force += cross(c.axis, f.force) * by_value;
  }
};

/// The force of a coordinate, which takes links along, by those before it.
struct Pull {
  Vec3<double> by_spin;
  Wrench by_acceleration;
  Pull(const Column& c, const Composite& behind)
      : by_spin(c.turns ? transposed_times(behind.gyroscopic, c.axis) : cross(behind.momentum, c.axis) * 2.0), by_acceleration(behind.inertia * (c.turns ? Twist{c.axis, {}} : Twist{{}, c.axis})) {}
  double by(const Column& c) const { return dot(by_spin, c.spin) + dot(by_acceleration.moment, c.acceleration.angular) + dot(by_acceleration.force, c.acceleration.linear); }
};

/// One tree: its links, and the columns of its coordinates by link.
struct Parts {
  const Tree& t;
  const Motion* motion;
  const Base& base;
  const Vec3<double>& gravity;
  double by_value, by_rate;
  Composite* links = scratch<Composite>(count_of(t.links));
  Column* columns = scratch<Column>(count_of(t.links));

  void fill() {
    const Acceleration* own = accelerations(t, motion, base, [](int) { return 0.0; });
    Vec3<double>* velocity = scratch<Vec3<double>>(count_of(t.links));
    for (int i = 0; i < count_of(t.links); ++i) {
      const LinkOfTree& link = t.links[i];
      const Motion& m = motion[i];
      velocity[i] = link.parent < 0 ? cross(base.w, m.r) : velocity[link.parent] + cross(motion[link.parent].w, m.r);
      if (link.joint.slides()) velocity[i] += m.axis * m.rate;
      links[i] = composite_of(link, m, velocity[i], wrench_of(link, m, own[i], gravity));
      if (link.coordinate >= 0) columns[i] = column(i, link.turned_by < 0 ? base.acceleration.angular : own[link.turned_by].angular, own[i].linear - gravity, velocity[i]);
    }
  }
  /// angular: the acceleration of the link in which its axis stands; linear, velocity: of its own origin.
  Column column(int i, const Vec3<double>& angular, const Vec3<double>& linear, const Vec3<double>& velocity) const {
    const LinkOfTree& link = t.links[i];
    const Vec3<double>&n = motion[i].axis, &w = link.turned_by < 0 ? base.w : motion[link.turned_by].w;
    const Vec3<double> sweep = cross(w, n), turn = (cross(angular, n) + cross(w, sweep)) * by_value;
    if (!link.joint.turns()) return {false, n, {}, {{}, turn + sweep * (2.0 * by_rate)}};
    int last = i;
    while (last + 1 < count_of(t.links) && t.same_ball(last + 1, i)) ++last;
    return {true, n, sweep * by_value + n * by_rate,
            {turn + (sweep + cross(motion[last].w, n)) * by_rate, cross(linear, n) * by_value + cross(velocity, sweep * by_value + n * by_rate) * 2.0}};
  }
  /// The base turns about its axis c; its acceleration stays as it is in the world.
  Column of_base(int c) const {
    const Vec3<double> n{{base.R(0, c), base.R(1, c), base.R(2, c)}};
    return {true, n, n * by_rate, {cross(base.acceleration.angular, n) * by_value + cross(base.w, n) * by_rate, cross(base.acceleration.linear - gravity, n) * by_value}};
  }
};

}  // namespace

void differentiate(const Tree& t, const Motion* motion, const Base& base, const Vec3<double>& gravity, double by_value, double by_rate, bool by_base, double* K) {
  Parts parts{t, motion, base, gravity, by_value, by_rate};
  parts.fill();
  const int first = by_base ? 6 : 0, size = first + t.coordinates();
  std::fill_n(K, size * size, 0.0);
  Composite all;
  Column of_base[3];
  for (int c = 0; c < 3; ++c) of_base[c] = parts.of_base(c);
  const auto put_on_base = [&](int column, const Wrench& w, const Wrench& turned) {
    for (int r = 0; by_base && r < 3; ++r) K[r * size + column] = w.force[r], K[(3 + r) * size + column] = of_base[r].along(turned);
  };
  for (int i = count_of(t.links); i-- > 0;) {
    const LinkOfTree& link = t.links[i];
    if (link.coordinate >= 0) {
      const int own = first + link.coordinate;
      Push push(parts.columns[i], parts.links[i], by_value);
      Pull pull(parts.columns[i], parts.links[i]);
      for (int j = i; j >= 0; j = t.links[j].parent) {
        if (const int on = first + t.links[j].coordinate; on >= first) {
          K[own * size + on] = pull.by(parts.columns[j]);
          if (j != i) K[on * size + own] = parts.columns[j].along(t.same_ball(i, j) ? push.turned : push.whole);
        }
        const Vec3<double>& r = motion[j].r;
        pull.by_acceleration.moment += cross(r, pull.by_acceleration.force), push.whole.moment += cross(r, push.whole.force);
      }
      for (int c = 0; by_base && c < 3; ++c) K[own * size + 3 + c] = pull.by(of_base[c]);
      put_on_base(own, push.whole, push.whole);
    }
    add_shifted(parts.links[i], motion[i].r, link.parent < 0 ? all : parts.links[link.parent]);
  }
  for (int c = 0; by_base && c < 3; ++c) {
    const Push push(of_base[c], all, by_value);
    put_on_base(3 + c, push.whole, push.turned);
  }
}

}  // namespace saltus::tree
