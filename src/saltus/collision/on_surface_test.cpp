// Cylinders, cones, ellipsoids and meshes inside of what is hollow and on formulas, against a search over their surfaces and against convex pairs.
#include "saltus/collision/on_surface.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "saltus/collision/implicit_surface.hpp"
#include "saltus/collision/queries.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

struct Random {
  std::mt19937 engine{11};
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3<double> vector(double size) { return {{(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}}; }
  Pose pose(double far) { return {vector(far), rotation_exp(vector(3.0))}; }
};

Shape solid(const std::string& d, const Vec3<double>& half = {{3.0, 3.0, 3.0}}) {
  Faults faults;
  std::string fault;
  const Function f = Function::parse({d}, {"x", "y", "z"}, {}, {}, "distance", faults);
  return {.kind = ShapeKind::implicit_surface, .half = half, .implicit = ImplicitSurface::of(f, half, fault)};
}

Shape mesh_of(const std::vector<Vec3<double>>& points, const std::vector<int>& corners) {
  std::string wrong;
  return {.kind = ShapeKind::mesh, .mesh = std::make_shared<const TriangleMesh>(*triangle_mesh(points, corners, wrong))};
}
const Shape cylinder{ShapeKind::cylinder, 0.25, {{0.0, 0.0, 0.2}}}, cone{ShapeKind::cone, 0.3, {{0.1, 0.0, 0.3}}}, ellipsoid{ShapeKind::ellipsoid, 0.0, {{0.35, 0.2, 0.1}}};
const Shape wedge = mesh_of({{{0.3, 0, -0.1}}, {{-0.2, 0.25, -0.1}}, {{-0.1, -0.3, -0.1}}, {{0, 0.05, 0.3}}}, {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3});

/// The places of a shape by the number of a part and two numbers from 0 to 1.
std::pair<int, std::function<Vec3<double>(int, double, double)>> places(const Shape& b) {
  const auto ring = [](double r, double a, double z) { return Vec3<double>{{r * std::cos(2.0 * M_PI * a), r * std::sin(2.0 * M_PI * a), z}}; };
  if (b.kind == ShapeKind::cylinder) return {3, [=](int part, double s, double t) { return part == 2 ? ring(b.radius, s, b.half[2] * (2.0 * t - 1.0)) : ring(b.radius * t, s, part ? b.half[2] : -b.half[2]); }};
  if (b.kind == ShapeKind::cone) return {2, [=](int part, double s, double t) { return part ? ring(b.radius * t, s, b.half[2] - t * (b.half[0] + b.half[2])) : ring(b.radius * t, s, -b.half[0]); }};
  if (b.kind == ShapeKind::ellipsoid)
    return {1, [=](int, double s, double t) {
      const Vec3<double> u = ring(std::sin(M_PI * t), s, std::cos(M_PI * t));
      return Vec3<double>{{b.half[0] * u[0], b.half[1] * u[1], b.half[2] * u[2]}};
    }};
  return {4, [=](int part, double s, double t) {
    const auto& m = *b.mesh;
    const auto corner = [&](int i) { return m.points[m.triangles[part].v[i]]; };
    return corner(0) + ((corner(1) - corner(0)) * (1.0 - s) + (corner(2) - corner(0)) * s) * t;
  }};
}

/// The least d over the surface of B at a pose in the axes of d: a grid that closes in.
double least(const std::function<double(const Vec3<double>&)>& d, const Shape& b, const Pose& B) {
  const auto [parts, place] = places(b);
  double best = HUGE_VAL;
  for (int part = 0; part < parts; ++part) {
    double s0 = 0.5, t0 = 0.5, ds = 0.5, dt = 0.5, found = HUGE_VAL;
    for (int pass = 0; pass < 45; ++pass, ds *= pass == 1 ? 0.15 : 0.6, dt *= pass == 1 ? 0.15 : 0.6) {
      const int n = pass == 0 ? 50 : 6;
      double s1 = s0, t1 = t0;
      for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j) {
          const double s = s0 + ds * i / n, t = std::clamp(t0 + dt * j / n, 0.0, 1.0);
          if (b.kind == ShapeKind::mesh && (s < 0.0 || s > 1.0)) continue;
          if (const double value = d(B.p + B.R * place(part, s, t)); value < found) found = value, s1 = s, t1 = t;
        }
      s0 = s1, t0 = t1;
    }
    best = std::min(best, found);
  }
  return best;
}

void expect_consistent(const ContactPoints& points) {
  for (int i = 0; i < points.count; ++i) {
    const ContactPoint& p = points.point[i];
    EXPECT_NEAR(norm(p.normal), 1.0, 1e-13);
    EXPECT_LT(norm(p.on_B - p.on_A - p.normal * p.gap), 1e-11);
    for (int j = 0; j < i; ++j) EXPECT_NE(p.feature, points.point[j].feature);
  }
}
double smallest_gap(const ContactPoints& points) {
  double gap = HUGE_VAL;
  for (int i = 0; i < points.count; ++i) gap = std::min(gap, points.point[i].gap);
  return gap;
}
Pose times(const Pose& A, const Pose& B) { return {A.p + A.R * B.p, A.R * B.R}; }

TEST(OnSurface, InsideOfWhatIsHollowTheGapIsThatOfTheFarthestPlace) {
  Random random;
  for (const ShapeKind kind : {ShapeKind::hollow_sphere, ShapeKind::hollow_cylinder})
    for (const Shape& b : {cylinder, cone, ellipsoid, wedge})
      for (int i = 0; i < 40; ++i) {
        const Shape a{kind, 1.0, {}};
        const Pose A = random.pose(2.0), B = random.pose(0.4);
        const auto d = [&](const Vec3<double>& x) { return 1.0 - (kind == ShapeKind::hollow_cylinder ? std::hypot(x[0], x[1]) : norm(x)); };
        const ContactPoints points = contact_points(a, A, b, times(A, B), 1e9), turned = contact_points(b, times(A, B), a, A, 1e9);
        EXPECT_NEAR(smallest_gap(points), least(d, b, B), 1e-9) << static_cast<int>(b.kind) << " " << i;
        expect_consistent(points);
        ASSERT_EQ(turned.count, points.count);
        for (int k = 0; k < points.count; ++k) EXPECT_LT(norm(turned.point[k].normal + points.point[k].normal), 1e-15);
      }
}

TEST(OnSurface, OnAFormulaTheGapIsThatOfTheNearestPlace) {
  Random random;
  const Shape torus = solid("sqrt((sqrt(x^2 + y^2 + 1e-300) - 1)^2 + z^2 + 1e-300) - 0.3"), ball = solid("sqrt(x^2 + y^2 + z^2 + 1e-300) - 1"), round{ShapeKind::sphere, 1.0};
  const auto d = [](const Vec3<double>& x) { return std::hypot(std::hypot(x[0], x[1]) - 1.0, x[2]) - 0.3; };
  for (const Shape& b : {cylinder, cone, ellipsoid, wedge}) {
    int near = 0;
    for (int i = 0; i < 150; ++i) {
      const Pose A = random.pose(2.0), B = random.pose(1.6);
      const double gap = least(d, b, B);
      if (gap < 0.0) continue;
      const ContactPoints points = contact_points(torus, A, b, times(A, B), 0.5);
      expect_consistent(points);
      if (gap < 0.5) {
        EXPECT_NEAR(smallest_gap(points), gap, 1e-8) << static_cast<int>(b.kind) << " " << i;
        ++near;
      }
      const double other = least([](const Vec3<double>& x) { return norm(x) - 1.0; }, b, B);
      if (other < 0.0 || other > 1.0) continue;
      const double on_ball = smallest_gap(contact_points(ball, A, b, times(A, B), 1.0));
      EXPECT_NEAR(on_ball, other, 1e-8) << static_cast<int>(b.kind) << " " << i;
      if (b.kind != ShapeKind::mesh) {
        EXPECT_NEAR(on_ball, nearest_points(round, A, b, times(A, B)).gap, 1e-9) << static_cast<int>(b.kind) << " " << i;
      }
    }
    EXPECT_GT(near, 40);
  }
}

TEST(OnSurface, ALidThatLiesFlatHasEightPointsAndALyingOneBothEnds) {
  const Shape floor = solid("z"), drum{ShapeKind::hollow_cylinder, 1.0};
  const ContactPoints standing = contact_points(floor, {}, cylinder, {{{0.0, 0.0, 0.2}}}, 1e-9);
  EXPECT_EQ(standing.count, 8);
  const ContactPoints lying = contact_points(floor, {}, cylinder, {{{0.0, 0.0, 0.25}}, rotation_exp(Vec3<double>{{0.5 * M_PI, 0.0, 0.0}})}, 1e-9);
  EXPECT_EQ(lying.count, 2);
  EXPECT_EQ(contact_points(floor, {}, cylinder, {{{0.0, 0.0, 0.199}}}, -9e-4).count, 8);  // asked for what overlaps by more
  const ContactPoints inside = contact_points(drum, {}, cylinder, {{{0.75, 0.0, 0.0}}}, 1e-9);
  ASSERT_EQ(inside.count, 2);
  for (int i : {0, 1}) EXPECT_LT(norm(inside.point[i].normal - Vec3<double>{{-1.0, 0.0, 0.0}}), 1e-12);
  const ContactPoints piston = contact_points(drum, {}, {ShapeKind::cylinder, 1.0, {{0.0, 0.0, 0.2}}}, {}, 1e-9);
  EXPECT_EQ(piston.count, 16);
}

TEST(OnSurface, ABumpTouchesTheMiddleOfALidAndOfASideBetweenTwoBumpsBoth) {
  const Shape bump = solid("z + 0.5*(x^2 + y^2)"), two = solid("z + 0.5*((abs(x) - 0.3)^2 + y^2)");
  const ContactPoints lid = contact_points(bump, {}, cylinder, {{{0.03, 0.0, 0.2}}}, 1e-9);
  ASSERT_EQ(lid.count, 1);
  EXPECT_LT(norm(lid.point[0].on_A), 1e-9);
  const Shape rod{ShapeKind::cylinder, 0.1, {{0.0, 0.0, 0.6}}};
  const ContactPoints side = contact_points(two, {}, rod, {{{0.0, 0.0, 0.1}}, rotation_exp(Vec3<double>{{0.0, 0.5 * M_PI, 0.0}})}, 1e-9);
  ASSERT_EQ(side.count, 2);
  for (int i : {0, 1}) EXPECT_NEAR(std::abs(side.point[i].on_A[0]), 0.3, 1e-9);
}

TEST(OnSurface, AnEllipsoidThatFitsASphereTouchesItAtBothEndsAndAFlatOneAllAround) {
  const Shape bowl{ShapeKind::hollow_sphere, 1.0};
  EXPECT_EQ(contact_points(bowl, {}, {ShapeKind::ellipsoid, 0.0, {{1.0, 0.5, 0.3}}}, {}, 1e-9).count, 2);
  EXPECT_GE(contact_points(bowl, {}, {ShapeKind::ellipsoid, 0.0, {{1.0, 1.0, 0.3}}}, {}, 1e-9).count, 8);
}

}  // namespace
}  // namespace saltus
