#include "saltus/math/taut_path.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "saltus/math/dense_lu.hpp"

namespace saltus {
namespace {
using std::acos, std::atan2, std::cos, std::sin, std::sqrt;
constexpr double pi = 3.14159265358979323846, none = std::numeric_limits<double>::quiet_NaN();
constexpr int most = TautPath::most;

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
Vec3<S> column(const Mat3<S>& R, int i) { return {{R(0, i), R(1, i), R(2, i)}}; }

/// In the axes of the cylinder the way is straight once its surface is unrolled: s along it in the plane, z in proportion. On a sheave it is kept in the
/// plane of the groove, z = 0, where it touches as a rope in that plane would.
template <class S>
Wrap<S> around_cylinder(const RopeElement& e, const RigidMotion<S>& f, const Vec3<S>& from, const Vec3<S>& to) {
  const Vec3<S> P = transposed_times(f.R, from - f.p), Q = transposed_times(f.R, to - f.p);
  const double r = e.radius;
  const S rho_P = sqrt(P[0] * P[0] + P[1] * P[1]), rho_Q = sqrt(Q[0] * Q[0] + Q[1] * Q[1]);
  const S phi_1 = atan2(P[1], P[0]) + acos(r / rho_P), phi_2 = atan2(Q[1], Q[0]) - acos(r / rho_Q);
  S turn = phi_2 - phi_1;
  const double least = e.kind == RopeOver::sheave ? -0.5 * pi : -pi;
  turn = turn - 2 * pi * std::floor((val(turn) - least) / (2 * pi)) + 2 * pi * e.turns;
  const S before = sqrt(rho_P * rho_P - r * r), after = sqrt(rho_Q * rho_Q - r * r), on = r * turn;
  if (e.kind == RopeOver::sheave) {
    const auto at = [&](const S& phi) { return f.p + f.R * Vec3<S>{{r * cos(phi), r * sin(phi), S(0.0)}}; };
    return {at(phi_1), at(phi_2), on, val(turn)};
  }
  const S slope = (Q[2] - P[2]) / (before + on + after);
  const Vec3<S> in{{r * cos(phi_1), r * sin(phi_1), P[2] + slope * before}}, out{{r * cos(phi_2), r * sin(phi_2), Q[2] - slope * after}};
  return {f.p + f.R * in, f.p + f.R * out, on * sqrt(1.0 + slope * slope), val(turn)};
}

/// In the plane of its centre and both neighbours.
template <class S>
Wrap<S> around_sphere(const RopeElement& e, const RigidMotion<S>& f, const Vec3<S>& from, const Vec3<S>& to) {
  const Vec3<S> P = from - f.p, Q = to - f.p;
  const double r = e.radius;
  const Vec3<S> x = unit(P), across = Q - x * dot(x, Q), y = unit(across);
  const S phi_1 = acos(r / sqrt(dot(P, P))), phi_2 = atan2(dot(y, Q), dot(x, Q)) - acos(r / sqrt(dot(Q, Q)));
  const auto at = [&](const S& phi) { return f.p + (x * cos(phi) + y * sin(phi)) * r; };
  return {at(phi_1), at(phi_2), r * (phi_2 - phi_1), val(phi_2) - val(phi_1)};
}

/// The way over those elements that it touches, in their order; points are touched.
struct Way {
  int count = 0;
  std::array<int, most> element{};
  bool coupled = false;  // two wraps follow each other: where one is touched depends on the other
  Points<double> in, out;
  std::array<double, most> arc{}, turn{};
};

class Solver {
 public:
  Solver(const std::vector<RopeElement>& elements, TautPath::Frames at) : elements_(elements), origin_(at[0].p) {
    for (std::size_t i = 0; i < at.size(); ++i) frames_[i] = {at[i].p - origin_, at[i].R};  // digits far from the origin
  }
  /// Lets go what pushes, the most first, until the rope pulls on all that it touches. False where there is no way.
  bool solve(Way& way) const {
    std::array<bool, most> off{};
    for (;;) {
      begin(way, off);
      if (!touch(way)) return false;
      int worst = -1;
      for (int a = 1; a + 1 < way.count; ++a) {
        const RopeOver kind = of(way, a).kind;
        if ((kind == RopeOver::cylinder || kind == RopeOver::sphere) && way.turn[a] < 0.0 && (worst < 0 || way.turn[a] < way.turn[worst])) worst = a;
      }
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
  template <class S>
  void gradient(const Way& way, const std::array<RigidMotion<S>, most>& frames, const Points<S>& in, const Points<S>& out, Vec6<S>* g) const {
    Span<S> before{}, after{};
    for (int a = 0; a < way.count; ++a, before = after) {
      after = a + 1 < way.count ? span(way, a, frames, in, out) : Span<S>{};
      const RigidMotion<S>& f = frames[way.element[a]];
      const Vec3<S> pull = before.pull - after.pull;
      Vec3<S> turn{};
      if (wraps(way, a)) turn = transposed_times(f.R, cross(in[a] - f.p, before.pull) - cross(out[a] - f.p, after.pull) + before.on_last + after.on_first);
      g[way.element[a]] = {{pull[0], pull[1], pull[2], turn[0], turn[1], turn[2]}};
    }
  }
  /// What the length of the span from a to the next one gains: pull . displacement of its end less that of its begin, and by turning what holds it.
  template <class S>
  struct Span {
    Vec3<S> pull{}, on_first{}, on_last{};
  };
  /// A groove keeps the rope in its plane, where it is not stationary: with d from A to B, along it u, the angle phi of tangency of a sheave (n outward, t onward) moves the
  /// length by r (1 - u . t), which n . d = 0 decides. The multipliers mu of these conditions make up for it; in the plane they vanish.
  template <class S>
  Span<S> span(const Way& way, int a, const std::array<RigidMotion<S>, most>& frames, const Points<S>& in, const Points<S>& out) const {
    const int b = a + 1;
    const Vec3<S> d = in[b] - out[a], u = unit(d);
    Span<S> to{u, {}, {}};
    const bool first = of(way, a).kind == RopeOver::sheave, last = of(way, b).kind == RopeOver::sheave;
    if (!first && !last) return to;
    const RigidMotion<S>&A = frames[way.element[a]], &B = frames[way.element[b]];
    const double r_A = of(way, a).radius, r_B = of(way, b).radius;
    Vec3<S> n_A{}, t_A{}, n_B{}, t_B{};
    if (first) n_A = (out[a] - A.p) * (1.0 / r_A), t_A = cross(column(A.R, 2), n_A);
    if (last) n_B = (in[b] - B.p) * (1.0 / r_B), t_B = cross(column(B.R, 2), n_B);
    // Of A and B: mu_A t_A . d - mu_B r_A n_B . t_A = r_A (u . t_A - 1), mu_A r_B n_A . t_B + mu_B t_B . d = r_B (1 - u . t_B).
    const S aa = first ? dot(t_A, d) : S(1.0), ab = first && last ? -r_A * dot(n_B, t_A) : S(0.0), ba = first && last ? r_B * dot(n_A, t_B) : S(0.0), bb = last ? dot(t_B, d) : S(1.0);
    const S left_A = first ? r_A * (dot(u, t_A) - 1.0) : S(0.0), left_B = last ? r_B * (1.0 - dot(u, t_B)) : S(0.0);
    const S whole = aa * bb - ab * ba, mu_A = (left_A * bb - ab * left_B) / whole, mu_B = (aa * left_B - ba * left_A) / whole;
    to.pull = u + n_A * mu_A + n_B * mu_B;
    to.on_first = cross(n_A, d) * mu_A, to.on_last = cross(n_B, d) * mu_B;
    return to;
  }
  const auto& frames() const { return frames_; }
  const RopeElement& of(const Way& way, int a) const { return elements_[way.element[a]]; }
  bool wraps(const Way& way, int a) const { return of(way, a).kind != RopeOver::point; }

  /// What the neighbours say of each place of tangency.
  template <class S>
  void sweep(const Way& way, const std::array<RigidMotion<S>, most>& frames, const Points<S>& in, const Points<S>& out, std::array<Wrap<S>, most>& to) const {
    for (int a = 1; a + 1 < way.count; ++a) {
      const RopeElement& e = of(way, a);
      const RigidMotion<S>& f = frames[way.element[a]];
      if (e.kind == RopeOver::point) continue;
      to[a] = e.kind == RopeOver::sphere ? around_sphere(e, f, out[a - 1], in[a + 1]) : around_cylinder(e, f, out[a - 1], in[a + 1]);
    }
  }
  template <class S>
  void put_points(const Way& way, const std::array<RigidMotion<S>, most>& frames, Points<S>& in, Points<S>& out) const {
    for (int a = 0; a < way.count; ++a)
      if (!wraps(way, a)) in[a] = out[a] = frames[way.element[a]].p;
  }
  /// A (6 w x 6 w) := 1 - d(sweep)/d(places), w the wraps in their order; each is (in, out).
  void coupling(const Way& way, std::vector<double>& A) const {
    const int n = 6 * (way.count - 2);  // entries of points: the identity
    A.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
    for (int i = 0; i < n; ++i) A[i * n + i] = 1.0;
    each_place(way, [&](int a, const auto& frames, const auto& in, const auto& out) {
      std::array<Wrap<Dual<6>>, most> to;
      sweep(way, frames, in, out, to);
      for (int b = std::max(1, a - 1); b <= std::min(way.count - 2, a + 1); ++b)
        if (b != a && wraps(way, b))
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 6; ++j) {
              A[(6 * (b - 1) + i) * n + 6 * (a - 1) + j] -= to[b].in[i].d[j];
              A[(6 * (b - 1) + 3 + i) * n + 6 * (a - 1) + j] -= to[b].out[i].d[j];
            }
    });
  }
  /// f(a, frames, in, out) for each wrap with derivatives by its own places.
  template <class F>
  void each_place(const Way& way, const F& f) const {
    using D = Dual<6>;
    std::array<RigidMotion<D>, most> frames;
    Points<D> in, out;
    constants(way, frames, in, out);
    for (int a = 1; a + 1 < way.count; ++a) {
      if (!wraps(way, a)) continue;
      for (int i = 0; i < 3; ++i) in[a][i].d[i] = out[a][i].d[3 + i] = 1.0;
      f(a, frames, in, out);
      for (int i = 0; i < 3; ++i) in[a][i].d[i] = out[a][i].d[3 + i] = 0.0;
    }
  }
  /// f(a, frames, in, out) for each element that is touched, with derivatives by its frame's tangent.
  template <class F>
  void each_frame(const Way& way, const F& f) const {
    using D = Dual<6>;
    std::array<RigidMotion<D>, most> frames;
    Points<D> in, out;
    constants(way, frames, in, out);
    for (int a = 0; a < way.count; ++a) {
      RigidMotion<D>& frame = frames[way.element[a]];
      const RigidMotion<D> still = frame;
      Vec3<D> turn;
      for (int i = 0; i < 3; ++i) frame.p[i].d[i] = 1.0, turn[i].d[3 + i] = 1.0;
      frame.R = frame.R + frame.R * skew(turn);
      put_points(way, frames, in, out);
      f(a, frames, in, out);
      frame = still;
      put_points(way, frames, in, out);
    }
  }

 private:
  void begin(Way& way, const std::array<bool, most>& off) const {
    way.count = 0, way.coupled = false;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (off[i]) continue;
      const bool wrap = elements_[i].kind != RopeOver::point;
      way.coupled |= wrap && way.count > 0 && elements_[way.element[way.count - 1]].kind != RopeOver::point;
      way.element[way.count++] = static_cast<int>(i);
    }
    way.arc.fill(0.0), way.turn.fill(0.0);
    put_points(way, frames_, way.in, way.out);
  }
  /// The axis about which the rope turns.
  Vec3<double> axis(const Way& way, int a) const {
    const RigidMotion<double>& f = frames_[way.element[a]];
    if (of(way, a).kind != RopeOver::sphere) return column(f.R, 2);
    return unit(cross(frames_[way.element[a - 1]].p - f.p, frames_[way.element[a + 1]].p - f.p));
  }
  /// Common tangents of neighbours whose axes are parallel. With the centre on the left at A and on the side s at B: d . left = s r_B - r_A.
  bool tangents(Way& way) const {
    for (int a = 0; a + 1 < way.count; ++a) {
      const bool first = wraps(way, a), second = wraps(way, a + 1);
      if (!first || !second) continue;
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
  bool touch(Way& way) const {
    if (way.coupled && !tangents(way)) return false;
    std::array<Wrap<double>, most> to;
    const int n = 6 * (way.count - 2);
    std::vector<double> A, r(way.coupled ? static_cast<std::size_t>(n) : 0);
    double scale = 0.0;
    for (int a = 0; a < way.count; ++a) scale = std::max({scale, of(way, a).radius, norm(frames_[way.element[a]].p)});
    if (way.coupled) {  // the ends of wraps beside points follow from the others
      sweep(way, frames_, way.in, way.out, to);
      for (int a = 1; a + 1 < way.count; ++a)
        if (wraps(way, a)) {
          if (!wraps(way, a - 1)) way.in[a] = to[a].in;
          if (!wraps(way, a + 1)) way.out[a] = to[a].out;
        }
    }
    constexpr int iterations = 40;
    for (int i = 0; i < iterations; ++i) {
      sweep(way, frames_, way.in, way.out, to);
      if (!way.coupled) return take(way, to);
      double left = 0.0;
      std::fill(r.begin(), r.end(), 0.0);
      for (int a = 1; a + 1 < way.count; ++a)
        if (wraps(way, a))
          for (int j = 0; j < 3; ++j) {
            r[6 * (a - 1) + j] = to[a].in[j] - way.in[a][j], r[6 * (a - 1) + 3 + j] = to[a].out[j] - way.out[a][j];
            left = std::max({left, std::abs(r[6 * (a - 1) + j]), std::abs(r[6 * (a - 1) + 3 + j])});
          }
      if (!std::isfinite(left)) return false;
      if (left <= 4e-15 * scale) return take(way, to);
      coupling(way, A);
      DenseLu lu;
      if (!lu.factorize(A, n)) return false;
      lu.solve(r);
      for (int a = 1; a + 1 < way.count; ++a)
        if (wraps(way, a))
          for (int j = 0; j < 3; ++j) way.in[a][j] += r[6 * (a - 1) + j], way.out[a][j] += r[6 * (a - 1) + 3 + j];
      if (left < 1e-10 * scale) {  // the next would be rounding
        sweep(way, frames_, way.in, way.out, to);
        return take(way, to);
      }
    }
    return false;
  }
  bool take(Way& way, const std::array<Wrap<double>, most>& to) const {
    for (int a = 1; a + 1 < way.count; ++a)
      if (wraps(way, a)) {
        way.in[a] = to[a].in, way.out[a] = to[a].out, way.arc[a] = to[a].arc, way.turn[a] = to[a].turn;
        if (!std::isfinite(way.arc[a])) return false;
      }
    return true;
  }
  template <class D>
  void constants(const Way& way, std::array<RigidMotion<D>, most>& frames, Points<D>& in, Points<D>& out) const {
    for (int a = 0; a < way.count; ++a) {
      const RigidMotion<double>& f = frames_[way.element[a]];
      RigidMotion<D>& to = frames[way.element[a]];
      for (int i = 0; i < 3; ++i) to.p[i] = D(f.p[i]), in[a][i] = D(way.in[a][i]), out[a][i] = D(way.out[a][i]);
      for (int i = 0; i < 9; ++i) to.R.a[i] = D(f.R.a[i]);
    }
  }

  const std::vector<RopeElement>& elements_;
  Vec3<double> origin_;
  std::array<RigidMotion<double>, most> frames_;
};

}  // namespace

TautPath::TautPath(std::vector<RopeElement> elements) : elements_(std::move(elements)) {
  if (size() < 2 || size() > most) throw std::invalid_argument("a rope has 2 to 32 elements");
  if (elements_.front().kind != RopeOver::point || elements_.back().kind != RopeOver::point) throw std::invalid_argument("a rope begins and ends at points");
}

double TautPath::length(Frames at) const {
  const Solver solver(elements_, at);
  Way way;
  return solver.solve(way) ? solver.length(way) : none;
}

double TautPath::gradient(Frames at, Vec6<double>* g) const {
  const Solver solver(elements_, at);
  Way way;
  std::fill_n(g, size(), Vec6<double>{});
  if (!solver.solve(way)) return none;
  solver.gradient(way, solver.frames(), way.in, way.out, g);
  return solver.length(way);
}

void TautPath::turning(Frames at, double* K) const {
  using D = Dual<6>;
  const Solver solver(elements_, at);
  Way way;
  const int n = 6 * size();
  std::fill_n(K, n * n, 0.0);
  if (!solver.solve(way)) return;
  const int m = 6 * std::max(0, way.count - 2);
  std::vector<double> by_place(static_cast<std::size_t>(n * m)), A;  // of the gradient
  std::array<Vec6<D>, most> g;
  std::array<Wrap<D>, most> to;
  const auto put = [&](const Vec6<D>* from, int column, int columns, double* out) {
    for (int a = 0; a < way.count; ++a)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) out[(6 * way.element[a] + i) * columns + column + j] = from[way.element[a]][i].d[j];
  };
  solver.each_place(way, [&](int a, const auto& frames, const auto& in, const auto& out) {
    solver.gradient(way, frames, in, out, g.data());
    put(g.data(), 6 * (a - 1), m, by_place.data());
  });
  DenseLu lu;
  if (way.coupled) {
    solver.coupling(way, A);
    if (!lu.factorize(A, m)) return;
  }
  std::vector<double> place(static_cast<std::size_t>(m));
  solver.each_frame(way, [&](int a, const auto& frames, const auto& in, const auto& out) {
    const int column = 6 * way.element[a];
    solver.gradient(way, frames, in, out, g.data());
    put(g.data(), column, n, K);
    solver.sweep(way, frames, in, out, to);
    for (int j = 0; j < 6; ++j) {  // how far the places move along tangent j
      std::fill(place.begin(), place.end(), 0.0);
      bool any = false;
      for (int b = std::max(1, a - 1); b <= std::min(way.count - 2, a + 1); ++b)
        if (solver.wraps(way, b))
          for (int i = 0; i < 3; ++i) place[6 * (b - 1) + i] = to[b].in[i].d[j], place[6 * (b - 1) + 3 + i] = to[b].out[i].d[j], any = true;
      if (!any) continue;
      if (way.coupled) lu.solve(place);
      for (int r = 0; r < n; ++r) {
        double sum = 0.0;
        for (int c = 0; c < m; ++c) sum += by_place[r * m + c] * place[c];
        K[r * n + column + j] += sum;
      }
    }
  });
}

std::vector<TautPath::Corner> TautPath::line(Frames at) const {
  constexpr double step = pi / 18;
  const Solver solver(elements_, at);
  Way way;
  std::vector<Corner> out;
  if (!solver.solve(way)) return out;
  for (int a = 0; a < way.count; ++a) {
    const int e = way.element[a];
    const RigidMotion<double>& f = solver.frames()[e];
    const Vec3<double> first = way.in[a] - f.p, last = way.out[a] - f.p;
    const int steps = solver.wraps(way, a) ? std::max(1, static_cast<int>(std::ceil(std::abs(way.turn[a]) / step))) : 0;
    const bool ball = solver.of(way, a).kind == RopeOver::sphere;
    const Vec3<double> z = ball ? (steps && norm(cross(first, last)) > 0.0 ? unit(cross(first, last)) : Vec3<double>{{0.0, 0.0, 1.0}}) : column(f.R, 2);
    for (int i = 0; i <= steps; ++i) {
      const double share = steps ? static_cast<double>(i) / steps : 0.0;
      const Vec3<double> turned = rotation_exp(z * (share * way.turn[a])) * first;
      out.push_back({e, at[0].p + f.p + turned + (ball ? Vec3<double>{} : z * (share * dot(z, last - first)))});
    }
  }
  return out;
}

TautPath::Wrong TautPath::wrong(Frames at) const {
  for (int i = 0; i < size(); ++i) {
    const RopeElement& e = elements_[i];
    if (e.kind == RopeOver::point) continue;
    for (const int j : {i - 1, i + 1}) {
      const RopeElement& other = elements_[j];
      if (other.kind != RopeOver::point && (e.kind == RopeOver::sheave) != (other.kind == RopeOver::sheave))
        return {i, "is next to a wrap or sheave of the other kind", "let a point stand between a sheave, which holds the rope in its groove, and a wrap, on which it finds its way"};
      Vec3<double> d = transposed_times(at[i].R, at[j].p - at[i].p);
      if (e.kind != RopeOver::sphere) d[2] = 0.0;
      const double least = other.kind == RopeOver::point ? e.radius : std::abs(e.radius - other.radius);
      if (norm(d) > least) continue;
      return {i, other.kind == RopeOver::point ? "has the rope's neighbouring point inside it" : "and its neighbour lie inside each other",
              "place them apart, or make the radius smaller"};
    }
  }
  const Solver solver(elements_, at);
  Way way;
  if (!solver.solve(way)) return {0, "begins a rope that cannot be drawn tight over what follows", "place the elements apart, and see to it that z of each sheave is the axis about which the rope turns by the right hand"};
  for (int a = 1; a + 1 < way.count; ++a)
    if (solver.of(way, a).kind == RopeOver::sheave && way.turn[a] < 0.0)
      return {way.element[a], "is not touched by the rope", "turn its axis round (the rope turns about it by the right hand), or let a cylinder stand for what the rope may leave"};
  for (int a = 0; a + 1 < way.count; ++a)
    if (!(norm(way.in[a + 1] - way.out[a]) > 0.0)) return {way.element[a], "and the next element of the rope are in one place", "leave one of them out"};
  return {};
}

}  // namespace saltus
