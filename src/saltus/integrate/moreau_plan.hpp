// What Moreau's scheme decides once: levels, factors and sparsity of all rows.
#pragma once

#include "saltus/base/index.hpp"
#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// How a relation enters a step.
struct MoreauEntry {
  Level level = Level::rate;
  bool impulse = true;     // the multiplier is an impulse along directions frozen at mid step; else a force at the end
  bool value_row = true;   // written at value: its rate is H v + h_t
  bool gap = false;        // in a step only while closed
  bool rubs = false;       // friction on rates in several directions, by a convex set of forces
  bool at_end = false;     // rate rows that must hold in the configuration at the end
  bool has_input = false;
  bool equality = false;
  int projected = -1;      // first row of the drift projection, -1: none
  int projected_rows = 0;
  int columns = 0;         // unknowns under it, each once
  int column_begin = 0;    // in MoreauPlan::columns, ascending
  int place_begin = 0;     // in MoreauPlan::place: place of each column of its blocks among these
  bool algebraic = false;  // a force that algebraic unknowns feel, or a row with its own multiplier: settled at the start
  int component = -1;      // which part of the system a percussion through it reaches
};

struct MoreauOptions {
  double theta = 0.5, gamma = 1.0;
  std::string drift = "projection";
  double newton_tolerance = 1e-10, solver_tolerance = 1e-8, acceptable_residual = 1e-3;
  static constexpr auto fields() {
    return std::tuple{
        field("theta", &MoreauOptions::theta, "", "1/2 is of second order on smooth motion and keeps energy, 1 is implicit Euler", or_else(between(0.5, 1.0), "leave it out for 0.5")),
        field("gamma", &MoreauOptions::gamma, "", "laws but those of gaps see their rows at this place of a step of fixed length: 1 at its end, 1/2 in its middle, of second order, where what sticks may chatter",
              or_else(between(0.5, 1.0), "leave it out for 1")),
        field("drift", &MoreauOptions::drift, "", "how positions are kept on the constraints: by a projection after each step, within it (Gear, Gupta, Leimkuhler 1985), or not",
              one_of("projection|ggl|none")),
        field("newton_tolerance", &MoreauOptions::newton_tolerance, "", "of what Newton's iteration leaves, of the largest terms", or_else(between(1e-15, 1e-2), "leave it out for 1e-10")),
        field("solver_tolerance", &MoreauOptions::solver_tolerance, "", "of the residual of the nonsmooth problems", or_else(between(1e-15, 1e-2), "leave it out for 1e-8")),
        field("acceptable_residual", &MoreauOptions::acceptable_residual, "", "of a step with more than a hundred rows of contacts of groups that is taken where no solver comes to solver_tolerance soon; with fewer rows a hundred solver_tolerance at most; the run warns",
              or_else(between(0.0, 1e-2), "leave it out for 1e-3"))};
  }
};

/// What keeps positions on the constraints: nothing, a projection after the step, or one within it (Gear, Gupta,
/// Leimkuhler 1985).
enum class Drift { none, projection, ggl };

/// Sparse KKT matrix [A -G; C D] or [K H^T; H -D] of rows that are always there.
struct MoreauSaddle {
  CsrPattern pattern;
  int rows = 0;
  std::vector<int> system_slot;                    // slot of each entry of the system's matrix, -1: not in it
  std::vector<int> C_begin, C_slot;                // by entry: rows x columns
  std::vector<int> G_begin, G_slot;                // by entry: columns x rows (unsymmetric kind)
  std::vector<int> D_begin, D_slot;                // by entry: rows x rows
};

class MoreauPlan final : public Plan {
 public:
  double theta = 0.5, gamma = 1.0, newton_tolerance = 1e-10, solver_tolerance = 1e-8, acceptable_residual = 1e-3;
  /// w at gamma is gamma times the row at the end and this of that at the start; sets see its direction alone.
  double of_start() const { return (1.0 - gamma) / gamma; }
  int newton_most = 30;
  Drift drift = Drift::projection;
  int phases = 0;                // most of an impact law
  bool shifts = false;           // some law has phases or adheres: its set has an offset
  bool switches = false;         // algebraic unknowns beside laws that switch: watch for ringing
  int switch_count = 0;          // those of SwitchPositions
  bool bends = false;            // some body does
  bool may_be_symmetric = false; // mechanical coordinates and impulses only
  std::vector<MoreauEntry> entries;
  std::vector<int> columns, place;
  std::vector<int> row_of_slot, transposed_slot;  // of the system's matrix
  int contact_tail = 0;          // where the tail of MoreauContacts begins in the memory
  int ranges = 0;                // where that of ErrorNorm begins, with error control
  std::vector<char> turns;                        // by velocity: it turns a frame
  MoreauSaddle modes;            // all rows whose laws are bounds
  MoreauSaddle positions;        // drift projection: equality rows and gaps

  int status(int entry) const { return layout.system.rows + entry; }
  int implicit_steps() const { return layout.system.rows + count_of(entries); }
  /// Memory of the step control, see MoreauControl.
  int control() const { return implicit_steps() + 1; }
  static constexpr int control_size = 12;
  /// What the last step left open of velocities, as StepNoise measures it; with error control.
  int left_open() const { return control() + control_size - 1; }
  /// Memory of MoreauKept: steps in a row that ended in the same modes, their length, the mode of each row (0: not in the step). Empty
  /// where the system is too large.
  int kept() const { return control() + control_size; }
  static constexpr int kept_most = 32;  // unknowns and multipliers together
  /// 1 for each switch that is off.
  int switches_off() const { return kept() + kept_size(); }
  /// Largest multiplier of a relation so far, with error control.
  int largest_multiplier(int entry) const { return switches_off() + switch_count + entry; }
  /// Largest term of the equations of first-order states, of algebraic unknowns, so far.
  int largest_terms() const { return largest_multiplier(options.error_control ? count_of(entries) : 0); }
  int kept_size() const { return layout.system.unknowns() <= kept_most ? 2 + layout.system.rows : 0; }
};

std::unique_ptr<MoreauPlan> bind_moreau(std::shared_ptr<const System> system, const SchemeOptions& options);

}  // namespace saltus
