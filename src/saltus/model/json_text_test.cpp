#include "saltus/model/json_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace saltus {
namespace {

/// Text of the faults of a JSON text, one a line.
std::string faults_of(std::string_view text, const JsonLimits& limits = {}) {
  Faults faults;
  const Value value = parse_json(text, "m.json", faults, limits);
  std::string out;
  for (const Fault& fault : faults.list()) out += fault.text() + "\n";
  EXPECT_TRUE(out.empty() || value.is_null());
  return out;
}

Value read(std::string_view text) {
  Faults faults;
  Value value = parse_json(text, "m.json", faults);
  faults.raise();
  return value;
}

void expect_fault(std::string_view text, std::string_view fragment) {
  EXPECT_NE(faults_of(text).find(fragment), std::string::npos) << faults_of(text);
}

TEST(JsonText, GivesEveryValueItsPlace) {
  const Value root = read("{\n  \"a\": [1, -2.5e1,\n \"x\\\"y\", true, null],\r\n\t\"b\" : {}\n}");
  EXPECT_EQ(root.mark.line, 1u);
  const Member& a = *root.object()->begin();
  EXPECT_EQ(a.mark.line, 2u);
  EXPECT_EQ(a.mark.column, 3u);
  const List& list = *a.value.list();
  EXPECT_EQ(a.value.mark.column, 8u);
  EXPECT_EQ(list[0].mark.column, 9u);
  EXPECT_EQ(list[1].mark.column, 12u);
  EXPECT_EQ(list[2].mark.line, 3u);
  EXPECT_EQ(list[2].mark.column, 2u);
  EXPECT_EQ(list[3].mark.column, 10u);
  EXPECT_EQ(list[4].mark.column, 16u);
  EXPECT_EQ((root.object()->begin() + 1)->value.mark.column, 8u);
}

TEST(JsonText, TellsWholeNumbersFromOthers) {
  const Value root = read("[1, 1.0, -0.0, 9223372036854775807, 18446744073709551617, 1e3]");
  EXPECT_EQ(root.list()->at(0), Value(1));
  EXPECT_EQ(root.list()->at(1), Value(1.0));
  EXPECT_TRUE(std::signbit(root.list()->at(2).number()));
  EXPECT_EQ(*root.list()->at(3).integer(), INT64_MAX);
  EXPECT_EQ(root.list()->at(4), Value(18446744073709551616.0));
  EXPECT_EQ(root.list()->at(5), Value(1000.0));
}

TEST(JsonText, NamesLineAndColumnOfWhatItCannotRead) {
  expect_fault("{\"a\": Infinity}", "m.json:1:7");
  expect_fault("{\"a\": NaN}", "no NaN or Infinity");
  expect_fault("{} x", "m.json:1:4");
  expect_fault("/* c */ {}", "m.json:1:1");
  expect_fault("{\"a\": 1,}", "m.json:1:9");
  expect_fault("{\"a\": \"lone \\ud800 \"}", "surrogate");
  expect_fault(std::string_view("{\"a\": \"x\0y\"}", 12), "control character");
  expect_fault("{\"a\": \"\xC3\x28\"}", "UTF-8");
  expect_fault("{\n\"mass\": 1e400}", "m.json:2:9 number 1e400 is outside the range of double");
  expect_fault("[1, 2", "unexpected end of input");
}

TEST(JsonText, RefusesKeysGivenTwiceAndNamesAllOfThem) {
  expect_fault("{\"mass\": 1,\n \"mass\": 2}", "m.json:2:2 key \"mass\" is given twice, first on line 1");
  const std::string both = faults_of("{\"a\": {\"k\": 1, \"k\": 2}, \"b\": 1, \"b\": 2}");
  EXPECT_NE(both.find("\"k\""), std::string::npos);
  EXPECT_NE(both.find("\"b\""), std::string::npos);
  expect_fault("{\"mass\": 1, \"m\\u0061ss\": 2}", "given twice");
}

TEST(JsonText, SkipsAByteOrderMarkAndNamesUtf16) {
  EXPECT_EQ(read("\xEF\xBB\xBF{\"a\": 1}"), read("{\"a\": 1}"));
  EXPECT_EQ(read("\xEF\xBB\xBF{\"a\": 1}").object()->begin()->mark.column, 2u);
  expect_fault(std::string_view("\xFF\xFE{\0}\0", 6), "UTF-16");
  expect_fault(std::string_view("{\0}\0", 4), "UTF-16");
  expect_fault("", "file is empty");
  expect_fault(" \n", "file is empty");
}

TEST(JsonText, HasLimitsThatItStates) {
  expect_fault(std::string(100000, '['), "deeper than the limit of 64 levels");
  expect_fault(std::string(1000000, '{'), "m.json:1:2");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "{\"a\":";
  expect_fault(deep, "limit of 64 levels");
  expect_fault("[1." + std::string(1000000, '0') + "]", "1000002 characters, the limit is 400");
  EXPECT_NE(faults_of("[1,2,3,4]", {.values = 3}).find("more than 3 values"), std::string::npos);
  EXPECT_NE(faults_of("[1,2,3,4]", {.bytes = 3}).find("the limit is 3"), std::string::npos);
}

TEST(JsonText, AnswersHostileTextShortly) {
  EXPECT_LT(faults_of("{\"" + std::string(2000000, 'k') + "\": 1, x").size(), 1000u);
  EXPECT_LT(faults_of("[" + std::string(2000000, 'x') + "]").size(), 1000u);
}

/// Random tree of all kinds that a file can hold.
Value random_value(std::mt19937_64& random, int depth) {
  switch (random() % (depth > 0 ? 7 : 5)) {
    case 0: return {};
    case 1: return Value(random() % 2 == 0);
    case 2: return Value(static_cast<std::int64_t>(random()));
    case 3: {
      const double x = std::bit_cast<double>(random());
      return Value(std::isfinite(x) ? x : 0.5);
    }
    case 4: {
      std::string text;
      for (std::uint64_t i = random() % 8; i > 0; --i) text += "a\"\\\n\t\x01 é\xE2\x80\x8B"[random() % 12] & 0x7F;
      return Value(text);
    }
    case 5: {
      List list;
      for (std::uint64_t i = random() % 5; i > 0; --i) list.push_back(random_value(random, depth - 1));
      return Value(std::move(list));
    }
    default: {
      Object object;
      for (std::uint64_t i = random() % 5; i > 0; --i)
        object.set("k" + std::to_string(random() % 20), random_value(random, depth - 1));
      return Value(std::move(object));
    }
  }
}

TEST(JsonText, ReadsBackExactlyWhatItWrote) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const Value value = random_value(random, 5);
    for (const int indent : {0, 2}) {
      const std::string text = json_text(value, indent);
      const Value again = read(text);
      EXPECT_EQ(again, value) << text;
      EXPECT_EQ(json_text(again, indent), text);
    }
  }
}

TEST(JsonText, RefusesToWriteWhatAFileCannotHold) {
  Object load, loads, root;
  load.set("force", Handle{0});
  load.set("at", List{0.0, std::numeric_limits<double>::quiet_NaN(), 0.0});
  loads.set("push", std::move(load));
  root.set("loads", std::move(loads));
  Faults faults;
  (void)json_text(Value(root), faults);
  ASSERT_EQ(faults.errors(), 2);
  EXPECT_EQ(faults.list()[0].path, "loads/push/force");
  EXPECT_EQ(faults.list()[1].path, "loads/push/at/1");
}

}  // namespace
}  // namespace saltus
