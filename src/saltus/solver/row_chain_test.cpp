#include "saltus/solver/row_chain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/problem/residual.hpp"
#include "saltus/problem/sets.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {
namespace {

/// A column of n masses: the first gap above the floor, each other one above the mass below it; impulses p0 on the masses.
Problem column(int n, double p0) {
  Problem p;
  p.M.resize(n, n), p.H.resize(n, n);
  for (int i = 0; i < n; ++i) {
    p.M.insert(i, i) = 1.0 + 0.1 * (i % 3);
    if (i > 0) p.H.insert(i, i - 1) = -1.0;
    p.H.insert(i, i) = 1.0;
    p.blocks.push_back({.begin = i, .dim = 1, .set = &half_line_set});
  }
  p.M.makeCompressed(), p.H.makeCompressed();
  p.p0.assign(n, p0), p.b.assign(n, 0.0);
  p.symmetric = true;
  return p;
}

double residual(const Problem& p, const std::vector<double>& v, const std::vector<double>& r) {
  std::vector<double> w(r.size());
  ResidualScratch scratch;
  const Certificate found = certificate(p, v, r, w, scratch);
  return std::max(found.residual, found.scaled_residual);
}

TEST(RowChain, CarriesTheWeightOfAColumnInAsManyRoundsWhateverItsLength) {
  for (const int n : {1, 10, 1000}) {
    const Problem p = column(n, -1.0);
    RowChain chain;
    std::vector<double> v(p.p0.size()), r(p.b.size());
    ASSERT_TRUE(chain.solve(p, v, r));
    EXPECT_LE(chain.rounds(), 2);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(r[i], n - i, 1e-12 * n * n);  // the impulses of all above it
    EXPECT_LT(residual(p, v, r), 1e-12);
  }
}

TEST(RowChain, FulfilsTheLawsOfAColumnInWhichSomeGapsPart) {
  Problem p = column(200, 0.0);
  for (std::size_t i = 0; i < p.p0.size(); ++i) p.p0[i] = std::sin(0.9 * static_cast<double>(i)) + 0.02 * static_cast<double>(i % 7), p.b[i] = 0.8 + 1.5 * std::cos(2.3 * static_cast<double>(i));
  RowChain chain;
  std::vector<double> v(p.p0.size()), r(p.b.size());
  ASSERT_TRUE(chain.solve(p, v, r));
  int open = 0;
  for (const double x : r) open += x == 0.0;
  EXPECT_GT(open, 20);
  EXPECT_LE(chain.rounds(), 2);
  EXPECT_LT(open, 180);
  EXPECT_LT(residual(p, v, r), 1e-13);
}

TEST(RowChain, MovesFreelyWithoutRows) {
  Problem p = column(3, 2.0);
  p.H.resize(0, 3), p.b.clear(), p.blocks.clear();
  RowChain chain;
  std::vector<double> v(p.p0.size()), r(p.b.size());
  ASSERT_TRUE(chain.solve(p, v, r));
  EXPECT_DOUBLE_EQ(v[1], 2.0 / 1.1);
}

TEST(RowChain, LeavesRowsThatAreRedundantOrDoNotFollowEachOtherToOthers) {
  const auto solves = [](const Problem& p) {
    RowChain chain;
    std::vector<double> v(p.p0.size()), r(p.b.size());
    return chain.solve(p, v, r);
  };
  Problem twice = column(1, -1.0);
  twice.H.resize(2, 1), twice.H.insert(0, 0) = 1.0, twice.H.insert(1, 0) = 1.0;
  twice.b.assign(2, 0.0), twice.blocks.push_back({.begin = 1, .dim = 1, .set = &half_line_set});
  EXPECT_FALSE(solves(twice));
  Problem apart = column(3, -1.0);
  apart.H.coeffRef(2, 0) = 1.0;  // the third row and the first share a mass
  EXPECT_FALSE(solves(apart));
  Problem coupled = column(2, -1.0);
  coupled.M.coeffRef(0, 1) = 0.5;
  EXPECT_FALSE(solves(coupled));
}

TEST(RowChain, GivesNoNumberThatIsNone) {
  Problem p = column(2, -1.0);
  p.p0[1] = std::nan("");
  RowChain chain;
  std::vector<double> v(2), r(2);
  EXPECT_FALSE(chain.solve(p, v, r) && residual(p, v, r) < 1e-3);
}

TEST(RowChain, StandsInTheTableForProblemsAsAWhole) {
  Problem p = column(20, -1.0);
  p.H.coeffRef(10, 9) = 0.0;  // two columns that share nothing
  p.H.prune(0.0);
  const SolveReport all = solve(p, {.tolerance = 1e-12}), chain = solve(p, {.tolerance = 1e-12, .solver = "chain"});
  ASSERT_EQ(chain.status, SolveStatus::solved) << chain.cause;
  EXPECT_EQ(chain.solver, "chain");
  EXPECT_EQ(chain.islands, 1);
  EXPECT_EQ(all.islands, 2);
  for (std::size_t i = 0; i < all.r.size(); ++i) EXPECT_NEAR(chain.r[i], all.r[i], 1e-11 * chain.r[0]);
  p.M.coeffRef(0, 1) = 0.5;
  EXPECT_EQ(solve(p, {.solver = "chain"}).status, SolveStatus::unsupported);
}

}  // namespace
}  // namespace saltus
