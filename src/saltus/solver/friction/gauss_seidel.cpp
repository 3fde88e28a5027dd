#include "saltus/solver/friction/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "saltus/solver/friction/body_rows.hpp"
#include "saltus/solver/friction/local.hpp"

namespace saltus::friction {
namespace {

constexpr std::int64_t local_flops = 150;  // about two Newton steps on the angle

// Solves the contact's own problem at u = W'x + q' and writes the change of its impulse.
inline void improve(const Square& A, const Square& inverse, const double* u, double relaxation, double* x, double* change) {
  Triple c;
  multiply(A.data(), x, c.data());
  Triple next{x[0], x[1], x[2]};
  for (int i = 0; i < 3; ++i) c[i] = u[i] - c[i];
  solve_contact(A.data(), inverse.data(), c.data(), next.data());
  for (int i = 0; i < 3; ++i) change[i] = next[i];
  if (relaxation != 1.0) {
    for (int i = 0; i < 3; ++i) change[i] = x[i] + relaxation * (next[i] - x[i]);
    project(change, change);
  }
  for (int i = 0; i < 3; ++i) {
    const double old = x[i];
    x[i] = change[i];
    change[i] -= old;
  }
}

}  // namespace

GaussSeidel::GaussSeidel(const Scaled& problem, const std::vector<double>& x) : problem_(problem) {
  inverse_.reserve(problem.contacts);
  for (const Square& A : problem.diagonal) inverse_.push_back(regular_inverse(A));
  restart(x);
}

void GaussSeidel::restart(const std::vector<double>& x) {
  x_ = x;
  if (!problem_.body_form) return;
  v_.assign(static_cast<std::size_t>(body_size) * problem_.bodies, 0.0);
  problem_.add_impulses(0, problem_.contacts, x_.data(), v_.data());
}

void GaussSeidel::sweep(double relaxation) {
  problem_.loops.in_colours([&](int first, int last) {
    if (problem_.body_form) sweep_bodies(first, last, relaxation);
    else sweep_blocks(first, last, relaxation);
  });
}

void GaussSeidel::sweep_in_order() {
  if (order_.empty()) {
    order_.resize(problem_.contacts);
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [this](int a, int b) { return problem_.row[a] < problem_.row[b]; });
  }
  for (const int c : order_)
    if (problem_.body_form) sweep_bodies(c, c + 1, 1.0);
    else sweep_blocks(c, c + 1, 1.0);
}

void GaussSeidel::sweep_bodies(int first, int last, double relaxation) {
  const Scaled& p = problem_;
  for (int c = first; c < last; ++c) {
    double* x = x_.data() + 3 * c;
    const int begin = p.limb_begin[c], end = p.limb_begin[c + 1];
    if (p.rows[c] == 1) {
      sweep_normal(c, begin, end, relaxation);
      continue;
    }
    RowSums sums;
    for (int l = begin; l < end; ++l) sums.add(p.jacobian.data() + 18 * static_cast<std::size_t>(l), v_.data() + body_size * p.limbs[l].body);
    Triple change{};
    if (!p.compliance.empty()) multiply(p.compliance[c].data(), x, change.data());
    Triple u;
    for (int i = 0; i < 3; ++i) u[i] = p.q[3 * c + i] + change[i] + sums[i];
    improve(p.diagonal[c], inverse_[c], u.data(), relaxation, x, change.data());
    if (change[0] == 0.0 && change[1] == 0.0 && change[2] == 0.0) continue;
    for (int l = begin; l < end; ++l) add_transposed(p.jacobian.data() + 18 * static_cast<std::size_t>(l), change.data(), v_.data() + body_size * p.limbs[l].body);
  }
}

/// A contact without friction: its normal row alone, 0 <= x complementary to W'x + q' >= 0; the other two are padding and stay zero.
void GaussSeidel::sweep_normal(int c, int begin, int end, double relaxation) {
  const Scaled& p = problem_;
  double &x = x_[3 * c], u = p.q[3 * c] + (p.compliance.empty() ? 0.0 : p.compliance[c][0] * x);
  for (int l = begin; l < end; ++l) {
    const double *J = p.jacobian.data() + 18 * static_cast<std::size_t>(l), *v = v_.data() + body_size * p.limbs[l].body;
    u += (J[0] * v[0] + J[1] * v[1] + J[2] * v[2]) + (J[3] * v[3] + J[4] * v[4] + J[5] * v[5]);
  }
  const double change = std::max(-x, -relaxation * u * inverse_[c][0]);
  if (change == 0.0) return;
  x += change;
  for (int l = begin; l < end; ++l) {
    const double* J = p.jacobian.data() + 18 * static_cast<std::size_t>(l);
    double* v = v_.data() + body_size * p.limbs[l].body;
    for (int i = 0; i < body_size; ++i) v[i] += J[i] * change;
  }
}

void GaussSeidel::sweep_blocks(int first, int last, double relaxation) {
  const Scaled& p = problem_;
  for (int c = first; c < last; ++c) {
    Triple u{p.q[3 * c], p.q[3 * c + 1], p.q[3 * c + 2]}, change;
    for (int k = p.w_begin[c]; k < p.w_begin[c + 1]; ++k) {
      const double *W = p.w_blocks.data() + 9 * static_cast<std::size_t>(k), *x = x_.data() + 3 * p.w_index[k];
      for (int i = 0; i < 3; ++i) u[i] += W[3 * i] * x[0] + W[3 * i + 1] * x[1] + W[3 * i + 2] * x[2];
    }
    improve(p.diagonal[c], inverse_[c], u.data(), relaxation, x_.data() + 3 * c, change.data());
  }
}

AcceleratedSweeps::AcceleratedSweeps(const Scaled& problem, const std::vector<double>& x) : problem_(problem), reached_(x) {
  if (problem.body_form) packs_.emplace(problem, x);
  else blocks_.emplace(problem, x);
}

std::array<double, 2> AcceleratedSweeps::sweep_from() {
  if (packs_) return packs_->sweep();
  before_ = blocks_->x_;
  blocks_->sweep();
  const std::vector<double>& x = blocks_->x_;
  return problem_.loops.sums<2>([&](int first, int last, double* out) {
    double dot = 0.0, moved = 0.0;
    for (int i = 3 * first; i < 3 * last; ++i) {
      const double step = x[i] - before_[i];
      dot -= step * (x[i] - reached_[i]);
      moved += step * step;
    }
    out[0] = dot, out[1] = moved;
  });
}

void AcceleratedSweeps::extrapolate(double momentum) {
  if (packs_) return packs_->extrapolate(momentum);
  problem_.loops.all([&](int first, int last) {
    for (int i = 3 * first; i < 3 * last; ++i) {
      const double here = blocks_->x_[i];
      blocks_->x_[i] += momentum * (here - reached_[i]);
      reached_[i] = here;
    }
  });
}

void AcceleratedSweeps::sweep() {
  const auto [against, size] = sweep_from();
  least_ = moving_ ? std::min(least_, size) : size;
  moving_ = true;
  if (against > 0.0) t_ = 1.0;
  if (size > 1.5 * least_) t_ = 1.0, least_ = size;
  const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t_ * t_)), momentum = (t_ - 1.0) / next;
  t_ = next;
  extrapolate(momentum);
}

void AcceleratedSweeps::refresh() {
  if (packs_) packs_->refresh();
}

void AcceleratedSweeps::rest() {
  if (packs_) packs_->rest();
}

const std::vector<double>& AcceleratedSweeps::impulses() {
  if (packs_) packs_->impulses(reached_);
  return reached_;
}

std::int64_t GaussSeidel::sweep_flops(const Scaled& problem) { return problem.velocity_flops() + local_flops * problem.contacts; }

}  // namespace saltus::friction
