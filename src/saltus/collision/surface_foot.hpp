// Values of a smooth function whose zeros are a surface, and the places of these that are nearest to points.
#pragma once

#include "saltus/math/vec.hpp"

namespace saltus {

struct SurfaceValue {
  double d = 0.0;
  Vec3<double> gradient{};
  Mat3<double> curvature{};  // second derivatives
};

struct SurfaceFoot {
  Vec3<double> x, n;  // unit normal, outwards
  double gap;         // of the point that it is the foot of, negative inside
};

}  // namespace saltus
