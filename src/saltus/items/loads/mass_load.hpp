// A load in proportion to the mass.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// m a(t, x, x') at the centre of mass, a given in the axes of a frame, x and x' the place and velocity of the centre of mass as seen from it:
/// gravity of one body, gravity that changes, a shaken floor, centrifugal and Coriolis forces. The frame feels nothing. Of a field that varies over the body the
/// value at the centre of mass counts.
struct MassLoad {
  double mass = 0.0;
  Vec3<double> center_of_mass{};
  Function acceleration = Function(std::vector<double>(3));

  using port = Ports<FramePort, FramePort>;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "mass_load";
  static constexpr std::string_view section = "loads";
  static constexpr std::string_view picture = "arrow";
  static constexpr std::string_view doc = "A load in proportion to the mass, of an acceleration field in the axes of a frame, at the centre of mass.";
  static constexpr auto fields() {
    return std::tuple{field("mass", &MassLoad::mass, "kg", "m", required(at_least(0.0))),
                      field("center_of_mass", &MassLoad::center_of_mass, "m", "where it acts, in the axes of the body's frame"),
                      field("acceleration", &MassLoad::acceleration, "m/s^2", "three components, functions of t and of the place and velocity of the centre of mass in the frame",
                            required(function_of("t|x|y|z|vx|vy|vz", 3)))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"on", "frame", true, false, "the body"}, PortInfo{"axes", "frame", true, false, "the frame of the field, or `ground`"}};
  }
  bool parallel() const { return acceleration.parallel(); }
  template <class S>
  Vec<S, 12> rhs(const Frame<S>& body, const Frame<S>& axes, const Context<S>& context) const {
    Vec3<S> arm;
    for (int i = 0; i < 3; ++i) arm[i] = S(center_of_mass[i]);
    const Vec3<S> reach = body.R * arm, from = body.p + reach - axes.p, speed = body.v + body.R * cross(body.w, arm) - axes.v;
    const Vec3<S> place = transposed_times(axes.R, from), rate = transposed_times(axes.R, speed) - cross(axes.w, place);
    const S in[] = {context.t, place[0], place[1], place[2], rate[0], rate[1], rate[2]};
    Vec3<S> a;
    acceleration(in, a.data(), context.data);
    const Vec3<S> force = axes.R * a * S(mass), torque = cross(arm, transposed_times(body.R, force));
    Vec<S, 12> out;
    for (int i = 0; i < 3; ++i) out[i] = force[i], out[3 + i] = torque[i];
    return out;
  }
};

}  // namespace saltus
