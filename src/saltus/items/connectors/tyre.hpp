// Tyre of a wheel on a plane.
#pragma once

#include <array>
#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// A wheel, a disc of radius r about the y axis of B, rolls on the plane z = 0 of A. Its lowest point enters by d: F_z = k d + c d', not below 0. The patch p
/// is above it, on the plane, so that the wheel rolls with its loaded radius; in the air p is the lowest point.
/// x along the plane and the wheel's plane, y = z x x. Slips kappa and tan alpha follow what the patch sees with the relaxation lengths s:
/// s_x dkappa/dt + |v_x| kappa = -v_sx, s_y dtan_alpha/dt + |v_x| tan_alpha = -v_sy, v_s the velocity of the wheel's material at p
/// (Pacejka, Tire and Vehicle Dynamics, 2012, ch. 7). F_x(kappa, F_z) and F_y(tan alpha, F_z) act at p; where `friction` is given their sum
/// is shortened to mu F_z.
struct Tyre {
  double radius = 0.0, stiffness = 0.0, damping = 0.0, friction = 0.0, relaxation_x = 0.0, relaxation_y = 0.0;
  Function longitudinal, lateral;

  using port = Ports<CoordPort<2>, FramePair>;
  static constexpr bool lets_go = true;
  static constexpr bool is_load = true;
  static constexpr std::array coordinate_kinds{CoordinateKind::ode1, CoordinateKind::ode1, CoordinateKind::none, CoordinateKind::none};
  static constexpr std::string_view name = "tyre";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "Tyre of a wheel about the y axis of B on the plane z = 0 of A: vertical spring, slip forces, relaxation lengths; its two slips are first-order states.";
  static constexpr std::string_view sample =
      R"({"radius": 9, "stiffness": 2, "damping": 0.3, "relaxation_x": 0.7, "relaxation_y": 0.9, "longitudinal": "3*slip + 0.1*load", "lateral": "2*atan(slip)*load"})";  // of the property tests: on the ground
  static constexpr auto fields() {
    return std::tuple{field("radius", &Tyre::radius, "m", "r of the free wheel", required(above(0.0))),
                      field("stiffness", &Tyre::stiffness, "N/m", "k against the plane", required(or_else(above(0.0), "a tyre carries by being pressed in"))),
                      field("damping", &Tyre::damping, "N s/m", "c against the plane", at_least(0.0)),
                      field("relaxation_x", &Tyre::relaxation_x, "m", "s_x", required(above(0.0))),
                      field("relaxation_y", &Tyre::relaxation_y, "m", "s_y", required(above(0.0))),
                      field("longitudinal", &Tyre::longitudinal, "N", "F_x(slip, load), slip kappa, load F_z: formula, Magic Formula, table", required(function_of("slip|load"))),
                      field("lateral", &Tyre::lateral, "N", "F_y(slip, load), slip tan alpha", required(function_of("slip|load"))),
                      field("friction", &Tyre::friction, "", "mu, of the largest horizontal force; 0: none is set", at_least(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"longitudinal_slip", "coordinate", true, false, "a first-order state: kappa"},
                      PortInfo{"lateral_slip", "coordinate", true, false, "a first-order state: tan alpha"},
                      PortInfo{"A", "frame", true, false, "frame whose plane z = 0 is the ground"}, PortInfo{"B", "frame", true, false, "the wheel, it turns about its y axis"}};
  }
  bool parallel() const { return longitudinal.parallel() && lateral.parallel(); }
  template <class S>
  Vec<S, 8> rhs(const CoordPort<2>::View<S>& slips, const FramePair::View<S>& r, const Context<S>& context) const {
    using std::abs, std::sqrt;
    const Vec3<S> z{{S(0.0), S(0.0), S(1.0)}}, axis{{r.R(0, 1), r.R(1, 1), r.R(2, 1)}};
    const S flat = sqrt(1.0 - axis[2] * axis[2]);
    Vec<S, 8> out;
    if (!(val(flat) > 1e-9)) return out;  // the disc lies on the ground: no lowest point
    const Vec3<S> x = cross(axis, z) * (1.0 / flat), y = cross(z, x), down = (axis * axis[2] - z) * (1.0 / flat), w = r.R * r.w;
    const S depth = radius * flat - r.p[2];
    const Vec3<S> arm = down * (val(depth) > 0.0 ? S(r.p[2] / flat) : S(radius)), at = r.v + cross(w, arm);
    const S forward = dot(x, r.v), speed = abs(forward);
    out[0] = -1.0 * (dot(x, at) + speed * slips.q[0]) * (1.0 / relaxation_x);
    out[1] = -1.0 * (dot(y, at) + speed * slips.q[1]) * (1.0 / relaxation_y);
    const S load = stiffness * depth - damping * (r.v[2] + radius * cross(w, down)[2]);  // the turn about the axis moves the lowest point along the plane
    if (!(val(depth) > 0.0) || !(val(load) > 0.0)) return out;
    const S in_x[] = {slips.q[0], load}, in_y[] = {slips.q[1], load};
    S along, across;
    longitudinal(in_x, &along, context.data), lateral(in_y, &across, context.data);
    if (friction > 0.0) {
      const S size = sqrt(along * along + across * across);
      if (val(size) > friction * val(load)) along *= friction * load / size, across *= friction * load / size;
    }
    const Vec3<S> force = x * along + y * across + z * load, torque = transposed_times(r.R, cross(arm, force));
    for (int i = 0; i < 3; ++i) out[2 + i] = force[i], out[5 + i] = torque[i];
    return out;
  }
};

}  // namespace saltus
