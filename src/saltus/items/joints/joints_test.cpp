// Kinematics of the joints: the motions that each leaves free, and no other.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/items/joints/cylindrical.hpp"
#include "saltus/items/joints/fixed.hpp"
#include "saltus/items/joints/generic.hpp"
#include "saltus/items/joints/prismatic.hpp"
#include "saltus/items/joints/revolute.hpp"
#include "saltus/items/joints/spherical.hpp"
#include "saltus/items/joints/universal.hpp"

namespace saltus {
namespace {

/// Free directions of a joint: rows of zeros of H on the tangent (translation in A, rotation in B) at the view.
template <class Joint>
Eigen::MatrixXd free_motions(const FramePair::View<double>& view) {
  const auto H = Joint{}.jacobian(view, Context<double, Joint::rows>{});
  Eigen::MatrixXd all(Joint::rows, 6);
  for (int i = 0; i < Joint::rows; ++i)
    for (int j = 0; j < 6; ++j) all(i, j) = H(i, j);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(all);
  lu.setThreshold(1e-10);
  EXPECT_EQ(lu.rank(), Joint::rows);  // no redundant row
  return lu.kernel();
}
template <class Joint>
double residual(const FramePair::View<double>& view) {
  const auto y = Joint{}.h(view, Context<double, Joint::rows>{});
  double size = 0.0;
  for (int i = 0; i < Joint::rows; ++i) size = std::max(size, std::abs(y[i]));
  return size;
}
FramePair::View<double> at(const Vec3<double>& p, const Vec3<double>& rotation) { return {p, rotation_exp(rotation), {}, {}}; }

TEST(Joints, LeaveTheirMotionsFreeAndNoOther) {
  const auto turn = at({}, {{0, 0, 2.5}}), slide = at({{0, 0, 0.7}}, {}), screw = at({{0, 0, 0.7}}, {{0, 0, -2.0}}), ball = at({}, {{0.9, -1.4, 0.6}});
  EXPECT_LT(residual<Revolute>(turn), 1e-15);
  EXPECT_LT(residual<Prismatic>(slide), 1e-15);
  EXPECT_LT(residual<Cylindrical>(screw), 1e-15);
  EXPECT_LT(residual<Spherical>(ball), 1e-15);
  EXPECT_GT(residual<Revolute>(slide), 0.1);
  EXPECT_GT(residual<Prismatic>(turn), 0.1);
  EXPECT_GT(residual<Fixed>(turn), 0.1);
  EXPECT_GT(residual<Fixed>(slide), 0.1);
  const auto only = [](const Eigen::MatrixXd& motions, std::initializer_list<int> directions) {
    EXPECT_EQ(motions.cols(), static_cast<Eigen::Index>(directions.size()));
    for (int i = 0; i < 6; ++i) {
      const bool free = std::find(directions.begin(), directions.end(), i) != directions.end();
      EXPECT_EQ(motions.row(i).norm() > 1e-12, free) << i;
    }
  };
  only(free_motions<Revolute>(turn), {5});
  only(free_motions<Prismatic>(slide), {2});
  only(free_motions<Cylindrical>(screw), {2, 5});
  only(free_motions<Spherical>(ball), {3, 4, 5});
}

TEST(Universal, TransmitsTheSpeedOfACardanJoint) {
  // Shaft 1 turns about its own axis e1 with speed w1, shaft 2 about e2 at the angle beta: w2 / w1 = cos(beta) / (1 - sin^2(beta) cos^2(theta)).
  const double beta = 0.6;
  for (double theta : {0.0, 0.4, 1.1, 2.3}) {
    // Arm of shaft 1 at theta from the normal of both shafts; arm of shaft 2 normal to it and to shaft 2.
    const Vec3<double> e1{{0, 0, 1}}, e2{{0, std::sin(beta), std::cos(beta)}};
    const Vec3<double> normal{{1, 0, 0}}, in_plane = cross(e1, normal);
    // theta = 0: arm 1 in the plane of the shafts' axes.
    const Vec3<double> x = in_plane * std::cos(theta) + normal * -std::sin(theta);
    Vec3<double> y = cross(e2, x);
    y = y * (1.0 / norm(y));
    const auto frame = [](const Vec3<double>& a, const Vec3<double>& b) {  // columns a, b, a x b
      const Vec3<double> c = cross(a, b);
      return Mat3<double>{{a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]}};
    };
    const Mat3<double> R_A = frame(x, cross(e1, x)), R_B = frame(cross(y, e2), y);
    FramePair::View<double> view{{}, transposed(R_A) * R_B, {}, {}};
    EXPECT_LT(residual<Universal>(view), 1e-15);
    const auto H = Universal{}.jacobian(view, Context<double, 4>{});
    // Rate of the fourth row for w_B - w_A in the axes of B: linear in w1 and w2.
    const Vec3<double> from1 = transposed_times(R_B, -e1), from2 = transposed_times(R_B, e2);
    double rate1 = 0.0, rate2 = 0.0;
    for (int j = 0; j < 3; ++j) rate1 += H(3, 3 + j) * from1[j], rate2 += H(3, 3 + j) * from2[j];
    const double expected = std::cos(beta) / (1.0 - std::sin(beta) * std::sin(beta) * std::cos(theta) * std::cos(theta));
    EXPECT_NEAR(-rate1 / rate2, expected, 1e-13) << theta;
  }
}

Generic locking(int mask) {
  return {.x = (mask & 1) != 0, .y = (mask & 2) != 0, .z = (mask & 4) != 0, .rx = (mask & 8) != 0, .ry = (mask & 16) != 0, .rz = (mask & 32) != 0};
}
Eigen::MatrixXd rows_of(const Generic& joint, const FramePair::View<double>& view) {
  const auto H = joint.jacobian(view, Context<double, 6>{});
  Eigen::MatrixXd all(joint.row_count(), 6);
  for (int i = 0; i < joint.row_count(); ++i)
    for (int j = 0; j < 6; ++j) all(i, j) = H(i, j);
  return all;
}

TEST(Generic, RowsAreTheLockedMotionsThemselvesWhereTheFramesAgree) {
  for (int mask = 1; mask < 64; ++mask) {
    const Generic joint = locking(mask);
    const Eigen::MatrixXd H = rows_of(joint, at({}, {}));
    int row = 0;
    for (int i = 0; i < 6; ++i)
      if (mask & (1 << i)) {
        EXPECT_LT((H.row(row++) - Eigen::RowVectorXd::Unit(6, i)).norm(), 1e-15) << "mask " << mask << " motion " << i;
      }
    EXPECT_EQ(row, joint.row_count());
  }
  EXPECT_NE(Generic{}.invalid(), "");
}

TEST(Generic, JacobianIsTheDerivativeOfItsRowsForEveryLockedSet) {
  for (int mask = 1; mask < 64; ++mask)
    for (const Vec3<double>& turn : {Vec3<double>{{0.3, -0.5, 0.2}}, Vec3<double>{{1.4, 0.9, -1.7}}, Vec3<double>{{-2.6, 0.4, 0.3}}}) {
      const Generic joint = locking(mask);
      const FramePair::View<double> view = at({{0.3, -0.2, 0.7}}, turn);
      const auto y = joint.h(FramePair::seeded<6>(view, nullptr, 0, Seeds{}), Context<Dual<6>, 6>{});
      const Eigen::MatrixXd H = rows_of(joint, view);
      for (int r = 0; r < joint.row_count(); ++r)
        for (int j = 0; j < 6; ++j) EXPECT_NEAR(H(r, j), y[r].d[j], 1e-14) << "mask " << mask << " row " << r << " column " << j;
    }
}

TEST(Generic, IsRegularAtLargeAnglesOfItsFreeMotions) {
  const auto regular = [](const Generic& joint, const FramePair::View<double>& view) {
    const auto y = joint.h(view, Context<double, 6>{});
    for (int r = 0; r < joint.row_count(); ++r) EXPECT_NEAR(y[r], 0.0, 1e-15);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows_of(joint, view));
    EXPECT_GT(svd.singularValues().minCoeff(), 0.99);
  };
  for (int k = 0; k < 3; ++k)
    for (double angle : {0.5, 1.6, 3.1, -2.0}) {
      Vec3<double> about{}, next{}, after{};
      about[k] = angle, next[(k + 1) % 3] = angle, after[(k + 2) % 3] = 0.8 * angle;
      regular(locking(7 + (56 & ~(8 << k))), at({}, about));  // two rotations locked, the third at any angle
      // One locked: Cardan's joint turns about arm k + 1 of A, then about arm k + 2 of B.
      regular(locking(8 << k), {{}, rotation_exp(next) * rotation_exp(after), {}, {}});
    }
  // All three locked: the rows stay regular well beyond 90 degrees of violation (determinant cos(angle / 2)).
  for (double angle : {1.0, 1.6, 2.8}) {
    const Eigen::MatrixXd H = rows_of(locking(56), at({}, {{0.6 * angle, 0.8 * angle, 0.0}}));
    EXPECT_NEAR(H.rightCols(3).determinant(), std::cos(0.5 * angle), 1e-14);
  }
}

/// The same motions are locked: the rows of each lie in the span of the other's.
template <class Joint>
void expect_same_motions(int mask, const FramePair::View<double>& view) {
  const auto own = Joint{}.jacobian(view, Context<double, Joint::rows>{});
  Eigen::MatrixXd both(2 * Joint::rows, 6);
  ASSERT_EQ(locking(mask).row_count(), Joint::rows);
  both.bottomRows(Joint::rows) = rows_of(locking(mask), view);
  for (int i = 0; i < Joint::rows; ++i)
    for (int j = 0; j < 6; ++j) both(i, j) = own(i, j);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(both);
  lu.setThreshold(1e-12);
  EXPECT_EQ(lu.rank(), Joint::rows);
}

TEST(Generic, LocksWhatTheNamedJointsLock) {
  const auto turned = at({}, {{0, 0, 2.5}}), slid = at({{0, 0, 0.7}}, {}), screwed = at({{0, 0, 0.7}}, {{0, 0, -2.0}});
  expect_same_motions<Revolute>(1 + 2 + 4 + 8 + 16, turned);
  expect_same_motions<Cylindrical>(1 + 2 + 8 + 16, screwed);
  expect_same_motions<Prismatic>(1 + 2 + 8 + 16 + 32, slid);
  expect_same_motions<Fixed>(63, at({}, {}));
  expect_same_motions<Spherical>(7, at({}, {{0.9, -1.4, 0.6}}));
  expect_same_motions<Universal>(7 + 32, {{}, rotation_exp(Vec3<double>{{1.1, 0, 0}}) * rotation_exp(Vec3<double>{{0, -2.0, 0}}), {}, {}});
}

}  // namespace
}  // namespace saltus
