// A wheel that gives way on a kerb.
#pragma once

#include "saltus/items/connectors/penalty_force.hpp"
#include "saltus/items/contacts/disc_on_outline.hpp"

namespace saltus {

struct DiscTouchingOutline : DiscOnOutline {
  static constexpr std::string_view name = "penalty_disc_outline";
  static constexpr std::string_view doc = "Contact of the rim of a disc about z of B with a kerb or step of A, with a force that follows from their penetration.";
  static constexpr std::string_view sample =
      R"json({"radius": 0.3, "edge": 3, "points": [[-3, -1], [-0.2, 0.5], [0.5, 0.3], [2, -3]], "rounding": 0.1, "stiffness": 2, "exponent": 1, "damping": 0.3, "friction": 0.4, "slip_speed": 0.5, "pulls": true})json";  // of the property tests: in contact
  template <class S>
  Touch<S> touch(const FramePair::View<S>& r) const {
    const Nearest<S> at = nearest(r);
    return {at.gap * -1.0, at.n, r.p + at.arm, radius + edge};
  }
};
using PenaltyDiscOutline = PenaltyContact<DiscTouchingOutline>;

}  // namespace saltus
