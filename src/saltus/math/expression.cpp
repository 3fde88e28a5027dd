#include "saltus/math/expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>

#include "saltus/base/index.hpp"
#include "saltus/base/text.hpp"
#include "saltus/math/breaks.hpp"

namespace saltus {
namespace {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i));
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int cost = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = std::exchange(row[j], std::min({cost, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// Pratt parser (1973) that emits the tape while it reads; an operand is the tape from `begin` on.
class ExpressionParser {
 public:
  using Code = Expression::Code;
  using Operation = Expression::Operation;
  ExpressionParser(std::string_view text, std::span<const std::string> inputs, const Parameters& parameters)
      : text_(text), inputs_(inputs), parameters_(parameters) {}

  std::vector<Operation> parse();
  static int stack_size(const std::vector<Operation>& tape);
  static std::vector<Expression> time_parts(const Expression& f);
  static bool has_function(std::string_view name);

 private:
  struct Infix {
    std::string_view sign;
    Code code;
    int strength;
  };
  struct Named {
    std::string_view name;
    Code code;
    int arguments;  // -1: two or more
  };
  static constexpr int or_strength = 1, and_strength = 2, not_strength = 3, compare_strength = 4, sum_strength = 5,
                       product_strength = 6, sign_strength = 7, power_strength = 8;
  // Longer signs first.
  static constexpr std::array<Infix, 17> infixes{{
      {"||", Code::logical_or, or_strength}, {"&&", Code::logical_and, and_strength},
      {"or", Code::logical_or, or_strength}, {"and", Code::logical_and, and_strength},
      {"<=", Code::less_equal, compare_strength}, {">=", Code::greater_equal, compare_strength},
      {"==", Code::equal, compare_strength}, {"!=", Code::not_equal, compare_strength},
      {"<", Code::less, compare_strength}, {">", Code::greater, compare_strength},
      {"+", Code::add, sum_strength}, {"-", Code::subtract, sum_strength},
      {"**", Code::power, power_strength}, {"*", Code::multiply, product_strength},
      {"/", Code::divide, product_strength}, {"^", Code::power, power_strength}, {"", Code::constant, -1}}};
  static constexpr std::array<Named, 29> functions{{
      {"sin", Code::sine, 1}, {"cos", Code::cosine, 1}, {"tan", Code::tangent, 1}, {"asin", Code::arcsine, 1},
      {"acos", Code::arccosine, 1}, {"atan", Code::arctangent, 1}, {"atan2", Code::arctangent2, 2},
      {"sinh", Code::sinh, 1}, {"cosh", Code::cosh, 1}, {"tanh", Code::tanh, 1}, {"exp", Code::exp, 1},
      {"log", Code::log, 1}, {"log10", Code::log10, 1}, {"sqrt", Code::sqrt, 1}, {"abs", Code::abs, 1},
      {"sign", Code::sign, 1}, {"floor", Code::floor, 1}, {"step", Code::step, 1}, {"heaviside", Code::step, 1},
      {"pow", Code::power, 2}, {"mod", Code::mod, 2}, {"min", Code::min, -1}, {"max", Code::max, -1},
      {"if", Code::select, 3}, {"piecewise", Code::select, -1}, {"arctan2", Code::arctangent2, 2},
      {"arcsin", Code::arcsine, 1}, {"arccos", Code::arccosine, 1}, {"arctan", Code::arctangent, 1}}};

  [[noreturn]] void fail(std::size_t position, std::string message, std::string remedy = {}) const {
    throw ExpressionFault{static_cast<int>(position), std::move(message), std::move(remedy)};
  }
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  std::string_view name_here() const {
    std::size_t end = at_;
    while (end < text_.size() && (starts_name(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(at_, end - at_);
  }
  /// The character here, all its bytes.
  std::string character() const { return shown(text_.substr(at_, static_cast<std::size_t>(code_point(text_, at_).bytes))); }
  const Infix* infix_here();
  std::string instead() const;
  void operand(int strength);
  void prefix();
  void number();
  void name();
  void call(const Named& function, std::size_t position);
  void call(const Table& table, std::string_view name, std::size_t position);
  std::string nearest(std::string_view word, bool function) const;

  void emit(Operation op) {
    if (tape_.size() >= Expression::max_operations)
      fail(at_, "has more than " + std::to_string(Expression::max_operations) + " operations", "split it, or use a compiled function");
    tape_.push_back(op);
  }
  bool is_number(std::size_t begin, std::size_t end) const { return end == begin + 1 && tape_[begin].code == Code::constant; }
  void emit_unary(Code code, std::size_t begin);
  void emit_binary(Code code, std::size_t left, std::size_t right);
  bool fold(Code code, std::size_t begin);

  std::string_view text_;
  std::span<const std::string> inputs_;
  const Parameters& parameters_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Operation> tape_;
};

/// Replaces numbers from `begin` on and the operation on them by its value, unless that is not finite.
bool ExpressionParser::fold(Code code, std::size_t begin) {
  for (std::size_t i = begin; i < tape_.size(); ++i)
    if (tape_[i].code != Code::constant) return false;
  double stack[3] = {};
  double* end = stack;
  for (std::size_t i = begin; i < tape_.size(); ++i) *end++ = tape_[i].number;
  Expression::carry_out<double>({code}, end, nullptr, nullptr);
  const double value = stack[0];
  if (!std::isfinite(value)) return false;
  tape_.resize(begin);
  emit({Code::constant, 0, value});
  return true;
}

void ExpressionParser::emit_unary(Code code, std::size_t begin) {
  if (!fold(code, begin)) emit({code});
}

void ExpressionParser::emit_binary(Code code, std::size_t left, std::size_t right) {
  if (fold(code, left)) return;
  if (is_number(right, tape_.size())) {
    const double k = tape_.back().number;
    const Code with = code == Code::add || code == Code::subtract        ? Code::add_number
                      : code == Code::multiply                           ? Code::scale
                      : code == Code::power                              ? Code::power_number
                                                                         : code;
    if (with != code) {
      tape_.pop_back();
      return emit({with, 0, code == Code::subtract ? -k : k});
    }
  } else if (is_number(left, right)) {
    const double k = tape_[left].number;
    const Code with = code == Code::add        ? Code::add_number
                      : code == Code::subtract ? Code::number_minus
                      : code == Code::multiply ? Code::scale
                      : code == Code::divide   ? Code::number_over
                                               : code;
    if (with != code) {
      tape_.erase(tape_.begin() + static_cast<std::ptrdiff_t>(left));
      return emit({with, 0, k});
    }
  }
  emit({code});
}

const ExpressionParser::Infix* ExpressionParser::infix_here() {
  skip_spaces();
  for (const Infix& infix : infixes) {
    if (infix.sign.empty()) break;
    const bool word = starts_name(infix.sign[0]);
    if (word ? name_here() == infix.sign : text_.substr(at_, infix.sign.size()) == infix.sign) return &infix;
  }
  return nullptr;
}

/// How a formula writes what other languages write as stands here.
std::string ExpressionParser::instead() const {
  const std::string_view word = name_here();
  if (text_[at_] == '?' || text_[at_] == ':') return "write `if(a, b, c)` for `a ? b : c`";
  if (word == "if" || word == "else") return "write `if(condition, value, otherwise)`";
  if (text_[at_] == '.') return "write names alone: `sin(t)`";
  if (text_[at_] == '[') return "name each component as an input of its own";
  if (text_[at_] == '&') return "write `and`";
  if (text_[at_] == '|') return "write `or`";
  return "";
}

void ExpressionParser::operand(int strength) {
  if (++depth_ > Expression::max_depth)
    fail(at_, "is nested deeper than " + std::to_string(Expression::max_depth) + " levels", "split it into parameters");
  const std::size_t left = tape_.size();
  prefix();
  bool compared = false;
  while (const Infix* infix = infix_here()) {
    if (infix->strength < strength) break;
    if (infix->strength == compare_strength && std::exchange(compared, true))
      fail(at_, "chains two comparisons", "write `a < b and b < c`");
    at_ += infix->sign.size();
    const std::size_t right = tape_.size();
    // Powers group to the right, and take a signed exponent: 2^-1.
    operand(infix->strength == power_strength ? power_strength : infix->strength + 1);
    emit_binary(infix->code, left, right);
    if (infix->strength != compare_strength) compared = false;
  }
  --depth_;
}

void ExpressionParser::prefix() {
  skip_spaces();
  const std::size_t begin = tape_.size();
  if (at_ >= text_.size()) fail(at_, "ends where a number, name or `(` is expected");
  const char c = text_[at_];
  if (take("-")) {
    operand(sign_strength);
    emit_unary(Code::negate, begin);
  } else if (take("+")) {
    operand(sign_strength);
  } else if ((c == '!' && take("!")) || (name_here() == "not" && take("not"))) {
    operand(not_strength);
    emit_unary(Code::logical_not, begin);
  } else if (take("(")) {
    const std::size_t open = at_ - 1;
    operand(0);
    if (!take(")")) {
      if (at_ >= text_.size()) fail(at_, "misses the `)` of the `(` at character " + std::to_string(open + 1), "add it");
      fail(at_, "has `" + character() + "` where an operator or `)` is expected", instead());
    }
  } else if (is_digit(c) || c == '.') {
    number();
  } else if (starts_name(c)) {
    name();
  } else if (c == '\'' || c == '"') {
    fail(at_, "has text in quotes; a formula has numbers only");
  } else {
    fail(at_, "has `" + character() + "` where a number, name or `(` is expected");
  }
}

void ExpressionParser::number() {
  double value = 0.0;
  const char* first = text_.data() + at_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
  if (error == std::errc::result_out_of_range) fail(at_, "has a number outside of the range of double precision");
  if (error != std::errc{}) fail(at_, "has `.` where a number is expected");
  const std::size_t start = std::exchange(at_, at_ + (end - first));
  if (at_ < text_.size() && (starts_name(text_[at_]) || text_[at_] == '.')) {
    const std::string digits(text_.substr(start, at_ - start)), rest(name_here());
    fail(at_, "has `" + digits + (rest.empty() ? "." : rest) + "`, which is no number",
         rest.empty() ? "" : "write `" + digits + " * " + rest + "`");
  }
  emit({Code::constant, 0, value});
}

void ExpressionParser::name() {
  const std::size_t position = at_;
  const std::string_view word = name_here();
  at_ += word.size();
  skip_spaces();
  if (at_ < text_.size() && text_[at_] == '(') {
    for (const Named& function : functions)
      if (function.name == word) return call(function, position);
    if (parameters_.tables)
      if (const auto table = parameters_.tables->find(word); table != parameters_.tables->end()) return call(table->second, word, position);
    fail(position, "has the unknown function '" + std::string(word) + "'", nearest(word, true));
  }
  for (int k = 0; k < count_of(inputs_); ++k)
    if (inputs_[k] == word) return emit({Code::input, k});
  for (const Parameter& p : parameters_.numbers)
    if (p.name == word) return emit(p.place < 0 ? Operation{Code::constant, 0, p.value} : Operation{Code::held, p.place});
  if (word == "pi") return emit({Code::constant, 0, std::numbers::pi});
  if (word == "e") return emit({Code::constant, 0, std::numbers::e});
  fail(position, "has the unknown name '" + std::string(word) + "'", nearest(word, false));
}

void ExpressionParser::call(const Named& function, std::size_t position) {
  take("(");
  const std::size_t begin = tape_.size();
  std::vector<std::size_t> starts;
  if (!take(")")) {
    do {
      starts.push_back(tape_.size());
      operand(0);
      if (function.arguments < 0 && function.code != Code::select && starts.size() > 1) {  // min, max: two at a time
        emit_binary(function.code, begin, starts.back());
      }
    } while (take(","));
    if (!take(")")) fail(at_, "misses a `,` or the `)` of '" + std::string(function.name) + "('");
  }
  const int count = count_of(starts);
  const std::string says = "gives '" + std::string(function.name) + "' " + std::to_string(count) + " arguments";
  if (function.arguments > 0 && count != function.arguments)
    fail(position, says + ", it takes " + std::to_string(function.arguments));
  if (function.arguments < 0 && count < 2) fail(position, says + ", it takes two or more");
  if (function.name == "piecewise") {
    if (count % 2 == 0) fail(position, says + ", it takes an odd number", "end with the value that holds otherwise");
    for (int k = count - 3; k >= 0; k -= 2)
      if (!fold(Code::select, starts[k])) emit({Code::select});
  } else if (function.arguments == 3) {
    if (!fold(function.code, begin)) emit({function.code});
  } else if (function.arguments == 2) {
    emit_binary(function.code, begin, starts[1]);
  } else if (function.arguments == 1) {
    emit_unary(function.code, begin);
  }
}

void ExpressionParser::call(const Table& table, std::string_view name, std::size_t position) {
  take("(");
  skip_spaces();
  if (at_ < text_.size() && text_[at_] == ')') fail(position, "gives the table '" + std::string(name) + "' no argument, it takes one");
  operand(0);
  if (take(",")) fail(position, "gives the table '" + std::string(name) + "' several arguments, it takes one");
  if (!take(")")) fail(at_, "misses the `)` of '" + std::string(name) + "('");
  emit({Code::table, 0, 0.0, &table});
}

bool ExpressionParser::has_function(std::string_view name) {
  return std::any_of(functions.begin(), functions.end(), [&](const Named& f) { return f.name == name; });
}

bool Expression::has_function(std::string_view name) { return ExpressionParser::has_function(name); }

std::string ExpressionParser::nearest(std::string_view word, bool function) const {
  std::string best;
  int distance = std::max(2, count_of(word) / 3 + 1);
  auto consider = [&](std::string_view name) {
    const int d = edit_distance(word, name);
    if (d < distance && d < static_cast<int>(std::max(word.size(), name.size()))) distance = d, best = name;
  };
  if (function) {
    if (parameters_.tables)
      for (const auto& table : *parameters_.tables) consider(table.first);
    for (const Named& f : functions) consider(f.name);
  } else {
    for (const std::string& input : inputs_) consider(input);
    for (const auto& parameter : parameters_.numbers) consider(parameter.name);
    consider("pi");
  }
  if (!best.empty()) return "did you mean '" + best + "'?";
  if (function) return "use sin, cos, exp, sqrt, min, max, if, ...";
  std::string known;
  for (const std::string& input : inputs_) known += (known.empty() ? "" : ", ") + input;
  for (const auto& parameter : parameters_.numbers) known += (known.empty() ? "" : ", ") + parameter.name;
  return known.empty() ? "no names but pi and e are known here" : "known are " + known;
}

std::vector<Expression::Operation> ExpressionParser::parse() {
  if (text_.size() > Expression::max_length)
    fail(Expression::max_length, "is longer than " + std::to_string(Expression::max_length) + " characters", "use a compiled function");
  skip_spaces();
  if (at_ == text_.size()) fail(0, "is empty", "write a number or a formula");
  operand(0);
  skip_spaces();
  if (at_ < text_.size()) {
    const std::string rest(starts_name(text_[at_]) ? std::string(name_here()) : character());
    if (text_[at_] == '=') fail(at_, "has a single `=`", "write `==` to compare");
    if (text_[at_] == ')') fail(at_, "has a `)` too many");
    fail(at_, "has `" + rest + "` where an operator is expected", instead());
  }
  if (stack_size(tape_) > Expression::max_stack)
    fail(0, "keeps more than " + std::to_string(Expression::max_stack) + " values waiting", "split it into parameters");
  return std::move(tape_);
}

int ExpressionParser::stack_size(const std::vector<Operation>& tape) {
  int now = 0, most = 0;
  for (const Operation& op : tape) {
    now += 1 - Expression::operands(op.code);
    most = std::max(most, now);
  }
  return most;
}

int Expression::operands(Code code) {
  if (code <= Code::held) return 0;
  if (code <= Code::logical_not) return 1;
  return code == Code::select ? 3 : 2;
}

void Parameters::add(const Parameters& other) {
  for (const auto& number : other.numbers)
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) numbers.push_back(number);
  if (other.tables) tables = other.tables;
}

Expression::Expression() : tape_{{Code::constant, 0, 0.0}}, source_("0") {}

Expression Expression::constant(double value) {
  Expression out;
  out.tape_[0].number = value;
  char text[32];
  out.source_.assign(text, std::to_chars(text, text + sizeof text, value).ptr);
  return out;
}

Expression Expression::held(int place) {
  Expression out;
  out.tape_[0] = {Code::held, place};
  out.source_ = "held";
  return out;
}

Expression Expression::parse(std::string_view source, std::span<const std::string> inputs, const Parameters& parameters,
                             std::optional<ExpressionFault>& fault) {
  Expression out;
  fault.reset();
  try {
    ExpressionParser parser(source, inputs, parameters);
    out.tape_ = parser.parse();
    out.stack_ = ExpressionParser::stack_size(out.tape_);
    if (std::any_of(out.tape_.begin(), out.tape_.end(), [](const Operation& op) { return op.table; })) out.tables_ = parameters.tables;
    bool reads = false;
    for (const Operation& op : out.tape_) reads = reads || op.code == Code::input || op.code == Code::held;
    if (!reads) {
      const double value = out(static_cast<const double*>(nullptr));
      if (!std::isfinite(value)) throw ExpressionFault{0, "is not a finite number", "check divisions by zero, log and sqrt"};
      out.tape_ = {{Code::constant, 0, value}};
      out.stack_ = 1;
    }
    out.source_ = source;
  } catch (ExpressionFault& found) {
    fault = std::move(found);
    return {};
  }
  return out;
}

std::vector<Expression> ExpressionParser::time_parts(const Expression& f) {
  const std::vector<Operation>& tape = f.tape_;
  struct Operand {
    std::size_t begin;
    bool other = false;                                  // other inputs enter
    std::vector<std::pair<std::size_t, std::size_t>> of;  // parts: operations from, to
  };
  std::vector<Operand> stack;
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < tape.size(); ++i) {
    const Operation& op = tape[i];
    const auto first = stack.end() - Expression::operands(op.code);
    Operand result{first == stack.end() ? i : first->begin, op.code == Code::input && op.input != 0, {}};
    if (op.code == Code::input && op.input == 0) result.of = {{i, i + 1}};
    bool varies = false;
    for (auto x = first; x != stack.end(); ++x) result.other |= x->other, varies |= !x->of.empty();
    const bool linear = op.code == Code::add || op.code == Code::subtract || op.code == Code::add_number || op.code == Code::number_minus || op.code == Code::scale || op.code == Code::negate;
    if (varies && !result.other && !linear) result.of = {{result.begin, i + 1}};
    else if (varies)
      for (auto x = first; x != stack.end(); ++x)
        (result.other ? found : result.of).insert((result.other ? found : result.of).end(), x->of.begin(), x->of.end());
    stack.erase(first, stack.end());
    stack.push_back(std::move(result));
  }
  found.insert(found.end(), stack.back().of.begin(), stack.back().of.end());
  std::vector<Expression> parts;
  for (const auto& [begin, end] : found) {
    if (end == begin + 1) continue;
    Expression part;
    part.tape_.assign(tape.begin() + static_cast<std::ptrdiff_t>(begin), tape.begin() + static_cast<std::ptrdiff_t>(end));
    part.stack_ = stack_size(part.tape_), part.source_ = f.source_, part.tables_ = f.tables_;
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<Expression> time_parts(const Expression& f) { return ExpressionParser::time_parts(f); }

bool Expression::reads_data() const {
  return std::any_of(tape_.begin(), tape_.end(), [](const Operation& op) { return op.code == Code::held; });
}

bool Expression::has_branch() const {
  return std::any_of(tape_.begin(), tape_.end(), [](const Operation& op) {
    switch (op.code) {
      case Code::select: case Code::min: case Code::max: case Code::abs: case Code::sign: case Code::floor: case Code::step: case Code::mod: case Code::table: return true;
      default: return op.code >= Code::less && op.code <= Code::logical_or;
    }
  });
}

bool Expression::depends_on(int input) const {
  return std::any_of(tape_.begin(), tape_.end(), [&](const Operation& op) { return op.code == Code::input && op.input == input; });
}

}  // namespace saltus
