// Prescribes the displacement along the z axis of two joint frames.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = z of p_AB in A - position(t) [m]. Stands beside a prismatic or cylindrical joint; lambda is the force along z on B [N].
struct PrismaticDrive {
  Function position;

  using port = FramePair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr std::string_view name = "prismatic_drive";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view doc = "Prescribes the displacement along the z axis of two joint frames.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("position", &PrismaticDrive::position, "m", "prescribed value, a function of t", required(function_of("t")))};
  }
  bool parallel() const { return position.parallel(); }

  template <class S>
  Vec<S, 1> h(const FramePair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    position(&context.t, &prescribed);
    return {{r.p[2] - prescribed}};
  }
};

}  // namespace saltus
