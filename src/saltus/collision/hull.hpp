// Polyhedra for contact: corners, faces and edges, made from points.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "saltus/math/vec.hpp"

namespace saltus {

/// How corners are joined. Faces lie flat; their corners run counter-clockwise as seen from outside.
struct HullForm {
  struct Face { Vec3<double> n; int begin, count; };  // outward unit normal; corners in `loop`
  struct Edge { int a, b, left, right; };             // from corner a to b; faces on both sides, -1: none
  std::vector<Face> faces;
  std::vector<int> loop, loop_edge;      // corners of the faces, and the edge from each of them to the next
  std::vector<Edge> edges;
};

struct Hull {
  std::vector<Vec3<double>> corners;
  HullForm form;
  double bound = 0.0;                   // radius of the ball about the origin that holds it
  double inner = 0.0, thickness = 0.0;  // of the balls that it holds, about the origin and about the mean of its corners

  static constexpr int most_corners = 32;  // of a face
};

/// The box whose corner c has the sign of bit i of c along axis i, and the segment along z from corner 0 to 1.
const HullForm& box_form();
const HullForm& segment_form();
const HullForm& point_form();

/// Convex hull of points, in about n log n steps; faces within 1e-5 rad of each other are one. None where the
/// points lie in a plane.
std::optional<Hull> convex_hull(std::span<const Vec3<double>> points);

/// A triangulated hull that grows point by point. Keeps its memory.
class GrowingHull {
 public:
  struct Face { int v[3]; Vec3<double> n; double d; };  // n . x = d, outwards

  /// A tetrahedron of these points; false if they are in a plane, to `eps` [m].
  bool start(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c, const Vec3<double>& d, double eps);
  /// Joins x to the faces that see it by more than eps. False where none does, or where a face would have no area.
  bool add(const Vec3<double>& x, double eps);
  const std::vector<Face>& faces() const { return faces_; }
  const std::vector<Vec3<double>>& points() const { return points_; }

 private:
  bool face(int a, int b, int c);

  std::vector<Vec3<double>> points_;
  std::vector<Face> faces_, kept_;
  std::vector<std::pair<int, int>> open_;
};

}  // namespace saltus
