// The problem of a step for the solvers of nonsmooth problems: any laws, and contacts between groups.
#pragma once

#include <cmath>

#include "saltus/integrate/held_part.hpp"
#include "saltus/integrate/moreau_offsets.hpp"
#include "saltus/integrate/moreau_row_modes.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {

class GeneralRows final : public RowStrategy {
 public:
  /// potentials: unknowns of a circuit, one unit for all of them.
  GeneralRows(const MoreauModel& model, MoreauContacts& contacts, const LawOffsets& offsets, std::vector<int> potentials);
  bool can(const RowTask&) override { return true; }
  bool solve(const RowTask& task) override;

  /// Problems that were not solved between t and t + h: whether so much was spent on them at one place of the run that shorter steps are
  /// not to be tried.
  bool gives_up(double t, double h);
  /// A step from t: what was spent up to there counts no more once it is passed.
  void passes(double t) {
    if (t >= lost_.until) lost_.budgets = 0.0;
  }

  /// Masses, for problems of the same unknowns.
  const Problem& like() const { return problem_; }
  Solver& solver() { return solver_; }
  /// HeldPart::take_out, by the last problem that was solved.
  bool take_held_out(std::span<double> difference) { return held_.take_out(problem_, report_.r, report_.w, difference); }

 private:
  void build(const RowTask& task);
  void count_inputs(const RowTask& task);
  void write_rows(const RowTask& task, bool values);
  void append_blocks(const RowTask& task);
  void find_rest(const RowTask& task);
  bool run_solvers(const RowTask& task);
  void measure_potentials(const RowTask& task);
  bool rubs(const RowTask& task) const;
  bool gives_energy(const RowTask& task);
  void tighten(const RowTask& task, SolveOptions options);

  const MoreauPlan& plan_;
  const System& system_;
  const std::vector<int>& block_begin_;
  const LawMemory& laws_;
  MoreauContacts& contacts_;
  const LawOffsets& offsets_;
  const std::vector<int> potentials_;
  Problem problem_;
  Solver solver_;
  SolveReport report_, loose_;
  std::vector<std::vector<double>> halved_;  // by relation, of mean_slip; empty: there are none
  std::vector<int> cursor_;      // by unknown
  std::vector<double> impulse_;  // the same
  std::vector<double> warm_r_;
  HeldPart held_;
  struct {
    double budgets = 0.0;        // spent on problems that were not solved, since time passed `until`
    double until = -HUGE_VAL;
  } lost_;
};

}  // namespace saltus
