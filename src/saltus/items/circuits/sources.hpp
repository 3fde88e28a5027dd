// Sources: constant and harmonic part.
#pragma once

#include <array>
#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

namespace detail {
template <class S>
S harmonic(const S& t, double constant, double amplitude, double frequency, double phase) {
  using std::sin;
  return constant + amplitude * sin(2.0 * M_PI * frequency * t + phase);
}
}  // namespace detail

/// v_A - v_B = constant + amplitude sin(2 pi frequency t + phase). Endpoints A, B and its SourceCurrent.
struct VoltageSource {
  double voltage = 0.0, amplitude = 0.0, frequency = 0.0, phase = 0.0;

  using port = CoordPort<3>;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "voltage_source";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view doc = "Prescribes the voltage between two terminals.";
  static constexpr auto fields() {
    return std::tuple{field("voltage", &VoltageSource::voltage, "V", "constant part of v_A - v_B"),
                      field("amplitude", &VoltageSource::amplitude, "V", "of the harmonic part"),
                      field("frequency", &VoltageSource::frequency, "Hz", "of the harmonic part", at_least(0.0)),
                      field("phase", &VoltageSource::phase, "rad", "of the harmonic part")};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "terminal, current leaves it into the element"},
                      PortInfo{"B", "coordinate", true, false, "terminal, current enters it"},
                      PortInfo{"current_of", "coordinate", true, false, "its source_current"}};
  }
  template <class S>
  Vec<S, 3> rhs(const CoordPort<3>::View<S>& x, const Context<S>& context) const {
    const S& i = x.q[2];
    return {{-i, i, x.q[0] - x.q[1] - detail::harmonic(context.t, voltage, amplitude, frequency, phase)}};
  }
};

/// Current from A through the source to B.
struct CurrentSource {
  double current = 0.0, amplitude = 0.0, frequency = 0.0, phase = 0.0;

  using port = CoordPair;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "current_source";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view doc = "Prescribes the current from A to B.";
  static constexpr auto fields() {
    return std::tuple{field("current", &CurrentSource::current, "A", "constant part"),
                      field("amplitude", &CurrentSource::amplitude, "A", "of the harmonic part"),
                      field("frequency", &CurrentSource::frequency, "Hz", "of the harmonic part", at_least(0.0)),
                      field("phase", &CurrentSource::phase, "rad", "of the harmonic part")};
  }
  template <class S>
  Vec<S, 1> rhs(const CoordPair::View<S>&, const Context<S>& context) const {
    return {{detail::harmonic(context.t, current, amplitude, frequency, phase)}};
  }
};

}  // namespace saltus
