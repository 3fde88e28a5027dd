// A user's force law along the line between two points.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B conjugate to v_B - v_A: f(t, L, dL/dt) n, n from A to B. An item of its own: a spring_damper stays 32 bytes.
struct UserSpring {
  Function tension;

  using port = PointPair;
  static constexpr std::string_view name = "user_spring";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "coil";
  static constexpr std::string_view doc = "A force law f(t, L, dL/dt) along the line between two points.";
  static constexpr auto fields() {
    return std::tuple{field("tension", &UserSpring::tension, "N", "f(t, L, dL), positive pulls the points together; dL = dL/dt",
                            required(function_of("t|L|dL")))};
  }
  bool parallel() const { return tension.parallel(); }
  template <class S>
  Vec3<S> lhs(const PointPair::View<S>& r, const Context<S>& context) const {
    const S length = norm(r.p);
    if (!(val(length) > 0.0)) return {};  // no direction: no force
    const Vec3<S> n = r.p * (1.0 / length);
    const S in[] = {context.t, length, dot(n, r.v)};
    S f;
    tension(in, &f, context.data);
    return n * f;
  }
};

}  // namespace saltus
