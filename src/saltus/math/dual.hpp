// Forward dual numbers: value and N directional derivatives. Dual<N, Dual<1>> nests for second derivatives.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

namespace saltus {

template <int N, class T = double>
struct Dual {
  T value{};
  std::array<T, N> d{};

  constexpr Dual() = default;
  constexpr Dual(double v) : value(v) {}
  constexpr Dual(const T& v) requires(!std::is_same_v<T, double>) : value(v) {}
  constexpr Dual(const T& v, const std::array<T, N>& derivatives) : value(v), d(derivatives) {}
  /// Independent variable number `seed`, moved along it by `scale`.
  static constexpr Dual variable(const T& v, int seed, double scale = 1.0) {
    Dual r(v);
    r.d[seed] = T(scale);
    return r;
  }
  constexpr Dual& operator+=(const Dual& y) {
    value += y.value;
    for (int i = 0; i < N; ++i) d[i] += y.d[i];
    return *this;
  }
  constexpr Dual& operator-=(const Dual& y) {
    value -= y.value;
    for (int i = 0; i < N; ++i) d[i] -= y.d[i];
    return *this;
  }
  constexpr Dual& operator*=(const Dual& y) { return *this = *this * y; }
  constexpr Dual& operator/=(const Dual& y) { return *this = *this / y; }

  friend constexpr Dual operator+(Dual x, const Dual& y) { return x += y; }
  friend constexpr Dual operator-(Dual x, const Dual& y) { return x -= y; }
  friend constexpr Dual operator-(const Dual& x) {
    Dual r(-x.value);
    for (int i = 0; i < N; ++i) r.d[i] = -x.d[i];
    return r;
  }
  friend constexpr Dual operator+(const Dual& x) { return x; }
  friend constexpr Dual operator*(const Dual& x, const Dual& y) {
    Dual r(x.value * y.value);
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] * y.value + x.value * y.d[i];
    return r;
  }
  friend constexpr Dual operator/(const Dual& x, const Dual& y) {
    const T inverse = T(1.0) / y.value;
    Dual r(x.value * inverse);
    for (int i = 0; i < N; ++i) r.d[i] = (x.d[i] - r.value * y.d[i]) * inverse;
    return r;
  }
  friend constexpr Dual operator*(const Dual& x, double s) {
    Dual r(x.value * s);
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] * s;
    return r;
  }
  friend constexpr Dual operator*(double s, const Dual& x) { return x * s; }
  friend constexpr Dual operator+(const Dual& x, double s) { Dual r(x); r.value += s; return r; }
  friend constexpr Dual operator+(double s, const Dual& x) { return x + s; }
  friend constexpr Dual operator-(const Dual& x, double s) { Dual r(x); r.value -= s; return r; }
  friend constexpr Dual operator-(double s, const Dual& x) { return (-x) + s; }
  friend constexpr Dual operator/(const Dual& x, double s) { return x * (1.0 / s); }
  friend constexpr Dual operator/(double s, const Dual& x) { return Dual(s) / x; }
  friend constexpr bool operator<(const Dual& x, const Dual& y) { return x.value < y.value; }
  friend constexpr bool operator>(const Dual& x, const Dual& y) { return x.value > y.value; }
  friend constexpr bool operator<=(const Dual& x, const Dual& y) { return x.value <= y.value; }
  friend constexpr bool operator>=(const Dual& x, const Dual& y) { return x.value >= y.value; }
  friend constexpr bool operator==(const Dual& x, const Dual& y) { return x.value == y.value; }
};

/// Innermost value of any scalar of the closed list.
constexpr double val(double x) { return x; }
template <int N, class T>
constexpr double val(const Dual<N, T>& x) { return val(x.value); }

/// False where a scalar is a plain number: all its derivatives, at every level, are zero.
constexpr bool has_derivatives(double) { return false; }
template <int N, class T>
constexpr bool has_derivatives(const Dual<N, T>& x) {
  if (has_derivatives(x.value)) return true;
  for (int i = 0; i < N; ++i)
    if (val(x.d[i]) != 0.0 || has_derivatives(x.d[i])) return true;
  return false;
}

/// f(x) with derivative df: the chain rule, once for all functions below.
template <int N, class T>
constexpr Dual<N, T> chained(const Dual<N, T>& x, const T& f, const T& df) {
  Dual<N, T> r(f);
  for (int i = 0; i < N; ++i) r.d[i] = df * x.d[i];
  return r;
}

template <int N, class T> Dual<N, T> sqrt(const Dual<N, T>& x) {
  using std::sqrt;
  const T f = sqrt(x.value);
  return chained(x, f, val(f) > 0.0 ? T(0.5) / f : T(0.0));  // subgradient 0 at 0: no NaN in a kernel
}
template <int N, class T> Dual<N, T> sin(const Dual<N, T>& x) { using std::sin; using std::cos; return chained(x, T(sin(x.value)), T(cos(x.value))); }
template <int N, class T> Dual<N, T> cos(const Dual<N, T>& x) { using std::sin; using std::cos; return chained(x, T(cos(x.value)), T(-sin(x.value))); }
template <int N, class T> Dual<N, T> tan(const Dual<N, T>& x) { using std::tan; const T f = tan(x.value); return chained(x, f, T(1.0 + f * f)); }
template <int N, class T> Dual<N, T> exp(const Dual<N, T>& x) { using std::exp; const T f = exp(x.value); return chained(x, f, f); }
template <int N, class T> Dual<N, T> log(const Dual<N, T>& x) { using std::log; return chained(x, T(log(x.value)), T(T(1.0) / x.value)); }
template <int N, class T> Dual<N, T> tanh(const Dual<N, T>& x) { using std::tanh; const T f = tanh(x.value); return chained(x, f, T(1.0 - f * f)); }
template <int N, class T> Dual<N, T> sinh(const Dual<N, T>& x) { using std::sinh; using std::cosh; return chained(x, T(sinh(x.value)), T(cosh(x.value))); }
template <int N, class T> Dual<N, T> cosh(const Dual<N, T>& x) { using std::sinh; using std::cosh; return chained(x, T(cosh(x.value)), T(sinh(x.value))); }
template <int N, class T> Dual<N, T> asin(const Dual<N, T>& x) { using std::asin; using std::sqrt; return chained(x, T(asin(x.value)), T(T(1.0) / sqrt(1.0 - x.value * x.value))); }
template <int N, class T> Dual<N, T> acos(const Dual<N, T>& x) { using std::acos; using std::sqrt; return chained(x, T(acos(x.value)), T(T(-1.0) / sqrt(1.0 - x.value * x.value))); }
template <int N, class T> Dual<N, T> atan(const Dual<N, T>& x) { using std::atan; return chained(x, T(atan(x.value)), T(T(1.0) / (1.0 + x.value * x.value))); }
template <int N, class T> Dual<N, T> abs(const Dual<N, T>& x) { return val(x) < 0.0 ? -x : x; }
template <int N, class T> Dual<N, T> fabs(const Dual<N, T>& x) { return abs(x); }
template <int N, class T> Dual<N, T> atan2(const Dual<N, T>& y, const Dual<N, T>& x) {
  using std::atan2;
  const T r2 = x.value * x.value + y.value * y.value;
  Dual<N, T> r(T(atan2(y.value, x.value)));
  for (int i = 0; i < N; ++i) r.d[i] = (x.value * y.d[i] - y.value * x.d[i]) / r2;
  return r;
}
template <int N, class T> Dual<N, T> pow(const Dual<N, T>& x, double p) {
  using std::pow;
  if (p == 0.0) return Dual<N, T>(1.0);
  return chained(x, T(pow(x.value, p)), T(p * pow(x.value, p - 1.0)));
}
template <int N, class T> Dual<N, T> pow(const Dual<N, T>& x, const Dual<N, T>& y) {
  if (!has_derivatives(y)) return pow(x, val(y));  // a base <= 0 is fine then
  return exp(y * log(x));
}
template <int N, class T> Dual<N, T> max(const Dual<N, T>& x, const Dual<N, T>& y) { return x < y ? y : x; }
template <int N, class T> Dual<N, T> min(const Dual<N, T>& x, const Dual<N, T>& y) { return y < x ? y : x; }

}  // namespace saltus
