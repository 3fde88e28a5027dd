#include <gtest/gtest.h>

#include <cmath>

#include "saltus/model/json_text.hpp"
#include "saltus/model/test_items.hpp"

namespace saltus {
namespace {

using test::Everything;
using test::Revolute;
using test::RigidBody;
using test::SpringDamper;

struct Read {
  Faults faults;
  std::string text() const {
    std::string out;
    for (const Fault& fault : faults.list()) out += fault.text() + "\n";
    return out;
  }
};

/// Reads an item from the JSON text of its fields, with parameters k = 100 and mu = 0.5.
template <class Item>
Item read(std::string_view json, Read& result, std::span<const Function> functions = {}) {
  const Value tree = parse_json(json, "m.json", result.faults);
  EXPECT_FALSE(result.faults.has_errors());
  Object parameters;
  parameters.set("k", 100);
  parameters.set("mu", 0.5);
  const ParameterTable table(parameters, "m.json", result.faults);
  return read_fields<Item>(FieldSource(*tree.object(), "section/name", "m.json", tree.mark), {table, functions}, result.faults);
}

template <class Item>
std::string faults_of(std::string_view json) {
  Read result;
  (void)read<Item>(json, result);
  return result.text();
}

TEST(ReadFields, FillsEveryKindOfMember) {
  Read result;
  const auto x = read<Everything>(R"({"number": "2*k", "count": 4, "on": false, "word": "z", "list": [1, "mu"],
      "quaternion": [0, 1, 0, 0], "matrix": [[1, 2], ["k", 4], [5, 6]], "function": "k*t + q"})", result);
  EXPECT_EQ(result.text(), "");
  EXPECT_EQ(x.number, 200);
  EXPECT_EQ(x.count, 4);
  EXPECT_FALSE(x.on);
  EXPECT_EQ(x.word, "z");
  EXPECT_EQ(x.list, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(x.matrix, (Matrix{3, 2, {1, 2, 100, 4, 5, 6}}));
  const double in[] = {2, 3};
  double out = 0;
  x.function(in, &out, nullptr);
  EXPECT_EQ(out, 203);
}

TEST(ReadFields, KeepsTheDefaultsOfWhatIsNotGiven) {
  Read result;
  const auto x = read<SpringDamper>(R"({"A": "ground", "B": "cart", "stiffness": 40})", result);
  EXPECT_EQ(result.text(), "");
  EXPECT_EQ(x.stiffness, 40);
  EXPECT_EQ(x.damping, 0);
}

TEST(ReadFields, SaysValueUnitBoundAndRemedy) {
  EXPECT_EQ(faults_of<SpringDamper>(R"({"stiffness": -40})"),
            "m.json:1:15 section/name/stiffness: is -40 N/m, must be at least 0; use `preload` for an initial force\n");
  EXPECT_EQ(faults_of<SpringDamper>(R"({"stiffness": "-k/2"})"),
            "m.json:1:15 section/name/stiffness: is -50 N/m, must be at least 0; use `preload` for an initial force\n");
}

TEST(ReadFields, NamesTheUnknownKeyTheNearestAndTheMissing) {
  EXPECT_EQ(faults_of<RigidBody>(R"({"mas": 1})"),
            "m.json:1:2 section/name/mas: unknown key \"mas\"; did you mean \"mass\"?\n"
            "m.json:1:1 section/name/mass: is missing; it is the mass [kg]\n");
}

TEST(ReadFields, CollectsAllMistakesOfAnItem) {
  Read result;
  (void)read<Everything>(R"({"number": 0, "count": 2.5, "on": 1, "word": "w", "list": 3, "quaternion": [0,0,0,0],
      "matrix": [[1, 2], [3]], "function": ["t", "q"], "nodes": []})", result);
  EXPECT_EQ(result.faults.errors(), 8) << result.text();
}

TEST(ReadFields, RefusesWhatIsNotFinite) {
  for (const double bad : {NAN, INFINITY, -INFINITY}) {
    Object fields;
    fields.set("mass", bad);
    Faults faults;
    const ParameterTable none;
    (void)read_fields<RigidBody>(FieldSource(fields, "bodies/b", "", {}), {none}, faults);
    ASSERT_EQ(faults.errors(), 1);
    EXPECT_NE(faults.list()[0].message.find("not finite"), std::string::npos);
  }
  EXPECT_NE(faults_of<RigidBody>(R"({"mass": "1/0"})").find("not a finite number"), std::string::npos);
  EXPECT_NE(faults_of<RigidBody>(R"j({"mass": "log(-1)"})j").find("not a finite number"), std::string::npos);
}

TEST(ReadFields, TakesAxesByLetterAndScalesDirections) {
  Read result;
  EXPECT_EQ(read<Revolute>(R"({"axis": "-y"})", result).axis[1], -1);
  EXPECT_EQ(result.text(), "");
  const auto scaled = read<Revolute>(R"({"axis": [3, 0, 4]})", result);
  EXPECT_DOUBLE_EQ(scaled.axis[0], 0.6);
  EXPECT_EQ(result.faults.warnings(), 1);
  EXPECT_NE(faults_of<Revolute>(R"({"axis": "w"})").find("must be x, y, z"), std::string::npos);
  EXPECT_NE(faults_of<Revolute>(R"({"axis": [0, 0, 0]})").find("length 0"), std::string::npos);
  EXPECT_NE(faults_of<Revolute>(R"({"at": "x"})").find("expected a list of 3 numbers"), std::string::npos);
}

TEST(ReadFields, TakesInertiaAsDiagonalOrRows) {
  Read result;
  EXPECT_EQ(read<RigidBody>(R"({"mass": 1, "inertia": [1, 2, "k"]})", result).inertia(2, 2), 100);
  EXPECT_EQ(read<RigidBody>(R"({"mass": 1, "inertia": [[1,4,0],[4,2,0],[0,0,3]]})", result).inertia(0, 1), 4);
  EXPECT_EQ(result.text(), "");
  EXPECT_NE(faults_of<RigidBody>(R"({"mass": 1, "inertia": [[1,2],[3,4]]})").find("got 2 of 2"), std::string::npos);
  EXPECT_NE(faults_of<RigidBody>(R"({"mass": 1, "inertia": [1, 2]})").find("inertia: expected 3 numbers or 3 rows of 3 numbers, got a list of 2 entries; 3 numbers alone are the diagonal"), std::string::npos);
}

TEST(ReadFields, TakesAFunctionOfTheProgramByItsHandle) {
  Object fields;
  fields.set("function", Handle{0});
  Faults faults;
  const ParameterTable none;
  const Function two = Function::parse({"t - q"}, {"t", "q"}, {}, {}, "", faults);
  const FieldSource source(fields, "sensors/s", "", {});
  const auto x = read_fields<Everything>(source, {none, {&two, 1}}, faults);
  EXPECT_FALSE(faults.has_errors());
  EXPECT_EQ(x.function.inputs(), 2);
  (void)read_fields<Everything>(source, {none, {}}, faults);
  EXPECT_EQ(faults.errors(), 1);
  const Function one = Function::parse({"t"}, {"t"}, {}, {}, "", faults);
  (void)read_fields<Everything>(source, {none, {&one, 1}}, faults);
  EXPECT_EQ(faults.errors(), 2);
}

TEST(ReadFields, WritesBackTheFieldsThatDifferAndReadsThemAgain) {
  Everything x;
  x.number = 0.1;
  x.matrix = {2, 1, {3, 4}};
  const Object fields = fields_of(x);
  EXPECT_EQ(fields.size(), 2u);
  Faults faults;
  const ParameterTable none;
  const auto again = read_fields<Everything>(FieldSource(fields, "s/x", "", {}), {none}, faults);
  EXPECT_FALSE(faults.has_errors());
  EXPECT_EQ(again.number, 0.1);
  EXPECT_EQ(again.matrix, x.matrix);
}

TEST(DescribeFields, TellsNameUnitDefaultAndRange) {
  const std::vector<FieldInfo> fields = describe_fields<SpringDamper>();
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0].name, "stiffness");
  EXPECT_EQ(fields[0].unit, "N/m");
  EXPECT_EQ(fields[0].default_value, Value(0.0));
  EXPECT_EQ(range_text(fields[0].range), "at least 0");
  EXPECT_EQ(range_text(between(0, 1)), "between 0 and 1");
  EXPECT_EQ(range_text(above(0)), "above 0");
  EXPECT_EQ(range_text(one_of("x|y|z")), "x, y or z");
  EXPECT_EQ(range_text(any()), "");
}

}  // namespace
}  // namespace saltus
