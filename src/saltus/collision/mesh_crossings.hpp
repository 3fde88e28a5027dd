// Where a surface of triangles goes through itself.
#pragma once

#include <span>
#include <vector>

#include "saltus/math/vec.hpp"

namespace saltus {

/// Two triangles a < b of which an edge of one goes through the other, and where.
struct Crossing {
  int a = 0, b = 0;
  Vec3<double> at;
};

/// All of them by a and b, from a tree of boxes. What goes through by less than 1e-6 of the size of the surface is rounding of its file; planes that coincide
/// do not count, nor do neighbours at an edge. Looks at 2 million pairs whose boxes overlap at most.
std::vector<Crossing> crossings(std::span<const Vec3<double>> points, std::span<const int> corners);

}  // namespace saltus
