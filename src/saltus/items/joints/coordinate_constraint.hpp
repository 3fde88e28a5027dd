// Prescribes the difference of two coordinates, or one coordinate.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = q_B - q_A - offset(t). A or B may be ground. lambda: force on B [N or N m].
struct CoordinateConstraint {
  Function offset;

  using port = CoordPair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr std::string_view drive_unit = "N or N m";
  static constexpr std::string_view name = "coordinate_constraint";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view doc = "Prescribes the difference of two coordinates, or one coordinate.";
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("offset", &CoordinateConstraint::offset, "", "prescribed value, a function of t", required(function_of("t")))};
  }
  bool parallel() const { return offset.parallel(); }

  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    offset(&context.t, &prescribed);
    return {{r.q - prescribed}};
  }
};

}  // namespace saltus
