// Chains of masses with springs, hanging from the ground: points, coordinates, rigid bodies with springs at their ends.
#include <cmath>

#include "saltus/items/bodies/mass_1d.hpp"
#include "saltus/items/bodies/point_mass.hpp"
#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/items/connectors/coordinate_spring_damper.hpp"
#include "saltus/items/connectors/spring_damper.hpp"
#include "saltus/items/nodes/node_1d.hpp"
#include "saltus/items/nodes/node_point.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "workload.hpp"

namespace bench {
using namespace saltus;
namespace {
// The numbers of every program that runs these chains.
constexpr double mass = 1.0, stiffness = 1000.0, damping = 1.0, spacing = 0.1, sway = 0.1;
}  // namespace

Workload spring_chain(int size) {
  SystemBuilder b;
  for (int i = 1; i <= size; ++i) b.node("p" + std::to_string(i), NodePoint{.position = {{spacing * i, 0, 0}}, .velocity = {{0, sway * std::sin(i), 0}}});
  for (int i = 0; i < size; ++i) b.object("m", PointMass{mass}, {b.marker(i)});
  for (int i = 0; i < size; ++i)
    b.force("s", SpringDamper{.stiffness = stiffness, .damping = damping, .rest_length = spacing}, {i ? b.marker(i - 1) : b.ground(), b.marker(i)});
  b.system().gravity = {{0, 0, -9.81}};
  Workload w{.scheme = "runge_kutta_4"};
  for (int i = 0; i < 3; ++i) w.probes.push_back(3 * (size / 2) + i);
  for (int i = 0; i < 3; ++i) w.probes.push_back(3 * (size - 1) + i);
  w.system = b.finish();
  return w;
}

Workload spring_chain_implicit(int size) {
  Workload w = spring_chain(size);
  w.scheme = "generalized_alpha";
  w.options.given.set("spectral_radius", 0.8);
  return w;
}

Workload spring_chain_modified(int size) {
  Workload w = spring_chain_implicit(size);
  w.options.given.set("newton", "modified");
  return w;
}

Workload oscillator(int) {
  SystemBuilder b;
  b.node("mass", Node1D{.displacement = 0.1});
  b.object("mass", Mass1D{1.0}, {b.coordinate(0)});
  b.force("spring", CoordinateSpringDamper{.stiffness = 100.0, .damping = 2.0}, {b.ground_coordinate(), b.coordinate(0)});
  Workload w{.scheme = "runge_kutta_4"};
  w.probes = {0};
  w.system = b.finish();
  return w;
}

Workload coordinate_chain(int size) {
  SystemBuilder b;
  for (int i = 1; i <= size; ++i) b.node("p" + std::to_string(i), Node1D{.velocity = sway * std::sin(i)});
  for (int i = 0; i < size; ++i) b.object("m", Mass1D{mass}, {b.coordinate(i)});
  for (int i = 0; i < size; ++i)
    b.force("s", CoordinateSpringDamper{.stiffness = stiffness, .damping = damping}, {i ? b.coordinate(i - 1) : b.ground_coordinate(), b.coordinate(i)});
  Workload w{.scheme = "runge_kutta_4"};
  w.probes = {size / 2, size - 1};
  w.system = b.finish();
  return w;
}

Workload linear_chain_once(int size) {
  Workload w = coordinate_chain(size);
  w.scheme = "generalized_alpha";
  w.options.given.set("spectral_radius", 0.8);
  w.options.given.set("newton", "modified");
  return w;
}

Workload rigid_chain(int size) {
  SystemBuilder b;
  const double half = 0.4 * spacing;
  for (int i = 1; i <= size; ++i) b.node("p" + std::to_string(i), NodeRigid{.position = {{spacing * i, 0, 0}}, .velocity = {{0, sway * std::sin(i), 0}}});
  const Mat3<double> J{{2e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};
  for (int i = 0; i < size; ++i) b.object("m", RigidBody{.mass_value = mass, .inertia = J}, {b.marker(i)});
  for (int i = 0; i < size; ++i)
    b.force("s", SpringDamper{.stiffness = stiffness, .damping = damping, .rest_length = spacing - 2 * half},
            {i ? b.marker(i - 1, {{half, 0, 0}}) : b.ground(), b.marker(i, {{-half, 0, 0}})});
  b.system().gravity = {{0, 0, -9.81}};
  Workload w{.scheme = "runge_kutta_4"};
  for (int i = 0; i < 3; ++i) w.probes.push_back(7 * (size - 1) + i);
  w.system = b.finish();
  return w;
}

}  // namespace bench
