// A cylinder with two chambers of a medium that can be compressed, with its valve: hydraulic or pneumatic.
#pragma once

#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Oil of bulk modulus beta. Pressures are against the surroundings, flows volumes at the pressure of the chamber.
struct Oil {
  static constexpr bool gas = false;
  double bulk_modulus = 0.0, vapour = -1e5;

  template <class S>
  S stiffness(const S&) const { return S(bulk_modulus); }  // -V dp/dV
  template <class S>
  S by_flow(const S& flow, const S&) const { return bulk_modulus * flow; }  // V dp/dt
  /// Turbulent flow through a sharp edge, C sqrt(up - down) (Merritt 1967, 3.3), which below the pressure `laminar` goes over into a linear one: both are the
  /// limits of C dp / (dp^2 + laminar^2)^(1/4).
  template <class S>
  static S orifice(double conductance, const S& up, const S& down, double laminar) {
    using std::sqrt;
    const S dp = up - down;
    return conductance * dp / sqrt(sqrt(dp * dp + laminar * laminar));
  }
  double force_at_rest(double, double) const { return 0.0; }
};

/// An ideal gas, p V^n constant without flow: 1 isothermal, 1.4 adiabatic of air. Pressures are absolute, flows masses.
struct IdealGas {
  static constexpr bool gas = true;
  double exponent = 1.2, gas_constant = 287.0, temperature = 293.15, ambient = 101325.0, vapour = 0.0;

  template <class S>
  S stiffness(const S& p) const { return exponent * p; }
  template <class S>
  S by_flow(const S& flow, const S&) const { return exponent * gas_constant * temperature * flow; }  // V dp/dt
  /// C p_up psi (ISO 6358): choked below the ratio of pressures 0.528, an ellipse above, linear where the ratio is within 1 - laminar / p_up of 1.
  template <class S>
  static S orifice(double conductance, const S& up, const S& down, double laminar) {
    using std::sqrt;
    constexpr double critical = 0.528;
    if (val(up) < val(down)) return -orifice(conductance, down, up, laminar);
    const S ratio = down / up, share = (ratio - critical) / (1.0 - critical);
    if (val(ratio) <= critical) return conductance * up;
    const double from = 1.0 - std::min(0.4, laminar / val(up)), at = (from - critical) / (1.0 - critical);
    if (val(ratio) < from) return conductance * up * sqrt(1.0 - share * share);
    return conductance * up * (1.0 - ratio) * (std::sqrt(1.0 - at * at) / (1.0 - from));
  }
  double force_at_rest(double piston_area, double rod_area) const { return (piston_area - rod_area) * ambient; }
};

/// Force A_1 p_1 - A_2 p_2 on the coordinate u (less what the surroundings press on the rod); dp_1/dt = B (Q_1 - A_1 du/dt) / (V_1 + A_1 u),
/// dp_2/dt = B (Q_2 + A_2 du/dt) / (V_2 - A_2 u), B the stiffness of the medium (Merritt, Hydraulic Control Systems, 1967, 6.1).
/// A valve with four ways, spool s: above 0 the first chamber is on the supply and the second on the tank, below 0 the other way round; closed at 0.
template <class Medium>
struct CylinderOf : Medium {
  double piston_area = 0.0, rod_area = 0.0, piston_volume = 0.0, rod_volume = 0.0;
  Function piston_flow, rod_flow, spool;
  double conductance = 0.0, supply = 0.0, tank = Medium::gas ? 101325.0 : 0.0, laminar = Medium::gas ? 1e3 : 1e4;

  using port = CoordPort<3>;
  static constexpr bool is_load = true;
  static constexpr std::array coordinate_kinds{CoordinateKind::ode1, CoordinateKind::ode1, CoordinateKind::ode2};
  static constexpr std::string_view name = Medium::gas ? "pneumatic_cylinder" : "hydraulic_cylinder";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "piston";
  static constexpr std::string_view doc = Medium::gas ? "Pneumatic cylinder with two chambers of an ideal gas and its valve, on the position of a slide or the distance of two frames."
                                                      : "Hydraulic cylinder with two chambers of compressible oil and its valve, on the position of a slide or the distance of two frames.";
  // Of the property tests: chambers that do not empty.
  static constexpr std::string_view sample = Medium::gas ? R"({"piston_area": 0.6, "rod_area": 0.4, "piston_volume": 9, "rod_volume": 8, "exponent": 1.3, "gas_constant": 0.7, "temperature": 2,
    "ambient": 0.5, "piston_flow": "0.2*sin(t) - 0.1*p1", "rod_flow": "0.1*p1*p2 - 0.2*p2"})"
                                                         : R"({"piston_area": 0.6, "rod_area": 0.4, "piston_volume": 9, "rod_volume": 8, "bulk_modulus": 2.5,
    "piston_flow": "0.2*sin(t) - 0.1*p1", "rod_flow": "0.1*p1*p2 - 0.2*p2", "spool": "0.3 + 0.1*u", "conductance": 0.2, "supply": 2, "laminar": 0.5})";
  static constexpr auto fields() { return std::tuple_cat(chamber_fields(), medium_fields(), valve_fields()); }
  static constexpr auto ports() {
    return std::array{PortInfo{"piston_pressure", "coordinate", true, false, "a first-order state: p_1 [Pa]"},
                      PortInfo{"rod_pressure", "coordinate", true, false, "a first-order state: p_2 [Pa]"},
                      PortInfo{"on", "coordinate", true, false, "the coordinate that it pushes: a slide's position, the distance of two frames"}};
  }
  bool parallel() const { return piston_flow.parallel() && rod_flow.parallel() && spool.parallel(); }
  template <class S>
  Vec<S, 3> rhs(const port::View<S>& x, const Context<S>& context) const {
    const S &p1 = x.q[0], &p2 = x.q[1], &u = x.q[2], &v = x.v[2];
    const S in[] = {context.t, p1, p2}, at[] = {context.t, p1, p2, u, v};
    S flow_1, flow_2, opening;
    piston_flow(in, &flow_1, context.data), rod_flow(in, &flow_2, context.data), spool(at, &opening, context.data);
    if (conductance > 0.0) {
      const auto through = [&](double up, const S& down) { return Medium::orifice(conductance, S(up), down, laminar); };
      const bool out = val(opening) >= 0.0;  // of the first chamber
      flow_1 += opening * (out ? through(supply, p1) : -through(tank, p1));
      flow_2 += opening * (out ? through(tank, p2) : -through(supply, p2));
    }
    const S push = piston_area * p1 - rod_area * p2 - this->force_at_rest(piston_area, rod_area);
    return {{(this->by_flow(flow_1, p1) - this->stiffness(p1) * (piston_area * v)) / (piston_volume + piston_area * u),
             (this->by_flow(flow_2, p2) + this->stiffness(p2) * (rod_area * v)) / (rod_volume - rod_area * u), push}};
  }
  std::string doubt(const port::View<double>& x) const {
    if (!(piston_volume + piston_area * x.q[2] > 0.0) || !(rod_volume - rod_area * x.q[2] > 0.0)) return "has an empty chamber: the stroke ends there; give the joint limits";
    if (x.q[0] > this->vapour && x.q[1] > this->vapour) return {};
    const char* chamber = x.q[0] > this->vapour ? "rod" : "piston";
    if (Medium::gas) return std::string("has no pressure in the ") + chamber + " chamber: the gas is no longer one";
    return std::string("has less than the vapour pressure in the ") + chamber + " chamber: the oil cavitates, and the result is wrong from there on; raise the supply or close the valve more slowly";
  }

 private:
  template <class T>
  static constexpr auto of_medium(T Medium::*member) { return static_cast<T CylinderOf::*>(member); }
  static constexpr auto chamber_fields() {
    return std::tuple{field("piston_area", &CylinderOf::piston_area, "m^2", "A_1, of the chamber that grows with the coordinate", required(above(0.0))),
                      field("rod_area", &CylinderOf::rod_area, "m^2", "A_2, of the other chamber", required(above(0.0))),
                      field("piston_volume", &CylinderOf::piston_volume, "m^3", "V_1 where the coordinate is 0, lines included", required()),
                      field("rod_volume", &CylinderOf::rod_volume, "m^3", "V_2 where the coordinate is 0, lines included", required())};
  }
  static constexpr auto medium_fields() {
    if constexpr (Medium::gas)
      return std::tuple{field("exponent", of_medium(&Medium::exponent), "", "n of the change of state: 1 isothermal, 1.4 adiabatic of air", above(0.0)),
                        field("gas_constant", of_medium(&Medium::gas_constant), "J/(kg K)", "R", above(0.0)),
                        field("temperature", of_medium(&Medium::temperature), "K", "T of what flows in", above(0.0)),
                        field("ambient", of_medium(&Medium::ambient), "Pa", "pressure of the surroundings, on the rod", at_least(0.0))};
    else
      return std::tuple{field("bulk_modulus", of_medium(&Medium::bulk_modulus), "Pa", "beta of the oil with its lines", required(above(0.0))),
                        field("vapour_pressure", of_medium(&Medium::vapour), "Pa", "against the surroundings: below it the oil cavitates, of which the run warns")};
  }
  static constexpr auto valve_fields() {
    constexpr std::string_view flow = Medium::gas ? "kg/s" : "m^3/s";
    return std::tuple{field("piston_flow", &CylinderOf::piston_flow, flow, "Q_1(t, p1, p2) into the first chamber beside the valve: pumps, leakage", function_of("t|p1|p2")),
                      field("rod_flow", &CylinderOf::rod_flow, flow, "Q_2(t, p1, p2) into the second", function_of("t|p1|p2")),
                      field("spool", &CylinderOf::spool, "", "s(t, p1, p2, u, v) of the valve, -1 to 1; u the coordinate, v its rate", function_of("t|p1|p2|u|v")),
                      field("conductance", &CylinderOf::conductance, Medium::gas ? "kg/(s Pa)" : "m^3/(s Pa^0.5)",
                            Medium::gas ? "C of an edge of the valve at s = 1, by absolute pressure (ISO 6358)" : "C = c_d A sqrt(2 / rho) of an edge of the valve at s = 1; 0: no valve", at_least(0.0)),
                      field("supply", &CylinderOf::supply, "Pa", Medium::gas ? "pressure of the supply, absolute" : "pressure of the supply, against the surroundings"),
                      field("tank", &CylinderOf::tank, "Pa", Medium::gas ? "pressure of the exhaust, absolute" : "pressure of the tank, against the surroundings"),
                      field("laminar", &CylinderOf::laminar, "Pa", "difference of pressure below which the flow through an edge is linear in it", above(0.0))};
  }
};

}  // namespace saltus
