// Coulomb friction in two and three dimensions: solvers, and the portfolio that picks among them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "saltus/base/threads.hpp"
#include "saltus/problem/problem.hpp"
#include "saltus/solver/friction/scaled.hpp"
#include "saltus/solver/report.hpp"

namespace saltus::friction {

/// Whoever asks for the solution. `error` of a point (v, r) in his measure is to be brought under the tolerance as well; `hopeless`:
/// whether impulses like r show that there is no solution, which ends the race.
struct Judge {
  std::function<double(std::span<const double> v, std::span<const double> r)> error;
  std::function<bool(std::span<const double> r)> hopeless;
  double acceptable = 0.0;  // an error of impulses that hardly get better, which ends the race; looked at once so many flops are spent:
  std::int64_t acceptable_after = 0;
};

/// Solves a problem whose blocks are all Coulomb cones (see `can`) to `tolerance` in the natural map, in original and in
/// scaled units. Deterministic: the path depends on the problem and the flop budget alone. `warm`: impulses to start from
/// (rows of the problem), or empty. `judge` is asked about points that are good enough here; where it is not content the strategies go
/// on. `threads` share the loops, with the same bits for any number. When the budget ends the
/// best impulses are returned with Status::budget.
/// Order: all open; piles, where an error is acceptable and the start is that of the last step; a few sweeps with momentum, more where they end soon; accelerated ADMM and interior point where ADMM is not
/// behind the sweeps or a factor costs few iterations; sweeps with momentum; piles where the sweeps are ahead; where these gain little, sweeps with Newton steps in
/// turns; then in turns all of these, plain Gauss-Seidel, plain ADMM and the proximal Newton method, with larger slices for those
/// that gain more digits a flop. Where a factor would take a quarter of the budget the sweeps go on alone.
[[nodiscard]] SolveReport race(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                               Threads* threads = nullptr, const Judge& judge = {});

/// One algorithm alone, same arguments and result.
[[nodiscard]] SolveReport nsgs(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                               Threads* threads = nullptr, const Judge& judge = {});
[[nodiscard]] SolveReport nsgs_accelerated(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                               Threads* threads = nullptr, const Judge& judge = {});
[[nodiscard]] SolveReport admm(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                               Threads* threads = nullptr, const Judge& judge = {});
[[nodiscard]] SolveReport admm_anderson(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                               Threads* threads = nullptr, const Judge& judge = {});
[[nodiscard]] SolveReport interior_point(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                               Threads* threads = nullptr, const Judge& judge = {});
[[nodiscard]] SolveReport sweep_newton(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                                       Threads* threads = nullptr, const Judge& judge = {});
[[nodiscard]] SolveReport piles(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                                Threads* threads = nullptr, const Judge& judge = {});
[[nodiscard]] SolveReport held_slips(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                                     Threads* threads = nullptr, const Judge& judge = {});
[[nodiscard]] SolveReport proximal(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm = {},
                               Threads* threads = nullptr, const Judge& judge = {});

}  // namespace saltus::friction
