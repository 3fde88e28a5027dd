// Hydraulic cylinder on a scalar coordinate.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Force A_1 p_1 - A_2 p_2 on the coordinate u; dp_1/dt = beta (Q_1 - A_1 du/dt) / (V_1 + A_1 u), dp_2/dt = beta (Q_2 + A_2 du/dt) / (V_2 - A_2 u)
/// (Merritt, Hydraulic Control Systems, 1967, 6.1). Pressures are against the surroundings.
struct HydraulicCylinder {
  double piston_area = 0.0, rod_area = 0.0, piston_volume = 0.0, rod_volume = 0.0, bulk_modulus = 0.0;
  Function piston_flow, rod_flow;

  using port = CoordPort<3>;
  static constexpr bool is_load = true;
  static constexpr std::array coordinate_kinds{CoordinateKind::ode1, CoordinateKind::ode1, CoordinateKind::ode2};
  static constexpr std::string_view name = "hydraulic_cylinder";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view doc = "Hydraulic cylinder with two chambers of compressible oil, on the position of a slide or the distance of two frames.";
  static constexpr std::string_view sample = R"({"piston_area": 0.6, "rod_area": 0.4, "piston_volume": 9, "rod_volume": 8, "bulk_modulus": 2.5,
    "piston_flow": "0.2*sin(t) - 0.1*p1", "rod_flow": "0.1*p1*p2 - 0.2*p2"})";  // of the property tests: chambers that do not empty
  static constexpr auto fields() {
    return std::tuple{field("piston_area", &HydraulicCylinder::piston_area, "m^2", "A_1, of the chamber that grows with the coordinate", required(above(0.0))),
                      field("rod_area", &HydraulicCylinder::rod_area, "m^2", "A_2, of the other chamber", required(above(0.0))),
                      field("piston_volume", &HydraulicCylinder::piston_volume, "m^3", "V_1 where the coordinate is 0, lines included", required()),
                      field("rod_volume", &HydraulicCylinder::rod_volume, "m^3", "V_2 where the coordinate is 0, lines included", required()),
                      field("bulk_modulus", &HydraulicCylinder::bulk_modulus, "Pa", "beta of the oil with its lines", required(above(0.0))),
                      field("piston_flow", &HydraulicCylinder::piston_flow, "m^3/s", "Q_1(t, p1, p2) into the first chamber: valves, leakage", required(function_of("t|p1|p2"))),
                      field("rod_flow", &HydraulicCylinder::rod_flow, "m^3/s", "Q_2(t, p1, p2) into the second", required(function_of("t|p1|p2")))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"piston_pressure", "coordinate", true, false, "a first-order state: p_1 [Pa]"},
                      PortInfo{"rod_pressure", "coordinate", true, false, "a first-order state: p_2 [Pa]"},
                      PortInfo{"on", "coordinate", true, false, "the coordinate that it pushes: a slide's position, the distance of two frames"}};
  }
  bool parallel() const { return piston_flow.parallel() && rod_flow.parallel(); }
  template <class S>
  Vec<S, 3> rhs(const port::View<S>& x, const Context<S>& context) const {
    const S &p1 = x.q[0], &p2 = x.q[1], &u = x.q[2], &v = x.v[2];
    const S in[] = {context.t, p1, p2};
    S flow_1, flow_2;
    piston_flow(in, &flow_1), rod_flow(in, &flow_2);
    return {{bulk_modulus * (flow_1 - piston_area * v) / (piston_volume + piston_area * u),
             bulk_modulus * (flow_2 + rod_area * v) / (rod_volume - rod_area * u), piston_area * p1 - rod_area * p2}};
  }
};

}  // namespace saltus
