// Modes searched by a factor of all unknowns and multipliers, [A -G; rows in their modes], dense or sparse. The factor is kept while
// matrix and modes stay.
#pragma once

#include "saltus/integrate/moreau_row_modes.hpp"
#include "saltus/math/dense_lu.hpp"
#include "saltus/math/sparse_solver.hpp"

namespace saltus {

class SaddleModes : public RowStrategy {
 public:
  SaddleModes(const MoreauModel& model, RowModes& modes)
      : plan_(model.plan), system_(model.system), block_begin_(model.block_begin), affine_(model.affine), modes_(modes) {
    factored_.entries.reserve(plan_.entries.size());
  }
  bool solve(const RowTask& task) final;

 protected:
  /// The trial point in the modes; false where they leave none.
  virtual bool solve_in_modes(const RowTask& task) = 0;
  bool factor_is_current(const RowTask& task);

  const MoreauPlan& plan_;
  const System& system_;
  const std::vector<int>& block_begin_;
  const bool affine_;
  RowModes& modes_;
  struct {  // what the factor was made of
    bool any = false;
    long matrices = -1;
    std::vector<int> entries;
    std::vector<LawMode> mode;
    std::vector<double> A, C, G, D;
  } factored_;
};

/// What the diagonal of joints' rows gets in an unsymmetric saddle: 1e-9 of the largest diagonal of C A^-1 G where some of them hold what
/// others hold already, else 0. Decided once, by the directions of the first step.
class ProximalWeight {
 public:
  explicit ProximalWeight(const MoreauModel& model) : plan_(model.plan), system_(model.system), block_begin_(model.block_begin) {}
  double of(const RowTask& task);

 private:
  const MoreauPlan& plan_;
  const System& system_;
  const std::vector<int>& block_begin_;
  double weight_ = -1.0;  // negative: not known
};

/// Few rows, also planar friction.
class DenseModes final : public SaddleModes {
 public:
  DenseModes(const MoreauModel& model, RowModes& modes, ProximalWeight& proximal);
  bool can(const RowTask& task) override;

 private:
  bool solve_in_modes(const RowTask& task) override;
  void fill(const RowTask& task);

  ProximalWeight& proximal_;
  DenseLu lu_;
  std::vector<double> matrix_, x_;
};

/// All rows whose laws are bounds. Symmetric where it can be: then redundant rows do no harm. Where it cannot, these get a little of their
/// multiplier, by which the solution comes nearer to the equations each time (proximal method of multipliers).
class SparseModes final : public SaddleModes {
 public:
  SparseModes(const MoreauModel& model, RowModes& modes, ProximalWeight& proximal);
  bool can(const RowTask& task) override { return task.bounds; }

 private:
  bool solve_in_modes(const RowTask& task) override;
  bool factorize(const RowTask& task, double proximal);
  void fill(const RowTask& task, double proximal);
  void right_side(const RowTask& task);
  void right_side_of_joints(const RowTask& task, double proximal);
  void take_trial(const RowTask& task);

  ProximalWeight& proximal_;
  const bool symmetric_;
  SparseSolver saddle_;
  bool analyzed_ = false;
  std::vector<double> values_, rhs_, x_;
};

}  // namespace saltus
