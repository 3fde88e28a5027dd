// Equalities and one-sided rows in one relation.
#pragma once

#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// The first rows vanish, w = 0; of each other one 0 <= w complementary to lambda >= 0 (mixed complementarity: Cottle, Pang, Stone 1992). w is
/// y or ydot by the word `on`. No power is fed: w lambda = 0 row by row.
struct Mixed {
  int equalities = 1;
  std::string on;

  static constexpr std::string_view name = "mixed";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "The first rows vanish; of the others row and multiplier are not negative and one of them vanishes. Energy: row times multiplier vanishes, row by row.";
  static constexpr auto fields() {
    return std::tuple{field("equalities", &Mixed::equalities, "", "number of rows, from the first, that vanish", required(at_least(0.0))),
                      field("on", &Mixed::on, "", "acts on the rows' values or on their rates", required(one_of("value|rate")))};
  }
  static constexpr const SetType* set = &box_set;
  std::vector<double> set_parameters(int rows) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> bounds(2 * rows, infinity);
    for (int i = 0; i < rows; ++i) bounds[i] = i < equalities ? -infinity : 0.0;
    return bounds;
  }
  int written() const { return on == "rate" ? 1 : 0; }
};

}  // namespace saltus
