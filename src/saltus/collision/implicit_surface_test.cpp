#include "saltus/collision/implicit_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "saltus/collision/queries.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

std::string fault;

Shape solid(const std::string& d, const Vec3<double>& half = {{3.0, 3.0, 3.0}}) {
  Faults faults;
  const Function f = Function::parse({d}, {"x", "y", "z"}, {}, {}, "distance", faults);
  EXPECT_EQ(faults.errors(), 0);
  fault.clear();
  return {.kind = ShapeKind::implicit_surface, .half = half, .implicit = ImplicitSurface::of(f, half, fault)};
}

struct Random {
  std::mt19937 engine{7};
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3<double> vector(double size) { return {{(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}}; }
  Pose pose(double far) { return {vector(far), rotation_exp(vector(3.0))}; }
};

Pose times(const Pose& A, const Pose& B) { return {A.p + A.R * B.p, A.R * B.R}; }

const ContactPoint& deepest(const ContactPoints& points) {
  int best = 0;
  for (int i = 1; i < points.count; ++i)
    if (points.point[i].gap < points.point[best].gap) best = i;
  return points.point[best];
}

TEST(ImplicitSurface, ABallOnASphereATorusAndAnEllipsoidHasTheGapOfTheClosedForm) {
  Random random;
  const double R = 1.0, r = 0.3, ball = 0.2;
  const Shape torus = solid("(sqrt(x^2 + y^2) - 1)^2 + z^2 - 0.3^2"), sphere = solid("x^2 + y^2 + z^2 - 1"), of_ellipsoid = solid("(x/1.2)^2 + (y/0.9)^2 + (z/0.7)^2 - 1");
  const Shape ellipsoid{ShapeKind::ellipsoid, 0.0, {{1.2, 0.9, 0.7}}}, b{ShapeKind::sphere, ball};
  for (int i = 0; i < 300; ++i) {
    const Pose A = random.pose(2.0);
    const Vec3<double> way = random.vector(1.0), n = way * (1.0 / norm(way));
    const double gap = random(-0.1, 0.2);
    const auto check = [&](const Shape& a, const Vec3<double>& foot, const Vec3<double>& normal) {
      const ContactPoints points = contact_points(a, A, b, times(A, {foot + normal * (ball + gap)}), 0.3);
      ASSERT_GE(points.count, 1) << i;
      const ContactPoint& p = deepest(points);
      EXPECT_NEAR(p.gap, gap, 1e-12);
      EXPECT_LT(norm(p.normal - A.R * normal), 1e-9);
      EXPECT_LT(norm(p.on_A - (A.p + A.R * foot)), 1e-9);
      EXPECT_LT(norm(p.on_B - p.on_A - p.normal * gap), 1e-11);
    };
    check(sphere, n, n);
    const double around = random(-3.0, 3.0), over = random(-3.0, 3.0);
    const Vec3<double> out{{std::cos(over) * std::cos(around), std::cos(over) * std::sin(around), std::sin(over)}};
    check(torus, Vec3<double>{{R * std::cos(around), R * std::sin(around), 0.0}} + out * r, out);
    const Pose B = times(A, {n * 1.45});
    const ContactPoint exact = nearest_points(ellipsoid, A, b, B);
    const ContactPoint found = nearest_points(of_ellipsoid, A, b, B);
    EXPECT_NEAR(found.gap, exact.gap, 1e-10);
    EXPECT_LT(norm(found.normal - exact.normal), 1e-8);
  }
}

TEST(ImplicitSurface, ABallInATrenchNarrowerThanItselfTouchesBothSides) {
  const Shape trench = solid("z - 0.5*x^2");  // radius of curvature 1 at the bottom
  const double ball = 1.25;                   // touches at x = +-a: height a^2/2 + 1, radius sqrt(1 + a^2)
  const double a = std::sqrt(ball * ball - 1.0), height = 0.5 * a * a + 1.0;
  const ContactPoints points = contact_points(trench, {}, {ShapeKind::sphere, ball}, {{{0.0, 0.4, height}}}, 1e-6);
  ASSERT_EQ(points.count, 2);
  for (int i : {0, 1}) {
    EXPECT_NEAR(points.point[i].gap, 0.0, 1e-12);
    EXPECT_NEAR(std::abs(points.point[i].on_A[0]), a, 1e-9);
    EXPECT_NEAR(points.point[i].on_A[1], 0.4, 1e-9);
  }
  EXPECT_NE(points.point[0].feature, points.point[1].feature);
}

TEST(ImplicitSurface, BoxesHullsAndCapsulesTouchAPlaneAsTheyTouchAPlane) {
  Random random;
  const Shape formula = solid("z - 0.1"), plane{ShapeKind::plane};
  const std::vector<Vec3<double>> corners{{{0.3, 0.0, 0.0}}, {{-0.2, 0.2, 0.0}}, {{-0.1, -0.3, 0.0}}, {{0.0, 0.0, 0.4}}};
  const Shape hull{.kind = ShapeKind::hull, .hull = std::make_shared<const Hull>(*convex_hull(corners))};
  for (const Shape& b : {Shape{ShapeKind::box, 0.0, {{0.3, 0.2, 0.1}}}, hull, Shape{ShapeKind::capsule, 0.1, {{0.0, 0.0, 0.3}}}})
    for (int i = 0; i < 100; ++i) {
      const Pose B{{{random(-1, 1), random(-1, 1), random(0.2, 0.5)}}, rotation_exp(random.vector(3.0))};
      const ContactPoints a = contact_points(formula, {}, b, B, 0.2), c = contact_points(plane, {{{0.0, 0.0, 0.1}}}, b, B, 0.2);
      ASSERT_GE(a.count, c.count);  // of hulls the plane takes those of the lowest face alone
      if (a.count > 0) {
        EXPECT_NEAR(deepest(a).gap, deepest(c).gap, 1e-13);
      }
    }
}

TEST(ImplicitSurface, ABumpTouchesTheMiddleOfAFaceOfAnEdgeAndOfACapsule) {
  const Shape bump = solid("z + 0.5*((x - 0.1)^2 + (y - 0.05)^2)");
  const auto lowest = [&](const Shape& b, const Pose& B) { return deepest(contact_points(bump, {}, b, B, 0.05)); };
  const ContactPoint face = lowest({ShapeKind::box, 0.0, {{0.5, 0.5, 0.1}}}, {{{0.0, 0.0, 0.11}}});
  EXPECT_NEAR(face.gap, 0.01, 1e-12);
  EXPECT_LT(norm(face.on_A - Vec3<double>{{0.1, 0.05, 0.0}}), 1e-9);
  const double side = 0.1 * std::sqrt(2.0);
  const ContactPoint edge = lowest({ShapeKind::box, 0.0, {{0.5, 0.1, 0.1}}}, {{{0.0, 0.05, side + 0.01}}, rotation_exp(Vec3<double>{{M_PI / 4.0, 0.0, 0.0}})});
  EXPECT_NEAR(edge.gap, 0.01, 1e-12);
  EXPECT_NEAR(edge.on_B[0], 0.1, 1e-9);
  const ContactPoint capsule = lowest({ShapeKind::capsule, 0.1, {{0.0, 0.0, 0.5}}}, {{{0.0, 0.05, 0.11}}, rotation_exp(Vec3<double>{{0.0, M_PI / 2.0, 0.0}})});
  EXPECT_NEAR(capsule.gap, 0.01, 1e-12);
  EXPECT_NEAR(capsule.on_B[0], 0.1, 1e-9);
}

TEST(ImplicitSurface, AFormulaWithoutASurfaceOrWithoutANumberIsNoShape) {
  EXPECT_FALSE(solid("x^2 + 1").implicit);
  EXPECT_EQ(fault, "is nowhere negative in its box: nothing is solid");
  EXPECT_FALSE(solid("-1 - x^2").implicit);
  EXPECT_EQ(fault, "is negative in all of its box: nothing is free");
  EXPECT_FALSE(solid("log(x)").implicit);
  EXPECT_EQ(fault, "is not a finite number at (-3, -3, -3)");
}

}  // namespace
}  // namespace saltus
