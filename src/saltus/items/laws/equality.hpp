// The law of a joint: the row vanishes, its multiplier is free.
#pragma once

#include <tuple>

#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

inline const LawType& equality_law() {
  static const LawType type{.name = "equality", .set = &equality_set, .equality = true};
  return type;
}

}  // namespace saltus
