// Symmetric 3 x 3 matrices as six numbers: xx xy xz yy yz zz.
#pragma once

namespace limit {

struct Sym3 {
  double xx, xy, xz, yy, yz, zz;
};
struct V3 {
  double x, y, z;
};

inline V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V3 operator*(double s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(const V3& a, const V3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V3 cross(const V3& a, const V3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline V3 operator*(const Sym3& A, const V3& x) {
  return {A.xx * x.x + A.xy * x.y + A.xz * x.z, A.xy * x.x + A.yy * x.y + A.yz * x.z, A.xz * x.x + A.yz * x.y + A.zz * x.z};
}
inline Sym3 operator+(const Sym3& A, const Sym3& B) { return {A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yy + B.yy, A.yz + B.yz, A.zz + B.zz}; }
inline Sym3 operator-(const Sym3& A, const Sym3& B) { return {A.xx - B.xx, A.xy - B.xy, A.xz - B.xz, A.yy - B.yy, A.yz - B.yz, A.zz - B.zz}; }
inline Sym3 diagonal(double s) { return {s, 0, 0, s, 0, s}; }
inline Sym3 inverse(const Sym3& A) {
  const double a = A.yy * A.zz - A.yz * A.yz, b = A.xz * A.yz - A.xy * A.zz, c = A.xy * A.yz - A.xz * A.yy;
  const double s = 1.0 / (A.xx * a + A.xy * b + A.xz * c);
  return {s * a, s * b, s * c, s * (A.xx * A.zz - A.xz * A.xz), s * (A.xy * A.xz - A.xx * A.yz), s * (A.xx * A.yy - A.xy * A.xy)};
}
/// A B A.
inline Sym3 sandwich(const Sym3& A, const Sym3& B) {
  const V3 p = B * V3{A.xx, A.xy, A.xz}, q = B * V3{A.xy, A.yy, A.yz}, r = B * V3{A.xz, A.yz, A.zz};  // columns of B A
  return {A.xx * p.x + A.xy * p.y + A.xz * p.z, A.xx * q.x + A.xy * q.y + A.xz * q.z, A.xx * r.x + A.xy * r.y + A.xz * r.z,
          A.xy * q.x + A.yy * q.y + A.yz * q.z, A.xy * r.x + A.yy * r.y + A.yz * r.z, A.xz * r.x + A.yz * r.y + A.zz * r.z};
}
/// s x x^T.
inline Sym3 square(double s, const V3& x) { return {s * x.x * x.x, s * x.x * x.y, s * x.x * x.z, s * x.y * x.y, s * x.y * x.z, s * x.z * x.z}; }

}  // namespace limit
