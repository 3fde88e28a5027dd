#include "saltus/math/taut_path.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

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
Vec3<S> column(const Mat3<S>& R, int i) { return {{R(0, i), R(1, i), R(2, i)}}; }

/// In the axes of the cylinder the way is straight once its surface is unrolled: s along it in the plane, z in proportion.
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

/// A section with wraps: a sheave in it is a cylinder that the rope does not leave.
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
    Vec3<S> before{}, after{};
    for (int a = 0; a < way.count; ++a, before = after) {
      after = a + 1 < way.count ? unit(in[a + 1] - out[a]) : Vec3<S>{};
      const RigidMotion<S>& f = frames[way.element[a]];
      const Vec3<S> pull = before - after;
      Vec3<S> turn{};
      if (of(way, a).kind != RopeOver::point) turn = transposed_times(f.R, cross(in[a] - f.p, before) - cross(out[a] - f.p, after));
      g[way.element[a]] = {{pull[0], pull[1], pull[2], turn[0], turn[1], turn[2]}};
    }
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

  Elements elements_;
  Vec3<double> origin_;
  std::array<RigidMotion<double>, most> frames_;
};

/// Added to K: n rows, `stride` apart.
void add_turning(const Solver& solver, const Way& way, int n, int stride, double* K) {
  using D = Dual<6>;
  const int m = 6 * std::max(0, way.count - 2);
  std::vector<double> by_place(static_cast<std::size_t>(n * m)), A;  // of the gradient
  std::array<Vec6<D>, most> g;
  std::array<Wrap<D>, most> to;
  const auto put = [&](const Vec6<D>* from, int column, int columns, double* out) {
    for (int a = 0; a < way.count; ++a)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) out[(6 * way.element[a] + i) * columns + column + j] += from[way.element[a]][i].d[j];
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
    put(g.data(), column, stride, K);
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
        K[r * stride + column + j] += sum;
      }
    }
  });
}

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
  double length(Elements elements) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < spans.size(); ++i) sum += spans[i].length() + (i > 0 ? elements[i].radius * turn(elements, i) : 0.0);
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
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const RopeElement& e = elements[i];
    if (e.kind == RopeOver::point) continue;
    for (const std::size_t j : {i - 1, i + 1}) {
      const RopeElement& other = elements[j];
      Vec3<double> d = transposed_times(at[i].R, at[j].p - at[i].p);
      if (e.kind != RopeOver::sphere) d[2] = 0.0;
      const double least = other.kind == RopeOver::point ? e.radius : std::abs(e.radius - other.radius);
      if (norm(d) > least) continue;
      return {static_cast<int>(i), other.kind == RopeOver::point ? "has the rope's neighbouring point inside it" : "and its neighbour lie inside each other",
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
    return wrong.element >= 0 ? wrong : TautPath::Wrong{static_cast<int>(grooves.spans.size()) - 1, slack, draw};
  }
  for (std::size_t i = 1; i < grooves.spans.size(); ++i)
    if (grooves.turn(elements, i) < 0.0) return {static_cast<int>(i), untouched, turn_round};
  return {};
}

}  // namespace

template <class F>
void TautPath::each_section(Frames at, const F& f) const {
  for (const Section& s : sections_) {
    const auto first = static_cast<std::size_t>(s.first), count = static_cast<std::size_t>(s.last - s.first + 1);
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

double TautPath::length(Frames at) const {
  double sum = 0.0;
  each_section(at, [&](const Section& s, Elements elements, Frames frames) {
    if (!s.wraps) {
      const Grooves grooves(elements, frames);
      sum += grooves.found ? grooves.length(elements) : none;
      return;
    }
    const Solver solver(elements, frames);
    Way way;
    sum += solver.solve(way) ? solver.length(way) : none;
  });
  return sum;
}

double TautPath::gradient(Frames at, Vec6<double>* g) const {
  double sum = 0.0;
  std::fill_n(g, size(), Vec6<double>{});
  each_section(at, [&](const Section& s, Elements elements, Frames frames) {
    if (!s.wraps) {
      const Grooves grooves(elements, frames);
      sum += grooves.found ? grooves.length(elements) : none;
      if (!grooves.found) return;
      for (std::size_t i = 0; i < grooves.spans.size(); ++i) grooves.spans[i].add_gradient(g[s.first + static_cast<int>(i)], g[s.first + static_cast<int>(i) + 1]);
      return;
    }
    const Solver solver(elements, frames);
    Way way;
    const bool found = solver.solve(way);
    sum += found ? solver.length(way) : none;
    if (!found) return;
    std::array<Vec6<double>, most> own{};
    solver.gradient(way, solver.frames(), way.in, way.out, own.data());
    for (int i = s.first; i <= s.last; ++i) g[i] += own[i - s.first];
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
      for (std::size_t i = 0; grooves.found && i < grooves.spans.size(); ++i) grooves.spans[i].add_turning(block + 6 * static_cast<int>(i) * (n + 1), n);
      return;
    }
    const Solver solver(elements, frames);
    Way way;
    if (solver.solve(way)) add_turning(solver, way, 6 * (s.last - s.first + 1), n, block);
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
