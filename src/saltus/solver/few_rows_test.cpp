#include "saltus/solver/few_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "saltus/base/index.hpp"
#include "saltus/problem/named_problems.hpp"
#include "saltus/problem/residual.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {
namespace {

double error(const Problem& problem, const std::vector<double>& v, const std::vector<double>& r) {
  ResidualScratch scratch;
  std::vector<double> w(r.size());
  const Certificate found = certificate(problem, v, r, w, scratch);
  return std::max(found.residual, found.scaled_residual);
}

struct Draw {
  std::mt19937 generator;
  double operator()(double low, double high) { return std::uniform_real_distribution(low, high)(generator); }
};

using Entries = std::vector<Eigen::Triplet<double>>;

NamedProblem of_entries(const Entries& M, const Entries& H, int count, const std::vector<double>& p0, const std::vector<BlockSpec>& blocks) {
  const int n = count_of(p0);
  SparseRows mass(n, n), rows(count, n);
  mass.setFromTriplets(M.begin(), M.end());
  rows.setFromTriplets(H.begin(), H.end());
  NamedProblem named = global_mixed(mass, rows, p0, std::vector<double>(at(count), 0.0), blocks);
  named.problem.symmetric = true;
  return named;
}

/// Bodies of six velocities, each resting on the ground or on the one before with a contact of three rows, some with a limit.
NamedProblem chain(int bodies, Draw& draw) {
  Entries M, H;
  std::vector<BlockSpec> blocks;
  std::vector<double> p0;
  int row = 0;
  for (int k = 0; k < bodies; ++k) {
    for (int i = 0; i < 6; ++i) {
      M.emplace_back(6 * k + i, 6 * k + i, i < 3 ? 2.0 : 0.1);
      p0.push_back(draw(-1, 1) - (i == 0 ? 1.0 : 0.0));
    }
    const bool limit = k % 3 == 2;
    for (int i = 0; i < (limit ? 1 : 3); ++i, ++row)
      for (int j = 0; j < 6; ++j) {
        const double a = draw(-0.3, 0.3) + (i == j ? 1.0 : 0.0);
        H.emplace_back(row, 6 * k + j, a);
        if (k > 0 && k % 2 == 1) H.emplace_back(row, 6 * (k - 1) + j, -a);
      }
    if (limit) blocks.push_back({&half_line_set, 1, {}});
    else blocks.push_back({&coulomb_3d_set, 3, {draw(0.0, 0.8)}});
  }
  return of_entries(M, H, row, p0, blocks);
}

TEST(FewRows, EndsAtRoundingOnContactsOfBodies) {
  Draw draw{std::mt19937(3)};
  FewRows few;
  int solved = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const NamedProblem named = chain(1 + trial % 10, draw);
    ASSERT_TRUE(FewRows::can(named.problem));
    std::vector<double> v(named.problem.p0.size()), r(named.problem.b.size());
    if (!few.solve(named.problem, false, v, r)) continue;
    ++solved;
    EXPECT_LT(error(named.problem, v, r), 1e-12);
  }
  EXPECT_GE(solved, 298);  // what it gives up is for the others
}

// Friction small enough for one solution: the sweeps of the general solver must come to the same.
TEST(FewRows, AgreesWithSweepsWhereTheSolutionIsUnique) {
  Draw draw{std::mt19937(5)};
  FewRows few;
  for (int trial = 0; trial < 60; ++trial) {
    const int contacts = 1 + trial % 4, dimension = 2 + trial % 2, m = dimension * contacts;
    const Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(m, m + 2, [&] { return draw(-1, 1); });
    const Eigen::MatrixXd A = J * J.transpose() / (m + 2) + 0.3 * Eigen::MatrixXd::Identity(m, m);
    std::vector<double> q(m);
    for (double& x : q) x = draw(-1, 1);
    const NamedProblem named = friction(dimension, A.sparseView(), q, std::vector<double>(static_cast<std::size_t>(contacts), 0.2));
    std::vector<double> r(q.size());
    ASSERT_TRUE(few.solve(named.problem, false, {}, r));
    EXPECT_LT(error(named.problem, {}, r), 1e-13);
    const SolveReport sweeps = solve(named.problem, {.tolerance = 1e-13, .solver = "sweeps"});
    for (int i = 0; i < m; ++i) EXPECT_NEAR(r[i], sweeps.r[i], 1e-10);
  }
}

// Four feet on twelve rows over six velocities: the impulses are not unique, the motion is.
NamedProblem four_feet(double mu, const std::vector<double>& push) {
  std::vector<Eigen::Triplet<double>> H;
  const double feet[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  for (int c = 0; c < 4; ++c) {
    const double x = feet[c][0], y = feet[c][1], z = -0.5;
    H.emplace_back(3 * c, 2, 1.0), H.emplace_back(3 * c, 3, y), H.emplace_back(3 * c, 4, -x);
    H.emplace_back(3 * c + 1, 0, 1.0), H.emplace_back(3 * c + 1, 4, z), H.emplace_back(3 * c + 1, 5, -y);
    H.emplace_back(3 * c + 2, 1, 1.0), H.emplace_back(3 * c + 2, 3, -z), H.emplace_back(3 * c + 2, 5, x);
  }
  SparseRows mass(6, 6), rows(12, 6);
  mass.setIdentity();
  rows.setFromTriplets(H.begin(), H.end());
  return global_friction(3, mass, rows, push, std::vector<double>(12, 0.0), std::vector<double>(4, mu));
}

TEST(FewRows, SolvesMoreRowsThanVelocities) {
  FewRows few;
  const double mu = 0.4, weight = 0.1;
  for (const double push : {0.0, 0.02, 0.1}) {
    const NamedProblem named = four_feet(mu, {push, 0, -weight, 0, 0, 0});
    std::vector<double> v(6), r(12);
    ASSERT_TRUE(few.solve(named.problem, false, v, r));
    EXPECT_LT(error(named.problem, v, r), 1e-13);
    EXPECT_NEAR(v[0], std::max(0.0, push - mu * weight), 1e-14);  // slides as a point would
    EXPECT_NEAR(v[2], 0.0, 1e-14);
  }
}

// Feet that slide in different directions: here the share of the load acts on the motion. It is that of equal springs, whatever the start.
TEST(FewRows, SharesLoadsAlike) {
  FewRows few;
  const NamedProblem named = four_feet(0.4, {1, 0.2, -0.1, 0, 0, 1.5});
  std::vector<double> last;
  for (int start = 0; start < 5; ++start) {
    std::vector<double> v(6), r(12);
    for (int c = 0; c < 4; ++c) r[at(3 * c)] = 0.025 + 0.02 * ((start + c) % 3);
    ASSERT_TRUE(few.solve(named.problem, false, v, r));
    EXPECT_LT(error(named.problem, v, r), 1e-12);
    EXPECT_NEAR(r[0] + r[9], r[3] + r[6], 1e-9);
    for (std::size_t i = 0; i < last.size(); ++i) EXPECT_NEAR(v[i], last[i], 1e-9);
    last = v;
  }
}

/// A row of bodies of six velocities, each welded to the one before; the ends stand on contacts. M varies, so that no two bodies are alike.
NamedProblem welded(int bodies, double twice) {
  const int n = 6 * bodies;
  Entries M, H;
  std::vector<double> p0;
  for (int i = 0; i < n; ++i) {
    M.emplace_back(i, i, 1.0 + 0.1 * (i % 7));
    p0.push_back(i % 6 == 2 ? -0.1 : 0.02 * std::sin(i));
  }
  int row = 0;
  for (int k = 1; k < bodies; ++k)
    for (int i = 0; i < 6; ++i, ++row) {
      H.emplace_back(row, 6 * k + i, 1.0), H.emplace_back(row, 6 * (k - 1) + i, -1.0);
      if (i == 2) H.emplace_back(row, 6 * k + 4, 0.3), H.emplace_back(row, 6 * (k - 1) + 4, 0.3);  // levers
    }
  std::vector<BlockSpec> blocks{{&equality_set, row, {}}};
  if (twice != 0.0) {
    for (int i = 0; i < 6; ++i) H.emplace_back(row, 6 + i, twice), H.emplace_back(row, i, -twice);
    blocks.push_back({&equality_set, 1, {}}), ++row;
    H.emplace_back(row, 6, twice), H.emplace_back(row, 0, -twice);
    blocks.push_back({&equality_set, 1, {}}), ++row;
  }
  for (const int k : {0, bodies - 1}) {
    for (const int i : {2, 0, 1}) H.emplace_back(row++, 6 * k + i, 1.0);
    blocks.push_back({&coulomb_3d_set, 3, {0.4}});
  }
  return of_entries(M, H, row, p0, blocks);
}

// Joints do not count as rows: they are taken out with the motion, whatever their number.
TEST(FewRows, StandBesideManyJoints) {
  Solver solver;
  SolveReport report;
  for (const int bodies : {14, 14, 30, 14}) {
    const NamedProblem named = welded(bodies, 0.0);
    solver.solve(named.problem, {.tolerance = 1e-12}, report);
    ASSERT_EQ(report.status, SolveStatus::solved) << report.cause;
    EXPECT_EQ(report.solver, "few_rows");
    EXPECT_LT(error(named.problem, report.v, report.r), 1e-13);
    const SolveReport general = solve(named.problem, {.tolerance = 1e-12, .solver = "newton"});
    ASSERT_EQ(general.status, SolveStatus::solved) << general.cause;
    for (std::size_t i = 0; i < report.v.size(); ++i) EXPECT_NEAR(report.v[i], general.v[i], 1e-10);
  }
  const NamedProblem held_twice = welded(14, 1.0);
  solver.solve(held_twice.problem, {.tolerance = 1e-10}, report);
  ASSERT_EQ(report.status, SolveStatus::solved) << report.cause;
  EXPECT_LT(error(held_twice.problem, report.v, report.r), 1e-10);
}

TEST(FewRows, MovesBodiesThatNothingTouches) {
  const double M[9] = {2, 1, 0, 1, 3, 0, 0, 0, 4};
  Problem problem;
  problem.M = sparse(M, 3, 3);
  problem.H = SparseRows(0, 3);
  problem.p0 = {3, 4, -8};
  const SolveReport report = solve(problem);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.solver, "few_rows");
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(report.v[i], (std::vector<double>{1, 1, -2}[i]));
}

// Two relays with W_11 = 0, which few_rows leaves alone: the last step's point is within the tolerance, and yet not the solution.
TEST(FewRows, DoesNotPassTheStartOffAsAnAnswer) {
  const double W[4] = {0, 0, 0.0174, 0.0087};
  const NamedProblem named = box_inequality(sparse(W, 2, 2), {-0.25, -0.02175}, {-1, -1}, {1, 1});
  const std::vector<double> warm{1.0, 0.5 + 3e-8};
  const SolveReport report = solve(named.problem, {.warm_r = warm});
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_NEAR(report.r[1], 0.5, 1e-14);
  EXPECT_EQ(solve(named.problem, {.solver = "few_rows", .warm_r = warm}).status, SolveStatus::budget);
}

TEST(FewRows, LeavesToOthersWhatItCannotBeSureOf) {
  FewRows few;
  const double singular[4] = {1, 1, 1, 1}, identity[4] = {1, 0, 0, 1};
  std::vector<double> v{7, 7}, r{7, 7};
  const NamedProblem mass = global_friction(2, sparse(singular, 2, 2), sparse(identity, 2, 2), {1, 1}, {0, 0}, {0.3});
  EXPECT_FALSE(few.solve(mass.problem, false, v, r));
  EXPECT_EQ(v, (std::vector<double>{7, 7}));
  EXPECT_EQ(r, (std::vector<double>{7, 7}));
  const NamedProblem redundant = linear_complementarity(sparse(singular, 2, 2), {-1, -1});  // r_1 + r_2 = 1
  EXPECT_FALSE(few.solve(redundant.problem, true, {}, r));
  const NamedProblem idle = linear_complementarity(sparse(identity, 2, 2), {-1, 0});  // r_2 = w_2 = 0
  EXPECT_FALSE(few.solve(idle.problem, true, {}, r));
  EXPECT_TRUE(few.solve(idle.problem, false, {}, r));
  const NamedProblem strict = linear_complementarity(sparse(identity, 2, 2), {-1, 1});
  EXPECT_TRUE(few.solve(strict.problem, true, {}, r));
  EXPECT_EQ(r, (std::vector<double>{1, 0}));
  std::vector<double> five(25, 0.0);
  for (int i = 0; i < 5; ++i) five[6 * i] = 1.0;
  EXPECT_FALSE(FewRows::can(rolling_friction(5, sparse(five, 5, 5), std::vector<double>(5, -1.0), {0.3}, {0.1}).problem));
}

/// A table on four legs that moves fast: rounding of its speed is a thousand times its load over the compliance of equal springs.
TEST(FewRows, SharesLoadsAlikeHoweverFastTheMotionIs) {
  Entries M, H;
  for (int i = 0; i < 6; ++i) M.emplace_back(i, i, i < 3 ? 5.0 : 0.3);
  int row = 0;
  for (const double x : {-0.25, 0.25})
    for (const double y : {-0.15, 0.15}) {
      H.emplace_back(row, 2, 1.0), H.emplace_back(row, 3, y), H.emplace_back(row, 4, -x);
      H.emplace_back(row + 1, 0, 1.0), H.emplace_back(row + 1, 4, -0.3), H.emplace_back(row + 1, 5, -y);
      H.emplace_back(row + 2, 1, 1.0), H.emplace_back(row + 2, 3, 0.3), H.emplace_back(row + 2, 5, x);
      row += 3;
    }
  const double load = 5e-9;
  const NamedProblem named = of_entries(M, H, row, {5.0 * 0.37, 5.0 * 0.11, -load, 0.0, 0.0, 0.0}, std::vector<BlockSpec>(4, {&coulomb_3d_set, 3, {0.1}}));
  std::vector<double> v(6, 0.0), r(at(row), 0.0);
  FewRows rows;
  ASSERT_TRUE(rows.solve(named.problem, false, v, r));
  EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], load, 1e-15);
  EXPECT_NEAR(r[0] - r[3], -(r[9] - r[6]), 1e-15);  // what the rows do not see: one diagonal against the other
  EXPECT_NEAR(v[5], 0.0, 1e-15);
}

}  // namespace
}  // namespace saltus
