// What a user reads of a result: `name.quantity[.component]` or a formula of them, evaluated from recorded states.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/system/assembly.hpp"

namespace saltus {

/// A recorded instant. Pointers as in State: y = [q v x z 0], a, lambda.
struct Sample {
  double t = 0.0;
  const double* y = nullptr;
  const double* a = nullptr;
  const double* lambda = nullptr;
  const double* data = nullptr;
};

/// One quantity of a system, found by its path, or a formula of several (model/quantity_text.hpp). Values in world axes unless the name ends in `_body`.
class Quantity {
 public:
  /// Throws ModelError: which item or quantity is not there, what is, the nearest name.
  Quantity(std::shared_ptr<const System> system, const std::string& path, const std::string& component = {});
  ~Quantity();
  Quantity(Quantity&&) noexcept;

  int components() const;
  const std::string& unit() const;
  const std::string& path() const;
  /// Names of the components (x, y, z; or 0, 1, ...), empty for a scalar.
  const std::vector<std::string>& component_names() const;
  /// Writes components() numbers.
  void evaluate(Assembly& assembly, const Sample& sample, double* out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Names of the quantities of an item, in the order of the documentation.
std::vector<std::string> quantities_of(const System& system, const std::string& item);

}  // namespace saltus
