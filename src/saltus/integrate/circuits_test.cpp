// Circuits in the one step: potentials are algebraic unknowns, diodes the same law as contacts.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/integrate/moreau.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/items/circuits/dc_motor.hpp"
#include "saltus/items/circuits/diode.hpp"
#include "saltus/items/circuits/capacitor.hpp"
#include "saltus/items/circuits/charge_state.hpp"
#include "saltus/items/circuits/current_state.hpp"
#include "saltus/items/circuits/inductor.hpp"
#include "saltus/items/circuits/resistor.hpp"
#include "saltus/items/circuits/source_current.hpp"
#include "saltus/items/circuits/terminal.hpp"
#include "saltus/items/circuits/voltage_source.hpp"
#include "saltus/items/joints/revolute.hpp"
#include "saltus/items/laws/complementarity.hpp"
#include "saltus/items/laws/equality.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {
namespace {

LawRef diode_law() { return {&law_type<Complementarity>()}; }

struct Trial {
  std::unique_ptr<Plan> plan;
  State state;
  RunReport report;
};
Trial run(std::shared_ptr<const System> system, double h, double until, const std::function<void(const State&)>& look = {}) {
  Trial r;
  r.plan = moreau_jean().bind(std::move(system), {});
  r.state = r.plan->new_state();
  SimulateOptions so;
  so.until = until;
  so.step = h;
  r.report = simulate(moreau_jean(), *r.plan, r.state, so, [&](const State& s, const StepReport&) {
    if (look) look(s);
    return true;
  });
  EXPECT_EQ(static_cast<int>(r.report.status), static_cast<int>(RunStatus::done)) << r.report.cause;
  EXPECT_EQ(r.report.rejected, 0);
  EXPECT_LT(r.report.residual.laws, 1e-8);
  return r;
}

TEST(Circuit, ResistorDischargesACapacitorToSecondOrder) {
  const auto error = [](double h) {
    SystemBuilder b;
    const int a = b.node("a", Terminal{}), c = b.node("c", ChargeState{.voltage = 10.0});
    b.force("C", Capacitor{.capacitance = 1e-6}, {b.coordinate(a), b.ground_coordinate(), b.coordinate(c, 0), b.coordinate(c, 1)});
    b.force("R", Resistor{.resistance = 1e3}, {b.coordinate(a), b.ground_coordinate()});
    const Trial r = run(b.finish(), h, 2e-3);
    EXPECT_NEAR(r.state.z()[0], r.state.x()[0], 1e-9);  // potential of the terminal
    return std::abs(r.state.x()[0] - 10.0 * std::exp(-2.0));
  };
  EXPECT_LT(error(1e-5), 1e-2);
  EXPECT_NEAR(std::log2(error(2e-5) / error(1e-5)), 2.0, 0.3);
}

TEST(Circuit, SourceThroughResistorAndInductorFollowsTheClosedForm) {
  SystemBuilder b;
  const int a = b.node("a", Terminal{}), m = b.node("m", Terminal{}), i = b.node("i", CurrentState{}), s = b.node("s", SourceCurrent{});
  b.force("V", VoltageSource{.voltage = 5.0}, {b.coordinate(a), b.ground_coordinate(), b.coordinate(s)});
  b.force("R", Resistor{.resistance = 10.0}, {b.coordinate(a), b.coordinate(m)});
  b.force("L", Inductor{.inductance = 0.01}, {b.coordinate(m), b.ground_coordinate(), b.coordinate(i)});
  const Trial r = run(b.finish(), 1e-5, 2e-3);
  EXPECT_NEAR(r.state.x()[0], 0.5 * (1.0 - std::exp(-2.0)), 1e-5);
  EXPECT_NEAR(r.state.z()[2], -r.state.x()[0], 1e-9);  // through the source from A to B: it delivers
}

TEST(Circuit, DiodeLetsOneHalfWavePass) {
  Faults faults;
  SystemBuilder b;
  const int a = b.node("a", Terminal{}), k = b.node("k", Terminal{}), s = b.node("s", SourceCurrent{});
  b.force("V", VoltageSource{.voltage = Function::parse({"5*sin(2*pi*50*t)"}, {"t"}, {}, {}, "voltage", faults)}, {b.coordinate(a), b.ground_coordinate(), b.coordinate(s)});
  b.force("R", Resistor{.resistance = 100.0}, {b.coordinate(k), b.ground_coordinate()});
  b.relation("D", Diode{}, {b.coordinate(a), b.coordinate(k)}, diode_law());
  double worst = 0.0;
  (void)run(b.finish(), 1e-4, 0.04, [&](const State& state) {
    if (state.t() == 0.0) return;
    const double source = 5.0 * std::sin(2.0 * M_PI * 50.0 * state.t());
    worst = std::max(worst, std::abs(state.z()[1] - std::max(source, 0.0)));
  });
  EXPECT_LT(worst, 1e-10);
}

TEST(Circuit, InductorBehindADiodeKeepsZeroCurrentWithoutRinging) {
  // The free-wheeling path is missing: the diode opens at zero current, then the potentials must be quiet.
  SystemBuilder b;
  const int a = b.node("a", Terminal{}), k = b.node("k", Terminal{}), i = b.node("i", CurrentState{}), c = b.node("c", ChargeState{.voltage = 10.0});
  b.force("C", Capacitor{.capacitance = 1e-6}, {b.coordinate(a), b.ground_coordinate(), b.coordinate(c, 0), b.coordinate(c, 1)});
  b.relation("D", Diode{}, {b.coordinate(a), b.coordinate(k)}, diode_law());
  b.force("L", Inductor{.inductance = 1e-2}, {b.coordinate(k), b.ground_coordinate(), b.coordinate(i)});
  const double period = 2.0 * M_PI * std::sqrt(1e-2 * 1e-6);
  const double h = period / 2000.0;
  double largest = 0.0;
  const Trial r = run(b.finish(), h, 0.75 * period, [&](const State& s) {
    if (s.t() > 0.5 * period + 4.0 * h) largest = std::max(largest, std::abs(s.z()[1]));
  });
  EXPECT_NEAR(r.state.x()[1], -10.0, 0.05);  // half a swing: the voltage is reversed and stays
  EXPECT_NEAR(r.state.x()[0], 0.0, 1e-9);
  EXPECT_LT(largest, 1e-6);
}

/// Capacitor and inductor between a and ground, bridge of four ideal diodes, resistor between p and n that float while no
/// diode conducts: the matrix is singular, the laws make the whole regular.
TEST(Circuit, FloatingDiodeBridgeRectifies) {
  SystemBuilder b;
  const int a = b.node("a", Terminal{}), p = b.node("p", Terminal{}), n = b.node("n", Terminal{});
  const int i = b.node("i", CurrentState{}), c = b.node("c", ChargeState{.voltage = 10.0});
  const auto at = [&](int node) { return node < 0 ? b.ground_coordinate() : b.coordinate(node); };
  b.force("C", Capacitor{.capacitance = 1e-6}, {at(a), at(-1), b.coordinate(c, 0), b.coordinate(c, 1)});
  b.force("L", Inductor{.inductance = 1e-2}, {at(a), at(-1), at(i)});
  b.force("R", Resistor{.resistance = 1e3}, {at(p), at(n)});
  const std::pair<int, int> pairs[] = {{a, p}, {-1, p}, {n, a}, {n, -1}};
  for (int k = 0; k < 4; ++k) b.relation("D" + std::to_string(k), Diode{}, {at(pairs[k].first), at(pairs[k].second)}, diode_law());
  // While the bridge conducts, R is parallel to C and L: one damped oscillation throughout.
  const double C = 1e-6, L = 1e-2, R = 1e3, until = 5e-3;
  const double decay = 0.5 / (R * C), omega = std::sqrt(1.0 / (L * C) - decay * decay);
  double worst = 0.0, rectified = 0.0;
  (void)run(b.finish(), 1e-6, until, [&](const State& s) {
    if (s.t() == 0.0) return;
    const double t = s.t(), v = 10.0 * std::exp(-decay * t) * (std::cos(omega * t) - decay / omega * std::sin(omega * t));
    worst = std::max(worst, std::abs(s.z()[0] - v));
    rectified = std::max(rectified, std::abs((s.z()[1] - s.z()[2]) - std::abs(s.z()[0])));
  });
  EXPECT_LT(worst, 0.05);
  EXPECT_LT(rectified, 1e-9);
}

TEST(Motor, ReachesTheSpeedAtWhichItsVoltageIsUsedUp) {
  SystemBuilder b;
  const int rotor = b.node("rotor", NodeRigid{});
  const int a = b.node("a", Terminal{}), s = b.node("s", SourceCurrent{}), i = b.node("i", CurrentState{});
  const double J = 1e-3, k = 0.1, R = 1.0, V = 12.0;
  b.object("mass", RigidBody{.mass_value = 1.0, .inertia = Mat3<double>{{J, 0, 0, 0, J, 0, 0, 0, J}}}, {b.marker(rotor)});
  b.relation("bearing", Revolute{}, {b.ground(), b.marker(rotor)}, {&equality_law()});
  b.force("V", VoltageSource{.voltage = V}, {b.coordinate(a), b.ground_coordinate(), b.coordinate(s)});
  b.force("motor", DcMotor{.inductance = 1e-6, .resistance = R, .constant = k},
          {b.coordinate(a), b.ground_coordinate(), b.coordinate(i), b.ground(), b.marker(rotor)});
  // Small inductance: J w' = k (V - k w)/R.
  const double tau = J * R / (k * k);
  const Trial r = run(b.finish(), tau / 500.0, tau);
  EXPECT_NEAR(r.state.v()[5], V / k * (1.0 - std::exp(-1.0)), 0.05);
  EXPECT_NEAR(r.state.x()[0], (V - k * r.state.v()[5]) / R, 0.02);
}

}  // namespace
}  // namespace saltus
