#include "saltus/model/parameters.hpp"

#include <gtest/gtest.h>

#include "saltus/model/json_text.hpp"

namespace saltus {
namespace {

std::string faults_of(std::string_view json) {
  Faults faults;
  const Value tree = parse_json(json, "m.json", faults);
  const ParameterTable table(*tree.object(), "m.json", faults);
  std::string out;
  for (const Fault& fault : faults.list()) out += fault.text() + "\n";
  return out;
}

TEST(Parameters, MayUseOneAnotherInAnyOrder) {
  Faults faults;
  const Value tree = parse_json(R"j({"a": "2*b + c", "b": "c^2", "c": 3, "d": "sqrt(1.6e1) + pi - pi"})j", "m.json", faults);
  const ParameterTable table(*tree.object(), "m.json", faults);
  EXPECT_FALSE(faults.has_errors());
  EXPECT_EQ(*table.find("a"), 21);
  EXPECT_EQ(*table.find("d"), 4);
  EXPECT_EQ(table.find("x"), nullptr);
}

TEST(Parameters, NameTheCircleTheUnknownAndTheInvalid) {
  EXPECT_EQ(faults_of(R"({"a": "b", "b": "a+1", "c": 1})"),
            "m.json:1:7 parameters/a: depends on itself; break the circle of b\n"
            "m.json:1:17 parameters/b: depends on itself; break the circle of a+1\n");
  EXPECT_NE(faults_of(R"({"length": 1, "b": "2*lenght"})").find("did you mean \"length\"?"), std::string::npos);
  EXPECT_NE(faults_of(R"({"2x": 1})").find("not a name"), std::string::npos);
  EXPECT_NE(faults_of(R"({"pi": 3})").find("word of expressions"), std::string::npos);
  EXPECT_NE(faults_of(R"({"a": true})").find("expected a number, got true"), std::string::npos);
  EXPECT_NE(faults_of(R"({"a": "1/0"})").find("is not a finite number"), std::string::npos);
}

TEST(Parameters, ReportOnlyTheCauseOfAFailure) {
  EXPECT_EQ(faults_of(R"({"a": "1/0", "b": "a", "c": "a+b"})"),
            "m.json:1:7 parameters/a: \"1/0\" is not a finite number; check divisions by zero, log and sqrt\n");
}

TEST(Parameters, AreEvaluatedInTimeInALongChain) {
  Object chain;
  for (int i = 0; i < 20000; ++i) chain.append("p" + std::to_string(i), i == 19999 ? Value(1) : Value("p" + std::to_string(i + 1) + "+1"));
  Faults faults;
  const ParameterTable table(chain, "", faults);
  EXPECT_FALSE(faults.has_errors());
  EXPECT_EQ(*table.find("p0"), 20000);
}

TEST(Parameters, ThatARunMayChangeStandInTheData) {
  Faults faults;
  const Value tree = parse_json(R"j({"c": 2, "k": {"value": "10*c"}, "p": {"value": 1, "schedule": [[0.5, 3], [1, "c"]]}})j", "m.json", faults);
  const ParameterTable table(*tree.object(), "m.json", faults);
  EXPECT_FALSE(faults.has_errors());
  ASSERT_EQ(table.of_run().size(), 2u);
  EXPECT_EQ(table.of_run()[0].value, 20.0);
  EXPECT_EQ(table.of_run()[1].schedule, (std::vector<std::pair<double, double>>{{0.5, 3.0}, {1.0, 2.0}}));
  const auto used = table.used_by("c*p + k", {}, {}, "f", faults);
  EXPECT_EQ(used->numbers, (std::vector<Parameter>{{"c", 2.0, -1}, {"p", 1.0, 1}, {"k", 20.0, 0}}));
  EXPECT_FALSE(table.constant(Value("2*p"), {}, "mass", faults));
  EXPECT_NE(faults.list().back().text().find("which a run may change"), std::string::npos);
}

TEST(Parameters, ThatARunMayChangeAreWrittenInFull) {
  EXPECT_NE(faults_of(R"({"k": {"valeu": 1}})").find("unknown key \"valeu\""), std::string::npos);
  EXPECT_NE(faults_of(R"({"k": {"schedule": []}})").find("parameters/k/value: is missing"), std::string::npos);
  EXPECT_NE(faults_of(R"({"k": {"value": 1, "schedule": [[1, 2], [1, 3]]}})").find("not behind the one before"), std::string::npos);
  EXPECT_NE(faults_of(R"({"k": {"value": 1, "schedule": [3]}})").find("expected a time and a value"), std::string::npos);
  EXPECT_NE(faults_of(R"({"k": {"value": 1}, "twice": "2*k"})").find("parameters/twice: uses \"k\", which a run may change"), std::string::npos);
}

TEST(Parameters, AreOverriddenByName) {
  Model model;
  model.parameters.set("stiffness", 1);
  override_parameter(model, "stiffness=2.5e3");
  EXPECT_EQ(*model.parameters.find("stiffness"), Value(2500.0));
  override_parameter(model, "stiffness=2*pi");
  EXPECT_EQ(*model.parameters.find("stiffness"), Value("2*pi"));
  EXPECT_THROW(override_parameter(model, "stiffness"), ModelError);
  try {
    override_parameter(model, "stifness=1");
    FAIL() << "did not throw";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.faults()[0].remedy, "did you mean \"stiffness\"?");
  }
}

TEST(VariablesOf, AreNamesThatAreNotCalled) {
  EXPECT_EQ(variables_of("sin (x) + 2e3*y_1 - x + pi").size(), 2u);
  EXPECT_TRUE(variables_of("1e5 + .5e-3").empty());
}

}  // namespace
}  // namespace saltus
