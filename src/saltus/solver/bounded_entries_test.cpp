#include "saltus/solver/bounded_entries.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "saltus/base/errors.hpp"
#include "saltus/problem/named_problems.hpp"
#include "saltus/problem/polyhedron.hpp"
#include "saltus/solver/mlcp_form.hpp"

namespace saltus {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
using Vector = std::vector<double>;

Eigen::MatrixXd random(std::mt19937& engine, int rows, int columns) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(engine); });
}
Vector vector(std::mt19937& engine, int size, double shift = 0.0) {
  std::normal_distribution<double> normal;
  Vector x(size);
  for (double& xi : x) xi = normal(engine) + shift;
  return x;
}

/// The one solution of a problem of a regular symmetric W, by trying all bases.
Vector by_enumeration(const Problem& problem) {
  MlcpForm form;
  form.build(problem);
  const MlcpSolver::Solutions all = MlcpSolver().all_solutions(form.mlcp());
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.z.size(), 1u);
  Vector r(problem.b.size());
  if (!all.z.empty()) form.solution(problem, all.z.front(), {}, r);
  return r;
}

TEST(BoundedArms, FindTheSolutionOfEnumeration) {
  std::mt19937 engine(3);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 1 + trial % 8;
    const Eigen::MatrixXd B = random(engine, n + 3, n);
    Eigen::MatrixXd W = B.transpose() * B;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (i != j && trial % 2) W(i, j) = -std::abs(W(i, j)) / (2 * n * (1 + std::abs(W(i, j))) / std::min(W(i, i), W(j, j)));  // an M-matrix
    std::vector<BlockSpec> specs;
    if (trial % 3 == 0) {
      specs = {{&half_line_set, n, {}}};
    } else if (trial % 3 == 1) {
      Vector bounds(2 * n, 0.2);
      for (int i = 0; i < n; ++i) bounds[i] = i % 2 ? -inf : -0.1;
      specs = {{&box_set, n, bounds}};
    } else {
      specs = {{&equality_set, 1, {}}};
      if (n > 1) specs.push_back({&half_line_set, n - 1, {}});
    }
    const NamedProblem named = mixed(W.sparseView(), vector(engine, n, -0.5), specs);
    const Vector expected = by_enumeration(named.problem);
    for (const std::string_view solver : {"newton_min", "projected_gradient", "conjugate_projected_gradient", "extragradient"}) {
      const SolveReport s = solve(named.problem, {.tolerance = 1e-11, .solver = solver});
      if (solver == "newton_min" && s.status != SolveStatus::solved) {
        EXPECT_EQ(trial % 2, 0) << "an M-matrix in a circle";  // elsewhere it may circle, and says so
        EXPECT_NE(s.cause.find("circle"), std::string::npos) << s.cause;
        continue;
      }
      ASSERT_EQ(s.status, SolveStatus::solved) << solver << " " << trial << " " << s.cause << s.residual;
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(s.r[i], expected[i], 1e-8 * (1 + std::abs(expected[i]))) << solver << trial;
    }
  }
}

TEST(LeastNorm, SharesWhatOthersHoldEqually) {
  // A plate of mass 2 on four posts at its corners: three motions, four rows; and a fifth row of the same post as the first. Sources push by 1e-12 m/s against each other.
  const double M[9] = {2, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
  const double H[15] = {1, 1, 1, 1, -1, 1, 1, 1, -1, 1, -1, -1, 1, 1, 1};
  NamedProblem named = global_mixed(sparse(M, 3, 3), sparse(H, 5, 3), {-20, 0, 0}, {1e-12, 0, 0, 0, -1e-12}, {{&equality_set, 5, {}}});
  for (const std::string_view solver : {"least_norm", ""}) {
    const SolveReport s = solve(named.problem, {.tolerance = 1e-10, .solver = solver});
    ASSERT_EQ(s.status, SolveStatus::solved) << s.cause;
    EXPECT_EQ(s.solver, "least_norm");
    double sum = 0.0;
    for (const double r : s.r) sum += r;
    EXPECT_NEAR(sum, 20.0, 1e-9);
    EXPECT_NEAR(s.r[0], s.r[4], 1e-9);
    EXPECT_NEAR(s.r[0] + s.r[4], s.r[3], 1e-9);
    for (const double v : s.v) EXPECT_NEAR(v, 0.0, 1e-11);
  }
  named.problem.b[0] = 1.0;  // one post is in two places
  EXPECT_NE(solve(named.problem, {.tolerance = 1e-10, .solver = "least_norm"}).status, SolveStatus::solved);
  const NamedProblem bounded = global_mixed(sparse(M, 3, 3), sparse(H, 5, 3), {-20, 0, 0}, {0, 0, 0, 0, 0}, {{&half_line_set, 5, {}}});
  EXPECT_EQ(solve(bounded.problem, {.solver = "least_norm"}).status, SolveStatus::unsupported);
}

TEST(LeastNorm, FrictionLeavesTheShareAlone) {
  // Four posts under a block slide, each in its own direction: their friction turns and pushes the block, the load stays that of equal springs.
  const double M[16] = {2, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 2}, posts[16] = {1, 1, 1, 0, 1, -1, 1, 0, 1, 1, -1, 0, 1, -1, -1, 0};
  NamedProblem named = global_mixed(sparse(M, 4, 4), sparse(posts, 4, 4), {-20, 0.5, 0, 0}, {0, 0, 0, 0}, {{&equality_set, 4, {}}});
  double pushes[16];  // by motion and post
  const double along[4] = {0.3, 0.1, -0.2, 0.05};
  for (int post = 0; post < 4; ++post)
    for (int i = 0; i < 4; ++i) pushes[4 * i + post] = posts[4 * post + i] + (i == 1 ? 0.4 * along[post] : i == 3 ? along[post] : 0.0);
  named.problem.G = sparse(pushes, 4, 4);
  const SolveReport s = solve(named.problem, {.tolerance = 1e-10, .solver = "least_norm"});
  ASSERT_EQ(s.status, SolveStatus::solved) << s.cause;
  EXPECT_NEAR(s.r[0] + s.r[3], 10.0, 1e-9);
  EXPECT_NEAR(s.r[1] + s.r[2], 10.0, 1e-9);
}

TEST(BoundedArms, TakeDynamicsInstead) {
  // Two masses between a wall and a weak clamp: v from M, W = H M^-1 H^T + D.
  const double M[4] = {2, 0, 0, 3}, H[4] = {1, 0, -1, 1}, D[4] = {0, 0, 0, 0.5};
  NamedProblem named = global_mixed(sparse(M, 2, 2), sparse(H, 2, 2), {-4, -6}, {0, 0}, {{&half_line_set, 1, {}}, {&box_set, 1, {-1, 1}}});
  named.problem.D = sparse(D, 2, 2);
  const SolveReport expected = solve(named.problem, {.tolerance = 1e-12, .solver = "pivoting"});
  for (const std::string_view solver : {"newton_min", "projected_gradient", "conjugate_projected_gradient", "extragradient"}) {
    const SolveReport s = solve(named.problem, {.tolerance = 1e-12, .solver = solver});
    ASSERT_EQ(s.status, SolveStatus::solved) << solver << s.cause;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(s.v[i], expected.v[i], 1e-10) << solver;
  }
}

TEST(BoundedArms, RefuseWhatTheyCannotTakeAndSayWhatTheyTake) {
  SparseRows I(3, 3);
  I.setIdentity();
  const NamedProblem contact = friction(3, I, {-1, 0, 0}, {0.5});
  for (const std::string_view solver : {"newton_min", "projected_gradient", "conjugate_projected_gradient"}) {
    const SolveReport s = solve(contact.problem, {.solver = solver});
    EXPECT_EQ(s.status, SolveStatus::unsupported);
    EXPECT_NE(s.cause.find("takes bounds"), std::string::npos) << s.cause;
  }
  const double skew[4] = {1, 1, -1, 1};
  const NamedProblem lcp = linear_complementarity(sparse(skew, 2, 2), {-1, -1});
  for (const std::string_view solver : {"projected_gradient", "conjugate_projected_gradient"}) {
    const SolveReport s = solve(lcp.problem, {.solver = solver});
    EXPECT_EQ(s.status, SolveStatus::unsupported);
    EXPECT_NE(s.cause.find("W symmetric"), std::string::npos) << s.cause;
  }
  const SolveReport taken = solve(lcp.problem, {.tolerance = 1e-12, .solver = "newton_min"});
  EXPECT_EQ(taken.status, SolveStatus::solved);
  EXPECT_NEAR(taken.r[1], 1.0, 1e-12);
}

TEST(BoundedArms, NameAProgramThatIsNotConvexOrFallsWithoutBound) {
  const double saddle[4] = {1, 3, 3, 1}, flat[4] = {1, -1, -1, 1};
  for (const std::string_view solver : {"projected_gradient", "conjugate_projected_gradient"}) {
    const SolveReport s = solve(linear_complementarity(sparse(saddle, 2, 2), {-1, -2}).problem, {.solver = solver});
    EXPECT_TRUE(s.status == SolveStatus::solved || !s.cause.empty()) << solver;  // a vertex of the saddle is a solution
    const SolveReport never = solve(linear_complementarity(sparse(flat, 2, 2), {-1, -1}).problem, {.solver = solver, .flop_budget = 100'000'000});
    EXPECT_EQ(never.status, SolveStatus::budget);
    EXPECT_FALSE(never.cause.empty());
  }
}

TEST(BoundedArms, NewtonMinStopsInACircle) {
  // P-matrix on which undamped Newton-min circles (Ben Gharbia, Gilbert 2012); the portfolio solves it.
  const double a = 1.5, W[9] = {1, 0, a, a, 1, 0, 0, a, 1};
  const NamedProblem lcp = linear_complementarity(sparse(W, 3, 3), {-1, -1, -1});
  const double warm[3] = {1, 0, 0};
  const SolveReport s = solve(lcp.problem, {.solver = "newton_min", .warm_r = warm});
  EXPECT_EQ(s.status, SolveStatus::budget);
  EXPECT_NE(s.cause.find("circle"), std::string::npos) << s.cause;
  const SolveReport all = solve(lcp.problem, {.tolerance = 1e-12});
  ASSERT_EQ(all.status, SolveStatus::solved);
  for (double r : all.r) EXPECT_NEAR(r, 1 / (1 + a), 1e-12);
}

TEST(Extragradient, SolvesFrictionThroughTheProxAlone) {
  std::mt19937 engine(4);
  const Eigen::MatrixXd B = random(engine, 20, 15);
  const Eigen::MatrixXd W = B.transpose() * B;
  const NamedProblem named = friction(3, W.sparseView(), vector(engine, 15, -1.0), Vector(5, 0.4));
  const SolveReport s = solve(named.problem, {.tolerance = 1e-10, .solver = "extragradient"});
  ASSERT_EQ(s.status, SolveStatus::solved) << s.cause << s.residual;
  const SolveReport other = solve(named.problem, {.tolerance = 1e-12});
  for (std::size_t i = 0; i < s.r.size(); ++i) EXPECT_NEAR(s.r[i], other.r[i], 1e-7);
}

TEST(Polyhedron, EachSolverFindsTheSolutionOfEnumeration) {
  // -w in the normal cone of a quadrangle at r: corner, edge and inside, by the pull of b.
  const Vector quadrangle{4, 1, 1, -1, 0, 0, -1, 1, 3, 1, 0.5, 0.25, 2};
  std::mt19937 engine(5);
  for (int trial = 0; trial < 5; ++trial) {
    const Eigen::MatrixXd B = random(engine, 6, 5);
    const Eigen::MatrixXd W = B.transpose() * B;
    const NamedProblem named = mixed(W.sparseView(), vector(engine, 5, trial % 3 - 1.0), {{&polyhedron_set, 2, quadrangle}, {&half_line_set, 1, {}}, {&polyhedron_set, 2, quadrangle}});
    const Vector expected = by_enumeration(named.problem);
    for (const std::string_view solver : {"", "pivoting", "sweeps", "newton", "extragradient"}) {
      const SolveReport s = solve(named.problem, {.tolerance = 1e-11, .solver = solver});
      if (solver == "newton" && s.status != SolveStatus::solved) continue;  // a finisher: may stall at a kink, never lies
      ASSERT_EQ(s.status, SolveStatus::solved) << solver << trial << s.cause << s.residual;
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(s.r[i], expected[i], 1e-8) << solver << trial;
    }
  }
}

TEST(Polyhedron, WithoutAPointIsRefused) {
  SparseRows I(1, 1);
  I.setIdentity();
  EXPECT_THROW(mixed(I, {0}, {{&polyhedron_set, 1, {2, 1, -1, -1, -1}}}), ModelError);  // r <= -1 and r >= 1
  EXPECT_THROW(mixed(I, {0}, {{&polyhedron_set, 1, {1.5, 1, 1}}}), ModelError);
}

}  // namespace
}  // namespace saltus
