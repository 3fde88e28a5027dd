// A user's relation y = h(t, x, lambda) with the input R = g(t, x, lambda).
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/relations/sizes.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus {

/// y = h(t, x, lambda), R = g(t, x, lambda) added to the equations of the coordinates; C, D, B, K from the functions'
/// derivatives (first order, nonlinear).
struct FirstOrderRelation {
  int count = 1;
  Function output, input;

  static constexpr CoordinateKind coordinates = CoordinateKind::none;
  static constexpr bool uses_time = true, uses_lambda = true, has_input = true;
  static constexpr std::string_view name = "first_order_relation";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A user's relation y = h(t, x, lambda) with the input R = g(t, x, lambda).";
  static constexpr auto fields() {
    return std::tuple{
        field("rows", &FirstOrderRelation::count, "", "number of equations", at_least(1.0)),
        field("output", &FirstOrderRelation::output, "", "h(t, q0, ..., lambda0, ...), one result a row; q0, ... the coordinates", required(function_of("t|q*|lambda*", 0))),
        field("input", &FirstOrderRelation::input, "", "g(t, q0, ..., lambda0, ...), one result a coordinate", required(function_of("t|q*|lambda*", 0)))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"on", "coordinate", true, true, "the coordinates, in the order of the equations"}}; }
  static constexpr int sample_coordinates = 3;
  static constexpr std::string_view sample = R"json({"rows": 2, "output": ["q0 - 0.5*q1^2 + 0.3*lambda0 + t", "q2*q1 - lambda1^2*lambda0"],
    "input": ["lambda0*(1 + q0)", "lambda1*sin(q2) + t", "lambda0*lambda1 - q1"]})json";

  std::string invalid(int n) const { return sizes::first(sizes::wrong("output", output, count), sizes::wrong("input", input, n)); }
  int rows() const { return count; }
  bool parallel() const { return output.parallel() && input.parallel(); }
  template <class S>
  void h(const CoordinateView<S>& x, const S* lambda, S* y) const { evaluate(output, x, lambda, y); }
  template <class S>
  void g(const CoordinateView<S>& x, const S* lambda, S* out) const { evaluate(input, x, lambda, out); }

 private:
  template <class S>
  void evaluate(const Function& f, const CoordinateView<S>& x, const S* lambda, S* out) const {
    sizes::Inputs<S> in(1 + x.n + count);
    f(in.add(x.t).add(x.q, x.n).add(lambda, count).data(), out, x.data);
  }
};

}  // namespace saltus
