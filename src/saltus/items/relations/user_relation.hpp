// A user's relation y = h(t, q) between coordinates.
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/relations/sizes.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_pool.hpp"

namespace saltus {

/// y = h(t, q); input H^T lambda, H = dh/dq from the function's derivatives (scleronomous or rheonomous).
struct UserRelation {
  int count = 1;
  Function function;

  static constexpr CoordinateKind coordinates = CoordinateKind::none;
  static constexpr bool uses_time = true;
  static constexpr std::string_view name = "user_relation";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view doc = "A user's relation y = h(t, q) between coordinates.";
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &UserRelation::count, "", "number of equations", at_least(1.0)),
        field("function", &UserRelation::function, "", "h(t, q0, q1, ...), one result a row", required(function_of("t|q*", 0)))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"on", "coordinate", true, true, "the coordinates, in the order of the equations"}}; }
  static constexpr int sample_coordinates = 3;
  static constexpr std::string_view sample = R"json({"rows": 2, "function": ["0.5*(q0^2 + q1^2 - 1) + sin(t)*q2", "q0*q1*q2 - cos(t*q0)"]})json";

  std::string invalid(int) const { return sizes::wrong("function", function, count); }
  int rows() const { return count; }
  bool parallel() const { return function.parallel(); }
  template <class S>
  void h(const CoordinateView<S>& x, const S*, S* y) const {
    sizes::Inputs<S> in(1 + x.n);
    function(in.add(x.t).add(x.q, x.n).data(), y);
  }
};

}  // namespace saltus
