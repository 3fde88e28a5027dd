#include "saltus/math/table.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "saltus/math/breaks.hpp"
#include "saltus/math/expression.hpp"

namespace saltus {
namespace {

using Kind = TableRows::Kind;
using Outside = TableRows::Outside;

Table made(TableRows rows) {
  std::optional<TableFault> fault;
  Table out = Table::of("signal", std::move(rows), fault);
  EXPECT_FALSE(fault) << fault->message;
  return out;
}
std::string fault_of(TableRows rows) {
  std::optional<TableFault> fault;
  (void)Table::of("signal", std::move(rows), fault);
  return fault ? std::to_string(fault->row) + " " + fault->message + "; " + fault->remedy : "";
}
std::vector<double> samples(double from, double to, int n) {
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(from + (to - from) * i / (n - 1));
  return out;
}
template <class F>
std::vector<double> of(const std::vector<double>& x, F f) {
  std::vector<double> out;
  for (const double a : x) out.push_back(f(a));
  return out;
}

TEST(Table, GoesThroughItsRowsWhateverItsKind) {
  const std::vector<double> x{-1.0, 0.5, 0.75, 2.0, 5.0}, y{2.0, -1.0, 3.0, 3.5, 0.0};
  for (const Kind kind : {Kind::step, Kind::linear, Kind::spline, Kind::natural_spline, Kind::monotone})
    for (const Outside outside : {Outside::hold, Outside::linear, Outside::refuse}) {
      const Table f = made({x, y, kind, outside});
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(f(x[i]), y[i], 1e-14);
    }
}

TEST(Table, SplinesHoldCubicsExactlyWithTheirDerivatives) {
  const auto cubic = [](auto x) { return 1.0 + x * (2.0 + x * (-3.0 + x * 0.5)); };
  const std::vector<double> x{-2.0, -0.5, 0.0, 1.0, 1.25, 4.0};
  const TableRows rows{x, of(x, cubic), Kind::spline};
  TableRows clamped = rows;
  clamped.slopes = {2.0 + 12.0 + 6.0, 2.0 - 24.0 + 24.0};
  for (const TableRows& r : {rows, clamped}) {
    const Table f = made(r);
    for (const double at : {-1.9, -0.3, 0.7, 1.1, 3.9}) {
      using D = Dual<1, Dual<1>>;
      D moving{Dual<1>(at)};
      moving.value.d[0] = 1.0, moving.d[0] = Dual<1>(1.0);
      const D found = f(moving), exact = cubic(moving);
      EXPECT_NEAR(found.value.value, exact.value.value, 1e-12);
      EXPECT_NEAR(found.d[0].value, exact.d[0].value, 1e-12);
      EXPECT_NEAR(found.d[0].d[0], exact.d[0].d[0], 1e-12);
      const Taylor2<> path(at, 0.3, -0.7), along = f(path), wanted = cubic(path);
      EXPECT_NEAR(along.first, wanted.first, 1e-12);
      EXPECT_NEAR(along.second, wanted.second, 1e-12);
    }
  }
  const Table parabola = made({{0.0, 1.0, 3.0}, {0.0, 1.0, 9.0}, Kind::spline});
  EXPECT_NEAR(parabola(2.0), 4.0, 1e-14);
  const Table line = made({{0.0, 2.0}, {0.0, 1.0}, Kind::spline});
  EXPECT_NEAR(line(0.5), 0.25, 1e-15);
}

TEST(Table, SplinesConvergeWithTheFourthOrder) {
  const auto error = [](int n, Outside outside) {
    const std::vector<double> x = samples(0.0, 2.0 * std::numbers::pi, n);
    const Table f = made({x, of(x, [](double a) { return std::sin(a); }), Kind::spline, outside});
    double worst = 0.0;
    for (const double a : samples(0.0, 2.0 * std::numbers::pi, 1001)) worst = std::max(worst, std::abs(f(a) - std::sin(a)));
    return worst;
  };
  for (const Outside outside : {Outside::hold, Outside::periodic}) {
    EXPECT_LT(error(41, outside), 4e-6);
    EXPECT_GT(std::log2(error(21, outside) / error(41, outside)), 3.8);  // next to ends without a knot more
  }
}

TEST(Table, PeriodicSplinesAreSmoothWhereTheyClose) {
  const std::vector<double> x{0.0, 0.3, 0.5, 1.1, 2.0}, y{1.0, 4.0, -2.0, 0.0, 1.0};
  const Table f = made({x, y, Kind::spline, Outside::periodic});
  const auto jet = [&](double at) { return f(Taylor2<>(at, 1.0, 0.0)); };
  for (const double period : {-4.0, 0.0, 6.0}) {
    const Taylor2<> before = jet(period - 1e-9), behind = jet(period + 1e-9);
    EXPECT_NEAR(before.value, 1.0, 1e-6);
    EXPECT_NEAR(before.first, behind.first, 1e-5);
    EXPECT_NEAR(before.second, behind.second, 1e-4);
    EXPECT_NEAR(f(0.77 + period), f(0.77), 1e-12);
  }
  for (const std::size_t rows : {2u, 3u, 4u}) {  // few rows, closed
    std::vector<double> a(x.begin(), x.begin() + static_cast<long>(rows)), b(y.begin(), y.begin() + static_cast<long>(rows));
    b.back() = b.front();
    const Table g = made({a, b, Kind::spline, Outside::periodic});
    const double T = a.back();
    EXPECT_NEAR(g(Taylor2<>(T - 1e-9, 1.0, 0.0)).first, g(Taylor2<>(T + 1e-9, 1.0, 0.0)).first, 1e-5);
  }
}

TEST(Table, MonotoneOnesDoNotOvershoot) {
  const std::vector<double> x{0.0, 1.0, 1.1, 3.0, 4.0, 9.0}, y{0.0, 0.1, 5.0, 5.0, 5.1, 20.0};
  const Table f = made({x, y, Kind::monotone});
  double before = f(0.0);
  for (const double a : samples(0.0, 9.0, 5001)) {
    EXPECT_GE(f(a), before - 1e-14) << a;
    before = f(a);
  }
  EXPECT_EQ(f(2.0), 5.0);
}

TEST(Table, GoesOnOutsideAsItIsSet) {
  const std::vector<double> x{1.0, 2.0, 4.0}, y{10.0, 14.0, 12.0};
  const Table hold = made({x, y}), line = made({x, y, Kind::linear, Outside::linear}), again = made({x, y, Kind::linear, Outside::periodic}), refuse = made({x, y, Kind::linear, Outside::refuse});
  EXPECT_EQ(hold(-5.0), 10.0);
  EXPECT_EQ(hold(50.0), 12.0);
  EXPECT_NEAR(line(0.0), 6.0, 1e-14);
  EXPECT_NEAR(line(6.0), 10.0, 1e-14);
  EXPECT_NEAR(again(5.0), 14.0, 1e-14);
  EXPECT_NEAR(again(-0.5), again(2.5), 1e-14);
  EXPECT_EQ(refuse(4.0), 12.0);
  Table::clear_refusal();
  EXPECT_TRUE(std::isnan(refuse(4.5)));
  EXPECT_EQ(Table::last_refusal(), "table 'signal' holds 1 to 4 and is asked at 4.5");
}

TEST(Table, NamesTheRowThatIsWrong) {
  EXPECT_EQ(fault_of({{0.0, 1.0, 0.5}, {0.0, 0.0, 0.0}}), "2 is 0.5 after 1; inputs must increase; sort the rows by their input");
  EXPECT_EQ(fault_of({{0.0, 1.0, 1.0}, {0.0, 0.0, 0.0}}), "2 is 1 after 1; inputs must increase; write a jump by kind \"step\", or two inputs close to each other");
  EXPECT_EQ(fault_of({{0.0, 1.0}, {0.0, NAN}}), "1 has the output nan; leave out rows without a value");
  EXPECT_EQ(fault_of({{0.0}, {0.0}}), "-1 has 1 row, needs two or more; write a constant as a number");
  EXPECT_EQ(fault_of({{0.0, 1.0}, {0.0}}), "-1 has 2 inputs and 1 outputs; give one output for each input");
  EXPECT_EQ(fault_of({{0.0, 1.0}, {0.0, 2.0}, Kind::spline, Outside::periodic}), "1 has the output 2, a periodic table must end with its first, 0; add the row that closes the period");
}

TEST(Table, EnclosesItsValuesOverAnyInterval) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    TableRows rows{{0.0}, {any(random)}, static_cast<Kind>(trial % 5), static_cast<Outside>(trial % 3)};
    for (int i = 0; i < 6; ++i) rows.input.push_back(rows.input.back() + 1.1 + any(random)), rows.output.push_back(any(random));
    if (rows.outside == Outside::periodic) rows.output.back() = rows.output.front();
    const Table f = made(rows);
    const double low = 12.0 * any(random), high = low + 6.0 * (1.0 + any(random));
    const Table::Over over = f.over(low, high);
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const double a : samples(low, high, 4001)) least = std::min(least, f(a)), most = std::max(most, f(a));
    EXPECT_LE(over.low, least + 1e-12) << trial;
    EXPECT_GE(over.high, most - 1e-12) << trial;
    const double slack = rows.kind == Kind::step ? 2.0 : 0.02;  // of sampling; a step next to an end of the interval
    EXPECT_NEAR(over.low, least, slack) << trial;
    EXPECT_NEAR(over.high, most, slack) << trial;
  }
}

struct Formula {
  std::shared_ptr<Tables> tables = std::make_shared<Tables>();
  Expression f;
  Formula(TableRows rows, const std::string& text) {
    tables->emplace("signal", made(std::move(rows)));
    const std::vector<std::string> inputs{"t", "q"};
    std::optional<ExpressionFault> fault;
    f = Expression::parse(text, inputs, {.tables = tables}, fault);
    EXPECT_FALSE(fault) << fault->message;
  }
};

TEST(Table, StandsInFormulasAndOutlivesWhatTheyWereReadFrom) {
  Formula formula({{0.0, 1.0, 2.0}, {0.0, 4.0, 0.0}}, "2*signal(t + 0.5)*q + signal(1)");
  const Expression f = formula.f;
  formula = Formula({{0.0, 1.0}, {0.0, 0.0}}, "1");
  const double in[] = {0.0, 3.0};
  EXPECT_NEAR(f(in), 2.0 * 2.0 * 3.0 + 4.0, 1e-14);
  const std::vector<std::string> inputs{"t"};
  const auto tables = std::make_shared<Tables>();
  tables->emplace("signal", Table(made({{0.0, 1.0}, {0.0, 4.0}})));
  std::optional<ExpressionFault> fault;
  (void)Expression::parse("2*signl(t)", inputs, {.tables = tables}, fault);
  EXPECT_EQ(fault->remedy, "did you mean 'signal'?");
  (void)Expression::parse("signal(t, 2)", inputs, {.tables = tables}, fault);
  EXPECT_EQ(fault->message, "gives the table 'signal' several arguments, it takes one");
  (void)Expression::parse("signal()", inputs, {.tables = tables}, fault);
  EXPECT_EQ(fault->message, "gives the table 'signal' no argument, it takes one");
  const Expression constant = Expression::parse("signal(0.25)", inputs, {.tables = tables}, fault);
  EXPECT_TRUE(constant.is_constant());
}

TEST(Table, KnowsWhereItBreaks) {
  const auto next = [](const Formula& f, double from) { return first_break(f.f, 2, from, 100.0); };
  const std::vector<double> x{1.0, 2.0, 3.0, 4.0}, y{0.0, 0.0, 1.0, 2.0};
  const Formula line({x, y}, "q + 3*signal(t - 5)");  // 2 to 3 to 4 is straight
  EXPECT_NEAR(next(line, 0.0), 7.0, 1e-10);
  EXPECT_NEAR(next(line, 7.0), 9.0, 1e-10);
  EXPECT_EQ(next(line, 9.0), 100.0);
  const Formula jump({x, y, Kind::step, Outside::periodic}, "signal(t)");
  EXPECT_NEAR(next(jump, 0.0), 1.0, 1e-10);  // 1 from 0 on, 0 from 1 on
  EXPECT_NEAR(next(jump, 1.0), 3.0, 1e-10);
  EXPECT_NEAR(next(jump, 3.0), 4.0, 1e-10);
  EXPECT_NEAR(next(jump, 4.0), 6.0, 1e-10);
  EXPECT_EQ(next(Formula({x, y, Kind::spline, Outside::linear}, "signal(t)"), 0.0), 100.0);
  EXPECT_EQ(next(Formula({x, y}, "signal(q)*t"), 0.0), 100.0);  // decided by another input
}

TEST(Table, OfTimeWithAPulseEndsTheStepInFrontOfIt) {
  std::vector<double> x = samples(0.0, 10.0, 1001), y(1001, 0.0);
  y[700] = 5.0;
  const Formula f({x, y, Kind::spline}, "signal(t)");
  const double seen[] = {0.0, 0.2, 0.4, 0.8, 1.0};
  const double end = resolved_end(f.f, 0.0, 10.0, seen);
  EXPECT_GT(end, 6.5);
  EXPECT_LT(end, 7.0);
}

}  // namespace
}  // namespace saltus
