// Small smooth motions on which the orders of schemes are measured. Not part of the library.
#pragma once

#include <gtest/gtest.h>

#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/items/bodies/mass_1d.hpp"
#include "saltus/items/nodes/node_1d.hpp"

namespace saltus::smooth_models {
using namespace testing_items;

struct Motion {
  RunReport report;
  State state;
};
inline Motion run(const std::string& name, std::shared_ptr<const System> system, double until, double step, double tolerance = 1e-6, Object given = {}, const Observer& observer = {}) {
  const Scheme& scheme = *find_scheme(name);
  SchemeOptions options;
  options.error_control = step <= 0.0;
  options.tolerance = tolerance;
  options.given = std::move(given);
  const auto plan = scheme.bind(system, options);
  Motion r;
  r.state = plan->new_state();
  SimulateOptions control;
  control.until = until;
  if (step > 0.0) control.step = step;
  r.report = simulate(scheme, *plan, r.state, control, observer);
  EXPECT_EQ(r.report.status, RunStatus::done) << r.report.cause;
  return r;
}

inline std::shared_ptr<const System> oscillator(double stiffness, double damping) {
  SystemBuilder b;
  const int n = b.node("p", Node1D{.coordinate = 0.0, .displacement = 1.0});
  b.object("m", Mass1D{.mass_value = 1.0}, {b.coordinate(n, 0)});
  b.force("f", Oscillator{.stiffness = stiffness, .damping = damping}, {b.coordinate(n, 0)});
  return b.finish();
}
/// The heavy top on its ball joint of the case heavy_top.
inline std::shared_ptr<const System> heavy_top() {
  SystemBuilder b;
  const Vec3<double> w{{0.0, 150.0, -4.61538}}, arm{{0.0, 1.0, 0.0}};
  const int n = b.node("top", NodeRigid{.position = arm, .velocity = cross(w, arm), .angular_velocity = w});
  b.object("body", RigidBody{.mass_value = 15.0, .inertia = Mat3<double>{{0.234375, 0.0, 0.0, 0.0, 0.46875, 0.0, 0.0, 0.0, 0.234375}}}, {b.marker(n)});
  b.relation("ball", Ball{}, {b.ground(), b.marker(n, arm * -1.0)}, equality());
  b.system().gravity = {{0.0, 0.0, -9.81}};
  return b.finish();
}
inline std::shared_ptr<const System> double_pendulum() {
  SystemBuilder b;
  const int one = b.node("one", NodePoint{.position = {{1.0, 0.0, 0.0}}}), two = b.node("two", NodePoint{.position = {{2.0, 0.0, 0.0}}});
  b.object("m1", point_mass(1.0), {b.marker(one)});
  b.object("m2", point_mass(1.0), {b.marker(two)});
  b.relation("rod_1", Rod{}, {b.ground(), b.marker(one)}, equality());
  b.relation("rod_2", Rod{}, {b.marker(one), b.marker(two)}, equality());
  b.system().gravity = {{0.0, -9.81, 0.0}};
  return b.finish();
}
/// Three bars and the ground: a loop of points on rods.
inline std::shared_ptr<const System> four_bar() {
  SystemBuilder b;
  const int one = b.node("one", NodePoint{.position = {{0.0, 0.5, 0.0}}, .velocity = {{1.0, 0.0, 0.0}}}), two = b.node("two", NodePoint{.position = {{2.0, 1.5, 0.0}}});
  b.object("m1", point_mass(1.0), {b.marker(one)});
  b.object("m2", point_mass(2.0), {b.marker(two)});
  b.relation("crank", Rod{.length = 0.5}, {b.ground(), b.marker(one)}, equality());
  b.relation("coupler", Rod{.length = std::sqrt(5.0)}, {b.marker(one), b.marker(two)}, equality());
  b.relation("rocker", Rod{.length = std::sqrt(1.5 * 1.5 + 0.25)}, {b.marker(-1, {{1.5, 0.0, 0.0}}), b.marker(two)}, equality());
  b.system().gravity = {{0.0, -9.81, 0.0}};
  return b.finish();
}
inline std::shared_ptr<const System> relaxing() {
  SystemBuilder b;
  const int x = b.node("x", NodeFirst{{1.0}});
  b.force("g", Oscillator{.stiffness = 1.0, .cubic = 2.0, .amplitude = 1.0, .frequency = 3.0}, {b.coordinate(x, 0)});
  return b.finish();
}
inline double distance(const State& a, const State& b) {
  double worst = 0.0;
  const Layout& l = a.layout().system;
  for (int i = 0; i < l.y_size(); ++i) worst = std::max(worst, std::abs(a.y()[i] - b.y()[i]));
  return worst;
}
inline double slope(const std::string& name, const std::shared_ptr<const System>& s, double until, double h, const Object& given = {}) {
  const State exact = run("dormand_prince", s, until, 0.0, 1e-13).state;
  return std::log2(distance(run(name, s, until, h, 1e-6, given).state, exact) / distance(run(name, s, until, 0.5 * h, 1e-6, given).state, exact));
}

/// A free body that turns about no axis of its own.
inline std::shared_ptr<const System> free_body() {
  SystemBuilder b;
  const int n = b.node("n", NodeRigid{.angular_velocity = {{1.0, 0.0, 1.5}}});
  b.object("b", RigidBody{.mass_value = 1.0, .inertia = Mat3<double>{{3.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0}}}, {b.marker(n)});
  return b.finish();
}

}  // namespace saltus::smooth_models
