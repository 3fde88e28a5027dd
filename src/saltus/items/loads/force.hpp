// A force at the origin of a frame.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// RHS (F, 0): F(t) in world axes, or R F(t) with axes = body.
struct Force {
  Function force = Function(std::vector<double>{0.0, 0.0, 0.0});
  std::string axes = "world";

  using port = FramePort;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "force";
  static constexpr std::string_view section = "loads";
  static constexpr std::string_view doc = "A force at the origin of a frame.";
  static constexpr auto fields() {
    return std::tuple{field("force", &Force::force, "N", "three components, functions of t", required(function_of("t", 3))),
                      field("axes", &Force::axes, "", "axes of the components: those of the world, or of the frame (follower force)", one_of("world|body"))};
  }
  bool parallel() const { return force.parallel(); }
  template <class S>
  Vec6<S> rhs(const Frame<S>& f, const Context<S>& context) const {
    Vec3<S> F;
    force(&context.t, F.data());
    if (axes == "body") F = f.R * F;
    return {{F[0], F[1], F[2], S(0.0), S(0.0), S(0.0)}};
  }
};

}  // namespace saltus
