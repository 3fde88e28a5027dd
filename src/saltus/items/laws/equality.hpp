// The law of a joint: the row vanishes, its multiplier is free.
#pragma once

#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

struct Equality {
  static constexpr std::string_view name = "equality";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "The rows vanish: a joint.";
  static constexpr auto fields() { return std::tuple{}; }
  static const LawType& type() {
    static const LawType type{.name = "equality", .set = &equality_set, .equality = true};
    return type;
  }
  std::vector<double> parameters() const { return {}; }
};

inline const LawType& equality_law() { return Equality::type(); }

}  // namespace saltus
