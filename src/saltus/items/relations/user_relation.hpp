// A user's relation y = h(t, q) between frames and coordinates.
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/relations/place_derivatives.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus {

/// y = h(t, q), q places and rotations of frames, and coordinates; input H^T lambda, H = dh/dq along the ways in which the frames can move,
/// from the function's derivatives (scleronomous or rheonomous).
struct UserRelation {
  int count = 1;
  Function function;

  static constexpr CoordinateKind coordinates = CoordinateKind::none;
  static constexpr bool uses_time = true;
  static constexpr std::string_view name = "user_relation";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A user's relation y = h(t, q) between frames and coordinates.";
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &UserRelation::count, "", "number of equations", at_least(1.0)),
        field("function", &UserRelation::function, "", "h(t, A_x, A_y, A_z, A_R00, ..., A_R22, B_x, ..., q0, q1, ...), one result a row: place and rotation matrix of each frame, then the coordinates", required(function_of("t|pose*|q*", 0)))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"frames", "frame", false, true, "frames, A, B, ... in the function"}, PortInfo{"on", "coordinate", false, true, "coordinates, q0, q1, ... in the function"}};
  }
  static constexpr int sample_frames = 2, sample_coordinates = 3;
  static constexpr std::string_view sample = R"json({"rows": 2, "function": ["0.5*(q0^2 + q1^2 - 1) + sin(t)*q2 + A_x*B_R01 - B_z", "q0*q1*q2 - cos(t*q0) + A_R20*B_R20 + A_y*B_R12*q1"]})json";

  std::string invalid(int frames, int n) const { return sizes::first(sizes::on_nothing(frames, n), sizes::wrong("function", function, count)); }
  int rows() const { return count; }
  bool parallel() const { return function.parallel(); }
  bool takes_axes(int frame) const { return sizes::turns(function, 1 + sizes::pose * frame, sizes::pose); }
  void know_ends(int frames, int n) { derivatives = PlaceDerivatives(function, frames, n, true); }
  template <class S>
  void h(const CoordinateView<S>& x, const S*, S* y) const {
    function(Inputs<S>(x).data(), y, x.data);
  }

  /// H (rows x directions) += dh; false where a derivative is not known, or not finite.
  bool slopes(const CoordinateView<double>& x, double* H) const {
    detail::Buffer<double> y(count);
    return derivatives.known() && derivatives.slopes(x, Inputs<double>(x).data(), y.data(), H);
  }
  /// turning (rows x directions) += d(ydot), the ends moving at `rate`.
  bool turning(const CoordinateView<double>& x, const double* rate, double* turning) const { return derivatives.known() && derivatives.turning(x, Inputs<double>(x).data(), rate, turning); }
  /// K (directions x directions) += d(H^T lambda).
  bool reaction_stiffness(const CoordinateView<double>& x, const double* lambda, double* K) const {
    detail::Buffer<double> y(count);
    detail::Block H(count * x.tangent());
    return derivatives.known() && derivatives.curvature(x, Inputs<double>(x).data(), lambda, y.data(), H.data(), K);
  }

 private:
  template <class S>
  struct Inputs : sizes::Inputs<S> {
    explicit Inputs(const CoordinateView<S>& x) : sizes::Inputs<S>(1 + sizes::pose * x.frames + x.n) { this->add(x.t).add_poses(x).add(x.q, x.n); }
  };
  PlaceDerivatives derivatives;
};

}  // namespace saltus
