// The dynamics of friction problems condensed to their rows, by the blocks of M and without them.
#include "saltus/solver/friction/dynamics.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace saltus::friction {
namespace {

/// Bodies of `size` unknowns in a row, three rows of contact between neighbours; `coupling` stands in M between neighbours.
Problem chain(int bodies, int size, double coupling, bool own_input) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const int n = bodies * size, m = 3 * (bodies - 1);
  std::vector<Eigen::Triplet<double>> M, H, G;
  for (int b = 0; b < bodies; ++b)
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) M.emplace_back(b * size + i, b * size + j, (i == j ? 5.0 + i : 0.0) + 0.3 * uniform(random));
  for (int i = 0; i + size < n; ++i) M.emplace_back(i, i + size, coupling), M.emplace_back(i + size, i, coupling);
  for (int row = 0; row < m; ++row)
    for (int k = 0; k < 2 * size; ++k) {
      H.emplace_back(row, row / 3 * size + k, uniform(random));
      G.emplace_back(row / 3 * size + k, row, uniform(random));
    }
  Problem p;
  p.M.resize(n, n), p.H.resize(m, n), p.G.resize(n, m);
  p.M.setFromTriplets(M.begin(), M.end());
  p.H.setFromTriplets(H.begin(), H.end());
  if (own_input) p.G.setFromTriplets(G.begin(), G.end());
  p.p0.assign(n, 1.0);
  p.b.assign(m, 0.5);
  return p;
}

void expect_condensed(const Problem& p) {
  const auto W = condensed(p, Motion(p));
  ASSERT_TRUE(W.has_value());
  const Eigen::MatrixXd G = p.G.nonZeros() > 0 ? Eigen::MatrixXd(p.G) : Eigen::MatrixXd(p.H.transpose());
  const Eigen::MatrixXd expected = Eigen::MatrixXd(p.H) * Eigen::MatrixXd(p.M).partialPivLu().solve(G);
  EXPECT_LT((Eigen::MatrixXd(*W) - expected).lpNorm<Eigen::Infinity>(), 1e-13 * expected.lpNorm<Eigen::Infinity>());
}

TEST(Dynamics, CondensesByBlocksAsByTheWholeMatrix) {
  for (const bool own_input : {false, true}) {
    expect_condensed(chain(5, 6, 0.0, own_input));  // blocks, between them stored zeros
    expect_condensed(chain(5, 2, 0.0, own_input));
    expect_condensed(chain(5, 6, 0.1, own_input));  // one block of 30
  }
}

TEST(Dynamics, FindsTheBodiesBehindStoredZeros) {
  const Problem p = chain(5, 6, 0.0, false);
  std::vector<int> block_of_row(12);
  for (int i = 0; i < 12; ++i) block_of_row[i] = i / 3;
  const auto found = bodies(p, Motion(p), block_of_row);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->count(), 5);
  const Problem joined = chain(5, 6, 0.1, false);
  EXPECT_FALSE(bodies(joined, Motion(joined), block_of_row).has_value());
}

TEST(Dynamics, MovesByPartsAsByTheWholeMatrixForOneImpulseAfterTheOther) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const int size : {1, 2, 6})
    for (const double coupling : {0.0, 0.1})
      for (const bool own_input : {false, true}) {
        const Problem p = chain(5, size, coupling, own_input);
        Motion motion(p);
        EXPECT_EQ(motion.parts().count(), coupling == 0.0 ? 5 : 5 * size <= 6 ? 1 : 0);
        for (int i = 0; i < 3; ++i) {
          std::vector<double> r(p.b.size()), v;
          for (double& x : r) x = normal(random);
          ASSERT_TRUE(motion(r, v));
          Eigen::VectorXd load = Eigen::Map<const Eigen::VectorXd>(p.p0.data(), p.unknowns());
          const Eigen::Map<const Eigen::VectorXd> impulse(r.data(), static_cast<Eigen::Index>(r.size()));
          if (own_input) load += p.G * impulse;
          else load += p.H.transpose() * impulse;
          const Eigen::VectorXd expected = Eigen::MatrixXd(p.M).partialPivLu().solve(load);
          EXPECT_LT((Eigen::Map<const Eigen::VectorXd>(v.data(), p.unknowns()) - expected).norm(), 1e-13 * expected.norm());
        }
      }
}

TEST(Dynamics, RefusesASingularBlock) {
  Problem p = chain(2, 2, 0.0, false);
  for (int k = 0; k < p.M.nonZeros(); ++k) p.M.valuePtr()[k] = 1.0 * (k < 2 || k > 5);
  p.M.coeffRef(1, 0) = p.M.coeff(0, 0), p.M.coeffRef(1, 1) = p.M.coeff(0, 1);
  EXPECT_FALSE(condensed(p, Motion(p)).has_value());
  std::vector<double> v;
  EXPECT_FALSE(Motion(p)({}, v));
}

}  // namespace
}  // namespace saltus::friction
