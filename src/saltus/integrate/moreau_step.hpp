// One step of Moreau's scheme: Newton's method over the nonlinear terms, one nonsmooth problem an iteration.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "saltus/integrate/circuit.hpp"
#include "saltus/integrate/least_reactions.hpp"
#include "saltus/integrate/moreau_contacts.hpp"
#include "saltus/integrate/moreau_kept.hpp"
#include "saltus/integrate/moreau_model.hpp"
#include "saltus/integrate/moreau_problem.hpp"
#include "saltus/math/dense_lu.hpp"
#include "saltus/math/sparse_solver.hpp"
#include "saltus/problem/problem.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {

class MoreauStep {
 public:
  explicit MoreauStep(const MoreauPlan& plan);

  /// Closes the joints, makes velocities, algebraic unknowns, accelerations and multipliers consistent.
  StepReport start(State& state);
  /// One attempt, without error control.
  StepReport step(State& state, double h);

  /// What the last step met, for its control.
  struct Change {
    bool impact = false;       // an impact law acted
    bool mode = false;         // a contact opened or closed, a law went to or left a bound
    bool approach = false;     // an open gap would close within the step at its present rate
    bool closing = false;      // an open gap would close at its present rate, sooner or later within the step
    bool first_order = false;  // theta = 1, or multipliers at force level: these stand at the end of the step
    bool frozen = false;       // contacts between groups were in: their directions are those of mid step
    double missed = 0.0;       // deepest overlap of points between groups that the step did not find, over what is allowed
    double passage = 0.0;      // MoreauContacts::passage
    bool kept = false;         // it was taken by the kept map: the others are not told then
  };
  const Change& change() const { return change_; }
  /// What the last step's solution may leave open of velocities and first-order states (nv + nx), by its residuals.
  const std::vector<double>& noise() const { return noise_; }
  /// Which part of a change of a velocity or first-order state (nv + nx) the last step saw: the rest springs and dampers that are stiff for it took.
  double seen(int i) const {
    const auto slot = static_cast<std::size_t>(system_.diagonal_slot[i]);
    return before_.mass[slot] > 0.0 && problem_.A[slot] > before_.mass[slot] ? before_.mass[slot] / problem_.A[slot] : 1.0;
  }
  /// How far the motion has come, by velocity (nv), and which part of the way of a gap may be missed: for what is told over it.
  void allow(std::span<const double> ranges, double tolerance) { ranges_ = ranges, tolerance_ = tolerance; }
  /// Forces without inputs in the last step's mean, by unknown: of velocities and first-order states. Empty where they cannot
  /// depend on time.
  std::span<const double> mean_forces() const { return model_.affine ? std::span<const double>() : std::span<const double>(F_); }
  /// Parts contacts between groups that overlap after the accepted step of length h: no part of the motion that an error is told by.
  void part(State& state, double h);
  /// Deepest penetration of the contacts that the last step left open, in its end, over what is allowed.
  double missed_depth(const State& state);
  /// Whether some gap between `before` and `after`, a time h apart by way of `half`, must have closed and opened again without an impulse: it
  /// falls at first and rises at last, and the tangents at both ends meet below zero. Bodies that fly through each other do.
  bool leapt(const State& before, const State& half, const State& after, double h);
  /// saltus::late_release, the largest over the rows of the last step, the second of two halves of length h each; `first`, `second`: states
  /// after them.
  double late_release(const State& first, const State& second, double h) const;
  /// What multipliers of laws did between the ends of two steps, the second the last one.
  struct Switched {
    bool jumped = false;  // to a bound, as a relay or dry friction that changes its sign, a diode that blocks; to or from any where the row is passed with speed
    bool held = false;    // a row vanishes that did not
  };
  Switched switched(const State& before, const State& after) const;
  /// Values of the rows at the end of the last step.
  std::span<const double> row_values() const { return end_.w; }
  /// The same before it, without the parts of their own multipliers; with error control.
  std::span<const double> rows_before() const { return y_before_; }
  /// How far some row of a law, as a share of the largest of them, passes zero and comes back between the beginning, the middle and the end of a
  /// step; rows: their values at these.
  double passed_between(const State& before, const State& half, const State& after, const std::array<std::span<const double>, 3>& rows) const;
  /// Whether row r of a relation moves nothing, as friction across the plane of a motion: its impulse is any that the law allows.
  bool moves_nothing(std::size_t entry, int r) const;

 private:
  struct Outcome {
    bool converged = false;
    int iterations = 0;
    double equations = 0.0, rows = 0.0, laws = 0.0;
    std::string cause;
  };
  using Mode = LawMode;
  enum class Rows { all, equalities, algebraic };

  void begin(const State& state, double h, Rows which);
  void values_before(const State& state);
  void choose_active(const State& state, double h, Rows which);
  void spread_direction(std::size_t entry);
  void set_frozen(std::size_t entry);
  Outcome solve(const State& state, double h, double theta);
  void configure(const State& state, double h, double theta);
  void evaluate(const State& state, double h, double theta, bool first);
  bool solve_affine(const State& state, double h, double theta, Outcome& out);
  bool step_kept(State& state, double h, double theta, StepReport& report);
  MoreauKept::Ended ended(double h, double theta) const;
  void remember_modes(State& state, double h, double theta);
  void affine_problem(const State& state, double h, double theta);
  void inspect_matrix();
  void advance(const State& state, double h, double theta);
  void dynamics(double h);
  void input_of_impulses(double h);
  bool needs_blocks() const;
  void find_slides(const State& state);
  bool percuss(const State& state, double h, Outcome& out);
  bool strikes() const;
  void set_active(const std::vector<int>& entries);
  void enter_phase(int number);
  void take_percussions();
  void leave_phases(double h);
  void adhere(double h);
  void shift_sets(double by);
  bool slips_on() const;
  void end_slips();
  void rows();
  void matrix_terms();
  double dynamics_error();
  double rows_error();
  void matrices(double h, double theta);
  void system_matrix(double h, double theta, bool inputs);
  void row_matrices(std::size_t entry, double h, double theta);
  void build_problem();
  void build_rows();
  /// Of the linear problem; state, h: for what is told where it has no solution. warm: from the last multipliers.
  bool solve_problem(const State& state, double h, bool warm);
  bool solve_in_sets(const State& state, double h, bool warm);
  bool solve_modes();
  void find_bounds(std::size_t entry);
  void first_modes();
  double mode_target(std::size_t entry, int r) const;
  enum class Factor { none, dense, sparse };
  bool search_modes(Factor kind);
  double holds_error() const;
  double holds_ = 0.0;  // the same by their own terms alone
  /// Largest potential, and largest part of a terminal's currents, at xi: what is left of a diode's own terms where they all vanish.
  void measure_circuit(const std::vector<double>& xi);
  double largest_trial_mu() const;
  bool take_modes(double worst);
  void plan_band();
  void band_values();
  bool search_band();
  void free_places();
  void set_place(std::size_t place, int row);
  bool solve_places(int begin, int end);
  template <int Band>
  bool solve_places(int begin, int end);
  bool change_place(int place, double largest_mu);
  void sweep_modes();
  bool take_places();
  struct Range { int begin, end; };
  struct Run { int begin, end; double a[3], b[3]; };
  static void append(std::vector<Range>& ranges, int begin, int end);
  bool factor_is_current(Factor kind);
  bool solve_mode_dense();
  bool solve_mode_sparse();
  double proximal_weight();
  void moves_of_multipliers();
  int check_modes(std::size_t entry, double largest_mu, bool change, bool balanced, double& worst);
  bool switched(const State& state) const;
  /// Writes the step into the state; the violation of joints that is left, by the model's size.
  double accept(State& state, double h, StepReport& report);
  double status_of(std::size_t entry) const;
  void find_statuses();
  bool impact_acted(int entry) const;
  void find_changes(const State& state);
  double energy_left(double& size) const;
  void find_noise(const Residuals& left);
  void set_multipliers(State& state, double h, StepReport& report);
  void report_events(const State& state, StepReport& report);
  double project_positions(double t, double* y, const double* data, bool joints_only);
  double violation(double t, const double* y, const double* data, bool joints_only);
  bool held(std::size_t entry) const;
  bool consistent_rates(State& state);
  bool consistent_algebraic(State& state);
  bool algebraic_by_a_step(State& state);
  void consistent_accelerations(State& state);
  void joint_reactions(State& state);
  void multipliers_of_contacts(State& state);

  MoreauModel model_;
  const MoreauPlan& plan_;
  const System& system_;
  Assembly& assembly_;
  ActiveRows rows_;
  StepBefore before_;
  MoreauProblem problem_;
  MoreauSolution solution_;
  StepEnd end_;
  LeastReactions reactions_;
  Solver solver_;
  SolveReport report_;
  double lost_budgets_ = 0.0;  // spent on problems that were not solved, since time passed lost_until_
  double lost_until_ = -HUGE_VAL;
  Problem general_;
  MoreauContacts contacts_;
  Circuit circuit_;
  std::vector<int> potentials_;          // its unknowns
  std::vector<char> between_terminals_;  // by entry: a law of a voltage, its multiplier a current
  struct { double potential = 0.0, current = 0.0; } circuit_size_;  // largest potential, largest part of a terminal's currents
  MoreauKept kept_;
  bool keeps_ = false;         // steps may be those of kept_
  bool rates_alone_ = false;   // algebraic unknowns stay: their equations need rows that are not in this problem
  double matrix_seed_ = -1.0;  // h theta of jacobian_, where that is all it depends on
  struct Made {                // what A, and C, G of the marked entries were made for; h < 0: not to be used again
    double h = -1.0, theta = 0.0;
    bool forces = false;
    std::vector<char> rows;
  } made_;
  long factored_number_ = -1;
  SparseSolver saddle_, positions_;
  DenseLu lu_;
  bool saddle_ready_ = false;
  double proximal_ = -1.0;  // proximal_weight(), negative: not known
  Factor factored_ = Factor::none;

  std::vector<double> y_, F_, input_, moves_;   // unknowns (+ 1); moves_: what forces or terms could do to each
  std::vector<double> jacobian_, input_matrix_;           // slots of the system's matrix
  std::vector<double> lambda_, gap_;  // by row
  std::vector<double> saddle_values_, saddle_rhs_, saddle_x_, warm_r_, tangent_;
  std::vector<double> saved_;                                       // the state before the step
  std::vector<int> cursor_;
  double terms_before_[2] = {}, largest_terms_[2] = {};              // the memory's, before the step and with its own
  std::vector<double> y_before_;                                     // by row: values before the step, with error control
  std::vector<Mode> mode_, factored_mode_;                           // by row
  std::vector<double> low_, high_, trial_mu_, trial_w_, trial_size_, trial_xi_, dense_, dense_x_;
  std::vector<int> factored_active_;                                 // what the factor was made of
  std::vector<double> factored_A_, factored_C_, factored_G_, factored_D_;
  Change change_;
  std::vector<double> noise_;
  std::span<const double> ranges_;
  double tolerance_ = 0.0;
  std::vector<int> sliding_;    // by component: how many of these
  double positions_error_ = 0.0;  // of the last iterate, with drift = ggl
  std::vector<char> struck_;  // by component: an impact acted in it
  std::vector<double> status_;               // by entry, of the last solve
  std::vector<int> entry_of_row_;
  // W = C A^-1 C^T as a band, where A is diagonal and rows share unknowns with close ones only (moreau_band.cpp).
  struct Shared { int place, back, own, other, unknown; };  // C at own, of the row at `place`, times C at other, of that at place - back
  int band_ = -1;                            // rows before and after that a row can share unknowns with; -1: W is no band
  bool minkowski_ = false;                   // A is diagonal and no entry of W beside its diagonal is positive
  std::vector<Shared> shared_;
  std::vector<int> row_at_;                  // row by place in the order
  struct Places {                            // by place, with empty ones before and after all
    std::vector<double> mu, bound, free, size, x, factor;  // bound: mu where it does not hold; free: w without multipliers; size: of its terms; x, factor: L D L^T
    std::vector<char> holds, active;
    bool pushed = false;                     // some row sits at a bound that is not 0
  } place_;
  std::vector<Range> again_, changed_;       // places to solve, and to look at
  std::vector<Run> runs_;
  std::vector<double> W_, free_;
  std::vector<double> offset_;               // by row: the multiplier less this stands in its law's set
  bool shifted_ = false;                     // some offset is not zero
  std::vector<PhaseSet> phase_;              // by entry, in a phase of an impact: in place of its law's set
};

}  // namespace saltus
