// The frame of a section of a beam, between its ends.
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/bodies/beam.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/frame_pool.hpp"

namespace saltus {

/// H(xi) = H_A exp(xi d), d = log(H_A^-1 H_B). Items take it wherever they take a frame; x lies along the beam but for shear.
struct BeamPoint {
  double xi = 0.0;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "beam_point";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "frame";
  static constexpr std::string_view doc = "The frame of a beam's section between its ends: x along the beam, y and z the axes of the section.";
  static constexpr auto fields() {
    return std::tuple{field("xi", &BeamPoint::xi, "", "where on the beam: 0 at its start, 1 at its end", required(or_else(between(0.0, 1.0), "take the beam of the point, and its share of that beam's length")))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"beam", "body", true, false, "the beam"}}; }
  static constexpr std::string_view stands_on = Beam::name;  // its ends are those of this item

  using port = Ports<FramePort, FramePort>;
  template <class S>
  RigidMotion<S> pose(const Frame<S>& A, const Frame<S>& B) const {
    return RigidMotion<S>{A.p, A.R} * motion_exp(motion_log(Beam::motion(A, B)) * xi);
  }
  /// With twists in the axes of each frame: h = (E - xi T(xi d) T^-1(-d)) h_A + xi T(xi d) T^-1(d) h_B, E from A to here.
  template <class S>
  Mat<S, 6, 12> jacobian(const Frame<S>& A, const Frame<S>& B) const {
    const Vec6<S> d = motion_log(Beam::motion(A, B));
    const RigidMotion<S> x = motion_exp(d * xi);
    const Mat6<S> T = motion_tangent(d * xi) * xi, inverse = motion_tangent_inverse(d);
    const Mat6<S> by_A = twist_map(x) - T * opposite(inverse), by_B = T * inverse;
    const Mat3<S> R = A.R * x.R;
    Mat<S, 6, 12> J;
    put(R, by_A, A.R, 0, J);
    put(R, by_B, B.R, 6, J);
    return J;
  }

 private:
  /// Velocities of the map in the world's axes: R to, R^T from.
  template <class S>
  static void put(const Mat3<S>& to, const Mat6<S>& map, const Mat3<S>& from, int column, Mat<S, 6, 12>& J) {
    const auto block = [&](int r, int c) {
      Mat3<S> b;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) b(i, j) = map(r + i, c + j);
      return b;
    };
    const auto write = [&](int r, int c, const Mat3<S>& b) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) J(r + i, column + c + j) = b(i, j);
    };
    const Mat3<S> back = transposed(from);
    write(0, 0, to * block(0, 0) * back), write(0, 3, to * block(0, 3));
    write(3, 0, block(3, 0) * back), write(3, 3, block(3, 3));
  }
};

}  // namespace saltus
