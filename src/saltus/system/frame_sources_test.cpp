// Frames that are functions of other frames.
#include <gtest/gtest.h>

#include "saltus/items/markers/beam_point.hpp"
#include "saltus/items/nodes/node_1d.hpp"
#include "saltus/items/nodes/node_pose.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/system/assembly.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {
namespace {

/// The same source without derivatives by hand.
struct PoseAlone {
  BeamPoint point;
  using port = BeamPoint::port;
  static constexpr std::string_view name = "pose_alone";
  template <class S>
  RigidMotion<S> pose(const Frame<S>& A, const Frame<S>& B) const { return point.pose(A, B); }
};

/// Links of a tree in their place: a hinge, a slide and a ball on an arm, a beam's point, a hinge and a free joint on these.
struct Links {};

constexpr double eps = 1e-5;

/// A point of a beam from an arm on one node to another, and an arm on a point that stands on the first.
template <class Source>
class Sources : public testing::Test {
 public:
  Sources() {
    const int a = builder_.node("a", NodeRigid{.rotation = {{0.2, -0.3, 0.1}}, .velocity = {{0.3, 0.1, -0.6}}, .angular_velocity = {{0.7, -0.2, 0.4}}}),
              b = builder_.node("b", NodeRigid{.position = {{1.0, 0.2, -0.1}}, .rotation = {{-0.1, 0.5, 0.9}}, .velocity = {{-0.2, 0.5, 0.1}}, .angular_velocity = {{0.1, 0.9, -0.5}}}),
              c = builder_.node("c", NodeRigid{.position = {{0.3, 0.9, 0.4}}, .rotation = {{0.6, 0.1, -0.2}}, .velocity = {{0.8, -0.4, 0.2}}, .angular_velocity = {{-0.6, 0.2, 0.3}}});
    if constexpr (std::is_same_v<Source, Links>) {
      marker_ = builder_.arm(on_links(a, b), {{0.2, -0.1, 0.3}}, rotation_exp(Vec3<double>{{0.1, 0.2, 0.3}})).marker;
      system_ = builder_.finish();
      return;
    }
    const Endpoint first = add({.xi = 0.37}, builder_.marker(a, {{0.1, 0.2, -0.1}}, rotation_exp(Vec3<double>{{0.3, 0.0, 0.1}})), builder_.marker(b));
    const Endpoint second = add({.xi = 0.6}, builder_.arm(first, {{0.0, 0.1, 0.2}}), builder_.marker(c));
    marker_ = builder_.arm(second, {{0.2, -0.1, 0.3}}, rotation_exp(Vec3<double>{{0.1, 0.2, 0.3}})).marker;
    system_ = builder_.finish();
  }

 protected:
  struct At {
    Frame<double> f;
    Vec6<double> bias;
    std::vector<double> J;  // 6 x nv
  };
  Endpoint on_links(int a, int b) {
    const auto joint = [](TreeJoint type, const Vec3<double>& position, const Vec3<double>& rotation, const Vec3<double>& axis) {
      return LinkOfTree{.joint = JointOfLink(type, {position, rotation_exp(rotation)}, axis * (1.0 / norm(axis)))};
    };
    std::vector<int> nodes;
    for (int i = 0; i < 4; ++i) nodes.push_back(builder_.node("q" + std::to_string(i), Node1D{.coordinate = 0.3 * i - 0.4, .velocity = 0.9 - 0.5 * i}));
    nodes.push_back(builder_.node("ball", NodeRotation{.rotation = {{0.4, -0.7, 0.9}}, .angular_velocity = {{-0.5, 0.8, 0.3}}}));
    nodes.push_back(builder_.node("free", NodePose{{{0.3, -0.2, 0.5}}, {{-0.8, 0.3, 0.6}}, {{0.7, 0.4, -0.9}}, {{0.2, -1.1, 0.6}}}));
    std::vector<std::vector<Endpoint>> q;
    for (const int node : nodes) q.push_back(builder_.velocities(node));
    const Endpoint first = builder_.link(joint(TreeJoint::revolute, {{0.3, 0.1, -0.2}}, {{0.5, 0.1, 0.3}}, {{0.2, 1.0, 0.4}}), builder_.marker(a, {{0.1, 0.2, -0.1}}, rotation_exp(Vec3<double>{{0.3, 0.0, 0.1}})), q[0]);
    const Endpoint second = builder_.link(joint(TreeJoint::prismatic, {{0.2, 0.4, 0.1}}, {{-0.2, 0.6, 0.3}}, {{1.0, -0.3, 0.5}}), builder_.arm(first, {{0.0, 0.1, 0.2}}), q[1]);
    const Endpoint third = builder_.link(joint(TreeJoint::fixed, {{0.1, 0.0, 0.3}}, {{0.4, 0.2, 0.0}}, {{0.0, 0.0, 1.0}}), second, {});
    const Endpoint fourth = builder_.link(joint(TreeJoint::revolute, {{0.0, 0.3, 0.1}}, {{0.1, 0.0, 0.3}}, {{0.0, 0.3, 1.0}}), builder_.link(joint(TreeJoint::ball, {{0.2, -0.1, 0.3}}, {{0.3, 0.6, 0.1}}, {{0.0, 0.0, 1.0}}), third, q[4]), q[2]);
    const Endpoint point = builder_.source(BeamPoint{.xi = 0.4}, {fourth, builder_.marker(b)});
    const Endpoint flying = builder_.link(joint(TreeJoint::free, {{0.2, 0.2, -0.1}}, {{-0.2, 0.4, 0.1}}, {{0.0, 0.0, 1.0}}), point, q[5]);
    return builder_.link(joint(TreeJoint::revolute, {{0.1, 0.1, 0.1}}, {{0.3, 0.2, 0.1}}, {{0.6, 0.3, 0.2}}), flying, q[3]);
  }
  Endpoint add(BeamPoint point, const Endpoint& A, const Endpoint& B) {
    if constexpr (std::is_same_v<Source, BeamPoint>) return builder_.source(std::move(point), {A, B});
    else return builder_.source(PoseAlone{point}, {A, B});
  }
  At at(const std::vector<double>& y) {
    Assembly a(*system_);
    a.update(0.0, y.data());
    const Kinematics& k = a.kinematics();
    const int nv = system_->layout.nv, begin = k.column_begin[marker_], n = k.column_begin[marker_ + 1] - begin;
    At out{k.frames[marker_], k.bias[marker_], std::vector<double>(static_cast<std::size_t>(6 * nv))};
    for (int i = 0; i < 6; ++i)
      for (int c = 0; c < n; ++c) out.J[i * nv + k.columns[begin + c]] += k.jacobian[6 * begin + i * n + c];
    return out;
  }
  const double* v(const std::vector<double>& y) const { return y.data() + system_->layout.v_begin(); }
  std::vector<double> moved(const std::vector<double>& tangent, double by) const {
    std::vector<double> y = system_->initial_y, step = tangent;
    for (double& x : step) x *= by;
    system_->map.retract(y.data(), step.data());
    return y;
  }
  std::vector<double> along(int j) const {
    std::vector<double> e(system_->layout.nv);
    e[j] = 1.0;
    return e;
  }
  Vec6<double> difference(const Frame<double>& minus, const Frame<double>& plus) const {
    const Vec3<double> p = (plus.p - minus.p) * (0.5 / eps), turn = quaternion_log(quaternion_of(transposed_times(minus.R, plus.R))) * (0.5 / eps);
    return {{p[0], p[1], p[2], turn[0], turn[1], turn[2]}};
  }

  SystemBuilder builder_;
  std::shared_ptr<const System> system_;
  int marker_ = 0;
};

using All = testing::Types<BeamPoint, PoseAlone, Links>;
TYPED_TEST_SUITE(Sources, All);

TYPED_TEST(Sources, VelocityAndJacobianAreTheRatesOfThePose) {
  const std::vector<double>& y = this->system_->initial_y;
  const auto here = this->at(y);
  const int nv = this->system_->layout.nv;
  for (int j = 0; j < nv; ++j) {
    const Vec6<double> d = this->difference(this->at(this->moved(this->along(j), -eps)).f, this->at(this->moved(this->along(j), eps)).f);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(here.J[i * nv + j], d[i], 1e-9);
  }
  for (int i = 0; i < 6; ++i) {
    double rate = 0.0;
    for (int j = 0; j < nv; ++j) rate += here.J[i * nv + j] * this->v(y)[j];
    EXPECT_NEAR(i < 3 ? here.f.v[i] : here.f.w[i - 3], rate, 1e-13);
  }
}

TYPED_TEST(Sources, BiasIsTheAccelerationAtConstantV) {
  const std::vector<double>& y = this->system_->initial_y;
  const std::vector<double> rate(this->v(y), this->v(y) + this->system_->layout.nv);
  const auto minus = this->at(this->moved(rate, -eps)), plus = this->at(this->moved(rate, eps)), here = this->at(y);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(here.bias[i], (plus.f.v[i] - minus.f.v[i]) / (2 * eps), 1e-8);
    EXPECT_NEAR(here.bias[3 + i], (plus.f.w[i] - minus.f.w[i]) / (2 * eps), 1e-8);
  }
}

TYPED_TEST(Sources, GeometricTermIsTheDerivativeOfTheForces) {
  const Vec3<double> force{{1.3, -0.4, 0.8}}, torque{{-0.7, 0.5, 1.1}};
  const auto forces = [&](const auto& x) {
    std::vector<double> F(this->system_->layout.nv);
    for (std::size_t j = 0; j < F.size(); ++j)
      for (int i = 0; i < 6; ++i) F[j] += x.J[static_cast<std::size_t>(i) * F.size() + j] * (i < 3 ? force[i] : torque[i - 3]);
    return F;
  };
  Assembly a(*this->system_);
  a.update(0.0, this->system_->initial_y.data());
  const Kinematics& k = a.kinematics();
  const int begin = k.column_begin[this->marker_], n = k.column_begin[this->marker_ + 1] - begin, nv = this->system_->layout.nv;
  std::vector<double> G(n * n), sum(nv * nv);
  detail::add_marker_geometric(k, this->marker_, force, torque, G.data(), n, 0);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) sum[k.columns[begin + r] * nv + k.columns[begin + c]] += G[r * n + c];
  for (int j = 0; j < nv; ++j) {
    const auto plus = forces(this->at(this->moved(this->along(j), eps))), minus = forces(this->at(this->moved(this->along(j), -eps)));
    for (int i = 0; i < nv; ++i) EXPECT_NEAR(sum[i * nv + j], (plus[i] - minus[i]) / (2 * eps), 1e-8);
  }
}

TYPED_TEST(Sources, RatesTurnAsTheirDerivativeSays) {
  Assembly a(*this->system_);
  const std::vector<double>& y = this->system_->initial_y;
  a.update(0.0, y.data());
  const Kinematics& k = a.kinematics();
  const int begin = k.column_begin[this->marker_], n = k.column_begin[this->marker_ + 1] - begin, nv = this->system_->layout.nv;
  std::vector<double> V(6 * n), sum(6 * nv);
  EXPECT_TRUE(detail::add_swing<6>(k, this->marker_, identity<double, 6>(), V.data(), n, 0));
  for (int i = 0; i < 6; ++i)
    for (int c = 0; c < n; ++c) sum[i * nv + k.columns[begin + c]] += V[i * n + c];
  for (int j = 0; j < nv; ++j) {
    const auto plus = this->at(this->moved(this->along(j), eps)).f, minus = this->at(this->moved(this->along(j), -eps)).f;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(sum[i * nv + j], (plus.v[i] - minus.v[i]) / (2 * eps), 1e-8);
      EXPECT_NEAR(sum[(3 + i) * nv + j], (plus.w[i] - minus.w[i]) / (2 * eps), 1e-8);
    }
  }
}

}  // namespace
}  // namespace saltus
