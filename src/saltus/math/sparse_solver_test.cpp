#include "saltus/math/sparse_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <ctime>
#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Triplets {
  CsrLayout layout;
  std::vector<double> values;
  explicit Triplets(const Eigen::MatrixXd& A, double keep = 0.0) {
    CsrBuilder builder(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
    for (int i = 0; i < A.rows(); ++i)
      for (int j = 0; j < A.cols(); ++j)
        if (std::abs(A(i, j)) > keep) builder.add_entry(i, j), values.push_back(A(i, j));
    layout = builder.build();
  }
};

Eigen::MatrixXd random_matrix(int rows, int cols, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); });
}

Eigen::MatrixXd saddle(const Eigen::MatrixXd& K, const Eigen::MatrixXd& H) {
  const auto n = K.rows(), m = H.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = K;
  A.bottomLeftCorner(m, n) = H;
  A.topRightCorner(n, m) = H.transpose();
  return A;
}

TEST(SparseSolver, SolvesRandomSystemsOfBothKindsToTheStatedResidual) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 1 + trial % 17, m = trial % 2 ? 0 : std::min(n - 1, trial % 7);
    const bool symmetric = trial % 3 != 0;
    Eigen::MatrixXd A;
    if (symmetric) {
      const Eigen::MatrixXd L = random_matrix(n, n, random);
      A = saddle(L * L.transpose() + Eigen::MatrixXd::Identity(n, n), random_matrix(m, n, random));
    } else {
      A = random_matrix(n + m, n + m, random);
    }
    const Triplets t(A);
    SparseSolver solver;
    solver.analyze(symmetric ? MatrixKind::symmetric_quasidefinite : MatrixKind::unsymmetric, t.layout.pattern, m);
    ASSERT_EQ(solver.factorize(t.values).status, FactorStatus::ok) << trial;
    const Eigen::VectorXd b = random_matrix(n + m, 1, random);
    Eigen::VectorXd x(n + m);
    const LinearReport report = solver.solve({b.data(), b.data() + b.size()}, {x.data(), x.data() + x.size()});
    EXPECT_TRUE(report.converged) << trial << " " << report.residual;
    const Eigen::VectorXd allowed = A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
    EXPECT_LT(((A * x - b).cwiseAbs().array() / allowed.array()).maxCoeff(), 2e-14) << trial;
    const double exact = 1.0 / (A.cwiseAbs().colwise().sum().maxCoeff() *
                                A.inverse().cwiseAbs().colwise().sum().maxCoeff());
    EXPECT_GT(solver.reciprocal_condition(), 0.9 * exact);  // Hager's is a lower bound of the inverse's norm
    EXPECT_LT(solver.reciprocal_condition(), 10 * exact);
  }
}

TEST(SparseSolver, SharesRedundantRowsInMinimumWeightedNorm) {
  // A mass held by rows (1, 1, 2): lambda_i = -f h_i / w_i / sum(h^2 / w).
  Eigen::MatrixXd H(3, 1);
  H << 1, 1, 2;
  const Eigen::MatrixXd A = saddle(Eigen::MatrixXd::Constant(1, 1, 5.0), H);
  const Triplets t(A);
  const std::vector<double> weights{1.0, 4.0, 1.0}, b{3.0, 0.0, 0.0, 0.0};
  SparseSolver solver;
  solver.analyze(MatrixKind::symmetric_quasidefinite, t.layout.pattern, 3, weights);
  ASSERT_EQ(solver.factorize(t.values).status, FactorStatus::ok);
  std::vector<double> x(4);
  EXPECT_TRUE(solver.solve(b, x).converged);
  const double sum = 1.0 + 0.25 + 4.0;
  EXPECT_NEAR(x[0], 0.0, 1e-15);
  EXPECT_NEAR(x[1] + x[2] + 2.0 * x[3], 3.0, 1e-13);
  // lambda's part in the null space of H^T is rounding / regularization = 1e-16 / 1e-8.
  EXPECT_NEAR(x[1], 3.0 / sum, 1e-7);
  EXPECT_NEAR(x[2], 3.0 * 0.25 / sum, 1e-7);
  EXPECT_NEAR(x[3], 3.0 * 2.0 / sum, 1e-7);
}

TEST(SparseSolver, GivesThePseudoinverseOfRedundantRandomConstraints) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 12, rank = 3 + trial % 6, m = rank + 1 + trial % 4;
    const Eigen::MatrixXd L = random_matrix(n, n, random);
    const Eigen::MatrixXd K = L * L.transpose() + Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd H = random_matrix(m, rank, random) * random_matrix(rank, n, random);
    const Eigen::MatrixXd A = saddle(K, H);
    Eigen::VectorXd b = random_matrix(n + m, 1, random);
    b.tail(m) = H * random_matrix(n, 1, random);
    const Triplets t(A);
    SparseSolver solver;
    solver.analyze(MatrixKind::symmetric_quasidefinite, t.layout.pattern, m);
    ASSERT_EQ(solver.factorize(t.values).status, FactorStatus::ok);
    Eigen::VectorXd x(n + m);
    const LinearReport report = solver.solve({b.data(), b.data() + n + m}, {x.data(), x.data() + n + m});
    EXPECT_TRUE(report.converged) << report.residual;
    const Eigen::VectorXd expected = A.completeOrthogonalDecomposition().solve(b);
    EXPECT_LT((x - expected).norm(), 1e-6 * expected.norm()) << trial;  // null part: rounding / regularization
  }
}

TEST(SparseSolver, SolvesContradictingRowsByLeastSquaresAndSaysSo) {
  Eigen::MatrixXd H(2, 1);
  H << 1, 1;
  const Triplets t(saddle(Eigen::MatrixXd::Constant(1, 1, 2.0), H));
  SparseSolver solver;
  solver.analyze(MatrixKind::symmetric_quasidefinite, t.layout.pattern, 2);
  ASSERT_EQ(solver.factorize(t.values).status, FactorStatus::ok);
  const std::vector<double> b{0.0, 1.0, 3.0};  // x = 1 and x = 3
  std::vector<double> x(3);
  const LinearReport report = solver.solve(b, x);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(report.inconsistent);
  EXPECT_NEAR(x[0], 2.0, 1e-7);
  EXPECT_NEAR(x[1], -2.0, 1e-6);
  EXPECT_NEAR(x[2], -2.0, 1e-6);
}

TEST(SparseSolver, NamesTheFreeMasslessUnknown) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(4, 4);
  K.diagonal() << 3.0, 2.0, 0.0, 5.0;
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(1, 4);
  H(0, 0) = 1.0, H(0, 1) = -1.0;
  CsrBuilder builder(5, 5);
  builder.add_diagonal(0, 4);
  builder.add_entry(4, 0), builder.add_entry(4, 1);
  const CsrLayout layout = builder.build();
  SparseSolver solver;
  solver.analyze(MatrixKind::symmetric_quasidefinite, layout.pattern, 1);
  const FactorReport report = solver.factorize(std::vector<double>{3.0, 2.0, 0.0, 5.0, 1.0, -1.0});
  EXPECT_EQ(report.status, FactorStatus::singular);
  EXPECT_EQ(report.row, 2);
}

TEST(SparseSolver, NamesTheUnknownWithoutAPivotInLu) {
  CsrBuilder builder(4, 4);
  builder.add_diagonal(0, 4);
  const CsrLayout with_zero = builder.build();
  SparseSolver solver;
  solver.analyze(MatrixKind::unsymmetric, with_zero.pattern);
  FactorReport report = solver.factorize(std::vector<double>{1.0, 1.0, 0.0, 1.0});
  EXPECT_EQ(report.status, FactorStatus::singular);
  EXPECT_EQ(report.row, 2);
  CsrBuilder coupled(3, 3);
  coupled.add_block(std::vector<int>{0, 1, 2}, std::vector<int>{0, 1, 2});
  const CsrLayout full = coupled.build();
  solver.analyze(MatrixKind::unsymmetric, full.pattern);
  report = solver.factorize(std::vector<double>{1, 2, 0, 2, 4, 0, 0, 0, 3});
  EXPECT_EQ(report.status, FactorStatus::singular);
  EXPECT_TRUE(report.row == 0 || report.row == 1) << report.row;
}

TEST(SparseSolver, TakesAMasslessUnknownThatAConstraintHolds) {
  // The unknown 1 has no mass; the row x0 - x1 = 1 ties it to unknown 0.
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(2, 2);
  K(0, 0) = 4.0;
  Eigen::MatrixXd H(1, 2);
  H << 1, -1;
  const Triplets t(saddle(K, H));
  SparseSolver solver;
  solver.analyze(MatrixKind::symmetric_quasidefinite, t.layout.pattern, 1);
  ASSERT_EQ(solver.factorize(t.values).status, FactorStatus::ok);
  const std::vector<double> b{8.0, 4.0, 1.0};  // 4 x0 + l = 8, -l = 4, x0 - x1 = 1
  std::vector<double> x(3);
  EXPECT_TRUE(solver.solve(b, x).converged);
  EXPECT_NEAR(x[0], 3.0, 1e-13);
  EXPECT_NEAR(x[1], 2.0, 1e-13);
  EXPECT_NEAR(x[2], -4.0, 1e-13);
}

TEST(SparseSolver, CallsSingularMatricesOfBothKindsSingularWhateverTheirUnits) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 3 + trial % 9;
    const Eigen::MatrixXd F = random_matrix(n, n - 1, random);
    const Eigen::VectorXd units = Eigen::VectorXd::NullaryExpr(n, [&](Eigen::Index i) { return std::pow(10.0, (i * 5) % 7 - 3.0); });
    const bool symmetric = trial % 2;
    Eigen::MatrixXd A = symmetric ? Eigen::MatrixXd(F * F.transpose())
                                  : Eigen::MatrixXd(F * random_matrix(n - 1, n, random));
    A = units.asDiagonal() * A * units.asDiagonal();
    SparseSolver solver;
    const Triplets t(A);
    solver.analyze(symmetric ? MatrixKind::symmetric_quasidefinite : MatrixKind::unsymmetric, t.layout.pattern);
    EXPECT_EQ(solver.factorize(t.values).status, FactorStatus::singular) << trial;
    const Triplets regular(units.asDiagonal() * (Eigen::MatrixXd::Identity(n, n) * 2.0) * units.asDiagonal());
    solver.analyze(symmetric ? MatrixKind::symmetric_quasidefinite : MatrixKind::unsymmetric, regular.layout.pattern);
    EXPECT_EQ(solver.factorize(regular.values).status, FactorStatus::ok) << trial;
  }
}

TEST(SparseSolver, MissesAtMostFiveInAThousandSingularMatricesInUnitsOfSixOrders) {
  int missed[2] = {0, 0};
  constexpr int trials = 4000;
  std::mt19937 random(11);
  for (int trial = 0; trial < trials; ++trial) {
    const int n = 3 + trial % 9;
    const bool symmetric = trial % 2;
    const Eigen::MatrixXd F = random_matrix(n, n - 1, random);
    const Eigen::VectorXd units = Eigen::VectorXd::NullaryExpr(n, [](Eigen::Index i) { return std::pow(10.0, (i * 5) % 7 - 3.0); });
    const Eigen::MatrixXd A = units.asDiagonal() * (symmetric ? Eigen::MatrixXd(F * F.transpose()) : Eigen::MatrixXd(F * random_matrix(n - 1, n, random))) * units.asDiagonal();
    const Triplets t(A);
    SparseSolver solver;
    solver.analyze(symmetric ? MatrixKind::symmetric_quasidefinite : MatrixKind::unsymmetric, t.layout.pattern);
    missed[symmetric] += solver.factorize(t.values).status != FactorStatus::singular;
  }
  EXPECT_LE(missed[0], trials / 400);
  EXPECT_LE(missed[1], trials / 400);
}

TEST(SparseSolver, SolvesUnsymmetricMeshesAndMatricesWithoutADiagonalByWhatFits) {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  std::set<std::string_view> used;
  for (const int n : {20, 200}) {
    for (const bool shifted : {false, true}) {  // the large entries are beside the diagonal: those of fronts do not suffice
      CsrBuilder builder(n, n);
      std::vector<double> values;
      const auto entry = [&](int i, int j, double value) { builder.add_entry(i, j), values.push_back(value); };
      for (int i = 0; i < n; ++i) {
        entry(i, shifted ? (i + 1) % n : i, 5.0 + normal(random));
        entry(i, (i + 7) % n, normal(random));
      }
      const CsrLayout layout = builder.build();
      std::vector<double> A(layout.pattern.nonzeros(), 0.0), exact(n), b(exact.size(), 0.0), x = b;
      for (int k = 0; k < count_of(values); ++k) layout.add(k, &values[k], A.data());
      for (double& e : exact) e = normal(random);
      multiply_add(layout.pattern, A.data(), exact.data(), b.data());
      SparseSolver solver;
      solver.analyze(MatrixKind::unsymmetric, layout.pattern);
      ASSERT_EQ(solver.factorize(A).status, FactorStatus::ok) << n << shifted;
      EXPECT_TRUE(solver.solve(b, x).converged) << n << shifted;
      for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], exact[i], 1e-9) << n << shifted;
      EXPECT_GT(solver.reciprocal_condition(), 1e-8);
      used.insert(solver.method());
    }
  }
  EXPECT_EQ(used.size(), 3u);
  for (const std::string_view name : used)
    EXPECT_TRUE(std::any_of(linear_solvers().begin(), linear_solvers().end(), [&](const LinearSolverEntry& e) { return e.name == name; })) << name;
}

TEST(SparseSolver, ReportsNonFiniteInputAndNeverReturnsItAsASolution) {
  const Triplets t(Eigen::MatrixXd::Identity(3, 3));
  for (const MatrixKind kind : {MatrixKind::symmetric_quasidefinite, MatrixKind::unsymmetric}) {
    SparseSolver solver;
    solver.analyze(kind, t.layout.pattern);
    const FactorReport report = solver.factorize(std::vector<double>{1.0, std::nan(""), 1.0});
    EXPECT_EQ(report.status, FactorStatus::not_finite);
    EXPECT_EQ(report.row, 1);
    ASSERT_EQ(solver.factorize(t.values).status, FactorStatus::ok);
    std::vector<double> x(3);
    EXPECT_FALSE(solver.solve(std::vector<double>{1.0, std::nan(""), 1.0}, x).converged);
  }
}

/// Chain of rigid bodies (6 unknowns, full mass blocks) joined by revolutes (5 rows each, on both bodies).
CsrLayout chain_layout(int bodies, std::vector<double>& values, int& multipliers) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  multipliers = 5 * bodies;
  const int n = 6 * bodies;
  CsrBuilder builder(n + multipliers, n + multipliers);
  std::vector<std::vector<double>> blocks;
  auto indices = [](int first, int count) {
    std::vector<int> out(count);
    for (int i = 0; i < count; ++i) out[i] = first + i;
    return out;
  };
  for (int b = 0; b < bodies; ++b) {
    Eigen::Matrix<double, 6, 6, Eigen::RowMajor> F, M;
    for (double& f : F.reshaped()) f = normal(random);
    M = F * F.transpose() + Eigen::Matrix<double, 6, 6>::Identity();
    builder.add_block(indices(6 * b, 6), indices(6 * b, 6));
    blocks.emplace_back(M.data(), M.data() + 36);
    for (int other = std::max(0, b - 1); other <= b; ++other) {
      builder.add_block(indices(n + 5 * b, 5), indices(6 * other, 6));
      blocks.emplace_back(30);
      for (double& h : blocks.back()) h = normal(random);
    }
  }
  CsrLayout layout = builder.build();
  values.assign(layout.pattern.nonzeros(), 0.0);
  for (int k = 0; k < count_of(blocks); ++k) layout.add(k, blocks[k].data(), values.data());
  return layout;
}

TEST(SparseSolver, FactorsAChainOfAThousandBodiesAndPrintsItsTime) {
  std::vector<double> values;
  int m = 0;
  const CsrLayout layout = chain_layout(1000, values, m);
  SparseSolver solver;
  const double t0 = cpu_seconds();
  solver.analyze(MatrixKind::symmetric_quasidefinite, layout.pattern, m);
  const double t1 = cpu_seconds();
  constexpr int repeats = 50;
  for (int k = 0; k < repeats; ++k) ASSERT_EQ(solver.factorize(values).status, FactorStatus::ok);
  const double t2 = cpu_seconds();
  std::vector<double> b(layout.pattern.rows, 1.0), x(b.size());
  LinearReport report;
  for (int k = 0; k < repeats; ++k) report = solver.solve(b, x);
  const double t3 = cpu_seconds();
  EXPECT_TRUE(report.converged) << report.residual;

  // Eigen's own factorization of the same regularized matrix, as a yardstick.
  Eigen::SparseMatrix<double> lower(layout.pattern.rows, layout.pattern.rows);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < layout.pattern.rows; ++i) {
    if (i >= layout.pattern.rows - m) entries.emplace_back(i, i, -1e-6);
    for (int s = layout.pattern.begin[i]; s < layout.pattern.begin[i + 1]; ++s)
      entries.emplace_back(i, layout.pattern.column[s], values[s]);
  }
  lower.setFromTriplets(entries.begin(), entries.end());
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> eigen;
  eigen.analyzePattern(lower);
  const double t4 = cpu_seconds();
  for (int k = 0; k < repeats; ++k) eigen.factorize(lower);
  const double t5 = cpu_seconds();
  std::printf("chain of 1000 bodies, %d unknowns, fill %lld: analyze %.2f ms, factorize %.2f ms (Eigen %.2f ms), "
              "solve %.2f ms with %d refinements, residual %.1e\n",
              layout.pattern.rows, static_cast<long long>(solver.fill()), 1e3 * (t1 - t0), 1e3 * (t2 - t1) / repeats,
              1e3 * (t5 - t4) / repeats, 1e3 * (t3 - t2) / repeats, report.refinements, report.residual);
}

/// Rods in a row on hinges, about y and z in turn: rows (p_B - p_A; two axes) with arms of 0.5 m, masses and inertias from
/// 1 to 1e-9 by `lightness`. Bodies 6 unknowns, translation first.
CsrLayout hinges(int bodies, const std::function<double(int)>& lightness, std::vector<double>& values) {
  const int n = 6 * bodies;
  CsrBuilder builder(n + 5 * bodies, n + 5 * bodies);
  values.clear();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-1.0, 1.0);
  const auto entry = [&](int i, int j, double x) { builder.add_entry(i, j), values.push_back(x); };
  for (int b = 0; b < bodies; ++b) {
    const double size = lightness(b);
    for (int i = 0; i < 6; ++i) entry(6 * b + i, 6 * b + i, size * (i < 3 ? 1.0 : i == 3 ? 0.01 : 1.0 / 12.0));
    const double c = std::cos(angle(random)), s = std::sin(angle(random));
    for (int other = std::max(0, b - 1); other <= b; ++other) {
      const double side = other == b ? 1.0 : -1.0, arm = -0.5 * side;
      for (int i = 0; i < 3; ++i) {
        entry(n + 5 * b + i, 6 * other + i, side);
        const double r[3] = {arm * c, arm * s, 0.0};  // -[r]x on the rotation
        entry(n + 5 * b + i, 6 * other + 3 + (i + 1) % 3, side * r[(i + 2) % 3]);
        entry(n + 5 * b + i, 6 * other + 3 + (i + 2) % 3, -side * r[(i + 1) % 3]);
      }
      entry(n + 5 * b + 3, 6 * other + 3, side);
      entry(n + 5 * b + 4, 6 * other + (b % 2 ? 4 : 5), side);
    }
  }
  const CsrLayout layout = builder.build();
  std::vector<double> summed(layout.pattern.nonzeros(), 0.0);
  for (int k = 0; k < count_of(values); ++k) layout.add(k, &values[k], summed.data());
  values = std::move(summed);
  return layout;
}

TEST(SparseSolver, SolvesLongChainsOfHingesWhoseInertiasDifferByNineOrders) {
  const std::function<double(int)> alternating = [](int b) { return b % 2 ? 1.0 : 1e-9; }, light_end = [](int b) { return std::pow(10.0, -(b % 10)); },
                                   heavy_last = [](int b) { return b % 20 == 19 ? 1.0 : 1e-9; };
  std::vector<double> values;
  for (const int bodies : {40, 1000})
    for (const auto& lightness : {alternating, light_end, heavy_last}) {
      const CsrLayout layout = hinges(bodies, lightness, values);
      const int total = layout.pattern.rows;
      SparseSolver solver;
      solver.analyze(MatrixKind::symmetric_quasidefinite, layout.pattern, 5 * bodies);
      const FactorReport factor = solver.factorize(values);
      ASSERT_EQ(factor.status, FactorStatus::ok);
      std::vector<double> b(total), x(b.size());
      for (int i = 0; i < 6 * bodies; ++i) b[i] = -9.81 * (i % 6 == 1) * lightness(i / 6);
      for (int r = 6 * bodies; r < total; ++r) b[r] = std::sin(r);
      const LinearReport report = solver.solve(b, x);
      EXPECT_TRUE(report.converged) << bodies << " " << report.residual;
      EXPECT_LE(report.refinements, 6);
      // Row by row, by the whole matrix.
      std::vector<double> rest = b, terms(b.size(), 0.0);
      for (int i = 0; i < total; ++i)
        for (int k = layout.pattern.begin[i]; k < layout.pattern.begin[i + 1]; ++k) {
          const int j = layout.pattern.column[k];
          rest[i] -= values[k] * x[j], terms[i] += std::abs(values[k] * x[j]);
          if (j < i) rest[j] -= values[k] * x[i], terms[j] += std::abs(values[k] * x[i]);
        }
      for (int i = 0; i < total; ++i) EXPECT_LE(std::abs(rest[i]), 1e-14 * (terms[i] + std::abs(b[i])) + 1e-300) << bodies << " row " << i;
    }
}

}  // namespace
}  // namespace saltus
