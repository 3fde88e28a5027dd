// Error control, drift, impulses and the start.
#include "saltus/integrate/moreau_testing.hpp"

namespace saltus {
namespace {

TEST(MoreauControl, MeetsTheToleranceOnAPendulumAndNeedsMoreStepsForLess) {
  // Rod pendulum in two coordinates from rest at 90 degrees: energy g (y) + v^2/2 = 0 and the angle by quadrature of period
  // 4 K(sin 45 degrees)/sqrt(g): q(period) = q(0).
  const double period = 4.0 * 1.8540746773013719 / std::sqrt(g);
  std::int64_t steps = 0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    SystemBuilder b;
    const int x = b.node("x", Axis{.position = 1.0}), y = b.node("y", Axis{});
    b.object("mx", Mass{}, {b.coordinate(x)});
    b.object("my", Mass{.gravity = g}, {b.coordinate(y)});
    b.relation("rod", Rod{}, {b.coordinate(x), b.coordinate(y)}, {&equality_law()});
    const Trial r = run_controlled(b.finish(), tolerance, period);
    // The errors of some hundred steps add up: a hundred times the tolerance of one.
    EXPECT_NEAR(r.state.q()[1], 0.0, 100.0 * tolerance) << tolerance;
    EXPECT_NEAR(r.state.q()[0], 1.0, 100.0 * tolerance) << tolerance;
    EXPECT_NEAR(r.report.energy_end, r.report.energy_start, 100.0 * tolerance * g) << tolerance;
    EXPECT_GT(r.report.steps, steps);
    steps = r.report.steps;
  }
  EXPECT_LT(steps, 50000);
}

TEST(MoreauControl, FindsTheFirstImpactsAndTheZenoEndOfABall) {
  const Law law(NewtonImpact{.restitution = 0.8});
  const double t1 = std::sqrt(2.0 / g), v1 = g * t1;
  for (const double tolerance : {1e-4, 1e-6}) {
    double last_motion = 0.0;
    const Trial r = run_controlled(ball(law, 1.0), tolerance, 6.0, {}, [&](const State& s) {
      if (std::abs(s.v()[0]) > 1e-9) last_motion = s.t();
    });
    ASSERT_GE(r.events.size(), 3u);
    double t = t1, v = v1;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(r.events[i].t, t, 10.0 * tolerance) << i;
      EXPECT_NEAR(r.events[i].value, 1.8 * v, 100.0 * tolerance) << i;
      v *= 0.8;
      t += 2.0 * v / g;
    }
    // Lower bounces than the tolerance of its fall of 1 m are passed several a step: 2 sqrt(2 tolerance / g) / (1 - e) of time at most.
    EXPECT_NEAR(last_motion, 9.0 * t1, 4.6 * std::sqrt(tolerance));
    EXPECT_NEAR(r.state.q()[0], 0.0, tolerance);
    EXPECT_EQ(r.state.v()[0], 0.0);
    EXPECT_NEAR(r.state.lambda()[0], g, 1e-9);
    EXPECT_LT(r.report.steps, 20000);
  }
}

TEST(MoreauControl, DoesNotPassThroughAWallThatIsThinnerThanItsStep) {
  // Two balls in a line, the gap a distance |dx| - 2r that opens again behind: only the rate tells that they meet.
  const Law law(NewtonImpact{.restitution = 1.0});
  SystemBuilder b;
  const int a = b.node("a", NodeRigid{.velocity = {{1.0, 0.0, 0.0}}}), c = b.node("c", NodeRigid{.position = {{1.0, 0.0, 0.0}}});
  const Mat3<double> J{{0.004, 0, 0, 0, 0.004, 0, 0, 0, 0.004}};
  b.object("a", RigidBody{.mass_value = 1.0, .inertia = J}, {b.marker(a)});
  b.object("c", RigidBody{.mass_value = 1.0, .inertia = J}, {b.marker(c)});
  b.relation("touch", SphereContact<1>{.radius_A = 0.05, .radius_B = 0.05}, {b.marker(a), b.marker(c)}, law.ref());
  const Trial r = run_controlled(b.finish(), 1e-6, 100.0);
  EXPECT_NEAR(r.state.v()[0], 0.0, 1e-6);
  EXPECT_NEAR(r.state.v()[6], 1.0, 1e-6);
  EXPECT_NEAR(r.events.at(0).t, 0.9, 1e-5);
}

TEST(MoreauControl, FollowsARelayIntoItsSlidingMode) {
  const Law law(Relay{.low = -2.0, .high = 2.0, .on = "value"});
  SystemBuilder b;
  const int n = b.node("n", State1{.value = 1.0});
  b.force("f", Decay{.rate = 0.0, .source = 0.5}, {b.coordinate(n)});
  b.relation("relay", Switch{}, {b.coordinate(n)}, law.ref());
  const Trial r = run_controlled(b.finish(), 1e-6, 1.0, {}, [&](const State& s) { EXPECT_NEAR(s.x()[0], std::max(0.0, 1.0 - 1.5 * s.t()), 1e-5); });
  EXPECT_NEAR(r.state.x()[0], 0.0, 1e-12);
  EXPECT_NEAR(r.state.lambda()[0], -0.5, 1e-9);
}

TEST(MoreauControl, FollowsDryFrictionToItsDeadBand) {
  const double F = 1.0, k = 10.0;
  const Law law(Relay{.low = -F, .high = F, .on = "rate"});
  SystemBuilder b;
  const int n = b.node("n", Axis{.position = 1.05});
  b.object("m", Mass{.stiffness = k}, {b.coordinate(n)});
  b.relation("friction", CoordinateGap{}, {b.coordinate(n)}, law.ref());
  const Trial r = run_controlled(b.finish(), 1e-6, 6.5 * M_PI / std::sqrt(k));
  EXPECT_NEAR(r.state.q()[0], -0.05, 1e-4);
  EXPECT_NEAR(r.state.v()[0], 0.0, 1e-10);
  EXPECT_EQ(r.events.back().kind, "stick");
}

TEST(MoreauControl, RocksABlockAsHousnerSays) {
  // Slender block 0.2 x 1 released at half its tilting angle: the impact on the other corner keeps the moment of momentum
  // about it, so the speed falls to r = 1 - 3/2 sin^2 a of itself: cos(a - peak) - cos a = r^2 (cos(a - start) - cos a) (Housner 1963).
  const double a = std::atan(0.2), start = 0.5 * a, r = 1.0 - 1.5 * std::pow(std::sin(a), 2);
  const double peak = a - std::acos(std::cos(a) + r * r * (std::cos(a - start) - std::cos(a)));
  const Law law(CoulombImpact{.friction = 10.0});
  SystemBuilder b;
  const int n = b.node("n", NodeRigid2D{.position = {{0.1 * std::cos(start) - 0.5 * std::sin(start), 0.1 * std::sin(start) + 0.5 * std::cos(start), 0.0}}, .angle = start});
  const double J = (0.04 + 1.0) / 12.0;
  b.object("block", RigidBody{.mass_value = 1.0, .inertia = Mat3<double>{{J, 0, 0, 0, J, 0, 0, 0, J}}}, {b.marker(n)});
  const Mat3<double> up{{1, 0, 0, 0, 0, 1, 0, -1, 0}};  // its z axis is the world's y
  for (const double x : {-0.1, 0.1})
    b.relation(x < 0 ? "left" : "right", PlaneContact<3>{}, {b.marker(-1, {}, up), b.marker(n, {{x, -0.5, 0.0}})}, law.ref());
  b.system().gravity = {{0.0, -g, 0.0}};
  double least = start;
  const Trial run = run_controlled(b.finish(), 1e-6, 1.5, {}, [&](const State& s) { least = std::min(least, s.q()[2]); });
  EXPECT_NEAR(least, -peak, 1e-4);  // of the recorded instants: 1e-4 rad above the peak between two steps of 10 ms
  EXPECT_LT(run.report.steps, 2000);
}

struct Push {  // a force rate t on a coordinate
  double rate = 1.0;
  using port = CoordPort<1>;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "push";
  template <class S>
  Vec<S, 1> rhs(const CoordPort<1>::View<S>&, const Context<S>& c) const { return {{rate * c.t}}; }
};

TEST(MoreauControl, LetsGoOfWhatIsHeldWhenItsForceSaysSo) {
  // Dry friction of 5 N under 8 t, and 1 kg on the ground under 20 t: at rest to t0, then rate (t - t0)^3 / 6. Both stand still for long
  // steps whose mean forces do not tell; the error was 2e-3 for any tolerance.
  const Law friction(Relay{.low = -5.0, .high = 5.0, .on = "rate"});
  const Law ground(NewtonImpact{});
  for (const bool lifts : {false, true}) {
    const double rate = lifts ? 20.0 : 8.0, t0 = (lifts ? g : 5.0) / rate, end = t0 + 0.5;
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      SystemBuilder b;
      const int n = b.node("n", Axis{});
      b.object("m", Mass{.gravity = lifts ? g : 0.0}, {b.coordinate(n)});
      b.force("push", Push{.rate = rate}, {b.coordinate(n)});
      b.relation("holds", CoordinateGap{}, {b.coordinate(n)}, lifts ? ground.ref() : friction.ref());
      const Trial r = run_controlled(b.finish(), tolerance, end);
      EXPECT_NEAR(r.state.q()[0], rate / 6.0 * std::pow(0.5, 3), 100.0 * tolerance) << lifts << " " << tolerance;
      EXPECT_LT(r.report.steps, 300 + 0.3 / std::sqrt(tolerance));  // of second order behind the release
    }
  }
}

TEST(MoreauControl, ContinuesARunBitForBit) {
  const Law law(NewtonImpact{.restitution = 0.8});
  const auto system = ball(law, 1.0);
  for (const long stop : {7L, 40L, 100L}) {
    SchemeOptions options;
    options.error_control = true;
    const auto plan = moreau_jean().bind(system, options);
    State whole = plan->new_state(), half = plan->new_state();
    SimulateOptions so;
    so.until = 1.5;
    (void)simulate(moreau_jean(), *plan, whole, so, {});
    so.most_steps = stop;
    (void)simulate(moreau_jean(), *plan, half, so, {});
    so.most_steps = 1'000'000;
    State copy = plan->new_state();
    std::copy(half.bytes().begin(), half.bytes().end(), copy.bytes().begin());
    (void)simulate(moreau_jean(), *plan, copy, so, {}, true);
    for (std::size_t i = 0; i < copy.bytes().size(); ++i) EXPECT_EQ(copy.bytes()[i], whole.bytes()[i]) << stop << " " << i;
  }
}

// --- drift ----------------------------------------------------------------------------------------------------------------

TEST(Drift, OfAPendulumStaysAsItsOptionSays) {
  // 20 swings. Rates hold in each: the row is solved for at the end of the step. Positions drift without help only.
  for (const std::string drift : {"none", "projection", "ggl"}) {
    SystemBuilder b;
    const int n = b.node("n", NodeRigid{.position = {{0.5, 0.0, 0.0}}});
    b.object("rod", RigidBody{.mass_value = 1.0, .inertia = Mat3<double>{{1e-3, 0, 0, 0, 1.0 / 12.0, 0, 0, 0, 1.0 / 12.0}}}, {b.marker(n)});
    b.relation("pin", Revolute{}, {b.ground(), b.marker(n, {{-0.5, 0.0, 0.0}})}, {&equality_law()});
    b.system().gravity = {{0.0, -g, 0.0}};
    SchemeOptions options;
    options.given.set("drift", drift);
    const auto system = b.finish();
    Assembly look(*system);
    std::vector<double> y(system->layout.rows);
    double open = 0.0, moving = 0.0;
    const Trial r = run(system, 0.01, 20.0, options, [&](const State& s) {
      look.update(s.t(), s.y());
      RowSink sink;
      sink.y = y.data();
      look.relations(sink);
      look.input_blocks();
      const RelationEntry& e = system->relation_entries[0];
      for (int i = 0; i < e.rows; ++i) {
        double rate = 0.0;
        for (int c = 0; c < e.columns; ++c) rate += look.direction(e)[i * e.columns + c] * s.v()[system->relation_columns[c]];
        open = std::max(open, std::abs(y[i]));
        moving = std::max(moving, std::abs(rate));
      }
    });
    EXPECT_TRUE(drift == "none" ? open > 1e-6 : open < 1e-12) << drift << " " << open;
    EXPECT_LT(moving, drift == "projection" ? 1e-2 : 1e-8) << drift;  // the projection turns the rod, its speed stays
  }
}

TEST(Drift, OfAClosedContactIsLiftedOutWithinTheStep) {
  const Law law(NewtonImpact{});
  for (const std::string drift : {"none", "projection", "ggl"}) {
    SchemeOptions options;
    options.given.set("drift", drift);
    const Trial r = run(ball(law, 1.0), 0.03, 5.0, options);
    EXPECT_TRUE(drift == "none" ? std::abs(r.state.q()[0]) > 1e-6 : std::abs(r.state.q()[0]) < 1e-12) << drift << " " << r.state.q()[0];
    EXPECT_NEAR(r.state.v()[0], 0.0, 1e-12) << drift;
  }
}

// --- forces and percussions ------------------------------------------------------------------------------------------------

TEST(Impulses, AndForcesAddUpToTheMomentum) {
  const Law law(NewtonImpact{.restitution = 0.5});
  const double h = 1e-3, until = 3.0, m = 2.0;
  SystemBuilder b;
  const int n = b.node("n", Axis{.position = 1.0});
  b.object("m", Mass{.mass_value = m, .gravity = g}, {b.coordinate(n)});
  b.relation("floor", CoordinateGap{}, {b.coordinate(n)}, law.ref());
  double forces = 0.0, last = 0.0, largest = 0.0;
  const Trial r = run(b.finish(), h, until, {}, [&](const State& s) {
    forces += (s.t() - last) * s.lambda()[0];
    largest = std::max(largest, s.lambda()[0]);
    last = s.t();
  });
  double impulses = 0.0;
  for (const Event& e : r.events)
    if (e.kind == "impact") impulses += e.value;
  EXPECT_NEAR(m * r.state.v()[0], forces + impulses - m * g * until, 1e-9);
  EXPECT_GT(impulses, 1.5 * m * std::sqrt(2.0 * g));  // the first one alone
  EXPECT_LE(largest, m * g * (1.0 + 1e-9));           // no percussion is shown as a force
}

TEST(Impulses, ThatPassToAJointAreFlaggedThere) {
  const Law law(NewtonImpact{.restitution = 0.5});
  SystemBuilder b;  // a pendulum that swings against a stop
  const int x = b.node("x", Axis{.position = 1.0}), y = b.node("y", Axis{});
  b.object("mx", Mass{}, {b.coordinate(x)});
  b.object("my", Mass{.gravity = g}, {b.coordinate(y)});
  b.relation("rod", Rod{}, {b.coordinate(x), b.coordinate(y)}, {&equality_law()});
  b.relation("stop", CoordinateGap{.at = 0.5}, {b.coordinate(x)}, law.ref());
  double largest = 0.0;
  const Trial r = run(b.finish(), 1e-3, 1.0, {}, [&](const State& s) { largest = std::max(largest, std::abs(s.lambda()[0])); });
  EXPECT_LT(largest, 4.0 * g);  // of a swing from 90 degrees: 3 m g at most
  bool impact = false, percussion = false;
  for (const Event& e : r.events) impact |= e.kind == "impact" && e.item == "stop", percussion |= e.kind == "percussion" && e.item == "rod";
  EXPECT_TRUE(impact);
  EXPECT_TRUE(percussion);
}

TEST(Start, KnowsTheForceOfABodyAtRest) {
  const Law law(CoulombImpact{.friction = 0.5});
  SystemBuilder b;
  const int n = b.node("n", NodeRigid{.position = {{0.0, 0.0, 0.1}}});
  b.object("ball", RigidBody{.mass_value = 2.0, .inertia = Mat3<double>{{0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.05}}}, {b.marker(n)});
  b.relation("floor", PlaneContact<3>{.radius = 0.1}, {b.ground(), b.marker(n)}, law.ref());
  b.system().gravity = {{0.0, 0.0, -g}};
  bool first = true;
  (void)run(b.finish(), 1e-3, 1e-2, {}, [&](const State& s) {
    if (std::exchange(first, false)) {
      EXPECT_NEAR(s.lambda()[0], 2.0 * g, 1e-6);
    }
  });
}

// --- relations with several rows of one law; pitfalls -----------------------------------------------------------------------

struct TwoSwitches {  // y = x, xdot += B lambda: each row feels both relays
  using port = CoordPort<2>;
  static constexpr int rows = 2;
  static constexpr bool has_input = true;
  static constexpr std::string_view name = "two_switches";
  template <class S>
  Vec<S, 2> h(const CoordPort<2>::View<S>& x, const Context<S, 2>&) const { return {{x.q[0], x.q[1]}}; }
  template <class S>
  Vec<S, 2> g(const CoordPort<2>::View<S>&, const Context<S, 2>& c) const { return {{c.lambda[0] - c.lambda[1], c.lambda[0] + c.lambda[1]}}; }
};

TEST(Relay, OnTwoRowsSlidesInBoth) {
  // xdot = 2 B s, s in -Sgn(x), B = [1 -1; 1 1]: from (1, 1) the second falls at 4, then the first at 2, sliding on the second
  // with lambda_1 = -lambda_2 (Acary, Brogliato 2008, section 1.2.2): at rest in 0 from t = 0.25 + 1 / 4 on.
  const Law law(Relay{.low = -2.0, .high = 2.0, .on = "value"});
  SystemBuilder b;
  const int x = b.node("x", State1{.value = 1.0}), y = b.node("y", State1{.value = 1.0});
  b.relation("relays", TwoSwitches{}, {b.coordinate(x), b.coordinate(y)}, law.ref());
  const Trial r = run(b.finish(), 1e-3, 1.0, {}, [](const State& s) {
    const double t = s.t();
    EXPECT_NEAR(s.x()[1], std::max(0.0, 1.0 - 4.0 * t), 5e-3) << t;
    EXPECT_NEAR(s.x()[0], t < 0.25 ? 1.0 : std::max(0.0, 1.0 - 4.0 * (t - 0.25)), 5e-3) << t;
  });
  for (int i : {0, 1}) {
    EXPECT_NEAR(r.state.x()[i], 0.0, 1e-12);
    EXPECT_NEAR(r.state.lambda()[i], 0.0, 1e-9);
  }
}

TEST(Pitfall, ARelayThatItsRowDoesNotFeelWithinTheStepStillMovesTheMotor) {
  // Voltage -> current -> torque -> speed: its own entry of W is of third order in the step. It was taken for solved while
  // the motor stood still.
  const Law relay(Relay{.low = -24.0, .high = 24.0, .on = "value"});
  SystemBuilder b;
  const int shaft = b.node("shaft", Axis{}), current = b.node("current", State1{});
  b.object("rotor", Mass{.mass_value = 0.1}, {b.coordinate(shaft)});
  b.force("winding", Coupling{.constant = 0.5, .inductance = 0.01, .resistance = 1.0}, {b.coordinate(shaft), b.coordinate(current)});
  b.relation("voltage", DriveByVoltage{.wanted = 10.0, .inductance = 0.01}, {b.coordinate(shaft), b.coordinate(current)}, relay.ref());
  const auto system = b.finish();
  const Trial r = run(system, 1e-4, 0.5);
  EXPECT_NEAR(r.state.v()[0], 10.0, 0.05);
  EXPECT_LE(std::abs(r.state.lambda()[0]), 24.0);
}

}  // namespace
}  // namespace saltus
