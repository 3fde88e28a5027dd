#include "saltus/solver/islands.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "saltus/base/index.hpp"
#include "saltus/problem/named_problems.hpp"
#include "saltus/problem/residual.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
using Vector = std::vector<double>;
std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

struct Part {
  std::vector<BlockSpec> specs;
  Eigen::MatrixXd W;  // used where there are no velocities
  Eigen::MatrixXd M, H;
  Vector b, p0;
};

/// A random part of `contacts` blocks of one kind whose rows all know of each other.
Part part(std::mt19937& engine, int kind, int contacts, int velocities) {
  std::normal_distribution<double> normal;
  const SetType* sets[] = {&coulomb_3d_set, &half_line_set, &box_set, &coulomb_2d_set};
  const int dims[] = {3, 2, 1, 2};
  Part out;
  int rows = 0;
  for (int k = 0; k < contacts; ++k, rows += dims[kind])
    out.specs.push_back({sets[kind], dims[kind], kind == 0 || kind == 3 ? Vector{0.5} : kind == 2 ? Vector{-0.3, 0.4} : Vector{}});
  const auto random = [&](int r, int c) { return Eigen::MatrixXd::NullaryExpr(r, c, [&] { return normal(engine); }).eval(); };
  const Eigen::MatrixXd B = random(rows + 2, rows);
  out.W = B.transpose() * B;
  for (int i = 0; i < rows; ++i) out.b.push_back(normal(engine) - 1.0);
  const Eigen::MatrixXd C = random(velocities + 2, velocities);
  out.M = C.transpose() * C;
  out.H = random(rows, velocities);
  for (int i = 0; i < velocities; ++i) out.p0.push_back(normal(engine));
  return out;
}

NamedProblem alone(const Part& p, bool dynamics) {
  if (!dynamics) return mixed(p.W.sparseView(), p.b, p.specs);
  return global_mixed(p.M.sparseView(), p.H.sparseView(), p.p0, p.b, p.specs);
}

struct Whole {
  NamedProblem named;
  std::vector<std::vector<int>> rows, velocities;  // of each part
};

/// The blocks of all parts in turns, the velocities in turns from the last part on.
Whole together(const std::vector<Part>& parts, bool dynamics) {
  Whole out;
  out.rows.resize(parts.size());
  out.velocities.resize(parts.size());
  std::vector<BlockSpec> specs;
  Vector b, p0;
  for (std::size_t turn = 0, left = 1; left > 0; ++turn) {
    left = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (turn >= parts[k].specs.size()) continue;
      ++left;
      specs.push_back(parts[k].specs[turn]);
      for (int i = 0; i < specs.back().dim; ++i) {
        b.push_back(parts[k].b[out.rows[k].size()]);
        out.rows[k].push_back(count_of(b) - 1);
      }
    }
  }
  for (std::size_t turn = 0, left = 1; dynamics && left > 0; ++turn) {
    left = 0;
    for (std::size_t k = parts.size(); k-- > 0;) {
      if (turn >= parts[k].p0.size()) continue;
      ++left;
      p0.push_back(parts[k].p0[turn]);
      out.velocities[k].push_back(count_of(p0) - 1);
    }
  }
  const Eigen::Index m = static_cast<Eigen::Index>(b.size()), n = static_cast<Eigen::Index>(p0.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(m, m), M = Eigen::MatrixXd::Zero(n, n), H = Eigen::MatrixXd::Zero(m, n);
  const auto put = [](Eigen::MatrixXd& A, const Eigen::MatrixXd& from, const std::vector<int>& rows, const std::vector<int>& columns) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j) A(rows[i], columns[j]) = from(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  };
  for (std::size_t k = 0; k < parts.size(); ++k) {
    put(W, parts[k].W, out.rows[k], out.rows[k]);
    put(M, parts[k].M, out.velocities[k], out.velocities[k]);
    put(H, parts[k].H, out.rows[k], out.velocities[k]);
  }
  out.named = dynamics ? global_mixed(M.sparseView(), H.sparseView(), p0, b, specs) : mixed(W.sparseView(), b, specs);
  return out;
}

TEST(Islands, LeaveOutTheStoredZerosOfTheDynamics) {
  std::mt19937 engine(5);
  std::vector<Part> parts{part(engine, 0, 2, 6), part(engine, 0, 1, 6)};
  Whole whole = together(parts, true);
  Problem& p = whole.named.problem;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < p.unknowns(); ++i)
    for (int j = 0; j < p.unknowns(); ++j) entries.emplace_back(i, j, i == j ? 2.0 + i : 0.0);
  p.M.setFromTriplets(entries.begin(), entries.end());
  Islands islands;
  ASSERT_EQ(islands.find(p), 2);
  Problem island;
  for (int k = 0; k < 2; ++k) {
    islands.extract(p, k, island);
    EXPECT_EQ(island.M.nonZeros(), island.unknowns());
    for (int i = 0; i < island.unknowns(); ++i) EXPECT_EQ(island.M.coeff(i, i), 2.0 + islands.velocities(k)[at(i)]);
  }
}

TEST(Islands, GiveEqualBitsAloneAndTogether) {
  std::mt19937 engine(7);
  for (const bool dynamics : {false, true})
    for (const std::string_view solver : {"", "sweeps", "newton"}) {
      const std::vector<Part> parts{part(engine, 0, 3, 11), part(engine, 1, 2, 6), part(engine, 2, 4, 7), part(engine, 3, 2, 5),
                                    part(engine, 0, 14, 44)};
      const Whole whole = together(parts, dynamics);
      const SolveReport all = solve(whole.named.problem, {.solver = solver});
      ASSERT_EQ(all.status, SolveStatus::solved) << all.cause;
      EXPECT_EQ(all.islands, 5);
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const NamedProblem own = alone(parts[k], dynamics);
        const SolveReport one = solve(own.problem, {.solver = solver});
        for (std::size_t i = 0; i < one.r.size(); ++i) EXPECT_EQ(one.r[i], all.r[at(whole.rows[k][i])]) << dynamics << solver << k;
        for (std::size_t i = 0; i < one.w.size(); ++i) EXPECT_EQ(one.w[i], all.w[at(whole.rows[k][i])]) << dynamics << solver << k;
        for (std::size_t i = 0; i < one.v.size(); ++i) EXPECT_EQ(one.v[i], all.v[at(whole.velocities[k][i])]) << dynamics << solver << k;
      }
    }
}

TEST(Islands, AWarmStartReachesEachOfThem) {
  std::mt19937 engine(8);
  const std::vector<Part> parts{part(engine, 0, 20, 50), part(engine, 0, 15, 40)};
  const Whole whole = together(parts, false);
  const SolveReport cold = solve(whole.named.problem, {.solver = "nsgs"});
  const SolveReport warm = solve(whole.named.problem, {.solver = "nsgs", .warm_r = cold.r});
  ASSERT_EQ(warm.status, SolveStatus::solved);
  EXPECT_EQ(warm.iterations, 0);
  EXPECT_GT(cold.iterations, 0);
  EXPECT_EQ(warm.r.size(), cold.r.size());
}

TEST(Islands, OneWithoutSolutionIsSaidAndTheOthersAreSolved) {
  const double W[4] = {2, 0, 0, -1};
  const NamedProblem named = mixed(sparse(W, 2, 2), {-4, -1}, {{&half_line_set, 1, {}}, {&half_line_set, 1, {}}});
  const SolveReport s = solve(named.problem);
  EXPECT_EQ(s.status, SolveStatus::infeasible);
  EXPECT_EQ(s.islands, 2);
  EXPECT_DOUBLE_EQ(s.r[0], 2.0);
  EXPECT_NE(s.cause.find("island 1"), std::string::npos) << s.cause;
}

TEST(Islands, VelocitiesWithoutARowMoveFreely) {
  const double M[9] = {2, 0, 0, 0, 4, 1, 0, 1, 4}, H[6] = {1, 0, 0, 1, 0, 0};
  const NamedProblem named = global_mixed(sparse(M, 3, 3), sparse(H, 2, 3), {-2, 5, 5}, {0, 1}, {{&half_line_set, 1, {}}, {&half_line_set, 1, {}}});
  Islands islands;
  EXPECT_EQ(islands.find(named.problem), 2);
  EXPECT_EQ(islands.rows(1).size(), 0u);
  for (const std::string_view solver : {"", "race", "newton_min"}) {  // race takes no problem without rows
    const SolveReport s = solve(named.problem, {.solver = solver});
    ASSERT_EQ(s.status, SolveStatus::solved) << solver << s.cause;
    EXPECT_NEAR(s.v[1], 1.0, 1e-14);
    EXPECT_NEAR(s.v[2], 1.0, 1e-14);
    EXPECT_NEAR(s.v[0], 0.0, 1e-8);
  }
}

TEST(Islands, PartsWithoutARowAreSolvedEachAndLargeOnesByTheSolvers) {
  // A block on velocity 0; pairs (3, 1) and (2, 5) alone; a chain of 20 from 6 on; one alone, 4.
  constexpr int n = 26;
  SparseRows M(n, n), H(1, n);
  const auto join = [&](int a, int b, double value) { M.insert(a, b) = value, M.insert(b, a) = value; };
  for (int i = 0; i < n; ++i) M.insert(i, i) = 4.0 + i;
  join(1, 3, 1.0), join(2, 5, -2.0), join(0, 4, 0.0);
  for (int i = 6; i + 1 < n; ++i) join(i, i + 1, 1.0);
  H.insert(0, 0) = 1.0;
  M.makeCompressed(), H.makeCompressed();
  Vector p0(n, 1.0);
  for (const int blocks : {1, 2}) {
    Vector b(blocks, 0.0);
    if (blocks == 2) H.conservativeResize(2, n), H.insert(1, 0) = 2.0;
    const NamedProblem named = global_mixed(M, H, p0, b, std::vector<BlockSpec>(static_cast<std::size_t>(blocks), {&half_line_set, 1, {}}));
    Islands islands;
    if (blocks == 1) {
      EXPECT_EQ(islands.find(named.problem), 1);  // a few rows are solved with all that is there
    } else {
      ASSERT_EQ(islands.find(named.problem), 3);  // block, chain, all small parts
      EXPECT_EQ(islands.velocities(1).size(), 20u);
      ASSERT_EQ(islands.free(), 2);
      EXPECT_EQ(islands.free_parts(), 3);
      EXPECT_EQ(Vector(islands.free_part(1).begin(), islands.free_part(1).end()), (Vector{2, 5}));
    }
    const SolveReport s = solve(named.problem);
    ASSERT_EQ(s.status, SolveStatus::solved) << s.cause;
    const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(s.v.data(), n), left = M * v - Eigen::VectorXd::Ones(n);
    EXPECT_LT(left.tail(n - 1).lpNorm<Eigen::Infinity>(), 1e-14);
  }
}

TEST(Islands, FreeMassesThatAreSingularAreSaid) {
  const double M[9] = {1, 0, 0, 0, 0, 0, 0, 0, 1}, H[6] = {1, 0, 0, 1, 0, 0};
  const NamedProblem named = global_mixed(sparse(M, 3, 3), sparse(H, 2, 3), {1, 1, 1}, {0, 0}, {{&half_line_set, 1, {}}, {&half_line_set, 1, {}}});
  const SolveReport s = solve(named.problem);
  EXPECT_NE(s.status, SolveStatus::solved);
}

TEST(Islands, AnIslandWithoutInputKeepsIt) {
  // Row 1 watches v_1 but drives nothing: with H^T in the place of its empty G it would pull v_1.
  const double M[4] = {1, 0, 0, 1}, H[4] = {1, 0, 0, 1}, G[4] = {1, 0, 0, 0}, D[4] = {0, 0, 0, 1};
  NamedProblem named = global_mixed(sparse(M, 2, 2), sparse(H, 2, 2), {-1, -3}, {0, 0}, {{&half_line_set, 1, {}}, {&half_line_set, 1, {}}});
  named.problem.G = sparse(G, 2, 2);
  named.problem.D = sparse(D, 2, 2);
  named.problem.symmetric = false;
  const SolveReport s = solve(named.problem);
  ASSERT_EQ(s.status, SolveStatus::solved) << s.cause;
  EXPECT_EQ(s.islands, 2);
  EXPECT_NEAR(s.v[1], -3.0, 1e-12);
  EXPECT_NEAR(s.r[1], 3.0, 1e-12);
}

TEST(Islands, ZeroEntriesJoinNothing) {
  SparseRows W(2, 2);
  W.insert(0, 0) = 1;
  W.insert(0, 1) = 0;
  W.insert(1, 1) = 1;
  const NamedProblem named = mixed(W, {-1, -1}, {{&half_line_set, 1, {}}, {&box_set, 1, {-inf, 3}}});
  Islands islands;
  EXPECT_EQ(islands.find(named.problem), 2);
}

TEST(Islands, AreJudgedTogetherInTheUnitsOfTheWhole) {
  // Scales 1e8 apart: the whole is within the tolerance of its own certificate, whatever the parts need.
  std::mt19937 engine(9);
  std::vector<Part> parts{part(engine, 0, 3, 9), part(engine, 0, 3, 9), part(engine, 0, 3, 9)};
  for (double& x : parts[1].b) x *= 1e-8;
  const Whole whole = together(parts, false);
  const SolveReport s = solve(whole.named.problem, {.tolerance = 1e-9});
  Vector w(s.r.size());
  ResidualScratch scratch;
  const Certificate c = certificate(whole.named.problem, {}, s.r, w, scratch);
  ASSERT_EQ(s.status, SolveStatus::solved);
  EXPECT_LE(std::max(c.residual, c.scaled_residual), 1e-9);
}

}  // namespace
}  // namespace saltus
