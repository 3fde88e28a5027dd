// Field-effect transistor, smooth.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Shichman and Hodges (1968), drain and source alike: i_DS = (f(v_GS - V) - f(v_GD - V)) (1 + lambda |v_DS|), f(u) = K/2 max(u, 0)^2; of type p all
/// voltages and currents turned.
struct Mosfet {
  std::string polarity = "n";
  double transconductance = 0.0, threshold = 0.0, modulation = 0.0;

  using port = CoordPort<3>;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::valve);
  static constexpr std::string_view name = "mosfet";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "transistor";
  static constexpr std::string_view doc = "Field-effect transistor after Shichman and Hodges: off, linear and saturated range joined smoothly.";
  static constexpr std::string_view sample = R"({"transconductance": 0.5, "threshold": -20, "modulation": 0.1})";  // of the property tests: not off
  static constexpr auto fields() {
    return std::tuple{field("polarity", &Mosfet::polarity, "", "n or p", one_of("n|p")),
                      field("transconductance", &Mosfet::transconductance, "A/V^2", "K", required(above(0.0))),
                      field("threshold", &Mosfet::threshold, "V", "V: gate to source from which it conducts, of type p source to gate", required()),
                      field("modulation", &Mosfet::modulation, "1/V", "lambda of the channel's length", at_least(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "drain"}, PortInfo{"B", "coordinate", true, false, "source"},
                      PortInfo{"gate", "coordinate", true, false, "terminal, no current flows through it"}};
  }
  static constexpr std::array quantities{ItemQuantity{"current", "A", "from drain to source", ""}};
  Vec3<double> quantity(int, const port::View<double>& x) const {
    return {{from_drain(x), 0.0, 0.0}};
  }
  template <class S>
  Vec<S, 3> rhs(const port::View<S>& x, const Context<S>&) const {
    const S i = from_drain(x);
    return {{-i, i, S(0.0)}};
  }

 private:
  template <class S>
  S from_drain(const port::View<S>& x) const {
    using std::abs;
    const double sign = polarity == "p" ? -1.0 : 1.0;
    const S over_source = sign * (x.q[2] - x.q[1]) - threshold, over_drain = sign * (x.q[2] - x.q[0]) - threshold;
    return sign * (charge(over_source) - charge(over_drain)) * (1.0 + modulation * abs(x.q[0] - x.q[1]));
  }
  template <class S>
  S charge(const S& over) const { return val(over) > 0.0 ? 0.5 * transconductance * over * over : 0.0 * over; }
};

}  // namespace saltus
