// Distance of one coordinate from a stop.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = sign (q - at): positive while the coordinate is on its free side. With the relay law on rate: friction on a coordinate.
struct CoordinateGap {
  double at = 0.0;
  double sign = 1.0;

  using port = CoordPort<1>;
  static constexpr int rows = 1;
  static constexpr bool linear = true;
  static constexpr std::string_view name = "coordinate_gap";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view sample = R"({"at": 0.3, "sign": -1})";  // of the property tests: sign is 1 or -1
  static constexpr std::string_view doc = "Signed distance of one coordinate from a value: a stop, a floor, or friction on it.";
  static constexpr auto fields() {
    return std::tuple{field("at", &CoordinateGap::at, "m", "value of the coordinate at which the gap closes"),
                      field("sign", &CoordinateGap::sign, "", "1: free above, -1: free below", between(-1.0, 1.0))};
  }
  std::string invalid() const { return sign == 1.0 || sign == -1.0 ? "" : "`sign` must be 1 or -1"; }
  template <class S>
  Vec<S, 1> h(const CoordPort<1>::View<S>& x, const Context<S, 1>&) const {
    return {{sign * (x.q[0] - at)}};
  }
};

/// y = sign (q_B - q_A - at): two coordinates that meet.
struct CoordinatePairGap {
  double at = 0.0;
  double sign = 1.0;

  using port = CoordPair;
  static constexpr int rows = 1;
  static constexpr bool linear = true;
  static constexpr std::string_view name = "coordinate_pair_gap";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view sample = R"({"at": 0.3, "sign": -1})";  // of the property tests: sign is 1 or -1
  static constexpr std::string_view doc = "Signed distance between two coordinates.";
  static constexpr auto fields() {
    return std::tuple{field("at", &CoordinatePairGap::at, "m", "difference B - A at which the gap closes"),
                      field("sign", &CoordinatePairGap::sign, "", "1: free above, -1: free below", between(-1.0, 1.0))};
  }
  std::string invalid() const { return sign == 1.0 || sign == -1.0 ? "" : "`sign` must be 1 or -1"; }
  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& x, const Context<S, 1>&) const {
    return {{sign * (x.q - at)}};
  }
};

}  // namespace saltus
