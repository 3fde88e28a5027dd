// Factorizations on lattices, sheets, chains, ladders and nets, CPU time: `saltus_factor [lattice|sheet|chain|net|unsymmetric|forecast] [size ...]`.
// One process takes the small fronts of chains, the large ones and, for unsymmetric matrices, Eigen's LU in turn.
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "saltus/base/memory.hpp"
#include "saltus/math/dissection.hpp"
#include "saltus/math/front_lu.hpp"
#include "saltus/math/lattice_testing.hpp"
#include "saltus/math/ldlt.hpp"

namespace {

using namespace saltus;

struct Matrix {
  CsrPattern pattern;
  std::vector<double> values;
  int multipliers = 0;
};

double cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::mt19937 random_bits(1);
double normal() { return std::normal_distribution<double>()(random_bits); }

std::vector<int> numbers(int first, int count) {
  std::vector<int> out;
  for (int i = 0; i < count; ++i) out.push_back(first + i);
  return out;
}

Matrix summed(CsrBuilder& builder, const std::vector<std::vector<double>>& blocks, int multipliers) {
  const CsrLayout layout = builder.build();
  Matrix m{layout.pattern, std::vector<double>(static_cast<std::size_t>(layout.pattern.nonzeros()), 0.0), multipliers};
  for (std::size_t k = 0; k < blocks.size(); ++k) layout.add(static_cast<int>(k), blocks[k].data(), m.values.data());
  return m;
}

/// Points in space with springs between neighbours.
Matrix lattice(int a, int b, int c) {
  CsrBuilder builder(3 * a * b * c, 3 * a * b * c);
  std::vector<std::vector<double>> blocks;
  const auto add = [&](int p, int q, const double* k, double factor) {
    builder.add_block(numbers(3 * p, 3), numbers(3 * q, 3));
    blocks.emplace_back(k, k + 9);
    for (double& x : blocks.back()) x *= factor;
  };
  const double mass[9] = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01};
  const auto spring = [&](int p, int q) {
    double n[3], k[9];
    for (double& x : n) x = normal();
    for (int i = 0; i < 9; ++i) k[i] = n[i / 3] * n[i % 3] + (i % 4 == 0 ? 0.1 : 0.0);
    add(p, p, k, 1.0), add(q, q, k, 1.0), add(p, q, k, -1.0), add(q, p, k, -1.0);
  };
  for (int i = 0; i < a; ++i)
    for (int j = 0; j < b; ++j)
      for (int k = 0; k < c; ++k) {
        const int here = (i * b + j) * c + k;
        add(here, here, mass, 1.0);
        if (k + 1 < c) spring(here, here + 1);
        if (j + 1 < b) spring(here, here + c);
        if (i + 1 < a) spring(here, here + b * c);
      }
  return summed(builder, blocks, 0);
}

/// Bodies of so many unknowns and joints of so many rows between them; -1: ground.
Matrix jointed(int bodies, const std::vector<std::pair<int, int>>& joints, int unknowns, int rows) {
  const int primal = unknowns * bodies, multipliers = rows * static_cast<int>(joints.size());
  CsrBuilder builder(primal + multipliers, primal + multipliers);
  std::vector<std::vector<double>> blocks;
  for (int b = 0; b < bodies; ++b) {
    builder.add_block(numbers(unknowns * b, unknowns), numbers(unknowns * b, unknowns));
    blocks.emplace_back(static_cast<std::size_t>(unknowns * unknowns), 0.0);
    for (int i = 0; i < unknowns; ++i) blocks.back()[i * (unknowns + 1)] = 1.0 + i;
  }
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (const int b : {joints[j].first, joints[j].second}) {
      if (b < 0) continue;
      builder.add_block(numbers(primal + rows * static_cast<int>(j), rows), numbers(unknowns * b, unknowns));
      blocks.emplace_back();
      for (int i = 0; i < rows * unknowns; ++i) blocks.back().push_back(normal());
    }
  return summed(builder, blocks, multipliers);
}

Matrix hinges(int n) {
  std::vector<std::pair<int, int>> joints;
  for (int i = 0; i < n; ++i) joints.emplace_back(i - 1, i);
  return jointed(n, joints, 6, 5);
}
/// Loops in a row: pairs of bodies, the first of each on the ground.
Matrix ladder(int n) {
  std::vector<std::pair<int, int>> joints;
  for (int i = 0; i < n; ++i) {
    joints.emplace_back(-1, 2 * i), joints.emplace_back(2 * i, 2 * i + 1);
    if (i + 1 < n) joints.emplace_back(2 * i + 1, 2 * i + 2);
  }
  return jointed(2 * n, joints, 4, 2);
}
Matrix net(int n) {
  std::vector<std::pair<int, int>> joints;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) joints.emplace_back(i * n + j, (i + 1) * n + j);
      if (j + 1 < n) joints.emplace_back(i * n + j, i * n + j + 1);
    }
  return jointed(n * n, joints, 6, 2);
}

/// Least time of some repetitions; the whole takes about a second.
template <class F>
double least(const F& work) {
  double best = 1e300;
  for (double spent = 0.0, last = 0.0; spent < 0.5; spent += last) {
    const double start = cpu();
    work();
    best = std::min(best, last = cpu() - start);
  }
  return best;
}

void symmetric(const char* name, const Matrix& m, bool small_too) {
  std::printf("%-18s %8d |", name, m.pattern.rows);
  std::vector<double> x;
  for (const int large : {1 << 30, 0}) {
    if (large > 0 && !small_too) {
      std::printf("                                           |");
      continue;
    }
    SparseLdlt ldlt;
    const double start = cpu();
    try {
      ldlt.analyze(m.pattern, m.multipliers, 4e9, large);
    } catch (const MemoryError&) {
      std::printf(" more than 4 GB                            |");
      continue;
    }
    const double analysed = cpu() - start;
    const double factor = least([&] { (void)ldlt.factorize(m.values.data(), {}, {}); });
    x.assign(m.values.size(), 1.0);
    const double solve = least([&] { ldlt.solve(x.data()); });
    std::printf(" %s %9.3f %10.4f %9.4f %9.3g |", large ? "small" : "large", 1e3 * analysed, 1e3 * factor, 1e3 * solve, static_cast<double>(ldlt.fill()));
  }
  std::printf("\n"), std::fflush(stdout);
}

/// Values off by a tenth, columns of multipliers too.
void unsymmetric(const char* name, const Matrix& m) {
  const int n = m.pattern.rows, primal = n - m.multipliers;
  CsrBuilder builder(n, n);
  std::vector<std::vector<double>> blocks;
  for (int i = 0; i < n; ++i)
    for (int s = m.pattern.begin[i]; s < m.pattern.begin[i + 1]; ++s) {
      const int j = m.pattern.column[s];
      builder.add_entry(i, j), blocks.push_back({m.values[s] * (1.0 + 0.1 * normal())});
      if (i >= primal && j < primal) builder.add_entry(j, i), blocks.push_back({-m.values[s] * (1.0 + 0.1 * normal())});
    }
  const Matrix a = summed(builder, blocks, m.multipliers);
  std::vector<double> exact(static_cast<std::size_t>(n)), b(exact.size(), 0.0), x;
  for (double& e : exact) e = normal();
  multiply_add(a.pattern, a.values.data(), exact.data(), b.data());
  const auto error = [&] {
    double most = 0.0;
    for (int i = 0; i < n; ++i) most = std::max(most, std::abs(x[i] - exact[i]));
    return most;
  };
  FrontLu fronts;
  double start = cpu();
  fronts.analyze(a.pattern, a.multipliers, 4e9);
  const double analysed = cpu() - start;
  bool found = true;
  const double factor = least([&] { found = fronts.factorize(a.pattern, a.values.data(), nullptr); });
  const double solve = least([&] { x = b, fronts.solve(x.data(), nullptr); });
  std::printf("%-18s %8d | fronts %9.3f %10.4f %9.4f %7.0e%s |", name, n, 1e3 * analysed, 1e3 * factor, 1e3 * solve, error(), found ? "" : " no pivot");
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i)
    for (int s = a.pattern.begin[i]; s < a.pattern.begin[i + 1]; ++s) entries.emplace_back(i, a.pattern.column[s], a.values[s]);
  Eigen::SparseMatrix<double> columns(n, n);
  columns.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu;
  start = cpu();
  lu.analyzePattern(columns);
  const double eigen_analysed = cpu() - start;
  const double eigen_factor = least([&] { lu.factorize(columns); });
  const double eigen_solve = least([&] {
    const Eigen::VectorXd y = lu.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), n));
    x.assign(y.data(), y.data() + n);
  });
  std::printf(" Eigen %9.3f %10.4f %9.4f %7.0e\n", 1e3 * eigen_analysed, 1e3 * eigen_factor, 1e3 * eigen_solve, error());
  std::fflush(stdout);
}

/// What a lattice needs, from its pattern alone.
void forecast(int n) {
  const Matrix m{lattice_pattern(n), {}, 0};  // points; three unknowns each
  const std::vector<int> size(static_cast<std::size_t>(m.pattern.rows), 3);
  const double start = cpu();
  const std::vector<int> order = fill_reducing_order(m.pattern, size, [](std::vector<int> as_it_is) { return as_it_is; });
  FrontTree tree;
  tree.build(renumbered(m.pattern, order), size);
  const double bytes = 8.0 * static_cast<double>(tree.panel_size() + tree.stack_size(false) + tree.sums_size() + 2 * tree.size());
  std::printf("lattice %3d^3 %9d unknowns: analysis %7.2f s, L %9.3g entries, %9.3g flops, factor and stack %s (%s with threads)\n", n, 3 * m.pattern.rows, cpu() - start, tree.entries(), tree.flops(),
              bytes_text(bytes).c_str(), bytes_text(bytes + 8.0 * static_cast<double>(tree.stack_size(true) - tree.stack_size(false))).c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const std::string kind = count > 1 ? words[1] : "lattice";
  std::vector<int> sizes;
  for (int i = 2; i < count; ++i) sizes.push_back(std::atoi(words[i]));
  const auto each = [&](std::vector<int> usual, auto&& work) {
    for (const int n : sizes.empty() ? usual : sizes) work(n);
  };
  const auto name = [](const char* what, int n) { return std::string(what) + " " + std::to_string(n); };
  if (kind != "forecast" && kind != "unsymmetric") std::printf("name               unknowns | fronts, analysis, factor, solution [ms], entries of L\n");
  if (kind == "unsymmetric") std::printf("name               unknowns | fronts: analysis, factor, solution [ms], error | Eigen's LU: the same\n");
  if (kind == "lattice") each({4, 8, 12, 16, 18, 24, 30}, [&](int n) { symmetric(name("lattice", n).c_str(), lattice(n, n, n), n <= 16); });
  if (kind == "sheet") each({4, 8, 10, 12, 16, 32, 64, 128}, [&](int n) { symmetric(name("sheet", n).c_str(), lattice(n, n, 1), n <= 128); });
  if (kind == "chain") {
    each({100, 1000, 10000}, [&](int n) { symmetric(name("springs", n).c_str(), lattice(n, 1, 1), true); });
    each({100, 1000, 10000}, [&](int n) { symmetric(name("hinges", n).c_str(), hinges(n), true); });
    each({100, 500}, [&](int n) { symmetric(name("ladder", n).c_str(), ladder(n), true); });
  }
  if (kind == "net") each({4, 8, 12, 20, 40}, [&](int n) { symmetric(name("net", n).c_str(), net(n), true); });
  if (kind == "unsymmetric") {
    each({100, 1000}, [&](int n) { unsymmetric(name("springs", n).c_str(), lattice(n, 1, 1)); });
    each({100, 1000}, [&](int n) { unsymmetric(name("hinges", n).c_str(), hinges(n)); });
    each({100, 500}, [&](int n) { unsymmetric(name("ladder", n).c_str(), ladder(n)); });
    each({8, 16, 32, 64}, [&](int n) { unsymmetric(name("sheet", n).c_str(), lattice(n, n, 1)); });
    each({4, 8, 12}, [&](int n) { unsymmetric(name("lattice", n).c_str(), lattice(n, n, n)); });
    each({8, 16}, [&](int n) { unsymmetric(name("net", n).c_str(), net(n)); });
  }
  if (kind == "forecast") each({8, 12, 18, 24, 30, 40, 50}, forecast);
  return 0;
}
