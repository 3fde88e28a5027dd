#include "saltus/collision/narrow_phase.hpp"

#include <utility>

#include "saltus/collision/convex.hpp"
#include "saltus/collision/hollow_surface.hpp"
#include "saltus/collision/implicit_surface.hpp"
#include "saltus/collision/mesh.hpp"

namespace saltus {
namespace {

Vec3<double> axis(const Pose& pose, int i) { return {{pose.R(0, i), pose.R(1, i), pose.R(2, i)}}; }

/// A ball of radius r about p, part of B, against the plane of A.
void ball_on_plane(const Pose& A, const Vec3<double>& p, double r, int feature, double within, ContactPoints& out) {
  const Vec3<double> n = axis(A, 2);
  const double height = dot(n, p - A.p);
  out.add({p - n * height, p - n * r, n, height - r, feature}, within);
}

/// The lowest point of each rim and those a third of a turn beside it. On a lid that lies nearly flat these would turn round with every small
/// tilt, and what slides would tip over the side of their triangle. It lies on eight points that the body keeps, and on the lowest where that reaches farther.
void cylinder_on_plane(const Pose& A, const Shape& b, const Pose& B, double within, ContactPoints& out) {
  constexpr int others = 3, corners = 8;              // names of the points of a rim: the lowest is 0
  constexpr double nearly_flat = 1e-3, same = 1e-9;  // of tilts; of the radius
  const Vec3<double> n = axis(A, 2), x = axis(B, 0), y = axis(B, 1), z = axis(B, 2);
  const double up = dot(n, z);
  const Vec3<double> down = z * up - n;  // in the lids, towards the plane
  const double tilt = norm(down);
  const Vec3<double> u = tilt > 1e-9 ? down * (1.0 / tilt) : x, v = cross(z, u);
  for (int rim : {0, 1}) {
    const int first = rim * (others + corners);
    const Vec3<double> centre = B.p + z * (rim ? b.half[2] : -b.half[2]);
    const auto add = [&](const Vec3<double>& p, double s, const Vec3<double>& q, double t, int i) { ball_on_plane(A, centre + (p * s + q * t) * b.radius, 0.0, first + i, within, out); };
    const auto turn = [](int i, int of) { return 2.0 * M_PI * i / of; };
    if (tilt > nearly_flat || (rim == 1) == (up > 0.0)) {
      for (int i = 0; i < others; ++i) add(u, std::cos(turn(i, others)), v, std::sin(turn(i, others)), i);
      continue;
    }
    double reach = 0.0;  // of the corners along u
    for (int i = 0; i < corners; ++i) reach = std::max(reach, dot(u, x * std::cos(turn(i, corners)) + y * std::sin(turn(i, corners))));
    if (tilt * (1.0 - reach) > same) add(u, 1.0, v, 0.0, 0);
    for (int i = 0; i < corners; ++i) add(x, std::cos(turn(i, corners)), y, std::sin(turn(i, corners)), others + i);
  }
}

void on_plane(const Pose& A, const Shape& b, const Pose& B, double within, ContactPoints& out) {
  const Vec3<double> z = axis(B, 2);
  switch (b.kind) {
    case ShapeKind::sphere: ball_on_plane(A, B.p, b.radius, 0, within, out); break;
    case ShapeKind::capsule:
      for (int side : {0, 1}) ball_on_plane(A, B.p + z * (side ? b.half[2] : -b.half[2]), b.radius, side, within, out);
      break;
    case ShapeKind::box:
      for (int corner = 0; corner < 8; ++corner) {
        Vec3<double> local = b.half;
        for (int i = 0; i < 3; ++i)
          if (!(corner & (1 << i))) local[i] = -local[i];
        ball_on_plane(A, B.p + B.R * local, 0.0, corner, within, out);
      }
      break;
    case ShapeKind::cylinder: cylinder_on_plane(A, b, B, within, out); break;
    default: break;
  }
}

/// Balls of radii a and b about p and q. Concentric ones part along z.
void balls(const Vec3<double>& p, double a, const Vec3<double>& q, double b, int feature, double within, ContactPoints& out) {
  const Vec3<double> d = q - p;
  const double distance = norm(d);
  const Vec3<double> n = distance > 0.0 ? d * (1.0 / distance) : Vec3<double>{{0, 0, 1}};
  out.add({p + n * a, q - n * b, n, distance - a - b, feature}, within);
}

/// Nearest points of two segments p + s u, |s| <= a and q + t v, |t| <= b, unit directions (Ericson 2005, 5.1.9, centred).
void segments(const Shape& sa, const Pose& A, const Shape& sb, const Pose& B, double within, ContactPoints& out) {
  const double a = sa.kind == ShapeKind::capsule ? sa.half[2] : 0.0, b = sb.kind == ShapeKind::capsule ? sb.half[2] : 0.0;
  const Vec3<double> u = axis(A, 2), v = axis(B, 2), d = A.p - B.p;
  const double c = dot(u, v), ud = dot(u, d), vd = dot(v, d), sine2 = 1.0 - c * c;
  const auto on_a = [&](double t) { return std::clamp(t * c - ud, -a, a); };  // nearest on A to q + t v
  const auto on_b = [&](double s) { return std::clamp(s * c + vd, -b, b); };
  const auto add = [&](double s, double t, int feature) { balls(A.p + u * s, sa.radius, B.p + v * t, sb.radius, feature, within, out); };
  if (a > 0.0 && b > 0.0 && sine2 < 1e-6) {  // side by side: both ends of the overlap, if there is one
    const double middle = -ud, low = std::max(-a, middle - b), high = std::min(a, middle + b);
    if (low < high) {
      add(low, on_b(low), 0), add(high, on_b(high), 1);
      return;
    }
  }
  double s = sine2 > 1e-12 ? std::clamp((c * vd - ud) / sine2, -a, a) : std::clamp(-ud, -a, a);
  const double t = on_b(s);
  s = on_a(t);
  add(s, t, 2);
}

/// Ball B against the solid box or cylinder A: from its nearest point, or out through the nearest face.
void ball_on_solid(const Shape& a, const Pose& A, double r, const Pose& B, double within, ContactPoints& out) {
  const Vec3<double> c = transposed_times(A.R, B.p - A.p);
  Vec3<double> near = c, outward{};
  double depth = std::numeric_limits<double>::infinity();
  const auto face = [&](double inside, const Vec3<double>& n, const Vec3<double>& point) {
    if (inside < depth) depth = inside, outward = n, near = point;
  };
  bool inside = true;
  if (a.kind == ShapeKind::box) {
    for (int i = 0; i < 3; ++i) inside &= std::abs(c[i]) < a.half[i], near[i] = std::clamp(c[i], -a.half[i], a.half[i]);
    for (int i = 0; inside && i < 3; ++i) {
      Vec3<double> n{}, point = c;
      n[i] = c[i] < 0.0 ? -1.0 : 1.0, point[i] = n[i] * a.half[i];
      face(a.half[i] - std::abs(c[i]), n, point);
    }
  } else {
    const double rho = std::hypot(c[0], c[1]);
    inside = rho < a.radius && std::abs(c[2]) < a.half[2];
    const double scale = rho > a.radius ? a.radius / rho : 1.0;
    near = {{c[0] * scale, c[1] * scale, std::clamp(c[2], -a.half[2], a.half[2])}};
    if (inside) {
      const Vec3<double> radial = rho > 0.0 ? Vec3<double>{{c[0] / rho, c[1] / rho, 0.0}} : Vec3<double>{{1, 0, 0}};
      face(a.radius - rho, radial, {{radial[0] * a.radius, radial[1] * a.radius, c[2]}});
      const double side = c[2] < 0.0 ? -1.0 : 1.0;
      face(a.half[2] - std::abs(c[2]), {{0, 0, side}}, {{c[0], c[1], side * a.half[2]}});
    }
  }
  if (!inside) {
    const double distance = norm(c - near);
    outward = distance > 0.0 ? (c - near) * (1.0 / distance) : Vec3<double>{{0, 0, 1}};
    depth = -distance;
  }
  const Vec3<double> n = A.R * outward;
  out.add({A.p + A.R * near, B.p - n * r, n, -depth - r, 0}, within);
}

bool round(ShapeKind kind) { return kind == ShapeKind::sphere || kind == ShapeKind::capsule; }
bool by_surface(ShapeKind kind) { return kind == ShapeKind::hollow_sphere || kind == ShapeKind::hollow_cylinder || kind == ShapeKind::implicit_surface; }
bool solid(ShapeKind kind) { return kind == ShapeKind::box || kind == ShapeKind::cylinder; }

/// Of a pair in the order that its function takes.
ContactPoints in_order(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double within) {
  if (a.hollow()) return OnSurface(HollowSurface(a), A, b, B, within).points();
  if (a.kind == ShapeKind::implicit_surface) return implicit_points(*a.implicit, A, b, B, within);
  if (b.kind == ShapeKind::mesh) return mesh_on_mesh(*a.mesh, A, *b.mesh, B, within);
  if (a.kind == ShapeKind::mesh) return mesh_points(*a.mesh, A, b, B, within);
  const bool simple = round(b.kind) || solid(b.kind);
  const bool closed_form = (a.kind == ShapeKind::plane && simple) || (solid(a.kind) && b.kind == ShapeKind::sphere) || (round(a.kind) && round(b.kind));
  if (!closed_form) return convex_points(a, A, b, B, within);
  ContactPoints out;
  if (a.kind == ShapeKind::plane) on_plane(A, b, B, within, out);
  else if (solid(a.kind)) ball_on_solid(a, A, b.radius, B, within, out);
  else segments(a, A, b, B, within, out);
  return out;
}

}  // namespace

bool can_touch(ShapeKind a, ShapeKind b) {
  const auto endless = [](ShapeKind k) { return k == ShapeKind::plane || by_surface(k); };
  return !(endless(a) && endless(b));
}

ContactPoints contact_points(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double within) {
  if (!can_touch(a.kind, b.kind)) return {};
  const bool meshes = a.kind != ShapeKind::mesh && (b.kind == ShapeKind::mesh || b.kind == ShapeKind::plane);
  const bool turned = by_surface(b.kind) || (!by_surface(a.kind) && (meshes || (solid(b.kind) && a.kind == ShapeKind::sphere)));
  const Shape &first = turned ? b : a, &second = turned ? a : b;
  const Pose &F = turned ? B : A, &S = turned ? A : B;
  ContactPoints out = in_order(first, F, second, S, within);
  for (int i = 0; turned && i < out.count; ++i) {
    ContactPoint& p = out.point[i];
    std::swap(p.on_A, p.on_B);
    p.normal = -p.normal;
  }
  return out;
}

}  // namespace saltus
