// Prescribes the angle about the z axis of two joint frames.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = twist of R_AB - angle(t) [rad], taken within half a turn of 0. Stands beside a revolute or cylindrical joint; lambda is
/// the torque about z on B [N m].
struct RevoluteDrive {
  Function angle;

  using port = FramePair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr std::string_view name = "revolute_drive";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view doc = "Prescribes the angle about the z axis of two joint frames.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("angle", &RevoluteDrive::angle, "rad", "prescribed value, a function of t", required(function_of("t")))};
  }
  bool parallel() const { return angle.parallel(); }

  template <class S>
  Vec<S, 1> h(const FramePair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    angle(&context.t, &prescribed);
    return {{alignment::wrapped(alignment::twist(r.R) - prescribed)}};
  }
};

}  // namespace saltus
