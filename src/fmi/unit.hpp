// A model as a unit of a co-simulation: what the C functions of both versions of the Functional Mock-up Interface stand on (modelica.org, FMI 2.0.4, 3.0.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "saltus/model/model.hpp"
#include "saltus/study/stepped_state.hpp"

namespace saltus::fmi {

using Reference = std::uint32_t;  // of a value: its place in the list of variables

/// What is wrong with a call, or why the motion cannot go on.
class Refused : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One variable, as resources/unit.json has it. saltus/exports/fmu.py writes the file.
struct Variable {
  enum class Kind { time, parameter, run_parameter, output, residual };
  Kind kind = Kind::time;
  std::string name;   // of the parameter or residual; the quantity of an output
  int component = 0;  // of an output
  double start = 0.0; // of a parameter
};

/// All that a unit has to keep to come back to where it was.
struct Kept {
  std::vector<double> values;  // of the variables that are set
  std::vector<double> state;   // bytes of the stepped state
  double start = 0.0;
};

class Unit {
 public:
  /// resources: the folder with model.json and unit.json. Throws ModelError where they cannot be read, or Refused where token is not that of the unit.
  Unit(const std::filesystem::path& resources, const std::string& token);

  /// Before the start: the time it begins at, and the tolerance that the master asks for. Both make the model anew.
  void prepare(double start, std::optional<double> tolerance);
  /// Back to what it was when it was made.
  void reset();
  /// Finds accelerations and forces at the start.
  void begin() { (void)ready(); }
  /// On from t by h. Throws Refused where the unit is not at t, and where the motion cannot go on: it is then where `time` says.
  void step(double t, double h);

  double time() const { return state_ ? state_->now().t() : start_; }
  double get(Reference variable);
  /// Of a parameter; of one that no run may change only before the first step.
  void set(Reference variable, double value);
  /// d(unknowns)/d(knowns) times the seed, by central differences at this time.
  std::vector<double> derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns, std::span<const double> seed);

  Kept keep();
  /// Throws Refused where it was kept by another unit.
  void restore(const Kept& kept);
  std::vector<char> serialized(const Kept& kept) const;
  /// Throws Refused where the bytes are of another unit, or cut.
  Kept deserialized(std::span<const char> bytes) const;

  /// Warnings that came since they were asked for.
  std::vector<std::string> new_warnings();

 private:
  struct Output {
    Quantity quantity;
    std::size_t begin = 0;  // in shown_
  };
  void read_description(const std::filesystem::path& file, const std::string& token);
  const Variable& at(Reference variable) const;
  /// The state, begun, with the values that were set.
  SteppedState& ready();
  void bind();
  const double* outputs();

  Model given_;               // with the values of the file
  RunSettings settings_;
  std::string token_;
  std::vector<Variable> variables_;
  std::vector<double> values_;  // of parameters, by variable
  std::optional<double> tolerance_;
  double start_ = 0.0;
  bool moved_ = false;          // steps were made

  std::unique_ptr<SteppedState> state_;
  std::vector<Output> outputs_;
  std::vector<std::size_t> place_;  // of an output, by variable, in shown_
  std::vector<double> shown_;
  bool shown_now_ = false;      // they are of the state
  std::size_t told_ = 0;        // warnings that were asked for
};

}  // namespace saltus::fmi
