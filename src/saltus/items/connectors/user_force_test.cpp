#include "saltus/items/connectors/user_force.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(UserForce, SaysWhatSizesAFunctionMayHave) {
  UserForce f;
  EXPECT_EQ(f.invalid(0, 0), "is on nothing: name frames, or coordinates in `on`");
  EXPECT_NE(f.invalid(2, 1).find("gives no force"), std::string::npos);
  f.function = Function(std::vector<double>(5, 1.0));
  EXPECT_EQ(f.invalid(2, 1), "function has 5 results, must have 7: three forces a frame, one effort a coordinate, or 13 with a torque behind each force");
  f.function = Function(std::vector<double>(7, 1.0));
  EXPECT_EQ(f.invalid(2, 1), "");
  f.memory = {0.0, 1.0};
  EXPECT_NE(f.invalid(2, 1).find("no `update`"), std::string::npos);
  f.update = Function(1.0);
  EXPECT_EQ(f.invalid(2, 1), "update has 1 results, must have 2");
  f.memory.clear(), f.update = Function(1.0);
  EXPECT_NE(f.invalid(2, 1).find("no `memory`"), std::string::npos);
  f.update = Function(), f.tension = Function(2.0);
  EXPECT_NE(f.invalid(2, 1).find("no `length`"), std::string::npos);
}

TEST(UserForce, RemembersItsFirstValuesThenWhatItsUpdateGives) {
  Faults faults;
  UserForce f;
  f.memory = {2.0};
  f.update = Function::parse({"0.5*m0 + q0"}, {"t", "q0", "v0", "m0"}, {}, {}, "update", faults);
  const double q = 3.0, v = 0.0;
  CoordinateView<double> x{.n = 1, .q = &q, .v = &v};
  double kept = 0.0, next = 0.0;
  f.remember(x, &kept);
  EXPECT_EQ(kept, 2.0);
  x.history = &kept;
  f.remember(x, &next);
  EXPECT_EQ(next, 4.0);
}

}  // namespace
}  // namespace saltus
