#include "saltus/solver/few_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "saltus/base/index.hpp"
#include "saltus/math/packs.hpp"
#include "saltus/solver/equal_springs.hpp"
#include "saltus/solver/friction/local.hpp"

namespace saltus {
namespace {

using friction::Square;
using Pack = FourDoubles;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int padded(int n) { return (n + 3) & ~3; }

/// y += f x over `count` numbers, a multiple of four.
inline void add(double f, const double* x, int count, double* y) {
  const Pack factor = {f, f, f, f};
  for (int j = 0; j < count; j += 4) store(load<Pack>(y + j) + factor * load<Pack>(x + j), y + j);
}

inline double dot(const double* x, const double* y, int count) {
  Pack sum = {};
  for (int j = 0; j < count; j += 4) sum += load<Pack>(x + j) * load<Pack>(y + j);
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/// Gauss with partial pivoting on the leading n columns of `rows`, whose entries stand at most `reach` beside the diagonal; the
/// other columns become the solutions. Zeros are passed over. Returns the least pivot by the largest entry of its column, zero
/// where it breaks off.
double eliminate_rows(double* rows, int n, int stride, int reach) {
  double least = infinity;
  double size[FewRows::most_unknowns] = {};
  const int wide = std::min(2 * reach, n - 1);  // of a row, exchanges included
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - reach); j <= std::min(n - 1, i + reach); ++j) size[j] = std::max(size[j], std::abs(rows[i * stride + j]));
  const int rest = padded(n);
  for (int k = 0; k < n; ++k) {
    double* pivot_row = rows + k * stride;
    const int last = std::min(n - 1, k + reach);
    int best = k;
    for (int i = k + 1; i <= last; ++i)
      if (std::abs(rows[i * stride + k]) > std::abs(rows[best * stride + k])) best = i;
    const double pivot = rows[best * stride + k];
    if (!(std::abs(pivot) > 1e-14 * size[k])) return 0.0;
    least = std::min(least, std::abs(pivot) / size[k]);
    if (best != k) std::swap_ranges(pivot_row, pivot_row + stride, rows + best * stride);
    const int from = (k + 1) & ~3;  // the entries at and before k are not read again
    for (int i = k + 1; i <= last; ++i)
      if (double* row = rows + i * stride; row[k] != 0.0) add(-row[k] / pivot, pivot_row + from, stride - from, row + from);
  }
  for (int k = n - 1; k >= 0; --k) {
    double* row = rows + k * stride;
    const double inverse = 1.0 / row[k];
    for (int j = k + 1; j <= std::min(n - 1, k + wide); ++j)
      if (const double f = row[j]; f != 0.0) {
        for (int c = n; c < rest; ++c) row[c] -= f * rows[j * stride + c];
        add(-f, rows + j * stride + rest, stride - rest, row + rest);
      }
    for (int c = n; c < stride; ++c) row[c] *= inverse;
  }
  return least;
}

/// z = x - y - mu |y_T| e of a contact of two or three rows, and where it stands to the cone |z_T| <= mu z_0.
struct Cone {
  double mu, z0, z1, z2, size, along1, along2;  // size: |z_T|; along: y_T / |y_T|

  Cone(double friction, int dim, const double* x, const double* y) : mu(friction), z1(x[1] - y[1]) {
    const double y2 = dim > 2 ? y[2] : 0.0, slip = dim > 2 ? std::sqrt(y[1] * y[1] + y2 * y2) : std::abs(y[1]);
    z2 = dim > 2 ? x[2] - y2 : 0.0;
    z0 = x[0] - y[0] - mu * slip;
    size = dim > 2 ? std::sqrt(z1 * z1 + z2 * z2) : std::abs(z1);
    along1 = slip > 0.0 ? y[1] / slip : 0.0, along2 = slip > 0.0 ? y2 / slip : 0.0;
  }
  bool inside() const { return size <= mu * z0; }
  bool open() const { return mu * size <= -z0; }
  double normal() const { return (z0 + mu * size) / (1.0 + mu * mu); }  // of the projection of a z that is neither

  void project(double* z) const {
    const double n = inside() ? z0 : open() ? 0.0 : normal(), factor = inside() ? 1.0 : n > 0.0 ? mu * n / size : 0.0;
    z[0] = n, z[1] = factor * z1, z[2] = factor * z2;
  }
  Square derivative() const {
    if (inside()) return {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (open()) return {};
    const double w = 1.0 / (1.0 + mu * mu), c1 = mu * z1 / size, c2 = mu * z2 / size, k = mu * normal() / size;
    const double across = w - k / (mu * mu);
    return {w, w * c1, w * c2, w * c1, k + across * c1 * c1, across * c1 * c2, w * c2, across * c1 * c2, k + across * c2 * c2};
  }
  bool between_states(double near) const {
    const double edge = near * std::sqrt(1.0 + mu * mu);
    return std::abs(size - mu * z0) <= edge || std::abs(z0 + mu * size) <= edge;
  }
};

}  // namespace

bool FewRows::can(const Block& block) {
  if (block.set->bounds) return true;
  if (!block.set->friction || (block.dim != 2 && block.dim != 3)) return false;
  const double mu = block.set->friction(block.parameters);
  return mu >= 0.0 && std::isfinite(mu);
}

bool FewRows::can(const Problem& problem) {
  if (problem.rows() + problem.unknowns() < 1 || problem.rows() > most_rows || problem.unknowns() > most_unknowns) return false;
  if (problem.unknowns() == 0 && problem.D.rows() != problem.rows()) return false;
  return std::all_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& block) { return can(block); });
}

/// rows_ = M^-1 (p0, G) in the columns from n_ on.
bool FewRows::eliminate(const Problem& problem) {
  width_ = padded(n_ + 1 + padded(m_));
  rows_.assign(n_ * width_, 0.0);
  int reach = 0;
  for (int i = 0; i < n_; ++i) {
    double* row = rows_.data() + i * width_;
    for (SparseRows::InnerIterator a(problem.M, i); a; ++a) {
      row[a.col()] += a.value();
      if (a.value() != 0.0) reach = std::max(reach, std::abs(static_cast<int>(a.col()) - i));
    }
    row[n_] = problem.p0[i];
    if (problem.G.nonZeros() > 0)
      for (SparseRows::InnerIterator a(problem.G, i); a; ++a) row[n_ + 1 + a.col()] += a.value();
  }
  if (problem.G.nonZeros() == 0)
    for (int i = 0; i < m_; ++i)
      for (SparseRows::InnerIterator a(problem.H, i); a; ++a) rows_[static_cast<int>(a.col()) * width_ + n_ + 1 + i] += a.value();
  flops_ += 2LL * n_ * (reach + 1) * width_;
  return eliminate_rows(rows_.data(), n_, width_, reach) > 1e-13;
}

void FewRows::local(const Problem& problem) {
  stride_ = padded(m_);
  W_.assign(m_ * stride_, 0.0);
  q_.assign(problem.b.begin(), problem.b.end());
  for (int i = 0; i < m_; ++i) {
    double* row = W_.data() + i * stride_;
    if (problem.D.nonZeros() > 0)
      for (SparseRows::InnerIterator a(problem.D, i); a; ++a) row[a.col()] += a.value();
    if (n_ == 0) continue;
    for (SparseRows::InnerIterator a(problem.H, i); a; ++a) {
      const double* motion = rows_.data() + a.col() * width_ + n_;
      q_[i] += a.value() * motion[0];
      add(a.value(), motion + 1, stride_, row);
    }
  }
}

/// Blocks into parts, and everything into its scale.
bool FewRows::read(const Problem& problem) {
  parts_.clear();
  factor_.assign(m_, 1.0);
  low_.resize(m_);
  high_.resize(m_);
  const auto diagonal = [this](int i) { return std::max(W_[i * stride_ + i], 0.0); };
  for (const Block& block : problem.blocks) {
    const double mu = block.set->friction ? block.set->friction(block.parameters) : 0.0;
    if (block.set->friction && mu > 0.0) {
      const double normal = diagonal(block.begin), tangent = diagonal(block.begin + 1) + (block.dim > 2 ? diagonal(block.begin + 2) : 0.0);
      const double mean = tangent / (block.dim - 1), t = std::sqrt(mean > 0.0 ? mean : normal > 0.0 ? normal : 1.0);
      for (int i = 1; i < block.dim; ++i) factor_[block.begin + i] = t;
      factor_[block.begin] = normal > 0.0 ? std::sqrt(normal) : t;
      parts_.push_back({block.begin, block.dim, block.dim == 2 ? Kind::line : Kind::cone, mu * t / factor_[block.begin]});
      continue;
    }
    parts_.push_back({block.begin, block.dim, Kind::bounds, 0.0});
    double *low = low_.data() + block.begin, *high = high_.data() + block.begin;
    if (block.set->bounds) {
      block.set->bounds(block.parameters, block.dim, block.set_scale, low, high);
    } else {
      std::fill(low, low + block.dim, 0.0);
      std::fill(high, high + block.dim, 0.0);
      high[0] = infinity;
    }
    for (int i = 0; i < block.dim; ++i)
      if (const double a = diagonal(block.begin + i); a > 0.0) {
        const double t = factor_[block.begin + i] = std::sqrt(a);
        low[i] *= t, high[i] *= t;
      }
  }
  if (parts_.size() != problem.blocks.size()) return false;
  norm_.W = norm_.q = 0.0;
  for (int i = 0; i < m_; ++i) {
    const double f = 1.0 / factor_[i];
    double* row = W_.data() + i * stride_;
    double sum = 0.0;
    for (int j = 0; j < m_; ++j) sum += std::abs(row[j] *= f / factor_[j]);
    norm_.W = std::max(norm_.W, sum);
    norm_.q = std::max(norm_.q, std::abs(q_[i] *= f));
  }
  return std::isfinite(norm_.W) && std::isfinite(norm_.q);
}

/// Cholesky of W in `jacobian_`; false where W is not symmetric or a pivot is small.
bool FewRows::definite() {
  double* L = jacobian_.data();
  for (int i = 0; i < m_; ++i) {
    const double* row = W_.data() + i * stride_;
    double* Li = L + i * stride_;
    for (int j = 0; j < i; ++j) {
      if (std::abs(row[j] - W_[j * stride_ + i]) > 1e-12) return false;
      double x = row[j];
      for (int k = 0; k < j; ++k) x -= Li[k] * L[j * stride_ + k];
      Li[j] = x * L[j * stride_ + j];
    }
    double pivot = row[i];
    for (int k = 0; k < i; ++k) pivot -= Li[k] * Li[k];
    if (!(pivot > 1e-9)) return false;
    Li[i] = 1.0 / std::sqrt(pivot);
  }
  return true;
}

double FewRows::map(const double* x, double* y, double* F) const {
  for (int i = 0; i < m_; ++i) y[i] = q_[i] + dot(W_.data() + i * stride_, x, stride_) + added_.compliance * (x[i] - added_.rest[i]);
  double sum = 0.0;
  for (const Part& part : parts_) {
    const int b = part.begin;
    if (part.kind == Kind::bounds) {
      for (int i = b; i < b + part.dim; ++i) {
        F[i] = x[i] - std::clamp(x[i] - y[i], low_[i], high_[i]);
        sum += F[i] * F[i];
      }
      continue;
    }
    const Cone at_point(part.mu, part.dim, x + b, y + b);
    double z[3];
    at_point.project(z);
    for (int i = 0; i < part.dim; ++i) {
      F[b + i] = x[b + i] - z[i];
      sum += F[b + i] * F[b + i];
    }
  }
  return sum;
}

double FewRows::largest() const {
  double most = 0.0;
  for (int i = 0; i < m_; ++i) most = std::max(most, std::abs(x_[i]));
  return most;
}

bool FewRows::at_rounding(double square, double level) const {
  const double size = level * (norm_.q + (1.0 + norm_.W) * largest());
  return square <= size * size;
}

/// J at x_ and -F beside it, in `jacobian_`.
void FewRows::write_jacobian() {
  const int stride = padded(m_ + 1);
  for (const Part& part : parts_) {
    const int b = part.begin;
    double* J = jacobian_.data() + b * stride;
    const double* W = W_.data() + b * stride_;
    std::fill(J, J + part.dim * stride, 0.0);
    for (int i = 0; i < part.dim; ++i) J[i * stride + m_] = -F_[b + i];
    if (part.kind == Kind::bounds) {
      for (int i = 0; i < part.dim; ++i) {
        const double z = x_[b + i] - y_[b + i];
        const bool inside = z > low_[b + i] && z < high_[b + i];
        if (inside) std::copy_n(W + i * stride_, m_, J + i * stride);
        J[i * stride + b + i] += inside ? added_.shift : 1.0;
      }
      continue;
    }
    // T W + (1 - G): G the derivative of the projection, T = G (1 + mu e y_T^T / |y_T|).
    const Cone here(part.mu, part.dim, x_.data() + b, y_.data() + b);
    const Square G = here.derivative();
    const double d1 = part.mu * here.along1, d2 = part.mu * here.along2;
    for (int i = 0; i < part.dim; ++i) {
      const double g = G[3 * i];
      double* row = J + i * stride;
      add(g, W, stride_, row);
      add(G[3 * i + 1] + g * d1, W + stride_, stride_, row);
      if (part.dim > 2) add(G[3 * i + 2] + g * d2, W + 2 * stride_, stride_, row);
      for (int j = 0; j < part.dim; ++j) {
        const double by_y = G[3 * i + j] + (j == 1 ? g * d1 : j == 2 ? g * d2 : 0.0);
        row[b + j] += (i == j ? 1.0 : 0.0) - G[3 * i + j] + added_.shift * by_y;
      }
    }
  }
}

/// dx = -J^-1 F at x_ in the last column of `jacobian_`; false where J is singular.
bool FewRows::newton_step() {
  write_jacobian();
  flops_ += 2LL * m_ * m_ * m_ / 3 + 8LL * m_ * m_;
  least_pivot_ = eliminate_rows(jacobian_.data(), m_, padded(m_ + 1), m_ - 1);
  return least_pivot_ > 0.0;
}

bool FewRows::newton(int steps) {
  double square = map(x_.data(), y_.data(), F_.data());
  const int stride = padded(m_ + 1);
  for (int step = 0; step < steps; ++step) {
    if (at_rounding(square, 1e-15)) return true;
    if (!newton_step()) return false;
    ++iterations_;
    bool down = false;
    double t = 1.0;
    for (int halving = 0; halving < 5 && !down; ++halving, t *= 0.5) {
      for (int i = 0; i < m_; ++i) trial_[i] = x_[i] + t * jacobian_[i * stride + m_];
      const double there = map(trial_.data(), trial_y_.data(), trial_F_.data());
      flops_ += 2LL * m_ * m_;
      down = there < (1.0 - 1e-4 * t) * square;
      if (down) square = there;
    }
    if (!down) return at_rounding(square, 1e-13);
    x_.swap(trial_), y_.swap(trial_y_), F_.swap(trial_F_);
  }
  return at_rounding(square, 1e-13);
}

void FewRows::solve_block(const Part& part, const double* c, double* x) const {
  const int b = part.begin;
  const auto W = [&](int i, int j) { return W_[(b + i) * stride_ + b + j]; };
  if (part.kind == Kind::cone) {  // brought to |x_T| <= x_0
    const double mu = part.mu;
    Square A{}, inverse;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) A[3 * i + j] = W(i, j) / ((i == 0 ? mu : 1.0) * (j == 0 ? mu : 1.0));
    const double turned[3] = {c[0] / mu, c[1], c[2]};
    // A contact without effect on some direction: a small multiple of the trace keeps its own problem solvable.
    Square shifted = A;
    for (double eps = 1e-14; !friction::invert(shifted.data(), inverse.data()) && eps < 1.0; eps *= 10.0)
      for (int i = 0; i < 3; ++i) shifted[4 * i] = A[4 * i] + eps;
    x[0] *= mu;
    friction::solve_contact(A.data(), inverse.data(), turned, x);
    x[0] /= mu;
    return;
  }
  x[0] = x[1] = 0.0;
  if (c[0] >= 0.0) return;
  const double det = W(0, 0) * W(1, 1) - W(0, 1) * W(1, 0);
  if (det > 0.0) {
    const double normal = (W(0, 1) * c[1] - W(1, 1) * c[0]) / det, tangent = (W(1, 0) * c[0] - W(0, 0) * c[1]) / det;
    if (std::abs(tangent) <= part.mu * normal) {
      x[0] = normal, x[1] = tangent;
      return;
    }
  }
  for (const double side : {-part.mu, part.mu}) {  // slides against the impulse
    const double k = W(0, 0) + side * W(0, 1);
    if (!(k > 0.0)) continue;
    const double normal = -c[0] / k, slip = c[1] + normal * (W(1, 0) + side * W(1, 1));
    if (side * slip > 0.0) continue;
    x[0] = normal, x[1] = side * normal;
    return;
  }
}

void FewRows::sweep() {
  ++iterations_;
  flops_ += 2LL * m_ * m_ + 150 * static_cast<std::int64_t>(parts_.size());
  for (const Part& part : parts_) {
    const int b = part.begin;
    if (part.kind == Kind::bounds) {
      for (int i = b; i < b + part.dim; ++i) {
        const double *row = W_.data() + i * stride_, y = q_[i] + dot(row, x_.data(), stride_);
        x_[i] = std::clamp(x_[i] - (row[i] > 1e-12 ? y / row[i] : y), low_[i], high_[i]);
      }
      continue;
    }
    double c[3], x[3];
    for (int i = 0; i < part.dim; ++i) {
      const double* row = W_.data() + (b + i) * stride_;
      c[i] = q_[b + i] + dot(row, x_.data(), stride_);
      for (int j = 0; j < part.dim; ++j) c[i] -= row[b + j] * x_[b + j];
      x[i] = x_[b + i];
    }
    solve_block(part, c, x);
    for (int i = 0; i < part.dim; ++i) x_[b + i] = x[i];
  }
}

bool FewRows::isolated() {
  if (!definite_ || !newton_step() || least_pivot_ < 1e-9) return false;
  const double near = 1e-9 * std::max(norm_.q, largest());
  for (const Part& part : parts_) {
    if (part.kind != Kind::bounds) {
      if (Cone(part.mu, part.dim, x_.data() + part.begin, y_.data() + part.begin).between_states(near)) return false;
      continue;
    }
    for (int i = part.begin; i < part.begin + part.dim; ++i) {
      const double z = x_[i] - y_[i];
      if (low_[i] < high_[i] && (std::abs(z - low_[i]) <= near || std::abs(high_[i] - z) <= near)) return false;
    }
  }
  return true;
}

/// As if each contact stood on a spring, the springs alike and ever stiffer: first with springs, from there to the solution by steps that leave the part of x
/// alone which W does not see, and then, where rounding of fast motions over the compliance is not far below the loads, by the kernel itself. Proximal point from zero (Rockafellar 1976).
bool FewRows::share_alike() {
  constexpr double compliance = 1e-6, fast = 1.0;  // of the largest multiplier
  const double shift = std::exchange(added_.shift, compliance);
  kept_[0] = x_;
  added_.compliance = compliance;
  bool solved = newton(12);
  added_.compliance = 0.0;
  solved = solved && newton(12);
  if (solved && norm_.q > fast * largest()) share_exactly();
  added_.shift = shift;
  if (!solved) {
    x_ = kept_[0];
    map(x_.data(), y_.data(), F_.data());
  }
  return solved;
}

/// At a solution, with slip in its direction there: only normals of what slips stand on springs then, and friction follows them. The kernel of the map itself takes in how loads turn a slip, in proportion to the step: the
/// loads would depend on its length to first order. Stays where it was if they cannot be told.
void FewRows::share_exactly() {
  constexpr int rounds = 4;
  kept_[1] = x_;
  for (int round = 0; round < rounds; ++round) {
    const double shift = std::exchange(added_.shift, 0.0);
    write_jacobian();
    added_.shift = shift;
    write_springs();
    if (!share_by_springs(jacobian_.data(), share_.held.data(), share_.springs.data(), m_, padded(m_ + 1), added_.rest.data(), x_.data())) break;
    if (at_rounding(map(x_.data(), y_.data(), F_.data()), 1e-13)) return;
    if (!newton(12)) break;
  }
  x_ = kept_[1];
  map(x_.data(), y_.data(), F_.data());
}

/// What holds at x_ as linear rows in `share_.held`, springs under them in `share_.springs`.
void FewRows::write_springs() {
  constexpr double all = 1.0 - 1e-9;
  const int stride = padded(m_ + 1);
  share_.held.assign(jacobian_.size(), 0.0), share_.springs.assign(jacobian_.size(), 0.0);
  const auto hold = [&](int i, bool holds) {
    if (holds) std::copy_n(W_.data() + i * stride_, m_, share_.held.data() + i * stride);
    (holds ? share_.springs : share_.held)[at(i * stride + i)] += holds ? share_.compliance[at(i)] : 1.0;
  };
  for (const Part& part : parts_) {
    const int b = part.begin;
    const double* x = x_.data() + b;
    if (part.kind == Kind::bounds) {
      for (int i = b; i < b + part.dim; ++i) hold(i, x_[i] - y_[i] > low_[i] && x_[i] - y_[i] < high_[i]);
      continue;
    }
    const double normal = x[0], rubs = part.dim > 2 ? std::hypot(x[1], x[2]) : std::abs(x[1]);
    const bool carries = normal > 0.0, slips = carries && rubs >= all * part.mu * normal;
    hold(b, carries);
    for (int i = 1; i < part.dim; ++i) {
      hold(b + i, carries && !slips);
      if (slips) share_.held[at((b + i) * stride + b)] = -x[i] / normal;
    }
  }
}

/// Whether rows move otherwise at x_ than at `other`, by more than rounding: else these loads do as well.
bool FewRows::moves_otherwise(const std::vector<double>& other) {
  constexpr double rounding = 1e-9;
  map(other.data(), trial_y_.data(), trial_F_.data());
  double most = 0.0;
  for (int i = 0; i < m_; ++i) most = std::max(most, std::abs(y_[i] - trial_y_[i]));
  return most > rounding * norm_.q;
}

/// To near the solution on stiff springs from that on soft ones, which has no other one near it.
bool FewRows::from_soft_springs() {
  constexpr double softest = 1.0, stiffest = 1e-5, stiffer = 0.1;
  const double shift = std::exchange(added_.shift, softest);
  x_ = added_.rest;
  bool solved = true;
  for (double c = softest; solved && c > 0.5 * stiffest; c *= stiffer) {
    added_.compliance = added_.shift = c;
    solved = newton(12);
  }
  added_.compliance = 0.0, added_.shift = shift;
  map(x_.data(), y_.data(), F_.data());
  return solved;
}

/// From x_: where W is singular the loads as they are shared alike, else any solution; cold: there are none of before, near which the next ones should be.
bool FewRows::newton_or_shared(bool cold) {
  if (definite_) return newton(12);
  if (at_rounding(map(x_.data(), y_.data(), F_.data()), 1e-14)) return true;  // nothing has changed
  if (share_alike()) return true;
  if (!newton(12)) return false;
  if (share_alike()) return true;
  kept_[1] = x_;
  x_ = added_.rest;
  sweep();
  sweep();
  if (share_alike() || (cold && from_soft_springs() && share_alike() && moves_otherwise(kept_[1]))) return true;
  x_ = kept_[1];
  map(x_.data(), y_.data(), F_.data());
  return true;
}

/// Rows at a bound, as the set tells it: not one rounding of the scale beside it.
void FewRows::exact_bounds(const Problem& problem, std::span<double> r) {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Block& block = problem.blocks[k];
    if (!block.set->bounds) continue;
    double *low = trial_.data(), *high = trial_F_.data();
    block.set->bounds(block.parameters, block.dim, block.set_scale, low, high);
    for (int i = 0; i < block.dim; ++i) {
      const std::size_t row = at(block.begin + i);
      const double z = x_[row] - y_[row];
      if (z <= low_[row]) r[row] = low[i];
      else if (z >= high_[row]) r[row] = high[i];
    }
  }
}

bool FewRows::solve(const Problem& problem, bool only_isolated, std::span<double> v, std::span<double> r) {
  n_ = problem.unknowns(), m_ = problem.rows();
  iterations_ = 0, flops_ = 0;
  if (n_ > 0 && !eliminate(problem)) return false;
  local(problem);
  if (!read(problem)) return false;
  for (auto* x : {&x_, &y_, &F_, &trial_, &trial_y_, &trial_F_}) x->assign(at(stride_), 0.0);
  jacobian_.resize(m_ * padded(m_ + 1)), share_.springs.reserve(jacobian_.size()), share_.held.reserve(jacobian_.size());
  definite_ = definite();
  if (only_isolated && !definite_) return false;
  added_.shift = definite_ ? 0.0 : 1e-8;
  bool warm = false;
  added_.rest.assign(at(stride_), 0.0);
  for (int i = 0; i < count_of(problem.rest); ++i) added_.rest[i] = problem.rest[i] * factor_[i];
  share_.compliance.assign(at(m_), 1.0);
  for (int i = 0; i < count_of(problem.springs); ++i)
    if (problem.springs[i] > 0.0) share_.compliance[i] = problem.springs[i] / (factor_[i] * factor_[i]);
  for (int i = 0; i < m_; ++i) warm |= (x_[i] = r[i] * factor_[i]) != 0.0;
  if (parts_.size() == 1 && parts_[0].kind != Kind::bounds) {
    sweep();
  } else if (!warm) {
    sweep();
    sweep();
  }
  bool solved = newton_or_shared(!warm);
  for (const int sweeps : {6, 30, 150}) {
    if (solved) break;
    for (int i = 0; i < sweeps; ++i) sweep();
    solved = newton_or_shared(!warm);
  }
  if (!solved || (only_isolated && !isolated())) return false;
  for (int i = 0; i < m_; ++i) r[i] = (x_[i] - F_[i]) / factor_[i];
  exact_bounds(problem, r);
  for (int i = 0; i < n_; ++i) {
    const double* motion = rows_.data() + i * width_ + n_;
    double sum = motion[0];
    for (int j = 0; j < m_; ++j) sum += motion[1 + j] * r[j];
    v[i] = sum;
  }
  return true;
}

}  // namespace saltus
