// Extragradient method: a variational inequality by projections alone.
#pragma once

#include <span>

#include "saltus/problem/problem.hpp"
#include "saltus/solver/projected_gradient.hpp"

namespace saltus {

/// r1 = P(r - t F(r)), r+ = P(r - t F(r1)), F(r) = w(r) + the law's shift, any sets through their prox alone. The step t
/// falls until t |w(r1) - w(r)| <= 0.7 |r1 - r| and grows slowly again. Converges for monotone F; the De Saxce shift of
/// friction is not, but close to it. Blocks are scaled by their rows of W. W form.
/// Source: Korpelevich 1976; step rule Khobotov 1987, Marcotte 1991.
GradientReport extragradient(const Problem& local, int most_iterations, std::span<double> r, const GoodEnough& good_enough);

}  // namespace saltus
