// A first-order system given by a matrix and a user function.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/index.hpp"
#include "saltus/items/relations/sizes.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus {

/// xdot = A x + b + f(t, x) on all n states of a node.
struct FirstOrderSystem {
  Matrix matrix;
  std::vector<double> vector;
  Function function;

  static constexpr double sign = 1.0;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode1;
  static constexpr std::string_view name = "first_order_system";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "body";
  static constexpr std::string_view doc = "A first-order system dx/dt = A x + b + f(t, x) on all states of a node.";
  static constexpr auto fields() {
    return std::tuple{field("matrix", &FirstOrderSystem::matrix, "1/s", "A (n x n); default 0"),
                      field("vector", &FirstOrderSystem::vector, "", "b (n); default 0"),
                      field("function", &FirstOrderSystem::function, "", "f(t, q0, q1, ...), n results, q0, q1, ... the states; default 0", function_of("t|q*", 0))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"node", "node", true, false, "the node whose states it moves"}}; }
  static constexpr int sample_coordinates = 3;
  static constexpr std::string_view sample = R"json({"matrix": [[-1, 0.5, 0], [0, -2, 1], [0.3, 0, -0.5]], "vector": [0.1, -0.2, 0.3],
    "function": ["10*(q1 - q0)", "q0*(28 - q2) - q1", "q0*q1 - 8/3*q2 + sin(t)"]})json";

  std::string invalid(int n) const {
    if (!vector.empty() && count_of(vector) != n)
      return "vector has " + std::to_string(vector.size()) + " entries, must have " + std::to_string(n);
    return sizes::first(sizes::wrong("matrix", matrix, n, n, true), sizes::wrong("function", function, n, true));
  }
  bool parallel() const { return function.parallel(); }
  const Matrix& linear() const { return matrix; }
  const Matrix& linear_rate() const { static const Matrix none; return none; }
  bool varies() const { return !function.is_constant(); }
  template <class S>
  void rest(const CoordinateView<S>& x, S* out) const {
    if (sizes::absent(function)) {
      std::fill_n(out, x.n, S(0.0));
    } else {
      sizes::Inputs<S> in(1 + x.n);
      function(in.add(x.t).add(x.q, x.n).data(), out, x.data);
    }
    for (std::size_t i = 0; i < vector.size(); ++i) out[i] += vector[i];
  }
};

}  // namespace saltus
