// Glocker's woodpecker toy: three planar contacts with friction, Moreau-Jean, theta = 1/2; contacts by Gauss-Seidel over 2 x 2 blocks.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "output.hpp"

namespace {
using Vec = std::array<double, 3>;
using Mat = std::array<Vec, 3>;
constexpr double h = 2e-5, theta = 0.5, mu = 0.3, c = 0.0056;
constexpr Mat M{{{0.0048, 4.5e-5, 6.75e-5}, {4.5e-5, 4.55e-7, 6.75e-7}, {6.75e-5, 6.75e-7, 1.7125e-6}}}, K{{{0, 0, 0}, {0, c, -c}, {0, -c, c}}};
constexpr Vec F{-0.047088, -0.00044145, -0.000662175};
constexpr double H[3][2][3] = {{{0, 0, -0.02}, {1, 0.01, -0.0051}}, {{0, 0.0058, 0}, {1, 0.0031, 0}}, {{0, -0.0058, 0}, {1, 0.0031, 0}}};
constexpr double offset[3] = {0.0024, 0.0006, 0.0006}, restitution[3] = {0.5, 0.0, 0.0};

Vec times(const Mat& A, const Vec& x) {
  Vec y{};
  for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) y[i] += A[i][j] * x[j];
  return y;
}
double dot(const double* a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Mat inverse(const Mat& A) {
  Mat B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, p = (i + 1) % 3, q = (i + 2) % 3;
      B[i][j] = A[a][p] * A[b][q] - A[a][q] * A[b][p];
    }
  const double det = A[0][0] * B[0][0] + A[0][1] * B[1][0] + A[0][2] * B[2][0];
  for (auto& row : B) for (double& x : row) x /= det;
  return B;
}

/// r of one contact with u = P r + w: 0 <= u_N with r_N >= 0, |r_T| <= mu r_N against the sliding.
void local(const double (&P)[2][2], double wn, double wt, double (&r)[2]) {
  if (wn >= 0.0) { r[0] = r[1] = 0.0; return; }
  const double det = P[0][0] * P[1][1] - P[0][1] * P[1][0], n = (-wn * P[1][1] + wt * P[0][1]) / det, t = (-wt * P[0][0] + wn * P[1][0]) / det;
  if (n >= 0.0 && std::abs(t) <= mu * n) { r[0] = n, r[1] = t; return; }
  for (const double side : {1.0, -1.0}) {
    const double rn = -wn / (P[0][0] + side * mu * P[0][1]), ut = wt + P[1][0] * rn + P[1][1] * side * mu * rn;
    if (rn >= 0.0 && ut * side <= 0.0) { r[0] = rn, r[1] = side * mu * rn; return; }
  }
}
}  // namespace

int main(int, char** argv) {
  const int steps = std::atoi(argv[2]);
  Mat W = M;
  for (int i = 0; i < 3; ++i) for (int j = 0; j < 3; ++j) W[i][j] += h * h * theta * theta * K[i][j];
  const Mat Wi = inverse(W);
  Mat A, Q;  // free velocity = v + h Wi F - Q q - A v
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double s = 0.0;
      for (int k = 0; k < 3; ++k) s += Wi[i][k] * K[k][j];
      Q[i][j] = h * s, A[i][j] = (i == j) - h * h * theta * s;
    }
  Vec b = times(Wi, F);
  for (double& x : b) x *= h;
  double G[3][2][3], P[3][3][2][2];  // Wi H^T, H Wi H^T
  for (int a = 0; a < 3; ++a)
    for (int r = 0; r < 2; ++r) {
      const Vec x = times(Wi, {H[a][r][0], H[a][r][1], H[a][r][2]});
      for (int i = 0; i < 3; ++i) G[a][r][i] = x[i];
      for (int o = 0; o < 3; ++o) for (int s = 0; s < 2; ++s) P[o][a][s][r] = dot(H[o][s], x);
    }
  Vec q{}, v{};
  const double seconds = limit::least([&] {
    const double start = limit::cpu();
    q = {0.0, -0.1036, -0.2788}, v = {-0.3411, 0.0, -7.4583};
    for (int s = 0; s < steps; ++s) {
      const Vec Av = times(A, v), Qq = times(Q, q);
      Vec next{b[0] + Av[0] - Qq[0], b[1] + Av[1] - Qq[1], b[2] + Av[2] - Qq[2]};
      int closed[3], m = 0;
      for (int a = 0; a < 3; ++a)
        if (offset[a] + dot(H[a][0], q) + 0.5 * h * dot(H[a][0], v) <= 0.0) closed[m++] = a;
      if (m > 0) {
        double r[3][2] = {}, bias[3];
        for (int k = 0; k < m; ++k) bias[k] = restitution[closed[k]] * dot(H[closed[k]][0], v);
        for (int sweep = 0; sweep < 1000; ++sweep) {
          double change = 0.0, size = 0.0;
          for (int k = 0; k < m; ++k) {
            const int a = closed[k];
            double wn = dot(H[a][0], next) + bias[k], wt = dot(H[a][1], next);
            for (int j = 0; j < m; ++j)
              if (j != k) {
                const auto& p = P[a][closed[j]];
                wn += p[0][0] * r[j][0] + p[0][1] * r[j][1], wt += p[1][0] * r[j][0] + p[1][1] * r[j][1];
              }
            const double n = r[k][0], t = r[k][1];
            local(P[a][a], wn, wt, r[k]);
            change = std::max({change, std::abs(r[k][0] - n), std::abs(r[k][1] - t)}), size = std::max(size, r[k][0]);
          }
          if (m == 1 || change <= 1e-14 * size) break;
        }
        for (int k = 0; k < m; ++k) for (int d = 0; d < 2; ++d) for (int i = 0; i < 3; ++i) next[i] += G[closed[k]][d][i] * r[k][d];
      }
      for (int i = 0; i < 3; ++i) q[i] += h * ((1 - theta) * v[i] + theta * next[i]);
      v = next;
    }
    return limit::cpu() - start;
  });
  limit::print("woodpecker", 1, steps, seconds, {q[0], q[1], q[2]});
}
