#include "saltus/integrate/error_norm.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/items/bodies/beam.hpp"
#include "saltus/items/bodies/point_mass.hpp"
#include "saltus/items/nodes/node_1d.hpp"
#include "saltus/items/nodes/node_ode1.hpp"

namespace saltus {
namespace {
using namespace testing_items;
constexpr double tolerance = 1e-6;

/// A body that turns and moves, a point, and a coordinate.
struct Moved {
  std::shared_ptr<const System> system;
  std::vector<double> y;

  explicit Moved(const Vec3<double>& at = {}) {
    SystemBuilder b;
    const int n = b.node("body", NodeRigid{.position = at}), p = b.node("point", NodePoint{.position = at}), c = b.node("c", Node1D{});
    b.object("body", RigidBody{.mass_value = 1.0, .inertia = identity<double>()}, {b.marker(n)});
    b.object("point", PointMass{.mass_value = 1.0}, {b.marker(p)});
    (void)c;
    system = b.finish();
    y = system->initial_y;
  }
};

/// Error over what is allowed, where a step from the start makes the displacement.
double share(const Moved& m, const std::vector<double>& displacement, const std::vector<double>& error) {
  ErrorNorm norm(*m.system);
  std::vector<double> memory(norm.memory_size(), 0.0), y = m.y;
  norm.begin(y.data(), memory.data());
  m.system->map.retract(y.data(), displacement.data());
  return norm.worst(memory.data(), y.data(), 1.0, tolerance, error.data(), nullptr, nullptr);
}

TEST(ErrorNorm, CountsAnErrorByTheRangeOfItsCoordinate) {
  const Moved m;
  const std::size_t nv = m.system->layout.nv;
  for (const double range : {1.0, 1e-3}) {
    std::vector<double> d(nv, 0.0), e(nv, 0.0);
    d[6] = range, e[6] = 1e-6 * range;  // the point
    EXPECT_NEAR(share(m, d, e), 1.0, 1e-6);
    d[0] = 1.0, d[9] = 10.0;  // beside larger ones
    EXPECT_NEAR(share(m, d, e), 1.0, 0.1);
  }
}

TEST(ErrorNorm, FindsThePaceOfASteadyMotionByItsSpeed) {
  const Moved m;
  ErrorNorm norm(*m.system);
  const std::size_t nv = m.system->layout.nv;
  std::vector<double> memory(norm.memory_size(), 0.0), y = m.y, d(nv, 0.0), none(nv, 0.0);
  for (const double noise : {0.0, 1e-12}) {
    y = m.y;
    y[m.system->layout.v_begin() + 5] = 3.0;  // turns by 3 rad/s
    norm.begin(y.data(), memory.data());
    d[5] = 1.0;
    m.system->map.retract(y.data(), d.data());
    y[m.system->layout.v_begin() + 5] += noise;
    (void)norm.worst(memory.data(), y.data(), 1.0, tolerance, none.data(), nullptr, nullptr);
    EXPECT_NEAR(norm.pace(), 1.0 / 3.0, 1e-9);
  }
}

TEST(ErrorNorm, FindsNoPaceInTheRoundingOfWhatDoesNotTurn) {
  const Moved m;
  ErrorNorm norm(*m.system);
  const std::size_t nv = m.system->layout.nv;
  std::vector<double> memory(norm.memory_size(), 0.0), y = m.y, d(nv, 0.0), none(nv, 0.0);
  norm.begin(y.data(), memory.data());
  d[0] = 0.1, d[5] = 1e-15;  // moves by 0.1 m at 2 m/s and is turned by rounding, at 1e-16 rad/s
  m.system->map.retract(y.data(), d.data());
  y[m.system->layout.v_begin()] = 2.0, y[m.system->layout.v_begin() + 5] = 1e-16;
  (void)norm.worst(memory.data(), y.data(), 1.0, tolerance, none.data(), nullptr, nullptr);
  EXPECT_NEAR(norm.pace(), 0.05, 1e-9);
}

TEST(ErrorNorm, CountsASmallMotionAcrossALargeOneByItself) {
  const Moved m;
  ErrorNorm norm(*m.system);
  const std::size_t nv = m.system->layout.nv;
  std::vector<double> memory(norm.memory_size(), 0.0), y = m.y, none(nv, 0.0);
  norm.begin(y.data(), memory.data());
  const int q = m.system->map.q_of_v[6];
  for (int i = 0; i <= 200; ++i) {  // along the diagonal by 100, across it by 1e-3
    y[q] = 0.5 * i + 1e-3 * std::sin(i), y[q + 1] = 0.5 * i - 1e-3 * std::sin(i);
    (void)norm.worst(memory.data(), y.data(), 1.0, tolerance, none.data(), nullptr, nullptr);
    norm.see(memory.data());
  }
  std::vector<double> along = none, across = none;
  along[6] = along[7] = 1e-6, across[6] = 1e-6, across[7] = -1e-6;
  const double a = norm.worst(memory.data(), y.data(), 1.0, tolerance, along.data(), nullptr, nullptr);
  const double b = norm.worst(memory.data(), y.data(), 1.0, tolerance, across.data(), nullptr, nullptr);
  EXPECT_NEAR(a, 0.01, 1e-3);
  EXPECT_GT(b, 100.0);  // the ellipsoid grows by steps and is somewhat too wide
  EXPECT_LT(b, 1001.0);
}

TEST(ErrorNorm, KnowsNoOriginNoAxisAndNoUnit) {
  const Moved m;
  const std::size_t nv = m.system->layout.nv;
  std::vector<double> d(nv, 0.0), e(nv, 0.0);
  for (std::size_t i = 0; i < nv; ++i) d[i] = std::sin(3.0 + 2.0 * static_cast<double>(i)), e[i] = 1e-6 * std::cos(7.0 * static_cast<double>(i));
  const double here = share(m, d, e);
  EXPECT_NEAR(share(Moved(Vec3<double>{{1e3, -2e3, 4e3}}), d, e), here, 1e-5 * here);
  // A quarter turn of the world takes x to y, y to -x: translations of world axes.
  std::vector<double> turned_d = d, turned_e = e;
  for (const std::size_t i : {std::size_t{0}, std::size_t{6}}) turned_d[i] = -d[i + 1], turned_d[i + 1] = d[i], turned_e[i] = -e[i + 1], turned_e[i + 1] = e[i];
  EXPECT_NEAR(share(m, turned_d, turned_e), here, 1e-9 * here);
  // Millimetres: translations and the coordinate alone.
  for (std::size_t i = 0; i < nv; ++i)
    if (i < 3 || i > 5) d[i] *= 1e3, e[i] *= 1e3;
  EXPECT_NEAR(share(m, d, e), here, 1e-5 * here);
}

TEST(ErrorNorm, KeepsTheRangeOfWhatDiedAway) {
  const Moved m;
  ErrorNorm norm(*m.system);
  const std::size_t nv = m.system->layout.nv;
  std::vector<double> memory(norm.memory_size(), 0.0), y = m.y, e(nv, 0.0);
  norm.begin(y.data(), memory.data());
  const int q = m.system->map.q_of_v[9];
  for (const double at : {1.0, 1e-12}) {
    y[q] = at;
    (void)norm.worst(memory.data(), y.data(), 1.0, tolerance, e.data(), nullptr, nullptr);
    norm.see(memory.data());
  }
  e[9] = 1e-7;
  EXPECT_NEAR(norm.worst(memory.data(), y.data(), 1.0, tolerance, e.data(), nullptr, nullptr), 0.1, 1e-6);
}

TEST(ErrorNorm, LeavesRoundingOfWhatRestsFarFromTheOrigin) {
  const Moved m(Vec3<double>{{1e6, 0.0, 0.0}});
  const std::size_t nv = m.system->layout.nv;
  std::vector<double> d(nv, 0.0), e(nv, 0.0);
  e[6] = 1e-10;  // a digit of 1e6
  EXPECT_LT(share(m, d, e), 1.0);
  e[6] = 1e-7;
  EXPECT_GT(share(m, d, e), 1.0);
}

TEST(ErrorNorm, MeasuresWhatBeginsByTheFirstStepThatShowsIt) {
  const Moved m;
  ErrorNorm norm(*m.system);
  const std::size_t nv = m.system->layout.nv;
  std::vector<double> memory(norm.memory_size(), 0.0), y = m.y, e(nv, 0.0);
  norm.begin(y.data(), memory.data());
  const int q = m.system->map.q_of_v[9];
  const auto attempt = [&](double displacement, double error) {
    y[q] = m.y[q] + displacement, e[9] = error;
    return norm.worst(memory.data(), y.data(), 1.0, tolerance, e.data(), nullptr, nullptr);
  };
  norm.foresee(attempt(100.0, 50.0), tolerance, memory.data());  // shows nothing
  const double wild = attempt(1e-4, 1e-9);
  EXPECT_NEAR(wild, 10.0, 1e-6);
  y[q] = m.y[q];
  norm.foresee(attempt(1.0, 1e-2), tolerance, memory.data());  // the motion comes to 1, about
  EXPECT_NEAR(attempt(1e-4, 1e-9), 1e-3, 1e-6);
}

TEST(ErrorNorm, AllowsWhatASchemeKnowsToBeNoise) {
  const Moved m;
  ErrorNorm norm(*m.system);
  const std::size_t nv = m.system->layout.nv;
  std::vector<double> memory(norm.memory_size(), 0.0), y = m.y, e(nv, 0.0), noise(nv, 0.0), feels(nv, 0.0);
  norm.begin(y.data(), memory.data());
  y[m.system->layout.v_begin() + 9] = 1.0;
  const auto velocity = [&](double h, const ErrorNorm::Given& given) { return norm.worst(memory.data(), y.data(), h, tolerance, nullptr, e.data(), nullptr, given); };
  e[9] = 3e-6, noise[9] = 2e-6;
  EXPECT_NEAR(velocity(1.0, {.noise = noise.data()}), 1.0, 1e-6);
  EXPECT_NEAR(velocity(1.0, {}), 3.0, 1e-6);
  // Rounding of positions over the step, as far as velocities feel it.
  y[m.system->map.q_of_v[9]] = 1e6;
  EXPECT_LT(velocity(1e-6, {}), 0.1);
  EXPECT_NEAR(velocity(1e-6, {.feels = feels.data()}), 3.0, 1e-6);
}

TEST(ErrorNorm, TellsThePaceOfFirstOrderStatesInAnyUnit) {
  // x = 1 - exp(-t / T): range over rate is T, whatever x is measured in.
  for (const double unit : {1.0, 1e-6}) {
    SystemBuilder b;
    (void)b.node("x", NodeOde1{});
    const auto system = b.finish();
    ErrorNorm norm(*system);
    std::vector<double> memory(norm.memory_size(), 0.0), y = system->initial_y;
    const double T = 0.2;
    norm.begin(y.data(), memory.data());
    for (int i = 1; i <= 100; ++i) {
      const double t = 0.02 * i, rate = unit / T * std::exp(-(t - 0.01) / T);
      y[0] = unit * (1.0 - std::exp(-t / T));
      (void)norm.worst(memory.data(), y.data(), 0.02, tolerance, nullptr, nullptr, nullptr, {.xdot = &rate});
      norm.see(memory.data());
    }
    EXPECT_NEAR(norm.pace(), T, 0.1 * T) << unit;
    EXPECT_NEAR(norm.age(), 2.0, 1e-12);
  }
}

TEST(ErrorNorm, ReadsTheTimeOfChangeFromVectorsNotFromTheirUnits) {
  const Moved m;
  ErrorNorm norm(*m.system);
  const std::size_t nv = m.system->layout.nv;
  std::vector<double> y = m.y, a(nv, 0.0);
  double* v = y.data() + m.system->layout.v_begin();
  a[6] = 3.0, a[7] = 4.0;
  EXPECT_TRUE(std::isinf(norm.time_of_change(y.data(), a.data(), nullptr)));  // from rest: unknown
  v[6] = 10.0;
  EXPECT_DOUBLE_EQ(norm.time_of_change(y.data(), a.data(), nullptr), 2.0);
  v[4] = 1.0, a[3] = 2.0;  // a rotation that changes sooner
  EXPECT_DOUBLE_EQ(norm.time_of_change(y.data(), a.data(), nullptr), 0.5);
}

TEST(ErrorNorm, CountsTheSectionsOfABeamByItsLargestMotion) {
  for (const bool beam : {true, false}) {
    SystemBuilder b;
    const int first = b.node("first", NodeRigid{}), second = b.node("second", NodeRigid{.position = {{1, 0, 0}}}), other = b.node("other", NodeRigid{.position = {{0, 5, 0}}});
    for (const int n : {first, second, other}) b.object("body", RigidBody{.mass_value = 1.0, .inertia = identity<double>()}, {b.marker(n)});
    Beam between;
    for (int i = 0; i < 6; ++i) between.stiffness(i, i) = 1.0;
    if (beam) b.object("beam", between, {b.marker(first), b.marker(second)});
    const auto system = b.finish();
    EXPECT_EQ(bends(*system), beam);
    ErrorNorm norm(*system, 1.0);
    const std::size_t nv = system->layout.nv;
    std::vector<double> memory(norm.memory_size(), 0.0), y = system->initial_y, d(nv, 0.0), e(nv, 0.0);
    norm.begin(y.data(), memory.data());
    d[0] = 1.0, d[3] = 0.5, d[6] = 1e-3, d[9] = 1e-3, d[12] = 1e-3;  // the second and the other hardly move
    for (int i = 0; i < system->layout.nv; ++i) y[system->layout.v_begin() + i] = d[i];
    system->map.retract(y.data(), d.data());
    const auto share = [&](std::size_t of, double error) {
      std::fill(e.begin(), e.end(), 0.0);
      e[of] = error;
      return norm.worst(memory.data(), y.data(), 1e-3, tolerance, e.data(), nullptr, nullptr);
    };
    for (const bool later : {false, true}) {  // what is in the memory counts alike
      EXPECT_NEAR(share(6, 1e-6), beam ? 1.0 : 1e3, beam ? 1e-2 : 1.0);
      EXPECT_NEAR(share(9, 0.5e-6), beam ? 1.0 : 500.0, beam ? 1e-2 : 1.0);
      EXPECT_NEAR(share(12, 1e-9), 1.0, 1e-2) << "a body beside the beam counts by its own motion";
      if (!later) norm.see(memory.data());
    }
    EXPECT_EQ(norm.share(1e-9) == 1.0, beam);
  }
}

}  // namespace
}  // namespace saltus
