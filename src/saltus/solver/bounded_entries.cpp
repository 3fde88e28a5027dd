#include "saltus/solver/bounded_entries.hpp"

#include <algorithm>

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

}  // namespace

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
