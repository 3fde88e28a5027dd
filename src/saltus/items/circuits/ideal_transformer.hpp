// Ideal transformer between two pairs of terminals.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// v_A - v_B = n (v_C - v_D), and n i into C for the current i from A to B: power in is power out. Endpoints A, B, C, D and the SourceCurrent of A to B.
struct IdealTransformer {
  double ratio = 1.0;

  using port = CoordPort<5>;
  static constexpr bool linear = true;
  static constexpr bool is_load = true;
  static constexpr auto branches = two_branches();
  static constexpr std::string_view name = "ideal_transformer";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "transformer";
  static constexpr std::string_view doc = "Ideal transformer: v_A - v_B = ratio (v_C - v_D), and ratio times the current from A to B comes out of C.";
  static constexpr auto fields() { return std::tuple{field("ratio", &IdealTransformer::ratio, "", "n: turns between A and B by those between C and D", required())}; }
  static constexpr auto ports() {
    return std::array{leaves_at_A, enters_at_B, PortInfo{"C", "coordinate", true, false, "first terminal of the other winding"},
                      PortInfo{"D", "coordinate", true, false, "its second terminal"}, own_current};
  }
  std::string invalid() const { return ratio != 0.0 ? "" : "`ratio` is 0: A and B would be joined; give the turns of A to B by those of C to D"; }
  template <class S>
  Vec<S, 5> rhs(const port::View<S>& x, const Context<S>&) const {
    const S& i = x.q[4];
    return {{-i, i, ratio * i, -1.0 * ratio * i, x.q[0] - x.q[1] - ratio * (x.q[2] - x.q[3])}};
  }
};

}  // namespace saltus
