#include "saltus/model/file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "saltus/model/json_text.hpp"
#include "saltus/model/references.hpp"
#include "saltus/model/run_options.hpp"
#include "saltus/model/schema.hpp"
#include "saltus/model/test_items.hpp"

namespace saltus {
namespace {

constexpr std::string_view good = R"({
  "saltus": 1, "title": "cart", "units": "SI",
  "parameters": {"k": 100, "m": "k/100"},
  "gravity": [0, 0, "-9.80-0.01"],
  "bodies": {"cart": {"type": "rigid_body", "mass": "m"}, "rod": {"type": "rigid_body", "mass": 0.1}},
  "connectors": {"strut": {"type": "spring_damper", "A": "ground", "B": {"body": "cart", "at": [0, 0, 1]}, "stiffness": "k"}},
  "joints": {"pin": {"type": "revolute", "A": "cart", "B": "rod.start", "axis": "z"}},
  "relations": {"hit": {"type": "contact", "A": "ground", "B": "cart", "law": {"type": "newton_impact", "restitution": 0.8}},
                "hit_2": {"type": "contact", "A": "ground", "B": "rod", "law": "bounce"}},
  "laws": {"bounce": {"type": "newton_impact"}},
  "outputs": {"x": "cart.position.x"},
  "simulation": {"until": 2, "scheme": {"name": "generalized_alpha", "spectral_radius": 0.8}, "record": {"interval": 0.1}}
})";

std::string faults_of(std::string_view text) {
  Faults faults;
  const Model model = read_model(text, "m.json", faults);
  if (!faults.has_errors()) check_model(model, test::catalogue(), {}, faults);
  std::string out;
  for (const Fault& fault : faults.list()) out += fault.text() + "\n";
  return out;
}

std::string with(std::string_view from, std::string_view to) {
  std::string text(good);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Model read_good() {
  Faults faults;
  Model model = read_model(good, "m.json", faults);
  faults.raise();
  return model;
}

TEST(ModelFile, OfAGoodModelHasNoFaults) { EXPECT_EQ(faults_of(good), ""); }

TEST(ModelFile, ReadsBackExactlyWhatItWrites) {
  const Model model = read_good();
  const std::string text = model_text(model);
  Faults faults;
  const Model again = read_model(text, "again.json", faults);
  EXPECT_FALSE(faults.has_errors());
  EXPECT_EQ(model_tree(again), model_tree(model));
  EXPECT_EQ(model_text(again), text);
}

TEST(ModelFile, IsReplacedAsAWholeAndLoads) {
  const auto path = std::filesystem::path(testing::TempDir()) / "saltus_file_test.json";
  save_model(read_good(), path);
  EXPECT_EQ(model_tree(load_model(path)), model_tree(read_good()));
  std::filesystem::remove(path);
  EXPECT_THROW(load_model(path), ModelError);
  EXPECT_THROW(load_model(testing::TempDir()), ModelError);
}

TEST(ModelFile, IsNotWrittenWithAFunctionOfTheProgram) {
  Model model = read_good();
  model.add("loads", "force", "push").fields.set("force", Handle{0});
  try {
    (void)model_text(model);
    FAIL() << "did not throw";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.faults()[0].path, "loads/push/force");
  }
}

TEST(CheckModel, NamesTheNearestOfAllKindsOfNames) {
  EXPECT_EQ(faults_of(with("\"B\": \"rod.start\"", "\"B\": \"rid.start\"")),
            "m.json:7:60 joints/pin/B: frame \"rid\" is not there; did you mean \"rod\"?\n");
  EXPECT_NE(faults_of(with("\"revolute\"", "\"revolut\"")).find("did you mean \"revolute\"?"), std::string::npos);
  EXPECT_NE(faults_of(with("\"revolute\"", "\"rigid_body\"")).find("belongs in section `bodies`"), std::string::npos);
  EXPECT_NE(faults_of(with("\"law\": \"bounce\"", "\"law\": \"bonce\"")).find("did you mean \"bounce\"?"), std::string::npos);
  EXPECT_NE(faults_of(with("\"law\": \"bounce\"", "\"law\": \"cart\"")).find("is one of the bodies, expected a law"), std::string::npos);
  EXPECT_NE(faults_of(with("\"cart.position.x\"", "\"cat.position.x\"")).find("did you mean \"cart\"?"), std::string::npos);
  EXPECT_NE(faults_of(with("\"cart.position.x\"", "\"cart\"")).find("expected name.quantity"), std::string::npos);
  EXPECT_NE(faults_of(with("\"joints\"", "\"joint\"")).find("did you mean \"joints\"?"), std::string::npos);
}

TEST(CheckModel, LooksIntoLawsWrittenInPlace) {
  EXPECT_NE(faults_of(with("0.8}}", "1.8}}")).find("relations/hit/law/restitution: is 1.8, must be between 0 and 1"), std::string::npos);
  EXPECT_NE(faults_of(with("\"restitution\"", "\"restitutio\"")).find("did you mean \"restitution\"?"), std::string::npos);
}

TEST(CheckModel, NamesMissingAndMalformedReferences) {
  EXPECT_NE(faults_of(with("\"B\": \"rod.start\",", "")).find("joints/pin/B: is missing"), std::string::npos);
  EXPECT_NE(faults_of(with("\"rod.start\"", "5")).find("expected the name of an item, got 5"), std::string::npos);
  EXPECT_NE(faults_of(with("\"body\": \"cart\"", "\"bdy\": \"cart\"")).find("expected the name of an item"), std::string::npos);
}

TEST(CheckModel, RefusesGravityAsAScalarByItsPath) {
  EXPECT_EQ(faults_of(with("[0, 0, \"-9.80-0.01\"]", "-9.81")), "m.json:4:14 gravity: expected a list of 3 numbers, got -9.81\n");
}

TEST(RunOptions, TakeSchemeByNameOrWithOptions) {
  const Model model = read_good();
  Faults faults;
  const ParameterTable table(model.parameters, "", faults);
  const RunOptions options = read_run_options(model, {table}, faults);
  EXPECT_FALSE(faults.has_errors());
  EXPECT_EQ(options.until, 2);
  EXPECT_EQ(options.scheme, "generalized_alpha");
  EXPECT_EQ(*options.scheme_options.find("spectral_radius"), Value(0.8));
  EXPECT_EQ(options.scheme_options.size(), 1u);
  EXPECT_DOUBLE_EQ(read_gravity(model, {table}, faults)[2], -9.81);
  EXPECT_NE(faults_of(with("\"until\"", "\"untill\"")).find("did you mean \"until\"?"), std::string::npos);
}

TEST(Model, GivesDefaultNamesAndKeepsThemUnique) {
  Model model;
  EXPECT_EQ(model.add("bodies", "rod", "").name, "rod_1");
  model.add("bodies", "rod", "rod_2");
  EXPECT_EQ(model.add("bodies", "rod", "").name, "rod_3");
  EXPECT_THROW(model.add("joints", "pin", "rod_1"), ModelError);
  EXPECT_THROW(model.add("bodies", "rod", "ground"), ModelError);
  EXPECT_THROW(model.add("bodies", "rod", "a.b"), ModelError);
  EXPECT_THROW(model.add("bodys", "rod", "b"), ModelError);
}

TEST(Model, CopiesFindTheirOwnRecords) {
  Model model;
  model.add("bodies", "rod", "b");
  Model copy = model;
  copy.find("b")->type = "box";
  EXPECT_EQ(model.find("b")->type, "rod");
  Model moved = std::move(copy);
  EXPECT_EQ(moved.find("b")->type, "box");
}

TEST(Rename, FollowsInReferencesAndOutputs) {
  Model model = read_good();
  rename(model, "cart", "sledge", test::catalogue());
  EXPECT_EQ(model.find("cart"), nullptr);
  Faults faults;
  check_model(model, test::catalogue(), {}, faults);
  EXPECT_FALSE(faults.has_errors());
  EXPECT_EQ(*model.outputs.find("x"), Value("sledge.position.x"));
  EXPECT_EQ(*model.find("strut")->fields.find("B")->object()->find("body"), Value("sledge"));
  EXPECT_THROW(rename(model, "sledge", "rod", test::catalogue()), ModelError);
  EXPECT_THROW(rename(model, "cart", "x", test::catalogue()), ModelError);
}

TEST(Schema, HasEveryTypeWithItsKeysAndRanges) {
  const Value schema = json_schema(test::catalogue());
  const Object& definitions = *schema.object()->find("$defs")->object();
  for (const ItemType* type : test::catalogue().types()) {
    const Value* item = definitions.find(std::string(type->section) + "." + std::string(type->name));
    ASSERT_NE(item, nullptr) << type->name;
    EXPECT_EQ(item->object()->find("properties")->object()->size(), 1 + type->fields.size() + type->ports.size());
  }
  const std::string text = json_text(schema, 0);
  EXPECT_NE(text.find(R"("minimum":0.0)"), std::string::npos);
}

TEST(ItemsList, TellsOfEachTypeItsFields) {
  const Value items = items_list(test::catalogue());
  ASSERT_EQ(items.list()->size(), 7u);
  const Object& body = *items.list()->front().object();
  EXPECT_EQ(*body.find("name"), Value("rigid_body"));
  EXPECT_EQ(*body.find("family"), Value("bodies"));
  const Object& mass = *body.find("fields")->list()->front().object();
  EXPECT_EQ(*mass.find("unit"), Value("kg"));
  EXPECT_EQ(*mass.find("range"), Value("at least 0"));
  EXPECT_TRUE(mass.find("default")->is_null());
  EXPECT_TRUE(body.find("picture")->is_null());
}

TEST(ItemsList, TellsTheShapeOfAPictureAndTheFieldsOfItsSizes) {
  const Value items = items_list(test::catalogue());
  for (const Value& item : *items.list())
    if (*item.object()->find("name") == Value("spring_damper")) {
      const Object& picture = *item.object()->find("picture")->object();
      EXPECT_EQ(*picture.find("shape"), Value("coil"));
      EXPECT_EQ(*picture.find("sizes"), Value(List{Value("rest_length")}));
      return;
    }
  FAIL() << "no spring in the list";
}

}  // namespace
}  // namespace saltus
