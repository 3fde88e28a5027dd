#include "saltus/problem/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/problem/polyhedron.hpp"

namespace saltus {
namespace {

constexpr double smallest = 1e-145;  // sizes whose squares are exact: below, nothing acts

double squared(std::span<const double> x) {
  double sum = 0;
  for (double xi : x) sum += xi * xi;
  return sum;
}

/// y += A x, magnitude += |A| |size|
void add_product(const SparseRows& A, const double* x, const double* size, double* y, double* magnitude) {
  if (A.nonZeros() == 0) return;
  for (int i = 0; i < A.outerSize(); ++i) {
    double sum = y[i], sizes = magnitude[i];
    for (SparseRows::InnerIterator entry(A, i); entry; ++entry) {
      sum += entry.value() * x[entry.col()];
      sizes += std::abs(entry.value() * size[entry.col()]);
    }
    y[i] = sum, magnitude[i] = sizes;
  }
}

/// |M v - p0 - G r| by the largest of its terms. The second half of `work` receives the velocities as units of the rows: |v_j|, or what the
/// free motion p0_j or one term of G r alone would make of it where that is more; of bodies that come to rest v is round-off, and impulses
/// that balance leave nothing of what they are. Never less than problem.sizes: the potential that a diode joins to the ground has no other unit.
double dynamics_residual(const Problem& problem, std::span<const double> v, std::span<const double> r, std::vector<double>& work) {
  const std::size_t n = problem.p0.size();
  work.assign(2 * n, 0.0);
  double *input = work.data(), *motion = input + n;
  const auto add = [&](Eigen::Index j, double term) {
    input[j] += term;
    motion[j] = std::max(motion[j], std::abs(term));
  };
  if (problem.G.nonZeros() > 0) {
    for (int i = 0; i < problem.G.outerSize(); ++i)
      for (SparseRows::InnerIterator entry(problem.G, i); entry; ++entry) add(i, entry.value() * r[entry.col()]);
  } else if (problem.H.nonZeros() > 0) {
    for (int i = 0; i < problem.H.outerSize(); ++i)
      for (SparseRows::InnerIterator entry(problem.H, i); entry; ++entry) add(entry.col(), entry.value() * r[i]);
  }
  double error = 0.0, inputs = 0.0, inertias = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double inertia = 0.0, own = 0.0;
    for (SparseRows::InnerIterator entry(problem.M, static_cast<Eigen::Index>(i)); entry; ++entry) {
      inertia += entry.value() * v[entry.col()];
      if (static_cast<std::size_t>(entry.col()) == i) own += entry.value();
    }
    const double rest = inertia - problem.p0[i] - input[i];
    error += rest * rest, inputs += input[i] * input[i], inertias += inertia * inertia;
    motion[i] = own != 0.0 ? std::max(std::abs(v[i]), std::max(std::abs(problem.p0[i]), motion[i]) / std::abs(own)) : v[i];
  }
  for (std::size_t i = 0; i < problem.sizes.size(); ++i) motion[i] = std::max(std::abs(motion[i]), problem.sizes[i]);
  const double scale = std::max({inputs, inertias, squared(problem.p0)});
  return scale > smallest * smallest ? std::sqrt(error / scale) : 0.0;
}

/// Units of w and r, one pair a kind of set: blocks of a kind share the largest, so that rows that hold nothing but
/// round-off are not measured by it.
void set_scales(const Problem& problem, std::span<const double> r, const std::vector<double>& magnitude,
                ResidualScratch& scratch) {
  const std::size_t count = problem.blocks.size();
  scratch.beta.assign(count, 0.0);
  scratch.gamma.assign(count, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    const Block& block = problem.blocks[k];
    std::size_t first = 0;  // the first block of the kind collects
    while (problem.blocks[first].set != block.set) ++first;
    for (int i = block.begin; i < block.begin + block.dim; ++i) {
      scratch.beta[first] = std::max(scratch.beta[first], magnitude[i]);
      scratch.gamma[first] = std::max(scratch.gamma[first], std::abs(r[i]));
    }
    if (const auto facets = facets_of(block)) {  // so is the distance of a facet
      for (int j = 0; j < facets->count; ++j) {
        const double length = std::sqrt(squared({facets->A + j * block.dim, static_cast<std::size_t>(block.dim)}));
        if (length > 0.0) scratch.gamma[first] = std::max(scratch.gamma[first], std::abs(block.set_scale * facets->a[j]) / length);
      }
    }
    if (!block.set->bounds) continue;
    scratch.bounds.resize(2 * static_cast<std::size_t>(block.dim));  // a finite bound is a unit of r as well
    block.set->bounds(block.parameters, block.dim, block.set_scale, scratch.bounds.data(), scratch.bounds.data() + block.dim);
    for (double bound : scratch.bounds)
      if (std::isfinite(bound)) scratch.gamma[first] = std::max(scratch.gamma[first], std::abs(bound));
  }
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t first = 0;
    while (problem.blocks[first].set != problem.blocks[k].set) ++first;
    scratch.beta[k] = scratch.beta[first] > smallest ? scratch.beta[first] : 0.0;
    scratch.gamma[k] = scratch.gamma[first] > smallest ? scratch.gamma[first] : 0.0;
  }
}

double map_squared(const Block& block, const double* r, const double* w, double rho, double* prox) {
  block.set->prox(block.parameters, block.dim, r, w, rho, block.set_scale, prox);
  double sum = 0;
  for (int i = 0; i < block.dim; ++i) sum += (r[i] - prox[i]) * (r[i] - prox[i]);
  return sum;
}

double scaled_block(const Block& block, const double* r, const double* w, double beta, double gamma, double* prox) {
  if (beta == 0.0 && gamma == 0.0) return std::sqrt(map_squared(block, r, w, 1.0, prox));
  if (beta == 0.0) beta = 1.0;    // w = 0 exactly in all rows of the kind
  if (gamma == 0.0) gamma = 1.0;  // r = 0: then the map is gamma times a function of w/beta, gamma drops out
  return std::sqrt(map_squared(block, r, w, gamma / beta, prox)) / gamma;
}

}  // namespace

Certificate certificate(const Problem& problem, std::span<const double> v, std::span<const double> r, std::span<double> w,
                        ResidualScratch& scratch) {
  Certificate result;
  const std::size_t m = problem.b.size();
  scratch.magnitude.resize(m);
  scratch.prox.resize(m);
  for (std::size_t i = 0; i < m; ++i) scratch.magnitude[i] = std::abs(w[i] = problem.b[i]);
  add_product(problem.D, r.data(), r.data(), w.data(), scratch.magnitude.data());
  if (!problem.p0.empty()) {
    result.dynamics = dynamics_residual(problem, v, r, scratch.dynamics);
    add_product(problem.H, v.data(), scratch.dynamics.data() + v.size(), w.data(), scratch.magnitude.data());
  }
  set_scales(problem, r, scratch.magnitude, scratch);

  double sum = 0, worst = 0;
  for (int k = 0; k < count_of(problem.blocks); ++k) {
    const Block& block = problem.blocks[k];
    const double* rb = r.data() + block.begin;
    const double* wb = w.data() + block.begin;
    const double part = map_squared(block, rb, wb, 1.0, scratch.prox.data());
    sum += part;
    if (part > worst) {
      worst = part;
      result.worst_block = k;
    }
    const double scaled = scaled_block(block, rb, wb, scratch.beta[k], scratch.gamma[k], scratch.prox.data());
    if (!(scaled <= result.scaled_residual)) result.scaled_residual = scaled;
  }
  const double scale = std::sqrt(std::max({squared(problem.b), squared(r), squared(w)}));
  const double natural = scale > smallest ? std::sqrt(sum) / scale : std::sqrt(sum);
  const double terms = std::sqrt(squared(scratch.magnitude));
  result.velocity_residual = std::max(terms > smallest ? std::sqrt(sum) / terms : std::sqrt(sum), result.dynamics);
  result.siconos_error = natural + result.dynamics;
  result.residual = std::max(natural, result.dynamics);
  result.scaled_residual = std::max(result.scaled_residual, result.dynamics);
  if (!std::isfinite(natural) || !std::isfinite(result.dynamics) || !std::isfinite(result.scaled_residual) ||
      !std::isfinite(scale))
    result.residual = result.scaled_residual = result.velocity_residual = result.siconos_error = std::numeric_limits<double>::infinity();
  return result;
}

}  // namespace saltus
