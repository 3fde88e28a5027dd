// Four-bar loops in a row (IFToMM's N four-bar mechanism, hanging): upright rods on hinges, joined by couplers, let go at 0.5 rad.
#include <cmath>

#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/items/joints/generic.hpp"
#include "saltus/items/joints/planar_revolute.hpp"
#include "saltus/items/joints/revolute.hpp"
#include "saltus/items/laws/equality.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/items/nodes/node_rigid_2d.hpp"
#include "workload.hpp"

namespace bench {
using namespace saltus;
namespace {

/// Nodes: rods 0 .. size, then couplers; along x of each body. x-y plane, gravity along -y. The second end of a coupler is held by
/// two rows in the plane, so that no row is redundant in space either.
Workload four_bars(int size, bool planar) {
  SystemBuilder b;
  const double swing = 0.5, angle = swing - 0.5 * 3.14159265358979323846;  // of the rods' x axis
  const Vec3<double> along{{std::cos(angle), std::sin(angle), 0.0}};
  const auto node = [&](const std::string& name, const Vec3<double>& p, double turn) {
    if (planar) b.node(name, NodeRigid2D{.position = p, .angle = turn});
    else b.node(name, NodeRigid{.position = p, .rotation = {{0.0, 0.0, turn}}});
  };
  for (int i = 0; i <= size; ++i) node("rod_" + std::to_string(i), {{i + 0.5 * along[0], 0.5 * along[1], 0.0}}, angle);
  for (int i = 0; i < size; ++i) node("coupler_" + std::to_string(i), {{i + 0.5 + along[0], along[1], 0.0}}, 0.0);
  constexpr double transverse = 1.0 / 12.0;
  for (int i = 0; i <= 2 * size; ++i) b.object("m", RigidBody{.mass_value = 1.0, .inertia = Mat3<double>{{1e-3, 0, 0, 0, transverse, 0, 0, 0, transverse}}}, {b.marker(i)});
  const LawRef law{&equality_law()};
  const Vec3<double> start{{-0.5, 0.0, 0.0}}, end{{0.5, 0.0, 0.0}};
  const auto hinge = [&](const Endpoint& A, const Endpoint& B) {
    if (planar) b.relation("hinge", PlanarRevolute{}, {A, B}, law);
    else b.relation("hinge", Revolute{}, {A, B}, law);
  };
  const auto pin = [&](const Endpoint& A, const Endpoint& B) {
    if (planar) b.relation("pin", PlanarRevolute{}, {A, B}, law);
    else b.relation("pin", Generic{.x = true, .y = true}, {A, B}, law);
  };
  for (int i = 0; i <= size; ++i) {
    hinge(b.marker(-1, {{static_cast<double>(i), 0.0, 0.0}}), b.marker(i, start));
    if (i > 0) {
      hinge(b.marker(i - 1, end), b.marker(size + i, start));
      pin(b.marker(size + i, end), b.marker(i, end));
    }
  }
  b.system().gravity = {{0.0, -9.81, 0.0}};
  Workload w{.scheme = "generalized_alpha"};
  w.options.given.set("spectral_radius", 0.8);
  w.probes = planar ? std::vector<int>{3 * size, 3 * size + 1} : std::vector<int>{7 * size, 7 * size + 1};
  w.system = b.finish();
  return w;
}

}  // namespace

Workload four_bar_2d(int size) { return four_bars(size, true); }
Workload four_bar_3d(int size) { return four_bars(size, false); }

}  // namespace bench
