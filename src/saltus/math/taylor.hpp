// Second-order Taylor number: value, first and second derivative of a quantity along a path s.
#pragma once

#include <cmath>

#include "saltus/math/dual.hpp"

namespace saltus {

/// x(s) = value + first s + second s^2 / 2 + ...; so `second` of a constraint along p + v t + a t^2 / 2 is its yddot.
/// Functions follow f(x)' = f' x', f(x)'' = f'' x'^2 + f' x''. Where f has a kink: the side that `val` is on.
template <class T = double>
struct Taylor2 {
  T value{}, first{}, second{};

  constexpr Taylor2() = default;
  constexpr Taylor2(double v) : value(v) {}
  constexpr Taylor2(const T& v) requires(!std::is_same_v<T, double>) : value(v) {}
  constexpr Taylor2(const T& v, const T& d, const T& dd) : value(v), first(d), second(dd) {}

  constexpr Taylor2& operator+=(const Taylor2& y) { return *this = *this + y; }
  constexpr Taylor2& operator-=(const Taylor2& y) { return *this = *this - y; }
  constexpr Taylor2& operator*=(const Taylor2& y) { return *this = *this * y; }
  constexpr Taylor2& operator/=(const Taylor2& y) { return *this = *this / y; }

  friend constexpr Taylor2 operator+(const Taylor2& x) { return x; }
  friend constexpr Taylor2 operator-(const Taylor2& x) { return {-x.value, -x.first, -x.second}; }
  friend constexpr Taylor2 operator+(const Taylor2& x, const Taylor2& y) {
    return {x.value + y.value, x.first + y.first, x.second + y.second};
  }
  friend constexpr Taylor2 operator-(const Taylor2& x, const Taylor2& y) {
    return {x.value - y.value, x.first - y.first, x.second - y.second};
  }
  friend constexpr Taylor2 operator*(const Taylor2& x, const Taylor2& y) {
    return {x.value * y.value, x.first * y.value + x.value * y.first,
            x.second * y.value + 2.0 * (x.first * y.first) + x.value * y.second};
  }
  friend constexpr Taylor2 operator/(const Taylor2& x, const Taylor2& y) {
    const T inverse = T(1.0) / y.value;
    const T q = x.value * inverse;
    const T dq = (x.first - q * y.first) * inverse;
    return {q, dq, (x.second - 2.0 * (dq * y.first) - q * y.second) * inverse};
  }
  friend constexpr Taylor2 operator*(const Taylor2& x, double s) { return {x.value * s, x.first * s, x.second * s}; }
  friend constexpr Taylor2 operator*(double s, const Taylor2& x) { return x * s; }
  friend constexpr Taylor2 operator/(const Taylor2& x, double s) { return x * (1.0 / s); }
  friend constexpr Taylor2 operator/(double s, const Taylor2& x) { return Taylor2(s) / x; }
  friend constexpr Taylor2 operator+(const Taylor2& x, double s) { return {x.value + s, x.first, x.second}; }
  friend constexpr Taylor2 operator+(double s, const Taylor2& x) { return x + s; }
  friend constexpr Taylor2 operator-(const Taylor2& x, double s) { return {x.value - s, x.first, x.second}; }
  friend constexpr Taylor2 operator-(double s, const Taylor2& x) { return {s - x.value, -x.first, -x.second}; }
  friend constexpr bool operator<(const Taylor2& x, const Taylor2& y) { return x.value < y.value; }
  friend constexpr bool operator>(const Taylor2& x, const Taylor2& y) { return x.value > y.value; }
  friend constexpr bool operator<=(const Taylor2& x, const Taylor2& y) { return x.value <= y.value; }
  friend constexpr bool operator>=(const Taylor2& x, const Taylor2& y) { return x.value >= y.value; }
  friend constexpr bool operator==(const Taylor2& x, const Taylor2& y) { return x.value == y.value; }
};

template <class T>
constexpr double val(const Taylor2<T>& x) { return val(x.value); }

/// f(x) from f, f', f'' at x.value.
template <class T>
constexpr Taylor2<T> chained(const Taylor2<T>& x, const T& f, const T& df, const T& ddf) {
  return {f, df * x.first, ddf * (x.first * x.first) + df * x.second};
}

template <class T> Taylor2<T> sqrt(const Taylor2<T>& x) {
  using std::sqrt;
  const T f = sqrt(x.value);
  if (!(val(f) > 0.0)) return {f, T(0.0), T(0.0)};  // as for Dual: subgradient 0 at 0, no NaN in a kernel
  const T df = T(0.5) / f;
  return chained(x, f, df, T(-0.5 * (df / x.value)));
}
template <class T> Taylor2<T> sin(const Taylor2<T>& x) {
  using std::cos; using std::sin;
  const T s = sin(x.value);
  return chained(x, s, T(cos(x.value)), T(-s));
}
template <class T> Taylor2<T> cos(const Taylor2<T>& x) {
  using std::cos; using std::sin;
  const T c = cos(x.value);
  return chained(x, c, T(-sin(x.value)), T(-c));
}
template <class T> Taylor2<T> tan(const Taylor2<T>& x) {
  using std::tan;
  const T f = tan(x.value), df = 1.0 + f * f;
  return chained(x, f, df, T(2.0 * (f * df)));
}
template <class T> Taylor2<T> exp(const Taylor2<T>& x) {
  using std::exp;
  const T f = exp(x.value);
  return chained(x, f, f, f);
}
template <class T> Taylor2<T> log(const Taylor2<T>& x) {
  using std::log;
  const T df = T(1.0) / x.value;
  return chained(x, T(log(x.value)), df, T(-(df * df)));
}
template <class T> Taylor2<T> sinh(const Taylor2<T>& x) {
  using std::cosh; using std::sinh;
  const T s = sinh(x.value);
  return chained(x, s, T(cosh(x.value)), s);
}
template <class T> Taylor2<T> cosh(const Taylor2<T>& x) {
  using std::cosh; using std::sinh;
  const T c = cosh(x.value);
  return chained(x, c, T(sinh(x.value)), c);
}
template <class T> Taylor2<T> tanh(const Taylor2<T>& x) {
  using std::tanh;
  const T f = tanh(x.value), df = 1.0 - f * f;
  return chained(x, f, df, T(-2.0 * (f * df)));
}
template <class T> Taylor2<T> asin(const Taylor2<T>& x) {
  using std::asin; using std::sqrt;
  const T r = 1.0 - x.value * x.value, df = T(1.0) / sqrt(r);
  return chained(x, T(asin(x.value)), df, T(x.value * df / r));
}
template <class T> Taylor2<T> acos(const Taylor2<T>& x) {
  using std::acos; using std::sqrt;
  const T r = 1.0 - x.value * x.value, df = T(-1.0) / sqrt(r);
  return chained(x, T(acos(x.value)), df, T(x.value * df / r));
}
template <class T> Taylor2<T> atan(const Taylor2<T>& x) {
  using std::atan;
  const T df = T(1.0) / (1.0 + x.value * x.value);
  return chained(x, T(atan(x.value)), df, T(-2.0 * (x.value * (df * df))));
}
/// With w = x y' - y x' and r2 = x^2 + y^2: the angle's rate is w / r2, w' = x y'' - y x''.
template <class T> Taylor2<T> atan2(const Taylor2<T>& y, const Taylor2<T>& x) {
  using std::atan2;
  const T r2 = x.value * x.value + y.value * y.value;
  const T rate = (x.value * y.first - y.value * x.first) / r2;
  const T growth = 2.0 * (x.value * x.first + y.value * y.first);
  return {T(atan2(y.value, x.value)), rate, (x.value * y.second - y.value * x.second - rate * growth) / r2};
}
template <class T> Taylor2<T> abs(const Taylor2<T>& x) { return val(x) < 0.0 ? -x : x; }
template <class T> Taylor2<T> fabs(const Taylor2<T>& x) { return abs(x); }
template <class T> Taylor2<T> pow(const Taylor2<T>& x, double p) {
  using std::pow;
  if (p == 0.0) return Taylor2<T>(1.0);
  const T df = p * pow(x.value, p - 1.0);
  return chained(x, T(pow(x.value, p)), df, p == 1.0 ? T(0.0) : T(p * (p - 1.0) * pow(x.value, p - 2.0)));
}
template <class T> Taylor2<T> pow(const Taylor2<T>& x, const Taylor2<T>& y) {
  if (!has_derivatives(y)) return pow(x, val(y));
  return exp(y * log(x));
}
template <class T> Taylor2<T> max(const Taylor2<T>& x, const Taylor2<T>& y) { return x < y ? y : x; }
template <class T> Taylor2<T> min(const Taylor2<T>& x, const Taylor2<T>& y) { return y < x ? y : x; }

template <class T>
constexpr bool has_derivatives(const Taylor2<T>& x) {
  return has_derivatives(x.value) || val(x.first) != 0.0 || val(x.second) != 0.0 || has_derivatives(x.first) ||
         has_derivatives(x.second);
}

/// How often a scalar differentiates: 0 for double, 1 for Dual, 2 for nested duals and Taylor numbers.
template <class S> inline constexpr int derivative_order = 0;
template <int N, class T> inline constexpr int derivative_order<Dual<N, T>> = 1 + derivative_order<T>;
template <class T> inline constexpr int derivative_order<Taylor2<T>> = 2 + derivative_order<T>;

}  // namespace saltus
