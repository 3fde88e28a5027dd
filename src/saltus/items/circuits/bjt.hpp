// Bipolar transistor.
#pragma once

#include <array>
#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/items/circuits/junction.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Ebers and Moll (1954) in the form of transport currents: i_F, i_R = I_S (exp(v / V_T) - 1) of the junctions base-emitter and base-collector;
/// into the collector i_F - i_R - i_R / beta_R, into the base i_F / beta_F + i_R / beta_R; of pnp all voltages and currents turned. Endpoints
/// collector, base, emitter and two JunctionVoltages.
struct Bjt {
  std::string polarity = "npn";
  double saturation_current = 1e-14, forward_gain = 100.0, reverse_gain = 1.0, thermal_voltage = 0.02585;

  using port = CoordPort<5>;
  static constexpr bool is_load = true;
  static constexpr std::array<BranchInfo, 2> branches{{{BranchKind::valve, 1, 2, -1}, {BranchKind::valve, 1, 0, -1}}};
  static constexpr std::string_view name = "bjt";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "transistor";
  static constexpr std::string_view doc = "Bipolar transistor after Ebers and Moll, npn or pnp.";
  static constexpr std::string_view sample = R"({"polarity": "pnp", "saturation_current": 0.1, "forward_gain": 10, "reverse_gain": 2, "thermal_voltage": 0.8})";
  static constexpr auto fields() {
    return std::tuple{field("polarity", &Bjt::polarity, "", "npn or pnp", one_of("npn|pnp")),
                      field("saturation_current", &Bjt::saturation_current, "A", "I_S", above(0.0)),
                      field("forward_gain", &Bjt::forward_gain, "", "beta_F, collector current by base current", above(0.0)),
                      field("reverse_gain", &Bjt::reverse_gain, "", "beta_R, the same with emitter and collector exchanged", above(0.0)),
                      field("thermal_voltage", &Bjt::thermal_voltage, "V", "V_T = k T / q, 25.85 mV at 300 K", above(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "collector"}, PortInfo{"base", "coordinate", true, false, "terminal"},
                      PortInfo{"B", "coordinate", true, false, "emitter"}, PortInfo{"forward", "coordinate", true, false, "junction_voltage of base and emitter"},
                      PortInfo{"reverse", "coordinate", true, false, "junction_voltage of base and collector"}};
  }
  static constexpr std::array quantities{ItemQuantity{"current", "A", "into the collector", ""}, ItemQuantity{"base_current", "A", "into the base", ""}};
  Vec3<double> quantity(int which, const port::View<double>& x) const { return {{into(x)[which], 0.0, 0.0}}; }
  template <class S>
  Vec<S, 5> rhs(const port::View<S>& x, const Context<S>&) const {
    const Junction junction(saturation_current, thermal_voltage);
    const Vec<S, 2> in = into(x);
    return {{-in[0], -in[1], in[0] + in[1], sign() * (x.q[1] - x.q[2]) - junction.voltage(x.q[3]), sign() * (x.q[1] - x.q[0]) - junction.voltage(x.q[4])}};
  }

 private:
  double sign() const { return polarity == "pnp" ? -1.0 : 1.0; }
  /// Currents into collector and base.
  template <class S>
  Vec<S, 2> into(const port::View<S>& x) const {
    const Junction junction(saturation_current, thermal_voltage);
    const S forward = sign() * junction.current(x.q[3]), reverse = sign() * junction.current(x.q[4]);
    return {{forward - (1.0 + 1.0 / reverse_gain) * reverse, (1.0 / forward_gain) * forward + (1.0 / reverse_gain) * reverse}};
  }
};

}  // namespace saltus
