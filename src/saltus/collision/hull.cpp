#include "saltus/collision/hull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace saltus {
namespace {

/// Edges and their directions from the loops of the faces.
void join_edges(HullForm& form, std::span<const Vec3<double>> corners) {
  std::map<std::pair<int, int>, int> known;
  form.loop_edge.resize(form.loop.size());
  for (int f = 0; f < static_cast<int>(form.faces.size()); ++f) {
    const HullForm::Face& face = form.faces[f];
    for (int i = 0; i < face.count; ++i) {
      const int a = form.loop[face.begin + i], b = form.loop[face.begin + (i + 1) % face.count];
      const auto [it, fresh] = known.try_emplace(std::minmax(a, b), static_cast<int>(form.edges.size()));
      if (fresh) form.edges.push_back({a, b, f, -1});
      else form.edges[it->second].right = f;
      form.loop_edge[face.begin + i] = it->second;
    }
  }
  for (const HullForm::Edge& e : form.edges) {
    const Vec3<double> along = corners[e.b] - corners[e.a], u = along * (1.0 / norm(along));
    const auto parallel = [&](const Vec3<double>& d) { return norm(cross(d, u)) < 1e-9; };
    if (std::none_of(form.directions.begin(), form.directions.end(), parallel)) form.directions.push_back(u);
  }
}

HullForm make_box_form() {
  HullForm form;
  Vec3<double> corners[8];
  for (int c = 0; c < 8; ++c)
    for (int i = 0; i < 3; ++i) corners[c][i] = c >> i & 1 ? 1.0 : -1.0;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1}) {
      const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
      Vec3<double> n{};
      n[axis] = side ? 1.0 : -1.0;
      form.faces.push_back({n, static_cast<int>(form.loop.size()), 4});
      for (const int c : {base, base + u, base + u + v, base + v}) form.loop.push_back(c);
      if (!side) std::reverse(form.loop.end() - 4, form.loop.end());
    }
  join_edges(form, corners);
  return form;
}

HullForm make_segment_form() {
  HullForm form;
  form.edges.push_back({0, 1, -1, -1});
  form.directions.push_back({{0, 0, 1}});
  return form;
}

/// Boundary of a group of triangles as one loop, without corners that lie on a straight line.
std::vector<int> outline(const std::vector<std::pair<int, int>>& sides, std::span<const Vec3<double>> points) {
  std::map<int, int> next;
  for (const auto& [a, b] : sides)
    if (std::find(sides.begin(), sides.end(), std::pair{b, a}) == sides.end()) next[a] = b;
  std::vector<int> loop;
  for (int at = next.begin()->first; loop.size() <= next.size(); at = next[at]) {
    if (!loop.empty() && at == loop.front()) break;
    loop.push_back(at);
  }
  std::vector<int> bent;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3<double> before = points[loop[i]] - points[loop[(i + loop.size() - 1) % loop.size()]], after = points[loop[(i + 1) % loop.size()]] - points[loop[i]];
    if (norm(cross(before, after)) > 1e-9 * norm(before) * norm(after)) bent.push_back(loop[i]);
  }
  return bent;
}

}  // namespace

const HullForm& box_form() {
  static const HullForm form = make_box_form();
  return form;
}
const HullForm& segment_form() {
  static const HullForm form = make_segment_form();
  return form;
}
const HullForm& point_form() {
  static const HullForm form;
  return form;
}

bool GrowingHull::face(int a, int b, int c) {
  const Vec3<double> n = cross(points_[b] - points_[a], points_[c] - points_[a]);
  const double area = norm(n), longest = std::max({norm(points_[b] - points_[a]), norm(points_[c] - points_[a]), norm(points_[c] - points_[b])});
  if (!(area > 1e-14 * longest * longest)) return false;
  Face f{{a, b, c}, n * (1.0 / area), 0.0};
  f.d = dot(f.n, (points_[a] + points_[b] + points_[c]) * (1.0 / 3.0));
  faces_.push_back(f);
  return true;
}

bool GrowingHull::start(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c, const Vec3<double>& d, double eps) {
  points_.assign({a, b, c, d});
  faces_.clear();
  const Vec3<double> n = cross(b - a, c - a);
  const double height = dot(n, d - a), area = norm(n);
  if (!(std::abs(height) > eps * area)) return false;
  if (height > 0.0) std::swap(points_[1], points_[2]);
  return face(0, 1, 2) && face(0, 3, 1) && face(1, 3, 2) && face(2, 3, 0);
}

bool GrowingHull::add(const Vec3<double>& x, double eps) {
  const auto sees = [&](const Face& f) { return dot(f.n, x) - f.d > eps; };
  if (std::none_of(faces_.begin(), faces_.end(), sees)) return false;
  open_.clear(), kept_.clear();
  for (const Face& f : faces_) {
    if (!sees(f)) {
      kept_.push_back(f);
      continue;
    }
    for (int i = 0; i < 3; ++i) {
      const std::pair<int, int> side{f.v[i], f.v[(i + 1) % 3]};
      const auto back = std::find(open_.begin(), open_.end(), std::pair{side.second, side.first});
      if (back == open_.end()) open_.push_back(side);
      else open_.erase(back);
    }
  }
  points_.push_back(x);
  std::swap(faces_, kept_);
  for (const auto& [a, b] : open_)
    if (!face(a, b, static_cast<int>(points_.size()) - 1)) {
      points_.pop_back();
      std::swap(faces_, kept_);
      return false;
    }
  return true;
}

std::optional<Hull> convex_hull(std::span<const Vec3<double>> points) {
  if (points.size() < 4) return std::nullopt;
  const auto farthest = [&](auto distance) {
    return *std::max_element(points.begin(), points.end(), [&](const Vec3<double>& p, const Vec3<double>& q) { return distance(p) < distance(q); });
  };
  const Vec3<double> a = farthest([&](const Vec3<double>& p) { return norm(p - points[0]); });
  const Vec3<double> b = farthest([&](const Vec3<double>& p) { return norm(p - a); });
  const double size = norm(b - a), eps = 1e-10 * size;
  const Vec3<double> c = farthest([&](const Vec3<double>& p) { return norm(cross(p - a, b - a)); });
  const Vec3<double> n = cross(b - a, c - a);
  const Vec3<double> d = farthest([&](const Vec3<double>& p) { return std::abs(dot(n, p - a)); });
  GrowingHull grown;
  if (!grown.start(a, b, c, d, 1e-6 * size)) return std::nullopt;
  std::vector<char> done(points.size(), 0);
  for (;;) {
    double most = eps;
    int far = -1;
    for (int i = 0; i < static_cast<int>(points.size()); ++i) {
      if (done[i]) continue;
      double height = -std::numeric_limits<double>::infinity();
      for (const GrowingHull::Face& f : grown.faces()) height = std::max(height, dot(f.n, points[i]) - f.d);
      if (height <= eps) done[i] = 1;  // inside for good
      else if (height > most) most = height, far = i;
    }
    if (far < 0) break;
    done[far] = 1;
    grown.add(points[far], eps);
  }
  // Triangles in one plane are one face.
  const auto& faces = grown.faces();
  std::vector<int> group(faces.size(), -1), kept(grown.points().size(), -1);
  Hull hull;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (group[f] >= 0) continue;
    std::vector<std::pair<int, int>> sides;
    std::vector<std::size_t> stack{f};
    group[f] = static_cast<int>(f);
    while (!stack.empty()) {
      const GrowingHull::Face& g = faces[stack.back()];
      stack.pop_back();
      for (int i = 0; i < 3; ++i) sides.emplace_back(g.v[i], g.v[(i + 1) % 3]);
      for (std::size_t o = 0; o < faces.size(); ++o) {
        if (group[o] >= 0 || norm(cross(faces[o].n, faces[f].n)) > 1e-5 || dot(faces[o].n, faces[f].n) < 0.0) continue;
        int shared = 0;
        for (const int v : faces[o].v) shared += std::count(g.v, g.v + 3, v);
        if (shared == 2) group[o] = static_cast<int>(f), stack.push_back(o);
      }
    }
    const std::vector<int> loop = outline(sides, grown.points());
    if (loop.size() < 3) continue;
    HullForm::Face face{{}, static_cast<int>(hull.form.loop.size()), static_cast<int>(loop.size())};
    const Vec3<double>& origin = grown.points()[loop[0]];
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) face.n += cross(grown.points()[loop[i]] - origin, grown.points()[loop[i + 1]] - origin);
    face.n = face.n * (1.0 / norm(face.n));
    for (const int v : loop) {
      if (kept[v] < 0) kept[v] = static_cast<int>(hull.corners.size()), hull.corners.push_back(grown.points()[v]);
      hull.form.loop.push_back(kept[v]);
    }
    hull.form.faces.push_back(face);
  }
  join_edges(hull.form, hull.corners);
  return hull;
}

}  // namespace saltus
