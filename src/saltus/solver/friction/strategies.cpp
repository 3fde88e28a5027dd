#include "saltus/solver/friction/strategies.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "saltus/solver/friction/admm.hpp"
#include "saltus/solver/friction/gauss_seidel.hpp"
#include "saltus/solver/friction/held_slips.hpp"
#include "saltus/solver/friction/semismooth.hpp"
#include "saltus/solver/friction/sweep_newton.hpp"

namespace saltus::friction {
namespace {

constexpr int rests_from = 20'000;  // contacts; below, what an strategy makes anew costs more than its memory is worth

// Sweeps from where they are, and what they have come to.
double sweep(Portfolio& portfolio, AcceleratedSweeps& sweeps, int count, std::string_view name) {
  sweeps.refresh();
  for (int k = 0; k < count; ++k) sweeps.sweep();
  portfolio.spent += count * sweeps.sweep_flops() + portfolio.problem.velocity_flops();
  portfolio.iterations += count;
  return portfolio.consider(sweeps.impulses(), name);
}

class GaussSeidelStrategy final : public Strategy {
 public:
  GaussSeidelStrategy(const Scaled& problem, const std::vector<double>& x) : solver_(problem, x) {}
  std::string_view name() const override { return "nsgs"; }

 protected:
  double work(Portfolio& portfolio) override {
    for (int k = 0; k < chunk_; ++k) solver_.sweep();
    portfolio.spent += chunk_ * solver_.sweep_flops();
    portfolio.iterations += chunk_;
    chunk_ = std::min(chunk_ + 1, 20);
    return portfolio.consider(solver_.impulses(), name());
  }

 private:
  GaussSeidel solver_;
  int chunk_ = 1;
};

class AcceleratedSweepsStrategy final : public Strategy {
 public:
  AcceleratedSweepsStrategy(const Scaled& problem, const std::vector<double>& x) : solver_(problem, x) {}
  std::string_view name() const override { return "nsgs_accelerated"; }

 protected:
  double work(Portfolio& portfolio) override {
    const double here = sweep(portfolio, solver_, chunk_, name());
    chunk_ = std::min(chunk_ + 1, 20);
    return here;
  }
  void rest() override { solver_.rest(); }

 private:
  AcceleratedSweeps solver_;
  int chunk_ = 1;
};

class AdmmStrategy final : public Strategy {
 public:
  AdmmStrategy(Portfolio& portfolio, const std::vector<double>& x, bool accelerated)
      : solver_(portfolio.problem, portfolio.kernel, x, accelerated), accelerated_(accelerated) {}
  std::string_view name() const override { return accelerated_ ? "admm_anderson" : "admm"; }

 protected:
  double work(Portfolio& portfolio) override {
    const std::int64_t before = solver_.flops();
    alive = solver_.iterate(10);
    portfolio.spent += solver_.flops() - before;
    portfolio.iterations += 10;
    return portfolio.consider(solver_.impulses(), name());
  }

 private:
  Admm solver_;
  bool accelerated_;
};

// Up to `steps` semismooth steps from x, as long as none leaves more than `growth` times the error of the one before; the least error.
double finish(Portfolio& portfolio, const std::vector<double>& x, int steps, std::string_view name, double growth = 3.0) {
  Semismooth newton(portfolio.problem, portfolio.kernel, x);
  double error = std::numeric_limits<double>::infinity(), last = error;
  std::int64_t before = 0;
  for (int k = 0; k < steps && !portfolio.over(); ++k) {
    const bool ok = newton.step();
    portfolio.spent += newton.flops() - before;
    before = newton.flops();
    ++portfolio.iterations;
    const double here = portfolio.consider(newton.impulses(), name);
    error = std::min(error, here);
    if (!ok || here > growth * last) break;
    last = here;
  }
  return error;
}

class InteriorPointStrategy final : public Strategy {
 public:
  // shift: of a warm start, in errors of the best impulses; most: steps. With finishes, semismooth steps are tried on the way.
  InteriorPointStrategy(Portfolio& portfolio, const InteriorPointOptions& options, bool warm, double shift = 10.0, bool finishes = true, std::size_t most = 60)
      : solver_(portfolio.problem, portfolio.kernel, options), finishes_(finishes), most_(most) {
    if (!warm) return;
    portfolio.problem.velocity(portfolio.best.data(), portfolio.u.data());
    portfolio.spent += portfolio.problem.velocity_flops();
    double x = 0.0, u = 0.0, q = 0.0;
    for (int i = 0; i < portfolio.problem.size(); ++i) {
      x += portfolio.best[i] * portfolio.best[i], u += portfolio.u[i] * portfolio.u[i];
      q += portfolio.problem.q[i] * portfolio.problem.q[i];
    }
    const double size = std::sqrt(std::max({x, u, q}) / portfolio.problem.contacts);
    solver_.warm(portfolio.best, portfolio.u, shift * portfolio.best_error * size);
  }
  std::string_view name() const override { return "interior_point"; }

 protected:
  double work(Portfolio& portfolio) override {
    const std::int64_t before = solver_.flops();
    alive = solver_.step();
    portfolio.spent += solver_.flops() - before;
    ++portfolio.iterations;
    double here = portfolio.consider(solver_.impulses(), name());
    if (finishes_ && here < 1e-4 && here < 0.5 * finished_) {
      finished_ = here;
      here = std::min(here, finish(portfolio, solver_.impulses(), 6, name()));
    }
    history_.push_back(std::min(here, history_.empty() ? here : history_.back()));
    const std::size_t n = history_.size(), window = 10;
    if (n > most_ || (n > window && history_[n - 1] > 0.5 * history_[n - 1 - window])) alive = false;
    return here;
  }

 private:
  InteriorPoint solver_;
  bool finishes_;
  std::size_t most_;
  double finished_ = 1.0;
  std::vector<double> history_;
};

class PilesStrategy final : public Strategy {
 public:
  PilesStrategy(const Portfolio& portfolio, const std::vector<double>& x) : sweeps_(std::in_place, portfolio.problem, x) {}
  std::string_view name() const override { return "piles"; }

 protected:
  double work(Portfolio& portfolio) override {
    const std::int64_t begin = portfolio.spent;
    double here = sweep(portfolio, *sweeps_, round, name());
    const std::int64_t swept = portfolio.spent;
    swept_ += swept - begin;
    const auto affordable = [&](double steps) {  // in the flops that the sweeps are ahead of Newton's steps
      return !portfolio.over() && static_cast<double>(newton_) + steps * (1.0 + portfolio.kernel.factor_to_solve()) * static_cast<double>(portfolio.kernel.solve_flops()) <= static_cast<double>(swept_);
    };
    if (here <= finished_ && affordable(2.0)) {
      finished_ = 0.3 * here;
      here = std::min(here, finish(portfolio, sweeps_->impulses(), 6, name(), 0.9));
    }
    if (portfolio.best_error <= near && affordable(10.0)) here = std::min(here, interior(portfolio));
    newton_ += portfolio.spent - swept;
    return here;
  }
  void rest() override { sweeps_->rest(); }

 private:
  static constexpr int round = 20;       // sweeps
  static constexpr double near = 1e-3;   // error from which on the interior point starts

  // From the best impulses; the sweeps go on from where it ends if that is better by a factor of three.
  double interior(Portfolio& portfolio) {
    static constexpr struct { InteriorPointOptions options; double shift; } starts[]{{{0.9, 1e-3}, 10.0}, {{0.9, 1e-3}, 100.0}, {{0.99, 1e-4}, 3.0}};
    const auto& start = starts[tries_++ % 3];
    const double before = portfolio.best_error;
    InteriorPointStrategy newton(portfolio, start.options, true, start.shift, false, 20);
    newton.run(portfolio, std::int64_t{1} << 60);
    if (portfolio.over() || portfolio.best_error > 0.3 * before) return newton.error;
    if (portfolio.best_error <= 1e-4) finish(portfolio, std::vector<double>(portfolio.best), 6, name(), 0.9);
    if (portfolio.over()) return portfolio.best_error;
    sweeps_.emplace(portfolio.problem, portfolio.best);
    finished_ = std::min(finished_, portfolio.best_error);
    return newton.error;
  }

  std::optional<AcceleratedSweeps> sweeps_;
  double finished_ = 1e-4;  // error at which the next semismooth steps are tried
  int tries_ = 0;
  std::int64_t swept_ = 0, newton_ = 0;
};

class SweepNewtonStrategy final : public Strategy {
 public:
  SweepNewtonStrategy(Portfolio& portfolio, const std::vector<double>& x) : solver_(portfolio.problem, portfolio.kernel, x) {}
  std::string_view name() const override { return "sweep_newton"; }

 protected:
  double work(Portfolio& portfolio) override {
    const std::int64_t before = solver_.flops();
    solver_.round([&] { return portfolio.consider(solver_.trial(), name()); });
    portfolio.spent += solver_.flops() - before;
    ++portfolio.iterations;
    return solver_.error();
  }

 private:
  SweepNewton solver_;
};

class HeldSlipsStrategy final : public Strategy {
 public:
  explicit HeldSlipsStrategy(Portfolio& portfolio) : solver_(portfolio.problem, portfolio.kernel) {}
  std::string_view name() const override { return "held_slips"; }

 protected:
  double work(Portfolio& portfolio) override {
    const std::int64_t before = solver_.flops();
    alive = solver_.round();
    portfolio.spent += solver_.flops() - before;
    ++portfolio.iterations;
    double here = portfolio.consider(solver_.impulses(), name());
    if (portfolio.over() || solver_.change() > near) return here;
    // States are known, digits are missing where contacts are between two of them.
    here = std::min(here, finish(portfolio, solver_.impulses(), 6, name()));
    if (portfolio.over()) return here;
    AcceleratedSweeps sweeps(portfolio.problem, solver_.impulses());
    for (int k = 0; k < 2 && !portfolio.over(); ++k) here = std::min(here, sweep(portfolio, sweeps, 20, name()));
    if (!portfolio.over()) here = std::min(here, finish(portfolio, sweeps.impulses(), 6, name()));
    return here;
  }

 private:
  static constexpr double near = 1e-4;  // change of a slip from which on the end is tried
  HeldSlips solver_;
};

class ProximalStrategy final : public Strategy {
 public:
  explicit ProximalStrategy(std::vector<double> x) : centre_(std::move(x)) {}
  std::string_view name() const override { return "proximal"; }

 protected:
  double work(Portfolio& portfolio) override {
    if (!newton_) begin(portfolio);
    const std::int64_t before = newton_->flops();
    const bool ok = newton_->step();
    portfolio.spent += newton_->flops() - before;
    ++portfolio.iterations, ++steps_;
    if (!ok) ++failures_;
    const bool reached = newton_->size() < 0.05 * start_;
    const double here = portfolio.consider(newton_->impulses(), name());
    if (reached || failures_ > 2 || steps_ > 15) end();
    return here;
  }

 private:
  // The next proximal problem, centred at the solution of the last.
  void begin(Portfolio& portfolio) {
    if (centre_.empty()) {
      centre_ = portfolio.best;
      pull_ = 0.1 * std::sqrt(std::min(1.0, portfolio.best_error));  // what it had come to at that error, over four problems
    }
    newton_.emplace(portfolio.problem, portfolio.kernel, centre_);
    newton_->pull(pull_);
    start_ = newton_->size();
    steps_ = failures_ = 0;
  }
  void end() {
    const bool good = newton_->size() < 0.3 * start_;
    if (newton_->size() < start_) centre_ = newton_->impulses();
    if (good && steps_ < 7) pull_ = std::max(1e-12, pull_ / 3.0);
    else if (!good || steps_ > 11) pull_ = std::min(pull_ * 2.0, 10.0);
    newton_.reset();
  }

  std::optional<Semismooth> newton_;
  std::vector<double> centre_;
  double pull_ = 0.1, start_ = 0.0;
  int steps_ = 0, failures_ = 0;
};

}  // namespace

Portfolio::Portfolio(const Scaled& scaled_problem, double wanted, std::int64_t flops)
    : problem(scaled_problem), kernel(scaled_problem), tolerance(wanted), budget(flops), best(problem.size(), 0.0), u(problem.size()), cone(problem.size()) {}

bool Portfolio::immense(const std::vector<double>& x) const {
  constexpr double most = 1e6;
  double impulse = 0.0, velocity = 0.0;
  for (int i = 0; i < problem.size(); ++i) impulse = std::max(impulse, std::abs(x[i])), velocity = std::max(velocity, std::abs(problem.q[i]));
  return impulse > most * velocity;
}

double Portfolio::consider(const std::vector<double>& x, std::string_view strategy) {
  problem.loops.all([&](int first, int last) {
    for (int c = first; c < last; ++c) project(x.data() + 3 * c, cone.data() + 3 * c);
  });
  problem.velocity(cone.data(), u.data());
  spent += problem.velocity_flops() + 60 * problem.contacts;
  const double error = std::max(problem.natural(cone.data(), u.data()), problem.natural_scaled(cone.data(), u.data()));
  if (!std::isfinite(error) || immense(cone)) return std::numeric_limits<double>::infinity();
  if (error < best_error) {
    best_error = error, best = cone, best_strategy = strategy;
    if (solved() && review) review(error);
  }
  if (acceptable > 0.0 && spent >= mark) {
    wanders = best_error <= acceptable && best_error > 0.2 * marked_error && (!accepts || accepts());
    marked_error = best_error, mark = spent + spent / 2;
  }
  return error;
}

void Strategy::run(Portfolio& portfolio, std::int64_t flops) {
  const std::int64_t end = portfolio.spent + flops, before = portfolio.spent;
  while (alive && !portfolio.over() && portfolio.spent < end) error = std::min(error, work(portfolio));
  spent += portfolio.spent - before;
  if (portfolio.problem.contacts >= rests_from) rest();
}

std::unique_ptr<Strategy> gauss_seidel_strategy(const Portfolio& portfolio, const std::vector<double>& x) {
  return std::make_unique<GaussSeidelStrategy>(portfolio.problem, x);
}
std::unique_ptr<Strategy> accelerated_sweeps_strategy(const Portfolio& portfolio, const std::vector<double>& x) {
  return std::make_unique<AcceleratedSweepsStrategy>(portfolio.problem, x);
}
std::unique_ptr<Strategy> admm_strategy(Portfolio& portfolio, const std::vector<double>& x, bool accelerated) {
  return std::make_unique<AdmmStrategy>(portfolio, x, accelerated);
}
std::unique_ptr<Strategy> interior_point_strategy(Portfolio& portfolio, const InteriorPointOptions& options, bool warm) {
  return std::make_unique<InteriorPointStrategy>(portfolio, options, warm);
}
std::unique_ptr<Strategy> sweep_newton_strategy(Portfolio& portfolio, const std::vector<double>& x) {
  return std::make_unique<SweepNewtonStrategy>(portfolio, x);
}
std::unique_ptr<Strategy> piles_strategy(const Portfolio& portfolio, const std::vector<double>& x) { return std::make_unique<PilesStrategy>(portfolio, x); }
std::unique_ptr<Strategy> held_slips_strategy(Portfolio& portfolio) { return std::make_unique<HeldSlipsStrategy>(portfolio); }
std::unique_ptr<Strategy> proximal_strategy(std::vector<double> x) { return std::make_unique<ProximalStrategy>(std::move(x)); }

}  // namespace saltus::friction
