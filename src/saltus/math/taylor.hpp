// Second-order Taylor numbers: value, first and second derivative along a path (a motion in time).
#pragma once

#include <cmath>

namespace saltus {

struct Taylor2 {
  double value = 0.0, first = 0.0, second = 0.0;

  constexpr Taylor2() = default;
  constexpr Taylor2(double v) : value(v) {}
  constexpr Taylor2(double v, double rate, double acceleration) : value(v), first(rate), second(acceleration) {}

  constexpr Taylor2& operator+=(const Taylor2& y) { return *this = *this + y; }
  constexpr Taylor2& operator-=(const Taylor2& y) { return *this = *this - y; }
  constexpr Taylor2& operator*=(const Taylor2& y) { return *this = *this * y; }
  constexpr Taylor2& operator/=(const Taylor2& y) { return *this = *this / y; }
  friend constexpr Taylor2 operator+(const Taylor2& x, const Taylor2& y) { return {x.value + y.value, x.first + y.first, x.second + y.second}; }
  friend constexpr Taylor2 operator-(const Taylor2& x, const Taylor2& y) { return {x.value - y.value, x.first - y.first, x.second - y.second}; }
  friend constexpr Taylor2 operator-(const Taylor2& x) { return {-x.value, -x.first, -x.second}; }
  friend constexpr Taylor2 operator*(const Taylor2& x, const Taylor2& y) {
    return {x.value * y.value, x.first * y.value + x.value * y.first, x.second * y.value + 2.0 * x.first * y.first + x.value * y.second};
  }
  friend constexpr Taylor2 operator/(const Taylor2& x, const Taylor2& y) {
    const double q = x.value / y.value, dq = (x.first - q * y.first) / y.value;
    return {q, dq, (x.second - 2.0 * dq * y.first - q * y.second) / y.value};
  }
  friend constexpr bool operator<(const Taylor2& x, const Taylor2& y) { return x.value < y.value; }
  friend constexpr bool operator>(const Taylor2& x, const Taylor2& y) { return x.value > y.value; }
  friend constexpr bool operator<=(const Taylor2& x, const Taylor2& y) { return x.value <= y.value; }
  friend constexpr bool operator>=(const Taylor2& x, const Taylor2& y) { return x.value >= y.value; }
  friend constexpr bool operator==(const Taylor2& x, const Taylor2& y) { return x.value == y.value; }
};

constexpr double val(const Taylor2& x) { return x.value; }
/// f(x) from f, f', f'' at the value.
constexpr Taylor2 chained(const Taylor2& x, double f, double df, double ddf) {
  return {f, df * x.first, ddf * x.first * x.first + df * x.second};
}
inline Taylor2 sqrt(const Taylor2& x) { const double f = std::sqrt(x.value); return chained(x, f, 0.5 / f, -0.25 / (f * x.value)); }
inline Taylor2 sin(const Taylor2& x) { const double s = std::sin(x.value), c = std::cos(x.value); return chained(x, s, c, -s); }
inline Taylor2 cos(const Taylor2& x) { const double s = std::sin(x.value), c = std::cos(x.value); return chained(x, c, -s, -c); }
inline Taylor2 tan(const Taylor2& x) { const double f = std::tan(x.value), d = 1.0 + f * f; return chained(x, f, d, 2.0 * f * d); }
inline Taylor2 exp(const Taylor2& x) { const double f = std::exp(x.value); return chained(x, f, f, f); }
inline Taylor2 log(const Taylor2& x) { return chained(x, std::log(x.value), 1.0 / x.value, -1.0 / (x.value * x.value)); }
inline Taylor2 tanh(const Taylor2& x) { const double f = std::tanh(x.value), d = 1.0 - f * f; return chained(x, f, d, -2.0 * f * d); }
inline Taylor2 sinh(const Taylor2& x) { const double s = std::sinh(x.value), c = std::cosh(x.value); return chained(x, s, c, s); }
inline Taylor2 cosh(const Taylor2& x) { const double s = std::sinh(x.value), c = std::cosh(x.value); return chained(x, c, s, c); }
inline Taylor2 asin(const Taylor2& x) { const double d = 1.0 / std::sqrt(1.0 - x.value * x.value); return chained(x, std::asin(x.value), d, x.value * d * d * d); }
inline Taylor2 acos(const Taylor2& x) { const double d = 1.0 / std::sqrt(1.0 - x.value * x.value); return chained(x, std::acos(x.value), -d, -x.value * d * d * d); }
inline Taylor2 atan(const Taylor2& x) { const double d = 1.0 / (1.0 + x.value * x.value); return chained(x, std::atan(x.value), d, -2.0 * x.value * d * d); }
inline Taylor2 abs(const Taylor2& x) { return x.value < 0.0 ? -x : x; }
inline Taylor2 fabs(const Taylor2& x) { return abs(x); }
inline Taylor2 atan2(const Taylor2& y, const Taylor2& x) {  // angle of (x, y): rotate by its value, then atan near 0
  const double a = std::atan2(y.value, x.value), c = std::cos(a), s = std::sin(a);
  const Taylor2 u = c * x + s * y, w = c * y - s * x;
  Taylor2 r = w / u;
  r.value = a;
  return r;  // atan''(0) = 0
}
inline Taylor2 pow(const Taylor2& x, double p) {
  return chained(x, std::pow(x.value, p), p == 0.0 ? 0.0 : p * std::pow(x.value, p - 1.0),
                 p == 0.0 || p == 1.0 ? 0.0 : p * (p - 1.0) * std::pow(x.value, p - 2.0));
}
inline Taylor2 pow(const Taylor2& x, const Taylor2& y) { return exp(y * log(x)); }
inline Taylor2 max(const Taylor2& x, const Taylor2& y) { return x < y ? y : x; }
inline Taylor2 min(const Taylor2& x, const Taylor2& y) { return y < x ? y : x; }

}  // namespace saltus
