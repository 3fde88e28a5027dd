// Zener diode: a diode that breaks down.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// Currents lambda_0 from A to B and lambda_1 back, each complementary to what its voltage lacks to V_F, to V_Z:
/// y = (V_F + R lambda_0 - (v_A - v_B), V_Z + R lambda_1 + v_A - v_B).
struct ZenerDiode {
  double breakdown = 0.0, threshold = 0.0, resistance = 0.0;

  using port = CoordPair;
  static constexpr int rows = 2;
  static constexpr bool linear = true, uses_lambda = true;
  static constexpr auto branches = one_branch(BranchKind::any);
  static constexpr std::string_view name = "zener_diode";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "zener";
  static constexpr std::string_view doc = "Zener diode from the anode A to the cathode B: conducts forward at its threshold and backward at its breakdown voltage.";
  static constexpr auto ports() { return std::array{anode_A, cathode_B}; }
  static constexpr std::string_view default_law = "complementarity";
  static constexpr auto fields() {
    return std::tuple{field("breakdown", &ZenerDiode::breakdown, "V", "v_B - v_A from which it conducts backward", required(above(0.0))),
                      field("threshold", &ZenerDiode::threshold, "V", "v_A - v_B from which it conducts forward", at_least(0.0)),
                      field("resistance", &ZenerDiode::resistance, "Ohm", "in series while it conducts", at_least(0.0))};
  }
  template <class S>
  Vec<S, 2> h(const port::View<S>& x, const Context<S, 2>& context) const {
    return {{x.q + threshold + resistance * context.lambda[0], breakdown - x.q + resistance * context.lambda[1]}};
  }
};

}  // namespace saltus
