#include "saltus/collision/convex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/collision/convex_parts.hpp"

// s(n) = n . p - h_A(n) - h_B(-n), with h the support functions and p the way from A to B, is how far B is from A along n. Its largest value over
// all unit vectors is the distance of shapes that are apart, and less the depth of those that overlap. Where it is largest, n is a normal of a face,
// stands on an edge of each, or is a zero of a smooth equation. Every candidate gives a lower bound, so the best of them is the answer: no
// candidate needs a proof that it is one. Box and small polyhedra: all candidates (Gottschalk, Lin, Manocha 1996; Gregorius 2013). Others: a
// polytope within the Minkowski difference grows where the origin is nearest (Gilbert, Johnson, Keerthi 1988; van den Bergen 2001), then the
// candidates near to what it gives.
namespace saltus {
namespace convex {
namespace {

struct Best {
  V n{};
  double s = -infinity;
  bool wide = false;  // some other is as good
  /// One whose value is within `tie` of the best, or larger.
  void compare(const V& candidate, double value, double tie) { wide = value <= s + tie && (wide || 1.0 - dot(candidate, n) > nearly_flat); }
  bool offer(const V& candidate, double value) {
    if (!(value > s)) return false;
    n = candidate, s = value;
    return true;
  }
  /// A more exact one: s is flat where it is largest, so that values to rounding tell a normal to its root only.
  void refine(const V& candidate, double value, double eps) {
    if (value >= s - eps) n = candidate, s = value;
  }
};

/// Of the normals of faces of two boxes those that look from A to B, each with how far it shows B from A, as long as `take` wants more.
template <class Take>
bool box_normals(const Pair& pair, Take take) {
  const Mat3<double>& R = pair.R;
  const V &a = pair.a.half, &b = pair.b.half;
  for (int i = 0; i < 3; ++i) {
    V n{};
    n[i] = pair.p[i] > 0.0 ? 1.0 : -1.0;
    if (!take(n, std::abs(pair.p[i]) - a[i] - (b[0] * std::abs(R(i, 0)) + b[1] * std::abs(R(i, 1)) + b[2] * std::abs(R(i, 2))))) return false;
  }
  for (int j = 0; j < 3; ++j) {
    const V n{{R(0, j), R(1, j), R(2, j)}};
    const double along = dot(n, pair.p);
    if (!take(along < 0.0 ? -n : n, std::abs(along) - (a[0] * std::abs(n[0]) + a[1] * std::abs(n[1]) + a[2] * std::abs(n[2])) - b[j])) return false;
  }
  return true;
}

/// All normals of faces; false: some show more than `limit` between the two.
bool by_faces(const Pair& pair, double limit, Best& best) {
  const double tie = touching * pair.size;
  const auto offer = [&](const V& n, double s) {
    if (s > best.s - tie) best.compare(n, s, tie);
    if (s > best.s + equal * pair.size || best.s == -infinity) best.n = n, best.s = s;
    return s <= limit;
  };
  if (pair.a.box && pair.b.box) return box_normals(pair, offer);
  for (const HullForm::Face& f : pair.a.form->faces)
    if (!offer(f.n, dot(f.n, pair.p) - dot(f.n, pair.a.corners[pair.a.form->loop[f.begin]]) - pair.b.reach(-pair.to_b(f.n)))) return false;
  for (const HullForm::Face& f : pair.b.form->faces) {
    const V n = -(pair.R * f.n);
    if (!offer(n, dot(n, pair.p) - pair.a.reach(n) - dot(f.n, pair.b.corners[pair.b.form->loop[f.begin]]))) return false;
  }
  return true;
}

/// Whether n is all but a normal of a face.
bool face_like(const Core& core, const V& n, double within) {
  return std::any_of(core.form->faces.begin(), core.form->faces.end(), [&](const HullForm::Face& f) { return 1.0 - dot(f.n, n) < within; });
}

/// All normals on two edges that may show more than `least()` between the two, as long as `take` wants more.
template <class Least, class Take>
bool edge_normals(const Pair& pair, Least least, Take take) {
  if (pair.a.box && pair.b.box) {
    const Mat3<double>& R = pair.R;
    const V &a = pair.a.half, &b = pair.b.half;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const double x = R(i1, j), y = R(i2, j), square = x * x + y * y, along = pair.p[i2] * x - pair.p[i1] * y;  // of the cross product of the edges
        if (square < 1e-12) continue;
        const double s = std::abs(along) - (a[i1] * std::abs(y) + a[i2] * std::abs(x)) - (b[j1] * std::abs(R(i, j2)) + b[j2] * std::abs(R(i, j1)));  // times the sine
        if (const double bar = least(); s <= 0.0 && (bar >= 0.0 || s * s > bar * bar * square)) continue;
        V n{};
        n[i1] = -y, n[i2] = x;
        if (!take(n * ((along < 0.0 ? -1.0 : 1.0) / std::sqrt(square)))) return false;
      }
    return true;
  }
  // Edges that make a face of the Minkowski difference: arcs between the normals of their faces cross (Gregorius 2013).
  for (const HullForm::Edge& e : pair.b.form->edges) {
    const V q = pair.of_b(pair.b.corners[e.a]), v = pair.of_b(pair.b.corners[e.b]) - q;
    const bool wide = e.left >= 0 && e.right >= 0;
    const V c = wide ? -(pair.R * pair.b.form->faces[e.left].n) : V{}, d = wide ? -(pair.R * pair.b.form->faces[e.right].n) : V{}, dc = cross(d, c);
    for (const HullForm::Edge& f : pair.a.form->edges) {
      const V& o = pair.a.corners[f.a];
      const V u = pair.a.corners[f.b] - o;
      if (wide && f.left >= 0 && f.right >= 0) {
        const V &l = pair.a.form->faces[f.left].n, &r = pair.a.form->faces[f.right].n;
        const V rl = cross(r, l);
        const double on_c = dot(c, rl), on_l = dot(l, dc), on_r = dot(r, dc);
        if (!(on_c * dot(d, rl) < 0.0 && on_l * on_r < 0.0 && on_c * on_r > 0.0)) continue;
      }
      V n = cross(u, v);
      const double sine = norm(n), scale = norm(u) * norm(v);
      if (!(sine > 1e-6 * scale)) continue;
      n = n * (1.0 / sine);
      for (const double side : {1.0, -1.0})
        if (!take(n * side)) return false;
    }
  }
  return true;
}

/// The best of them, where it is better than those of faces; false: some show more than `limit` between the two.
bool by_edges(const Pair& pair, double limit, Best& best) {
  const double least = best.s + equal * pair.size, tie = touching * pair.size;
  const auto bar = [&] { return std::max(best.s - tie, least); };
  return edge_normals(pair, bar, [&](const V& n) {
    const double s = pair.apart(n);
    if (s > bar() && !face_like(pair.a, n, nearly_flat) && !face_like(pair.b, -pair.to_b(n), nearly_flat)) best.compare(n, s, tie), best.offer(n, s);
    return s <= limit;
  });
}

/// Normals of the faces of a core and of its lids; own axes.
template <class Take>
void face_normals(const Core& core, Take take) {
  if (core.kind == Core::polyhedron)
    for (const HullForm::Face& f : core.form->faces) take(f.n);
  else if (core.kind != Core::ellipsoid)
    for (const double side : {-1.0, 1.0})
      if (side < 0.0 || core.kind == Core::cylinder) take(V{{0, 0, side}});
}

/// Axis of the narrowest cone about unit vectors: as the smallest circle about points (Welzl 1991), on the sphere.
V middle(std::span<const V> n) {
  V axis = n[0];
  double width = 0.0;
  const auto about = [&](const V& c, const V& on_rim) { axis = c * (1.0 / norm(c)), width = norm(on_rim - axis); };
  const auto outside = [&](const V& x) { return norm(x - axis) > width + 1e-12; };
  for (std::size_t i = 1; i < n.size(); ++i) {
    if (!outside(n[i])) continue;
    about(n[i], n[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (!outside(n[j])) continue;
      about(n[i] + n[j], n[i]);
      for (std::size_t k = 0; k < j; ++k) {
        if (!outside(n[k])) continue;
        const V c = cross(n[j] - n[i], n[k] - n[i]);
        about(dot(c, n[i]) < 0.0 ? -c : c, n[i]);
      }
    }
  }
  return axis;
}

/// Where parallel edges or corners touch, all normals of a cone are as good, and where they overlap those of two faces can be: the middle, whichever body is
/// first. Faces of both that lie in one plane go ahead, so that what slides from one to the other is not stopped; of several those across which the bodies
/// are thinnest.
void among_equals(const Pair& pair, bool with_edges, Best& best) {
  constexpr int most = 64;
  V n[most];
  int count = 0;
  const double least = best.s - (std::abs(best.s) > touching * pair.size ? equal : touching) * pair.size;
  const auto take = [&](const V& candidate) {
    if (count < most && pair.apart(candidate) >= least) n[count++] = candidate;
    return true;
  };
  face_normals(pair.a, take);
  const int of_a = count;
  face_normals(pair.b, [&](const V& of_b) { take(-(pair.R * of_b)); });
  double thin = infinity;
  for (int i = 0; i < of_a; ++i)
    for (int j = of_a; j < count; ++j)
      if (const double thickness = dot(n[i], pair.p); 1.0 - dot(n[i], n[j]) < flat && thickness < thin - equal * pair.size) thin = thickness, best.n = n[i];
  if (thin == infinity) {
    if (with_edges) edge_normals(pair, [] { return -infinity; }, take);
    if (std::none_of(n, n + count, [&](const V& x) { return 1.0 - dot(x, n[0]) > nearly_flat; })) return;
    best.n = middle({n, static_cast<std::size_t>(count)});
  }
  best.s = pair.apart(best.n);
}

/// Point of the triangle nearest to the origin (Ericson 2005, 5.1.5).
V nearest_of(const V& a, const V& b, const V& c) {
  const V ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a), d3 = -dot(ab, b), d4 = -dot(ac, b), d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d1 <= 0.0 && d2 <= 0.0) return a;
  if (d3 >= 0.0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return a + ab * (d1 / (d1 - d3));
  if (d6 >= 0.0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return a + ac * (d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const double sum = va + vb + vc;
  return a + ab * (vb / sum) + ac * (vc / sum);
}

/// Direction of the nearest point of a polytope to the origin, from A to B, and whether it is on the outside.
V toward_origin(const GrowingHull& grown, double size) {
  const auto& points = grown.points();
  const GrowingHull::Face* shallow = nullptr;
  double least = infinity;
  V near{};
  bool outside = false;
  for (const GrowingHull::Face& f : grown.faces()) {
    if (!shallow || f.d < shallow->d) shallow = &f;
    if (f.d >= 0.0) continue;
    const V x = nearest_of(points[f.v[0]], points[f.v[1]], points[f.v[2]]);
    if (const double distance = norm(x); distance < least) least = distance, near = x, outside = true;
  }
  return outside && least > 1e-9 * size ? near * (1.0 / least) : -shallow->n;
}

/// A direction near to the best one, to 1e-3 or so; exact for polyhedra. False: more than `limit` between the two.
bool coarse(const Pair& pair, double limit, Best& best) {
  static thread_local GrowingHull grown;
  const double length = norm(pair.p);
  const auto look = [&](const V& n) { return best.offer(n, pair.apart(n)), best.s <= limit; };
  if (!look(length > 0.0 ? pair.p * (1.0 / length) : V{{0, 0, 1}})) return false;
  const double size = std::max(pair.a.size, pair.b.size), eps = 1e-13 * size;
  const V x{{1, 0, 0}};
  const V a = pair.way(x), b = pair.way(-x), ab = b - a;
  V across = std::abs(ab[1]) < std::abs(ab[2]) ? cross(ab, V{{0, 1, 0}}) : cross(ab, V{{0, 0, 1}});
  if (!(norm(across) > 0.0)) across = {{0, 1, 0}};
  across = across * (1.0 / norm(across));
  V c = pair.way(across);
  if (norm(cross(c - a, ab)) < 1e-9 * size * norm(ab)) c = pair.way(-across);
  V up = cross(ab, c - a);
  if (!(norm(up) > 0.0)) return true;
  up = up * (1.0 / norm(up));
  V d = pair.way(up);
  if (std::abs(dot(up, d - a)) < 1e-9 * size) d = pair.way(-up);
  if (!grown.start(a, b, c, d, 1e-12 * size)) return true;
  const bool round = pair.a.kind != Core::polyhedron || pair.b.kind != Core::polyhedron;
  for (int k = 0; k < 100; ++k) {
    const V n = toward_origin(grown, size);
    const V w = pair.way(n);
    const double reached = dot(n, w);
    double hull = infinity;
    for (const V& point : grown.points()) hull = std::min(hull, dot(n, point));
    if (!look(n)) return false;
    if (hull - reached <= (round ? 1e-6 * pair.size : eps) || !grown.add(w, eps)) break;
  }
  return true;
}

/// Directions n with n . c = k.
struct Circle { V c; double k; };

/// Circles on which the farthest point of the core is not unique, near to u; own axes.
int circles(const Core& core, const V& u, Circle* out, int most) {
  if (core.kind == Core::cylinder) return out[0] = {{{0, 0, 1}}, 0.0}, 1;
  if (core.kind == Core::cone) return out[0] = {{{0, 0, 1}}, core.r / std::hypot(core.r, core.high - core.low)}, 1;
  if (core.kind == Core::ellipsoid) return 0;
  const int top = core.corner(u);
  int n = 0;
  for (const HullForm::Edge& e : core.form->edges)
    if ((e.a == top || e.b == top) && n < most) {
      const V along = core.corners[e.b] - core.corners[e.a];
      out[n++] = {along * (1.0 / norm(along)), 0.0};
    }
  return n;
}

/// Best direction of a circle near to n: zero of the slope of s along it, which falls there; exact at its kinks too.
void along_circle(const Pair& pair, const V& n, const Circle& circle, Best& best) {
  const V out = n - circle.c * dot(n, circle.c);
  const double size = norm(out), radius = std::sqrt(std::max(0.0, 1.0 - circle.k * circle.k));
  if (!(size > 1e-3) || std::abs(dot(n, circle.c) - circle.k) > 0.2) return;
  const V e = out * (1.0 / size), f = cross(circle.c, e);
  const auto at = [&](double angle) { return circle.c * circle.k + (e * std::cos(angle) + f * std::sin(angle)) * radius; };
  const auto slope = [&](double angle) { return dot(f * std::cos(angle) - e * std::sin(angle), pair.way(at(angle))); };
  double low = 0.0, high = 0.0, step = 1e-4;
  const bool right = slope(0.0) > 0.0;
  for (; step < 0.6; step *= 4.0) {
    (right ? high : low) = right ? step : -step;
    if ((slope(right ? high : low) > 0.0) != right) break;
    (right ? low : high) = right ? high : low;
  }
  if (step >= 0.6) return;
  double at_low = slope(low), at_high = slope(high);
  for (int k = 0; k < 120 && high - low > 2e-16; ++k) {
    // Regula falsi, every second time the middle: kinks.
    double middle = k % 2 == 1 || !(at_low > at_high) ? 0.5 * (low + high) : low + (high - low) * at_low / (at_low - at_high);
    if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double value = slope(middle);
    if (value >= 0.0) low = middle, at_low = value;
    if (value <= 0.0) high = middle, at_high = value;
  }
  for (const double angle : {low, high, 0.5 * (low + high)}) best.refine(at(angle), pair.apart(at(angle)), 1e-14 * (norm(pair.p) + pair.size));
}

/// Newton's method on the smooth part of s about n.
void on_smooth(const Pair& pair, V n, Best& best) {
  for (int k = 0; k < 8; ++k) {
    const V t = std::abs(n[0]) < 0.7 ? cross(n, V{{1, 0, 0}}) : cross(n, V{{0, 1, 0}});
    const V t1 = t * (1.0 / norm(t)), t2 = cross(n, t1);
    const auto gradient = [&](double x, double y) {
      V m = n + t1 * x + t2 * y;
      m = m * (1.0 / norm(m));
      const V w = pair.way(m), rest = w - m * dot(m, w);
      return Vec2<double>{{dot(t1, rest), dot(t2, rest)}};
    };
    constexpr double d = 1e-6;
    const Vec2<double> g = gradient(0, 0), gx = gradient(d, 0), hx = gradient(-d, 0), gy = gradient(0, d), hy = gradient(0, -d);
    const double xx = (gx[0] - hx[0]) / (2 * d), yx = (gx[1] - hx[1]) / (2 * d), xy = (gy[0] - hy[0]) / (2 * d), yy = (gy[1] - hy[1]) / (2 * d);
    const double det = xx * yy - xy * yx;
    if (!(std::abs(det) > 0.0)) return;
    const double x = -(g[0] * yy - g[1] * xy) / det, y = -(xx * g[1] - yx * g[0]) / det;
    if (!(std::hypot(x, y) < 0.3)) return;
    n = n + t1 * x + t2 * y;
    n = n * (1.0 / norm(n));
    best.refine(n, pair.apart(n), 1e-14 * (norm(pair.p) + pair.size));
    if (std::hypot(x, y) < 1e-15) return;
  }
}

/// The best of the candidates near to n.
void polish(const Pair& pair, Best& best) {
  const V start = best.n;
  const double found = best.s;
  Best fine;
  on_smooth(pair, start, fine);
  Circle c[64];
  const int of_a = circles(pair.a, start, c, 64);
  for (int i = 0; i < of_a; ++i) along_circle(pair, start, c[i], fine);
  const int of_b = circles(pair.b, -pair.to_b(start), c, 64);
  for (int i = 0; i < of_b; ++i) along_circle(pair, start, {-(pair.R * c[i].c), c[i].k}, fine);
  if (fine.s >= found - 1e-14 * (norm(pair.p) + pair.size)) best = fine;
  // Faces last: where they are as good as any to rounding, they are meant.
  const double good = best.s - 1e-13 * pair.size;
  const auto face = [&](const V& n) {
    if (dot(n, start) < 0.99) return;
    if (const double s = pair.apart(n); s >= good) best.n = n, best.s = std::max(s, best.s);
  };
  face_normals(pair.a, face);
  face_normals(pair.b, [&](const V& n) { face(-(pair.R * n)); });
}

/// Best direction between the cores; false: more than `limit` between them.
bool find(const Pair& pair, double limit, Best& best) {
  const bool polyhedra = pair.a.kind == Core::polyhedron && pair.b.kind == Core::polyhedron;
  const bool small = polyhedra && !pair.a.form->faces.empty() && !pair.b.form->faces.empty() && pair.a.form->edges.size() * pair.b.form->edges.size() <= 2500;
  const auto may_touch = [&](const Best& found) { return found.s <= touching * pair.size && found.s >= -shallow * pair.size; };
  if (small) {
    if (!by_faces(pair, limit, best) || !by_edges(pair, limit, best)) return false;
    const bool equals = best.wide && may_touch(best);
    if (equals) among_equals(pair, true, best);
    if (equals || best.s <= equal * pair.size) return best.s <= limit;
  }
  Best other;
  if (!coarse(pair, limit, other)) {
    best = other;
    return false;
  }
  polish(pair, other);
  if (!small || other.s > best.s + 1e-13 * pair.size) best = other;
  if (!small && may_touch(best)) among_equals(pair, false, best);
  return best.s <= limit;
}

}  // namespace

bool farthest_direction(const Pair& pair, double limit, V& n, double& s) {
  Best best;
  const bool found = find(pair, limit, best);
  n = best.n, s = best.s;
  return found;
}
}  // namespace convex

using namespace convex;

Vec3<double> support(const Shape& shape, const Vec3<double>& u) {
  const Core core(shape);
  const double length = norm(u);
  return core.support(u) + (core.radius > 0.0 && length > 0.0 ? u * (core.radius / length) : V{});
}

Separation separation(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double within) {
  const auto round_core = [](const Shape& s) { return s.kind == ShapeKind::sphere || s.kind == ShapeKind::capsule; };
  const auto ball_on = [](const Shape& s, const Shape& other) { return s.kind == ShapeKind::sphere && (other.kind == ShapeKind::box || other.kind == ShapeKind::cylinder); };
  if ((round_core(a) && round_core(b)) || ball_on(a, b) || ball_on(b, a)) {  // closed forms
    const ContactPoints points = contact_points(a, A, b, B, infinity);
    const ContactPoint* least = &points.point[0];
    for (int i = 1; i < points.count; ++i)
      if (points.point[i].gap < least->gap) least = &points.point[i];
    return {least->normal, least->gap, least->gap <= within};
  }
  const Core first(a), second(b);
  const Pair pair(first, A, second, B);
  const double round = first.radius + second.radius;
  Best best;
  const bool found = find(pair, within + round, best);
  return {A.R * best.n, best.s - round, found};
}

ContactPoints convex_points(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double within) {
  ContactPoints out;
  const Core first(a), second(b);
  const Pair pair(first, A, second, B);
  const double round = first.radius + second.radius;
  Best best;
  const bool plane = a.kind == ShapeKind::plane;
  if (plane) best.offer({{0, 0, 1}}, pair.apart({{0, 0, 1}}));
  else if (!find(pair, within + round, best)) return out;
  Manifold manifold(pair, best.n, best.s, within + round);
  plane ? manifold.on_plane() : manifold.make();
  const V n = A.R * best.n;
  for (const Manifold::Found& p : manifold.points())
    out.add({A.p + A.R * p.on_a + n * first.radius, A.p + A.R * p.on_b - n * second.radius, n, p.gap - round, p.name}, within);
  return out;
}

}  // namespace saltus
