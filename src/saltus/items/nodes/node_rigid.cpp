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

void NodeRigid::frame(const double* q, const double* v, Frame<double>& f, Vec6<double>& bias, double* J) const {
  f.p = {{q[0], q[1], q[2]}};
  f.R = rotation_matrix(Quaternion<double>{{q[3], q[4], q[5], q[6]}});
  f.v = {{v[0], v[1], v[2]}};
  f.w = {{v[3], v[4], v[5]}};
  bias = {};
  std::fill(J, J + 36, 0.0);
  for (int i = 0; i < 6; ++i) J[7 * i] = 1.0;
}

}  // namespace saltus
