#include "saltus/math/taut_path.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "saltus/base/index.hpp"
#include "saltus/math/dense_lu.hpp"
#include "saltus/math/groove_span.hpp"

namespace saltus {
namespace {
using std::acos, std::atan2, std::cos, std::sin, std::sqrt;
constexpr double pi = 3.14159265358979323846, none = std::numeric_limits<double>::quiet_NaN();
constexpr int most = TautPath::most;
using Elements = std::span<const RopeElement>;

template <class S>
using Points = std::array<Vec3<S>, most>;

/// Where the rope meets and leaves one element, and how long it lies on it.
template <class S>
struct Wrap {
  Vec3<S> in, out;
  S arc{};
  double turn = 0.0;
};

template <class S>
Vec3<S> unit(const Vec3<S>& x) { return x * (1.0 / sqrt(dot(x, x))); }
template <class S>
Vec3<double> values(const Vec3<S>& x) { return {{val(x[0]), val(x[1]), val(x[2])}}; }
template <class S>
Vec3<S> column(const Mat3<S>& R, int i) { return {{R(0, i), R(1, i), R(2, i)}}; }

/// Around a cylinder or sheave whose neighbours are at P and Q, in its own axes. The way is straight once the surface is unrolled: s along it in the plane, z in
/// proportion. On a sheave it stays in the groove, z = 0, where it touches as a rope in that plane would.
template <class S>
Wrap<S> around_cylinder(const RopeElement& e, const Vec3<S>& P, const Vec3<S>& Q) {
  const double r = e.radius;
  const S rho_P = sqrt(P[0] * P[0] + P[1] * P[1]), rho_Q = sqrt(Q[0] * Q[0] + Q[1] * Q[1]);
  const S phi_1 = atan2(P[1], P[0]) + acos(r / rho_P), phi_2 = atan2(Q[1], Q[0]) - acos(r / rho_Q);
  S turn = phi_2 - phi_1;
  const double least = e.kind == RopeOver::sheave ? -0.5 * pi : -pi;
  turn = turn - 2 * pi * std::floor((val(turn) - least) / (2 * pi)) + 2 * pi * e.turns;
  const S on = r * turn;
  const auto at = [&](const S& phi, const S& z) { return Vec3<S>{{r * cos(phi), r * sin(phi), z}}; };
  if (e.kind == RopeOver::sheave) return {at(phi_1, S(0.0)), at(phi_2, S(0.0)), on, val(turn)};
  const S before = sqrt(rho_P * rho_P - r * r), after = sqrt(rho_Q * rho_Q - r * r), slope = (Q[2] - P[2]) / (before + on + after);
  return {at(phi_1, P[2] + slope * before), at(phi_2, Q[2] - slope * after), on * sqrt(1.0 + slope * slope), val(turn)};
}

/// In the plane of its centre and both neighbours.
template <class S>
Wrap<S> around_sphere(const RopeElement& e, const Vec3<S>& P, const Vec3<S>& Q) {
  const double r = e.radius;
  const Vec3<S> x = unit(P), across = Q - x * dot(x, Q), y = unit(across);
  const S phi_1 = acos(r / sqrt(dot(P, P))), phi_2 = atan2(dot(y, Q), dot(x, Q)) - acos(r / sqrt(dot(Q, Q)));
  const auto at = [&](const S& phi) { return (x * cos(phi) + y * sin(phi)) * r; };
  return {at(phi_1), at(phi_2), r * (phi_2 - phi_1), val(phi_2) - val(phi_1)};
}

template <class S>
Wrap<S> around(const RopeElement& e, const Vec3<S>& P, const Vec3<S>& Q) {
  return e.kind == RopeOver::sphere ? around_sphere(e, P, Q) : around_cylinder(e, P, Q);
}

/// The way over those elements of a section that it touches, in their order, from point to point.
struct Way {
  int count = 0;
  std::array<int, most> element{};
  Points<double> in, out;
  std::array<double, most> arc{}, turn{};

  int wraps() const { return count - 2; }
};

/// What decides where an element is touched: its frame, and in its axes the places before and after, P and Q. Its variables are the frame's tangent, P's place and Q's.
struct Bend {
  Mat3<double> R;
  Vec3<double> P, Q;

  /// How P and Q move in the frame's axes, and how these turn, along variable 3 to 11; the frame's displacement is that of both, the other way.
  struct Motion {
    Vec3<double> P{}, Q{}, spin{};
    double operator[](int i) const { return i < 3 ? P[i] : Q[i - 3]; }
  };
  Motion along(int variable) const {
    Motion m;
    const int i = variable % 3;
    const Vec3<double> row{{R(i, 0), R(i, 1), R(i, 2)}};
    if (variable < 6) m.spin[i] = 1.0, m.P = cross(P, m.spin), m.Q = cross(Q, m.spin);
    else (variable < 9 ? m.P : m.Q) = row;
    return m;
  }
  template <class S>
  Wrap<Dual<6, S>> varied(const RopeElement& e, const Vec3<S>& p, const Vec3<S>& q) const {
    Vec3<Dual<6, S>> x, y;
    for (int i = 0; i < 3; ++i) x[i] = Dual<6, S>::variable(p[i], i), y[i] = Dual<6, S>::variable(q[i], 3 + i);
    return around(e, x, y);
  }
  Wrap<Dual<6>> first(const RopeElement& e) const { return varied(e, P, Q); }
  Wrap<Dual<6, Dual<6>>> second(const RopeElement& e) const {
    Vec3<Dual<6>> x, y;
    for (int i = 0; i < 3; ++i) x[i] = Dual<6>::variable(P[i], i), y[i] = Dual<6>::variable(Q[i], 3 + i);
    return varied(e, x, y);
  }
};

/// A section with wraps. The unknowns are the places s (in, out) of each wrap, which its frame and its neighbours say: s = S(q, s). The length L(q, s) is the sum of
/// spans and of the arcs by these neighbours. With the adjoint (1 - dS/ds)^T lambda = dL/ds the gradient is that of M = L + lambda . (S - s) at fixed s, and the
/// curvature its second derivative along (dq, ds/dq). Indices: the tangents of the frames that are touched, 6 each, then the places, 6 each wrap.
class Solver {
 public:
  Solver(Elements elements, TautPath::Frames at) : elements_(elements), origin_(at[0].p) {
    for (std::size_t i = 0; i < at.size(); ++i) frames_[i] = {at[i].p - origin_, at[i].R};  // digits far from the origin
  }
  /// Lets go what pushes, the most first, until the rope pulls on all that it touches. False where there is no way.
  bool solve(Way& way) const {
    std::array<bool, most> off{};
    for (;;) {
      begin(way, off);
      if (!touch(way)) return false;
      int worst = -1;
      for (int a = 1; a + 1 < way.count; ++a)
        if (of(way, a).kind != RopeOver::sheave && way.turn[a] < 0.0 && (worst < 0 || way.turn[a] < way.turn[worst])) worst = a;
      if (worst < 0) return true;
      off[way.element[worst]] = true;
    }
  }
  double length(const Way& way) const {
    double sum = 0.0;
    for (int a = 0; a < way.count; ++a) {
      sum += way.arc[a];
      if (a > 0) sum += norm(way.in[a] - way.out[a - 1]);
    }
    return sum;
  }
  /// Added to g. False where the places are not determined.
  bool add_gradient(const Way& way, Vec6<double>* g) const {
    const Linear x(*this, way);
    DenseLu lu;
    if (!x.factorize(way, lu)) return false;
    const std::vector<double> lambda = x.adjoint(way, lu);
    for (int a = 0; a < way.count; ++a)
      for (int i = 0; i < 6; ++i) {
        double sum = x.slope[index(6 * a + i)];
        for (int r = 0; r < 6 * way.wraps(); ++r) sum += lambda[index(r)] * x(r, 6 * a + i);
        g[way.element[a]][i] += sum;
      }
    return true;
  }
  /// Added to K, whose rows are `stride` apart.
  void add_turning(const Way& way, int stride, double* K) const {
    const Linear x(*this, way);
    DenseLu lu;
    if (!x.factorize(way, lu)) return;
    const int q = 6 * way.count, m = 6 * way.wraps(), n = q + m;
    const std::vector<double> lambda = x.adjoint(way, lu), M = second(way, lambda);
    std::vector<double> Z(index(q) * index(m));  // ds/dq, by columns
    std::vector<double> along(index(n));
    for (int j = 0; j < q; ++j) {
      const std::span<double> moved(Z.data() + j * m, index(m));
      for (int r = 0; r < m; ++r) moved[index(r)] = x(r, j);
      if (way.wraps() > 1) lu.solve(moved);
    }
    const auto place = [&](int a) { return 6 * way.element[a / 6] + a % 6; };
    for (int j = 0; j < q; ++j) {
      for (int r = 0; r < n; ++r) {
        double sum = M[index(r * n + j)];
        for (int c = 0; c < m; ++c) sum += M[index(r * n + q + c)] * Z[index(j * m + c)];
        along[index(r)] = sum;
      }
      for (int i = 0; i < q; ++i) {
        double sum = along[index(i)];
        for (int r = 0; r < m; ++r) sum += Z[index(i * m + r)] * along[index(q + r)];
        K[place(i) * stride + place(j)] += sum;
      }
    }
  }
  const auto& frames() const { return frames_; }
  const RopeElement& of(const Way& way, int a) const { return elements_[index(way.element[a])]; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static int in_at(const Way& way, int a) { return a + 1 == way.count ? 6 * a : 6 * way.count + 6 * (a - 1); }
  static int out_at(const Way& way, int a) { return a == 0 ? 0 : 6 * way.count + 6 * (a - 1) + 3; }
  /// Of the twelve variables of a bend.
  static std::array<int, 12> variables(const Way& way, int a) {
    std::array<int, 12> to;
    for (int i = 0; i < 6; ++i) to[index(i)] = 6 * a + i;
    for (int i = 0; i < 3; ++i) to[index(6 + i)] = out_at(way, a - 1) + i, to[index(9 + i)] = in_at(way, a + 1) + i;
    return to;
  }
  Bend bend(const Way& way, int a) const {
    const RigidMotion<double>& f = frames_[way.element[a]];
    return {f.R, transposed_times(f.R, way.out[a - 1] - f.p), transposed_times(f.R, way.in[a + 1] - f.p)};
  }

  /// dS and dL.
  struct Linear {
    int n;
    std::vector<double> S, slope;

    Linear(const Solver& solver, const Way& way) : n(6 * (way.count + way.wraps())), S(index(6 * way.wraps() * n)), slope(index(n)) {
      for (int a = 0; a + 1 < way.count; ++a) {
        const Vec3<double> u = unit(way.in[a + 1] - way.out[a]);
        for (int i = 0; i < 3; ++i) slope[index(in_at(way, a + 1) + i)] += u[i], slope[index(out_at(way, a) + i)] -= u[i];
      }
      for (int a = 1; a + 1 < way.count; ++a) {
        const Bend b = solver.bend(way, a);
        const Wrap<Dual<6>> w = b.first(solver.of(way, a));
        const auto to = variables(way, a);
        const Vec3<double> places[] = {values(w.in), values(w.out)};
        for (int v = 3; v < 12; ++v) {
          const Bend::Motion m = b.along(v);
          double arc = 0.0;
          for (int k = 0; k < 6; ++k) arc += w.arc.d[index(k)] * m[k];
          slope[index(to[index(v)])] += arc;
          if (v >= 6) slope[index(to[index(v % 3)])] -= arc;
          for (int end = 0; end < 2; ++end) {
            Vec3<double> d = cross(m.spin, places[end]);
            for (int i = 0; i < 3; ++i)
              for (int k = 0; k < 6; ++k) d[i] += (end == 0 ? w.in : w.out)[i].d[index(k)] * m[k];
            put(6 * (a - 1) + 3 * end, to, v, b.R * d);
          }
        }
        for (int i = 0; i < 6; ++i) S[index((6 * (a - 1) + i) * n + to[index(i % 3)])] += 1.0;
      }
    }
    /// A column of three rows, for a place's variable also that of the frame, which moves the other way.
    void put(int row, const std::array<int, 12>& to, int v, const Vec3<double>& d) {
      for (int i = 0; i < 3; ++i) {
        S[index((row + i) * n + to[index(v)])] += d[i];
        if (v >= 6) S[index((row + i) * n + to[index(v % 3)])] -= d[i];
      }
    }
    double operator()(int row, int column) const { return S[index(row * n + column)]; }
    /// 1 - dS/ds; a single wrap has the identity.
    bool factorize(const Way& way, DenseLu& lu) const {
      const int m = 6 * way.wraps();
      if (way.wraps() < 2) return true;
      std::vector<double> A(index(m * m));
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j) A[index(i * m + j)] = (i == j ? 1.0 : 0.0) - (*this)(i, 6 * way.count + j);
      return lu.factorize(A, m);
    }
    std::vector<double> adjoint(const Way& way, DenseLu& lu) const {
      std::vector<double> lambda(slope.begin() + 6 * way.count, slope.end());
      if (way.wraps() > 1) lu.solve_transposed(lambda);
      return lambda;
    }
  };
  /// Second derivative of M.
  std::vector<double> second(const Way& way, const std::vector<double>& lambda) const {
    const int n = 6 * (way.count + way.wraps());
    std::vector<double> M(index(n * n));
    for (int a = 0; a + 1 < way.count; ++a) {
      const Vec3<double> d = way.in[a + 1] - way.out[a], u = unit(d);
      const int ends[] = {out_at(way, a), in_at(way, a + 1)};
      for (const int r : ends)
        for (const int c : ends)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) M[index((r + i) * n + c + j)] += (r == c ? 1.0 : -1.0) * ((i == j ? 1.0 : 0.0) - u[i] * u[j]) / norm(d);
    }
    for (int a = 1; a + 1 < way.count; ++a) add_second(way, a, lambda, n, M.data());
    return M;
  }

  /// Of arc + lambda . (in, out) of one wrap, y being lambda in its axes: its slope by P and Q is turned back by the frame, which turns P, Q and y.
  void add_second(const Way& way, int a, const std::vector<double>& lambda, int n, double* M) const {
    const Bend b = bend(way, a);
    const auto w = b.second(of(way, a));
    Vec3<double> y[2], x[2], slope[2];
    auto sum = w.arc;
    for (int end = 0; end < 2; ++end) {
      const double* l = lambda.data() + 6 * (a - 1) + 3 * end;
      y[end] = transposed_times(b.R, Vec3<double>{{l[0], l[1], l[2]}}), x[end] = values(end == 0 ? w.in : w.out);
      for (int i = 0; i < 3; ++i) sum += (end == 0 ? w.in : w.out)[i] * y[end][i];
    }
    for (int k = 0; k < 6; ++k) slope[k / 3][k % 3] = val(sum.d[index(k)]);
    const auto to = variables(way, a);
    const auto put = [&](int first, const Vec3<double>& d, int v) {
      for (int i = 0; i < 3; ++i) {
        double* row = M + to[index(first + i)] * n;
        row[to[index(v)]] += d[i];
        if (v >= 6) row[to[index(v % 3)]] -= d[i];
      }
    };
    for (int v = 3; v < 12; ++v) {
      const Bend::Motion m = b.along(v);
      Vec3<double> d[2], turn{};  // of the slopes, of the moment
      for (int end = 0; end < 2; ++end) {
        const Vec3<double> dy = cross(y[end], m.spin);
        Vec3<double> dx{};
        for (int k = 0; k < 6; ++k) {
          for (int i = 0; i < 3; ++i) {
            const double J = val((end == 0 ? w.in : w.out)[i].d[index(k)]);
            dx[i] += J * m[k], d[k / 3][k % 3] += J * dy[i];
          }
        }
        turn -= cross(dy, x[end]) + cross(y[end], dx);
      }
      for (int k = 0; k < 6; ++k)
        for (int l = 0; l < 6; ++l) d[k / 3][k % 3] += sum.d[index(k)].d[index(l)] * m[l];
      turn -= cross(m.P, slope[0]) + cross(b.P, d[0]) + cross(m.Q, slope[1]) + cross(b.Q, d[1]);
      const Vec3<double> first = b.R * (d[0] + cross(m.spin, slope[0])), last = b.R * (d[1] + cross(m.spin, slope[1]));
      put(0, (first + last) * -1.0, v), put(3, turn, v), put(6, first, v), put(9, last, v);
    }
  }

  void begin(Way& way, const std::array<bool, most>& off) const {
    way.count = 0;
    for (int i = 0; i < count_of(elements_); ++i)
      if (!off[i]) way.element[way.count++] = i;
    way.arc.fill(0.0), way.turn.fill(0.0);
    for (const int a : {0, way.count - 1}) way.in[a] = way.out[a] = frames_[way.element[a]].p;
  }
  /// The axis about which the rope turns.
  Vec3<double> axis(const Way& way, int a) const {
    const RigidMotion<double>& f = frames_[way.element[a]];
    if (of(way, a).kind != RopeOver::sphere) return column(f.R, 2);
    return unit(cross(frames_[way.element[a - 1]].p - f.p, frames_[way.element[a + 1]].p - f.p));
  }
  /// Common tangents of neighbours whose axes are parallel. With the centre on the left at A and on the side s at B: d . left = s r_B - r_A.
  bool tangents(Way& way) const {
    for (int a = 1; a + 2 < way.count; ++a) {
      const Vec3<double> n = axis(way, a), d = frames_[way.element[a + 1]].p - frames_[way.element[a]].p, flat = d - n * dot(n, d);
      const double s = dot(n, axis(way, a + 1)) < 0.0 ? -1.0 : 1.0, r_A = of(way, a).radius, r_B = of(way, a + 1).radius;
      const double sine = (s * r_B - r_A) / norm(flat);
      if (!(std::abs(sine) < 1.0)) return false;
      const Vec3<double> along = unit(flat), left = cross(n, along);
      const Vec3<double> to_left = along * sine + left * sqrt(1.0 - sine * sine);
      way.out[a] = frames_[way.element[a]].p - to_left * r_A;
      way.in[a + 1] = frames_[way.element[a + 1]].p - to_left * (s * r_B);
    }
    return true;
  }
  /// The places by Newton's method from the common tangents; the ends of wraps beside points follow from the others.
  bool touch(Way& way) const {
    if (way.wraps() > 1 && !tangents(way)) return false;
    if (way.wraps() < 2) return sweep(way);
    const int last = way.count - 2, m = 6 * way.wraps();
    way.in[1] = plain(way, 1).in, way.out[last] = plain(way, last).out;
    double scale = 0.0;
    for (int a = 0; a < way.count; ++a) scale = std::max({scale, of(way, a).radius, norm(frames_[way.element[a]].p)});
    constexpr int iterations = 40;
    std::vector<double> r(index(m));
    for (int k = 0; k < iterations; ++k) {
      double left = 0.0;
      for (int a = 1; a <= last; ++a) {
        const Wrap<double> to = plain(way, a);
        for (int j = 0; j < 3; ++j) r[index(6 * (a - 1) + j)] = to.in[j] - way.in[a][j], r[index(6 * (a - 1) + 3 + j)] = to.out[j] - way.out[a][j];
      }
      for (const double x : r) left = std::isfinite(x) ? std::max(left, std::abs(x)) : none;
      if (std::isnan(left)) return false;
      if (left <= 4e-15 * scale) return sweep(way);
      DenseLu lu;
      if (!Linear(*this, way).factorize(way, lu)) return false;
      lu.solve(r);
      for (int a = 1; a <= last; ++a)
        for (int j = 0; j < 3; ++j) way.in[a][j] += r[index(6 * (a - 1) + j)], way.out[a][j] += r[index(6 * (a - 1) + 3 + j)];
      if (left < 1e-10 * scale) return sweep(way);  // the next would be rounding
    }
    return false;
  }
  Wrap<double> plain(const Way& way, int a) const {
    const Bend b = bend(way, a);
    const RigidMotion<double>& f = frames_[way.element[a]];
    const Wrap<double> w = around(of(way, a), b.P, b.Q);
    return {f.p + f.R * w.in, f.p + f.R * w.out, w.arc, w.turn};
  }
  /// Takes what the neighbours say of every place.
  bool sweep(Way& way) const {
    std::array<Wrap<double>, most> to;
    for (int a = 1; a + 1 < way.count; ++a) to[index(a)] = plain(way, a);
    for (int a = 1; a + 1 < way.count; ++a) {
      const Wrap<double>& w = to[index(a)];
      way.in[a] = w.in, way.out[a] = w.out, way.arc[a] = w.arc, way.turn[a] = w.turn;
      if (!std::isfinite(w.arc)) return false;
    }
    return true;
  }

  Elements elements_;
  Vec3<double> origin_;
  std::array<RigidMotion<double>, most> frames_;
};

/// The spans of a section of points and sheaves alone.
struct Grooves {
  std::vector<GrooveSpan> spans;
  bool found = true;

  Grooves(Elements elements, TautPath::Frames at) {
    spans.reserve(elements.size() - 1);
    for (std::size_t i = 0; i + 1 < elements.size() && found; ++i) {
      const auto near = [&](std::size_t j) { return RigidMotion<double>{at[j].p - at[0].p, at[j].R}; };  // digits far from the origin
      spans.emplace_back(near(i), elements[i].radius, near(i + 1), elements[i + 1].radius);
      found = spans.back().found();
    }
  }
  /// Of the rope on sheave i, -90 to 270 degrees and its whole turns.
  double turn(Elements elements, std::size_t i) const {
    const double turn = spans[i].angle_A() - spans[i - 1].angle_B();
    return turn - 2 * pi * std::floor(turn / (2 * pi) + 0.25) + 2 * pi * elements[i].turns;
  }
  /// Spans by their share(i), and the rope on the sheaves; where the shares are opposite it is parted in the middle, the angle from the sheave's own x axis.
  template <class F>
  double length(Elements elements, const F& share) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      sum += share(i) * spans[i].length();
      if (i == 0) continue;
      const double on = turn(elements, i), before = share(i - 1), after = share(i);
      sum += elements[i].radius * (0.5 * (before + after) * on + (after - before) * (spans[i - 1].angle_B() + 0.5 * on));
    }
    return sum;
  }
};

constexpr const char* untouched = "is not touched by the rope";
constexpr const char* turn_round = "turn its axis round (the rope turns about it by the right hand), or let a cylinder stand for what the rope may leave";
constexpr const char* together = "and the next element of the rope are in one place";
constexpr const char* slack = "begins a rope that cannot be drawn tight over what follows";
constexpr const char* draw = "place the elements apart, and see to it that z of each sheave is the axis about which the rope turns by the right hand";

/// Whether a neighbour lies inside a wrap or sheave, seen along its axis.
TautPath::Wrong inside(Elements elements, TautPath::Frames at) {
  for (int i = 0; i < count_of(elements); ++i) {
    const RopeElement& e = elements[i];
    if (e.kind == RopeOver::point) continue;
    for (const std::size_t j : {i - 1, i + 1}) {
      const RopeElement& other = elements[j];
      Vec3<double> d = transposed_times(at[i].R, at[j].p - at[i].p);
      if (e.kind != RopeOver::sphere) d[2] = 0.0;
      const double least = other.kind == RopeOver::point ? e.radius : std::abs(e.radius - other.radius);
      if (norm(d) > least) continue;
      return {i, other.kind == RopeOver::point ? "has the rope's neighbouring point inside it" : "and its neighbour lie inside each other",
              "place them apart, or make the radius smaller"};
    }
  }
  return {};
}

TautPath::Wrong wrong_way(Elements elements, TautPath::Frames at) {
  if (const TautPath::Wrong wrong = inside(elements, at); wrong.element >= 0) return wrong;
  const Solver solver(elements, at);
  Way way;
  if (!solver.solve(way)) return {0, slack, draw};
  for (int a = 1; a + 1 < way.count; ++a)
    if (solver.of(way, a).kind == RopeOver::sheave && way.turn[a] < 0.0) return {way.element[a], untouched, turn_round};
  for (int a = 0; a + 1 < way.count; ++a)
    if (!(norm(way.in[a + 1] - way.out[a]) > 0.0)) return {way.element[a], together, "leave one of them out"};
  return {};
}

TautPath::Wrong wrong_grooves(Elements elements, TautPath::Frames at) {
  const Grooves grooves(elements, at);
  if (!grooves.found) {
    if (elements.size() == 2) return {0, together, "leave one of them out"};
    const TautPath::Wrong wrong = inside(elements, at);
    return wrong.element >= 0 ? wrong : TautPath::Wrong{count_of(grooves.spans) - 1, slack, draw};
  }
  for (std::size_t i = 1; i < grooves.spans.size(); ++i)
    if (grooves.turn(elements, i) < 0.0) return {static_cast<int>(i), untouched, turn_round};
  return {};
}

}  // namespace

/// What a section of grooves adds to the measure.
template <class G>
double TautPath::value_of(const Section& s, const G& grooves, std::span<const RopeElement> elements) const {
  if (measure_ != Measure::wrap) return grooves.length(elements, [&](std::size_t i) { return share(s.first + static_cast<int>(i)); });
  return s.first < element_ && element_ < s.last ? grooves.turn(elements, element_ - s.first) : 0.0;
}

template <class F>
void TautPath::each_section(Frames at, const F& f) const {
  for (const Section& s : sections_) {
    const std::size_t first = s.first, count = s.last - s.first + 1;
    f(s, Elements(elements_).subspan(first, count), at.subspan(first, count));
  }
}

TautPath::TautPath(std::vector<RopeElement> elements) : elements_(std::move(elements)) {
  if (size() < 2 || size() > most) throw std::invalid_argument("a rope has 2 to 32 elements");
  if (elements_.front().kind != RopeOver::point || elements_.back().kind != RopeOver::point) throw std::invalid_argument("a rope begins and ends at points");
  for (int first = 0, i = 1; i < size(); ++i) {
    if (elements_[i].kind != RopeOver::point) continue;
    const auto wrap = [](const RopeElement& e) { return e.kind == RopeOver::cylinder || e.kind == RopeOver::sphere; };
    sections_.push_back({first, i, std::any_of(elements_.begin() + first, elements_.begin() + i, wrap)});
    first = i;
  }
}

TautPath TautPath::over(Measure measure, int element) const {
  TautPath out = *this;
  out.measure_ = measure, out.element_ = element;
  const auto holds = [&](const Section& s) { return s.first < element && element < s.last && !s.wraps; };
  out.measures_ = element > 0 && element + 1 < size() && elements_[element].kind == RopeOver::sheave && std::any_of(sections_.begin(), sections_.end(), holds);
  return out;
}

double TautPath::length(Frames at) const {
  double sum = 0.0;
  each_section(at, [&](const Section& s, Elements elements, Frames frames) {
    if (!s.wraps) {
      const Grooves grooves(elements, frames);
      sum += grooves.found ? value_of(s, grooves, elements) : none;
      return;
    }
    const Solver solver(elements, frames);
    Way way;
    sum += solver.solve(way) ? share(s.first) * solver.length(way) : none;
  });
  return sum;
}

double TautPath::gradient(Frames at, Vec6<double>* g) const {
  double sum = 0.0;
  std::fill_n(g, size(), Vec6<double>{});
  each_section(at, [&](const Section& s, Elements elements, Frames frames) {
    if (!s.wraps) {
      const Grooves grooves(elements, frames);
      sum += grooves.found ? value_of(s, grooves, elements) : none;
      if (!grooves.found) return;
      for (int i = 0; i < count_of(grooves.spans); ++i) {
        const GrooveSpan& span = grooves.spans[i];
        const int e = s.first + i;
        if (share(e) != 0.0) span.add_gradient(g[e], g[e + 1], share(e));
        if (measure_ == Measure::wrap && e == element_) span.add_angle_gradient(GrooveSpan::Of::A, 1.0, g[e], g[e + 1]);
        if (measure_ == Measure::wrap && e + 1 == element_) span.add_angle_gradient(GrooveSpan::Of::B, -1.0, g[e], g[e + 1]);
      }
      return;
    }
    const Solver solver(elements, frames);
    Way way;
    std::array<Vec6<double>, most> own{};
    const bool found = solver.solve(way) && solver.add_gradient(way, own.data());
    for (int i = 0; i < count_of(elements); ++i) g[s.first + i] = g[s.first + i] + own[i] * share(s.first);
    sum += found ? share(s.first) * solver.length(way) : none;
  });
  return sum;
}

void TautPath::turning(Frames at, double* K) const {
  const int n = 6 * size();
  std::fill_n(K, n * n, 0.0);
  each_section(at, [&](const Section& s, Elements elements, Frames frames) {
    double* block = K + 6 * s.first * (n + 1);
    if (!s.wraps) {
      const Grooves grooves(elements, frames);
      for (int i = 0; grooves.found && i < count_of(grooves.spans); ++i) {
        const GrooveSpan& span = grooves.spans[i];
        const int e = s.first + i;
        double* own = block + 6 * i * (n + 1);
        if (share(e) != 0.0) span.add_turning(own, n, share(e));
        if (measure_ == Measure::wrap && e == element_) span.add_angle_turning(GrooveSpan::Of::A, 1.0, own, n);
        if (measure_ == Measure::wrap && e + 1 == element_) span.add_angle_turning(GrooveSpan::Of::B, -1.0, own, n);
      }
      return;
    }
    const Solver solver(elements, frames);
    Way way;
    const double part = share(s.first);
    if (part == 0.0 || !solver.solve(way)) return;
    const std::size_t m = 6 * elements.size();
    std::vector<double> own(m * m);
    solver.add_turning(way, static_cast<int>(m), own.data());
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t c = 0; c < m; ++c) block[r * static_cast<std::size_t>(n) + c] += part * own[r * m + c];
  });
}

std::vector<TautPath::Corner> TautPath::line(Frames at) const {
  constexpr double step = pi / 18;
  std::vector<Corner> out;
  bool found = true;
  /// From the arm `first` of element i to `last`, around z.
  const auto bend = [&](int i, const Vec3<double>& first, const Vec3<double>& last, double turn, const Vec3<double>& z) {
    const int steps = std::max(1, static_cast<int>(std::ceil(std::abs(turn) / step)));
    for (int k = 0; k <= steps; ++k) {
      const double share = static_cast<double>(k) / steps;
      out.push_back({i, at[i].p + rotation_exp(z * (share * turn)) * first + z * (share * dot(z, last - first))});
    }
  };
  each_section(at, [&](const Section& s, Elements elements, Frames frames) {
    if (s.first == 0) out.push_back({0, at[0].p});
    if (!s.wraps) {
      const Grooves grooves(elements, frames);
      found &= grooves.found;
      for (std::size_t i = 1; grooves.found && i < grooves.spans.size(); ++i)
        bend(s.first + static_cast<int>(i), grooves.spans[i - 1].arm_B(), grooves.spans[i].arm_A(), grooves.turn(elements, i), column(frames[i].R, 2));
    } else {
      const Solver solver(elements, frames);
      Way way;
      const bool solved = solver.solve(way);
      found &= solved;
      for (int a = 1; solved && a + 1 < way.count; ++a) {
        const RigidMotion<double>& f = solver.frames()[way.element[a]];
        const Vec3<double> first = way.in[a] - f.p, last = way.out[a] - f.p, across = cross(first, last);
        const bool ball = solver.of(way, a).kind == RopeOver::sphere;
        bend(s.first + way.element[a], first, last, way.turn[a], !ball ? column(f.R, 2) : norm(across) > 0.0 ? unit(across) : Vec3<double>{{0.0, 0.0, 1.0}});
      }
    }
    out.push_back({s.last, at[s.last].p});
  });
  return found ? out : std::vector<Corner>{};
}

TautPath::Wrong TautPath::wrong(Frames at) const {
  Wrong wrong;
  each_section(at, [&](const Section& s, Elements elements, Frames frames) {
    if (wrong.element >= 0) return;
    wrong = s.wraps ? wrong_way(elements, frames) : wrong_grooves(elements, frames);
    if (wrong.element >= 0) wrong.element += s.first;
  });
  return wrong;
}

}  // namespace saltus
