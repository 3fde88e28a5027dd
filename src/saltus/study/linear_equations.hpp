// The equations of motion to first order about one state: sparse matrices over the unknowns of the system and the rows held.
#pragma once

#include <memory>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/study/closed_contacts.hpp"
#include "saltus/study/held_rows.hpp"
#include "saltus/study/quantity.hpp"

namespace saltus {

/// With (theta, v, x, z, lambda) the deviations from the state, theta the tangent of q (R <- R exp(theta)):
///   M vdot = -K (theta, x, z) - D v + B lambda,  xdot and 0 likewise,
///   rows of form second: value theta = 0 and rate v + drift theta = 0;  first_rate: rate v + drift theta = 0;
///   first_order: value x = 0;  value: value (theta, x, z) + rate v + own lambda = 0.
/// K holds what d(H^T lambda)/dq and d(M a)/dq add. Where the state rests (v = 0, a = 0 or constant masses) every derivative is
/// the items' own, exact to rounding; else those by theta and v are central differences of fourth order (1e-11 of the terms).
struct LinearEquations {
  std::shared_ptr<const System> system;
  // The state: y = [q v x z 0]; rates [vdot | xdot | 0].
  double t = 0.0;
  std::vector<double> y, rates, lambda, data;
  bool rests = true;      // no velocity, acceleration or rate of a first-order state
  bool exact = true;      // no derivative by differences
  double residual = 0.0;  // largest |M a - F - B lambda| over its terms

  CsrPattern pattern;                            // that of the system, with what contacts between groups add
  std::vector<double> mass, stiffness, damping;  // by slot of it; mass: identity in the rows of xdot
  ClosedContacts contacts;
  EquationRows held;
  CsrLayout rows;                                // held rows x unknowns
  std::vector<double> value, rate, drift, input; // by slot of rows.pattern; input: B transposed
  std::vector<double> own;                       // dh/dlambda, held x held, row-major; empty without compliant rows

  Sample sample() const { return {t, y.data(), rates.data(), lambda.data(), data.data()}; }
  int row_count() const { return count_of(held.rows); }
};

/// Linearizes at a sample. Where all laws are equalities its a, z and lambda are solved for anew; else they are taken as given.
/// Throws ModelError where that has no solution and where a law cannot be linearized (held_rows.hpp).
/// wrenches: of the contacts between groups, as the state was recorded.
LinearEquations linear_equations(std::shared_ptr<const System> system, const Sample& sample, std::span<const ContactWrench> wrenches = {});

/// Rates of the held rows at a state: Hv + h_t (form second), h (first_rate), zeros else. For differences of another system's.
void held_rates(const LinearEquations& equations, Assembly& assembly, double t, const double* y, std::vector<double>& rate);
/// Right-hand sides F + B lambda - M a at a state, with the multipliers and rates of the linearization.
void right_sides(const LinearEquations& equations, Assembly& assembly, double t, const double* y, std::vector<double>& out);

}  // namespace saltus
