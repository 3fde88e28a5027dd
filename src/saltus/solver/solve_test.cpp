#include "saltus/solver/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "saltus/base/errors.hpp"
#include "saltus/problem/named_problems.hpp"
#include "saltus/problem/residual.hpp"

namespace saltus {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

SolveReport solved(const Problem& problem, double tolerance = 1e-12) {
  const SolveReport report = solve(problem, {.tolerance = tolerance});
  EXPECT_EQ(report.status, SolveStatus::solved) << report.cause << " residual " << report.residual << " scaled "
                                                << report.scaled_residual << " by " << report.solver;
  return report;
}

TEST(Solve, SingleContactsInTheirClosedForms) {
  // W = diag: r_n = -q_n/W_n where nothing couples; it sticks if |q_t|/W_t <= mu r_n, else r_t = -mu r_n q_t/|q_t|.
  for (const double mu : {0.0, 0.2, 0.7, 3.0})
    for (const double pull : {0.1, 0.5, 2.0, 40.0}) {
      const double Wn = 2.0, Wt = 0.5, push = -1.0, angle = 0.7;
      const double W3[9] = {Wn, 0, 0, 0, Wt, 0, 0, 0, Wt}, W2[4] = {Wn, 0, 0, Wt};
      const double rn = -push / Wn, limit = mu * rn, rt = std::min(limit, pull / Wt);
      const SolveReport three = solved(friction(3, sparse(W3, 3, 3), {push, pull * std::cos(angle), pull * std::sin(angle)}, {mu}).problem);
      EXPECT_NEAR(three.r[0], rn, 1e-12);
      EXPECT_NEAR(three.r[1], -rt * std::cos(angle), 1e-12 * (1 + rt));
      EXPECT_NEAR(three.r[2], -rt * std::sin(angle), 1e-12 * (1 + rt));
      const SolveReport two = solved(friction(2, sparse(W2, 2, 2), {push, -pull}, {mu}).problem);
      EXPECT_NEAR(two.r[0], rn, 1e-12);
      EXPECT_NEAR(two.r[1], rt, 1e-12 * (1 + rt));
      const SolveReport open = solved(friction(3, sparse(W3, 3, 3), {1.0, pull, 0}, {mu}).problem);
      for (double r : open.r) EXPECT_EQ(r, 0.0);
    }
}

TEST(Solve, CoupledPlanarContactSlidesAsDerived) {
  // Sliding to +t: r_t = -mu r_n, r_n = -q_n/(W_nn - mu W_nt); u_t = q_t + (W_tn - mu W_tt) r_n must be positive.
  const double W[4] = {2.0, 0.6, 0.6, 1.5}, mu = 0.4, qn = -1, qt = 3;
  const SolveReport s = solved(friction(2, sparse(W, 2, 2), {qn, qt}, {mu}).problem);
  const double rn = -qn / (W[0] - mu * W[1]);
  EXPECT_NEAR(s.r[0], rn, 1e-12);
  EXPECT_NEAR(s.r[1], -mu * rn, 1e-12);
  EXPECT_NEAR(s.w[1], qt + (W[2] - mu * W[3]) * rn, 1e-12);
}

TEST(Solve, PainleveWithoutSolutionIsInfeasibleNotANumber) {
  // One contact sliding fast to +t with W_nn - mu W_nt < 0 and q_n < 0 (rod at 63 degrees, mu 1.4): sliding impossible;
  // as a velocity problem with large q_t, sticking cannot be reached either: the cone's other edge and sticking are tried.
  const double A = -0.0806;
  const double W[1] = {A};
  const SolveReport none = solve(linear_complementarity(sparse(W, 1, 1), {-9.81}).problem);
  EXPECT_EQ(none.status, SolveStatus::infeasible);
  const SolveReport two = solved(linear_complementarity(sparse(W, 1, 1), {34.7}).problem);
  EXPECT_LT(std::min(std::abs(two.r[0]), std::abs(two.r[0] + 34.7 / A)), 1e-9);
}

TEST(Solve, ZeroDiagonalBlockDrivesTheMotor) {
  // The problem of the silently still motor: equality rows kept, the relay's own W is 0. Global form.
  const double h = 1e-3;
  const double M[4] = {1.0 + 1e-2 / h, 0.1, -0.1, 1e-3 / h}, H[2] = {1, 0};
  // force row: current; relay on the speed: H of output differs from input, so G is given.
  const double out[2] = {0, 1}, in[2] = {1, 0};
  NamedProblem named = global_mixed(sparse(M, 2, 2), sparse(H, 1, 2), {0, 0}, {-10}, {{&box_set, 1, {-24, 24}}});
  named.problem.H = sparse(out, 1, 2);
  named.problem.G = sparse(in, 2, 1);
  named.problem.symmetric = false;
  double speed = 0, current = 0;
  SolveReport report;
  Solver solver;
  for (int step = 0; step < 3000; ++step) {
    named.problem.p0 = {1e-2 / h * current, 1e-3 / h * speed};
    solver.solve(named.problem, {}, report);
    ASSERT_EQ(report.status, SolveStatus::solved) << step << " " << report.cause;
    current = report.v[0];
    speed = report.v[1];
  }
  EXPECT_NEAR(speed, 10.0, 1e-9);
  EXPECT_NEAR(report.r[0], 1.0, 1e-6);  // holds the back-EMF k w = 1 at zero current
}

TEST(Solve, WIsZeroAndASphereBesideIt) {
  // The same zero-diagonal relay kept with its equality rows in W form, next to a sliding 3D contact: general arms.
  const double W[36] = {11, 0.1, -1, 0, 0, 0,  -0.1, 1, 0, 0, 0, 0,  0, 1, 0, 0, 0, 0,
                        0, 0, 0, 2, 0.1, 0,    0, 0, 0, 0.1, 1, 0,   0, 0, 0, 0, 0, 1};
  const SolveReport s = solved(mixed(sparse(W, 6, 6), {0, 0, -10, -1, 2, 0.5},
                                     {{&equality_set, 2, {}}, {&box_set, 1, {-24, 24}}, {&coulomb_3d_set, 3, {0.3}}}).problem, 1e-10);
  EXPECT_NEAR(s.r[2], 24.0, 1e-9);
  EXPECT_NEAR(std::hypot(s.r[4], s.r[5]), 0.3 * s.r[3], 1e-9);
}

TEST(Solve, EachArmIsJudgedByTheCertificateOnly) {
  const double W[4] = {2, 1, 1, 2};
  const NamedProblem lcp = linear_complementarity(sparse(W, 2, 2), {-5, -6});
  for (const SolverEntry& arm : solvers()) {
    if (arm.whole || arm.name == "least_norm") continue;  // of chains, of equalities alone
    const SolveReport s = solve(lcp.problem, {.solver = arm.name});
    EXPECT_EQ(s.status, SolveStatus::solved) << arm.name;
    EXPECT_EQ(s.solver, arm.name);
    EXPECT_NEAR(s.r[0], 4.0 / 3, 1e-7) << arm.name;
  }
}

TEST(Solve, RaceTakesConesHalfLinesAndEqualities) {
  // Each part has its closed form:
  //   equality: 2 r0 - 1 = 0; half-line: r1 + 1 >= 0 open; half-line: r2 - 3 closed; contact: r_n = 1, slides along -(3, 4).
  SparseRows W(6, 6);
  for (int i = 0; i < 6; ++i) W.insert(i, i) = i == 0 ? 2.0 : 1.0;
  const NamedProblem named = mixed(W, {-1, 1, -3, -1, 3, 4}, {{&equality_set, 1, {}}, {&half_line_set, 2, {}}, {&coulomb_3d_set, 3, {0.5}}});
  const SolveReport s = solve(named.problem, {.tolerance = 1e-12, .solver = "race"});
  ASSERT_EQ(s.status, SolveStatus::solved) << s.cause << s.residual;
  const double expected[6] = {0.5, 0, 3, 1, -0.3, -0.4};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(s.r[i], expected[i], 1e-11) << i;
}

TEST(Solve, LargeImpulseCannotHideTheVelocity) {
  // A heavy body: r is 50 % too large, w misses by 0.5, and the natural map says 3e-10.
  const double W[1] = {1e-9};
  const NamedProblem lcp = linear_complementarity(sparse(W, 1, 1), {-1.0});
  const double r[1] = {1e9 + 5e8};
  double w[1];
  ResidualScratch scratch;
  const Certificate c = certificate(lcp.problem, {}, r, w, scratch);
  EXPECT_NEAR(c.residual, 0.5 / 1.5e9, 1e-15);
  EXPECT_NEAR(c.velocity_residual, 0.5 / 2.5, 1e-12);
}

TEST(Solve, QuadraticProgramWithBoundsAndRows) {
  // min (x-3)^2 + (y-2)^2, x + y = 4, x <= 2, y >= 1: x = 2, y = 2.
  const double Q[4] = {2, 0, 0, 2}, A[2] = {1, 1}, B[2] = {0, 1};
  const NamedProblem qp = quadratic_program(sparse(Q, 2, 2), {-6, -4}, {-inf, -inf}, {2, inf}, sparse(A, 1, 2), {4}, sparse(B, 1, 2), {1});
  const SolveReport s = solved(qp.problem);
  EXPECT_NEAR(s.r[0], 2, 1e-12);
  EXPECT_NEAR(s.r[1], 2, 1e-12);
}

TEST(Solve, RollingSphereRestsAndRolls) {
  // Decoupled W: no rolling moment needed without pull; with a strong turn the moment is on its bound mu_r r_n.
  const double W[25] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
  const SolveReport s = solved(rolling_friction(5, sparse(W, 5, 5), {-1, 0.1, 0, 3, 4}, {0.5}, {0.2}).problem, 1e-11);
  EXPECT_NEAR(s.r[0], 1, 1e-10);
  EXPECT_NEAR(s.r[1], -0.1, 1e-10);
  EXPECT_NEAR(s.r[3], -0.2 * 0.6, 1e-10);
  EXPECT_NEAR(s.r[4], -0.2 * 0.8, 1e-10);
}

TEST(Solve, RefusesUnknownNamesAndBadOptionsTogether) {
  const NamedProblem lcp = linear_complementarity(SparseRows(1, 1), {1});
  try {
    (void)solve(lcp.problem, {.tolerance = -1, .solver = "magic"});
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_EQ(e.faults().size(), 2u);
  }
}

TEST(Solve, EmptyProblemIsSolved) {
  const NamedProblem lcp = linear_complementarity(SparseRows(0, 0), {});
  EXPECT_EQ(solve(lcp.problem).status, SolveStatus::solved);
}

// Contacts that all open: nothing to be taken apart, whatever W is.
TEST(Solve, KnowsWhereNoImpulseAtAllIsTheSolution) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(60, 60);
  W.array() += 0.01;
  std::vector<double> q(60, 0.1);
  const NamedProblem open = friction(3, W.sparseView(), q, std::vector<double>(20, 0.5));
  SolveReport report = solve(open.problem);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.solver, "zero");
  EXPECT_EQ(report.r, std::vector<double>(60, 0.0));
  EXPECT_EQ(report.w, q);
  q[57] = -1e-3;  // the normal of the last one
  report = solve(friction(3, W.sparseView(), q, std::vector<double>(20, 0.5)).problem);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_GT(report.r[57], 0.0);
}

// A law that the library does not know: a force of at most `radius` in the plane (Tresca's disc), given by its prox alone.
void disc_prox(const double* radius, int, const double* r, const double* w, double rho, double scale, double* out) {
  const double x = r[0] - rho * w[0], y = r[1] - rho * w[1], length = std::hypot(x, y), most = *radius * scale;
  const double factor = length > most ? most / length : 1.0;
  out[0] = factor * x, out[1] = factor * y;
}
void disc_derivative(const double* radius, int, const double* r, const double* w, double rho, double scale, double* by_r, double* by_w) {
  const double x = r[0] - rho * w[0], y = r[1] - rho * w[1], length = std::hypot(x, y), most = *radius * scale;
  const double k = length > most ? most / length : 1.0, along = length > most ? 1.0 / (length * length) : 0.0;
  const double d[4] = {k * (1 - along * x * x), -k * along * x * y, -k * along * x * y, k * (1 - along * y * y)};
  for (int i = 0; i < 4; ++i) by_r[i] = d[i], by_w[i] = -rho * d[i];
}
const SetType disc{.name = "disc", .dim = 2, .prox = disc_prox, .prox_derivative = disc_derivative};

TEST(Solve, TakesALawThatIsKnownByItsProxAlone) {
  const double W[25] = {2, 0.3, 0.1, 0, 0.2, 0.3, 1.5, 0, 0.2, 0, 0.1, 0, 1.8, 0.1, 0.3, 0, 0.2, 0.1, 1.2, 0.1, 0.2, 0, 0.3, 0.1, 1.4};
  for (const double pull : {0.2, 1.0, 9.0}) {  // rests, and is at the bound
    const NamedProblem named = mixed(sparse(W, 5, 5), {pull, -0.5 * pull, -1, 0.3, -0.2}, {{&disc, 2, {0.6}}, {&coulomb_3d_set, 3, {0.4}}});
    const SolveReport report = solved(named.problem);
    const double force = std::hypot(report.r[0], report.r[1]), speed = std::hypot(report.w[0], report.w[1]);
    EXPECT_LE(force, 0.6 + 1e-12);
    if (pull < 0.5) {
      EXPECT_LT(speed, 1e-11);
    } else {
      EXPECT_NEAR(report.r[0], -0.6 * report.w[0] / speed, 1e-10);
      EXPECT_NEAR(report.r[1], -0.6 * report.w[1] / speed, 1e-10);
    }
  }
}

}  // namespace
}  // namespace saltus
