// The sets that the engine knows. A law of the user is one more table like these.
#pragma once

#include "saltus/problem/set.hpp"

namespace saltus {

/// Whole space: w = 0. Any number of rows, no parameters.
extern const SetType equality_set;
/// r >= 0, w >= 0, r w = 0, row by row. Any number of rows, no parameters.
extern const SetType half_line_set;
/// low <= r <= high row by row, times set_scale. Parameters: low of all rows, then high of all rows; infinite allowed.
extern const SetType box_set;
/// Coulomb cone in two dimensions, rows (n, t), with the De Saxce shift. Parameter: friction >= 0.
extern const SetType coulomb_2d_set;
/// Coulomb cone in three dimensions, rows (n, t1, t2), with the De Saxce shift. Parameter: friction >= 0.
extern const SetType coulomb_3d_set;
/// Rolling cone in two dimensions, rows (n, t, roll): |r_t| <= friction r_n, |r_roll| <= rolling_friction r_n.
/// Parameters: friction, rolling_friction (a length) >= 0.
extern const SetType rolling_2d_set;
/// Rolling cone in three dimensions, rows (n, t1, t2, roll1, roll2). Parameters as for two dimensions.
extern const SetType rolling_3d_set;
/// The same with spin, rows (n, t1, t2, roll1, roll2, spin): |r_spin| <= spinning_friction r_n as well. Parameters: friction,
/// rolling_friction, spinning_friction (lengths) >= 0.
extern const SetType rolling_spinning_3d_set;
/// The same without rolling, rows (n, t1, t2, spin). Parameters: friction, spinning_friction >= 0.
extern const SetType spinning_3d_set;
/// Coulomb cones without their tips: r_n >= least besides, with the De Saxce shift: expansion of an impact, which gives back a part of
/// compression. Parameters: friction, least >= 0.
extern const SetType truncated_coulomb_2d_set, truncated_coulomb_3d_set;
/// Coulomb's cone with a base: r_n >= 0, |r_T| <= base + friction r_n, with the De Saxce shift of its friction. Parameters: friction > 0; base >= 0, times set_scale.
extern const SetType cohesive_2d_set, cohesive_3d_set;
/// Elliptic Coulomb cone, rows (n, t1, t2): |(r_1/friction_1, r_2/friction_2)| <= r_n, with its De Saxce shift
/// |(friction_1 w_1, friction_2 w_2)|. Parameters: friction_1, friction_2 > 0.
extern const SetType orthotropic_set;
/// Coulomb's cone whose friction depends on the sliding speed, mu(s) = p1 + (p0 - p1) exp(-(s/p2)^p3) + p4 s, s = |w_T|, with the De Saxce
/// shift of that friction; w is a velocity. Parameters: friction at rest, of sliding, speed > 0, exponent >= 1, growth by speed >= 0.
extern const SetType stribeck_2d_set, stribeck_3d_set;
/// Sliding and spin in one cone (Contensou 1963, as an ellipsoid), rows (n, t1, t2, roll1, roll2, spin): |(r_t1/friction, r_t2/friction,
/// r_spin/spinning_friction)| <= r_n, r_roll = 0, with its De Saxce shift. Parameters: friction > 0, spinning_friction > 0 (a length).
extern const SetType contensou_set;
/// |r| <= radius times set_scale. Any number of rows. Parameter: radius >= 0.
extern const SetType ball_set;

/// The cone of `count` arms over one r_n, rows in their order behind the first; its parameters into a buffer of FrictionArm::most. No arm: the half-line.
const SetType& cone_of_arms(const FrictionArm* arms, int count, double* parameters);

/// Number of parameters that a block of `dim` rows of a built-in set reads; -1 for a set that is not built in.
int parameter_count(const SetType& set, int dim);

}  // namespace saltus
