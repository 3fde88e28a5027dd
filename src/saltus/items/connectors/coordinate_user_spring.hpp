// A user's force law between two coordinates.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B: f(t, u, v), u = q_B - q_A. A or B may be ground.
struct CoordinateUserSpring {
  Function force;

  using port = CoordPair;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view name = "coordinate_user_spring";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "coil";
  static constexpr std::string_view doc = "A force law f(t, u, v) between two coordinates.";
  static constexpr auto fields() {
    return std::tuple{field("force", &CoordinateUserSpring::force, "",
                            "f(t, u, v), positive pulls B towards A; u = q_B - q_A, v its rate; N or N m", required(function_of("t|u|v")))};
  }
  bool parallel() const { return force.parallel(); }
  template <class S>
  S lhs(const CoordPair::View<S>& x, const Context<S>& context) const {
    const S in[] = {context.t, x.q, x.v};
    S f;
    force(in, &f, context.data);
    return f;
  }
};

}  // namespace saltus
