// Small items of tests: what the catalogue does not hold in this shape. Not part of the library.
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/items/connectors/spring_damper.hpp"
#include "saltus/items/joints/revolute.hpp"
#include "saltus/items/laws/equality.hpp"
#include "saltus/items/nodes/node_point.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/system/builder.hpp"

namespace saltus::testing_items {

/// First-order states or algebraic unknowns.
struct NodeFirst {
  std::vector<double> start;
  static constexpr std::string_view name = "test_first";
  NodeSizes sizes() const { return {.x = count_of(start)}; }
  void initial(double*, double*, double* x, double*, double*) const { std::copy(start.begin(), start.end(), x); }
};
struct NodeAlgebraic {
  double start = 0.0;
  static constexpr std::string_view name = "test_algebraic";
  NodeSizes sizes() const { return {.z = 1}; }
  void initial(double*, double*, double*, double* z, double*) const { *z = start; }
};

/// Force on a coordinate: -k1 q - k3 q^3 - c v + amplitude cos(frequency t); on a first-order state xdot = the same.
struct Oscillator {
  double stiffness = 0.0, cubic = 0.0, damping = 0.0, amplitude = 0.0, frequency = 0.0, shift = 0.0;
  using port = CoordPort<1>;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "test_oscillator";
  template <class S>
  Vec<S, 1> rhs(const port::View<S>& r, const Context<S>& c) const {
    using std::cos;
    const S q = r.q[0] - shift;
    return {{-stiffness * q - cubic * q * q * q - damping * r.v[0] + amplitude * cos(frequency * c.t)}};
  }
};
/// 0 = z + z^3 - q on the algebraic unknown (second endpoint), force -k z on the first.
struct CubicSpring {
  double stiffness = 1.0;
  using port = CoordPort<2>;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "test_cubic";
  template <class S>
  Vec<S, 2> rhs(const port::View<S>& r, const Context<S>&) const {
    const S z = r.q[1];
    return {{-stiffness * z, z + z * z * z - r.q[0]}};
  }
};
/// Attraction mu m / r^2 towards A on B, and 2 W x v turning (Coriolis in a frame turning by W about z) on B.
struct Attraction {
  double strength = 0.0;
  using port = PointPair;
  static constexpr std::string_view name = "test_attraction";
  template <class S>
  Vec3<S> lhs(const PointPair::View<S>& r, const Context<S>&) const {
    const S d = norm(r.p);
    return r.p * (strength / (d * d * d));
  }
};
struct Turning {
  double stiffness = 0.0, rate = 0.0;
  using port = PointPair;
  static constexpr std::string_view name = "test_turning";
  template <class S>
  Vec3<S> lhs(const PointPair::View<S>& r, const Context<S>&) const {
    return {{stiffness * r.p[0] - 2.0 * rate * r.v[1], stiffness * r.p[1] + 2.0 * rate * r.v[0], stiffness * r.p[2]}};
  }
};
/// q = amplitude sin(frequency t).
struct Prescribed {
  double amplitude = 1.0, frequency = 1.0;
  using port = CoordPort<1>;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr std::string_view name = "test_prescribed";
  template <class S>
  Vec<S, 1> h(const port::View<S>& r, const Context<S, 1>& c) const {
    using std::sin;
    return {{r.q[0] - amplitude * sin(frequency * c.t)}};
  }
};
/// q + compliance lambda (1 + lambda^2) = 0.
struct Compliant {
  double compliance = 1.0;
  using port = CoordPort<1>;
  static constexpr int rows = 1;
  static constexpr bool uses_lambda = true;
  static constexpr std::string_view name = "test_compliant";
  template <class S>
  Vec<S, 1> h(const port::View<S>& r, const Context<S, 1>& c) const {
    const S l = c.lambda[0];
    return {{r.q[0] + compliance * l * (S(1.0) + l * l)}};
  }
};
/// v_y = q_x v_x: nonholonomic (rate level) on coordinates (x, y).
struct Knife {
  using port = CoordPort<2>;
  static constexpr int rows = 1;
  static constexpr Level written = Level::rate;
  static constexpr std::string_view name = "test_knife";
  template <class S>
  Vec<S, 1> h(const port::View<S>& r, const Context<S, 1>&) const {
    return {{r.v[1] - r.q[0] * r.v[0]}};
  }
};
/// Points of A and B coincide.
struct Ball {
  using port = FramePair;
  static constexpr int rows = 3;
  static constexpr std::string_view name = "test_ball";
  template <class S>
  Vec<S, 3> h(const FramePair::View<S>& r, const Context<S, 3>&) const { return {{r.p[0], r.p[1], r.p[2]}}; }
};
/// Distance of two points stays `length` (written as its square over 2 lengths).
struct Rod {
  double length = 1.0;
  using port = PointPair;
  static constexpr int rows = 1;
  static constexpr std::string_view name = "test_rod";
  template <class S>
  Vec<S, 1> h(const PointPair::View<S>& r, const Context<S, 1>&) const {
    return {{(dot(r.p, r.p) - S(length * length)) * (0.5 / length)}};
  }
};

inline RigidBody point_mass(double m) { return RigidBody{.mass_value = m, .inertia = identity<double>()}; }
inline LawRef equality() { return {&equality_law()}; }

/// Uniform rod of mass 1, length 2 L, inertia J about its centre, on a revolute about world z at the origin; `angle` from the
/// downward vertical. Gravity along -y.
inline int add_pendulum(SystemBuilder& b, double angle, double rate, int pins = 1) {
  const Vec3<double> turn{{0.0, 0.0, angle}};
  const Vec3<double> arm{{0.0, -1.0, 0.0}};
  const Mat3<double> R = rotation_exp(turn);
  const Vec3<double> w{{0.0, 0.0, rate}};
  const int n = b.node("rod", NodeRigid{.position = R * arm, .rotation = turn, .velocity = cross(w, R * arm), .angular_velocity = w});
  b.object("body", RigidBody{.mass_value = 1.0, .inertia = identity<double>() * (1.0 / 3.0)}, {b.marker(n)});
  for (int i = 0; i < pins; ++i)
    b.relation(i == 0 ? "pin" : "pin_" + std::to_string(i + 1), Revolute{}, {b.ground(), b.marker(n, arm * -1.0)}, equality());
  b.system().gravity = {{0.0, -9.81, 0.0}};
  return n;
}

}  // namespace saltus::testing_items
