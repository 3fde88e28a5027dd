// The matrices A, C, D, G of the linear problem of Moreau's step.
#pragma once

#include "saltus/integrate/moreau_model.hpp"
#include "saltus/integrate/moreau_problem.hpp"

namespace saltus {

class StepMatrices {
 public:
  StepMatrices(MoreauModel& model, const ActiveRows& rows, const StepBefore& before, MoreauProblem& problem);

  /// At the configuration of the assembly; of affine systems only what was not made for this step, theta and rows yet.
  void update(double h, double theta);
  /// C (rows x columns) and G (columns x rows) of an active entry alone.
  void update_rows(std::size_t entry, double h, double theta);
  /// A = M, for problems in accelerations.
  void take_mass();

 private:
  void system_matrix(double h, double theta, bool inputs);
  void find_diagonal();

  const MoreauPlan& plan_;
  const System& system_;
  MoreauModel& model_;
  const ActiveRows& rows_;
  const StepBefore& before_;
  MoreauProblem& problem_;
  std::vector<double> jacobian_, input_matrix_;  // slots of the system's matrix
  double seed_ = -1.0;  // h theta of jacobian_, where that is all it depends on
  struct {              // what A, and C, G of the marked entries were made for; h < 0: not to be used again
    double h = -1.0, theta = 0.0;
    bool forces = false;
    std::vector<char> rows;
  } made_;
};

}  // namespace saltus
