// A multiplier with two states that switch at two levels of its row: relay with a dead band, Schmitt trigger, thermostat.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/graph.hpp"

namespace saltus {

/// lambda = high until the row y comes up to `upper`, low from then on until it comes down to `lower` (delayed relay; Visintin 1994). The state is remembered at
/// accepted states; within the step that comes to a level lambda is between the two, as a relay at that level, and the next one has the other state. Round one loop
/// it gives the work (high - low)(upper - lower) to the row, as a heater or a drive does.
struct Hysteresis {
  double low = 0.0, high = 1.0, lower = 0.0, upper = 0.0;
  std::string start = "high";

  static constexpr std::string_view name = "hysteresis";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view sample = R"({"lower": -1, "upper": 1})";  // of the property tests
  static constexpr std::string_view doc = "The multiplier has two states: high until the row comes up to one level, low until it comes down to another: relay with a dead band, Schmitt trigger, thermostat. Energy: round a loop between the levels it gives (high - low) (upper - lower) to the row, as a heater or a drive does.";
  static constexpr auto fields() {
    return std::tuple{field("low", &Hysteresis::low, "N", "multiplier after the row was at `upper`, in its force unit"),
                      field("high", &Hysteresis::high, "N", "multiplier after the row was at `lower`, in its force unit"),
                      field("lower", &Hysteresis::lower, "", "value of the row at which the multiplier goes to high, in the row's unit", required()),
                      field("upper", &Hysteresis::upper, "", "value of the row at which the multiplier goes to low, in the row's unit", required()),
                      field("start", &Hysteresis::start, "", "state at the start of a run, where the row is between the levels", one_of("high|low"))};
  }
  std::string invalid() const { return !(low < high) ? "`low` is not below `high`" : !(lower < upper) ? "`lower` is not below `upper`" : ""; }
  static constexpr const SetType* set = &graph_set;
  static constexpr int rows = 1;
  static constexpr bool force_bounded = true;
  int written() const { return 0; }
  std::vector<double> set_parameters(int) const {
    const double level = start == "high" ? upper : lower, reach = upper - lower;
    return {4.0, level - reach, high, level, high, level, low, level + reach, low};
  }

  static constexpr int memory = 1;  // 1: high
  bool begin(const LawSight& sight, double* memory) const {
    memory[0] = start == "high" ? 1.0 : 0.0;
    return remember(sight, memory);
  }
  bool remember(const LawSight& sight, double* memory) const {
    const double y = sight.gap, near = 1e-9 * (upper - lower);
    if (y >= upper - near) memory[0] = 0.0;
    else if (y <= lower + near) memory[0] = 1.0;
    return true;
  }
  double now(const LawSight&, const double* memory, double* parameters) const {
    const double level = (memory ? memory[0] > 0.5 : start == "high") ? upper : lower, reach = upper - lower;
    const double corners[] = {4.0, level - reach, high, level, high, level, low, level + reach, low};
    for (int i = 0; i < 9; ++i) parameters[i] = corners[i];
    return 0.0;
  }
};

}  // namespace saltus
