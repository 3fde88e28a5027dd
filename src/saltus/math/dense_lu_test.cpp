#include "saltus/math/dense_lu.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

TEST(DenseLu, SolvesWhatNeedsPivotsAndScales) {
  // A saddle with a zero block, rows of very different units.
  const std::vector<double> A{2, 0, -1, 0, 3e6, 1e6, 1e-6, -1e-6, 0};
  const std::vector<double> x{1.5, -0.25, 4};
  std::vector<double> b(3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) b[i] += A[3 * i + j] * x[j];
  DenseLu lu;
  ASSERT_TRUE(lu.factorize(A, 3));
  lu.solve(b);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(b[i], x[i], 1e-14);
}

TEST(DenseLu, SolvesTheTransposedSystem) {
  const std::vector<double> A{0, 2, -1, 3, 1, 0.5, 1, -1, 4}, x{1.5, -0.25, 4};
  std::vector<double> b(3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) b[j] += A[3 * i + j] * x[i];
  DenseLu lu;
  ASSERT_TRUE(lu.factorize(A, 3));
  lu.solve_transposed(b);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(b[i], x[i], 1e-14);
}

TEST(DenseLu, RefusesASingularMatrixAndOneThatIsNotFinite) {
  DenseLu lu;
  EXPECT_FALSE(lu.factorize(std::vector<double>{1, 2, 0.5, 1}, 2));
  EXPECT_FALSE(lu.factorize(std::vector<double>{1, 0, 0, 0}, 2));
  EXPECT_FALSE(lu.factorize(std::vector<double>{1, 0, std::nan(""), 1}, 2));
}

}  // namespace
}  // namespace saltus
