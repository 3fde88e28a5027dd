#include "saltus/items/bodies/beam.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "saltus/base/errors.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/system/assembly.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {
namespace {

Matrix diagonal(std::initializer_list<double> values) {
  Matrix m{6, 6, std::vector<double>(36)};
  int i = 0;
  for (double x : values) m(i, i) = x, ++i;
  return m;
}

Beam beam_of(std::initializer_list<double> stiffness, double damping = 0.0) {
  Beam beam;
  beam.stiffness = diagonal(stiffness), beam.mass_per_length = 2.0, beam.inertia_per_length = {{0.03, 0, 0, 0, 0.01, 0, 0, 0, 0.02}}, beam.damping = damping;
  return beam;
}

const Vec3<double> along_x{{1.0, 0.0, 0.0}}, curved_position{{0.9, 0.3, -0.1}}, curved_rotation{{0.1, 0.3, 0.7}};

struct One {
  std::shared_ptr<const System> system;
  std::vector<double> y;
  explicit One(const Vec3<double>& position, const Vec3<double>& rotation = {}, double damping = 0.0) {
    SystemBuilder b;
    const int A = b.node("A", NodeRigid{}), B = b.node("B", NodeRigid{.position = position, .rotation = rotation});
    b.object("beam", beam_of({2e5, 4e4, 5e4, 80.0, 60.0, 150.0}, damping), {b.marker(A), b.marker(B)});
    system = b.finish();
    y = system->initial_y;
  }
  void put(int node, const Vec3<double>& p, const Quaternion<double>& q) {
    double* to = y.data() + system->nodes[node].place.q;
    std::copy_n(p.data(), 3, to), std::copy_n(q.data(), 4, to + 3);
  }
  std::vector<double> forces() const {
    Assembly a(*system);
    a.update(0.0, y.data());
    std::vector<double> F(system->layout.unknowns() + 1);
    a.forces(F.data());
    return F;
  }
};

TEST(Beam, DoesNotFeelARigidMotion) {
  One one(curved_position, curved_rotation);
  const Vec3<double> shift{{0.3, -2.0, 0.7}};
  const Quaternion<double> turn = quaternion_exp(Vec3<double>{{2.0, -1.5, 0.7}});
  one.put(0, shift, turn);
  one.put(1, shift + rotation_matrix(turn) * curved_position, quaternion_product(turn, quaternion_exp(curved_rotation)));
  for (double f : one.forces()) EXPECT_NEAR(f, 0.0, 2e5 * 1e-12);  // EA times a strain
}

TEST(Beam, ItsForcesTurnWithTheWorldAndAreInEquilibrium) {
  One one(along_x);
  const Vec3<double> p{{0.9, 0.2, 0.3}};
  const Quaternion<double> bent = quaternion_exp(Vec3<double>{{0.2, -0.4, 0.6}}), turn = quaternion_exp(Vec3<double>{{-0.8, 1.9, 1.1}});
  one.put(1, p, bent);
  const std::vector<double> here = one.forces();
  const Mat3<double> R = rotation_matrix(turn);
  one.put(0, {}, turn), one.put(1, R * p, quaternion_product(turn, bent));
  const std::vector<double> there = one.forces();
  for (std::size_t end = 0; end < 12; end += 6) {
    const Vec3<double> turned = R * Vec3<double>{{here[end], here[end + 1], here[end + 2]}};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(there[end + i], turned[i], 1e-8);
      EXPECT_NEAR(there[end + 3 + i], here[end + 3 + i], 1e-8);
    }
  }
  const Vec3<double> f_B{{here[6], here[7], here[8]}}, m_A{{here[3], here[4], here[5]}}, m_B{{here[9], here[10], here[11]}};
  EXPECT_GT(norm(f_B), 1e3);
  const Vec3<double> moment = m_A + rotation_matrix(bent) * m_B + cross(p, f_B);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(here[i], -f_B[i], 1e-9);
    EXPECT_NEAR(moment[i], 0.0, 1e-9);
  }
}

/// A circular arc is a screw: an element of any length holds it by the bending moment alone.
TEST(Beam, BendsToAnArcByAMoment) {
  const double angle = 2.0;
  One one(along_x);
  one.put(1, {{std::sin(angle) / angle, (1.0 - std::cos(angle)) / angle, 0.0}}, quaternion_exp(Vec3<double>{{0.0, 0.0, angle}}));
  const std::vector<double> F = one.forces();
  const double expected[] = {0, 0, 0, 0, 0, 150.0 * angle, 0, 0, 0, 0, 0, -150.0 * angle};
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(F[i], expected[i], 1e-9) << i;
}

TEST(Beam, AnArcOfTheReferenceIsFreeOfForces) {
  const double angle = 1.3;
  const One one(Vec3<double>{{std::sin(angle) / angle, (1.0 - std::cos(angle)) / angle, 0.0}}, Vec3<double>{{0.0, 0.0, angle}});
  for (double f : one.forces()) EXPECT_NEAR(f, 0.0, 1e-10);
  Assembly a(*one.system);
  a.update(0.0, one.y.data());
  std::vector<double> M(one.system->pattern.nonzeros());
  a.mass(1.0, 1.0, M.data());
  EXPECT_NEAR(M[one.system->pattern.slot(0, 0)], 1.0, 1e-14);  // half of 2 kg/m on the 1 m of the arc
}

TEST(Beam, RefusesEndsAtOnePointOrAcross) {
  EXPECT_THROW(One(Vec3<double>{{0.0, 0.0, 0.0}}), ModelError);
  EXPECT_THROW(One(Vec3<double>{{0.0, 1.0, 0.0}}), ModelError);
  EXPECT_THROW(One(Vec3<double>{{-1.0, 0.0, 0.0}}), ModelError);
}

/// Ends beside the nodes' origins and turned: the mass varies, and the frames accelerate at vdot = 0. Accelerations by M a = F keep the energy.
TEST(Beam, KeepsItsEnergyOnArms) {
  SystemBuilder b;
  const int A = b.node("A", NodeRigid{.velocity = {{0.3, -0.2, 0.5}}, .angular_velocity = {{0.4, 1.1, -0.6}}}),
            B = b.node("B", NodeRigid{.position = {{1.0, 0.2, 0.0}}, .rotation = curved_rotation, .velocity = {{-0.1, 0.7, 0.2}}, .angular_velocity = {{-0.3, 0.8, 1.5}}});
  const Vec3<double> arm{{0.1, -0.2, 0.3}};
  b.object("beam", beam_of({2e3, 4e2, 5e2, 8.0, 6.0, 15.0}),
           {b.marker(A, arm, rotation_exp(Vec3<double>{{0.2, 0.0, 0.3}})), b.marker(B, arm, rotation_exp(Vec3<double>{{0.0, 0.0, -0.4}}))});
  const auto system = b.finish();
  EXPECT_FALSE(system->objects[0]->constant_mass());
  const int n = system->layout.nv;
  Assembly assembly(*system);
  std::vector<double> values(system->pattern.nonzeros()), F(n + 1);
  const std::vector<double> y = system->initial_y;
  assembly.update(0.0, y.data());
  assembly.mass(1.0, 1.0, values.data());
  assembly.forces(F.data());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (const int slot = system->pattern.slot(i, j); slot >= 0) M(i, j) = values[slot];
  const Eigen::VectorXd a = M.ldlt().solve(Eigen::Map<Eigen::VectorXd>(F.data(), n));
  const auto energy = [&](double h) {
    std::vector<double> z = y, step(n);
    for (int i = 0; i < n; ++i) step[i] = h * y[system->layout.v_begin() + i], z[system->layout.v_begin() + i] += h * a[i];
    system->map.retract(z.data(), step.data());
    assembly.update(0.0, z.data());
    return assembly.kinetic_energy() + assembly.potential_energy();
  };
  const double h = 1e-5;
  EXPECT_GT(energy(0.0), 1.0);
  EXPECT_NEAR((energy(h) - energy(-h)) / (2 * h), 0.0, 1e-6);
}

TEST(Beam, DampingTakesEnergy) {
  One one(along_x, {}, 0.1);
  std::vector<double> v{0.3, -0.2, 0.5, 0.4, 0.1, -0.6, -0.1, 0.7, 0.2, -0.3, 0.8, 0.5};
  std::copy(v.begin(), v.end(), one.y.begin() + one.system->layout.v_begin());
  const std::vector<double> F = one.forces();
  double power = 0.0;
  for (std::size_t i = 0; i < 12; ++i) power += F[i] * v[i];
  EXPECT_LT(power, -1.0);
}

}  // namespace
}  // namespace saltus
