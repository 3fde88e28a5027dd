// Rigid connection of two frames.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (p_AB in A [m]; twice the vector part of R_AB's quaternion). lambda: force on B in the axes of A at B's point [N], moment on
/// B [N m]. The rotation rows are regular up to half a turn.
struct Fixed {
  using port = FramePair;
  static constexpr int rows = 6;
  static constexpr std::string_view name = "fixed";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "fixed";
  static constexpr std::string_view doc = "Rigid connection of two frames.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{}; }

  template <class S>
  Vec<S, 6> h(const FramePair::View<S>& r, const Context<S, 6>&) const {
    const Vec3<S> turn = alignment::lock(r.R);
    return {{r.p[0], r.p[1], r.p[2], turn[0], turn[1], turn[2]}};
  }
  template <class S>
  Mat<S, 6, 6> jacobian(const FramePair::View<S>& r, const Context<S, 6>&) const {
    Mat<S, 6, 6> H;
    for (int i = 0; i < 3; ++i) H(i, i) = S(1.0);
    alignment::lock_rows(r.R, H, 3);
    return H;
  }
};

}  // namespace saltus
