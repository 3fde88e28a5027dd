// Revolute joint with friction of its own reaction.
#pragma once

#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/revolute.hpp"
#include "saltus/items/joints/sliding_share.hpp"

namespace saltus {

/// Revolute joint in a journal bearing: torque mu (r |radial force| + r_z |axial force|) against the turn of B, of the multipliers of the same instant.
struct RoughRevolute : Revolute {
  double friction = 0.0, radius = 0.0, axial_radius = 0.0, slip_speed = 1e-3;

  static constexpr bool has_input = true;
  static constexpr std::string_view name = "rough_revolute";
  static constexpr std::string_view doc = "Revolute joint with friction from its own reaction; smooth at zero speed, so that it creeps under load.";
  static constexpr auto fields() {
    return std::tuple{field("friction", &RoughRevolute::friction, "", "mu", required(at_least(0.0))),
                      field("radius", &RoughRevolute::radius, "m", "r, of the pin: lever of the friction of the radial force", required(at_least(0.0))),
                      field("axial_radius", &RoughRevolute::axial_radius, "m", "r_z, lever of the friction of the axial force", at_least(0.0)),
                      field("slip_speed", &RoughRevolute::slip_speed, "rad/s", "speed below which friction falls to 0", above(0.0))};
  }
  template <class S>
  Vec<S, 6> g(const FramePair::View<S>& r, const Context<S, 5>& context) const {
    using std::abs, std::sqrt;
    const auto& f = context.lambda;
    Vec<S, 6> out = transposed_times(jacobian(r, context), f);
    const S level = friction * (radius * sqrt(f[0] * f[0] + f[1] * f[1]) + axial_radius * abs(f[2]));
    out[5] = out[5] - level * sliding_share(r.w[2], slip_speed);
    return out;
  }
};

}  // namespace saltus
