#include "saltus/math/front_ldlt.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "saltus/math/factor_memory.hpp"

namespace saltus {

void FrontLdlt::analyze(const CsrPattern& pattern, const EliminationOrder& order, double memory) {
  factor_.analyze(order.groups, order.group_size, order.unknown);
  const FrontTree& tree = factor_.tree();
  const auto& fronts = tree.fronts();
  const bool too_wide = std::any_of(fronts.begin(), fronts.end(), [](const FrontTree::Front& f) { return std::int64_t{f.rows()} * f.width > std::numeric_limits<std::uint32_t>::max(); });
  check_factor_memory(pattern.rows, tree.entries(), factor_.bytes(true, nullptr), memory, too_wide);
  // Entries of the lower triangle go to the front of the unknown that is eliminated first.
  const std::vector<int>& position = factor_.position();
  const auto for_each = [&](auto&& visit) {
    for (int i = 0; i < pattern.rows; ++i)
      for (int s = pattern.begin[i]; s < pattern.begin[i + 1] && pattern.column[s] <= i; ++s) {
        const auto [first, last] = std::minmax(position[i], position[pattern.column[s]]);
        visit(tree.front_of(first), first, last, s);
      }
  };
  entry_begin_.assign(fronts.size() + 1, 0);
  for_each([&](int f, int, int, int) { ++entry_begin_[f + 1]; });
  std::partial_sum(entry_begin_.begin(), entry_begin_.end(), entry_begin_.begin());
  entries_.resize(entry_begin_.back());
  std::vector<int> next(entry_begin_.begin(), entry_begin_.end() - 1), row(pattern.rows), column(entries_.size());
  for_each([&](int f, int first, int last, int s) {
    column[next[f]] = first - fronts[f].begin;
    entries_[next[f]++] = {s, static_cast<std::uint32_t>(last)};
  });
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    tree.enter(fronts[f], row);
    for (int e = entry_begin_[f]; e < entry_begin_[f + 1]; ++e)
      entries_[e].at = static_cast<std::uint32_t>(column[e]) * static_cast<std::uint32_t>(fronts[f].rows()) + static_cast<std::uint32_t>(row[entries_[e].at]);
  }
}

PivotReport FrontLdlt::factorize(const double* values, std::span<const double> shift, std::span<const double> substitute, double lost, Threads* threads) {
  const auto fill = [&](int f, const FrontFactor::Target& target) {
    for (int e = entry_begin_[f]; e < entry_begin_[f + 1]; ++e) target.panel[entries_[e].at] = values[entries_[e].slot];
    if (shift.empty()) return;
    const FrontTree::Front& front = factor_.tree().fronts()[f];
    for (int j = 0; j < front.width; ++j) target.panel[std::int64_t{j} * (target.rows + 1)] += shift[factor_.unknown()[front.begin + j]];
  };
  return factor_.factorize_symmetric(fill, substitute, lost, threads);
}

}  // namespace saltus
