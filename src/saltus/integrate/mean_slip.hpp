// Friction against the mean slip of a step, of second order where slip turns or the coefficient changes with it.
#pragma once

#include <vector>

#include "saltus/pool/law.hpp"

namespace saltus::mean_slip {

/// Of the terms of a rate: slower slip is rounding.
constexpr double still = 1e-7;

/// Whether a law bounds the forces of several rows by one convex set: friction of given strength on rates, whose force turns with the slip.
bool bounds_forces_together(const LawRef& law, int rows);
/// Rows of a law, as bits, whose friction turns or changes with their rates u: those of arms of its cone that slip by more than `least`, in two directions or with a
/// coefficient of their speed, and all of a convex set. Their rates in a problem are u+ + u-, twice the mean; arms that stick are held at the end of the step.
unsigned rows(const LawRef& law, int rows, const double* u, double least);
/// Whether all arms of these rows, of `count`, slip on from rates before a step to those behind it: else they stick, or turned back within it.
bool goes_on(const LawRef& law, int count, unsigned rows, const double* before, const double* behind, double least);
/// Parameters of the law's set for rows of twice the mean; empty: they are its own.
std::vector<double> parameters(const LawRef& law);

}  // namespace saltus::mean_slip
