#include "saltus/integrate/fastest_mode.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "saltus/base/index.hpp"
#include "saltus/integrate/error_norm.hpp"

namespace saltus {
namespace {
constexpr int most_iterations = 30;
constexpr double share = 1e-6;  // of the model's size, by which a difference moves

/// Differences of the equations of motion [h v | h^2 vdot | h xdot] about a state, of deviations [dq | h dv | dx] in lengths.
class Linearization {
 public:
  Linearization(Accelerations& accelerations, const State& state, double h)
      : accelerations_(accelerations), system_(accelerations.assembly().system()), state_(state), l_(system_.layout), h_(h), y_(state.y(), state.y() + l_.y_size()), lambda_(at(l_.rows)),
        rates_(at(l_.unknowns() + 1)), first_(rates_), tangent_(at(l_.nv)) {
    accelerations_.assembly().update(state.t(), state.y(), nullptr, state.data());
    scale_ = column_scales(system_, accelerations_.assembly().kinematics());
    size_ = system_.length_scale > 0.0 ? system_.length_scale : 1.0;
    for (int i = 0; i < l_.nx; ++i) first_size_ = std::max({first_size_, std::abs(state.x()[i]), h * std::abs(state.xdot()[i])});
    if (first_size_ == 0.0) first_size_ = 1.0;
  }
  int size() const { return 2 * l_.nv + l_.nx; }
  bool begin() { return solve(first_); }
  /// out := h J d, d of norm 1.
  bool multiply(const std::vector<double>& d, std::vector<double>& out) {
    const double e = share * size_, e1 = share * first_size_;
    std::copy(state_.y(), state_.y() + l_.y_size(), y_.begin());
    for (int i = 0; i < l_.nv; ++i) tangent_[at(i)] = e * scale_[at(i)] * d[at(i)];
    system_.map.retract(y_.data(), tangent_.data());
    for (int i = 0; i < l_.nv; ++i) y_[at(l_.v_begin() + i)] += e / h_ * scale_[at(i)] * d[at(l_.nv + i)];
    for (int i = 0; i < l_.nx; ++i) y_[at(l_.x_begin() + i)] += e1 * d[at(2 * l_.nv + i)];
    if (!solve(rates_)) return false;
    for (int i = 0; i < l_.nv; ++i) {
      out[at(i)] = d[at(l_.nv + i)];
      out[at(l_.nv + i)] = h_ * h_ * (rates_[at(i)] - first_[at(i)]) / (e * scale_[at(i)]);
    }
    for (int i = 0; i < l_.nx; ++i) out[at(2 * l_.nv + i)] = h_ * (rates_[at(l_.nv + i)] - first_[at(l_.nv + i)]) / e1;
    return finite(out.data(), size());
  }

 private:
  bool solve(std::vector<double>& rates) {
    std::copy(state_.lambda(), state_.lambda() + l_.rows, lambda_.begin());
    return accelerations_.solve(state_.t(), y_.data(), state_.data(), lambda_.data(), rates.data()).ok;
  }

  Accelerations& accelerations_;
  const System& system_;
  const State& state_;
  const Layout& l_;
  double h_, size_ = 1.0, first_size_ = 0.0;
  std::vector<double> y_, lambda_, rates_, first_, tangent_, scale_;
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The root of largest modulus of z^2 = p z + r that fits c = p b + r a best.
std::complex<double> dominant(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& c) {
  const double aa = product(a, a), ab = product(a, b), bb = product(b, b), ac = product(a, c), bc = product(b, c);
  const double determinant = aa * bb - ab * ab;
  if (!(determinant > 1e-8 * aa * bb)) return bc / bb;  // one direction alone is left
  const double p = (aa * bc - ab * ac) / determinant, r = (bb * ac - ab * bc) / determinant;
  const std::complex<double> root = std::sqrt(std::complex<double>(0.25 * p * p + r));
  return std::abs(0.5 * p + root) >= std::abs(0.5 * p - root) ? 0.5 * p + root : 0.5 * p - root;
}
}  // namespace

FastestMode fastest_mode(Accelerations& accelerations, const State& state, double h) {
  Linearization linear(accelerations, state, h);
  FastestMode mode;
  const std::size_t n = linear.size();
  if (n == 0 || !linear.begin()) return mode;
  std::vector<double> a(n), b(n), c(n);
  std::uint32_t seed = 1;
  for (double& x : b) x = (seed = 1664525u * seed + 1013904223u) / 4294967296.0 - 0.5;  // a start without a pattern, the same each time
  std::complex<double> before;
  for (int i = 0; i < most_iterations; ++i) {
    const double norm = std::sqrt(product(b, b));
    if (!(norm > 0.0)) return mode;
    for (std::size_t k = 0; k < n; ++k) a[k] /= norm, b[k] /= norm;
    if (!linear.multiply(b, c)) return mode;
    const std::complex<double> found = i == 0 ? 0.0 : dominant(a, b, c);
    mode.eigenvalue = found / h;
    mode.found = i > 1;
    if (i > 4 && std::abs(found - before) <= 1e-4 * std::abs(found)) break;
    before = found;
    a.swap(b), b.swap(c);
  }
  const int nv = accelerations.assembly().system().layout.nv;
  double most = 0.0;
  for (std::size_t k = nv; k < n; ++k)
    if (std::abs(b[k]) > most) most = std::abs(b[k]), mode.unknown = static_cast<int>(k) - nv;
  return mode;
}

std::optional<Fault> step_too_long(Accelerations& accelerations, const State& state, std::string_view scheme, const std::function<double(std::complex<double> z)>& growth) {
  const double h = state.h();
  const FastestMode mode = fastest_mode(accelerations, state, h);
  const auto grows = [&](double step) {
    const std::complex<double> z = mode.eigenvalue * step;
    return !(growth(z) <= 1.01 * std::exp(std::max(0.0, z.real())));
  };
  if (!mode.found || !grows(h)) return {};
  double stable = 0.0, unstable = h;
  while (unstable - stable > 1e-3 * unstable) {
    const double middle = 0.5 * (stable + unstable);
    (grows(middle) ? unstable : stable) = middle;
    if (unstable < 1e-12 * h) return {};
  }
  return Fault{{}, "simulation/step",
               "is too long for " + std::string(scheme) + ": " + unknown_name(accelerations.assembly().system(), mode.unknown) + " and what moves with it changes at a rate of " + short_text(std::abs(mode.eigenvalue)) + " 1/s, and grows in each step of " + short_text(h) + " s though it should not",
               "give a step of at most " + short_text(0.9 * stable) + " s, or use generalized_alpha", Severity::warning};
}

}  // namespace saltus
