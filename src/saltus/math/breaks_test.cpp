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

TEST(Breaks, AtTheBeginningAreFound) {
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

Expression formula(const std::string& source, const std::vector<std::string>& inputs = {"t"}) {
  std::optional<ExpressionFault> fault;
  const Expression f = Expression::parse(source, inputs, {}, fault);
  EXPECT_FALSE(fault) << source;
  return f;
}
constexpr double ends[] = {0.0, 1.0}, halves[] = {0.0, 0.5, 1.0};

TEST(Resolved, StepsEndWhereASmoothPulseBeginsThatTheirSamplesMiss) {
  for (const double width : {1e-1, 1e-3, 1e-6}) {
    const std::string w = std::to_string(1e9 * width) + "e-9";
    for (const std::string& source : {"exp(-((t - 5) / " + w + ")^2)", "1 / (1 + ((t - 5) / " + w + ")^4)", "7 / cosh((t - 5) / " + w + ")"}) {
      const Expression f = formula(source);
      double t = 0.0, most = 0.0;
      int steps = 0;
      for (double next; t < 10.0 && steps < 400; t = next, ++steps) {
        next = resolved_end(f, t, 10.0, halves);
        const double middle = 0.5 * (t + next);
        most = std::max({most, f(&t), f(&middle)});
      }
      EXPECT_GT(most, 0.5) << source;
      EXPECT_LT(steps, 400) << source;
    }
  }
}

TEST(Resolved, StepsSeeAWaveWhosePeriodFitsThem) {
  const Expression f = formula("sin(2 * pi * 50 * t)");
  EXPECT_LT(resolved_end(f, 0.0, 0.2, halves), 0.03);
  EXPECT_LT(resolved_end(f, 0.0, 0.2, ends), 0.01);
}

TEST(Resolved, StepsOfWhatIsSeenStayAsTheyAre) {
  for (const std::string source : {"sin(t)", "exp(-t)", "t^3", "t * exp(-t)", "sqrt(t)", "sin(t) * cos(t)", "1 / (t + 1)"})
    for (double t = 0.0; t < 10.0; t += 0.3) EXPECT_EQ(resolved_end(formula(source), t, t + 0.25, halves), t + 0.25) << source << " " << t;
}

TEST(Resolved, PartsOfTimeAloneAreFoundWithinWhatOthersEnter) {
  const auto parts = [](const std::string& source) { return time_parts(formula(source, {"t", "q"})); };
  EXPECT_EQ(parts("3 * t - 2").size(), 0u);
  EXPECT_EQ(parts("q * t").size(), 0u);
  EXPECT_EQ(parts("5 + sin(t) - 2 * exp(-t) + q").size(), 2u);
  EXPECT_EQ(parts("-q * (1 + exp(-t^2))").size(), 1u);
  EXPECT_EQ(parts("sin(q + cos(t)) * t").size(), 1u);
  EXPECT_EQ(parts("sin(t) * exp(-t)").size(), 1u);
  const double t = 0.7;
  EXPECT_EQ(parts("q - 3 * exp(-t^2)")[0](&t), std::exp(-0.49));
}

}  // namespace
}  // namespace saltus
