// Operational amplifier.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// v_A - v_B = gain (v_C - v_D), or v_C = v_D where the gain is infinite (nullor; Carlin 1964). Endpoints A, B, C, D and its SourceCurrent.
struct OpAmp {
  double gain = 0.0;

  using port = CoordPort<5>;
  static constexpr bool linear = true;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::any);
  static constexpr std::string_view name = "op_amp";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "amplifier";
  static constexpr std::string_view doc = "Operational amplifier: its output A against B is such that the inputs C and D are at one potential, or the gain times their voltage.";
  static constexpr auto fields() { return std::tuple{field("gain", &OpAmp::gain, "", "of the open loop; 0: infinite", at_least(0.0))}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "output"}, PortInfo{"B", "coordinate", true, false, "where its current comes from, such as the ground"},
                      PortInfo{"C", "coordinate", true, false, "input +"}, PortInfo{"D", "coordinate", true, false, "input -"}, own_current};
  }
  template <class S>
  Vec<S, 5> rhs(const port::View<S>& x, const Context<S>&) const {
    const S& i = x.q[4];
    const double open = gain > 0.0 ? 1.0 / gain : 0.0;
    return {{-i, i, S(0.0), S(0.0), x.q[2] - x.q[3] - open * (x.q[0] - x.q[1])}};
  }
};

}  // namespace saltus
