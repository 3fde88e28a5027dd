// Sweeps of four contacts at once: closed forms of single contacts, and what sweeps one by one come to.
#include "saltus/solver/friction/contact_packs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/solver/friction/gauss_seidel.hpp"

namespace saltus::friction {
namespace {

double friction_of(const double* parameters) { return *parameters; }
const SetType space_cone{"coulomb_3d", 3, nullptr, nullptr, nullptr, friction_of};
const SetType half_line{"half_line", 1, nullptr, nullptr, nullptr, [](const double*) { return 0.0; }};
constexpr double mu = 0.5;

/// Points of mass 2 kg, each on the ground or, where `above` tells it, on the one before.
Problem points(const std::vector<std::array<double, 3>>& momenta, bool above) {
  const int n = 3 * static_cast<int>(momenta.size());
  Problem problem;
  std::vector<Eigen::Triplet<double>> mass, arms;
  for (int i = 0; i < n; ++i) {
    mass.emplace_back(i, i, 2.0), arms.emplace_back(i, i, 1.0);
    if (above && i >= 3) arms.emplace_back(i, i - 3, -1.0);
    if (i % 3 == 0) problem.blocks.push_back({i, 3, &space_cone, &mu, 1.0});
    problem.p0.push_back(momenta[i / 3][i % 3]);
  }
  problem.M.resize(n, n), problem.H.resize(n, n);
  problem.M.setFromTriplets(mass.begin(), mass.end());
  problem.H.setFromTriplets(arms.begin(), arms.end());
  problem.b.assign(n, 0.0);
  return problem;
}

/// Impulse of the ground on a point of momentum p: against it, on the cone where it slides.
std::array<double, 3> on_ground(const std::array<double, 3>& p) {
  const double normal = std::max(0.0, -p[0]), tangent = std::hypot(p[1], p[2]), share = tangent > mu * normal ? mu * normal / tangent : 1.0;
  return {normal, -share * p[1], -share * p[2]};
}

std::vector<double> impulses(const Scaled& problem, const std::vector<double>& x) {
  std::vector<double> r(x.size());
  problem.unscale_impulse(x.data(), r);
  return r;
}

const std::vector<std::array<double, 3>> momenta{{-1, 0.1, 0.2}, {-2, 3, 1}, {1, 1, 1}, {-1, -4, 0}, {-3, 0, 0}, {0, 1, 0}, {-0.5, 0, -2}, {-1, 0.2, 0.4}, {-1, 0.3, 0.4}};

TEST(ContactPacks, SolveContactsWithoutACommonBodyInOnePass) {
  Problem problem = points(momenta, false);
  const auto s = scaled(problem);
  ASSERT_TRUE(s && s->body_form);
  ContactPacks packs(*s, std::vector<double>(s->size(), 0.0));
  std::vector<double> x(s->size());
  for (int k = 0; k < 3; ++k) packs.sweep();  // a direction is found to the square of 1e-3 rad in the first
  packs.extrapolate(0.0);
  packs.impulses(x);
  const std::vector<double> r = impulses(*s, x);
  for (std::size_t c = 0; c < momenta.size(); ++c)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(r[3 * c + i], on_ground(momenta[c])[i], 1e-14) << c;
}

TEST(ContactPacks, LeaveContactsBetweenFixedBodiesAndThoseWithoutFriction) {
  Problem problem = points(momenta, false);
  const int n = problem.unknowns();
  problem.blocks[1] = {3, 1, &half_line, nullptr, 1.0};
  problem.blocks.push_back({4, 1, &half_line, nullptr, 1.0}), problem.blocks.push_back({5, 1, &half_line, nullptr, 1.0});
  problem.H.conservativeResize(n + 3, n);
  problem.b.insert(problem.b.end(), {0.5, 0.1, 0.0});
  problem.blocks.push_back({n, 3, &space_cone, &mu, 1.0});  // moves apart, whoever pushes
  const auto s = scaled(problem);
  ASSERT_TRUE(s && s->body_form);
  AcceleratedSweeps sweeps(*s, std::vector<double>(s->size(), 0.0));
  for (int k = 0; k < 60; ++k) sweeps.sweep();
  const std::vector<double> r = impulses(*s, sweeps.impulses());
  EXPECT_NEAR(r[3], 2.0, 1e-14);
  EXPECT_EQ(r[4], 0.0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(r[i], on_ground(momenta[0])[i], 1e-14);
    EXPECT_EQ(r[n + i], 0.0);
  }
}

TEST(ContactPacks, ComeToWhatSweepsOneByOneComeTo) {
  std::vector<std::array<double, 3>> column(20, {-0.1, 0.002, 0.001});  // each pushes the one below
  const auto s = scaled(points(column, true));
  ASSERT_TRUE(s && s->body_form);
  GaussSeidel single(*s, std::vector<double>(s->size(), 0.0));
  AcceleratedSweeps packs(*s, std::vector<double>(s->size(), 0.0));
  for (int k = 0; k < 20000; ++k) single.sweep();
  for (int k = 0; k < 2000; ++k) packs.sweep();
  const std::vector<double> one = impulses(*s, single.impulses()), four = impulses(*s, packs.impulses());
  for (int c = 0; c < 20; ++c) {
    EXPECT_NEAR(four[3 * c], 0.1 * (20 - c), 1e-10) << c;  // the weight of all above
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(four[3 * c + i], one[3 * c + i], 1e-9);
  }
}

}  // namespace
}  // namespace saltus::friction
