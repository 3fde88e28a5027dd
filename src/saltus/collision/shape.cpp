#include "saltus/collision/shape.hpp"

#include "saltus/collision/mesh.hpp"

namespace saltus {

double Shape::farthest_corner() const {
  double most = 0.0;
  for (const Vec3<double>& corner : mesh ? mesh->points : hull->corners) most = std::max(most, norm(corner));
  return most;
}

double Shape::nearest_face() const {
  double least = std::numeric_limits<double>::infinity();
  for (const HullForm::Face& face : hull->form.faces) least = std::min(least, dot(face.n, hull->corners[hull->form.loop[face.begin]]));
  return std::max(least, 0.0);
}

}  // namespace saltus
