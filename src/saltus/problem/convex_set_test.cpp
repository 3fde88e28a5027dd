// Projections on sets by formulas: as on balls, boxes, ellipses and polyhedra, and by what makes a point the nearest.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <random>

#include "saltus/problem/convex_set.hpp"

namespace saltus {
namespace {

std::shared_ptr<const ConvexSet> set_of(const std::vector<std::string>& formulas, const std::vector<double>& interior, std::string& wrong) {
  Faults faults;
  const Function g = Function::parse(formulas, {"x", "y", "z"}, {}, {}, "g", faults);
  EXPECT_TRUE(faults.errors() == 0);
  return ConvexSet::of(g, interior, wrong);
}
std::shared_ptr<const ConvexSet> set_of(const std::vector<std::string>& formulas, const std::vector<double>& interior) {
  std::string wrong;
  auto made = set_of(formulas, interior, wrong);
  EXPECT_EQ(wrong, "");
  return made;
}

TEST(ConvexSet, IsTheBallWhereverThePointIs) {
  const auto ball = set_of({"x^2 + y^2 + z^2 - 4"}, {0.1, -0.2, 0.3});
  std::mt19937 engine(1);
  std::normal_distribution<double> unit;
  for (int n = 0; n < 300; ++n) {
    const double far = std::pow(10.0, n % 12 - 2);
    const Eigen::Vector3d c{far * unit(engine), far * unit(engine), far * unit(engine)};
    Eigen::Vector3d x;
    Eigen::Matrix3d D;
    ASSERT_TRUE(ball->nearest(c.data(), x.data(), D.data()));
    const double size = c.norm();
    EXPECT_LT((x - (size > 2.0 ? Eigen::Vector3d(2.0 / size * c) : c)).norm(), 2e-13) << c.transpose();
    const Eigen::Matrix3d along = c * c.transpose() / (size * size), truth = size > 2.0 ? Eigen::Matrix3d(2.0 / size * (Eigen::Matrix3d::Identity() - along)) : Eigen::Matrix3d::Identity();
    EXPECT_LT((D - truth).norm(), 1e-11);
  }
}

TEST(ConvexSet, HasCornersAndEdges) {
  const auto box = set_of({"x - 1", "-x - 2", "1e6*(y - 3)", "1e-6*(-y - 1)", "z^2 - 4"}, {0, 0, 0});
  std::mt19937 engine(2);
  std::normal_distribution<double> unit;
  for (int n = 0; n < 300; ++n) {
    const Eigen::Vector3d c{4 * unit(engine), 4 * unit(engine), 4 * unit(engine)};
    Eigen::Vector3d x;
    ASSERT_TRUE(box->nearest(c.data(), x.data(), nullptr)) << c.transpose();
    EXPECT_LT((x - Eigen::Vector3d(std::clamp(c[0], -2.0, 1.0), std::clamp(c[1], -1.0, 3.0), std::clamp(c[2], -2.0, 2.0))).norm(), 1e-12);
  }
}

/// (c - x) (y - x) <= 0 for all y of the set.
TEST(ConvexSet, IsFoundWhereSlopesAreSteepOrFlat) {
  for (const auto& formulas : {std::vector<std::string>{"x^8 + y^8 + z^8 - 1"}, std::vector<std::string>{"exp(3*x) + exp(-3*x) + exp(2*y) + exp(-2*y) + z^2 - 9"}, std::vector<std::string>{"x^2 + (y - 0.5)^2 + z^2 - 1", "x^2 + (y + 0.5)^2 + z^2 - 1", "sqrt(x^2 + 4*z^2 + 0.01) - 0.4"}}) {
    const auto set = set_of(formulas, {0, 0, 0});
    std::mt19937 engine(3);
    std::normal_distribution<double> unit;
    std::vector<Eigen::Vector3d> points;
    for (int n = 0; n < 200; ++n) {
      const double far = std::pow(10.0, n % 5 - 1);
      const Eigen::Vector3d c{far * unit(engine), far * unit(engine), far * unit(engine)};
      Eigen::Vector3d x, again;
      Eigen::Matrix3d D, differences;
      ASSERT_TRUE(set->nearest(c.data(), x.data(), D.data())) << formulas[0] << " " << c.transpose();
      for (const Eigen::Vector3d& y : points) EXPECT_LT((c - x).dot(y - x), 1e-9 * std::max(1.0, c.norm()));
      ASSERT_TRUE(set->nearest(x.data(), again.data(), nullptr));
      EXPECT_LT((again - x).norm(), 1e-9);
      points.push_back(x);
    }
  }
}

TEST(ConvexSet, SaysWhatIsNoSet) {
  std::string wrong;
  const auto says = [&](const std::vector<std::string>& formulas, const std::vector<double>& interior) {
    wrong.clear();
    EXPECT_EQ(set_of(formulas, interior, wrong), nullptr);
    return wrong;
  };
  EXPECT_NE(says({"x^2 + y^2 - 1"}, {2, 0}).find("at the point (2, 0) of `interior`, must be below 0"), std::string::npos);
  EXPECT_NE(says({"x^2 - 1"}, {0, 0}).find("has no end from (0, 0) along (0, -1): the set must be bounded"), std::string::npos);
  EXPECT_NE(says({"sqrt(abs(x)) + sqrt(abs(y)) - 1"}, {0, 0}).find("the set must be convex"), std::string::npos);
}

}  // namespace
}  // namespace saltus
