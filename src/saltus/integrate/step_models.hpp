// Models whose steps are counted and timed: the tests of allocation and the benchmark of steps share them.
#pragma once

#include "saltus/system/models_testing.hpp"

namespace saltus::step_models {
using test_models::compiled;
using test_models::ModelOf;
using test_models::numbered;

/// A ball on one coordinate that falls from 1 m, restitution 0.9.
inline std::shared_ptr<const System> ball() {
  return compiled(R"("nodes": {"n": {"type": "node_1d", "coordinate": 1}}, "bodies": {"m": {"type": "mass_1d", "node": "n", "mass": 1}},
    "loads": {"g": {"type": "coordinate_load", "on": "n", "force": -9.81}},
    "relations": {"floor": {"type": "coordinate_gap", "on": "n", "law": {"type": "newton_impact", "restitution": 0.9}}})");
}

/// A ball in space with a plane under it.
inline std::shared_ptr<const System> ball_in_space() {
  return compiled(R"("nodes": {"n": {"type": "node_point", "position": [0, 0, 1]}}, "bodies": {"m": {"type": "point_mass", "node": "n", "mass": 1}},
    "relations": {"floor": {"type": "plane_gap", "A": "ground", "B": "m", "law": {"type": "newton_impact", "restitution": 0.9}}})");
}

/// n beads above each other on a vertical wire, 0.1 m apart with gaps of 1 mm, restitution 0.5.
inline std::shared_ptr<const System> beads(int n) {
  ModelOf model;
  for (int i = 0; i < n; ++i) {
    const std::string node = numbered("n", i);
    const Value law = test_models::object({{"type", "newton_impact"}, {"restitution", 0.5}});
    model.add("nodes", node, "node_1d", {{"coordinate", 101 * (i + 1) / 1000.0}});
    model.add("bodies", numbered("m", i), "mass_1d", {{"mass", 1}, {"node", node}});
    model.add("loads", numbered("g", i), "coordinate_load", {{"force", -9.81}, {"on", node}});
    if (i) model.add("relations", numbered("gap", i), "coordinate_pair_gap", {{"A", numbered("n", i - 1)}, {"B", node}, {"at", 0.1}, {"law", law}});
    else model.add("relations", numbered("gap", i), "coordinate_gap", {{"on", node}, {"at", 0.1}, {"law", law}});
  }
  return model.compiled();
}

/// An LC tank on a full-wave bridge of ideal diodes with a floating load.
inline std::shared_ptr<const System> diode_bridge() {
  return compiled(R"("nodes": {"a": {"type": "terminal", "voltage": 10}, "p": {"type": "terminal"}, "n": {"type": "terminal"},
      "q": {"type": "charge_state", "voltage": 10}, "i": {"type": "current_state"}},
    "connectors": {"C": {"type": "capacitor", "A": "a", "B": "ground", "capacitance": 1e-6, "voltage_of": {"node": "q", "coordinate": 0}, "current_of": {"node": "q", "coordinate": 1}},
      "L": {"type": "inductor", "A": "a", "B": "ground", "current_of": "i", "inductance": 1e-2}, "R": {"type": "resistor", "A": "p", "B": "n", "resistance": 1e3}},
    "relations": {"D1": {"type": "diode", "A": "a", "B": "p"}, "D2": {"type": "diode", "A": "ground", "B": "p"},
      "D3": {"type": "diode", "A": "n", "B": "a"}, "D4": {"type": "diode", "A": "n", "B": "ground"}})");
}

/// A buck converter: 24 V, 10 kHz, duty 0.5, its switch and its diode open and close in turn, 5 us beside whole steps of 10 us.
inline std::shared_ptr<const System> buck(const std::string& resistance = "0") {
  return compiled(R"("nodes": {"a": {"type": "terminal"}, "s": {"type": "terminal"}, "o": {"type": "terminal"}, "U_current": {"type": "source_current"},
      "i": {"type": "current_state", "current": 1.2}, "q": {"type": "charge_state", "voltage": 12}},
    "connectors": {"U": {"type": "voltage_source", "A": "a", "B": "ground", "voltage": 24, "current_of": "U_current"},
      "L": {"type": "inductor", "A": "s", "B": "o", "inductance": 1e-3, "current_of": "i"}, "R": {"type": "resistor", "A": "o", "B": "ground", "resistance": 10},
      "C": {"type": "capacitor", "A": "o", "B": "ground", "capacitance": 2e-5, "voltage_of": {"node": "q", "coordinate": 0}, "current_of": {"node": "q", "coordinate": 1}}},
    "relations": {"S": {"type": "electric_switch", "A": "a", "B": "s", "closed": "0.5 - mod(t - 5e-6, 1e-4) / 1e-4", "resistance": )" + resistance + R"(},
      "D": {"type": "diode", "A": "ground", "B": "s"}})");
}

/// Glocker's woodpecker toy: three planar contacts with friction on a sleeve.
inline std::shared_ptr<const System> woodpecker() {
  const std::string on = R"("type": "linear_relation", "on": [{"node": "q", "coordinate": 0}, {"node": "q", "coordinate": 1}, {"node": "q", "coordinate": 2}], )";
  return compiled(R"("nodes": {"q": {"type": "node_ode2", "count": 3, "coordinates": [0, -0.1036, -0.2788], "velocities": [-0.3411, 0, -7.4583]}},
    "bodies": {"toy": {"type": "generic_system", "node": "q", "mass_matrix": [[0.0048, 4.5e-5, 6.75e-5], [4.5e-5, 4.55e-7, 6.75e-7], [6.75e-5, 6.75e-7, 1.7125e-6]],
      "stiffness_matrix": [[0, 0, 0], [0, 0.0056, -0.0056], [0, -0.0056, 0.0056]], "force": ["-0.047088", "-0.00044145", "-0.000662175"]}},
    "relations": {"beak": {)" + on + R"("matrix": [[0, 0, -0.02], [1, 0.01, -0.0051]], "offset": [0.0024, 0], "law": {"type": "coulomb_impact_2d", "friction": 0.3, "restitution": 0.5}},
      "top": {)" + on + R"("matrix": [[0, 0.0058, 0], [1, 0.0031, 0]], "offset": [0.0006, 0], "law": {"type": "coulomb_impact_2d", "friction": 0.3}},
      "bottom": {)" + on + R"("matrix": [[0, -0.0058, 0], [1, 0.0031, 0]], "offset": [0.0006, 0], "law": {"type": "coulomb_impact_2d", "friction": 0.3}}})");
}

/// n masses on springs between two walls, the first displaced.
inline std::shared_ptr<const System> spring_chain(int n) {
  ModelOf model;
  for (int i = 0; i < n; ++i) {
    const std::string node = numbered("n", i);
    model.add("nodes", node, "node_1d", {{"displacement", i ? 0.0 : 0.1}});
    model.add("bodies", numbered("m", i), "mass_1d", {{"mass", 1}, {"node", node}});
    model.add("connectors", numbered("k", i), "coordinate_spring_damper", {{"stiffness", 100}, {"damping", 0.1}, {"A", i ? numbered("n", i - 1) : "ground"}, {"B", node}});
  }
  return model.compiled();
}

}  // namespace saltus::step_models
