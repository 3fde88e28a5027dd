#include "saltus/solver/mlcp_form.hpp"

#include <algorithm>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/problem/polyhedron.hpp"

namespace saltus {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
bool planar(const Block& block) { return block.set->friction && block.dim == 2; }
}  // namespace

bool MlcpForm::can(const Problem& problem) {
  return std::all_of(problem.blocks.begin(), problem.blocks.end(),
                     [](const Block& block) { return block.set->bounds || facets_of(block) || planar(block); });
}

int MlcpForm::size(const Problem& problem) {
  int n = problem.unknowns() + problem.rows();
  for (const Block& block : problem.blocks)
    if (planar(block)) ++n;
    else if (const auto facets = facets_of(block)) n += facets->count;
  return n;
}

/// Adds factor times row `source_row` of A, whose columns are r (or v), to row `row` of the form.
void MlcpForm::add_row(int row, const SparseRows& A, int source_row, double factor, bool of_r) {
  if (A.nonZeros() == 0) return;
  for (SparseRows::InnerIterator item(A, source_row); item; ++item) {
    const int j = static_cast<int>(item.col());
    const double a = factor * item.value();
    if (!of_r) {
      entry(row, j) += a;
      continue;
    }
    entry(row, place_[j]) += a;
    if (mu_[j] >= 0.0) entry(row, place_[j - 1]) -= mu_[j] * a;  // r_t = s - mu r_n
  }
}

void MlcpForm::build(const Problem& problem) {
  const int n = problem.unknowns();
  form_.n = size(problem);
  const std::size_t size = at(form_.n);
  form_.A.assign(size * size, 0.0);
  form_.q.assign(size, 0.0);
  form_.low.assign(size, -infinity);
  form_.high.assign(size, infinity);
  place_.resize(problem.b.size());
  mu_.assign(problem.b.size(), -1.0);
  int next = n;
  for (const Block& block : problem.blocks) {
    for (int i = 0; i < block.dim; ++i) place_[block.begin + i] = next++;
    if (const auto facets = facets_of(block)) next += facets->count;
    if (!planar(block)) continue;
    mu_[block.begin + 1] = block.set->friction(block.parameters);
    ++next;  // u_t-
  }
  for (int i = 0; i < n; ++i) {
    add_row(i, problem.M, i, 1.0, false);
    form_.q[i] = -problem.p0[i];
  }
  if (problem.G.nonZeros() > 0) {
    for (int i = 0; i < n; ++i) add_row(i, problem.G, i, -1.0, true);
  } else if (n > 0) {
    for (int j = 0; j < problem.rows(); ++j)
      for (SparseRows::InnerIterator item(problem.H, j); item; ++item) {
        const int i = static_cast<int>(item.col());
        entry(i, place_[j]) -= item.value();
        if (mu_[j] >= 0.0) entry(i, place_[j - 1]) += mu_[j] * item.value();
      }
  }
  for (const Block& block : problem.blocks) {
    const int first = place_[block.begin];
    for (int i = 0; i < block.dim; ++i) {
      add_row(first + i, problem.H, block.begin + i, 1.0, false);
      add_row(first + i, problem.D, block.begin + i, 1.0, true);
      form_.q[first + i] = problem.b[block.begin + i];
    }
    if (block.set->bounds) {
      block.set->bounds(block.parameters, block.dim, block.set_scale, &form_.low[first], &form_.high[first]);
      continue;
    }
    if (const auto facets = facets_of(block)) {
      for (int j = 0; j < facets->count; ++j) {
        const int multiplier = first + block.dim + j;
        form_.low[multiplier] = 0.0;
        form_.q[multiplier] = block.set_scale * facets->a[j];
        for (int i = 0; i < block.dim; ++i) {
          entry(first + i, multiplier) = facets->A[j * block.dim + i];
          entry(multiplier, first + i) = -facets->A[j * block.dim + i];
        }
      }
      continue;
    }
    const double mu = mu_[block.begin + 1];
    for (int i = 0; i < 3; ++i) form_.low[first + i] = 0.0;
    if (mu == 0.0) form_.high[first + 1] = form_.high[first + 2] = 0.0;  // no tangential force: nothing to solve for
    entry(first + 1, first + 2) += 1.0;
    entry(first + 2, first) += 2.0 * mu;
    entry(first + 2, first + 1) -= 1.0;
  }
}

void MlcpForm::warm(const Problem& problem, std::span<const double> v, std::span<const double> r, std::vector<double>& z) const {
  z.assign(form_.n, 0.0);
  std::copy(v.begin(), v.end(), z.begin());
  for (int i = 0; i < problem.rows(); ++i)
    z[place_[i]] = mu_[i] >= 0.0 ? r[i] + mu_[i] * r[i - 1] : r[i];
}

void MlcpForm::solution(const Problem& problem, std::span<const double> z, std::span<double> v, std::span<double> r) const {
  std::copy_n(z.begin(), v.size(), v.begin());
  for (int i = 0; i < problem.rows(); ++i)
    r[i] = mu_[i] >= 0.0 ? z[place_[i]] - mu_[i] * z[place_[i - 1]] : z[place_[i]];
}

}  // namespace saltus
