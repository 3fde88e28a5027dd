#include "saltus/math/mass_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

/// Blocks of the given sizes, random SPD, interleaved unknowns.
struct Blocks {
  CsrLayout layout;
  std::vector<double> values;
  Eigen::MatrixXd dense;
  explicit Blocks(const std::vector<int>& sizes) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    int n = 0;
    for (const int s : sizes) n += s;
    std::vector<int> order(n);
    for (int i = 0; i < n; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    dense = Eigen::MatrixXd::Zero(n, n);
    CsrBuilder builder(n, n);
    std::vector<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> blocks;
    int first = 0;
    for (const int s : sizes) {
      const Eigen::MatrixXd F = Eigen::MatrixXd::NullaryExpr(s, s, [&] { return normal(random); });
      blocks.emplace_back(F * F.transpose() + Eigen::MatrixXd::Identity(s, s));
      const std::vector<int> at(order.begin() + first, order.begin() + first + s);
      builder.add_block(at, at);
      for (int i = 0; i < s; ++i)
        for (int j = 0; j < s; ++j) dense(at[i], at[j]) = blocks.back()(i, j);
      first += s;
    }
    layout = builder.build();
    values.assign(layout.pattern.nonzeros(), 0.0);
    for (int k = 0; k < count_of(blocks); ++k) layout.add(k, blocks[k].data(), values.data());
  }
};

TEST(MassSolver, SolvesSinglesBodiesAndLargeComponentsForManyRightHandSides) {
  const Blocks m({1, 6, 1, 3, 32, 33, 6, 60, 2});
  MassSolver solver;
  solver.analyze(m.layout.pattern);
  EXPECT_EQ(solver.components(), 9);
  ASSERT_TRUE(solver.factorize(m.values).ok);
  const Eigen::Index n = m.dense.rows();
  const Eigen::MatrixXd expected = Eigen::MatrixXd::NullaryExpr(n, 3, [](Eigen::Index i, Eigen::Index j) { return std::sin(1.0 + i + 7.0 * j); });
  Eigen::MatrixXd x = m.dense * expected;
  solver.solve(x.data(), 3);
  EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(MassSolver, NamesTheUnknownWithoutMassInEachKindOfComponent) {
  for (const int size : {1, 2, 6, 32, 40}) {
    Blocks m({1, size, 1});
    MassSolver solver;
    solver.analyze(m.layout.pattern);
    int victim = 0;  // a member of the block of `size` (or the first single)
    for (int i = 0; i < m.layout.pattern.rows; ++i)
      if (count_of(m.layout.pattern.row(i)) == size) victim = i;
    for (const int j : m.layout.pattern.row(victim)) {
      m.values[m.layout.pattern.slot(victim, j)] = 0.0;
      m.values[m.layout.pattern.slot(j, victim)] = 0.0;
    }
    const MassReport report = solver.factorize(m.values);
    EXPECT_FALSE(report.ok) << size;
    EXPECT_TRUE(report.finite);
    EXPECT_EQ(report.row, victim) << size;
    m.values[m.layout.pattern.slot(victim, victim)] = std::nan("");
    EXPECT_FALSE(solver.factorize(m.values).finite) << size;
    m.values[m.layout.pattern.slot(victim, victim)] = -1.0;
    EXPECT_EQ(solver.factorize(m.values).row, victim) << size;
  }
}

}  // namespace
}  // namespace saltus
