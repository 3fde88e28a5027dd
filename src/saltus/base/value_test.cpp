#include "saltus/base/value.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace saltus {

TEST(Value, KeepsTheOrderInWhichMembersWereSet) {
  Object object;
  object.set("b", 1);
  object.set("a", 2.5);
  object.set("b", "text");
  ASSERT_EQ(object.size(), 2u);
  EXPECT_EQ(object.begin()->key, "b");
  EXPECT_EQ(*object.find("b")->text(), "text");
  EXPECT_EQ(object.find("c"), nullptr);
  EXPECT_TRUE(object.remove("b"));
  EXPECT_FALSE(object.remove("b"));
}

TEST(Value, ComparesByContentNotByOrderOrPlace) {
  Object a, b;
  a.set("x", List{1, 2.5, true});
  a.set("y", Value());
  b.set("y", Value());
  b.set("x", List{1, 2.5, true});
  Value left(a), right(b);
  left.mark = {3, 4};
  EXPECT_EQ(left, right);
  b.set("z", 1);
  EXPECT_FALSE(left == Value(b));
  EXPECT_FALSE(Value(1) == Value(1.0));
}

TEST(Value, NamesWhatItHolds) {
  EXPECT_EQ(kind_text(Value("1.0")), "\"1.0\"");
  EXPECT_EQ(kind_text(Value()), "null");
  EXPECT_EQ(kind_text(Value(List{1, 2})), "a list of 2 entries");
  EXPECT_EQ(kind_text(Value(0.1)), "0.1");
  EXPECT_EQ(kind_text(Value(Object{})), "an object");
}

TEST(Value, WritesTheShortestNumberThatReadsBack) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-40), "-40");
  EXPECT_EQ(number_text(1e308), "1e+308");
  EXPECT_EQ(std::strtod(number_text(std::numeric_limits<double>::denorm_min()).c_str(), nullptr),
            std::numeric_limits<double>::denorm_min());
}

TEST(Value, IsCompact) { EXPECT_LE(sizeof(Value), 48u); }

}  // namespace saltus
