#include "saltus/items/bodies/rigid_body.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/items/nodes/node_rigid_2d.hpp"
#include "saltus/system/assembly.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {
namespace {

Mat3<double> turned(const Vec3<double>& diagonal, const Vec3<double>& rotation) {
  Mat3<double> J;
  for (int i = 0; i < 3; ++i) J(i, i) = diagonal[i];
  const Mat3<double> R = rotation_exp(rotation);
  return R * J * transposed(R);
}
std::string judged(const Mat3<double>& J) { return RigidBody{.mass_value = 1.0, .inertia = J}.invalid(); }

TEST(RigidBody, RefusesInertiasThatNoBodyHas) {
  EXPECT_NE(judged({0.1, 0.5, 0, 0.5, 0.1, 0, 0, 0, 0.1}).find("negative"), std::string::npos);  // principal -0.4, 0.1, 0.6
  EXPECT_NE(judged({1, 0.1, 0, 0, 1, 0, 0, 0, 1}).find("symmetric"), std::string::npos);
  const Vec3<double> rotation{{0.7, -0.4, 1.2}};
  EXPECT_NE(judged(turned({{1, 1, 2.1}}, rotation)).find("sum"), std::string::npos);  // seen in principal axes only
  EXPECT_NE(judged(turned({{1, 1, 2.03}}, rotation)).find("sum"), std::string::npos);
  EXPECT_EQ(judged(turned({{1, 1, 2}}, rotation)), "");  // a plate: the limit
  EXPECT_EQ(judged(turned({{0, 1, 1}}, rotation)), "");  // a thin rod
  EXPECT_EQ(judged({}), "");                             // a point
}

TEST(RigidBody, AllowsTheRoundingOfADrawingAndSaysSo) {
  const Vec3<double> rotation{{0.7, -0.4, 1.2}};
  for (const Vec3<double>& plate : {Vec3<double>{{0.333, 0.333, 0.667}}, Vec3<double>{{1.9, 2.7, 4.61}}, Vec3<double>{{0.0, 0.997, 1.0}}}) {
    const RigidBody body{.mass_value = 1.0, .inertia = turned(plate, rotation)};
    EXPECT_EQ(body.invalid(), "");
    EXPECT_NE(body.rounded().find("sum"), std::string::npos);
  }
  EXPECT_EQ((RigidBody{.mass_value = 1.0, .inertia = turned({{1, 1, 2}}, rotation)}.rounded()), "");  // exact
}

TEST(RigidBody, SwingsInThePlaneAsACompoundPendulum) {
  // About the node O at the pivot: (J + m l^2) phiddot = -m g l sin(phi), phi from the downward direction -y.
  const double m = 2.0, l = 0.6, J = 0.3, phi = 0.5, g = 9.81, rate = 1.3;
  SystemBuilder b;
  const int node = b.node("n", NodeRigid2D{.angle = phi, .angular_velocity = rate});
  Mat3<double> inertia;
  inertia(0, 0) = J, inertia(2, 2) = J;
  b.object("rod", RigidBody{.mass_value = m, .inertia = inertia, .center_of_mass = {{0.0, -l, 0.0}}}, {b.marker(node)});
  b.system().gravity = {{0.0, -g, 0.0}};
  const auto system = b.finish();
  Assembly a(*system);
  a.update(0.0, system->initial_y.data());
  double F[4] = {};
  a.forces(F);
  std::vector<double> M(system->pattern.nonzeros());
  a.mass(1.0, 1.0, M.data());
  EXPECT_NEAR(F[2], -m * g * l * std::sin(phi), 1e-14);
  EXPECT_NEAR(M[system->pattern.slot(2, 2)], J + m * l * l, 1e-14);
  // Centripetal acceleration l w^2 (-sin, cos) of the centre of mass, on the right-hand side.
  EXPECT_NEAR(F[0], m * l * rate * rate * std::sin(phi), 1e-13);
  EXPECT_NEAR(F[1], -m * l * rate * rate * std::cos(phi) - m * g, 1e-13);
}

}  // namespace
}  // namespace saltus
