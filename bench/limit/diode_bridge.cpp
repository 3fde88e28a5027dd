// A tank (C, L) on a bridge of four ideal diodes with a resistor: theta method, multipliers at the end of the step. The last set of
// conducting diodes is tried first, its step is a fixed matrix; else all sets in turn.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "output.hpp"

namespace {
constexpr double L = 1e-2, C = 1e-6, R = 1e3, h = 1e-6, theta = 0.5;
// y = Y x + D l, l >= 0, y >= 0, y.l = 0: voltages of two diodes and currents of two (Acary, Brogliato 2008, ch. 1).
constexpr double Y[4][2] = {{0, 0}, {0, 0}, {-1, 0}, {1, 0}}, B[2][4] = {{0, 0, -1 / C, 1 / C}, {0, 0, 0, 0}};
constexpr double D[4][4] = {{1 / R, 1 / R, -1, 0}, {1 / R, 1 / R, 0, -1}, {1, 0, 0, 0}, {0, 1, 0, 0}};

/// In place: A x = b by elimination with row pivots; false where A is singular.
bool eliminate(double (&A)[6][6], double (&b)[6][2]) {
  for (int k = 0; k < 6; ++k) {
    int p = k;
    for (int i = k; i < 6; ++i) if (std::abs(A[i][k]) > std::abs(A[p][k])) p = i;
    if (std::abs(A[p][k]) < 1e-12) return false;
    std::swap(A[p], A[k]), std::swap(b[p], b[k]);
    for (int i = 0; i < 6; ++i) {
      if (i == k) continue;
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < 6; ++j) A[i][j] -= f * A[k][j];
      for (int j = 0; j < 2; ++j) b[i][j] -= f * b[k][j];
    }
  }
  for (int k = 0; k < 6; ++k) for (int j = 0; j < 2; ++j) b[k][j] /= A[k][k];
  return true;
}

/// (x+, l or y of each diode) from x with the diodes of `set` having l > 0.
struct Mode {
  bool regular;
  double map[6][2];
};
Mode mode(int set) {
  double A[6][6] = {}, b[6][2] = {};  // unknowns: v+, i+, then l (in the set) or y (not)
  const double F[2][2] = {{0, -1 / C}, {1 / L, 0}};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) A[i][j] = (i == j) - h * theta * F[i][j], b[i][j] = (i == j) + h * (1 - theta) * F[i][j];
    for (int k = 0; k < 4; ++k) if (set >> k & 1) A[i][2 + k] = -h * B[i][k];
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 2; ++j) A[2 + i][j] = Y[i][j];
    for (int k = 0; k < 4; ++k) if (set >> k & 1) A[2 + i][2 + k] = D[i][k];
    if (!(set >> i & 1)) A[2 + i][2 + i] = -1.0;
  }
  Mode m{eliminate(A, b), {}};
  for (int i = 0; i < 6; ++i) for (int j = 0; j < 2; ++j) m.map[i][j] = b[i][j];
  return m;
}
}  // namespace

int main(int, char** argv) {
  const int steps = std::atoi(argv[2]);
  std::array<Mode, 16> modes;
  for (int s = 0; s < 16; ++s) modes[s] = mode(s);
  double v = 0.0, i = 0.0;
  const auto good = [&](const Mode& m) {
    double least = 0.0;
    for (int k = 2; k < 6; ++k) least = std::min(least, m.map[k][0] * v + m.map[k][1] * i);
    return least >= -1e-12;
  };
  const double seconds = limit::least([&] {
    const double start = limit::cpu();
    v = 10.0, i = 0.0;
    int now = 0;
    for (int s = 0; s < steps; ++s) {
      if (!modes[now].regular || !good(modes[now]))
        for (now = 0; now < 15 && !(modes[now].regular && good(modes[now])); ++now) {}
      const auto& m = modes[now].map;
      const double next = m[0][0] * v + m[0][1] * i;
      i = m[1][0] * v + m[1][1] * i, v = next;
    }
    return limit::cpu() - start;
  });
  limit::print("diode_bridge", 1, steps, seconds, {v, i});
}
