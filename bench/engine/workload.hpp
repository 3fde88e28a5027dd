// What a workload is to the driver: a system, how it is advanced, and numbers that every program must agree on.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "saltus/integrate/scheme.hpp"
#include "saltus/system/builder.hpp"

namespace bench {

struct Workload {
  std::shared_ptr<const saltus::System> system;
  std::string scheme;
  saltus::SchemeOptions options;
  double step = 1e-3;
  std::vector<int> probes;  // entries of y that are printed at the end
  bool control = false;     // by error control, over the time of so many steps
};

/// size: number of bodies; steps is chosen by the caller.
using Make = Workload (*)(int size);
const std::map<std::string, Make>& workloads();

// One declaration a workload.
Workload spring_chain(int size);
Workload spring_chain_implicit(int size);
Workload oscillator(int size);
Workload coordinate_chain(int size);
Workload rigid_chain(int size);
Workload pendulum_chain(int size);
Workload pendulum_chain_modified(int size);
Workload spring_chain_modified(int size);
Workload linear_chain_once(int size);
Workload hinge_chain(int size);
Workload hinge_chain_modified(int size);
Workload four_bar_2d(int size);
Workload four_bar_3d(int size);
Workload sphere_stack(int size);
Workload ball(int size);
Workload beads(int size);
Workload woodpecker(int size);
Workload diode_bridge(int size);
Workload event_ball(int size);
Workload event_beads(int size);
Workload event_stop(int size);
Workload schatzman_beads(int size);

}  // namespace bench
