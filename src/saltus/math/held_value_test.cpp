#include "saltus/math/held_value.hpp"

#include <gtest/gtest.h>

#include <array>

#include "saltus/math/dual.hpp"

namespace saltus {
namespace {

TEST(HeldFunction, ReadsTheDataOfTheInnermostScopeAndHasNoSlope) {
  Faults faults;
  const Function base = Function::parse({"0", "2", "0"}, {"t"}, {}, {}, "f", faults);
  const Function f = held_function(base, 2, 1, 1);
  const double outer[] = {7.0, 8.0}, inner[] = {1.0, -3.0};
  const auto at = [&](double t) {
    std::array<double, 3> out{};
    f(&t, out.data());
    return out;
  };
  EXPECT_EQ(at(0.5)[2], 0.0);
  const HeldValues first(outer);
  {
    const HeldValues second(inner);
    EXPECT_EQ(at(0.5), (std::array<double, 3>{0.0, 2.0, -3.0}));
  }
  EXPECT_EQ(at(0.5)[2], 8.0);
  const Dual<1> t = Dual<1>::variable(0.5, 0);
  Dual<1> out[3];
  f(&t, out);
  EXPECT_EQ(out[2].value, 8.0);
  EXPECT_EQ(out[2].d[0], 0.0);
  EXPECT_FALSE(f.parallel());
}

}  // namespace
}  // namespace saltus
