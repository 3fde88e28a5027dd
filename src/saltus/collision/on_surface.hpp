// Where bodies are nearest to a surface that is given by a smooth function: solid where it is negative.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "saltus/collision/apart.hpp"
#include "saltus/collision/contact_frame.hpp"
#include "saltus/collision/mesh.hpp"
#include "saltus/collision/smooth_pieces.hpp"
#include "saltus/collision/surface_foot.hpp"

namespace saltus {

/// What a body has to touch a surface with, in the axes of the surface. The surface has
/// at(x, order), its value with derivatives up to `order`; foot(p, from), where it is nearest to p, looked for from there; clear(x, reach): surely no part of it within `reach` of x;
/// size(); bowl: bent so that of edges and faces only the ends can touch it.
template <class Surface>
class OnSurface {
 public:
  OnSurface(const Surface& surface, const Pose& A, const Shape& b, const Pose& B, double within)
      : surface_(surface), A_(A), b_(b), at_{transposed_times(A.R, B.p - A.p), transposed_times(A.R, B.R)}, within_(within), same_(same_place * b.bound()) {}

  ContactPoints points() {
    ContactPoints out;
    found_.clear();
    if (!surface_.clear(at_.p, b_.bound() + within_)) find();
    keep_apart(found_, together * b_.bound(), [](const ContactPoint& p) { return p.on_B; }, [](const ContactPoint& p) { return p.feature; });
    for (const ContactPoint& p : found_) out.add(p, within_);
    return out;
  }

 private:
  static constexpr int most_steps = 50;        // of Newton's method, and towards a zero
  static constexpr int most_outside = 2;       // of its steps outside of a face or piece: the least d is at its end
  static constexpr int pieces = 8;             // of an edge or side: d may have a least value between its ends
  static constexpr int around = 8;             // places beside the nearest one from which a ball looks for others
  static constexpr int ring = 32, corners = 8; // places of a rim at which d is looked at, and those on which one lies that is nearly flat
  static constexpr int turns = 16, rows = 8;   // places of a curved piece at which d is looked at
  static constexpr int names = 64;             // features of one ball, corner, edge, rim or face
  static constexpr double nearly_flat = 1e-3;  // tilt of a rim
  static constexpr double same_place = 1e-7;   // of the size of a body
  static constexpr double together = 1e-5;     // of it: gaps of points that touch together

  Vec3<double> place(const Vec3<double>& local) const { return at_.p + at_.R * local; }

  void find() {
    switch (b_.kind) {
      case ShapeKind::sphere: return ball(at_.p, b_.radius, 0);
      case ShapeKind::capsule: {
        const Vec3<double> low = place({{0.0, 0.0, -b_.half[2]}}), high = place({{0.0, 0.0, b_.half[2]}});
        ball(low, b_.radius, 0), ball(high, b_.radius, 1);
        return edge(low, high, b_.radius, 2);
      }
      case ShapeKind::box: {
        std::array<Vec3<double>, 8> all;
        for (int i = 0; i < 8; ++i) all[i] = {{i & 1 ? b_.half[0] : -b_.half[0], i & 2 ? b_.half[1] : -b_.half[1], i & 4 ? b_.half[2] : -b_.half[2]}};
        return polyhedron(all, box_form());
      }
      case ShapeKind::hull: return polyhedron(b_.hull->corners, b_.hull->form);
      case ShapeKind::cylinder: {
        const double h = b_.half[2];
        rim(-h, 0), rim(h, 1);
        return piece(DiscPiece{at_, -h, b_.radius}, 2), piece(DiscPiece{at_, h, b_.radius}, 3), piece(SidePiece{at_, -h, h, b_.radius, b_.radius}, 4);
      }
      case ShapeKind::cone:
        rim(-b_.half[0], 0), ball(place({{0.0, 0.0, b_.half[2]}}), 0.0, 1);
        return piece(DiscPiece{at_, -b_.half[0], b_.radius}, 2), piece(SidePiece{at_, -b_.half[0], b_.half[2], b_.radius, 0.0}, 3);
      case ShapeKind::ellipsoid: return piece(EllipsoidPiece{at_, b_.half}, 0);
      case ShapeKind::mesh: return mesh(*b_.mesh);
      default: return;
    }
  }

  /// A ball of radius r about p: at the nearest place, and at others as near to it as its surface reaches.
  void ball(const Vec3<double>& p, double r, int feature) {
    if (surface_.clear(p, r + within_)) return;
    std::array<Vec3<double>, around + 1> places;
    int count = 0;
    const auto look = [&](const Vec3<double>& from, int name) {
      const std::optional<SurfaceFoot> foot = surface_.foot(p, from);
      if (!foot) return false;
      for (int i = 0; i < count; ++i)
        if (norm(places[i] - foot->x) < 1e-6 * surface_.size()) return true;
      places[count++] = foot->x;
      add(*foot, p, r, names * feature + name);
      return true;
    };
    const bool nearest = look(p, 0);
    if (Surface::bowl || r == 0.0 || (nearest && dot(places[0] - p, places[0] - p) > (r + within_) * (r + within_))) return;
    const ContactAxes<double> axes = contact_axes(surface_.at(p, 1).gradient);
    for (int i = 0; i < around; ++i) look(p + (axes.t1 * std::cos(2.0 * M_PI * i / around) + axes.t2 * std::sin(2.0 * M_PI * i / around)) * r, i + 1);
  }

  /// The s between low and high at which what rises is zero: regula falsi (Illinois), every third time the middle.
  template <class Rise>
  static double zero(const Rise& rise, double low, double high, double at_low, double at_high) {
    double s = high;
    int side = 0;
    for (int k = 0; k < most_steps && at_high > at_low; ++k) {
      const double before = s;
      s = k % 3 == 2 ? 0.5 * (low + high) : low - at_low * (high - low) / (at_high - at_low);
      if (!(std::abs(s - before) > 4e-16 * std::max(std::abs(low), std::abs(high)))) break;
      const double value = rise(s);
      if (value == 0.0) break;
      if (value < 0.0) low = s, at_low = value, at_high *= side < 0 ? 0.5 : 1.0, side = -1;
      else high = s, at_high = value, at_low *= side > 0 ? 0.5 : 1.0, side = 1;
    }
    return s;
  }

  /// Places between a and b that are nearer than those beside them.
  void edge(const Vec3<double>& a, const Vec3<double>& b, double r, int feature) {
    const Vec3<double> along = b - a;
    if (Surface::bowl || surface_.clear((a + b) * 0.5, 0.5 * norm(along) + r + within_)) return;
    const auto rise = [&](double s) {  // of the distance for what is round, else of d: where a point touches, both are least at one place
      const Vec3<double> p = a + along * s;
      if (r > 0.0)
        if (const std::optional<SurfaceFoot> foot = surface_.foot(p, p)) return dot(foot->n, along);
      return dot(surface_.at(p, 1).gradient, along);
    };
    int name = 0;
    double before = rise(0.0);
    for (int i = 0; i < pieces; ++i) {
      const double low = static_cast<double>(i) / pieces, high = (i + 1.0) / pieces, after = rise(high);
      if (before < 0.0 && (after > 0.0 || (after == 0.0 && i + 1 < pieces))) point(a + along * zero(rise, low, high, before, after), r, names * feature + name++);
      before = after;
    }
  }

  /// A place inside a face, corners (n) counter-clockwise, where d is less than around it.
  void face(std::span<const Vec3<double>> corner, const Vec3<double>& n, int feature) {
    Vec3<double> x{};
    for (const Vec3<double>& c : corner) x = x + c * (1.0 / static_cast<double>(corner.size()));
    double longest = 0.0;
    for (const Vec3<double>& c : corner) longest = std::max(longest, norm(c - x));
    if (surface_.clear(x, longest + within_)) return;
    double least = HUGE_VAL, at_corners = HUGE_VAL;
    for (std::size_t i = 2; i < corner.size(); ++i)  // triangles of a fan
      for (int j = 1; j < pieces; ++j)
        for (int k = 1; j + k < pieces; ++k) {
          const Vec3<double> inner = corner[0] + (corner[i - 1] - corner[0]) * (1.0 * j / pieces) + (corner[i] - corner[0]) * (1.0 * k / pieces);
          if (const double d = surface_.at(inner, 0).d; d < least) least = d, x = inner;
        }
    for (const Vec3<double>& c : corner) longest = std::max(longest, norm(c - x)), at_corners = std::min(at_corners, surface_.at(c, 0).d);
    const auto inside = [&] {
      bool all = true;
      for (std::size_t i = 0; i < corner.size(); ++i) all &= dot(cross(corner[(i + 1) % corner.size()] - corner[i], x - corner[i]), n) > 0.0;
      return all;
    };
    const ContactAxes<double> axes = contact_axes(n);
    for (int i = 0, outside = 0; i < most_steps; ++i) {
      if (!inside() && ++outside > most_outside) return;
      const SurfaceValue v = surface_.at(x, 2);
      const std::optional<Vec2<double>> to = downhill(v, {x, axes.t1, axes.t2, {}, {}, {}}, longest);
      if (!to) break;
      const Vec3<double> step = axes.t1 * (*to)[0] + axes.t2 * (*to)[1];
      if (!(norm(step) < 2.0 * longest)) return;
      x = x + step;
      if (norm(step) < 1e-14 * longest) break;
    }
    const SurfaceValue v = surface_.at(x, 1);
    if (!(v.d < at_corners - 1e-9 * longest * norm(v.gradient)) || dot(v.gradient, n) > 0.0) return;  // its corners touch first; behind it
    if (inside()) point(x, 0.0, names * feature);
  }

  /// Second derivatives of d along a piece.
  struct Bent { double a, b, c; };
  static Bent bent(const SurfaceValue& v, const PieceChart& at) {
    return {dot(at.u, v.curvature * at.u) + dot(v.gradient, at.uu), dot(at.u, v.curvature * at.v) + dot(v.gradient, at.uv), dot(at.v, v.curvature * at.v) + dot(v.gradient, at.vv)};
  }
  /// A step of Newton's method towards the least d of a piece; where d is straight or bent downwards, one downhill. None where it is level.
  static std::optional<Vec2<double>> downhill(const SurfaceValue& v, const PieceChart& at, double size) {
    const double g1 = dot(at.u, v.gradient), g2 = dot(at.v, v.gradient), slope = std::hypot(g1, g2);
    if (!(slope > 1e-15 * norm(v.gradient))) return std::nullopt;
    auto [a, b, c] = bent(v, at);
    if (!(a > 0.0 && a * c - b * b > 1e-12 * (a + c) * (a + c))) {
      const double stiffer = slope / size + std::hypot(a - c, 2.0 * b) + std::abs(a + c);
      a += stiffer, c += stiffer;
    }
    const double det = a * c - b * b;
    return Vec2<double>{{(b * g2 - c * g1) / det, (b * g1 - a * g2) / det}};
  }

  void polyhedron(std::span<const Vec3<double>> local, const HullForm& form) {
    int feature = 0;
    for (const Vec3<double>& x : local) ball(place(x), 0.0, feature++);
    if (Surface::bowl) return;
    for (const HullForm::Edge& e : form.edges) edge(place(local[e.a]), place(local[e.b]), 0.0, feature++);
    std::array<Vec3<double>, Hull::most_corners> corner;
    for (const HullForm::Face& f : form.faces) {
      for (int i = 0; i < f.count; ++i) corner[i] = place(local[form.loop[f.begin + i]]);
      face({corner.data(), static_cast<std::size_t>(f.count)}, at_.R * f.n, feature++);
    }
  }

  /// The rim at height z of a cylinder or cone: where d is least, and if that is at one place, a third of a turn beside it, too. One that lies nearly flat has eight places
  /// that the body keeps, and the lowest where that reaches farther: what slides would tip over the side of three that turn round with every small tilt.
  void rim(double z, int feature) {
    const double r = b_.radius;
    const Vec3<double> centre = place({{0.0, 0.0, z}}), x{{at_.R(0, 0), at_.R(1, 0), at_.R(2, 0)}}, y{{at_.R(0, 1), at_.R(1, 1), at_.R(2, 1)}};
    if (surface_.clear(centre, r + within_)) return;
    const auto at = [&](double angle) { return centre + (x * std::cos(angle) + y * std::sin(angle)) * r; };
    const auto angle = [](int k, int of) { return 2.0 * M_PI * k / of; };
    const auto rise = [&](double a) { return dot(surface_.at(at(a), 1).gradient, y * std::cos(a) - x * std::sin(a)); };
    std::array<double, ring + 1> slope;
    double low = HUGE_VAL, high = -HUGE_VAL, steepness = 0.0;
    for (int k = 0; k < ring; ++k) {
      const double a = angle(k, ring);
      const SurfaceValue v = surface_.at(at(a), 1);
      slope[k] = dot(v.gradient, y * std::cos(a) - x * std::sin(a));
      low = std::min(low, v.d), high = std::max(high, v.d), steepness = std::max(steepness, norm(v.gradient));
    }
    slope[ring] = slope[0];
    const bool flat = high - low < 2.0 * nearly_flat * r * steepness;
    double kept = HUGE_VAL;
    for (int k = 0; flat && k < corners; ++k) point(at(angle(k, corners)), 0.0, names * feature + k), kept = std::min(kept, surface_.at(at(angle(k, corners)), 0).d);
    int count = 0;
    double last = 0.0;
    for (int k = 0; k < ring; ++k) {
      if (!(slope[k] < 0.0 && slope[k + 1] >= 0.0)) continue;
      const double a = zero(rise, angle(k, ring), angle(k + 1, ring), slope[k], slope[k + 1]);
      if (flat && !(surface_.at(at(a), 0).d < kept - 1e-9 * r * steepness)) continue;
      point(at(a), 0.0, names * feature + corners + count++), last = a;
    }
    for (int k = 1; !flat && count == 1 && k < 3; ++k) point(at(last + angle(k, 3)), 0.0, names * feature + k);
  }

  /// Places of a curved or flat piece where d is less than around them; of one with an end not those of lines along which it is level, for their ends touch.
  template <class Piece>
  void piece(const Piece& piece, int feature) {
    if ((Surface::bowl && !Piece::closed) || surface_.clear(piece.middle(), piece.reach() + within_)) return;
    std::array<std::array<double, turns>, rows> d;
    double low = HUGE_VAL, high = -HUGE_VAL;
    const auto start = [&](int i, int j) { return piece.start(static_cast<double>(j) / turns, (i + 0.5) / rows); };
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < turns; ++j) d[i][j] = surface_.at(piece.chart(start(i, j)).x, 0).d, low = std::min(low, d[i][j]), high = std::max(high, d[i][j]);
    const auto least = [&](int i, int j) {
      bool all = true;
      for (int k = std::max(i - 1, 0); k <= std::min(i + 1, rows - 1); ++k)
        for (int l = j + turns - 1; l <= j + turns + 1; ++l) all &= d[i][j] <= d[k][l % turns] + 1e-9 * (high - low);
      return all;
    };
    int name = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < turns; ++j)
        if (least(i, j) && settle(piece, start(i, j), names * feature + name) && name + 1 < names) ++name;
  }

  /// Newton's method from a place of a piece; whether it adds a point.
  template <class Piece>
  bool settle(const Piece& piece, typename Piece::Place at, int name) {
    const double size = piece.size();
    if (surface_.clear(piece.chart(at).x, size + within_)) return false;
    for (int i = 0, outside = 0; i < most_steps; ++i) {
      if (!piece.holds(at) && ++outside > most_outside) return false;
      const PieceChart chart = piece.chart(at);
      const std::optional<Vec2<double>> to = downhill(surface_.at(chart.x, 2), chart, size);
      if (!to) break;
      const double way = std::hypot((*to)[0], (*to)[1]), share = std::min(1.0, 0.3 * size / way);
      if (!std::isfinite(way)) return false;
      at = piece.moved(at, (*to)[0] * share, (*to)[1] * share);
      if (way < 1e-14 * size) break;
    }
    if (!piece.holds(at)) return false;
    const PieceChart chart = piece.chart(at);
    const SurfaceValue v = surface_.at(chart.x, 2);
    const auto [a, b, c] = bent(v, chart);
    const double softest = 0.5 * (a + c - std::hypot(a - c, 2.0 * b)), steepness = norm(v.gradient);
    if (!(softest * size > (Piece::closed ? -1e-7 : 1e-7) * steepness) || dot(cross(chart.u, chart.v), v.gradient) > 0.0) return false;  // the last: behind it
    return point(chart.x, 0.0, name);
  }

  /// Corners, edges and triangles of the parts of a mesh that may be near.
  void mesh(const TriangleMesh& mesh) {
    static thread_local std::vector<int> edges, points, triangles;
    edges.clear(), points.clear(), triangles.clear();
    int open[64], count = 0;  // halves: as deep as the logarithm of the triangles
    open[count++] = 0;
    while (count > 0) {
      const int number = open[--count];
      const TriangleMesh::Node& node = mesh.nodes[number];
      if (surface_.clear(place((node.low + node.high) * 0.5), 0.5 * norm(node.high - node.low) + within_)) continue;
      if (node.right < 0) triangles.insert(triangles.end(), mesh.order.begin() + node.begin, mesh.order.begin() + node.begin + node.count);
      else open[count++] = number + 1, open[count++] = node.right;
    }
    for (const int t : triangles)
      for (int i = 0; i < 3; ++i) edges.push_back(mesh.triangles[t].edge[i]), points.push_back(mesh.triangles[t].v[i]);
    const auto once = [](std::vector<int>& of) { std::sort(of.begin(), of.end()), of.erase(std::unique(of.begin(), of.end()), of.end()); };
    once(edges), once(points), once(triangles);
    for (const int v : points)
      if (mesh.outer_point[v] && !mesh.inner_point[v]) ball(place(mesh.points[v]), 0.0, v);
    if (Surface::bowl) return;
    const int first_edge = static_cast<int>(mesh.points.size()), first_face = first_edge + static_cast<int>(mesh.edges.size());
    for (const int e : edges)
      if (const TriangleMesh::Edge& of = mesh.edges[e]; of.convex && !of.inner) edge(place(mesh.points[of.a]), place(mesh.points[of.b]), 0.0, first_edge + e);
    for (const int t : triangles) {
      const TriangleMesh::Triangle& of = mesh.triangles[t];
      const std::array<Vec3<double>, 3> corner{place(mesh.points[of.v[0]]), place(mesh.points[of.v[1]]), place(mesh.points[of.v[2]])};
      face(corner, at_.R * of.n, first_face + t);
    }
  }

  bool point(const Vec3<double>& p, double r, int name) {
    if (surface_.clear(p, r + within_)) return false;
    const std::optional<SurfaceFoot> foot = surface_.foot(p, p);
    return foot && add(*foot, p, r, name);
  }
  /// None beside one that is there.
  bool add(const SurfaceFoot& foot, const Vec3<double>& p, double r, int name) {
    if (!(foot.gap - r <= within_)) return false;
    const Vec3<double> n = A_.R * foot.n;
    const ContactPoint made{A_.p + A_.R * foot.x, A_.p + A_.R * p - n * r, n, foot.gap - r, name};
    for (const ContactPoint& f : found_)
      if (norm(f.on_B - made.on_B) < same_ && dot(f.normal, n) > 0.9) return false;
    found_.push_back(made);
    return true;
  }

  static std::vector<ContactPoint>& kept() {
    static thread_local std::vector<ContactPoint> points;
    return points;
  }

  const Surface& surface_;
  const Pose& A_;
  const Shape& b_;
  const Pose at_;  // B in the axes of A
  const double within_, same_;
  std::vector<ContactPoint>& found_ = kept();
};

}  // namespace saltus
