#include "saltus/problem/slip_arms.hpp"

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
template <class S, int... Size, class F>
void cone_prox(const F* friction, const S* r, const S* w, double rho, S* result) {
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
  F weight(1.0);
  bool on_bound[arms] = {};
  for (int step = 0; step < arms; ++step) {
    int next = -1;
    for (int a = 0; a < arms; ++a)
      if (!on_bound[a] && (next < 0 || (val(norm[next]) == 0.0 && val(norm[a]) > 0.0) || val(norm[a]) * val(friction[next]) > val(norm[next]) * val(friction[a]))) next = a;
    if (val(friction[next]) * val(sum) >= val(norm[next]) * val(weight)) break;
    on_bound[next] = true;
    sum += friction[next] * norm[next];
    weight += friction[next] * friction[next];
  }
  const S n = val(sum) > 0.0 ? sum * (1.0 / weight) : S(0.0);
  result[0] = n;
  for (int a = 0; a < arms; ++a) {
    const bool inside = !on_bound[a] || val(norm[a]) <= val(friction[a]) * val(n);
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

/// r_n >= 0 and |r_T| <= base + friction r_n, with De Saxce's shift; p = friction, base.
template <int Size>
struct CohesiveCone {
  static constexpr int dim = 1 + Size;
  static SlipArm arm(const double* p) { return {.row = {1, 2}, .count = Size, .friction = {p[0], p[0]}, .base = p[0] > 0.0 ? p[1] / p[0] : 0.0}; }
  template <class S>
  static void prox(const double* p, const S* r, const S* w, double rho, S* result) {
    const double friction = p[0], base = p[1];
    S n = r[0] - rho * (w[0] + friction * length(w + 1, Size));
    for (int i = 1; i <= Size; ++i) result[i] = r[i] - rho * w[i];
    const S size = length(result + 1, Size);
    if (val(size) > base + friction * val(n)) n = (n + friction * (size - base)) * (1.0 / (1.0 + friction * friction));
    if (val(n) < 0.0) n = S(0.0);
    result[0] = n;
    const S bound = base + friction * n;
    for (int i = 1; val(size) > val(bound) && i <= Size; ++i) result[i] = result[i] * (bound / size);
  }
};

/// Coulomb's cone whose friction falls from p[0] at rest towards p[1] over the speed p[2], with exponent p[3], and grows by p[4] times the
/// speed: mu(|w_T|) of the sliding speed w_T itself, at the end of the step.
template <int Size>
struct StribeckCone {
  static constexpr int dim = 1 + Size;
  template <class S>
  static S friction_at(const double* p, const S& speed) {
    using std::exp;
    using std::pow;
    const S fall = val(speed) > 0.0 ? exp(-pow(speed * (1.0 / p[2]), p[3])) : S(1.0);
    return p[1] + (p[0] - p[1]) * fall + p[4] * speed;
  }
  static void halved(const double* p, double* out) { out[0] = p[0], out[1] = p[1], out[2] = 2.0 * p[2], out[3] = p[3], out[4] = 0.5 * p[4]; }
  static double of_speed(const double* p, double speed) { return friction_at(p, speed); }
  static SlipArm arm(const double* p) { return {.row = {1, 2}, .count = Size, .friction = {p[0], p[0]}, .of_speed = of_speed, .parameters = p}; }
  template <class S>
  static void prox(const double* p, const S* r, const S* w, double rho, S* result) {
    const S friction = friction_at(p, length(w + 1, Size));
    cone_prox<S, Size>(&friction, r, w, rho, result);
  }
};

/// Projection of c on the elliptic cone {sqrt(sum (x_i/m_i)^2) <= x_n}, i = 1 ... Size: Lagrange multiplier s of the bound by Newton's
/// method, then one step more on the dual scalar, which carries the implicit derivative.
template <int Size, class S>
void elliptic_projection(const double* m, const S* c, S* x) {
  using std::sqrt;
  double inner = 0.0, outer = 0.0, size = val(c[0]) * val(c[0]), most = 0.0;
  for (int i = 0; i < Size; ++i) {
    const double ci = val(c[1 + i]);
    inner += ci / m[i] * (ci / m[i]), outer += m[i] * ci * (m[i] * ci), size += ci * ci, most = std::max(most, m[i]);
  }
  const double normal = val(c[0]);
  if (normal >= 0.0 && std::sqrt(inner) <= normal) {
    std::copy(c, c + 1 + Size, x);
    return;
  }
  if (std::sqrt(outer) <= -normal) {  // in the polar cone
    std::fill(x, x + 1 + Size, S(0.0));
    return;
  }
  // x_n = c_n/(1 - s), x_i = c_i m_i^2/(m_i^2 + s), s > 0. With x_n kept as unknown instead of 1/(1 - s) the equation
  // stays regular at s = 1 (c_n = 0): g(n) = |x_T/m| - n with s = 1 - c_n/n.
  const auto radius = [&](const auto& n, const auto& at) {
    const auto s = 1.0 - at(0) / n;
    auto sum = 0.0 * n;
    for (int i = 0; i < Size; ++i) {
      const auto xi = at(1 + i) * m[i] / (m[i] * m[i] + s);
      sum += xi * xi;
    }
    return sqrt(sum) - n;
  };
  const auto plain = [&](int i) { return Dual<1>(val(c[i])); };
  // g falls strictly where s > -min m^2 and has one root above max(c_n, 0): bracket, then bisection with Newton.
  double low = std::max(normal, 0.0), high = low + std::sqrt(size) * (1.0 + most);
  double n = 0.5 * (low + high);
  for (int i = 0; i < 200 && high - low > 4e-16 * high; ++i) {
    const Dual<1> g = radius(Dual<1>::variable(n, 0), plain);
    (g.value > 0.0 ? low : high) = n;
    const double step = n - g.value / g.d[0];
    n = step > low && step < high ? step : 0.5 * (low + high);
  }
  const Dual<1> g = radius(Dual<1>::variable(n, 0), plain);
  const S root = S(n) - radius(S(n), [&](int i) { return c[i]; }) * (1.0 / g.d[0]);
  const S s = 1.0 - c[0] / root;
  x[0] = root;
  for (int i = 0; i < Size; ++i) x[1 + i] = c[1 + i] * (m[i] * m[i]) / (m[i] * m[i] + s);
}

/// c = r - rho (w + |(m_i w_i)| n), De Saxce's shift of the cone {sqrt(sum (r_i/m_i)^2) <= r_n}; row[i] is the row of tangent i.
template <int Size, class S>
void elliptic_point(const double* m, const int* row, const S* r, const S* w, double rho, S* c) {
  S turned[Size];
  for (int i = 0; i < Size; ++i) turned[i] = m[i] * w[row[i]], c[1 + i] = r[row[i]] - rho * w[row[i]];
  c[0] = r[0] - rho * (w[0] + length(turned, Size));
}

template <int Size>
struct EllipticCone {
  static constexpr int dim = 1 + Size;
  static int arms(const double* m, FrictionArm* out)
    requires(Size == 2)
  {
    return out[0] = {.count = 2, .friction = {m[0], m[1]}}, 1;
  }
  template <class S>
  static void prox(const double* m, const S* r, const S* w, double rho, S* result) {
    constexpr int row[3] = {1, 2, 3};
    S c[dim];
    elliptic_point<Size>(m, row, r, w, rho, c);
    elliptic_projection<Size>(m, c, result);
  }
};

/// Sliding and spin in one cone, |(r_1/mu, r_2/mu, r_spin/mu_s)| <= r_n; no moment against rolling.
struct ContensouCone {
  static constexpr int dim = 6;
  static SlipArm arm(const double* p) { return {.row = {1, 2, 5}, .count = 3, .friction = {p[0], p[0], p[1]}}; }
  template <class S>
  static void prox(const double* p, const S* r, const S* w, double rho, S* result) {
    constexpr int row[3] = {1, 2, 5};
    const double m[3] = {p[0], p[0], p[1]};
    S c[4], x[4];
    elliptic_point<3>(m, row, r, w, rho, c);
    elliptic_projection<3>(m, c, x);
    result[0] = x[0];
    for (int i = 0; i < 3; ++i) result[row[i]] = x[1 + i];
    result[3] = result[4] = S(0.0);
  }
};

// --- ball ----------------------------------------------------------------------------------------------------------

void ball_prox(const double* p, int dim, const double* r, const double* w, double rho, double set_scale, double* result) {
  double square = 0.0;
  for (int i = 0; i < dim; ++i) result[i] = r[i] - rho * w[i], square += result[i] * result[i];
  const double radius = set_scale * p[0], size = std::sqrt(square);
  for (int i = 0; size > radius && i < dim; ++i) result[i] *= radius / size;
}

void ball_prox_derivative(const double* p, int dim, const double* r, const double* w, double rho, double set_scale, double* by_r, double* by_w) {
  double square = 0.0;
  for (int i = 0; i < dim; ++i) square += (r[i] - rho * w[i]) * (r[i] - rho * w[i]);
  const double radius = set_scale * p[0], size = std::sqrt(square);
  const bool outside = size > radius;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) {
      double d = i == j ? 1.0 : 0.0;
      if (outside) d = radius / size * (d - (r[i] - rho * w[i]) * (r[j] - rho * w[j]) / square);
      by_r[i * dim + j] = d, by_w[i * dim + j] = -rho * d;
    }
}

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

/// The same of a set whose second parameter is a force.
template <class Of>
void scaled_prox_of(const double* p, int dim, const double* r, const double* w, double rho, double set_scale, double* result) {
  const double scaled[2] = {p[0], set_scale * p[1]};
  prox_of<Of>(scaled, dim, r, w, rho, 1.0, result);
}
template <class Of>
void scaled_derivative_of(const double* p, int dim, const double* r, const double* w, double rho, double set_scale, double* by_r, double* by_w) {
  const double scaled[2] = {p[0], set_scale * p[1]};
  derivative_of<Of>(scaled, dim, r, w, rho, 1.0, by_r, by_w);
}

template <class Of>
constexpr SetType cone(std::string_view name, int sliding, double (*friction)(const double*) = nullptr) {
  SetType set{.name = name, .dim = Of::dim, .prox = prox_of<Of>, .prox_derivative = derivative_of<Of>, .friction = friction, .sliding = sliding};
  if constexpr (requires(const double* p, FrictionArm* out) { Of::arms(p, out); }) set.arms = Of::arms;
  if constexpr (requires { &Of::halved; }) set.halved = Of::halved;
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
const SetType cohesive_2d_set{.name = "cohesive_2d", .dim = 2, .prox = scaled_prox_of<CohesiveCone<1>>, .prox_derivative = scaled_derivative_of<CohesiveCone<1>>, .sliding = 1};
const SetType cohesive_3d_set{.name = "cohesive_3d", .dim = 3, .prox = scaled_prox_of<CohesiveCone<2>>, .prox_derivative = scaled_derivative_of<CohesiveCone<2>>, .sliding = 2};
const SetType orthotropic_set = cone<EllipticCone<2>>("orthotropic", 2);
const SetType elliptic_3_set = cone<EllipticCone<3>>("elliptic_3", 2);
const SetType stribeck_2d_set = cone<StribeckCone<1>>("stribeck_2d", 1);
const SetType stribeck_3d_set = cone<StribeckCone<2>>("stribeck_3d", 2);
const SetType contensou_set = cone<ContensouCone>("contensou", 2);
const SetType ball_set{"ball", 0, ball_prox, ball_prox_derivative};

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

int slip_arms(const SetType& set, const double* parameters, SlipArm* arms) {
  if (&set == &stribeck_2d_set) return arms[0] = StribeckCone<1>::arm(parameters), 1;
  if (&set == &stribeck_3d_set) return arms[0] = StribeckCone<2>::arm(parameters), 1;
  if (&set == &contensou_set) return arms[0] = ContensouCone::arm(parameters), 1;
  if (&set == &cohesive_2d_set) return arms[0] = CohesiveCone<1>::arm(parameters), 1;
  if (&set == &cohesive_3d_set) return arms[0] = CohesiveCone<2>::arm(parameters), 1;
  FrictionArm of[FrictionArm::most];
  const int count = set.arms ? set.arms(parameters, of) : 0;
  for (int a = 0; a < count; ++a) {
    arms[a] = {.row = {of[a].first, of[a].first + 1}, .count = of[a].count};
    std::copy_n(of[a].friction, of[a].count, arms[a].friction);
  }
  return count;
}

const SetType& cone_of_arms(const SlipArm* arms, int count, double* parameters) {
  if (count == 1 && arms[0].count == 3) return std::copy_n(arms[0].friction, 3, parameters), elliptic_3_set;
  if (count == 1 && arms[0].base > 0.0) {
    parameters[0] = arms[0].friction[0], parameters[1] = arms[0].friction[0] * arms[0].base;
    return arms[0].count == 1 ? cohesive_2d_set : cohesive_3d_set;
  }
  FrictionArm of[FrictionArm::most];
  for (int a = 0; a < count; ++a) of[a] = {.first = arms[a].row[0], .count = arms[a].count, .friction = {arms[a].friction[0], arms[a].friction[1]}};
  return cone_of_arms(of, count, parameters);
}

int parameter_count(const SetType& set, int dim) {
  if (&set == &equality_set || &set == &half_line_set) return 0;
  if (&set == &box_set) return 2 * dim;
  if (&set == &coulomb_2d_set || &set == &coulomb_3d_set || &set == &ball_set) return 1;
  if (&set == &stribeck_2d_set || &set == &stribeck_3d_set) return 5;
  if (&set == &rolling_spinning_3d_set || &set == &elliptic_3_set) return 3;
  if (&set == &rolling_2d_set || &set == &rolling_3d_set || &set == &spinning_3d_set || &set == &orthotropic_set || &set == &contensou_set || &set == &truncated_coulomb_2d_set || &set == &truncated_coulomb_3d_set || &set == &cohesive_2d_set || &set == &cohesive_3d_set) return 2;
  return -1;
}

}  // namespace saltus
