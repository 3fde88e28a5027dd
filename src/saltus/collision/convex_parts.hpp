// Parts of contact of convex shapes: cores, pairs, patches of surfaces, and the points that two patches share.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "saltus/collision/narrow_phase.hpp"

namespace saltus::convex {

using V = Vec3<double>;
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double flat = 5e-13;         // 1 - cos of the angle between a normal and a face that it is taken for: 1e-6 rad
inline constexpr double nearly_flat = 5e-9;   // the same for edges that are all but in a face: 1e-4 rad
inline constexpr double touching = 1e-6;      // of the size: gaps of edges and corners that touch, whichever way: by so much normals between them differ
inline constexpr double equal = 1e-9;         // of the size: what values of normals differ by that are as good
inline constexpr double shallow = 0.1;        // of the size: overlaps up to which parallel edges meet
inline constexpr int ring = 32, every = 4;    // corners of a rim that others are cut at; of which these lie on others

/// A shape without its rounding: it is the core widened by `radius`.
struct Core {
  enum Kind { polyhedron, cylinder, cone, ellipsoid };
  Kind kind = polyhedron;
  const HullForm* form = nullptr;
  std::span<const V> corners;
  double r = 0.0, low = 0.0, high = 0.0;  // of cylinder and cone, along z
  V half{};                               // of a box or ellipsoid
  bool box = false;
  double radius = 0.0, size = 0.0;        // size: smallest length that matters
  V own[8];

  explicit Core(const Shape& s) {
    half = s.half;
    switch (s.kind) {
      case ShapeKind::sphere:
        own[0] = {}, corners = {own, 1}, form = &point_form(), radius = s.radius, size = s.radius;
        break;
      case ShapeKind::capsule:
        own[0] = {{0, 0, -s.half[2]}}, own[1] = {{0, 0, s.half[2]}}, corners = {own, 2}, form = &segment_form(), radius = s.radius, size = s.radius;
        break;
      case ShapeKind::box:
        own[0] = -half, own[1] = {{half[0], own[0][1], own[0][2]}}, own[2] = {{own[0][0], half[1], own[0][2]}}, own[3] = {{half[0], half[1], own[0][2]}};
        for (int c = 4; c < 8; ++c) own[c] = {{own[c - 4][0], own[c - 4][1], half[2]}};
        corners = {own, 8}, form = &box_form(), box = true, size = s.inner();
        break;
      case ShapeKind::hull:
        corners = s.hull->corners, form = &s.hull->form, size = s.bound();
        break;
      case ShapeKind::cylinder: kind = cylinder, r = s.radius, low = -s.half[2], high = s.half[2], size = s.inner(); break;
      case ShapeKind::cone: kind = cone, r = s.radius, low = -s.half[0], high = s.half[2], size = s.inner(); break;
      case ShapeKind::ellipsoid: kind = ellipsoid, size = s.inner(); break;
      case ShapeKind::mesh:
      case ShapeKind::implicit_surface:
      case ShapeKind::hollow_sphere:
      case ShapeKind::hollow_cylinder: break;  // not convex: others look at them
      case ShapeKind::plane: own[0] = {}, corners = {own, 1}, form = &point_form(), size = infinity; break;
    }
  }
  /// Corners and edges of a mesh, for their names.
  Core(std::span<const V> points, const HullForm& edges, double size) : form(&edges), corners(points), size(size) {}
  Core(const Core&) = delete;

  /// Number of the corner farthest along u.
  int corner(const V& u) const {
    if (box) return (u[0] > 0.0 ? 1 : 0) | (u[1] > 0.0 ? 2 : 0) | (u[2] > 0.0 ? 4 : 0);
    int best = 0;
    double most = -infinity;
    for (int i = 0; i < static_cast<int>(corners.size()); ++i)
      if (const double h = dot(corners[i], u); h > most) most = h, best = i;
    return best;
  }
  /// Point of the rim at height z, farthest along u.
  V rim(const V& u, double z) const {
    const double across = std::hypot(u[0], u[1]);
    return across > 0.0 ? V{{r * u[0] / across, r * u[1] / across, z}} : V{{r, 0.0, z}};
  }
  V support(const V& u) const {
    switch (kind) {
      case polyhedron: return corners[corner(u)];
      case cylinder: return rim(u, u[2] < 0.0 ? low : high);
      case cone: {
        const V base = rim(u, low);
        return dot(base, u) > u[2] * high ? base : V{{0, 0, high}};
      }
      case ellipsoid: {
        V scaled, p;
        for (int i = 0; i < 3; ++i) scaled[i] = half[i] * u[i];
        const double length = norm(scaled);
        if (!(length > 0.0)) return {{half[0], 0, 0}};
        for (int i = 0; i < 3; ++i) p[i] = half[i] * scaled[i] / length;
        return p;
      }
    }
    return {};
  }
  double reach(const V& u) const {
    if (box) return half[0] * std::abs(u[0]) + half[1] * std::abs(u[1]) + half[2] * std::abs(u[2]);
    return dot(support(u), u);
  }
  V corner_of_face(int f) const { return corners[form->loop[form->faces[f].begin]]; }
  int vertex_names() const { return kind == polyhedron ? static_cast<int>(corners.size()) : 2 * ring + 5; }
  int edge_names() const { return kind == polyhedron ? std::max<int>(1, static_cast<int>(form->edges.size())) : 2 * ring + 2; }
};

/// B as A sees it; all in the axes of A.
struct Pair {
  const Core &a, &b;
  Mat3<double> R;
  V p;
  double size;

  Pair(const Core& a, const Pose& A, const Core& b, const Pose& B) : a(a), b(b), R(transposed_times(A.R, B.R)), p(transposed_times(A.R, B.p - A.p)), size(std::min(a.size, b.size)) {}

  V of_b(const V& x) const { return p + R * x; }
  V to_b(const V& n) const { return transposed_times(R, n); }
  double apart(const V& n) const { return dot(n, p) - a.reach(n) - b.reach(-to_b(n)); }
  /// From the farthest point of A along n to that of B against it.
  V way(const V& n) const { return of_b(b.support(-to_b(n))) - a.support(n); }
};

/// Part of a surface that looks along a direction: a face, an edge or a corner.
struct Patch {
  static constexpr int most = 32;
  int count = 0;
  union { V x[most]; };             // axes of A; not set beyond `count`, as setting all takes longer than their use
  int name[most], edge[most];       // of the corner, and of the edge from it to the next
  V n{};
  bool face = false;
  double alignment = -1.0;          // n . direction

  Patch() {}
  void add(const V& point, int vertex, int side = 0) {
    if (count < most) x[count] = point, name[count] = vertex, edge[count++] = side;
  }
};

enum RoundName { tip = 2 * ring, low_rim, high_rim, low_side, high_side };

/// The part of the core that looks along u (its own axes), at the place that `to_a` gives.
template <class Place>
Patch patch_of(const Core& core, const V& u, Place to_a) {
  Patch patch;
  if (core.kind == Core::polyhedron) {
    const HullForm& form = *core.form;
    int best = -1;
    for (int i = 0; core.box && i < 3; ++i)
      if (const double along = std::abs(u[i]); along > patch.alignment) patch.alignment = along, best = 2 * i + (u[i] > 0.0);
    for (int f = 0; !core.box && f < static_cast<int>(form.faces.size()); ++f)
      if (const double along = dot(form.faces[f].n, u); along > patch.alignment) patch.alignment = along, best = f;
    if (best < 0) {
      for (int i = 0; i < static_cast<int>(core.corners.size()); ++i) patch.add(to_a(core.corners[i]), i);
      return patch;
    }
    patch.face = true, patch.n = form.faces[best].n;
    for (int i = form.faces[best].begin; i < form.faces[best].begin + form.faces[best].count; ++i) patch.add(to_a(core.corners[form.loop[i]]), form.loop[i], form.loop_edge[i]);
    return patch;
  }
  if (core.kind == Core::ellipsoid) return patch.add(to_a(core.support(u)), tip), patch;
  const double side = u[2] < 0.0 ? -1.0 : 1.0;
  if ((core.kind == Core::cylinder || side < 0.0) && std::abs(u[2]) > 0.7) {
    patch.face = true, patch.n = {{0, 0, side}}, patch.alignment = std::abs(u[2]);
    for (int i = 0; i < ring; ++i) {
      const int k = side > 0.0 ? i : ring - 1 - i;  // counter-clockwise from outside
      const double angle = 2.0 * M_PI * k / ring;
      patch.add(to_a({{core.r * std::cos(angle), core.r * std::sin(angle), side < 0.0 ? core.low : core.high}}), (side < 0.0 ? 0 : ring) + k, (side < 0.0 ? 0 : ring) + i);
    }
    return patch;
  }
  if (std::hypot(u[0], u[1]) > 1e-6) patch.add(to_a(core.rim(u, core.low)), low_side, 2 * ring);
  patch.add(to_a(core.kind == Core::cone ? V{{0, 0, core.high}} : core.rim(u, core.high)), high_side, 2 * ring);
  return patch;
}

/// The same where only what is farthest along u is meant, to `within` [m]: an edge or a corner.
template <class Place>
Patch farthest_of(const Core& core, const V& u, double within, Place to_a) {
  Patch patch;
  if (core.kind == Core::polyhedron) {
    const double top = core.reach(u) - within;
    int first = -1, last = -1;
    double length = 0.0;
    for (int i = 0; i < static_cast<int>(core.corners.size()); ++i) {
      if (dot(core.corners[i], u) < top) continue;
      if (first < 0) first = i;
      else if (const double l = norm(core.corners[i] - core.corners[first]); l > length) length = l, last = i;
    }
    int edge = 0;
    for (int e = 0; last >= 0 && e < static_cast<int>(core.form->edges.size()); ++e)
      if (std::minmax(core.form->edges[e].a, core.form->edges[e].b) == std::minmax(first, last)) edge = e;
    patch.add(to_a(core.corners[first]), first, edge);
    if (last >= 0) patch.add(to_a(core.corners[last]), last, edge);
    return patch;
  }
  if (core.kind == Core::ellipsoid) return patch.add(to_a(core.support(u)), tip), patch;
  const double top = core.reach(u) - within;
  const V low = core.rim(u, core.low), high = core.kind == Core::cone ? V{{0, 0, core.high}} : core.rim(u, core.high);
  if (dot(low, u) >= top) patch.add(to_a(low), low_side, 2 * ring);
  if (dot(high, u) >= top) patch.add(to_a(high), high_side, 2 * ring);
  if (patch.count == 1) patch.name[0] = patch.name[0] == low_side ? low_rim : high_rim;
  return patch;
}

/// The points of a pair, in the axes of A.
class Manifold {
 public:
  static constexpr int most = 8;

  Manifold(const Pair& pair, const V& n, double s, double within) : pair_(pair), n_(n), s_(s), within_(within), close_(1e-7 * pair.size) {}

  void make() {
    const auto of_a = [](const V& x) { return x; };
    const auto of_b = [&](const V& x) { return pair_.of_b(x); };
    const V u = -pair_.to_b(n_);
    Patch a = patch_of(pair_.a, n_, of_a), b = patch_of(pair_.b, u, of_b);
    if (b.face) b.n = pair_.R * b.n;
    const double off_a = a.face ? 1.0 - a.alignment : 2.0, off_b = b.face ? 1.0 - b.alignment : 2.0;
    if (std::min(off_a, off_b) < flat) {
      // Of two that lie flat, rims lie on polyhedra.
      const bool both = std::max(off_a, off_b) < flat, round_a = pair_.a.kind != Core::polyhedron, round_b = pair_.b.kind != Core::polyhedron;
      const bool on_a = both && round_a != round_b ? round_b : off_a <= off_b + 1e-14;
      Patch& other = on_a ? b : a;
      const Core& core = on_a ? pair_.b : pair_.a;
      if (core.kind != Core::polyhedron && other.face) thin(other);
      clip(on_a ? a : b, other, on_a);
      const V u_other = on_a ? u : n_;
      // What lies flat has no lowest point; what is beyond the corners of a rim has one.
      if (core.kind == Core::ellipsoid || (core.kind != Core::polyhedron && std::hypot(u_other[0], u_other[1]) > 1e-9)) clip(on_a ? a : b, lowest_of(core, u_other, on_a), on_a);
      // The lowest corner of a hull may not be one of the face that is turned to the other most.
      if (core.kind == Core::polyhedron && least() > s_ + 1e-12 * pair_.size) clip(on_a ? a : b, lowest_of(core, u_other, on_a), on_a);
      // Between a rim and the corners that stand for it a point lies over the face, too.
      const bool rim = (on_a ? pair_.a : pair_.b).kind != Core::polyhedron;
      if (count_ == 0 || (rim && least() > s_ + 1e-6 * pair_.size)) lowest(core, u_other, on_a);
    }
    if (count_ == 0) edges(farthest_of(pair_.a, n_, 1e-6 * pair_.size, of_a), farthest_of(pair_.b, u, 1e-6 * pair_.size, of_b));
    reduce();
    std::sort(found_, found_ + count_, [](const Found& x, const Found& y) { return x.name < y.name; });
  }

  /// Of the shape over one face of A.
  void on_face(const Patch& face) {
    const V u = -pair_.to_b(n_);
    Patch b = patch_of(pair_.b, u, [&](const V& x) { return pair_.of_b(x); });
    if (pair_.b.kind != Core::polyhedron && b.face) thin(b);
    clip(face, b, true);
    if (b.count == 1) return;
    if (pair_.b.kind != Core::polyhedron && b.face && std::hypot(u[0], u[1]) < 1e-9) return;
    clip(face, lowest_of(pair_.b, u, true), true);
  }
  /// Of the shape on an edge or corner of A; inner: what is at an end of the edge, or beyond, is none of it.
  void on_edge(const Patch& edge, bool inner) {
    edges(edge, farthest_of(pair_.b, -pair_.to_b(n_), 1e-6 * pair_.b.size, [&](const V& x) { return pair_.of_b(x); }));
    const V along = inner ? edge.x[1] - edge.x[0] : V{};
    const double end = close_ * norm(along);
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      const Found& f = found_[i];
      const bool at_end = inner && std::min(dot(along, f.on_a - edge.x[0]), dot(along, edge.x[1] - f.on_a)) < end;
      if (!at_end && norm(f.on_b - f.on_a - n_ * f.gap) <= 1e-6 * pair_.b.size) found_[kept++] = f;
    }
    count_ = kept;
  }
  /// A is a plane.
  void on_plane() {
    const V u = -pair_.to_b(n_);
    Patch plane, b = patch_of(pair_.b, u, [&](const V& x) { return pair_.of_b(x); });
    plane.n = n_, plane.add({}, 0);
    if (pair_.b.kind != Core::polyhedron && b.face) thin(b);
    for (int i = 0; i < b.count; ++i) over(plane, true, b.x[i], of_vertex(true, b.name[i]));
    if (pair_.b.kind == Core::ellipsoid || std::hypot(u[0], u[1]) > 1e-9) lowest(pair_.b, u, true);
    reduce();
    std::sort(found_, found_ + count_, [](const Found& x, const Found& y) { return x.name < y.name; });
  }

  struct Found { V on_a, on_b; double gap; int name; };
  std::span<const Found> points() const { return {found_, static_cast<std::size_t>(count_)}; }

 private:
  int of_vertex(bool b, int vertex) const { return b ? pair_.a.vertex_names() + vertex : vertex; }
  int of_edges(int edge_a, int edge_b) const { return pair_.a.vertex_names() + pair_.b.vertex_names() + edge_a * pair_.b.edge_names() + edge_b; }

  void add(const V& on_a, const V& on_b, double gap, int name) {
    if (!(gap <= within_) || count_ == Patch::most) return;
    for (int i = 0; i < count_; ++i)
      if (const V apart = found_[i].on_b - on_b; found_[i].name == name || dot(apart, apart) < 4.0 * close_ * close_) {
        if (gap < found_[i].gap - 1e-12 * pair_.size) found_[i] = {on_a, on_b, gap, found_[i].name};
        return;
      }
    found_[count_++] = {on_a, on_b, gap, name};
  }
  /// The point x of one shape over the face of the other.
  void over(const Patch& face, bool face_on_a, const V& x, int name) {
    const double height = dot(face.n, x - face.x[0]) / dot(face.n, n_), gap = face_on_a ? height : -height;
    face_on_a ? add(x - n_ * gap, x, gap, name) : add(x, x + n_ * gap, gap, name);
  }

  static constexpr int unnamed = std::numeric_limits<int>::min();

  /// What of the other patch lies over the face (Sutherland, Hodgman 1974). Corners within `close_` of a side count as inside, so that bodies of one
  /// size that stand on each other keep their points.
  void clip(const Patch& face, const Patch& other, bool face_on_a) {
    struct Corner { V x; int name, edge; };  // edge: to the next; -1 - i: along side i of the face
    union Corners {
      Corners() {}
      Corner all[2 * Patch::most];
    } buffers[2];
    Corner *now = buffers[0].all, *next = buffers[1].all;
    double beyond[2 * Patch::most];
    int count = 0;
    for (int i = 0; i < other.count; ++i) now[count++] = {other.x[i], of_vertex(face_on_a, other.name[i]), other.edge[i]};
    const bool open = count < 3;
    for (int i = 0; i < face.count && count > 0; ++i) {
      const int after = i + 1 < face.count ? i + 1 : 0;
      const V &from = face.x[i], side = cross(face.x[after] - from, face.n), out = side * (1.0 / norm(side));
      const auto crossing = [&](int edge) {
        if (edge >= 0) return face.edge[i] < 0 ? unnamed : face_on_a ? of_edges(face.edge[i], edge) : of_edges(edge, face.edge[i]);
        const int j = -1 - edge, vertex = face.name[(j + 1) % face.count == i ? i : j];
        return vertex < 0 ? unnamed : of_vertex(!face_on_a, vertex);
      };
      bool cut = false;
      for (int k = 0; k < count; ++k) beyond[k] = dot(out, now[k].x - from), cut |= beyond[k] > close_;
      if (!cut) continue;
      int kept = 0;
      for (int k = 0; k < count; ++k) {
        const int following = k + 1 < count ? k + 1 : 0;
        const Corner &at = now[k], &to = now[following];
        const double d = beyond[k], e = beyond[following];
        const bool in = d <= close_, in_next = e <= close_;
        if (in) next[kept++] = at;
        if (in == in_next || count == 1 || (open && k == count - 1)) continue;
        if (in && std::abs(d) <= close_) next[kept - 1].edge = -1 - i;
        else if (!(in_next && std::abs(e) <= close_)) next[kept++] = {at.x + (to.x - at.x) * (d / (d - e)), crossing(at.edge), in ? -1 - i : at.edge};
      }
      std::swap(now, next), count = kept;
    }
    for (int k = 0; k < count; ++k)
      if (now[k].name != unnamed) over(face, face_on_a, now[k].x, now[k].name);
  }
  /// Every few of the corners of a rim.
  static void thin(Patch& rim) {
    int kept = 0;
    for (int i = 0; i < rim.count; ++i)
      if (rim.name[i] % every == 0) rim.x[kept] = rim.x[i], rim.name[kept] = rim.name[i], rim.edge[kept++] = rim.edge[i];
    rim.count = kept;
  }
  /// The point of a core that is farthest along u.
  Patch lowest_of(const Core& core, const V& u, bool is_b) const {
    const V x = core.support(u);
    Patch low;
    low.add(is_b ? pair_.of_b(x) : x, name_of(core, u, x));
    return low;
  }
  static int name_of(const Core& core, const V& u, const V& farthest) { return core.kind == Core::polyhedron ? core.corner(u) : core.kind == Core::ellipsoid ? tip : farthest[2] > 0.0 ? high_rim : low_rim; }
  double least() const {
    double gap = infinity;
    for (int i = 0; i < count_; ++i) gap = std::min(gap, found_[i].gap);
    return gap;
  }
  /// The point of a core that is farthest along u, over a face of the other.
  void lowest(const Core& core, const V& u, bool face_on_a) {
    const V x = core.support(u);
    const int name = of_vertex(face_on_a, name_of(core, u, x));
    face_on_a ? add(pair_.of_b(x) - n_ * s_, pair_.of_b(x), s_, name) : add(x, x + n_ * s_, s_, name);
  }
  /// Corners and edges: one point, two where edges lie along each other.
  void edges(const Patch& a, const Patch& b) {
    const auto pair = [&](const V& x, const V& y, int name) {
      const double gap = dot(n_, y - x);
      a.count == 1 ? add(x, x + n_ * gap, gap, name) : add(y - n_ * gap, y, gap, name);
    };
    if (a.count == 1) return pair(a.x[0], b.count == 1 ? b.x[0] : foot(b, a.x[0]), of_vertex(false, a.name[0]));
    if (b.count == 1) return pair(foot(a, b.x[0]), b.x[0], of_vertex(true, b.name[0]));
    const V u = a.x[1] - a.x[0], v = b.x[1] - b.x[0], w = b.x[0] - a.x[0];
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), det = uu * vv - uv * uv;
    if (det > 1e-12 * uu * vv) {
      const double s = std::clamp((dot(u, w) * vv - dot(v, w) * uv) / det, 0.0, 1.0), t = std::clamp((dot(u, w) * uv - dot(v, w) * uu) / det, 0.0, 1.0);
      return pair(a.x[0] + u * s, b.x[0] + v * t, of_edges(a.edge[0], b.edge[0]));
    }
    // Side by side: the ends of the part that both share.
    const double begin = dot(u, b.x[0] - a.x[0]) / uu, end = dot(u, b.x[1] - a.x[0]) / uu, slack = close_ / std::sqrt(uu);
    const auto on_b = [&](double s) { return b.x[0] + v * std::clamp((s - begin) / (end - begin), 0.0, 1.0); };
    for (int i = 0; i < 2; ++i)
      if (const double s = i; s >= std::min(begin, end) - slack && s <= std::max(begin, end) + slack) pair(a.x[i], on_b(s), of_vertex(false, a.name[i]));
    for (int i = 0; i < 2; ++i)
      if (const double s = i ? end : begin; s >= -slack && s <= 1.0 + slack) pair(a.x[0] + u * s, b.x[i], of_vertex(true, b.name[i]));
  }
  static V foot(const Patch& edge, const V& x) {
    const V u = edge.x[1] - edge.x[0];
    return edge.x[0] + u * std::clamp(dot(u, x - edge.x[0]) / dot(u, u), 0.0, 1.0);
  }
  /// At most as many as a pair may have: corners that add the least area go first, the deepest stays.
  void reduce() {
    while (count_ > most) {
      int deepest = 0, least = -1;
      for (int i = 1; i < count_; ++i)
        if (found_[i].gap < found_[deepest].gap) deepest = i;
      double smallest = infinity;
      for (int i = 0; i < count_; ++i) {
        if (i == deepest) continue;
        const V &x = found_[i].on_b, &before = found_[(i + count_ - 1) % count_].on_b, &after = found_[(i + 1) % count_].on_b;
        if (const double area = norm(cross(x - before, after - x)); area < smallest * (1.0 - 1e-3)) smallest = area, least = i;
      }
      std::copy(found_ + least + 1, found_ + count_, found_ + least);
      --count_;
    }
  }

  const Pair& pair_;
  const V n_;
  const double s_, within_, close_;
  union { Found found_[Patch::most]; };
  int count_ = 0;
};

/// The direction n of A's axes in which B is farthest from A, and how far: cores, without their rounding. False: farther than `limit`.
bool farthest_direction(const Pair& pair, double limit, V& n, double& s);

}  // namespace saltus::convex
