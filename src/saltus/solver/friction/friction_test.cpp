#include "saltus/solver/friction/friction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>

#include "saltus/base/index.hpp"
#include "saltus/solver/friction/strategies.hpp"
#include "saltus/solver/friction/gauss_seidel.hpp"
#include "saltus/solver/friction/local.hpp"

namespace saltus::friction {
namespace {

double friction_of(const double* parameters) { return *parameters; }
const SetType plane_cone{"coulomb_2d", 2, nullptr, nullptr, nullptr, friction_of};
const SetType space_cone{"coulomb_3d", 3, nullptr, nullptr, nullptr, friction_of};
constexpr std::int64_t plenty = 2'000'000'000;

// Largest violation of the friction law over all contacts, by cases: cones, complementarity and dissipation. Shares no
// formula with the solvers' natural map.
double violation(const Problem& problem, const SolveReport& report) {
  double worst = 0.0, r_size = 1e-300, w_size = 1e-300;
  for (double r : report.r) r_size = std::max(r_size, std::abs(r));
  for (double w : report.w) w_size = std::max(w_size, std::abs(w));
  for (double b : problem.b) w_size = std::max(w_size, std::abs(b));
  if (problem.M.rows() > 0) {  // velocities without impulses
    const Eigen::Map<const Eigen::VectorXd> p0(problem.p0.data(), problem.unknowns());
    w_size = std::max(w_size, (problem.H * Eigen::MatrixXd(problem.M).llt().solve(p0)).cwiseAbs().maxCoeff());
  }
  for (const Block& block : problem.blocks) {
    const double mu = block.set->friction(block.parameters);
    const double *r = report.r.data() + block.begin, *w = report.w.data() + block.begin;
    double rt = 0.0, wt = 0.0, power = 0.0;
    for (int i = 1; i < block.dim; ++i) rt += r[i] * r[i], wt += w[i] * w[i], power += r[i] * w[i];
    rt = std::sqrt(rt), wt = std::sqrt(wt);
    worst = std::max(worst, (rt - mu * r[0]) / r_size);
    worst = std::max(worst, -w[0] / w_size);
    worst = std::max(worst, std::abs(r[0] * w[0]) / (r_size * w_size));
    worst = std::max(worst, std::abs(power + mu * r[0] * wt) / (r_size * w_size));  // r_T against w_T, on the cone
  }
  return worst;
}

struct Case {
  Problem problem;
  std::vector<double> friction;
  void blocks(int dim) {
    for (int c = 0; c < count_of(friction); ++c)
      problem.blocks.push_back({c * dim, dim, dim == 2 ? &plane_cone : &space_cone, &friction[c]});
  }
};

SparseRows sparse(const Eigen::MatrixXd& A) { return A.sparseView(); }

// One contact with a given W.
Case one_contact(const Eigen::MatrixXd& W, std::vector<double> b, double mu) {
  Case c;
  c.problem.D = sparse(W);
  c.problem.b = std::move(b);
  c.friction = {mu};
  c.blocks(static_cast<int>(W.rows()));
  return c;
}

// Random contacts between rigid bodies of six coordinates and the ground; every second contact on the ground.
Case pile(int bodies, int contacts, int dim, unsigned seed, bool local) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.2, 0.9);
  Case c;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6 * bodies, 6 * bodies), H = Eigen::MatrixXd::Zero(dim * contacts, 6 * bodies);
  for (int k = 0; k < bodies; ++k) {
    const double mass = std::exp(normal(random));
    for (int i = 0; i < 3; ++i) M(6 * k + i, 6 * k + i) = mass, M(6 * k + 3 + i, 6 * k + 3 + i) = 0.1 * mass * (1.0 + uniform(random));
    M(6 * k + 3, 6 * k + 4) = M(6 * k + 4, 6 * k + 3) = 0.02 * mass;
  }
  Eigen::VectorXd v0(6 * bodies);
  for (int i = 0; i < v0.size(); ++i) v0[i] = normal(random);
  for (int i = 0; i < contacts; ++i) {
    const int a = i % bodies, b = (i * 7 + 3) % bodies;
    for (int row = 0; row < dim; ++row)
      for (int j = 0; j < 6; ++j) {
        const double value = normal(random) * (j < 3 ? 1.0 : 0.3);
        H(dim * i + row, 6 * a + j) += value;
        if (i % 2 == 0 && b != a) H(dim * i + row, 6 * b + j) -= value;
      }
  }
  for (int i = 0; i < contacts; ++i) c.friction.push_back(uniform(random));
  if (local) {
    const Eigen::MatrixXd W = H * M.llt().solve(H.transpose());
    const Eigen::VectorXd w0 = H * v0;
    c.problem.D = sparse(W);
    c.problem.b.assign(w0.data(), w0.data() + w0.size());
  } else {
    const Eigen::VectorXd p0 = M * v0;
    c.problem.M = sparse(M), c.problem.H = sparse(H);
    c.problem.p0.assign(p0.data(), p0.data() + p0.size());
    c.problem.b.assign(dim * contacts, 0.0);
  }
  return c;
}

// Balls on a cubic lattice of n x n x height, touching each other, the floor and four walls, which fall by a tenth of their radius a step and move
// about at random by `noise`: more contacts than motions.
Case box_of_balls(int n, int height, double mu, double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const int balls = n * n * height;
  const auto number = [n](int x, int y, int z) { return (z * n + y) * n + x; };
  Case c;
  std::vector<Eigen::Triplet<double>> M, H;
  std::vector<double> v0;
  for (int k = 0; k < balls; ++k) {
    for (int i = 0; i < 6; ++i) M.emplace_back(6 * k + i, 6 * k + i, i < 3 ? 1.0 : 0.4);  // radius 1
    for (int i = 0; i < 6; ++i) v0.push_back(noise * normal(random) - (i == 2 ? 0.1 : i == 0 ? 0.03 : 0.0));
  }
  int rows = 0;
  const auto touch = [&](int below, int above, int axis, double sign) {  // sign: of the normal, from below to above
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    for (const auto& [ball, side] : {std::pair{below, -1.0}, std::pair{above, 1.0}}) {
      if (ball < 0) continue;
      H.emplace_back(rows, 6 * ball + axis, side * sign);
      H.emplace_back(rows + 1, 6 * ball + a, side), H.emplace_back(rows + 2, 6 * ball + b, side);
      // At p = -side sign e_axis from the centre: w x p along a and b.
      H.emplace_back(rows + 1, 6 * ball + 3 + b, -sign), H.emplace_back(rows + 2, 6 * ball + 3 + a, sign);
    }
    rows += 3;
    c.friction.push_back(mu);
  };
  for (int z = 0; z < height; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const int here = number(x, y, z);
        touch(x > 0 ? number(x - 1, y, z) : -1, here, 0, 1.0), touch(y > 0 ? number(x, y - 1, z) : -1, here, 1, 1.0);
        touch(z > 0 ? number(x, y, z - 1) : -1, here, 2, 1.0);
        if (x == n - 1) touch(-1, here, 0, -1.0);
        if (y == n - 1) touch(-1, here, 1, -1.0);
      }
  c.problem.M.resize(6 * balls, 6 * balls), c.problem.M.setFromTriplets(M.begin(), M.end());
  c.problem.H.resize(rows, 6 * balls), c.problem.H.setFromTriplets(H.begin(), H.end());
  c.problem.b.assign(rows, 0.0);
  for (int i = 0; i < 6 * balls; ++i) v0[i] *= c.problem.M.coeff(i, i);
  c.problem.p0 = v0;
  return c;
}

TEST(Friction, AStoredZeroBetweenBodiesJoinsNothing) {
  // Two bodies of six velocities, full inertias; the pattern holds couplings that another step would have.
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd A(12, 6), H = Eigen::MatrixXd::Zero(6, 12);
  for (double& x : A.reshaped()) x = normal(random);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(12, 12);
  for (int k : {0, 6}) {
    M.block(k, k, 6, 6) = A.middleRows(k, 6) * A.middleRows(k, 6).transpose() + Eigen::MatrixXd::Identity(6, 6);
    for (double& x : H.block(k / 2, k, 3, 6).reshaped()) x = normal(random);
  }
  Case plain, padded;
  plain.friction = {0.4, 0.7};
  plain.problem.M = sparse(M), plain.problem.H = sparse(H);
  plain.problem.p0.resize(12), plain.problem.b.resize(6);
  for (double& x : plain.problem.p0) x = normal(random);
  for (int c : {0, 3}) plain.problem.b[c] = -1.0;
  padded = plain;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) entries.emplace_back(i, j, M(i, j));
  padded.problem.M.setFromTriplets(entries.begin(), entries.end());
  plain.blocks(3), padded.blocks(3);
  const SolveReport one = race(plain.problem, 1e-10, plenty), two = race(padded.problem, 1e-10, plenty);
  ASSERT_EQ(one.status, SolveStatus::solved);
  ASSERT_EQ(two.status, SolveStatus::solved);
  EXPECT_EQ(one.r, two.r);
  EXPECT_LT(violation(padded.problem, two), 1e-8);
}

TEST(SingleContact, SticksWhereTheStickingImpulseIsInTheCone) {
  Eigen::Matrix3d W;
  W << 2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 1.0;
  Case c = one_contact(W, {-1.0, 0.1, -0.2}, 0.8);
  const SolveReport report = race(c.problem, 1e-12, plenty);
  const Eigen::Vector3d r = -W.inverse() * Eigen::Vector3d(-1.0, 0.1, -0.2);
  ASSERT_EQ(report.status, SolveStatus::solved);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(report.r[i], r[i], 1e-12);
}

TEST(SingleContact, OpensWhereTheFreeVelocitySeparates) {
  Case c = one_contact(Eigen::Matrix3d::Identity(), {0.5, -3.0, 2.0}, 0.7);
  const SolveReport report = race(c.problem, 1e-12, plenty);
  ASSERT_EQ(report.status, SolveStatus::solved);
  for (double r : report.r) EXPECT_EQ(r, 0.0);
}

// Uncoupled W = diag(a, c, c): r_N = -b_N / a, r_T = -mu r_N b_T / |b_T|.
TEST(SingleContact, SlidesAgainstTheFreeVelocity) {
  for (double mu : {1e-3, 0.3, 1.0, 5.0}) {
    const double a = 2.0, c0 = 0.5;
    const Eigen::Vector3d b(-1.0, 30.0, -40.0);
    Case c = one_contact(Eigen::Vector3d(a, c0, c0).asDiagonal(), {b[0], b[1], b[2]}, mu);
    const SolveReport report = race(c.problem, 1e-12, plenty);
    ASSERT_EQ(report.status, SolveStatus::solved) << mu;
    EXPECT_NEAR(report.r[0], 0.5, 1e-12);
    EXPECT_NEAR(report.r[1], -mu * 0.5 * 0.6, 1e-12 * (1.0 + mu));
    EXPECT_NEAR(report.r[2], mu * 0.5 * 0.8, 1e-12 * (1.0 + mu));
  }
}

// Two dimensions, sliding to the left: r_T = mu r_N, (W r + b)_N = 0.
TEST(SingleContact, SlidesInThePlaneWithCoupledNormal) {
  Eigen::Matrix2d W;
  W << 2.0, 0.4, 0.4, 1.0;
  const double mu = 0.5;
  Case c = one_contact(W, {-1.0, -9.0}, mu);
  const SolveReport report = race(c.problem, 1e-12, plenty);
  const double normal = 1.0 / (W(0, 0) + mu * W(0, 1));
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_NEAR(report.r[0], normal, 1e-12);
  EXPECT_NEAR(report.r[1], mu * normal, 1e-12);
}

TEST(SingleContact, WithoutFrictionHasNoTangentialImpulse) {
  Eigen::Matrix3d W;
  W << 2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 1.0;
  Case c = one_contact(W, {-1.0, 4.0, -2.0}, 0.0);
  const SolveReport report = race(c.problem, 1e-12, plenty);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_NEAR(report.r[0], 0.5, 1e-12);
  EXPECT_EQ(report.r[1], 0.0);
  EXPECT_EQ(report.r[2], 0.0);
}

TEST(LocalSolve, FindsTheSlidingDirectionOfCoupledContacts) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  int without_state = 0;
  for (int k = 0; k < 2000; ++k) {
    Eigen::Matrix<double, 3, 5> B;
    for (int i = 0; i < 15; ++i) B(i) = normal(random);
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> A = B * B.transpose();
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> inverse = A.inverse();
    const Triple c{-std::abs(normal(random)), 3.0 * normal(random), 3.0 * normal(random)};
    Triple x{};
    if (!solve_contact(A.data(), inverse.data(), c.data(), x.data())) {
      ++without_state;
      continue;
    }
    Triple u;
    multiply(A.data(), x.data(), u.data());
    for (int i = 0; i < 3; ++i) u[i] += c[i];
    const Triple y{u[0] + tangent_norm(u.data()), u[1], u[2]};
    const double size = 1.0 + std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]) + A.norm() * x[0];
    EXPECT_LE(tangent_norm(x.data()) - x[0], 1e-12 * size);
    EXPECT_LE(tangent_norm(y.data()) - y[0], 1e-11 * size);
    EXPECT_LE(std::abs(dot3(x.data(), y.data())), 1e-10 * size * (1.0 + x[0]));
  }
  EXPECT_LE(without_state, 20);  // strong coupling to the tangents can leave no state
}

TEST(BlockFactor, SolvesSymmetricAndGeneralSystems) {
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  for (const auto& [count, symmetric, block] : {std::tuple{60, true, 3}, {60, true, 6}, {60, false, 3}, {60, false, 6}, {1, false, 3}, {2, false, 6}}) {
    std::vector<BlockFactor::Edge> edges;
    for (int i = 1; i < count; ++i)
      for (int j = 0; j < i; ++j)
        if (i == j + 1 || random() % 12 == 0) edges.emplace_back(i, j);
    const int area = block * block, n = count * block;
    std::vector<double> diagonal(count * area), lower(edges.size() * area), upper(edges.size() * area);
    for (double& a : diagonal) a = normal(random);
    for (std::size_t k = 0; k < lower.size(); ++k) lower[k] = normal(random), upper[k] = normal(random);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < count; ++i)
      for (int a = 0; a < block; ++a)
        for (int b = 0; b < block; ++b) {
          double& value = diagonal[i * area + a * block + b];
          if (symmetric && b > a) value = diagonal[i * area + b * block + a];
          if (a == b) value += 20.0 * block;
        }
    for (int i = 0; i < count; ++i)
      for (int a = 0; a < block; ++a)
        for (int b = 0; b < block; ++b) A(i * block + a, i * block + b) = diagonal[i * area + std::max(a, b) * block + std::min(a, b)];
    if (!symmetric)
      for (int i = 0; i < count; ++i)
        for (int a = 0; a < block; ++a)
          for (int b = 0; b < block; ++b) A(i * block + a, i * block + b) = diagonal[i * area + a * block + b];
    for (std::size_t e = 0; e < edges.size(); ++e)
      for (int a = 0; a < block; ++a)
        for (int b = 0; b < block; ++b) {
          const auto [i, j] = edges[e];
          if (symmetric) upper[e * area + b * block + a] = lower[e * area + a * block + b];
          A(i * block + a, j * block + b) = lower[e * area + a * block + b];
          A(j * block + b, i * block + a) = upper[e * area + b * block + a];
        }
    BlockFactor factor;
    factor.analyse(count, block, edges);
    ASSERT_TRUE(factor.factor(symmetric, diagonal.data(), lower.data(), upper.data()));
    Eigen::VectorXd exact(n);
    for (int i = 0; i < n; ++i) exact[i] = normal(random);
    Eigen::VectorXd x = A * exact;
    factor.solve(x.data());
    EXPECT_LE((x - exact).norm(), 1e-10 * exact.norm()) << symmetric << block;
  }
}

TEST(Kernel, BodyAndContactFormSolveTheSameSystem) {
  Case c = pile(12, 25, 3, 3, false);
  c.blocks(3);
  const auto bodies = scaled(c.problem), contacts = scaled(c.problem, true);
  ASSERT_TRUE(bodies && contacts && bodies->body_form && !contacts->body_form);
  Kernel first(*bodies), second(*contacts);
  const std::vector<Square> D(bodies->contacts, Square{0.5, 0.1, 0.0, 0.0, 0.7, -0.2, 0.1, 0.0, 0.9});
  ASSERT_TRUE(first.factor(D, false) && second.factor(D, false));
  std::vector<double> a(bodies->size()), x(a.size()), y(a.size()), u(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(1.0 + static_cast<double>(i));
  first.solve(a.data(), x.data());
  second.solve(a.data(), y.data());
  bodies->velocity(x.data(), u.data());
  for (int k = 0; k < bodies->contacts; ++k) {
    Triple own;
    multiply(D[k].data(), x.data() + 3 * k, own.data());
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(x[3 * k + i], y[3 * k + i], 1e-10);
      EXPECT_NEAR(u[3 * k + i] - bodies->q[3 * k + i] + own[i], a[3 * k + i], 1e-10);
    }
  }
}

// A slab on so many points of its face, pushed and turned so slowly that most of them hardly slide.
Case slab(int points, double push, double spin) {
  Case c;
  Eigen::MatrixXd H(3 * points, 6), M = Eigen::MatrixXd::Zero(6, 6);
  M.diagonal() << 1.0, 1.0, 1.0, 2e-3, 2e-3, 3e-3;
  for (int k = 0; k < points; ++k) {
    const Eigen::Vector3d p{0.1 * std::cos(2.4 * k), 0.1 * std::sin(2.4 * k), -0.05};
    const Eigen::Vector3d directions[]{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 3; ++i) H.row(3 * k + i) << directions[i].transpose(), p.cross(directions[i]).transpose();
    c.friction.push_back(0.5);
  }
  c.problem.M = sparse(M), c.problem.H = sparse(H);
  c.problem.p0 = {push, 0.0, -0.01, 0.0, 0.0, 3e-3 * spin};
  c.problem.b.assign(3 * points, 0.0);
  return c;
}

TEST(Kernel, OfAFewContactsKeepsItsDigitsWhereSlopesDifferByTwentyOrders) {
  Case c = slab(10, 1e-3, 0.01);
  c.blocks(3);
  const auto contacts = scaled(c.problem, true);
  ASSERT_TRUE(contacts && !contacts->body_form && contacts->contacts <= Kernel::few);
  Kernel kernel(*contacts);
  std::vector<Square> D;
  for (int k = 0; k < 10; ++k) D.push_back({std::pow(10.0, 2.0 * k - 10.0), 0, 0, 0, std::pow(10.0, 10.0 - 2.0 * k), 0, 0, 0, 1e-10});
  std::vector<double> a(contacts->size()), x(a.size()), u(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(1.0 + static_cast<double>(i));
  for (const bool symmetric : {true, false}) {
    ASSERT_TRUE(kernel.factor(D, symmetric));
    kernel.solve(a.data(), x.data());
    contacts->velocity(x.data(), u.data());
    double size = 0.0;
    for (const double z : x) size = std::max(size, std::abs(z));
    for (int i = 0; i < contacts->size(); ++i) {
      const double own = D[i / 3][4 * (i % 3)] * x[i];
      EXPECT_NEAR(u[i] - contacts->q[i] + own, a[i], 1e-13 * (size + std::abs(own))) << symmetric << ' ' << i;
    }
  }
}

TEST(HeldSlips, EndWhereContactsAreMoreThanMotionsAndHardlySlide) {
  for (const double push : {1e-3, 4.9e-3, 5.1e-3, 0.1})
    for (const double spin : {0.0, 1e-6, 0.01}) {
      Case c = slab(10, push, spin);
      c.blocks(3);
      const SolveReport report = held_slips(c.problem, 1e-10, 20'000'000);
      ASSERT_EQ(report.status, SolveStatus::solved) << push << ' ' << spin << ' ' << report.scaled_residual;
      // By the law itself: a push below mu times the weight and no turning are held, what remains of a larger one is known.
      if (spin == 0.0) { EXPECT_NEAR(report.v[0], std::max(0.0, push - 0.5 * 0.01), 1e-11); }
    }
}

class Piles : public ::testing::TestWithParam<unsigned> {};

TEST_P(Piles, AreSolvedAndObeyTheLawByCases) {
  for (const int dim : {2, 3})
    for (const bool local : {false, true}) {
      Case c = pile(8, 20, dim, GetParam(), local);
      c.blocks(dim);
      const SolveReport report = race(c.problem, 1e-10, plenty);
      EXPECT_EQ(report.status, SolveStatus::solved) << report.cause << report.residual;
      EXPECT_LE(violation(c.problem, report), 1e-8) << dim << local;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Piles, ::testing::Range(1u, 21u));

TEST(Race, TakesOpenContactsAsTheyAre) {
  Case c = pile(6, 20, 3, 9, true);
  c.blocks(3);
  for (std::size_t i = 0; i < c.problem.b.size(); i += 3) c.problem.b[i] = 1.0;
  const SolveReport report = race(c.problem, 1e-12, plenty);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.iterations, 0);
  for (double r : report.r) EXPECT_EQ(r, 0.0);
}

TEST(Race, GivesTheSameBitsTwice) {
  Case c = pile(10, 40, 3, 77, false);
  c.blocks(3);
  const SolveReport a = race(c.problem, 1e-10, plenty), b = race(c.problem, 1e-10, plenty);
  EXPECT_EQ(a.r, b.r);
  EXPECT_EQ(a.flops, b.flops);
}

TEST(Race, NeverClaimsWhatItsBudgetDidNotReach) {
  Case c = pile(10, 40, 3, 78, false);
  c.blocks(3);
  for (std::int64_t budget : {std::int64_t{0}, std::int64_t{20'000}, std::int64_t{400'000}}) {
    const SolveReport report = race(c.problem, 1e-13, budget);
    EXPECT_EQ(report.status == SolveStatus::solved, report.residual <= 1e-13 && report.scaled_residual <= 1e-13);
    EXPECT_TRUE(std::isfinite(report.residual));
  }
}

TEST(Race, EndsAtWhatIsAcceptableOnlyWhereItHardlyGainsAnyMore) {
  for (const unsigned seed : {78u, 79u, 80u}) {
    Case c = pile(30, 120, 3, seed, false);
    c.blocks(3);
    Judge judge;
    judge.error = [](std::span<const double>, std::span<const double>) { return 0.0; };  // content with all
    const SolveReport whole = race(c.problem, 1e-10, plenty, {}, nullptr, judge);
    judge.acceptable = 1e-2, judge.acceptable_after = 1;
    const SolveReport loose = race(c.problem, 1e-10, plenty, {}, nullptr, judge);
    EXPECT_LE(loose.flops, 4 * whole.flops) << seed;  // the sweeps that come first may not help
    EXPECT_TRUE(loose.status == SolveStatus::solved || std::max(loose.residual, loose.scaled_residual) <= 1e-2) << seed;
    judge.acceptable = 1e-12;  // below the tolerance: never asked for
    EXPECT_EQ(race(c.problem, 1e-10, plenty, {}, nullptr, judge).flops, whole.flops) << seed;
  }
}

TEST(Race, GoesOnFromTheImpulsesOfTheLastStepOfAPackingWithoutAFactor) {
  Case c = box_of_balls(4, 8, 0.4, 0.3, 3);
  c.blocks(3);
  ASSERT_GT(c.problem.blocks.size(), 33u);
  const Judge judge{.acceptable = 1e-3, .acceptable_after = 1'000'000'000};
  const SolveReport last = race(c.problem, 1e-9, plenty, {}, nullptr, judge);
  ASSERT_EQ(last.status, SolveStatus::solved);
  for (double& p : c.problem.p0) p *= 1.0 + 1e-5;
  const SolveReport next = race(c.problem, 1e-9, plenty, last.r, nullptr, judge), sweeps = piles(c.problem, 1e-9, plenty, last.r, nullptr, judge);
  EXPECT_EQ(next.status, SolveStatus::solved);
  EXPECT_EQ(next.r, sweeps.r);
  EXPECT_EQ(next.flops, sweeps.flops);
  EXPECT_LE(violation(c.problem, next), 1e-8);
}

TEST(Piles, FulfilTheLawsInABoxOfBallsWhereTheInteriorPointAloneStops) {
  Case c = box_of_balls(3, 6, 0.4, 0.3, 3);
  c.blocks(3);
  EXPECT_NE(interior_point(c.problem, 1e-9, 300'000'000).status, SolveStatus::solved);
  const SolveReport report = piles(c.problem, 1e-9, 300'000'000);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_LE(violation(c.problem, report), 1e-8);
}

TEST(Piles, ForgetAStartThatLeadsThemAstray) {
  Case c = box_of_balls(3, 4, 0.4, 0.3, 5);
  c.blocks(3);
  const Judge judge{.acceptable = 1e-3, .acceptable_after = 1'000'000'000};
  const SolveReport open = piles(c.problem, 1e-9, plenty, {}, nullptr, judge);
  std::vector<double> astray = open.r;
  astray[0] += 1e3 * *std::max_element(open.r.begin(), open.r.end());
  const SolveReport again = piles(c.problem, 1e-9, plenty, astray, nullptr, judge);
  ASSERT_EQ(open.status, SolveStatus::solved);
  EXPECT_EQ(again.r, open.r);
}

TEST(Piles, TakeNoMoreThanThreeTimesTheSweepsAloneWhereNewtonDoesNotHelp) {
  Case c = box_of_balls(4, 8, 0.4, 0.3, 3);
  c.blocks(3);
  const SolveReport sweeps = nsgs_accelerated(c.problem, 1e-9, plenty), both = piles(c.problem, 1e-9, plenty);
  ASSERT_EQ(sweeps.status, SolveStatus::solved);
  ASSERT_EQ(both.status, SolveStatus::solved);
  EXPECT_LE(both.flops, 3 * sweeps.flops);
}

TEST(Race, ScalesWithTheUnits) {
  Case c = pile(6, 15, 3, 5, true);
  c.blocks(3);
  const SolveReport a = race(c.problem, 1e-11, plenty);
  for (double& b : c.problem.b) b *= 1024.0;
  c.problem.D *= 1.0 / 4096.0;
  const SolveReport b = race(c.problem, 1e-11, plenty);
  ASSERT_EQ(a.status, SolveStatus::solved);
  // Powers of two scale without rounding, but the stop test in original units may end a few iterations apart.
  for (std::size_t i = 0; i < a.r.size(); ++i) EXPECT_NEAR(b.r[i] / (1024.0 * 4096.0), a.r[i], 1e-7);
}

TEST(Race, WarmStartFromTheSolutionTakesNoIteration) {
  Case c = pile(8, 20, 3, 6, false);
  c.blocks(3);
  const SolveReport cold = race(c.problem, 1e-10, plenty);
  const SolveReport warm = race(c.problem, 1e-10, plenty, cold.r);
  EXPECT_EQ(warm.status, SolveStatus::solved);
  EXPECT_EQ(warm.iterations, 0);
}

TEST(Race, RefusesWhatIsNotFiniteOrSingular) {
  Case c = one_contact(Eigen::Matrix3d::Identity(), {-1.0, std::numeric_limits<double>::quiet_NaN(), 0.0}, 0.5);
  EXPECT_EQ(race(c.problem, 1e-8, plenty).status, SolveStatus::unsupported);
  Case d = pile(2, 3, 3, 1, false);
  d.blocks(3);
  d.problem.M.coeffRef(0, 0) = 0.0;
  EXPECT_EQ(race(d.problem, 1e-8, plenty).status, SolveStatus::unsupported);
  d.friction[0] = -1.0;
  EXPECT_FALSE(can(d.problem));
}

TEST(Solvers, EachReachesTheSameVelocities) {
  Case c = pile(10, 12, 3, 12, false);
  c.blocks(3);
  const SolveReport reference = race(c.problem, 1e-11, plenty);
  for (auto* solver : {nsgs, nsgs_accelerated, admm, admm_anderson, interior_point, sweep_newton, piles, held_slips, proximal}) {
    const SolveReport report = solver(c.problem, 1e-10, plenty, {}, nullptr, {});
    ASSERT_EQ(report.status, SolveStatus::solved) << report.solver;
    for (std::size_t i = 0; i < report.w.size(); ++i) EXPECT_NEAR(report.w[i], reference.w[i], 1e-6) << report.solver;
  }
}

// A stack that leans on itself: plain sweeps carry a push from floor to top by one box a sweep and back.
TEST(AcceleratedSweeps, NeedFewerSweepsThanPlainOnesOnAStack) {
  const int boxes = 30;
  Case c;
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3 * boxes, 6 * boxes), M = Eigen::MatrixXd::Identity(6 * boxes, 6 * boxes);
  for (int i = 0; i < boxes; ++i) {
    const int normal_first[] = {2, 0, 1};
    for (int k = 0; k < 3; ++k) {
      H(3 * i + k, 6 * i + normal_first[k]) = 1.0;
      if (i > 0) H(3 * i + k, 6 * (i - 1) + normal_first[k]) = -1.0;
    }
    c.friction.push_back(0.5);
  }
  c.problem.M = sparse(M), c.problem.H = sparse(H);
  c.problem.p0.assign(6 * boxes, 0.0);
  for (int i = 0; i < boxes; ++i) c.problem.p0[6 * i + 2] = -1.0, c.problem.p0[6 * i] = 0.1;
  c.problem.b.assign(3 * boxes, 0.0);
  c.blocks(3);
  const SolveReport plain = nsgs(c.problem, 1e-11, plenty), fast = nsgs_accelerated(c.problem, 1e-11, plenty);
  ASSERT_EQ(plain.status, SolveStatus::solved);
  ASSERT_EQ(fast.status, SolveStatus::solved);
  EXPECT_LT(3 * fast.iterations, plain.iterations);
  for (int i = 0; i < boxes; ++i) EXPECT_NEAR(fast.r[3 * i], boxes - i, 1e-6);  // the weight above; residual 1e-11 of |r| = 97, W of condition 400
}

TEST(AcceleratedSweeps, GoOnWithTheSameBitsAfterARest) {
  for (const bool contact_form : {false, true}) {
    const Case c = pile(12, 25, 3, 3, false);
    const auto s = scaled(c.problem, contact_form);
    ASSERT_TRUE(s);
    AcceleratedSweeps awake(*s, std::vector<double>(s->size(), 0.0)), resting = awake;
    for (int k = 0; k < 60; ++k) {
      if (k % 20 == 0) {
        if (k > 0) resting.rest();
        awake.refresh(), resting.refresh();
      }
      awake.sweep(), resting.sweep();
    }
    EXPECT_EQ(awake.impulses(), resting.impulses());
  }
}

}  // namespace
}  // namespace saltus::friction
