#include <algorithm>
#include <cmath>
#include <cstdint>

#include "saltus/collision/apart.hpp"
#include "saltus/collision/convex_parts.hpp"
#include "saltus/collision/mesh.hpp"

namespace saltus {
namespace {
using namespace convex;

constexpr double shallow = 0.1;     // of the thickness: overlap that is met everywhere
constexpr double same = 1e-9;       // of the size: what is on an edge
constexpr double one_place = 1e-7;  // of the size: points that are one
constexpr double lowest = 0.02;     // slope of the edges at a corner that still counts as lowest: it stays among the contacts of a face that lies
constexpr double slack = 0.05;      // angle by which what faces may look aside
constexpr double little_turn = 0.01;  // [rad] before near triangles are collected again
constexpr double at_once = 1e-5;    // of the size: gaps of points that touch together

/// Two meshes in the axes of the first.
class TwoMeshes {
 public:
  TwoMeshes(const TriangleMesh& a, const Pose& A, const TriangleMesh& b, const Pose& B, double within)
      : a_(a), b_(b), R_(transposed_times(A.R, B.R)), p_(transposed_times(A.R, B.p - A.p)), size_(std::min(diagonal(a), diagonal(b))), within_(std::isfinite(within) ? within : distance_bound()) {}

  struct Found { V n, on_a, on_b; double gap; std::uint64_t name; };
  std::vector<Found>& find() {
    const double width = shallow * std::min(a_.thickness, b_.thickness), first = 0.01 * width;
    reach_through();
    look(std::clamp(8.0 * crossing_, first, width));
    if (depth_ < width && (found_.empty() || deepest() < -0.5 * depth_)) look(width);
    for (double depth = 2.0 * width; crossing_ > width && deepest() >= -width && depth <= 4.0 * crossing_; depth *= 2.0) look(depth), keep_shallowest(width);
    if (crossing_ > 10.0 * touching() && deepest() >= -touching()) take_crossing();
    if (found_.empty()) take_whole();
    once();
    keep_apart(found_, at_once * size_, [](const Found& f) { return f.on_b; }, [](const Found& f) { return f.name; });
    return found_;
  }

 private:
  enum Kind : std::uint64_t { corner_of_b, corner_of_a, edges, corner_of_b_at_edge, corner_of_a_at_edge, corners };

  static double diagonal(const TriangleMesh& m) { return norm(m.nodes.front().high - m.nodes.front().low); }
  double touching() const { return same * size_; }
  V of_b(const V& x) const { return p_ + R_ * x; }
  V to_b(const V& x) const { return transposed_times(R_, x - p_); }

  struct Box { V low, high; };
  /// The box of a node of b in the axes of a.
  Box box_of_b(const TriangleMesh::Node& node) const {
    const V middle = of_b((node.low + node.high) * 0.5), half = (node.high - node.low) * 0.5;
    V reach;
    for (int i = 0; i < 3; ++i) reach[i] = std::abs(R_(i, 0)) * half[0] + std::abs(R_(i, 1)) * half[1] + std::abs(R_(i, 2)) * half[2];
    return {middle - reach, middle + reach};
  }
  static double square_between(const V& low, const V& high, const Box& box) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double way = std::max({0.0, box.low[k] - high[k], low[k] - box.high[k]});
      sum += way * way;
    }
    return sum;
  }
  /// Whether what has normals at most so far off those may face the other; both in the axes of a.
  static bool may_face(const V& m, double spread_m, const V& n, double spread_n, double more = 0.0) {
    const double sum = spread_m + spread_n + slack + more;
    return sum >= M_PI || -dot(m, n) >= std::cos(sum);
  }
  /// Calls take(leaf of a, leaf of b) for those whose boxes are at most `reach()` apart, which may shrink; facing: and that may face each other.
  template <class Reach, class Take>
  void each_near(bool facing, const Reach& reach, const Take& take) const {
    auto& open = scratch().open;
    open.assign(1, {0, 0});
    while (!open.empty()) {
      const auto [i, j] = open.back();
      open.pop_back();
      const TriangleMesh::Node &s = a_.nodes[i], &t = b_.nodes[j];
      if (const double r = reach(); square_between(s.low, s.high, box_of_b(t)) > r * r) continue;
      if (facing && !may_face(s.n, s.spread, R_ * t.n, t.spread, little_turn)) continue;
      if (s.right < 0 && t.right < 0) take(s, t);
      else if (t.right < 0 || (s.right >= 0 && norm(s.high - s.low) >= norm(t.high - t.low))) open.push_back({s.right, j}), open.push_back({i + 1, j});
      else open.push_back({i, t.right}), open.push_back({i, j + 1});
    }
  }
  /// A distance that some points of the two do not exceed.
  double distance_bound() const {
    double least = infinity;
    each_near(false, [&] { return least; }, [&](const TriangleMesh::Node& s, const TriangleMesh::Node& t) {
      for (int k = s.begin; k < s.begin + s.count; ++k)
        for (int l = t.begin; l < t.begin + t.count; ++l)
          for (const int v : a_.triangles[a_.order[k]].v)
            for (const int w : b_.triangles[b_.order[l]].v) least = std::min(least, norm(of_b(b_.points[w]) - a_.points[v]));
    });
    return least * (1.0 + 1e-12);
  }

  struct Corners { V x[3], low, high; };  // of a triangle, and its box
  /// Least and largest height of three points over a plane.
  struct Heights {
    double low, high;
    Heights(const V& n, const V& on, const V* x) {
      const double h[3] = {dot(n, x[0] - on), dot(n, x[1] - on), dot(n, x[2] - on)};
      low = std::min({h[0], h[1], h[2]}), high = std::max({h[0], h[1], h[2]});
    }
  };
  /// A triangle of each, in the axes of a; the normal of that of b.
  struct Two { int s, t; const V *of_s, *of_t; const Heights &over_s, &over_t; const V& n; };
  template <class Place>
  static Corners corners_of(const TriangleMesh& mesh, int triangle, const Place& place) {
    Corners c;
    for (int i = 0; i < 3; ++i) c.x[i] = place(mesh.points[mesh.triangles[triangle].v[i]]);
    for (int k = 0; k < 3; ++k) c.low[k] = std::min({c.x[0][k], c.x[1][k], c.x[2][k]}), c.high[k] = std::max({c.x[0][k], c.x[1][k], c.x[2][k]});
    return c;
  }
  /// Triangles near to each other, kept from call to call: in a step and from step to step two bodies move little.
  struct Near {
    std::uint64_t a = 0, b = 0;
    bool facing = false;
    Mat3<double> R{}, last_R{};  // of b, where they were collected, and in the last call
    V p{}, last_p{};
    double reach = 0.0, way = 0.0;  // [m] around them; between calls
    std::vector<std::pair<int, int>> pairs;
  };
  /// How far a point of b moved since it was there, at most.
  double moved(const Mat3<double>& R, const V& p) const { return norm(p_ - p) + turned(R) * b_.bound; }
  double turned(const Mat3<double>& R) const {
    double sum = 0.0;
    for (int i = 0; i < 9; ++i) sum += (R_.data()[i] - R.data()[i]) * (R_.data()[i] - R.data()[i]);
    return std::sqrt(sum);
  }
  const std::vector<std::pair<int, int>>& near(bool facing, double reach) const {
    static thread_local std::vector<Near> all;
    static thread_local std::size_t oldest = 0;
    constexpr std::size_t most = 256;
    auto found = std::find_if(all.begin(), all.end(), [&](const Near& n) { return n.a == a_.number && n.b == b_.number && n.facing == facing; });
    const bool fresh = found == all.end();
    if (fresh) {
      if (all.size() < most) all.emplace_back(), found = all.end() - 1;
      else found = all.begin() + static_cast<std::ptrdiff_t>(oldest++ % most);
      found->a = a_.number, found->b = b_.number, found->facing = facing, found->way = 0.0;
    } else {
      found->way = std::max(moved(found->last_R, found->last_p), 0.5 * found->way);
    }
    Near& near = *found;
    near.last_R = R_, near.last_p = p_;
    const double margin = std::min(4.0 * near.way, shallow * size_), widest = reach + 8.0 * margin + shallow * std::min(a_.thickness, b_.thickness);
    const bool wide = near.reach > widest;  // of bodies that moved fast, or of a distance, and now lie: far more triangles than are looked at
    if (!fresh && !wide && near.reach >= reach + moved(near.R, near.p) && turned(near.R) < little_turn) return near.pairs;
    near.R = R_, near.p = p_, near.reach = reach + margin;
    near.pairs.clear();
    each_near(facing, [&] { return near.reach; }, [&](const TriangleMesh::Node& s, const TriangleMesh::Node& t) {
      Corners of_t[TriangleMesh::leaf];
      const Box box = box_of_b(t);
      for (int l = 0; l < t.count; ++l) of_t[l] = corners_of(b_, b_.order[t.begin + l], [&](const V& x) { return of_b(x); });
      for (int k = s.begin; k < s.begin + s.count; ++k) {
        const Corners of_s = corners_of(a_, a_.order[k], [](const V& x) { return x; });
        if (square_between(of_s.low, of_s.high, box) > near.reach * near.reach) continue;
        for (int l = 0; l < t.count; ++l)
          if (square_between(of_s.low, of_s.high, {of_t[l].low, of_t[l].high}) <= near.reach * near.reach) near.pairs.emplace_back(a_.order[k], b_.order[t.begin + l]);
      }
    });
    return near.pairs;
  }
  /// Calls take for triangles that are at most `reach` apart along their normals.
  template <class Take>
  void each_close(bool facing, double reach, const Take& take) const {
    for (const auto& [s, t] : near(facing, reach)) {
      const TriangleMesh::Triangle &f = a_.triangles[s], &g = b_.triangles[t];
      const V n = R_ * g.n;
      if (facing && !may_face(f.n, f.spread, n, g.spread)) continue;
      const V of_s[3] = {a_.points[f.v[0]], a_.points[f.v[1]], a_.points[f.v[2]]}, of_t[3] = {of_b(b_.points[g.v[0]]), of_b(b_.points[g.v[1]]), of_b(b_.points[g.v[2]])};
      const Heights over_s(f.n, of_s[0], of_t);
      if (over_s.low > reach || over_s.high < -reach) continue;
      const Heights over_t(n, of_t[0], of_s);
      if (over_t.low <= reach && over_t.high >= -reach) take(Two{s, t, of_s, of_t, over_s, over_t, n});
    }
  }
  void reach_through() {
    crossing_ = 0.0;
    each_close(false, 0.0, [&](const Two& two) { crossing(two); });
  }
  /// All features that are at most `within` apart and `depth` deep.
  void look(double depth) {
    depth_ = depth;
    found_.clear();
    each_close(true, std::max(within_, depth), [&](const Two& two) { features(two); });
  }

  /// The features of two triangles. What several triangles share is looked at in the first of them.
  void features(const Two& two) {
    const int s = two.s, t = two.t;
    const TriangleMesh::Triangle &f = a_.triangles[s], &g = b_.triangles[t];
    const V* x = two.of_t;
    const V& n = two.n;
    const auto own_point = [](const TriangleMesh& mesh, int v, int triangle) { return mesh.first_triangle[v] == triangle && !mesh.inner_point[v]; };
    const auto own_edge = [](const TriangleMesh& mesh, int e, int triangle) { return mesh.edges[e].left == triangle && mesh.edges[e].convex && !mesh.edges[e].inner; };
    const bool apart = within_ > 0.0;
    for (int i = 0; i < 3; ++i) {
      if (const int w = g.v[i]; own_point(b_, w, t)) {
        if (const double gap = dot(f.n, x[i] - a_.points[f.v[0]]); gap <= within_ && gap >= -depth_) corner_over_face(true, f, w, x[i]);
        for (int k = 0; apart && k < 3; ++k) {
          if (own_edge(a_, f.edge[k], s)) corner_at_edge(true, f.edge[k], w, x[i]);
          if (const int v = f.v[k]; own_point(a_, v, s)) corner_at_corner(v, w, x[i]);
        }
      }
      if (const int v = f.v[i]; own_point(a_, v, s)) {
        if (const double gap = dot(n, a_.points[v] - x[0]); gap <= within_ && gap >= -depth_) corner_over_face(false, g, v, to_b(a_.points[v]));
        for (int k = 0; apart && k < 3; ++k)
          if (own_edge(b_, g.edge[k], t)) corner_at_edge(false, g.edge[k], v, to_b(a_.points[v]));
      }
      if (own_edge(a_, f.edge[i], s))
        for (int k = 0; k < 3; ++k)
          if (own_edge(b_, g.edge[k], t)) edge_across_edge(f.edge[i], g.edge[k], x[k], x[(k + 1) % 3]);
    }
  }
  void add(const V& n, const V& on_a, const V& on_b, double gap, std::uint64_t kind, int i, int j) {
    if (gap > within_ || gap < -depth_) return;
    if (gap < -touching() && hidden(a_, on_a, on_b) && hidden(b_, to_b(on_a), to_b(on_b))) return;  // at a sharp edge one alone may be
    found_.push_back({n, on_a, on_b, gap, kind << 61 ^ static_cast<std::uint64_t>(i) << 31 ^ static_cast<std::uint64_t>(j)});
  }
  /// Whether no neighbour of the corner lies before it, against the unit vector n from the other surface, in the axes of the mesh.
  static bool is_lowest(const TriangleMesh& mesh, int v, const V& n, double slope) {
    return std::all_of(mesh.neighbours[v].begin(), mesh.neighbours[v].end(), [&](int w) {
      const V way = mesh.points[w] - mesh.points[v];
      return dot(n, way) >= -slope * norm(way);
    });
  }
  /// The corner v of the one over a triangle of the other, of a or not, in whose axes x is its place.
  void corner_over_face(bool on_a, const TriangleMesh::Triangle& t, int v, const V& x) {
    const TriangleMesh& mesh = on_a ? a_ : b_;
    for (int i = 0; i < 3; ++i) {
      const V &from = mesh.points[t.v[i]], along = mesh.points[t.v[(i + 1) % 3]] - from;
      if (dot(cross(t.n, along), x - from) < -touching() * norm(along)) return;
    }
    const V own = on_a ? transposed_times(R_, t.n) : R_ * t.n;  // in the axes of the corner's mesh
    if (!is_lowest(on_a ? b_ : a_, v, own, lowest)) return;
    const double gap = dot(t.n, x - mesh.points[t.v[0]]);
    const V foot = x - t.n * gap;
    if (on_a) add(t.n, foot, x, gap, corner_of_b, t.facet, v);
    else add(-own, a_.points[v], of_b(foot), gap, corner_of_a, v, t.facet);
  }

  /// Directions in which the faces of an edge end, in the axes of its mesh: the normals between those of its faces look along both.
  struct Ends { V first, second; };
  static Ends ends(const TriangleMesh& mesh, const TriangleMesh::Edge& e) {
    const V along = (mesh.points[e.b] - mesh.points[e.a]) * (1.0 / norm(mesh.points[e.b] - mesh.points[e.a])), &left = mesh.triangles[e.left].n;
    return {cross(along, left), e.right < 0 ? left : cross(mesh.triangles[e.right].n, along)};
  }
  /// p, q: the ends of that of b, in the axes of a.
  void edge_across_edge(int first, int second, const V& p, const V& q) {
    const TriangleMesh::Edge &e = a_.edges[first], &d = b_.edges[second];
    const V &from = a_.points[e.a], u = a_.points[e.b] - from, v = q - p, c = cross(u, v), way = p - from;
    const double length_u = norm(u), length_v = norm(v);
    V n{};
    bool flush = false;
    for (const int s : {e.left, e.right})
      for (const int t : {d.left, d.right})
        if (!flush && s >= 0 && t >= 0 && dot(a_.triangles[s].n, R_ * b_.triangles[t].n) < nearly_flat - 1.0) flush = true, n = a_.triangles[s].n;
    if (!flush) {
      if (!(norm(c) > 1e-8 * length_u * length_v)) return;
      n = c * (1.0 / norm(c));
      const Ends of_e = ends(a_, e), of_d = ends(b_, d);
      if (dot(n, of_e.first) + dot(n, of_e.second) < 0.0) n = -n;
      const V against = transposed_times(R_, -n);
      if (std::min({dot(n, of_e.first), dot(n, of_e.second), dot(against, of_d.first), dot(against, of_d.second)}) < -1e-7) return;
    }
    const double volume = dot(c, n);
    if (!(std::abs(volume) > 1e-8 * length_u * length_v)) return;
    const double s = dot(cross(way, v), n) / volume, t = dot(cross(way, u), n) / volume;  // from + s u and p + t v lie along n
    if (std::min(s, 1.0 - s) * length_u < -touching() || std::min(t, 1.0 - t) * length_v < -touching()) return;
    const V on_a = from + u * s, on_b = p + v * t;
    add(n, on_a, on_b, dot(n, on_b - on_a), edges, first, second);
  }
  /// The corner v of the one beside an edge of the other, of a or not, in whose axes x is its place; where they are apart alone.
  void corner_at_edge(bool on_a, int edge, int v, const V& x) {
    const TriangleMesh& mesh = on_a ? a_ : b_;
    const TriangleMesh::Edge& e = mesh.edges[edge];
    const V &from = mesh.points[e.a], u = mesh.points[e.b] - from;
    const double s = dot(x - from, u) / dot(u, u);
    if (!(std::min(s, 1.0 - s) * norm(u) > touching())) return;
    const V foot = from + u * s, way = x - foot;
    const double gap = norm(way);
    if (!(gap > one_place * size_ && gap <= within_)) return;
    const V n = way * (1.0 / gap);
    if (const Ends of = ends(mesh, e); std::min(dot(n, of.first), dot(n, of.second)) < 1e-7) return;
    const V own = on_a ? transposed_times(R_, n) : R_ * n;
    if (!is_lowest(on_a ? b_ : a_, v, own, 1e-7)) return;
    if (on_a) add(n, foot, x, gap, corner_of_b_at_edge, edge, v);
    else add(-own, a_.points[v], of_b(foot), gap, corner_of_a_at_edge, v, edge);
  }
  void corner_at_corner(int v, int w, const V& on_b) {
    const V &on_a = a_.points[v], way = on_b - on_a;
    const double gap = norm(way);
    if (!(gap > one_place * size_ && gap <= within_)) return;
    const V n = way * (1.0 / gap);
    if (is_lowest(a_, v, -n, 1e-7) && is_lowest(b_, w, transposed_times(R_, n), 1e-7)) add(n, on_a, on_b, gap, corners, v, w);
  }

  /// Share of the way from p to q at which it meets the triangle; below 0 where it does not, or begins or ends within `small` of its plane.
  static double meets(const TriangleMesh& mesh, const TriangleMesh::Triangle& t, const V& p, const V& q, double small = 0.0) {
    const V& origin = mesh.points[t.v[0]];
    const double from = dot(t.n, p - origin), to = dot(t.n, q - origin);
    if ((from > 0.0) == (to > 0.0) || std::min(std::abs(from), std::abs(to)) < small) return -1.0;
    const double s = from / (from - to);
    const V x = p + (q - p) * s;
    for (int i = 0; i < 3; ++i)
      if (const V& corner = mesh.points[t.v[i]]; dot(cross(t.n, mesh.points[t.v[(i + 1) % 3]] - corner), x - corner) < 0.0) return -1.0;
    return s;
  }
  /// Whether a surface stands between two points of an overlap: they are then on far sides of what is thin.
  bool hidden(const TriangleMesh& mesh, const V& p, const V& q) const {
    V low, high;
    for (int k = 0; k < 3; ++k) low[k] = std::min(p[k], q[k]), high[k] = std::max(p[k], q[k]);
    std::vector<int>& near = scratch().near;
    mesh.near(low, high, near);
    return std::any_of(near.begin(), near.end(), [&](int t) { return meets(mesh, mesh.triangles[t], p, q, 1e-3 * touching()) >= 0.0; });
  }
  /// Takes note of two triangles that reach through each other, and how deep: as a corner behind, at most as the line is long in which they cross.
  void crossing(const Two& two) {
    const double small = touching(), depth = std::min(-two.over_s.low, -two.over_t.low);
    if (two.over_s.low > -small || two.over_s.high < small || two.over_t.low > -small || two.over_t.high < small || depth <= crossing_) return;
    const TriangleMesh::Triangle &f = a_.triangles[two.s], &g = b_.triangles[two.t];
    const V* x = two.of_t;
    V first{};
    int points = 0;
    double longest = 0.0;  // of the line in which they cross
    const auto take = [&](const V& at) {
      if (points++ == 0) first = at;
      else longest = std::max(longest, norm(at - first));
    };
    for (int i = 0; i < 3; ++i) {
      const int k = (i + 1) % 3;
      if (const double share = meets(a_, f, x[i], x[k]); share >= 0.0) take(x[i] + (x[k] - x[i]) * share);
      const V &p = two.of_s[i], &q = two.of_s[k];
      if (const double share = meets(b_, g, to_b(p), to_b(q)); share >= 0.0) take(p + (q - p) * share);
    }
    if (const double through = std::min(depth, longest); through > crossing_) crossing_ = through, crosses_ = {two.s, two.t};
  }
  double deepest() const {
    double least = infinity;
    for (const Found& f : found_) least = std::min(least, f.gap);
    return least;
  }
  /// What is deeper than `width` by the shallowest way.
  void keep_shallowest(double width) {
    double least = -infinity;
    for (const Found& f : found_)
      if (f.gap < -width) least = std::max(least, f.gap);
    std::erase_if(found_, [&](const Found& f) { return f.gap < -width && f.gap < 2.0 * least; });
  }
  /// No corner and no edge is inside: a needle through a plate. The corner behind the face that it crosses leaves it.
  void take_crossing() {
    const TriangleMesh::Triangle &f = a_.triangles[crosses_.first], &g = b_.triangles[crosses_.second];
    Found best{{}, {}, {}, -infinity, 0};
    for (const int w : g.v) {
      const V x = of_b(b_.points[w]);
      if (const double gap = dot(f.n, x - a_.points[f.v[0]]); gap < -touching() && gap > best.gap) best = {f.n, x - f.n * gap, x, gap, static_cast<std::uint64_t>(f.facet) << 31 ^ static_cast<std::uint64_t>(w)};
    }
    const V n = R_ * g.n, at = of_b(b_.points[g.v[0]]);
    for (const int v : f.v)
      if (const double gap = dot(n, a_.points[v] - at); gap < -touching() && gap > best.gap) best = {-n, a_.points[v], a_.points[v] - n * gap, gap, std::uint64_t{corner_of_a} << 61 ^ static_cast<std::uint64_t>(v) << 31 ^ static_cast<std::uint64_t>(g.facet)};
    if (std::isfinite(best.gap)) found_.push_back(best);
  }

  /// One that lies whole inside the other: no triangles are near each other.
  void take_whole() {
    const auto leave = [](const TriangleMesh& outer, const TriangleMesh& inner, const V& corner, const auto& place) {
      V middle{};
      for (const V& p : inner.points) middle = middle + place(p) * (1.0 / static_cast<double>(inner.points.size()));
      const TriangleMesh::Exit way = outer.exit(outer.holds(middle) ? middle : corner);
      Found out{way.n, {}, {}, infinity, static_cast<std::uint64_t>(way.facet) << 31};
      for (const V& p : inner.points)
        if (const V at = place(p); dot(way.n, at - way.at) < out.gap) out.gap = dot(way.n, at - way.at), out.on_b = at;
      out.on_a = out.on_b - way.n * out.gap;
      return out;
    };
    if (const V x = of_b(b_.points.front()); a_.holds(x)) {
      found_.push_back(leave(a_, b_, x, [&](const V& p) { return of_b(p); }));
    } else if (const V y = to_b(a_.points.front()); b_.holds(y)) {
      const Found f = leave(b_, a_, y, [&](const V& p) { return to_b(p); });
      found_.push_back({-(R_ * f.n), of_b(f.on_b), of_b(f.on_a), f.gap, std::uint64_t{corner_of_a} << 61 ^ f.name});
    }
  }

  /// Of points at one place along one normal the first.
  void once() {
    std::sort(found_.begin(), found_.end(), [](const Found& x, const Found& y) { return x.name < y.name; });
    const double close = one_place * size_;
    std::vector<int>& by_x = scratch().near;
    by_x.resize(found_.size());
    for (std::size_t i = 0; i < by_x.size(); ++i) by_x[i] = static_cast<int>(i);
    std::sort(by_x.begin(), by_x.end(), [&](int i, int j) { return std::pair{found_[i].on_b[0], i} < std::pair{found_[j].on_b[0], j}; });
    std::vector<char>& twice = scratch().twice;
    twice.assign(found_.size(), 0);
    for (std::size_t i = 0; i < by_x.size(); ++i)
      for (std::size_t j = i + 1; j < by_x.size() && found_[by_x[j]].on_b[0] - found_[by_x[i]].on_b[0] <= close; ++j)
        if (const Found &f = found_[by_x[i]], &g = found_[by_x[j]]; dot(f.n, g.n) > 1.0 - nearly_flat && norm(f.on_b - g.on_b) <= close) twice[std::max(by_x[i], by_x[j])] = 1;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (!twice[i]) found_[kept++] = found_[i];
    found_.resize(kept);
  }
  struct Scratch {
    std::vector<std::pair<int, int>> open;
    std::vector<Found> found;
    std::vector<int> near;
    std::vector<char> twice;
  };
  static Scratch& scratch() {
    static thread_local Scratch kept;
    return kept;
  }

  const TriangleMesh &a_, &b_;
  const Mat3<double> R_;
  const V p_;
  const double size_, within_;
  double depth_ = 0.0, crossing_ = 0.0;
  std::pair<int, int> crosses_{};
  std::vector<Found>& found_ = scratch().found;
};

/// A name of 31 bits (Steele, Lea, Flood 2014).
int short_name(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return static_cast<int>((x ^ x >> 31) & 0x7fffffff);
}

}  // namespace

ContactPoints mesh_on_mesh(const TriangleMesh& a, const Pose& A, const TriangleMesh& b, const Pose& B, double within) {
  ContactPoints out;
  TwoMeshes two(a, A, b, B, within);
  for (const auto& f : two.find()) {
    int name = short_name(f.name);
    for (int i = 0; i < out.count; ++i)
      if (out.point[i].feature == name) name = (name + 1) & 0x7fffffff, i = -1;
    out.add({A.p + A.R * f.on_a, A.p + A.R * f.on_b, A.R * f.n, f.gap, name}, within);
  }
  return out;
}

}  // namespace saltus
