#include "saltus/solver/friction/interior_point.hpp"

#include <algorithm>
#include <limits>

namespace saltus::friction {

// Nesterov-Todd scaling of one contact: V x = V^-1 y = lambda, V = eta (2 s s^T - R), N = V^2, R = diag(1, -1, -1).
struct Scaling {
  double eta;
  Triple s;
  Triple lambda;

  void times(const double* z, double* out) const {  // V z
    const double f = 2.0 * dot3(s.data(), z);
    out[0] = eta * (f * s[0] - z[0]), out[1] = eta * (f * s[1] + z[1]), out[2] = eta * (f * s[2] + z[2]);
  }
  void divide(const double* z, double* out) const {  // V^-1 z
    const double f = 2.0 * (s[0] * z[0] - s[1] * z[1] - s[2] * z[2]);
    out[0] = (f * s[0] - z[0]) / eta, out[1] = (z[1] - f * s[1]) / eta, out[2] = (z[2] - f * s[2]) / eta;
  }
};

namespace {

Scaling scaling(const double* x, const double* y) {
  const double dx = std::sqrt(determinant(x)), dy = std::sqrt(determinant(y));
  Triple w{y[0] / dy + x[0] / dx, y[1] / dy - x[1] / dx, y[2] / dy - x[2] / dx};
  const double gamma = std::sqrt(0.5 * (1.0 + dot3(x, y) / (dx * dy)));
  for (double& z : w) z /= 2.0 * gamma;
  Scaling v;
  v.eta = std::sqrt(dy / dx);
  const double f = 1.0 / std::sqrt(2.0 * (w[0] + 1.0));
  v.s = {(w[0] + 1.0) * f, w[1] * f, w[2] * f};
  v.times(x, v.lambda.data());
  return v;
}

// Jordan product and its inverse map u with lambda o u = z.
Triple jordan(const double* a, const double* b) {
  return {dot3(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}
Triple jordan_divide(const Triple& lambda, const Triple& z) {
  Triple u;
  u[0] = (lambda[0] * z[0] - lambda[1] * z[1] - lambda[2] * z[2]) / determinant(lambda.data());
  u[1] = (z[1] - u[0] * lambda[1]) / lambda[0];
  u[2] = (z[2] - u[0] * lambda[2]) / lambda[0];
  return u;
}

// Largest a <= limit with z + a d in L.
double to_boundary(const double* z, const double* d, double limit) {
  const double A = (d[0] * d[0]) - (d[1] * d[1] + d[2] * d[2]);
  const double B = z[0] * d[0] - z[1] * d[1] - z[2] * d[2], C = determinant(z);
  double best = limit;
  if (d[0] < 0.0) best = std::min(best, -z[0] / d[0]);
  const double disc = B * B - A * C;
  if (disc >= 0.0) {
    const double root = std::sqrt(disc), q = B >= 0.0 ? -(B + root) : -B + root;
    for (double a : {q != 0.0 ? C / q : -1.0, A != 0.0 ? q / A : -1.0})
      if (a > 0.0) best = std::min(best, a);
  }
  return best;
}

}  // namespace

InteriorPoint::InteriorPoint(const Scaled& problem, Kernel& kernel, const InteriorPointOptions& options)
    : problem_(problem), kernel_(kernel), options_(options) {
  const std::size_t n = problem.size();
  x_.resize(n), y_.resize(n), p_.resize(n), dx_.resize(n), dy_.resize(n), rhs_.resize(n), trial_x_.resize(n), trial_y_.resize(n);
  centre();
  D_.resize(problem.contacts), E_.resize(problem.contacts);
}

void InteriorPoint::warm(const std::vector<double>& x, const std::vector<double>& u, double shift) {
  for (int c = 0; c < problem_.contacts; ++c) {
    const double* uc = u.data() + 3 * c;
    Triple y{uc[0] + tangent_norm(uc), uc[1], uc[2]};
    project(y.data(), y_.data() + 3 * c);
    project(x.data() + 3 * c, x_.data() + 3 * c);
    x_[3 * c] += shift, y_[3 * c] += shift;
  }
  collapsed_ = 0;
}

void InteriorPoint::centre() {
  std::fill(x_.begin(), x_.end(), 0.0);
  for (int c = 0; c < problem_.contacts; ++c) x_[3 * c] = 1.0;
  y_ = x_;
}

void InteriorPoint::hold(const std::vector<double>& slips) {
  centre();
  held_ = slips;
  factored_ = false;
  collapsed_ = 0;
}

Triple InteriorPoint::direction(const double* y) const {
  const double s = held_.empty() ? tangent_norm(y) : 0.0;
  return s > 0.0 ? Triple{0.0, y[1] / s, y[2] / s} : Triple{};
}

bool InteriorPoint::slopes(int c, double* out) {
  if (!factored_) return false;
  std::fill(rhs_.begin(), rhs_.end(), 0.0);
  rhs_[3 * c] = -1.0;
  kernel_.solve(rhs_.data(), dx_.data());
  flops_ += kernel_.solve_flops() + 30 * problem_.contacts;
  for (int k = 0; k < problem_.contacts; ++k) {  // dy = -N dx, and D_ is N
    Triple dy;
    multiply(D_[k].data(), dx_.data() + 3 * k, dy.data());
    const double *y = y_.data() + 3 * k, s = tangent_norm(y);
    out[k] = s > 0.0 ? -(y[1] * dy[1] + y[2] * dy[2]) / s : 0.0;
  }
  return true;
}

// p = W'x + q' + |y_T| e - y, or with the slips held.
void InteriorPoint::residual(const double* x, const double* y, double* p) {
  problem_.velocity(x, p);
  flops_ += problem_.velocity_flops();
  problem_.loops.all([&](int first, int last) {
    for (int c = first; c < last; ++c) {
      p[3 * c] += held_.empty() ? tangent_norm(y + 3 * c) : held_[c];
      for (int i = 0; i < 3; ++i) p[3 * c + i] -= y[3 * c + i];
    }
  });
}

double InteriorPoint::length(const double* dx, const double* dy, double fraction) const {
  return fraction * problem_.loops.least([&](int first, int last) {
    double a = 1.0 / fraction;
    for (int c = first; c < last; ++c) {
      a = to_boundary(x_.data() + 3 * c, dx + 3 * c, a);
      a = to_boundary(y_.data() + 3 * c, dy + 3 * c, a);
    }
    return a;
  });
}

std::array<double, 2> InteriorPoint::scaled_equations(std::vector<Scaling>& scale) {
  return problem_.loops.sums<2>([&](int first, int last, double* out) {
    for (int c = first; c < last; ++c) {
      const double *x = x_.data() + 3 * c, *y = y_.data() + 3 * c;
      out[0] += dot3(x, y);
      scale[c] = scaling(x, y);
      if (!std::isfinite(scale[c].eta) || !std::isfinite(scale[c].lambda[0])) out[1] += 1.0;
      Square N;
      for (int j = 0; j < 3; ++j) {
        Triple unit{}, once, twice;
        unit[j] = 1.0;
        scale[c].times(unit.data(), once.data());
        scale[c].times(once.data(), twice.data());
        for (int i = 0; i < 3; ++i) N[3 * i + j] = twice[i];
      }
      const Triple d = direction(y);
      for (int j = 0; j < 3; ++j) D_[c][j] = N[j] - d[1] * N[3 + j] - d[2] * N[6 + j];
      std::copy(N.begin() + 3, N.end(), D_[c].begin() + 3);
      for (int j = 0; j < 3; ++j) {  // (J N)^-1 = N^-1 (I + e d^T)
        Triple unit{}, once, twice;
        unit[j] = 1.0;
        scale[c].divide(unit.data(), once.data());
        scale[c].divide(once.data(), twice.data());
        for (int i = 0; i < 3; ++i) E_[c][3 * i + j] = twice[i];
      }
      for (int i = 0; i < 3; ++i) {
        const double leading = E_[c][3 * i];
        E_[c][3 * i + 1] += leading * d[1], E_[c][3 * i + 2] += leading * d[2];
      }
      for (int i = 0; i < 3; ++i) rhs_[3 * c + i] = -p_[3 * c + i] - y[i];
      rhs_[3 * c] += d[1] * y[1] + d[2] * y[2];
    }
  });
}

double InteriorPoint::along_the_path() {
  const int n = problem_.contacts;
  double a = std::min(1.0, length(dx_.data(), dy_.data(), options_.fraction));
  for (int tries = 0;; ++tries) {
    if (!(a > 1e-9) || tries > 40) return 0.0;
    const auto [total] = problem_.loops.sums<1>([&](int first, int last, double* out) {
      double inner = 0.0;
      for (int i = 3 * first; i < 3 * last; ++i) trial_x_[i] = x_[i] + a * dx_[i], trial_y_[i] = y_[i] + a * dy_[i];
      for (int c = first; c < last; ++c) inner += dot3(trial_x_.data() + 3 * c, trial_y_.data() + 3 * c);
      out[0] = inner;
    });
    const double least = problem_.loops.least([&](int first, int last) { return least_eigenvalue(first, last); });
    if (least >= options_.neighbourhood * total / n) return a;
    a *= 0.8;
  }
}

bool InteriorPoint::step() {
  const int n = problem_.contacts;
  residual(x_.data(), y_.data(), p_.data());
  std::vector<Scaling> scale(n);
  const auto [sum, broken] = scaled_equations(scale);
  if (broken > 0.0) return false;
  const double mu = sum / n;
  gap_ = mu;
  for (const double p : p_) gap_ = std::max(gap_, std::abs(p));
  factored_ = kernel_.factor(D_, !held_.empty(), &E_);
  if (!factored_) return false;
  flops_ += kernel_.factor_flops() + 2 * kernel_.solve_flops() + 400 * n;
  kernel_.solve(rhs_.data(), dx_.data());
  auto complete = [&](int c, const Triple& shift) {  // dy = shift - N dx
    Triple once, twice;
    scale[c].times(dx_.data() + 3 * c, once.data());
    scale[c].times(once.data(), twice.data());
    for (int i = 0; i < 3; ++i) dy_[3 * c + i] = shift[i] - twice[i];
  };
  problem_.loops.all([&](int first, int last) {
    for (int c = first; c < last; ++c) complete(c, {-y_[3 * c], -y_[3 * c + 1], -y_[3 * c + 2]});
  });
  const double affine = std::min(1.0, length(dx_.data(), dy_.data(), 1.0));
  const auto [after] = problem_.loops.sums<1>([&](int first, int last, double* out) {
    double total = 0.0;
    for (int i = 3 * first; i < 3 * last; ++i) total += (x_[i] + affine * dx_[i]) * (y_[i] + affine * dy_[i]);
    out[0] = total;
  });
  double sigma = std::pow(std::clamp(after / sum, 0.0, 1.0), 3);
  if (affine < 0.1) sigma = std::max(sigma, 0.3);
  std::vector<Triple> shift(n);
  problem_.loops.all([&](int first, int last) {
    for (int c = first; c < last; ++c) {
      Triple a, b;
      scale[c].times(dx_.data() + 3 * c, a.data());
      scale[c].divide(dy_.data() + 3 * c, b.data());
      Triple z = jordan(a.data(), b.data());
      for (double& value : z) value = -value;
      z[0] += sigma * mu;
      const Triple u = jordan_divide(scale[c].lambda, z);
      scale[c].times(u.data(), shift[c].data());
      const double *y = y_.data() + 3 * c, *dy = dy_.data() + 3 * c;
      for (int i = 0; i < 3; ++i) shift[c][i] -= y[i];
      const Triple d = direction(y);
      const Triple moved{0.0, y[1] + dy[1], y[2] + dy[2]};
      const double second = held_.empty() ? tangent_norm(moved.data()) - tangent_norm(y) - (d[1] * dy[1] + d[2] * dy[2]) : 0.0;
      for (int i = 0; i < 3; ++i) rhs_[3 * c + i] = shift[c][i] - p_[3 * c + i];
      rhs_[3 * c] -= d[1] * shift[c][1] + d[2] * shift[c][2] + second;
    }
  });
  kernel_.solve(rhs_.data(), dx_.data());
  problem_.loops.all([&](int first, int last) {
    for (int c = first; c < last; ++c) complete(c, shift[c]);
  });
  const double a = along_the_path();
  if (a == 0.0) return false;
  x_.swap(trial_x_), y_.swap(trial_y_);
  collapsed_ = a < 1e-3 ? collapsed_ + 1 : 0;
  return collapsed_ < 3;
}

double InteriorPoint::least_eigenvalue(int first, int last) const {
  double least = std::numeric_limits<double>::infinity();
  for (int c = first; c < last; ++c) {
    const double *x = trial_x_.data() + 3 * c, *y = trial_y_.data() + 3 * c;
    const double inner = dot3(x, y), product = determinant(x) * determinant(y);
    const double root = std::sqrt(std::max(0.0, inner * inner - product));
    if (!(x[0] > 0.0) || !(y[0] > 0.0) || !(product > 0.0)) return -1.0;
    least = std::min(least, product / (inner + root));
  }
  return least;
}

}  // namespace saltus::friction
