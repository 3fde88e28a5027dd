#include "saltus/solver/friction/friction.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/solver/friction/strategies.hpp"
#include "saltus/solver/friction/dynamics.hpp"

namespace saltus::friction {
namespace {

using Strategies = std::vector<std::unique_ptr<Strategy>>;
constexpr double far_from_packing = 0.3;  // error of a warm start
constexpr std::int64_t endless = std::int64_t{1} << 60;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Natural map of one block in the problem's units, squared; the prox is written here, not asked of the set, so that a set
// needs to tell its friction coefficient only.
double block_error(double mu, int dim, const double* r, const double* w) {
  double shift = 0.0, s = 0.0, z[3];
  for (int i = 1; i < dim; ++i) shift += w[i] * w[i], z[i] = r[i] - w[i], s += z[i] * z[i];
  s = std::sqrt(s);
  z[0] = r[0] - w[0] - mu * std::sqrt(shift);
  if (s > mu * z[0] || z[0] < 0.0) {
    const double normal = std::max(0.0, (z[0] + mu * s) / (1.0 + mu * mu)), factor = s > 0.0 ? mu * normal / s : 0.0;
    z[0] = normal;
    for (int i = 1; i < dim; ++i) z[i] *= factor;
  }
  double error = 0.0;
  for (int i = 0; i < dim; ++i) error += (r[i] - z[i]) * (r[i] - z[i]);
  return error;
}

double norm(const std::vector<double>& x) {
  double sum = 0.0;
  for (double a : x) sum += a * a;
  return std::sqrt(sum);
}

// The residual in original units is taken anew from the problem as given.
void certify(const Problem& problem, const Scaled& scaled, Motion& motion, Portfolio& portfolio, SolveReport& report) {
  report.r.assign(problem.rows(), 0.0);
  scaled.unscale_impulse(portfolio.best.data(), report.r);
  if (problem.M.rows() > 0 && motion(report.r, portfolio.v)) report.v = portfolio.v;
  report.w = relative_velocity(problem, report.v, report.r);
  double total = 0.0, worst = -1.0;
  for (int k = 0; k < count_of(problem.blocks); ++k) {
    const Block& block = problem.blocks[k];
    const double error = block_error(block.set->friction(block.parameters), block.dim, report.r.data() + block.begin,
                                     report.w.data() + block.begin);
    total += error;
    if (error > worst) worst = error, report.worst_block = k;
  }
  const double size = std::max({std::sqrt(scaled.free_square), norm(report.r), norm(report.w)});
  report.residual = size > 0.0 ? std::sqrt(total) / size : 0.0;
  scaled.velocity(portfolio.best.data(), portfolio.u.data());
  report.scaled_residual = scaled.natural_scaled(portfolio.best.data(), portfolio.u.data());
  const bool solved = report.residual <= portfolio.tolerance && report.scaled_residual <= portfolio.tolerance;
  report.status = solved ? SolveStatus::solved : SolveStatus::budget;
  report.cause = solved ? "residual within the tolerance" : portfolio.spent >= portfolio.budget ? "flop budget used up" : "every solver stopped";
  report.solver = portfolio.best_strategy;
  report.iterations = portfolio.iterations;
  report.flops = portfolio.spent;
}

SolveReport solve(const Problem& problem, double tolerance, std::int64_t budget, std::span<const double> warm, Threads* threads, const Judge& judge,
                  const std::function<void(Portfolio&, const std::vector<double>&)>& strategy) {
  SolveReport report;
  const double start = cpu_seconds();
  report.status = SolveStatus::unsupported;
  if (!can(problem)) {
    report.cause = "not every block is a Coulomb cone of two or three rows with a friction coefficient of at least zero";
    return report;
  }
  Motion motion(problem);
  const auto prepared = scaled(problem, motion, count_of(problem.blocks) <= Kernel::few, threads);
  if (!prepared) {
    report.cause = "a matrix entry is not finite, or M is singular";
    return report;
  }
  // The margin covers the rounding between scaled and original units.
  Portfolio portfolio(*prepared, 0.999 * tolerance, budget);
  if (judge.acceptable > tolerance) portfolio.acceptable = 0.999 * judge.acceptable;
  portfolio.mark = judge.acceptable_after * 2 / 3;  // and once again half as much later
  if (judge.error) {
    portfolio.review = [&](double reached) {
      certify(problem, *prepared, motion, portfolio, report);
      const double error = judge.error(report.v, report.r);
      if (error <= tolerance) return;
      // By as much below what was reached, in the measure of here, as the judge misses.
      portfolio.tolerance = reached * std::clamp(0.8 * tolerance / error, 0.01, 0.8);
      if (!(portfolio.tolerance >= 1e-15)) portfolio.budget = portfolio.spent;
    };
  }
  if (judge.error && judge.acceptable > 0.0)
    portfolio.accepts = [&] {
      certify(problem, *prepared, motion, portfolio, report);
      return judge.error(report.v, report.r) <= judge.acceptable;
    };
  if (judge.hopeless)
    portfolio.hopeless = [&] {
      std::vector<double> r(problem.rows());
      prepared->unscale_impulse(portfolio.best.data(), r);
      const bool given_up = judge.hopeless(r);
      if (given_up) portfolio.budget = portfolio.spent;
      return given_up;
    };
  std::vector<double> x(prepared->size(), 0.0);
  if (!std::isfinite(portfolio.consider(x, "open"))) {
    report.cause = "the sizes of its matrices and velocities leave the range of double";
    return report;
  }
  if (count_of(warm) == problem.rows()) {
    prepared->scale_impulse(warm, x.data());
    portfolio.consider(x, "warm");
    x = portfolio.best;
    // Impulses of another motion, which are hardly better than none, lead a packing astray.
    if (portfolio.acceptable > 0.0 && portfolio.best_error > far_from_packing) {
      x.assign(x.size(), 0.0), portfolio.best_error = std::numeric_limits<double>::infinity();
      portfolio.consider(x, "open");
    }
  }
  if (!portfolio.over()) strategy(portfolio, x);
  portfolio.tolerance = tolerance;
  certify(problem, *prepared, motion, portfolio, report);
  report.time_s = cpu_seconds() - start;
  return report;
}

// Slices in turns; strategies that gained at least half as many digits a flop in their last slice as the best one, and those
// that have not run, get 15 times as much as the others.
void take_turns(Portfolio& portfolio, Strategies& strategies, std::int64_t slice) {
  std::vector<double> gains(strategies.size(), std::numeric_limits<double>::infinity());
  while (!portfolio.over() && std::any_of(strategies.begin(), strategies.end(), [](const auto& strategy) { return strategy->alive; })) {
    double best = 0.0;
    for (const double gain : gains)
      if (std::isfinite(gain)) best = std::max(best, gain);
    for (std::size_t k = 0; k < strategies.size(); ++k) {
      Strategy& strategy = *strategies[k];
      const double before = std::min(1.0, strategy.error), factor = gains[k] >= 0.5 * best ? 3.0 : 0.2;
      const std::int64_t spent = strategy.spent;
      strategy.run(portfolio, static_cast<std::int64_t>(static_cast<double>(slice) * factor));
      gains[k] = strategy.spent > spent ? std::log10(before / std::min(before, strategy.error)) / static_cast<double>(strategy.spent - spent) : 0.0;
    }
    slice += slice / 2;
  }
}

std::int64_t sweep_flops(const Portfolio& portfolio) { return portfolio.problem.velocity_flops() + 150 * portfolio.problem.contacts; }

// What the first iterations of ADMM cost. One is a little more than a solve.
struct Costs {
  std::int64_t sweep, iteration, factor;
  explicit Costs(Portfolio& portfolio)
      : sweep(sweep_flops(portfolio)),
        iteration(portfolio.kernel.solve_flops() + 130 * portfolio.problem.size()),
        factor(static_cast<std::int64_t>(portfolio.kernel.factor_to_solve() * static_cast<double>(portfolio.kernel.solve_flops()))) {}
};

// As long as sweeps would end, at the rate of the last ones, within the cost of twenty iterations of ADMM; a fifth of that they
// may take in any case, for many of them first sort out which contacts hold.
void quick_sweeps(Portfolio& portfolio, Strategy& sweeps) {
  const std::int64_t sweep = sweep_flops(portfolio);
  sweeps.run(portfolio, 3 * sweep);
  while (!portfolio.over()) {
    const double before = sweeps.error;
    const std::int64_t spent = sweeps.spent;
    sweeps.run(portfolio, 6 * sweep);
    if (portfolio.over()) return;
    const Costs costs(portfolio);
    const std::int64_t most = 20 * costs.iteration + costs.factor / 4;
    if (sweeps.spent < most / 5) continue;
    if (!(sweeps.error < before) || sweeps.spent > most) return;
    const double left = std::log(portfolio.tolerance / sweeps.error) / std::log(sweeps.error / before);
    if (left * static_cast<double>(sweeps.spent - spent) > static_cast<double>(most)) return;
  }
}

// Slices to whichever strategy would end sooner at the rate of its last slice: masonry ends soon with ADMM, a packing with sweeps. The
// first strategy gets a slice more, in which it finds its scale.
void duel(Portfolio& portfolio, Strategy& first, Strategy& second, std::int64_t slice, std::int64_t flops) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const std::int64_t end = portfolio.spent + flops;
  const auto left = [&](Strategy& strategy) {  // flops after one more slice
    const double before = strategy.error;
    const std::int64_t spent = strategy.spent;
    strategy.run(portfolio, slice);
    if (portfolio.over() || !(strategy.error < before)) return never;
    return std::log(strategy.error / portfolio.tolerance) / std::log(before / strategy.error) * static_cast<double>(strategy.spent - spent);
  };
  first.run(portfolio, slice);
  // The second is tried where it is ahead, or the first seems to need more than twelve slices.
  double one = left(first), other = first.error < 3.0 * second.error ? 12.0 * static_cast<double>(slice) : left(second);
  while (!portfolio.over() && portfolio.spent < end) {
    if (one == never && other == never) one = left(first), other = left(second);
    else if (one <= other) one = left(first);
    else other = left(second);
  }
}

// As long as each doubling of what was spent at least halves the error.
void gain(Portfolio& portfolio, Strategy& strategy) {
  double before = std::numeric_limits<double>::infinity();
  while (!portfolio.over() && strategy.alive && portfolio.best_error < 0.5 * before) {
    before = portfolio.best_error;
    strategy.run(portfolio, portfolio.spent);
  }
}

// A packing that may end where its error is acceptable. From impulses of the last step piles come there soon, and go on as long as they gain. Else ADMM, which
// masonry needs, has its turn, and goes on if it is ahead, as long as it gains or is near to that.
void wander(Portfolio& portfolio, const std::vector<double>& x) {
  const auto piles = piles_strategy(portfolio, x);
  const bool warm = portfolio.best_strategy == "warm";
  piles->run(portfolio, (warm ? 300 : 40) * sweep_flops(portfolio));
  if (warm && portfolio.best_error <= portfolio.acceptable) gain(portfolio, *piles);
  if (portfolio.over()) return;
  const auto [sweep, iteration, factor] = Costs(portfolio);
  if (factor > (portfolio.budget - portfolio.spent) / 4) return piles->run(portfolio, endless);
  const auto accelerated = admm_strategy(portfolio, x, true);
  accelerated->run(portfolio, 20 * iteration);
  if (portfolio.over()) return;
  if (piles->error < 3.0 * accelerated->error) return gain(portfolio, *piles);
  for (int times = 0; times < 4 && !portfolio.over(); ++times) {
    const double before = portfolio.best_error;
    accelerated->run(portfolio, portfolio.spent / 2);
    if (portfolio.best_error > std::max(0.9 * before, 1.5 * portfolio.acceptable)) return;
  }
}

// A few bodies that lie face on face or nearly so: more contacts than motions, and slips near to none. Sweeps end soon or not at all, interior points with
// held slips nearly always; what is between two states and has no other digits than the last is left to the others.
void faces(Portfolio& portfolio) {
  constexpr std::int64_t soon = 1'000'000, least = 5'000'000;  // flops
  Strategies turns;
  const std::vector<double> nothing(portfolio.problem.size(), 0.0);
  turns.push_back(piles_strategy(portfolio, portfolio.best));
  turns.push_back(held_slips_strategy(portfolio));
  turns.push_back(proximal_strategy(nothing));
  if (portfolio.best_strategy != "open") turns.push_back(piles_strategy(portfolio, nothing));
  turns.push_back(proximal_strategy());
  turns[0]->run(portfolio, soon);
  turns[1]->run(portfolio, least);
  const std::int64_t end = portfolio.spent + portfolio.budget / 2;
  for (std::int64_t slice = least; !portfolio.over() && portfolio.spent < end; slice *= 2)
    for (const auto& strategy : turns) strategy->run(portfolio, slice);
}

void portfolio(Portfolio& portfolio, const std::vector<double>& x) {
  const std::int64_t sweep = sweep_flops(portfolio);
  const bool warm = portfolio.best_strategy == "warm", few = portfolio.problem.contacts <= 10;
  if (portfolio.acceptable > 0.0 && portfolio.problem.contacts > Kernel::few) wander(portfolio, x);
  if (portfolio.over()) return;
  Strategies strategies;
  strategies.push_back(few ? gauss_seidel_strategy(portfolio, x) : accelerated_sweeps_strategy(portfolio, x));
  strategies.push_back(admm_strategy(portfolio, x, true));
  Strategy &sweeps = *strategies[0], &accelerated = *strategies[1];
  // Not from a warm start: sweeps end just within the tolerance, other strategies far below, and over the steps of a stack at rest the
  // difference adds up.
  if (few) sweeps.run(portfolio, 200 * sweep);
  else if (!warm) quick_sweeps(portfolio, sweeps);
  if (portfolio.over()) return;
  if (portfolio.problem.contacts <= Kernel::few && portfolio.acceptable < 1e4 * portfolio.tolerance) faces(portfolio);
  if (portfolio.over()) return;
  const auto [_, iteration, factor] = Costs(portfolio);
  if (!warm && factor > (portfolio.budget - portfolio.spent) / 4) return sweeps.run(portfolio, endless);
  const auto warm_newton = [&portfolio](const InteriorPointOptions& options, std::int64_t flops = endless) {
    if (!portfolio.over()) interior_point_strategy(portfolio, options, true)->run(portfolio, flops);
  };
  const bool cheap = portfolio.kernel.factor_to_solve() <= 25.0;
  if (cheap) {  // Newton steps come early where they cost few iterations
    accelerated.run(portfolio, 20 * iteration);
    warm_newton({0.9, 1e-3});
    accelerated.run(portfolio, 30 * iteration);
    warm_newton({0.99, 1e-4});
    sweeps.run(portfolio, portfolio.spent);
    accelerated.run(portfolio, 100 * iteration);
    if (!portfolio.over()) interior_point_strategy(portfolio, {0.9, 1e-2}, false)->run(portfolio, endless);
  } else {
    if (warm) {
      accelerated.run(portfolio, 150 * iteration);
    } else {
      accelerated.run(portfolio, factor / 2 + 15 * iteration);
      // Masonry: ADMM is ahead of the sweeps. Where it is not through by then, Newton steps end sooner if a factor costs less than a
      // hundred iterations; the flops of a factor take a quarter of the time of those that wait for memory. Where things flow the
      // sweeps are ahead, and neither ADMM nor the interior point would end.
      if (accelerated.error > 1e-3 && accelerated.error < sweeps.error && portfolio.kernel.factor_to_solve() <= 100.0) warm_newton({0.99, 1e-4});
      const std::int64_t most = 250 * iteration + 2 * factor;
      if (accelerated.error < 3.0 * sweeps.error) duel(portfolio, accelerated, sweeps, 25 * iteration, most);
      else sweeps.run(portfolio, most);
    }
    if (portfolio.best_error < 2e-4 && accelerated.error < 3.0 * sweeps.error) warm_newton({0.99, 1e-4}, portfolio.spent / 2);
  }
  if (portfolio.over()) return;
  if (portfolio.hopeless && portfolio.hopeless()) return;
  if (sweeps.error < accelerated.error) gain(portfolio, *piles_strategy(portfolio, portfolio.best));
  if (portfolio.over()) return;
  strategies.push_back(sweep_newton_strategy(portfolio, x));
  Strategy& flow = *strategies.back();
  // Until both have not taken a third off the residual for ten turns and half of all that was spent: so long they may drift past a
  // place without a solution. Where the sweeps are far from the end it is a chute, where Newton's steps lead on.
  const bool flows = sweeps.error > 1e-4;
  const auto reached = [&] { return std::min(flow.error, sweeps.error); };
  double mark = reached();
  std::int64_t gained = portfolio.spent;
  for (int idle = 0; !portfolio.over() && (idle < 10 || portfolio.spent < 2 * gained); ++idle) {
    const std::int64_t turn = std::min(25 * (factor + 105 * sweep), (flows ? 8 : 1) * portfolio.spent);
    const auto work = [&](Strategy& strategy, const Strategy& other) { strategy.run(portfolio, strategy.error > 10.0 * other.error && strategy.spent > 0 ? turn / 4 : turn); };
    const double before = sweeps.error;
    if (flows) work(flow, sweeps);
    work(sweeps, flow);
    if (!flows && !(sweeps.error < 0.3 * before)) work(flow, sweeps);  // sweeps that gain this much go on alone
    if (reached() < 0.7 * mark) mark = reached(), gained = portfolio.spent, idle = 0;
  }
  if (portfolio.over()) return;
  strategies.push_back(gauss_seidel_strategy(portfolio, x));
  strategies.push_back(admm_strategy(portfolio, x, false));
  strategies.push_back(proximal_strategy());
  take_turns(portfolio, strategies, std::max<std::int64_t>(portfolio.spent / 10, 100000));
}

}  // namespace

SolveReport race(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge, portfolio);
}

SolveReport nsgs(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge,
               [](Portfolio& portfolio, const std::vector<double>& x) { gauss_seidel_strategy(portfolio, x)->run(portfolio, endless); });
}

SolveReport nsgs_accelerated(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge,
               [](Portfolio& portfolio, const std::vector<double>& x) { accelerated_sweeps_strategy(portfolio, x)->run(portfolio, endless); });
}

SolveReport admm(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge,
               [](Portfolio& portfolio, const std::vector<double>& x) { admm_strategy(portfolio, x, false)->run(portfolio, endless); });
}

SolveReport admm_anderson(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge,
               [](Portfolio& portfolio, const std::vector<double>& x) { admm_strategy(portfolio, x, true)->run(portfolio, endless); });
}

SolveReport interior_point(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge, [](Portfolio& portfolio, const std::vector<double>&) {
    for (const InteriorPointOptions options : {InteriorPointOptions{0.99, 1e-4}, InteriorPointOptions{0.9, 1e-2}})
      if (!portfolio.over()) interior_point_strategy(portfolio, options, false)->run(portfolio, endless);
  });
}

SolveReport sweep_newton(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge,
               [](Portfolio& portfolio, const std::vector<double>& x) { sweep_newton_strategy(portfolio, x)->run(portfolio, endless); });
}

SolveReport piles(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge,
               [](Portfolio& portfolio, const std::vector<double>&) { piles_strategy(portfolio, portfolio.best)->run(portfolio, endless); });
}

SolveReport held_slips(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge,
               [](Portfolio& portfolio, const std::vector<double>&) { held_slips_strategy(portfolio)->run(portfolio, endless); });
}

SolveReport proximal(const Problem& problem, double tolerance, std::int64_t flop_budget, std::span<const double> warm, Threads* threads, const Judge& judge) {
  return solve(problem, tolerance, flop_budget, warm, threads, judge, [](Portfolio& portfolio, const std::vector<double>& x) {
    gauss_seidel_strategy(portfolio, x)->run(portfolio, 50 * portfolio.problem.velocity_flops());
    if (!portfolio.over()) proximal_strategy()->run(portfolio, endless);
  });
}

}  // namespace saltus::friction
