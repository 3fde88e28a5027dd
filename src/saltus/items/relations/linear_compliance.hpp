// Compliant linear relation y = H q + b(t) + D lambda between coordinates.
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/relations/sizes.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus {

/// y = H q + b(t) + D lambda; input H^T lambda. With the law equality a spring of compliance -D.
struct LinearCompliance {
  Matrix matrix, compliance;
  Function offset;

  static constexpr CoordinateKind coordinates = CoordinateKind::none;
  static constexpr bool uses_time = true, uses_lambda = true, linear = true;
  static constexpr std::string_view name = "linear_compliance";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Compliant linear relation y = H q + b(t) + D lambda between coordinates.";
  static constexpr auto fields() {
    return std::tuple{
        field("matrix", &LinearCompliance::matrix, "", "H (rows x coordinates)", required()),
        field("compliance", &LinearCompliance::compliance, "", "D (rows x rows), of the multipliers", required()),
        field("offset", &LinearCompliance::offset, "", "b(t), one result a row; default 0", function_of("t", 0))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"on", "coordinate", true, true, "the coordinates, in the order of the equations"}}; }
  static constexpr int sample_coordinates = 3;
  static constexpr std::string_view sample = R"json({"matrix": [[1, -2, 0.5], [0, 1, 3]], "compliance": [[0.2, 0.1], [-0.3, 0.4]], "offset": ["sin(2*t)", "0.3*t^2"]})json";

  std::string invalid(int n) const {
    return sizes::first(sizes::wrong("matrix", matrix, matrix.rows, n), sizes::wrong("compliance", compliance, matrix.rows, matrix.rows),
                        sizes::wrong("offset", offset, matrix.rows, true));
  }
  int rows() const { return matrix.rows; }
  bool parallel() const { return offset.parallel(); }
  template <class S>
  void h(const CoordinateView<S>& x, const S* lambda, S* y) const {
    if (sizes::absent(offset)) std::fill_n(y, matrix.rows, S(0.0));
    else offset(&x.t, y, x.data);
    for (int r = 0; r < matrix.rows; ++r) {
      for (int c = 0; c < matrix.cols; ++c) y[r] += matrix(r, c) * x.q[c];
      for (int c = 0; c < matrix.rows; ++c) y[r] += compliance(r, c) * lambda[c];
    }
  }
};

}  // namespace saltus
