#include "saltus/math/front_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>
#include <random>

#include "saltus/base/index.hpp"
#include "saltus/math/ldlt.hpp"
#include "saltus/math/sparse_solver.hpp"

namespace saltus {
namespace {

/// Lower and upper entries of a dense matrix, put into the fronts by their places.
struct Entries {
  const FrontFactor& factor;
  const Eigen::MatrixXd& A;
  void operator()(int f, const FrontFactor::Target& target) const {
    const FrontTree& tree = factor.tree();
    const FrontTree::Front& front = tree.fronts()[f];
    std::vector<int> row(tree.size(), -1);
    tree.enter(front, row);
    for (int p = front.begin; p < front.begin + front.width; ++p)
      for (int q = front.begin; q < tree.size(); ++q) {
        if (row[q] < 0) continue;
        const double low = A(factor.unknown()[q], factor.unknown()[p]), up = A(factor.unknown()[p], factor.unknown()[q]);
        target.panel[row[q] + std::int64_t{row[p]} * target.rows] = low;
        if (!target.symmetric && row[q] >= target.rest_row) target.side[row[q] - target.rest_row + std::int64_t{row[p]} * target.side_rows] = up;
      }
  }
};

TEST(FrontFactor, SolvesSymmetricAndGeneralSystemsAndTheirTransposed) {
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 24; ++trial) {
    const bool symmetric = trial % 2 == 0;
    const int count = 5 + 9 * trial;
    CsrBuilder builder(count, count);
    std::vector<int> size, first;
    int n = 0;
    for (int v = 0; v < count; ++v) {
      size.push_back(1 + static_cast<int>(random() % 5)), first.push_back(n), n += size[v];
      for (int u = 0; u < v; ++u)
        if (random() % (6 + static_cast<unsigned>(count) / 4) == 0) builder.add_entry(v, u), builder.add_entry(u, v);
    }
    const CsrPattern graph = builder.build().pattern;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    for (int v = 0; v < count; ++v) {
      const auto block = [&](int u) {
        for (int i = 0; i < size[v]; ++i)
          for (int j = 0; j < size[u]; ++j) A(first[v] + i, first[u] + j) = normal(random);
      };
      block(v);
      for (const int u : graph.row(v)) block(u);
    }
    if (symmetric) A = (A + A.transpose()).eval();
    if (symmetric)
      for (int i = 0; i < n; ++i) A(i, i) += (i % 3 == 0 ? -1.0 : 1.0) * (3.0 + A.row(i).cwiseAbs().sum());
    else
      for (int v = 0; v < count; ++v)  // large where only an exchange within the vertex finds it
        for (int i = 0; i < size[v]; ++i) A(first[v] + i, first[v] + (i + 1) % size[v]) += 3.0 + A.row(first[v] + i).cwiseAbs().sum();
    std::vector<int> unknown(n);
    std::iota(unknown.begin(), unknown.end(), 0);
    FrontFactor factor;
    factor.analyze(graph, size, unknown);
    const Entries fill{factor, A};
    const PivotReport report = symmetric ? factor.factorize_symmetric(fill, {}, 1e-13, nullptr) : factor.factorize_general(fill, 0.0, nullptr);
    ASSERT_TRUE(report.finite && report.row < 0) << trial;
    if (symmetric) { EXPECT_EQ(report.negative, (n + 2) / 3); }  // as the diagonal says (Gershgorin)
    const Eigen::VectorXd exact = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
    Eigen::VectorXd x = A * exact, y = A.transpose() * exact;
    factor.solve(x.data(), nullptr);
    factor.solve(y.data(), nullptr, true);
    EXPECT_LE((x - exact).norm(), 1e-12 * exact.norm()) << trial;
    EXPECT_LE((y - exact).norm(), 1e-12 * exact.norm()) << trial;
  }
}

TEST(FrontFactor, ExchangesRowsWithinAFrontAndSaysWhereNoneIsLeft) {
  const Eigen::MatrixXd A{{0.0, 2.0, 1.0}, {3.0, 0.0, 0.0}, {1.0, 1.0, 0.0}};
  CsrPattern graph{1, 1, {0, 0}, {}};
  FrontFactor factor;
  factor.analyze(graph, std::vector<int>{3}, std::vector<int>{0, 1, 2});
  const Entries fill{factor, A};
  ASSERT_LT(factor.factorize_general(fill, 0.0, nullptr).row, 0);
  Eigen::VectorXd x{{1.0, 2.0, 3.0}}, b = A * x, c = A.transpose() * x;
  factor.solve(b.data(), nullptr), factor.solve(c.data(), nullptr, true);
  EXPECT_LT((b - x).norm() + (c - x).norm(), 1e-14);
  Eigen::MatrixXd singular = A;
  singular.row(2) = singular.row(0);
  EXPECT_GE(factor.factorize_general(Entries{factor, singular}, 0.0, nullptr).row, 0);
}

/// Points of a lattice of a x b x c in space between springs, `held`: times the mass of a point. Some neighbours are held at a distance by
/// rows, if there are to be `rows`. Numbers are shuffled.
struct Lattice {
  CsrLayout layout;
  std::vector<double> values;
  int multipliers = 0;

  Lattice(int a, int b, int c, double held, int rows, double units = 1.0) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    const int points = a * b * c;
    std::vector<int> name(points);
    std::iota(name.begin(), name.end(), 0);
    std::shuffle(name.begin(), name.end(), random);
    multipliers = rows;
    CsrBuilder builder(3 * points + rows, 3 * points + rows);
    std::vector<std::vector<double>> blocks;
    const auto add = [&](std::vector<int> i, std::vector<int> j, std::vector<double> block) { builder.add_block(i, j), blocks.push_back(std::move(block)); };
    const auto of = [&](int p) { return std::vector<int>{3 * name[p], 3 * name[p] + 1, 3 * name[p] + 2}; };
    for (int p = 0; p < points; ++p) add(of(p), of(p), {held * units, 0, 0, 0, held * units, 0, 0, 0, held * units});
    int row = 0;
    const auto couple = [&](int p, int q) {
      double n[3];
      for (double& x : n) x = normal(random);
      if (row < rows && random() % 4 == 0) {
        const std::vector<int> at{3 * points + row++};
        add(at, of(p), {-n[0], -n[1], -n[2]}), add(at, of(q), {n[0], n[1], n[2]});
        return;
      }
      std::vector<double> k, minus;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) k.push_back(units * (n[i] * n[j] + (i == j ? 0.1 : 0.0))), minus.push_back(-k.back());
      add(of(p), of(p), k), add(of(q), of(q), k), add(of(p), of(q), minus), add(of(q), of(p), minus);
    };
    for (int i = 0; i < a; ++i)
      for (int j = 0; j < b; ++j)
        for (int k = 0; k < c; ++k) {
          const int here = (i * b + j) * c + k;
          if (k + 1 < c) couple(here, here + 1);
          if (j + 1 < b) couple(here, here + c);
          if (i + 1 < a) couple(here, here + b * c);
        }
    EXPECT_EQ(row, rows);
    layout = builder.build();
    values.assign(layout.pattern.nonzeros(), 0.0);
    for (int k = 0; k < count_of(blocks); ++k) layout.add(k, blocks[k].data(), values.data());
  }
  int size() const { return layout.pattern.rows; }
};

std::vector<double> right_side(int n) {
  std::vector<double> b(n);
  for (int i = 0; i < n; ++i) b[i] = std::sin(1.0 + i);
  return b;
}

TEST(SparseLdlt, AgreesOnMeshesWithSmallAndWithLargeFronts) {
  for (const auto& [a, b, c, rows] : {std::tuple{14, 14, 1, 0}, {14, 14, 1, 60}, {6, 6, 6, 0}, {6, 6, 6, 100}, {200, 2, 1, 80}}) {
    const Lattice mesh(a, b, c, 0.5, rows);
    SparseLdlt small, large;
    small.analyze(mesh.layout.pattern, rows, 0.0, 1 << 30);
    large.analyze(mesh.layout.pattern, rows, 0.0, 0);
    const PivotReport first = small.factorize(mesh.values.data(), {}, {}), second = large.factorize(mesh.values.data(), {}, {});
    ASSERT_EQ(first.replaced + second.replaced, 0);
    EXPECT_EQ(first.negative, rows);  // inertia of a saddle point
    EXPECT_EQ(second.negative, rows);
    EXPECT_NEAR(first.smallest / second.smallest, 1.0, 1e-9);
    std::vector<double> x = right_side(mesh.size()), y = x;
    small.solve(x.data()), large.solve(y.data());
    for (int i = 0; i < mesh.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-10) << i;
  }
}

TEST(SparseLdlt, GivesEqualBitsWithOneTwoAndSevenThreads) {
  for (const int rows : {0, 300}) {
    const Lattice mesh(10, 10, 10, 0.5, rows);
    std::vector<double> first;
    for (const int count : {1, 2, 7}) {
      Threads threads(count);
      SparseLdlt ldlt;
      ldlt.analyze(mesh.layout.pattern, rows);
      for (int again = 0; again < 2; ++again) {
        ASSERT_EQ(ldlt.factorize(mesh.values.data(), {}, {}, 1e-13, &threads).replaced, 0);
        std::vector<double> x = right_side(mesh.size());
        ldlt.solve(x.data(), &threads);
        if (first.empty()) first = x;
        EXPECT_EQ(x, first) << count;
      }
    }
  }
}

TEST(SparseLdlt, LosesTheSamePivotsWithOneTwoAndSevenThreads) {
  Lattice mesh(10, 10, 10, 0.5, 0);
  const CsrPattern& pattern = mesh.layout.pattern;
  for (const int gone : {40, 41, 1400, 2999})  // rows without an entry
    for (int i = 0; i < mesh.size(); ++i)
      for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
        if (i == gone || pattern.column[s] == gone) mesh.values[s] = 0.0;
  const std::vector<double> substitute(mesh.size(), 1.0);
  std::vector<int> lost;
  int row = -1;
  for (const int count : {1, 2, 7}) {
    Threads threads(count);
    SparseLdlt ldlt;
    ldlt.analyze(pattern);
    const PivotReport ended = ldlt.factorize(mesh.values.data(), {}, {}, 1e-13, &threads);
    EXPECT_EQ(ended.replaced, 1);
    if (row < 0) row = ended.row;
    EXPECT_EQ(ended.row, row);
    EXPECT_EQ(ldlt.factorize(mesh.values.data(), {}, substitute, 1e-13, &threads).replaced, 4);
    const std::vector<int> now(ldlt.lost_rows().begin(), ldlt.lost_rows().end());
    if (lost.empty()) lost = now;
    EXPECT_EQ(now, lost);
    EXPECT_EQ(now.front(), row);
  }
  std::sort(lost.begin(), lost.end());
  EXPECT_EQ(lost, (std::vector<int>{40, 41, 1400, 2999}));
}

TEST(SparseSolver, SolvesMeshesWithRowsInUnitsOfManyOrders) {
  for (const double units : {1e-9, 1.0, 1e9}) {
    const Lattice mesh(8, 8, 8, 0.5, 200, units);
    SparseSolver solver;
    solver.analyze(MatrixKind::symmetric_quasidefinite, mesh.layout.pattern, 200);
    const FactorReport factor = solver.factorize(mesh.values);
    ASSERT_EQ(factor.status, FactorStatus::ok);
    EXPECT_EQ(factor.lost_pivots, 0);
    const std::vector<double> b = right_side(mesh.size());
    std::vector<double> x(b.size());
    EXPECT_TRUE(solver.solve(b, x).converged) << units;
  }
}

TEST(SparseSolver, CallsAMeshThatNothingHoldsSingularWhateverItsUnits) {
  for (const double units : {1e-9, 1.0, 1e9}) {
    const Lattice mesh(7, 7, 7, 0.0, 0, units);
    SparseSolver solver;
    solver.analyze(MatrixKind::symmetric_quasidefinite, mesh.layout.pattern);
    const FactorReport report = solver.factorize(mesh.values);
    EXPECT_EQ(report.status, FactorStatus::singular) << units;
    EXPECT_GE(report.row, 0);
  }
}

TEST(SparseSolver, SharesRowsOfAMeshThatStandTwice) {
  // Each row of a mesh with 100 rows once more: their multipliers are halves.
  const Lattice once(6, 6, 6, 0.5, 100);
  const int n = once.size(), primal = n - 100;
  CsrBuilder builder(n + 100, n + 100);
  std::vector<double> values;
  const CsrPattern& p = once.layout.pattern;
  for (int i = 0; i < n; ++i)
    for (int s = p.begin[i]; s < p.begin[i + 1]; ++s) {
      builder.add_entry(i, p.column[s]), values.push_back(once.values[s]);
      if (i >= primal) builder.add_entry(i + 100, p.column[s]), values.push_back(once.values[s]);
    }
  const CsrLayout layout = builder.build();
  std::vector<double> twice(layout.pattern.nonzeros(), 0.0);
  for (int k = 0; k < count_of(values); ++k) layout.add(k, &values[k], twice.data());
  SparseSolver solver, reference;
  reference.analyze(MatrixKind::symmetric_quasidefinite, p, 100);
  solver.analyze(MatrixKind::symmetric_quasidefinite, layout.pattern, 200);
  ASSERT_EQ(reference.factorize(once.values).status, FactorStatus::ok);
  const FactorReport report = solver.factorize(twice);
  ASSERT_EQ(report.status, FactorStatus::ok);
  EXPECT_GT(report.regularization, 0.0);
  std::vector<double> b = right_side(n), x(b.size()), y(b.size() + 100);
  ASSERT_TRUE(reference.solve(b, x).converged);
  b.insert(b.end(), b.end() - 100, b.end());
  EXPECT_TRUE(solver.solve(b, y).converged);
  for (int i = 0; i < primal; ++i) EXPECT_NEAR(y[i], x[i], 1e-9) << i;
  for (int r = primal; r < n; ++r) {
    EXPECT_NEAR(y[r], 0.5 * x[r], 1e-6) << r;
    EXPECT_NEAR(y[r + 100], 0.5 * x[r], 1e-6) << r;
  }
}

}  // namespace
}  // namespace saltus
