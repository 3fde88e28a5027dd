// Current source that a current controls.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// i_AB = gain i_control.
struct Cccs {
  double gain = 0.0;

  using port = CoordPort<3>;
  static constexpr bool linear = true;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::any);
  static constexpr std::string_view name = "cccs";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "current_source";
  static constexpr std::string_view doc = "Current source that a current controls: gain times i from A through it to B.";
  static constexpr auto fields() { return std::tuple{field("gain", &Cccs::gain, "", "current by current", required())}; }
  static constexpr auto ports() {
    return std::array{leaves_at_A, enters_at_B, PortInfo{"control", "coordinate", true, false, "the current that controls: of a source, an inductor, a capacitor"}};
  }
  static constexpr std::array quantities{ItemQuantity{"current", "A", "from A through it to B", ""}};
  Vec3<double> quantity(int, const port::View<double>& x) const {
    return {{gain * x.q[2], 0.0, 0.0}};
  }
  template <class S>
  Vec<S, 3> rhs(const port::View<S>& x, const Context<S>&) const {
    const S i = gain * x.q[2];
    return {{-i, i, S(0.0)}};
  }
};

}  // namespace saltus
