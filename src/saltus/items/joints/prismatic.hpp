// Prismatic joint: translation along the z axis of the joint frames is free.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (x, y of p_AB in A [m]; twice the vector part of R_AB's quaternion). lambda: force on B in the axes of A at B's point [N],
/// moment on B [N m]. The rotation rows are regular up to half a turn.
struct Prismatic {
  using port = FramePair;
  static constexpr int rows = 5;
  static constexpr std::string_view name = "prismatic";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "prismatic";
  static constexpr std::string_view doc = "Prismatic joint: translation along the z axis of the joint frames is free.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr std::string_view free_motions() { return "position"; }

  template <class S>
  Vec<S, 5> h(const FramePair::View<S>& r, const Context<S, 5>&) const {
    const Vec3<S> turn = alignment::lock(r.R);
    return {{r.p[0], r.p[1], turn[0], turn[1], turn[2]}};
  }
  template <class S>
  Mat<S, 5, 6> jacobian(const FramePair::View<S>& r, const Context<S, 5>&) const {
    Mat<S, 5, 6> H;
    H(0, 0) = H(1, 1) = S(1.0);
    alignment::lock_rows(r.R, H, 2);
    return H;
  }
};

}  // namespace saltus
