#include <gtest/gtest.h>

#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/items/bodies/mass_1d.hpp"
#include "saltus/items/connectors/coordinate_spring_damper.hpp"
#include "saltus/items/nodes/node_1d.hpp"

namespace saltus {
const Scheme& generalized_alpha_scheme();
namespace {
using namespace testing_items;

SchemeOptions radius(double S, int index = 3, bool modified = false) {
  SchemeOptions options;
  options.given.set("spectral_radius", S);
  options.given.set("index", index);
  if (modified) options.given.set("newton", "modified");
  return options;
}
struct Motion {
  RunReport report;
  State state;
};
using Watch = std::function<void(const State&)>;
Motion run(std::shared_ptr<const System> system, double until, double step, SchemeOptions options, const Watch& watch = {}) {
  options.error_control = step <= 0.0;
  const auto plan = generalized_alpha_scheme().bind(system, options);
  Motion r;
  r.state = plan->new_state();
  SimulateOptions control;
  control.until = until;
  if (step > 0.0) control.step = step;
  r.report = simulate(generalized_alpha_scheme(), *plan, r.state, control, [&](const State& s, const StepReport& report) {
    EXPECT_LT(report.residual.equations, 1e-8);
    EXPECT_LT(report.residual.constraints, 1e-10);
    if (watch && s.t() > 0.0) watch(s);
    return true;
  });
  EXPECT_EQ(r.report.status, RunStatus::done) << r.report.cause;
  return r;
}
double order(double coarse, double fine) { return std::log2(coarse / fine); }

/// The rod of add_pendulum as one angle from the downward vertical: theta'' = -(g l / (l^2 + 1/3)) sin theta, and what its
/// pin carries, m (a - g) in world axes.
struct Swing {
  double angle, rate, t = 0.0;
  static double pull(double angle) { return -9.81 / (4.0 / 3.0) * std::sin(angle); }
  void advance(double until) {
    const int n = static_cast<int>(std::ceil((until - t) / 1e-3 - 1e-9));
    const double h = n > 0 ? (until - t) / n : 0.0;
    for (int i = 0; i < n; ++i) {
      const double k1 = rate, l1 = pull(angle), k2 = rate + 0.5 * h * l1, l2 = pull(angle + 0.5 * h * k1);
      const double k3 = rate + 0.5 * h * l2, l3 = pull(angle + 0.5 * h * k2), k4 = rate + h * l3, l4 = pull(angle + h * k3);
      angle += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), rate += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    t = until;
  }
  double force_x() const { return pull(angle) * std::cos(angle) - rate * rate * std::sin(angle); }
  double force_y() const { return pull(angle) * std::sin(angle) + rate * rate * std::cos(angle) + 9.81; }
};
struct Errors {
  double q = 0.0, v = 0.0, lambda = 0.0, first = 0.0;
};
Errors pendulum_errors(double S, double h, int pins = 1, int index = 3, bool modified = false) {
  SystemBuilder b;
  add_pendulum(b, 1.0, 2.0, pins);
  Swing exact{1.0, 2.0};
  Errors e;
  run(b.finish(), 1.0, h, radius(S, index, modified), [&](const State& s) {
    exact.advance(s.t());
    double fx = 0.0, fy = 0.0;
    for (int p = 0; p < pins; ++p) fx += s.lambda()[5 * p], fy += s.lambda()[5 * p + 1];
    e.q = std::max({e.q, std::abs(s.q()[0] - std::sin(exact.angle)), std::abs(s.q()[1] + std::cos(exact.angle))});
    e.v = std::max(e.v, std::abs(s.v()[5] - exact.rate));
    const double miss = std::hypot(fx - exact.force_x(), fy - exact.force_y());
    if (e.lambda == 0.0) e.first = miss;
    e.lambda = std::max(e.lambda, miss);
  });
  return e;
}

TEST(GeneralizedAlpha, HasOrderTwoInPositionVelocityAndReactionFromTheFirstStep) {
  for (const int index : {3, 2})
    for (const double S : {1.0, 0.9, 0.6, 0.0}) {
      if (S == 1.0 && index == 3) continue;  // refused
      const Errors coarse = pendulum_errors(S, 0.01, 1, index), fine = pendulum_errors(S, 0.005, 1, index);
      EXPECT_NEAR(order(coarse.q, fine.q), 2.0, 0.15) << S << " index " << index;
      EXPECT_NEAR(order(coarse.v, fine.v), 2.0, 0.15) << S << " index " << index;
      EXPECT_NEAR(order(coarse.lambda, fine.lambda), 2.0, 0.25) << S << " index " << index << " " << coarse.lambda << " " << fine.lambda;
      EXPECT_GT(order(coarse.first, fine.first), 1.75) << S << " index " << index << " " << coarse.first << " " << fine.first;
      EXPECT_LT(fine.q, 1e-3);
    }
}

/// Rods of length 1 on hinges about z and y in turn, from a straight line at rest in a gravity aslant: motion in space.
std::shared_ptr<const System> hinged_chain(int n) {
  SystemBuilder b;
  for (int i = 0; i < n; ++i) {
    b.node("rod_" + std::to_string(i), NodeRigid{.position = {{i + 0.5, 0.0, 0.0}}});
    b.object("body_" + std::to_string(i), RigidBody{.mass_value = 1.0, .inertia = {{0.01, 0.0, 0.0, 0.0, 1.0 / 12.0, 0.0, 0.0, 0.0, 1.0 / 12.0}}}, {b.marker(i)});
  }
  for (int i = 0; i < n; ++i) {
    const Mat3<double> turn = rotation_exp(Vec3<double>{{i % 2 ? 1.5707963267948966 : 0.0, 0.0, 0.0}});
    b.relation("hinge_" + std::to_string(i), Revolute{}, {i > 0 ? b.marker(i - 1, {{0.5, 0.0, 0.0}}, turn) : b.marker(-1, {}, turn), b.marker(i, {{-0.5, 0.0, 0.0}}, turn)}, equality());
  }
  b.system().gravity = {{0.0, -9.81, -3.0}};
  return b.finish();
}

TEST(GeneralizedAlpha, KeepsReactionsBoundedWithoutDampingAtIndexTwo) {
  // The largest reaction of a chain that swings stays what it is with damping; at index 3 it grows by powers of ten.
  double largest[2] = {};
  for (const double S : {0.9, 1.0})
    run(hinged_chain(2), 20.0, 5e-3, radius(S, 2), [&](const State& s) {
      for (int i = 0; i < 10; ++i) largest[S == 1.0] = std::max(largest[S == 1.0], std::abs(s.lambda()[i]));
    });
  EXPECT_NEAR(largest[1], largest[0], 0.1 * largest[0]);
}

TEST(GeneralizedAlpha, HoldsPositionsAndVelocitiesToRoundingAtIndexTwo) {
  const auto system = hinged_chain(8);
  Accelerations check(*system);
  for (const bool modified : {false, true})
    run(system, 1.0, 5e-3, radius(0.8, 2, modified), [&](const State& s) {
      EXPECT_LT(check.position_violation(s.t(), s.y(), s.data()), 1e-12);
      EXPECT_LT(check.velocity_violation(s.t(), s.y(), s.data()), 1e-11);  // of 10 m/s
    });
}

TEST(GeneralizedAlpha, GivesTheSameAnswersByFullAndModifiedIteration) {
  const auto system = hinged_chain(8);
  for (const int index : {3, 2}) {
    const Motion full = run(system, 1.0, 5e-3, radius(0.8, index)), modified = run(system, 1.0, 5e-3, radius(0.8, index, true));
    for (int i = 0; i < system->layout.nq; ++i) EXPECT_NEAR(full.state.q()[i], modified.state.q()[i], 1e-7) << index;  // a chaotic chain: 1e-9 a step
    for (int r = 0; r < system->layout.rows; ++r) EXPECT_NEAR(full.state.lambda()[r], modified.state.lambda()[r], 1e-4) << index;
    EXPECT_LT(modified.report.iterations, 4 * modified.report.steps) << full.report.iterations;
  }
}

TEST(GeneralizedAlpha, KeepsTheEnergyOfAChainAtBothIndicesToItsOrder) {
  const auto system = hinged_chain(4);
  for (const int index : {3, 2}) {
    const auto loss = [&](double h) {
      const Motion m = run(system, 0.5, h, radius(0.9, index));
      return std::abs(m.report.energy_end - m.report.energy_start);
    };
    EXPECT_GT(order(loss(4e-3), loss(2e-3)), 1.7) << index;
  }
}

TEST(GeneralizedAlpha, CarriesRedundantJointsAsOneAndNamesThem) {
  const Errors one = pendulum_errors(0.9, 0.01), two = pendulum_errors(0.9, 0.01, 2);
  EXPECT_NEAR(one.q, two.q, 1e-10);
  EXPECT_NEAR(one.lambda, two.lambda, 2e-7);  // the equations are solved to 1e-9 of the largest force, 15 N
  SystemBuilder b;
  add_pendulum(b, 1.0, 2.0, 2);
  const Motion r = run(b.finish(), 0.05, 0.01, radius(0.9));
  ASSERT_EQ(r.report.warnings.size(), 1u);
  EXPECT_NE(r.report.warnings[0].message.find("rank deficiency 5"), std::string::npos);
}

TEST(GeneralizedAlpha, HasOrderTwoOnFirstOrderStates) {
  for (const double S : {0.9, 0.5, 0.0}) {
    const auto worst = [&](double h) {
      SystemBuilder b;
      const int x = b.node("x", NodeFirst{{1.0}});
      b.force("f", Oscillator{.stiffness = 2.0, .amplitude = 3.0, .frequency = 4.0}, {b.coordinate(x, 0)});
      double error = 0.0;
      run(b.finish(), 2.0, h, radius(S), [&](const State& s) {
        const double t = s.t(), forced = 3.0 / 20.0;  // xdot = -2 x + 3 cos 4 t
        const double exact = (1.0 - 2.0 * forced) * std::exp(-2.0 * t) + forced * (2.0 * std::cos(4.0 * t) + 4.0 * std::sin(4.0 * t));
        error = std::max(error, std::abs(s.x()[0] - exact));
      });
      return error;
    };
    EXPECT_NEAR(order(worst(0.02), worst(0.01)), 2.0, 0.15) << S;
  }
}

TEST(GeneralizedAlpha, DampsWhatIsFasterThanTheStepByItsSpectralRadius) {
  // At infinite frequency a triple eigenvalue -S (Chung, Hulbert 1993): after n steps amplitudes go as n^2 S^n.
  for (const double S : {0.9, 0.6}) {
    SystemBuilder b;
    const int n = b.node("p", NodePoint{.displacement = {{1e-3, 0.0, 0.0}}});
    b.object("m", point_mass(1.0), {b.marker(n)});
    b.force("f", Oscillator{.stiffness = 1e12}, {b.coordinate(n, 0)});
    const auto plan = generalized_alpha_scheme().bind(b.finish(), radius(S));
    const auto work = generalized_alpha_scheme().new_workspace(*plan);
    State s = plan->new_state();
    s.h() = 0.01;
    ASSERT_EQ(generalized_alpha_scheme().start(*plan, s, *work).status, StepStatus::accepted);
    double early = 0.0;
    for (int i = 1; i <= 80; ++i) {
      const StepReport r = generalized_alpha_scheme().step(*plan, s, *work, 0.01);
      ASSERT_EQ(r.status, StepStatus::accepted) << r.cause;
      if (i == 40) early = std::abs(s.q()[0]);
    }
    EXPECT_NEAR(std::pow(std::abs(s.q()[0]) / early, 1.0 / 40.0) / S, std::pow(2.0, 2.0 / 40.0), 0.01) << S;
  }
}

TEST(GeneralizedAlpha, FollowsTheForcedOscillatorAndStaysAtRestWhereItRests) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{.displacement = {{0.2, 0.0, 0.0}}});
  b.object("m", point_mass(2.0), {b.marker(n)});
  b.force("f", Oscillator{.stiffness = 50.0, .damping = 0.6, .amplitude = 3.0, .frequency = 4.0}, {b.coordinate(n, 0)});
  const auto s = b.finish();
  const auto error = [&](double h) { return std::abs(run(s, 5.0, h, radius(0.8)).state.q()[0] - 0.10481327110400859); };  // case linear_oscillator
  EXPECT_NEAR(order(error(0.01), error(0.005)), 2.0, 0.15);
  // A bar under prestress: forces of 1e6 N cancel, no acceleration.
  SystemBuilder c;
  const int k = c.node("p", NodePoint{});
  c.object("m", point_mass(1.0), {c.marker(k)});
  c.force("left", SpringDamper{.stiffness = 1e7, .rest_length = 0.9}, {c.marker(-1, {{-1.0, 0.0, 0.0}}), c.marker(k)});
  c.force("right", SpringDamper{.stiffness = 1e7, .rest_length = 0.9}, {c.marker(-1, {{1.0, 0.0, 0.0}}), c.marker(k)});
  const Motion still = run(c.finish(), 0.1, 0.01, radius(0.8));
  EXPECT_NEAR(still.state.q()[0], 0.0, 1e-15);
  EXPECT_EQ(still.report.rejected, 0);
}

TEST(GeneralizedAlpha, CarriesAPrescribedMotionsForceFromTheFirstStep) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{.velocity = {{0.6, 0.0, 0.0}}});
  b.object("m", point_mass(2.0), {b.marker(n)});
  b.relation("move", Prescribed{.amplitude = 0.3, .frequency = 2.0}, {b.coordinate(n, 0)}, equality());
  run(b.finish(), 1.0, 0.005, radius(0.9), [](const State& s) {
    EXPECT_NEAR(s.q()[0], 0.3 * std::sin(2.0 * s.t()), 1e-13);
    EXPECT_NEAR(s.lambda()[0], -2.0 * 1.2 * std::sin(2.0 * s.t()), 1e-3);
  });
}

TEST(GeneralizedAlpha, FollowsTheHeavyTopAtAMillisecond) {
  SystemBuilder b;
  const Vec3<double> w{{0.0, 150.0, -4.61538}}, arm{{0.0, 1.0, 0.0}};
  const int n = b.node("top", NodeRigid{.position = arm, .velocity = cross(w, arm), .angular_velocity = w});
  b.object("body", RigidBody{.mass_value = 15.0, .inertia = Mat3<double>{{0.234375, 0.0, 0.0, 0.0, 0.46875, 0.0, 0.0, 0.0, 0.234375}}}, {b.marker(n)});
  b.relation("ball", Ball{}, {b.ground(), b.marker(n, arm * -1.0)}, equality());
  b.system().gravity = {{0.0, 0.0, -9.81}};
  const auto s = b.finish();
  const auto error = [&](double h, int index = 3, bool modified = false) {  // case heavy_top at 0.1 s
    const Motion r = run(s, 0.1, h, radius(0.9, index, modified));
    return std::max({std::abs(r.state.q()[0] - 0.4212966589254021), std::abs(r.state.q()[1] - 0.894571974345593), std::abs(r.state.q()[2] + 0.14916470056189962)});
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  EXPECT_LT(coarse, 0.005);
  EXPECT_NEAR(order(coarse, fine), 2.0, 0.2) << coarse << " " << fine;
  EXPECT_NEAR(error(1e-3, 3, true), coarse, 1e-6);
  const double second = error(1e-3, 2), finer = error(5e-4, 2);
  EXPECT_LT(second, 0.005);
  EXPECT_NEAR(order(second, finer), 2.0, 0.2) << second << " " << finer;
  EXPECT_NEAR(error(1e-3, 2, true), second, 1e-6);
  const Motion r = run(s, 1.0, 1e-3, radius(0.9));
  EXPECT_NEAR(r.state.q()[0], 0.17334396409838615, 0.05);
  EXPECT_NEAR(r.state.q()[1], 0.6400885920705686, 0.05);
}

TEST(GeneralizedAlpha, HoldsNonholonomicCompliantAndAlgebraicRows) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{.velocity = {{1.0, 0.0, 0.0}}}), z = b.node("z", NodeAlgebraic{});
  b.object("m", point_mass(1.0), {b.marker(n)});
  b.relation("edge", Knife{}, {b.coordinate(n, 0), b.coordinate(n, 1)}, equality());
  b.relation("soft", Compliant{.compliance = 0.01}, {b.coordinate(n, 2)}, equality());
  b.force("cubic", CubicSpring{.stiffness = 7.0}, {b.coordinate(n, 0), b.coordinate(z, 0)});
  run(b.finish(), 0.5, 0.005, radius(0.8), [](const State& s) {
    EXPECT_NEAR(s.v()[1], s.q()[0] * s.v()[0], 1e-11);
    const double zz = s.z()[0];
    EXPECT_NEAR(zz + zz * zz * zz, s.q()[0], 1e-12);
  });
}

TEST(GeneralizedAlpha, ControlsItsErrorByItsSteps) {
  Swing exact{1.0, 2.0};
  exact.advance(2.0);
  double last = 1.0;
  for (const double tolerance : {1e-5, 1e-7}) {
    SystemBuilder b;
    add_pendulum(b, 1.0, 2.0);
    SchemeOptions options = radius(0.8);
    options.tolerance = tolerance;
    const Motion r = run(b.finish(), 2.0, 0.0, options);
    const double error = std::abs(r.state.q()[0] - std::sin(exact.angle));
    EXPECT_LT(error, 1e3 * tolerance);
    EXPECT_LT(error, 0.2 * last);
    last = error;
  }
}

TEST(GeneralizedAlpha, KeepsOneFactorOverAllStepsOfALinearChain) {
  SystemBuilder b;
  constexpr int n = 50, steps = 500;
  for (int i = 0; i < n; ++i) b.node("p" + std::to_string(i), Node1D{.velocity = 0.1 * std::sin(i + 1)});
  for (int i = 0; i < n; ++i) b.object("m", Mass1D{1.0}, {b.coordinate(i)});
  for (int i = 0; i < n; ++i)
    b.force("s", CoordinateSpringDamper{.stiffness = 1000.0, .damping = 1.0}, {i ? b.coordinate(i - 1) : b.ground_coordinate(), b.coordinate(i)});
  const auto chain = b.finish();
  const Motion kept = run(chain, 1e-3 * steps, 1e-3, radius(0.8, 3, true)), full = run(chain, 1e-3 * steps, 1e-3, radius(0.8));
  EXPECT_EQ(kept.report.factorizations, 1);
  EXPECT_EQ(kept.report.iterations, steps);  // one solve a step
  EXPECT_EQ(full.report.factorizations, steps + 1);  // one more where the averages begin
  for (int i = 0; i < n; ++i) EXPECT_NEAR(kept.state.y()[i], full.state.y()[i], 1e-12);
}

TEST(GeneralizedAlpha, ContinuesBitForBitFromASavedState) {
  const Scheme& scheme = generalized_alpha_scheme();
  for (const int variant : {0, 1, 2, 3, 4, 5, 6, 7}) {
    const bool control = variant & 1, modified = variant & 2;
    SystemBuilder b;
    add_pendulum(b, 1.0, 2.0, variant & 4 ? 1 : 2);
    SchemeOptions options = radius(0.8, variant & 4 ? 2 : 3, modified);
    options.error_control = control;
    const auto plan = scheme.bind(b.finish(), options);
    const auto advance = [&](State& state, int steps, bool fresh) {
      const auto work = scheme.new_workspace(*plan);
      if (fresh) {
        state.h() = 1e-3;
        ASSERT_EQ(scheme.start(*plan, state, *work).status, StepStatus::accepted);
      }
      for (int done = 0, tries = 0; done < steps && tries < 1000; ++tries) {
        const StepReport r = scheme.step(*plan, state, *work, state.h());
        if (control && r.suggested_step > 0.0) state.h() = r.suggested_step;
        if (r.status == StepStatus::accepted) ++done;
      }
    };
    State through = plan->new_state(), first = plan->new_state(), second = plan->new_state();
    advance(through, 100, true);
    EXPECT_GT(through.t(), control ? 0.002 : 0.09);
    advance(first, 50, true);
    std::copy(first.bytes().begin(), first.bytes().end(), second.bytes().begin());
    advance(second, 50, false);
    EXPECT_EQ(0, std::memcmp(through.bytes().data(), second.bytes().data(), through.bytes().size_bytes())) << variant;
  }
}

TEST(GeneralizedAlpha, RefusesWhatDoesNotConvergeOrIsNotSmooth) {
  static const LawType stop{.name = "complementarity", .unilateral = true};
  const auto one_option = [](const char* name, Value value) {
    Object given;
    given.set(name, std::move(value));
    return given;
  };
  const auto complaint = [](const LawRef& law, SchemeOptions options) {
    SystemBuilder b;
    const int n = b.node("p", NodePoint{});
    b.object("m", point_mass(1.0), {b.marker(n)});
    b.relation("floor", Prescribed{}, {b.coordinate(n, 1)}, law);
    try {
      (void)generalized_alpha_scheme().bind(b.finish(), options);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("bound");
  };
  EXPECT_NE(complaint({&stop}, {}).find("moreau_jean"), std::string::npos);
  EXPECT_NE(complaint(equality(), radius(1.0)).find("index 2"), std::string::npos);
  EXPECT_EQ(complaint(equality(), radius(1.0, 2)), "bound");
  EXPECT_NE(complaint(equality(), radius(1.5)).find("between 0 and 1"), std::string::npos);
  EXPECT_NE(complaint(equality(), {.given = one_option("theta", 0.5)}).find("theta"), std::string::npos);
  EXPECT_NE(complaint(equality(), {.given = one_option("index", 1.0)}).find("must be 2 or 3"), std::string::npos);
  EXPECT_NE(complaint(equality(), {.given = one_option("newton", "quick")}).find("modified"), std::string::npos);
  EXPECT_EQ(complaint(equality(), radius(0.8, 2, true)), "bound");
  EXPECT_EQ(complaint(equality(), {}), "bound");
}

TEST(GeneralizedAlpha, NamesAnUnknownWithoutMass) {
  SystemBuilder b;
  const int n = b.node("ghost", NodePoint{});
  b.force("f", Oscillator{.stiffness = 1.0}, {b.coordinate(n, 0)});
  const auto plan = generalized_alpha_scheme().bind(b.finish(), {});
  const auto work = generalized_alpha_scheme().new_workspace(*plan);
  State s = plan->new_state();
  s.h() = 1e-3;
  const StepReport r = generalized_alpha_scheme().start(*plan, s, *work);
  EXPECT_EQ(r.status, StepStatus::failed);
  EXPECT_NE(r.cause.find("ghost"), std::string::npos) << r.cause;
}

TEST(GeneralizedAlpha, KeepsNoFactorForAWhileWhereKeptOnesDoNotServe) {
  // Rods that fall turn too far in a step of 5 ms for the matrix of the step before: keeping it costs more iterations than it saves.
  const auto system = hinged_chain(12);
  const Motion full = run(system, 0.5, 5e-3, radius(0.8)), modified = run(system, 0.5, 5e-3, radius(0.8, 3, true));
  EXPECT_LT(modified.report.iterations, full.report.iterations + full.report.steps / 3);
  EXPECT_LT(modified.report.factorizations, full.report.factorizations + full.report.steps / 10);
}

}  // namespace
}  // namespace saltus
