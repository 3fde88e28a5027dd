#include "saltus/problem/residual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "saltus/problem/named_problems.hpp"
#include "saltus/problem/validate.hpp"

namespace saltus {
namespace {

Certificate judged(const Problem& problem, const std::vector<double>& v, const std::vector<double>& r) {
  ResidualScratch scratch;
  std::vector<double> w(problem.b.size());
  return certificate(problem, v, r, w, scratch);
}

TEST(Residual, IsTheFormulaOfThePageForAnLcp) {
  const double M[4] = {2, 1, 1, 2};
  const NamedProblem lcp = linear_complementarity(sparse(M, 2, 2), {-5, -6});
  EXPECT_NEAR(judged(lcp.problem, {}, {4.0 / 3, 7.0 / 3}).residual, 0.0, 1e-16);
  // r = (1, 0): w = (-3, -5), natural map (-3, -5); largest norm is |q| = sqrt(61).
  EXPECT_NEAR(judged(lcp.problem, {}, {1, 0}).residual, std::sqrt(34.0 / 61.0), 1e-15);
}

TEST(Residual, AnAllZeroProblemIsSolvedByZero) {
  const NamedProblem lcp = linear_complementarity(SparseRows(3, 3), {0, 0, 0});
  const Certificate c = judged(lcp.problem, {}, {0, 0, 0});
  EXPECT_EQ(c.residual, 0.0);
  EXPECT_EQ(c.scaled_residual, 0.0);
  EXPECT_EQ(c.worst_block, -1);
}

TEST(Residual, APointThatIsNotFiniteIsInfinitelyBad) {
  const NamedProblem lcp = linear_complementarity(SparseRows(1, 1), {1});
  EXPECT_TRUE(std::isinf(judged(lcp.problem, {}, {std::nan("")}).residual));
}

TEST(Residual, GlobalAndLocalFormAgreeAndAWrongVelocityIsSeen) {
  // Mass 2 on a floor, pushed down with p0 = -4: r = 4, v = 0.
  const double M[1] = {2}, H[1] = {1};
  const NamedProblem g = global_mixed(sparse(M, 1, 1), sparse(H, 1, 1), {-4}, {0}, {{&half_line_set, 1, {}}});
  EXPECT_EQ(judged(g.problem, {0}, {4}).residual, 0.0);
  EXPECT_GT(judged(g.problem, {1}, {4}).residual, 0.1);
  EXPECT_NEAR(judged(g.problem, {1}, {4}).dynamics, 0.5, 1e-15);
  EXPECT_GT(judged(g.problem, {0}, {0}).velocity_residual, 0.1);  // rows and laws alone hold: the impulse lacks
}

TEST(Residual, ARowOnWhichImpulsesBalanceIsNotMeasuredByItsRoundOff) {
  // A point under gravity between a rough floor and a smooth wall that press it together: no motion but round-off.
  const double M[4] = {1, 0, 0, 1}, H[6] = {0, 1, 1, 0, 1, 0};
  const NamedProblem p = global_mixed(sparse(M, 2, 2), sparse(H, 3, 2), {0, -1}, {0, 0, 0}, {{&coulomb_2d_set, 2, {0.5}}, {&half_line_set, 1, {}}});
  EXPECT_LT(judged(p.problem, {1e-17, 0}, {1, -0.3, 0.3}).scaled_residual, 1e-15);
  EXPECT_NEAR(judged(p.problem, {1e-3, 0}, {1, -0.3, 0.3 + 1e-3}).scaled_residual, 1e-3, 3e-3);  // a real motion is seen
  EXPECT_GT(judged(p.problem, {1e-3, 0}, {1, -0.3, 0.3 + 1e-3}).scaled_residual, 1e-4);
}

TEST(Residual, TheScaledOneDoesNotDependOnUnits) {
  const double W[9] = {2, 0.3, 0.1, 0.3, 1.5, 0.2, 0.1, 0.2, 1.7};
  const std::vector<double> q{-1, 0.4, 0.2}, r{0.5, -0.1, 0.02};
  const auto scaled = [&](double unit_r, double unit_w) {
    std::vector<double> Ws(W, W + 9), qs = q, rs = r;
    for (double& x : Ws) x *= unit_w / unit_r;
    for (double& x : qs) x *= unit_w;
    for (double& x : rs) x *= unit_r;
    const NamedProblem p = friction(3, sparse(Ws, 3, 3), qs, {0.4});
    return judged(p.problem, {}, rs).scaled_residual;
  };
  EXPECT_NEAR(scaled(1, 1), scaled(1e6, 1e-5), 1e-12);
  EXPECT_GT(scaled(1, 1), 1e-3);
}

TEST(Residual, ABodyAtRestIsMeasuredByItsFreeMotion) {
  // The stack's case: v = 0 up to round-off, b = 0. The error 1e-12 m/s stands against p0/M = 2 m/s, not against itself.
  const double M[1] = {2}, H[1] = {1};
  const NamedProblem g = global_mixed(sparse(M, 1, 1), sparse(H, 1, 1), {-4}, {0}, {{&half_line_set, 1, {}}});
  EXPECT_LT(judged(g.problem, {1e-12}, {4}).scaled_residual, 1e-11);
}

TEST(Residual, APotentialThatADiodeJoinsToTheGroundIsMeasuredByTheOthers) {
  const double v = 3e-14;  // a current of 12 that the diode takes: an unknown without inertia, whose own rounding is all that it leaves
  const double M[1] = {0}, H[1] = {1};
  NamedProblem p = global_mixed(sparse(M, 1, 1), sparse(H, 1, 1), {-12}, {0}, {{&half_line_set, 1, {}}});
  EXPECT_GT(judged(p.problem, {v}, {12}).scaled_residual, 0.1);
  p.problem.sizes = {24};
  EXPECT_LT(judged(p.problem, {v}, {12}).scaled_residual, 1e-14);
}

TEST(Validate, NamesAllFaultsAtOnce) {
  Problem p;
  p.D = SparseRows(3, 4);
  p.b = {0, std::nan(""), 1};
  const double mu = -0.5;
  p.blocks = {{0, 2, &coulomb_2d_set, &mu}, {1, 1, &half_line_set, nullptr}, {2, 5, &equality_set, nullptr}};
  Faults faults;
  validate(p, faults);
  std::string all;
  for (const Fault& f : faults.list()) all += f.text() + "\n";
  for (const char* part : {"b: entry 1 is", "D: is 3 x 4, must be 3 x 3", "friction is -0.5", "row 1 belongs to another block",
                           "outside the problem's 3 rows", "row 2 has no law"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " not in\n" << all;
  EXPECT_THROW(validate(p), ModelError);
}

}  // namespace
}  // namespace saltus
