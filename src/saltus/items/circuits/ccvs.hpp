// Voltage source that a current controls.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// v_A - v_B = R i_control. Endpoints A, B, the coordinate of the current, and its SourceCurrent.
struct Ccvs {
  double resistance = 0.0;

  using port = CoordPort<4>;
  static constexpr bool linear = true;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::any);
  static constexpr std::string_view name = "ccvs";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "voltage_source";
  static constexpr std::string_view doc = "Voltage source that a current controls: v_A - v_B = R i.";
  static constexpr auto fields() { return std::tuple{field("resistance", &Ccvs::resistance, "V/A", "R, voltage by current", required())}; }
  static constexpr auto ports() {
    return std::array{leaves_at_A, enters_at_B, PortInfo{"control", "coordinate", true, false, "the current that controls: of a source, an inductor, a capacitor"}, own_current};
  }
  template <class S>
  Vec<S, 4> rhs(const port::View<S>& x, const Context<S>&) const {
    const S& i = x.q[3];
    return {{-i, i, S(0.0), x.q[0] - x.q[1] - resistance * x.q[2]}};
  }
};

}  // namespace saltus
