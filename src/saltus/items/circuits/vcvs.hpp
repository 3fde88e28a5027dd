// Voltage source that a voltage controls.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// v_A - v_B = gain (v_C - v_D). Endpoints A, B, C, D and its SourceCurrent.
struct Vcvs {
  double gain = 0.0;

  using port = CoordPort<5>;
  static constexpr bool linear = true;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::any);
  static constexpr std::string_view name = "vcvs";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "voltage_source";
  static constexpr std::string_view doc = "Voltage source that a voltage controls: v_A - v_B = gain (v_C - v_D); no current flows between C and D.";
  static constexpr auto fields() { return std::tuple{field("gain", &Vcvs::gain, "", "voltage by voltage", required())}; }
  static constexpr auto ports() {
    return std::array{leaves_at_A, enters_at_B, PortInfo{"C", "coordinate", true, false, "terminal whose voltage controls"}, PortInfo{"D", "coordinate", true, false, "terminal against which it is measured"}, own_current};
  }
  template <class S>
  Vec<S, 5> rhs(const port::View<S>& x, const Context<S>&) const {
    const S& i = x.q[4];
    return {{-i, i, S(0.0), S(0.0), x.q[0] - x.q[1] - gain * (x.q[2] - x.q[3])}};
  }
};

}  // namespace saltus
