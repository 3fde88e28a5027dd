// The explicit schemes of Butcher tables: order conditions, orders on motions, error control, and the warning of a step that is too long.
#include <gtest/gtest.h>

#include "saltus/integrate/explicit.hpp"
#include "saltus/integrate/fastest_mode.hpp"
#include "saltus/integrate/smooth_models_testing.hpp"

namespace saltus {
namespace {
using namespace smooth_models;

struct Named {
  const char* name;
  int order;
};
constexpr Named fixed_step[] = {{"explicit_euler", 1}, {"explicit_midpoint", 2}, {"heun", 2}, {"runge_kutta_3", 3}, {"bogacki_shampine", 3}, {"runge_kutta_4", 4}, {"dormand_prince", 5}, {"runge_kutta_6", 6}};

/// Not below its order, and above it only where errors of high order cancel.
void expect_order(const Named& n, const std::shared_ptr<const System>& s, double until, double h, double fine) {
  const double found = slope(n.name, s, until, n.order > 4 ? h : fine);
  EXPECT_GT(found, n.order - 0.4) << n.name << " " << s->layout.nv;
  if (n.order < 5) {
    EXPECT_LT(found, n.order + 0.5) << n.name << " " << s->layout.nv;
  }
}

TEST(Tableau, HaveTheirOrdersOnAFirstOrderStateAPendulumALoopOfRodsAndTheHeavyTop) {
  for (const Named& n : fixed_step) {
    expect_order(n, relaxing(), 1.0, 0.05, 0.01);
    expect_order(n, double_pendulum(), 0.5, 0.02, 0.005);
    expect_order(n, four_bar(), 0.5, 0.02, 0.005);
    if (n.order > 1) expect_order(n, heavy_top(), 0.05, 1e-3, 2e-4);
  }
}

TEST(BogackiShampine, FollowsTheToleranceWithThirdOrderSteps) {
  const auto s = double_pendulum();
  const State exact = run("dormand_prince", s, 1.0, 0.0, 1e-13).state;
  double steps = 0.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Motion r = run("bogacki_shampine", s, 1.0, 0.0, tolerance);
    EXPECT_LT(distance(r.state, exact), 100.0 * tolerance);
    if (steps > 0.0) {
      EXPECT_NEAR(std::log(static_cast<double>(r.report.steps) / steps) / std::log(100.0), 1.0 / 3.0, 0.05);
    }
    steps = static_cast<double>(r.report.steps);
  }
}

TEST(FastestMode, IsTheEigenvalueOfASpringADamperAndADecay) {
  const struct { std::shared_ptr<const System> system; std::complex<double> exact; } cases[] = {
      {oscillator(400.0, 0.0), {0.0, 20.0}}, {oscillator(400.0, 4.0), {-2.0, std::sqrt(396.0)}}, {oscillator(400.0, 1000.0), {-500.0 - std::sqrt(250000.0 - 400.0), 0.0}}};
  for (const auto& c : cases)
    for (const double h : {1e-4, 1e-2, 1.0}) {
      Accelerations accelerations(*c.system);
      State state(StateLayout{c.system->layout, 0});
      std::copy(c.system->initial_y.begin(), c.system->initial_y.end(), state.y());
      const FastestMode mode = fastest_mode(accelerations, state, h);
      ASSERT_TRUE(mode.found);
      EXPECT_NEAR(mode.eigenvalue.real(), c.exact.real(), 1e-3 * std::abs(c.exact)) << h;
      EXPECT_NEAR(std::abs(mode.eigenvalue.imag()), c.exact.imag(), 1e-3 * std::abs(c.exact)) << h;
    }
}

TEST(Tableau, WarnOfAStepThatIsTooLongAndNameOneThatIsNot) {
  // Limits of stability on the imaginary axis: sqrt(3), 2 sqrt(2); what grows by a hundredth in a step is a little beyond.
  const struct { const char* name; double limit; } cases[] = {{"runge_kutta_3", std::sqrt(3.0)}, {"bogacki_shampine", std::sqrt(3.0)}, {"runge_kutta_4", std::sqrt(8.0)}};
  const double w = 20.0;
  for (const auto& c : cases) {
    EXPECT_TRUE(run(c.name, oscillator(w * w, 0.0), 1.0, 0.98 * c.limit / w).report.warnings.empty()) << c.name;
    const Motion r = run(c.name, oscillator(w * w, 0.0), 1.0, 1.05 * c.limit / w);
    ASSERT_EQ(r.report.warnings.size(), 1u) << c.name;
    EXPECT_EQ(r.report.warnings[0].path, "simulation/step");
    EXPECT_NE(r.report.warnings[0].message.find("velocity 0 of node 'p'"), std::string::npos) << r.report.warnings[0].message;
    const double advised = std::stod(r.report.warnings[0].remedy.substr(r.report.warnings[0].remedy.find("most ") + 5));
    EXPECT_NEAR(advised, 0.9 * c.limit / w, 0.03 * c.limit / w) << c.name;
    EXPECT_TRUE(run(c.name, oscillator(w * w, 0.0), 1.0, advised).report.warnings.empty()) << c.name;
  }
  // What falls over by itself is no fault of the step.
  EXPECT_TRUE(run("runge_kutta_4", oscillator(-400.0, 0.0), 0.2, 0.05).report.warnings.empty());
}

TEST(Tableau, FollowTheToleranceByDoubledStepsWithoutAnEstimate) {
  // Of order 1 the error goes with the root of the tolerance.
  const double exact = run("dormand_prince", relaxing(), 1.0, 0.0, 1e-13).state.x()[0];
  for (const char* name : {"explicit_euler", "explicit_midpoint", "heun", "runge_kutta_3", "runge_kutta_4", "runge_kutta_6"}) {
    const auto error = [&](double tolerance) { return std::abs(run(name, relaxing(), 1.0, 0.0, tolerance).state.x()[0] - exact); };
    const double power = std::log10(error(1e-4) / error(1e-6)) / 2.0;
    EXPECT_GT(power, std::string(name) == "explicit_euler" ? 0.4 : 0.6) << name;  // of high order the steps are few
    EXPECT_LT(error(1e-6), std::string(name) == "explicit_euler" ? 2e-3 : 2e-6) << name;
  }
}

}  // namespace
}  // namespace saltus
