// A user's relation written for the rates, y = h(t, q, v): nonholonomic.
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/relations/sizes.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus {

/// y = h(t, q, v) is itself the rate (skate, rolling) of frames and coordinates; input (dh/dv)^T lambda.
struct UserRateRelation {
  int count = 1;
  Function function;

  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr Level written = Level::rate;
  static constexpr bool uses_time = true, uses_velocity = true;
  static constexpr std::string_view name = "user_rate_relation";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A user's relation written for the rates, y = h(t, q, v): nonholonomic.";
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &UserRateRelation::count, "", "number of equations", at_least(1.0)),
        field("function", &UserRateRelation::function, "", "h(t, A_x, ..., A_R22, A_vx, A_vy, A_vz, A_wx, A_wy, A_wz, B_x, ..., q0, ..., v0, ...), one result a row: velocities in world axes, then coordinates and their rates", required(function_of("t|frame*|q*|v*", 0)))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"frames", "frame", false, true, "frames, A, B, ... in the function"}, PortInfo{"on", "coordinate", false, true, "coordinates, q0, q1, ... in the function"}};
  }
  static constexpr int sample_frames = 2, sample_coordinates = 3;
  static constexpr std::string_view sample = R"json({"rows": 2, "function": ["v0*sin(q2) - v1*cos(q2) + A_vx*B_R00 + A_wy*B_x", "v2 - 0.4*t*v0 + q1*v1 + B_wz - A_wx*A_R01"]})json";

  std::string invalid(int frames, int n) const { return sizes::first(sizes::on_nothing(frames, n), sizes::wrong("function", function, count)); }
  int rows() const { return count; }
  bool parallel() const { return function.parallel(); }
  template <class S>
  void h(const CoordinateView<S>& x, const S*, S* y) const {
    sizes::Inputs<S> in(1 + sizes::frame * x.frames + 2 * x.n);
    function(in.add(x.t).add_frames(x).add(x.q, x.n).add(x.v, x.n).data(), y, x.data);
  }
};

}  // namespace saltus
