// What every solve returns. A numerical outcome is a value: never an exception, never silence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace saltus {

enum class SolveStatus {
  solved,       // certificate within the tolerance
  budget,       // ended with the best iterate; its residual is in the report
  ray,          // Lemke ended on a secondary ray
  infeasible,   // with a checked certificate
  unsupported,  // no solver for this pair of set and matrix; `cause` names what can
};

struct SolveReport {
  SolveStatus status = SolveStatus::budget;
  double residual = 0.0;         // natural map: |r - prox(r, w, 1)| / max(|b-like data|, |r|, |w|), see problem/residual.hpp
  double scaled_residual = 0.0;  // the same in unit-free scaling
  double velocity_residual = 0.0;  // the same error against velocities alone; reported, not judged
  double siconos_error = 0.0;      // the natural map plus that of the dynamics, for comparison
  int worst_block = -1;
  int iterations = 0;
  std::int64_t flops = 0;        // budget spent, machine independent
  double time_s = 0.0;           // CPU time
  int islands = 1;               // parts that do not know of each other, solved apart
  bool not_unique = false;
  bool rank_deficient = false;
  std::string_view solver;       // the strategy that gave the result
  std::string cause;             // why it stopped, in words
  std::vector<double> v, r, w;   // n, m, m
  std::vector<double> proof;     // m, of an infeasible problem with contacts: multipliers for `is_impossible`; empty: proven otherwise
};

}  // namespace saltus
