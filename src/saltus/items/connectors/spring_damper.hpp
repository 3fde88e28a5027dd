// Axial spring and damper between two points: force -(k (L - L0) + c dL/dt - f0) n on B, n the direction from A to B.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Axial spring and damper, LHS on B conjugate to v_B - v_A: (k (L - L0) + c dL/dt - f0) n, n from A to B.
struct SpringDamper {
  double stiffness = 0.0, damping = 0.0, rest_length = 0.0, preload = 0.0;

  using port = PointPair;
  static constexpr bool passive = true;
  static constexpr std::string_view name = "spring_damper";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "coil";
  static constexpr std::string_view doc = "Axial spring and damper between two points: force -(k (L - L0) + c dL/dt - f0) n on B, n the direction from A to B.";
  static constexpr auto fields() {
    return std::tuple{
        field("stiffness", &SpringDamper::stiffness, "N/m", "k, axial stiffness", or_else(at_least(0.0), "use `preload` for an initial force")),
        field("damping", &SpringDamper::damping, "N s/m", "c, axial damping", at_least(0.0)),
        field("rest_length", &SpringDamper::rest_length, "m", "L0, unloaded length", at_least(0.0)),
        field("preload", &SpringDamper::preload, "N", "f0, force that pushes A and B apart at L = L0, v = 0")};
  }
  template <class S>
  Vec3<S> lhs(const PointPair::View<S>& r, const Context<S>&) const {
    const S length = norm(r.p);
    if (!(val(length) > 0.0)) return {};  // no direction: no force
    const Vec3<S> n = r.p * (1.0 / length);
    return n * (stiffness * (length - rest_length) + damping * dot(n, r.v) - preload);
  }
  /// d(s n): n ds^T + s (I - n n^T)/L dp, ds = k n dp + c ((I - n n^T) v/L dp + n dv).
  Mat3<double> jacobian(const PointPair::View<double>& r, const Context<double>&, const Seeds& seeds) const {
    const double length = norm(r.p);
    if (!(length > 0.0)) return {};
    const double inverse = 1.0 / length, at = seeds.value[0];
    const Vec3<double> n = r.p * inverse;
    const double along = dot(n, r.v), turn = at * inverse * (stiffness * (length - rest_length) + damping * along - preload);
    const Vec3<double> of_size = n * (at * stiffness + seeds.rate[0] * damping - turn) + (r.v - n * along) * (at * damping * inverse);
    Mat3<double> K;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) K(i, j) = n[i] * of_size[j];
      K(i, i) += turn;
    }
    return K;
  }
  double potential_energy(const PointPair::View<double>& r, const Context<double>&) const {
    const double stretch = norm(r.p) - rest_length;
    return (0.5 * stiffness * stretch - preload) * stretch;
  }
};

}  // namespace saltus
