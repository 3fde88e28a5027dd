// xdot = A x + B u, y = C x + D u about a state: the linear equations in the motions that the constraints allow.
#pragma once

#include <string>
#include <vector>

#include "saltus/math/matrix.hpp"
#include "saltus/study/linear_equations.hpp"

namespace saltus {

/// A number of the model that becomes an input: the same model with it lower and higher by half of `width`.
struct LinearInput {
  std::string name;
  std::shared_ptr<const System> lower, upper;
  double width = 1.0;
};

/// Deviations from the motion in minimal coordinates w = (eta, xi, chi): phi = N_q eta, u = phidot = N_v xi + ..., x = N_x chi, with N
/// orthonormal bases of the motions that the held rows allow (redundant rows allowed); algebraic unknowns are eliminated. phi are
/// displacements and rotation vectors in world axes: a rotor that spins steadily about its axis of symmetry has constant matrices.
struct StateSpace {
  int positions = 0, velocities = 0, first_order = 0;  // entries of w
  Matrix A, B, C, D;
  Matrix shapes;           // (theta | v | x | z) in the bodies' axes, unknowns + nv rows: deviation of the system by each entry of w
  std::vector<double> rest; // wdot at the state: zero at an equilibrium
  /// Of mechanical systems at rest without rows at rate level: M eta'' + D_v eta' + K eta = 0 (else empty).
  Matrix mass, damping, stiffness;
};

/// Throws ModelError where the algebraic unknowns are not determined, where a motion that the rows allow has no mass, for inputs
/// that prescribe a position (their rate and acceleration would be inputs too), and for outputs that follow the rate of an input.
/// C and D by central differences of fourth order of the quantities along each deviation, 1e-12 of smooth ones.
StateSpace state_space(const LinearEquations& equations, const std::vector<LinearInput>& inputs, const std::vector<std::string>& outputs);

}  // namespace saltus
