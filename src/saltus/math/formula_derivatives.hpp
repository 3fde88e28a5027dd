// Formulas with their first and second derivatives as one list of operations on numbers, in which nothing is computed twice.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/math/function.hpp"

namespace saltus {

/// The results of a formula, which of its inputs each varies with, and the derivatives by these: symbolic, by the rules of each operation
/// in forward order (Griewank, Walther, Evaluating Derivatives, 2008, 3.1), equal operations merged. Derivatives that are 0 everywhere have no
/// entry. At a kink they are those of the branch that the value is on, as for duals; beside a pole, or where a term has overflown,
/// they may not be finite where a dual's are: whoever asks looks.
class FormulaDerivatives {
 public:
  /// `order`: 0 to 2. Null of an external function, and where more than max_operations come out.
  static std::shared_ptr<const FormulaDerivatives> of(const Function& f, int order);

  struct Slope {
    int result, input;
  };
  struct Curve {
    int result, input, other;  // input <= other
  };
  int results() const { return count_of(at_[0]); }
  /// What stands behind the results in what is computed: first derivatives, then second ones.
  std::span<const Slope> slopes() const { return slopes_; }
  std::span<const Curve> curves() const { return curves_; }

  /// Numbers that come out to an order.
  int size(int order) const;
  /// Operations that they take.
  int operations(int order) const { return end_[order]; }
  /// in: inputs; data: of the state, null: what is read there is 0; out: size(order). Allocates nothing.
  void operator()(const double* in, const double* data, int order, double* out) const;

  static constexpr int max_operations = 2048;

 private:
  friend class FormulaGraph;
  struct Node {
    Expression::Operation op;
    std::array<int, 3> from{};
    int operands = 0;
  };
  static double other(const Node& n, double a, double b, double c, const double* data);
  std::vector<Node> nodes_;             // those of the results first, then of the first derivatives, ...
  std::array<int, 3> end_{};            // of the nodes, by order
  std::array<std::vector<int>, 3> at_;  // nodes of what comes out, by order
  std::vector<Slope> slopes_;
  std::vector<Curve> curves_;
  Function function_;                   // holds the tables that nodes point into
};

}  // namespace saltus
