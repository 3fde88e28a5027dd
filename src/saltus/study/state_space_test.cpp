#include "saltus/study/state_space.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/items/joints/spherical.hpp"

namespace saltus {
namespace {
using namespace testing_items;
using Map = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

Map view(const Matrix& m) { return {m.values.data(), m.rows, m.cols}; }
LinearEquations at_start(std::shared_ptr<const System> s) { return linear_equations(s, {0.0, s->initial_y.data(), nullptr, nullptr, s->initial_data.data()}); }
Eigen::VectorXcd eigenvalues(const StateSpace& s) { return Eigen::EigenSolver<Eigen::MatrixXd>(view(s.A), false).eigenvalues(); }

/// Two bodies with their masses off the nodes, on spherical joints, a spring between, all of it moving.
std::shared_ptr<const System> tumbling() {
  SystemBuilder b;
  b.system().gravity = {{0.3, -9.81, 1.0}};
  const Vec3<double> turn{{0.4, -0.7, 0.2}}, w1{{1.5, 0.4, -2.0}}, w2{{-0.6, 2.2, 0.5}}, half{{0.0, -0.5, 0.1}};
  const Mat3<double> R = rotation_exp(turn), J{{0.3, 0.02, 0.0, 0.02, 0.2, 0.01, 0.0, 0.01, 0.25}};
  const Vec3<double> p1 = R * half, joint = R * (half * 2.0), p2 = joint + R * half;
  const int first = b.node("first", NodeRigid{.position = p1, .rotation = turn, .velocity = cross(w1, p1), .angular_velocity = w1});
  const int second = b.node("second", NodeRigid{.position = p2, .rotation = turn, .velocity = cross(w1, joint) + cross(w2, R * half), .angular_velocity = w2});
  b.object("a", RigidBody{.mass_value = 1.3, .inertia = J, .center_of_mass = {{0.1, 0.0, -0.05}}}, {b.marker(first)});
  b.object("b", RigidBody{.mass_value = 0.7, .inertia = J * 0.5, .center_of_mass = {{0.0, 0.2, 0.03}}}, {b.marker(second)});
  b.relation("top", Spherical{}, {b.ground(), b.marker(first, half * -1.0)}, equality());
  b.relation("middle", Spherical{}, {b.marker(first, half), b.marker(second, half * -1.0)}, equality());
  b.force("spring", SpringDamper{.stiffness = 30.0, .damping = 2.0, .rest_length = 0.4}, {b.marker(-1, {{0.5, 0.2, 0.0}}), b.marker(second, {{0.1, 0.1, 0.0}})});
  return b.finish();
}

TEST(StateSpace, AgreesWithDifferencesOfTheAccelerationsWhileTheBodiesMove) {
  const auto s = tumbling();
  const Layout& l = s->layout;
  const LinearEquations e = at_start(s);
  ASSERT_FALSE(e.exact);
  const StateSpace space = state_space(e, {}, {"second.velocity", "top.force", "first.acceleration"});
  ASSERT_EQ(space.positions, 6);
  ASSERT_EQ(space.velocities, 6);
  const int n = 12;
  const Map shapes = view(space.shapes);
  const Eigen::MatrixXd Nq = shapes.topLeftCorner(l.nv, 6), Nv = shapes.block(l.nv, 6, l.nv, 6);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(l.nv, l.nv);
  for (int i = 0; i < l.nv; ++i)
    for (int k = s->pattern.begin[i]; k < s->pattern.begin[i + 1]; ++k) M(i, s->pattern.column[k]) = e.mass[k];
  const Eigen::MatrixXd to_xi = (Nv.transpose() * M * Nv).ldlt().solve(Nv.transpose() * M);
  Accelerations accelerations(*s);
  std::vector<Quantity> outputs;
  for (const char* path : {"second.velocity", "top.force", "first.acceleration"}) outputs.emplace_back(s, path);
  Assembly assembly(*s);
  const double h = 1e-3;
  for (int j = 0; j < n; ++j) {
    Eigen::VectorXd rate = Eigen::VectorXd::Zero(n), seen = Eigen::VectorXd::Zero(9);
    const double weights[] = {-1.0 / 12.0, 8.0 / 12.0, -8.0 / 12.0, 1.0 / 12.0}, places[] = {2.0, 1.0, -1.0, -2.0};
    for (int p = 0; p < 4; ++p) {
      std::vector<double> y = e.y, lambda = e.lambda, rates(l.unknowns() + 1), tangent(l.nv);
      for (int i = 0; i < l.nv; ++i) tangent[i] = places[p] * h * shapes(i, j), y[l.v_begin() + i] += places[p] * h * shapes(l.nv + i, j);
      s->map.retract(y.data(), tangent.data());
      ASSERT_TRUE(accelerations.solve(0.0, y.data(), nullptr, lambda.data(), rates.data()).ok);
      // About the motion itself: phidot = R0 (w - w0), so udot = R0 (dwdot + w0 x dw); the body's axes serve for both sides.
      Eigen::VectorXd now(n), change(l.nv), turned(l.nv);
      for (int i = 0; i < l.nv; ++i) change[i] = y[l.v_begin() + i] - e.y[l.v_begin() + i], turned[i] = rates[i];
      for (const RotationBlock& r : s->map.rotations) {
        const Eigen::Vector3d w0(e.y.data() + l.v_begin() + r.v);
        turned.segment<3>(r.v) += w0.cross(change.segment<3>(r.v).eval());
      }
      now << Nq.transpose() * change, to_xi * turned;
      rate += weights[p] / h * now;
      Eigen::VectorXd out(9);
      for (int k = 0; k < 3; ++k) outputs[k].evaluate(assembly, {0.0, y.data(), rates.data(), lambda.data(), nullptr}, out.data() + 3 * k);
      seen += weights[p] / h * out;
    }
    // The chart is theirs up to second order, which adds the acceleration's part along the rows: none in the metric of M.
    EXPECT_LT((rate - view(space.A).col(j)).cwiseAbs().maxCoeff(), 1e-8 * view(space.A).cwiseAbs().maxCoeff()) << j;
    EXPECT_LT((seen - view(space.C).col(j)).cwiseAbs().maxCoeff(), 1e-8 * view(space.C).cwiseAbs().maxCoeff()) << j;
  }
}

TEST(StateSpace, KnowsThePendulumUnderOneAndUnderRedundantJoints) {
  for (const int pins : {1, 2}) {
    SystemBuilder b;
    add_pendulum(b, 0.0, 0.0, pins);
    const LinearEquations e = at_start(b.finish());
    EXPECT_TRUE(e.exact);
    const StateSpace s = state_space(e, {}, {});
    ASSERT_EQ(s.A.rows, 2);
    const double w = std::sqrt(9.81 / (1.0 + 1.0 / 3.0));  // m g L / (m L^2 + J)
    for (const std::complex<double> x : eigenvalues(s)) {
      EXPECT_NEAR(x.real(), 0.0, 1e-12);
      EXPECT_NEAR(std::abs(x.imag()), w, 1e-12 * w);
    }
  }
}

TEST(StateSpace, EliminatesAlgebraicUnknownsAndRefusesThoseThatNothingDetermines) {
  const auto system = [](bool held) {
    SystemBuilder b;
    const int q = b.node("q", NodePoint{.displacement = {{0.3, 0.0, 0.0}}}), x = b.node("x", NodeFirst{{0.5}}), z = b.node("z", NodeAlgebraic{});
    b.object("m", point_mass(2.0), {b.marker(q)});
    if (held) b.force("cubic", CubicSpring{.stiffness = 7.0}, {b.coordinate(q, 0), b.coordinate(z, 0)});
    b.force("rate", Oscillator{.stiffness = 2.0, .cubic = 1.0}, {b.coordinate(x, 0)});
    return b.finish();
  };
  const auto s = system(true);
  const LinearEquations e = at_start(s);
  const StateSpace space = state_space(e, {}, {});
  const double z = e.y[s->layout.z_begin()];
  EXPECT_NEAR(z + z * z * z, 0.3, 1e-13);
  std::vector<double> found;
  for (const std::complex<double> x : eigenvalues(space)) found.push_back(x.imag() == 0.0 ? x.real() : std::abs(x.imag()));
  std::sort(found.begin(), found.end());
  EXPECT_NEAR(found.front(), -(2.0 + 3.0 * 0.25), 1e-12);             // -(linear + 3 cubic x^2)
  EXPECT_NEAR(found.back(), std::sqrt(3.5 / (1.0 + 3.0 * z * z)), 1e-12);  // dz/dq = 1 / (1 + 3 z^2)
  EXPECT_THROW((void)at_start(system(false)), ModelError);
}

TEST(StateSpace, LeavesTheHeadingOfANonholonomicRowFree) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{.velocity = {{2.0, 0.0, 0.0}}});
  b.object("m", point_mass(1.0), {b.marker(n)});
  b.relation("edge", Knife{}, {b.coordinate(n, 0), b.coordinate(n, 1)}, equality());
  const StateSpace s = state_space(at_start(b.finish()), {}, {});
  EXPECT_EQ(s.positions, 3);
  EXPECT_EQ(s.velocities, 2);
  EXPECT_TRUE(s.mass.values.empty());
}

}  // namespace
}  // namespace saltus
