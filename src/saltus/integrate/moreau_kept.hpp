// Steps of small affine systems in which no law changes its mode: one affine map of the state, with its residual.
#pragma once

#include <memory>
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
///
/// Where there are but laws of states and algebraic unknowns, as in circuits (`follows_modes`), a law that is contradicted leads to the map of the next modes, and switches
/// to that of their positions: maps are kept by modes, positions, h and theta, and made when these are met first.
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
  /// Potentials of circuits (unknowns): the largest is the unit of all, as in RowModes.
  void measure_by(std::vector<int> potentials);
  /// Whether the state's last steps were such that the next one of length h may be one of a map.
  bool wanted(const State& state, double h) const {
    const double* kept = state.memory() + kept_at_;
    return remembers_ && kept[0] >= (follows_modes_ ? 1.0 : 2.0) && kept[1] == h;
  }
  /// Modes are revised step by step, and may change.
  bool follows_modes() const { return follows_modes_; }
  /// Whether the map at hand is of the state's modes; where no switch has positions.
  bool is_of(const State& state, double h, double theta) const;
  /// Begins a step in the modes of the state, with which switches are off.
  void begin(const State& state, const std::vector<char>& off);
  /// Mode of a row of the step; negative: it is in none.
  int mode(int row) const { return static_cast<int>(key_[row]) - 1; }
  /// Takes the map of the step's modes, if there is one.
  bool take(double h, double theta);
  /// Makes the map of the step's modes, those of `ended`.
  void make(const Ended& ended);
  /// Writes into the state in which modes its last step ended.
  void remember(const Ended& ended, State& state) const;
  /// The last step was none that could be one of a map.
  void forget(State& state) const;

  /// The step in the modes of the map, if its result fulfils equations and laws: else false, and the state is as before.
  bool step(State& state, StepReport& report);
  /// How many rows contradict their laws at the result of the map, -1: it is none; they change the modes of the step.
  int revise(const State& state);
  /// Where the map is none, as of a diode that still conducts beside a switch that has closed: modes in which no row holds whose multiplier may vanish. False: the step is in them.
  bool release();
  /// Whether some law is at other bounds than before.
  bool switches(const State& state) const;
  /// The step whose laws are not contradicted; false: it leaves too much of equations or laws, and the state is as before.
  bool accept(State& state, StepReport& report);

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
    bool between_potentials = false;
    int moves_end = 0;                               // of Map::moves
  };
  struct Move { int unknown; double size; };  // |C_rc / A_cc|: what a residual of the dynamics would do to a row
  struct Gap { int entry, row, rows; bool active; };
  enum class Kind : char { gap, gap_with_friction, held, bounds };
  struct Active { int entry, first, end; Kind kind; };  // rows_ of an active entry
  struct Held { int place; bool gap; int begin, end; double constant; };  // a row that the drift projection looks after; place: in rows_

  struct Map {
    std::vector<double> key;           // modes as the state remembers them, then 1 for each switch that is off
    double h = -1.0, theta = 0.0;
    bool regular = false;              // else the equations in these modes are singular
    int m = 0;                         // active rows
    std::vector<Row> rows;
    std::vector<Active> entries;
    std::vector<Gap> gaps;
    std::vector<Held> held;
    struct {
      std::vector<int> column;
      std::vector<double> value;
    } matrix_of_held;
    Blocks predict, residual;          // (xi, mu, gaps, their rates) of (1, state); (dynamics, rows) of (1, state, xi, mu)
    std::vector<Move> moves;           // of the rows one after another
  };
  static constexpr std::size_t most_maps = 64;

  void reserve(Map& map) const;
  Map& room();
  void dynamics_rows(const Ended& ended);
  void law_rows(const Ended& ended);
  bool factorize(const Ended& ended);
  void held_rows(const Ended& ended);
  void predict(const Map& map, const State& state);
  void evaluate(const Map& map);
  bool same_contacts(const Map& map, const State& state) const;
  void find_scales(const Map& map);
  bool laws_hold(const Map& map, double& worst);
  double status(const Active& entry) const;
  double equations_error() const;
  double violation(const Map& map) const;
  bool write(const Map& map, State& state, double equations, double laws, StepReport& report);

  const MoreauPlan& plan_;
  const System& system_;
  std::vector<int> velocity_of_q_;
  int n_ = 0, states_ = 0;  // unknowns, entries of the state
  int kept_at_ = 0;         // MoreauPlan::kept
  bool remembers_ = false;
  bool follows_modes_ = false;
  std::vector<int> potentials_;
  std::vector<char> between_potentials_;  // by entry: all that it joins are such
  std::vector<double> key_;  // of the step
  std::vector<std::unique_ptr<Map>> maps_;
  std::size_t next_ = 0;     // which of them makes room where there are most_maps
  Map* map_ = nullptr;       // at hand
  DenseLu lu_;
  struct {
    std::vector<double> dense, right, factors, out, error, size, end;  // end: q, v, x, z
  } work_;
};

}  // namespace saltus
