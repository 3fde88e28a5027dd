// Lagrange's equations from a kinetic energy 1/2 v^T M(q) v.
#include "saltus/items/bodies/generic_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/system/assembly.hpp"
#include "saltus/system/models_testing.hpp"

namespace saltus {
namespace {
using test_models::matrix;

/// A system of one body on `n` coordinates; its assembly at (q, v).
struct One {
  std::shared_ptr<const System> system;
  Assembly assembly;
  int n;
  std::vector<double> y;

  One(int n, const List& mass_matrix, const char* potential = "0") : system(compiled(n, mass_matrix, potential)), assembly(*system), n(n), y(system->initial_y) {}
  static std::shared_ptr<const System> compiled(int n, const List& mass_matrix, const char* potential) {
    return test_models::ModelOf().node("n", "node_ode2", {{"count", n}}).body("b", "generic_system", {{"node", "n"}, {"mass_matrix", mass_matrix}, {"potential", potential}}).compiled();
  }
  void at(const std::vector<double>& q, const std::vector<double>& v) {
    std::copy(q.begin(), q.end(), y.begin());
    std::copy(v.begin(), v.end(), y.begin() + system->layout.v_begin());
    assembly.update(0.0, y.data(), nullptr, system->initial_data.data());
  }
  /// The right side of M a = F.
  std::vector<double> force() {
    std::vector<double> F(n + 1);
    assembly.forces(F.data());
    return F;
  }
};

const List polar = matrix({{"2", "0"}, {"0", "2*q0^2"}});

TEST(GenericSystem, PolarCoordinatesOfAFreePointHaveItsCentrifugalAndCoriolisForces) {
  One s(2, polar);
  s.at({1.5, 0.4}, {0.3, -0.7});
  const std::vector<double> F = s.force();
  EXPECT_NEAR(F[0], 2.0 * 1.5 * 0.49, 1e-14);                 // m r phi'^2
  EXPECT_NEAR(F[1], -2.0 * 2.0 * 1.5 * 0.3 * -0.7, 1e-14);    // -2 m r r' phi'
  EXPECT_NEAR(s.assembly.kinetic_energy(), 0.09 + 2.25 * 0.49, 1e-14);
}

TEST(GenericSystem, GyroscopicForcesChangeNoEnergy) {
  // Power of F at fixed velocity: v . F = -1/2 v^T Mdot v - dV/dt.
  One s(5, matrix({{"3+sin(q1)", "0.2*q4", 0, "0.1*q0*q1", 0}, {"0.2*q4", "2+q0^2", "0.3*cos(q2)", 0, 0}, {0, "0.3*cos(q2)", 4, 0, "0.1*q3"},
                   {"0.1*q0*q1", 0, 0, "5+q4^2", 0}, {0, 0, "0.1*q3", 0, "1+q2^2"}}), "q0*q1^2 + cos(q4)");
  const std::vector<double> q{0.3, -0.6, 0.9, 1.2, 0.5}, v{0.7, -1.1, 0.4, 0.8, -0.9};
  const auto energy = [&](double shift) {
    std::vector<double> moved = q;
    for (int i = 0; i < 5; ++i) moved[i] += shift * v[i];
    s.at(moved, v);
    return std::pair(s.assembly.kinetic_energy(), s.assembly.potential_energy());
  };
  const double e = 1e-4;
  const auto [T_up, V_up] = energy(e);
  const auto [T_down, V_down] = energy(-e);
  s.at(q, v);
  const std::vector<double> F = s.force();
  double power = 0.0;
  for (int i = 0; i < 5; ++i) power += v[i] * F[i];
  EXPECT_NEAR(power, -((T_up - T_down) + (V_up - V_down)) / (2.0 * e), 1e-7);  // of the difference
}

TEST(GenericSystem, RefusesWhatIsNoMass) {
  const auto faults_of = [](int n, const List& mass_matrix) -> std::string {
    try {
      One s(n, mass_matrix);
    } catch (const ModelError& error) {
      return error.faults()[0].text();
    }
    return {};
  };
  EXPECT_NE(faults_of(2, matrix({{"1", "t"}, {"t", "2"}})).find("momentum"), std::string::npos);
  EXPECT_NE(faults_of(3, polar).find("mass_matrix is 2 x 2, must be 3 x 3"), std::string::npos) << faults_of(3, polar);
  EXPECT_NE(faults_of(2, matrix({{"1"}, {"2"}})).find("expected a row of 2"), std::string::npos);
  EXPECT_NE(faults_of(2, matrix({{1, 0.5}, {0, 1}})).find("not symmetric"), std::string::npos);
  EXPECT_NE(faults_of(2, matrix({{1, 2}, {2, 1}})).find("smallest eigenvalue is -1"), std::string::npos);
}

TEST(GenericSystem, TellsWhereItsMassIsNone) {
  One s(2, polar);
  s.at({1e-3, 0.0}, {0.0, 0.0});
  EXPECT_TRUE(s.assembly.wrong_mass().path.empty());
  s.at({0.0, 0.0}, {0.0, 0.0});
  const Fault fault = s.assembly.wrong_mass();
  EXPECT_EQ(fault.path, "bodies/b");
  EXPECT_NE(fault.message.find("smallest eigenvalue is 0"), std::string::npos) << fault.message;
  One skew(2, matrix({{"1", "q0"}, {"q1", "1"}}));
  skew.at({0.1, 0.1}, {0.0, 0.0});
  EXPECT_TRUE(skew.assembly.wrong_mass().path.empty());
  skew.at({0.1, 0.2}, {0.0, 0.0});
  EXPECT_NE(skew.assembly.wrong_mass().message.find("not symmetric"), std::string::npos);
}

TEST(GenericSystem, ConstantMassesHaveNoForcesOfTheirOwn) {
  One s(2, matrix({{2, "0.5*1"}, {"1/2", 1}}));
  EXPECT_TRUE(s.system->objects[0]->constant_mass());
  EXPECT_TRUE(s.system->objects[0]->constant_matrix());
  s.at({1.0, 2.0}, {3.0, 4.0});
  EXPECT_EQ(s.force(), (std::vector<double>{0.0, 0.0, 0.0}));
}

}  // namespace
}  // namespace saltus
