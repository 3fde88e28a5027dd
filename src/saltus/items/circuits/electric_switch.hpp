// Switch between two terminals.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// While it is closed v_A - v_B = R i, else i = 0. It is closed while `closed` is above 0. lambda: the current i from A to B.
struct ElectricSwitch {
  Function closed{1.0};
  double resistance = 0.0;

  using port = CoordPair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true, uses_lambda = true, switched = true;
  static constexpr auto branches = one_branch(BranchKind::law);
  static constexpr std::string_view name = "electric_switch";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "switch";
  static constexpr std::string_view doc = "Switch between two terminals: joins them while it is closed, lets no current pass while it is open.";
  static constexpr auto ports() { return std::array{leaves_at_A, enters_at_B}; }
  static constexpr std::string_view default_law = "equality";
  static constexpr std::string_view sample = R"({"closed": 1, "resistance": 0.2})";  // of the property tests
  static constexpr auto fields() {
    return std::tuple{field("closed", &ElectricSwitch::closed, "", "it is closed while this function of t is above 0", required(function_of("t"))),
                      field("resistance", &ElectricSwitch::resistance, "Ohm", "R while it is closed", at_least(0.0))};
  }
  bool parallel() const { return closed.parallel(); }
  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& x, const Context<S, 1>& context) const {
    S state;
    closed(&context.t, &state, context.data);
    const S& i = context.lambda[0];
    return {{val(state) > 0.0 ? x.q + resistance * i : i + 0.0 * x.q}};
  }
};

}  // namespace saltus
