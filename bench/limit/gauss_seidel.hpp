// Nonsmooth Gauss-Seidel for contacts between bodies of six coordinates: nothing but this. One record a contact, read in order.
// Local solve by cases (open, stick, slide by Newton on the angle), Jourdan, Alart, Jean 1998.
#pragma once

#include <cmath>
#include <cstring>
#include <vector>

namespace limit {

/// A contact in units in which friction cones are x0 >= |x_T| and mass matrices are 1.
struct Contact {
  int body[2];      // second: -1 for the ground
  double J[2][18];  // 3 x 6 each
  double A[9], inverse[9], q[3];
};

struct GaussSeidel {
  using Four __attribute__((vector_size(32))) = double;
  using Two __attribute__((vector_size(16))) = double;
  template <class T>
  static T get(const double* x) {
    T t;
    std::memcpy(&t, x, sizeof(T));
    return t;
  }
  template <class T>
  static void put(T t, double* x) {
    std::memcpy(x, &t, sizeof(T));
  }

  std::vector<Contact> contacts;
  std::vector<double> x, v;  // 3 a contact, 6 a body

  struct At {
    double x0, across, along, slope;
  };
  static At at(const double* A, const double* c, double d0, double d1) {
    const double over = 1 / (A[0] + A[1] * d0 + A[2] * d1), a1 = A[3] + A[4] * d0 + A[5] * d1, a2 = A[6] + A[7] * d0 + A[8] * d1;
    const double x0 = -c[0] * over, u1 = x0 * a1 + c[1], u2 = x0 * a2 + c[2], rate = -x0 * (A[2] * d0 - A[1] * d1) * over;
    const double w1 = rate * a1 + x0 * (A[5] * d0 - A[4] * d1), w2 = rate * a2 + x0 * (A[8] * d0 - A[7] * d1);
    const double along = d0 * u1 + d1 * u2;
    return {x0, d0 * u2 - d1 * u1, along, d0 * w2 - d1 * w1 - along};
  }
  static bool newton(const double* A, const double* c, double scale, double d0, double d1, double* x) {
    const double size = std::sqrt(d0 * d0 + d1 * d1);
    if (!(size > 0)) return false;
    d0 /= size, d1 /= size;
    for (int k = 0; k < 20; ++k) {
      const At s = at(A, c, d0, d1);
      if (!(s.x0 > 0)) return false;
      const bool there = s.along <= 1e-13 * scale && std::abs(s.across) <= 1e-14 * scale + 1e-15 * std::abs(c[0]);
      double step = there ? 0 : -s.across / s.slope;
      step = step > 0.7 ? 0.7 : step < -0.7 ? -0.7 : step;
      const double e0 = d0 - step * d1, e1 = d1 + step * d0, square = step * step;
      const double f = square < 1e-6 ? 1 - square * (0.5 - 0.375 * square) : 1 / std::sqrt(1 + square);
      d0 = e0 * f, d1 = e1 * f;
      if (there || std::abs(step) < 1e-8) {
        const double x0 = there ? s.x0 : -c[0] / (A[0] + A[1] * d0 + A[2] * d1);
        x[0] = x0, x[1] = x0 * d0, x[2] = x0 * d1;
        return s.along <= 1e-12 * scale;
      }
    }
    return false;
  }
  /// From the last direction, that of sticking, against c; what these miss is searched for in steps of a tenth of a degree.
  static void slide(const double* A, const double* c, const double* stick, double* x) {
    const double scale = std::abs(c[0]) * (std::abs(A[4]) + std::abs(A[8])) / A[0] + std::abs(c[1]) + std::abs(c[2]);
    double y[3];
    if (newton(A, c, scale, x[1], x[2], y) || newton(A, c, scale, stick[1], stick[2], y) || newton(A, c, scale, -c[1], -c[2], y)) {
      std::memcpy(x, y, sizeof y);
      return;
    }
    for (int k = 0; k < 3600; ++k)
      if (newton(A, c, scale, std::cos(k * 3.14159265358979323846 / 1800), std::sin(k * 3.14159265358979323846 / 1800), y)) {
        std::memcpy(x, y, sizeof y);
        return;
      }
  }

  void sweep() {
    double* here = x.data();
    for (const Contact& C : contacts) {
      const int bodies = C.body[1] < 0 ? 1 : 2;
      Four s4[3] = {};
      Two s2[3] = {};
      for (int b = 0; b < bodies; ++b) {
        const double* w = v.data() + 6 * C.body[b];
        const Four w4 = get<Four>(w);
        const Two w2 = get<Two>(w + 4);
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) s4[i] += get<Four>(C.J[b] + 6 * i) * w4, s2[i] += get<Two>(C.J[b] + 6 * i + 4) * w2;
      }
      double c[3], stick[3], next[3] = {here[0], here[1], here[2]};
      for (int i = 0; i < 3; ++i) {
        const Two low = {s4[i][0], s4[i][1]}, high = {s4[i][2], s4[i][3]}, sum = low + high + s2[i];
        c[i] = C.q[i] + (sum[0] + sum[1]) - (C.A[3 * i] * here[0] + C.A[3 * i + 1] * here[1] + C.A[3 * i + 2] * here[2]);
      }
      if (c[0] >= 0) {
        next[0] = next[1] = next[2] = 0;
      } else {
        for (int i = 0; i < 3; ++i) stick[i] = -(C.inverse[3 * i] * c[0] + C.inverse[3 * i + 1] * c[1] + C.inverse[3 * i + 2] * c[2]);
        if (stick[0] >= 0 && stick[1] * stick[1] + stick[2] * stick[2] <= stick[0] * stick[0]) next[0] = stick[0], next[1] = stick[1], next[2] = stick[2];
        else slide(C.A, c, stick, next);
      }
      const double d[3] = {next[0] - here[0], next[1] - here[1], next[2] - here[2]};
      here[0] = next[0], here[1] = next[1], here[2] = next[2], here += 3;
      for (int b = 0; b < bodies; ++b) {
        double* w = v.data() + 6 * C.body[b];
        Four w4 = get<Four>(w);
        Two w2 = get<Two>(w + 4);
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) w4 += get<Four>(C.J[b] + 6 * i) * d[i], w2 += get<Two>(C.J[b] + 6 * i + 4) * d[i];
        put(w4, w), put(w2, w + 4);
      }
    }
  }
};

}  // namespace limit
