// The algorithms as strategies of a race: each keeps its state, works for a number of flops, and offers what it finds.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "saltus/solver/friction/interior_point.hpp"
#include "saltus/solver/friction/kernel.hpp"

namespace saltus::friction {

/// What all strategies share: the problem, the linear kernel, the best impulses so far and the flops spent.
struct Portfolio {
  const Scaled& problem;
  Kernel kernel;
  double tolerance;
  std::int64_t budget;
  // Ends where the best error is acceptable and, while half as much again was spent, fell by less than a factor of five.
  double acceptable = 0.0, marked_error = std::numeric_limits<double>::infinity();
  std::int64_t mark = 0;
  bool wanders = false;
  std::function<bool()> accepts;                    // whether who asks calls the best impulses acceptable, too
  std::int64_t spent = 0;
  int iterations = 0;
  std::vector<double> best;  // zero until something better is offered
  double best_error = std::numeric_limits<double>::infinity();
  std::string_view best_strategy;
  std::vector<double> u, cone, v;
  std::function<bool()> hopeless;                   // whether the best impulses show that there is no solution
  std::function<void(double error)> review;  // of the best impulses once they are within the tolerance; may lower it

  Portfolio(const Scaled& problem, double tolerance, std::int64_t budget);

  /// Larger of the natural maps in original and scaled units of P_L(x); keeps x if it is the best so far.
  double consider(const std::vector<double>& x, std::string_view strategy);
  /// Impulses that cancel, of bodies that jam: beside them every residual is small, and the rounding of what they do to velocities is not.
  bool immense(const std::vector<double>& x) const;
  bool solved() const { return best_error <= tolerance; }
  bool over() const { return solved() || spent >= budget || wanders; }
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual std::string_view name() const = 0;
  /// Works until `flops` more are spent, the problem is solved or the budget is used up.
  void run(Portfolio& portfolio, std::int64_t flops);

  bool alive = true;
  double error = std::numeric_limits<double>::infinity();  // best of this strategy
  std::int64_t spent = 0;

 protected:
  /// One unit of work between two offers; adds its flops to the portfolio.
  virtual double work(Portfolio& portfolio) = 0;
  /// Gives back the memory that the next work can make anew, the same to the bit; called between slices of large problems.
  virtual void rest() {}
};

std::unique_ptr<Strategy> gauss_seidel_strategy(const Portfolio& portfolio, const std::vector<double>& x);
std::unique_ptr<Strategy> accelerated_sweeps_strategy(const Portfolio& portfolio, const std::vector<double>& x);
std::unique_ptr<Strategy> admm_strategy(Portfolio& portfolio, const std::vector<double>& x, bool accelerated);
/// Cold, or warm from the best impulses, pushed inside the cones by ten times their error.
std::unique_ptr<Strategy> interior_point_strategy(Portfolio& portfolio, const InteriorPointOptions& options, bool warm);
/// Sweeps and proximal Newton steps in turns, from x.
std::unique_ptr<Strategy> sweep_newton_strategy(Portfolio& portfolio, const std::vector<double>& x);
/// Sweeps with momentum from x, and Newton's steps for no more flops than sweeps: semismooth ones each time the error fell by a
/// third, interior points from the best impulses, from whose end the sweeps go on. An interior point stops at about 1e-6 where sticking
/// contacts are more than the motions, but by then knows which contacts stick, slide and open; sweeps or a semismooth step end it.
std::unique_ptr<Strategy> piles_strategy(const Portfolio& portfolio, const std::vector<double>& x);
/// Convex problems with slips held, from nothing; from where they end, semismooth steps and sweeps in turns.
std::unique_ptr<Strategy> held_slips_strategy(Portfolio& portfolio);
/// Proximal point iterations, each solved by semismooth Newton, from x or, where that is empty, the best impulses at the time of the first call.
std::unique_ptr<Strategy> proximal_strategy(std::vector<double> x = {});

}  // namespace saltus::friction
