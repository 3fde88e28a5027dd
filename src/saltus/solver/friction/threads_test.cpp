// The same bits for any number of threads: every algorithm, in both forms, on a sheet of bodies large enough to be shared.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "saltus/base/index.hpp"
#include "saltus/solver/friction/strategies.hpp"
#include "saltus/solver/friction/friction.hpp"

namespace saltus::friction {
namespace {

double friction_of(const double* parameters) { return *parameters; }
const SetType space_cone{"coulomb_3d", 3, nullptr, nullptr, nullptr, friction_of};
constexpr double mu = 0.4;

/// Bodies on a square grid, each with a contact to its neighbours on the right and above; every third lies on the ground too.
Problem sheet(int side, bool local) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const int bodies = side * side, n = 6 * bodies;
  Problem problem;
  std::vector<Eigen::Triplet<double>> mass, arms;
  for (int i = 0; i < n; ++i) mass.emplace_back(i, i, i % 6 < 3 ? 1.0 : 0.1);
  int contacts = 0;
  const auto contact = [&](int below, int above) {
    for (int row = 0; row < 3; ++row)
      for (int j = 0; j < 6; ++j) {
        const double direction = j < 3 ? (j == row ? 1.0 : 0.05 * normal(random)) : 0.2 * normal(random);
        arms.emplace_back(3 * contacts + row, 6 * above + j, direction);
        if (below >= 0) arms.emplace_back(3 * contacts + row, 6 * below + j, j < 3 ? -direction : 0.2 * normal(random));
      }
    ++contacts;
  };
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (i > 0) contact(side * (i - 1) + j, side * i + j);
      if (j > 0) contact(side * i + j - 1, side * i + j);
      if ((i + j) % 3 == 0) contact(-1, side * i + j);
    }
  SparseRows M(n, n), H(3 * contacts, n);
  M.setFromTriplets(mass.begin(), mass.end());
  H.setFromTriplets(arms.begin(), arms.end());
  Eigen::VectorXd v0(n);
  for (int i = 0; i < n; ++i) v0[i] = 0.3 * normal(random) - (i % 6 == 0 ? 1.0 : 0.0);
  const Eigen::VectorXd w0 = H * v0, p0 = M * v0;
  if (local) {
    SparseRows scaled_arms = H;
    for (int i = 0; i < scaled_arms.outerSize(); ++i)
      for (SparseRows::InnerIterator a(scaled_arms, i); a; ++a) a.valueRef() /= a.col() % 6 < 3 ? 1.0 : 0.1;
    problem.D = scaled_arms * SparseRows(H.transpose());
    problem.b.assign(w0.data(), w0.data() + w0.size());
  } else {
    problem.M = M, problem.H = H;
    problem.p0.assign(p0.data(), p0.data() + n);
    problem.b.assign(3 * contacts, 0.0);
  }
  for (int c = 0; c < contacts; ++c) problem.blocks.push_back({3 * c, 3, &space_cone, &mu});
  return problem;
}

TEST(FrictionThreads, GiveTheSameBitsInEveryAlgorithm) {
  for (const bool local : {false, true}) {
    const Problem problem = sheet(28, local);
    ASSERT_GE(count_of(problem.blocks), coloured_from);
    const auto prepared = scaled(problem);
    ASSERT_TRUE(prepared && prepared->body_form != local);
    int k = 0;
    for (auto* solver : {race, nsgs, nsgs_accelerated, admm, admm_anderson, interior_point, held_slips, proximal}) {
      const SolveReport one = solver(problem, 1e-9, 60'000'000, {}, nullptr, {});
      EXPECT_GT(one.iterations, 0);
      for (const int count : {1, 2, 7}) {
        Threads threads(count);
        const SolveReport many = solver(problem, 1e-9, 60'000'000, {}, &threads, {});
        EXPECT_EQ(one.r, many.r) << "algorithm " << k << ", " << count << " threads";
        EXPECT_EQ(one.flops, many.flops);
      }
      ++k;
    }
  }
}

TEST(FrictionThreads, ReachTheSolutionInTheOrderOfColours) {
  const Problem problem = sheet(28, false);
  Threads threads(2);
  const SolveReport report = race(problem, 1e-8, 2'000'000'000, {}, &threads);
  EXPECT_EQ(report.status, SolveStatus::solved) << report.residual;
}

}  // namespace
}  // namespace saltus::friction
