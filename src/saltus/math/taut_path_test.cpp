// Taut ropes against closed forms, and their derivatives against differences.
#include "saltus/math/taut_path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace saltus {
namespace {
using std::numbers::pi;
using Frames = std::vector<RigidMotion<double>>;

RigidMotion<double> at(double x, double y, double z, const Vec3<double>& turn = {}) { return {{{x, y, z}}, rotation_exp(turn)}; }
constexpr RopeElement point{};
RopeElement sheave(double r, int turns = 0) { return {RopeOver::sheave, r, turns}; }

/// Gradient and curvature against central differences of the length and of the gradient.
void expect_derivatives(const TautPath& path, const Frames& frames, double tolerance = 1e-7) {
  const auto n = frames.size();
  std::vector<Vec6<double>> g(n), low(n), high(n);
  std::vector<double> K(36 * n * n);
  EXPECT_DOUBLE_EQ(path.gradient(frames, g.data()), path.length(frames));
  path.turning(frames, K.data());
  const double h = 1e-6;
  for (std::size_t j = 0; j < n; ++j)
    for (int c = 0; c < 6; ++c) {
      const auto moved = [&](double by) {
        Frames out = frames;
        Vec3<double> turn{};
        if (c < 3) out[j].p[c] += by;
        else turn[c - 3] = by;
        out[j].R = out[j].R * rotation_exp(turn);
        return out;
      };
      EXPECT_NEAR(g[j][c], (path.length(moved(h)) - path.length(moved(-h))) / (2 * h), tolerance) << j << " " << c;
      path.gradient(moved(h), high.data()), path.gradient(moved(-h), low.data());
      for (std::size_t i = 0; i < n; ++i)
        for (int r = 0; r < 6; ++r) EXPECT_NEAR(K[(6 * i + r) * 6 * n + 6 * j + c], (high[i][r] - low[i][r]) / (2 * h), 10 * tolerance) << i << " " << r << " " << j << " " << c;
    }
}

TEST(TautPath, WhatPassesASheaveAndLiesOnItHaveTheirDerivatives) {
  const TautPath rope({point, sheave(0.3), sheave(0.5, 1), point, point});
  const Frames f{at(1.0, 0.35, 0.02), at(0, 0, 0, {{0.1, -0.05, 0.3}}), at(2.0, 0.1, 0.05, {{-0.06, 0.08, 2.9}}), at(1.0, 0.9, 0.1), at(0.4, 2.0, 0.3)};
  for (const int on : {1, 2})
    for (const TautPath::Measure measure : {TautPath::Measure::slip, TautPath::Measure::wrap}) {
      ASSERT_TRUE(rope.over(measure, on).measures());
      expect_derivatives(rope.over(measure, on), f, 1e-6);
    }
  EXPECT_FALSE(rope.over(TautPath::Measure::wrap, 0).measures());
  EXPECT_FALSE(rope.over(TautPath::Measure::slip, 3).measures());
}

TEST(TautPath, ASheaveThatTurnsUnderAStillRopeIsPassedByItsRim) {
  const TautPath slip = TautPath({point, sheave(0.3), point}).over(TautPath::Measure::slip, 1), wrap = TautPath({point, sheave(0.3), point}).over(TautPath::Measure::wrap, 1);
  Frames f{at(0.3, -1, 0), at(0, 0, 0), at(-0.3, -2, 0)};
  const double before = slip.length(f);
  EXPECT_NEAR(wrap.length(f), pi, 1e-12);
  f[1].R = rotation_exp(Vec3<double>{{0, 0, 0.2}});  // with the rope: it stays behind
  EXPECT_NEAR(slip.length(f) - before, -0.3 * 0.2, 1e-12);
  f[0].p[1] += 0.1, f[2].p[1] -= 0.1;  // the rope goes on
  EXPECT_NEAR(slip.length(f) - before, 0.1 - 0.3 * 0.2, 1e-12);
}

TEST(TautPath, AnOpenAndACrossedBeltHaveTheirClosedLength) {
  // From a point right of a wheel around both: half a belt between the points on the line of centres' parallels.
  const double r = 0.3, R = 0.7, d = 2.0;
  for (const bool crossed : {false, true}) {
    const TautPath path({point, sheave(r), sheave(R), point});
    // It comes from the right at y = r, turns left around the first wheel, and goes on below; around the second it turns left to y = R, or crossed right to y = -R.
    const double alpha = std::asin((crossed ? R + r : R - r) / d), span = std::sqrt(d * d - (crossed ? (R + r) * (R + r) : (R - r) * (R - r)));
    const Frames f{at(1.0, r, 0), at(0, 0, 0), at(d, 0, 0, crossed ? Vec3<double>{{pi, 0, 0}} : Vec3<double>{}), at(1.0, crossed ? -R : R, 0)};
    const double length = 1.0 + r * (crossed ? pi + alpha : pi - alpha) + span + R * (pi + alpha) + (d - 1.0);
    EXPECT_NEAR(path.length(f), length, 1e-13) << crossed;
    EXPECT_TRUE(path.wrong(f).element < 0) << path.wrong(f).message;
    expect_derivatives(path, f);
  }
}

TEST(TautPath, ASkewCylinderIsWrappedByAHelix) {
  const TautPath path({point, {RopeOver::cylinder, 0.5}, point});
  const Frames f{at(3, 0.5, -1), at(0, 0, 0.4), at(-0.5, -2, 2)};
  const double flat = 3 + 0.5 * pi / 2 + 2;  // a quarter, unrolled with its spans
  EXPECT_NEAR(path.length(f), std::hypot(flat, 3.0), 1e-13);
  expect_derivatives(path, f);
}

TEST(TautPath, AGrooveKeepsTheRopeInItsPlane) {
  const TautPath path({point, sheave(0.5, 1), point});
  const Frames f{at(3, 0.5, -1), at(0, 0, 0.4), at(-2, 0.5, 2)};
  EXPECT_NEAR(path.length(f), std::hypot(3, 1.4) + 0.5 * 2 * pi + std::hypot(2, 1.6), 1e-13);
  expect_derivatives(path, f);
}

TEST(TautPath, SkewSheavesHoldTheRopeInTheirGrooves) {
  // Turned and shifted by hashed amounts up to 0.4: open and crossed, sheaves beside points and sheaves.
  unsigned seed = 1;
  const auto some = [&] { return (static_cast<double>((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0 - 0.5) * 0.8; };
  const auto skew = [&](double x, double y, const Vec3<double>& turn) {
    return RigidMotion<double>{{{x + 0.3 * some(), y + 0.3 * some(), some()}}, rotation_exp(Vec3<double>{{some(), some(), some()}}) * rotation_exp(turn)};
  };
  for (int i = 0; i < 30; ++i) {
    const bool crossed = i % 2 == 1;
    const TautPath path({point, sheave(0.3, i % 3), sheave(0.4), sheave(0.2), point});
    const Frames f{skew(1.0, 0.5, {}), skew(0, 0, {}), skew(2, 0, crossed ? Vec3<double>{{pi, 0, 0}} : Vec3<double>{}), skew(2, 2, {}), skew(0, 2, {})};
    ASSERT_TRUE(std::isfinite(path.length(f))) << i;
    expect_derivatives(path, f, 3e-7);
    Vec6<double> g[5];
    path.gradient(f, g);
    Vec3<double> force{}, moment{};
    for (int k = 0; k < 5; ++k) {
      const Vec3<double> pull{{g[k][0], g[k][1], g[k][2]}}, turn{{g[k][3], g[k][4], g[k][5]}};
      force += pull, moment += cross(f[k].p, pull) + f[k].R * turn;
    }
    EXPECT_LT(norm(force), 1e-13);  // a motion of all changes nothing
    EXPECT_LT(norm(moment), 1e-12);
  }
}

TEST(TautPath, ABeltTurnsAQuarterBetweenAxesThatCross) {
  // Off the first wheel below its axis z, onto the second, whose axis is along y, from below: the places are those of the centre's height.
  const TautPath path({point, sheave(0.3), sheave(0.2), point});
  const Frames f{at(2.0, 0.3, 0), at(0, 0, 0), at(3.0, -0.3, 0.2, {{pi / 2, 0, 0}}), at(0.0, -0.3, 0.4)};
  EXPECT_NEAR(path.length(f), 2.0 + 0.3 * pi + 3.0 + 0.2 * pi + 3.0, 1e-13);  // the middle planes meet in the span, which both are tangent to
  expect_derivatives(path, f);
}

TEST(TautPath, BesideAWrapASheaveHoldsTheRopeInItsGroove) {
  for (const RopeOver kind : {RopeOver::cylinder, RopeOver::sphere}) {
    const TautPath path({point, {kind, 0.2}, sheave(0.3), {kind, 0.2}, point});
    const Frames f{at(-2, 2, 0.2), at(-2, 1, 0.15, {{pi + 0.1, 0.1, 0}}), at(0, 0, 0.3, {{0.1, 0.2, 0}}), at(2, 0.6, 0.2, {{pi - 0.1, 0.1, 0}}), at(2, 2, 0)};
    ASSERT_TRUE(path.wrong(f).element < 0) << path.wrong(f).message;
    expect_derivatives(path, f, 2e-7);
    double highest = 0.0;
    for (const auto& corner : path.line(f))
      if (corner.element == 2) highest = std::max(highest, std::abs(dot(corner.p - f[2].p, f[2].R * Vec3<double>{{0, 0, 1}})));
    EXPECT_LT(highest, 1e-13);
  }
}

TEST(TautPath, AWrapThatIsOutOfTheWayChangesNothing) {
  const TautPath path({point, sheave(0.3, 1), {RopeOver::sphere, 0.2}, sheave(0.2), point}), without({point, sheave(0.3, 1), sheave(0.2), point});
  const Frames f{at(1.0, 0.4, 0.1), at(0, 0, 0.3, {{0.1, 0.2, 0}}), at(1, 3, 0), at(2, -0.3, 0.2, {{-0.1, 0.1, 0}}), at(1, 1, 0)};
  const Frames g{f[0], f[1], f[3], f[4]};
  EXPECT_NEAR(path.length(f), without.length(g), 1e-13);
  expect_derivatives(path, f, 2e-7);
}

TEST(TautPath, ABallIsWrappedInAPlane) {
  const TautPath path({point, {RopeOver::sphere, 0.5}, point});
  const Frames f{at(-2, 0.1, 0.2), at(0, 0, 0), at(1.5, 0.2, 0.1)};
  const Vec3<double> P = f[0].p, Q = f[2].p;
  const double angle = std::acos(dot(P, Q) / norm(P) / norm(Q)), a = norm(P), b = norm(Q);
  EXPECT_NEAR(path.length(f), std::sqrt(a * a - 0.25) + std::sqrt(b * b - 0.25) + 0.5 * (angle - std::acos(0.5 / a) - std::acos(0.5 / b)), 1e-14);
  expect_derivatives(path, f);
  const Frames free{at(-2, 0.1, 0.2), at(0, -3, 0), at(1.5, 0.2, 0.1)};
  EXPECT_DOUBLE_EQ(path.length(free), norm(free[2].p - free[0].p));  // it lifts off
  expect_derivatives(path, free);
}

TEST(TautPath, DerivativesOfManyWrapsInSpaceAreExact) {
  const TautPath path({point, sheave(0.2), sheave(0.3, 1), point, {RopeOver::sphere, 0.4}, {RopeOver::cylinder, 0.25}, point});
  const Frames f{at(-1, -2, 0.1, {{0.1, 0.2, 0.3}}), at(0, 0, 0, {{0.1, 0.2, 0.1}}), at(-1.2, 0.5, 0.1, {{-0.15, 0.1, 0.4}}), at(-2, -1, 0.5), at(-2.1, -2, 0.9), at(-1.2, -3.2, 0.7, {{0.2, -0.1, 0}}), at(0.5, -2.8, 0.2)};
  ASSERT_TRUE(path.wrong(f).element < 0) << path.wrong(f).message;
  expect_derivatives(path, f, 2e-7);
}

TEST(TautPath, FarFromTheOriginAndTurnedItHasTheSameLength) {
  const TautPath path({point, sheave(0.2), sheave(0.3), point});
  Frames f{at(-1, -2, 0.1), at(0, 0, 0), at(-1.2, 0.5, 0.1), at(-2, -1, 0.5)};
  const double length = path.length(f);
  const RigidMotion<double> move = at(1e5, -2e5, 3e5, {{1, 2, -0.5}});
  for (auto& x : f) x = move * x;
  EXPECT_NEAR(path.length(f), length, 1e-9);
}

TEST(TautPath, ItsLineIsAsLongAsItIs) {
  const TautPath path({point, sheave(0.2), sheave(0.3, 1), point, {RopeOver::sphere, 0.4}, {RopeOver::cylinder, 0.25}, point});
  const Frames f{at(-1, -2, 0.1), at(0, 0, 0, {{0.1, 0.2, 0.1}}), at(-1.2, 0.5, 0.1, {{-0.15, 0.1, 0.4}}), at(-2, -1, 0.5), at(-2.1, -2, 0.9), at(-1.2, -3.2, 0.7), at(0.5, -2.8, 0.2)};
  const auto corners = path.line(f);
  double length = 0.0;
  for (std::size_t i = 1; i < corners.size(); ++i) length += norm(corners[i].p - corners[i - 1].p);
  EXPECT_NEAR(length, path.length(f), 2e-3 * length);  // chords of ten degrees
  EXPECT_LT(length, path.length(f));
}

TEST(TautPath, SaysWhichElementIsWrong) {
  EXPECT_EQ(TautPath({point, sheave(0.5), point}).wrong(Frames{at(0.1, 0, 0), at(0, 0, 0), at(3, 0, 0)}).element, 1);
  EXPECT_EQ(TautPath({point, sheave(0.5), sheave(0.2), point}).wrong(Frames{at(-2, 0, 0), at(0, 0, 0), at(0.1, 0, 0), at(3, 0, 0)}).element, 1);
  EXPECT_NE(TautPath({point, sheave(0.1), point}).wrong(Frames{at(-2, 0, 0), at(0, 1, 0), at(2, 0, 0)}).message.find("not touched"), std::string::npos);
  EXPECT_TRUE(std::isnan(TautPath({point, sheave(0.5), point}).length(Frames{at(0.1, 0, 0), at(0, 0, 0), at(3, 0, 0)})));
}

}  // namespace
}  // namespace saltus
