// What a time integrator is: bind to a system (levels of rows, refusals), start, step. Attempt, test, accept or restore.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "saltus/base/errors.hpp"
#include "saltus/integrate/state.hpp"
#include "saltus/model/scheme_type.hpp"
#include "saltus/system/assembly.hpp"

namespace saltus {

struct SchemeOptions {
  Object given;                  // the scheme's own options by name, for read_options
  int threads = 1;
  double tolerance = 1e-6;       // of error control, relative to the range of each motion (ErrorNorm)
  bool error_control = false;    // false: fixed step
  double coarse_step = 1e-3;     // [s] where error control gives up: contacts between groups that crowd
  bool contacts = false;         // reports tell what each contact between groups did
  bool consistent = true;        // project the start onto the constraints; false: refuse any violation
};

/// Of a scheme without options of its own.
struct NoOptions {
  static constexpr auto fields() { return std::tuple{}; }
};

/// The scheme's own options by the fields() of their struct; a fault for each that is unknown or out of range.
template <class Options>
Options read_options(const SchemeOptions& options, Faults& faults) {
  static const ParameterTable none;
  return read_fields<Options>(FieldSource(options.given, "simulation/scheme", "", {}), {none}, faults);
}

enum class StepStatus {
  accepted,
  rejected,  // error too large or not converged: try `suggested_step`; the state is as before
  failed,    // cannot go on; the state is as before, `cause` says why
};

/// Something that happened within a step.
struct Event {
  double t = 0.0;
  std::string kind;   // impact, stick, slip, step_rejected, ...
  std::string item;   // the relation's name
  double value = 0.0; // impulse [N s], ...
  std::array<double, 6> rows{};  // of a percussion: the impulse of its first rows
};

/// Worst scaled residuals, all dimensionless: |r| / (scale of its terms).
struct Residuals {
  double equations = 0.0, constraints = 0.0, laws = 0.0;
  void worst(const Residuals& other);
};

/// What the impulses p = H^T r of the contacts of a step with impacts do: p.(v- + v+)/2, less what bodies that are moved as given do, is the change of energy by them. Not
/// the sum of r.(u- + u+)/2 over the contacts: where bodies jam its terms cancel.
struct ImpactWork {
  double done = 0.0;    // [J]; above zero the laws gave energy
  double scale = 0.0;   // [J] half the sum of |p_i (v+ - v-)_i|, to compare with
  int lessened = 0;     // impacts with less restitution than their laws have: lessen_restitution
  void add(const ImpactWork& other) { done += other.done, scale += other.scale, lessened += other.lessened; }
  void add(double impulse, double before, double after) { done += 0.5 * impulse * (before + after), scale += 0.5 * std::abs(impulse * (after - before)); }
};

struct StepReport {
  StepStatus status = StepStatus::accepted;
  bool loose = false;           // laws hold to what is acceptable, not to what was asked
  bool parted = false;          // bodies that overlapped were moved apart at its end, which is no motion
  bool passing = false;         // rejected for what lies within it, as a meeting of bodies: what follows need not be shorter
  double reached = 0.0;         // time of the state after an accepted step; set by the loop around the scheme
  int iterations = 0;
  int factorizations = 0;       // of the matrix of the step; with a kept factor none
  Residuals residual;
  double error = 0.0;           // estimate over tolerance; 0 without control
  double suggested_step = 0.0;  // for the next attempt or step; 0: no opinion
  std::string cause;
  std::vector<Event> events;
  std::vector<ContactState> contacts;  // between groups, of the step that ends at the state; with SchemeOptions::contacts
  std::vector<Fault> warnings;  // what was projected, which rows are redundant; of step(): neutral equilibria
  ImpactWork impacts;
};

/// What the accelerations of a scheme's states are.
enum class Rates {
  exact,      // of the equations of motion there; what lies between two states is of them, too
  at_states,  // of the equations of motion there
  averaged,   // of the order of the scheme
  mean,       // means over the step that ends there
};

/// How the steps of a scheme are doubled that has no error estimate of its own (StepDoubling).
struct Doubling {
  int order = 0;       // of the scheme; 0: it has an estimate
  bool exact = false;  // between impacts, switches and slips
  bool means = false;  // multipliers are means over the step, not those at its end
};

/// A scheme bound to a system: immutable.
class Plan {
 public:
  virtual ~Plan() = default;
  std::shared_ptr<const System> system;
  SchemeOptions options;
  StateLayout layout;
  std::vector<Level> row_level;        // by relation entry
  std::vector<Fault> warnings;
  bool doubled = false;                // by StepDoubling
  /// Whether steps report what each contact did: what falls asleep keeps its forces.
  bool tells_contacts() const { return options.contacts || !system->sleepers.empty(); }
  /// What a bound plan holds: the system, its options, so much memory of its own in the state.
  void take(std::shared_ptr<const System> of, const SchemeOptions& with, int memory = 0);
  /// State at t = 0 with the initial values of the model, before start().
  State new_state() const;
};

/// Scratch of one run; allocated once.
class Workspace {
 public:
  virtual ~Workspace() = default;
  double latest = std::numeric_limits<double>::infinity();  // time that a step does not pass which goes on beyond the length that is asked for
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  /// Name, sentence and options, once for all.
  virtual const SchemeType& type() const = 0;
  std::string_view name() const { return type().name; }
  /// Chooses row levels and orderings; throws ModelError naming what can where this pair cannot work.
  virtual std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const = 0;
  virtual std::unique_ptr<Workspace> new_workspace(const Plan& plan) const = 0;
  /// Consistent accelerations, multipliers and memory at the state's t, q, v, x. The state's h is the first step.
  [[nodiscard]] virtual StepReport start(const Plan& plan, State& state, Workspace& work) const = 0;
  /// One attempt of length h from the state. Accepted: the state is at t + h, or at an event before it, whose jump is a step of
  /// length zero of its own, so that both sides of it are states; or, where no event can be located, beyond it, but not beyond Workspace::latest. Otherwise it is untouched, but that its memory
  /// may learn from a rejected attempt how far the motion comes (ErrorNorm::foresee).
  [[nodiscard]] virtual StepReport step(const Plan& plan, State& state, Workspace& work, double h) const = 0;
  virtual Rates rates() const { return Rates::averaged; }
  /// True where the state is a sequence of load steps, not a motion.
  virtual bool is_static() const { return false; }
  /// Whether a step goes on with the rates of the last one: where forces jump it has to start anew.
  virtual bool carries_rates() const { return true; }
  /// At which shares of a step from this state it asks what forces and rows are: 0 and 1 among them.
  virtual std::span<const double> samples(const Plan& plan, const State& state) const;
  virtual Doubling doubling(const SchemeOptions&) const { return {}; }
  /// Whether it finds the contacts between groups in each step.
  virtual bool finds_contacts() const { return false; }
};

/// A scheme whose workspace makes the steps: `Step` of a plan of its own kind, with start(state) and step(state, h).
template <class Step, class StepPlan = Plan>
class SteppingScheme : public Scheme {
 public:
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override { return std::make_unique<Step>(static_cast<const StepPlan&>(plan)); }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<Step&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override { return static_cast<Step&>(work).step(state, h); }
};

/// The catalogue of schemes: one line each in scheme.cpp. Null if unknown.
const Scheme* find_scheme(std::string_view name);
std::vector<std::string_view> scheme_names();
/// What all of them say of themselves.
std::vector<SchemeType> scheme_types();

}  // namespace saltus
