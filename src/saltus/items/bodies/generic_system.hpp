// A second-order system given by its matrices and a user function.
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/relations/sizes.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_pool.hpp"

namespace saltus {

/// M qddot + D qdot + K q = f(t, q, v) on all n coordinates of a node. Jacobians of f by exact derivatives of a formula, or
/// what a given function offers.
struct GenericSystem {
  Matrix mass, stiffness, damping;
  Function force;

  static constexpr double sign = -1.0;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view name = "generic_system";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view doc = "A second-order system M a + D v + K q = f(t, q, v) on all coordinates of a node.";
  static constexpr auto fields() {
    return std::tuple{
        field("mass_matrix", &GenericSystem::mass, "", "M (n x n), symmetric positive definite", required()),
        field("stiffness_matrix", &GenericSystem::stiffness, "", "K (n x n); default 0"),
        field("damping_matrix", &GenericSystem::damping, "", "D (n x n); default 0"),
        field("force", &GenericSystem::force, "", "f(t, q0, q1, ..., v0, v1, ...), n results; default 0", function_of("t|q*|v*", 0))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"node", "node", true, false, "the node whose coordinates it moves"}}; }
  static constexpr int sample_coordinates = 3;
  static constexpr std::string_view sample = R"json({"mass_matrix": [[2, 0.5, 0], [0.5, 1, 0.1], [0, 0.1, 3]],
    "stiffness_matrix": [[4, -1, 0], [-1, 3, -2], [0, -2.5, 5]], "damping_matrix": [[0.2, 0.1, 0], [0, 0.3, 0], [0, 0, 0.1]],
    "force": ["sin(t) - 0.3*q0^3 + q1*v2", "cos(q2)*v0", "1.5*q0*q1*q2 - v1^2"]})json";

  std::string invalid(int n) const;
  bool parallel() const { return force.parallel(); }
  const Matrix& mass_matrix() const { return mass; }
  const Matrix& linear() const { return stiffness; }
  const Matrix& linear_rate() const { return damping; }
  bool varies() const { return !force.is_constant(); }
  /// The left-hand side beside the matrices: -f.
  template <class S>
  void rest(const CoordinateView<S>& x, S* out) const {
    std::fill_n(out, x.n, S(0.0));
    if (sizes::absent(force)) return;
    sizes::Inputs<S> in(1 + 2 * x.n);
    force(in.add(x.t).add(x.q, x.n).add(x.v, x.n).data(), out);
    for (int i = 0; i < x.n; ++i) out[i] = -out[i];
  }
};

}  // namespace saltus
