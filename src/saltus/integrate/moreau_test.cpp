#include "saltus/integrate/moreau_testing.hpp"

namespace saltus {
namespace {

TEST(Moreau, KeepsTheEnergyOfALinearOscillatorAndLosesItAboveOneHalf) {
  SystemBuilder b;
  const int n = b.node("n", Axis{.position = 1.0});
  b.object("m", Mass{.mass_value = 2.0, .stiffness = 50.0}, {b.coordinate(n)});
  const auto system = b.finish();
  const Trial kept = run(system, 0.05, 100.0);
  EXPECT_NEAR(kept.report.energy_end, kept.report.energy_start, 1e-11 * kept.report.energy_start);
  const Trial lost = run(system, 0.05, 100.0, with(0.6));
  EXPECT_LT(lost.report.energy_end, 0.1 * lost.report.energy_start);
}

TEST(Moreau, IsOfSecondOrderOnSmoothMotion) {
  const auto error = [](double h) {
    SystemBuilder b;
    const int n = b.node("n", Axis{.position = 1.0});
    b.object("m", Mass{.stiffness = 4.0}, {b.coordinate(n)});
    return std::abs(run(b.finish(), h, 3.0).state.q()[0] - std::cos(6.0));
  };
  EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 2.0, 0.05);
}

TEST(Moreau, IsOfSecondOrderOnARodWithoutDrift) {
  // Pendulum as two coordinates and a rod, against its own angle equation by Richardson-free reference: fine step.
  const auto end = [](double h) {
    SystemBuilder b;
    const int x = b.node("x", Axis{.position = 1.0}), y = b.node("y", Axis{});
    b.object("mx", Mass{}, {b.coordinate(x)});
    b.object("my", Mass{.gravity = g}, {b.coordinate(y)});
    b.relation("rod", Rod{}, {b.coordinate(x), b.coordinate(y)}, {&equality_law()});
    Trial r = run(b.finish(), h, 1.0);
    EXPECT_NEAR(std::hypot(r.state.q()[0], r.state.q()[1]), 1.0, 1e-12);
    return std::atan2(r.state.q()[1], r.state.q()[0]);
  };
  double angle = 0.0, speed = 0.0;  // thetaddot = -g cos(theta), by the classical Runge-Kutta method
  const int steps = 20000;
  for (int i = 0; i < steps; ++i) {
    const double d = 1.0 / steps;
    const auto f = [](double a) { return -g * std::cos(a); };
    const double k1 = f(angle), k2 = f(angle + 0.5 * d * speed), k3 = f(angle + 0.5 * d * (speed + 0.5 * d * k1)),
                 k4 = f(angle + d * (speed + 0.5 * d * k2));
    angle += d * (speed + d * (k1 + k2 + k3) / 6.0);
    speed += d * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
  }
  const auto error = [&](double h) { return std::abs(std::remainder(end(h) - angle, 2.0 * M_PI)); };
  EXPECT_LT(error(0.005), 1e-3);
  EXPECT_NEAR(std::log2(error(0.01) / error(0.005)), 2.0, 0.15);
}

TEST(BouncingBall, KeepsESquaredOfItsEnergyAtEachImpactToFirstOrder) {
  const Law law(NewtonImpact{.restitution = 0.8});
  const double t1 = std::sqrt(2.0 / g), v1 = g * t1, until = 1.0;  // one impact before t = 1
  const double tau = until - t1, exact = 0.8 * v1 * tau - 0.5 * g * tau * tau;
  const auto system = ball(law, 1.0);
  const auto error = [&](double h) { return std::abs(run(system, h, until).state.q()[0] - exact); };
  double worst[2];
  for (int i : {0, 1}) worst[i] = error(i ? 1e-4 : 1e-3);
  EXPECT_LT(worst[0], 2.0 * v1 * 1e-3);
  EXPECT_LT(worst[1], 2.0 * v1 * 1e-4);
}

TEST(BouncingBall, RestsAtTheZenoEnd) {
  const Law law(NewtonImpact{.restitution = 0.8});
  const double end = 9.0 * std::sqrt(2.0 / g);  // t1 (1 + e) / (1 - e)
  double last_motion = 0.0;
  const Trial r = run(ball(law, 1.0), 1e-3, 6.0, {}, [&](const State& s) {
    if (std::abs(s.v()[0]) > 1e-9) last_motion = s.t();
  });
  EXPECT_NEAR(r.state.q()[0], 0.0, 1e-12);
  EXPECT_NEAR(last_motion, end, 0.15);
  EXPECT_NEAR(r.state.lambda()[0], g, 1e-9);  // rests on its weight
}

TEST(Moreau, ContinuesARunBitForBit) {
  const Law law(NewtonImpact{.restitution = 0.8});
  const auto system = ball(law, 1.0);
  const Trial whole = run(system, 1e-2, 1.0);
  Trial half = run(system, 1e-2, 0.5);
  State copy = half.plan->new_state();
  std::copy(half.state.bytes().begin(), half.state.bytes().end(), copy.bytes().begin());
  SimulateOptions so;
  so.until = 1.0;
  so.step = 1e-2;
  (void)simulate(moreau_jean(), *half.plan, copy, so, {}, true);
  for (std::size_t i = 0; i < copy.bytes().size(); ++i) EXPECT_EQ(copy.bytes()[i], whole.state.bytes()[i]) << i;
}

TEST(NewtonCradle, PassesTheSpeedToTheLastBall) {
  const Law law(NewtonImpact{.restitution = 1.0});
  SystemBuilder b;
  std::vector<int> n;
  const double gap = 0.01;  // separated: a chain of binary impacts
  for (int i = 0; i < 4; ++i) n.push_back(b.node("n" + std::to_string(i), Axis{.position = i * gap, .velocity = i == 0 ? 1.0 : 0.0}));
  for (int i = 0; i < 4; ++i) b.object("m" + std::to_string(i), Mass{}, {b.coordinate(n[i])});
  for (int i = 0; i < 3; ++i) b.relation("g" + std::to_string(i), CoordinatePairGap{}, {b.coordinate(n[i]), b.coordinate(n[i + 1])}, law.ref());
  const Trial r = run(b.finish(), 1e-4, 0.1);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(r.state.v()[i], 0.0, 1e-12);
  EXPECT_NEAR(r.state.v()[3], 1.0, 1e-12);
  EXPECT_EQ(r.events.size(), 3u);
  for (const Event& e : r.events) EXPECT_NEAR(e.value, 1.0, 1e-12);  // m (v+ - v-)
}

/// Box corner masses replaced by one ball of no spin: a rigid body on a plane inclined by `angle`.
Trial block(double angle, double until, double h) {
  const Law law(CoulombImpact{.friction = 0.5});
  SystemBuilder b;
  const int n = b.node("n", NodeRigid{.position = {{0.0, 0.0, 0.1}}});
  b.object("box", RigidBody{.mass_value = 8.0, .inertia = Mat3<double>{{0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.05}}}, {b.marker(n)});
  int k = 0;
  for (double x : {-0.1, 0.1})
    for (double y : {-0.1, 0.1})
      b.relation("corner" + std::to_string(k++), PlaneContact<3>{}, {b.ground(), b.marker(n, {{x, y, -0.1}})}, law.ref());
  b.system().gravity = {{g * std::sin(angle), 0.0, -g * std::cos(angle)}};
  return run(b.finish(), h, until);
}

TEST(BlockOnIncline, StaysBelowAndSlidesAboveTheFrictionAngle) {
  const Trial rest = block(25.0 * M_PI / 180.0, 0.2, 0.01);
  EXPECT_NEAR(rest.state.q()[0], 0.0, 1e-9);
  double weight = 0.0;
  for (int i = 0; i < 4; ++i) weight += rest.state.lambda()[3 * i];
  EXPECT_NEAR(weight, 8.0 * g * std::cos(25.0 * M_PI / 180.0), 1e-5);
  const double a = 30.0 * M_PI / 180.0, acceleration = g * (std::sin(a) - 0.5 * std::cos(a)), h = 0.01;
  const Trial slides = block(a, 0.2, h);
  EXPECT_NEAR(slides.state.v()[0], acceleration * 0.2, 1e-6);
  EXPECT_NEAR(slides.state.q()[0], 0.5 * acceleration * 0.04, 1e-6);
  EXPECT_NEAR(slides.state.q()[2], 0.1, 1e-9);
}

TEST(Sphere, SlipsThenRollsAtFiveSeventhsOfItsSpeed) {
  const Law law(CoulombImpact{.friction = 0.2});
  const double r = 0.3, v0 = 3.0;
  SystemBuilder b;
  const int n = b.node("n", NodeRigid{.position = {{0.0, 0.0, r}}, .velocity = {{v0, 0.0, 0.0}}});
  const double J = 0.4 * r * r;
  b.object("ball", RigidBody{.mass_value = 1.0, .inertia = Mat3<double>{{J, 0, 0, 0, J, 0, 0, 0, J}}}, {b.marker(n)});
  b.relation("floor", PlaneContact<3>{.radius = r}, {b.ground(), b.marker(n)}, law.ref());
  b.system().gravity = {{0.0, 0.0, -g}};
  const double rolls = 2.0 * v0 / (7.0 * 0.2 * g);
  const Trial out = run(b.finish(), 2e-3, 1.0);
  EXPECT_NEAR(out.state.v()[0], 5.0 / 7.0 * v0, 1e-9);
  EXPECT_NEAR(out.state.v()[4] * r, 5.0 / 7.0 * v0, 1e-9);
  ASSERT_GE(out.events.size(), 1u);
  EXPECT_EQ(out.events.back().kind, "stick");
  EXPECT_NEAR(out.events.back().t, rolls, 4e-3);
}

TEST(Spheres, ExchangeMomentumAlongTheLineOfCentres) {
  const Law law(NewtonImpact{.restitution = 1.0});
  SystemBuilder b;
  const double s = std::sqrt(0.5);
  const int a = b.node("a", NodeRigid{.velocity = {{1.0, 0.0, 0.0}}}), c = b.node("c", NodeRigid{.position = {{0.5 + 2.0 * s * 0.1, 2.0 * s * 0.1, 0.0}}});
  const Mat3<double> J{{0.004, 0, 0, 0, 0.004, 0, 0, 0, 0.004}};
  b.object("a", RigidBody{.mass_value = 1.0, .inertia = J}, {b.marker(a)});
  b.object("c", RigidBody{.mass_value = 1.0, .inertia = J}, {b.marker(c)});
  b.relation("touch", SphereContact<1>{.radius_A = 0.1, .radius_B = 0.1}, {b.marker(a), b.marker(c)}, law.ref());
  const Trial r = run(b.finish(), 1e-4, 1.0);
  // Equal masses, centres at 45 degrees: each leaves with v/sqrt 2 at right angles.
  EXPECT_NEAR(r.state.v()[0], 0.5, 1e-3);
  EXPECT_NEAR(r.state.v()[1], -0.5, 1e-3);
  EXPECT_NEAR(r.state.v()[6], 0.5, 1e-3);
  EXPECT_NEAR(r.state.v()[7], 0.5, 1e-3);
}

TEST(Relay, DrivesAStateToZeroAndHoldsItThere) {
  const Law law(Relay{.low = -2.0, .high = 2.0, .on = "value"});
  SystemBuilder b;
  const int n = b.node("n", State1{.value = 1.0});
  b.force("f", Decay{.rate = 0.0, .source = 0.5}, {b.coordinate(n)});
  b.relation("relay", Switch{}, {b.coordinate(n)}, law.ref());
  double before = 0.0;
  const Trial r = run(b.finish(), 1e-3, 1.0, {}, [&](const State& s) {
    if (std::abs(s.t() - 0.5) < 1e-9) before = s.x()[0];
  });
  EXPECT_NEAR(before, 1.0 - 1.5 * 0.5, 1e-12);
  EXPECT_NEAR(r.state.x()[0], 0.0, 1e-14);
  EXPECT_NEAR(r.state.lambda()[0], -0.5, 1e-12);  // equivalent control
}

TEST(CoulombOscillator, LosesTwoDeadBandsAHalfSwingAndSticks) {
  // m xddot + k x = -F sgn(v): each half swing loses 2 F/k; sticks within F/k (Coulomb 1785).
  const double F = 1.0, k = 10.0, h = 1e-4;
  const Law law(Relay{.low = -F, .high = F, .on = "rate"});
  SystemBuilder b;
  const int n = b.node("n", Axis{.position = 1.05});
  b.object("m", Mass{.stiffness = k}, {b.coordinate(n)});
  b.relation("friction", CoordinateGap{}, {b.coordinate(n)}, law.ref());
  const double half = M_PI / std::sqrt(k);
  const Trial r = run(b.finish(), h, 6.5 * half);
  // 1.05 -> -0.85 -> 0.65 -> -0.45 -> 0.25 -> -0.05 (inside 0.1: sticks)
  EXPECT_NEAR(r.state.q()[0], -0.05, 1e-3);
  EXPECT_NEAR(r.state.v()[0], 0.0, 1e-12);
  EXPECT_NEAR(r.state.lambda()[0], k * r.state.q()[0], 1e-8);
  EXPECT_EQ(r.events.back().kind, "stick");
}

TEST(Compliance, IsASpringThatOnlyPushes) {
  const double k = 400.0, v0 = 1.0, h = 1e-5;
  const Law law(Complementarity{});
  SystemBuilder b;
  const int n = b.node("n", Axis{.position = 0.1, .velocity = -v0});
  b.object("m", Mass{}, {b.coordinate(n)});
  b.relation("stop", Compliance{.stiffness = k}, {b.coordinate(n)}, law.ref());
  double deepest = 0.0;
  const Trial r = run(b.finish(), h, 0.5, {}, [&](const State& s) { deepest = std::min(deepest, s.q()[0]); });
  EXPECT_NEAR(deepest, -v0 / std::sqrt(k), 1e-4);
  EXPECT_NEAR(r.state.v()[0], v0, 1e-2);
}

TEST(Motor, MovesUnderARelayVoltageAgainstFriction) {
  // Voltage -> current -> torque -> speed: the relay's own entry of W vanishes to first order; it must still move.
  const Law relay(Relay{.low = -24.0, .high = 24.0, .on = "value"}), friction(Relay{.low = -0.5, .high = 0.5, .on = "rate"});
  SystemBuilder b;
  const int shaft = b.node("shaft", Axis{}), current = b.node("current", State1{});
  b.object("rotor", Mass{.mass_value = 0.1}, {b.coordinate(shaft)});
  b.force("winding", Coupling{.constant = 0.5, .inductance = 0.01, .resistance = 1.0}, {b.coordinate(shaft), b.coordinate(current)});
  b.relation("voltage", DriveByVoltage{.wanted = 10.0, .inductance = 0.01}, {b.coordinate(shaft), b.coordinate(current)}, relay.ref());
  b.relation("dry", CoordinateGap{}, {b.coordinate(shaft)}, friction.ref());
  const Trial r = run(b.finish(), 1e-4, 0.5);
  EXPECT_NEAR(r.state.v()[0], 10.0, 0.05);
}

TEST(Pendulum, OfARigidBodyKeepsItsJointAndItsEnergy) {
  SystemBuilder b;
  const int n = b.node("n", NodeRigid{.position = {{0.5, 0.0, 0.0}}});
  b.object("rod", RigidBody{.mass_value = 1.0, .inertia = Mat3<double>{{1e-3, 0, 0, 0, 1.0 / 12.0, 0, 0, 0, 1.0 / 12.0}}}, {b.marker(n)});
  b.relation("pin", Revolute{}, {b.ground(), b.marker(n, {{-0.5, 0.0, 0.0}})}, {&equality_law()});
  b.system().gravity = {{0.0, -g, 0.0}};
  const auto system = b.finish();
  double worst[2] = {0.0, 0.0};
  for (int i : {0, 1}) {
    Assembly energies(*system);
    (void)run(system, i ? 1e-3 : 2e-3, 2.0, {}, [&](const State& s) {
      energies.update(s.t(), s.y());
      worst[i] = std::max(worst[i], std::abs(energies.kinetic_energy() + energies.potential_energy()));
    });
  }
  EXPECT_LT(worst[1], 1e-4 * g);
  EXPECT_GT(worst[0] / worst[1], 3.0);  // second order
}


TEST(Moreau, RefusesAnImpactLawOnAFirstOrderState) {
  const Law law(NewtonImpact{});
  SystemBuilder b;
  const int n = b.node("n", State1{});
  b.relation("wrong", Switch{}, {b.coordinate(n)}, law.ref());
  EXPECT_THROW((void)moreau_jean().bind(b.finish(), {}), ModelError);
}

}  // namespace
}  // namespace saltus
