#include "saltus/math/table.hpp"

#include <charconv>
#include <span>

namespace saltus {
namespace {

using Kind = TableRows::Kind;
using Outside = TableRows::Outside;

thread_local std::string refusal;

std::string text(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

/// a_i m_{i-1} + b_i m_i + c_i m_{i+1} = r_i by elimination; the solution in r.
void solve_tridiagonal(std::span<const double> a, std::vector<double> b, std::span<const double> c, std::span<double> r) {
  for (std::size_t i = 1; i < b.size(); ++i) {
    const double factor = a[i] / b[i - 1];
    b[i] -= factor * c[i - 1], r[i] -= factor * r[i - 1];
  }
  for (std::size_t i = b.size(); i-- > 0;) r[i] = (r[i] - (i + 1 < b.size() ? c[i] * r[i + 1] : 0.0)) / b[i];
}

/// Widths and mean slopes of the intervals between rows.
struct Steps {
  std::vector<double> h, d;
  explicit Steps(const TableRows& rows) {
    for (std::size_t i = 0; i + 1 < rows.input.size(); ++i) {
      h.push_back(rows.input[i + 1] - rows.input[i]);
      d.push_back((rows.output[i + 1] - rows.output[i]) / h.back());
    }
  }
  std::size_t size() const { return h.size(); }
};

/// Slopes of the spline that closes on itself: the unknown m_0 = m_n is taken out (Sherman, Morrison 1950).
std::vector<double> closed_spline_slopes(const Steps& s) {
  const std::size_t n = s.size();
  std::vector<double> a(n), b(n), c(n), r(n), u(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n;
    a[i] = 1.0 / s.h[before], c[i] = 1.0 / s.h[i], b[i] = 2.0 * (a[i] + c[i]), r[i] = 3.0 * (a[i] * s.d[before] + c[i] * s.d[i]);
  }
  if (n == 1) return {s.d[0], s.d[0]};
  if (n == 2) {  // m_1 is the neighbour on both sides
    const double off = a[0] + c[0], det = b[0] * b[1] - off * off;
    const double first = (r[0] * b[1] - off * r[1]) / det;
    return {first, (r[1] * b[0] - off * r[0]) / det, first};
  }
  const double corner = a[0], gamma = -b[0];
  u[0] = gamma, u[n - 1] = corner;
  b[0] -= gamma, b[n - 1] -= corner * corner / gamma;
  solve_tridiagonal(a, b, c, r);
  solve_tridiagonal(a, b, c, u);
  const double share = (r[0] + corner / gamma * r[n - 1]) / (1.0 + u[0] + corner / gamma * u[n - 1]);
  for (std::size_t i = 0; i < n; ++i) r[i] -= share * u[i];
  r.push_back(r[0]);
  return r;
}

std::vector<double> spline_slopes(const TableRows& rows, const Steps& s) {
  if (rows.outside == Outside::periodic) return closed_spline_slopes(s);
  const std::size_t n = s.size();
  std::vector<double> a(n + 1), b(n + 1), c(n + 1), r(n + 1);
  for (std::size_t i = 1; i < n; ++i)
    a[i] = 1.0 / s.h[i - 1], c[i] = 1.0 / s.h[i], b[i] = 2.0 * (a[i] + c[i]), r[i] = 3.0 * (a[i] * s.d[i - 1] + c[i] * s.d[i]);
  // At an end with the interval h next to it and k behind that, of mean slopes d and e: p m_end + q m_next = r.
  const auto end = [&](double h, double k, double d, double e, double& p, double& q, double& right) {
    if (rows.kind == Kind::natural_spline) p = 2.0, q = 1.0, right = 3.0 * d;
    else if (n < 3) p = 1.0, q = n == 1 ? 0.0 : 1.0, right = n == 1 ? d : 2.0 * d;  // one line, or one parabola
    else p = k, q = h + k, right = ((h + 2.0 * q) * k * d + h * h * e) / q;           // not a knot
  };
  if (rows.slopes) {
    b[0] = b[n] = 1.0, r[0] = (*rows.slopes)[0], r[n] = (*rows.slopes)[1];
  } else {
    const std::size_t next = n > 1 ? 1 : 0;
    end(s.h[0], s.h[next], s.d[0], s.d[next], b[0], c[0], r[0]);
    end(s.h[n - 1], s.h[n - 1 - next], s.d[n - 1], s.d[n - 1 - next], b[n], a[n], r[n]);
  }
  solve_tridiagonal(a, b, c, r);
  return r;
}

/// Slopes of Fritsch and Butland: a weighted harmonic mean of the neighbours', 0 at an extremum.
std::vector<double> monotone_slopes(const TableRows& rows, const Steps& s) {
  const std::size_t n = s.size();
  std::vector<double> m(n + 1, s.d[0]);
  const auto between = [](double h, double k, double d, double e) {
    if (!(d * e > 0.0)) return 0.0;
    const double w = 2.0 * k + h, v = k + 2.0 * h;
    return (w + v) / (w / d + v / e);
  };
  const auto end = [](double h, double k, double d, double e) {
    const double slope = ((2.0 * h + k) * d - h * e) / (h + k);
    if (slope * d <= 0.0) return 0.0;
    return d * e <= 0.0 && std::abs(slope) > 3.0 * std::abs(d) ? 3.0 * d : slope;
  };
  if (n == 1) return m;
  for (std::size_t i = 1; i < n; ++i) m[i] = between(s.h[i - 1], s.h[i], s.d[i - 1], s.d[i]);
  if (rows.outside == Outside::periodic) {
    m[0] = m[n] = between(s.h[n - 1], s.h[0], s.d[n - 1], s.d[0]);
  } else {
    m[0] = end(s.h[0], s.h[1], s.d[0], s.d[1]);
    m[n] = end(s.h[n - 1], s.h[n - 2], s.d[n - 1], s.d[n - 2]);
  }
  return m;
}

std::optional<TableFault> fault_of(const TableRows& rows) {
  const std::vector<double>&x = rows.input, &y = rows.output;
  const auto at = [](std::size_t row, std::string message, std::string remedy) { return TableFault{static_cast<int>(row), std::move(message), std::move(remedy)}; };
  if (x.size() != y.size())
    return TableFault{-1, "has " + std::to_string(x.size()) + " inputs and " + std::to_string(y.size()) + " outputs", "give one output for each input"};
  if (x.size() < 2) return TableFault{-1, "has " + std::to_string(x.size()) + (x.size() == 1 ? " row" : " rows") + ", needs two or more", "write a constant as a number"};
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) return at(i, "is " + text(x[i]), "leave out rows without a value");
    if (!std::isfinite(y[i])) return at(i, "has the output " + text(y[i]), "leave out rows without a value");
    if (i > 0 && !(x[i] > x[i - 1]))
      return at(i, "is " + text(x[i]) + " after " + text(x[i - 1]) + "; inputs must increase",
                x[i] == x[i - 1] ? "write a jump by kind \"step\", or two inputs close to each other" : "sort the rows by their input");
  }
  const bool cubic = rows.kind != Kind::step && rows.kind != Kind::linear;
  if (rows.slopes && rows.kind != Kind::spline) return TableFault{-1, "has slopes at its ends and is no spline", "take kind \"spline\", or leave `slopes` out"};
  if (rows.slopes && rows.outside == Outside::periodic) return TableFault{-1, "has slopes at its ends and is periodic", "leave `slopes` out"};
  if (cubic && rows.outside == Outside::periodic) {
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    if (std::abs(y.back() - y.front()) > 1e-9 * (*high - *low))
      return at(y.size() - 1, "has the output " + text(y.back()) + ", a periodic table must end with its first, " + text(y.front()), "add the row that closes the period");
  }
  return {};
}

}  // namespace

Table Table::of(std::string name, TableRows rows, std::optional<TableFault>& fault) {
  Table out;
  out.name_ = std::move(name), out.outside_ = rows.outside;
  fault = fault_of(rows);
  if (fault) {
    out.pieces_ = {{0.0, 0.0}};
    return out;
  }
  const Steps s(rows);
  std::vector<double> m;
  if (rows.kind == Kind::spline || rows.kind == Kind::natural_spline) m = spline_slopes(rows, s);
  if (rows.kind == Kind::monotone) m = monotone_slopes(rows, s);
  for (std::size_t i = 0; i < s.size(); ++i) {
    Piece p{rows.input[i], rows.output[i]};
    if (!m.empty()) p.b = m[i], p.c = (3.0 * s.d[i] - 2.0 * m[i] - m[i + 1]) / s.h[i], p.d = (m[i] + m[i + 1] - 2.0 * s.d[i]) / (s.h[i] * s.h[i]);
    else if (rows.kind == Kind::linear) p.b = s.d[i];
    out.pieces_.push_back(p);
  }
  out.end_with(rows);
  out.find_breaks();
  for (std::size_t i = 0; i + 1 < out.pieces_.size(); ++i) out.add_piece(out.pieces_[i].x, out.pieces_[i + 1].x, out.all_);
  out.all_.low = std::min(out.all_.low, out.pieces_.back().y), out.all_.high = std::max(out.all_.high, out.pieces_.back().y);
  return out;
}

/// The piece behind the end.
void Table::end_with(const TableRows& rows) {
  const Piece& last = pieces_.back();
  Piece end{rows.input.back(), rows.output.back()};
  const double h = end.x - last.x;
  if (outside_ == Outside::linear || outside_ == Outside::refuse) end.b = last.b + h * (2.0 * last.c + 3.0 * h * last.d);
  if (outside_ == Outside::refuse) end.c = last.c + 3.0 * h * last.d, end.d = last.d;  // of the last row itself
  if (outside_ == Outside::periodic) end = {end.x, pieces_.front().y, pieces_.front().b};
  pieces_.push_back(end);
}

void Table::find_breaks() {
  double steepest = 0.0, largest = 0.0;
  for (const Piece& p : pieces_) steepest = std::max(steepest, std::abs(p.b)), largest = std::max(largest, std::abs(p.y));
  const auto differ = [](double a, double b, double scale) { return std::abs(a - b) > 1e-9 * scale; };
  if (outside_ == Outside::hold && differ(pieces_.front().b, 0.0, steepest)) breaks_.push_back(pieces_.front().x);
  for (std::size_t i = 1; i < pieces_.size(); ++i) {
    const Piece &p = pieces_[i - 1], &q = pieces_[i];
    const double h = q.x - p.x;
    if (differ(p.y + h * (p.b + h * (p.c + h * p.d)), q.y, largest) || differ(p.b + h * (2.0 * p.c + 3.0 * h * p.d), q.b, steepest)) breaks_.push_back(q.x);
  }
}

/// Values in one piece, [low, high].
void Table::add_piece(double low, double high, Over& over) const {
  const Piece& p = piece(low);
  const auto take = [&](double u) {
    const double y = p.y + u * (p.b + u * (p.c + u * p.d));
    over.low = std::min(over.low, y), over.high = std::max(over.high, y);
  };
  const double from = low - p.x, to = high - p.x;
  take(from), take(to);
  const auto turn = [&](double u) {
    if (u > from && u < to) take(u);
  };
  if (p.d == 0.0) {
    if (p.c != 0.0) turn(-0.5 * p.b / p.c);
    return;
  }
  const double root = p.c * p.c - 3.0 * p.b * p.d;
  if (root < 0.0) return;
  turn((-p.c + std::sqrt(root)) / (3.0 * p.d)), turn((-p.c - std::sqrt(root)) / (3.0 * p.d));
}

Table::Over Table::over(double low, double high) const {
  const double from = pieces_.front().x, to = pieces_.back().x, width = to - from;
  if (outside_ == Outside::periodic && (low < from || high >= to)) {
    if (high - low >= width) {
      Over out = all_;
      out.breaks = !breaks_.empty();
      return out;
    }
    const double shift = width * std::floor((low - from) / width);
    low -= shift, high -= shift;
    Over out = over(low, std::min(high, std::nextafter(to, from)));
    if (high >= to) {
      const Over again = over(from, std::max(from, std::min(high - width, std::nextafter(to, from))));
      out = {std::min(out.low, again.low), std::max(out.high, again.high), out.breaks || again.breaks || (!breaks_.empty() && breaks_.back() == to)};
    }
    return out;
  }
  Over out;
  const auto first = std::upper_bound(breaks_.begin(), breaks_.end(), low);
  out.breaks = first != breaks_.end() && *first <= high;
  const auto take = [&](double y) { out.low = std::min(out.low, y), out.high = std::max(out.high, y); };
  const auto line = [](double y, double slope, double u) { return slope == 0.0 ? y : y + slope * u; };
  const double before = outside_ == Outside::linear ? pieces_.front().b : 0.0, behind = outside_ == Outside::linear ? pieces_.back().b : 0.0;
  if (low < from) take(line(pieces_.front().y, before, low - from)), take(line(pieces_.front().y, before, std::min(high - from, 0.0)));
  if (high >= to) take(line(pieces_.back().y, behind, high - to)), take(line(pieces_.back().y, behind, std::max(low - to, 0.0)));
  if (low <= from && high >= to) {
    out.low = std::min(out.low, all_.low), out.high = std::max(out.high, all_.high);
    return out;
  }
  for (double a = std::max(low, from), end = std::min(high, to); a <= end && a < to;) {
    const double b = std::min(end, (&piece(a))[1].x);
    add_piece(a, b, out);
    if (!(b > a)) break;
    a = b;
  }
  return out;
}

double Table::refused(double x) const {
  refusal = "table '" + name_ + "' holds " + text(pieces_.front().x) + " to " + text(pieces_.back().x) + " and is asked at " + text(x);
  return std::numeric_limits<double>::quiet_NaN();
}

const std::string& Table::last_refusal() { return refusal; }
void Table::clear_refusal() { refusal.clear(); }

}  // namespace saltus
