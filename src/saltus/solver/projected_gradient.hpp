// Gradient methods for a convex quadratic program with bounds: min r.W r/2 + b.r, low <= r <= high.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// Given the point now and then; true ends the iteration.
using GoodEnough = std::function<bool(std::span<const double>)>;

struct GradientReport {
  int iterations = 0;
  std::string_view cause = {};  // why it stopped short
};

/// Spectral projected gradient: d = P(r - l (W r + b)) - r with the step l of Barzilai and Borwein, and the exact step
/// along d. Scaled by the diagonal of W. Needs W symmetric, positive semidefinite; W form, bounds on every row.
/// Source: Barzilai, Borwein 1988; Birgin, Martinez, Raydan 2000.
GradientReport projected_gradient(const Problem& local, int most_iterations, std::span<double> r, const GoodEnough& good_enough);

/// Conjugate gradients on the free rows, projected expansion steps and proportioning where the bounds change (MPRGP).
/// Same scaling and needs. Source: Dostal, Schoeberl 2005; Dostal 2009, algorithm 5.8.
GradientReport conjugate_projected_gradient(const Problem& local, int most_iterations, std::span<double> r, const GoodEnough& good_enough);

}  // namespace saltus
