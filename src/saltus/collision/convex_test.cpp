// Every pair of convex shapes against a search over all directions; manifolds of shapes that lie on each other.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "saltus/collision/convex.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

using V = Vec3<double>;

Shape box(double x, double y, double z) { return {ShapeKind::box, 0.0, {{0.5 * x, 0.5 * y, 0.5 * z}}}; }
Shape cylinder(double r, double length) { return {ShapeKind::cylinder, r, {{0, 0, 0.5 * length}}}; }
Shape hull(const std::vector<V>& points) {
  return {ShapeKind::hull, 0.0, {}, std::make_shared<const Hull>(*convex_hull(points))};
}
Shape icosahedron(double size) {
  const double g = 0.5 * (1.0 + std::sqrt(5.0)) * size;
  std::vector<V> points;
  for (const double a : {-size, size})
    for (const double b : {-g, g}) points.insert(points.end(), {V{{0, a, b}}, V{{a, b, 0}}, V{{b, 0, a}}});
  return hull(points);
}
std::vector<std::pair<const char*, Shape>> shapes() {
  return {{"sphere", {ShapeKind::sphere, 0.3, {}}},
          {"capsule", {ShapeKind::capsule, 0.15, {{0, 0, 0.4}}}},
          {"cylinder", cylinder(0.3, 0.7)},
          {"box", box(0.5, 0.8, 0.6)},
          {"cone", {ShapeKind::cone, 0.4, {{0.2, 0.0, 0.6}}}},
          {"ellipsoid", {ShapeKind::ellipsoid, 0.0, {{0.2, 0.45, 0.3}}}},
          {"hull", hull({{{-0.3, -0.2, -0.4}}, {{0.5, -0.1, -0.3}}, {{0.0, 0.45, -0.2}}, {{0.05, 0.1, 0.5}}, {{-0.2, 0.3, 0.3}}})},
          {"icosahedron", icosahedron(0.25)}};
}

Pose at(const V& p, const V& turn = {}) { return {p, rotation_exp(turn)}; }

/// How far B is from A along n, by support points alone.
double apart(const Shape& a, const Pose& A, const Shape& b, const Pose& B, const V& n) {
  return dot(n, B.p + B.R * support(b, -transposed_times(B.R, n)) - A.p - A.R * support(a, transposed_times(A.R, n)));
}

/// The largest of that over directions: those of a spiral, then a net that closes in about the best ones.
double searched(const Shape& a, const Pose& A, const Shape& b, const Pose& B) {
  std::vector<std::pair<double, V>> starts;
  constexpr int count = 1500;
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count, r = std::sqrt(1.0 - z * z), angle = 2.399963229728653 * i;
    const V n{{r * std::cos(angle), r * std::sin(angle), z}};
    starts.emplace_back(apart(a, A, b, B, n), n);
  }
  std::partial_sort(starts.begin(), starts.begin() + 4, starts.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  double best = -1e300;
  for (int k = 0; k < 4; ++k) {
    auto [value, n] = starts[k];
    for (double width = 0.1; width > 1e-13; width *= 0.7) {
      const V t = std::abs(n[0]) < 0.7 ? cross(n, V{{1, 0, 0}}) : cross(n, V{{0, 1, 0}}), t1 = t * (1.0 / norm(t)), t2 = cross(n, t1);
      V next = n;
      for (int i = -3; i <= 3; ++i)
        for (int j = -3; j <= 3; ++j) {
          V m = n + t1 * (width * i / 3) + t2 * (width * j / 3);
          m = m * (1.0 / norm(m));
          if (const double s = apart(a, A, b, B, m); s > value) value = s, next = m;
        }
      n = next;
    }
    best = std::max(best, value);
  }
  return best;
}

bool holds(const Shape& shape, const Pose& pose, const V& x, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  for (int i = 0; i < 30; ++i) {
    const V u{{normal(engine), normal(engine), normal(engine)}};
    if (dot(u, transposed_times(pose.R, x - pose.p) - support(shape, u)) > 1e-6) return false;
  }
  return true;
}

// SALTUS_POSES: of each pair, instead of the few of a quick run.
TEST(Convex, EachPairIsAsFarApartAsASearchOverAllDirectionsFinds) {
  const char* more = std::getenv("SALTUS_POSES");
  const int poses = more ? std::atoi(more) : 12;
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  double worst_gap = 0.0, worst_swap = 0.0, worst_moved = 0.0;
  for (const auto& [name_a, a] : shapes())
    for (const auto& [name_b, b] : shapes())
      for (int trial = 0; trial < poses; ++trial) {
        const auto random = [&](double s) { return V{{s * unit(engine), s * unit(engine), s * unit(engine)}}; };
        const Pose A = at(random(0.6), random(3.0)), B = at(random(0.6), random(3.0));
        const Separation found = separation(a, A, b, B, 1e9);
        const double truth = searched(a, A, b, B), own = apart(a, A, b, B, found.normal);
        EXPECT_NEAR(norm(found.normal), 1.0, 1e-13);
        EXPECT_NEAR(own, found.gap, 1e-12) << name_a << " " << name_b << " " << trial;
        // No direction has more: the search can fall short, never pass.
        EXPECT_GT(found.gap, truth - 1e-12) << name_a << " " << name_b << " " << trial;
        worst_gap = std::max(worst_gap, truth - found.gap);
        const Separation swapped = separation(b, B, a, A, 1e9);
        worst_swap = std::max(worst_swap, std::abs(swapped.gap - found.gap));
        const Pose by = at(random(2.0), random(3.0));
        const auto moved = [&](const Pose& p) { return Pose{by.p + by.R * p.p, by.R * p.R}; };
        worst_moved = std::max(worst_moved, std::abs(separation(a, moved(A), b, moved(B), 1e9).gap - found.gap));
        const ContactPoints points = contact_points(a, A, b, B, found.gap + 1e-3);
        ASSERT_GT(points.count, 0) << name_a << " " << name_b << " " << trial;
        double least = 1e300;
        for (int i = 0; i < points.count; ++i) {
          const ContactPoint& p = points.point[i];
          least = std::min(least, p.gap);
          EXPECT_LT(norm(p.on_B - p.on_A - p.normal * p.gap), 1e-12) << name_a << " " << name_b << " " << trial;
          EXPECT_TRUE(holds(a, A, p.on_A, engine)) << name_a << " " << name_b << " " << trial << " point " << i << " of " << points.count;
          EXPECT_TRUE(holds(b, B, p.on_B, engine)) << name_a << " " << name_b << " " << trial << " point " << i << " of " << points.count;
        }
        EXPECT_NEAR(least, found.gap, 1e-11) << name_a << " " << name_b << " " << trial;
      }
  EXPECT_LT(worst_swap, 1e-12);
  EXPECT_LT(worst_moved, 1e-12);
  RecordProperty("worst_gap", std::to_string(worst_gap));
}

TEST(Convex, ABoxLiesOnAnotherWithTheCornersOfTheirCommonFace) {
  const Shape a = box(1, 1, 1), b = box(0.6, 2, 1);
  const ContactPoints points = convex_points(a, at({}), b, at({{0.1, 0.2, 1.0 - 1e-9}}), 1e-6);
  ASSERT_EQ(points.count, 4);  // two crossings of edges at each end
  double x = 0.0, y = 0.0;
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(points.point[i].gap, -1e-9, 1e-15);
    EXPECT_LT(norm(points.point[i].normal - V{{0, 0, 1}}), 1e-15);
    EXPECT_TRUE(i == 0 || points.point[i].feature > points.point[i - 1].feature);
    x += points.point[i].on_A[0], y += points.point[i].on_A[1];
    EXPECT_NEAR(std::abs(points.point[i].on_A[0] - 0.1), 0.3, 1e-14);
    EXPECT_NEAR(std::abs(points.point[i].on_A[1]), 0.5, 1e-14);
  }
  EXPECT_NEAR(x, 0.4, 1e-14);
  EXPECT_NEAR(y, 0.0, 1e-14);
}

TEST(Convex, PointsKeepTheirNamesUnderNoise) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Shape cube = box(1, 1, 1), tower = box(1, 1, 3), disc = cylinder(0.5, 0.4), can = cylinder(0.5, 1.0);
  const Shape sharp{ShapeKind::cone, 0.5, {{0.25, 0.0, 0.75}}};
  struct Case { const Shape &a, &b; double height; V turn; };
  for (const Case& c : {Case{cube, cube, 1.0, {}}, Case{cube, tower, 2.0, {}}, Case{cube, cube, 1.0, {{0, 0, 0.3}}}, Case{cube, cube, 1.0, {{0, 0, 0.25 * M_PI}}},
                        Case{cube, disc, 0.7, {}}, Case{disc, cube, 0.7, {}}, Case{disc, can, 0.7, {}}, Case{cube, can, 1.0, {{0.5 * M_PI, 0, 0}}}, Case{cube, sharp, 0.75, {}}}) {
    std::vector<int> names;
    for (int trial = 0; trial < 200; ++trial) {
      const double noise = trial == 0 ? 0.0 : 1e-11;
      const auto some = [&] { return V{{noise * unit(engine), noise * unit(engine), noise * unit(engine)}}; };
      const Pose B{V{{0, 0, c.height}} + some(), rotation_exp(some()) * rotation_exp(c.turn)};
      const ContactPoints points = contact_points(c.a, at(some(), some()), c.b, B, 1e-6);
      std::vector<int> now;
      for (int i = 0; i < points.count; ++i) {
        now.push_back(points.point[i].feature);
        EXPECT_NEAR(points.point[i].gap, 0.0, 1e-10);
      }
      if (trial == 0) names = now;
      EXPECT_GT(names.size(), 1u);
      EXPECT_EQ(now, names) << trial << " height " << c.height << " count " << points.count;
    }
  }
}

TEST(Convex, TheHullOfPointsJoinsTrianglesThatLieInOnePlane) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::vector<V> points;
  for (int c = 0; c < 8; ++c) points.push_back({{c & 1 ? 2.0 : -1.0, c & 2 ? 1.0 : 0.0, c & 4 ? 3.0 : -2.0}});
  for (int i = 0; i < 100; ++i) points.push_back({{0.5 + 1.5 * unit(engine), 0.5 + 0.5 * unit(engine), 0.5 + 2.5 * unit(engine)}});
  points.push_back({{0.5, 0.0, 3.0}}), points.push_back({{2.0, 0.5, 0.0}});  // on an edge, in a face
  for (V& p : points) p = rotation_exp(V{{0.3, 0.2, -0.7}}) * p;
  const auto made = convex_hull(points);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->corners.size(), 8u);
  EXPECT_EQ(made->form.faces.size(), 6u);
  EXPECT_EQ(made->form.edges.size(), 12u);
  for (const HullForm::Edge& e : made->form.edges) EXPECT_TRUE(e.left >= 0 && e.right >= 0);
  const std::vector<V> plane{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{1, 1, 0}}};
  EXPECT_FALSE(convex_hull(plane).has_value());
}

/// Whether no point lies over a face by more than eps, each edge has two faces, and V - E + F = 2.
void expect_hull(const Hull& hull, const std::vector<V>& points, double eps) {
  for (const HullForm::Face& face : hull.form.faces) {
    const double top = dot(face.n, hull.corners[hull.form.loop[face.begin]]);
    double over = -1e300;
    for (const V& p : points) over = std::max(over, dot(face.n, p) - top);
    EXPECT_LT(over, eps);
  }
  for (const HullForm::Edge& e : hull.form.edges) EXPECT_TRUE(e.left >= 0 && e.right >= 0 && e.left != e.right);
  EXPECT_EQ(static_cast<int>(hull.corners.size()) - static_cast<int>(hull.form.edges.size()) + static_cast<int>(hull.form.faces.size()), 2);
}

TEST(Convex, TheHullOfManyPointsOnABallHasThemAllAsCorners) {  // 8,000 took two and a half minutes
  std::mt19937 engine(11);
  std::normal_distribution<double> normal;
  std::vector<V> points;
  for (int i = 0; i < 8000; ++i) {
    const V p{{normal(engine), normal(engine), normal(engine)}};
    points.push_back(p * (1.0 / norm(p)));
  }
  const auto made = convex_hull(points);
  ASSERT_TRUE(made.has_value());
  EXPECT_GT(made->corners.size(), 7990u);  // triangles within 1e-5 rad are one face
  points.resize(500);
  expect_hull(*convex_hull(points), points, 1e-9);
}

TEST(Convex, TheHullOfPointsThatLieInFacesAndOnEdgesIsWhole) {
  std::vector<V> points;
  for (int i = 0; i <= 12; ++i)
    for (int j = 0; j <= 12; ++j)
      for (int k = 0; k <= 12; ++k)
        if (i % 12 == 0 || j % 12 == 0 || k % 12 == 0) points.push_back(rotation_exp(V{{0.3, 0.2, -0.7}}) * V{{0.1 * i, 0.07 * j, 0.03 * k}} + V{{5, -2, 1}});
  const auto box = convex_hull(points);
  ASSERT_TRUE(box.has_value());
  EXPECT_EQ(box->corners.size(), 8u);
  expect_hull(*box, points, 1e-9);
  points.clear();
  for (int i = 0; i < 60; ++i)
    for (const double z : {-1.0, -0.5, 0.0, 0.5, 1.0}) points.push_back({{std::cos(0.1 * M_PI / 3.0 * i), std::sin(0.1 * M_PI / 3.0 * i), z}});
  const auto prism = convex_hull(points);
  ASSERT_TRUE(prism.has_value());
  EXPECT_EQ(prism->corners.size(), 120u);
  EXPECT_EQ(prism->form.faces.size(), 62u);
  expect_hull(*prism, points, 1e-9);
}

TEST(Convex, ABoxAsAHullTouchesAsABox) {
  const V half{{0.3, 0.5, 0.4}};
  std::vector<V> corners;
  for (int c = 0; c < 8; ++c) corners.push_back({{c & 1 ? half[0] : -half[0], c & 2 ? half[1] : -half[1], c & 4 ? half[2] : -half[2]}});
  std::mt19937 engine(9);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto random = [&](double s) { return V{{s * unit(engine), s * unit(engine), s * unit(engine)}}; };
  for (int trial = 0; trial < 300; ++trial) {
    const Pose A = at(random(0.6), random(3.0)), B = at(random(0.6), random(3.0));
    const Separation as_box = separation(box(0.6, 1.0, 0.8), A, box(0.5, 0.5, 1.0), B, 1e9), as_hull = separation(hull(corners), A, box(0.5, 0.5, 1.0), B, 1e9);
    EXPECT_NEAR(as_box.gap, as_hull.gap, 1e-13);
    EXPECT_LT(norm(as_box.normal - as_hull.normal), 1e-9) << trial << " gap " << as_box.gap;
  }
}

TEST(Convex, ATipJustInsideTheRimOfALidIsOverIt) {
  // Corners stand for the rim; between two of them the lid reaches a two-hundredth of its radius farther.
  const Shape can = cylinder(0.3, 0.7), tip = hull({{{0, 0, 0}}, {{0.2, 0.1, 0.5}}, {{-0.2, 0.1, 0.5}}, {{0, -0.2, 0.5}}});
  for (int i = 0; i < 64; ++i)
    for (const double gap : {-1e-3, 1e-3}) {
      const double angle = i * M_PI / 32.0;
      const Pose over = at({{0.2995 * std::cos(angle), 0.2995 * std::sin(angle), 0.35 + gap}});
      const ContactPoints points = contact_points(can, at({}), tip, over, 5e-3);
      double least = 1.0;
      for (int k = 0; k < points.count; ++k) least = std::min(least, points.point[k].gap);
      EXPECT_NEAR(least, gap > 0.0 ? gap : separation(can, at({}), tip, over, 1.0).gap, 1e-12) << i << " " << points.count;
    }
}

TEST(Convex, AnEdgeOnAFaceAndOnAnEdgeTouchesWithTwoPoints) {
  const Shape cube = box(1, 1, 1), roll = cylinder(0.3, 2.0);
  const Pose on_edge = at({{0, 0, 0.5 + std::sqrt(0.5)}}, {{0, 0.25 * M_PI, 0}});
  EXPECT_EQ(convex_points(cube, at({}), cube, on_edge, 1e-9).count, 2);
  const Pose lying = at({{0, 0, 0.8}}, {{0.5 * M_PI, 0, 0}});
  const ContactPoints points = convex_points(cube, at({}), roll, lying, 1e-9);
  ASSERT_EQ(points.count, 2);
  for (int i : {0, 1}) EXPECT_NEAR(std::abs(points.point[i].on_A[1]), 0.5, 1e-14);
  // Two rolls along each other, and across.
  EXPECT_EQ(convex_points(roll, at({}), roll, at({{0.6, 0, 0.5}}), 1e-9).count, 2);
  EXPECT_EQ(convex_points(roll, at({}), roll, at({{0.6, 0, 0}}, {{1.0, 0, 0}}), 1e-9).count, 1);
}

/// A board that leans to the plane x = 0 by an angle from the vertical, from the side x < 0 or x > 0: the origin is on the edge with which it touches that plane.
Pose leaning(double side, double angle, double thickness, double height) {
  const Pose turned = at({}, {{0, -side * angle, 0}});
  return {-(turned.R * V{{-0.5 * side * thickness, 0, 0.5 * height}}), turned.R};
}

TEST(Convex, ParallelEdgesTouchAlongTheMiddleOfTheirNormalsInEitherOrder) {
  const V half{{0.01, 0.15, 0.5}};
  std::vector<V> corners, prism;
  for (int c = 0; c < 8; ++c) corners.push_back({{c & 1 ? half[0] : -half[0], c & 2 ? half[1] : -half[1], c & 4 ? half[2] : -half[2]}});
  for (int c = 0; c < 40; ++c) prism.push_back({{c % 2 ? half[0] : -half[0], half[1] * std::cos(0.1 * M_PI * (c / 2 + 0.5)), half[2] * std::sin(0.1 * M_PI * (c / 2 + 0.5))}});
  const Pose world = at({{3, -2, 5}}, {{0.3, 0.5, -0.2}});
  const auto placed = [&](const Pose& x) { return Pose{world.p + world.R * x.p, world.R * x.R}; };
  const double top = half[2] * std::cos(0.05 * M_PI);  // of the prism of 20 sides
  for (const auto& [shape, height] : {std::pair{box(0.02, 0.3, 1.0), 1.0}, std::pair{hull(corners), 1.0}, std::pair{hull(prism), 2.0 * top}})
    for (const double left : {0.1, 0.35, 0.7})
      for (const double right : {left, 0.2, 2e-3 - left})
        for (const double gap : {0.0, 1e-11, -1e-11}) {
          Pose A = leaning(-1.0, left, 0.02, height), B = leaning(1.0, right, 0.02, height);
          B.p[0] += gap;
          A = placed(A), B = placed(B);
          const double angle = 0.5 * (right - left);  // of the middle of the normals from -left to right
          const V n = world.R * V{{std::cos(angle), 0, std::sin(angle)}};
          const ContactPoints points = contact_points(shape, A, shape, B, 1e-6), turned = contact_points(shape, B, shape, A, 1e-6);
          ASSERT_EQ(points.count, 2) << left << " " << right;
          ASSERT_EQ(turned.count, 2) << left << " " << right;
          for (int i : {0, 1}) {
            EXPECT_LT(norm(points.point[i].normal - n), 1e-9) << left << " " << right << " " << gap << " " << height;
            EXPECT_LT(norm(turned.point[i].normal + n), 1e-9) << left << " " << right << " " << gap << " " << height;
            EXPECT_NEAR(points.point[i].gap, gap * std::cos(angle), 1e-14);
          }
        }
}

TEST(Convex, CornersTouchAlongTheMiddleOfTheirNormals) {
  const Shape cube = box(1, 1, 1);
  const double third = 1.0 / std::sqrt(3.0);
  const V up{{third, third, third}};  // from the centre of a cube to a corner, along which the other stands on its corner
  for (const double turn : {0.2, 0.3, M_PI / 3.0})
    for (const double gap : {0.0, -1e-11}) {
      const Pose B = at(up * (2.0 * std::sqrt(0.75) + gap), up * turn);
      const ContactPoints points = contact_points(cube, at({}), cube, B, 1e-6), turned = contact_points(cube, B, cube, at({}), 1e-6);
      ASSERT_EQ(points.count, 1) << turn;
      ASSERT_EQ(turned.count, 1) << turn;
      EXPECT_LT(norm(points.point[0].normal - up), 1e-9) << turn;
      EXPECT_LT(norm(turned.point[0].normal + up), 1e-9) << turn;
      EXPECT_NEAR(points.point[0].gap, gap, 1e-14);
    }
}

TEST(Convex, RimsThatLeanOnEachOtherTouchAlongTheMiddleOfTheirNormals) {
  const Shape coin = cylinder(0.5, 0.02);
  const double angle = 0.35;
  const auto rolled = [&](double side) {  // axis of the coin towards x
    const Pose lean = leaning(side, angle, 0.02, 1.0);
    return Pose{lean.p, lean.R * rotation_exp(V{{0, 0.5 * M_PI, 0}})};
  };
  for (const auto& [first, second] : {std::pair{-1.0, 1.0}, std::pair{1.0, -1.0}}) {
    const ContactPoints points = contact_points(coin, rolled(first), coin, rolled(second), 1e-6);
    ASSERT_EQ(points.count, 1);
    EXPECT_LT(norm(points.point[0].normal - V{{-first, 0, 0}}), 1e-9);
    EXPECT_NEAR(points.point[0].gap, 0.0, 1e-14);
  }
}

TEST(Convex, WhereEdgesOfTilesMeetTheirCommonFaceIsTheNormal) {
  const Shape tile = box(1, 0.6, 0.2);
  for (const V& beside : {V{{1, 0, 0.2}}, V{{-1, 0.1, 0.2}}, V{{0, 0.6, 0.2}}, V{{0.3, -0.6, -0.2}}}) {
    const ContactPoints points = contact_points(tile, at({}), tile, at(beside), 1e-6);
    ASSERT_EQ(points.count, 2);
    for (int i : {0, 1}) EXPECT_LT(norm(points.point[i].normal - V{{0, 0, beside[2] > 0.0 ? 1.0 : -1.0}}), 1e-12);
  }
}

}  // namespace
}  // namespace saltus
