// Consistent start of a run: positions and velocities on the constraints, redundant rows named (conventions.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "saltus/base/errors.hpp"
#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/state.hpp"

namespace saltus {

/// A number for a message.
std::string in_three_digits(double x);

struct StartReport {
  bool ok = true;
  std::string cause;            // refused: the residual of each violated constraint by name
  std::vector<Fault> warnings;  // what was changed, and redundant rows
};

/// Largest violation of positions that is projected, as a share of the model's size; beyond it the start is refused.
inline constexpr double largest_start_projection = 1e-6;

/// Rows of equality relations that depend on others at the configuration y, by relation, as warnings: "rows 3, 4 are
/// redundant (rank deficiency 2), reaction not unique". Joints in the plane have redundant rows by design of the user's
/// model, so nothing is refused.
std::vector<Fault> redundant_rows(const System& system, Assembly& assembly, const double* y, const double* data);

/// What a start tells of rows whose rates are violated (m/s, rad/s for rotations), by row: the warning for velocities `given` (nv) that
/// were changed by `change` (nv), the reason why they are refused, with those above `above`. Velocities of a node that was given none
/// follow the drives and the joints to what is driven, which is no mistake and no warning.
std::optional<Fault> velocities_changed(const System& system, const std::vector<double>& violation, const double* given, std::vector<double> change);
std::string velocities_refused(const System& system, const std::vector<double>& violation, double above);
/// The same of positions: the warning with the norm of the change, the reason with those above `above`.
Fault positions_moved(const System& system, const std::vector<double>& violation, double change);
std::string positions_refused(const System& system, const std::vector<double>& violation, double above);
/// Part of the model's size, and of the speeds, that counts as rounding and not as a violation.
inline constexpr double start_rounding = 1e-10;

/// Projects the state's q, x, v onto the constraints at its t in the mass metric and reports each change; with consistent
/// false any violation above rounding is refused instead. The state is untouched when refused.
[[nodiscard]] StartReport make_consistent(Accelerations& accelerations, State& state, bool consistent);

}  // namespace saltus
