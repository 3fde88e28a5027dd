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

TEST(LongVectors, MeasureWhatTheySubtract) {
  for (const int n : {1, 8, 19})
    for (int place = 0; place < n; ++place) {
      std::vector<double> weight(n, 1.0), a(n, 1.0), b(n, 0.5), c(n, 0.25), out(n);
      weight[place] = 2.0, b[place] = -3.0;  // out: 0.25 elsewhere, 3.75 here
      double largest = 1.0, terms = 0.5;
      EXPECT_TRUE(subtract_measured(n, weight.data(), a.data(), b.data(), c.data(), out.data(), largest, terms));
      EXPECT_EQ(largest, 7.5);
      EXPECT_EQ(terms, 6.0);
      for (int i = 0; i < n; ++i) EXPECT_EQ(out[i], i == place ? 3.75 : 0.25);
      c[place] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_FALSE(subtract_measured(n, weight.data(), a.data(), b.data(), c.data(), out.data(), largest, terms));
      double change = 0.0, size = 0.0, difference = 0.0;
      subtract_change(n, b.data(), a.data(), change, size);
      EXPECT_EQ(change, 3.0);
      EXPECT_EQ(size, 4.0);
      EXPECT_EQ(a[place], 4.0);
      change = 0.0;
      measure_change(n, a.data(), b.data(), change, difference);
      EXPECT_EQ(change, 4.0);
      EXPECT_EQ(difference, 7.0);
    }
}

}  // namespace
}  // namespace saltus
