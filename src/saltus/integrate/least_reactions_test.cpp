#include <gtest/gtest.h>

#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/integrate/least_reactions.hpp"

namespace saltus {
namespace {
using namespace testing_items;

/// Generalized forces of lambda at the configuration of the assembly.
std::vector<double> loads(const System& s, Assembly& assembly, const std::vector<double>& lambda) {
  std::vector<double> force(static_cast<std::size_t>(s.layout.unknowns()) + 1, 0.0);
  assembly.add_inputs(lambda.data(), 1.0, force.data());
  return force;
}

TEST(LeastReactions, LoadBodiesAsBeforeAndShareAlikeBetweenAlikeJoints) {
  SystemBuilder b;
  add_pendulum(b, 1.0, 2.0, 3);
  const auto s = b.finish();
  Assembly assembly(*s);
  LeastReactions reactions(*s, assembly);
  ASSERT_TRUE(reactions.needed());
  std::vector<double> y = s->initial_y;
  const std::vector<double> turn(s->layout.nv, 0.3);  // joints do not matter here: any configuration
  s->map.retract(y.data(), turn.data());
  assembly.update(0.0, y.data(), nullptr, s->initial_data.data());
  assembly.input_blocks();
  std::vector<double> lambda(s->layout.rows);
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] = 1e6 * std::sin(7.0 * static_cast<double>(r) + 1.0);
  const std::vector<double> before = loads(*s, assembly, lambda);
  reactions.apply(assembly, lambda.data());
  const std::vector<double> after = loads(*s, assembly, lambda);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-8);
  for (std::size_t r = 0; r < 5; ++r) {
    EXPECT_NEAR(lambda[r], lambda[r + 5], 1e-8);
    EXPECT_NEAR(lambda[r], lambda[r + 10], 1e-8);
  }
  const std::vector<double> once = lambda;
  reactions.apply(assembly, lambda.data());
  for (std::size_t r = 0; r < lambda.size(); ++r) EXPECT_NEAR(lambda[r], once[r], 1e-8);  // a projection
}

TEST(LeastReactions, LeaveTheBitsOfJointsThatAreNotRedundant) {
  SystemBuilder b;
  add_pendulum(b, 1.0, 2.0, 1);
  EXPECT_FALSE([&] {
    const auto s = b.finish();
    Assembly assembly(*s);
    return LeastReactions(*s, assembly).needed();
  }());
  SystemBuilder both;
  add_pendulum(both, 1.0, 2.0, 2);
  const int other = both.node("other", NodeRigid{.position = {{5.0, 0.0, 0.0}}});
  both.object("far", RigidBody{.mass_value = 1.0, .inertia = identity<double>()}, {both.marker(other)});
  both.relation("ball", Ball{}, {both.ground(), both.marker(other)}, equality());
  const auto s = both.finish();
  Assembly assembly(*s);
  LeastReactions reactions(*s, assembly);
  assembly.update(0.0, s->initial_y.data(), nullptr, s->initial_data.data());
  assembly.input_blocks();
  std::vector<double> lambda(s->layout.rows, 1.0 / 3.0);
  reactions.apply(assembly, lambda.data());
  for (const RelationEntry& e : s->relation_entries)
    for (int r = 0; r < e.rows && e.name == "ball"; ++r) EXPECT_EQ(lambda[e.row + r], 1.0 / 3.0);
}

}  // namespace
}  // namespace saltus
