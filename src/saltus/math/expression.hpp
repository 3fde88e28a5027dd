// Formulas of users: parsed once to a flat tape, evaluated on any scalar of the closed list. Nothing but arithmetic:
// a stranger's model is safe to open.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/math/table.hpp"
#include "saltus/math/taylor.hpp"

namespace saltus {

/// What is wrong in a formula: 0-based position of the character, sentence, what to write instead.
struct ExpressionFault {
  int position = 0;
  std::string message;
  std::string remedy;
};

/// A named number of formulas: folded into them, or, with a place, read from the data of a state at each evaluation.
struct Parameter {
  std::string name;
  double value = 0.0;
  int place = -1;
  bool operator==(const Parameter&) const = default;
};

/// What a formula may name beside its inputs: numbers, and tables, which it calls.
struct Parameters {
  std::vector<Parameter> numbers = {};
  std::shared_ptr<const Tables> tables = {};

  /// Those of another formula too.
  void add(const Parameters& other);
};

/// A formula over named inputs.
///
/// Operators, weakest first: or (||), and (&&), not (!), < <= > >= == !=, + -, * /, unary -, ^ (**, to the right; so
/// -x^2 is -(x^2)). Functions: sin cos tan asin acos atan atan2(y, x) sinh cosh tanh exp log log10 sqrt abs sign floor
/// pow, min and max of two or more, mod(x, y) (has y's sign), step(x) (1 for x >= 0, else 0), if(c, a, b),
/// piecewise(c1, a1, c2, a2, ..., otherwise), and tables of one argument by name. Constants: pi, e. A name stands for an input, else a
/// parameter, else a constant. Conditions are 0 or 1; both branches are evaluated, one is taken. Derivatives at a kink or jump are those
/// of the branch that the value is on; floor, sign, step have derivative 0.
/// At most 10,000 characters, 64 nested levels, 4096 operations. Evaluation does not allocate; what is not a number
/// comes out as one (the caller checks, see all_finite).
class Expression {
 public:
  /// The number 0.
  Expression();
  static Expression constant(double value);
  /// What stands at a place in the data of the state.
  static Expression held(int place);
  /// Parses; on failure `fault` is set and the result is 0.
  static Expression parse(std::string_view source, std::span<const std::string> inputs, const Parameters& parameters,
                          std::optional<ExpressionFault>& fault);

  /// in: one value an input, in the order of `inputs`. data: of the state, for what is held there; null: it is 0.
  template <class S>
  S operator()(const S* in, const double* data = nullptr) const {
    if (stack_ <= 8) return run<S, 8>(in, data);
    return run<S, max_stack>(in, data);
  }

  bool is_constant() const { return tape_.size() == 1 && tape_[0].code == Code::constant; }
  bool depends_on(int input) const;
  bool reads_data() const;
  /// Whether there is a condition in it, or what has a kink or jumps: min, max, abs, sign, floor, step, mod, a table.
  bool has_branch() const;
  const std::string& source() const { return source_; }
  /// Whether formulas have a function of that name.
  static bool has_function(std::string_view name);
  int operations() const { return count_of(tape_); }

  static constexpr int max_length = 10'000, max_depth = 64, max_operations = 4096, max_stack = 72;

 private:
  friend class ExpressionParser;
  friend class FormulaDerivatives;
  friend class FormulaGraph;
  enum class Code : unsigned char {
    constant, input, held,                                                // push
    add_number, scale, number_minus, number_over, power_number,           // top with a number
    negate, sine, cosine, tangent, arcsine, arccosine, arctangent, sinh, cosh, tanh, exp, log, log10, sqrt, abs, sign,
    floor, step, table, logical_not,                                             // top
    add, subtract, multiply, divide, power, arctangent2, min, max, mod,   // two
    less, less_equal, greater, greater_equal, equal, not_equal, logical_and, logical_or,
    select                                                                // condition, then, else
  };
  struct Operation {
    Code code;
    int input = 0;  // or place in the data
    double number = 0.0;
    const Table* table = nullptr;
  };
  static int operands(Code code);

  template <class S, int Size>
  S run(const S* in, const double* data) const {
    S stack[Size];
    S* end = stack;
    if constexpr (requires(S x) { val(x.value); }) {  // with derivatives
      for (const Operation& op : tape_) {
        const bool overflown = op.code > Code::held && op.code < Code::min && std::isinf(val(end[-1]));
        end = carry_out(op, end, in, data);
        if (overflown && std::isfinite(val(end[-1]))) end[-1] = S(val(end[-1]));
      }
    } else {
      for (const Operation& op : tape_) end = carry_out(op, end, in, data);
    }
    return stack[0];
  }
  /// Carries out one operation on the values in front of `end`; the new end. Where a finite number comes from one that has overflown,
  /// as in 1/cosh(x)^2 far out, its derivatives are 0 and not 0 * infinity: run() sees to that.
  template <class S>
  static S* carry_out(const Operation& op, S* end, const S* in, const double* data);

  std::vector<Operation> tape_;
  std::shared_ptr<const Tables> tables_;  // that the tape points into
  std::string source_;
  int stack_ = 1;
};

template <class S>
S* Expression::carry_out(const Operation& op, S* end, const S* in, const double* data) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::max, std::min,
      std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  if (op.code <= Code::held) {  // nothing may stand in front of the end yet
    if (op.code == Code::input) *end = in[op.input];
    else *end = S(op.code == Code::constant ? op.number : data ? data[op.input] : 0.0);
    return end + 1;
  }
  S* const top = end - 1;
  S& x = *top;
  auto truth = [](bool b) { return S(b ? 1.0 : 0.0); };
  switch (op.code) {
    case Code::constant:
    case Code::input:
    case Code::held: break;
    case Code::add_number: x = x + op.number; return end;
    case Code::scale: x = x * op.number; return end;
    case Code::number_minus: x = op.number - x; return end;
    case Code::number_over: x = op.number / x; return end;
    case Code::power_number: x = op.number == 2.0 ? S(x * x) : S(pow(x, op.number)); return end;
    case Code::negate: x = -x; return end;
    case Code::sine: x = sin(x); return end;
    case Code::cosine: x = cos(x); return end;
    case Code::tangent: x = tan(x); return end;
    case Code::arcsine: x = asin(x); return end;
    case Code::arccosine: x = acos(x); return end;
    case Code::arctangent: x = atan(x); return end;
    case Code::sinh: x = sinh(x); return end;
    case Code::cosh: x = cosh(x); return end;
    case Code::tanh: x = tanh(x); return end;
    case Code::exp: x = exp(x); return end;
    case Code::log: x = log(x); return end;
    case Code::log10: x = log(x) * 0.43429448190325182765; return end;  // 1 / ln 10
    case Code::sqrt: x = sqrt(x); return end;
    case Code::abs: x = abs(x); return end;
    case Code::sign: x = std::isnan(val(x)) ? S(val(x)) : S((val(x) > 0.0) - (val(x) < 0.0)); return end;
    case Code::floor: x = S(std::floor(val(x))); return end;
    case Code::step: x = std::isnan(val(x)) ? S(val(x)) : truth(val(x) >= 0.0); return end;
    case Code::table: x = (*op.table)(x); return end;
    case Code::logical_not: x = truth(val(x) == 0.0); return end;
    case Code::add: top[-1] = top[-1] + x; return top;
    case Code::subtract: top[-1] = top[-1] - x; return top;
    case Code::multiply: top[-1] = top[-1] * x; return top;
    case Code::divide: top[-1] = top[-1] / x; return top;
    case Code::power: top[-1] = pow(top[-1], x); return top;
    case Code::arctangent2: top[-1] = atan2(top[-1], x); return top;
    case Code::min: top[-1] = std::isnan(val(x)) ? x : S(min(top[-1], x)); return top;
    case Code::max: top[-1] = std::isnan(val(x)) ? x : S(max(top[-1], x)); return top;
    case Code::mod: top[-1] = top[-1] - x * std::floor(val(top[-1]) / val(x)); return top;
    case Code::less: top[-1] = truth(val(top[-1]) < val(x)); return top;
    case Code::less_equal: top[-1] = truth(val(top[-1]) <= val(x)); return top;
    case Code::greater: top[-1] = truth(val(top[-1]) > val(x)); return top;
    case Code::greater_equal: top[-1] = truth(val(top[-1]) >= val(x)); return top;
    case Code::equal: top[-1] = truth(val(top[-1]) == val(x)); return top;
    case Code::not_equal: top[-1] = truth(val(top[-1]) != val(x)); return top;
    case Code::logical_and: top[-1] = truth(val(top[-1]) != 0.0 && val(x) != 0.0); return top;
    case Code::logical_or: top[-1] = truth(val(top[-1]) != 0.0 || val(x) != 0.0); return top;
    case Code::select: {
      S& condition = top[-2];
      condition = val(condition) != 0.0 ? top[-1] : x;
      return top - 1;
    }
  }
  return end;
}

/// True if no value, and no derivative, is infinite or not a number.
inline bool all_finite(double x) { return std::isfinite(x); }
template <int N, class T>
bool all_finite(const Dual<N, T>& x) {
  bool finite = all_finite(x.value);
  for (const T& d : x.d) finite = finite && all_finite(d);
  return finite;
}
template <class T>
bool all_finite(const Taylor2<T>& x) { return all_finite(x.value) && all_finite(x.first) && all_finite(x.second); }
template <class S>
bool all_finite(std::span<const S> x) {
  for (const S& value : x)
    if (!all_finite(value)) return false;
  return true;
}

}  // namespace saltus
