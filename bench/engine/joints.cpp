// Rods joined by ball joints or hinges, let go from the horizontal: index 3.
#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/items/joints/revolute.hpp"
#include "saltus/items/joints/spherical.hpp"
#include "saltus/items/laws/equality.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "workload.hpp"

namespace bench {
using namespace saltus;

Workload pendulum_chain(int size) {
  SystemBuilder b;
  constexpr double half = 0.05, transverse = 0.01 / 12;
  const Mat3<double> J{{2e-4, 0, 0, 0, transverse, 0, 0, 0, transverse}};
  for (int i = 0; i < size; ++i) b.node("rod_" + std::to_string(i + 1), NodeRigid{.position = {{2 * half * (i + 0.5), 0, 0}}});
  for (int i = 0; i < size; ++i) b.object("rod", RigidBody{.mass_value = 1.0, .inertia = J}, {b.marker(i)});
  for (int i = 0; i < size; ++i)
    b.relation("pin", Spherical{}, {i ? b.marker(i - 1, {{half, 0, 0}}) : b.ground(), b.marker(i, {{-half, 0, 0}})}, {&equality_law()});
  b.system().gravity = {{0, 0, -9.81}};
  Workload w{.scheme = "generalized_alpha"};
  w.options.given.set("spectral_radius", 0.8);
  for (int i = 0; i < 3; ++i) w.probes.push_back(7 * (size - 1) + i);
  w.system = b.finish();
  return w;
}

/// Hinges whose axes turn by 90 degrees from joint to joint.
Workload hinge_chain(int size) {
  SystemBuilder b;
  constexpr double half = 0.05, transverse = 0.01 / 12;
  const Mat3<double> J{{2e-4, 0, 0, 0, transverse, 0, 0, 0, transverse}};
  for (int i = 0; i < size; ++i) b.node("rod_" + std::to_string(i + 1), NodeRigid{.position = {{2 * half * (i + 0.5), 0, 0}}});
  for (int i = 0; i < size; ++i) b.object("rod", RigidBody{.mass_value = 1.0, .inertia = J}, {b.marker(i)});
  for (int i = 0; i < size; ++i) {
    const Mat3<double> turn = rotation_exp(Vec3<double>{{i % 2 ? 0.5 * 3.14159265358979323846 : 0.0, 0, 0}});
    b.relation("hinge", Revolute{}, {i ? b.marker(i - 1, {{half, 0, 0}}, turn) : b.marker(-1, {}, turn), b.marker(i, {{-half, 0, 0}}, turn)}, {&equality_law()});
  }
  b.system().gravity = {{0, -9.81, -1.0}};
  Workload w{.scheme = "generalized_alpha"};
  w.options.given.set("spectral_radius", 0.8);
  for (int i = 0; i < 3; ++i) w.probes.push_back(7 * (size - 1) + i);
  w.system = b.finish();
  return w;
}

Workload hinge_chain_modified(int size) {
  Workload w = hinge_chain(size);
  w.options.given.set("newton", "modified");
  return w;
}

Workload pendulum_chain_modified(int size) {
  Workload w = pendulum_chain(size);
  w.options.given.set("newton", "modified");
  return w;
}

}  // namespace bench
