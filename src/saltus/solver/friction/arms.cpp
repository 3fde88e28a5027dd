#include "saltus/solver/friction/arms.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "saltus/solver/friction/admm.hpp"
#include "saltus/solver/friction/gauss_seidel.hpp"
#include "saltus/solver/friction/semismooth.hpp"
#include "saltus/solver/friction/sweep_newton.hpp"

namespace saltus::friction {
namespace {

constexpr int rests_from = 20'000;  // contacts; below, what an arm makes anew costs more than its memory is worth

class GaussSeidelArm final : public Arm {
 public:
  GaussSeidelArm(const Scaled& problem, const std::vector<double>& x) : solver_(problem, x) {}
  std::string_view name() const override { return "nsgs"; }

 protected:
  double work(Course& course) override {
    for (int k = 0; k < chunk_; ++k) solver_.sweep();
    course.spent += chunk_ * solver_.sweep_flops();
    course.iterations += chunk_;
    chunk_ = std::min(chunk_ + 1, 20);
    return course.offer(solver_.impulses(), name());
  }

 private:
  GaussSeidel solver_;
  int chunk_ = 1;
};

class AcceleratedSweepsArm final : public Arm {
 public:
  AcceleratedSweepsArm(const Scaled& problem, const std::vector<double>& x) : solver_(problem, x) {}
  std::string_view name() const override { return "nsgs_accelerated"; }

 protected:
  double work(Course& course) override {
    solver_.refresh();
    for (int k = 0; k < chunk_; ++k) solver_.sweep();
    course.spent += chunk_ * solver_.sweep_flops() + course.problem.velocity_flops();
    course.iterations += chunk_;
    chunk_ = std::min(chunk_ + 1, 20);
    return course.offer(solver_.impulses(), name());
  }
  void rest() override { solver_.rest(); }

 private:
  AcceleratedSweeps solver_;
  int chunk_ = 1;
};

class AdmmArm final : public Arm {
 public:
  AdmmArm(Course& course, const std::vector<double>& x, bool accelerated)
      : solver_(course.problem, course.kernel, x, accelerated), accelerated_(accelerated) {}
  std::string_view name() const override { return accelerated_ ? "admm_anderson" : "admm"; }

 protected:
  double work(Course& course) override {
    const std::int64_t before = solver_.flops();
    alive = solver_.iterate(10);
    course.spent += solver_.flops() - before;
    course.iterations += 10;
    return course.offer(solver_.impulses(), name());
  }

 private:
  Admm solver_;
  bool accelerated_;
};

// Up to `steps` semismooth steps from x; the last offer's error.
double finish(Course& course, const std::vector<double>& x, int steps, std::string_view name) {
  Semismooth newton(course.problem, course.kernel, x);
  double error = std::numeric_limits<double>::infinity(), last = error;
  std::int64_t before = 0;
  for (int k = 0; k < steps && !course.over(); ++k) {
    const bool ok = newton.step();
    course.spent += newton.flops() - before;
    before = newton.flops();
    ++course.iterations;
    const double here = course.offer(newton.impulses(), name);
    error = std::min(error, here);
    if (!ok || here > 3.0 * last) break;
    last = here;
  }
  return error;
}

class InteriorPointArm final : public Arm {
 public:
  InteriorPointArm(Course& course, const InteriorPointOptions& options, bool warm)
      : solver_(course.problem, course.kernel, options) {
    if (!warm) return;
    course.problem.velocity(course.best.data(), course.u.data());
    course.spent += course.problem.velocity_flops();
    double x = 0.0, u = 0.0, q = 0.0;
    for (int i = 0; i < course.problem.size(); ++i) {
      x += course.best[i] * course.best[i], u += course.u[i] * course.u[i];
      q += course.problem.q[i] * course.problem.q[i];
    }
    const double size = std::sqrt(std::max({x, u, q}) / course.problem.contacts);
    solver_.warm(course.best, course.u, 10.0 * course.best_error * size);
  }
  std::string_view name() const override { return "interior_point"; }

 protected:
  double work(Course& course) override {
    const std::int64_t before = solver_.flops();
    alive = solver_.step();
    course.spent += solver_.flops() - before;
    ++course.iterations;
    double here = course.offer(solver_.impulses(), name());
    if (here < 1e-4 && here < 0.5 * finished_) {
      finished_ = here;
      here = std::min(here, finish(course, solver_.impulses(), 6, name()));
    }
    history_.push_back(std::min(here, history_.empty() ? here : history_.back()));
    const std::size_t n = history_.size(), window = 10;
    if (n > 60 || (n > window && history_[n - 1] > 0.5 * history_[n - 1 - window])) alive = false;
    return here;
  }

 private:
  InteriorPoint solver_;
  double finished_ = 1.0;
  std::vector<double> history_;
};

class SweepNewtonArm final : public Arm {
 public:
  SweepNewtonArm(Course& course, const std::vector<double>& x) : solver_(course.problem, course.kernel, x) {}
  std::string_view name() const override { return "sweep_newton"; }

 protected:
  double work(Course& course) override {
    const std::int64_t before = solver_.flops();
    solver_.round([&] { return course.offer(solver_.trial(), name()); });
    course.spent += solver_.flops() - before;
    ++course.iterations;
    return solver_.error();
  }

 private:
  SweepNewton solver_;
};

class ProximalArm final : public Arm {
 public:
  std::string_view name() const override { return "proximal"; }

 protected:
  double work(Course& course) override {
    if (!newton_) begin(course);
    const std::int64_t before = newton_->flops();
    const bool ok = newton_->step();
    course.spent += newton_->flops() - before;
    ++course.iterations, ++steps_;
    if (!ok) ++failures_;
    const bool reached = newton_->size() < 0.05 * start_;
    const double here = course.offer(newton_->impulses(), name());
    if (reached || failures_ > 2 || steps_ > 15) end();
    return here;
  }

 private:
  // The next proximal problem, centred at the solution of the last.
  void begin(Course& course) {
    if (centre_.empty()) {
      centre_ = course.best;
      pull_ = 0.1 * std::sqrt(std::min(1.0, course.best_error));  // what it had come to at that error, over four problems
    }
    newton_.emplace(course.problem, course.kernel, centre_);
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

Course::Course(const Scaled& scaled_problem, double wanted, std::int64_t flops)
    : problem(scaled_problem), kernel(scaled_problem), tolerance(wanted), budget(flops), best(problem.size(), 0.0), u(problem.size()), cone(problem.size()) {}

double Course::offer(const std::vector<double>& x, std::string_view arm) {
  problem.loops.all([&](int first, int last) {
    for (int c = first; c < last; ++c) project(x.data() + 3 * c, cone.data() + 3 * c);
  });
  problem.velocity(cone.data(), u.data());
  spent += problem.velocity_flops() + 60 * problem.contacts;
  const double error = std::max(problem.natural(cone.data(), u.data()), problem.natural_scaled(cone.data(), u.data()));
  if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
  if (error < best_error) {
    best_error = error, best = cone, best_arm = arm;
    if (solved() && review) review(error);
  }
  return error;
}

void Arm::run(Course& course, std::int64_t flops) {
  const std::int64_t end = course.spent + flops, before = course.spent;
  while (alive && !course.over() && course.spent < end) error = std::min(error, work(course));
  spent += course.spent - before;
  if (course.problem.contacts >= rests_from) rest();
}

std::unique_ptr<Arm> gauss_seidel_arm(const Course& course, const std::vector<double>& x) {
  return std::make_unique<GaussSeidelArm>(course.problem, x);
}
std::unique_ptr<Arm> accelerated_sweeps_arm(const Course& course, const std::vector<double>& x) {
  return std::make_unique<AcceleratedSweepsArm>(course.problem, x);
}
std::unique_ptr<Arm> admm_arm(Course& course, const std::vector<double>& x, bool accelerated) {
  return std::make_unique<AdmmArm>(course, x, accelerated);
}
std::unique_ptr<Arm> interior_point_arm(Course& course, const InteriorPointOptions& options, bool warm) {
  return std::make_unique<InteriorPointArm>(course, options, warm);
}
std::unique_ptr<Arm> sweep_newton_arm(Course& course, const std::vector<double>& x) {
  return std::make_unique<SweepNewtonArm>(course, x);
}
std::unique_ptr<Arm> proximal_arm() { return std::make_unique<ProximalArm>(); }

}  // namespace saltus::friction
