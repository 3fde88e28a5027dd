// How fast the motion at a state can change: what bounds the step of an explicit scheme.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <string_view>

#include "saltus/base/errors.hpp"
#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/state.hpp"

namespace saltus {

/// An eigenvalue [1/s] of the equations of motion, linearized at a state, and the unknown of [v | x] that moves most with it.
struct FastestMode {
  bool found = false;
  std::complex<double> eigenvalue;
  int unknown = 0;
};

/// Of those of largest modulus, by the power method with differences of accelerations; a pair of complex ones from the last three iterates.
/// Crowded spectra are found to a few per cent. h: a time in which it may matter. Asks for accelerations some thirty times.
FastestMode fastest_mode(Accelerations& accelerations, const State& state, double h);

/// The warning of a step, the state's h, in which the fastest motion at the start grows by more than a hundredth though it does not by itself; it
/// says which, and a step that is stable. growth: what a step makes of x' = lambda x, z = h lambda.
std::optional<Fault> step_too_long(Accelerations& accelerations, const State& state, std::string_view scheme, const std::function<double(std::complex<double> z)>& growth);

}  // namespace saltus
