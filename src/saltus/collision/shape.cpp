#include "saltus/collision/shape.hpp"

#include "saltus/collision/mesh.hpp"

namespace saltus {

double Shape::farthest_corner() const {
  double most = 0.0;
  for (const Vec3<double>& corner : mesh ? mesh->points : hull->corners) most = std::max(most, norm(corner));
  return most;
}

double Shape::nearest_face(const Vec3<double>& from) const {
  double least = std::numeric_limits<double>::infinity();
  for (const HullForm::Face& face : hull->form.faces) least = std::min(least, dot(face.n, hull->corners[hull->form.loop[face.begin]] - from));
  return std::max(least, 0.0);
}

double Shape::thickness() const {
  if (kind != ShapeKind::hull) return inner();
  Vec3<double> middle{};
  for (const Vec3<double>& corner : hull->corners) middle = middle + corner;
  return nearest_face(middle * (1.0 / static_cast<double>(hull->corners.size())));
}

}  // namespace saltus
