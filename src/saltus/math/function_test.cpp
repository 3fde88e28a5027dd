#include "saltus/math/function.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

const std::vector<std::string> names{"t", "x"};
const std::vector<std::string> formulas{"sin(x) * t + x^2", "t^2 * x"};

void call(void* count, const double* in, double* out) {
  if (count) ++*static_cast<int*>(count);
  out[0] = std::sin(in[1]) * in[0] + in[1] * in[1];
  out[1] = in[0] * in[0] * in[1];
}
void jacobian(void*, const double* in, double* J) {
  J[0] = std::sin(in[1]), J[1] = std::cos(in[1]) * in[0] + 2 * in[1];
  J[2] = 2 * in[0] * in[1], J[3] = in[0] * in[0];
}
Function formula() {
  Faults faults;
  Function f = Function::parse(formulas, names, {}, {}, "loads/push/force", faults);
  EXPECT_FALSE(faults.has_errors());
  return f;
}

template <class S>
void expect_near(const S& a, const S& b, double first, double second);
template <>
void expect_near(const Dual<2>& a, const Dual<2>& b, double first, double) {
  EXPECT_NEAR(a.value, b.value, 1e-15);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(a.d[i], b.d[i], first);
}
template <>
void expect_near(const Taylor2<>& a, const Taylor2<>& b, double first, double second) {
  EXPECT_NEAR(a.first, b.first, first);
  EXPECT_NEAR(a.second, b.second, second);
}
template <>
void expect_near(const Dual<2, Dual<2>>& a, const Dual<2, Dual<2>>& b, double first, double second) {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      EXPECT_NEAR(a.d[i].value, b.d[i].value, first);
      EXPECT_NEAR(a.d[i].d[j], b.d[i].d[j], second);
    }
}

TEST(Function, ExternalAgreesWithTheFormulaOnEveryScalar) {
  using Nested = Dual<2, Dual<2>>;
  for (const bool exact : {true, false}) {
    const Function f = Function::external({call, nullptr, 2, 2, true, exact ? jacobian : nullptr}, nullptr, "plug-in", names);
    const double first = exact ? 1e-15 : 1e-9, second = exact ? 1e-9 : 1e-6;
    auto compare = [&](auto t, auto x) {
      const decltype(t) in[] = {t, x};
      decltype(t) a[2], b[2];
      f(in, a, nullptr);
      formula()(in, b, nullptr);
      for (int k = 0; k < 2; ++k) expect_near(a[k], b[k], first, second);
    };
    compare(Dual<2>::variable(0.7, 0), Dual<2>::variable(1.3, 1));
    compare(Taylor2<>(0.7, 1.0, 0.3), Taylor2<>(1.3, -0.4, 2.0));
    Nested t(Dual<2>::variable(0.7, 0)), x(Dual<2>::variable(1.3, 1));
    t.d[0] = Dual<2>(1.0), x.d[1] = Dual<2>(1.0);
    compare(t, x);
  }
}

TEST(Function, DifferencesOnlyTheInputsThatMove) {
  int calls = 0;
  const Function f = Function::external({call, &calls, 2, 2, false}, nullptr, "plug-in", names);
  const Dual<1> in[] = {Dual<1>(0.7), Dual<1>::variable(1.3, 0)};
  Dual<1> out[2];
  f(in, out, nullptr);
  EXPECT_EQ(calls, 3);
  EXPECT_FALSE(f.parallel());
}

TEST(Function, SharesTheContextAndFreesItWithTheLastCopy) {
  auto owner = std::make_shared<int>(0);
  {
    const Function f = Function::external({call, owner.get(), 2, 2, true}, owner, "plug-in", names);
    const Function copy = f;
    EXPECT_EQ(owner.use_count(), 3);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(Function, ConstantsKeepTheirValueAndTextExactly) {
  const Function f(0.1);
  EXPECT_EQ(f(123.0), 0.1);
  EXPECT_EQ(f.source(), std::vector<std::string>{"0.1"});
  EXPECT_TRUE(f.is_constant());
  EXPECT_FALSE(f.depends_on(0));
  const Function v(std::vector<double>{-1e-300, 2.0});
  EXPECT_EQ(v.outputs(), 2);
  double out[2];
  v(static_cast<const double*>(nullptr), out, nullptr);
  EXPECT_EQ(out[0], -1e-300);
  EXPECT_TRUE(formula().depends_on(1));
  EXPECT_EQ(formula().source(), formulas);
}

TEST(Function, CollectsTheFaultsOfAllItsFormulas) {
  Faults faults;
  (void)Function::parse({"sin(y)", "t", "2 *"}, names, {}, {"rig.json", 3, 7}, "loads/push/force", faults);
  ASSERT_EQ(faults.list().size(), 2u);
  EXPECT_EQ(faults.list()[0].text().substr(0, 36), "rig.json:3:7 loads/push/force/0: `si");
  EXPECT_NE(faults.list()[0].message.find("unknown name 'y' (character 5)"), std::string::npos);
  EXPECT_EQ(faults.list()[1].path, "loads/push/force/2");
  EXPECT_THROW(Function::external({}, nullptr, "nothing"), ModelError);
}

TEST(Function, NonFiniteResultsAreSeenByTheCaller) {
  Faults faults;
  const Function f = Function::parse({"1 / x"}, names, {}, {}, "f", faults);
  const Dual<1> in[] = {0.0, Dual<1>::variable(0.0, 0)};
  Dual<1> out;
  f(in, &out, nullptr);
  EXPECT_FALSE(all_finite(out));
  EXPECT_FALSE(all_finite(std::span<const Dual<1>>(&out, 1)));
}

TEST(Function, ReadsWhatIsHeldInTheDataOfItsState) {
  Faults faults;
  const Parameters parameters{.numbers = {{"k", 3.0, 1}, {"c", 2.0}}};
  const Function f = Function::parse({"c*k*t", "k^2", "7"}, {"t"}, parameters, {}, "f", faults);
  const double data[] = {10.0, 5.0};
  const Dual<1> t = Dual<1>::variable(0.5, 0);
  Dual<1> out[3];
  f(&t, out, data);
  EXPECT_EQ(out[0].value, 5.0);
  EXPECT_EQ(out[0].d[0], 10.0);
  EXPECT_EQ(out[1].value, 25.0);
  EXPECT_EQ(out[1].d[0], 0.0);
  f(&t, out, nullptr);
  EXPECT_EQ(out[1].value, 0.0);
  EXPECT_TRUE(f.reads_data() && f.parallel() && !f.is_constant());
  const Function held = f.held(2, 0, 1);  // what a controller sets
  held(&t, out, data);
  EXPECT_EQ(out[0].value, 5.0);
  EXPECT_EQ(out[2].value, 10.0);
  EXPECT_FALSE(Function(2.0).held(0, 0, 1).is_constant());
  EXPECT_FALSE(Function(2.0).reads_data());
}

TEST(Function, OfTheProgramMayHaveResultsThatAreHeld) {
  CFunction c;
  c.call = [](void*, const double* in, double* out) { out[0] = in[0], out[1] = 2.0 * in[0]; };
  c.inputs = 1, c.outputs = 2;
  const Function f = Function::external(c, nullptr, "f").held(1, 1, 1);
  const double data[] = {0.0, -4.0};
  const Dual<1> t = Dual<1>::variable(3.0, 0);
  Dual<1> out[2];
  f(&t, out, data);
  EXPECT_EQ(out[0].value, 3.0);
  EXPECT_EQ(out[1].value, -4.0);
  EXPECT_EQ(out[1].d[0], 0.0);
}

}  // namespace
}  // namespace saltus
