#include "saltus/math/breaks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace saltus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double close = 1e-13;  // of time: as closely as a break is found
constexpr int most_intervals = 400, most_depth = 64;

/// All values over an interval of time. open: some branch that time decides is not the same in all of it. other: other inputs enter.
struct Interval {
  double low = 0.0, high = 0.0;
  bool open = false, other = false;

  Interval() = default;
  Interval(double value) : low(value), high(value) {}
  Interval(double a, double b, bool open, bool other) : low(std::min(a, b)), high(std::max(a, b)), open(open), other(other) {
    if (std::isnan(a) || std::isnan(b)) low = -infinity, high = infinity;
  }
  bool point() const { return low == high; }
};

/// The value between a and b, no branch decided.
Interval with(double a, double b, const Interval& x) { return {a, b, x.open, x.other}; }
Interval with(double a, double b, const Interval& x, const Interval& y) { return {a, b, x.open || y.open, x.other || y.other}; }
/// The same where x, or x and y, leave a branch open.
Interval undecided(double a, double b, const Interval& x) { return {a, b, x.open || !x.other, x.other}; }
Interval undecided(double a, double b, const Interval& x, const Interval& y) {
  const bool other = x.other || y.other;
  return {a, b, x.open || y.open || !other, other};
}

template <class F>
Interval monotone(const Interval& x, const F& f) { return with(f(x.low), f(x.high), x); }

/// Whether first + k period lies in it for a whole k.
bool contains(const Interval& x, double first, double period) { return std::ceil((x.low - first) / period) <= std::floor((x.high - first) / period); }

/// sin of x + shift.
Interval sine(const Interval& x, double shift) {
  constexpr double pi = std::numbers::pi;
  const double a = shift == 0.0 ? std::sin(x.low) : std::cos(x.low), b = shift == 0.0 ? std::sin(x.high) : std::cos(x.high);
  if (!(x.high - x.low < infinity)) return with(-1.0, 1.0, x);
  return with(contains(x, -0.5 * pi - shift, 2.0 * pi) ? -1.0 : std::min(a, b), contains(x, 0.5 * pi - shift, 2.0 * pi) ? 1.0 : std::max(a, b), x);
}

Interval product(const Interval& x, const Interval& y) {
  const auto times = [](double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; };
  const double all[] = {times(x.low, y.low), times(x.low, y.high), times(x.high, y.low), times(x.high, y.high)};
  return with(*std::min_element(all, all + 4), *std::max_element(all, all + 4), x, y);
}

Interval quotient(const Interval& x, const Interval& y) {
  if (y.low > 0.0 || y.high < 0.0) return product(x, with(1.0 / y.low, 1.0 / y.high, y));
  return y.point() ? with(-infinity, infinity, x, y) : undecided(-infinity, infinity, x, y);  // a pole
}

Interval absolute(const Interval& x) {
  if (x.low >= 0.0) return x;
  if (x.high <= 0.0) return with(-x.high, -x.low, x);
  return undecided(0.0, std::max(-x.low, x.high), x);
}

Interval raised(const Interval& x, double n) {
  const auto f = [n](double a) { return std::pow(a, n); };
  const bool whole = n == std::floor(n), even = whole && std::fmod(n, 2.0) == 0.0;
  if (x.point() || x.low > 0.0 || (x.low >= 0.0 && n >= 0.0) || (whole && !even && n > 0.0)) return monotone(x, f);
  if (even && n >= 0.0) return with(x.high < 0.0 ? f(x.high) : 0.0, std::max(f(x.low), f(x.high)), x);
  return undecided(-infinity, infinity, x);
}

/// 1: true in all of it, 0: false, -1: both.
int truth(const Interval& x) { return x.low > 0.0 || x.high < 0.0 ? 1 : x.point() ? 0 : -1; }
Interval truth_of(int known, const Interval& x, const Interval& y) { return known < 0 ? undecided(0.0, 1.0, x, y) : with(known, known, x, y); }
int less(const Interval& x, const Interval& y) { return x.high < y.low ? 1 : x.low >= y.high ? 0 : -1; }
int less_equal(const Interval& x, const Interval& y) { return x.high <= y.low ? 1 : x.low > y.high ? 0 : -1; }

}  // namespace

template <>
Interval* Expression::carry_out<Interval>(const Operation& op, Interval* end, const Interval* in, const double* data) {
  if (op.code <= Code::held) {  // without data what is held there may be anything
    if (op.code == Code::held) *end = data ? Interval(data[op.input]) : Interval(-infinity, infinity, false, false);
    else *end = op.code == Code::constant ? Interval(op.number) : in[op.input];
    return end + 1;
  }
  Interval* const top = end - 1;
  Interval& x = *top;
  const auto binary = [&](Interval result) {
    top[-1] = result;
    return top;
  };
  switch (op.code) {
    case Code::constant:
    case Code::input:
    case Code::held: break;
    case Code::add_number: x = with(x.low + op.number, x.high + op.number, x); break;
    case Code::scale: x = product(x, op.number); break;
    case Code::number_minus: x = with(op.number - x.high, op.number - x.low, x); break;
    case Code::number_over: x = quotient(op.number, x); break;
    case Code::power_number: x = raised(x, op.number); break;
    case Code::negate: x = with(-x.high, -x.low, x); break;
    case Code::sine: x = sine(x, 0.0); break;
    case Code::cosine: x = sine(x, 0.5 * std::numbers::pi); break;
    case Code::tangent: x = contains(x, 0.5 * std::numbers::pi, std::numbers::pi) ? undecided(-infinity, infinity, x) : monotone(x, [](double a) { return std::tan(a); }); break;
    case Code::arcsine: x = monotone(x, [](double a) { return std::asin(a); }); break;
    case Code::arccosine: x = monotone(x, [](double a) { return std::acos(a); }); break;
    case Code::arctangent: x = monotone(x, [](double a) { return std::atan(a); }); break;
    case Code::sinh: x = monotone(x, [](double a) { return std::sinh(a); }); break;
    case Code::cosh: x = x.low < 0.0 && x.high > 0.0 ? with(1.0, std::cosh(std::max(-x.low, x.high)), x) : monotone(x, [](double a) { return std::cosh(a); }); break;
    case Code::tanh: x = monotone(x, [](double a) { return std::tanh(a); }); break;
    case Code::exp: x = monotone(x, [](double a) { return std::exp(a); }); break;
    case Code::log: x = monotone(x, [](double a) { return std::log(a); }); break;
    case Code::log10: x = monotone(x, [](double a) { return std::log10(a); }); break;
    case Code::sqrt: x = monotone(x, [](double a) { return std::sqrt(a); }); break;
    case Code::abs: x = absolute(x); break;
    case Code::sign: x = x.low > 0.0 ? with(1.0, 1.0, x) : x.high < 0.0 ? with(-1.0, -1.0, x) : x.point() ? with(0.0, 0.0, x) : undecided(-1.0, 1.0, x); break;
    case Code::floor: {
      const double a = std::floor(x.low), b = std::floor(x.high);
      x = a == b ? with(a, b, x) : undecided(a, b, x);
      break;
    }
    case Code::step: x = x.low >= 0.0 ? with(1.0, 1.0, x) : x.high < 0.0 ? with(0.0, 0.0, x) : undecided(0.0, 1.0, x); break;
    case Code::table: {
      const Table::Over over = op.table->over(x.low, x.high);
      x = over.breaks ? undecided(over.low, over.high, x) : with(over.low, over.high, x);
      break;
    }
    case Code::logical_not: x = truth_of(truth(x) < 0 ? -1 : 1 - truth(x), x, x); break;
    case Code::add: return binary(with(top[-1].low + x.low, top[-1].high + x.high, top[-1], x));
    case Code::subtract: return binary(with(top[-1].low - x.high, top[-1].high - x.low, top[-1], x));
    case Code::multiply: return binary(product(top[-1], x));
    case Code::divide: return binary(quotient(top[-1], x));
    case Code::power: {
      const Interval& a = top[-1];
      if (x.point()) {
        Interval result = raised(a, x.low);
        result.open |= x.open, result.other |= x.other;
        return binary(result);
      }
      if (!(a.low > 0.0)) return binary(undecided(-infinity, infinity, a, x));
      const Interval y = product(x, monotone(a, [](double b) { return std::log(b); }));
      return binary(monotone(y, [](double b) { return std::exp(b); }));
    }
    case Code::arctangent2: {
      const Interval& y = top[-1];
      if (y.point() && x.point()) return binary(with(std::atan2(y.low, x.low), std::atan2(y.low, x.low), y, x));
      if (!(x.low > 0.0)) return binary(undecided(-std::numbers::pi, std::numbers::pi, y, x));  // the cut may lie in it
      return binary(monotone(quotient(y, x), [](double a) { return std::atan(a); }));
    }
    case Code::min: {
      const Interval& a = top[-1];
      return binary(a.high <= x.low ? a : x.high <= a.low ? x : undecided(std::min(a.low, x.low), std::min(a.high, x.high), a, x));
    }
    case Code::max: {
      const Interval& a = top[-1];
      return binary(a.low >= x.high ? a : x.low >= a.high ? x : undecided(std::max(a.low, x.low), std::max(a.high, x.high), a, x));
    }
    case Code::mod: {
      const Interval& a = top[-1];
      if (!x.point() || x.low == 0.0) return binary(undecided(-infinity, infinity, a, x));
      const double m = x.low, first = std::floor(a.low / m), last = std::floor(a.high / m);
      return binary(first == last ? with(a.low - m * first, a.high - m * first, a, x) : undecided(0.0, m, a, x));
    }
    case Code::less: return binary(truth_of(less(top[-1], x), top[-1], x));
    case Code::less_equal: return binary(truth_of(less_equal(top[-1], x), top[-1], x));
    case Code::greater: return binary(truth_of(less(x, top[-1]), top[-1], x));
    case Code::greater_equal: return binary(truth_of(less_equal(x, top[-1]), top[-1], x));
    case Code::equal:  // at single times alone, unless both stand still
    case Code::not_equal: {
      const bool same = top[-1].point() && x.point() && top[-1].low == x.low, value = same == (op.code == Code::equal);
      return binary(with(value, value, top[-1], x));
    }
    case Code::logical_and: {
      const int a = truth(top[-1]), b = truth(x);
      return binary(truth_of(a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : -1, top[-1], x));
    }
    case Code::logical_or: {
      const int a = truth(top[-1]), b = truth(x);
      return binary(truth_of(a == 1 || b == 1 ? 1 : a == 0 && b == 0 ? 0 : -1, top[-1], x));
    }
    case Code::select: {
      const Interval condition = top[-2];
      const int known = truth(condition);
      Interval result = known == 1 ? top[-1] : known == 0 ? x : undecided(std::min(top[-1].low, x.low), std::max(top[-1].high, x.high), condition);
      result.open |= condition.open, result.other |= condition.other;
      if (known < 0) result.open |= top[-1].open || x.open, result.other |= top[-1].other || x.other;
      top[-2] = result;
      return top - 1;
    }
  }
  return end;
}

namespace {
struct Search {
  static constexpr int most_inputs = 64;
  const Expression& f;
  const bool can;
  const double* data;
  int asked = 0;
  std::array<Interval, most_inputs> in;

  Search(const Expression& f, int inputs, const double* data) : f(f), can(inputs >= 1 && inputs <= most_inputs && f.depends_on(0)), data(data) {
    if (can) std::fill_n(in.begin(), inputs, Interval(-infinity, infinity, false, true));
  }
  bool open(double from, double to) {
    ++asked;
    in[0] = Interval(from, to, false, false);
    return can && f(in.data(), data).open;
  }
};
}  // namespace

double passed_break(double from, double to) { return 4.0 * close * std::max(std::abs(from), std::abs(to)); }

bool has_breaks(const Expression& f, int inputs) { return Search(f, inputs, nullptr).open(-infinity, infinity); }

bool begins_with_break(const Expression& f, int inputs, double from, double to, const double* data) {
  Search search(f, inputs, data);
  const double behind = from + passed_break(from, to);
  return search.open(from, behind) && !search.open(behind, behind + passed_break(from, to));
}

double first_break(const Expression& f, int inputs, double from, double to, const double* data) {
  Search search(f, inputs, data);
  const double enough = 0.25 * passed_break(from, to);
  double settled = from + passed_break(from, to);
  if (!(settled < to) || !search.open(settled, to)) return to;
  if (search.open(settled, settled + enough)) return to;  // as everywhere, then
  std::array<double, most_depth> ends{to};
  for (int n = 1; n > 0 && search.asked < most_intervals;) {
    const double end = ends[n - 1];
    if (!search.open(settled, end)) settled = end, --n;
    else if (end - settled <= enough || n == most_depth) return std::max(settled - enough, from + passed_break(from, to));  // and in front of it beyond the rounding of sums
    else ends[n++] = settled + 0.5 * (end - settled);
  }
  return to;
}

namespace {
Interval over(const Expression& f, double from, double to, const double* data) {
  const Interval t(from, to, false, false);
  return f(&t, data);
}

/// Lowest and highest value that a step's samples stand for.
struct Seen {
  double low = infinity, high = -infinity;
  bool holds(const Interval& x) const { return x.low >= low && x.high <= high; }
};

Seen seen(const Expression& f, double from, double to, std::span<const double> samples, const Interval& all, const double* data) {
  Seen out;
  for (const double s : samples) {
    const double t = s == 1.0 ? to : from + s * (to - from), value = f(&t, data);
    out.low = std::min(out.low, value), out.high = std::max(out.high, value);
  }
  double largest = std::max(std::abs(all.low), std::abs(all.high));
  if (!(largest < infinity)) largest = std::max(std::abs(out.low), std::abs(out.high));
  const double slack = 0.5 * (out.high - out.low) + 1e-3 * largest;
  out.low -= slack, out.high += slack;
  return out;
}

/// Where f leaves what is seen first, proved by a value; `to` if it does not, or intervals cannot tell.
double first_unseen(const Expression& f, double from, double to, const Seen& seen, const double* data) {
  std::array<double, most_depth> ends{to};
  double settled = from;
  for (int n = 1, asked = 0; n > 0 && asked < most_intervals; ++asked) {
    const double end = ends[n - 1], middle = settled + 0.5 * (end - settled);
    if (seen.holds(over(f, settled, end, data))) settled = end, --n;
    else if (!seen.holds(f(&middle, data))) return settled;
    else if (end - settled <= passed_break(from, to) || n == most_depth) return to;
    else ends[n++] = middle;
  }
  return to;
}
}  // namespace

double resolved_end(const Expression& f, double from, double to, std::span<const double> samples, const double* data) {
  constexpr double soon = 0.125;  // of the step: a pulse that begins sooner is stepped into
  for (double end = to; end - from > 2.0 * passed_break(from, to);) {
    const Interval all = over(f, from, end, data);
    const Seen known = seen(f, from, end, samples, all, data);
    if (known.holds(all)) return end;
    const double first = first_unseen(f, from, end, known, data);
    if (first == end) return end;
    if (first - from > soon * (end - from)) return first;
    end = from + 0.5 * (end - from);
  }
  return to;
}

}  // namespace saltus
