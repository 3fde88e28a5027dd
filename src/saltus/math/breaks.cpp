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

/// An operation on one interval.
template <class Operation>
Interval of_one(const Operation& op, const Interval& x) {
  using Code = decltype(op.code);
  switch (op.code) {
    case Code::add_number: return with(x.low + op.number, x.high + op.number, x);
    case Code::scale: return product(x, op.number);
    case Code::number_minus: return with(op.number - x.high, op.number - x.low, x);
    case Code::number_over: return quotient(op.number, x);
    case Code::power_number: return raised(x, op.number);
    case Code::negate: return with(-x.high, -x.low, x);
    case Code::sine: return sine(x, 0.0);
    case Code::cosine: return sine(x, 0.5 * std::numbers::pi);
    case Code::tangent: return contains(x, 0.5 * std::numbers::pi, std::numbers::pi) ? undecided(-infinity, infinity, x) : monotone(x, [](double a) { return std::tan(a); });
    case Code::arcsine: return monotone(x, [](double a) { return std::asin(a); });
    case Code::arccosine: return monotone(x, [](double a) { return std::acos(a); });
    case Code::arctangent: return monotone(x, [](double a) { return std::atan(a); });
    case Code::sinh: return monotone(x, [](double a) { return std::sinh(a); });
    case Code::cosh: return x.low < 0.0 && x.high > 0.0 ? with(1.0, std::cosh(std::max(-x.low, x.high)), x) : monotone(x, [](double a) { return std::cosh(a); });
    case Code::tanh: return monotone(x, [](double a) { return std::tanh(a); });
    case Code::exp: return monotone(x, [](double a) { return std::exp(a); });
    case Code::log: return monotone(x, [](double a) { return std::log(a); });
    case Code::log10: return monotone(x, [](double a) { return std::log10(a); });
    case Code::sqrt: return monotone(x, [](double a) { return std::sqrt(a); });
    case Code::abs: return absolute(x);
    case Code::sign: return x.low > 0.0 ? with(1.0, 1.0, x) : x.high < 0.0 ? with(-1.0, -1.0, x) : x.point() ? with(0.0, 0.0, x) : undecided(-1.0, 1.0, x);
    case Code::floor: {
      const double a = std::floor(x.low), b = std::floor(x.high);
      return a == b ? with(a, b, x) : undecided(a, b, x);
    }
    case Code::step: return x.low >= 0.0 ? with(1.0, 1.0, x) : x.high < 0.0 ? with(0.0, 0.0, x) : undecided(0.0, 1.0, x);
    case Code::table: {
      const Table::Over over = op.table->over(x.low, x.high);
      return over.breaks ? undecided(over.low, over.high, x) : with(over.low, over.high, x);
    }
    case Code::logical_not: return truth_of(truth(x) < 0 ? -1 : 1 - truth(x), x, x);
    default: return x;
  }
}
/// An operation on two.
template <class Operation>
Interval of_two(const Operation& op, const Interval& a, const Interval& x) {
  using Code = decltype(op.code);
  switch (op.code) {
    case Code::add: return with(a.low + x.low, a.high + x.high, a, x);
    case Code::subtract: return with(a.low - x.high, a.high - x.low, a, x);
    case Code::multiply: return product(a, x);
    case Code::divide: return quotient(a, x);
    case Code::power: {
      if (x.point()) {
        Interval result = raised(a, x.low);
        result.open |= x.open, result.other |= x.other;
        return result;
      }
      if (!(a.low > 0.0)) return undecided(-infinity, infinity, a, x);
      const Interval y = product(x, monotone(a, [](double b) { return std::log(b); }));
      return monotone(y, [](double b) { return std::exp(b); });
    }
    case Code::arctangent2: {
      if (a.point() && x.point()) return with(std::atan2(a.low, x.low), std::atan2(a.low, x.low), a, x);
      if (!(x.low > 0.0)) return undecided(-std::numbers::pi, std::numbers::pi, a, x);  // the cut may lie in it
      return monotone(quotient(a, x), [](double b) { return std::atan(b); });
    }
    case Code::min: return a.high <= x.low ? a : x.high <= a.low ? x : undecided(std::min(a.low, x.low), std::min(a.high, x.high), a, x);
    case Code::max: return a.low >= x.high ? a : x.low >= a.high ? x : undecided(std::max(a.low, x.low), std::max(a.high, x.high), a, x);
    case Code::mod: {
      if (!x.point() || x.low == 0.0) return undecided(-infinity, infinity, a, x);
      const double m = x.low, first = std::floor(a.low / m), last = std::floor(a.high / m);
      return first == last ? with(a.low - m * first, a.high - m * first, a, x) : undecided(0.0, m, a, x);
    }
    case Code::less: return truth_of(less(a, x), a, x);
    case Code::less_equal: return truth_of(less_equal(a, x), a, x);
    case Code::greater: return truth_of(less(x, a), a, x);
    case Code::greater_equal: return truth_of(less_equal(x, a), a, x);
    case Code::equal:  // at single times alone, unless both stand still
    case Code::not_equal: {
      const bool same = a.point() && x.point() && a.low == x.low, value = same == (op.code == Code::equal);
      return with(value, value, a, x);
    }
    case Code::logical_and: {
      const int p = truth(a), q = truth(x);
      return truth_of(p == 0 || q == 0 ? 0 : p == 1 && q == 1 ? 1 : -1, a, x);
    }
    case Code::logical_or: {
      const int p = truth(a), q = truth(x);
      return truth_of(p == 1 || q == 1 ? 1 : p == 0 && q == 0 ? 0 : -1, a, x);
    }
    default: return x;
  }
}
/// The first or the second, by the condition.
Interval selected(const Interval& condition, const Interval& first, const Interval& second) {
  const int known = truth(condition);
  Interval result = known == 1 ? first : known == 0 ? second : undecided(std::min(first.low, second.low), std::max(first.high, second.high), condition);
  result.open |= condition.open, result.other |= condition.other;
  if (known < 0) result.open |= first.open || second.open, result.other |= first.other || second.other;
  return result;
}

}  // namespace

template <>
Interval* Expression::carry_out<Interval>(const Operation& op, Interval* end, const Interval* in, const double* data) {
  if (op.code == Code::held) {  // without data what is held there may be anything
    *end = data ? Interval(data[op.input]) : Interval(-infinity, infinity, false, false);
  } else if (op.code < Code::held) {
    *end = op.code == Code::constant ? Interval(op.number) : in[op.input];
  } else if (op.code == Code::select) {
    end[-3] = selected(end[-3], end[-2], end[-1]);
    return end - 2;
  } else if (op.code >= Code::add) {
    end[-2] = of_two(op, end[-2], end[-1]);
    return end - 1;
  } else {
    end[-1] = of_one(op, end[-1]);
    return end;
  }
  return end + 1;
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

Seen seen(const Expression& f, double from, double to, std::span<const double> samples, const Interval& all, const double* data, double beyond) {
  Seen out;
  for (const double s : samples) {
    const double t = s == 1.0 ? to : from + s * (to - from), value = f(&t, data);
    out.low = std::min(out.low, value), out.high = std::max(out.high, value);
  }
  double largest = std::max(std::abs(all.low), std::abs(all.high));
  if (!(largest < infinity)) largest = std::max(std::abs(out.low), std::abs(out.high));
  const double slack = beyond * (out.high - out.low) + 1e-3 * largest;
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

double resolved_end(const Expression& f, double from, double to, std::span<const double> samples, const double* data, double beyond) {
  constexpr double soon = 0.125;  // of the step: a pulse that begins sooner is stepped into
  for (double end = to; end - from > 2.0 * passed_break(from, to);) {
    const Interval all = over(f, from, end, data);
    const Seen known = seen(f, from, end, samples, all, data, beyond);
    if (known.holds(all)) return end;
    const double first = first_unseen(f, from, end, known, data);
    if (first == end) return end;
    if (first - from > soon * (end - from)) return first;
    end = from + 0.5 * (end - from);
  }
  return to;
}

}  // namespace saltus
