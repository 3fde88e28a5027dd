#include "saltus/study/state_space.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/math/dense.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

using Dense = Eigen::MatrixXd;
using Column = Eigen::VectorXd;
constexpr double dependent = 1e-9;         // rank decisions, rows scaled to unit length
constexpr double difference_step = 1e-3;   // of outputs


Matrix plain(const Dense& A) {
  Matrix out{static_cast<int>(A.rows()), static_cast<int>(A.cols()), std::vector<double>(static_cast<std::size_t>(A.size()))};
  for (int i = 0; i < out.rows; ++i)
    for (int j = 0; j < out.cols; ++j) out(i, j) = A(i, j);
  return out;
}
Dense filled(const CsrPattern& p, const std::vector<double>& values) {
  Dense A = Dense::Zero(p.rows, p.cols);
  for (int i = 0; i < p.rows; ++i)
    for (int k = p.begin[i]; k < p.begin[i + 1]; ++k) A(i, p.column[k]) = values[k];
  return A;
}

Dense product(const Dense& A, const Dense& B) { return dense::product(A, B); }
Dense product(const Dense& A, const Dense& B, const Dense& C) { return product(product(A, B), C); }

/// Bases of the kernel (orthonormal) and of a complement of it, columns scaled for rank decisions.
struct Split {
  Dense kernel, rest;
};
Split split(const Dense& G, const Column& scale) {
  const Eigen::Index n = scale.size();
  if (G.rows() == 0) return {Dense::Identity(n, n), Dense::Zero(n, 0)};
  Dense scaled = G * scale.asDiagonal();
  for (Eigen::Index r = 0; r < scaled.rows(); ++r)
    if (const double length = scaled.row(r).norm(); length > 0.0) scaled.row(r) /= length;
  const dense::PivotedQr qr = dense::pivoted_qr(scaled.transpose(), dependent);
  const Dense loose = scale.asDiagonal() * qr.Q.rightCols(n - qr.rank);
  return {loose.cols() > 0 ? dense::orthonormal(loose) : loose, scale.asDiagonal() * qr.Q.leftCols(qr.rank)};
}

/// The equations in blocks. Names: s = (v, x) the dynamic unknowns, g the rows that hold s, c those that hold algebraic unknowns.
///
/// Rotations deviate in world axes, R = exp(phi) R0(t), about the motion itself, not about the place where it is: phidot = R0 dw, w
/// the body's rates. With T = R0 on rotations (1 elsewhere) and O = [R0 w0]x: theta = T' phi, v = T' u, vdot = T' (udot - O u), u = phidot.
/// So a rotor that spins steadily about an axis of symmetry has constant matrices and the eigenvalues that an observer at rest sees.
class Reduction {
 public:
  Reduction(const LinearEquations& e, const std::vector<LinearInput>& inputs, const std::vector<std::string>& outputs)
      : e_(e), s_(*e.system), l_(s_.layout), inputs_(inputs), paths_(outputs), nv_(l_.nv), ns_(l_.nv + l_.nx), nu_(l_.unknowns()), np_(count_of(inputs)) {}

  StateSpace run() {
    blocks();
    take_inputs();
    eliminate_algebraic();
    bases();
    equations();
    StateSpace out;
    out.positions = static_cast<int>(basis_.Nq.cols()), out.velocities = static_cast<int>(basis_.Nv.cols()), out.first_order = static_cast<int>(basis_.Nx.cols());
    Dense shapes(made_.shape.rows(), made_.shape.cols());
    shapes << to_body(made_.shape.topRows(nv_)), to_body(made_.shape.bottomRows(nu_));
    out.A = plain(made_.A), out.B = plain(made_.B), out.shapes = plain(shapes);
    const Column f = block_.F0.head(ns_);
    Column rest(made_.A.rows());
    rest << basis_.Nq.transpose() * to_world(Eigen::Map<const Column>(e_.y.data() + l_.v_begin(), nv_)),
        solve_mass(basis_.Lt * (dynamic_.E * to_world(Eigen::Map<const Column>(e_.rates.data(), ns_)) + f));
    out.rest.assign(rest.data(), rest.data() + rest.size());
    if (l_.nx == 0 && same_ && e_.rests) {
      out.mass = plain(product(basis_.Lt, dynamic_.E, basis_.N));
      out.damping = plain(product(basis_.Lt, dynamic_.Ds, basis_.N));
      out.stiffness = plain(product(basis_.Lt, dynamic_.Kq, basis_.Nq));
    }
    Dense C, D;
    outputs(C, D);
    out.C = plain(C), out.D = plain(D);
    return out;
  }

 private:
  void blocks() {
    block_.M = filled(e_.pattern, e_.mass), block_.K = filled(e_.pattern, e_.stiffness), block_.V = filled(e_.pattern, e_.damping);
    axes();
    for (Dense* A : {&block_.M, &block_.K, &block_.V}) *A = columns_to_world(to_world(std::move(*A)));
    for (const Axes& r : axes_) block_.V.middleCols<3>(r.v) -= block_.M.middleCols<3>(r.v) * r.spin;
    const auto rows = [&](const std::vector<double>& values) { return columns_to_world(filled(e_.rows.pattern, values)); };
    const Dense value = rows(e_.value), rate = rows(e_.rate), drift = rows(e_.drift), input = rows(e_.input);
    for (int k = 0; k < e_.row_count(); ++k) {
      const RowForm form = e_.held.rows[k].form;
      if (form == RowForm::value) c_.push_back(k);
      else g_.push_back(k);
      if (form == RowForm::second) q_.push_back(k);
    }
    const Eigen::Index ng = static_cast<Eigen::Index>(g_.size()), nc = static_cast<Eigen::Index>(c_.size());
    block_.G = Dense::Zero(ng, ns_), block_.Y = Dense::Zero(ng, nv_), block_.Bg = Dense::Zero(nu_, ng);
    for (Eigen::Index i = 0; i < ng; ++i) {
      const int k = g_[i];
      if (e_.held.rows[k].form == RowForm::first_order) block_.G.row(i).tail(l_.nx) = value.row(k).segment(nv_, l_.nx);
      else block_.G.row(i).head(nv_) = rate.row(k).head(nv_), block_.Y.row(i) = drift.row(k).head(nv_);
      block_.Bg.col(i) = input.row(k).transpose();
    }
    block_.Hq.resize(static_cast<Eigen::Index>(q_.size()), nv_);
    for (std::size_t i = 0; i < q_.size(); ++i) block_.Hq.row(static_cast<Eigen::Index>(i)) = value.row(q_[i]).head(nv_);
    block_.Cv.resize(nc, nu_), block_.Cr.resize(nc, nv_), block_.Bc.resize(nu_, nc), block_.Cl = Dense::Zero(nc, nc);
    for (Eigen::Index i = 0; i < nc; ++i) {
      const int k = c_[i];
      block_.Cv.row(i) = value.row(k), block_.Cr.row(i) = rate.row(k).head(nv_), block_.Bc.col(i) = input.row(k).transpose();
      if (!e_.own.empty())
        for (Eigen::Index j = 0; j < nc; ++j) block_.Cl(i, j) = e_.own[at(k) * at(e_.row_count()) + at(c_[j])];
    }
    Assembly assembly(s_);
    std::vector<double> f;
    right_sides(e_, assembly, e_.t, e_.y.data(), f);
    block_.F0 = to_world(Eigen::Map<const Column>(f.data(), nu_));
    assembly.update(e_.t, e_.y.data());
    const std::vector<double> scale = column_scales(s_, assembly.kinematics());
    block_.scale = Eigen::Map<const Column>(scale.data(), nu_);
  }

  /// T and O of the class, one block a rotation.
  struct Axes {
    int v;
    Eigen::Matrix3d R, spin;
  };
  void axes() {
    for (const RotationBlock& r : s_.map.rotations) {
      const double *q = e_.y.data() + r.q, *w = e_.y.data() + l_.v_begin() + r.v;
      const Mat3<double> R = rotation_matrix(Quaternion<double>{{q[0], q[1], q[2], q[3]}}), O = skew(R * Vec3<double>{{w[0], w[1], w[2]}});
      Axes axes{r.v, {}, {}};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) axes.R(i, j) = R(i, j), axes.spin(i, j) = O(i, j);
      axes_.push_back(axes);
    }
  }
  /// Rows of (v, x, z), rates of the body's axes, to world axes.
  Dense to_world(Dense A) const {
    for (const Axes& r : axes_) A.middleRows<3>(r.v) = (r.R * A.middleRows<3>(r.v)).eval();
    return A;
  }
  Dense to_body(Dense A) const {
    for (const Axes& r : axes_) A.middleRows<3>(r.v) = (r.R.transpose() * A.middleRows<3>(r.v)).eval();
    return A;
  }
  Dense columns_to_world(Dense A) const {
    for (const Axes& r : axes_) A.middleCols<3>(r.v) = (A.middleCols<3>(r.v) * r.R.transpose()).eval();
    return A;
  }
  /// O s: what turns with the axes.
  Column turning_with_axes(const Column& s) const {
    Column out = Column::Zero(s.size());
    for (const Axes& r : axes_) out.segment<3>(r.v) = r.spin * s.segment<3>(r.v);
    return out;
  }

  /// What each input adds to the right-hand sides, to rates of rows and to rows held at value.
  void take_inputs() {
    block_.Fu = Dense::Zero(nu_, np_), block_.Yu = Dense::Zero(static_cast<Eigen::Index>(g_.size()), np_), block_.Cu = Dense::Zero(static_cast<Eigen::Index>(c_.size()), np_);
    for (int p = 0; p < np_; ++p) {
      const LinearInput& in = inputs_[p];
      Column f[2], y[2], rate[2];
      for (const int side : {0, 1}) {
        const System& s = side ? *in.upper : *in.lower;
        if (s.layout.unknowns() != nu_ || s.layout.rows != l_.rows) throw ModelError("inputs/" + in.name, "changes the unknowns of the model", "choose a number that does not");
        Assembly assembly(s);
        std::vector<double> out, h(at(l_.rows));
        right_sides(e_, assembly, e_.t, e_.y.data(), out);
        f[side] = Eigen::Map<const Column>(out.data(), nu_);
        RowSink sink;
        sink.y = h.data();
        assembly.relations(sink);
        y[side].resize(e_.row_count());
        for (int k = 0; k < e_.row_count(); ++k) y[side][k] = e_.held.rows[k].entry < 0 ? 0.0 : h[e_.held.rows[k].row];
        held_rates(e_, assembly, e_.t, e_.y.data(), out);
        rate[side] = Eigen::Map<const Column>(out.data(), e_.row_count());
      }
      block_.Fu.col(p) = to_world((f[1] - f[0]) / in.width);
      for (std::size_t i = 0; i < g_.size(); ++i) {
        const HeldRow& row = e_.held.rows[g_[i]];
        if ((row.form == RowForm::second || row.form == RowForm::first_order) && y[1][g_[i]] != y[0][g_[i]])
          throw ModelError("inputs/" + in.name, "prescribes the row " + row_name(s_, row.row) + ": its rate and acceleration would be inputs too",
                           "take a drive by speed= as the input, or a force or torque");
        if (row.form != RowForm::first_order) block_.Yu(static_cast<Eigen::Index>(i), p) = (rate[1][g_[i]] - rate[0][g_[i]]) / in.width;
      }
      for (std::size_t i = 0; i < c_.size(); ++i) block_.Cu(static_cast<Eigen::Index>(i), p) = (y[1][c_[i]] - y[0][c_[i]]) / in.width;
    }
  }

  /// (z, lambda of the rows c) from theta, s and u: their equations must be regular.
  void eliminate_algebraic() {
    const Eigen::Index nz = l_.nz, nc = static_cast<Eigen::Index>(c_.size()), n = nz + nc;
    dynamic_.Zq = Dense::Zero(n, nv_), dynamic_.Zs = Dense::Zero(n, ns_), dynamic_.Zu = Dense::Zero(n, np_);
    dynamic_.Kq = block_.K.topLeftCorner(ns_, nv_);
    dynamic_.Ds.resize(ns_, ns_);
    dynamic_.Ds << block_.V.topLeftCorner(ns_, nv_), block_.K.block(0, nv_, ns_, l_.nx);
    dynamic_.Bs = block_.Bg.topRows(ns_), dynamic_.E = block_.M.topLeftCorner(ns_, ns_);
    dynamic_.Fs = block_.Fu.topRows(ns_);
    if (n == 0) return;
    Dense J(n, n), Rq(n, nv_), Rs(n, ns_), Ru(n, np_);
    J << -block_.K.bottomRightCorner(nz, nz), block_.Bc.bottomRows(nz), block_.Cv.rightCols(nz), block_.Cl;
    Rq << -block_.K.bottomLeftCorner(nz, nv_), block_.Cv.leftCols(nv_);
    Rs.leftCols(nv_) << -block_.V.bottomLeftCorner(nz, nv_), block_.Cr;
    Rs.rightCols(l_.nx) << -block_.K.block(ns_, nv_, nz, l_.nx), block_.Cv.middleCols(nv_, l_.nx);
    Ru << block_.Fu.bottomRows(nz), block_.Cu;
    for (Eigen::Index i = 0; i < n; ++i) {  // each equation in its own unit
      const double size = J.row(i).cwiseAbs().maxCoeff();
      if (size > 0.0) J.row(i) /= size, Rq.row(i) /= size, Rs.row(i) /= size, Ru.row(i) /= size;
    }
    const dense::FullLu lu(J, 1e-12);
    if (!lu.invertible()) {
      Eigen::Index most = 0;
      lu.kernel().col(0).cwiseAbs().maxCoeff(&most);
      const std::string name = most < nz ? unknown_name(s_, ns_ + static_cast<int>(most)) : row_name(s_, e_.held.rows[c_[most - nz]].row);
      throw ModelError("linearize", name + " is not determined: the algebraic equations are singular", "give it a resistance or compliance, or a law that fixes it at this state");
    }
    dynamic_.Zq = -lu.solve(Rq), dynamic_.Zs = -lu.solve(Rs), dynamic_.Zu = -lu.solve(Ru);
    Dense by(ns_, n);  // d(right side of s)/d(z, lambda)
    by << -block_.K.topRightCorner(ns_, nz), block_.Bc.topRows(ns_);
    dynamic_.Kq -= product(by, dynamic_.Zq), dynamic_.Ds -= product(by, dynamic_.Zs), dynamic_.Fs += product(by, dynamic_.Zu);
  }

  void bases() {
    const Column on_v = block_.scale.head(nv_);
    Column on_s(ns_);
    on_s << on_v, Column::Ones(l_.nx);
    basis_.Nq = split(block_.Hq, on_v).kernel;
    const Split of = split(block_.G, on_s);
    // Velocities and first-order states are held by rows of their own: bases by parts, positions and velocities alike where they can be.
    same_ = g_.size() == q_.size();
    const Dense Gv = block_.G.leftCols(nv_), Gx = block_.G.rightCols(l_.nx);
    basis_.Nv = same_ ? basis_.Nq : split(Gv, on_v).kernel;
    basis_.Nx = split(Gx, Column::Ones(l_.nx)).kernel;
    basis_.N = Dense::Zero(ns_, basis_.Nv.cols() + basis_.Nx.cols());
    basis_.N.topLeftCorner(nv_, basis_.Nv.cols()) = basis_.Nv, basis_.N.bottomRightCorner(l_.nx, basis_.Nx.cols()) = basis_.Nx;
    bool adjoint = true;
    for (const int k : g_) adjoint &= e_.held.rows[k].entry < 0 || !pool_of(s_, s_.relation_entries[e_.held.rows[k].entry]).traits().has_input;
    const Dense L = adjoint ? basis_.N : split(dynamic_.Bs.transpose(), on_s).kernel;
    if (L.cols() != basis_.N.cols()) throw ModelError("linearize", "the relations' inputs hold another number of motions than their rows", "");
    basis_.Lt = L.transpose();
    const Dense mass = product(basis_.Lt, dynamic_.E, basis_.N);
    mass_.compute(mass);
    if (basis_.N.cols() > 0) {
      const dense::FullLu full(mass, 1e-14);
      if (!full.invertible()) {
        Eigen::Index most = 0;
        (basis_.N * full.kernel().col(0)).cwiseAbs().maxCoeff(&most);
        throw ModelError("linearize", unknown_name(s_, static_cast<int>(most)) + " can move but has no mass", "give it mass, or hold it by a joint");
      }
    }
    // P: G P = 1 on the range of G, L^T E P = 0: what the rows prescribe gives the free motions no inertia.
    const Dense& R = of.rest;
    basis_.P = product(R - product(basis_.N, solve_mass(product(basis_.Lt, dynamic_.E, R))), dense::least_norm(product(block_.G, R), Dense::Identity(block_.G.rows(), block_.G.rows()), dependent));
  }

  Dense solve_mass(const Dense& right) const {
    if (right.rows() == 0) return right;
    return mass_.solve(right);
  }

  void equations() {
    const Eigen::Index np = basis_.Nq.cols(), nd = basis_.N.cols(), n = np + nd;
    // s = N d - P (Y theta + Yu u)
    const Dense drift = -product(basis_.P, block_.Y, basis_.Nq), given = -product(basis_.P, block_.Yu);
    made_.Sq = drift, made_.Su = given;
    made_.A = Dense::Zero(n, n), made_.B = Dense::Zero(n, np_);
    const Dense to_eta = basis_.Nq.transpose();
    made_.A.topLeftCorner(np, np) = product(to_eta, drift.topRows(nv_));
    made_.A.topRightCorner(np, nd) = product(to_eta, basis_.N.topRows(nv_));
    made_.B.topRows(np) = product(to_eta, given.topRows(nv_));
    made_.A.bottomLeftCorner(nd, np) = solve_mass(-product(basis_.Lt, product(dynamic_.Kq, basis_.Nq) + product(dynamic_.Ds, drift)));
    made_.A.bottomRightCorner(nd, nd) = solve_mass(-product(basis_.Lt, dynamic_.Ds, basis_.N));
    made_.B.bottomRows(nd) = solve_mass(product(basis_.Lt, dynamic_.Fs - product(dynamic_.Ds, given)));
    made_.shape = Dense::Zero(nv_ + nu_, n);
    made_.shape.topLeftCorner(nv_, np) = basis_.Nq;
    made_.shape.block(nv_, 0, ns_, np) = drift;
    made_.shape.block(nv_, np, ns_, nd) = basis_.N;
    const Dense z = product(dynamic_.Zq, made_.shape.topRows(nv_)) + product(dynamic_.Zs, made_.shape.middleRows(nv_, ns_));
    made_.shape.bottomRows(l_.nz) = z.topRows(l_.nz);
  }

  /// A deviation of everything that a quantity may read, rotations in world axes.
  struct Direction {
    Column phi, s, z, lambda, ds;  // s: (u, x); lambda by row of the system; ds: of (udot, xdot)
  };

  /// Change of G sdot + curvature along (phi, s): what accelerations of the held rows must undo, while the state moves.
  Column turning(const Column& phi, const Column& s) const {
    Column sum = Column::Zero(static_cast<Eigen::Index>(g_.size()));
    if (e_.rests || g_.empty()) return sum;
    const double size = std::max({phi.cwiseAbs().maxCoeff(), s.head(nv_).cwiseAbs().maxCoeff(), 1e-300}), step = difference_step / size;
    Assembly assembly(s_);
    std::vector<double> h(at(l_.rows)), unused;
    constexpr double weights[] = {-1.0 / 12.0, 8.0 / 12.0, -8.0 / 12.0, 1.0 / 12.0}, places[] = {2.0, 1.0, -1.0, -2.0};
    for (int p = 0; p < 4; ++p) {
      const std::vector<double> y = moved(phi, s, Column(), places[p] * step);
      assembly.update(e_.t, y.data(), e_.lambda.data(), e_.data.data());
      assembly.input_blocks();
      RowSink sink;
      sink.curvature = h.data();
      assembly.relations(sink);
      for (std::size_t i = 0; i < g_.size(); ++i) {
        const HeldRow& row = e_.held.rows[g_[i]];
        if (row.entry < 0) continue;
        const RelationEntry& r = s_.relation_entries[row.entry];
        const double* H = assembly.direction(r) + (row.row - r.row) * r.columns;
        double now = h[row.row];
        for (int c = 0; c < r.columns; ++c)
          if (const int u = columns_of(s_, r)[c]; u >= 0 && u < ns_) now += H[c] * e_.rates[u];
        sum[static_cast<Eigen::Index>(i)] += weights[p] * now / step;
      }
    }
    return sum - block_.G * turning_with_axes(s);
  }

  std::vector<double> moved(const Column& phi, const Column& s, const Column& z, double by) const {
    std::vector<double> y = e_.y;
    const Column tangent = by * to_body(phi), v = to_body(s);
    s_.map.retract(y.data(), tangent.data());
    for (int i = 0; i < nv_; ++i) y[l_.v_begin() + i] += by * v[i];
    for (int i = 0; i < l_.nx; ++i) y[l_.x_begin() + i] += by * s[nv_ + i];
    for (Eigen::Index i = 0; i < z.size() && i < l_.nz; ++i) y[l_.z_begin() + static_cast<int>(i)] += by * z[i];
    return y;
  }

  /// Accelerations and multipliers that follow a deviation (phi, s) at rates ds along the free motions and inputs u.
  Direction complete(const Column& phi, const Column& s, const Column& free, const Column& u) const {
    Direction d{phi, s, {}, Column::Zero(l_.rows), {}};
    const Column algebraic = dynamic_.Zq * phi + dynamic_.Zs * s + dynamic_.Zu * u;
    d.z = algebraic.head(l_.nz);
    d.ds = basis_.N * free - basis_.P * turning(phi, s);
    const Column open = dynamic_.E * d.ds + dynamic_.Kq * phi + dynamic_.Ds * s - dynamic_.Fs * u;
    const Column lambda = dense::least_norm(dynamic_.Bs, open, dependent);
    for (std::size_t i = 0; i < g_.size(); ++i)
      if (const HeldRow& row = e_.held.rows[g_[i]]; row.entry >= 0) d.lambda[row.row] = lambda[static_cast<Eigen::Index>(i)];
    for (std::size_t i = 0; i < c_.size(); ++i) d.lambda[e_.held.rows[c_[i]].row] = algebraic[l_.nz + static_cast<Eigen::Index>(i)];
    return d;
  }

  /// Derivative of all outputs along a direction.
  Column along(const std::vector<Quantity>& quantities, const Direction& d, int width) const {
    const double turned = d.phi.size() ? (d.phi.array() / block_.scale.head(nv_).array()).abs().maxCoeff() / std::max(s_.length_scale, 1e-300) : 0.0;
    const double size = std::max({turned, d.s.size() ? d.s.cwiseAbs().maxCoeff() : 0.0, d.z.size() ? d.z.cwiseAbs().maxCoeff() : 0.0});
    const double step = size > 0.0 ? difference_step / size : 1.0;
    Assembly assembly(s_);
    Column sum = Column::Zero(width);
    std::vector<double> out(at(width)), a(at(nv_)), lambda(at(l_.rows));
    const Column da = to_body(d.ds - turning_with_axes(d.s));
    constexpr double weights[] = {-1.0 / 12.0, 8.0 / 12.0, -8.0 / 12.0, 1.0 / 12.0}, places[] = {2.0, 1.0, -1.0, -2.0};
    for (int p = 0; p < 4; ++p) {
      const double by = places[p] * step;
      const std::vector<double> y = moved(d.phi, d.s, d.z, by);
      for (int i = 0; i < nv_; ++i) a[i] = e_.rates[i] + by * da[i];
      for (int i = 0; i < l_.rows; ++i) lambda[i] = e_.lambda[i] + by * d.lambda[i];
      double* next = out.data();
      for (const Quantity& q : quantities) q.evaluate(assembly, {e_.t, y.data(), a.data(), lambda.data(), e_.data.data()}, next), next += q.components();
      sum += weights[p] / step * Eigen::Map<const Column>(out.data(), width);
    }
    return sum;
  }

  void outputs(Dense& C, Dense& D) const {
    std::vector<Quantity> quantities;
    int width = 0;
    for (const std::string& path : paths_) width += quantities.emplace_back(e_.system, path).components();
    C = Dense::Zero(width, made_.A.cols()), D = Dense::Zero(width, np_);
    if (width == 0) return;
    const Column none = Column::Zero(np_);
    for (Eigen::Index j = 0; j < made_.A.cols(); ++j)
      C.col(j) = along(quantities, complete(made_.shape.col(j).head(nv_), made_.shape.col(j).segment(nv_, ns_), made_.A.col(j).tail(basis_.N.cols()), none), width);
    for (int p = 0; p < np_; ++p) {
      Column u = Column::Unit(np_, p);
      const Direction d = complete(Column::Zero(nv_), made_.Su.col(p), made_.B.col(p).tail(basis_.N.cols()), u);
      D.col(p) = along(quantities, d, width) + at_once(quantities, inputs_[p], width);
      if (block_.Yu.col(p).isZero(0.0)) continue;
      // sdot = ... - P Yu udot: an output of accelerations or reactions would follow the input's rate.
      Direction rate{Column::Zero(nv_), Column::Zero(ns_), Column::Zero(l_.nz), Column::Zero(l_.rows), made_.Su.col(p)};
      const Column lambda = dense::least_norm(dynamic_.Bs, dynamic_.E * rate.ds, dependent);
      for (std::size_t i = 0; i < g_.size(); ++i)
        if (const HeldRow& row = e_.held.rows[g_[i]]; row.entry >= 0) rate.lambda[row.row] = lambda[static_cast<Eigen::Index>(i)];
      const Column by_rate = along(quantities, rate, width);
      int next = 0;
      for (std::size_t k = 0; k < quantities.size(); next += quantities[k++].components())
        if (by_rate.segment(next, quantities[k].components()).cwiseAbs().maxCoeff() > 1e-9)
          throw ModelError("outputs/" + paths_[k], "follows the rate of the input " + inputs_[p].name + ", which prescribes a speed",
                           "read positions and velocities, or take a force or torque as the input");
    }
  }

  /// What a quantity reads of the input itself, the state as it is.
  Column at_once(const std::vector<Quantity>& quantities, const LinearInput& in, int width) const {
    Column value[2];
    for (const int side : {0, 1}) {
      const auto& system = side ? in.upper : in.lower;
      Assembly assembly(*system);
      std::vector<double> out(at(width));
      double* next = out.data();
      for (const Quantity& q : quantities) Quantity(system, q.path()).evaluate(assembly, e_.sample(), next), next += q.components();
      value[side] = Eigen::Map<const Column>(out.data(), width);
    }
    return (value[1] - value[0]) / in.width;
  }

  const LinearEquations& e_;
  const System& s_;
  const Layout& l_;
  const std::vector<LinearInput>& inputs_;
  const std::vector<std::string>& paths_;
  int nv_, ns_, nu_, np_;
  std::vector<int> g_, c_, q_;  // held rows of s, of algebraic unknowns, of positions
  /// Masses, stiffness, damping of all unknowns; of the rows g (G, drift Y, inputs Bg), q (Hq) and c (by rates Cv, positions Cr, inputs Bc,
  /// multipliers Cl); by the inputs (Fu, Yu, Cu). F0: the forces.
  struct Blocks {
    Dense M, K, V, G, Y, Bg, Hq, Cv, Cr, Bc, Cl, Fu, Yu, Cu;
    Column F0, scale;
  } block_;
  /// Algebraic unknowns as functions of positions, of s, of inputs; the matrices of s without them.
  struct Dynamics {
    Dense Zq, Zs, Zu, Kq, Ds, Bs, E, Fs;
  } dynamic_;
  /// What the rows leave free, what the equations are multiplied with from the left, and the rates that they ask for.
  struct Bases {
    Dense Nq, Nv, Nx, N, Lt, P;
  } basis_;
  struct Equations {
    Dense Sq, Su, A, B, shape;
  } made_;
  std::vector<Axes> axes_;
  dense::Lu mass_;
  bool same_ = true;
};

}  // namespace

StateSpace state_space(const LinearEquations& e, const std::vector<LinearInput>& inputs, const std::vector<std::string>& outputs) {
  return Reduction(e, inputs, outputs).run();
}

}  // namespace saltus
