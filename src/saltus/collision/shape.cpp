#include "saltus/collision/shape.hpp"

#include "saltus/collision/mesh.hpp"

namespace saltus {

double Shape::mesh_bound() const { return mesh->bound; }

}  // namespace saltus
