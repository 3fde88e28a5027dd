#include "saltus/solver/friction/kernel.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/solver/friction/body_rows.hpp"

namespace saltus::friction {
namespace {

constexpr int area = body_size * body_size;

// Numbers the distinct pairs (i > j) of `wanted`, i < count, by i and then as they come, and returns the number of each.
std::vector<int> numbered(int count, const std::vector<BlockFactor::Edge>& wanted, std::vector<BlockFactor::Edge>& edges) {
  std::vector<int> begin(static_cast<std::size_t>(count) + 1, 0), seen(count, -1);
  for (const auto& [i, j] : wanted) ++begin[i + 1];
  for (std::size_t i = 0; i < seen.size(); ++i) begin[i + 1] += begin[i];
  std::vector<int> by_row(wanted.size()), number(wanted.size()), next(begin.begin(), begin.end() - 1);
  for (int k = 0; k < count_of(wanted); ++k) by_row[next[wanted[k].first]++] = k;
  edges.clear();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const int first = count_of(edges);
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      int& place = seen[wanted[by_row[k]].second];
      if (place < first) place = count_of(edges), edges.push_back(wanted[by_row[k]]);
      number[by_row[k]] = place;
    }
  }
  return number;
}

// To round-off: what is left is far below what the residual, always taken with the matrix as given, can show.
constexpr double asymmetry = 1e-13;

const Square& block_of(const std::vector<Square>& D, int contact) { return D[D.size() == 1 ? 0 : contact]; }

// target (6 x 6) += A^T B, A and B 3 x 6 row-major.
void add_product(const double* A, const double* B, double* target) {
  for (int i = 0; i < body_size; ++i)
#pragma GCC unroll 6
    for (int j = 0; j < body_size; ++j)
      target[body_size * i + j] += A[i] * B[j] + A[6 + i] * B[6 + j] + A[12 + i] * B[12 + j];
}

}  // namespace

void Kernel::prepare() {
  if (prepared_) return;
  prepared_ = true;
  if (problem_.body_form) prepare_bodies();
  else prepare_contacts();
}

std::int64_t Kernel::few_factor_flops(bool symmetric) const {
  const std::int64_t n = problem_.size();
  return n * n * n / (symmetric ? 3 : 1) + 4 * n * n;
}

double Kernel::factor_to_solve() {
  prepare();
  const bool of_few = !problem_.body_form && problem_.contacts <= few;
  return static_cast<double>(of_few ? few_factor_flops(false) : factor_.factor_flops(false)) / static_cast<double>(solve_flops_);
}

void Kernel::prepare_bodies() {
  const Scaled& problem = problem_;
  std::vector<BlockFactor::Edge> wanted, edges;
  std::vector<bool> swapped;
  for (int c = 0; c < problem.contacts; ++c) {
    pair_begin_.push_back(count_of(wanted));
    for (int a = problem.limb_begin[c]; a < problem.limb_begin[c + 1]; ++a)
      for (int b = a + 1; b < problem.limb_begin[c + 1]; ++b) {
        const int i = problem.limbs[a].body, j = problem.limbs[b].body;
        wanted.emplace_back(std::max(i, j), std::min(i, j));
        swapped.push_back(i > j);
      }
  }
  const std::vector<int> number = numbered(problem.bodies, wanted, edges);
  for (std::size_t k = 0; k < wanted.size(); ++k) pairs_.push_back({number[k], swapped[k]});
  factor_.analyse(problem.bodies, body_size, edges);
  solve_flops_ = factor_.solve_flops() + 72 * static_cast<std::int64_t>(problem.limbs.size()) + 36 * problem.contacts;
  edges_ = edges.size();
}

void Kernel::prepare_contacts() {
  const Scaled& problem = problem_;
  std::vector<BlockFactor::Edge> wanted, edges;
  for (int c = 0; c < problem.contacts; ++c)
    for (int k = problem.w_begin[c]; k < problem.w_begin[c + 1]; ++k)
      if (problem.w_index[k] != c) wanted.emplace_back(std::max(c, problem.w_index[k]), std::min(c, problem.w_index[k]));
  const std::vector<int> number = numbered(problem.contacts, wanted, edges);
  edges_ = edges.size();
  lower_of_.assign(problem.w_index.size(), -1), upper_of_.assign(problem.w_index.size(), -1);
  std::vector<double> half(9 * edges_, 0.0);  // A(i, j) - A(j, i)^T of the edges
  double size = 0.0, difference = 0.0;
  std::size_t next = 0;
  for (int c = 0; c < problem.contacts; ++c)
    for (int k = problem.w_begin[c]; k < problem.w_begin[c + 1]; ++k) {
      const double* A = problem.w_blocks.data() + 9 * static_cast<std::size_t>(k);
      for (int i = 0; i < 9; ++i) size += A[i] * A[i];
      if (problem.w_index[k] == c) {
        for (int i = 0; i < 9; ++i) difference += (A[i] - A[3 * (i % 3) + i / 3]) * (A[i] - A[3 * (i % 3) + i / 3]);
        continue;
      }
      const int edge = number[next++];
      double* h = half.data() + 9 * static_cast<std::size_t>(edge);
      const bool lower = c > problem.w_index[k];
      (lower ? lower_of_ : upper_of_)[k] = edge;
      for (int i = 0; i < 9; ++i) h[i] += lower ? A[i] : -A[3 * (i % 3) + i / 3];
    }
  for (const double h : half) difference += 2.0 * h * h;
  symmetric_ = difference <= asymmetry * asymmetry * size;
  if (problem.contacts <= few) {
    few_.W.setZero(problem.size(), problem.size());
    for (int c = 0; c < problem.contacts; ++c)
      for (int k = problem.w_begin[c]; k < problem.w_begin[c + 1]; ++k)
        for (int i = 0; i < 9; ++i) few_.W(3 * c + i / 3, 3 * problem.w_index[k] + i % 3) = problem.w_blocks[9 * static_cast<std::size_t>(k) + i];
    few_.unit.resize(problem.size());
    solve_flops_ = 2 * static_cast<std::int64_t>(problem.size()) * problem.size();
    return;
  }
  factor_.analyse(problem.contacts, 3, edges);
  solve_flops_ = factor_.solve_flops();
}

bool Kernel::factor(const std::vector<Square>& D, bool symmetric, const std::vector<Square>* inverse) {
  prepare();
  ++version_;
  return problem_.body_form ? factor_bodies(D, symmetric, inverse) : factor_contacts(D, symmetric && symmetric_);
}

bool Kernel::factor_bodies(const std::vector<Square>& D, bool symmetric, const std::vector<Square>* inverse) {
  const Scaled& p = problem_;
  factor_flops_ = factor_.factor_flops(symmetric) + 400 * static_cast<std::int64_t>(pairs_.size() + p.limbs.size());
  inverse_.resize(p.contacts);
  diagonal_.assign(static_cast<std::size_t>(area) * p.bodies, 0.0);
  for (std::size_t k = 0; k < diagonal_.size(); k += area)
    for (int i = 0; i < body_size; ++i) diagonal_[k + 7 * i] = 1.0;
  lower_.assign(edges_ * area, 0.0);
  if (!symmetric) upper_.assign(edges_ * area, 0.0);
  std::atomic<bool> regular{true};
  p.loops.in_colours([&](int first, int last) {
    if (!add_contacts(first, last, D, symmetric, inverse)) regular = false;
  });
  return regular && factor_.factor(symmetric, diagonal_.data(), lower_.data(), upper_.data(), p.loops.threads());
}

bool Kernel::add_contacts(int first, int last, const std::vector<Square>& D, bool symmetric, const std::vector<Square>* inverse) {
  const Scaled& p = problem_;
  for (int c = first; c < last; ++c) {
    const Pair* pair = pairs_.data() + pair_begin_[c];
    Square sum = block_of(D, c);
    if (!p.compliance.empty())
      for (int i = 0; i < 9; ++i) sum[i] += p.compliance[c][i];
    double* E = inverse_[c].data();
    if (inverse != nullptr && p.compliance.empty()) inverse_[c] = (*inverse)[c];
    else if (!invert(sum.data(), E)) return false;
    for (int a = p.limb_begin[c]; a < p.limb_begin[c + 1]; ++a) {
      const double* J = p.jacobian.data() + 18 * a;
      double EJ[18], ETJ[18];  // E J and E^T J
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < body_size; ++k) {
          EJ[6 * i + k] = E[3 * i] * J[k] + E[3 * i + 1] * J[6 + k] + E[3 * i + 2] * J[12 + k];
          ETJ[6 * i + k] = E[i] * J[k] + E[3 + i] * J[6 + k] + E[6 + i] * J[12 + k];
        }
      add_product(J, EJ, diagonal_.data() + static_cast<std::size_t>(area) * p.limbs[a].body);
      for (int b = a + 1; b < p.limb_begin[c + 1]; ++b, ++pair) {
        const double* K = p.jacobian.data() + 18 * b;
        double* low = lower_.data() + static_cast<std::size_t>(area) * pair->edge;
        // A(a, b) = J^T E K, A(b, a) = K^T E J; `lower` is the one whose row body is the larger.
        if (pair->swapped) add_product(ETJ, K, low);
        else add_product(K, EJ, low);
        if (symmetric) continue;
        double* up = upper_.data() + static_cast<std::size_t>(area) * pair->edge;
        if (pair->swapped) add_product(K, EJ, up);
        else add_product(ETJ, K, up);
      }
    }
  }
  return true;
}

bool Kernel::factor_few(const std::vector<Square>& D, bool symmetric) {
  const int n = problem_.size();
  factor_flops_ = few_factor_flops(symmetric);
  few_.A = few_.W;
  for (int c = 0; c < problem_.contacts; ++c)
    for (int i = 0; i < 9; ++i) few_.A(3 * c + i / 3, 3 * c + i % 3) += block_of(D, c)[i];
  for (int i = 0; i < n; ++i) {
    const double diagonal = std::abs(few_.A(i, i));
    few_.unit[i] = diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 1.0;
  }
  few_.A.array().colwise() *= few_.unit.array();
  few_.A.array().rowwise() *= few_.unit.array().transpose();
  few_.is_symmetric = symmetric;
  if (symmetric) {
    few_.symmetric.compute(few_.A);
    if (few_.symmetric.info() == Eigen::Success) return true;
  }
  few_.is_symmetric = false;
  few_.general.compute(few_.A);
  const auto pivots = few_.general.matrixLU().diagonal().array().abs();
  return pivots.allFinite() && pivots.minCoeff() > 0.0;
}

bool Kernel::factor_contacts(const std::vector<Square>& D, bool symmetric) {
  const Scaled& p = problem_;
  if (p.contacts <= few) return factor_few(D, symmetric);
  factor_flops_ = factor_.factor_flops(symmetric);
  diagonal_.resize(9 * static_cast<std::size_t>(p.contacts));
  for (int c = 0; c < p.contacts; ++c)
    for (int i = 0; i < 9; ++i) diagonal_[9 * static_cast<std::size_t>(c) + i] = p.diagonal[c][i] + block_of(D, c)[i];
  lower_.assign(edges_ * 9, 0.0);
  if (!symmetric) upper_.assign(edges_ * 9, 0.0);
  for (std::size_t k = 0; k < lower_of_.size(); ++k) {
    if (lower_of_[k] >= 0) std::copy_n(p.w_blocks.data() + 9 * k, 9, lower_.data() + 9 * static_cast<std::size_t>(lower_of_[k]));
    if (!symmetric && upper_of_[k] >= 0) std::copy_n(p.w_blocks.data() + 9 * k, 9, upper_.data() + 9 * static_cast<std::size_t>(upper_of_[k]));
  }
  return factor_.factor(symmetric, diagonal_.data(), lower_.data(), upper_.data(), p.loops.threads());
}

void Kernel::solve(const double* a, double* x) {
  const Scaled& p = problem_;
  if (!p.body_form) {
    if (p.contacts <= few) {
      few_.x = Eigen::Map<const Eigen::VectorXd>(a, p.size()).cwiseProduct(few_.unit);
      if (few_.is_symmetric) few_.symmetric.solveInPlace(few_.x);
      else few_.x = few_.general.solve(few_.x);
      Eigen::Map<Eigen::VectorXd>(x, p.size()) = few_.x.cwiseProduct(few_.unit);
      return;
    }
    if (x != a) std::copy(a, a + p.size(), x);
    factor_.solve(x, p.loops.threads());
    return;
  }
  dv_.assign(static_cast<std::size_t>(body_size) * p.bodies, 0.0);
  p.loops.in_colours([&](int first, int last) {
    for (int c = first; c < last; ++c) {
      Triple z;
      multiply(inverse_[c].data(), a + 3 * c, z.data());
      for (int l = p.limb_begin[c]; l < p.limb_begin[c + 1]; ++l)
        add_transposed(p.jacobian.data() + 18 * static_cast<std::size_t>(l), z.data(), dv_.data() + body_size * p.limbs[l].body);
    }
  });
  factor_.solve(dv_.data(), p.loops.threads());
  p.loops.all([&](int first, int last) {
    for (int c = first; c < last; ++c) {
      RowSums sums;
      for (int l = p.limb_begin[c]; l < p.limb_begin[c + 1]; ++l)
        sums.add(p.jacobian.data() + 18 * static_cast<std::size_t>(l), dv_.data() + body_size * p.limbs[l].body);
      const Triple rest{a[3 * c] - sums[0], a[3 * c + 1] - sums[1], a[3 * c + 2] - sums[2]};
      multiply(inverse_[c].data(), rest.data(), x + 3 * c);
    }
  });
}

}  // namespace saltus::friction
