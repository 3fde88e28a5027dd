// Current source that a voltage controls.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// i_AB = G (v_C - v_D).
struct Vccs {
  double conductance = 0.0;

  using port = CoordPort<4>;
  static constexpr bool linear = true;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::any);
  static constexpr std::string_view name = "vccs";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "current_source";
  static constexpr std::string_view doc = "Current source that a voltage controls: G (v_C - v_D) from A through it to B; no current flows between C and D.";
  static constexpr auto fields() { return std::tuple{field("conductance", &Vccs::conductance, "A/V", "G, current by voltage", required())}; }
  static constexpr auto ports() {
    return std::array{leaves_at_A, enters_at_B, PortInfo{"C", "coordinate", true, false, "terminal whose voltage controls"}, PortInfo{"D", "coordinate", true, false, "terminal against which it is measured"}};
  }
  static constexpr std::array quantities{ItemQuantity{"current", "A", "from A through it to B", ""}};
  Vec3<double> quantity(int, const port::View<double>& x) const {
    return {{conductance * (x.q[2] - x.q[3]), 0.0, 0.0}};
  }
  template <class S>
  Vec<S, 4> rhs(const port::View<S>& x, const Context<S>&) const {
    const S i = conductance * (x.q[2] - x.q[3]);
    return {{-i, i, S(0.0), S(0.0)}};
  }
};

}  // namespace saltus
