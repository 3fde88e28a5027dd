#include "saltus/collision/mesh.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "saltus/collision/apart.hpp"
#include "saltus/collision/convex.hpp"
#include "saltus/collision/convex_parts.hpp"

namespace saltus {
namespace {
using namespace convex;

constexpr double one_plane = 1e-9;  // sine between triangles of one facet
constexpr double at_once = 1e-5;    // of the size: gaps of points that touch together
constexpr double deep = 0.1;        // of the inner radius of a shape: what is deeper may be the far side of an edge

std::string number(int i) { return std::to_string(i); }

double angle(const V& m, const V& n) { return std::atan2(norm(cross(m, n)), dot(m, n)); }

/// The first triangle at each point, and how far the normals of what touches at a triangle's corners are off its own; all directions at a free edge.
void corners_of(TriangleMesh& mesh) {
  std::vector<std::vector<int>> at(mesh.points.size());
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    for (const int v : mesh.triangles[t].v) at[v].push_back(t);
  std::vector<char> free(mesh.points.size(), 0);
  for (const TriangleMesh::Edge& e : mesh.edges)
    if (e.right < 0) free[e.a] = free[e.b] = 1;
  mesh.first_triangle.assign(mesh.points.size(), -1);
  for (std::size_t v = 0; v < at.size(); ++v)
    if (!at[v].empty()) mesh.first_triangle[v] = at[v].front();
  for (TriangleMesh::Triangle& t : mesh.triangles) {
    t.spread = 0.0;
    for (const int v : t.v) {
      for (const int s : at[v]) t.spread = std::max(t.spread, angle(t.n, mesh.triangles[s].n));
      if (free[v]) t.spread = M_PI;
    }
  }
}

/// Points that may be the nearest to something: a direction away from all edges at the point exists on the side that the normals, weighted by the angles of their triangles,
/// say is outside (Baerentzen, Aanaes 2005). Edges may fold inwards there, as at a ridge with a groove. Such directions are bounded by planes across two of the edges.
void outer_points(TriangleMesh& mesh) {
  constexpr double away = 1e-7;
  std::vector<V> outward(mesh.points.size());
  for (const TriangleMesh::Triangle& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) {
      const V& x = mesh.points[t.v[i]];
      outward[t.v[i]] += t.n * angle(mesh.points[t.v[(i + 1) % 3]] - x, mesh.points[t.v[(i + 2) % 3]] - x);
    }
  mesh.outer_point.assign(mesh.points.size(), 0);
  std::vector<V> ways;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    ways.clear();
    for (const int w : mesh.neighbours[v]) ways.push_back((mesh.points[w] - mesh.points[v]) * (1.0 / norm(mesh.points[w] - mesh.points[v])));
    const auto outside = [&](const V& a, const V& b) {
      V n = cross(a, b);
      if (!(norm(n) > away)) return false;
      n = n * ((dot(n, outward[v]) < 0.0 ? -1.0 : 1.0) / norm(n));
      return dot(n, outward[v]) > away && std::all_of(ways.begin(), ways.end(), [&](const V& way) { return dot(n, way) < away; });
    };
    for (std::size_t i = 0; i < ways.size() && !mesh.outer_point[v]; ++i)
      mesh.outer_point[v] = std::any_of(ways.begin() + static_cast<std::ptrdiff_t>(i), ways.end(), [&](const V& b) { return outside(ways[i], b); });
  }
}

/// Boxes of triangles, halved along their longest side.
int build(TriangleMesh& mesh, int begin, int count) {
  const int at = static_cast<int>(mesh.nodes.size());
  TriangleMesh::Node node{{{infinity, infinity, infinity}}, {{-infinity, -infinity, -infinity}}, begin, count, -1, {}, 0.0};
  for (int i = begin; i < begin + count; ++i) node.n += mesh.triangles[mesh.order[i]].n;
  node.n = norm(node.n) > 0.0 ? node.n * (1.0 / norm(node.n)) : mesh.triangles[mesh.order[begin]].n;
  for (int i = begin; i < begin + count; ++i) node.spread = std::max(node.spread, angle(node.n, mesh.triangles[mesh.order[i]].n) + mesh.triangles[mesh.order[i]].spread);
  for (int i = begin; i < begin + count; ++i)
    for (const int v : mesh.triangles[mesh.order[i]].v)
      for (int k = 0; k < 3; ++k) node.low[k] = std::min(node.low[k], mesh.points[v][k]), node.high[k] = std::max(node.high[k], mesh.points[v][k]);
  mesh.nodes.push_back(node);
  if (count <= TriangleMesh::leaf) return at;
  const V size = node.high - node.low;
  const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  const auto middle = [&](int t) {
    double sum = 0.0;
    for (const int v : mesh.triangles[t].v) sum += mesh.points[v][axis];
    return sum;
  };
  const auto from = mesh.order.begin() + begin;
  std::nth_element(from, from + count / 2, from + count, [&](int s, int t) { return std::pair{middle(s), s} < std::pair{middle(t), t}; });
  build(mesh, begin, count / 2);
  const int right = build(mesh, begin + count / 2, count - count / 2);
  mesh.nodes[at].right = right;
  return at;
}

}  // namespace

void TriangleMesh::near(const Vec3<double>& low, const Vec3<double>& high, std::vector<int>& out) const {
  out.clear();
  int open[64], count = 0;  // halves: as deep as the logarithm of the triangles
  open[count++] = 0;
  while (count > 0) {
    const int at = open[--count];
    const Node& node = nodes[at];
    bool apart = false;
    for (int k = 0; k < 3; ++k) apart |= node.low[k] > high[k] || node.high[k] < low[k];
    if (apart) continue;
    if (node.right < 0) out.insert(out.end(), order.begin() + node.begin, order.begin() + node.begin + node.count);
    else open[count++] = at + 1, open[count++] = node.right;
  }
  std::sort(out.begin(), out.end());
}

std::optional<TriangleMesh> triangle_mesh(std::span<const Vec3<double>> points, std::span<const int> corners, std::string& wrong) {
  TriangleMesh mesh;
  mesh.points.assign(points.begin(), points.end());
  for (const Vec3<double>& x : points) mesh.bound = std::max(mesh.bound, norm(x));
  const auto refuse = [&](std::string message) {
    wrong = std::move(message);
    return std::nullopt;
  };
  std::map<std::pair<int, int>, int> known;
  const int count = static_cast<int>(corners.size() / 3), most = static_cast<int>(points.size());
  if (count == 0) return refuse("has no triangles");
  for (int t = 0; t < count; ++t) {
    TriangleMesh::Triangle triangle{{corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]}, {}, {}, t, 0.0};
    for (const int v : triangle.v)
      if (v < 0 || v >= most) return refuse("triangle " + number(t) + " names point " + number(v) + " of " + number(most));
    const V &a = points[triangle.v[0]], &b = points[triangle.v[1]], &c = points[triangle.v[2]], n = cross(b - a, c - a);
    const double longest = std::max({norm(b - a), norm(c - b), norm(a - c)});
    if (!(norm(n) > 1e-12 * longest * longest)) return refuse("triangle " + number(t) + " has no area");
    for (int k = 0; k < 3; ++k) triangle.n[k] = n[k] / norm(n);  // exact along the axes
    for (int i = 0; i < 3; ++i) {
      const int from = triangle.v[i], to = triangle.v[(i + 1) % 3];
      const auto [it, fresh] = known.try_emplace(std::minmax(from, to), static_cast<int>(mesh.edges.size()));
      triangle.edge[i] = it->second;
      if (fresh) mesh.edges.push_back({from, to, t, -1, false, true});
      else if (TriangleMesh::Edge& e = mesh.edges[it->second]; e.right >= 0) return refuse("triangles " + number(e.left) + ", " + number(e.right) + " and " + number(t) + " share one edge");
      else if (e.a == from) return refuse("triangles " + number(e.left) + " and " + number(t) + " face opposite ways");
      else e.right = t;
    }
    mesh.triangles.push_back(triangle);
  }
  const auto facet = [&](int t) {
    while (mesh.triangles[t].facet != t) t = mesh.triangles[t].facet;
    return t;
  };
  mesh.inner_point.assign(points.size(), 1);
  mesh.neighbours.resize(points.size());
  for (TriangleMesh::Edge& e : mesh.edges) {
    mesh.neighbours[e.a].push_back(e.b), mesh.neighbours[e.b].push_back(e.a);
    mesh.form.edges.push_back({e.a, e.b, -1, -1});
    if (e.right >= 0) {
      const V &l = mesh.triangles[e.left].n, &r = mesh.triangles[e.right].n, along = points[e.b] - points[e.a];
      const double sine = dot(cross(l, r), along) / norm(along);  // above 0: folds outwards
      e.inner = std::abs(sine) < one_plane && dot(l, r) > 0.0, e.convex = e.inner || sine > 0.0;
      if (e.inner) mesh.triangles[std::max(facet(e.left), facet(e.right))].facet = std::min(facet(e.left), facet(e.right));
    }
    for (const int v : {e.a, e.b}) mesh.inner_point[v] &= e.inner;
  }
  double area = 0.0, volume = 0.0;
  for (int t = 0; t < count; ++t) {
    TriangleMesh::Triangle& triangle = mesh.triangles[t];
    triangle.facet = facet(t);
    const V &a = points[triangle.v[0]], n = cross(points[triangle.v[1]] - a, points[triangle.v[2]] - a);
    area += 0.5 * norm(n), volume += dot(n, a - points[0]) / 6.0;
  }
  const bool open = std::any_of(mesh.edges.begin(), mesh.edges.end(), [](const TriangleMesh::Edge& e) { return e.right < 0; });
  mesh.thickness = open ? std::sqrt(area / count) : std::abs(volume) / area;
  mesh.solid = !open && volume > 0.0, mesh.room = !open && volume < 0.0;
  corners_of(mesh), outer_points(mesh);
  mesh.order.resize(mesh.triangles.size());
  std::iota(mesh.order.begin(), mesh.order.end(), 0);
  build(mesh, 0, count);
  static std::atomic<std::uint64_t> made = 0;
  mesh.number = ++made;
  return mesh;
}

bool TriangleMesh::surrounds(const V& x) const {
  for (int k = 0; k < 3; ++k)
    if (x[k] <= nodes.front().low[k] || x[k] >= nodes.front().high[k]) return false;
  // How often a ray leaves; one that runs along a face is not trusted alone.
  const auto odd = [&](const V& u) {
    bool out = false;
    int open[64], count = 0;
    open[count++] = 0;
    while (count > 0) {
      const int at = open[--count];
      const Node& node = nodes[at];
      double first = 0.0, last = std::numeric_limits<double>::infinity();
      for (int k = 0; k < 3; ++k) {
        const double a = (node.low[k] - x[k]) / u[k], b = (node.high[k] - x[k]) / u[k];
        first = std::max(first, std::min(a, b)), last = std::min(last, std::max(a, b));
      }
      if (first > last) continue;
      if (node.right >= 0) open[count++] = at + 1, open[count++] = node.right;
      for (int k = node.begin; node.right < 0 && k < node.begin + node.count; ++k) {
        const Triangle& t = triangles[order[k]];
        const V a = points[t.v[0]] - x, b = points[t.v[1]] - x, c = points[t.v[2]] - x;
        const double ab = dot(u, cross(a, b)), bc = dot(u, cross(b, c)), ca = dot(u, cross(c, a));
        if ((ab > 0.0) == (bc > 0.0) && (bc > 0.0) == (ca > 0.0) && (dot(a, t.n) > 0.0) == (dot(u, t.n) > 0.0)) out = !out;
      }
    }
    return out;
  };
  return odd({{0.5377, 0.7239, 0.4321}}) && odd({{-0.3141, 0.4843, -0.8166}});
}

TriangleMesh::Exit TriangleMesh::exit(const V& x) const {
  Exit best{};
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& t : triangles) {
    const V &a = points[t.v[0]], &b = points[t.v[1]], &c = points[t.v[2]];
    const double height = dot(t.n, x - a);
    if (std::abs(height) >= least) continue;
    V at = x - t.n * height;
    if (dot(t.n, cross(b - a, at - a)) < 0.0 || dot(t.n, cross(c - b, at - b)) < 0.0 || dot(t.n, cross(a - c, at - c)) < 0.0) {
      double near = std::numeric_limits<double>::infinity();
      for (int i = 0; i < 3; ++i) {
        const V &from = points[t.v[i]], side = points[t.v[(i + 1) % 3]] - from, on = from + side * std::clamp(dot(side, x - from) / dot(side, side), 0.0, 1.0);
        if (const double far = norm(on - x); far < near) near = far, at = on;
      }
    }
    if (const double far = norm(at - x); far < least) least = far, best = {far > 1e-12 * bound ? (at - x) * (1.0 / far) : t.n, at, t.facet};
  }
  return best;
}

namespace {

/// The points of one shape on one mesh, in the axes of the mesh.
class OnMesh {
 public:
  OnMesh(const TriangleMesh& mesh, const Pose& A, const Core& shape, double thickness, const Pose& B, double within)
      : mesh_(mesh), names_(mesh.points, mesh.form, shape.size), pair_(names_, A, shape, B), reach_(within + shape.radius), limit_(deep * thickness), bound_(bound_of(shape) + reach_) {}

  void find() {
    std::vector<int>& near = scratch().near;
    found_.clear();
    V low, high;
    for (int k = 0; k < 3; ++k) {
      V u{};
      u[k] = 1.0;
      high[k] = dot(u, far(u)) + reach_, low[k] = dot(u, far(-u)) - reach_;
    }
    mesh_.near(low, high, near);
    seen_edges_.clear(), seen_points_.clear();
    for (const int t : near) {
      face(mesh_.triangles[t]);
      for (const int e : mesh_.triangles[t].edge) seen_edges_.push_back(e);
      for (const int v : mesh_.triangles[t].v) seen_points_.push_back(v);
    }
    const auto once = [](std::vector<int>& of) { std::sort(of.begin(), of.end()), of.erase(std::unique(of.begin(), of.end()), of.end()); };
    once(seen_edges_), once(seen_points_);
    for (const int e : seen_edges_) edge(mesh_.edges[e], e);
    for (const int v : seen_points_) corner(v);
  }

  struct Found { V n, on_a, on_b; double gap; int name; };
  /// Those that count, by name.
  std::span<const Found> points() {
    kept_.clear();
    for (const Found& f : found_)
      if (std::none_of(found_.begin(), found_.end(), [&](const Found& g) { return is_far_side(f, g); })) kept_.push_back(f);
    found_.swap(kept_);
    keep_apart(found_, at_once * pair_.b.size, [](const Found& f) { return f.on_b; }, [](const Found& f) { return f.name; });
    return found_;
  }

 private:
  /// Whether the shape is deep along f because it reaches over the far side of a convex edge, whose near side g touches: what is as deep behind the face of f is deeper behind that of g
  /// than the shape is.
  bool is_far_side(const Found& f, const Found& g) const {
    const double round = pair_.b.radius;
    if (!(f.gap - round < -limit_) || !(g.gap > f.gap) || !(dot(f.n, g.on_a - f.on_a) < 0.0)) return false;
    return (round - f.gap) * dot(f.n, g.n) <= std::max(round - g.gap, 1e-9 * pair_.b.size);
  }
  V far(const V& u) const { return pair_.of_b(pair_.b.support(pair_.to_b(u))); }

  /// group: of the facet, edge or corner of the mesh: points of two of them have different names, whichever are near.
  void take(const V& n, const Manifold& manifold, int group) {
    const std::int64_t names = names_.vertex_names() + pair_.b.vertex_names() + static_cast<std::int64_t>(names_.edge_names()) * pair_.b.edge_names();
    for (const Manifold::Found& p : manifold.points()) {
      if (p.name < 0) continue;
      const Found found{n, p.on_a, p.on_b, p.gap, static_cast<int>((p.name + names * (group + std::int64_t{1})) & 0x7fffffff)};
      // A point over two triangles of a facet, or of facets that are all but one.
      const bool known = std::any_of(found_.begin(), found_.end(), [&](const Found& f) { return dot(f.n, n) > 1.0 - 1e-12 && (f.name == found.name || norm(f.on_b - found.on_b) < 2e-7 * pair_.b.size); });
      if (!known) found_.push_back(found);
    }
  }
  void face(const TriangleMesh::Triangle& t) {
    const V& origin = mesh_.points[t.v[0]];
    if (dot(t.n, pair_.p - origin) < 0.0) return;
    const double s = dot(t.n, far(-t.n) - origin);
    if (s > reach_) return;
    Patch patch;
    patch.face = true, patch.n = t.n, patch.alignment = 1.0;
    for (int i = 0; i < 3; ++i) {
      // What is in the middle of a facet has no name: -1.
      patch.add(mesh_.points[t.v[i]], mesh_.inner_point[t.v[i]] ? -1 : t.v[i], mesh_.edges[t.edge[i]].inner ? -1 : t.edge[i]);
    }
    Manifold manifold(pair_, t.n, s, reach_);
    manifold.on_face(patch);
    take(t.n, manifold, t.facet);
  }
  /// Along the arc of normals of a convex edge: where the shape is farthest, if that is not at an end, which is a face's.
  void edge(const TriangleMesh::Edge& e, int number) {
    if (e.inner || !e.convex) return;
    const V &a = mesh_.points[e.a], &b = mesh_.points[e.b];
    const V u = b - a, way = pair_.p - a;
    const double uu = dot(u, u);
    if (const V aside = way - u * std::clamp(dot(u, way) / uu, 0.0, 1.0); dot(aside, aside) > bound_ * bound_) return;
    const V along = u * (1.0 / std::sqrt(uu)), first = mesh_.triangles[e.left].n, out = cross(along, first);
    // From the left triangle's normal, towards the outside of the edge; a free edge has all of the half circle.
    const double whole = e.right < 0 ? 0.5 * M_PI : std::atan2(dot(mesh_.triangles[e.right].n, out), dot(mesh_.triangles[e.right].n, first));
    if (!(whole > 0.0)) return;
    const auto normal = [&](double angle) { return first * std::cos(angle) + out * std::sin(angle); };
    const auto slope = [&](double angle) { return dot(out * std::cos(angle) - first * std::sin(angle), far(-normal(angle)) - a); };
    double low = 0.0, high = whole;
    if (!(slope(low) > 0.0) || !(slope(high) < 0.0)) return;
    if (pair_.b.corners.size() == 1) {
      const V to = far(out) - a;
      low = high = std::atan2(dot(to, out), dot(to, first));
    }
    for (int k = 0; k < 60 && low < high; ++k) {
      const double middle = 0.5 * (low + high);
      (slope(middle) > 0.0 ? low : high) = middle;
    }
    const V n = normal(0.5 * (low + high));
    const double s = dot(n, far(-n) - a);
    if (s > reach_ || dot(n, pair_.p - a) < 0.0) return;
    Manifold manifold(pair_, n, s, reach_);
    Patch patch;
    patch.add(a, e.a, number), patch.add(b, e.b, number);
    manifold.on_edge(patch, true);
    take(n, manifold, static_cast<int>(mesh_.triangles.size()) + number);
  }
  void corner(int v) {
    if (!mesh_.outer_point[v] || mesh_.inner_point[v]) return;
    const V& x = mesh_.points[v];
    if (norm(x - pair_.p) > bound_) return;
    V n;
    double s;
    if (pair_.b.kind == Core::polyhedron && pair_.b.form->faces.empty()) {  // a point or a segment
      const V a = pair_.of_b(pair_.b.corners.front()), u = pair_.of_b(pair_.b.corners.back()) - a;
      const double uu = dot(u, u);
      const V way = a + u * (uu > 0.0 ? std::clamp(dot(u, x - a) / uu, 0.0, 1.0) : 0.0) - x;
      s = norm(way);
      if (!(s > 0.0) || s > reach_) return;
      n = way * (1.0 / s);
    } else {
      const Shape point{ShapeKind::sphere, 0.0, {}, {}};
      const Core own(point);
      if (!farthest_direction(Pair(own, {x}, pair_.b, {pair_.p, pair_.R}), reach_, n, s)) return;
    }
    for (const int w : mesh_.neighbours[v])
      if (const V way = mesh_.points[w] - x; dot(n, way) > 1e-7 * norm(way)) return;
    Manifold manifold(pair_, n, s, reach_);
    Patch patch;
    patch.add(x, v);
    manifold.on_edge(patch, false);
    take(n, manifold, static_cast<int>(mesh_.triangles.size() + mesh_.edges.size()) + v);
  }
  static double bound_of(const Core& core) {
    double most = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) {
        V u{};
        u[axis] = side;
        const double reach = core.reach(u);
        most += 0.5 * reach * reach;
      }
    return std::sqrt(2.0 * most);
  }

  const TriangleMesh& mesh_;
  const Core names_;
  const Pair pair_;
  const double reach_, limit_, bound_;  // bound_: how far from its origin what the shape touches is at most
  struct Scratch {
    std::vector<int> near, edges, points;
    std::vector<Found> found, kept;
  };
  static Scratch& scratch() {
    static thread_local Scratch kept;
    return kept;
  }
  std::vector<int>&seen_edges_ = scratch().edges, &seen_points_ = scratch().points;
  std::vector<Found>&found_ = scratch().found, &kept_ = scratch().kept;
};

}  // namespace

ContactPoints mesh_points(const TriangleMesh& mesh, const Pose& A, const Shape& b, const Pose& B, double within) {
  ContactPoints out;
  if (b.kind == ShapeKind::plane) {  // with its points
    std::vector<ContactPoint> all;
    const V n{{B.R(0, 2), B.R(1, 2), B.R(2, 2)}};
    for (int v = 0; v < static_cast<int>(mesh.points.size()); ++v) {
      const V x = A.p + A.R * mesh.points[v];
      if (const double gap = dot(n, x - B.p); gap <= within && !mesh.inner_point[v]) all.push_back({x, x - n * gap, -n, gap, v});
    }
    keep_apart(all, at_once * mesh.bound, [](const ContactPoint& p) { return p.on_B; }, [](const ContactPoint& p) { return p.feature; });
    for (const ContactPoint& p : all) out.add(p, within);
    return out;
  }
  const Core shape(b);
  OnMesh on(mesh, A, shape, b.kind == ShapeKind::hull ? b.thickness() : shape.size, B, within);
  on.find();
  for (const OnMesh::Found& f : on.points()) {
    const V n = A.R * f.n;
    out.add({A.p + A.R * f.on_a, A.p + A.R * f.on_b - n * shape.radius, n, f.gap - shape.radius, f.name}, within);
  }
  const V centre = transposed_times(A.R, B.p - A.p);
  if (out.count > 0 || !mesh.holds(centre)) return out;
  const TriangleMesh::Exit way = mesh.exit(centre);
  const V n = A.R * way.n, lowest = B.p + B.R * shape.support(transposed_times(B.R, -n)) - n * shape.radius;
  const double gap = dot(n, lowest - A.p) - dot(way.n, way.at);
  out.add({lowest - n * gap, lowest, n, gap, way.facet}, within);
  return out;
}

}  // namespace saltus
