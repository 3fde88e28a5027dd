// Modes of the rows of a step: which hold (w = 0), and which multipliers sit at a bound.
//
// A mode turns the laws into equations. The modes of the last step are tried first; rows that contradict their law change
// theirs (Hintermueller, Ito, Kunisch 2002: a semismooth Newton method), at last one at a time (Murty 1974).
#pragma once

#include <algorithm>
#include <vector>

#include "saltus/integrate/moreau_kept.hpp"
#include "saltus/integrate/moreau_model.hpp"
#include "saltus/integrate/moreau_problem.hpp"

namespace saltus {

/// A linear problem that asks for its solution.
struct RowTask {
  const ActiveRows& rows;
  const StepBefore& before;
  const MoreauProblem& problem;
  MoreauSolution& solution;  // first the point to start from
  bool bounds = true;        // all laws are bounds of multipliers
  bool planar = true;        // or planar friction
  bool warm = true;          // start from the last multipliers
};

/// One way to solve it, in the table of MoreauSolver.
class RowStrategy {
 public:
  virtual ~RowStrategy() = default;
  virtual bool can(const RowTask& task) = 0;
  /// False where it finds no solution: then the next one is asked.
  [[nodiscard]] virtual bool solve(const RowTask& task) = 0;
};

/// What is left of a diode's own terms where they all vanish: the largest potential of its circuits, the largest part of a terminal's currents.
struct CircuitSizes {
  explicit CircuitSizes(const MoreauModel& model, std::vector<int> potentials);
  void measure(const std::vector<double>& A, const std::vector<double>& xi);

  const System& system;
  std::vector<int> potentials;          // unknowns
  std::vector<char> between_terminals;  // by entry: a law of a voltage, its multiplier a current
  double potential = 0.0, current = 0.0;
};

/// Modes, and the trial point that they lead to, with the check of the laws there.
class RowModes {
 public:
  static constexpr double accuracy = 1e-11;  // of rows and multipliers against the sizes of their terms

  RowModes(const MoreauModel& model, std::vector<int> potentials);

  /// By row of the system.
  std::vector<LawMode> mode;
  std::vector<double> low, high;  // bounds of the multipliers
  struct {
    std::vector<double> xi, mu, w, size;  // size: largest term of w
  } trial;

  /// Bounds of the multipliers of an entry, where its law has such.
  void find_bounds(std::size_t entry, double set_scale);
  /// Modes of the last multipliers.
  void first(const RowTask& task);
  /// Right-hand side of a row in its mode.
  double target(const RowTask& task, std::size_t entry, int r) const;
  enum class Change { none, first, all };
  /// Changes the modes of rows that contradict their laws at the trial point: none, the first, or all. Returns how many do. `balanced`: terms are
  /// measured by what each multiplier alone would do, too.
  int revise(const RowTask& task, Change change, bool balanced);
  /// Whether none contradicts its law at the trial point.
  bool consistent(const RowTask& task);
  /// How well the laws hold where none is contradicted.
  double worst(const RowTask& task) const;
  /// Takes the trial point where its rows and multipliers fulfil their laws to the tolerance.
  bool take(const RowTask& task, double worst);

 private:
  double largest_trial_mu(const RowTask& task) const;
  double holds_error(const RowTask& task) const;
  void moves_of_multipliers(const RowTask& task);
  int check(const RowTask& task, std::size_t entry, double largest_mu, bool change, bool balanced);
  int check_friction(const RelationEntry& entry, double largest_mu, bool change);
  /// by > 0: that much over the edge.
  bool contradicts(double by, double scale) {
    if (scale > 0.0 && by > 0.0) worst_ = std::max(worst_, by / scale);
    return by > accuracy * scale;
  }

  const MoreauPlan& plan_;
  const System& system_;
  const std::vector<int>& block_begin_;
  CircuitSizes circuit_;
  std::vector<double> moves_;  // by unknown: largest velocity that one trial multiplier alone would give it
  double worst_ = 0.0;         // how far laws are over their edge
  double holds_ = 0.0;         // how far rows that hold are from zero, by their own terms alone
};

}  // namespace saltus
