#include "saltus/pool/frame_ports.hpp"

namespace saltus {
namespace detail {

void add_congruent(const Kinematics& k, int m, int l, const Mat6<double>& G, double* out, int n, int row, int col) {
  const int bm = k.column_begin[m], nm = k.column_begin[m + 1] - bm;
  const int bl = k.column_begin[l];
  const double *Jm = k.jacobian + 6 * bm, *Jl = k.jacobian + 6 * bl;
  with_columns(k.column_begin[l + 1] - bl, [&](auto nl) {
    for (int i = 0; i < 6; ++i) {
      bool zero = true;
      RowBuffer<1> GJ(nl);
      for (int j = 0; j < 6; ++j)
        if (G(i, j) != 0.0) add_row(G(i, j), Jl + j * nl, nl, GJ), zero = false;
      if (zero) continue;
      for (int r = 0; r < nm; ++r)
        if (Jm[i * nm + r] != 0.0) add_row(Jm[i * nm + r], GJ, nl, out + (row + r) * n + col);
    }
  });
}

void add_marker_geometric(const Kinematics& k, int m, const Vec3<double>& force_W, const Vec3<double>& torque_M, double* out, int n, int offset) {
  const int base = k.base[m];
  if (base < 0) return;
  const Vec3<double>& r = k.arm[m];
  if (dot(r, r) != 0.0) {
    const Mat3<double>& R_N = k.frames[base].R;
    const Vec3<double> f_N = transposed_times(R_N, force_W);
    const Mat3<double> g = skew(r) * skew(f_N);
    Mat6<double> G;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) G(3 + i, 3 + j) = g(i, j);
    add_congruent(k, base, base, G, out, n, offset, offset);  // the base's own marker has the same columns
  }
  if (on_source(k, m)) k.source[m].pool->add_geometric(k, k.source[m].item, wrench_on_base(k, m, force_W, torque_M), out, n, offset);
}

}  // namespace detail

FramePair::View<Taylor2<>> FramePair::along(const Kinematics& k, const Endpoint* e) {
  return relative(detail::frame_along(k.frames[e[0].marker], k.bias[e[0].marker]),
                  detail::frame_along(k.frames[e[1].marker], k.bias[e[1].marker]));
}

bool FramePair::rate_jacobian(const Kinematics& k, const Endpoint* e, const View<double>& x, double* V, int n, int offset) {
  const Frame<double>&A = k.frames[e[0].marker], &B = k.frames[e[1].marker];
  const bool sources = detail::on_source(k, e[0].marker) || detail::on_source(k, e[1].marker);
  if (dot(A.w, A.w) == 0.0 && dot(B.w, B.w) == 0.0 && dot(x.v, x.v) == 0.0 && !sources) return false;
  const Mat3<double> to_A = transposed(A.R), spin = skew(A.w), spin_to_A = spin * to_A;
  const Mat3<double> turn = skew(x.v + cross(A.w, x.p)) - spin * skew(x.p);
  const Mat3<double> w_by_A = transposed(x.R) * spin, w_by_B = skew(transposed_times(x.R, A.w));
  Mat6<double> on_A, on_B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      on_A(i, j) = spin_to_A(i, j), on_A(i, 3 + j) = turn(i, j), on_A(3 + i, 3 + j) = w_by_A(i, j);
      on_B(i, j) = -spin_to_A(i, j), on_B(3 + i, 3 + j) = -w_by_B(i, j);
    }
  const int columns_A = detail::marker_columns(k, e[0].marker, nullptr);
  detail::add_mapped<6>(k, e[0].marker, on_A, V, n, offset);
  detail::add_mapped<6>(k, e[1].marker, on_B, V, n, offset + columns_A);
  Mat6<double> rates_A, rates_B;
  maps(k, e, x, rates_A, rates_B);
  detail::add_swing<6>(k, e[0].marker, rates_A, V, n, offset);
  detail::add_swing<6>(k, e[1].marker, rates_B, V, n, offset + columns_A);
  return true;
}

void FramePair::geometric(const Kinematics& k, const Endpoint* e, const View<double>& x, const double* port_force, double* G, int n, int offset) {
  if (const Nodes nodes(k, e, offset); nodes.known) return geometric_by_nodes(nodes, port_force, G, n);
  const Vec3<double> f{{port_force[0], port_force[1], port_force[2]}}, t{{port_force[3], port_force[4], port_force[5]}};
  const Mat3<double>& R_A = k.frames[e[0].marker].R;
  const Mat3<double> turn = R_A * skew(f) * -1.0;      // d(R_A f)/d(theta_A)
  const Mat3<double> f_hat = skew(f);
  const Vec3<double> t_A = x.R * t;
  Mat6<double> AA, AB, BA;
  // p changes by R_A^T (dp_B - dp_A) + p x dtheta_A; -(dp x f) = f x dp.
  const Mat3<double> by_point = f_hat * transposed(R_A);
  const Mat3<double> by_turn = f_hat * skew(x.p) - skew(t_A);     // f x (p x dtheta_A); +dtheta_A x (R_AB t)
  const Mat3<double> by_B = x.R * skew(t);                         // -R_AB (dtheta_B x t) = R_AB [t]x dtheta_B
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      BA(i, 3 + j) = turn(i, j);
      AA(i, 3 + j) = -turn(i, j);
      AA(3 + i, j) = -by_point(i, j);
      AB(3 + i, j) = by_point(i, j);
      AA(3 + i, 3 + j) = by_turn(i, j);
      AB(3 + i, 3 + j) = by_B(i, j);
    }
  const int a = e[0].marker, b = e[1].marker, cols_a = detail::marker_columns(k, a, nullptr);
  detail::add_congruent(k, a, a, AA, G, n, offset, offset);
  detail::add_congruent(k, a, b, AB, G, n, offset, offset + cols_a);
  detail::add_congruent(k, b, a, BA, G, n, offset + cols_a, offset);
  const Vec3<double> force_W = R_A * f;
  detail::add_marker_geometric(k, a, -force_W, -cross(x.p, f) - t_A, G, n, offset);
  detail::add_marker_geometric(k, b, force_W, t, G, n, offset + cols_a);
}

void FramePair::geometric_by_nodes(const Nodes& x, const double* port_force, double* G, int n) {
  const Vec3<double> F = x.A.R * Vec3<double>{{port_force[0], port_force[1], port_force[2]}}, t{{port_force[3], port_force[4], port_force[5]}};
  const int *x_A = x.at, *theta_A = x.at + 3, *x_B = x.at + 6, *theta_B = x.at + 9;
  if (dot(F, F) != 0.0) {
    const Mat3<double> U = cross(F, x.N_A.R), U_T = transposed(U), crossed = transposed_times(U, x.b_R);
    detail::add_block(U, 1.0, x_A, theta_A, G, n);
    detail::add_block(U, -1.0, x_B, theta_A, G, n);
    detail::add_block(U_T, 1.0, theta_A, x_A, G, n);
    detail::add_block(U_T, -1.0, theta_A, x_B, G, n);
    detail::add_block(transposed_times(U, x.c_R), -1.0, theta_A, theta_A, G, n);
    detail::add_block(crossed, 1.0, theta_A, theta_B, G, n);
    detail::add_block(transposed(crossed), 1.0, theta_B, theta_A, G, n);
    detail::add_block(transposed_times(x.b_R, cross(F, x.N_B.R)), -1.0, theta_B, theta_B, G, n);
  }
  if (dot(t, t) == 0.0) return;
  const Vec3<double> T = x.B.R * t;
  detail::add_block(transposed_times(x.N_A.R, cross(T, x.N_A.R)), -1.0, theta_A, theta_A, G, n);
  detail::add_block(transposed_times(x.N_A.R, cross(T, x.N_B.R)), 1.0, theta_A, theta_B, G, n);
}

FramePair::Nodes::Nodes(const Kinematics& k, const Endpoint* e, int offset)
    : A(k.frames[e[0].marker]), B(k.frames[e[1].marker]), N_A(of_node(k, e[0].marker)), N_B(of_node(k, e[1].marker)) {
  known = detail::node_columns(k, e[0].marker, offset, at) && detail::node_columns(k, e[1].marker, offset + detail::marker_columns(k, e[0].marker, nullptr), at + 6);
  if (known) c_R = cross(B.p - N_A.p, N_A.R), b_R = cross(B.p - N_B.p, N_B.R);
}

namespace detail {
template Mat<double, 3, 6> map_from_base(const Kinematics&, int, const Mat<double, 3, 6>&);
template bool add_swing(const Kinematics&, int, const Mat<double, 3, 6>&, double*, int, int);
template void add_product_block<3>(const double*, const double*, const double*, int, double, double*);
template Mat<double, 6, 6> map_from_base(const Kinematics&, int, const Mat<double, 6, 6>&);
template bool add_swing(const Kinematics&, int, const Mat<double, 6, 6>&, double*, int, int);
template void add_product_block<6>(const double*, const double*, const double*, int, double, double*);
template void congruent_by_jacobian<PointPort>(const Kinematics&, const Endpoint*, const PointPort::View<double>&, const double*, const double*, double, double, int, double*);
template void congruent_by_jacobian<FramePort>(const Kinematics&, const Endpoint*, const FramePort::View<double>&, const double*, const double*, double, double, int, double*);
template void congruent_by_jacobian<PointPair>(const Kinematics&, const Endpoint*, const PointPair::View<double>&, const double*, const double*, double, double, int, double*);
template void congruent_by_jacobian<FramePair>(const Kinematics&, const Endpoint*, const FramePair::View<double>&, const double*, const double*, double, double, int, double*);
}  // namespace detail

}  // namespace saltus
