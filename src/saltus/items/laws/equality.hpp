// The law of a joint: the row vanishes, its multiplier is free.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

struct Equality {
  static constexpr std::string_view name = "equality";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "The rows vanish: a joint. Energy: the power, row times multiplier, vanishes, but what a row that depends on time drives.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr const SetType* set = &equality_set;
  static constexpr bool equality = true;
};

inline const LawType& equality_law() { return law_type<Equality>(); }

}  // namespace saltus
