#include "saltus/problem/impossible.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "saltus/problem/named_problems.hpp"

namespace saltus {
namespace {

// Two plates approach a point from left and right: rows (n, t) of each.
NamedProblem plates(double approach) {
  const double M[4] = {1, 0, 0, 1}, H[8] = {1, 0, 0, 1, -1, 0, 0, 1};
  return global_friction(2, sparse(M, 2, 2), sparse(H, 4, 2), {0, 0}, {-approach, 0, -approach, 0}, {0.3, 0.3});
}

TEST(Impossible, TakesMultipliersThatNoMotionChanges) {
  const NamedProblem closing = plates(0.1);
  EXPECT_TRUE(is_impossible(closing.problem, std::vector<double>{1, 0, 1, 0}));
  EXPECT_FALSE(is_impossible(closing.problem, std::vector<double>{-1, 0, -1, 0}));      // signs
  EXPECT_FALSE(is_impossible(closing.problem, std::vector<double>{1, 1, 1, -1}));       // tangents have no say
  EXPECT_FALSE(is_impossible(closing.problem, std::vector<double>{1, 0, 1 + 1e-9, 0}));  // a motion would change it
  EXPECT_FALSE(is_impossible(closing.problem, std::vector<double>{0, 0, 0, 0}));
  EXPECT_FALSE(is_impossible(closing.problem, std::vector<double>{1, 0, 1}));
  EXPECT_FALSE(is_impossible(plates(-0.1).problem, std::vector<double>{1, 0, 1, 0}));
  EXPECT_FALSE(is_impossible(plates(0.0).problem, std::vector<double>{1, 0, 1, 0}));
}

TEST(Impossible, KnowsTheSignsOfAllRows) {
  const double W[49] = {};
  const double inf = std::numeric_limits<double>::infinity();
  const NamedProblem named = mixed(sparse(W, 7, 7), std::vector<double>(7, -1.0),
                                   {{&equality_set, 1, {}}, {&half_line_set, 1, {}}, {&box_set, 2, {-inf, -1, 0, 1}}, {&coulomb_3d_set, 3, {0.4}}});
  const std::vector<RowSign> expected{RowSign::zero, RowSign::positive, RowSign::negative, RowSign::none, RowSign::positive, RowSign::none, RowSign::none};
  EXPECT_EQ(row_signs(named.problem), expected);
}

}  // namespace
}  // namespace saltus
