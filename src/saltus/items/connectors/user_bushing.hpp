// A user's force law between two frames in all six directions.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/connectors/sequential_angles.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B: (f, E^T m), (f, m) = F(t, u, u'), u = (p_AB in A, Tait-Bryan angles of R_AB), E from angular velocity to their rates: the power
/// of B against A is F . u'.
struct UserBushing {
  Function effort = Function(std::vector<double>(6));

  using port = FramePair;
  static constexpr bool located = true;
  static constexpr std::string_view name = "user_bushing";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc =
      "A force law in six directions between two frames: of B's position in A and its Tait-Bryan angles about x, y, z, and of their rates.";
  static constexpr auto fields() {
    return std::tuple{field("force", &UserBushing::effort, "N, N m",
                            "three forces along the axes of A and three torques conjugate to the angles a, b, c (R = R_x(a) R_y(b) R_z(c)), positive against the motion of B",
                            required(function_of("t|x|y|z|a|b|c|vx|vy|vz|va|vb|vc", 6)))};
  }
  bool parallel() const { return effort.parallel(); }
  static constexpr int history = SequentialAngles::size;
  static constexpr bool counts_turns = true;
  template <class C>
  static double expected_angle(const C& context) { return context.history[2] + context.since * context.history[5]; }
  template <class C>
  double remember(const FramePair::View<double>& r, const C& context, double* kept) const { return SequentialAngles::remember(r.R, r.w, context, kept); }
  template <class S>
  Vec6<S> lhs(const FramePair::View<S>& r, const Context<S>& context) const {
    const Vec3<S> angle = SequentialAngles::vector(r.R, context);
    const Mat3<S> E = SequentialAngles::rates(angle);
    const Vec3<S> rate = E * r.w;
    const S in[] = {context.t, r.p[0], r.p[1], r.p[2], angle[0], angle[1], angle[2], r.v[0], r.v[1], r.v[2], rate[0], rate[1], rate[2]};
    S f[6];
    effort(in, f, context.data);
    const Vec3<S> torque = transposed_times(E, Vec3<S>{{f[3], f[4], f[5]}});
    return {{f[0], f[1], f[2], torque[0], torque[1], torque[2]}};
  }
};

}  // namespace saltus
