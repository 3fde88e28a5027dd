// Rods on ball joints, let go from the horizontal: generalized-alpha at index 3. A Newton step eliminates each body (translation:
// a number, rotation: 3 x 3) and factors the block tridiagonal system of the joint forces; only symmetric parts. Each body knows where it
// is from the one before: positions from the origin would leave rounding of a long chain in its joints.
#include <cmath>
#include <cstdlib>

#include "alpha.hpp"
#include "block3.hpp"
#include "output.hpp"

namespace {
using namespace limit;
constexpr double half = 0.05, axial = 2e-4, transverse = 0.01 / 12;
constexpr V3 gravity{0, 0, -9.81};

struct Turn {
  double w, x, y, z;
};
/// q exp(r): series to rounding for turns of a step.
Turn turned(const Turn& q, const V3& r) {
  const double s2 = 0.25 * dot(r, r), s = 0.5 * (1 - s2 / 6 * (1 - s2 / 20)), c = 1 - s2 / 2 * (1 - s2 / 12 * (1 - s2 / 30));
  const V3 e = s * r;
  return {q.w * c - q.x * e.x - q.y * e.y - q.z * e.z, q.w * e.x + q.x * c + q.y * e.z - q.z * e.y, q.w * e.y + q.y * c + q.z * e.x - q.x * e.z,
          q.w * e.z + q.z * c + q.x * e.y - q.y * e.x};
}
/// Columns of the rotation.
void axes(const Turn& q, V3 (&R)[3]) {
  R[0] = {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)};
  R[1] = {2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x)};
  R[2] = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)};
}

struct Body {
  V3 d, v, w;             // at the start of the step; d: from the centre of the body before, of the first: from the origin
  Turn turn;
  V3 a, wa, vdot, wdot;   // averaged and true accelerations of the old step
  V3 next, wnext, slope, wslope;  // vdot+, wdot+
  V3 force, force_slope, old_force;  // of the joint before it
  // this iteration
  V3 D, W, R1, R2, r, wr, R0;  // D: displacement
  Sym3 inverse;  // of the rotation's block
};
struct Row {
  Sym3 inverse, side;
  V3 y;
};
V3 averaged(const V3& next, const V3& vdot, const V3& a) { return (1 / (1 - Alpha::alpha_m)) * ((1 - Alpha::alpha_f) * next + Alpha::alpha_f * vdot - Alpha::alpha_m * a); }
V3 moved(const Alpha& w, const V3& v, const V3& a, const V3& next) { return w.h * v + (w.h * w.h) * ((0.5 - w.beta) * a + w.beta * next); }
V3 faster(const Alpha& w, const V3& v, const V3& a, const V3& next) { return v + w.h * ((1 - w.gamma) * a + w.gamma * next); }
V3 inertia_times(const V3& w) { return {axial * w.x, transverse * w.y, transverse * w.z}; }

struct Chain {
  std::vector<Body> b;
  std::vector<Row> rows;
  explicit Chain(int n) : b(n), rows(n) {
    for (int i = 0; i < n; ++i) b[i] = {}, b[i].d = {i ? 2 * half : half, 0, 0}, b[i].turn = {1, 0, 0, 0};
  }

  /// One Newton step for next, wnext, force; b0 = 0: the accelerations of the start. Returns the largest change of an acceleration.
  double improve(const Alpha& w, double b0, double b1) {
    const int n = static_cast<int>(b.size());
    for (int i = 0; i < n; ++i) {
      Body& B = b[i];
      if (b0 > 0.0) {
        const V3 a = averaged(B.next, B.vdot, B.a), wa = averaged(B.wnext, B.wdot, B.wa);
        B.D = moved(w, B.v, B.a, a), B.W = faster(w, B.w, B.wa, wa);
        V3 R[3];
        axes(turned(B.turn, moved(w, B.w, B.wa, wa)), R);
        B.R0 = R[0], B.R1 = R[1], B.R2 = R[2];
      } else {
        V3 R[3];
        axes(B.turn, R);
        B.D = V3{}, B.W = B.w, B.R0 = R[0], B.R1 = R[1], B.R2 = R[2];
      }
      // s x R^T f at s = (-half, 0, 0) of the force before, (half, 0, 0) of minus the force behind: the sum f + behind turns.
      const V3 behind = i + 1 < n ? b[i + 1].force : V3{}, sum = B.force + behind;
      const V3 f{dot(B.R0, sum), dot(B.R1, sum), dot(B.R2, sum)}, J = inertia_times(B.W);
      B.r = gravity + B.force - behind - B.next;
      B.wr = V3{0, half * f.z, -half * f.y} - inertia_times(B.wnext) - cross(B.W, J);
      // -d(s x R^T f)/dturn and the gyroscopic term, symmetric parts: s x (f x .) = f (s . .) - (s . f)
      const double g = b0 * half;
      Sym3 A{axial, 0.5 * g * f.y, 0.5 * g * f.z, transverse - g * f.x, 0, transverse - g * f.x};
      const double t = b1 * 0.5 * (transverse - axial);
      A.xy += t * B.W.z, A.xz -= t * B.W.y;
      B.inverse = limit::inverse(A);
    }
    Sym3 before{};   // of the body before: I / m + T
    V3 rest{};       // of the body before at its end: acceleration of the point
    V3 end{};        // of the body before: displacement and half its length
    Sym3 reduction{};
    V3 y{};
    Sym3 side{};
    for (int i = 0; i < n; ++i) {
      const Body& B = b[i];
      const Sym3& K = B.inverse;
      // T = half^2 Q E K E^T Q^T over the y, z axes
      const V3 p = K.zz * B.R1 - K.yz * B.R2, q = K.yy * B.R2 - K.yz * B.R1;
      const double s = half * half;
      const Sym3 T{s * (p.x * B.R1.x + q.x * B.R2.x), s * (p.x * B.R1.y + q.x * B.R2.y), s * (p.x * B.R1.z + q.x * B.R2.z),
                   s * (p.y * B.R1.y + q.y * B.R2.y), s * (p.y * B.R1.z + q.y * B.R2.z), s * (p.z * B.R1.z + q.z * B.R2.z)};
      const Sym3 own = diagonal(1.0) + T;
      const V3 x = K * B.wr;
      const V3 at = half * (x.y * B.R2 - x.z * B.R1);  // R (x cross (half, 0, 0)) without its sign
      V3 rhs = rest - (B.r + at);
      if (b0 > 0.0) rhs = rhs - (1.0 / b0) * (B.d + B.D - half * B.R0 - end);
      const Sym3 pivot = limit::inverse(i ? own + before - reduction : own);
      y = pivot * (i ? rhs - side * y : rhs);
      side = T - diagonal(1.0);
      rows[i] = {pivot, side, y};
      reduction = sandwich(side, pivot);
      before = own, rest = B.r - at, end = B.D + half * B.R0;
    }
    V3 f{};
    double largest = 0.0;
    for (int i = n; i-- > 0;) {
      Body& B = b[i];
      const V3 behind = f;
      f = i + 1 < n ? rows[i].y - rows[i].inverse * (rows[i].side * behind) : rows[i].y;
      const V3 sum = f + behind, x = B.r + f - behind, t = B.wr + V3{0, half * dot(B.R2, sum), -half * dot(B.R1, sum)}, u = B.inverse * t;
      B.force = B.force + f, B.next = B.next + x, B.wnext = B.wnext + u;
      largest = std::max({largest, std::abs(x.x), std::abs(x.y), std::abs(x.z), half * std::abs(u.x), half * std::abs(u.y), half * std::abs(u.z)});
    }
    return largest;
  }

  void start(const Alpha& w) {
    improve(w, 0.0, 0.0);
    for (Body& B : b) B.vdot = B.a = B.next, B.wdot = B.wa = B.wnext;  // at rest their rates are zero
  }
  void step(const Alpha& w) {
    for (Body& B : b) {
      B.next = B.vdot + w.h * B.slope, B.wnext = B.wdot + w.h * B.wslope;
      B.old_force = B.force, B.force = B.force + w.h * B.force_slope;
    }
    while (w.b0 * improve(w, w.b0, w.b1) > 1e-6 * half) {}
    V3 before{};
    for (Body& B : b) {
      const V3 a = averaged(B.next, B.vdot, B.a), wa = averaged(B.wnext, B.wdot, B.wa), D = moved(w, B.v, B.a, a);
      B.d = B.d + (D - before), before = D;
      B.turn = turned(B.turn, moved(w, B.w, B.wa, wa));
      B.v = faster(w, B.v, B.a, a), B.w = faster(w, B.w, B.wa, wa);
      B.slope = (1 / w.h) * (B.next - B.vdot), B.wslope = (1 / w.h) * (B.wnext - B.wdot), B.force_slope = (1 / w.h) * (B.force - B.old_force);
      B.vdot = B.next, B.wdot = B.wnext, B.a = a, B.wa = wa;
    }
  }
};
}  // namespace

int main(int argc, char** argv) {
  const int n = std::atoi(argv[1]), steps = std::atoi(argv[2]);
  const Alpha w{1e-3 / (argc > 3 ? std::atoi(argv[3]) : 1)};
  Chain c(n);
  const double seconds = least([&] {
    c = Chain(n);
    c.start(w);
    const double start = cpu();
    for (int s = 0; s < steps; ++s) c.step(w);
    return cpu() - start;
  });
  V3 p{};
  for (const Body& B : c.b) p = p + B.d;
  print("pendulum_chain", n, steps, seconds, {p.x, p.y, p.z});
}
