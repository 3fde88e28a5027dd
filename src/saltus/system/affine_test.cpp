#include "saltus/system/affine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/system/models_testing.hpp"

namespace saltus {
namespace {
using test_models::compiled;

/// Coordinates, points, currents, a generic system; springs and gaps between them.
const char* const mixed = R"("nodes": {"a": {"type": "node_1d", "coordinate": 0.3, "displacement": 0.1}, "b": {"type": "node_1d"}, "p": {"type": "node_point", "position": [1, 2, 3]},
      "u": {"type": "terminal"}, "i": {"type": "current_state"}, "q": {"type": "node_ode2", "count": 2}},
    "bodies": {"ma": {"type": "mass_1d", "node": "a", "mass": 2}, "mb": {"type": "mass_1d", "node": "b", "mass": 1}, "mp": {"type": "point_mass", "node": "p", "mass": 3},
      "g": {"type": "generic_system", "node": "q", "mass_matrix": [[2, 0], [0, 1]], "stiffness_matrix": [[4, -1], [-1, 3]], "damping_matrix": [[0.2, 0.1], [0, 0.3]], "force": ["0.5", "-2"]}},
    "connectors": {"k": {"type": "coordinate_spring_damper", "stiffness": 100, "damping": 3, "offset": 0.2, "A": "a", "B": "b"},
      "L": {"type": "inductor", "A": "u", "B": "ground", "current_of": "i", "inductance": 0.5}, "R": {"type": "resistor", "A": "u", "B": "ground", "resistance": 4}},
    "loads": {"w": {"type": "coordinate_load", "on": "b", "force": 7}},
    "relations": {"gap": {"type": "coordinate_pair_gap", "A": "a", "B": "b", "at": 0.1, "law": {"type": "newton_impact"}},
      "d": {"type": "diode", "A": "u", "B": "ground"},
      "r": {"type": "linear_relation", "on": [{"node": "q", "coordinate": 0}, "a"], "matrix": [[2, -1]], "offset": ["0.4"], "law": {"type": "newton_impact"}}})";

TEST(AffineSystem, GivesTheForcesAndRowsOfTheItemsAtAnyPointAndTime) {
  const auto system = compiled(mixed);
  ASSERT_TRUE(AffineSystem::can(*system));
  Assembly assembly(*system);
  AffineSystem affine;
  affine.build(*system, assembly, 0.0, system->initial_data.data());
  const Layout& l = system->layout;
  std::vector<double> y = system->initial_y, F(l.unknowns() + 1), own(F), rows(l.rows), own_rows(rows), none(rows);
  for (int trial = 0; trial < 5; ++trial) {
    for (int i = 0; i + 1 < l.y_size(); ++i) y[i] = std::sin(3.0 * i + 7.0 * trial);
    assembly.update(0.7 * trial, y.data(), none.data(), system->initial_data.data());
    assembly.forces(F.data());
    RowSink sink;
    sink.y = rows.data();
    assembly.relations(sink);
    affine.forces(y.data(), own.data());
    affine.rows(y.data(), own_rows.data());
    for (int i = 0; i < l.unknowns(); ++i) EXPECT_NEAR(own[i], F[i], 1e-12);
    for (int r = 0; r < l.rows; ++r) EXPECT_NEAR(own_rows[r], rows[r], 1e-13);
  }
}

TEST(AffineSystem, IsRefusedWhereAnItemVariesInTimeOrIsNotLinear) {
  const std::string one = R"("nodes": {"a": {"type": "node_1d"}, "p": {"type": "node_point"}}, "bodies": {"m": {"type": "mass_1d", "node": "a", "mass": 1}, "mp": {"type": "point_mass", "node": "p", "mass": 1}}, )";
  EXPECT_TRUE(AffineSystem::can(*compiled(one + R"("loads": {"w": {"type": "coordinate_load", "on": "a", "force": 1}})")));
  EXPECT_FALSE(AffineSystem::can(*compiled(one + R"json("loads": {"w": {"type": "coordinate_load", "on": "a", "force": "sin(t)"}})json")));
  EXPECT_FALSE(AffineSystem::can(*compiled(one + R"("connectors": {"k": {"type": "spring_damper", "A": "ground", "B": "mp", "stiffness": 1, "rest_length": 1}})")));
  EXPECT_FALSE(AffineSystem::can(*compiled(one + R"("relations": {"r": {"type": "linear_relation", "on": ["a"], "matrix": [[1]], "offset": ["t"], "law": {"type": "newton_impact"}}})")));
}

}  // namespace
}  // namespace saltus
