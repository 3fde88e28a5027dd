#include "saltus/solver/bounded_entries.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/math/dense.hpp"
#include "saltus/problem/sets.hpp"
#include "saltus/solver/extragradient.hpp"
#include "saltus/solver/newton_min.hpp"
#include "saltus/solver/projected_gradient.hpp"
#include "saltus/solver/row_bounds.hpp"
#include "saltus/solver/solve_workspace.hpp"

namespace saltus {
namespace {

constexpr int most_iterations = 200'000;

/// W form of the task's problem and its r; null with a cause where there is none.
const Problem* w_form(SolveTask& task, std::vector<double>& r) {
  const Problem* local = task.workspace.local(task.problem);
  if (!local) {
    task.cause = "the dynamics are singular: this method needs W";
    return nullptr;
  }
  task.workspace.reduction.restrict(task.r, r);
  return local;
}

using Gradient = GradientReport (*)(const Problem&, int, std::span<double>, const GoodEnough&);

/// `products`: of W with a vector in one iteration.
void run_gradient(SolveTask& task, Gradient gradient, int products) {
  std::vector<double> r;
  const Problem* local = w_form(task, r);
  if (!local) return;
  const std::int64_t iteration = products * (2 * local->D.nonZeros() + 30 * static_cast<std::int64_t>(local->b.size())) + 1;
  double best = 1e300;
  int since = 0;
  const GoodEnough judge = [&](std::span<const double> point) {
    SolverWorkspace& work = task.workspace;
    work.reduction.expand(point, task.v, task.r);
    work.w.resize(task.problem.b.size());
    const Certificate found = certificate(task.problem, task.v, task.r, work.w, work.residual);
    const double error = std::max(found.residual, found.scaled_residual);
    ++since;
    if (error < best) {
      if (error < 0.5 * best) since = 0;
      best = error;
      work.best_v.assign(task.v.begin(), task.v.end());
      work.best_r.assign(task.r.begin(), task.r.end());
    }
    return error <= task.options.tolerance || since > 2000;  // no halving in 20,000 iterations: it has stalled
  };
  const std::int64_t affordable = std::clamp<std::int64_t>(task.flops_left / iteration, 1, most_iterations);
  const GradientReport report = gradient(*local, static_cast<int>(affordable), r, judge);
  task.iterations = report.iterations;
  task.flops = report.iterations * iteration;
  task.cause = report.cause;
  if (!task.workspace.best_r.empty() && best < 1e300) {
    std::copy(task.workspace.best_v.begin(), task.workspace.best_v.end(), task.v.begin());
    std::copy(task.workspace.best_r.begin(), task.workspace.best_r.end(), task.r.begin());
  }
}

/// By row: 1 / sqrt(H M^-1 H^T), its own entry of W as if nothing slid.
dense::Vector units_of_rows(const Problem& problem, const Problem& local) {
  LinearReduction apart;
  const bool slides = problem.G.nonZeros() > 0;
  if (slides) {
    Problem still = problem;
    still.G.resize(0, 0);
    apart.reduce(still, false);
  }
  const SparseRows& W = slides ? apart.local().D : local.D;
  dense::Vector unit(local.rows());
  for (int i = 0; i < local.rows(); ++i) {
    const double own = W.coeff(i, i);
    unit[i] = own > 0.0 ? 1.0 / std::sqrt(own) : 1.0;
  }
  return unit;
}

/// x of W x = right that equal springs under the rows have, the springs ever stiffer: that part of x is zero which the rows cannot see, L^T x = 0 with
/// L^T W = 0. Of symmetric W it is the x of least norm. Contacts that slide make W unsymmetric; their friction does not change how the load is shared.
dense::Vector on_equal_springs(const dense::Matrix& W, const dense::Vector& right, double threshold, bool slides) {
  const dense::Matrix one = dense::Matrix::Identity(W.rows(), W.rows()), inverse = dense::least_norm(W, one, threshold);
  dense::Vector x = inverse * right;
  if (slides) {
    const dense::Matrix unseen = one - W * inverse, free = one - inverse * W;  // projectors on the kernels of W^T and W
    const dense::Vector shift = free * dense::least_norm(unseen * free, unseen * x, 1e-6);
    if (shift.norm() <= x.norm()) x -= shift;
  }
  return x + inverse * (right - W * x);  // to rounding: steps over what rests are long
}

}  // namespace

bool can_least_norm(const Problem& problem) {
  constexpr int most_rows = 200;  // W is dense
  return problem.rows() > 0 && problem.rows() <= most_rows && std::all_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& block) { return block.set == &equality_set; });
}

/// Rows in units in which their own entry of W is one. Singular values below a threshold are none; a lower one is taken only where the rows need it, for it
/// makes multipliers that are as large as its inverse.
void run_least_norm(SolveTask& task) {
  SolverWorkspace& work = task.workspace;
  task.nothing_found = !work.reduction.reduce(task.problem, false);
  if (task.nothing_found) return;
  const Problem& local = work.reduction.local();
  const int n = local.rows();
  const dense::Vector unit = units_of_rows(task.problem, local), right = -unit.cwiseProduct(Eigen::Map<const dense::Vector>(local.b.data(), n));
  const dense::Matrix W = unit.asDiagonal() * dense::Matrix(local.D) * unit.asDiagonal();
  work.w.resize(task.problem.b.size());
  for (const double threshold : {1e-6, 1e-10}) {
    const dense::Vector r = unit.cwiseProduct(on_equal_springs(W, right, threshold, task.problem.G.nonZeros() > 0));
    work.reduction.expand({r.data(), at(n)}, task.v, task.r);
    const Certificate found = certificate(task.problem, task.v, task.r, work.w, work.residual);
    ++task.iterations;
    task.flops += 8 * static_cast<std::int64_t>(n) * n * n;
    if (std::max(found.residual, found.scaled_residual) <= task.options.tolerance) return;
  }
}

bool can_newton_min(const Problem& problem) { return all_bounded(problem); }
bool can_projected_gradient(const Problem& problem) { return all_bounded(problem) && symmetric_response(problem); }

void run_newton_min(SolveTask& task) {
  std::vector<double> r;
  const Problem* local = w_form(task, r);
  if (!local) return;
  NewtonMin newton;
  const std::int64_t size = local->rows();
  const std::int64_t step = std::max<std::int64_t>(size <= 200 ? size * size * size : 200 * size + 20 * local->D.nonZeros(), 1);
  task.iterations = newton.run(*local, static_cast<int>(std::clamp<std::int64_t>(task.flops_left / step, 1, 200)), r);
  task.flops = task.iterations * step;
  task.cause = newton.cause();
  task.workspace.reduction.expand(r, task.v, task.r);
}

void run_projected_gradient(SolveTask& task) { run_gradient(task, projected_gradient, 1); }
void run_conjugate_projected_gradient(SolveTask& task) { run_gradient(task, conjugate_projected_gradient, 1); }
void run_extragradient(SolveTask& task) { run_gradient(task, extragradient, 2); }

}  // namespace saltus
