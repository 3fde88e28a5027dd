#include "saltus/math/long_vectors.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace saltus {
namespace {

TEST(LongVectors, SumsTheTermsThatHaveAWeight) {
  const int n = 29;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<double>> terms(7, std::vector<double>(n));
  std::vector<double> base(n), out(n);
  for (int i = 0; i < n; ++i) {
    base[i] = 100.0 + i;
    for (int j = 0; j < 7; ++j) terms[j][i] = (j + 1) * (i - 3);
  }
  for (int count = 0; count <= 7; ++count) {
    std::vector<double> weights(count);
    std::vector<const double*> pointers;
    double factor = 0.0;
    for (int j = 0; j < count; ++j) weights[j] = 0.5 * (j - 1), factor += weights[j] * (j + 1), pointers.push_back(terms[j].data());
    std::vector<double> unread(n, nan);
    if (count > 1) pointers[1] = unread.data();  // weight 0
    add_weighted_sum(n, base.data(), count, weights.data(), pointers.data(), out.data());
    for (int i = 0; i < n; ++i) EXPECT_EQ(out[i], base[i] + factor * (i - 3)) << count << " " << i;  // small integers and halves: exact
  }
}

TEST(LongVectors, FindNumbersThatAreNotFiniteAtEveryPlace) {
  for (const int n : {1, 8, 19})
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()})
      for (int place = 0; place < n; ++place) {
        std::vector<double> x(n, -1e300), one(n, 1.0), out(n);
        EXPECT_TRUE(finite(x.data(), n) && multiply_each(n, x.data(), one.data(), out.data()));
        EXPECT_EQ(out, x);
        x[place] = bad;
        EXPECT_FALSE(finite(x.data(), n) || multiply_each(n, x.data(), one.data(), out.data())) << n << " " << place;
      }
}

}  // namespace
}  // namespace saltus
