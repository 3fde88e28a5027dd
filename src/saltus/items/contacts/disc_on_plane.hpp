// Where a disc touches a plane: one geometry for contact, rolling without slip and penalty.
#pragma once

#include <limits>
#include <string>

#include "saltus/pool/frame_ports.hpp"

namespace saltus {

/// Disc about the z axis of B with its centre in B, over the plane z = 0 of A. `radius` to the middle of a rim that is rounded by `edge`: radius 0 is
/// a sphere, edge 0 a coin, between them a tyre. Its lowest point lies steepest down in the plane of the disc: c = radius d - edge z
/// from the centre, d = ((a.z) a - z) / sin(tilt), a the axis. There the gap's gradient is that of the material point, as everywhere on an envelope.
struct DiscOnPlane {
  double radius = 0.0, edge = 0.0;

  /// Sine of the tilt below which the disc lies flat: it touches along its rim, no point is the lowest.
  static constexpr double flat = 1e-4;

  template <class S>
  Vec3<S> arm(const Mat3<S>& R) const {
    using std::sqrt;
    if (radius == 0.0) return {{S(0.0), S(0.0), S(-edge)}};
    const S square = R(0, 2) * R(0, 2) + R(1, 2) * R(1, 2), sine = sqrt(square);
    const S share = val(square) > flat * flat ? radius / sine : S(std::numeric_limits<double>::quiet_NaN());
    return {{share * R(2, 2) * R(0, 2), share * R(2, 2) * R(1, 2), -(share * square) - edge}};
  }
  /// Derivative of the arm as the disc turns about its own x (0) or y (1) axis: of d = ((a.z) a - z) / s, s = sin(tilt).
  Vec3<double> arm_turned(const Mat3<double>& R, int about) const {
    if (radius == 0.0) return {};
    const int to = 1 - about;  // a moves by the column -y about x, x about y
    const double sign = about == 0 ? -radius : radius;
    const Vec3<double> a{{R(0, 2), R(1, 2), R(2, 2)}}, da{{R(0, to), R(1, to), R(2, to)}};
    const double square = a[0] * a[0] + a[1] * a[1], s = std::sqrt(square), along = a[2] * da[2] / square;
    const Vec3<double> d = (a * a[2] - Vec3<double>{{0.0, 0.0, 1.0}}) * (1.0 / s);
    return ((a * da[2] + da * a[2]) * (1.0 / s) + d * along) * sign;
  }
  /// Velocity of the point of the disc at the arm c, against A, in the axes of A.
  template <class S>
  static Vec3<S> velocity(const FramePair::View<S>& r, const Vec3<S>& c) {
    return r.v + cross(r.R * r.w, c);
  }
  /// Row of the velocity at c along t: t . (v + R w x c).
  template <class S, int Rows>
  static void velocity_row(const Mat3<S>& R, const Vec3<S>& c, int t, Mat<S, Rows, 6>& H, int row) {
    Vec3<S> direction{};
    direction[t] = S(1.0);
    const Vec3<S> turn = transposed_times(R, cross(c, direction));
    for (int k = 0; k < 3; ++k) H(row, k) = direction[k], H(row, 3 + k) = turn[k];
  }
  std::string trouble(const FramePair::View<double>& r) const {
    const double square = r.R(0, 2) * r.R(0, 2) + r.R(1, 2) * r.R(1, 2);
    if (radius == 0.0 || square > 1e4 * flat * flat) return {};
    return "its disc lies flat on the plane, where no point of the rim is the lowest; end the run before, or give the body the shape of a cylinder, "
           "which touches with its rims";
  }
};

}  // namespace saltus
