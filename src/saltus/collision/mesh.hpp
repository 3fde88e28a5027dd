// Surfaces of triangles for contact: open or closed, not convex.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/collision/hull.hpp"
#include "saltus/collision/narrow_phase.hpp"

namespace saltus {

/// Triangles counter-clockwise as seen from the free side. Neighbours in one plane are one facet, whose inner edges nothing can touch.
struct TriangleMesh {
  struct Triangle { int v[3], edge[3]; Vec3<double> n; int facet; double spread; };  // edge i from v[i] to v[i + 1]; angle to normals at its corners, at most
  struct Edge { int a, b, left, right; bool inner, convex; };         // triangles on both sides, -1: none
  struct Node {  // of the tree of boxes: triangles, or the next node and `right`
    Vec3<double> low, high;
    int begin, count, right;
    Vec3<double> n;  // all normals at its triangles are at most `spread` off
    double spread;
  };
  static constexpr int leaf = 4;                                      // triangles of a node, at most, that is not divided

  std::vector<Vec3<double>> points;
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;
  std::vector<char> inner_point, outer_point;   // in the middle of a facet; some direction on its free side leads away from all edges at it
  std::vector<std::vector<int>> neighbours;     // points joined with each
  std::vector<int> first_triangle;              // at each point
  std::vector<Node> nodes;
  std::vector<int> order;                       // triangles of the leaves
  HullForm form;                                // edges alone: names
  double bound = 0.0;                           // radius of the ball about the origin that holds it
  std::uint64_t number = 0;                     // no two have one, but copies
  double thickness = 0.0;                       // volume over surface; of an open mesh the mean width of its triangles
  bool solid = false;                           // closed, and its triangles look outwards
  bool room = false;                            // closed, and they look inwards: free inside

  /// Triangles whose boxes meet this one, ascending.
  void near(const Vec3<double>& low, const Vec3<double>& high, std::vector<int>& out) const;

  /// Whether a closed mesh goes round a point, whichever way its triangles look.
  bool surrounds(const Vec3<double>& x) const;
  /// Whether a point is inside a solid; of other meshes none is.
  bool holds(const Vec3<double>& x) const { return solid && surrounds(x); }
  /// The shortest way out from a point inside: unit vector, and where it meets the surface.
  struct Exit { Vec3<double> n, at; int facet; };
  Exit exit(const Vec3<double>& x) const;
};

/// None, and what is wrong, where a triangle has no area, names a point that is not there, or an edge has more than two or two that face opposite ways.
std::optional<TriangleMesh> triangle_mesh(std::span<const Vec3<double>> points, std::span<const int> corners, std::string& wrong);

/// Points of a convex shape B, or of a plane, on the mesh A. A point is kept where its normal is one of the face, edge or corner that it touches, so that
/// no inner edge is felt. What is deep only over the far side of a convex edge is left out. A shape whose centre is inside a solid
/// leaves it by the shortest way from there.
ContactPoints mesh_points(const TriangleMesh& mesh, const Pose& A, const Shape& b, const Pose& B, double within);

/// Points of the mesh B on the mesh A: corners over faces, edges across edges, and where they are apart corners beside edges and corners. What
/// overlaps by less than a tenth of the thickness is met at all such places; what reaches deeper through each other parts at the shallowest.
/// One that lies whole inside a solid leaves it by the shortest way from its middle.
ContactPoints mesh_on_mesh(const TriangleMesh& a, const Pose& A, const TriangleMesh& b, const Pose& B, double within);

}  // namespace saltus
