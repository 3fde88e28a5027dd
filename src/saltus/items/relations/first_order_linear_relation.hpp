// Linear relation y = C x + D lambda + e(t) with the input R = B lambda.
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/relations/sizes.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus {

/// y = C x + D lambda + e(t), R = B lambda added to the equations of the coordinates (first order, linear).
struct FirstOrderLinearRelation {
  Matrix C, D, B;
  Function offset;

  static constexpr CoordinateKind coordinates = CoordinateKind::none;
  static constexpr bool uses_time = true, uses_lambda = true, has_input = true, linear = true;
  static constexpr std::string_view name = "first_order_linear_relation";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Linear relation y = C x + D lambda + e(t) with the input R = B lambda.";
  static constexpr auto fields() {
    return std::tuple{
        field("C", &FirstOrderLinearRelation::C, "", "rows x coordinates", required()),
        field("D", &FirstOrderLinearRelation::D, "", "rows x rows; default 0"),
        field("B", &FirstOrderLinearRelation::B, "", "coordinates x rows", required()),
        field("offset", &FirstOrderLinearRelation::offset, "", "e(t), one result a row; default 0", function_of("t", 0))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"on", "coordinate", true, true, "the coordinates, in the order of the equations"}}; }
  static constexpr int sample_coordinates = 3;
  static constexpr std::string_view sample = R"json({"C": [[1, 0, -1], [0.5, 2, 0]], "D": [[0.1, -1], [1, 0]], "B": [[1, 0], [0, 0.3], [-2, 1]], "offset": ["sin(t)", "0.5*t"]})json";

  std::string invalid(int n) const {
    return sizes::first(sizes::wrong("C", C, C.rows, n), sizes::wrong("D", D, C.rows, C.rows, true), sizes::wrong("B", B, n, C.rows),
                        sizes::wrong("offset", offset, C.rows, true));
  }
  int rows() const { return C.rows; }
  bool parallel() const { return offset.parallel(); }
  bool varies_in_time() const { return !sizes::absent(offset) && !offset.is_constant(); }
  template <class S>
  void h(const CoordinateView<S>& x, const S* lambda, S* y) const {
    if (sizes::absent(offset)) std::fill_n(y, C.rows, S(0.0));
    else offset(&x.t, y, x.data);
    for (int r = 0; r < C.rows; ++r) {
      for (int c = 0; c < C.cols; ++c) y[r] += C(r, c) * x.q[c];
      for (int c = 0; c < D.cols; ++c) y[r] += D(r, c) * lambda[c];
    }
  }
  template <class S>
  void g(const CoordinateView<S>& x, const S* lambda, S* out) const {
    for (int i = 0; i < x.n; ++i) {
      out[i] = S(0.0);
      for (int c = 0; c < B.cols; ++c) out[i] += B(i, c) * lambda[c];
    }
  }
};

}  // namespace saltus
