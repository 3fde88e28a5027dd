#include "saltus/items/nodes/node_rigid.hpp"

#include <algorithm>

namespace saltus {

void NodeRigid::reference(double* q) const {
  const Quaternion<double> e = quaternion_exp(rotation);
  for (int i = 0; i < 3; ++i) q[i] = position[i];
  for (int i = 0; i < 4; ++i) q[3 + i] = e[i];
}

void NodeRigid::initial(double* q, double* v, double*, double*, double*) const {
  reference(q);
  for (int i = 0; i < 3; ++i) q[i] += displacement[i], v[i] = velocity[i];
  const Vec3<double> w = transposed_times(rotation_matrix(quaternion_exp(rotation)), angular_velocity);
  std::copy(w.data(), w.data() + 3, v + 3);
}

}  // namespace saltus
