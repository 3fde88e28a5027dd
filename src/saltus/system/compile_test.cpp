#include "saltus/system/compile.hpp"

#include <gtest/gtest.h>

#include "saltus/model/file.hpp"
#include "saltus/system/assembly.hpp"

namespace saltus {
namespace {

constexpr std::string_view pendulum = R"({
  "saltus": 1, "gravity": [0, 0, -9.81], "parameters": {"L": 2},
  "bodies": {"rod": {"type": "rigid_body", "mass": 3, "inertia": [[0.1,0,0],[0,1,0],[0,0,1]],
                     "node": {"type": "node_rigid", "position": ["L/2", 0, 0]}}},
  "joints": {"pin": {"type": "revolute", "A": "ground", "B": "rod", "at": [0, 0, 0], "axis": "y"}},
  "connectors": {"strut": {"type": "spring_damper", "A": "ground", "B": {"body": "rod", "at": [2, 0, 0]}, "stiffness": 5}}})";

std::shared_ptr<const System> compiled(std::string_view text, Faults& warnings) {
  Faults faults;
  const Model model = read_model(text, "pendulum.json", faults);
  faults.raise();
  return compile(model, {}, warnings);
}

TEST(Compile, PutsJointFramesWhereTheModelSays) {
  Faults warnings;
  const auto system = compiled(pendulum, warnings);
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
  std::string text(pendulum);
  text.replace(text.find("\"stiffness\": 5"), 14, "\"stifness\": 5");
  text.replace(text.find("\"B\": \"rod\""), 10, "\"B\": \"rodd\"");
  Faults warnings;
  try {
    compiled(text, warnings);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.faults().size(), 2u);
    EXPECT_NE(std::string(error.what()).find("stiffness"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("joints/pin/B"), std::string::npos) << error.what();
  }
}

TEST(Compile, GivesItemsOfRunTimeSizeTheirCoordinates) {
  Faults warnings;
  const auto system = compiled(R"json({"saltus": 1, "nodes": {"n": {"type": "node_ode2", "count": 2, "coordinates": [1, 2], "velocities": [3, 4]},
      "x": {"type": "node_ode1", "count": 1, "initial_values": [5]}},
    "bodies": {"pair": {"type": "generic_system", "node": "n", "mass_matrix": [[2, 0], [0, 1]], "stiffness_matrix": [[10, -10], [-10, 10]],
                        "force": ["v1", "q0*t"]},
               "decay": {"type": "first_order_system", "node": "x", "matrix": [[-3]]}},
    "relations": {"sum": {"type": "linear_relation", "on": [{"node": "n", "coordinate": 0}, {"node": "n", "coordinate": 1}, {"node": "x"}],
                          "matrix": [[1, 1, -1]]},
                  "circle": {"type": "user_relation", "on": [{"node": "n", "coordinate": 0}, {"node": "n", "coordinate": 1}],
                             "function": "q0^2 + q1^2 - 1"}}})json", warnings);
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
  Faults warnings;
  try {
    compiled(R"json({"saltus": 1, "nodes": {"x": {"type": "node_ode1", "count": 1}},
      "bodies": {"m": {"type": "generic_system", "node": "x", "mass_matrix": [[1]]}}})json", warnings);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("first-order states"), std::string::npos) << error.what();
  }
}

TEST(Compile, RefusesPartsThatAnItemDoesNotHave) {
  std::string text(pendulum);
  text.replace(text.find("\"B\": \"rod\""), 10, "\"B\": \"rod.end\"");
  Faults warnings;
  try {
    compiled(text, warnings);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("joints/pin/B: 'rod' has no part 'end'"), std::string::npos) << error.what();
  }
  text.replace(text.find("rod.end"), 7, "rod.node");
  EXPECT_EQ(compiled(text, warnings)->layout.nv, 6);
}

TEST(Compile, FaultsOfANodeInPlaceKeepTheLineOfTheirItem) {  // a program gives lines of statements, not of values
  Faults faults;
  Model model = read_model(pendulum, "", faults);
  Object node;
  node.append("type", "node_rigid");
  node.append("velocity", List{1.0, 2.0});
  Object fields;
  fields.append("node", Value(std::move(node)));
  fields.append("mass", 1.0);
  fields.append("inertia", List{1.0, 1.0, 1.0});
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
  std::string text(pendulum);
  text.replace(text.find("\"type\": \"revolute\""), 18, "\"type\": \"generic\", \"x\": true, \"rz\": true");
  Faults warnings;
  EXPECT_EQ(compiled(text, warnings)->layout.rows, 2);
  text.replace(text.find("\"axis\": \"y\""), 11, "\"axis\": \"y\", \"law\": {\"type\": \"coulomb_impact\"}");
  EXPECT_THROW(compiled(text, warnings), ModelError);
}

}  // namespace
}  // namespace saltus
