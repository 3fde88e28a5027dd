#include "saltus/base/suggest.hpp"

#include <gtest/gtest.h>

namespace saltus {

TEST(EditDistance, CountsInsertDeleteReplaceAndSwap) {
  EXPECT_EQ(edit_distance("mass", "mass", 3), 0);
  EXPECT_EQ(edit_distance("mas", "mass", 3), 1);
  EXPECT_EQ(edit_distance("masss", "mass", 3), 1);
  EXPECT_EQ(edit_distance("moss", "mass", 3), 1);
  EXPECT_EQ(edit_distance("msas", "mass", 3), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3);
}

TEST(EditDistance, StopsAtItsLimit) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3);
  EXPECT_EQ(edit_distance(std::string(100, 'a'), std::string(100, 'b'), 5), 6);
}

TEST(DidYouMean, FindsTheNearestAndNothingForAStranger) {
  const std::vector<std::string_view> names = words("stiffness|damping|rest_length|mass");
  EXPECT_EQ(nearest("stifness", names), "stiffness");
  EXPECT_EQ(nearest("Mass", names), "mass");
  EXPECT_EQ(nearest("rest", names), "rest_length");
  EXPECT_EQ(nearest("colour", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(did_you_mean("mas", names), "did you mean \"mass\"?");
}

TEST(DidYouMean, PrefersFewerEdits) {
  const std::vector<std::string_view> names = words("rod_1|rod_2|rod_12");
  EXPECT_EQ(nearest("rod__12", names), "rod_12");
}

TEST(Words, SplitAndJoin) {
  EXPECT_EQ(words("x|y|z").size(), 3u);
  EXPECT_TRUE(words("").empty());
  EXPECT_EQ(listed(words("x|y|z")), "x, y, z");
  EXPECT_EQ(listed(words("a|b|c"), 2), "a, b, and 1 more");
}

}  // namespace saltus
