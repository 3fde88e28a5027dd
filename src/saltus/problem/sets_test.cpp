#include "saltus/problem/slip_arms.hpp"

#include "saltus/problem/graph.hpp"
#include "saltus/problem/polyhedron.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace saltus {
namespace {

struct Sample {
  const SetType* set;
  std::vector<double> parameters;
  int dim;
};

std::vector<Sample> samples() {
  const double inf = std::numeric_limits<double>::infinity();
  return {{&equality_set, {}, 2},
          {&half_line_set, {}, 3},
          {&box_set, {-1.0, -inf, 0.2, 1.0, 0.5, inf}, 3},
          {&coulomb_2d_set, {0.4}, 2},
          {&coulomb_3d_set, {0.7}, 3},
          {&coulomb_3d_set, {0.0}, 3},
          {&rolling_2d_set, {0.5, 0.1}, 3},
          {&rolling_3d_set, {0.5, 0.1}, 5},
          {&rolling_spinning_3d_set, {0.5, 0.1, 0.05}, 6},
          {&spinning_3d_set, {0.5, 0.05}, 4},
          {&rolling_spinning_3d_set, {0.4, 0.2, 0.0}, 6},
          {&rolling_spinning_3d_set, {0.0, 0.2, 0.0}, 6},
          {&rolling_3d_set, {0.0, 0.2}, 5},
          {&rolling_2d_set, {0.0, 0.2}, 3},
          {&truncated_coulomb_2d_set, {0.5, 0.3}, 2},
          {&truncated_coulomb_3d_set, {0.7, 0.4}, 3},
          {&truncated_coulomb_3d_set, {0.7, 0.0}, 3},
          {&cohesive_2d_set, {0.5, 0.3}, 2},
          {&cohesive_3d_set, {0.7, 0.4}, 3},
          {&cohesive_3d_set, {0.7, 0.0}, 3},
          {&cohesive_3d_set, {0.0, 0.4}, 3},
          {&orthotropic_set, {0.3, 0.9}, 3},
          {&elliptic_3_set, {0.5, 0.3, 0.02}, 4},
          {&stribeck_2d_set, {0.6, 0.4, 0.8, 1.0, 0.1}, 2},
          {&stribeck_3d_set, {0.6, 0.4, 0.8, 2.0, 0.0}, 3},
          {&contensou_set, {0.5, 0.02}, 6},
          {&ball_set, {0.8}, 3},
          {&polyhedron_set, {4, 1, 1, -1, 0, 0, -1, 1, 3, 1, 0.5, 0.25, 2}, 2},           // a quadrangle
          {&polyhedron_set, {3, 1, 1, 1, 2, 2, 2, 0, 0, -1, 1, 2, 0}, 3},                 // one facet twice
          {&polyhedron_set, {0}, 2}};
}

using Vector = std::vector<double>;
Vector prox(const Sample& s, const Vector& r, const Vector& w, double rho) {
  Vector x(r.size());
  s.set->prox(s.parameters.data(), s.dim, r.data(), w.data(), rho, 1.0, x.data());
  return x;
}
Vector project(const Sample& s, const Vector& x) { return prox(s, x, Vector(x.size(), 0.0), 1.0); }

Vector random_vector(std::mt19937& engine, int n) {
  std::normal_distribution<double> normal;
  Vector x(n);
  for (double& xi : x) xi = normal(engine);
  return x;
}

TEST(Sets, ProxIsTheNearestPointOfTheSet) {
  // Variational inequality of a projection p of x on a convex K: (x - p).(y - p) <= 0 for all y in K.
  std::mt19937 engine(1);
  for (const Sample& s : samples())
    for (int trial = 0; trial < 300; ++trial) {
      Vector x = random_vector(engine, s.dim);
      for (double& xi : x)
        if (trial % 3 == 0 && std::bernoulli_distribution(0.5)(engine)) xi = 0.0;  // nothing slides, or nothing rolls
      const Vector p = project(s, x);
      for (int other = 0; other < 10; ++other) {
        const Vector y = project(s, random_vector(engine, s.dim));
        double product = 0;
        for (std::size_t i = 0; i < x.size(); ++i) product += (x[i] - p[i]) * (y[i] - p[i]);
        EXPECT_LE(product, 1e-12) << s.set->name;
      }
      const Vector again = project(s, p);
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(again[i], p[i], 1e-13) << s.set->name;
    }
}

TEST(Sets, DerivativeOfProxIsItsFiniteDifference) {
  std::mt19937 engine(2);
  std::vector<Sample> all = samples();
  all.push_back({&graph_set, {4, -1, 2, 0, 2, 0, -1, 1, -3}, 2});
  for (const Sample& s : all) {
    int compared = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const Vector r = random_vector(engine, s.dim), w = random_vector(engine, s.dim);
      const double rho = 0.7, h = 1e-6;
      const std::size_t n = r.size();
      Vector by_r(n * n), by_w(n * n);
      s.set->prox_derivative(s.parameters.data(), s.dim, r.data(), w.data(), rho, 1.0, by_r.data(), by_w.data());
      for (int which = 0; which < 2; ++which)
        for (std::size_t j = 0; j < n; ++j) {
          Vector plus = which ? w : r, minus = plus;
          plus[j] += h;
          minus[j] -= h;
          const Vector above = which ? prox(s, r, plus, rho) : prox(s, plus, w, rho);
          const Vector below = which ? prox(s, r, minus, rho) : prox(s, minus, w, rho);
          for (std::size_t i = 0; i < n; ++i) {
            const double difference = (above[i] - below[i]) / (2 * h);
            const double derivative = (which ? by_w : by_r)[i * n + j];
            // A kink within h of the point is the only excuse; it must be rare.
            if (std::abs(difference - derivative) < 1e-5 * (1 + std::abs(derivative))) ++compared;
          }
        }
    }
    EXPECT_GE(compared, 200 * 2 * s.dim * s.dim * 0.995) << s.set->name;
  }
}

TEST(Sets, CoulombProxAtASlidingPointReturnsIt) {
  // r on the cone's edge against the sliding velocity, w_n = 0: u + mu |u_T| n is orthogonal to r (De Saxce).
  const double mu = 0.3;
  const std::array<double, 3> r{2.0, -mu * 2.0 * 0.6, -mu * 2.0 * 0.8}, w{0.0, 0.6 * 5, 0.8 * 5};
  std::array<double, 3> p;
  coulomb_3d_set.prox(&mu, 3, r.data(), w.data(), 0.9, 1.0, p.data());
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(p[i], r[i], 1e-14);
}

TEST(Sets, ProxOfACharacteristicReturnsItsPointsAlone) {
  // Upright from 2 to -1 at w = 0, level at 2 before it, then falling by 2 a unit; forces times 0.5.
  const double p[] = {4, -1, 2, 0, 2, 0, -1, 1, -3}, on[][2] = {{-7, 1}, {-0.5, 1}, {0, 0.9}, {0, -0.4}, {0.5, -1}, {4, -4.5}};
  for (const auto& [w, r] : on) {
    double x;
    graph_set.prox(p, 1, &r, &w, 0.7, 0.5, &x);
    EXPECT_NEAR(x, r, 1e-14);
    if (w == 0.0) continue;
    const double off = r + 0.1;
    graph_set.prox(p, 1, &off, &w, 0.7, 0.5, &x);
    EXPECT_GT(std::abs(x - off), 0.01);
  }
  // An upright end holds any impulse at an instant, where forces count nothing; a level one none.
  const double stop[] = {3, 0, 1, 0, 0, 1, 0}, w = 0.0, r = 5.0;
  double x;
  graph_set.prox(stop, 1, &r, &w, 1.0, 0.0, &x);
  EXPECT_EQ(x, 5.0);
}

TEST(Sets, BoxScalesItsFiniteBoundsOnly) {
  const double inf = std::numeric_limits<double>::infinity();
  const double bounds[4] = {-2.0, 1.0, 3.0, inf};
  double low[2], high[2];
  box_set.bounds(bounds, 2, 0.0, low, high);
  EXPECT_EQ(low[0], 0.0);
  EXPECT_EQ(high[0], 0.0);
  EXPECT_EQ(high[1], inf);
}

TEST(Sets, ProxOfZeroIsZeroAndItsDerivativeIsFinite) {
  for (const Sample& s : samples()) {
    if (!std::ranges::all_of(project(s, Vector(static_cast<std::size_t>(s.dim), 0.0)), [](double x) { return x == 0.0; })) continue;  // 0 is outside
    const Vector zero(s.dim, 0.0);
    for (double x : prox(s, zero, zero, 1.0)) EXPECT_EQ(x, 0.0) << s.set->name;
    Vector by_r(zero.size() * zero.size()), by_w(by_r);
    s.set->prox_derivative(s.parameters.data(), s.dim, zero.data(), zero.data(), 1.0, 1.0, by_r.data(), by_w.data());
    for (double x : by_r) EXPECT_TRUE(std::isfinite(x)) << s.set->name;
    for (double x : by_w) EXPECT_TRUE(std::isfinite(x)) << s.set->name;
  }
}

}  // namespace
}  // namespace saltus
