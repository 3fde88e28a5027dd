// A torque on a frame.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// RHS (0, tau), tau in the axes of the frame: R^T T(t) with axes = world, T(t) with axes = body.
struct Torque {
  Function torque = Function(std::vector<double>{0.0, 0.0, 0.0});
  std::string axes = "world";

  using port = FramePort;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "torque";
  static constexpr std::string_view section = "loads";
  static constexpr std::string_view doc = "A torque on a frame.";
  static constexpr auto fields() {
    return std::tuple{field("torque", &Torque::torque, "N m", "three components, functions of t", required(function_of("t", 3))),
                      field("axes", &Torque::axes, "", "axes of the components: those of the world, or of the frame", one_of("world|body"))};
  }
  bool parallel() const { return torque.parallel(); }
  template <class S>
  Vec6<S> rhs(const Frame<S>& f, const Context<S>& context) const {
    Vec3<S> T;
    torque(&context.t, T.data());
    if (axes == "world") T = transposed_times(f.R, T);
    return {{S(0.0), S(0.0), S(0.0), T[0], T[1], T[2]}};
  }
};

}  // namespace saltus
