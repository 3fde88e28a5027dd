#include "saltus/math/factor_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "saltus/base/memory.hpp"

namespace saltus {

void check_factor_memory(int unknowns, double entries, double bytes, double memory, bool refused, bool at_least) {
  constexpr double small = 64e6;  // bytes: the system need not be asked
  if (!refused && memory <= 0.0 && bytes < small) return;
  if (memory <= 0.0) memory = available_memory();
  if (!refused && bytes <= memory) return;
  char count[32];
  std::snprintf(count, sizeof count, "%.3g", entries);
  const std::string least = at_least ? "at least " : "";
  throw MemoryError("the factor of the matrix of " + std::to_string(unknowns) + " unknowns has " + least + count + " entries and needs " + least +
                    bytes_text(bytes) + " of memory, " + bytes_text(memory) +
                    " are free; take a scheme that needs none (dormand_prince) or a smaller model");
}

double factor_entries(const CsrPattern& A, const int* step_of, double most) {
  const int n = A.rows;
  // Rows of A + A^T by steps: who is eliminated before row i.
  std::vector<int> begin(n + 1, 0), before;
  const auto each = [&](auto&& visit) {
    for (int i = 0; i < n; ++i)
      for (const int j : A.row(i)) {
        const int a = step_of[i], b = step_of[j];
        if (a != b) visit(std::max(a, b), std::min(a, b));
      }
  };
  each([&](int late, int) { ++begin[late + 1]; });
  for (int i = 0; i < n; ++i) begin[i + 1] += begin[i];
  before.resize(begin.back());
  std::vector<int> next(begin.begin(), begin.end() - 1);
  each([&](int late, int early) { before[next[late]++] = early; });
  std::vector<int> parent(n, -1), mark(n, -1);
  double entries = 0.0;
  for (int i = 0; i < n && entries <= most; ++i) {
    mark[i] = i;
    entries += 1.0;
    for (int k = begin[i]; k < begin[i + 1]; ++k)
      for (int j = before[k]; mark[j] != i; j = parent[j]) {
        if (parent[j] < 0) parent[j] = i;
        mark[j] = i;
        entries += 1.0;
      }
  }
  return entries;
}

}  // namespace saltus
