// What generalized-alpha knows before it runs: weights, how rows are held, what a later step reuses.
#pragma once

#include <cmath>
#include <vector>

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// Weights stand on the old step (architecture.md); S = spectral radius at infinite frequency.
struct AlphaWeights {
  double alpha_m, alpha_f, gamma, beta;
  double alpha_m1, gamma1;  // first-order states
  explicit AlphaWeights(double S)
      : alpha_m((2.0 * S - 1.0) / (1.0 + S)), alpha_f(S / (1.0 + S)), gamma(0.5 + alpha_f - alpha_m), beta(0.25 * (gamma + 0.5) * (gamma + 0.5)),
        alpha_m1((3.0 * S - 1.0) / (2.0 * (1.0 + S))), gamma1(1.0 / (1.0 + S)) {}
  /// Of Newmark's scheme: accelerations are those of the equations of motion, no averages.
  AlphaWeights(double newmark_beta, double newmark_gamma) : alpha_m(0.0), alpha_f(0.0), gamma(newmark_gamma), beta(newmark_beta), alpha_m1(0.0), gamma1(newmark_gamma) {}
  /// Local error of q over h^2 times the change of vdot, with h times that of v.
  double error_constant() const { return std::abs(beta + 0.5 * (alpha_m - alpha_f) - 1.0 / 6.0) + 1.0 / 12.0; }
};

class AlphaPlan final : public Plan {
 public:
  AlphaWeights w{0.8};
  bool modified = false;      // the factor is kept over steps
  bool symmetric = false;     // steps begin with the symmetric part of the matrix
  bool stabilized = false;    // index 2: some rows are held at both levels
  std::vector<char> by_rate;  // by row: written at rate
  std::vector<char> at_both;  // by row: position and velocity (index 2)
  std::vector<char> out;      // by row: of set-valued laws, which others add; empty where there are none
};

/// The plan of a step with these weights, `index` 2 or 3; nothing of the system is refused here.
void make_alpha_plan(AlphaPlan& plan, std::shared_ptr<const System> system, const SchemeOptions& options, const AlphaWeights& weights, int index, bool modified);
/// Whether some rows are held by position alone.
bool holds_positions_alone(const AlphaPlan& plan);
/// Refuses what has jumps, naming the scheme that takes it.
void refuse_jumps(const System& system, std::string_view scheme);

/// Offsets in State::memory: [a | xa | slopes of vdot, xdot, lambda | those a step before | step of a and v | 1 at the start |
/// 1: L U | closing, at index 2 | patience | factor | ranges of the motion, under error control | steps averaged and means of the slow motion, of bodies that bend], patience and factor with the modified iteration only: for how many steps no factor is kept
/// once a kept one did not serve, and how many of them are left; [1 if valid, 2 if L U | h | t | y | lambda] of the factor.
struct AlphaMemory {
  AlphaMemory(const Layout& l, bool stabilized, bool modified, int range_size, bool bends = false)
      : a(0), xa(l.nv), slope(l.nv + l.nx), before(2 * (l.nv + l.nx) + l.rows), last_h(before + l.nv + l.nx + l.rows), fresh(last_h + 1), general(last_h + 2), closing(last_h + 3), patience(closing + (stabilized ? l.nv : 0)), factor(patience + (modified ? 2 : 0)),
        factor_size(modified ? 3 + l.y_size() + l.rows : 0), ranges(factor + factor_size), slow(ranges + range_size), size(slow + (bends ? 1 + 3 * l.nv : 0)) {}
  int a, xa, slope, before, last_h, fresh, general, closing, patience, factor, factor_size, ranges, slow, size;
};

}  // namespace saltus
