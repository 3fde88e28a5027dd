// Explicit Runge-Kutta schemes on the configuration's Lie group (Munthe-Kaas 1999).
#pragma once

#include <complex>
#include <initializer_list>

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// Levels of the rows of a scheme of smooth motion that holds joints as accelerations; a fault for each that it cannot hold, with a scheme that can.
std::vector<Level> smooth_rows(const System& system, std::string_view scheme, Faults& faults, bool switches = false);

/// Coefficients of an explicit scheme whose last stage stands at the end of the step: its derivative opens the next step.
struct Tableau {
  static constexpr int most_stages = 8;
  int stages = 0;
  int order = 0;
  double c[most_stages] = {};
  double a[most_stages][most_stages] = {};  // the last row holds the weights of the step
  double error[most_stages] = {};           // weights minus embedded weights; zeros: no estimate

  /// As tables are printed: the times of all stages but the last, the rows below the first, the last being the weights.
  Tableau(int order, std::initializer_list<double> times, std::initializer_list<std::initializer_list<double>> rows, std::initializer_list<double> error = {});
  bool estimates() const { return error[0] != 0.0; }
  /// What a step of h makes of x' = lambda x, z = h lambda.
  std::complex<double> growth(std::complex<double> z) const;
};

/// The scheme of a table. With error control, where the table estimates: the largest error against the motion of its coordinate (ErrorNorm);
/// step by Hairer's PI controller (Hairer, Wanner 1996, IV.2: beta = 0.2 / order).
std::unique_ptr<const Scheme> explicit_scheme(std::string_view name, std::string_view doc, const Tableau& tableau);

const Tableau& dormand_prince_tableau();
const Scheme& dormand_prince();
/// For dormand_prince, the motion while no set-valued law acts: their rows are left out.
std::unique_ptr<Plan> free_motion(std::shared_ptr<const System> system, const SchemeOptions& options);
const Scheme& runge_kutta_4();
/// h |lambda| of the fastest small deviations in the last step of such a workspace that is watched: beyond about 3 (decaying) or 1
/// (swinging) stability bounds the step, not accuracy.
void watch_stiffness(Workspace& workspace);
double stiffness_seen(const Workspace& workspace);
/// Whether its last step was rejected for joints at or near a singular position.
bool singular_seen(const Workspace& workspace);

}  // namespace saltus
