// A torque about, or a force along, the z axis of two joint frames, given as a function.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// RHS on B: effort(t, u, du/dt) grad u, u the joint's motion; A gets the opposite.
template <class Motion>
struct JointLoad {
  Function effort;

  using port = FramePair;
  static constexpr bool is_load = true;
  static constexpr bool located = true;
  static constexpr std::string_view name = Motion::rotates ? "joint_torque" : "joint_force";
  static constexpr std::string_view section = "loads";
  static constexpr std::string_view doc = Motion::rotates ? "A drive torque about the z axis of two joint frames, given as a function."
                                                          : "A drive force along the z axis of two joint frames, given as a function.";
  static constexpr auto fields() {
    return std::tuple{field(Motion::rotates ? "torque" : "force", &JointLoad::effort, Motion::effort_unit,
                            Motion::rotates ? "M(t, angle, speed) on B about z; the angle counts turns" : "F(t, position, speed) on B along z of A",
                            required(function_of(Motion::rotates ? "t|angle|speed" : "t|position|speed")))};
  }
  bool parallel() const { return effort.parallel(); }
  static constexpr int history = Motion::history;
  static constexpr bool counts_turns = true;
  template <class C>
  static double expected_angle(const C& context) { return Motion::expected_angle(context); }
  template <class C>
  double remember(const FramePair::View<double>& r, const C& context, double* kept) const { return Motion::remember(r, context, kept); }
  template <class S>
  Vec6<S> rhs(const FramePair::View<S>& r, const Context<S>& context) const {
    const S in[] = {context.t, Motion::value(r, context), Motion::rate(r)};
    S size;
    effort(in, &size);
    return Motion::gradient(r) * size;
  }
};

}  // namespace saltus
