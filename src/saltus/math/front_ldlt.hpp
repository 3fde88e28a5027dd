// L D L^T of a sparse symmetric matrix by large fronts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/math/front_factor.hpp"
#include "saltus/math/saddle_order.hpp"

namespace saltus {

/// The part of SparseLdlt that takes matrices whose fronts are large: the same order and the same pivots, by FrontFactor.
class FrontLdlt {
 public:
  void analyze(const CsrPattern& pattern, const EliminationOrder& order, double memory);
  PivotReport factorize(const double* values, std::span<const double> shift, std::span<const double> substitute, double lost, Threads* threads);
  void solve(double* x, Threads* threads) { factor_.solve(x, threads); }
  std::vector<int> lost_rows() const { return factor_.replaced(); }
  std::int64_t fill() const { return static_cast<std::int64_t>(factor_.tree().entries()) - factor_.tree().size(); }

 private:
  struct Entry {
    int slot;
    std::uint32_t at;  // values[slot] goes to panel[at]
  };
  FrontFactor factor_;
  std::vector<Entry> entries_;
  std::vector<int> entry_begin_;  // by front
};

}  // namespace saltus
