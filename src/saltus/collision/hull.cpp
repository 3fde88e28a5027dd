#include "saltus/collision/hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace saltus {
namespace {

/// Edges from the loops of the faces.
void join_edges(HullForm& form) {
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
}

HullForm make_box_form() {
  HullForm form;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1}) {
      const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
      Vec3<double> n{};
      n[axis] = side ? 1.0 : -1.0;
      form.faces.push_back({n, static_cast<int>(form.loop.size()), 4});
      for (const int c : {base, base + u, base + u + v, base + v}) form.loop.push_back(c);
      if (!side) std::reverse(form.loop.end() - 4, form.loop.end());
    }
  join_edges(form);
  return form;
}

HullForm make_segment_form() {
  HullForm form;
  form.edges.push_back({0, 1, -1, -1});
  return form;
}

/// The sides of a border one behind the other, without corners that lie on a straight line.
std::vector<int> outline(const std::vector<std::pair<int, int>>& border, std::span<const Vec3<double>> points) {
  const std::map<int, int> next(border.begin(), border.end());
  std::vector<int> loop;
  for (int at = next.begin()->first; loop.empty() || (at != loop.front() && loop.size() <= next.size()); at = next.at(at)) loop.push_back(at);
  std::vector<int> bent;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3<double> before = points[loop[i]] - points[loop[(i + loop.size() - 1) % loop.size()]], after = points[loop[(i + 1) % loop.size()]] - points[loop[i]];
    if (norm(cross(before, after)) > 1e-9 * norm(before) * norm(after)) bent.push_back(loop[i]);
  }
  return bent;
}

/// Quickhull (Barber, Dobkin, Huhdanpaa 1996): each face knows its neighbours and the points that are kept for it, of those over it.
class Quickhull {
 public:
  struct Face {
    int v[3], next[3];  // next[i]: the face across the side from v[i] to v[i + 1]
    Vec3<double> n;
    double d;           // n . x = d, outwards
    std::vector<int> over;
    int farthest = -1;  // of them
    bool gone = false;
  };
  Quickhull(std::span<const Vec3<double>> points, double eps) : points_(points), eps_(eps) {}

  /// From a tetrahedron of these points; false where one of its faces has no area.
  bool grow(std::array<int, 4> corners) {
    if (height_of(corners) > 0.0) std::swap(corners[1], corners[2]);
    static constexpr int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}, next[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int f = 0; f < 4; ++f)
      if (!face(corners[faces[f][0]], corners[faces[f][1]], corners[faces[f][2]])) return false;
    for (int f = 0; f < 4; ++f) std::copy_n(next[f], 3, faces_[f].next);
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) keep(i, 0);
    for (std::size_t f = 0; f < faces_.size(); ++f)  // new faces come behind
      while (!faces_[f].gone && !faces_[f].over.empty())
        if (!add(faces_[f].farthest, static_cast<int>(f))) forget(faces_[f]);
    return true;
  }
  const std::vector<Face>& faces() const { return faces_; }

 private:
  struct Side { int a, b, beyond; };  // of what a point sees: from a to b, and the face that it does not see

  double height(const Face& f, int i) const { return dot(f.n, points_[i]) - f.d; }
  double height_of(const std::array<int, 4>& c) const { return dot(cross(points_[c[1]] - points_[c[0]], points_[c[2]] - points_[c[0]]), points_[c[3]] - points_[c[0]]); }
  bool flat(int a, int b, int c) const {
    const Vec3<double> u = points_[b] - points_[a], v = points_[c] - points_[a], w = points_[c] - points_[b];
    return !(norm(cross(u, v)) > 1e-14 * std::max({dot(u, u), dot(v, v), dot(w, w)}));
  }
  bool face(int a, int b, int c) {
    if (flat(a, b, c)) return false;
    Face f{{a, b, c}, {-1, -1, -1}, cross(points_[b] - points_[a], points_[c] - points_[a]), 0.0, {}};
    f.n = f.n * (1.0 / norm(f.n));
    f.d = dot(f.n, (points_[a] + points_[b] + points_[c]) * (1.0 / 3.0));
    faces_.push_back(std::move(f));
    return true;
  }
  /// For the first face from `first` on that it is over.
  void keep(int point, std::size_t first) {
    for (std::size_t f = first; f < faces_.size(); ++f) {
      Face& face = faces_[f];
      const double h = height(face, point);
      if (!(h > eps_)) continue;
      if (face.farthest < 0 || h > height(face, face.farthest)) face.farthest = point;
      return face.over.push_back(point);
    }
  }
  /// Its farthest point, which no face can take.
  void forget(Face& f) {
    std::erase(f.over, f.farthest);
    f.farthest = -1;
    for (const int i : f.over)
      if (f.farthest < 0 || height(f, i) > height(f, f.farthest)) f.farthest = i;
  }
  /// Faces that point x sees from over face f on, and their border. Those beyond a side in line with x are among them.
  void look(int x, int f) {
    seen_.assign(1, f), faces_[f].gone = true;
    for (std::size_t at = 0; at < seen_.size(); ++at)
      for (int i = 0; i < 3; ++i) {
        const Face& g = faces_[seen_[at]];
        Face& other = faces_[g.next[i]];
        if (other.gone || !(height(other, x) > eps_ || flat(g.v[i], g.v[(i + 1) % 3], x))) continue;
        other.gone = true, seen_.push_back(g.next[i]);
      }
    border_.clear();
    for (const int g : seen_)
      for (int i = 0; i < 3; ++i)
        if (const Face& face = faces_[g]; !faces_[face.next[i]].gone) border_.push_back({face.v[i], face.v[(i + 1) % 3], face.next[i]});
  }
  /// Sides one behind the other; false where they are not one loop.
  bool in_order() {
    std::sort(border_.begin(), border_.end(), [](const Side& s, const Side& t) { return s.a < t.a; });
    std::vector<Side> loop;
    for (int from = border_.empty() ? -1 : border_.front().a; loop.size() < border_.size();) {
      const auto side = std::lower_bound(border_.begin(), border_.end(), from, [](const Side& s, int a) { return s.a < a; });
      if (side == border_.end() || side->a != from || (side + 1 != border_.end() && side[1].a == from)) return false;
      loop.push_back(*side), from = side->b;
      if (from == border_.front().a) break;
    }
    if (loop.size() < 3 || loop.size() != border_.size()) return false;
    border_ = std::move(loop);
    return true;
  }
  /// Joins point x to the border of what it sees, face f among it. False where that is no loop: nothing is changed then.
  bool add(int x, int f) {
    look(x, f);
    const std::size_t first = faces_.size(), sides = border_.size();
    bool fits = in_order();
    for (std::size_t i = 0; fits && i < sides; ++i) fits = face(border_[i].a, border_[i].b, x);
    if (!fits) {
      faces_.erase(faces_.begin() + static_cast<std::ptrdiff_t>(first), faces_.end());
      for (const int g : seen_) faces_[g].gone = false;
      return false;
    }
    for (std::size_t i = 0; i < sides; ++i) {
      const int own = static_cast<int>(first + i), before = static_cast<int>(first + (i + sides - 1) % sides), after = static_cast<int>(first + (i + 1) % sides);
      const int beyond[3] = {border_[i].beyond, after, before};
      std::copy_n(beyond, 3, faces_[own].next);
      Face& other = faces_[border_[i].beyond];
      for (int k = 0; k < 3; ++k)
        if (other.v[k] == border_[i].b && other.v[(k + 1) % 3] == border_[i].a) other.next[k] = own;
    }
    for (const int g : seen_) {
      const std::vector<int> orphans = std::move(faces_[g].over);
      faces_[g].over.clear();
      for (const int i : orphans)
        if (i != x) keep(i, first);
    }
    return true;
  }

  std::span<const Vec3<double>> points_;
  const double eps_;
  std::vector<Face> faces_;
  std::vector<int> seen_;
  std::vector<Side> border_;
};

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

namespace {

/// Triangles in one plane are one face.
Hull joined(const std::vector<Quickhull::Face>& faces, std::span<const Vec3<double>> points) {
  Hull hull;
  std::vector<int> group(faces.size(), -1), number(points.size(), -1), members;
  std::vector<std::pair<int, int>> border;
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    if (faces[f].gone || group[f] >= 0) continue;
    members.assign(1, f), group[f] = f, border.clear();
    for (std::size_t at = 0; at < members.size(); ++at)
      for (const int other : faces[members[at]].next)
        if (group[other] < 0 && norm(cross(faces[other].n, faces[f].n)) <= 1e-5 && dot(faces[other].n, faces[f].n) > 0.0) group[other] = f, members.push_back(other);
    for (const int g : members)
      for (int i = 0; i < 3; ++i)
        if (group[faces[g].next[i]] != f) border.emplace_back(faces[g].v[i], faces[g].v[(i + 1) % 3]);
    const std::vector<int> loop = outline(border, points);
    if (loop.size() < 3) continue;
    HullForm::Face face{{}, static_cast<int>(hull.form.loop.size()), static_cast<int>(loop.size())};
    const Vec3<double>& origin = points[loop[0]];
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) face.n += cross(points[loop[i]] - origin, points[loop[i + 1]] - origin);
    face.n = face.n * (1.0 / norm(face.n));
    for (const int v : loop) {
      if (number[v] < 0) number[v] = static_cast<int>(hull.corners.size()), hull.corners.push_back(points[v]);
      hull.form.loop.push_back(number[v]);
    }
    hull.form.faces.push_back(face);
  }
  join_edges(hull.form);
  return hull;
}

/// The ball about `middle` that a hull holds.
double inner_radius(const Hull& hull, const Vec3<double>& middle) {
  double least = std::numeric_limits<double>::infinity();
  for (const HullForm::Face& face : hull.form.faces) least = std::min(least, dot(face.n, hull.corners[hull.form.loop[face.begin]] - middle));
  return std::max(least, 0.0);
}

}  // namespace

std::optional<Hull> convex_hull(std::span<const Vec3<double>> points) {
  if (points.size() < 4) return std::nullopt;
  const auto farthest = [&](auto distance) {
    return static_cast<int>(std::max_element(points.begin(), points.end(), [&](const Vec3<double>& p, const Vec3<double>& q) { return distance(p) < distance(q); }) - points.begin());
  };
  const int a = farthest([&](const Vec3<double>& p) { return norm(p - points[0]); });
  const Vec3<double>& from = points[a];
  const int b = farthest([&](const Vec3<double>& p) { return norm(p - from); });
  const Vec3<double> along = points[b] - from;
  const int c = farthest([&](const Vec3<double>& p) { return norm(cross(p - from, along)); });
  const Vec3<double> n = cross(along, points[c] - from);
  const int d = farthest([&](const Vec3<double>& p) { return std::abs(dot(n, p - from)); });
  const double size = norm(along);
  if (!(std::abs(dot(n, points[d] - from)) > 1e-6 * size * norm(n))) return std::nullopt;
  Quickhull grown(points, 1e-10 * size);
  if (!grown.grow({a, b, c, d})) return std::nullopt;
  Hull hull = joined(grown.faces(), points);
  Vec3<double> middle{};
  for (const Vec3<double>& corner : hull.corners) hull.bound = std::max(hull.bound, norm(corner)), middle += corner;
  hull.inner = inner_radius(hull, {});
  hull.thickness = inner_radius(hull, middle * (1.0 / static_cast<double>(hull.corners.size())));
  return hull;
}

}  // namespace saltus
