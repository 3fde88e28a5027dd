// Steps of small affine systems in which no law changes its mode: one affine map of the state, with its residual.
#pragma once

#include <vector>

#include "saltus/integrate/moreau_plan.hpp"
#include "saltus/math/dense_lu.hpp"
#include "saltus/system/affine.hpp"

namespace saltus {

/// Where a row of a law is: w = 0, or the multiplier at its bound (planar friction: against +t, -t).
enum class LawMode : char { holds, low, high };

/// While the same contacts are closed and every law stays in its mode, the end of a step is an affine function of its begin:
/// (xi, mu) = T (q, v, x, z, 1). After two steps in a row that ended in the same modes, which the state remembers, a step is a product with T and a
/// second one with the equations themselves, which certifies it: residuals of the dynamics, w of every row, their terms. A step in
/// which a contact opens or closes, a mode changes, an impact acts, positions must be projected or the residual is too large is left to
/// MoreauStep. What is done depends on the state alone, so that a loaded state goes on bit for bit.
class MoreauKept {
 public:
  explicit MoreauKept(const MoreauPlan& plan);

  /// What a step of MoreauStep ended with; its matrices A, C, G, D, all by their layout there.
  struct Ended {
    const AffineSystem& affine;
    const std::vector<double>&A, &C, &G, &D;
    const std::vector<int>&C_begin, &active;
    const std::vector<LawMode>& mode;
    const std::vector<double>&low, &high;
    double h, theta;
  };
  /// Whether the state's last steps were such that the next one of length h may be one of a map.
  bool wanted(const State& state, double h) const;
  /// Whether the map at hand is of the state's modes.
  bool is_of(const State& state, double h, double theta) const;
  /// Makes the map of `ended`, whose modes are those of the state.
  void make(const Ended& ended);
  /// Writes into the state in which modes its last step ended.
  void remember(const Ended& ended, State& state) const;
  /// The last step was none that could be one of a map.
  void forget(State& state) const;

  /// The step, if the result of the map fulfils equations and laws: else false, and the state is as before.
  bool step(State& state, double h, double theta, StepReport& report);

 private:
  /// Rows in blocks of four: entry (r, j) at ((r / 4) columns + j) 4 + r mod 4.
  struct Blocks {
    int rows = 0, columns = 0;
    std::vector<double> values;
    void clear(int r, int c);
    double& operator()(int r, int c) { return values[((r / 4) * columns + c) * 4 + r % 4]; }
  };
  struct Row {  // of an active entry
    int row = 0, entry = 0;
    LawMode mode = LawMode::holds;
    double low = 0.0, high = 0.0, friction = -1.0;  // friction: of the tangential row of planar friction, whose normal row stands before
    bool normal = false;                             // of planar friction
    double force = 1.0;                              // lambda over mu
  };
  struct Gap { int entry, row, rows; bool active; };
  enum class Kind : char { gap, gap_with_friction, held, bounds };
  struct Active { int entry, first, end; Kind kind; };  // rows_ of an active entry
  struct Held { int place; bool gap; int begin, end; double constant; };  // a row that the drift projection looks after; place: in rows_

  void dynamics_rows(const Ended& ended);
  void law_rows(const Ended& ended);
  bool factorize(const Ended& ended);
  void held_rows(const Ended& ended);
  bool same_contacts(const State& state) const;
  bool laws_hold(double& worst);
  bool same_statuses(const State& state) const;
  double equations_error() const;
  double violation() const;

  const MoreauPlan& plan_;
  const System& system_;
  std::vector<int> velocity_of_q_;
  bool made_ = false;                // else the equations in these modes are singular
  std::vector<double> made_modes_;   // as the state remembers them
  double h_ = -1.0, theta_ = 0.0;

  int n_ = 0, m_ = 0, states_ = 0;  // unknowns, active rows, entries of the state
  std::vector<Row> rows_;
  std::vector<Active> entries_;
  std::vector<Gap> gaps_;
  std::vector<Held> held_;
  struct {
    std::vector<int> column;
    std::vector<double> value;
  } matrix_of_held_;
  Blocks predict_, residual_;       // (xi, mu, gaps, their rates) of (1, state); (dynamics, rows) of (1, state, xi, mu)
  std::vector<double> moves_;       // active rows x unknowns, |C_rc / A_cc|: what a residual of the dynamics would do to a row
  DenseLu lu_;
  struct {
    std::vector<double> dense, right, factors, out, error, size, end;  // end: q, v, x, z
  } work_;
};

}  // namespace saltus
