// Two surfaces of triangles: as the solids that they are cut from.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "saltus/collision/advance.hpp"
#include "saltus/collision/convex.hpp"
#include "saltus/collision/mesh.hpp"
#include "saltus/collision/queries.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

using V = Vec3<double>;
constexpr double everywhere = std::numeric_limits<double>::infinity();

Shape mesh_of(const std::vector<V>& points, const std::vector<int>& corners) {
  std::string wrong;
  auto mesh = triangle_mesh(points, corners, wrong);
  EXPECT_EQ(wrong, "");
  Shape shape;
  shape.kind = ShapeKind::mesh, shape.mesh = std::make_shared<const TriangleMesh>(std::move(*mesh));
  return shape;
}
Shape mesh_of(const Hull& hull) {
  std::vector<int> corners;
  for (const HullForm::Face& f : hull.form.faces)
    for (int i = 1; i + 1 < f.count; ++i)
      for (const int k : {0, i, i + 1}) corners.push_back(hull.form.loop[f.begin + k]);
  return mesh_of(hull.corners, corners);
}
Hull hull_of(const std::vector<V>& points) { return convex_hull(points).value(); }
Hull box_hull(const V& size, const V& at = {}) {
  std::vector<V> corners;
  for (int c = 0; c < 8; ++c) corners.push_back({{at[0] + (c & 1 ? 0.5 : -0.5) * size[0], at[1] + (c & 2 ? 0.5 : -0.5) * size[1], at[2] + (c & 4 ? 0.5 : -0.5) * size[2]}});
  return hull_of(corners);
}
Shape solid(const Hull& hull) {
  Shape shape;
  shape.kind = ShapeKind::hull, shape.hull = std::make_shared<const Hull>(hull);
  return shape;
}
/// A ring about z: radius of its middle and of its tube.
Shape torus(double radius, double tube, int around, int across) {
  std::vector<V> points;
  std::vector<int> corners;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double s = 2.0 * M_PI * i / around, t = 2.0 * M_PI * j / across, r = radius + tube * std::cos(t);
      points.push_back({{r * std::cos(s), r * std::sin(s), tube * std::sin(t)}});
    }
  const auto id = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) corners.insert(corners.end(), {id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j), id(i + 1, j + 1), id(i, j + 1)});
  return mesh_of(points, corners);
}

class Random {
 public:
  double unit() { return between_(engine_); }
  V vector(double size) { return {{size * unit(), size * unit(), size * unit()}}; }
  Pose pose(const V& at) { return {at, rotation_exp(vector(3.0))}; }
  Hull hull(int corners, double size) {
    std::vector<V> points;
    for (int i = 0; i < corners; ++i) points.push_back(vector(size));
    return hull_of(points);
  }

 private:
  std::mt19937 engine_{7};
  std::uniform_real_distribution<double> between_{-1.0, 1.0};
};

double least(const ContactPoints& points) {
  double gap = everywhere;
  for (int i = 0; i < points.count; ++i) gap = std::min(gap, points.point[i].gap);
  return gap;
}

/// Distance of two segments (Ericson 2005, 5.1.9).
double between(const V& p, const V& q, const V& r, const V& s) {
  const V u = q - p, v = s - r, w = p - r;
  const double a = dot(u, u), e = dot(v, v), f = dot(v, w), c = dot(u, w), b = dot(u, v), whole = a * e - b * b;
  double x = whole > 1e-14 * a * e ? std::clamp((b * f - c * e) / whole, 0.0, 1.0) : 0.0, y = (b * x + f) / e;
  if (y < 0.0) y = 0.0, x = std::clamp(-c / a, 0.0, 1.0);
  else if (y > 1.0) y = 1.0, x = std::clamp((b - c) / a, 0.0, 1.0);
  return norm(p + u * x - r - v * y);
}
/// Distance of two triangles; 0 where they cross.
double between(const std::array<V, 3>& s, const std::array<V, 3>& t) {
  double least = everywhere;
  const auto through = [&](const V& p, const V& q, const std::array<V, 3>& of) {
    const V n = cross(of[1] - of[0], of[2] - of[0]);
    const double from = dot(n, p - of[0]), to = dot(n, q - of[0]);
    if (from * to > 0.0) return;
    const V x = p + (q - p) * (from / (from - to));
    for (int i = 0; i < 3; ++i)
      if (dot(cross(n, of[(i + 1) % 3] - of[i]), x - of[i]) < 0.0) return;
    least = 0.0;
  };
  const auto corner = [&](const V& x, const std::array<V, 3>& of) {
    const V n = cross(of[1] - of[0], of[2] - of[0]);
    for (int i = 0; i < 3; ++i)
      if (dot(cross(n, of[(i + 1) % 3] - of[i]), x - of[i]) < 0.0) return;
    least = std::min(least, std::abs(dot(n, x - of[0])) / norm(n));
  };
  for (int i = 0; i < 3; ++i) {
    corner(s[i], t), corner(t[i], s);
    through(s[i], s[(i + 1) % 3], t), through(t[i], t[(i + 1) % 3], s);
    for (int k = 0; k < 3; ++k) least = std::min(least, between(s[i], s[(i + 1) % 3], t[k], t[(k + 1) % 3]));
  }
  return least;
}

TEST(MeshOnMesh, ConvexSolidsAreAsFarApartAsTheirHulls) {
  Random random;
  int apart = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Hull a = random.hull(12, 0.5), b = random.hull(9, 0.4);
    const Pose A = random.pose(random.vector(0.3)), B = random.pose(A.p + random.vector(1.4));
    const ContactPoint truth = nearest_points(solid(a), A, solid(b), B);
    if (truth.gap < 1e-4) continue;
    ++apart;
    const ContactPoint found = nearest_points(mesh_of(a), A, mesh_of(b), B);
    ASSERT_NEAR(found.gap, truth.gap, 1e-12) << trial;
    EXPECT_LT(norm(found.normal - truth.normal), 1e-8) << trial;
    EXPECT_LT(norm(found.on_B - found.on_A - found.normal * found.gap), 1e-12) << trial;
    const ContactPoint turned = nearest_points(mesh_of(b), B, mesh_of(a), A);
    EXPECT_NEAR(turned.gap, truth.gap, 1e-12);
    EXPECT_LT(norm(turned.normal + truth.normal), 1e-8) << trial;
  }
  EXPECT_GT(apart, 1500);
}

TEST(MeshOnMesh, SmallOverlapsOfConvexSolidsPartAsTheirHulls) {
  Random random;
  for (int trial = 0; trial < 1000; ++trial) {
    const Hull a = random.hull(12, 0.5), b = random.hull(9, 0.4);
    const Pose A = random.pose(random.vector(0.3));
    Pose B = random.pose(A.p + random.vector(1.0) + V{{1.5, 0, 0}});
    const ContactPoint near = nearest_points(solid(a), A, solid(b), B);
    if (!(near.gap > 0.0)) continue;
    for (const double depth : {1e-5, 1e-4, 1e-3}) {
      Pose deeper = B;
      deeper.p += near.normal * (-near.gap - depth);
      const ContactPoint truth = nearest_points(solid(a), A, solid(b), deeper);
      if (truth.gap > -0.5 * depth) continue;  // two tips: they have gone past each other
      const ContactPoints points = contact_points(mesh_of(a), A, mesh_of(b), deeper, 1e-3);
      // The way out of a convex pair is the shallowest along a normal; along each, and those next to it, the deepest point counts.
      double shallowest = -everywhere;
      V n{};
      for (int i = 0; i < points.count; ++i) {
        double deepest = everywhere;
        for (int k = 0; k < points.count; ++k)
          if (norm(points.point[i].normal - points.point[k].normal) < 0.03) deepest = std::min(deepest, points.point[k].gap);
        if (points.point[i].gap == deepest && deepest < 0.0 && deepest > shallowest) shallowest = deepest, n = points.point[i].normal;
      }
      ASSERT_NEAR(shallowest, truth.gap, 0.2 * depth) << trial << " " << depth;
      Pose parted = deeper;
      parted.p += n * (-shallowest);
      EXPECT_NEAR(nearest_points(solid(a), A, solid(b), parted).gap, 0.0, 0.2 * depth) << trial << " " << depth;
    }
  }
}

TEST(MeshOnMesh, WhatLiesOnAFaceTouchesAtTheCornersOfTheSharedPart) {
  const Shape table = mesh_of(box_hull({{1, 1, 0.2}}));
  struct Case { V size, at; double turn; int points; };
  for (const auto& [size, place, turn, count] : {Case{{{0.4, 0.3, 0.2}}, {{0.1, 0.05, 0.2}}, 0.3, 4}, Case{{{0.4, 0.3, 0.2}}, {{0.45, 0.1, 0.2}}, 0.0, 4},
                                                Case{{{1, 1, 0.2}}, {{0, 0, 0.2}}, 0.0, 4}, Case{{{1, 1, 0.2}}, {{0, 0, 0.2}}, M_PI / 4, 8}, Case{{{1.5, 0.2, 0.2}}, {{0, 0, 0.2}}, 0.5, 4}})
    for (const double gap : {1e-5, 0.0, -1e-9, -1e-5})
      for (const double tilt : {0.0, 1e-9, 1e-6}) {
        const Pose A{{{3, -2, 5}}, rotation_exp(V{{0.3, 0.5, -0.2}})};
        const Pose B{A.p + A.R * (place + V{{0, 0, gap}}), A.R * rotation_exp(V{{0, 0, turn}}) * rotation_exp(V{{tilt, 0.5 * tilt, 0}})};
        const ContactPoints points = contact_points(table, A, mesh_of(box_hull(size)), B, 1e-4);
        EXPECT_EQ(points.count, count) << size[0] << " " << turn << " " << gap << " " << tilt;
        for (int i = 0; i < points.count; ++i) {
          EXPECT_NEAR(points.point[i].gap, gap, 1.0 * tilt + 1e-14);
          EXPECT_LT(norm(points.point[i].normal - column(A.R, 2)), 1.2e-6);
        }
      }
}

TEST(MeshOnMesh, NamesStayWhileAFaceSlidesOnAFaceAndAreNeverTwice) {
  const Shape table = mesh_of(box_hull({{1, 1, 0.2}})), block = mesh_of(box_hull({{0.4, 0.3, 0.2}}));
  std::set<int> before;
  for (int step = 0; step < 50; ++step) {
    const ContactPoints points = contact_points(table, {}, block, {{{0.004 * step, 0.001 * step, 0.2 - 1e-9}}, rotation_exp(V{{0, 0, 0.01 * step}})}, 1e-4);
    std::set<int> names;
    for (int i = 0; i < points.count; ++i) names.insert(points.point[i].feature);
    EXPECT_EQ(names.size(), 4u);
    EXPECT_TRUE(before.empty() || names == before) << step;
    before = names;
  }
}

TEST(MeshOnMesh, RingsThatHangInEachOtherTouchInside) {
  const double radius = 0.1, tube = 0.02, level = -2.0 * (radius - tube);
  const Mat3<double> upright = rotation_exp(V{{0.5 * M_PI, 0, 0}}), across = rotation_exp(V{{0, 0, 0.5 * M_PI}}) * upright;
  for (const int fine : {16, 48}) {
    const Shape ring = torus(radius, tube, 2 * fine, fine);
    const double facets = radius * std::pow(M_PI / (2 * fine), 2) + tube * std::pow(M_PI / fine, 2);
    for (const double gap : {1e-3, 1e-6, -1e-6, -1e-4, -1e-3, -4e-3, -1e-2})
      for (const V& aside : {V{}, V{{1e-3, -2e-3, 0}}, V{{1e-12, 1e-12, 0}}}) {
        const ContactPoints points = contact_points(ring, {{}, upright}, ring, {aside + V{{0, 0, level + gap}}, across}, 2e-3);
        ASSERT_GT(points.count, 0) << fine << " " << gap;
        const ContactPoint* nearest = &points.point[0];
        for (int i = 0; i < points.count; ++i)
          if (points.point[i].gap < nearest->gap) nearest = &points.point[i];
        EXPECT_NEAR(nearest->gap, gap, facets + 2e-4 + (gap > -2e-3 ? 0.3 : 1.0) * std::abs(gap)) << fine << " " << gap;
        EXPECT_LT(nearest->gap, gap > -1e-5 ? 2.0 * std::abs(gap) + facets : 0.0) << fine << " " << gap;
        EXPECT_GT(nearest->normal[2], gap > -2e-3 ? 0.9 : 0.5) << fine << " " << gap;
      }
  }
}

TEST(MeshOnMesh, WhatIsNotConvexIsAsFarApartAsItsNearestTriangles) {
  Random random;
  const auto bumpy = [&](double radius, double tube) {
    const Shape ring = torus(radius, tube, 14, 8);
    std::vector<V> points = ring.mesh->points;
    std::vector<int> corners;
    for (V& x : points) x += random.vector(0.3 * tube);
    for (const TriangleMesh::Triangle& t : ring.mesh->triangles) corners.insert(corners.end(), t.v, t.v + 3);
    return mesh_of(points, corners);
  };
  const auto corners_of = [](const Shape& shape, const Pose& at) {
    std::vector<std::array<V, 3>> out;
    for (const TriangleMesh::Triangle& t : shape.mesh->triangles) {
      out.emplace_back();
      for (int i = 0; i < 3; ++i) out.back()[i] = at.p + at.R * shape.mesh->points[t.v[i]];
    }
    return out;
  };
  int apart = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Shape a = bumpy(0.5, 0.15), b = bumpy(0.4, 0.1);
    const Pose A = random.pose({}), B = random.pose(random.vector(0.8));
    double truth = everywhere;
    const auto of_b = corners_of(b, B);
    for (const auto& s : corners_of(a, A))
      for (const auto& t : of_b) truth = std::min(truth, between(s, t));
    if (truth < 1e-3) continue;
    ++apart;
    const ContactPoint found = nearest_points(a, A, b, B);
    ASSERT_NEAR(found.gap, truth, 1e-12) << trial;
    EXPECT_LT(norm(found.on_B - found.on_A - found.normal * found.gap), 1e-12);
  }
  EXPECT_GT(apart, 60);
}

TEST(MeshOnMesh, ANeedleThroughAPlateIsPushedOut) {
  const Shape plate = mesh_of(box_hull({{1, 1, 0.1}})), needle = mesh_of(hull_of({{{0.01, 0, 1}}, {{-0.01, 0.01, 1}}, {{-0.01, -0.01, 1}}, {{0, 0, -1}}}));
  for (const double depth : {1e-6, 1e-3, 0.05}) {
    const ContactPoints points = contact_points(plate, {}, needle, {{{0.1, 0.1, 1.05 - depth}}}, 1e-3);
    ASSERT_GT(points.count, 0);
    EXPECT_NEAR(least(points), -depth, 1e-12);
    EXPECT_NEAR(points.point[0].normal[2], 1.0, 1e-12);
  }
  const ContactPoints through = contact_points(plate, {}, needle, {{{0.1, 0.1, 0.2}}}, 1e-3);
  ASSERT_GT(through.count, 0);
  EXPECT_LT(least(through), 0.0);
}

TEST(MeshOnMesh, FastSolidsMeetInTime) {
  const Shape block = mesh_of(box_hull({{0.1, 0.1, 0.1}})), wall = mesh_of(box_hull({{0.02, 1, 1}}));
  const Meeting met = meeting({&block, {{{-1, 0, 0}}}, {{100, 0, 0}}}, {&wall, {}}, 1e-6, 0.1);
  EXPECT_NEAR(met.t, (1.0 - 0.06) / 100.0, 1e-7);
}

TEST(MeshOnMesh, WhatLiesInsideASolidLeavesItByTheShortestWay) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> within(-1.0, 1.0);
  const Shape ring = torus(1.0, 0.4, 64, 32), small = mesh_of(box_hull({{0.1, 0.1, 0.1}})), ball{ShapeKind::sphere, 0.05, {}, {}};
  int inside = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const V x{{1.5 * within(engine), 1.5 * within(engine), 0.5 * within(engine)}};
    const double round = std::hypot(x[0], x[1]), deep = 0.4 - std::hypot(round - 1.0, x[2]);
    if (std::abs(deep) < 0.01) continue;  // its triangles are flat
    EXPECT_EQ(ring.mesh->holds(x), deep > 0.0) << round << " " << x[2];
    if (deep < 0.1 || deep > 0.36) continue;
    ++inside;
    const Mat3<double> R = rotation_matrix(quaternion_exp(V{{within(engine), within(engine), within(engine)}}));
    const Pose A{{{2.0, -1.0, 0.5}}, R}, B{A.p + R * x, R};
    const V out = R * V{{x[0] / round * (round - 1.0), x[1] / round * (round - 1.0), x[2]}} * (1.0 / (0.4 - deep));
    const ContactPoint of_ball = mesh_points(*ring.mesh, A, ball, B, 0.0).point[0];
    EXPECT_NEAR(of_ball.gap, -deep - 0.05, 0.01);
    EXPECT_GT(dot(of_ball.normal, out), 0.97);
    for (const bool turned : {false, true}) {
      const ContactPoints found = turned ? mesh_on_mesh(*small.mesh, B, *ring.mesh, A, 0.0) : mesh_on_mesh(*ring.mesh, A, *small.mesh, B, 0.0);
      ASSERT_GE(found.count, 1);
      EXPECT_LT(found.point[0].gap, -0.1);
      EXPECT_GT(dot(found.point[0].normal, out) * (turned ? -1.0 : 1.0), 0.5);
    }
  }
  EXPECT_GT(inside, 100);
}

TEST(MeshOnMesh, ARoomHoldsNothing) {  // its triangles look inwards: what is in it is free
  Hull box = box_hull({{2.0, 2.0, 2.0}});
  std::vector<int> corners;
  for (const HullForm::Face& f : box.form.faces)
    for (int i = 1; i + 1 < f.count; ++i)
      for (const int k : {0, i + 1, i}) corners.push_back(box.form.loop[f.begin + k]);
  const Shape room = mesh_of(box.corners, corners), small = mesh_of(box_hull({{0.1, 0.1, 0.1}})), ball{ShapeKind::sphere, 0.05, {}, {}};
  EXPECT_EQ(mesh_on_mesh(*room.mesh, {}, *small.mesh, {}, 0.01).count, 0);
  EXPECT_EQ(mesh_points(*room.mesh, {}, ball, {}, 0.01).count, 0);
  EXPECT_FALSE(room.mesh->holds({}));
}

}  // namespace
}  // namespace saltus
