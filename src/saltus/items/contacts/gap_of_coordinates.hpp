// Distance of a coordinate, or of a difference of two, from a value.
#pragma once

#include <tuple>
#include <type_traits>

#include "saltus/base/field.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = sign (q - at), q one coordinate or q_B - q_A: positive on the free side. With the relay law on rate: friction.
template <class Port>
struct GapOfCoordinates {
  static constexpr bool pair = std::is_same_v<Port, CoordPair>;

  double at = 0.0;
  double sign = 1.0;

  using port = Port;
  static constexpr int rows = 1;
  static constexpr bool linear = true;
  static constexpr std::string_view name = pair ? "coordinate_pair_gap" : "coordinate_gap";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = pair ? "beside|at" : "none";
  static constexpr std::string_view sample = R"({"at": 0.3, "sign": -1})";  // of the property tests: sign is 1 or -1
  static constexpr std::string_view doc = pair ? "Signed distance between two coordinates."
                                               : "Signed distance of one coordinate from a value: a stop, a floor, or friction on it.";
  static constexpr auto fields() {
    return std::tuple{field("at", &GapOfCoordinates::at, "m", pair ? "difference B - A at which the gap closes" : "value of the coordinate at which the gap closes"),
                      field("sign", &GapOfCoordinates::sign, "", "1: free above, -1: free below", between(-1.0, 1.0))};
  }
  std::string invalid() const { return sign == 1.0 || sign == -1.0 ? "" : "`sign` must be 1 or -1"; }
  template <class S>
  Vec<S, 1> h(const typename Port::template View<S>& x, const Context<S, 1>&) const {
    if constexpr (pair) return {{sign * (x.q - at)}};
    else return {{sign * (x.q[0] - at)}};
  }
};

}  // namespace saltus
