// A frame whose pose is given in time.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/math/function.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (p_AB - position(t) in A [m]; twice the vector part of exp(rotation(t))^T R_AB's quaternion), either part alone by `of`. lambda: force on B
/// in the axes of A [N], moment on B in the given axes [N m]. Regular for any given rotation: what the joint leaves open is small.
struct DrivenFrame {
  Function position{std::vector<double>(3)}, rotation{std::vector<double>(3)};
  std::string of = "pose";

  using port = FramePair;
  static constexpr int rows = 6;
  static constexpr bool uses_time = true;
  static constexpr std::string_view name = "driven_frame";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "joint";
  static constexpr std::string_view doc = "Prescribes position, rotation or both of the frame B in the frame A.";
  static constexpr std::string_view sample = R"json({"position": ["0.3*sin(t)", "t^2", "1 - t"], "rotation": ["0.5*t", "0.2", "0.1*cos(t)"]})json";
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("position", &DrivenFrame::position, "m", "point of B, axes of A: three functions of t", function_of("t", 3)),
                      field("rotation", &DrivenFrame::rotation, "rad", "rotation vector of B's axes in A: three functions of t", function_of("t", 3)),
                      field("of", &DrivenFrame::of, "", "what is prescribed", one_of("pose|position|rotation"))};
  }
  int row_count() const { return of == "pose" ? 6 : 3; }
  bool parallel() const { return position.parallel() && rotation.parallel(); }

  template <class S>
  Vec<S, 6> h(const FramePair::View<S>& r, const Context<S, 6>& context) const {
    Vec<S, 6> y;
    int row = 0;
    if (of != "rotation") {
      const Vec3<S> p = given(position, context.t, context.data);
      for (int i = 0; i < 3; ++i) y[row++] = r.p[i] - p[i];
    }
    if (of == "position") return y;
    const Vec3<S> turn = alignment::lock(transposed(rotation_exp(given(rotation, context.t, context.data))) * r.R);
    for (int i = 0; i < 3; ++i) y[row++] = turn[i];
    return y;
  }
  template <class S>
  Mat<S, 6, 6> jacobian(const FramePair::View<S>& r, const Context<S, 6>& context) const {
    Mat<S, 6, 6> H;
    int row = 0;
    if (of != "rotation")
      for (int i = 0; i < 3; ++i) H(row++, i) = S(1.0);
    if (of != "position") alignment::lock_rows(transposed(rotation_exp(given(rotation, context.t, context.data))) * r.R, H, row);
    return H;
  }

 private:
  template <class S>
  static Vec3<S> given(const Function& function, const S& t, const double* data) {
    Vec3<S> x;
    function(&t, x.data(), data);
    return x;
  }
};

}  // namespace saltus
