#include "saltus/system/affine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/system/models_testing.hpp"

namespace saltus {
namespace {
using test_models::coordinate;
using test_models::item;
using test_models::matrix;
using test_models::ModelOf;

/// Coordinates, points, currents, a generic system; springs and gaps between them.
std::shared_ptr<const System> mixed() {
  return ModelOf()
      .node("a", "node_1d", {{"coordinate", 0.3}, {"displacement", 0.1}})
      .node("b", "node_1d")
      .node("p", "node_point", {{"position", List{1, 2, 3}}})
      .node("u", "terminal")
      .node("i", "current_state")
      .node("q", "node_ode2", {{"count", 2}})
      .body("ma", "mass_1d", {{"node", "a"}, {"mass", 2}})
      .body("mb", "mass_1d", {{"node", "b"}, {"mass", 1}})
      .body("mp", "point_mass", {{"node", "p"}, {"mass", 3}})
      .body("g", "generic_system", {{"node", "q"}, {"mass_matrix", matrix({{2, 0}, {0, 1}})}, {"stiffness_matrix", matrix({{4, -1}, {-1, 3}})},
                                    {"damping_matrix", matrix({{0.2, 0.1}, {0, 0.3}})}, {"force", List{"0.5", "-2"}}})
      .connector("k", "coordinate_spring_damper", {{"stiffness", 100}, {"damping", 3}, {"offset", 0.2}, {"A", "a"}, {"B", "b"}})
      .connector("L", "inductor", {{"A", "u"}, {"B", "ground"}, {"current_of", "i"}, {"inductance", 0.5}})
      .connector("R", "resistor", {{"A", "u"}, {"B", "ground"}, {"resistance", 4}})
      .load("w", "coordinate_load", {{"on", "b"}, {"force", 7}})
      .relation("gap", "coordinate_pair_gap", {{"A", "a"}, {"B", "b"}, {"at", 0.1}, {"law", item("newton_impact")}})
      .relation("d", "diode", {{"A", "u"}, {"B", "ground"}})
      .relation("r", "linear_relation", {{"on", List{coordinate("q", 0), "a"}}, {"matrix", matrix({{2, -1}})}, {"offset", List{"0.4"}}, {"law", item("newton_impact")}})
      .compiled();
}

TEST(AffineSystem, GivesTheForcesAndRowsOfTheItemsAtAnyPointAndTime) {
  const auto system = mixed();
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
  const auto with = [] {
    return ModelOf().node("a", "node_1d").node("p", "node_point").body("m", "mass_1d", {{"node", "a"}, {"mass", 1}}).body("mp", "point_mass", {{"node", "p"}, {"mass", 1}});
  };
  EXPECT_TRUE(AffineSystem::can(*with().load("w", "coordinate_load", {{"on", "a"}, {"force", 1}}).compiled()));
  EXPECT_FALSE(AffineSystem::can(*with().load("w", "coordinate_load", {{"on", "a"}, {"force", "sin(t)"}}).compiled()));
  EXPECT_FALSE(AffineSystem::can(*with().connector("k", "spring_damper", {{"A", "ground"}, {"B", "mp"}, {"stiffness", 1}, {"rest_length", 1}}).compiled()));
  EXPECT_FALSE(AffineSystem::can(*with().relation("r", "linear_relation", {{"on", List{"a"}}, {"matrix", matrix({{1}})}, {"offset", List{"t"}}, {"law", item("newton_impact")}}).compiled()));
}

}  // namespace
}  // namespace saltus
