// A load on a scalar coordinate.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// RHS f(t, q, v); of a joint on B, A gets the opposite.
template <class Of>
struct ScalarLoad {
  Function effort;

  using port = CoordPort<1>;
  using of = Of;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = word_for<Of>("coordinate_load", "joint_torque", "joint_force");
  static constexpr std::string_view section = "loads";
  static constexpr std::string_view picture = "arrow";
  static constexpr std::string_view doc = word_for<Of>("A load on one coordinate.", "A drive torque about the z axis of two joint frames, given as a function.",
                                                       "A drive force along the z axis of two joint frames, given as a function.");
  static constexpr auto fields() {
    return std::tuple{field(word_for<Of>("force", "torque", "force"), &ScalarLoad::effort, of_node<Of> ? "" : Of::effort_unit,
                            word_for<Of>("f(t, q, v), N or N m; of a first-order state its rate, q the state", "M(t, angle, speed) on B about z; the angle counts turns",
                                         "F(t, position, speed) on B along z of A"),
                            required(function_of(word_for<Of>("t|q|v", "t|angle|speed", "t|position|speed"))))};
  }
  bool parallel() const { return effort.parallel(); }
  bool constant_matrix() const { return effort.is_constant(); }
  template <class S>
  S rhs(const port::View<S>& x, const Context<S>& context) const {
    const S in[] = {context.t, x.q[0], x.v[0]};
    S f;
    effort(in, &f, context.data);
    return f;
  }
};

}  // namespace saltus
