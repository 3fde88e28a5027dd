// Bodies that come and go in a run.
#pragma once

#include <array>
#include <string>
#include <tuple>

#include "saltus/math/function.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

/// A body that is away has no forces, no contacts and no energy, and rests. It comes at its initial place with its initial velocities. One that has left the
/// room `inside` is removed for the rest of the run. Compiled into System::presences.
struct Presence {
  double begin = 0.0, end = 0.0, interval = 0.0;
  Function present{1.0}, inside{1.0};
  bool together = false;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "presence";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Bodies come and go: while they are away they have no forces, no contacts and no energy.";
  static constexpr auto fields() {
    return std::tuple{field("begin", &Presence::begin, "s", "time at which the first appears; 0: it is there from the start", at_least(0.0)),
                      field("end", &Presence::end, "s", "time at which all are removed; 0: never", at_least(0.0)),
                      field("interval", &Presence::interval, "s", "time from one body to the next", at_least(0.0)),
                      field("present", &Presence::present, "", "they are there while this function of t is above 0, seen at ends of steps; of parameters that a run may change: by the state", function_of("t")),
                      field("inside", &Presence::inside, "", "one at whose origin this function of x, y, z is not above 0 at the end of a step is removed for the rest of the run", function_of("x|y|z")),
                      field("together", &Presence::together, "", "they come and go together, as bodies with joints between them have to")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"bodies", "item", true, true, "bodies that come and go, one by one"}}; }
  std::string invalid() const {
    if (end > 0.0 && !(end > begin)) return "ends at " + std::to_string(end) + " s, not after it begins, at " + std::to_string(begin) + " s";
    return together && interval > 0.0 ? "has bodies that come together and an interval between them: leave one of both out" : "";
  }
};

}  // namespace saltus
