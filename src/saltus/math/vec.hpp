// Small fixed-size vectors and matrices for kernels, on any scalar of the closed list. Dense and sparse linear
// algebra of run-time size is Eigen's.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace saltus {

template <class S, int N>
struct Vec {
  std::array<S, N> a{};
  constexpr S& operator[](int i) { return a[i]; }
  constexpr const S& operator[](int i) const { return a[i]; }
  constexpr S* data() { return a.data(); }
  constexpr const S* data() const { return a.data(); }
  static constexpr int size() { return N; }
};

template <class S> using Vec2 = Vec<S, 2>;
template <class S> using Vec3 = Vec<S, 3>;
template <class S> using Vec6 = Vec<S, 6>;

/// R x C matrix, row-major.
template <class S, int R, int C>
struct Mat {
  std::array<S, R * C> a{};
  constexpr S& operator()(int i, int j) { return a[i * C + j]; }
  constexpr const S& operator()(int i, int j) const { return a[i * C + j]; }
  constexpr S* data() { return a.data(); }
  constexpr const S* data() const { return a.data(); }
};

template <class S> using Mat3 = Mat<S, 3, 3>;
template <class S> using Mat6 = Mat<S, 6, 6>;

template <class S, class T> using Product = decltype(S{} * T{});
template <class S, class T> using Sum = decltype(S{} + T{});

template <class S, class T, int N>
constexpr Vec<Sum<S, T>, N> operator+(const Vec<S, N>& x, const Vec<T, N>& y) {
  Vec<Sum<S, T>, N> r;
  for (int i = 0; i < N; ++i) r[i] = x[i] + y[i];
  return r;
}
template <class S, class T, int N>
constexpr Vec<Sum<S, T>, N> operator-(const Vec<S, N>& x, const Vec<T, N>& y) {
  Vec<Sum<S, T>, N> r;
  for (int i = 0; i < N; ++i) r[i] = x[i] - y[i];
  return r;
}
template <class S, int N>
constexpr Vec<S, N> operator-(const Vec<S, N>& x) {
  Vec<S, N> r;
  for (int i = 0; i < N; ++i) r[i] = -x[i];
  return r;
}
template <class S, class T, int N>
constexpr Vec<Product<S, T>, N> operator*(const Vec<S, N>& x, const T& s) {
  Vec<Product<S, T>, N> r;
  for (int i = 0; i < N; ++i) r[i] = x[i] * s;
  return r;
}
template <class S, class T, int N>
constexpr Vec<Product<S, T>, N> operator*(const T& s, const Vec<S, N>& x) { return x * s; }
template <class S, class T, int N>
constexpr Vec<S, N>& operator+=(Vec<S, N>& x, const Vec<T, N>& y) {
  for (int i = 0; i < N; ++i) x[i] += y[i];
  return x;
}
template <class S, class T, int N>
constexpr Vec<S, N>& operator-=(Vec<S, N>& x, const Vec<T, N>& y) {
  for (int i = 0; i < N; ++i) x[i] -= y[i];
  return x;
}

template <class S, class T, int N>
constexpr Product<S, T> dot(const Vec<S, N>& x, const Vec<T, N>& y) {
  Product<S, T> r = x[0] * y[0];
  for (int i = 1; i < N; ++i) r += x[i] * y[i];
  return r;
}
template <class S, class T>
constexpr Vec3<Product<S, T>> cross(const Vec3<S>& x, const Vec3<T>& y) {
  return {{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]}};
}
template <class S, int N>
S norm(const Vec<S, N>& x) {
  using std::sqrt;
  return sqrt(dot(x, x));
}

template <class S, class T, int R, int C>
constexpr Vec<Product<S, T>, R> operator*(const Mat<S, R, C>& m, const Vec<T, C>& x) {
  Vec<Product<S, T>, R> r;
  for (int i = 0; i < R; ++i) {
    r[i] = m(i, 0) * x[0];
    for (int j = 1; j < C; ++j) r[i] += m(i, j) * x[j];
  }
  return r;
}
/// m^T x without forming the transpose.
template <class S, class T, int R, int C>
constexpr Vec<Product<S, T>, C> transposed_times(const Mat<S, R, C>& m, const Vec<T, R>& x) {
  Vec<Product<S, T>, C> r;
  for (int j = 0; j < C; ++j) {
    r[j] = m(0, j) * x[0];
    for (int i = 1; i < R; ++i) r[j] += m(i, j) * x[i];
  }
  return r;
}
/// x^T y without forming the transpose.
template <class S, class T, int R, int K, int C>
constexpr Mat<Product<S, T>, R, C> transposed_times(const Mat<S, K, R>& x, const Mat<T, K, C>& y) {
  Mat<Product<S, T>, R, C> r;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      Product<S, T> s = x(0, i) * y(0, j);
      for (int k = 1; k < K; ++k) s += x(k, i) * y(k, j);
      r(i, j) = s;
    }
  return r;
}
template <class S, class T, int R, int K, int C>
constexpr Mat<Product<S, T>, R, C> operator*(const Mat<S, R, K>& x, const Mat<T, K, C>& y) {
  Mat<Product<S, T>, R, C> r;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      Product<S, T> s = x(i, 0) * y(0, j);
      for (int k = 1; k < K; ++k) s += x(i, k) * y(k, j);
      r(i, j) = s;
    }
  return r;
}
template <class S, class T, int R, int C>
constexpr Mat<Sum<S, T>, R, C> operator+(const Mat<S, R, C>& x, const Mat<T, R, C>& y) {
  Mat<Sum<S, T>, R, C> r;
  for (int i = 0; i < R * C; ++i) r.a[i] = x.a[i] + y.a[i];
  return r;
}
template <class S, class T, int R, int C>
constexpr Mat<Sum<S, T>, R, C> operator-(const Mat<S, R, C>& x, const Mat<T, R, C>& y) {
  Mat<Sum<S, T>, R, C> r;
  for (int i = 0; i < R * C; ++i) r.a[i] = x.a[i] - y.a[i];
  return r;
}
template <class S, class T, int R, int C>
constexpr Mat<Product<S, T>, R, C> operator*(const Mat<S, R, C>& x, const T& s) {
  Mat<Product<S, T>, R, C> r;
  for (int i = 0; i < R * C; ++i) r.a[i] = x.a[i] * s;
  return r;
}
template <class S, int R, int C>
constexpr Mat<S, C, R> transposed(const Mat<S, R, C>& m) {
  Mat<S, C, R> r;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) r(j, i) = m(i, j);
  return r;
}
template <class S = double, int N = 3>
constexpr Mat<S, N, N> identity() {
  Mat<S, N, N> r;
  for (int i = 0; i < N; ++i) r(i, i) = S(1);
  return r;
}
/// Column j.
template <class S, int R, int C>
constexpr Vec<S, R> column(const Mat<S, R, C>& m, int j) {
  Vec<S, R> r;
  for (int i = 0; i < R; ++i) r[i] = m(i, j);
  return r;
}
/// Cross-product matrix: skew(x) y = x cross y.
template <class S>
constexpr Mat3<S> skew(const Vec3<S>& x) {
  return {{S(0), -x[2], x[1], x[2], S(0), -x[0], -x[1], x[0], S(0)}};
}
/// skew(x) m: x cross each column.
template <class S>
constexpr Mat3<S> cross(const Vec3<S>& x, const Mat3<S>& m) {
  Mat3<S> r;
  for (int j = 0; j < 3; ++j) {
    r(0, j) = x[1] * m(2, j) - x[2] * m(1, j);
    r(1, j) = x[2] * m(0, j) - x[0] * m(2, j);
    r(2, j) = x[0] * m(1, j) - x[1] * m(0, j);
  }
  return r;
}

}  // namespace saltus
