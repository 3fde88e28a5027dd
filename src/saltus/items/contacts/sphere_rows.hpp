// Contact of two spheres.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/contact_frame.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// Spheres about frames A and B. Rows (n, t1, t2), n from A to B; 1 row: the gap alone; 2 rows: discs in the x-y plane, t1 = z x n. lambda acts on B. Tangential rows have a
/// rate only: the sliding velocity of B's material point against A's. Turns: rows of the angular velocity of B against A behind
/// them, about t1, t2, n.
template <int Rows, int Turns = 0>
struct SphereContact {
  double radius_A = 0.0, radius_B = 0.0;

  using port = FramePair;
  static constexpr int rows = Rows + Turns, sliding = Rows - 1;
  static constexpr std::string_view name = Turns == 3 ? "sphere_rolling_contact" : Rows == 3 ? "sphere_contact" : Rows == 2 ? "sphere_contact_2d" : "sphere_gap";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "sphere|radius_A|radius_B";
  static constexpr std::string_view doc = Turns == 3  ? "Contact of two spheres, rows (n, t1, t2, roll about t1, t2, spin about n)."
                                          : Rows == 3 ? "Contact of two spheres, rows (n, t1, t2)."
                                          : Rows == 2 ? "Contact of two discs in the x-y plane, rows (n, t = z x n)."
                                                      : "Gap between two spheres, without friction.";
  static constexpr auto fields() {
    return std::tuple{field("radius_A", &SphereContact::radius_A, "m", "radius about A", at_least(0.0)),
                      field("radius_B", &SphereContact::radius_B, "m", "radius about B", at_least(0.0))};
  }
  template <class S>
  Vec<S, rows> h(const FramePair::View<S>& r, const Context<S, rows>&) const {
    Vec<S, rows> y;
    y[0] = norm(r.p) - (radius_A + radius_B);
    return y;
  }
  /// u = v + R w x (-radius_B n), in axes of A; the part of A's rotation is in v. Concentric spheres have no normal: z is taken.
  template <class S>
  Mat<S, rows, 6> jacobian(const FramePair::View<S>& r, const Context<S, rows>&) const {
    const ContactAxes<S> axes = Rows == 2 ? plane_axes(r.p) : contact_axes(r.p);
    const Vec3<S>* directions[] = {&axes.n, &axes.t1, &axes.t2};
    Mat<S, rows, 6> H;
    for (int i = 0; i < Rows; ++i) {
      const Vec3<S>& d = *directions[i];
      const Vec3<S> turn = transposed_times(r.R, cross(axes.n, d) * S(-radius_B));
      for (int k = 0; k < 3; ++k) H(i, k) = d[k], H(i, 3 + k) = i == 0 ? S(0.0) : turn[k];
    }
    for (int i = 0; i < Turns; ++i) {
      const Vec3<S> about = transposed_times(r.R, *directions[(i + 1) % 3]);
      for (int k = 0; k < 3; ++k) H(Rows + i, 3 + k) = about[k];
    }
    return H;
  }
};

}  // namespace saltus
