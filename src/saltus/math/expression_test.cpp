#include "saltus/math/expression.hpp"

#include <gtest/gtest.h>

#include <random>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

const std::vector<std::string> inputs{"t", "x", "velocity"};
const Parameters parameters{.numbers = {{"k", 40.0}, {"zero", 0.0}}};

Expression parsed(std::string_view text) {
  std::optional<ExpressionFault> fault;
  Expression out = Expression::parse(text, inputs, parameters, fault);
  EXPECT_FALSE(fault) << text << ": " << (fault ? fault->message : "");
  return out;
}
double at(std::string_view text, double t = 0.0, double x = 0.0, double v = 0.0) {
  const double in[] = {t, x, v};
  return parsed(text)(in);
}
ExpressionFault fault_of(std::string_view text) {
  std::optional<ExpressionFault> fault;
  (void)Expression::parse(text, inputs, parameters, fault);
  EXPECT_TRUE(fault) << text;
  return fault.value_or(ExpressionFault{});
}

TEST(Expression, BindsOperatorsAsMathematicsDoes) {
  EXPECT_EQ(at("2 + 3 * 4 - 6 / 3"), 12.0);
  EXPECT_EQ(at("-x^2", 0, 3), -9.0);
  EXPECT_EQ(at("2^3^2"), 512.0);
  EXPECT_EQ(at("2**-1"), 0.5);
  EXPECT_EQ(at("x^-2", 0, 2), 0.25);
  EXPECT_EQ(at("8 / 4 / 2"), 1.0);
  EXPECT_EQ(at("x - t - 1", 2, 10), 7.0);
  EXPECT_EQ(at("10 - x * 2", 0, 3), 4.0);
  EXPECT_EQ(at("-(x + t) * -2", 1, 2), 6.0);
  EXPECT_EQ(at("x > 1 and not t > 1 || 0", 0, 2), 1.0);
  EXPECT_EQ(at("1 + x < 3 * t", 1, 1), 1.0);
  EXPECT_EQ(at("1e-3*k + .5"), 0.54);
  EXPECT_EQ(at("2 / x", 0, 8), 0.25);
  EXPECT_EQ(at("x / 8", 0, 2), 0.25);
}

TEST(Expression, EvaluatesEveryFunctionLikeTheStandardLibrary) {
  const double x = 0.37;
  EXPECT_EQ(at("sin(x)", 0, x), std::sin(x));
  EXPECT_EQ(at("cos(x)", 0, x), std::cos(x));
  EXPECT_EQ(at("tan(x)", 0, x), std::tan(x));
  EXPECT_EQ(at("asin(x)", 0, x), std::asin(x));
  EXPECT_EQ(at("acos(x)", 0, x), std::acos(x));
  EXPECT_EQ(at("atan(x)", 0, x), std::atan(x));
  EXPECT_EQ(at("atan2(x, t)", -2, x), std::atan2(x, -2.0));
  EXPECT_EQ(at("sinh(x)", 0, x), std::sinh(x));
  EXPECT_EQ(at("cosh(x)", 0, x), std::cosh(x));
  EXPECT_EQ(at("tanh(x)", 0, x), std::tanh(x));
  EXPECT_EQ(at("exp(x)", 0, x), std::exp(x));
  EXPECT_EQ(at("log(x)", 0, x), std::log(x));
  EXPECT_NEAR(at("log10(x)", 0, x), std::log10(x), 1e-16);
  EXPECT_EQ(at("sqrt(x)", 0, x), std::sqrt(x));
  EXPECT_EQ(at("abs(x)", 0, -x), x);
  EXPECT_EQ(at("sign(x) + 10 * sign(t)", 0, -x), -1.0);
  EXPECT_EQ(at("floor(x)", 0, -x), -1.0);
  EXPECT_EQ(at("step(x) + 10 * step(t)", -1, 0), 1.0);
  EXPECT_EQ(at("pow(x, t)", 2, 3), 9.0);
  EXPECT_EQ(at("min(x, t, 2, 1) + 10 * max(x, t, -5)", 4, 3), 41.0);
  EXPECT_EQ(at("max(1, x)", 0, 3), 3.0);
  EXPECT_EQ(at("mod(x, 3) + 10 * mod(x, -3)", 0, -1), 2.0 - 10.0);
  EXPECT_NEAR(at("sin(2*pi*t)", 0.25), 1.0, 1e-15);
  EXPECT_EQ(at("log(e)"), 1.0);
}

TEST(Expression, TakesOneBranchOnlyEvenWhereTheOtherIsNoNumber) {
  EXPECT_EQ(at("if(x > 0, log(x), 0)", 0, -1), 0.0);
  EXPECT_EQ(at("if(zero > 0, 1 / zero, 7)"), 7.0);
  for (const double t : {0.5, 1.5, 2.5})
    EXPECT_EQ(at("piecewise(t < 1, 10, t < 2, 20 * t, 30)", t), t < 1 ? 10.0 : t < 2 ? 20.0 * t : 30.0);
  const Dual<1> in[] = {Dual<1>(0.0), Dual<1>::variable(-1.0, 0), Dual<1>(0.0)};
  EXPECT_TRUE(all_finite(parsed("if(x > 0, sqrt(x), x^2)")(in)));
  EXPECT_EQ(parsed("if(x > 0, sqrt(x), x^2)")(in).d[0], -2.0);
}

TEST(Expression, FoldsConstantsAndParameters) {
  EXPECT_EQ(parsed("2 * k + sin(0) * max(1, 2)").operations(), 1);
  EXPECT_TRUE(parsed("2 * k").is_constant());
  EXPECT_EQ(parsed("3 * x + 1").operations(), 3);
  EXPECT_FALSE(parsed("3 * x").is_constant());
  EXPECT_TRUE(parsed("x * t").depends_on(1));
  EXPECT_FALSE(parsed("x * t").depends_on(2));
}

TEST(Expression, GivesExactDerivativesOnEveryScalar) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> uniform(0.2, 0.9);
  for (const char* text :
       {"sin(x)*t", "cos(x*t)", "tan(x)", "asin(x)", "acos(x)", "atan(x*t)", "atan2(x, t + 1)", "sinh(x)", "cosh(x)",
        "tanh(x)", "exp(-x)", "log(x)", "log10(x)", "sqrt(x)", "abs(x)*x", "x^3.5", "x^t", "2^x", "x^2", "1/x", "x/t",
        "min(x^2, 5)", "max(x, t - 3)", "mod(x^2, 0.3)", "if(x > t, x^3, t*x^2)", "x*floor(4*x)", "3 - x*x", "velocity*x"}) {
    const Expression f = parsed(text);
    for (int trial = 0; trial < 10; ++trial) {
      const double t = uniform(random), x = uniform(random), v = uniform(random);
      auto value = [&](double s) { const double in[] = {t, s, v}; return f(in); };
      const double h = 1e-5, g = 1e-4;
      if (std::abs(std::fmod(x * x, 0.3)) < 1e-3 || std::abs(x - t) < 1e-3 || std::abs(4 * x - std::round(4 * x)) < 1e-2) continue;
      const double first = (value(x + h) - value(x - h)) / (2 * h);
      const double second = (value(x + g) - 2 * value(x) + value(x - g)) / (g * g);
      const double size = 1.0 + std::abs(second);
      const Dual<2> in1[] = {t, Dual<2>::variable(x, 1), v};
      EXPECT_NEAR(f(in1).d[1], first, 1e-7 * size) << text;
      EXPECT_EQ(f(in1).d[0], 0.0) << text;
      const Taylor2<> in2[] = {t, Taylor2<>(x, 1.0, 0.0), v};
      EXPECT_DOUBLE_EQ(f(in2).value, value(x)) << text;
      EXPECT_NEAR(f(in2).first, first, 1e-7 * size) << text;
      EXPECT_NEAR(f(in2).second, second, 1e-5 * size) << text;
      using Nested = Dual<1, Dual<1>>;
      Nested seed(Dual<1>::variable(x, 0));
      seed.d[0] = Dual<1>(1.0);
      const Nested in3[] = {t, seed, v};
      EXPECT_NEAR(f(in3).d[0].d[0], f(in2).second, 1e-12 * size) << text;
    }
  }
}

TEST(Expression, HasNoSlopeWhereADenominatorOverflows) {
  for (const char* text : {"1/cosh(x)^2", "t/cosh(x)", "cosh(x)^(-2)", "exp(-cosh(x))", "tanh(exp(x))", "1/(1 + exp(x))", "min(1/cosh(x), t)"}) {
    const Dual<2> in[] = {Dual<2>(0.5), Dual<2>::variable(1e4, 1), Dual<2>(0.0)};
    EXPECT_TRUE(all_finite(parsed(text)(in))) << text;
    EXPECT_EQ(parsed(text)(in).d[1], 0.0) << text;
    const Taylor2<> along[] = {Taylor2<>(0.5), Taylor2<>(1e4, 1.0, 0.0), Taylor2<>(0.0)};
    EXPECT_TRUE(all_finite(parsed(text)(along))) << text;
  }
  const Dual<2> in[] = {Dual<2>::variable(0.5, 0), Dual<2>::variable(1e4, 1), Dual<2>(0.0)};
  EXPECT_EQ(parsed("min(t, exp(x))")(in).d[0], 1.0);
  EXPECT_EQ(parsed("if(t < 1, t, exp(x))")(in).d[0], 1.0);
}

TEST(Expression, NamesThePlaceTheMistakeAndTheRemedy) {
  ExpressionFault f = fault_of("__import__('os')");
  EXPECT_EQ(f.position, 0);
  EXPECT_NE(f.message.find("unknown function '__import__'"), std::string::npos);
  f = fault_of("2 * sine(x)");
  EXPECT_EQ(f.position, 4);
  EXPECT_EQ(f.remedy, "did you mean 'sin'?");
  EXPECT_EQ(fault_of("k * velosity").remedy, "did you mean 'velocity'?");
  EXPECT_EQ(fault_of("2x").remedy, "write `2 * x`");
  EXPECT_EQ(fault_of("0 < x < 1").remedy, "write `a < b and b < c`");
  EXPECT_EQ(fault_of("x = 3").remedy, "write `==` to compare");
  EXPECT_EQ(fault_of("sin(x").position, 5);
  EXPECT_EQ(fault_of("atan2(x)").position, 0);
  EXPECT_NE(fault_of("1 / zero").message.find("finite"), std::string::npos);
  for (const char* text : {"", "  ", "x +", "* x", "(x", "x)", "x y", "x.real", "f(x)", "'a'", "1..2", "1e999", "x[0]", "x;t",
                           "lambda: 1", "sin", "min(x)", "piecewise(x, 1)", "if(x, 1)", "x ? 1 : 2", "a", "\xff", "x, t", "()",
                           "sin()", "and", "x and", "!", "."})
    EXPECT_FALSE(fault_of(text).message.empty()) << text;
}

TEST(Expression, RefusesWhatIsTooLongOrTooDeep) {
  EXPECT_NE(fault_of(std::string(20'000, '1')).message.find("longer"), std::string::npos);
  EXPECT_NE(fault_of(std::string(5'000, '(')).message.find("deeper"), std::string::npos);
  EXPECT_NE(fault_of(std::string(5'000, '-')).message.find("deeper"), std::string::npos);
  std::string sum = "x";
  for (int i = 0; i < 2'000; ++i) sum += "+x";
  EXPECT_EQ(at(sum, 0, 1), 2001.0);
  std::string power = "x";
  for (int i = 0; i < 60; ++i) power += "^x";
  EXPECT_EQ(at(power, 0, 1), 1.0);
}

TEST(Expression, SurvivesRandomText) {
  std::mt19937 random(22);
  const std::string_view alphabet[] = {"x", "t", "(", ")", "+", "-", "*", "/", "^", ",", "sin", "if", "min", "piecewise",
                                       " ", "1", "2.5", "<", "==", "and", "not", "e", "!", "(", "x", ")"};
  int accepted = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string text;
    for (unsigned n = random() % 12 + 1; n > 0; --n) text += alphabet[random() % std::size(alphabet)];
    std::optional<ExpressionFault> fault;
    const Expression f = Expression::parse(text, inputs, parameters, fault);
    if (fault) {
      ASSERT_LE(fault->position, count_of(text));
      continue;
    }
    ++accepted;
    const double in[] = {0.3, 0.7, 1.1};
    const Dual<1> dual_in[] = {0.3, 0.7, 1.1};
    const double a = f(in), b = val(f(dual_in));
    ASSERT_TRUE(a == b || (!std::isfinite(a) && !std::isfinite(b)) || std::abs(a - b) <= 1e-13 * std::abs(a)) << text;
  }
  EXPECT_GT(accepted, 300);
}

TEST(Expression, NamesCharactersOfSeveralBytesWhole) {
  EXPECT_NE(fault_of("1 + \u00e9").message.find("`\u00e9`"), std::string::npos);
  EXPECT_NE(fault_of("x \u20ac").message.find("`\u20ac`"), std::string::npos);
  EXPECT_NE(fault_of("(x \U0001F600 t)").message.find("`\U0001F600`"), std::string::npos);
}

TEST(Expression, FoldsNestedNumbersWithinThreePlaces) {
  // Values wait three at a time at most where numbers alone are folded; what is not finite stays and is computed later.
  EXPECT_EQ(at("if(1, if(0, 2, 3), piecewise(0, 1, 1, 2, 3))"), 3.0);
  EXPECT_EQ(at("max(1, 2, min(5, 4, 3), 2^2)"), 4.0);
  EXPECT_TRUE(parsed("if(1, 2, 3) * max(1, 2, 3) - pow(2, 3)").is_constant());
  EXPECT_TRUE(std::isinf(at("x * (1e308 * 10)", 0, 1)));
  EXPECT_EQ(at("if(x > 1, 1e308 * 10, 2) + piecewise(0, 1/0, 5)", 0, 0), 7.0);
}

}  // namespace
}  // namespace saltus
