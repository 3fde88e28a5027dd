#include "saltus/system/compile.hpp"

#include <gtest/gtest.h>

#include "saltus/system/assembly.hpp"
#include "saltus/system/models_testing.hpp"

namespace saltus {
namespace {

using test_models::coordinate;
using test_models::coordinates;
using test_models::Fields;
using test_models::item;
using test_models::matrix;
using test_models::ModelOf;
using test_models::object;

/// A rod of L = 2 m that turns about its end, with a spring at the other.
ModelOf pendulum(const char* joint = "revolute", Fields pin = {{"A", "ground"}, {"B", "rod"}, {"at", List{0, 0, 0}}, {"axis", "y"}}, const char* stiffness = "stiffness") {
  return ModelOf()
      .body("rod", "rigid_body", {{"mass", 3}, {"inertia", matrix({{0.1, 0, 0}, {0, 1, 0}, {0, 0, 1}})}, {"node", item("node_rigid", {{"position", List{"L/2", 0, 0}}})}})
      .joint("pin", joint, pin)
      .connector("strut", "spring_damper", {{"A", "ground"}, {"B", object({{"body", "rod"}, {"at", List{2, 0, 0}}})}, {stiffness, 5}})
      .parameter("L", 2.0);
}

TEST(Compile, PutsJointFramesWhereTheModelSays) {
  const auto system = pendulum().compiled();
  Assembly a(*system);
  a.update(0.0, system->initial_y.data());
  std::vector<double> y(5, 1.0);
  RowSink sink;
  sink.y = y.data();
  a.relations(sink);
  for (double value : y) EXPECT_NEAR(value, 0.0, 1e-15);  // assembled in the reference position
  EXPECT_EQ(system->relation_entries[0].name, "pin");
  EXPECT_EQ(system->layout.nv, 6);
  std::vector<double> F(7);
  a.forces(F.data());
  EXPECT_NEAR(F[2], -3 * 9.81, 1e-12);
  EXPECT_NEAR(F[0], -5 * 2.0, 1e-12);  // spring from the origin to (2, 0, 0), no rest length
}

TEST(Compile, NamesAllMistakesAtOnce) {
  try {
    (void)pendulum("revolute", {{"A", "ground"}, {"B", "rodd"}, {"axis", "y"}}, "stifness").compiled();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.faults().size(), 2u);
    EXPECT_NE(std::string(error.what()).find("stiffness"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("joints/pin/B"), std::string::npos) << error.what();
  }
}

TEST(Compile, GivesItemsOfRunTimeSizeTheirCoordinates) {
  const auto system = ModelOf()
                          .node("n", "node_ode2", {{"count", 2}, {"coordinates", List{1, 2}}, {"velocities", List{3, 4}}})
                          .node("x", "node_ode1", {{"count", 1}, {"initial_values", List{5}}})
                          .body("pair", "generic_system", {{"node", "n"}, {"mass_matrix", matrix({{2, 0}, {0, 1}})}, {"stiffness_matrix", matrix({{10, -10}, {-10, 10}})}, {"force", List{"v1", "q0*t"}}})
                          .body("decay", "first_order_system", {{"node", "x"}, {"matrix", matrix({{-3}})}})
                          .relation("sum", "linear_relation", {{"on", List{coordinate("n", 0), coordinate("n", 1), object({{"node", "x"}})}}, {"matrix", matrix({{1, 1, -1}})}})
                          .relation("circle", "user_relation", {{"on", coordinates("n", 2)}, {"function", "q0^2 + q1^2 - 1"}})
                          .compiled();
  Assembly a(*system);
  a.update(0.5, system->initial_y.data());
  std::vector<double> F(4), y(2);
  a.forces(F.data());
  EXPECT_EQ(F[0], -10.0 * (1 - 2) + 4.0);
  EXPECT_EQ(F[1], -10.0 * (2 - 1) + 1.0 * 0.5);
  EXPECT_EQ(F[2], -15.0);
  RowSink sink;
  sink.y = y.data();
  a.relations(sink);
  EXPECT_EQ(y[0], 1.0 + 2.0 - 5.0);
  EXPECT_EQ(y[1], 1.0 + 4.0 - 1.0);
}

TEST(Compile, RefusesCoordinatesThatAnItemCannotActOn) {
  try {
    (void)ModelOf().node("x", "node_ode1", {{"count", 1}}).body("m", "generic_system", {{"node", "x"}, {"mass_matrix", matrix({{1}})}}).compiled();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("first-order states"), std::string::npos) << error.what();
  }
}

TEST(Compile, RefusesPartsThatAnItemDoesNotHave) {
  const auto joined_to = [](const char* part) { return pendulum("revolute", {{"A", "ground"}, {"B", part}, {"axis", "y"}}).compiled(); };
  try {
    (void)joined_to("rod.end");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("joints/pin/B: 'rod' has no part 'end'"), std::string::npos) << error.what();
  }
  EXPECT_EQ(joined_to("rod.node")->layout.nv, 6);
}

TEST(Compile, FaultsOfANodeInPlaceKeepTheLineOfTheirItem) {  // a program gives lines of statements, not of values
  Faults faults;
  Model model = pendulum().model();
  Object fields = object({{"node", item("node_rigid", {{"velocity", List{1.0, 2.0}}})}, {"mass", 1.0}, {"inertia", List{1.0, 1.0, 1.0}}});
  model.add("bodies", "rigid_body", "late", std::move(fields), {"program.py", 17, 0});
  try {
    (void)compile(model, {}, faults);
    FAIL();
  } catch (const ModelError& error) {
    ASSERT_EQ(error.faults().size(), 1u);
    EXPECT_EQ(error.faults()[0].place.line, 17) << error.what();
  }
}

TEST(Compile, LawsOfAGenericJointHaveAsManyRowsAsItLocks) {
  EXPECT_EQ(pendulum("generic", {{"A", "ground"}, {"B", "rod"}, {"x", true}, {"rz", true}, {"axis", "y"}}).compiled()->layout.rows, 2);
  EXPECT_THROW((void)pendulum("generic", {{"A", "ground"}, {"B", "rod"}, {"x", true}, {"rz", true}, {"axis", "y"}, {"law", item("coulomb_impact")}}).compiled(), ModelError);
}

}  // namespace
}  // namespace saltus
