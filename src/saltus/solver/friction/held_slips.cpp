#include "saltus/solver/friction/held_slips.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace saltus::friction {
namespace {
constexpr InteriorPointOptions path{0.99, 1e-9};
constexpr double end_of_path = 1e-12;  // where contacts are between two states slips are known to its root only
constexpr double rounding = 1e-7;      // from where on a gap that falls no further is rounding
constexpr int most_steps = 60;         // some fourteen are usual
constexpr int most_contacts = 200;     // of Newton's method on slips: its matrix is full
}  // namespace

HeldSlips::HeldSlips(const Scaled& problem, Kernel& kernel)
    : problem_(problem), interior_(problem, kernel, path), slips_(problem.contacts, 0.0), found_(problem.contacts) {}

bool HeldSlips::round() {
  interior_.hold(slips_);
  double last = HUGE_VAL;
  for (int k = 0; k < most_steps && interior_.step(); ++k) {
    const double gap = interior_.gap();
    if (gap <= end_of_path || (gap <= rounding && gap >= 0.9 * last)) break;
    last = gap;
  }
  change_ = 0.0;
  for (int c = 0; c < problem_.contacts; ++c) {
    found_[c] = tangent_norm(interior_.velocities().data() + 3 * c);
    change_ = std::max(change_, std::abs(found_[c] - slips_[c]));
  }
  const bool first = rounds_++ == 0, gains = first || change_ < 0.7 * least_;
  idle_ = gains ? 0 : idle_ + 1;
  least_ = first ? change_ : std::min(least_, change_);
  std::vector<double> step(found_.size());
  if (gains && newton(step)) {
    for (std::size_t c = 0; c < slips_.size(); ++c) slips_[c] = std::max(0.0, slips_[c] + step[c]);
  } else {
    slips_ = found_;
  }
  return idle_ < 5;
}

/// (1 - d|y_T|/ds) step = |y_T| - s.
bool HeldSlips::newton(std::vector<double>& step) {
  const int n = problem_.contacts;
  if (n > most_contacts) return false;
  Eigen::MatrixXd A(n, n);
  for (int c = 0; c < n; ++c)
    if (!interior_.slopes(c, A.col(c).data())) return false;
  A = Eigen::MatrixXd::Identity(n, n) - A;
  Eigen::VectorXd rest(n);
  for (int c = 0; c < n; ++c) rest[c] = found_[c] - slips_[c];
  const Eigen::VectorXd found = A.partialPivLu().solve(rest);
  flops_ += 2 * static_cast<std::int64_t>(n) * n * n / 3;
  std::copy(found.begin(), found.end(), step.begin());
  return found.allFinite();
}

}  // namespace saltus::friction
