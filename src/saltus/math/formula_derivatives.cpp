#include "saltus/math/formula_derivatives.hpp"

#include <bit>
#include <cstdint>
#include <map>
#include <tuple>

#include "saltus/base/index.hpp"
#include "saltus/base/room.hpp"

namespace saltus {

/// Grows the operations of formulas and of their derivatives. A derivative that is 0 everywhere is no node: `zero`.
class FormulaGraph {
 public:
  using Code = Expression::Code;
  using Operation = Expression::Operation;
  using Node = FormulaDerivatives::Node;
  static constexpr int zero = -1;

  /// The node of a formula's value.
  int add(const Expression& f);
  int derivative(int node, int input);
  /// Whether there came to be too many nodes; what is built is then of no use.
  bool full() const { return full_; }
  /// Those that `wanted` are made of and that are not marked yet, renumbered behind `kept`; the new number of each wanted one.
  std::vector<int> keep(const std::vector<int>& wanted, std::vector<Node>& kept);

 private:
  int make(Code code, int a = 0, int b = 0, int c = 0, double number = 0.0, int input = 0, const Table* table = nullptr);
  int by_rule(const Node& n, int node, int input);
  int of_two(const Node& n, int node, int da, int db);
  bool is_number(int node) const { return nodes_[node].op.code == Code::constant; }
  double number(int node) const { return nodes_[node].op.number; }
  int constant(double x) { return make(Code::constant, 0, 0, 0, x); }
  int sum(int a, int b);
  int negative(int a) { return scaled(a, -1.0); }
  int scaled(int a, double factor);
  int product(int a, int b);
  int quotient(int a, int b) { return a == zero ? zero : make(Code::divide, a, b); }
  int value_or_0(int a) { return a == zero ? constant(0.0) : a; }
  int select(int condition, int a, int b) {
    return a == zero && b == zero ? zero : make(Code::select, condition, value_or_0(a), value_or_0(b));
  }

  using Key = std::tuple<Code, int, int, int, std::uint64_t, int, const Table*>;
  std::vector<Node> nodes_;
  std::map<Key, int> known_;
  std::map<std::pair<int, int>, int> derivatives_;
  std::vector<int> kept_as_;  // by node: its new number, or zero
  bool full_ = false;
};

int FormulaGraph::make(Code code, int a, int b, int c, double number, int input, const Table* table) {
  const int operands = Expression::operands(code);
  if (count_of(nodes_) >= 4 * FormulaDerivatives::max_operations) return full_ = true, 0;
  const Key key{code, a, b, c, std::bit_cast<std::uint64_t>(number), input, table};
  const auto [place, fresh] = known_.try_emplace(key, count_of(nodes_));
  if (fresh) nodes_.push_back({{code, input, number, table}, {a, b, c}, operands});
  return place->second;
}

int FormulaGraph::add(const Expression& f) {
  std::vector<int> stack;
  for (const Operation& op : f.tape_) {
    std::array<int, 3> from{};
    const int n = Expression::operands(op.code);
    for (int i = n; i-- > 0;) from[i] = stack.back(), stack.pop_back();
    stack.push_back(make(op.code, from[0], from[1], from[2], op.number, op.input, op.table));
  }
  return stack.back();
}

int FormulaGraph::sum(int a, int b) {
  if (a == zero) return b;
  if (b == zero) return a;
  if (is_number(a)) std::swap(a, b);
  if (is_number(b)) return is_number(a) ? constant(number(a) + number(b)) : make(Code::add_number, a, 0, 0, number(b));
  return make(Code::add, a, b);
}

int FormulaGraph::scaled(int a, double factor) {
  if (a == zero || factor == 0.0) return zero;
  if (factor == 1.0) return a;
  if (is_number(a)) return constant(factor * number(a));
  if (nodes_[a].op.code == Code::scale) return scaled(nodes_[a].from[0], factor * number(a));
  if (nodes_[a].op.code == Code::negate) return scaled(nodes_[a].from[0], -factor);
  return make(Code::scale, a, 0, 0, factor);
}

int FormulaGraph::product(int a, int b) {
  if (a == zero || b == zero) return zero;
  for (int swaps = 0; swaps < 2; ++swaps, std::swap(a, b)) {
    if (is_number(a)) return scaled(b, number(a));
    if (nodes_[a].op.code == Code::scale) return scaled(product(nodes_[a].from[0], b), number(a));
  }
  if (a > b) std::swap(a, b);
  return make(Code::multiply, a, b);
}

int FormulaGraph::derivative(int node, int input) {
  if (full_) return zero;
  const auto known = derivatives_.find({node, input});
  if (known != derivatives_.end()) return known->second;
  const Node n = nodes_[node];
  const int result = n.op.code == Code::input ? (n.op.input == input ? constant(1.0) : zero) : n.operands == 0 ? zero : by_rule(n, node, input);
  derivatives_[{node, input}] = result;
  return result;
}

int FormulaGraph::by_rule(const Node& n, int y, int input) {
  const int x = n.from[0];
  if (n.op.code == Code::select) return select(x, derivative(n.from[1], input), derivative(n.from[2], input));
  const int d = derivative(x, input);
  if (n.operands == 2) return of_two(n, y, d, derivative(n.from[1], input));
  if (d == zero) return zero;
  const double k = n.op.number;
  const auto power = [&](double exponent) { return make(Code::power_number, x, 0, 0, exponent); };
  const auto plus = [&](int a, double b) { return make(Code::add_number, a, 0, 0, b); };
  switch (n.op.code) {
    case Code::add_number: return d;
    case Code::scale: return scaled(d, k);
    case Code::number_minus:
    case Code::negate: return negative(d);
    case Code::number_over: return negative(product(d, quotient(y, x)));
    case Code::power_number: return k == 1.0 ? d : scaled(product(d, k == 2.0 ? x : power(k - 1.0)), k);
    case Code::sine: return product(d, make(Code::cosine, x));
    case Code::cosine: return negative(product(d, make(Code::sine, x)));
    case Code::tangent: return product(d, plus(make(Code::multiply, y, y), 1.0));
    case Code::arcsine: return quotient(d, make(Code::sqrt, make(Code::number_minus, power(2.0), 0, 0, 1.0)));
    case Code::arccosine: return negative(quotient(d, make(Code::sqrt, make(Code::number_minus, power(2.0), 0, 0, 1.0))));
    case Code::arctangent: return quotient(d, plus(power(2.0), 1.0));
    case Code::sinh: return product(d, make(Code::cosh, x));
    case Code::cosh: return product(d, make(Code::sinh, x));
    case Code::tanh: return product(d, make(Code::number_minus, make(Code::multiply, y, y), 0, 0, 1.0));
    case Code::exp: return product(d, y);
    case Code::log: return quotient(d, x);
    case Code::log10: return scaled(quotient(d, x), 0.43429448190325182765);  // 1 / ln 10
    case Code::sqrt: return product(d, make(Code::number_over, y, 0, 0, 0.5));
    case Code::abs: return product(d, select(make(Code::less, x, constant(0.0)), constant(-1.0), constant(1.0)));
    case Code::table: return product(d, make(Code::table, x, 0, 0, 0.0, n.op.input + 1, n.op.table));
    default: return zero;  // floor, sign, conditions: steps
  }
}

int FormulaGraph::of_two(const Node& n, int y, int da, int db) {
  const int a = n.from[0], b = n.from[1];
  if (da == zero && db == zero) return zero;
  switch (n.op.code) {
    case Code::add: return sum(da, db);
    case Code::subtract: return sum(da, negative(db));
    case Code::multiply: return sum(product(da, b), product(a, db));
    case Code::divide: return quotient(sum(da, negative(product(y, db))), b);
    case Code::power: {
      const int by_a = da == zero ? zero : product(da, product(b, make(Code::power, a, make(Code::add_number, b, 0, 0, -1.0))));
      return sum(by_a, db == zero ? zero : product(db, product(y, make(Code::log, a))));
    }
    case Code::arctangent2: {
      const int square = make(Code::add, make(Code::multiply, a, a), make(Code::multiply, b, b));
      return quotient(sum(product(da, b), negative(product(db, a))), square);
    }
    case Code::min: return select(make(Code::less, b, a), db, da);
    case Code::max: return select(make(Code::less, a, b), db, da);
    case Code::mod: return sum(da, negative(product(db, make(Code::floor, make(Code::divide, a, b)))));
    default: return zero;  // conditions
  }
}

std::vector<int> FormulaGraph::keep(const std::vector<int>& wanted, std::vector<Node>& kept) {
  kept_as_.resize(nodes_.size(), zero);
  std::vector<char> needed(nodes_.size(), 0);
  for (const int node : wanted) needed[node] = 1;
  for (std::size_t i = nodes_.size(); i-- > 0;)
    if (needed[i])
      for (int k = 0; k < nodes_[i].operands; ++k) needed[nodes_[i].from[k]] = 1;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!needed[i] || kept_as_[i] != zero) continue;
    kept_as_[i] = count_of(kept);
    kept.push_back(nodes_[i]);
    for (int k = 0; k < nodes_[i].operands; ++k) kept.back().from[k] = kept_as_[nodes_[i].from[k]];
  }
  std::vector<int> places;
  for (const int node : wanted) places.push_back(kept_as_[node]);
  return places;
}

std::shared_ptr<const FormulaDerivatives> FormulaDerivatives::of(const Function& f, int order) {
  if (f.is_external()) return nullptr;
  auto out = std::make_shared<FormulaDerivatives>();
  out->function_ = f;
  FormulaGraph graph;
  std::array<std::vector<int>, 3> wanted;
  for (const Expression& result : out->function_.formulas()) wanted[0].push_back(graph.add(result));
  if (order > 0)
    for (int r = 0; r < f.outputs(); ++r)
      for (int i = 0; i < f.inputs(); ++i) {
        if (!f.formulas()[r].depends_on(i)) continue;
        const int slope = graph.derivative(wanted[0][r], i);
        if (slope != FormulaGraph::zero) out->slopes_.push_back({r, i}), wanted[1].push_back(slope);
      }
  if (order > 1)
    for (std::size_t s = 0; s < out->slopes_.size(); ++s) {
      const auto [r, i] = out->slopes_[s];
      for (int j = i; j < f.inputs(); ++j) {
        if (!f.formulas()[r].depends_on(j)) continue;
        const int curve = graph.derivative(wanted[1][s], j);
        if (curve != FormulaGraph::zero) out->curves_.push_back({r, i, j}), wanted[2].push_back(curve);
      }
    }
  if (graph.full()) return nullptr;
  for (int k = 0; k <= 2; ++k) {
    out->at_[k] = graph.keep(wanted[k], out->nodes_);
    out->end_[k] = count_of(out->nodes_);
  }
  return out->nodes_.size() > max_operations ? nullptr : out;
}

int FormulaDerivatives::size(int order) const {
  std::size_t n = 0;
  for (int k = 0; k <= order; ++k) n += at_[k].size();
  return static_cast<int>(n);
}

double FormulaDerivatives::other(const Node& n, double a, double b, double c, const double* data) {
  if (n.op.code == Expression::Code::table && n.op.input > 0) {
    const Taylor2<> along = (*n.op.table)(Taylor2<>(a, 1.0, 0.0));
    return n.op.input == 1 ? along.first : along.second;
  }
  double operand[3] = {a, b, c};
  Expression::carry_out<double>(n.op, operand + n.operands, nullptr, data);
  return operand[0];
}

void FormulaDerivatives::operator()(const double* in, const double* data, int order, double* out) const {
  using Code = Expression::Code;
  Room<double, max_operations> room;
  double* const value = room.data();
  value[0] = 0.0;
  for (int i = 0; i < end_[order]; ++i) {
    const Node& n = nodes_[i];
    const double a = value[n.from[0]], b = value[n.from[1]];
    switch (n.op.code) {  // the commonest ones here, without a stack
      case Code::input: value[i] = in[n.op.input]; break;
      case Code::constant: value[i] = n.op.number; break;
      case Code::add: value[i] = a + b; break;
      case Code::subtract: value[i] = a - b; break;
      case Code::multiply: value[i] = a * b; break;
      case Code::divide: value[i] = a / b; break;
      case Code::add_number: value[i] = a + n.op.number; break;
      case Code::scale: value[i] = a * n.op.number; break;
      default: value[i] = other(n, a, b, value[n.from[2]], data);
    }
  }
  for (int k = 0; k <= order; ++k)
    for (const int node : at_[k]) *out++ = value[node];
}

}  // namespace saltus
