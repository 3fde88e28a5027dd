// Ports on frames: points, frames, pairs of them (ports.hpp says what a port is).
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "saltus/base/index.hpp"
#include "saltus/math/rows.hpp"
#include "saltus/math/taylor.hpp"
#include "saltus/pool/frame_source.hpp"

namespace saltus {

namespace detail {
template <class S, int N>
Vec<S, N> as(const Vec<double, N>& x) {
  Vec<S, N> r;
  for (int i = 0; i < N; ++i) r[i] = S(x[i]);
  return r;
}
template <class S, int R, int C>
Mat<S, R, C> as(const Mat<double, R, C>& x) {
  Mat<S, R, C> r;
  for (int i = 0; i < R * C; ++i) r.a[i] = S(x.a[i]);
  return r;
}
template <int N>
Vec3<Dual<N>> seeded3(const Vec3<double>& x, int first, double scale) {
  Vec3<Dual<N>> r;
  for (int i = 0; i < 3; ++i) r[i] = Dual<N>::variable(x[i], first + i, scale);
  return r;
}
/// R exp(s e) to first order: column-wise R (I + s skew(e)).
template <int N>
Mat3<Dual<N>> seeded_rotation(const Mat3<double>& R, int first, double scale) {
  Mat3<Dual<N>> r;
  for (int i = 0; i < 9; ++i) r.a[i] = Dual<N>(R.a[i]);
  for (int i = 0; i < 3; ++i) {  // d(R)/d(theta_k) = R skew(e_k)
    const double x = R(i, 0), y = R(i, 1), z = R(i, 2);
    r(i, 1).d[first] = z * scale, r(i, 2).d[first] = -y * scale;
    r(i, 0).d[first + 1] = -z * scale, r(i, 2).d[first + 1] = x * scale;
    r(i, 0).d[first + 2] = y * scale, r(i, 1).d[first + 2] = -x * scale;
  }
  return r;
}
/// Along its motion with the acceleration `bias`: R exp(w s + wdot s^2 / 2).
inline Frame<Taylor2<>> frame_along(const Frame<double>& f, const Vec6<double>& bias) {
  Frame<Taylor2<>> r;
  for (int i = 0; i < 3; ++i) {
    r.p[i] = Taylor2<>(f.p[i], f.v[i], bias[i]);
    r.v[i] = Taylor2<>(f.v[i], bias[i], 0.0);
    r.w[i] = Taylor2<>(f.w[i], bias[3 + i], 0.0);
  }
  const Mat3<double> spin = skew(f.w), first = f.R * spin, second = first * spin + f.R * skew(Vec3<double>{{bias[3], bias[4], bias[5]}});
  for (int i = 0; i < 9; ++i) r.R.a[i] = Taylor2<>(f.R.a[i], first.a[i], second.a[i]);
  return r;
}
/// Adds J^T (port rows x marker rows transposed) : wrench on a marker.
inline void add_wrench(Vec6<double>& w, const Vec3<double>& force_W, const Vec3<double>& torque_M) {
  for (int i = 0; i < 3; ++i) w[i] += force_W[i], w[3 + i] += torque_M[i];
}
/// Room for a few rows of n numbers, 0 at first: on the stack where n is that of a few bodies, as nearly always.
template <int Rows>
class RowBuffer {
 public:
  explicit RowBuffer(int n) : outside_(n > inside ? std::make_unique<double[]>(static_cast<std::size_t>(Rows) * static_cast<std::size_t>(n)) : nullptr) {
    if (!outside_) std::fill_n(inside_, Rows * n, 0.0);
  }
  operator double*() { return outside_ ? outside_.get() : inside_; }

 private:
  static constexpr int inside = 64;
  std::unique_ptr<double[]> outside_;
  double inside_[Rows * inside];
};

/// out (T x n) += L (T x 6) J_m (6 x n_m) at column offset; zeros of L cost nothing.
template <int T>
void add_mapped(const Kinematics& k, int marker, const Mat<double, T, 6>& L, double* out, int n, int offset) {
  const int begin = k.column_begin[marker];
  const double* J = k.jacobian + 6 * begin;
  with_columns(k.column_begin[marker + 1] - begin, [&](auto count) {
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < 6; ++j)
        if (L(i, j) != 0.0) add_row(L(i, j), J + j * count, count, out + i * n + offset);
  });
}
inline int marker_columns(const Kinematics& k, int marker, int* out) {
  const int begin = k.column_begin[marker], end = k.column_begin[marker + 1];
  if (out)
    for (int c = begin; c < end; ++c) out[c - begin] = k.columns[c];
  return end - begin;
}
/// Adds J_m^T G J_l into out (n x n) at offsets, G 6 x 6 in marker tangents.
void add_congruent(const Kinematics& k, int m, int l, const Mat6<double>& G, double* out, int n, int row, int col);
inline bool on_source(const Kinematics& k, int m) { return k.source[m].pool != nullptr; }
/// A wrench on marker m (force in W, torque in M) as one on its base frame N: (f, R_NM tau + r x R_N^T f).
inline Vec6<double> wrench_on_base(const Kinematics& k, int m, const Vec3<double>& force_W, const Vec3<double>& torque_M) {
  const Mat3<double>& R_N = k.frames[k.base[m]].R;
  const Vec3<double> torque = transposed_times(R_N, k.frames[m].R * torque_M) + cross(k.arm[m], transposed_times(R_N, force_W));
  return {{force_W[0], force_W[1], force_W[2], torque[0], torque[1], torque[2]}};
}
/// The marker's duty: d(J_m^T wrench)/dq at fixed wrench, for a marker on an arm r of a base frame N.
/// Torque about N is r x (R_N^T f): turning N turns R_N^T f. Adds J_N^T [r]x [f_N]x J_N, rotations of N only, by the Jacobian of N itself,
/// and what a source owes for the wrench on N. A node's J does not vary.
void add_marker_geometric(const Kinematics& k, int m, const Vec3<double>& force_W, const Vec3<double>& torque_M, double* out, int n, int offset);

/// Where the directions of the tangent of a marker's base frame N (translation in W, rotation in N) stand among columns that begin
/// at `offset`; -1: nowhere. False where N's Jacobian varies: it is no node's.
inline bool node_columns(const Kinematics& k, int marker, int offset, int* at) {
  std::fill_n(at, 6, -1);
  if (k.base[marker] < 0) return true;
  const std::span<const int> moves = k.moves[marker];
  for (int c = 0; c < count_of(moves); ++c) at[moves[c]] = offset + c;
  return !moves.empty();
}
/// out (rows of n) += sign M at three rows and three columns; those at -1 are left out.
inline void add_block(const Mat3<double>& M, double sign, const int* row, const int* column, double* out, int n) {
  if (row[0] >= 0 && row[2] == row[0] + 2 && column[0] >= 0 && column[2] == column[0] + 2) {
    double* to = out + row[0] * n + column[0];
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i, to += n) to[0] += sign * M(i, 0), to[1] += sign * M(i, 1), to[2] += sign * M(i, 2);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    if (row[i] < 0) continue;
    for (int j = 0; j < 3; ++j)
      if (column[j] >= 0) out[row[i] * n + column[j]] += sign * M(i, j);
  }
}

/// Origin and velocity of a frame end, from y where they lie there.
[[gnu::always_inline]] inline Vec3<double> position_at(const Kinematics& k, const Endpoint& e) {
  const double* p = e.in_y() ? k.y + e.coordinate.value : k.frames[e.marker].p.data();
  return {{p[0], p[1], p[2]}};
}
[[gnu::always_inline]] inline Vec3<double> velocity_at(const Kinematics& k, const Endpoint& e) {
  const double* v = e.in_y() ? k.y + e.coordinate.rate : k.frames[e.marker].v.data();
  return {{v[0], v[1], v[2]}};
}
inline Vec3<double> bias_at(const Kinematics& k, const Endpoint& e) {
  if (e.in_y()) return {};
  const Vec6<double>& b = k.bias[e.marker];
  return {{b[0], b[1], b[2]}};
}
inline void point_along(const Kinematics& k, const Endpoint& e, Vec3<Taylor2<>>& p, Vec3<Taylor2<>>& v) {
  const Vec3<double> x = position_at(k, e), rate = velocity_at(k, e), bias = bias_at(k, e);
  for (int i = 0; i < 3; ++i) p[i] = Taylor2<>(x[i], rate[i], bias[i]), v[i] = Taylor2<>(rate[i], bias[i], 0.0);
}
template <bool Opposite = false>
[[gnu::always_inline]] inline void add_point_force(const ForceSink& sink, const Endpoint& e, const double* f) {
  double* to = sink.points && e.in_y() ? sink.force + e.coordinate.dof : sink.wrench[e.marker].data();
  for (int i = 0; i < 3; ++i) to[i] = Opposite ? to[i] - f[i] : to[i] + f[i];
}
inline int point_columns(const Kinematics& k, const Endpoint& e, int* out) {
  if (!e.in_y()) return marker_columns(k, e.marker, out);
  if (out)
    for (int i = 0; i < 3; ++i) out[i] = e.coordinate.dof + i;
  return 3;
}
/// out (3 x n) += sign times the Jacobian of the point, at a column offset.
inline void add_point_jacobian(const Kinematics& k, const Endpoint& e, double sign, double* out, int n, int offset) {
  const int begin = k.column_begin[e.marker], count = k.column_begin[e.marker + 1] - begin;
  const double* J = k.jacobian + 6 * begin;
  for (int i = 0; i < 3; ++i)
    if (e.in_y())
      out[i * n + offset + i] += sign;
    else
      for (int c = 0; c < count; ++c) out[i * n + offset + c] += sign * J[i * count + c];
}
inline void add_point_geometric(const Kinematics& k, const Endpoint& e, const double* f, double sign, double* G, int n, int offset) {
  if (!e.in_y()) add_marker_geometric(k, e.marker, Vec3<double>{{f[0], f[1], f[2]}} * sign, {}, G, n, offset);
}
inline void place_point(Endpoint& e, FrameUse& use) {
  e.coordinate = use.point[e.marker];
  if (!e.in_y()) use.origin[e.marker] = 1;
}
inline void place_frames(const Endpoint* e, int count, FrameUse& use) {
  for (int i = 0; i < count; ++i) use.whole[e[i].marker] = 1;
}

/// block (n x n) += factor J^T K V, K T x T, J and V T x n; zeros cost nothing.
template <int T>
void add_product_block(const double* J, const double* K, const double* V, int n, double factor, double* block) {
  with_columns(n, [&](auto columns) {
    for (int i = 0; i < T; ++i) {
      bool zero = true;
      RowBuffer<1> KV(columns);
      for (int j = 0; j < T; ++j)
        if (K[i * T + j] != 0.0) add_row(factor * K[i * T + j], V + j * columns, columns, KV), zero = false;
      if (zero) continue;
      for (int r = 0; r < columns; ++r)
        if (J[i * columns + r] != 0.0) add_row(J[i * columns + r], KV, columns, block + r * columns);
    }
  });
}
template <int T>
void add_congruent_block(const double* K, const double* J, int n, double factor, double* block) {
  add_product_block<T>(J, K, J, n, factor, block);
}
/// block (n x n) := factor J^T K J - value d(J^T f)/dq, by the port's Jacobian. f may be null: without the second term.
template <class P>
void congruent_by_jacobian(const Kinematics& k, const Endpoint* e, const typename P::template View<double>& view, const double* K, const double* f,
                           double factor, double value, int n, double* block) {
  std::fill(block, block + n * n, 0.0);
  if (f && value != 0.0) {
    double opposite[P::tangent];
    for (int t = 0; t < P::tangent; ++t) opposite[t] = -value * f[t];
    P::geometric(k, e, view, opposite, block, n, 0);
  }
  if (std::all_of(K, K + P::tangent * P::tangent, [](double x) { return x == 0.0; })) return;
  RowBuffer<P::tangent> J(n);
  P::jacobian(k, e, view, J, n, 0);
  add_congruent_block<P::tangent>(K, J, n, factor, block);
}
/// sign times the velocity of a point, of the rates of its frame.
inline Mat<double, 3, 6> point_map(double sign) {
  Mat<double, 3, 6> map;
  for (int i = 0; i < 3; ++i) map(i, i) = sign;
  return map;
}
/// map (T x 6) of the rates of marker m as one of those of its base N: v_M = v_N - R_N [r]x w_N, w_M = R_NM^T w_N.
template <int T>
Mat<double, T, 6> map_from_base(const Kinematics& k, int m, const Mat<double, T, 6>& map) {
  const Mat3<double>& R_N = k.frames[k.base[m]].R;
  const Mat3<double> swing = R_N * skew(k.arm[m]), turn = transposed_times(k.frames[m].R, R_N);
  Mat<double, T, 6> out;
  for (int i = 0; i < T; ++i)
    for (int j = 0; j < 3; ++j) {
      out(i, j) = map(i, j);
      for (int l = 0; l < 3; ++l) out(i, 3 + j) += map(i, 3 + l) * turn(l, j) - map(i, l) * swing(l, j);
    }
  return out;
}
/// V (T x n) += map d(J_M v)/dq at fixed v, map (T x 6) of the marker's rates, rows of v in its first three columns alone: v_M = v_N + R_N (w x r)
/// turns with the base frame N, and the rates of a source's N vary themselves. False where it is zero.
template <int T>
bool add_swing(const Kinematics& k, int m, const Mat<double, T, 6>& map, double* V, int n, int offset) {
  const int base = k.base[m];
  if (base < 0) return false;
  const Frame<double>& N = k.frames[base];
  const Vec3<double> turned = cross(N.w, k.arm[m]);
  const bool arm = dot(turned, turned) != 0.0;
  if (arm) {
    constexpr int rows = T < 3 ? T : 3;
    Mat<double, rows, 3> left;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < 3; ++j) left(i, j) = map(i, j);
    const Mat<double, rows, 3> swing = left * (N.R * skew(turned)) * -1.0;
    Mat<double, T, 6> L;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < 3; ++j) L(i, 3 + j) = swing(i, j);
    add_mapped<T>(k, base, L, V, n, offset);  // the base's own marker has the same columns
  }
  return (on_source(k, m) && k.source[m].pool->add_rate_jacobian(k, k.source[m].item, map_from_base(k, m, map).data(), T, V, n, offset)) || arm;
}
}  // namespace detail

/// One point: its position and velocity in world axes. Force in W.
struct PointPort {
  static constexpr int tangent = 3, endpoints = 1;
  static constexpr EndpointKind kinds[1] = {EndpointKind::frame};
  template <class S> struct View { Vec3<S> p, v; };

  [[gnu::always_inline]] static View<double> gather(const Kinematics& k, const Endpoint* e) { return {detail::position_at(k, e[0]), detail::velocity_at(k, e[0])}; }
  static Vec3<double> rate(const View<double>& x) { return x.v; }
  static bool rate_jacobian(const Kinematics& k, const Endpoint* e, const View<double>&, double* V, int n, int offset) {
    return !e[0].in_y() && detail::add_swing<3>(k, e[0].marker, detail::point_map(1.0), V, n, offset);
  }
  static Vec3<double> bias(const Kinematics& k, const Endpoint* e) { return detail::bias_at(k, e[0]); }
  template <int N>
  static View<Dual<N>> seeded(const View<double>& x, const Endpoint*, int first, const Seeds& s) {
    return {detail::seeded3<N>(x.p, first, s.value[0]), detail::seeded3<N>(x.v, first, s.rate[0])};
  }
  static void scatter(const Kinematics&, const Endpoint* e, const View<double>&, const double* f, const ForceSink& sink) {
    detail::add_point_force(sink, e[0], f);
  }
  static int columns(const Kinematics& k, const Endpoint* e, int* out) { return detail::point_columns(k, e[0], out); }
  static void jacobian(const Kinematics& k, const Endpoint* e, const View<double>&, double* J, int n, int offset) {
    detail::add_point_jacobian(k, e[0], 1.0, J, n, offset);
  }
  static void geometric(const Kinematics& k, const Endpoint* e, const View<double>&, const double* f, double* G, int n, int offset) {
    detail::add_point_geometric(k, e[0], f, 1.0, G, n, offset);
  }
  static void congruent(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* K, const double* f, double factor, double value,
                        int n, double* block) {
    if (!e[0].in_y()) return detail::congruent_by_jacobian<PointPort>(k, e, x, K, f, factor, value, n, block);
    for (int i = 0; i < 9; ++i) block[i] = factor * K[i];
  }
  static void place(Endpoint* e, FrameUse& use) { detail::place_point(e[0], use); }
};

/// One frame. Force: (force in W, torque in the frame's axes).
struct FramePort {
  static constexpr int tangent = 6, endpoints = 1;
  static constexpr EndpointKind kinds[1] = {EndpointKind::frame};
  template <class S> using View = Frame<S>;

  static const Frame<double>& gather(const Kinematics& k, const Endpoint* e) { return k.frames[e[0].marker]; }
  static Vec6<double> rate(const Frame<double>& f) { return {{f.v[0], f.v[1], f.v[2], f.w[0], f.w[1], f.w[2]}}; }
  static bool rate_jacobian(const Kinematics& k, const Endpoint* e, const Frame<double>&, double* V, int n, int offset) {
    return detail::add_swing<6>(k, e[0].marker, identity<double, 6>(), V, n, offset);
  }
  static const Vec6<double>& bias(const Kinematics& k, const Endpoint* e) { return k.bias[e[0].marker]; }
  static Frame<Taylor2<>> along(const Kinematics& k, const Endpoint* e) {
    return detail::frame_along(k.frames[e[0].marker], k.bias[e[0].marker]);
  }
  template <int N>
  static Frame<Dual<N>> seeded(const Frame<double>& f, const Endpoint*, int first, const Seeds& s) {
    return {detail::seeded3<N>(f.p, first, s.value[0]), detail::seeded_rotation<N>(f.R, first + 3, s.value[0]),
            detail::seeded3<N>(f.v, first, s.rate[0]), detail::seeded3<N>(f.w, first + 3, s.rate[0])};
  }
  template <class S>
  static Frame<S> constant(const Frame<double>& f) {
    return {detail::as<S>(f.p), detail::as<S>(f.R), detail::as<S>(f.v), detail::as<S>(f.w)};
  }
  template <class S>
  static Frame<S> with_rate(const Frame<S>& f, const Vec<S, 6>& by) {
    return {f.p, f.R, f.v + Vec3<S>{{by[0], by[1], by[2]}}, f.w + Vec3<S>{{by[3], by[4], by[5]}}};
  }
  template <class S>
  static Frame<S> moved(const Frame<S>& f, const Vec<S, 6>& by) {
    return {f.p + Vec3<S>{{by[0], by[1], by[2]}}, f.R + f.R * skew(Vec3<S>{{by[3], by[4], by[5]}}), f.v, f.w};
  }
  static void scatter(const Kinematics&, const Endpoint* e, const Frame<double>&, const double* f, const ForceSink& sink) {
    detail::add_wrench(sink.wrench[e[0].marker], {{f[0], f[1], f[2]}}, {{f[3], f[4], f[5]}});
  }
  static int columns(const Kinematics& k, const Endpoint* e, int* out) { return detail::marker_columns(k, e[0].marker, out); }
  static void jacobian(const Kinematics& k, const Endpoint* e, const Frame<double>&, double* J, int n, int offset) {
    detail::add_mapped<6>(k, e[0].marker, identity<double, 6>(), J, n, offset);
  }
  static void geometric(const Kinematics& k, const Endpoint* e, const Frame<double>&, const double* f, double* G, int n, int offset) {
    detail::add_marker_geometric(k, e[0].marker, {{f[0], f[1], f[2]}}, {{f[3], f[4], f[5]}}, G, n, offset);
  }
  static void congruent(const Kinematics& k, const Endpoint* e, const Frame<double>& x, const double* K, const double* f, double factor, double value,
                        int n, double* block) {
    const int marker = e[0].marker;
    if (k.base[marker] != marker || k.moves[marker].empty()) return detail::congruent_by_jacobian<FramePort>(k, e, x, K, f, factor, value, n, block);
    for (const int r : k.moves[marker])  // the tangent of N itself
      for (const int c : k.moves[marker]) *block++ = factor * K[6 * r + c];
  }
  static void place(Endpoint* e, FrameUse& use) { detail::place_frames(e, 1, use); }
};

/// Two points: p = p_B - p_A, v = v_B - v_A in world axes. Force on B in W, conjugate to v.
struct PointPair {
  static constexpr int tangent = 3, endpoints = 2;
  static constexpr EndpointKind kinds[2] = {EndpointKind::frame, EndpointKind::frame};
  template <class S> struct View { Vec3<S> p, v; };

  [[gnu::always_inline]] static View<double> gather(const Kinematics& k, const Endpoint* e) {
    return {detail::position_at(k, e[1]) - detail::position_at(k, e[0]), detail::velocity_at(k, e[1]) - detail::velocity_at(k, e[0])};
  }
  static View<Taylor2<>> along(const Kinematics& k, const Endpoint* e) {
    View<Taylor2<>> A, B;
    detail::point_along(k, e[0], A.p, A.v);
    detail::point_along(k, e[1], B.p, B.v);
    return {B.p - A.p, B.v - A.v};
  }
  template <int N>
  static View<Dual<N>> seeded(const View<double>& x, const Endpoint*, int first, const Seeds& s) {
    return {detail::seeded3<N>(x.p, first, s.value[0]), detail::seeded3<N>(x.v, first, s.rate[0])};
  }
  template <class S>
  static View<S> constant(const View<double>& x) { return {detail::as<S>(x.p), detail::as<S>(x.v)}; }
  template <class S>
  static View<S> with_rate(const View<S>& x, const Vec<S, 3>& by) { return {x.p, x.v + by}; }
  template <class S>
  static View<S> moved(const View<S>& x, const Vec<S, 3>& by) { return {x.p + by, x.v}; }
  static void scatter(const Kinematics&, const Endpoint* e, const View<double>&, const double* f, const ForceSink& sink) {
    detail::add_point_force<true>(sink, e[0], f);
    detail::add_point_force(sink, e[1], f);
  }
  static Vec3<double> rate(const View<double>& x) { return x.v; }
  static bool rate_jacobian(const Kinematics& k, const Endpoint* e, const View<double>&, double* V, int n, int offset) {
    const bool a = !e[0].in_y() && detail::add_swing<3>(k, e[0].marker, detail::point_map(-1.0), V, n, offset);
    return (!e[1].in_y() && detail::add_swing<3>(k, e[1].marker, detail::point_map(1.0), V, n, offset + detail::point_columns(k, e[0], nullptr))) || a;
  }
  static int columns(const Kinematics& k, const Endpoint* e, int* out) {
    const int a = detail::point_columns(k, e[0], out);
    return a + detail::point_columns(k, e[1], out ? out + a : nullptr);
  }
  static void jacobian(const Kinematics& k, const Endpoint* e, const View<double>&, double* J, int n, int offset) {
    detail::add_point_jacobian(k, e[0], -1.0, J, n, offset);
    detail::add_point_jacobian(k, e[1], 1.0, J, n, offset + detail::point_columns(k, e[0], nullptr));
  }
  static void geometric(const Kinematics& k, const Endpoint* e, const View<double>&, const double* f, double* G, int n, int offset) {
    detail::add_point_geometric(k, e[0], f, -1.0, G, n, offset);
    detail::add_point_geometric(k, e[1], f, 1.0, G, n, offset + detail::point_columns(k, e[0], nullptr));
  }
  static void congruent(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* K, const double* f, double factor, double value,
                        int n, double* block) {
    if (!e[0].in_y() || !e[1].in_y()) return detail::congruent_by_jacobian<PointPair>(k, e, x, K, f, factor, value, n, block);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double entry = factor * K[i * 3 + j];
        block[i * 6 + j] = block[(3 + i) * 6 + 3 + j] = entry;
        block[i * 6 + 3 + j] = block[(3 + i) * 6 + j] = -entry;
      }
  }
  static void place(Endpoint* e, FrameUse& use) {
    for (int i = 0; i < 2; ++i) detail::place_point(e[i], use);
  }
};

/// Motion of frame B relative to frame A: p_AB, v in the axes of A (v as seen by an observer on A), R_AB, w = angular
/// velocity of B relative to A in the axes of B. Force: (force on B in axes of A at B's point, torque on B in axes of B).
struct FramePair {
  static constexpr int tangent = 6, endpoints = 2;
  static constexpr EndpointKind kinds[2] = {EndpointKind::frame, EndpointKind::frame};
  template <class S> struct View { Vec3<S> p; Mat3<S> R; Vec3<S> v, w; };

  template <class S>
  [[gnu::always_inline]] static View<S> relative(const Frame<S>& A, const Frame<S>& B) {
    View<S> r;
    r.p = transposed_times(A.R, B.p - A.p);
    r.R = transposed(A.R) * B.R;
    r.v = transposed_times(A.R, B.v - A.v) - cross(A.w, r.p);
    r.w = B.w - transposed_times(r.R, A.w);
    return r;
  }
  /// In place, so that nothing is computed which the kernel does not read.
  [[gnu::always_inline]] static View<double> gather(const Kinematics& k, const Endpoint* e) {
    return relative(k.frames[e[0].marker], k.frames[e[1].marker]);
  }
  static View<Taylor2<>> along(const Kinematics& k, const Endpoint* e);
  template <int N>
  static View<Dual<N>> seeded(const View<double>& x, const Endpoint*, int first, const Seeds& s) {
    return {detail::seeded3<N>(x.p, first, s.value[0]), detail::seeded_rotation<N>(x.R, first + 3, s.value[0]),
            detail::seeded3<N>(x.v, first, s.rate[0]), detail::seeded3<N>(x.w, first + 3, s.rate[0])};
  }
  template <class S>
  static View<S> constant(const View<double>& x) {
    return {detail::as<S>(x.p), detail::as<S>(x.R), detail::as<S>(x.v), detail::as<S>(x.w)};
  }
  template <class S>
  static View<S> with_rate(const View<S>& x, const Vec<S, 6>& by) {
    return {x.p, x.R, x.v + Vec3<S>{{by[0], by[1], by[2]}}, x.w + Vec3<S>{{by[3], by[4], by[5]}}};
  }
  template <class S>
  static View<S> moved(const View<S>& x, const Vec<S, 6>& by) {
    return {x.p + Vec3<S>{{by[0], by[1], by[2]}}, x.R + x.R * skew(Vec3<S>{{by[3], by[4], by[5]}}), x.v, x.w};
  }
  static void scatter(const Kinematics& k, const Endpoint* e, const View<double>&, const double* f, const ForceSink& sink) {
    const Frame<double>&A = k.frames[e[0].marker], &B = k.frames[e[1].marker];
    const Vec3<double> force_W = A.R * Vec3<double>{{f[0], f[1], f[2]}}, torque{{f[3], f[4], f[5]}};
    detail::add_wrench(sink.wrench[e[1].marker], force_W, torque);
    detail::add_wrench(sink.wrench[e[0].marker], -force_W, -transposed_times(A.R, cross(B.p - A.p, force_W) + B.R * torque));
  }
  template <class S>
  static Vec6<S> rate(const View<S>& x) { return {{x.v[0], x.v[1], x.v[2], x.w[0], x.w[1], x.w[2]}}; }
  /// At fixed v, with p's change R_A^T (dp_B - dp_A) + p x dtheta_A and u = v_B - v_A:
  /// dv = R_A^T du + (R_A^T u) x dtheta_A - w_A x dp,  dw = R_AB^T (w_A x dtheta_A) - (R_AB^T w_A) x dtheta_B.
  static bool rate_jacobian(const Kinematics& k, const Endpoint* e, const View<double>& x, double* V, int n, int offset);
  static int columns(const Kinematics& k, const Endpoint* e, int* out) {
    const int a = detail::marker_columns(k, e[0].marker, out);
    return a + detail::marker_columns(k, e[1].marker, out ? out + a : nullptr);
  }
  /// Rates: v = R_A^T (v_B - v_A) + [p]x w_A,  w = w_B - R_AB^T w_A.
  static void maps(const Kinematics& k, const Endpoint* e, const View<double>& x, Mat6<double>& on_A, Mat6<double>& on_B) {
    const Mat3<double>& R_A = k.frames[e[0].marker].R;
    const Mat3<double> arm = skew(x.p);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        on_A(i, j) = -R_A(j, i);
        on_A(i, 3 + j) = arm(i, j);
        on_A(3 + i, 3 + j) = -x.R(j, i);
        on_B(i, j) = R_A(j, i);
      }
    for (int i = 0; i < 3; ++i) on_B(3 + i, 3 + i) = 1.0;
  }
  static void jacobian(const Kinematics& k, const Endpoint* e, const View<double>& x, double* J, int n, int offset) {
    if (const Nodes nodes(k, e, offset); nodes.known) return jacobian_by_nodes(nodes, J, n);

    Mat6<double> on_A, on_B;
    maps(k, e, x, on_A, on_B);
    detail::add_mapped<6>(k, e[0].marker, on_A, J, n, offset);
    detail::add_mapped<6>(k, e[1].marker, on_B, J, n, offset + detail::marker_columns(k, e[0].marker, nullptr));
  }
  /// Wrenches at fixed port force: B (R_A f, t), A (-R_A f, -(p x f) - R_AB t); their change with both tangents.
  static void geometric(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* port_force, double* G, int n, int offset);
  static void congruent(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* K, const double* f, double factor, double value,
                        int n, double* block) {
    detail::congruent_by_jacobian<FramePair>(k, e, x, K, f, factor, value, n, block);
  }
  static void place(Endpoint* e, FrameUse& use) { detail::place_frames(e, 2, use); }

 private:
  /// The two frames and those of their nodes, N_A and N_B, where what the nodes' tangents are is known. In world axes: c from N_A
  /// to B's point, b from N_B to it. Turning N_A by phi moves what is fixed to it by phi x c at B's point, and turns R_A.
  struct Nodes {
    const Frame<double>&A, &B, &N_A, &N_B;
    int at[12];  // columns of: x_A, theta_A, x_B, theta_B
    bool known;
    Mat3<double> c_R, b_R;  // c x R_NA, b x R_NB
    Nodes(const Kinematics& k, const Endpoint* e, int offset);
    static const Frame<double>& of_node(const Kinematics& k, int marker) { return k.frames[k.base[marker] < 0 ? marker : k.base[marker]]; }
  };
  /// dp = R_A^T (dx_B - dx_A + c x phi_A - b x phi_B), dtheta = R_B^T (phi_B - phi_A), phi = R_N theta.
  static void jacobian_by_nodes(const Nodes& x, double* J, int n) {
    static constexpr int rows[6] = {0, 1, 2, 3, 4, 5};
    const Mat3<double> to_A = transposed(x.A.R);
    detail::add_block(to_A, -1.0, rows, x.at, J, n);
    detail::add_block(to_A * x.c_R, 1.0, rows, x.at + 3, J, n);
    detail::add_block(to_A, 1.0, rows, x.at + 6, J, n);
    detail::add_block(to_A * x.b_R, -1.0, rows, x.at + 9, J, n);
    detail::add_block(transposed_times(x.B.R, x.N_A.R), -1.0, rows + 3, x.at + 3, J, n);
    detail::add_block(transposed_times(x.B.R, x.N_B.R), 1.0, rows + 3, x.at + 9, J, n);
  }
  /// Generalized forces of F = R_A f and T = R_B t on B: (-F, -R_NA^T (c x F + T), F, R_NB^T (b x F + T)); F turns with A, T and b with
  /// B, c with both points. U = F x R_NA.
  static void geometric_by_nodes(const Nodes& x, const double* port_force, double* G, int n);
};

namespace detail {
// Of these ports and sizes they are compiled once, in frame_ports.cpp.
extern template Mat<double, 3, 6> map_from_base(const Kinematics&, int, const Mat<double, 3, 6>&);
extern template bool add_swing(const Kinematics&, int, const Mat<double, 3, 6>&, double*, int, int);
extern template void add_product_block<3>(const double*, const double*, const double*, int, double, double*);
extern template Mat<double, 6, 6> map_from_base(const Kinematics&, int, const Mat<double, 6, 6>&);
extern template bool add_swing(const Kinematics&, int, const Mat<double, 6, 6>&, double*, int, int);
extern template void add_product_block<6>(const double*, const double*, const double*, int, double, double*);
extern template void congruent_by_jacobian<PointPort>(const Kinematics&, const Endpoint*, const PointPort::View<double>&, const double*, const double*, double, double, int, double*);
extern template void congruent_by_jacobian<FramePort>(const Kinematics&, const Endpoint*, const FramePort::View<double>&, const double*, const double*, double, double, int, double*);
extern template void congruent_by_jacobian<PointPair>(const Kinematics&, const Endpoint*, const PointPair::View<double>&, const double*, const double*, double, double, int, double*);
extern template void congruent_by_jacobian<FramePair>(const Kinematics&, const Endpoint*, const FramePair::View<double>&, const double*, const double*, double, double, int, double*);
}  // namespace detail

}  // namespace saltus
