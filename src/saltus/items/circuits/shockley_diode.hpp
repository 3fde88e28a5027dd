// Diode with the characteristic of a junction.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/items/circuits/junction.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// i = I_S (exp(v / (n V_T)) - 1), v = v_A - v_B - R i. Endpoints A, B and its JunctionVoltage.
struct ShockleyDiode {
  double saturation_current = 1e-14, emission = 1.0, thermal_voltage = 0.02585, resistance = 0.0;

  using port = CoordPort<3>;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::valve);
  static constexpr std::string_view name = "shockley_diode";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "diode";
  static constexpr std::string_view doc = "Diode with the smooth characteristic of a junction: i = I_S (exp(v / (n V_T)) - 1), a resistance in series.";
  static constexpr std::string_view sample = R"({"saturation_current": 0.1, "emission": 1.2, "thermal_voltage": 0.8, "resistance": 0.3})";  // of the property tests
  static constexpr auto fields() {
    return std::tuple{field("saturation_current", &ShockleyDiode::saturation_current, "A", "I_S", above(0.0)),
                      field("emission", &ShockleyDiode::emission, "", "n", above(0.0)),
                      field("thermal_voltage", &ShockleyDiode::thermal_voltage, "V", "V_T = k T / q, 25.85 mV at 300 K", above(0.0)),
                      field("resistance", &ShockleyDiode::resistance, "Ohm", "R in series", at_least(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "anode"}, PortInfo{"B", "coordinate", true, false, "cathode"},
                      PortInfo{"junction", "coordinate", true, false, "its junction_voltage"}};
  }
  static constexpr std::array quantities{ItemQuantity{"current", "A", "from A through it to B", ""}};
  Vec3<double> quantity(int, const port::View<double>& x) const {
    return {{Junction(saturation_current, emission * thermal_voltage).current(x.q[2]), 0.0, 0.0}};
  }
  template <class S>
  Vec<S, 3> rhs(const port::View<S>& x, const Context<S>&) const {
    const Junction junction(saturation_current, emission * thermal_voltage);
    const S i = junction.current(x.q[2]);
    return {{-i, i, x.q[0] - x.q[1] - resistance * i - junction.voltage(x.q[2])}};
  }
};

}  // namespace saltus
