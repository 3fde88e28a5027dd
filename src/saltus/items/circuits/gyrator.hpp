// Gyrator between two pairs of terminals.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// i_AB = G (v_C - v_D), i_CD = -G (v_A - v_B) (Tellegen 1948): power in is power out.
struct Gyrator {
  double conductance = 0.0;

  using port = CoordPort<4>;
  static constexpr bool linear = true;
  static constexpr bool is_load = true;
  static constexpr auto branches = two_branches();
  static constexpr std::string_view name = "gyrator";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "gyrator";
  static constexpr std::string_view doc = "Gyrator: the current from A to B is G (v_C - v_D), that from C to D is -G (v_A - v_B).";
  static constexpr auto fields() { return std::tuple{field("conductance", &Gyrator::conductance, "A/V", "G", required())}; }
  static constexpr auto ports() {
    return std::array{leaves_at_A, enters_at_B, PortInfo{"C", "coordinate", true, false, "first terminal of the other side"},
                      PortInfo{"D", "coordinate", true, false, "its second terminal"}};
  }
  static constexpr std::array quantities{ItemQuantity{"current", "A", "from A through it to B", ""}};
  Vec3<double> quantity(int, const port::View<double>& x) const {
    return {{conductance * (x.q[2] - x.q[3]), 0.0, 0.0}};
  }
  template <class S>
  Vec<S, 4> rhs(const port::View<S>& x, const Context<S>&) const {
    const S i = conductance * (x.q[2] - x.q[3]), j = conductance * (x.q[1] - x.q[0]);
    return {{-i, i, -j, j}};
  }
};

}  // namespace saltus
