#include "saltus/problem/convex_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "saltus/base/value.hpp"
#include "saltus/math/dense.hpp"
#include "saltus/problem/polyhedron.hpp"

namespace saltus {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Values, slopes (constraints x rows) and second derivatives of all constraints at a point, over their units.
struct ConvexSet::Point {
  VectorXd value;
  MatrixXd slope;
  std::vector<MatrixXd> curvature;
};

/// A projection under way: of c, at x, with multipliers over `far` of the constraints that hold it there.
struct ConvexSet::Try {
  VectorXd c, x;
  double far = 1.0;  // from c to the set, but at least the set's size: (x - c) / far is no large number
  std::vector<int> active;
  VectorXd multipliers;
  Point here;
};

namespace {
constexpr int most_steps = 40, most_changes = 24, most_planes = 200;
constexpr double allowed = 1e-10, rounding = 1e-14;

std::string text(const std::vector<double>& x) {
  std::string out;
  for (const double v : x) out += (out.empty() ? "(" : ", ") + short_text(v + 0.0);  // no -0
  return out + ")";
}

/// Unit vectors along all rows and diagonals, and others between.
std::vector<VectorXd> directions(int rows) {
  std::vector<VectorXd> out;
  for (int i = 0; i < rows; ++i)
    for (const double sign : {-1.0, 1.0}) out.push_back(sign * VectorXd::Unit(rows, i));
  std::uint64_t state = 1;
  const auto next = [&] { return static_cast<double>((state = state * 6364136223846793005ULL + 1442695040888963407ULL) >> 11) * 0x1p-53 - 0.5; };
  for (int n = 0; n < 60 && rows > 1; ++n) {
    VectorXd d(rows);
    for (int i = 0; i < rows; ++i) d[i] = next();
    if (d.norm() > 0.1) out.push_back(d / d.norm());
  }
  return out;
}
}  // namespace

std::shared_ptr<const ConvexSet> ConvexSet::of(const Function& g, const std::vector<double>& interior, std::string& wrong) {
  std::shared_ptr<const FormulaDerivatives> derivatives = FormulaDerivatives::of(g, 2);
  if (!derivatives || g.reads_data()) wrong = derivatives ? "reads what changes in a run; write its number" : "is no formula, or one of too many operations";
  else if (derivatives->results() > most_constraints) wrong = "has " + std::to_string(derivatives->results()) + " formulas, at most " + std::to_string(most_constraints) + " can be";
  if (!wrong.empty()) return nullptr;
  const std::shared_ptr<ConvexSet> made(new ConvexSet(std::move(derivatives), interior));
  wrong = made->unlike_a_set();
  return wrong.empty() ? made : nullptr;
}

std::string ConvexSet::unlike_a_set() {
  const double at_interior = largest(inside_.data());
  if (!(at_interior < 0.0)) return "is " + short_text(at_interior) + " at the point " + text(inside_) + " of `interior`, must be below 0 there";
  const Eigen::Map<const VectorXd> a(inside_.data(), rows());
  std::vector<VectorXd> ends;
  size_ = 0.0;
  unit_.assign(g_->results(), 1.0);
  for (const VectorXd& d : directions(rows())) {
    const double far = reach(d.data());
    if (!(far < HUGE_VAL)) return "has no end from " + text(inside_) + " along " + text({d.begin(), d.end()}) + ": the set must be bounded";
    ends.push_back(a + far * d), size_ = std::max(size_, far);
  }
  std::vector<double> slopes(unit_.size(), 0.0);
  for (const VectorXd& p : ends) {
    const Point here = at(p.data());
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = std::max(slopes[i], here.slope.row(static_cast<Index>(i)).norm());
  }
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (slopes[i] > 0.0) unit_[i] = slopes[i];
  for (const VectorXd& p : ends)
    for (const VectorXd& q : ends) {
      const VectorXd middle = 0.5 * (p + q);
      if (largest(middle.data()) > 1e-6 * std::max(std::abs(at_interior), 1e-12))
        return "holds " + text({p.begin(), p.end()}) + " and " + text({q.begin(), q.end()}) + ", and not the middle between them: the set must be convex";
    }
  return "";
}

double ConvexSet::largest(const double* x) const {
  std::vector<double> out(g_->size(0));
  (*g_)(x, nullptr, 0, out.data());
  double most = -HUGE_VAL;
  for (int i = 0; i < g_->results(); ++i) most = std::isnan(out[i]) ? HUGE_VAL : std::max(most, out[i]);
  return most;
}

ConvexSet::Point ConvexSet::at(const double* x) const {
  std::vector<double> out(g_->size(2));
  (*g_)(x, nullptr, 2, out.data());
  const Index m = g_->results(), n = rows();
  Point p{VectorXd(m), MatrixXd::Zero(m, n), std::vector<MatrixXd>(m, MatrixXd::Zero(n, n))};
  const double* next = out.data();
  for (Index i = 0; i < m; ++i) p.value[i] = *next++;
  for (const auto& s : g_->slopes()) p.slope(s.result, s.input) = *next++;
  for (const auto& s : g_->curves()) {
    MatrixXd& H = p.curvature[s.result];
    H(s.input, s.other) = H(s.other, s.input) = *next++;
  }
  for (Index i = 0; i < m; ++i) {
    const double per = 1.0 / unit_[i];
    p.value[i] *= per, p.slope.row(i) *= per, p.curvature[i] *= per;
  }
  return p;
}

double ConvexSet::reach(const double* along) const {
  const Eigen::Map<const VectorXd> a(inside_.data(), rows()), d(along, rows());
  const auto outside = [&](double t) { return largest(VectorXd(a + t * d).data()) > 0.0; };
  double low = 0.0, high = std::max(1.0, a.norm());
  while (!outside(high) && high < 1e15) low = high, high *= 2.0;
  if (!outside(high)) return HUGE_VAL;
  while (outside(high) && low == 0.0 && high > 1e-15) (outside(0.5 * high) ? high : low) = 0.5 * high;
  for (int k = 0; k < 50 && high - low > 1e-12 * high; ++k) (outside(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
  return low;
}

bool ConvexSet::nearest(const double* c, double* x, double* derivative) const {
  const Index n = rows();
  Eigen::Map<VectorXd> result(x, n);
  Try t{.c = Eigen::Map<const VectorXd>(c, n)};
  result = t.c;
  if (!t.c.allFinite()) return false;
  bool found = true;
  if (largest(c) <= 0.0) {
    if (derivative) Eigen::Map<MatrixXd>(derivative, n, n).setIdentity();
    return true;
  }
  const Eigen::Map<const VectorXd> a(inside_.data(), n);
  const VectorXd d = (t.c - a) / (t.c - a).norm();
  t.x = a + reach(d.data()) * d;
  t.here = at(t.x.data());
  t.far = std::max((t.c - t.x).norm(), size_);
  Index first = 0;
  t.here.value.maxCoeff(&first);
  t.active = {static_cast<int>(first)};
  if (!by_newton(t)) found = by_planes(t);
  result = t.x;
  if (derivative) derivative_of(t, derivative);
  return found;
}

namespace {
/// size (1 / far + sum l_i g_i'') of the active constraints.
MatrixXd curvature_of(const std::vector<MatrixXd>& curvature, const std::vector<int>& active, const VectorXd& multipliers, double size, double far, Index n) {
  MatrixXd B = MatrixXd::Identity(n, n) * (size / far);
  for (std::size_t k = 0; k < active.size(); ++k) B += size * std::max(multipliers[static_cast<Index>(k)], 0.0) * curvature[active[k]];
  return B;
}
MatrixXd rows_of(const MatrixXd& slope, const std::vector<int>& active) {
  MatrixXd A(static_cast<Index>(active.size()), slope.cols());
  for (std::size_t k = 0; k < active.size(); ++k) A.row(static_cast<Index>(k)) = slope.row(active[k]);
  return A;
}
MatrixXd saddle(const MatrixXd& B, const MatrixXd& A) {
  const Index n = B.rows(), m = A.rows();
  MatrixXd K = MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = B, K.topRightCorner(n, m) = A.transpose(), K.bottomLeftCorner(m, n) = A;
  return K;
}
}  // namespace

/// Newton's method for the active constraints from t.x; false where it does not end.
bool ConvexSet::improved(Try& t) const {
  const Index n = rows(), m = static_cast<Index>(t.active.size());
  t.here = at(t.x.data());
  if (!t.here.slope.allFinite()) return false;
  t.multipliers = dense::least_squares(rows_of(t.here.slope, t.active).transpose(), (t.c - t.x) / t.far);
  bool last = false;
  for (int step = 0; step < most_steps; ++step) {
    const MatrixXd A = rows_of(t.here.slope, t.active);
    VectorXd rest(n + m);
    rest.head(n) = (t.x - t.c) / t.far + A.transpose() * t.multipliers;
    for (Index k = 0; k < m; ++k) rest[n + k] = t.here.value[t.active[k]] / size_;
    if (!rest.allFinite()) return false;
    const VectorXd change = dense::least_norm_vector(saddle(curvature_of(t.here.curvature, t.active, t.multipliers, size_, t.far, n), A), rest);
    t.x -= size_ * change.head(n), t.multipliers -= change.tail(m);
    t.here = at(t.x.data());
    if (!t.here.slope.allFinite() || change.head(n).norm() > 10.0) return false;
    if (last) return true;
    last = change.head(n).norm() <= 1e-7;  // the next step has twice the digits
  }
  return false;
}

bool ConvexSet::by_newton(Try& t) const {
  for (int change = 0; change < most_changes; ++change) {
    if (!improved(t)) return false;
    Index least = 0, most = 0;
    if (t.multipliers.minCoeff(&least) < -std::max(allowed * t.multipliers.cwiseAbs().maxCoeff(), rounding)) {
      if (t.active.size() == 1) return false;
      t.active.erase(t.active.begin() + least);
      continue;
    }
    VectorXd off = t.here.value;
    for (Index i = 0; i < off.size(); ++i) off[i] /= std::max(t.here.slope.row(i).norm(), 1e-300);
    if (off.maxCoeff(&most) <= allowed * size_) return true;
    if (std::find(t.active.begin(), t.active.end(), static_cast<int>(most)) != t.active.end() || static_cast<Index>(t.active.size()) >= rows()) return false;
    t.active.push_back(static_cast<int>(most));
  }
  return false;
}

/// Projections on the planes that bound the set at the points before: they come to the nearest point, and Newton's method ends it.
bool ConvexSet::by_planes(Try& t) const {
  const int n = rows();
  const Eigen::Map<const VectorXd> a(inside_.data(), n);
  std::vector<double> A, bounds;
  std::vector<int> of, active;
  const VectorXd d = (t.c - a) / (t.c - a).norm();
  VectorXd x = a + reach(d.data()) * d, next(n);
  for (int count = 0; count < most_planes; ++count) {
    const Point p = at(x.data());
    if (!p.slope.allFinite()) break;
    Index worst = 0;
    p.value.maxCoeff(&worst);
    const VectorXd normal = p.slope.row(worst) / p.slope.row(worst).norm();
    A.insert(A.end(), normal.begin(), normal.end()), bounds.push_back(normal.dot(x)), of.push_back(static_cast<int>(worst));
    if (!nearest_point({count + 1, A.data(), bounds.data()}, n, 1.0, t.c.data(), next.data(), active)) break;
    t.active.clear();
    for (const int k : active)
      if (std::find(t.active.begin(), t.active.end(), of[k]) == t.active.end()) t.active.push_back(of[k]);
    const VectorXd out = next - a;
    t.x = x = a + std::min(out.norm(), reach(VectorXd(out / out.norm()).data())) * out / out.norm();
    if (!t.active.empty() && by_newton(t)) return true;
  }
  t.x = x, t.here = at(x.data());
  return false;
}

/// dx/dc: the part of the inverse of Newton's matrix that belongs to x.
void ConvexSet::derivative_of(const Try& t, double* out) const {
  const Index n = rows(), m = static_cast<Index>(t.active.size());
  const MatrixXd K = saddle(curvature_of(t.here.curvature, t.active, t.multipliers.size() == m ? t.multipliers : VectorXd::Zero(m), size_, t.far, n), rows_of(t.here.slope, t.active));
  for (Index j = 0; j < n; ++j) Eigen::Map<VectorXd>(out + j * n, n) = size_ / t.far * dense::least_norm_vector(K, VectorXd::Unit(n + m, j)).head(n);  // symmetric
}

double ConvexSet::parameter() const { return std::bit_cast<double>(reinterpret_cast<std::uintptr_t>(this)); }
const ConvexSet& ConvexSet::of_parameter(double parameter) { return *reinterpret_cast<const ConvexSet*>(std::bit_cast<std::uintptr_t>(parameter)); }

namespace {
void prox(const double* parameters, int dim, const double* r, const double* w, double rho, double set_scale, double* result) {
  double c[ConvexSet::most_rows] = {};
  if (!(set_scale > 0.0)) return void(std::fill_n(result, dim, 0.0));
  for (int i = 0; i < dim; ++i) c[i] = (r[i] - rho * w[i]) / set_scale;
  ConvexSet::of_parameter(parameters[0]).nearest(c, result, nullptr);
  for (int i = 0; i < dim; ++i) result[i] *= set_scale;
}

void prox_derivative(const double* parameters, int dim, const double* r, const double* w, double rho, double set_scale, double* by_r, double* by_w) {
  double c[ConvexSet::most_rows] = {}, x[ConvexSet::most_rows];
  std::fill_n(by_r, dim * dim, 0.0);
  for (int i = 0; i < dim && set_scale > 0.0; ++i) c[i] = (r[i] - rho * w[i]) / set_scale;
  if (set_scale > 0.0) ConvexSet::of_parameter(parameters[0]).nearest(c, x, by_r);
  for (int i = 0; i < dim * dim; ++i) by_w[i] = -rho * by_r[i];
}
}  // namespace

const SetType convex_set{.name = "convex", .dim = 0, .prox = prox, .prox_derivative = prox_derivative};

}  // namespace saltus
