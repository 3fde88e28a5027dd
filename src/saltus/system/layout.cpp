#include "saltus/system/layout.hpp"

#include <algorithm>

#include "saltus/base/index.hpp"
#include "saltus/math/packs.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {
Quaternion<double> load(const double* q) { return {{q[0], q[1], q[2], q[3]}}; }
Vec3<double> load3(const double* v) { return {{v[0], v[1], v[2]}}; }
}  // namespace

void KinematicMap::retract(double* q, const double* tangent) const {
  const int* to = q_of_v.data();
  const int n = count_of(q_of_v);
  for (int i = 0; i < n;) {
    if (i + 4 <= n && to[i + 3] == to[i] + 3 && to[i] >= 0 && to[i + 1] == to[i] + 1 && to[i + 2] == to[i] + 2) {
      store(load<FourDoubles>(q + to[i]) + load<FourDoubles>(tangent + i), q + to[i]);
      i += 4;
    } else {
      if (to[i] >= 0) q[to[i]] += tangent[i];
      ++i;
    }
  }
  for (const RotationBlock& r : rotations) {
    const auto turned = normalized(quaternion_product(load(q + r.q), quaternion_exp(load3(tangent + r.v))));
    std::copy(turned.data(), turned.data() + 4, q + r.q);
  }
}

void KinematicMap::retract(const double* q0, const double* tangent, int nq, double* q) const {
  if (q != q0) std::copy(q0, q0 + nq, q);
  retract(q, tangent);
}

void KinematicMap::tangent_rate(const double* theta, const double* v, double* rate) const {
  std::copy(v, v + q_of_v.size(), rate);
  for (const RotationBlock& r : rotations) {
    const Vec3<double> local = rotation_tangent_inverse(load3(theta + r.v)) * load3(v + r.v);
    std::copy(local.data(), local.data() + 3, rate + r.v);
  }
}

void KinematicMap::difference(const double* q0, const double* q, double* theta) const {
  for (std::size_t i = 0; i < q_of_v.size(); ++i)
    if (q_of_v[i] >= 0) theta[i] = q[q_of_v[i]] - q0[q_of_v[i]];
  for (const RotationBlock& r : rotations) {
    Quaternion<double> conjugate = load(q0 + r.q);
    for (int i = 1; i < 4; ++i) conjugate[i] = -conjugate[i];
    const Vec3<double> log = quaternion_log(quaternion_product(conjugate, load(q + r.q)));
    std::copy(log.data(), log.data() + 3, theta + r.v);
  }
}

void KinematicMap::normalize(double* q) const {
  for (const RotationBlock& r : rotations) {
    const auto unit = normalized(load(q + r.q));
    std::copy(unit.data(), unit.data() + 4, q + r.q);
  }
}

}  // namespace saltus
