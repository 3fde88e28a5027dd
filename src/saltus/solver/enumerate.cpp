#include "saltus/solver/enumerate.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_pairs = 16;

enum class State : char { low, inside, high };

/// The cone of one choice of states: columns C with C u = rhs, 0 <= u <= limit; u_k is y_k, x_k or -y_k.
struct Cone {
  MatrixXd columns;
  VectorXd rhs, limit;
};

class Enumerator {
 public:
  Enumerator(const StandardLcp& problem, double tolerance) : p_(problem), tolerance_(tolerance) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    T_ = Eigen::Map<const RowMajor>(problem.T.data(), problem.n, problem.n);
    q_ = Eigen::Map<const VectorXd>(problem.q.data(), problem.n);
    states_.assign(problem.n, State::low);
  }

  Enumeration run() {
    if (p_.n > most_pairs) {
      found_.certain = false;
      return found_;
    }
    do visit();
    while (advance());
    return found_;
  }

 private:
  bool advance() {  // next choice of states, like an odometer
    for (std::size_t k = 0; k < states_.size(); ++k) {
      const State last = std::isfinite(p_.range[k]) ? State::high : State::inside;
      if (states_[k] != last) {
        states_[k] = static_cast<State>(static_cast<int>(states_[k]) + 1);
        return true;
      }
      states_[k] = State::low;
    }
    return false;
  }

  void visit() {
    Cone cone{MatrixXd::Zero(p_.n, p_.n), q_, VectorXd::Constant(p_.n, std::numeric_limits<double>::infinity())};
    for (int k = 0; k < p_.n; ++k) {
      const State state = states_[k];
      if (state == State::inside) {
        cone.columns.col(k) = -T_.col(k);
        cone.limit[k] = p_.range[k];
      } else {
        cone.columns(k, k) = state == State::low ? 1.0 : -1.0;
        if (state == State::high) cone.rhs += T_.col(k) * p_.range[k];
      }
    }
    const dense::FullLu lu(cone.columns);
    if (lu.rank() == p_.n) {
      accept(cone, lu.solve(cone.rhs), lu.rcond() < 1e-13);
    } else {
      visit_singular(cone);
    }
  }

  /// Independent columns of a singular cone, all supports; a dependent support with a positive kernel is a ray.
  void visit_singular(const Cone& cone) {
    const std::size_t before = found_.x.size();
    bool ray = false;
    for (unsigned support = 0; support < (1U << p_.n); ++support) {
      std::vector<int> chosen;
      for (int k = 0; k < p_.n; ++k)
        if (support >> k & 1U) chosen.push_back(k);
      MatrixXd C(p_.n, static_cast<Eigen::Index>(chosen.size()));
      for (std::size_t j = 0; j < chosen.size(); ++j) C.col(static_cast<Eigen::Index>(j)) = cone.columns.col(chosen[j]);
      VectorXd u = VectorXd::Zero(p_.n), part;
      if (!chosen.empty()) {
        const dense::FullLu lu(C);
        const int nullity = count_of(chosen) - lu.rank();
        if (nullity == 1) ray |= is_ray(lu.kernel().col(0), chosen, cone);
        if (nullity > 0) continue;
        part = dense::least_squares(C, cone.rhs);
        if ((C * part - cone.rhs).norm() > tolerance_ * (1.0 + cone.rhs.norm())) continue;
        for (std::size_t j = 0; j < chosen.size(); ++j) u[chosen[j]] = part[static_cast<Eigen::Index>(j)];
      } else if (cone.rhs.norm() > tolerance_) {
        continue;
      }
      accept(cone, u, false);
    }
    if (ray && found_.x.size() > before) found_.unbounded = true;
    if (ray && found_.x.size() == before) found_.unbounded |= cone_holds_known_point(cone);
  }

  /// Direction along which x moves (a multiple of slacks alone would be no direction of x, but then C has none).
  static bool is_ray(const VectorXd& kernel, const std::vector<int>& chosen, const Cone& cone) {
    const double sign = kernel.sum() > 0.0 ? 1.0 : -1.0;
    for (std::size_t j = 0; j < chosen.size(); ++j)
      if (sign * kernel[static_cast<Eigen::Index>(j)] < 1e-9 || std::isfinite(cone.limit[chosen[j]])) return false;
    return true;
  }

  bool cone_holds_known_point(const Cone&) const {
    for (const std::vector<double>& x : found_.x) {
      const VectorXd y = q_ + T_ * Eigen::Map<const VectorXd>(x.data(), p_.n);
      bool fits = true;
      for (int k = 0; k < p_.n; ++k) {
        const std::size_t i = k;
        const bool x_low = std::abs(x[i]) <= tolerance_, x_high = std::abs(x[i] - p_.range[i]) <= tolerance_;
        if (states_[i] == State::low) fits &= x_low;
        if (states_[i] == State::high) fits &= x_high;
        if (states_[i] == State::inside) fits &= std::abs(y[k]) <= tolerance_ * (1.0 + q_.norm());
      }
      if (fits) return true;
    }
    return false;
  }

  void accept(const Cone& cone, const VectorXd& u, bool doubtful) {
    const double slack = tolerance_ * (1.0 + u.cwiseAbs().maxCoeff());
    std::vector<double> x(p_.n, 0.0);
    for (int k = 0; k < p_.n; ++k) {
      const std::size_t i = k;
      if (u[k] < -slack || u[k] > cone.limit[k] + slack) {
        if (doubtful) found_.certain = false;
        return;
      }
      if (states_[i] == State::inside) x[i] = std::clamp(u[k], 0.0, cone.limit[k]);
      if (states_[i] == State::high) x[i] = p_.range[i];
    }
    for (const std::vector<double>& known : found_.x) {
      double difference = 0, size = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        difference = std::max(difference, std::abs(x[i] - known[i]));
        size = std::max(size, std::abs(x[i]));
      }
      if (difference <= 1e-8 * (1.0 + size)) return;
    }
    found_.x.push_back(std::move(x));
  }

  const StandardLcp& p_;
  double tolerance_;
  MatrixXd T_;
  VectorXd q_;
  std::vector<State> states_;
  Enumeration found_;
};

}  // namespace

Enumeration enumerate_bases(const StandardLcp& problem, double tolerance) {
  if (problem.n == 0) return {.x = {{}}};
  return Enumerator(problem, tolerance).run();
}

}  // namespace saltus
