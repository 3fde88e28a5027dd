// A force or a torque at the origin of a frame.
#pragma once

#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

enum class LoadKind { force, torque };

/// RHS (F, 0) or (0, T): components given in world axes or in those of the frame. The port wants forces in world axes, torques
/// in the frame's.
template <LoadKind Kind>
struct FrameLoad {
  static constexpr bool is_force = Kind == LoadKind::force;

  Function components = Function(std::vector<double>{0.0, 0.0, 0.0});
  std::string axes = "world";

  using port = FramePort;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = is_force ? "force" : "torque";
  static constexpr std::string_view section = "loads";
  static constexpr std::string_view picture = "arrow";
  static constexpr std::string_view doc = is_force ? "A force at the origin of a frame." : "A torque on a frame.";
  static constexpr auto fields() {
    return std::tuple{field(name, &FrameLoad::components, is_force ? "N" : "N m", "three components, functions of t", required(function_of("t", 3))),
                      field("axes", &FrameLoad::axes, "",
                            is_force ? "axes of the components: those of the world, or of the frame (follower force)"
                                     : "axes of the components: those of the world, or of the frame",
                            one_of("world|body"))};
  }
  bool parallel() const { return components.parallel(); }
  template <class S>
  Vec6<S> rhs(const Frame<S>& f, const Context<S>& context) const {
    Vec3<S> F;
    components(&context.t, F.data(), context.data);
    const bool world = axes == "world";
    if (is_force && !world) F = f.R * F;
    if (!is_force && world) F = transposed_times(f.R, F);
    const S zero(0.0);
    if constexpr (is_force) return {{F[0], F[1], F[2], zero, zero, zero}};
    else return {{zero, zero, zero, F[0], F[1], F[2]}};
  }
};

}  // namespace saltus
