#include "saltus/integrate/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/base/memory.hpp"
#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/items/loads/coordinate_load.hpp"

namespace saltus {
namespace {
using namespace testing_items;

/// u'' = -k u + held, on x of a point.
std::shared_ptr<const System> driven(double k, double start, double speed) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{.displacement = {{start, 0.0, 0.0}}, .velocity = {{speed, 0.0, 0.0}}});
  b.object("m", point_mass(1.0), {b.marker(n)});
  b.force("spring", Oscillator{.stiffness = k}, {b.coordinate(n, 0)});
  Faults faults;
  const Function zero = Function::parse({"0"}, {"t", "q", "v"}, {}, {}, "load", faults);
  b.force("load", CoordinateLoad{.effort = zero.held(0, 0, 1)}, {b.coordinate(n, 0)});
  b.controller({.name = "c", .period = 0.1, .outputs = 1}, std::vector<double>{0.0});
  return b.finish();
}

/// Holds -2 x - 3 v of the samples; counts them.
class Feedback : public Sampler {
 public:
  int samples = 0;
  double next(double t) const override { return (std::floor(t / 0.1 + 1e-9) + 1.0) * 0.1; }
  void sample(State& state) override {
    ++samples;
    EXPECT_EQ(state.t(), std::round(state.t() / 0.1) * 0.1);
    state.data()[0] = -2.0 * state.q()[0] - 3.0 * state.v()[0];
  }
};

struct Ran {
  RunReport report;
  State state;
};
Ran run(const Scheme& scheme, std::shared_ptr<const System> system, SimulateOptions options) {
  SchemeOptions o;
  o.error_control = !options.step;
  o.tolerance = 1e-10;
  const auto plan = scheme.bind(system, o);
  Ran r;
  r.state = plan->new_state();
  r.report = simulate(scheme, *plan, r.state, options, {});
  return r;
}

TEST(Sampler, HoldsItsValueBetweenSamplesWithEveryScheme) {
  // x(k+1) = x + v h + u h^2/2, v(k+1) = v + u h, u = -2 x - 3 v: exact for a mass without spring.
  double x = 1.0, v = 0.0;
  for (int k = 0; k < 20; ++k) {
    const double u = -2.0 * x - 3.0 * v;
    x += 0.1 * v + 0.005 * u, v += 0.1 * u;
  }
  for (const char* name : {"runge_kutta_4", "dormand_prince", "generalized_alpha", "moreau_jean"})
    for (const std::optional<double> step : {std::optional<double>(0.01), std::optional<double>(0.03), std::optional<double>()}) {
      Feedback feedback;
      SimulateOptions options;
      options.until = 2.0, options.step = step, options.sampler = &feedback;
      const Scheme& scheme = *find_scheme(name);
      const Ran r = run(scheme, driven(0.0, 1.0, 0.0), options);
      ASSERT_EQ(r.report.status, RunStatus::done) << name << r.report.cause;
      EXPECT_EQ(feedback.samples, 21) << name;
      EXPECT_NEAR(r.state.q()[0], x, 1e-9) << name << " " << step.value_or(0.0);
      EXPECT_NEAR(r.state.v()[0], v, 1e-9) << name;
    }
}

TEST(Stop, EndsWhereAQuantityPassesANumberToTheLastDigits) {
  // u = cos(2 t) from 1: below 0.3 at acos(0.3) / 2; speed -2 sin(2 t) passes 0 at pi / 2.
  for (const bool either : {false, true}) {
    SimulateOptions options;
    options.until = 5.0;
    options.stop.push_back({[](const State& s) { return s.t() - 4.0; }, false, "late"});
    if (either) options.stop.push_back({[](const State& s) { return s.v()[0]; }, true, "turns"});
    else options.stop.push_back({[](const State& s) { return 0.3 - s.q()[0]; }, false, "low"});
    const Ran r = run(*find_scheme("dormand_prince"), driven(4.0, 1.0, 0.0), options);
    ASSERT_EQ(r.report.status, RunStatus::stopped) << r.report.cause;
    EXPECT_EQ(r.report.cause, either ? "turns" : "low");
    EXPECT_NEAR(r.report.t, either ? M_PI / 2.0 : std::acos(0.3) / 2.0, 1e-8);  // the run's tolerance
    if (!either) {
      EXPECT_LT(r.state.q()[0], 0.3);
      EXPECT_GT(r.state.q()[0], 0.3 - 1e-10);
    }
  }
}

TEST(Stop, IsMetAtTheStartAndMustCeaseBeforeItIsMetAgain) {
  SimulateOptions options;
  options.until = 1.0, options.step = 0.01;
  options.stop.push_back({[](const State& s) { return s.q()[0] - 0.5; }, false, "high"});
  const Ran r = run(*find_scheme("runge_kutta_4"), driven(4.0, 1.0, 0.0), options);
  EXPECT_EQ(r.report.status, RunStatus::stopped);
  EXPECT_EQ(r.report.steps, 0);
}

TEST(Memory, ThatRunsOutEndsTheRunAtTheLastStepThatWasRecorded) {
  for (const bool named : {false, true}) {
    const Scheme& scheme = *find_scheme("runge_kutta_4");
    const auto plan = scheme.bind(driven(4.0, 1.0, 0.0), {.error_control = false});
    State state = plan->new_state();
    int recorded = 0;
    const RunReport report = simulate(scheme, *plan, state, {.until = 1.0, .step = 0.1}, [&](const State&, const StepReport&) {
      if (recorded == 5 && named) throw MemoryError("the record needs 3 GB");
      if (recorded == 5) throw std::bad_alloc();
      return ++recorded > 0;
    });
    EXPECT_EQ(report.status, RunStatus::failed);
    EXPECT_NE(report.cause.find(named ? "the record needs 3 GB" : "the memory ran out"), std::string::npos) << report.cause;
    EXPECT_EQ(report.cause.find("bad_alloc"), std::string::npos);
    EXPECT_NEAR(report.t, 0.5, 1e-12);
    EXPECT_NE(report.cause.find("at t = 0.5 s"), std::string::npos) << report.cause;
  }
}

}  // namespace
}  // namespace saltus
