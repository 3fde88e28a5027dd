// The value type of an item's user function: constant, formula, or compiled function by address.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/math/expression.hpp"

namespace saltus {

/// A compiled function by address (plug-in, numba cfunc, cffi, or a trampoline into Python).
struct CFunction {
  void (*call)(void* context, const double* in, double* out) = nullptr;  // in: inputs, out: outputs
  void* context = nullptr;
  int inputs = 0, outputs = 1;
  bool parallel = true;  // may run in several threads at once; false for Python
  /// outputs x inputs, row-major; null: central differences.
  void (*jacobian)(void* context, const double* in, double* jacobian) = nullptr;
};

/// f: inputs -> outputs, evaluated on every scalar. Formulas differentiate exactly. External functions enter duals and
/// Taylor numbers through the chain rule: with their Jacobian where given (second derivatives then by its central
/// differences), else central differences with steps of cbrt(eps) and eps^(1/4) times max(1, |x|): relative errors of
/// about 1e-10 and 1e-7 for a smooth function of unit scale. Copies share the external context.
class Function {
 public:
  /// The constant 0 with one output.
  Function() : Function(0.0) {}
  Function(double value) : Function(std::vector<double>{value}) {}
  explicit Function(std::vector<double> values);
  Function(const Function&);
  Function(Function&&) noexcept;
  Function& operator=(const Function&);
  Function& operator=(Function&&) noexcept;
  ~Function();
  /// One formula an output. Mistakes go to `faults` at `path`; the result is then 0.
  static Function parse(const std::vector<std::string>& sources, std::vector<std::string> inputs,
                        const Parameters& parameters, const Place& place, const std::string& path, Faults& faults);
  /// `owner` keeps the context alive; `source` is what a saved model shows. ModelError if call is null or a size < 0.
  static Function external(const CFunction& function, std::shared_ptr<void> owner, std::string source,
                           std::vector<std::string> inputs = {});

  /// The same with the results from `component` on (-1: from the first, all `count` of them) held in the data of the state from `first` on:
  /// what a sampled controller gave last.
  Function held(int component, int first, int count) const;

  /// in: inputs(), out: outputs(). data: of the state that is evaluated, for what it holds; null: that is 0. Formulas and constants
  /// allocate nothing; externals only above 64 numbers.
  template <class S>
  void operator()(const S* in, S* out, const double* data) const {
    if (!external_.call) {
      for (std::size_t i = 0; i < results_.size(); ++i) out[i] = results_[i](in, data);
    } else {
      call_external(in, out);
      for (const auto& [result, place] : held_) out[result] = S(data ? data[place] : 0.0);
    }
  }
  double operator()(double in) const { double out; (*this)(&in, &out, nullptr); return out; }  // one input, one output

  int outputs() const { return external_.call ? external_.outputs : count_of(results_); }
  /// Constants take any number of inputs and name none.
  int inputs() const { return external_.call ? external_.inputs : count_of(inputs_); }
  const std::vector<std::string>& input_names() const { return inputs_; }
  bool is_external() const { return external_.call != nullptr; }
  /// Of what the data hold too.
  bool is_constant() const;
  bool reads_data() const;
  bool parallel() const { return !external_.call || external_.parallel; }
  /// False only where output does not change with this input; true for externals.
  bool depends_on(int input) const;
  /// Whether it takes branches (a condition, min, max, a table ...) by more than its first input, the time, or may: it is of the program.
  bool branches() const;
  /// One a result; none of an external.
  const std::vector<Expression>& formulas() const { return results_; }
  /// Text for saving, one an output; an external's one text.
  const std::vector<std::string>& source() const { return source_; }

 private:
  template <class S>
  void call_external(const S* in, S* out) const;
  void call_external(const double* in, double* out) const { external_.call(external_.context, in, out); }
  /// Derivatives at x (moved and put back). gradient: outputs. second: outputs, by inputs i and j.
  void gradient(double* x, int i, double* gradient, double* scratch) const;
  void second(double* x, int i, int j, double* second, double* scratch) const;

  std::vector<Expression> results_;
  std::vector<std::string> inputs_, source_;
  std::vector<std::pair<int, int>> held_;  // of an external: result, place in the data
  CFunction external_;
  std::shared_ptr<void> owner_;
};

/// Polynomial in the nilpotent parts e_i = in_i - val(in_i): f + g_i e_i + H_ij e_i e_j / 2, exact in S.
template <class S>
void Function::call_external(const S* in, S* out) const {
  static_assert(derivative_order<S> <= 2, "external functions have first and second derivatives");
  const std::size_t n = external_.inputs, m = external_.outputs;
  const std::size_t jacobian = external_.jacobian ? 2 * n * m : 0, need = n + 6 * m + jacobian;
  double small[64];
  std::vector<double> large(need > 64 ? need : 0);
  double* x = need > 64 ? large.data() : small;
  double *f = x + n, *scratch = f + 2 * m;
  for (std::size_t i = 0; i < n; ++i) x[i] = val(in[i]);
  call_external(x, f);
  for (std::size_t k = 0; k < m; ++k) out[k] = S(f[k]);
  double* d = f + m;
  for (std::size_t i = 0; i < n; ++i) {
    if (!has_derivatives(in[i])) continue;
    const S e = in[i] - x[i];
    gradient(x, static_cast<int>(i), d, scratch);
    for (std::size_t k = 0; k < m; ++k) out[k] += e * d[k];
    if constexpr (derivative_order<S> == 2) {
      for (std::size_t j = 0; j <= i; ++j) {
        if (!has_derivatives(in[j])) continue;
        second(x, static_cast<int>(i), static_cast<int>(j), d, scratch);
        const S product = e * (in[j] - x[j]) * (i == j ? 0.5 : 1.0);
        for (std::size_t k = 0; k < m; ++k) out[k] += product * d[k];
      }
    }
  }
}

// For the scalars of most kernels they are compiled once, in formula_scalars.cpp; for others where they are used.
extern template double* Expression::carry_out(const Expression::Operation&, double*, const double*, const double*);
extern template Dual<1>* Expression::carry_out(const Expression::Operation&, Dual<1>*, const Dual<1>*, const double*);
extern template Dual<3>* Expression::carry_out(const Expression::Operation&, Dual<3>*, const Dual<3>*, const double*);
extern template Dual<4>* Expression::carry_out(const Expression::Operation&, Dual<4>*, const Dual<4>*, const double*);
extern template Dual<6>* Expression::carry_out(const Expression::Operation&, Dual<6>*, const Dual<6>*, const double*);
extern template Dual<1, Dual<1>>* Expression::carry_out(const Expression::Operation&, Dual<1, Dual<1>>*, const Dual<1, Dual<1>>*, const double*);
extern template Dual<4, Dual<4>>* Expression::carry_out(const Expression::Operation&, Dual<4, Dual<4>>*, const Dual<4, Dual<4>>*, const double*);
extern template Dual<6, Dual<1>>* Expression::carry_out(const Expression::Operation&, Dual<6, Dual<1>>*, const Dual<6, Dual<1>>*, const double*);
extern template Taylor2<>* Expression::carry_out(const Expression::Operation&, Taylor2<>*, const Taylor2<>*, const double*);
extern template void Function::call_external(const Dual<1>*, Dual<1>*) const;
extern template void Function::call_external(const Dual<3>*, Dual<3>*) const;
extern template void Function::call_external(const Dual<4>*, Dual<4>*) const;
extern template void Function::call_external(const Dual<6>*, Dual<6>*) const;
extern template void Function::call_external(const Dual<1, Dual<1>>*, Dual<1, Dual<1>>*) const;
extern template void Function::call_external(const Dual<4, Dual<4>>*, Dual<4, Dual<4>>*) const;
extern template void Function::call_external(const Dual<6, Dual<1>>*, Dual<6, Dual<1>>*) const;
extern template void Function::call_external(const Taylor2<>*, Taylor2<>*) const;

}  // namespace saltus
