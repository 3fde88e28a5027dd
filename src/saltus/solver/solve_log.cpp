#include "saltus/solver/solve_log.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/problem/convex_set.hpp"
#include "saltus/problem/polyhedron.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
thread_local SolveLog* current = nullptr;
}

SolveLog* SolveLog::of_run() { return current; }
SolveLog::Scope::Scope(SolveLog* log) : before_(std::exchange(current, log)) {}
SolveLog::Scope::~Scope() { current = before_; }

void SolveLog::take(const Problem& problem, const SolveReport& report) {
  const auto of_formulas = [](const Block& block) { return block.set == &convex_set; };
  if (std::any_of(problem.blocks.begin(), problem.blocks.end(), of_formulas)) return;  // such a set stands in the program alone
  const bool solved = report.status == SolveStatus::solved;
  if (!solved && count_of(unsolved_) < most_) unsolved_.push_back(copied(problem, report));
  if (!solved) return;
  const auto less = [](std::int64_t flops, const HardProblem& other) { return flops > other.report.flops; };
  const auto place = std::upper_bound(long_.begin(), long_.end(), report.flops, less);
  if (place == long_.end() && count_of(long_) >= most_) return;
  long_.insert(place, copied(problem, report));
  if (count_of(long_) > most_) long_.pop_back();
}

HardProblem SolveLog::copied(const Problem& problem, const SolveReport& report) const {
  HardProblem out{problem, {}, report, now_()};
  for (Block& block : out.problem.blocks) {
    if (!block.parameters) continue;
    const int count = parameters_needed(*block.set, block.dim, block.parameters);
    std::vector<double> mine(block.parameters, block.parameters + count);
    // What bounds forces scales with the step; what is kept is the scaled set.
    const bool second = block.set == &truncated_coulomb_2d_set || block.set == &truncated_coulomb_3d_set || block.set == &cohesive_2d_set || block.set == &cohesive_3d_set;
    const int scaled = block.set == &box_set ? count : block.set == &polyhedron_set ? static_cast<int>(mine[0]) : second ? 1 : 0;
    for (int i = count - scaled; i < count; ++i)
      if (std::isfinite(mine[i])) mine[i] *= block.set_scale;
    block.set_scale = 1.0;
    out.parameters.push_back(std::move(mine));
    block.parameters = out.parameters.back().data();
  }
  return out;
}

}  // namespace saltus
