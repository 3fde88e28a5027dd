// Shapes on surfaces of triangles: as on the solids and planes that these are cut from, without inner edges.
#include <gtest/gtest.h>

#include <random>

#include "saltus/collision/convex.hpp"
#include "saltus/collision/mesh.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

using V = Vec3<double>;

Shape sphere(double r) { return {ShapeKind::sphere, r, {}, {}}; }
Shape box(double x, double y, double z) { return {ShapeKind::box, 0.0, {{0.5 * x, 0.5 * y, 0.5 * z}}, {}}; }
Pose at(const V& p, const V& turn = {}) { return {p, rotation_exp(turn)}; }

/// A sheet of n x n squares, each of two triangles, with height z(x, y).
template <class Height>
TriangleMesh sheet(int n, double width, Height z) {
  std::vector<V> points;
  std::vector<int> corners;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double x = width * (static_cast<double>(i) / n - 0.5), y = width * (static_cast<double>(j) / n - 0.5);
      points.push_back({{x, y, z(x, y)}});
    }
  const auto id = [&](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      corners.insert(corners.end(), {id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j), id(i + 1, j + 1), id(i, j + 1)});
  std::string wrong;
  auto mesh = triangle_mesh(points, corners, wrong);
  EXPECT_EQ(wrong, "");
  return std::move(*mesh);
}
/// A hull as a mesh.
TriangleMesh surface(const Hull& hull) {
  std::vector<int> corners;
  for (const HullForm::Face& f : hull.form.faces)
    for (int i = 1; i + 1 < f.count; ++i)
      for (const int k : {0, i, i + 1}) corners.push_back(hull.form.loop[f.begin + k]);
  std::string wrong;
  auto mesh = triangle_mesh(hull.corners, corners, wrong);
  EXPECT_EQ(wrong, "");
  return std::move(*mesh);
}

TEST(Mesh, AFlatSheetIsThePlaneWhateverItsTriangles) {
  const TriangleMesh flat = sheet(9, 4.0, [](double, double) { return 0.0; });
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Shape plane{ShapeKind::plane, 0.0, {}, {}};
  for (const Shape& shape : {sphere(0.3), box(0.4, 0.3, 0.5), Shape{ShapeKind::capsule, 0.1, {{0, 0, 0.3}}, {}}, Shape{ShapeKind::cone, 0.3, {{0.2, 0, 0.6}}, {}},
                             Shape{ShapeKind::ellipsoid, 0.0, {{0.2, 0.3, 0.4}}, {}}})
    for (int trial = 0; trial < 300; ++trial) {
      const Pose tilted = at({{0.3, 0.1, 0.2}}, {{0.3, -0.2, 0.1}});
      const V local{{unit(engine), unit(engine), 0.45 + 0.1 * unit(engine)}};
      const Pose body{tilted.p + tilted.R * local, tilted.R * rotation_exp(V{{3 * unit(engine), 3 * unit(engine), 3 * unit(engine)}})};
      const ContactPoints on_mesh = mesh_points(flat, tilted, shape, body, 0.02), on_plane = contact_points(plane, tilted, shape, body, 0.02);
      double a = 1.0, b = 1.0;
      for (int i = 0; i < on_mesh.count; ++i) {
        a = std::min(a, on_mesh.point[i].gap);
        EXPECT_LT(norm(on_mesh.point[i].normal - V{{tilted.R(0, 2), tilted.R(1, 2), tilted.R(2, 2)}}), 1e-14);
      }
      for (int i = 0; i < on_plane.count; ++i) b = std::min(b, on_plane.point[i].gap);
      EXPECT_NEAR(a, b, 1e-13) << trial;
      if (shape.kind == ShapeKind::sphere && on_mesh.count) { EXPECT_EQ(on_mesh.count, 1); EXPECT_EQ(on_mesh.point[0].feature, on_mesh.point[0].feature); }
    }
}

TEST(Mesh, ABallRollsOverTheEdgesOfASheetWithOnePointOfOneName) {
  const TriangleMesh flat = sheet(7, 2.0, [](double, double) { return 0.0; });
  int name = -1;
  for (int i = 0; i <= 2000; ++i) {
    const double s = -0.9 + 1.8 * i / 2000;
    const ContactPoints points = mesh_points(flat, {}, sphere(0.1), at({{s, s, 0.1 - 1e-9}}), 1e-8);  // along the diagonals too
    ASSERT_EQ(points.count, 1) << s;
    if (name < 0) name = points.point[0].feature;
    EXPECT_EQ(points.point[0].feature, name);
    EXPECT_EQ(points.point[0].normal[2], 1.0);
    EXPECT_NEAR(points.point[0].gap, -1e-9, 1e-16);
  }
}

TEST(Mesh, TheSurfaceOfAHullTouchesAsTheHull) {
  std::vector<V> corners;
  for (int c = 0; c < 8; ++c) corners.push_back({{c & 1 ? 0.5 : -0.5, c & 2 ? 0.4 : -0.4, c & 4 ? 0.3 : -0.3}});
  const Hull hull = *convex_hull(corners);
  const TriangleMesh mesh = surface(hull);
  const Shape solid{ShapeKind::hull, 0.0, {}, std::make_shared<const Hull>(hull)};
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int compared = 0;
  for (const Shape& shape : {sphere(0.2), box(0.4, 0.3, 0.5), Shape{ShapeKind::cylinder, 0.2, {{0, 0, 0.25}}, {}}, Shape{ShapeKind::capsule, 0.1, {{0, 0, 0.3}}, {}}})
    for (int trial = 0; trial < 10000; ++trial) {
      const Pose body = at({{1.1 * unit(engine), 1.1 * unit(engine), 1.1 * unit(engine)}}, {{3 * unit(engine), 3 * unit(engine), 3 * unit(engine)}});
      const Separation truth = separation(solid, {}, shape, body, 0.02);
      if (!truth.within || truth.gap < -2e-4 || truth.gap > 0.01) continue;  // deep ones have several ways out
      ++compared;
      const ContactPoints points = mesh_points(mesh, {}, shape, body, 0.02);
      ASSERT_GT(points.count, 0) << trial << " gap " << truth.gap << " kind " << static_cast<int>(shape.kind);
      const ContactPoint* least = &points.point[0];
      for (int i = 1; i < points.count; ++i)
        if (points.point[i].gap < least->gap) least = &points.point[i];
      bool found = false;
      for (int i = 0; i < points.count; ++i) found |= std::abs(points.point[i].gap - truth.gap) < 1e-9 && norm(points.point[i].normal - truth.normal) < 1e-6;
      EXPECT_TRUE(found) << "n " << truth.normal[0] << " " << truth.normal[1] << " " << truth.normal[2] << " axis " << body.R(0, 2) << " " << body.R(1, 2) << " " << body.R(2, 2) << " trial " << trial << " kind " << static_cast<int>(shape.kind) << " " << least->gap << " for " << truth.gap;
    }
  EXPECT_GT(compared, 200);
}

TEST(Mesh, WhereTheFrameOfAHullIsDoesNotMatter) {
  // A block as a hull about its middle and about a frame a metre beside it, 2 cm over the edge of a step, 1 mm deep in its upper face.
  std::string wrong;
  const std::vector<V> points{{{-1, -1, 0}}, {{0, -1, 0}}, {{0, 1, 0}}, {{-1, 1, 0}}, {{0, -1, -0.05}}, {{0, 1, -0.05}}};
  const std::vector<int> corners{0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
  const TriangleMesh step = *triangle_mesh(points, corners, wrong);
  const auto block = [](double beside) {
    std::vector<V> of;
    for (int c = 0; c < 8; ++c) of.push_back({{(c & 1 ? 0.1 : -0.1) + beside, c & 2 ? 0.1 : -0.1, c & 4 ? 0.1 : -0.1}});
    return Shape{ShapeKind::hull, 0.0, {}, std::make_shared<const Hull>(*convex_hull(of))};
  };
  const ContactPoints own = mesh_points(step, {}, block(0.0), {{{-0.06, 0, 0.099}}, identity<double>()}, 1e-4);
  const ContactPoints far = mesh_points(step, {}, block(1.0), {{{-1.06, 0, 0.099}}, identity<double>()}, 1e-4);
  ASSERT_GT(own.count, 0);
  ASSERT_EQ(own.count, far.count);
  for (int i = 0; i < own.count; ++i) {
    EXPECT_NEAR(own.point[i].gap, -1e-3, 1e-12);
    EXPECT_NEAR(far.point[i].gap, own.point[i].gap, 1e-12);
  }
  EXPECT_NEAR(block(1.0).thickness(), 0.1, 1e-15);
  EXPECT_EQ(block(1.0).inner(), 0.0);
}

/// How far x is from the triangles of a mesh.
double distance(const TriangleMesh& mesh, const V& x) {
  double least = 1e300;
  for (const TriangleMesh::Triangle& t : mesh.triangles) {
    const double height = dot(t.n, x - mesh.points[t.v[0]]);
    double aside = 0.0;
    for (int i = 0; i < 3; ++i) {
      const V &a = mesh.points[t.v[i]], out = cross(mesh.points[t.v[(i + 1) % 3]] - a, t.n);
      aside = std::max(aside, dot(out, x - a) / norm(out));
    }
    least = std::min(least, std::max(std::abs(height), aside));
  }
  return least;
}

TEST(Mesh, PointsOfContactLieOnItsTriangles) {  // of edges some lay beyond their ends, on nothing
  constexpr int n = 6;
  std::vector<V> points;
  std::vector<int> corners;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) points.push_back({{1.0 * i, 1.0 * j, 0.4 * std::sin(0.9 * i) * std::cos(0.7 * j)}});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int a = i * (n + 1) + j, b = a + n + 1;
      for (const int corner : {a, b, b + 1, a, b + 1, a + 1}) corners.push_back(corner);
    }
  std::string wrong;
  const TriangleMesh ground = *triangle_mesh(points, corners, wrong);
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> place(0.5, n - 0.5), turn(-3.0, 3.0);
  const Shape shapes[] = {{ShapeKind::sphere, 0.3, {}}, {ShapeKind::box, 0.0, {{0.25, 0.25, 0.25}}}, {ShapeKind::capsule, 0.1, {{0, 0, 0.3}}}};
  int found = 0;
  for (int k = 0; k < 1500; ++k) {
    const double x = place(engine), y = place(engine);
    const Pose pose{{{x, y, 0.4 * std::sin(0.9 * x) * std::cos(0.7 * y) + 0.32}}, rotation_exp(V{{turn(engine), turn(engine), turn(engine)}})};
    const ContactPoints touch = mesh_points(ground, {}, shapes[k % 3], pose, 0.02);
    for (int i = 0; i < touch.count; ++i, ++found) ASSERT_LT(distance(ground, touch.point[i].on_A), 1e-6) << "shape " << k % 3 << ", pose " << k;
  }
  EXPECT_GT(found, 500);
}

TEST(Mesh, OfHillsTheNearestPlaceIsFoundHoweverFarItIs) {  // over corners at which one edge folds inwards nothing was found
  const TriangleMesh hills = sheet(20, 4.0, [](double x, double y) { return 0.1 * std::sin(3.0 * x) * std::cos(2.0 * y); });
  const auto to_segment = [](const V& a, const V& b, const V& x) { return norm(x - a - (b - a) * std::clamp(dot(b - a, x - a) / dot(b - a, b - a), 0.0, 1.0)); };
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> place(-1.5, 1.5), height(0.25, 2.5);
  for (int k = 0; k < 2000; ++k) {
    const V x{{place(engine), place(engine), height(engine)}};
    double truth = 1e300;
    for (const TriangleMesh::Triangle& t : hills.triangles) {
      bool over = true;
      for (int i = 0; i < 3; ++i) {
        const V &a = hills.points[t.v[i]], &b = hills.points[t.v[(i + 1) % 3]];
        over &= dot(cross(t.n, b - a), x - a) >= 0.0, truth = std::min(truth, to_segment(a, b, x));
      }
      if (over) truth = std::min(truth, std::abs(dot(t.n, x - hills.points[t.v[0]])));
    }
    const ContactPoints points = mesh_points(hills, {}, sphere(0.1), at(x), 3.0);
    double least = 1e300;
    for (int i = 0; i < points.count; ++i) least = std::min(least, points.point[i].gap);
    ASSERT_NEAR(least, truth - 0.1, 1e-12) << "over " << x[0] << ", " << x[1] << ", " << x[2];
  }
}

/// A floor, x < 0, and a ramp of an angle; the ramp's triangles first or last.
TriangleMesh kink(double angle, bool ramp_first) {
  const V far{{std::cos(angle), 0, std::sin(angle)}};
  const std::vector<V> points{{{-1, -1, 0}}, {{-1, 1, 0}}, {{0, -1, 0}}, {{0, 1, 0}}, {{far[0], -1, far[2]}}, {{far[0], 1, far[2]}}};
  std::string wrong;
  return *triangle_mesh(points, ramp_first ? std::vector<int>{2, 4, 5, 2, 5, 3, 0, 2, 3, 0, 3, 1} : std::vector<int>{0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3}, wrong);
}
/// The point with a normal; null: there is none.
const ContactPoint* along(const ContactPoints& points, const V& n) {
  for (int i = 0; i < points.count; ++i)
    if (norm(points.point[i].normal - n) < 1e-12) return &points.point[i];
  return nullptr;
}

TEST(Mesh, AcrossAConcaveKinkEachFaceKeepsItsNameWhicheverAreNear) {
  for (const bool ramp_first : {false, true}) {
    const TriangleMesh mesh = kink(0.2, ramp_first);
    const V up{{0, 0, 1}}, ramp{{-std::sin(0.2), 0, std::cos(0.2)}};
    const double meets = -0.1 * std::tan(0.1);  // where a ball on the floor touches both
    const auto name = [&](const V& at_ball, const V& n) {
      const ContactPoints points = mesh_points(mesh, {}, sphere(0.1), at(at_ball), 1e-6);
      const ContactPoint* point = along(points, n);
      return point ? point->feature : -1;
    };
    const int floor = name({{-0.5, 0, 0.1}}, up), slope = name(V{{0.5 * std::cos(0.2), 0, 0.5 * std::sin(0.2)}} + ramp * 0.1, ramp);
    EXPECT_GE(floor, 0);
    EXPECT_GE(slope, 0);
    EXPECT_NE(floor, slope);
    EXPECT_EQ(name({{meets, 0, 0.1}}, up), floor);
    EXPECT_EQ(name({{meets, 0, 0.1}}, ramp), slope);
  }
}

TEST(Mesh, WhatIsDeepInARampIsFoundBesideWhatLiesOnTheFloor) {  // it was taken for the far side of an edge
  const TriangleMesh mesh = kink(M_PI / 4, false);
  const double depth = 0.02, x = -0.1 * std::tan(M_PI / 8) + depth / std::sin(M_PI / 4);
  const ContactPoints points = mesh_points(mesh, {}, sphere(0.1), at({{x, 0, 0.1}}), 1e-6);
  const ContactPoint *floor = along(points, {{0, 0, 1}}), *ramp = along(points, {{-std::sqrt(0.5), 0, std::sqrt(0.5)}});
  ASSERT_TRUE(floor && ramp);
  EXPECT_NEAR(floor->gap, 0.0, 1e-15);
  EXPECT_NEAR(ramp->gap, -depth, 1e-15);
}

TEST(Mesh, OfABoxThatIsInAFloorTheDeepestCornerIsFoundBesideThoseThatAreOut) {
  const TriangleMesh flat = sheet(1, 4.0, [](double, double) { return 0.0; });
  const Pose body = at({{0.1, 0.2, 0.12}}, {{0.4, -0.3, 0.2}});
  double lowest = 1.0;
  for (int c = 0; c < 8; ++c) lowest = std::min(lowest, (body.p + body.R * V{{c & 1 ? 0.1 : -0.1, c & 2 ? 0.1 : -0.1, c & 4 ? 0.1 : -0.1}})[2]);
  const ContactPoints points = mesh_points(flat, {}, box(0.2, 0.2, 0.2), body, 1.0);
  double least = 1.0;
  for (int i = 0; i < points.count; ++i) least = std::min(least, points.point[i].gap);
  EXPECT_LT(lowest, -0.02);
  EXPECT_NEAR(least, lowest, 1e-15);
}

TEST(Mesh, NamesWhatIsWrongWithATriangle) {
  const std::vector<V> points{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{1, 1, 0}}, {{2, 0, 0}}};
  const auto wrong = [&](std::vector<int> corners) {
    std::string message;
    (void)triangle_mesh(points, corners, message);
    return message;
  };
  EXPECT_EQ(wrong({}), "has no triangles");
  EXPECT_EQ(wrong({0, 1, 7}), "triangle 0 names point 7 of 5");
  EXPECT_EQ(wrong({0, 1, 4}), "triangle 0 has no area");
  EXPECT_EQ(wrong({0, 1, 2, 1, 2, 3}), "triangles 0 and 1 face opposite ways");
  EXPECT_EQ(wrong({0, 1, 2, 1, 3, 2}), "");
}

}  // namespace
}  // namespace saltus
