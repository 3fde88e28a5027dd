// Pairs of shapes, a surface of 1e5 triangles, rays: time of each, warm, one thread. Usage: saltus_contact [seconds a line, 0.5].
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>

#include "saltus/collision/convex.hpp"
#include "saltus/collision/mesh.hpp"
#include "saltus/collision/queries.hpp"
#include "saltus/math/rotation.hpp"

namespace {

using namespace saltus;
using V = Vec3<double>;

double cpu() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// CPU seconds of one call: the least of the batches that fit into `seconds`.
template <class F>
double least(double seconds, int batch, F&& call) {
  double best = HUGE_VAL;
  for (const double end = cpu() + seconds; cpu() < end;) {
    const double start = cpu();
    for (int i = 0; i < batch; ++i) call(i);
    best = std::min(best, (cpu() - start) / batch);
  }
  return best;
}

Shape box(double x, double y, double z) { return {ShapeKind::box, 0.0, {{0.5 * x, 0.5 * y, 0.5 * z}}}; }

void pair(const char* name, const Shape& a, const Shape& b, const Pose& B, double seconds) {
  int points = 0;
  const double s = least(seconds, 1000, [&](int i) {
    Pose moved = B;
    moved.p[0] += 1e-12 * i;  // found anew each time
    points = contact_points(a, {}, b, moved, 1e-3).count;
  });
  std::printf("%-44s %d points  %.0f ns\n", name, points, 1e9 * s);
}

void pairs(double seconds) {
  const Shape cube = box(1, 1, 1), ball{ShapeKind::sphere, 0.5, {}}, roll{ShapeKind::capsule, 0.3, {{0, 0, 0.5}}}, can{ShapeKind::cylinder, 0.5, {{0, 0, 0.5}}};
  const auto on = [](double z, const V& turn = {}) { return Pose{{{0.1, 0.05, z}}, rotation_exp(turn)}; };
  pair("box on box, aligned", cube, cube, on(1.0), seconds);
  pair("box on box, turned about the vertical", cube, cube, on(1.0, {{0, 0, 0.4}}), seconds);
  const V out{{std::sqrt(0.5), 0, std::sqrt(0.5)}};  // across an edge; turned about that the edges cross
  pair("box and box, edge on edge", cube, cube, {out * (2.0 * std::sqrt(0.5) - 1e-4), rotation_exp(out * (0.5 * M_PI))}, seconds);
  pair("box and box, apart", cube, cube, on(3.0), seconds);
  pair("sphere on sphere", ball, ball, {{{0.0, 0.0, 1.0}}, identity<double>()}, seconds);
  pair("sphere on box", cube, ball, on(1.0), seconds);
  pair("capsule on box", cube, roll, on(0.8, {{1.5707963, 0, 0}}), seconds);
  pair("cylinder on box, standing", cube, can, on(1.0), seconds);
}

/// A hilly field of `n` by `n` squares of a metre, two triangles each.
TriangleMesh field(int n) {
  std::vector<V> points;
  std::vector<int> corners;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) points.push_back({{i - 0.5 * n, j - 0.5 * n, 0.4 * std::sin(0.3 * i) * std::cos(0.2 * j)}});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int a = i * (n + 1) + j, b = a + n + 1;
      for (const int corner : {a, b, b + 1, a, b + 1, a + 1}) corners.push_back(corner);
    }
  std::string wrong;
  return *triangle_mesh(points, corners, wrong);
}

void mesh(double seconds) {
  constexpr int n = 224, bodies = 1000;
  const double start = cpu();
  const TriangleMesh ground = field(n);
  std::printf("surface of %zu triangles, made in %.0f ms\n", ground.triangles.size(), 1e3 * (cpu() - start));
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> place(-100.0, 100.0);
  const Shape ball{ShapeKind::sphere, 0.3, {}}, cube = box(0.5, 0.5, 0.5);
  for (const auto& [name, shape] : {std::pair{"spheres", &ball}, std::pair{"boxes", &cube}}) {
    std::vector<Pose> poses;
    for (int i = 0; i < bodies; ++i) {
      const double x = place(engine), y = place(engine), u = x + 0.5 * n, v = y + 0.5 * n;
      poses.push_back({{{x, y, 0.4 * std::sin(0.3 * u) * std::cos(0.2 * v) + 0.29}}, rotation_exp(V{{place(engine), place(engine), place(engine)}})});
    }
    int points = 0;
    const double s = least(seconds, 1, [&](int) {
      points = 0;
      for (const Pose& pose : poses) points += mesh_points(ground, {}, *shape, pose, 1e-2).count;
    });
    std::printf("%d %s on it: %d points, %.2f ms\n", bodies, name, points, 1e3 * s);
  }
}

void rays(double seconds) {
  std::mt19937 engine(2);
  std::normal_distribution<double> normal;
  std::vector<std::pair<V, V>> all;
  for (int i = 0; i < 1000; ++i) {
    V from{{normal(engine), normal(engine), normal(engine)}};
    from = from * (3.0 / norm(from));
    const V to{{0.3 * normal(engine), 0.3 * normal(engine), 0.3 * normal(engine)}};
    all.emplace_back(from, (to - from) * (1.0 / norm(to - from)));
  }
  const Shape shapes[] = {{ShapeKind::sphere, 0.5, {}}, box(1, 0.8, 0.6), {ShapeKind::capsule, 0.3, {{0, 0, 0.5}}}, {ShapeKind::cylinder, 0.5, {{0, 0, 0.5}}},
                          {ShapeKind::ellipsoid, 0.0, {{0.2, 0.45, 0.3}}}};
  const char* names[] = {"sphere", "box", "capsule", "cylinder", "ellipsoid"};
  for (int k = 0; k < 5; ++k) {
    int hits = 0;
    const double s = least(seconds, 1000, [&](int i) { hits += cast_ray(shapes[k], {}, all[i].first, all[i].second).has_value(); });
    std::printf("ray at a %-10s %.2f million a second\n", names[k], 1e-6 / s);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0.5;
  pairs(seconds);
  mesh(seconds);
  rays(seconds);
}
