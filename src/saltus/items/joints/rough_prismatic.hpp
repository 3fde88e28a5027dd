// Prismatic joint with friction of its own reaction.
#pragma once

#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/prismatic.hpp"
#include "saltus/items/joints/sliding_share.hpp"

namespace saltus {

/// Prismatic joint in a guide of length l: the reaction as two forces across at its ends, N = |f/2 + z x m/l| + |f/2 - z x m/l|, friction mu N against
/// the motion of B; l = 0: N = |f|.
struct RoughPrismatic : Prismatic {
  double friction = 0.0, length = 0.0, slip_speed = 1e-3;

  static constexpr bool has_input = true;
  static constexpr std::string_view name = "rough_prismatic";
  static constexpr std::string_view doc = "Prismatic joint with friction from its own reaction; smooth at zero speed, so that it creeps under load.";
  static constexpr auto fields() {
    return std::tuple{field("friction", &RoughPrismatic::friction, "", "mu", required(at_least(0.0))),
                      field("length", &RoughPrismatic::length, "m", "l of the guide, over which it carries moments; 0: these have no friction", at_least(0.0)),
                      field("slip_speed", &RoughPrismatic::slip_speed, "m/s", "speed below which friction falls to 0", above(0.0))};
  }
  template <class S>
  Vec<S, 6> g(const FramePair::View<S>& r, const Context<S, 5>& context) const {
    using std::sqrt;
    const auto& f = context.lambda;
    Mat<S, 5, 6> H;
    H(0, 0) = H(1, 1) = S(1.0);
    alignment::lock_rows(r.R, H, 2);
    Vec<S, 6> out = transposed_times(H, f);
    const S size = [&] {
      if (length == 0.0) return S(sqrt(f[0] * f[0] + f[1] * f[1]));
      const S x = -1.0 * f[3] * (1.0 / length), y = f[2] * (1.0 / length);  // z x m / l
      const S a = 0.5 * f[0] + x, b = 0.5 * f[1] + y, c = 0.5 * f[0] - x, d = 0.5 * f[1] - y;
      return S(sqrt(a * a + b * b) + sqrt(c * c + d * d));
    }();
    out[2] = out[2] - friction * size * sliding_share(r.v[2], slip_speed);
    return out;
  }
};

}  // namespace saltus
