// The mass matrix by itself: its own entries, evaluated once where it is constant.
#pragma once

#include <vector>

#include "saltus/system/assembly.hpp"

namespace saltus {

/// M over [v | x] (identity in the rows of x) on the entries that bodies fill; the system's pattern also couples what
/// springs join. Without the masses of objects that solve with their own these have 1.
class Inertia {
 public:
  /// Evaluates the assembly at the initial state: entries of constant matrices that are zero there are left out.
  Inertia(const System& system, Assembly& assembly, Masses which = Masses::every);

  /// Values at the configuration of the assembly; at once where they are constant.
  void update(Assembly& assembly);
  /// y += factor M x.
  void multiply_add(const double* x, double* y, double factor = 1.0) const { saltus::multiply_add(pattern_, values_.data(), x, y, factor); }
  /// y := M x; at once where M is diagonal.
  void multiply(const double* x, double* y) const;
  /// out (one a slot of the system's pattern) := M.
  void scatter(double* out) const;

  bool constant() const { return constant_; }
  const CsrPattern& pattern() const { return pattern_; }
  const std::vector<double>& values() const { return values_; }

 private:
  void evaluate(Assembly& assembly);

  const System& system_;
  Masses which_;
  bool constant_ = false, diagonal_ = false;
  CsrPattern pattern_;
  std::vector<int> source_;  // slot of the system's pattern
  std::vector<double> values_, system_values_;
};

}  // namespace saltus
