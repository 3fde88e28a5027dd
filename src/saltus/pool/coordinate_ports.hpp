// Ports on scalar coordinates, of nodes or of joints (ports.hpp says what a port is).
#pragma once

#include <algorithm>
#include <array>

#include "saltus/base/index.hpp"
#include "saltus/pool/joint_coordinates.hpp"

namespace saltus {

namespace detail {
/// The unknowns under a coordinate: none under ground, its own, or those of a joint's frames.
inline int coordinate_columns(const Kinematics& k, const CoordinateRef& c, int* out) {
  if (c.kind == CoordinateKind::none) return 0;
  if (c.is_of_joint()) return k.joints->columns(k, c.joint(), out);
  if (out) *out = c.dof;
  return 1;
}
/// row += factor d(value)/d(unknowns) at a column offset.
inline void add_coordinate_jacobian(const Kinematics& k, const CoordinateRef& c, double factor, double* row, int offset) {
  if (c.kind == CoordinateKind::none) return;
  if (c.is_of_joint()) return k.joints->add_jacobian(k, c.joint(), factor, row, offset);
  row[offset] += factor;
}
inline bool add_coordinate_rate_jacobian(const Kinematics& k, const CoordinateRef& c, double factor, double* row, int offset) {
  return c.is_of_joint() && k.joints->add_rate_jacobian(k, c.joint(), factor, row, offset);
}
inline void add_coordinate_geometric(const Kinematics& k, const CoordinateRef& c, double force, double* G, int n, int offset) {
  if (c.is_of_joint()) k.joints->add_geometric(k, c.joint(), force, G, n, offset);
}
[[gnu::always_inline]] inline void add_coordinate_force(const Kinematics& k, const CoordinateRef& c, double force, const ForceSink& sink) {
  if (c.is_of_joint()) k.joints->add_force(k, c.joint(), force, sink);
  else sink.force[c.dof] += force;  // ground adds to the trash entry
}
/// Learns where the coordinate stands in the complete system: nodes may have come since it was named.
inline void place_coordinate(CoordinateRef& c, FrameUse& use) {
  if (c.kind == CoordinateKind::none) c = use.ground;
  if (!c.is_of_joint()) return;
  c.value = use.joints + 2 * c.joint(), c.rate = c.value + 1;
  if (use.second_derivatives && c.joint() < count_of(use.second_derivative_of)) use.second_derivative_of[c.joint()] = 1;
}
/// Second derivative at vdot = 0.
inline double coordinate_bias(const Kinematics& k, const CoordinateRef& c) { return c.is_of_joint() ? k.joint_bias[c.joint()] : 0.0; }
}  // namespace detail

/// Whether a port's ends are coordinates of joints, some of them.
template <class P>
bool acts_on_joints(const Endpoint* e) {
  if constexpr (requires { P::of_joints(e); }) return P::of_joints(e);
  else return false;
}

/// Scatters the forces of items in turn. of_joints: see ItemStore; without, coordinates are those of nodes.
template <class P>
void scatter_all(const Kinematics& k, const Endpoint* e, int count, const double* f, bool of_joints, const ForceSink& sink) {
  if constexpr (requires { P::scatter_to_nodes(e, f, sink); })
    if (!of_joints) {
      for (int i = 0; i < count; ++i, e += P::endpoints, f += P::tangent) P::scatter_to_nodes(e, f, sink);
      return;
    }
  for (int i = 0; i < count; ++i, e += P::endpoints, f += P::tangent) P::scatter(k, e, P::gather(k, e), f, sink);
}

/// N scalar coordinates: mechanical ones of nodes or joints, first-order states, algebraic unknowns.
template <int N>
struct CoordPort {
  static constexpr int tangent = N, endpoints = N;
  static constexpr auto kinds = [] { std::array<EndpointKind, N> r{}; r.fill(EndpointKind::coordinate); return r; }();
  template <class S> struct View { Vec<S, N> q, v; };

  static View<double> gather(const Kinematics& k, const Endpoint* e) {
    View<double> r;
    for (int i = 0; i < N; ++i) r.q[i] = k.y[e[i].coordinate.value], r.v[i] = k.y[e[i].coordinate.rate];
    return r;
  }
  static View<Taylor2<>> along(const Kinematics& k, const Endpoint* e) {
    View<Taylor2<>> r;
    for (int i = 0; i < N; ++i) {
      const double q = k.y[e[i].coordinate.value], v = k.y[e[i].coordinate.rate], bias = detail::coordinate_bias(k, e[i].coordinate);
      r.q[i] = Taylor2<>(q, v, bias), r.v[i] = Taylor2<>(v, bias, 0.0);
    }
    return r;
  }
  template <int M>
  static View<Dual<M>> seeded(const View<double>& x, const Endpoint* e, int first, const Seeds& s) {
    View<Dual<M>> r;
    for (int i = 0; i < N; ++i) {
      const int kind = static_cast<int>(e[i].coordinate.kind);
      r.q[i] = Dual<M>::variable(x.q[i], first + i, s.value[kind]);
      r.v[i] = Dual<M>::variable(x.v[i], first + i, s.rate[kind]);
    }
    return r;
  }
  template <class S>
  static View<S> constant(const View<double>& x) { return {detail::as<S>(x.q), detail::as<S>(x.v)}; }
  template <class S>
  static View<S> with_rate(const View<S>& x, const Vec<S, N>& by) { return {x.q, x.v + by}; }
  template <class S>
  static View<S> moved(const View<S>& x, const Vec<S, N>& by) { return {x.q + by, x.v}; }
  static void scatter(const Kinematics& k, const Endpoint* e, const View<double>&, const double* f, const ForceSink& sink) {
    for (int i = 0; i < N; ++i) detail::add_coordinate_force(k, e[i].coordinate, f[i], sink);
  }
  static void scatter_to_nodes(const Endpoint* e, const double* f, const ForceSink& sink) {
    for (int i = 0; i < N; ++i) sink.force[e[i].coordinate.dof] += f[i];
  }
  static int columns(const Kinematics& k, const Endpoint* e, int* out) {
    int n = 0;
    for (int i = 0; i < N; ++i) n += detail::coordinate_columns(k, e[i].coordinate, out ? out + n : nullptr);
    return n;
  }
  static void jacobian(const Kinematics& k, const Endpoint* e, const View<double>&, double* J, int n, int offset) {
    for (int i = 0; i < N; offset += detail::coordinate_columns(k, e[i].coordinate, nullptr), ++i)
      detail::add_coordinate_jacobian(k, e[i].coordinate, 1.0, J + i * n, offset);
  }
  static void geometric(const Kinematics& k, const Endpoint* e, const View<double>&, const double* f, double* G, int n, int offset) {
    for (int i = 0; i < N; offset += detail::coordinate_columns(k, e[i].coordinate, nullptr), ++i)
      detail::add_coordinate_geometric(k, e[i].coordinate, f[i], G, n, offset);
  }
  static void congruent(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* K, const double* f, double factor, double value, int n,
                        double* block) {
    if (of_joints(e)) return detail::congruent_by_jacobian<CoordPort>(k, e, x, K, f, factor, value, n, block);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        if (e[i].coordinate.kind != CoordinateKind::none && e[j].coordinate.kind != CoordinateKind::none) *block++ = factor * K[i * N + j];
  }
  template <class V>
  static auto rate(const V& x) { return x.v; }  // of a view on any scalar
  static Vec<double, N> bias(const Kinematics& k, const Endpoint* e) {
    Vec<double, N> r;
    for (int i = 0; i < N; ++i) r[i] = detail::coordinate_bias(k, e[i].coordinate);
    return r;
  }
  static bool rate_jacobian(const Kinematics& k, const Endpoint* e, const View<double>&, double* V, int n, int offset) {
    bool any = false;
    for (int i = 0; i < N; offset += detail::coordinate_columns(k, e[i].coordinate, nullptr), ++i)
      any |= detail::add_coordinate_rate_jacobian(k, e[i].coordinate, 1.0, V + i * n, offset);
    return any;
  }
  static bool of_joints(const Endpoint* e) {
    return std::any_of(e, e + N, [](const Endpoint& end) { return end.coordinate.is_of_joint(); });
  }
  static void place(Endpoint* e, FrameUse& use) {
    for (int i = 0; i < N; ++i) detail::place_coordinate(e[i].coordinate, use);
  }
};

/// Difference of two scalar coordinates of one kind: q = q_B - q_A. Force on B, A gets minus. Either may be ground.
struct CoordPair {
  static constexpr int tangent = 1, endpoints = 2;
  static constexpr EndpointKind kinds[2] = {EndpointKind::coordinate, EndpointKind::coordinate};
  template <class S> struct View { S q, v; };

  static View<double> gather(const Kinematics& k, const Endpoint* e) {
    return {k.y[e[1].coordinate.value] - k.y[e[0].coordinate.value], k.y[e[1].coordinate.rate] - k.y[e[0].coordinate.rate]};
  }
  static View<Taylor2<>> along(const Kinematics& k, const Endpoint* e) {
    const View<double> x = gather(k, e);
    const double bias = detail::coordinate_bias(k, e[1].coordinate) - detail::coordinate_bias(k, e[0].coordinate);
    return {Taylor2<>(x.q, x.v, bias), Taylor2<>(x.v, bias, 0.0)};
  }
  template <int M>
  static View<Dual<M>> seeded(const View<double>& x, const Endpoint* e, int first, const Seeds& s) {
    const CoordinateKind a = e[0].coordinate.kind, b = e[1].coordinate.kind;
    const int kind = static_cast<int>(b != CoordinateKind::none ? b : a);
    return {Dual<M>::variable(x.q, first, s.value[kind]), Dual<M>::variable(x.v, first, s.rate[kind])};
  }
  template <class S>
  static View<S> constant(const View<double>& x) { return {S(x.q), S(x.v)}; }
  template <class S>
  static View<S> with_rate(const View<S>& x, const Vec<S, 1>& by) { return {x.q, x.v + by[0]}; }
  template <class S>
  static View<S> moved(const View<S>& x, const Vec<S, 1>& by) { return {x.q + by[0], x.v}; }
  static void scatter(const Kinematics& k, const Endpoint* e, const View<double>&, const double* f, const ForceSink& sink) {
    detail::add_coordinate_force(k, e[0].coordinate, -f[0], sink);
    detail::add_coordinate_force(k, e[1].coordinate, f[0], sink);
  }
  static void scatter_to_nodes(const Endpoint* e, const double* f, const ForceSink& sink) {
    sink.force[e[0].coordinate.dof] -= f[0];
    sink.force[e[1].coordinate.dof] += f[0];
  }
  static Vec<double, 1> rate(const View<double>& x) { return {{x.v}}; }
  static bool rate_jacobian(const Kinematics& k, const Endpoint* e, const View<double>&, double* V, int, int offset) {
    const bool A = detail::add_coordinate_rate_jacobian(k, e[0].coordinate, -1.0, V, offset);
    return detail::add_coordinate_rate_jacobian(k, e[1].coordinate, 1.0, V, offset + detail::coordinate_columns(k, e[0].coordinate, nullptr)) || A;
  }
  static int columns(const Kinematics& k, const Endpoint* e, int* out) { return CoordPort<2>::columns(k, e, out); }
  static void jacobian(const Kinematics& k, const Endpoint* e, const View<double>&, double* J, int, int offset) {
    detail::add_coordinate_jacobian(k, e[0].coordinate, -1.0, J, offset);
    detail::add_coordinate_jacobian(k, e[1].coordinate, 1.0, J, offset + detail::coordinate_columns(k, e[0].coordinate, nullptr));
  }
  static void geometric(const Kinematics& k, const Endpoint* e, const View<double>&, const double* f, double* G, int n, int offset) {
    detail::add_coordinate_geometric(k, e[0].coordinate, -f[0], G, n, offset);
    detail::add_coordinate_geometric(k, e[1].coordinate, f[0], G, n, offset + detail::coordinate_columns(k, e[0].coordinate, nullptr));
  }
  static void congruent(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* K, const double* f, double factor, double value, int n,
                        double* block) {
    if (of_joints(e)) return detail::congruent_by_jacobian<CoordPair>(k, e, x, K, f, factor, value, n, block);
    for (int i = 0; i < n * n; ++i) block[i] = n == 2 && i % 3 != 0 ? -factor * K[0] : factor * K[0];  // [1 -1; -1 1], one column beside ground
  }
  static bool of_joints(const Endpoint* e) { return CoordPort<2>::of_joints(e); }
  static void place(Endpoint* e, FrameUse& use) { CoordPort<2>::place(e, use); }
};

}  // namespace saltus
