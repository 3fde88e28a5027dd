// Ideal diode: the same law as a contact.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = v_B - v_A >= 0 complementary to the current lambda >= 0 from the anode A to the cathode B.
struct Diode {
  using port = CoordPair;
  static constexpr int rows = 1;
  static constexpr bool linear = true;
  static constexpr std::string_view name = "diode";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view doc = "Ideal diode from the anode A to the cathode B.";
  static constexpr std::string_view default_law = "complementarity";
  static constexpr auto fields() { return std::tuple{}; }
  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& x, const Context<S, 1>&) const {
    return {{x.q}};
  }
};

}  // namespace saltus
