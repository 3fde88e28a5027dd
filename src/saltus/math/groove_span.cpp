#include "saltus/math/groove_span.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {
namespace {
using std::abs, std::atan2, std::cos, std::sin, std::sqrt;
Vec3<double> column(const Mat3<double>& R, int i) { return {{R(0, i), R(1, i), R(2, i)}}; }
}  // namespace

GrooveSpan::End GrooveSpan::end(const RigidMotion<double>& frame, double radius) {
  End e{frame.R, radius};
  if (radius > 0.0) e.z = column(frame.R, 2);
  return e;
}

double GrooveSpan::angle(const End& e) {
  if (!e.groove()) return 0.0;
  const Vec3<double> n = transposed_times(e.R, e.n);
  return atan2(n[1], n[0]);
}

/// The place where the rope leaves or meets the groove at the angle arcsin(sine) against the line of centres. Exact beside a point; else a first guess.
bool GrooveSpan::start(End& e, const Vec3<double>& along, double sine, bool exact) {
  if (!e.groove()) return true;
  if (exact && !(abs(sine) < 1.0)) return false;
  constexpr double most = 0.9999;
  sine = exact ? sine : std::clamp(sine, -most, most);
  e.put((along * sine + cross(e.z, along) * sqrt(1.0 - sine * sine)) * -1.0);
  return true;
}

GrooveSpan::GrooveSpan(const RigidMotion<double>& A, double radius_A, const RigidMotion<double>& B, double radius_B)
    : A_(end(A, radius_A)), B_(end(B, radius_B)), centres_(B.p - A.p) {
  found_ = solve_places();
  if (!found_) return;
  mu_ = multipliers(A_.r * (dot(u_, A_.t) - 1.0), B_.r * (1.0 - dot(u_, B_.t)));
  pull_ = u_ + A_.n * mu_.a + B_.n * mu_.b;
  on_A_ = d_ * mu_.a - pull_ * A_.r;
  on_B_ = d_ * mu_.b + pull_ * B_.r;
}

/// From the common tangent of parallel axes, where it is exact, by Newton's method for both angles.
bool GrooveSpan::solve_places() {
  const double side = dot(A_.z, B_.z);  // 1: both turn alike, -1: the rope crosses over
  const bool both = A_.groove() && B_.groove();
  const auto begin = [&](End& e, double lead) {
    const Vec3<double> flat = centres_ - e.z * dot(e.z, centres_);
    const double reach = norm(flat);
    return reach > 0.0 && start(e, flat * (1.0 / reach), lead / reach, !both);
  };
  if (!begin(A_, side * B_.r - A_.r) || !begin(B_, B_.r - side * A_.r)) return false;
  join();
  constexpr int iterations = 50;
  constexpr double longest = 0.3, enough = 1e-9;  // rad; the next step would be the square of it
  for (int i = 0; both; ++i) {
    const Pair step = angles(-dot(A_.n, d_), -dot(B_.n, d_));
    const double far = std::max(abs(step.a), abs(step.b)), part = far > longest ? longest / far : 1.0;
    if (i == iterations || !std::isfinite(far)) return false;
    for (const auto& [e, by] : {std::pair<End*, double>{&A_, part * step.a}, {&B_, part * step.b}}) e->put(e->n * cos(by) + e->t * sin(by));
    join();
    if (far < enough) break;
  }
  return l_ > 0.0 && (!A_.groove() || dot(A_.t, d_) > 0.0) && (!B_.groove() || dot(B_.t, d_) > 0.0);
}

/// The span between the places as they are, and how the conditions n . d = 0 change with their angles.
void GrooveSpan::join() {
  d_ = centres_ + B_.n * B_.r - A_.n * A_.r;
  l_ = norm(d_);
  u_ = d_ * (1.0 / l_);
  aa_ = A_.groove() ? dot(A_.t, d_) : 1.0, ab_ = B_.r * dot(A_.n, B_.t);
  bb_ = B_.groove() ? dot(B_.t, d_) : 1.0, ba_ = -A_.r * dot(B_.n, A_.t);
  whole_ = aa_ * bb_ - ab_ * ba_;
}

void GrooveSpan::add_gradient(Vec6<double>& g_A, Vec6<double>& g_B, double factor) const {
  const Vec3<double> turn_A = transposed_times(A_.R, cross(A_.n, on_A_)), turn_B = transposed_times(B_.R, cross(B_.n, on_B_));
  for (int i = 0; i < 3; ++i) g_A[i] -= factor * pull_[i], g_B[i] += factor * pull_[i], g_A[3 + i] += factor * turn_A[i], g_B[3 + i] += factor * turn_B[i];
}

/// Along each tangent: how the places go with the conditions, then how the multipliers go with theirs, then the gradient.
void GrooveSpan::add_turning(double* K, int stride, double factor) const {
  const Vec3<double> torque_A = cross(A_.n, on_A_), torque_B = cross(B_.n, on_B_);
  const auto along = [&](const Vec3<double>& dx, const Vec3<double>& turn_A, const Vec3<double>& turn_B, int column, int opposite) {
    Vec3<double> dn_A = cross(turn_A, A_.n), dn_B = cross(turn_B, B_.n), dd = dx + dn_B * B_.r - dn_A * A_.r;
    const Pair phi = angles(-dot(dn_A, d_) - dot(A_.n, dd), -dot(dn_B, d_) - dot(B_.n, dd));
    dn_A += A_.t * phi.a, dn_B += B_.t * phi.b;
    dd += B_.t * (B_.r * phi.b) - A_.t * (A_.r * phi.a);
    const Vec3<double> dt_A = cross(turn_A, A_.t) - A_.n * phi.a, dt_B = cross(turn_B, B_.t) - B_.n * phi.b;
    Vec3<double> dpull = (dd - u_ * dot(u_, dd)) * (1.0 / l_) + dn_A * mu_.a + dn_B * mu_.b;
    const auto on = [&](const End& e, double sign, double mu, double dmu) { return dd * mu + d_ * dmu + dpull * (sign * e.r); };
    const Pair mu = multipliers(-dot(on(A_, -1.0, mu_.a, 0.0), A_.t) - dot(on_A_, dt_A), -dot(on(B_, 1.0, mu_.b, 0.0), B_.t) - dot(on_B_, dt_B));
    dpull += A_.n * mu.a + B_.n * mu.b;
    const Vec3<double> dturn_A = transposed_times(A_.R, cross(dn_A, on_A_) + cross(A_.n, on(A_, -1.0, mu_.a, mu.a)) - cross(turn_A, torque_A));
    const Vec3<double> dturn_B = transposed_times(B_.R, cross(dn_B, on_B_) + cross(B_.n, on(B_, 1.0, mu_.b, mu.b)) - cross(turn_B, torque_B));
    for (int i = 0; i < 3; ++i) {
      const double rows[] = {-dpull[i], dturn_A[i], dpull[i], dturn_B[i]};
      for (int part = 0; part < 4; ++part) {
        K[(3 * part + i) * stride + column] += factor * rows[part];
        if (opposite >= 0) K[(3 * part + i) * stride + opposite] -= factor * rows[part];
      }
    }
  };
  const Vec3<double> none{};
  for (int i = 0; i < 3; ++i) {
    Vec3<double> unit{};
    unit[i] = 1.0;
    along(unit, none, none, 6 + i, i);
    if (A_.groove()) along(none, saltus::column(A_.R, i), none, 3 + i, -1);
    if (B_.groove()) along(none, none, saltus::column(B_.R, i), 9 + i, -1);
  }
}

/// By how much the place turns in its sheave's axes. The places of the plain numbers solve n . d = 0: each step of Newton's method with the plain matrix
/// carries one order of derivatives more.
template <class S>
S GrooveSpan::angle_along(Of end, const Vec<S, 12>& displaced, const Vec<S, 12>& along) const {
  const auto turned = [&](const Mat3<double>& R, int at) {
    Mat3<S> out;
    for (int i = 0; i < 9; ++i) out.a[i] = S(R.a[i]);
    for (const auto* x : {&displaced, &along}) {
      const Vec3<S> turn{{(*x)[at], (*x)[at + 1], (*x)[at + 2]}};
      for (int i = 0; i < 3; ++i) {
        const Vec3<S> row{{out(i, 0), out(i, 1), out(i, 2)}}, by = row - cross(turn, row);  // row (I + [turn])
        for (int j = 0; j < 3; ++j) out(i, j) = by[j];
      }
    }
    return out;
  };
  const Mat3<S> R_A = turned(A_.R, 3), R_B = turned(B_.R, 9);
  Vec3<S> centres;
  for (int i = 0; i < 3; ++i) centres[i] = centres_[i] + displaced[6 + i] + along[6 + i] - displaced[i] - along[i];
  S a(0.0), b(0.0);
  const auto outward = [](const End& e, const Mat3<S>& R, const S& angle) {
    const Vec3<double> n = transposed_times(e.R, e.n), t = transposed_times(e.R, e.t);
    const S c = cos(angle), s = sin(angle);
    return R * Vec3<S>{{n[0] * c + t[0] * s, n[1] * c + t[1] * s, n[2] * c + t[2] * s}};
  };
  constexpr int orders = 2;
  for (int i = 0; i < orders; ++i) {
    const Vec3<S> n_A = outward(A_, R_A, a), n_B = outward(B_, R_B, b), d = centres + n_B * S(B_.r) - n_A * S(A_.r);
    const S left_A = dot(n_A, d), left_B = dot(n_B, d);
    a -= (left_A * bb_ - left_B * ab_) / whole_, b -= (left_B * aa_ - left_A * ba_) / whole_;
  }
  return end == Of::A ? a : b;
}

void GrooveSpan::add_angle_gradient(Of end, double factor, Vec6<double>& g_A, Vec6<double>& g_B) const {
  using S = Dual<12>;
  Vec<S, 12> along;
  for (int i = 0; i < 12; ++i) along[i].d[i] = 1.0;
  const S angle = angle_along<S>(end, {}, along);
  for (int i = 0; i < 6; ++i) g_A[i] += factor * angle.d[i], g_B[i] += factor * angle.d[6 + i];
}

void GrooveSpan::add_angle_turning(Of end, double factor, double* K, int stride) const {
  using Inner = Dual<12>;
  using S = Dual<12, Inner>;
  Vec<S, 12> displaced, along;
  for (int i = 0; i < 12; ++i) displaced[i].value.d[i] = 1.0, along[i].d[i] = Inner(1.0);
  const S angle = angle_along(end, displaced, along);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) K[i * stride + j] += factor * angle.d[i].d[j];
}

}  // namespace saltus
