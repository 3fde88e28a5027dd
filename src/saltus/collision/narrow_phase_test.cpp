// Gaps, normals and points of contact against closed forms and a search over the surfaces.
#include <gtest/gtest.h>

#include <random>

#include "saltus/collision/narrow_phase.hpp"
#include "saltus/collision/queries.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

Shape sphere(double r) { return {ShapeKind::sphere, r, {}}; }
Shape capsule(double r, double length) { return {ShapeKind::capsule, r, {{0, 0, 0.5 * length}}}; }
Shape cylinder(double r, double length) { return {ShapeKind::cylinder, r, {{0, 0, 0.5 * length}}}; }
Shape box(double x, double y, double z) { return {ShapeKind::box, 0.0, {{0.5 * x, 0.5 * y, 0.5 * z}}}; }
const Shape plane{ShapeKind::plane, 0.0, {}};

Pose at(const Vec3<double>& p, const Vec3<double>& turn = {}) { return {p, rotation_exp(turn)}; }
double smallest_gap(const ContactPoints& points) {
  double g = 1e300;
  for (int i = 0; i < points.count; ++i) g = std::min(g, points.point[i].gap);
  return g;
}
/// What holds of any contact point: unit normal, the points one gap apart along it.
void expect_consistent(const ContactPoints& points) {
  for (int i = 0; i < points.count; ++i) {
    const ContactPoint& p = points.point[i];
    EXPECT_NEAR(norm(p.normal), 1.0, 1e-14);
    EXPECT_LT(norm(p.on_B - p.on_A - p.normal * p.gap), 1e-13);
  }
}

TEST(NarrowPhase, GapsToATiltedPlaneAreHeightsOfTheLowestPoint) {
  const Pose tilted = at({{0.3, -0.2, 0.5}}, {{0.4, -0.3, 0.9}});
  const Vec3<double> n{{tilted.R(0, 2), tilted.R(1, 2), tilted.R(2, 2)}};
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int trial = 0; trial < 50; ++trial) {
    const Pose body = at({{unit(engine), unit(engine), unit(engine)}}, {{2 * unit(engine), 2 * unit(engine), 2 * unit(engine)}});
    const double height = dot(n, body.p - tilted.p);
    double along[3];
    for (int i = 0; i < 3; ++i) along[i] = std::abs(n[0] * body.R(0, i) + n[1] * body.R(1, i) + n[2] * body.R(2, i));
    const double lowest_box = height - 0.1 * along[0] - 0.2 * along[1] - 0.3 * along[2];
    const double lowest_capsule = height - 0.25 * along[2] - 0.1;
    const double lowest_cylinder = height - 0.25 * along[2] - 0.1 * std::sqrt(1.0 - along[2] * along[2]);
    for (const auto& [shape, lowest] : {std::pair{box(0.2, 0.4, 0.6), lowest_box}, {capsule(0.1, 0.5), lowest_capsule}, {cylinder(0.1, 0.5), lowest_cylinder}, {sphere(0.3), height - 0.3}}) {
      const ContactPoints points = contact_points(plane, tilted, shape, body, 1e9);
      EXPECT_NEAR(smallest_gap(points), lowest, 1e-14);
      expect_consistent(points);
      const ContactPoints turned = contact_points(shape, body, plane, tilted, 1e9);
      ASSERT_EQ(turned.count, points.count);
      expect_consistent(turned);
      for (std::size_t i = 0; i < static_cast<std::size_t>(points.count); ++i) EXPECT_LT(norm(turned.point[i].normal + points.point[i].normal), 1e-15);
    }
  }
}

TEST(NarrowPhase, AStandingCylinderLiesOnEightPointsThatStayWhereTheyAreInItAsItTilts) {
  for (const double end : {1.0, -1.0}) {
    const Pose standing = at({{0, 0, 0.25}}, {{end < 0.0 ? M_PI : 0.0, 0, 0}});
    const ContactPoints flat = contact_points(plane, {}, cylinder(0.1, 0.5), standing, 1e-12);
    ASSERT_EQ(flat.count, 8);
    Vec3<double> sum{};
    for (int i = 0; i < 8; ++i) sum = sum + flat.point[i].on_B;
    EXPECT_LT(norm(sum), 1e-15);  // around the centre
    for (const double direction : {0.1, 1.0, 2.5}) {
      const double tilt = 1e-5;
      const Pose leaning = at({{0, 0, 0.25}}, {{(end < 0.0 ? M_PI : 0.0) + tilt * std::cos(direction), tilt * std::sin(direction) * (end < 0.0 ? 0.0 : 1.0), 0}});
      const double along = std::abs(leaning.R(2, 2)), lowest = 0.25 - 0.25 * along - 0.1 * std::sqrt(1.0 - along * along);
      const ContactPoints points = contact_points(plane, {}, cylinder(0.1, 0.5), leaning, 1e-4);
      EXPECT_NEAR(smallest_gap(points), lowest, 1.1e-10);
      int same = 0;
      for (int i = 0; i < points.count; ++i)
        for (int k = 0; k < 8; ++k) same += points.point[i].feature == flat.point[k].feature && norm(points.point[i].on_B - flat.point[k].on_B) < 1e-5;
      EXPECT_EQ(same, 8);
    }
  }
}

/// Smallest distance of two segments by a search over a grid that closes in.
double searched(const Pose& A, double a, const Pose& B, double b) {
  double s0 = 0.0, t0 = 0.0, ds = a, dt = b, best = 1e300;
  for (int pass = 0; pass < 60; ++pass, ds *= 0.6, dt *= 0.6) {
    double s1 = s0, t1 = t0;
    for (int i = -8; i <= 8; ++i)
      for (int j = -8; j <= 8; ++j) {
        const double s = std::clamp(s0 + ds * i / 8, -a, a), t = std::clamp(t0 + dt * j / 8, -b, b);
        const double d = norm(B.p + B.R * Vec3<double>{{0, 0, t}} - A.p - A.R * Vec3<double>{{0, 0, s}});
        if (d < best) best = d, s1 = s, t1 = t;
      }
    s0 = s1, t0 = t1;
  }
  return best;
}

TEST(NarrowPhase, CapsulesAreAsFarApartAsTheirSegments) {
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int trial = 0; trial < 60; ++trial) {
    const auto random = [&] { return Vec3<double>{{unit(engine), unit(engine), unit(engine)}}; };
    const Pose A = at(random(), 2.0 * random()), B = at(random(), 2.0 * random());
    const ContactPoints points = contact_points(capsule(0.05, 1.0), A, capsule(0.07, 0.6), B, 1e9);
    EXPECT_NEAR(smallest_gap(points), searched(A, 0.5, B, 0.3) - 0.12, 1e-9);
    expect_consistent(points);
    EXPECT_NEAR(smallest_gap(contact_points(sphere(0.05), A, capsule(0.07, 0.6), B, 1e9)), searched(A, 0.0, B, 0.3) - 0.12, 1e-9);
    EXPECT_NEAR(smallest_gap(contact_points(capsule(0.05, 1.0), A, sphere(0.07), B, 1e9)), searched(A, 0.5, B, 0.0) - 0.12, 1e-9);
  }
}

TEST(NarrowPhase, CapsulesSideBySideTouchAtBothEndsOfTheirOverlap) {
  const ContactPoints points = contact_points(capsule(0.1, 1.0), at({}), capsule(0.1, 1.0), at({{0.2, 0, 0.6}}), 1e-12);
  ASSERT_EQ(points.count, 2);
  EXPECT_NEAR(points.point[0].on_A[2], 0.1, 1e-15);
  EXPECT_NEAR(points.point[1].on_A[2], 0.5, 1e-15);
  // In line they meet at their ends.
  EXPECT_NEAR(smallest_gap(contact_points(capsule(0.1, 1.0), at({}), capsule(0.1, 1.0), at({{0, 0, 1.3}}), 1.0)), 0.1, 1e-15);
}

TEST(NarrowPhase, ASphereMeetsFacesEdgesAndCornersOfASolid) {
  const double r = 0.1;
  const auto gap = [&](const Shape& solid, const Vec3<double>& p) { return smallest_gap(contact_points(solid, at({}), sphere(r), at(p), 1e9)); };
  const Shape b = box(2, 2, 2), c = cylinder(1, 2);
  EXPECT_NEAR(gap(b, {{0.5, 0.5, 1.5}}), 0.5 - r, 1e-15);
  EXPECT_NEAR(gap(b, {{1.3, 0, 1.4}}), 0.5 - r, 1e-15);
  EXPECT_NEAR(gap(b, {{2, 2, 2}}), std::sqrt(3.0) - r, 1e-15);
  EXPECT_NEAR(gap(b, {{0.8, 0, 0}}), -0.2 - r, 1e-15);  // inside
  EXPECT_NEAR(gap(c, {{0, 0.5, 1.5}}), 0.5 - r, 1e-15);
  EXPECT_NEAR(gap(c, {{1.3, 0, 1.4}}), 0.5 - r, 1e-15);
  EXPECT_NEAR(gap(c, {{0, 1.25, 0}}), 0.25 - r, 1e-15);
  EXPECT_NEAR(gap(c, {{0.9, 0, 0.2}}), -0.1 - r, 1e-15);
  for (const Shape& solid : {b, c})
    for (const Vec3<double>& p : {Vec3<double>{{1.3, 0.2, 1.4}}, Vec3<double>{{0.3, 0.1, 0.9}}, Vec3<double>{}}) {
      expect_consistent(contact_points(solid, at({}), sphere(r), at(p), 1e9));
      expect_consistent(contact_points(sphere(r), at(p), solid, at({}), 1e9));
    }
}

TEST(NarrowPhase, SaysWhichPairsItKnows) {
  EXPECT_TRUE(can_touch(ShapeKind::plane, ShapeKind::cylinder) && can_touch(ShapeKind::box, ShapeKind::plane));
  EXPECT_TRUE(can_touch(ShapeKind::capsule, ShapeKind::sphere) && can_touch(ShapeKind::box, ShapeKind::sphere));
  EXPECT_TRUE(can_touch(ShapeKind::box, ShapeKind::box) && can_touch(ShapeKind::hull, ShapeKind::cone));
  EXPECT_FALSE(can_touch(ShapeKind::plane, ShapeKind::plane));
}

TEST(NarrowPhase, InsideOfWhatIsHollowTheFarthestPointIsTheNearest) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const std::vector<Vec3<double>> given{{{-0.2, -0.1, -0.1}}, {{0.3, 0, 0}}, {{0, 0.2, 0.1}}, {{0.1, -0.1, 0.3}}, {{0, 0.1, -0.2}}};
  const Hull hull = *convex_hull(given);
  for (const ShapeKind kind : {ShapeKind::hollow_sphere, ShapeKind::hollow_cylinder})
    for (int trial = 0; trial < 50; ++trial) {
      const Shape a{kind, 1.5, {}};
      const Pose A = at({{unit(engine), unit(engine), unit(engine)}}, {{2 * unit(engine), 2 * unit(engine), 2 * unit(engine)}});
      const Pose B = at(A.p + Vec3<double>{{unit(engine), unit(engine), unit(engine)}}, {{2 * unit(engine), 2 * unit(engine), 2 * unit(engine)}});
      const auto far = [&](const Vec3<double>& local) {  // of a point of B from the centre or axis
        Vec3<double> d = transposed_times(A.R, B.p + B.R * local - A.p);
        if (kind == ShapeKind::hollow_cylinder) d[2] = 0.0;
        return norm(d);
      };
      double corners = 0.0;
      for (int i = 0; i < 8; ++i) corners = std::max(corners, far({{i & 1 ? 0.1 : -0.1, i & 2 ? 0.2 : -0.2, i & 4 ? 0.3 : -0.3}}));
      double of_hull = 0.0;
      for (const Vec3<double>& corner : hull.corners) of_hull = std::max(of_hull, far(corner));
      const double ends = std::max(far({{0, 0, 0.25}}), far({{0, 0, -0.25}}));
      for (const auto& [shape, reach] : {std::pair{box(0.2, 0.4, 0.6), corners}, {capsule(0.1, 0.5), ends + 0.1}, {sphere(0.3), far({}) + 0.3}, {Shape{ShapeKind::hull, 0.0, {}, std::make_shared<const Hull>(hull)}, of_hull}}) {
        const ContactPoints points = contact_points(a, A, shape, B, 1e9);
        EXPECT_NEAR(smallest_gap(points), 1.5 - reach, 1e-14);
        expect_consistent(points);
        const ContactPoints turned = contact_points(shape, B, a, A, 1e9);
        ASSERT_EQ(turned.count, points.count);
        for (std::size_t i = 0; i < static_cast<std::size_t>(points.count); ++i) EXPECT_LT(norm(turned.point[i].normal + points.point[i].normal), 1e-15);
      }
    }
  EXPECT_FALSE(can_touch(ShapeKind::hollow_sphere, ShapeKind::plane) || can_touch(ShapeKind::implicit_surface, ShapeKind::hollow_cylinder) || can_touch(ShapeKind::hollow_sphere, ShapeKind::hollow_cylinder));
}

TEST(Rays, MeetAnEllipsoidOnItsSurfaceOrPassIt) {
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto random = [&](double s) { return Vec3<double>{{s * unit(engine), s * unit(engine), s * unit(engine)}}; };
  const Shape shape{ShapeKind::ellipsoid, 0.0, {{0.2, 0.45, 0.3}}};
  const auto value = [&](const Pose& at, const Vec3<double>& x) {  // below 1 inside
    const Vec3<double> own = transposed_times(at.R, x - at.p);
    return std::hypot(own[0] / 0.2, own[1] / 0.45, own[2] / 0.3);
  };
  int hits = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Pose at{random(0.5), rotation_exp(random(3.0))};
    const Vec3<double> start = random(2.0), to = random(0.8) - start, along = to * (1.0 / norm(to));
    const auto hit = cast_ray(shape, at, start, along);
    if (value(at, start) <= 1.0) {
      ASSERT_TRUE(hit.has_value());
      EXPECT_EQ(hit->distance, 0.0);
      continue;
    }
    double least = 1e300;  // along the ray
    for (double t = 0.0; t < 6.0; t += 1e-2) least = std::min(least, value(at, start + along * t));
    if (!hit) {
      EXPECT_GT(least, 1.0) << trial;
      continue;
    }
    ++hits;
    const Vec3<double> x = start + along * hit->distance;
    EXPECT_NEAR(value(at, x), 1.0, 1e-13) << trial;
    EXPECT_GT(value(at, x - along * 1e-3), 1.0) << trial;
    EXPECT_LT(dot(hit->normal, along), 0.0) << trial;
    EXPECT_GT(value(at, x + hit->normal * 1e-3), value(at, x + along * 0.0)) << trial;
    EXPECT_NEAR(norm(hit->normal), 1.0, 1e-14) << trial;
  }
  EXPECT_GT(hits, 200);
}

}  // namespace
}  // namespace saltus
