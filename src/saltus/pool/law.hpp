// A law: the set of its multiplier, the level it acts on, its activation and its impact bias.
#pragma once

#include <string_view>

#include "saltus/problem/set.hpp"

namespace saltus {

enum class Acts { any, rate };

/// Table of a law type; parameters belong to the instance.
struct LawType {
  std::string_view name;
  const SetType* set = nullptr;
  Acts acts = Acts::any;
  bool unilateral = false;    // row 0 is a gap: the block is in a step only while it is closed
  bool equality = false;      // the whole space: may be eliminated into the factor
  bool force_bounded = false; // the set is in force units: scaled by the step when the unknown is an impulse
  bool impact = false;        // bias(u-) enters: w = u+ + bias
  /// bias from the velocity before the step, dim entries.
  void (*bias)(const double* parameters, int dim, const double* u_minus, double* bias) = nullptr;
};

/// A law of one relation item: type and where its parameters stand (in the System, immutable).
struct LawRef {
  const LawType* type = nullptr;
  const double* parameters = nullptr;
  int written = -1;  // 0 value, 1 rate: the user's word where the law needs one (relay); -1: none
};

}  // namespace saltus
