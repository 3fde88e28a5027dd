#include "saltus/solver/friction/admm.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

namespace saltus::friction {
namespace {

using Map = Eigen::Map<Eigen::VectorXd>;

Map view(std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

}  // namespace

Admm::Admm(const Scaled& problem, Kernel& kernel, const std::vector<double>& x, bool accelerated)
    : problem_(problem), kernel_(kernel), accelerated_(accelerated) {
  const std::size_t n = problem.size();
  z_ = x, xi_.assign(n, 0.0), t_ = x;
  x_.resize(n), next_.resize(n), change_.resize(n), z_old_ = z_, best_ = t_;
  if (accelerated) differences_.resize(memory * n), images_.resize(memory * n), last_next_.resize(n), last_change_.resize(n);
  best_size_ = std::numeric_limits<double>::infinity();
}

void Admm::restart(const std::vector<double>& x, const std::vector<double>& u) {
  for (int c = 0; c < problem_.contacts; ++c) {
    Triple y{u[3 * c] + tangent_norm(u.data() + 3 * c), u[3 * c + 1], u[3 * c + 2]};
    project(y.data(), y.data());
    for (int i = 0; i < 3; ++i) t_[3 * c + i] = x[3 * c + i] - y[i] / rho_;
  }
  forget();
}

void Admm::forget() {
  columns_ = head_ = 0, have_last_ = false;
  best_size_ = std::numeric_limits<double>::infinity();
}

bool Admm::refactor() {
  std::vector<Square> D(problem_.contacts, Square{rho_, 0, 0, 0, rho_, 0, 0, 0, rho_});
  if (!kernel_.factor(D, true)) return false;
  flops_ += kernel_.factor_flops();
  return true;
}

double Admm::map() {
  const int n = problem_.contacts;
  for (int c = 0; c < n; ++c) {
    const double* t = t_.data() + 3 * c;
    double *z = z_.data() + 3 * c, *xi = xi_.data() + 3 * c, *x = x_.data() + 3 * c;
    project(t, z);
    for (int i = 0; i < 3; ++i) {
      xi[i] = t[i] - z[i];
      x[i] = rho_ * (z[i] - xi[i]) - problem_.q[3 * c + i];
    }
    x[0] -= rho_ * tangent_norm(xi);
  }
  kernel_.solve(x_.data(), x_.data());
  double sum = 0.0;
  for (int i = 0; i < 3 * n; ++i) {
    next_[i] = 1.6 * x_[i] - 0.6 * z_[i] + xi_[i];
    change_[i] = next_[i] - t_[i];
    sum += change_[i] * change_[i];
  }
  flops_ += kernel_.solve_flops() + 40 * n;
  return std::sqrt(sum);
}

// rp = |x - z|, rd = rho |z+ - z|: balance them over the last iterations.
void Admm::adapt() {
  double primal = 0.0, dual = 0.0;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    primal += (x_[i] - z_[i]) * (x_[i] - z_[i]);
    dual += (z_[i] - z_old_[i]) * (z_[i] - z_old_[i]);
  }
  if (primal > 0.0 && dual > 0.0) ratio_log_ += 0.5 * std::log(primal / dual) - std::log(rho_), ++ratio_count_;
  if (iterations_ - last_adapt_ < 50 + last_adapt_ / 4) return;
  last_adapt_ = iterations_;
  if (ratio_count_ == 0) return;
  const double ratio = std::sqrt(std::exp(ratio_log_ / ratio_count_));
  ratio_log_ = 0.0, ratio_count_ = 0;
  if (ratio > 0.5 && ratio < 2.0) return;
  const double factor = std::clamp(ratio, 0.1, 10.0);
  const double old = rho_;
  rho_ = std::clamp(rho_ * factor, 1e-8, 1e8);
  for (std::size_t i = 0; i < t_.size(); ++i) t_[i] = z_[i] + xi_[i] * (old / rho_);
  forget();
}

void Admm::accelerate(double size) {
  const Eigen::Index n = static_cast<Eigen::Index>(t_.size());
  if (size > 2.0 * best_size_ || !std::isfinite(size)) {
    t_ = best_;
    forget();
    good_ = 0;
    plain_ = 10 << penalty_;
    penalty_ = std::min(penalty_ + 1, 6);
    return;
  }
  if (size < best_size_) best_size_ = size, best_ = next_;
  if (++good_ % 40 == 0 && penalty_ > 0) --penalty_;
  if (plain_ > 0) --plain_;
  if (have_last_ && plain_ == 0) {
    const int k = head_;
    head_ = (head_ + 1) % memory;
    columns_ = std::min(columns_ + 1, memory);
    Map dF(differences_.data() + k * n, n), dG(images_.data() + k * n, n);
    dF = view(change_) - view(last_change_);
    dG = view(next_) - view(last_next_);
    Eigen::Matrix<double, memory, memory> A = Eigen::Matrix<double, memory, memory>::Identity();
    Eigen::Matrix<double, memory, 1> f = Eigen::Matrix<double, memory, 1>::Zero();
    for (int j = 0; j < columns_; ++j) gram_[k][j] = gram_[j][k] = dF.dot(Map(differences_.data() + j * n, n));
    double trace = 0.0;
    for (int j = 0; j < columns_; ++j) trace += gram_[j][j];
    for (int i = 0; i < columns_; ++i) {
      f[i] = Map(differences_.data() + i * n, n).dot(view(change_));
      for (int j = 0; j < columns_; ++j) A(i, j) = gram_[i][j] + (i == j ? 1e-10 * trace : 0.0);
    }
    const Eigen::Matrix<double, memory, 1> weights = A.ldlt().solve(f);
    t_ = next_;
    if (weights.allFinite())
      for (int j = 0; j < columns_; ++j) view(t_) -= weights[j] * Map(images_.data() + j * n, n);
    flops_ += 6 * columns_ * n;
  } else {
    if (!have_last_) columns_ = 0, head_ = 0;
    t_ = next_;
  }
  last_next_.swap(next_), last_change_.swap(change_);
  have_last_ = plain_ == 0;
}

bool Admm::iterate(int count) {
  if (!refactor()) return false;
  for (int k = 0; k < count; ++k) {
    z_old_ = z_;
    const double size = map();
    ++iterations_;
    if (accelerated_) accelerate(size);
    else t_.swap(next_);
    const double old = rho_;
    adapt();
    if (rho_ != old && !refactor()) return false;
  }
  for (int c = 0; c < problem_.contacts; ++c) project(t_.data() + 3 * c, z_.data() + 3 * c);
  return true;
}

}  // namespace saltus::friction
