#include "saltus/problem/sets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/math/dual.hpp"
#include "saltus/math/vec.hpp"

namespace saltus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// --- row-wise sets -------------------------------------------------------------------------------------------------

void equality_bounds(const double*, int dim, double, double* low, double* high) {
  std::fill(low, low + dim, -infinity);
  std::fill(high, high + dim, infinity);
}
void half_line_bounds(const double*, int dim, double, double* low, double* high) {
  std::fill(low, low + dim, 0.0);
  std::fill(high, high + dim, infinity);
}
void box_bounds(const double* p, int dim, double set_scale, double* low, double* high) {
  // An infinite bound stays one where the force scale is 0 (an instantaneous impact).
  const auto scaled = [set_scale](double x) { return std::isinf(x) ? x : set_scale * x; };
  std::transform(p, p + dim, low, scaled);
  std::transform(p + dim, p + 2 * dim, high, scaled);
}

template <auto bounds>
void row_prox(const double* p, int dim, const double* r, const double* w, double rho, double set_scale, double* result) {
  for (int i = 0; i < dim; ++i) {
    double low, high;
    if constexpr (bounds == box_bounds) {
      const double pair[2] = {p[i], p[dim + i]};
      bounds(pair, 1, set_scale, &low, &high);
    } else {
      bounds(p, 1, set_scale, &low, &high);
    }
    result[i] = std::min(std::max(r[i] - rho * w[i], low), high);
  }
}

template <auto bounds>
void row_prox_derivative(const double* p, int dim, const double* r, const double* w, double rho, double set_scale,
                         double* by_r, double* by_w) {
  std::fill(by_r, by_r + dim * dim, 0.0);
  std::fill(by_w, by_w + dim * dim, 0.0);
  for (int i = 0; i < dim; ++i) {
    double low, high;
    if constexpr (bounds == box_bounds) {
      const double pair[2] = {p[i], p[dim + i]};
      bounds(pair, 1, set_scale, &low, &high);
    } else {
      bounds(p, 1, set_scale, &low, &high);
    }
    const double c = r[i] - rho * w[i];
    const double inside = c > low && c < high ? 1.0 : 0.0;
    by_r[i * dim + i] = inside;
    by_w[i * dim + i] = -rho * inside;
  }
}

// --- cones over r_n with arms: |arm| <= friction_arm r_n ---------------------------------------------------------------

template <class S>
S length(const S* x, int count) {
  using std::sqrt;
  S sum = x[0] * x[0];
  for (int i = 1; i < count; ++i) sum += x[i] * x[i];
  return sqrt(sum);  // the dual square root takes the subgradient 0 at 0
}

/// Projection of r - rho (w + sum friction |w_arm| n) (De Saxce 1998) on {|r_arm| <= friction_arm r_n}, arms of Size rows each.
/// The squared distance is piecewise quadratic and convex in r_n; its pieces end where an arm leaves its bound.
template <class S, int... Size>
void cone_prox(const double* friction, const S* r, const S* w, double rho, S* result) {
  constexpr int arms = sizeof...(Size), size[] = {Size...}, rows = (Size + ...);
  int begin[arms] = {};  // of each arm among the rows behind the first
  for (int a = 1; a < arms; ++a) begin[a] = begin[a - 1] + size[a - 1];
  S shift(0.0);
  for (int a = 0; a < arms; ++a) shift += friction[a] * length(w + 1 + begin[a], size[a]);
  const S normal = r[0] - rho * (w[0] + shift);
  S c[rows], norm[arms];
  for (int i = 0; i < rows; ++i) c[i] = r[1 + i] - rho * w[1 + i];
  for (int a = 0; a < arms; ++a) norm[a] = length(c + begin[a], size[a]);

  // The arm whose bound is reached at the largest r_n is on it first: add arms until r_n stays above all the others.
  S sum = normal;
  double weight = 1.0;
  bool on_bound[arms] = {};
  for (int step = 0; step < arms; ++step) {
    int next = -1;
    for (int a = 0; a < arms; ++a)
      if (!on_bound[a] && (next < 0 || val(norm[a]) * friction[next] > val(norm[next]) * friction[a])) next = a;
    if (friction[next] * val(sum) >= val(norm[next]) * weight) break;
    on_bound[next] = true;
    sum += friction[next] * norm[next];
    weight += friction[next] * friction[next];
  }
  const S n = val(sum) > 0.0 ? sum * (1.0 / weight) : S(0.0);
  result[0] = n;
  for (int a = 0; a < arms; ++a) {
    const bool inside = !on_bound[a] || val(norm[a]) <= friction[a] * val(n);
    for (int i = begin[a]; i < begin[a] + size[a]; ++i) result[1 + i] = inside ? c[i] : c[i] * (friction[a] * n / norm[a]);
  }
}

template <int... Size>
struct Cone {
  static constexpr int dim = 1 + (Size + ...);
  static int arms(const double* friction, FrictionArm* out) {
    int first = 1, number = 0;
    for (const int size : {Size...}) {
      out[number] = {.first = first, .count = size, .friction = {friction[number], friction[number]}};
      first += size, ++number;
    }
    return number;
  }
  template <class S>
  static void prox(const double* friction, const S* r, const S* w, double rho, S* result) { cone_prox<S, Size...>(friction, r, w, rho, result); }
};

/// The same with r_n >= p[1]: where the cone's point lies below, the nearest one is on the disc at the bound.
template <int Size>
struct TruncatedCone {
  static constexpr int dim = 1 + Size;
  template <class S>
  static void prox(const double* p, const S* r, const S* w, double rho, S* result) {
    cone_prox<S, Size>(p, r, w, rho, result);
    if (val(result[0]) >= p[1]) return;
    S* arm = result + 1;
    for (int i = 0; i < Size; ++i) arm[i] = r[1 + i] - rho * w[1 + i];
    const S size = length(arm, Size);
    const double most = p[0] * p[1];
    result[0] = S(p[1]);
    for (int i = 0; val(size) > most && i < Size; ++i) arm[i] = arm[i] * (most / size);
  }
};

/// Projection on the elliptic cone {sqrt(sum (r_i/m_i)^2) <= r_n}: Lagrange multiplier s of the bound by Newton's
/// method, then one step more on the dual scalar, which carries the implicit derivative.
template <class S>
void elliptic_prox(const double* m, const S* r, const S* w, double rho, S* result) {
  using std::sqrt;
  const S turned[2] = {m[0] * w[1], m[1] * w[2]};
  const S c[3] = {r[0] - rho * (w[0] + length(turned, 2)), r[1] - rho * w[1], r[2] - rho * w[2]};
  const double v[3] = {val(c[0]), val(c[1]), val(c[2])};
  if (v[0] >= 0.0 && std::hypot(v[1] / m[0], v[2] / m[1]) <= v[0]) {
    std::copy(c, c + 3, result);
    return;
  }
  if (std::hypot(m[0] * v[1], m[1] * v[2]) <= -v[0]) {  // in the polar cone
    std::fill(result, result + 3, S(0.0));
    return;
  }
  // x_n = c_n/(1 - s), x_i = c_i m_i^2/(m_i^2 + s), s > 0. With x_n kept as unknown instead of 1/(1 - s) the equation
  // stays regular at s = 1 (c_n = 0): g(n) = |x_T/m| - n with s = 1 - c_n/n.
  const auto radius = [&](const auto& n, const auto& c0, const auto& c1, const auto& c2) {
    const auto s = 1.0 - c0 / n;
    const auto x1 = c1 * m[0] / (m[0] * m[0] + s), x2 = c2 * m[1] / (m[1] * m[1] + s);
    return sqrt(x1 * x1 + x2 * x2) - n;
  };
  // g falls strictly where s > -min m^2 and has one root above max(c_n, 0): bracket, then bisection with Newton.
  double low = std::max(v[0], 0.0), high = std::max(v[0], 0.0) + std::hypot(v[0], v[1], v[2]) * (1.0 + std::max(m[0], m[1]));
  if (v[0] < 0.0) low = 0.0;
  double n = 0.5 * (low + high);
  for (int i = 0; i < 200 && high - low > 4e-16 * high; ++i) {
    const Dual<1> g = radius(Dual<1>::variable(n, 0), Dual<1>(v[0]), Dual<1>(v[1]), Dual<1>(v[2]));
    (g.value > 0.0 ? low : high) = n;
    const double step = n - g.value / g.d[0];
    n = step > low && step < high ? step : 0.5 * (low + high);
  }
  const Dual<1> g = radius(Dual<1>::variable(n, 0), Dual<1>(v[0]), Dual<1>(v[1]), Dual<1>(v[2]));
  const S root = S(n) - radius(S(n), c[0], c[1], c[2]) * (1.0 / g.d[0]);
  const S s = 1.0 - c[0] / root;
  result[0] = root;
  result[1] = c[1] * (m[0] * m[0]) / (m[0] * m[0] + s);
  result[2] = c[2] * (m[1] * m[1]) / (m[1] * m[1] + s);
}

struct EllipticCone {
  static constexpr int dim = 3;
  static int arms(const double* m, FrictionArm* out) { return out[0] = {.count = 2, .friction = {m[0], m[1]}}, 1; }
  template <class S>
  static void prox(const double* m, const S* r, const S* w, double rho, S* result) { elliptic_prox(m, r, w, rho, result); }
};

template <class Of>
void prox_of(const double* p, int, const double* r, const double* w, double rho, double, double* result) {
  Of::template prox<double>(p, r, w, rho, result);
}

template <class Of>
void derivative_of(const double* p, int, const double* r, const double* w, double rho, double, double* by_r, double* by_w) {
  constexpr int dim = Of::dim;
  using S = Dual<2 * dim>;
  S dual_r[dim], dual_w[dim], result[dim];
  for (int i = 0; i < dim; ++i) {
    dual_r[i] = S::variable(r[i], i);
    dual_w[i] = S::variable(w[i], dim + i);
  }
  Of::template prox<S>(p, dual_r, dual_w, rho, result);
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) {
      by_r[i * dim + j] = result[i].d[j];
      by_w[i * dim + j] = result[i].d[dim + j];
    }
}

template <class Of>
constexpr SetType cone(std::string_view name, int sliding, double (*friction)(const double*) = nullptr) {
  SetType set{.name = name, .dim = Of::dim, .prox = prox_of<Of>, .prox_derivative = derivative_of<Of>, .friction = friction, .sliding = sliding};
  if constexpr (requires { &Of::arms; }) set.arms = Of::arms;
  return set;
}

double first_parameter(const double* p) { return p[0]; }

}  // namespace

const SetType equality_set{"equality", 0, row_prox<equality_bounds>, row_prox_derivative<equality_bounds>, equality_bounds};
const SetType half_line_set{"half_line", 0, row_prox<half_line_bounds>, row_prox_derivative<half_line_bounds>, half_line_bounds};
const SetType box_set{"box", 0, row_prox<box_bounds>, row_prox_derivative<box_bounds>, box_bounds};
const SetType coulomb_2d_set = cone<Cone<1>>("coulomb_2d", 1, first_parameter);
const SetType coulomb_3d_set = cone<Cone<2>>("coulomb_3d", 2, first_parameter);
const SetType rolling_2d_set = cone<Cone<1, 1>>("rolling_2d", 1);
const SetType rolling_3d_set = cone<Cone<2, 2>>("rolling_3d", 2);
const SetType rolling_spinning_3d_set = cone<Cone<2, 2, 1>>("rolling_spinning_3d", 2);
const SetType spinning_3d_set = cone<Cone<2, 1>>("spinning_3d", 2);
const SetType truncated_coulomb_2d_set = cone<TruncatedCone<1>>("truncated_coulomb_2d", 1);
const SetType truncated_coulomb_3d_set = cone<TruncatedCone<2>>("truncated_coulomb_3d", 2);
const SetType orthotropic_set = cone<EllipticCone>("orthotropic", 2);

const SetType& cone_of_arms(const FrictionArm* arms, int count, double* parameters) {
  for (int i = 0; i < count; ++i) parameters[i] = arms[i].friction[0];
  if (count == 0) return half_line_set;
  if (count == 3) return rolling_spinning_3d_set;
  if (count == 2) return arms[0].count == 1 ? rolling_2d_set : arms[1].count == 2 ? rolling_3d_set : spinning_3d_set;
  if (arms[0].count == 1) return coulomb_2d_set;
  if (arms[0].friction[0] == arms[0].friction[1]) return coulomb_3d_set;
  parameters[1] = arms[0].friction[1];
  return orthotropic_set;
}

int parameter_count(const SetType& set, int dim) {
  if (&set == &equality_set || &set == &half_line_set) return 0;
  if (&set == &box_set) return 2 * dim;
  if (&set == &coulomb_2d_set || &set == &coulomb_3d_set) return 1;
  if (&set == &rolling_spinning_3d_set) return 3;
  if (&set == &rolling_2d_set || &set == &rolling_3d_set || &set == &spinning_3d_set || &set == &orthotropic_set || &set == &truncated_coulomb_2d_set || &set == &truncated_coulomb_3d_set) return 2;
  return -1;
}

}  // namespace saltus
