// A second-order system given by its matrices and functions of its user: Lagrange's equations in any coordinates.
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/relations/sizes.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus {

/// Lagrange's equations of T = 1/2 v^T M(q) v on all n coordinates of a node, with a linear part and forces beside:
/// M a + (dM/dq . v) v - 1/2 d(v^T M v)/dq + dV/dq + D v + K q = f(t, q, v). Only the symmetric part of M is in T. Derivatives
/// are those of the formulas, exact; of a given function by differences, or what it offers.
struct GenericSystem {
  Function mass, potential;
  Matrix stiffness, damping;
  Function force;

  static constexpr double sign = -1.0;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view name = "generic_system";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "body";
  static constexpr std::string_view doc =
      "A second-order system M(q) a + (dM/dq . v) v - 1/2 d(v^T M v)/dq + dV/dq + D v + K q = f(t, q, v) on all coordinates of a node: Lagrange's equations where M varies.";
  static constexpr auto fields() {
    return std::tuple{
        field("mass_matrix", &GenericSystem::mass, "", "M(q0, q1, ...) (n x n), symmetric positive definite, kinetic energy 1/2 v^T M v; gyroscopic forces follow from it",
              required(or_else(matrix_of("q*"), "M depends on the coordinates alone: mass that comes or goes in time carries momentum of its own; give its force as `force`"))),
        field("potential", &GenericSystem::potential, "J", "V(q0, q1, ...): force -dV/dq, counted as potential energy; default 0",
              or_else(function_of("q*"), "V depends on the coordinates alone; give forces that vary in time as `force`")),
        field("stiffness_matrix", &GenericSystem::stiffness, "", "K (n x n); default 0"),
        field("damping_matrix", &GenericSystem::damping, "", "D (n x n); default 0"),
        field("force", &GenericSystem::force, "", "f(t, q0, q1, ..., v0, v1, ...), n results; default 0", function_of("t|q*|v*", 0))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"node", "node", true, false, "the node whose coordinates it moves"}}; }
  static constexpr int sample_coordinates = 3;
  static constexpr std::string_view sample = R"json({"mass_matrix": [["2 + 0.3*q1^2", "0.5*cos(q0 - q2)", "0"], ["0.5*cos(q0 - q2)", "1", "0.1*q1"], ["0", "0.1*q1", "3"]],
    "potential": "2*cos(q0)*q1 + 0.5*q2^4", "stiffness_matrix": [[4, -1, 0], [-1, 3, -2], [0, -2.5, 5]], "damping_matrix": [[0.2, 0.1, 0], [0, 0.3, 0], [0, 0, 0.1]],
    "force": ["sin(t) - 0.3*q0^3 + q1*v2", "cos(q2)*v0", "1.5*q0*q1*q2 - v1^2"]})json";

  std::string invalid(int n) const;
  bool parallel() const { return force.parallel() && mass.parallel() && potential.parallel(); }
  bool constant_mass() const { return mass.is_constant(); }
  /// The symmetric part of M.
  void mass_matrix(const CoordinateView<double>& x, double* M) const;
  /// Whether M is symmetric and positive definite at x; what is wrong else.
  std::string wrong_mass(const CoordinateView<double>& x) const;
  double potential_energy(const CoordinateView<double>& x) const;
  const Matrix& linear() const { return stiffness; }
  const Matrix& linear_rate() const { return damping; }
  bool varies() const { return !force.is_constant() || !constant_mass() || !potential.is_constant(); }
  /// The left-hand side beside the matrices.
  template <class S>
  void rest(const CoordinateView<S>& x, S* out) const {
    std::fill_n(out, x.n, S(0.0));
    if (!sizes::absent(force)) {
      sizes::Inputs<S> in(1 + 2 * x.n);
      force(in.add(x.t).add(x.q, x.n).add(x.v, x.n).data(), out, x.data);
      for (int i = 0; i < x.n; ++i) out[i] = -out[i];
    }
    if (!constant_mass()) add_gyroscopic(x, out);
    if (!potential.is_constant()) add_gradient(x, out);
  }

 private:
  /// out += (dM/dq . v) v - 1/2 d(v^T M v)/dq.
  template <class S>
  void add_gyroscopic(const CoordinateView<S>& x, S* out) const {
    each_derivative(mass, x, x.n * x.n, [&](int k, int c, const auto* M) {
      S power(0.0);  // v^T dM/dq_k v
      for (int i = 0; i < x.n; ++i) {
        S moved(0.0);
        for (int j = 0; j < x.n; ++j) moved += 0.5 * (M[i * x.n + j].d[c] + M[j * x.n + i].d[c]) * x.v[j];
        out[i] += x.v[k] * moved;
        power += x.v[i] * moved;
      }
      out[k] -= 0.5 * power;
    });
  }
  /// out += dV/dq.
  template <class S>
  void add_gradient(const CoordinateView<S>& x, S* out) const {
    each_derivative(potential, x, 1, [&](int k, int c, const auto* V) { out[k] += V->d[c]; });
  }
  /// use(k, c, f): for each coordinate k the results of a function of q whose direction c is along it.
  template <class S, class Use>
  static void each_derivative(const Function& function, const CoordinateView<S>& x, int results, const Use& use) {
    using D = Dual<detail::dual_pass, S>;
    detail::Buffer<D> q(x.n), f(results);
    for (int i = 0; i < x.n; ++i) q[i].value = x.q[i];
    for (int first = 0; first < x.n; first += detail::dual_pass) {
      const int count = std::min(detail::dual_pass, x.n - first);
      for (int c = 0; c < count; ++c) q[first + c].d[c] = S(1.0);
      function(q.data(), f.data(), x.data);
      for (int c = 0; c < count; ++c) use(first + c, c, f.data()), q[first + c].d[c] = S(0.0);
    }
  }
};

}  // namespace saltus
