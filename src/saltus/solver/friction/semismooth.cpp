#include "saltus/solver/friction/semismooth.hpp"

#include <algorithm>
#include <atomic>

namespace saltus::friction {
namespace {

constexpr double least_slope = 1e-11;

// Spectral form of the projection's derivative at z: orthonormal columns and slopes in [0, 1].
struct Derivative {
  Square basis{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Triple slopes{1.0, 1.0, 1.0};
};

Derivative derivative(const double* z) {
  Derivative d;
  const double s = tangent_norm(z);
  if (s <= z[0]) return d;
  if (s <= -z[0]) {
    d.slopes = {least_slope, least_slope, least_slope};
    return d;
  }
  const double f = std::sqrt(0.5), c1 = z[1] / s, c2 = z[2] / s;
  d.basis = {f, f, 0.0, f * c1, -f * c1, -c2, f * c2, -f * c2, c1};
  d.slopes = {1.0, least_slope, std::max(least_slope, 0.5 * (1.0 + z[0] / s))};
  return d;
}

}  // namespace

Semismooth::Semismooth(const Scaled& problem, Kernel& kernel, const std::vector<double>& x)
    : problem_(problem), kernel_(kernel), x_(x) {
  const std::size_t n = problem.size();
  u_.resize(n), F_.resize(n), trial_.resize(n), trial_u_.resize(n), trial_F_.resize(n), rhs_.resize(n);
  rho_.resize(problem.contacts), D_.resize(problem.contacts), E_.resize(problem.contacts);
  for (int c = 0; c < problem.contacts; ++c) {
    const Square& A = problem.diagonal[c];
    const double trace = A[0] + A[4] + A[8];
    rho_[c] = trace > 0.0 ? 3.0 / trace : 1.0;
  }
  size_ = evaluate(x_, u_, F_);
}

void Semismooth::pull(double strength) {
  pull_ = strength;
  centre_ = x_;
  size_ = evaluate(x_, u_, F_);
}

double Semismooth::evaluate(const std::vector<double>& x, std::vector<double>& u, std::vector<double>& F) {
  problem_.velocity(x.data(), u.data());
  flops_ += problem_.velocity_flops() + 30 * problem_.contacts;
  const auto [sum] = problem_.loops.sums<1>([&](int first, int last, double* out) {
    double total = 0.0;
    if (pull_ > 0.0)
      for (int i = 3 * first; i < 3 * last; ++i) u[i] += pull_ * (x[i] - centre_[i]);
    for (int c = first; c < last; ++c) {
      const double *xc = x.data() + 3 * c, *uc = u.data() + 3 * c;
      Triple z{xc[0] - rho_[c] * (uc[0] + tangent_norm(uc)), xc[1] - rho_[c] * uc[1], xc[2] - rho_[c] * uc[2]};
      project(z.data(), z.data());
      for (int i = 0; i < 3; ++i) {
        F[3 * c + i] = xc[i] - z[i];
        total += F[3 * c + i] * F[3 * c + i];
      }
    }
    out[0] = total;
  });
  return std::sqrt(sum);
}

bool Semismooth::direction(const std::vector<double>& x, double eps) {
  x_ = x;
  eps_ = eps;
  size_ = evaluate(x_, u_, F_);
  return direction();
}

bool Semismooth::linearize(int first, int last) {
  for (int c = first; c < last; ++c) {
    const double *x = x_.data() + 3 * c, *u = u_.data() + 3 * c, *F = F_.data() + 3 * c;
    const double rho = rho_[c], s = tangent_norm(u);
    const Triple z{x[0] - rho * (u[0] + s), x[1] - rho * u[1], x[2] - rho * u[2]};
    const Derivative g = derivative(z.data());
    // D = soft I + J Q diag(stiff) Q^T, J = I - e d^T, d = u_T / |u_T|. In the basis Q with its columns scaled the matrix
    // is well conditioned, and so is its inverse.
    const double soft = eps_ / rho + pull_;
    const Triple slopes = g.slopes;
    Triple along{}, stiff, normal{g.basis[0], g.basis[1], g.basis[2]}, f;  // along = Q^T d, normal = Q^T e
    for (int k = 0; k < 3; ++k) {
      if (s > 0.0) along[k] = (g.basis[3 + k] * u[1] + g.basis[6 + k] * u[2]) / s;
      stiff[k] = (1.0 - slopes[k]) / (slopes[k] * rho);
      f[k] = (g.basis[k] * F[0] + g.basis[3 + k] * F[1] + g.basis[6 + k] * F[2]) / (slopes[k] * rho);
    }
    Square K, scaled_inverse, right;
    Triple size;
    for (int k = 0; k < 3; ++k) {
      size[k] = std::max(1.0, stiff[k]);
      for (int i = 0; i < 3; ++i)
        K[3 * i + k] = ((i == k ? soft + stiff[k] : 0.0) - normal[i] * along[k] * stiff[k]) / size[k];
    }
    if (!invert(K.data(), scaled_inverse.data())) return false;
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) scaled_inverse[3 * k + i] /= size[k], K[3 * i + k] *= size[k];
    const Square& Q = g.basis;
    const Square QT{Q[0], Q[3], Q[6], Q[1], Q[4], Q[7], Q[2], Q[5], Q[8]};
    multiply_square(K.data(), QT.data(), right.data());
    multiply_square(Q.data(), right.data(), D_[c].data());
    multiply_square(scaled_inverse.data(), QT.data(), right.data());
    multiply_square(Q.data(), right.data(), E_[c].data());
    const double turned = along[0] * f[0] + along[1] * f[1] + along[2] * f[2];
    for (double& value : f) value = -value;
    for (int k = 0; k < 3; ++k) f[k] += normal[k] * turned;
    multiply(Q.data(), f.data(), rhs_.data() + 3 * c);
  }
  return true;
}

bool Semismooth::direction() {
  std::atomic<bool> regular{true};
  problem_.loops.all([&](int first, int last) {
    if (!linearize(first, last)) regular = false;
  });
  if (!regular) return false;
  if (!kernel_.factor(D_, false, &E_)) return false;
  kernel_.solve(rhs_.data(), rhs_.data());
  flops_ += kernel_.factor_flops() + kernel_.solve_flops() + 300 * problem_.contacts;
  return true;
}

bool Semismooth::step() {
  if (!direction()) return false;
  double length = 1.0;
  for (int k = 0; k <= 6; ++k, length *= 0.5) {
    for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] = x_[i] + length * rhs_[i];
    const double size = evaluate(trial_, trial_u_, trial_F_);
    if (std::isfinite(size) && size < (1.0 - 1e-3 * length) * size_) {
      x_.swap(trial_), u_.swap(trial_u_), F_.swap(trial_F_);
      size_ = size;
      eps_ = std::max(eps_ * 0.1, 1e-14);
      return true;
    }
  }
  eps_ = std::min(eps_ * 100.0, 1.0);
  return false;
}

}  // namespace saltus::friction
