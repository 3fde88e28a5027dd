#include "saltus/math/breaks.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

double found(const std::string& source, double from, double to) {
  const std::vector<std::string> inputs{"t", "q"};
  std::optional<ExpressionFault> fault;
  const Expression f = Expression::parse(source, inputs, {}, fault);
  EXPECT_FALSE(fault) << source;
  return first_break(f, 2, from, to);
}

TEST(Breaks, AreFoundHoweverNarrowThePulseIs) {
  for (const double width : {1e-1, 1e-4, 1e-8}) {
    const std::string w = std::to_string(1e9 * width) + "e-9";
    for (const std::string& f : {"step(t - 0.3) - step(t - 0.3 - " + w + ")", "if(t > 0.3 and t < 0.3 + " + w + ", 5, q)", "max(0, 1 - abs(t - 0.3 - " + w + ") / " + w + ")",
                                "piecewise(t < 0.3, 0, t < 0.3 + " + w + ", q, 1)"}) {
      EXPECT_NEAR(found(f, 0.0, 1.0), 0.3, 1e-12) << f;
      const double t = found(f, 0.3, 1.0);  // and its other edge, or the apex
      EXPECT_NEAR(t, 0.3 + width, 1e-12) << f;
    }
  }
}

TEST(Breaks, OfSquareWavesFollowEachOther) {
  for (const char* f : {"sign(sin(2 * pi * 50 * t))", "24 * step(0.5 - mod(t, 0.02) / 0.02)", "mod(floor(100 * t), 2) - 1", "if(cos(2 * pi * 50 * t - pi / 2) > 0, 1, -1)"}) {
    double t = 0.0;
    for (int i = 1; i <= 40; ++i) {
      t = found(f, t, 1e3);
      ASSERT_NEAR(t, 0.01 * i, 1e-9) << f;
    }
  }
}

TEST(Breaks, SmoothFormulasAndThoseOfOtherInputsHaveNone) {
  for (const char* f : {"sin(1000 * t) * exp(-t) + t^3 / (1 + t^2)", "sign(q) * t", "max(q, 3) + cos(t)^2", "if(q > t, 1, 0)", "step(sin(t) + 2)", "abs(t + 1)", "sqrt(t) + log(t + 1) + tanh(5 * t)"})
    EXPECT_EQ(found(f, 0.0, 10.0), 10.0) << f;
  std::optional<ExpressionFault> fault;
  const std::vector<std::string> t{"t"};
  EXPECT_FALSE(has_breaks(Expression::parse("3 * sin(5 * t + 1) + exp(-t) * t^2", t, {}, fault), 1));
  EXPECT_TRUE(has_breaks(Expression::parse("3 * sin(5 * t + 1) + mod(t, 3)", t, {}, fault), 1));
}

/// No limit where intervals cannot tell: a step must not stall there.
TEST(Breaks, OfBranchesThatStayOpenDoNotStopTime) {
  EXPECT_EQ(found("step(sin(t) - sin(t))", 0.5, 1.0), 1.0);
  EXPECT_EQ(found("sign(sin(1e9 * t^2) - sin(1e9 * t^2))", 0.5, 1.0), 1.0);
}

TEST(Breaks, AtTheBeginningAreTold) {
  const std::vector<std::string> inputs{"t"};
  std::optional<ExpressionFault> fault;
  const auto begins = [&](const char* f, double t) { return begins_with_break(Expression::parse(f, inputs, {}, fault), 1, t, t + 1.0); };
  EXPECT_TRUE(begins("sign(sin(9 * t))", 0.0));
  EXPECT_FALSE(begins("sign(sin(9 * t))", 0.1));
  EXPECT_FALSE(begins("step(t)", 0.0));
  EXPECT_TRUE(begins("if(t > 3, 1, 0)", 3.0));
  EXPECT_FALSE(begins("step(sin(t) - sin(t))", 0.5));
}

TEST(Breaks, AreFoundBesideOtherInputs) {
  EXPECT_NEAR(found("q * step(t - 0.25)", 0.0, 1.0), 0.25, 1e-12);
  EXPECT_NEAR(found("q^2 + if(t < 0.25, q, 2 * q)", 0.0, 1.0), 0.25, 1e-12);
}

}  // namespace
}  // namespace saltus
