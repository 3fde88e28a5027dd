// Points with axial springs and dampers, hanging from the origin: generalized-alpha, one Newton step from the extrapolated
// accelerations (again where it changed more than rounding forgives), block tridiagonal L D L^T fused with the evaluation. The
// chain is eliminated from both ends at once, one in each half of a register; the halves meet in the middle.
#include <cmath>
#include <cstdlib>

#include "alpha.hpp"
#include "output.hpp"

namespace {
using limit::Alpha;
constexpr double k = 1000.0, d = 1.0, L0 = 0.1, g = 9.81;

typedef double Two __attribute__((vector_size(16)));  // point i and point n - 1 - i
constexpr Two one{1.0, 1.0};
Two root(const Two& a) { return Two{std::sqrt(a[0]), std::sqrt(a[1])}; }

struct V3 {
  Two x, y, z;
};
V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
V3 operator*(const Two& s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
V3 operator*(double s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
Two dot(const V3& a, const V3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
V3 exchanged(const V3& a) {
  const auto turn = [](const Two& t) { return Two{t[1], t[0]}; };
  return {turn(a.x), turn(a.y), turn(a.z)};
}
struct Sym {
  Two xx, xy, xz, yy, yz, zz;
  V3 operator*(const V3& a) const { return {xx * a.x + xy * a.y + xz * a.z, xy * a.x + yy * a.y + yz * a.z, xz * a.x + yz * a.y + zz * a.z}; }
};
Sym inverse(const Sym& A) {
  const Two a = A.yy * A.zz - A.yz * A.yz, b = A.xz * A.yz - A.xy * A.zz, c = A.xy * A.yz - A.xz * A.yy;
  const Two s = one / (A.xx * a + A.xy * b + A.xz * c);
  return {s * a, s * b, s * c, s * (A.xx * A.zz - A.xz * A.xz), s * (A.xy * A.xz - A.xx * A.yz), s * (A.xx * A.yy - A.xy * A.xy)};
}
/// across I + along n n^T: the matrix of a spring times dq/dvdot, with its damper.
struct Spring {
  V3 n;
  Two across, along, tension;
  V3 operator*(const V3& a) const { return across * a + (along * dot(n, a)) * n; }
  void add_to(Sym& A, double sign) const {
    const V3 s = (sign * along) * n;
    A.xx += sign * across + s.x * n.x, A.xy += s.x * n.y, A.xz += s.x * n.z, A.yy += sign * across + s.y * n.y, A.yz += s.y * n.z, A.zz += sign * across + s.z * n.z;
  }
};
/// 1 + S - S X S.
Sym pivot(const Spring& S, const Sym& X) {
  const V3 p = X * S.n;
  const Two aa = S.across * S.across, ab = S.across * S.along, bb = S.along - S.along * S.along * dot(S.n, p), u = one + S.across;
  // n (bb n - ab p)^T - ab p n^T
  const V3 s = bb * S.n - ab * p, t = ab * p;
  const V3& n = S.n;
  return {u - aa * X.xx + n.x * s.x - t.x * n.x, n.x * s.y - t.x * n.y - aa * X.xy, n.x * s.z - t.x * n.z - aa * X.xz,
          u - aa * X.yy + n.y * s.y - t.y * n.y, n.y * s.z - t.y * n.z - aa * X.yz, u - aa * X.zz + n.z * s.z - t.z * n.z};
}
Spring spring(const V3& r, const V3& u, const Alpha& w) {
  const Two length = root(dot(r, r)), over = one / length;
  const V3 n = over * r;
  const Two tension = k * (length - L0) + d * dot(n, u), across = w.b0 * tension * over;
  return {n, across, (w.b0 * k + w.b1 * d) - across, tension};
}

struct Point {
  V3 q, v, a, vdot, slope;
};
struct Row {
  Sym inverse;
  Spring next;  // to the point further in
  V3 y;
};
constexpr V3 gravity{{0, 0}, {0, 0}, {-g, -g}};

struct Chain {
  std::vector<Point> p;  // pairs from the ends to the middle
  std::vector<Row> rows;
  Alpha w;

  /// What holds the first pair: the spring to the origin, and nothing.
  Spring anchor(const V3& q, const V3& v) const {
    Spring s = spring(q, v, w);
    s.across[1] = s.along[1] = s.tension[1] = 0.0;
    return s;
  }
  /// From pair i to pair i + 1; at the middle from each to the other.
  Spring inward(const V3* q, const V3* v) const { return spring(q[1] - q[0], v[1] - v[0], w); }

  /// Newton's step: changes vdot, a, q, v by it. Returns its largest change of q.
  double improve() {
    const int m = static_cast<int>(p.size());
    Spring out = anchor(p[0].q, p[0].v);
    Sym A{one, {}, {}, one, {}, one};
    out.add_to(A, 1.0);
    V3 r = gravity - p[0].vdot - out.tension * out.n;
    for (int i = 0;; ++i) {
      const V3 q[2] = {p[i].q, i + 1 < m ? p[i + 1].q : exchanged(p[i].q)}, v[2] = {p[i].v, i + 1 < m ? p[i + 1].v : exchanged(p[i].v)};
      const Spring in = inward(q, v);
      in.add_to(A, 1.0);
      const Sym X = inverse(A);
      const V3 pull = in.tension * in.n, y = X * (r + pull);
      rows[i] = {X, in, y};
      if (i + 1 == m) break;
      A = pivot(in, X);
      r = gravity - p[i + 1].vdot - pull + in * y;
    }
    V3 x = middle(rows[m - 1]);
    double largest = 0.0;
    for (int i = m; i-- > 0;) {
      if (i + 1 < m) x = rows[i].y + rows[i].inverse * (rows[i].next * x);
      Point& P = p[i];
      P.vdot = P.vdot + x, P.a = P.a + w.c * x, P.q = P.q + w.b0 * x, P.v = P.v + w.b1 * x;
      for (const Two& t : {x.x, x.y, x.z}) largest = std::max({largest, std::abs(t[0]), std::abs(t[1])});
    }
    return w.b0 * largest;
  }
  /// x = y + X S exchanged(x): where the halves meet, by elimination.
  V3 middle(const Row& row) const {
    double A[6][7];
    const auto at = [](const V3& a, int i, int lane) { return i == 0 ? a.x[lane] : i == 1 ? a.y[lane] : a.z[lane]; };
    for (int j = 0; j < 3; ++j) {
      const V3 e{one * (j == 0 ? 1.0 : 0.0), one * (j == 1 ? 1.0 : 0.0), one * (j == 2 ? 1.0 : 0.0)}, c = row.inverse * (row.next * e);
      for (int i = 0; i < 3; ++i)
        for (int lane = 0; lane < 2; ++lane) A[3 * lane + i][3 * lane + j] = i == j, A[3 * lane + i][3 * (1 - lane) + j] = -at(c, i, lane), A[3 * lane + i][6] = at(row.y, i, lane);
    }
    for (int c = 0; c < 6; ++c)
      for (int i = 0; i < 6; ++i)
        if (i != c)
          for (int j = 6; j >= c; --j) A[i][j] -= A[i][c] / A[c][c] * A[c][j];
    const auto x = [&](int i) { return Two{A[i][6] / A[i][i], A[3 + i][6] / A[3 + i][3 + i]}; };
    return {x(0), x(1), x(2)};
  }

  /// vdot, its slope by differences along the motion, and a.
  void start() {
    std::vector<V3> f(p.size());
    const auto accelerations = [&](double e) {
      const int m = static_cast<int>(p.size());
      const auto q = [&](int i) { return p[i].q + e * p[i].v; };
      const auto v = [&](int i) { return p[i].v + e * p[i].vdot; };
      Spring out = anchor(q(0), v(0));
      for (int i = 0; i < m; ++i) {
        const V3 Q[2] = {q(i), i + 1 < m ? q(i + 1) : exchanged(q(i))}, V[2] = {v(i), i + 1 < m ? v(i + 1) : exchanged(v(i))};
        const Spring in = inward(Q, V);
        f[i] = gravity - out.tension * out.n + in.tension * in.n;
        out = in;
      }
    };
    accelerations(0.0);
    for (std::size_t i = 0; i < p.size(); ++i) p[i].vdot = f[i];
    const double e = 1e-6;
    accelerations(e);
    for (std::size_t i = 0; i < p.size(); ++i) p[i].slope = (0.5 / e) * f[i];
    accelerations(-e);
    for (std::size_t i = 0; i < p.size(); ++i) {
      p[i].slope = p[i].slope - (0.5 / e) * f[i];
      p[i].a = p[i].vdot + ((Alpha::alpha_m - Alpha::alpha_f) * w.h) * p[i].slope;
    }
  }
  void step() {
    for (Point& P : p) {
      const V3 old = P.vdot, guess = old + w.h * P.slope;
      const V3 next = (1.0 / (1 - w.alpha_m)) * ((1 - w.alpha_f) * guess + w.alpha_f * old - w.alpha_m * P.a);
      P.q = P.q + w.h * P.v + (w.h * w.h) * ((0.5 - w.beta) * P.a + w.beta * next);
      P.v = P.v + w.h * ((1 - w.gamma) * P.a + w.gamma * next);
      P.a = next, P.vdot = guess, P.slope = old;
    }
    while (improve() > 1e-5 * L0) {}  // the next would be its square
    for (Point& P : p) P.slope = (1.0 / w.h) * (P.vdot - P.slope);
  }
};
}  // namespace

int main(int argc, char** argv) {
  const int n = std::atoi(argv[1]), steps = std::atoi(argv[2]), m = n / 2;
  if (n % 2) return std::fprintf(stderr, "an even number of points\n"), 2;
  Chain c{{}, std::vector<Row>(m), Alpha{1e-3 / (argc > 3 ? std::atoi(argv[3]) : 1)}};
  const double seconds = limit::least([&] {
    c.p.assign(m, Point{});
    for (int i = 0; i < m; ++i) c.p[i].q.x = Two{L0 * (i + 1), L0 * (n - i)}, c.p[i].v.y = Two{0.1 * std::sin(i + 1), 0.1 * std::sin(n - i)};
    c.start();
    const double start = limit::cpu();
    for (int s = 0; s < steps; ++s) c.step();
    return limit::cpu() - start;
  });
  const V3 &a = c.p[m - 1].q, &b = c.p[0].q;  // point n / 2 is the second of the last pair
  limit::print("spring_chain_implicit", n, steps, seconds, {a.x[1], a.y[1], a.z[1], b.x[1], b.y[1], b.z[1]});
}
