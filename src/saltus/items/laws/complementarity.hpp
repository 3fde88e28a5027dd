// One-sided law without restitution: a diode, a compliant stop, a gap that closes for good.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// 0 <= y complementary to lambda >= 0, row by row. On a mechanical gap it acts at rate level while the gap is closed.
struct Complementarity {
  static constexpr std::string_view name = "complementarity";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "Rows and multipliers are not negative and one of them vanishes: a diode, a stop. Energy: row times multiplier vanishes, row by row; a gap that closes loses what it had along the normal.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr const SetType* set = &half_line_set;
  static constexpr bool unilateral = true;
};

}  // namespace saltus
