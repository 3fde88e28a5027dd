// One step of Moreau's scheme: Newton's method over the nonlinear terms, one nonsmooth problem an iteration.
#pragma once

#include <vector>

#include "saltus/integrate/moreau_contacts.hpp"
#include "saltus/integrate/moreau_plan.hpp"
#include "saltus/math/sparse_solver.hpp"
#include "saltus/problem/problem.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {

class MoreauStep final : public Workspace {
 public:
  explicit MoreauStep(const MoreauPlan& plan);

  StepReport start(State& state);
  StepReport step(State& state, double h);

 private:
  struct Outcome {
    bool converged = false;
    int iterations = 0;
    double equations = 0.0, rows = 0.0, laws = 0.0;
    std::string_view cause;
  };
  enum class Rows { all, equalities };

  void begin(const State& state, double h, Rows which);
  void set_frozen(std::size_t entry);
  Outcome solve(const State& state, double h, double theta);
  void evaluate(const State& state, double h, double theta);
  void dynamics(double h);
  void input_of_impulses(double h);
  void rows();
  double dynamics_error();
  double rows_error();
  void matrices(double h, double theta);
  void row_matrices(std::size_t entry, double h, double theta);
  void build_problem();
  void build_rows();
  bool solve_problem();
  bool solve_joints();
  bool switched(const State& state) const;
  /// Writes the step into the state; the violation of joints that is left, by the model's size.
  double accept(State& state, double h, StepReport& report);
  double status_of(std::size_t entry) const;
  void report_events(const State& state, StepReport& report);
  double project_positions(double t, double* y, bool joints_only);
  double violation(bool joints_only);
  bool lifted(std::size_t entry) const;
  bool consistent_rates(State& state);

  const MoreauPlan& plan_;
  const System& system_;
  Assembly assembly_;
  Solver solver_;
  SolveReport report_;
  Problem problem_;
  MoreauContacts contacts_;
  SparseSolver joints_, positions_;
  bool joints_ready_ = false, positions_ready_ = false;

  std::vector<double> y_, F0_, F_, input_, xi_, xi0_, res_, term_;   // unknowns (+ 1)
  std::vector<double> mass_, jacobian_, input_matrix_, A_;           // slots of the system's matrix
  std::vector<double> y_rows_, rate_, time_rate_, u_minus_, mu_, lambda_, bias_, w_, w_linear_, D_, magnitude_, scale_;  // by row
  std::vector<double> frozen_, C_, G_;                               // by entry, rows x unique columns, columns x rows
  std::vector<int> C_begin_, active_, active_row_;                   // active_: entries; active_row_: by entry, -1
  std::vector<double> saddle_values_, saddle_rhs_, saddle_x_, warm_r_, tangent_;
  std::vector<double> before_;                                       // the state before the step
  std::vector<int> cursor_;
  int active_rows_ = 0;
  double set_scale_ = 1.0;  // of force-bounded sets where the multiplier is an impulse: the step
};

}  // namespace saltus
