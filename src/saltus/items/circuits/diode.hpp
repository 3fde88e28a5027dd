// Ideal diode: the same law as a contact.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = v_B - v_A + V + R lambda >= 0 complementary to the current lambda >= 0 from the anode A to the cathode B.
struct Diode {
  double threshold = 0.0, resistance = 0.0;

  using port = CoordPair;
  static constexpr int rows = 1;
  static constexpr bool linear = true, uses_lambda = true;
  static constexpr auto branches = one_branch(BranchKind::law);
  static constexpr std::string_view name = "diode";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "diode";
  static constexpr std::string_view doc = "Ideal diode from the anode A to the cathode B, or one with a threshold and a resistance in series.";
  static constexpr auto ports() { return std::array{anode_A, cathode_B}; }
  static constexpr std::string_view default_law = "complementarity";
  static constexpr auto fields() {
    return std::tuple{field("threshold", &Diode::threshold, "V", "V: v_A - v_B from which it conducts", at_least(0.0)),
                      field("resistance", &Diode::resistance, "Ohm", "R in series while it conducts", at_least(0.0))};
  }
  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& x, const Context<S, 1>& context) const {
    return {{x.q + threshold + resistance * context.lambda[0]}};
  }
};

}  // namespace saltus
