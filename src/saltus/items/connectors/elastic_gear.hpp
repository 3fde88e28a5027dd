// A gear that gives way, with play between its teeth.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// With the twist e = A / n - B: effort f = k dz(e) + d de/dt on B and -f / n on A, dz the part of e outside [-b/2, b/2], and no effort in it.
struct ElasticGear {
  double ratio = 1.0, stiffness = 0.0, damping = 0.0, backlash = 0.0;

  using port = CoordPort<2>;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view name = "elastic_gear";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "Gear between two motions with stiffness and play: A = ratio (B + twist), between hinges, slides or coordinates.";
  static constexpr std::string_view sample = R"({"ratio": -1.7, "stiffness": 3, "damping": 0.4, "backlash": 0.02})";  // of the property tests
  static constexpr bool passive = true;
  static constexpr auto fields() {
    return std::tuple{field("ratio", &ElasticGear::ratio, "", "n: motion of A by that of B", required()),
                      field("stiffness", &ElasticGear::stiffness, "", "k at B, N m/rad or N/m", required(above(0.0))),
                      field("damping", &ElasticGear::damping, "", "d at B, N m s/rad or N s/m, of teeth that touch", at_least(0.0)),
                      field("backlash", &ElasticGear::backlash, "", "b, whole play at B, rad or m", at_least(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "first motion"}, PortInfo{"B", "coordinate", true, false, "second motion: stiffness and play are as felt there"}};
  }
  std::string invalid() const { return ratio != 0.0 ? "" : "`ratio` is 0: A would not move; give the motion of A by that of B"; }
  /// Twist beyond the play.
  template <class S>
  S tight(const S& e) const {
    const double half = 0.5 * backlash;
    return val(e) > half ? e - half : val(e) < -half ? e + half : S(0.0) * e;
  }
  template <class S>
  Vec<S, 2> lhs(const port::View<S>& x, const Context<S>&) const {
    const S e = x.q[0] / ratio - x.q[1], rate = x.v[0] / ratio - x.v[1], beyond = tight(e);
    const bool touch = backlash == 0.0 || val(beyond) != 0.0;
    const S f = touch ? stiffness * beyond + damping * rate : S(0.0) * e;
    return {{f / ratio, -f}};
  }
  double potential_energy(const port::View<double>& x, const Context<double>&) const {
    const double e = tight(x.q[0] / ratio - x.q[1]);
    return 0.5 * stiffness * e * e;
  }
};

}  // namespace saltus
