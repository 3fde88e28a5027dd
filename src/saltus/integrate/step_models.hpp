// Models whose steps are counted and timed: the tests of allocation and the benchmark of steps share them.
#pragma once

#include "saltus/system/models_testing.hpp"

namespace saltus::step_models {
using test_models::coordinate;
using test_models::coordinates;
using test_models::item;
using test_models::matrix;
using test_models::ModelOf;
using test_models::numbered;

/// A mass m on the coordinate of a node n.
inline ModelOf one_mass(double mass, test_models::Fields node = {}) { return ModelOf().node("n", "node_1d", node).body("m", "mass_1d", {{"node", "n"}, {"mass", mass}}); }

/// A ball on one coordinate that falls from a height above the floor.
inline std::shared_ptr<const System> ball(double restitution = 0.9, double height = 1.0, double mass = 1.0, double floor = 0.0) {
  return one_mass(mass, {{"coordinate", floor + height}})
      .load("g", "coordinate_load", {{"on", "n"}, {"force", -9.81 * mass}})
      .relation("floor", "coordinate_gap", {{"on", "n"}, {"at", floor}, {"law", item("newton_impact", {{"restitution", restitution}})}})
      .compiled();
}

/// A mass on a spring, pulled out by 0.5 m, that dry friction of 2.943 N stops.
inline std::shared_ptr<const System> rubbed() {
  return one_mass(1, {{"displacement", 0.5}})
      .connector("k", "coordinate_spring_damper", {{"A", "ground"}, {"B", "n"}, {"stiffness", 100}})
      .relation("rub", "coordinate_gap", {{"on", "n"}, {"law", item("relay", {{"low", -2.943}, {"high", 2.943}, {"on", "rate"}})}})
      .compiled();
}

/// A block thrown up an incline of 30 degrees with 2 m/s; its second coordinate is that above the floor.
inline std::shared_ptr<const System> block_on_incline(double friction) {
  return ModelOf()
      .node("n", "node_ode2", {{"count", 2}, {"velocities", List{2, 0}}})
      .body("m", "generic_system", {{"node", "n"}, {"mass_matrix", matrix({{1, 0}, {0, 1}})}, {"force", List{"-4.905", "-8.495709210992"}}})
      .relation("floor", "linear_relation", {{"on", coordinates("n", 2)}, {"matrix", matrix({{0, 1}, {1, 0}})}, {"offset", List{0, 0}}, {"law", item("coulomb_impact_2d", {{"friction", friction}})}})
      .compiled();
}

/// A ball in space with a plane under it.
inline std::shared_ptr<const System> ball_in_space() {
  return ModelOf()
      .node("n", "node_point", {{"position", List{0, 0, 1}}})
      .body("m", "point_mass", {{"node", "n"}, {"mass", 1}})
      .relation("floor", "plane_gap", {{"A", "ground"}, {"B", "m"}, {"law", item("newton_impact", {{"restitution", 0.9}})}})
      .compiled();
}

/// n beads above each other on a vertical wire, 0.1 m apart with gaps of 1 mm, restitution 0.5.
inline std::shared_ptr<const System> beads(int n) {
  ModelOf model;
  for (int i = 0; i < n; ++i) {
    const std::string node = numbered("n", i);
    const Value law = item("newton_impact", {{"restitution", 0.5}});
    model.node(node, "node_1d", {{"coordinate", 101 * (i + 1) / 1000.0}});
    model.body(numbered("m", i), "mass_1d", {{"mass", 1}, {"node", node}});
    model.load(numbered("g", i), "coordinate_load", {{"force", -9.81}, {"on", node}});
    if (i) model.relation(numbered("gap", i), "coordinate_pair_gap", {{"A", numbered("n", i - 1)}, {"B", node}, {"at", 0.1}, {"law", law}});
    else model.relation(numbered("gap", i), "coordinate_gap", {{"on", node}, {"at", 0.1}, {"law", law}});
  }
  return model.compiled();
}

/// An LC tank on a full-wave bridge of ideal diodes with a floating load.
inline std::shared_ptr<const System> diode_bridge() {
  return ModelOf()
      .node("a", "terminal", {{"voltage", 10}})
      .node("p", "terminal")
      .node("n", "terminal")
      .node("q", "charge_state", {{"voltage", 10}})
      .node("i", "current_state")
      .connector("C", "capacitor", {{"A", "a"}, {"B", "ground"}, {"capacitance", 1e-6}, {"voltage_of", coordinate("q", 0)}, {"current_of", coordinate("q", 1)}})
      .connector("L", "inductor", {{"A", "a"}, {"B", "ground"}, {"current_of", "i"}, {"inductance", 1e-2}})
      .connector("R", "resistor", {{"A", "p"}, {"B", "n"}, {"resistance", 1e3}})
      .relation("D1", "diode", {{"A", "a"}, {"B", "p"}})
      .relation("D2", "diode", {{"A", "ground"}, {"B", "p"}})
      .relation("D3", "diode", {{"A", "n"}, {"B", "a"}})
      .relation("D4", "diode", {{"A", "n"}, {"B", "ground"}})
      .compiled();
}

/// A buck converter: 24 V, 10 kHz, duty 0.5, its switch and its diode open and close in turn, 5 us beside whole steps of 10 us.
inline std::shared_ptr<const System> buck(double resistance = 0.0) {
  return ModelOf()
      .node("a", "terminal")
      .node("s", "terminal")
      .node("o", "terminal")
      .node("U_current", "source_current")
      .node("i", "current_state", {{"current", 1.2}})
      .node("q", "charge_state", {{"voltage", 12}})
      .connector("U", "voltage_source", {{"A", "a"}, {"B", "ground"}, {"voltage", 24}, {"current_of", "U_current"}})
      .connector("L", "inductor", {{"A", "s"}, {"B", "o"}, {"inductance", 1e-3}, {"current_of", "i"}})
      .connector("R", "resistor", {{"A", "o"}, {"B", "ground"}, {"resistance", 10}})
      .connector("C", "capacitor", {{"A", "o"}, {"B", "ground"}, {"capacitance", 2e-5}, {"voltage_of", coordinate("q", 0)}, {"current_of", coordinate("q", 1)}})
      .relation("S", "electric_switch", {{"A", "a"}, {"B", "s"}, {"closed", "0.5 - mod(t - 5e-6, 1e-4) / 1e-4"}, {"resistance", resistance}})
      .relation("D", "diode", {{"A", "ground"}, {"B", "s"}})
      .compiled();
}

/// Glocker's woodpecker toy: three planar contacts with friction on a sleeve.
inline std::shared_ptr<const System> woodpecker() {
  const List on = coordinates("q", 3);
  return ModelOf()
      .node("q", "node_ode2", {{"count", 3}, {"coordinates", List{0, -0.1036, -0.2788}}, {"velocities", List{-0.3411, 0, -7.4583}}})
      .body("toy", "generic_system", {{"node", "q"},
                                      {"mass_matrix", matrix({{0.0048, 4.5e-5, 6.75e-5}, {4.5e-5, 4.55e-7, 6.75e-7}, {6.75e-5, 6.75e-7, 1.7125e-6}})},
                                      {"stiffness_matrix", matrix({{0, 0, 0}, {0, 0.0056, -0.0056}, {0, -0.0056, 0.0056}})},
                                      {"force", List{"-0.047088", "-0.00044145", "-0.000662175"}}})
      .relation("beak", "linear_relation", {{"on", on}, {"matrix", matrix({{0, 0, -0.02}, {1, 0.01, -0.0051}})}, {"offset", List{0.0024, 0}},
                                            {"law", item("coulomb_impact_2d", {{"friction", 0.3}, {"restitution", 0.5}})}})
      .relation("top", "linear_relation", {{"on", on}, {"matrix", matrix({{0, 0.0058, 0}, {1, 0.0031, 0}})}, {"offset", List{0.0006, 0}}, {"law", item("coulomb_impact_2d", {{"friction", 0.3}})}})
      .relation("bottom", "linear_relation", {{"on", on}, {"matrix", matrix({{0, -0.0058, 0}, {1, 0.0031, 0}})}, {"offset", List{0.0006, 0}}, {"law", item("coulomb_impact_2d", {{"friction", 0.3}})}})
      .compiled();
}

/// n masses on springs between two walls, the first displaced.
inline std::shared_ptr<const System> spring_chain(int n) {
  ModelOf model;
  for (int i = 0; i < n; ++i) {
    const std::string node = numbered("n", i);
    model.node(node, "node_1d", {{"displacement", i ? 0.0 : 0.1}});
    model.body(numbered("m", i), "mass_1d", {{"mass", 1}, {"node", node}});
    model.connector(numbered("k", i), "coordinate_spring_damper", {{"stiffness", 100}, {"damping", 0.1}, {"A", i ? numbered("n", i - 1) : "ground"}, {"B", node}});
  }
  return model.compiled();
}

}  // namespace saltus::step_models
