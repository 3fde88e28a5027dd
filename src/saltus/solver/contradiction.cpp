#include "saltus/solver/contradiction.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/problem/impossible.hpp"
#include "saltus/problem/polyhedron.hpp"

namespace saltus {
namespace {

constexpr std::size_t most_rows = 48, most_entries = 100'000;

struct Candidate {
  int row;
  RowSign sign;
};

}  // namespace

std::vector<double> contradicting_rows(const Problem& problem, std::span<const double> r) {
  std::vector<Candidate> rows;
  const std::vector<RowSign> signs = row_signs(problem);
  for (int row = 0; row < problem.rows(); ++row)
    if (signs[row] != RowSign::none) rows.push_back({row, signs[row]});
  const auto larger = [r](const Candidate& a, const Candidate& b) {
    const double x = std::abs(r[a.row]), y = std::abs(r[b.row]);
    return x != y ? x > y : a.row < b.row;
  };
  if (rows.size() > most_rows) {
    std::nth_element(rows.begin(), rows.begin() + most_rows, rows.end(), larger);
    rows.resize(most_rows);
  }
  // The columns that they touch, H first, then D.
  const int n = problem.unknowns();
  std::vector<int> place(at(n + problem.rows()), -1);
  int columns = 0;
  const auto each = [&](int row, auto&& visit) {
    if (n > 0)
      for (SparseRows::InnerIterator a(problem.H, row); a; ++a) visit(static_cast<int>(a.col()), a.value());
    if (problem.D.nonZeros() > 0)
      for (SparseRows::InnerIterator a(problem.D, row); a; ++a) visit(n + static_cast<int>(a.col()), a.value());
  };
  for (const Candidate& candidate : rows)
    each(candidate.row, [&](int column, double value) {
      if (value != 0.0 && place[column] < 0) place[column] = columns++;
    });
  if (rows.empty() || columns == 0 || rows.size() * at(columns) > most_entries) return {};
  // sign w >= 0 as facets -sign A x <= sign b; an equality gives two.
  std::vector<double> facets, limits;
  std::vector<std::pair<int, double>> source;
  for (const Candidate& candidate : rows)
    for (const double sign : {1.0, -1.0}) {
      if ((sign > 0.0 && candidate.sign == RowSign::negative) || (sign < 0.0 && candidate.sign == RowSign::positive)) continue;
      const std::size_t first = facets.size();
      facets.resize(first + at(columns), 0.0);
      each(candidate.row, [&](int column, double value) {
        if (value != 0.0) facets[first + place[column]] -= sign * value;
      });
      limits.push_back(sign * problem.b[candidate.row]);
      source.emplace_back(candidate.row, sign);
    }
  const std::vector<double> u = contradiction({count_of(limits), facets.data(), limits.data()}, columns);
  if (u.empty()) return {};
  std::vector<double> y(problem.b.size(), 0.0);
  double largest = 0.0;
  for (std::size_t k = 0; k < u.size(); ++k) y[source[k].first] += source[k].second * u[k];
  for (double x : y) largest = std::max(largest, std::abs(x));
  if (!(largest > 0.0)) return {};
  for (double& x : y) x = std::abs(x) > 1e-12 * largest ? x / largest : 0.0;
  return is_impossible(problem, y) ? y : std::vector<double>{};
}

}  // namespace saltus
