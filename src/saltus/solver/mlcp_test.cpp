#include "saltus/solver/mlcp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

MixedLcp lcp(int n, std::vector<double> A, std::vector<double> q) {
  return {n, std::move(A), std::move(q), std::vector<double>(static_cast<std::size_t>(n), 0.0),
          std::vector<double>(static_cast<std::size_t>(n), inf)};
}

/// Largest violation of the laws, written again from their definition.
double violation(const MixedLcp& p, const std::vector<double>& z) {
  double worst = 0;
  const std::size_t n = p.n;
  for (std::size_t i = 0; i < n; ++i) {
    double w = p.q[i];
    for (std::size_t j = 0; j < n; ++j) w += p.A[i * n + j] * z[j];
    worst = std::max({worst, p.low[i] - z[i], z[i] - p.high[i]});
    if (w > 0) worst = std::max(worst, std::min(w, z[i] - p.low[i]));
    if (w < 0) worst = std::max(worst, std::min(-w, p.high[i] - z[i]));
  }
  return worst;
}

MixedLcp murty(int n) {
  MixedLcp p = lcp(n, std::vector<double>(static_cast<std::size_t>(n * n), 0.0), std::vector<double>(static_cast<std::size_t>(n), -1.0));
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) p.A[i * n + j] = i == j ? 1.0 : 2.0;
  return p;
}

MixedLcp fathi(int n) {
  const MixedLcp u = murty(n);
  MixedLcp p = u;
  const std::size_t k = n;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      double sum = 0;
      for (std::size_t l = 0; l < k; ++l) sum += u.A[l * k + i] * u.A[l * k + j];
      p.A[i * k + j] = sum;
    }
  return p;
}

TEST(Mlcp, HardPivotingProblemsEndInFewPivots) {
  MlcpSolver solver;
  for (int n : {5, 10, 20, 50}) {
    std::vector<double> z(n);
    ASSERT_EQ(solver.solve(murty(n), {}, z), MlcpStatus::solved) << n;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(z[i], i == n - 1 ? 1.0 : 0.0, 1e-8) << n;
    EXPECT_LT(solver.pivots(), 7 * (20 * n + 100));
    ASSERT_EQ(solver.solve(fathi(n), {}, z), MlcpStatus::solved) << n;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(z[i], i == 0 ? 1.0 : 0.0, 1e-8) << n;
  }
}

TEST(Mlcp, ARayIsCalledInfeasibleOnlyWithItsProof) {
  MlcpSolver solver;
  std::vector<double> z(2);
  const MixedLcp p = lcp(2, {1, -1, -1, 1}, {-1, 0});  // positive semidefinite, w1 + w2 = -1
  ASSERT_EQ(solver.solve(p, {}, z), MlcpStatus::infeasible);
  const auto y = solver.infeasibility_proof();
  ASSERT_EQ(y.size(), 2u);
  double qy = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GE(y[i], 0.0);
    EXPECT_LE(p.A[i] * y[0] + p.A[2 + i] * y[1], 1e-12);
    qy += p.q[i] * y[i];
  }
  EXPECT_LT(qy, 0.0);
}

/// A source of 1 A between the inputs of a bridge of four ideal diodes whose outputs p, n float: only R joins them.
/// Free: potentials p, n (rows: currents); pairs: diode currents against the voltages over them.
MixedLcp floating_bridge(double source, double resistance) {
  // unknowns: a, b, p, n (free), i1 (a->p), i2 (b->p), i3 (n->a), i4 (n->b); the inputs float as well, held at mean 0
  // through a large symmetric resistor pair to ground.
  const double g = 1.0 / resistance, leak = 1e-3;
  MixedLcp m;
  m.n = 8;
  m.A.assign(64, 0.0);
  m.q = {-source, source, 0, 0, 0, 0, 0, 0};
  m.low = {-inf, -inf, -inf, -inf, 0, 0, 0, 0};
  m.high.assign(8, inf);
  const auto a = [&](int i, int j) -> double& { return m.A[8 * i + j]; };
  a(0, 0) = leak; a(1, 1) = leak;                                  // node rows: sum of currents out = 0
  a(2, 2) = g; a(2, 3) = -g; a(3, 2) = -g; a(3, 3) = g;            // dc/dz of (p, n) has rank 1
  const int from[4] = {0, 1, 3, 3}, to[4] = {2, 2, 0, 1};
  for (int k = 0; k < 4; ++k) {
    a(from[k], 4 + k) += 1.0;
    a(to[k], 4 + k) -= 1.0;
    a(4 + k, to[k]) += 1.0;   // y = v_cathode - v_anode >= 0
    a(4 + k, from[k]) -= 1.0;
  }
  return m;
}

TEST(Mlcp, FloatingDiodeBridgeIsClosedByItsLaws) {
  MlcpSolver solver;
  for (double source : {1.0, -1.0, 0.3}) {
    const MixedLcp p = floating_bridge(source, 1000.0);
    std::vector<double> z(8);
    ASSERT_EQ(solver.solve(p, {}, z), MlcpStatus::solved) << source;
    EXPECT_LT(violation(p, z), 1e-12);
    // The rectified current goes p -> n through R, parallel to the two leaks in series (2/leak).
    const double conductance = 1e-3 + 0.5e-3;
    EXPECT_NEAR(z[2] - z[3], std::abs(source) / conductance, 1e-9) << source;
  }
}

TEST(Mlcp, BridgeWithoutSourceIsSolvedByZeroAndNotUnique) {
  MlcpSolver solver;
  const MixedLcp p = floating_bridge(0.0, 1000.0);
  std::vector<double> z(8, 5.0);
  ASSERT_EQ(solver.solve(p, {}, z), MlcpStatus::solved);
  EXPECT_LT(violation(p, z), 1e-14);
}

TEST(Mlcp, RelayOnAZeroDiagonalIsSolved) {
  // relay voltage -> current -> torque -> speed, equality rows kept: the relay's own diagonal entry is 0.
  // Free i, w: L i' ... one implicit step: (R + L/h) i + k w - r = L/h i0; J/h w - k i = J/h w0; law: -(w - w_goal) in N(r).
  const double h = 1e-3, R = 1.0, L = 1e-2, k = 0.1, J = 1e-3, i0 = 0, w0 = 0, goal = 10;
  MixedLcp p{3, {R + L / h, k, -1, -k, J / h, 0, 0, 1, 0}, {-L / h * i0, -J / h * w0, -goal}, {-inf, -inf, -24}, {inf, inf, 24}};
  MlcpSolver solver;
  std::vector<double> z(3);
  ASSERT_EQ(solver.solve(p, {}, z), MlcpStatus::solved);
  EXPECT_NEAR(z[2], 24.0, 1e-12);  // full voltage as long as the speed is below the goal
  EXPECT_GT(z[1], 0.1);
  EXPECT_LT(violation(p, z), 1e-12);
  p.q[1] = -J / h * 10.2;  // above the goal: negative voltage, speed held in sliding mode if it suffices
  ASSERT_EQ(solver.solve(p, {}, z), MlcpStatus::solved);
  EXPECT_LT(violation(p, z), 1e-12);
}

TEST(Mlcp, WarmStartFromTheSolutionTakesNoPivots) {
  MlcpSolver solver;
  const MixedLcp p = fathi(10);
  std::vector<double> z(10), again(10);
  ASSERT_EQ(solver.solve(p, {}, z), MlcpStatus::solved);
  ASSERT_EQ(solver.solve(p, z, again), MlcpStatus::solved);
  EXPECT_EQ(solver.pivots(), 0);
}

TEST(Mlcp, EveryRandomBoxProblemWithAPositiveMatrixIsSolved) {
  std::uint32_t state = 7;
  const auto uniform = [&] { state = state * 1664525u + 1013904223u; return static_cast<double>(state >> 8) / 8388608.0 - 1.0; };
  MlcpSolver solver;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 12;
    const std::size_t k = n;
    MixedLcp p{n, std::vector<double>(k * k), std::vector<double>(k), std::vector<double>(k), std::vector<double>(k)};
    std::vector<double> B(k * k);
    for (double& x : B) x = uniform();
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        for (std::size_t l = 0; l < k; ++l) p.A[i * k + j] += B[l * k + i] * B[l * k + j];
        if (i < j) { const double s = uniform(); p.A[i * k + j] += s; p.A[j * k + i] -= s; }
      }
      p.A[i * k + i] += 0.1;
      p.q[i] = 3 * uniform();
      const int kind = static_cast<int>((uniform() + 1) * 2.5);
      p.low[i] = kind == 0 || kind == 1 ? -inf : uniform() - 1;
      p.high[i] = kind == 0 || kind == 2 ? inf : kind == 4 ? p.low[i] : uniform() + 1;
    }
    std::vector<double> z(k);
    ASSERT_EQ(solver.solve(p, {}, z), MlcpStatus::solved) << trial;
    EXPECT_LT(violation(p, z), 1e-10) << trial;
    EXPECT_FALSE(solver.not_unique()) << trial;
  }
}

}  // namespace
}  // namespace saltus
