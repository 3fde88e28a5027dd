#include "saltus/math/formula_derivatives.hpp"

#include <gtest/gtest.h>

#include "saltus/math/dual.hpp"

namespace saltus {
namespace {

const std::vector<std::string> inputs{"x", "y", "u"};

Parameters parameters() {
  std::optional<TableFault> fault;
  Tables tables;
  tables.emplace("curve", Table::of("curve", {{0.0, 0.3, 1.0, 2.0}, {1.0, 3.0, -2.0, 0.5}, TableRows::Kind::spline}, fault));
  return {{{"k", 0.3}, {"held", 0.0, 2}}, std::make_shared<const Tables>(std::move(tables))};
}

Function formula(const std::vector<std::string>& texts) {
  Faults faults;
  Function f = Function::parse(texts, inputs, parameters(), {}, "f", faults);
  EXPECT_NO_THROW(faults.raise());
  return f;
}

/// Values, first and second derivatives by the inputs, from duals of duals, beside those of the operations.
void expect_as_duals(const Function& f, const double* at) {
  const double data[] = {0.0, 0.0, 1.7};
  using D = Dual<3>;
  using Nested = Dual<3, D>;
  Nested in[3];
  for (int i = 0; i < 3; ++i) in[i].value = D::variable(at[i], i), in[i].d[i] = D(1.0);
  std::vector<Nested> dual(f.outputs());
  f(static_cast<const Nested*>(in), dual.data(), data);
  const auto g = FormulaDerivatives::of(f, 2);
  ASSERT_TRUE(g);
  std::vector<double> out(g->size(2));
  (*g)(at, data, 2, out.data());
  const double* next = out.data();
  for (const Nested& y : dual) EXPECT_DOUBLE_EQ(*next++, y.value.value);
  std::map<std::pair<int, int>, double> first;
  std::map<std::tuple<int, int, int>, double> second;
  for (const auto [r, i] : g->slopes()) first[{r, i}] = *next++;
  for (const auto [r, i, j] : g->curves()) second[{r, i, j}] = *next++;
  for (int r = 0; r < f.outputs(); ++r)
    for (int i = 0; i < 3; ++i) {
      const double d = dual[r].value.d[i];
      EXPECT_NEAR((first[{r, i}]), d, 1e-13 * (1.0 + std::abs(d))) << f.source()[r] << " by " << inputs[i];
      for (int j = i; j < 3; ++j) {
        const double dd = dual[r].d[i].d[j];
        EXPECT_NEAR((second[{r, i, j}]), dd, 1e-12 * (1.0 + std::abs(dd))) << f.source()[r] << " by " << inputs[i] << ", " << inputs[j];
      }
    }
}

TEST(FormulaDerivatives, AreThoseOfDualsOfDuals) {
  const double at[] = {0.7, 0.4, 0.9};
  for (const char* text : {"x*y + sin(x)*cos(y) - tan(0.3*u)", "asin(0.3*x) + acos(0.2*y) + atan(u) + atan2(x, y)", "sinh(x)*cosh(y)/(1 + tanh(u)^2)", "exp(-x^2)*log(2 + y) + log10(3 + u)",
                           "sqrt(x^2 + y^2 + u^2)", "abs(x - y) + 3/(2 + u) - (5 - x)", "min(x*y, u) + max(x, u, y)", "mod(5*x, 1 + y) + floor(7*u)", "if(x > y, x^3, y*u) + piecewise(u > 2, 1, u > 0, u*x, y)",
                           "(2 + x)^(1 + y) + k*u", "x", "7", "curve(x*y + u)*x", "held*x*y^-2 - (x/y)/u", "2*(3*(x*-4)*(y*5))", "x^2*y^2 + x**0.5*u - -x"})
    expect_as_duals(formula({text}), at);
}

TEST(FormulaDerivatives, ShareWhatSeveralResultsHaveInCommon) {
  const double at[] = {0.3, -0.4, 1.2};
  const std::string L = "sqrt(x^2 + y^2 + u^2)", f = "(3*(" + L + " - 1))";
  const Function force = formula({f + "*x/" + L, f + "*y/" + L, "0", f + "*u/" + L});
  expect_as_duals(force, at);
  const auto g = FormulaDerivatives::of(force, 1);
  EXPECT_EQ(g->slopes().size(), 9u);  // nothing by what a result does not depend on
  const auto alone = FormulaDerivatives::of(formula({f + "*x/" + L}), 1);
  EXPECT_LT(g->operations(1), 3 * alone->operations(1));
}

TEST(FormulaDerivatives, RefuseWhatHasNoFormulaOrGrowsTooLarge) {
  EXPECT_FALSE(FormulaDerivatives::of(Function::external({[](void*, const double*, double* out) { *out = 1.0; }, nullptr, 1}, nullptr, "f"), 1));
  std::string product = "sin(x)";
  for (int i = 0; i < 200; ++i) product += "*sin(x*" + std::to_string(i + 2) + "+y*u)";
  EXPECT_FALSE(FormulaDerivatives::of(formula({product}), 2));
  EXPECT_TRUE(FormulaDerivatives::of(formula({product}), 0));
}

}  // namespace
}  // namespace saltus
