// Motions of joints as scalar coordinates.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/items/connectors/torsional_spring_damper.hpp"
#include "saltus/items/joints/revolute_drive.hpp"
#include "saltus/items/laws/equality.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/system/assembly.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {
namespace {

/// A body that turns about z against the ground, carried on step by step: what items remember is kept.
class Turning {
 public:
  explicit Turning(SystemBuilder& builder) : system_(builder.finish()), assembly_(*system_), y_(system_->initial_y), data_(system_->initial_data) {}

  Assembly& at(double t, double angle, double speed) {
    const double half = 0.5 * angle;
    y_[3] = std::cos(half), y_[6] = std::sin(half);
    y_[system_->layout.v_begin() + 5] = speed;
    assembly_.update(t, y_.data(), nullptr, data_.data());
    return assembly_;
  }
  Remembered accept() { return assembly_.remember(data_.data() + system_->history); }
  const System& system() const { return *system_; }

 private:
  std::shared_ptr<const System> system_;
  Assembly assembly_;
  std::vector<double> y_, data_;
};

TEST(JointCoordinates, ASpringFollowsTheAngleOverManyTurns) {
  SystemBuilder b;
  const int body = b.node("body", NodeRigid{});
  b.force("spring", TorsionalSpringDamper{.stiffness = 2.0, .damping = 0.5, .rest = 3.0}, {b.ground(), b.marker(body)});
  Turning turning(b);
  std::vector<double> F(turning.system().layout.unknowns() + 1);
  const double speed = 7.0;
  for (double t = 0.0; t < 3.0; t += 0.1) {
    Assembly& a = turning.at(t, speed * t, speed);
    a.forces(F.data());
    EXPECT_NEAR(F[5], -(2.0 * (speed * t - 3.0) + 0.5 * speed), 1e-12) << t;
    EXPECT_NEAR(a.potential_energy(), std::pow(speed * t - 3.0, 2), 1e-11);
    EXPECT_LE(turning.accept().share, 1.0);
  }
  turning.at(3.1, speed * 3.1, speed), turning.accept();
  turning.at(3.2, speed * 3.1 + 3.0, speed);
  EXPECT_GT(turning.accept().share, 1.0);  // a turn could have been lost
}

TEST(JointCoordinates, ADriveKeepsTheSameRowAfterWholeTurns) {
  SystemBuilder b;
  const int body = b.node("body", NodeRigid{});
  Faults faults;
  b.relation("drive", RevoluteDrive{.value = Function::parse({"5*t"}, {"t"}, {}, {}, "angle", faults)}, {b.ground(), b.marker(body)}, {&equality_law()});
  Turning turning(b);
  for (double t = 0.0; t < 3.0; t += 0.1) {
    Assembly& a = turning.at(t, 5.0 * t + 0.2, 5.0);
    double row = 0.0;
    RowSink sink;
    sink.y = &row;
    a.relations(sink);
    EXPECT_NEAR(row, 0.2, 1e-13) << t;
    turning.accept();
  }
}

TEST(JointCoordinates, AnAngleStartsWithinHalfATurnOfItsCenter) {
  SystemBuilder b;
  const int body = b.node("body", NodeRigid{.rotation = {{0.0, 0.0, -3.0}}});
  const Endpoint angle = b.joint_coordinate(motion_of<Twist>(), b.ground(), b.marker(body), 4.0);
  Turning turning(b);
  EXPECT_NEAR(turning.at(0.0, -3.0, 0.0).kinematics().y[turning.system().layout.y_size() + 2 * angle.coordinate.joint()], 2.0 * 3.14159265358979323846 - 3.0, 1e-14);
}

TEST(JointCoordinates, EqualOnesAreOne) {
  SystemBuilder b;
  const int body = b.node("body", NodeRigid{});
  const Endpoint one = b.joint_coordinate(motion_of<Twist>(), b.ground(), b.marker(body)), same = b.joint_coordinate(motion_of<Twist>(), b.ground(), b.marker(body)),
                 other = b.joint_coordinate(motion_of<Slide>(), b.ground(), b.marker(body));
  EXPECT_EQ(one.coordinate.joint(), same.coordinate.joint());
  EXPECT_NE(one.coordinate.joint(), other.coordinate.joint());
}

}  // namespace
}  // namespace saltus
