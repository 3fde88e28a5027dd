// Options of a run and the world around the items, as the model file's `simulation` and `gravity` hold them.
#pragma once

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// `simulation` of a model file; the arguments of a run override them.
struct RunOptions {
  double until = 1;
  double step = 0;
  double tolerance = 1e-6;
  int threads = 1;
  bool consistent = true;
  std::string drift = "projection";
  std::string stop;
  std::string scheme = "auto";
  Object scheme_options;  // checked by the scheme
  Object record;          // checked by the recorder
  Place scheme_place;

  static constexpr auto fields() {
    return std::tuple{
        field("until", &RunOptions::until, "s", "time at which the run ends", above(0.0)),
        field("step", &RunOptions::step, "s", "fixed step; without it the scheme chooses its steps", above(0.0)),
        field("tolerance", &RunOptions::tolerance, "", "relative tolerance of the step control",
              Range{.low = 0, .high = 1, .low_open = true, .high_open = true}),
        field("threads", &RunOptions::threads, "", "number of threads", between(1, 1024)),
        field("consistent", &RunOptions::consistent, "", "whether the start is projected onto the constraints"),
        field("drift", &RunOptions::drift, "", "how constraints at velocity level keep their position",
              one_of("projection|ggl|none")),
        field("stop", &RunOptions::stop, "", "condition of outputs and t that ends the run early")};
  }
};

/// Reads `simulation` with its keys `scheme` (a name or {"name": ..., option: ...}) and `record`.
RunOptions read_run_options(const Model& model, const FieldContext& context, Faults& faults);

/// `gravity` of the model in world axes [m/s^2]; (0, 0, -9.81) if it is not given.
Vec3<double> read_gravity(const Model& model, const FieldContext& context, Faults& faults);

}  // namespace saltus
