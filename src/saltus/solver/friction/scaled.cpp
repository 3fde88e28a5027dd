#include "saltus/solver/friction/scaled.hpp"

#include <algorithm>

#include "saltus/base/index.hpp"
#include "saltus/solver/friction/body_rows.hpp"
#include "saltus/solver/friction/colouring.hpp"
#include "saltus/solver/friction/dynamics.hpp"

namespace saltus::friction {
namespace {

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

bool all_finite(const SparseRows& A) {
  for (int i = 0; i < A.outerSize(); ++i)
    for (SparseRows::InnerIterator it(A, i); it; ++it)
      if (!std::isfinite(it.value())) return false;
  return true;
}

std::vector<int> blocks_of_rows(const Problem& problem) {
  std::vector<int> block(problem.rows());
  for (int k = 0; k < count_of(problem.blocks); ++k)
    for (int i = 0; i < problem.blocks[k].dim; ++i) block[problem.blocks[k].begin + i] = k;
  return block;
}

bool is_symmetric(const SparseRows& A) {
  const SparseRows T = A.transpose();
  return (A - T).norm() <= 1e-13 * A.norm();
}

bool block_diagonal(const SparseRows& D, const std::vector<int>& block) {
  for (int i = 0; i < D.outerSize(); ++i)
    for (SparseRows::InnerIterator it(D, i); it; ++it)
      if (block[i] != block[it.col()]) return false;
  return true;
}

// P^-1 of row i in its contact.
double row_factor(const Scaled& s, int contact, int i) { return i == 0 ? 1.0 / s.friction[contact] : 1.0; }

/// `order`: of the blocks, or empty.
void read_blocks(const Problem& problem, const std::vector<int>& order, Scaled& s) {
  s.contacts = count_of(problem.blocks);
  s.row.reserve(problem.blocks.size()), s.rows.reserve(problem.blocks.size()), s.friction.reserve(problem.blocks.size());
  for (int c = 0; c < s.contacts; ++c) {
    const Block& block = problem.blocks[order.empty() ? c : order[c]];
    const double mu = block.set->friction(block.parameters);
    s.row.push_back(block.begin);
    s.rows.push_back(mu > 0.0 ? block.dim : 1);
    s.friction.push_back(mu > 0.0 ? mu : 1.0);
  }
}

// b: rms of P^-1 w0 over the rows in use.
void scale_velocities(const std::vector<double>& w0, Scaled& s) {
  for (const double w : w0) s.free_square += w * w;
  double sum = 0.0;
  int count = 0;
  s.q.assign(s.size(), 0.0);
  for (int c = 0; c < s.contacts; ++c)
    for (int i = 0; i < s.rows[c]; ++i, ++count) {
      const double x = row_factor(s, c, i) * w0[s.row[c] + i];
      s.q[3 * c + i] = x;
      sum += x * x;
    }
  s.velocity_unit = sum > 0.0 ? std::sqrt(sum / count) : 1.0;
  for (double& x : s.q) x /= s.velocity_unit;
}

double impulse_unit(const Scaled& s, double trace) {
  int count = 0;
  for (int rows : s.rows) count += rows;
  return trace > 0.0 ? s.velocity_unit * count / trace : 1.0;
}

Lists bodies_of_blocks(const Problem& problem, const Bodies& bodies) {
  std::vector<int> body(problem.unknowns(), -1);
  for (int k = 0; k < bodies.count(); ++k)
    for (const int column : bodies[k]) body[column] = k;
  Lists lists;
  for (const Block& block : problem.blocks) {
    for (int i = block.begin; i < block.begin + block.dim; ++i)
      for (SparseRows::InnerIterator it(problem.H, i); it; ++it) {
        const auto first = lists.items.begin() + lists.begin.back();
        if (std::find(first, lists.items.end(), body[it.col()]) == lists.items.end()) lists.items.push_back(body[it.col()]);
      }
    lists.close();
  }
  return lists;
}

/// Blocks of `block_of_row` that meet in a row of W or in a column.
Lists neighbours_in(const SparseRows& W, const std::vector<int>& block_of_row, int blocks) {
  std::vector<std::vector<int>> found(blocks);
  for (int i = 0; i < W.outerSize(); ++i) {
    const int a = block_of_row[i];
    for (SparseRows::InnerIterator it(W, i); it; ++it)
      if (const int b = block_of_row[it.col()]; b != a && (found[a].empty() || found[a].back() != b)) found[a].push_back(b), found[b].push_back(a);
  }
  Lists lists;
  for (auto& list : found) {
    std::sort(list.begin(), list.end());
    lists.items.insert(lists.items.end(), list.begin(), std::unique(list.begin(), list.end()));
    lists.close();
  }
  return lists;
}

void body_blocks(const Problem& problem, const Bodies& bodies, Scaled& s) {
  s.bodies = bodies.count();
  std::vector<int> body(problem.unknowns(), -1), place(problem.unknowns(), 0);
  for (int k = 0; k < s.bodies; ++k)
    for (int i = 0; i < count_of(bodies[k]); ++i) body[bodies[k][i]] = k, place[bodies[k][i]] = i;
  s.limb_begin.reserve(static_cast<std::size_t>(s.contacts) + 1);
  s.limb_begin.push_back(0);
  for (int c = 0; c < s.contacts; ++c) {
    for (int i = 0; i < s.rows[c]; ++i)
      for (SparseRows::InnerIterator it(problem.H, s.row[c] + i); it; ++it) {
        const int k = body[it.col()];
        auto first = s.limbs.begin() + s.limb_begin[c];
        auto limb = std::find_if(first, s.limbs.end(), [k](const Scaled::Limb& l) { return l.body == k; });
        if (limb == s.limbs.end()) {
          limb = s.limbs.insert(s.limbs.end(), {k, count_of(s.limbs)});
          s.jacobian.resize(s.jacobian.size() + 18, 0.0);
        }
        s.jacobian[18 * limb->offset + 6 * i + place[it.col()]] += row_factor(s, c, i) * it.value();
      }
    s.limb_begin.push_back(count_of(s.limbs));
  }
  s.limbs.shrink_to_fit(), s.jacobian.shrink_to_fit();
}

// Local compliance D (block diagonal) and the padding of contacts with less than three rows, both before units.
void local_blocks(const Problem& problem, Scaled& s) {
  const bool padded = std::any_of(s.rows.begin(), s.rows.end(), [](int rows) { return rows < 3; });
  if (problem.D.nonZeros() == 0 && !padded) return;
  s.compliance.assign(s.contacts, Square{});
  if (problem.D.nonZeros() == 0) return;
  for (int c = 0; c < s.contacts; ++c)
    for (int i = 0; i < s.rows[c]; ++i)
      for (SparseRows::InnerIterator it(problem.D, s.row[c] + i); it; ++it) {
        const int j = static_cast<int>(it.col()) - s.row[c];
        if (j < s.rows[c]) s.compliance[c][3 * i + j] += row_factor(s, c, i) * row_factor(s, c, j) * it.value();
      }
}

/// Lower Cholesky factors of the bodies' mass blocks, 36 a body, reciprocals on the diagonal; unit rows where a body has fewer
/// than six columns. Empty where a block is not positive definite.
std::vector<double> mass_factors(const Problem& problem, const Bodies& bodies) {
  std::vector<double> factors(36 * static_cast<std::size_t>(bodies.count()), 0.0);
  for (int k = 0; k < bodies.count(); ++k) {
    const std::span<const int> columns = bodies[k];
    const int n = count_of(columns);
    double* L = factors.data() + 36 * static_cast<std::size_t>(k);
    for (int i = 0; i < n; ++i)
      for (SparseRows::InnerIterator it(problem.M, columns[i]); it; ++it)
        if (it.value() != 0.0)  // a stored zero may join two bodies
          L[6 * i + (std::lower_bound(columns.begin(), columns.end(), it.col()) - columns.begin())] = it.value();
    for (int j = 0; j < n; ++j) {
      double pivot = L[7 * j];
      for (int m = 0; m < j; ++m) pivot -= L[6 * j + m] * L[6 * j + m];
      if (!(pivot > 0.0) || !std::isfinite(pivot)) return {};
      L[7 * j] = 1.0 / std::sqrt(pivot);
      for (int i = j + 1; i < n; ++i) {
        double x = L[6 * i + j];
        for (int m = 0; m < j; ++m) x -= L[6 * i + m] * L[6 * j + m];
        L[6 * i + j] = x * L[7 * j];
      }
    }
    for (int i = n; i < body_size; ++i) L[7 * i] = 1.0;
  }
  return factors;
}

bool finish_bodies(const Problem& problem, const Bodies& bodies, Scaled& s) {
  const std::vector<double> factors = mass_factors(problem, bodies);
  if (factors.empty() && s.bodies > 0) return false;
  s.diagonal.assign(s.contacts, Square{});
  const auto [trace] = s.loops.sums<1>([&](int first, int last, double* out) {
    double sum = 0.0;
    for (int c = first; c < last; ++c) {
      Square& W = s.diagonal[c];
      if (!s.compliance.empty()) W = s.compliance[c];
      for (int l = s.limb_begin[c]; l < s.limb_begin[c + 1]; ++l) {
        double* J = s.jacobian.data() + 18 * static_cast<std::size_t>(l);
        const double* L = factors.data() + 36 * static_cast<std::size_t>(s.limbs[l].body);
        for (int i = 0; i < body_size; ++i)  // L^-1 from the left, all three rows at once
          for (double* row : {J, J + 6, J + 12}) {
            double x = row[i];
            for (int k = 0; k < i; ++k) x -= L[6 * i + k] * row[k];
            row[i] = x * L[7 * i];
          }
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            for (int k = 0; k < body_size; ++k) W[3 * i + j] += J[6 * i + k] * J[6 * j + k];
      }
      sum += W[0] + W[4] + W[8];
    }
    out[0] = sum;
  });
  s.impulse_unit = impulse_unit(s, trace);
  const double ratio = s.impulse_unit / s.velocity_unit, root = std::sqrt(ratio);
  s.loops.all([&](int first, int last) {
    for (int k = 18 * s.limb_begin[first]; k < 18 * s.limb_begin[last]; ++k) s.jacobian[k] *= root;
    for (int c = first; c < last; ++c)
      for (double& x : s.diagonal[c]) x *= ratio;
  });
  for (Square& A : s.compliance)
    for (double& x : A) x *= ratio;
  for (int c = 0; c < s.contacts; ++c)
    for (int i = s.rows[c]; i < 3; ++i) s.diagonal[c][4 * i] = s.compliance[c][4 * i] = 1.0;
  return true;
}

void contact_blocks(const SparseRows& W, const std::vector<int>& block_of_row, Scaled& s) {
  s.w_begin.assign(1, 0);
  s.diagonal.assign(s.contacts, Square{});
  std::vector<int> seen(s.contacts, -1);
  double trace = 0.0;
  for (int c = 0; c < s.contacts; ++c) {
    const int first = count_of(s.w_index);
    auto slot = [&](int d) {
      if (seen[d] < first) {
        seen[d] = count_of(s.w_index);
        s.w_index.push_back(d);
        s.w_blocks.resize(s.w_blocks.size() + 9, 0.0);
      }
      return s.w_blocks.data() + 9 * static_cast<std::size_t>(seen[d]);
    };
    slot(c);
    for (int i = 0; i < s.rows[c]; ++i)
      for (SparseRows::InnerIterator it(W, s.row[c] + i); it; ++it) {
        const int d = block_of_row[it.col()], j = static_cast<int>(it.col()) - s.row[d];
        if (j < s.rows[d] && (it.value() != 0.0 || d == c))
          slot(d)[3 * i + j] += row_factor(s, c, i) * row_factor(s, d, j) * it.value();
      }
    for (int i = 0; i < 3; ++i) trace += slot(c)[4 * i];
    s.w_begin.push_back(count_of(s.w_index));
  }
  s.impulse_unit = impulse_unit(s, trace);
  const double ratio = s.impulse_unit / s.velocity_unit;
  for (double& x : s.w_blocks) x *= ratio;
  for (int c = 0; c < s.contacts; ++c) {
    double* own = s.w_blocks.data() + 9 * static_cast<std::size_t>(s.w_begin[c]);  // the diagonal block comes first
    for (int i = s.rows[c]; i < 3; ++i) own[4 * i] = 1.0;
    std::copy(own, own + 9, s.diagonal[c].begin());
  }
}

}  // namespace

bool can(const Problem& problem) {
  int rows = 0;
  for (const Block& block : problem.blocks) {
    if (block.set == nullptr || block.set->friction == nullptr || block.dim < 1 || block.dim > 3) return false;
    const double mu = block.set->friction(block.parameters);
    if (!(mu >= 0.0) || !std::isfinite(mu)) return false;
    rows += block.dim;
  }
  if (rows != problem.rows() || rows == 0) return false;
  const bool local = problem.M.rows() == 0;
  if (local) return problem.D.rows() == rows && problem.D.cols() == rows;
  const int n = problem.unknowns();
  return problem.M.rows() == n && problem.M.cols() == n && problem.H.rows() == rows && problem.H.cols() == n;
}

std::optional<Scaled> scaled(const Problem& problem, bool contact_form, Threads* threads) {
  Motion motion(problem);
  return scaled(problem, motion, contact_form, threads);
}

std::optional<Scaled> scaled(const Problem& problem, Motion& motion, bool contact_form, Threads* threads) {
  if (!all_finite(problem.M) || !all_finite(problem.H) || !all_finite(problem.D) || !all_finite(problem.G) ||
      !all_finite(problem.b) || !all_finite(problem.p0))
    return std::nullopt;
  Scaled s;
  std::vector<int> block_of_row = blocks_of_rows(problem);
  std::vector<double> v;
  if (problem.M.rows() > 0 && !motion({}, v)) return std::nullopt;
  const std::vector<double> w0 = relative_velocity(problem, v, {});
  const int blocks = count_of(problem.blocks);
  const auto begin = [&](Colouring colouring) {
    read_blocks(problem, colouring.order, s);
    scale_velocities(w0, s);
    s.loops.lay_out(s.contacts, std::move(colouring.chunk), std::move(colouring.colour));
    if (threads) s.loops.use(*threads);
    return colouring.order;
  };
  if (problem.M.rows() > 0 && !contact_form && problem.G.nonZeros() == 0 &&
      (problem.symmetric || is_symmetric(problem.M)) && block_diagonal(problem.D, block_of_row)) {
    if (const auto found = bodies(problem, motion, block_of_row)) {
      const int count = found->count();
      begin(blocks >= coloured_from ? coloured(bodies_of_blocks(problem, *found), count) : Colouring{});
      body_blocks(problem, *found, s);
      local_blocks(problem, s);
      s.body_form = finish_bodies(problem, *found, s);
      if (s.body_form) return s;
      return std::nullopt;
    }
  }
  std::optional<SparseRows> made;
  if (problem.M.nonZeros() > 0 && !(made = condensed(problem, motion))) return std::nullopt;
  const SparseRows& W = made ? *made : problem.D;
  if (!all_finite(W)) return std::nullopt;
  const std::vector<int> order = begin(blocks >= coloured_from ? coloured(neighbours_in(W, block_of_row, blocks)) : Colouring{});
  std::vector<int> place(order.size());
  for (int c = 0; c < count_of(order); ++c) place[order[c]] = c;
  if (!order.empty())
    for (int& block : block_of_row) block = place[block];
  contact_blocks(W, block_of_row, s);
  return s;
}

void Scaled::velocity(const double* x, double* u) const {
  if (!body_form) {
    loops.all([&](int first, int last) {
      for (int c = first; c < last; ++c) {
        double a = q[3 * c], b = q[3 * c + 1], d = q[3 * c + 2];
        for (int k = w_begin[c]; k < w_begin[c + 1]; ++k) {
          const double* W = w_blocks.data() + 9 * static_cast<std::size_t>(k);
          const double* y = x + 3 * static_cast<std::size_t>(w_index[k]);
          a += W[0] * y[0] + W[1] * y[1] + W[2] * y[2];
          b += W[3] * y[0] + W[4] * y[1] + W[5] * y[2];
          d += W[6] * y[0] + W[7] * y[1] + W[8] * y[2];
        }
        u[3 * c] = a, u[3 * c + 1] = b, u[3 * c + 2] = d;
      }
    });
    return;
  }
  thread_local std::vector<double> scratch;
  scratch.assign(static_cast<std::size_t>(body_size) * bodies, 0.0);
  double* v = scratch.data();  // of this thread, for all
  loops.in_colours([&](int first, int last) { add_impulses(first, last, x, v); });
  loops.all([&](int first, int last) {
    for (int c = first; c < last; ++c) {
      RowSums sums;
      for (int l = limb_begin[c]; l < limb_begin[c + 1]; ++l) sums.add(jacobian.data() + 18 * static_cast<std::size_t>(l), v + body_size * limbs[l].body);
      Triple own{};
      if (!compliance.empty()) multiply(compliance[c].data(), x + 3 * c, own.data());
      for (int i = 0; i < 3; ++i) u[3 * c + i] = q[3 * c + i] + own[i] + sums[i];
    }
  });
}

void Scaled::add_impulses(int first, int last, const double* x, double* v) const {
  for (int c = first; c < last; ++c)
    for (int l = limb_begin[c]; l < limb_begin[c + 1]; ++l)
      add_transposed(jacobian.data() + 18 * static_cast<std::size_t>(l), x + 3 * c, v + body_size * limbs[l].body);
}

std::int64_t Scaled::velocity_flops() const {
  return body_form ? 72 * static_cast<std::int64_t>(limbs.size()) : 18 * static_cast<std::int64_t>(w_index.size());
}

double Scaled::natural(const double* x, const double* u) const {
  const auto [error, impulse, velocity] = loops.sums<3>([&](int first, int last, double* out) { add_natural(first, last, x, u, out); });
  const double size = std::max({free_square, impulse, velocity});
  return size > 0.0 ? std::sqrt(error / size) : 0.0;
}

void Scaled::add_natural(int first, int last, const double* x, const double* u, double* out) const {
  double error = 0.0, impulse = 0.0, velocity = 0.0;
  for (int c = first; c < last; ++c) {
    const double mu = friction[c];
    double r[3] = {x[3 * c] / mu, x[3 * c + 1], x[3 * c + 2]}, w[3] = {mu * u[3 * c], u[3 * c + 1], u[3 * c + 2]};
    for (int i = 0; i < 3; ++i) r[i] *= impulse_unit, w[i] *= velocity_unit;
    if (rows[c] < 3) r[2] = w[2] = 0.0;
    if (rows[c] < 2) r[1] = w[1] = 0.0;
    const double shift = mu * tangent_norm(w);
    // Projection onto {|z_T| <= mu z_N}.
    double z[3] = {r[0] - w[0] - shift, r[1] - w[1], r[2] - w[2]};
    const double s = tangent_norm(z);
    if (s > mu * z[0]) {
      const double normal = std::max(0.0, (z[0] + mu * s) / (1.0 + mu * mu)), factor = s > 0.0 ? mu * normal / s : 0.0;
      z[0] = normal, z[1] *= factor, z[2] *= factor;
    }
    for (int i = 0; i < 3; ++i) {
      error += (r[i] - z[i]) * (r[i] - z[i]);
      impulse += r[i] * r[i];
      velocity += w[i] * w[i];
    }
  }
  out[0] = error, out[1] = impulse, out[2] = velocity;
}

double Scaled::natural_scaled(const double* x, const double* u) const {
  const auto [error, impulse, velocity, free] = loops.sums<4>([&](int first, int last, double* out) {
    double error = 0.0, impulse = 0.0, velocity = 0.0, free = 0.0;
    for (int c = first; c < last; ++c) {
      const double *xc = x + 3 * c, *uc = u + 3 * c;
      Triple z{xc[0] - uc[0] - tangent_norm(uc), xc[1] - uc[1], xc[2] - uc[2]};
      project(z.data(), z.data());
      for (int i = 0; i < 3; ++i) {
        error += (xc[i] - z[i]) * (xc[i] - z[i]);
        impulse += xc[i] * xc[i], velocity += uc[i] * uc[i], free += q[3 * c + i] * q[3 * c + i];
      }
    }
    out[0] = error, out[1] = impulse, out[2] = velocity, out[3] = free;
  });
  const double size = std::max({free, impulse, velocity});
  return size > 0.0 ? std::sqrt(error / size) : 0.0;
}

void Scaled::scale_impulse(std::span<const double> r, double* x) const {
  std::fill(x, x + size(), 0.0);
  for (int c = 0; c < contacts; ++c) {
    for (int i = 0; i < rows[c]; ++i) x[3 * c + i] = r[row[c] + i] * (i == 0 ? friction[c] : 1.0) / impulse_unit;
    project(x + 3 * c, x + 3 * c);
  }
}

void Scaled::unscale_impulse(const double* x, std::span<double> r) const {
  std::fill(r.begin(), r.end(), 0.0);
  for (int c = 0; c < contacts; ++c)
    for (int i = 0; i < rows[c]; ++i) r[row[c] + i] = x[3 * c + i] * impulse_unit / (i == 0 ? friction[c] : 1.0);
}

}  // namespace saltus::friction
