// Small systems and runs that the tests of Moreau's scheme share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <utility>

#include "saltus/integrate/moreau.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/items/connectors/spring_damper.hpp"
#include "saltus/items/contacts/coordinate_gap.hpp"
#include "saltus/items/contacts/coordinate_pair_gap.hpp"
#include "saltus/items/contacts/joint_angle.hpp"
#include "saltus/items/contacts/plane_contact.hpp"
#include "saltus/items/contacts/sphere_contact.hpp"
#include "saltus/items/joints/revolute.hpp"
#include "saltus/items/laws/complementarity.hpp"
#include "saltus/items/laws/coulomb_impact.hpp"
#include "saltus/items/laws/equality.hpp"
#include "saltus/items/laws/newton_impact.hpp"
#include "saltus/items/laws/relay.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/items/nodes/node_rigid_2d.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {

inline constexpr double g = 9.81;

struct Axis {  // one mechanical coordinate
  double position = 0.0, velocity = 0.0;
  static constexpr std::string_view name = "axis";
  NodeSizes sizes() const { return {.q = 1, .v = 1}; }
  void initial(double* q, double* v, double*, double*, double*) const { q[0] = position, v[0] = velocity; }
};
struct Mass {  // m vdot + c v + k q + d cos(w t) = -m gravity
  double mass_value = 1.0, stiffness = 0.0, damping = 0.0, gravity = 0.0, drive = 0.0, frequency = 1.0;
  using port = CoordPort<1>;
  static constexpr std::string_view name = "mass";
  template <class S>
  Vec<S, 1> lhs(const CoordPort<1>::View<S>& x, const Context<S>& c) const {
    using std::cos;
    return {{stiffness * x.q[0] + damping * x.v[0] + mass_value * gravity + drive * cos(frequency * c.t)}};
  }
  Mat<double, 1, 1> mass(const CoordPort<1>::View<double>&) const { return {{mass_value}}; }
  double potential_energy(const CoordPort<1>::View<double>& x, const Context<double>&) const {
    return 0.5 * stiffness * x.q[0] * x.q[0] + mass_value * gravity * x.q[0];
  }
};
struct CoordSpring {
  double stiffness = 0.0;
  using port = CoordPair;
  static constexpr std::string_view name = "coord_spring";
  template <class S>
  Vec<S, 1> lhs(const CoordPair::View<S>& x, const Context<S>&) const { return {{stiffness * x.q}}; }
};
struct Rod {  // y = (q1^2 + q2^2 - L^2) / 2
  double length = 1.0;
  using port = CoordPort<2>;
  static constexpr int rows = 1;
  static constexpr std::string_view name = "rod";
  template <class S>
  Vec<S, 1> h(const CoordPort<2>::View<S>& x, const Context<S, 1>&) const {
    return {{0.5 * (x.q[0] * x.q[0] + x.q[1] * x.q[1] - length * length)}};
  }
};
struct State1 {  // one first-order state
  double value = 0.0;
  static constexpr std::string_view name = "state1";
  NodeSizes sizes() const { return {.x = 1}; }
  void initial(double*, double*, double* x, double*, double*) const { x[0] = value; }
};
struct Decay {  // xdot = -rate x + source
  double rate = 0.0, source = 0.0;
  using port = CoordPort<1>;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "decay";
  template <class S>
  Vec<S, 1> rhs(const CoordPort<1>::View<S>& x, const Context<S>&) const { return {{source - rate * x.q[0]}}; }
};
struct Switch {  // y = x, xdot += lambda
  using port = CoordPort<1>;
  static constexpr int rows = 1;
  static constexpr std::string_view name = "switch";
  template <class S>
  Vec<S, 1> h(const CoordPort<1>::View<S>& x, const Context<S, 1>&) const { return {{x.q[0]}}; }
};
struct Compliance {  // y = q + lambda / k: a one-sided spring
  double stiffness = 1.0;
  using port = CoordPort<1>;
  static constexpr int rows = 1;
  static constexpr bool uses_lambda = true;
  static constexpr std::string_view name = "compliance";
  template <class S>
  Vec<S, 1> h(const CoordPort<1>::View<S>& x, const Context<S, 1>& c) const { return {{x.q[0] + c.lambda[0] * (1.0 / stiffness)}}; }
};
struct DriveByVoltage {  // y = speed - wanted; the multiplier is a voltage of the winding (x), which turns the shaft through a Coupling
  double wanted = 10.0, inductance = 1.0;
  using port = CoordPort<2>;  // speed, current
  static constexpr int rows = 1;
  static constexpr bool has_input = true, uses_velocity = true;
  static constexpr std::string_view name = "drive_by_voltage";
  template <class S>
  Vec<S, 1> h(const CoordPort<2>::View<S>& x, const Context<S, 1>&) const { return {{x.v[0] - wanted}}; }
  template <class S>
  Vec<S, 2> g(const CoordPort<2>::View<S>&, const Context<S, 1>& c) const { return {{S(0.0), c.lambda[0] * (1.0 / inductance)}}; }
};
struct Coupling {  // torque k i, back electromotive force k w
  double constant = 1.0, inductance = 1.0, resistance = 1.0;
  using port = CoordPort<2>;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "coupling";
  template <class S>
  Vec<S, 2> rhs(const CoordPort<2>::View<S>& x, const Context<S>&) const {
    return {{constant * x.q[1], (-resistance * x.q[1] - constant * x.v[0]) * (1.0 / inductance)}};
  }
};

template <class L>
struct Law {  // keeps the fields alive
  L law;
  explicit Law(L l) : law(std::move(l)) {}
  LawRef ref() const { return law_ref(law); }
};

struct Trial {
  std::unique_ptr<Plan> plan;
  State state;
  RunReport report;
  std::vector<Event> events;
};
inline Trial run(std::shared_ptr<const System> system, double h, double until, SchemeOptions options = {},
        const std::function<void(const State&)>& look = {}) {
  Trial r;
  r.plan = moreau_jean().bind(std::move(system), options);
  r.state = r.plan->new_state();
  SimulateOptions so;
  so.until = until;
  so.step = h;
  r.report = simulate(moreau_jean(), *r.plan, r.state, so, [&](const State& s, const StepReport& step) {
    r.events.insert(r.events.end(), step.events.begin(), step.events.end());
    if (look) look(s);
    return true;
  });
  EXPECT_EQ(static_cast<int>(r.report.status), static_cast<int>(RunStatus::done)) << r.report.cause;
  EXPECT_EQ(r.report.rejected, 0);
  EXPECT_LT(r.report.residual.laws, 1e-8);
  return r;
}
/// Without a step: by the tolerance.
inline Trial run_controlled(std::shared_ptr<const System> system, double tolerance, double until, SchemeOptions options = {},
                     const std::function<void(const State&)>& look = {}) {
  Trial r;
  options.error_control = true;
  options.tolerance = tolerance;
  r.plan = moreau_jean().bind(std::move(system), options);
  r.state = r.plan->new_state();
  SimulateOptions so;
  so.until = until;
  r.report = simulate(moreau_jean(), *r.plan, r.state, so, [&](const State& s, const StepReport& step) {
    r.events.insert(r.events.end(), step.events.begin(), step.events.end());
    if (look) look(s);
    return true;
  });
  EXPECT_EQ(static_cast<int>(r.report.status), static_cast<int>(RunStatus::done)) << r.report.cause;
  EXPECT_LT(r.report.residual.laws, 1e-8);
  return r;
}
inline SchemeOptions with(double theta) {
  SchemeOptions o;
  o.given.set("theta", theta);
  return o;
}

inline std::shared_ptr<const System> ball(const Law<NewtonImpact>& law, double height) {
  SystemBuilder b;
  const int n = b.node("n", Axis{.position = height});
  b.object("m", Mass{.gravity = g}, {b.coordinate(n)});
  b.relation("floor", CoordinateGap{}, {b.coordinate(n)}, law.ref());
  return b.finish();
}

}  // namespace saltus
