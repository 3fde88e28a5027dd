#include "saltus/solver/projected_gradient.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/solver/row_bounds.hpp"

namespace saltus {
namespace {

using Eigen::VectorXd;
constexpr int check_every = 10;
constexpr std::string_view not_convex = "W is not positive semidefinite: no convex program";
constexpr double flat = 1e-14;  // curvature of a direction, of 1 for a row alone
constexpr std::string_view unbounded = "the program falls without bound along a free direction";

/// The program in x = r / s, s = 1/sqrt(W_ii): unit diagonal.
struct Program {
  SparseRows A;
  VectorXd q, low, high, s;

  explicit Program(const Problem& local) {
    std::vector<double> l, h;
    row_bounds(local, l, h);
    const Eigen::Index m = local.rows();
    s = VectorXd::Ones(m);
    for (Eigen::Index i = 0; i < m; ++i)
      if (const double d = local.D.coeff(i, i); d > 0.0) s[i] = 1.0 / std::sqrt(d);
    A = s.asDiagonal() * local.D * s.asDiagonal();
    q = s.cwiseProduct(Eigen::Map<const VectorXd>(local.b.data(), m));
    low = Eigen::Map<const VectorXd>(l.data(), m).cwiseQuotient(s);
    high = Eigen::Map<const VectorXd>(h.data(), m).cwiseQuotient(s);
  }
  VectorXd projected(const VectorXd& x) const { return x.cwiseMax(low).cwiseMin(high); }
  VectorXd start(std::span<const double> r) const {
    return projected(Eigen::Map<const VectorXd>(r.data(), s.size()).cwiseQuotient(s));
  }
  void write(const VectorXd& x, std::span<double> r) const {
    Eigen::Map<VectorXd>(r.data(), s.size()) = x.cwiseProduct(s);
  }
  /// At least the largest eigenvalue: the largest sum of magnitudes of a row.
  double norm() const {
    double largest = 0;
    for (int i = 0; i < A.outerSize(); ++i) {
      double sum = 0;
      for (SparseRows::InnerIterator a(A, i); a; ++a) sum += std::abs(a.value());
      largest = std::max(largest, sum);
    }
    return largest > 0.0 ? largest : 1.0;
  }
  /// Largest t with x - t d within the bounds.
  double longest_step(const VectorXd& x, const VectorXd& d) const {
    double t = std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < x.size(); ++i)
      if (d[i] > 0.0) t = std::min(t, (x[i] - low[i]) / d[i]);
      else if (d[i] < 0.0) t = std::min(t, (x[i] - high[i]) / d[i]);
    return t;
  }
};

/// The gradient split: `free` in the rows inside, `chopped` what would leave a bound inwards.
void split(const Program& p, const VectorXd& x, const VectorXd& g, VectorXd& free, VectorXd& chopped) {
  free = VectorXd::Zero(x.size());
  chopped = VectorXd::Zero(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const bool at_low = x[i] <= p.low[i], at_high = x[i] >= p.high[i];
    if (at_low && at_high) continue;
    if (at_low) chopped[i] = std::min(g[i], 0.0);
    else if (at_high) chopped[i] = std::max(g[i], 0.0);
    else free[i] = g[i];
  }
}

}  // namespace

GradientReport projected_gradient(const Problem& local, int most_iterations, std::span<double> r, const GoodEnough& good_enough) {
  const Program p(local);
  GradientReport report;
  VectorXd x = p.start(r), g = p.A * x + p.q;
  const double shortest = 1.0 / p.norm(), longest = 1e10 * shortest;
  double l = shortest;
  std::string_view cause = "projected gradients have stalled or spent their iterations";
  for (; report.iterations < most_iterations; ++report.iterations) {
    if (report.iterations % check_every == 0) {
      p.write(x, r);
      if (good_enough(r)) return report;
    }
    const VectorXd d = p.projected(x - l * g) - x;
    const double slope = g.dot(d), size = d.squaredNorm();
    if (size == 0.0) break;
    const VectorXd Ad = p.A * d;
    const double curvature = d.dot(Ad);
    if (curvature < -1e-10 * size) {
      cause = not_convex;
      break;
    }
    if (curvature <= flat * size && std::isinf(p.longest_step(x, -d))) {
      cause = unbounded;
      break;
    }
    const double t = curvature > 0.0 ? std::min(1.0, -slope / curvature) : 1.0;
    x = p.projected(x + t * d);  // the sum may leave a bound by rounding
    g += t * Ad;
    if (report.iterations % 50 == 49) g = p.A * x + p.q;
    l = curvature > size / longest ? std::clamp(size / curvature, shortest, longest) : longest;
  }
  p.write(x, r);
  if (!good_enough(r)) report.cause = cause;
  return report;
}

GradientReport conjugate_projected_gradient(const Problem& local, int most_iterations, std::span<double> r, const GoodEnough& good_enough) {
  const Program p(local);
  GradientReport report;
  const double step = 1.9 / p.norm();
  VectorXd x = p.start(r), g = p.A * x + p.q, free, chopped;
  split(p, x, g, free, chopped);
  VectorXd d = free;
  std::string_view cause = "conjugate projected gradients have stalled or spent their iterations";
  for (; report.iterations < most_iterations; ++report.iterations) {
    if (report.iterations % check_every == 0) {
      p.write(x, r);
      if (good_enough(r)) return report;
    }
    double reduced = 0.0;  // free gradient times what a fixed step could follow of it
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      if (free[i] > 0.0) reduced += free[i] * std::min((x[i] - p.low[i]) / step, free[i]);
      else if (free[i] < 0.0) reduced += free[i] * std::max((x[i] - p.high[i]) / step, free[i]);
    }
    const bool proportional = chopped.squaredNorm() <= reduced;
    if (!proportional) d = chopped;
    // A conjugate direction that rounding has left of nothing: from the gradient anew.
    if (proportional && d.squaredNorm() <= 1e-28 * free.squaredNorm()) d = free;
    const double slope = g.dot(d), size = d.squaredNorm();
    if (slope <= 0.0 || size <= 0.0) break;
    const VectorXd Ad = p.A * d;
    const double curvature = d.dot(Ad), room = p.longest_step(x, d);
    if (curvature < -1e-10 * size) {
      cause = not_convex;
      break;
    }
    const double wanted = curvature > flat * size ? slope / curvature : std::numeric_limits<double>::infinity();
    if (std::isinf(std::min(wanted, room))) {
      cause = unbounded;
      break;
    }
    const double taken = std::min(wanted, room);
    x = p.projected(x - taken * d);
    g -= taken * Ad;
    if (proportional && wanted > room) {  // expansion: on along the free gradient, over the bound
      split(p, x, g, free, chopped);
      x = p.projected(x - step * free);
      g = p.A * x + p.q;
    }
    if (report.iterations % 50 == 49) g = p.A * x + p.q;
    split(p, x, g, free, chopped);
    if (proportional && wanted <= room) d = free - (free.dot(Ad) / curvature) * d;
    else d = free;
  }
  p.write(x, r);
  if (!good_enough(r)) report.cause = cause;
  return report;
}

}  // namespace saltus
