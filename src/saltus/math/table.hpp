// A function of one variable given by rows: recorded signals, characteristics of springs, profiles of drives.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "saltus/math/taylor.hpp"

namespace saltus {

/// What a table is made of.
struct TableRows {
  enum class Kind { step, linear, spline, natural_spline, monotone };
  enum class Outside { hold, linear, periodic, refuse };

  std::vector<double> input, output;  // as long as each other, inputs increase
  Kind kind = Kind::linear;
  Outside outside = Outside::hold;
  std::optional<std::array<double, 2>> slopes = {};  // of a spline at its ends
};

/// What is wrong with rows: the row (-1: all of them), sentence, remedy.
struct TableFault {
  int row = -1;
  std::string message, remedy;
};

/// f(x) by pieces, exact with its derivatives on every scalar.
///
/// step: the output of the last row at or before x. linear: straight lines. spline: the cubic spline of two continuous derivatives (de Boor
/// 1978, IV), its ends not a knot, of second derivative 0 (natural), of given slopes, or, outside periodic, closed. monotone: cubic pieces of
/// one continuous derivative that do not leave the values of their ends (Fritsch, Butland 1984). outside: the end's output, a line of the
/// end's slope, the rows again and again, or not a number. Evaluation does not allocate.
class Table {
 public:
  /// On failure `fault` is set and the result is 0.
  static Table of(std::string name, TableRows rows, std::optional<TableFault>& fault);

  template <class S>
  S operator()(const S& at) const {
    const double from = pieces_.front().x, to = pieces_.back().x;
    S x = at;
    if (std::isnan(val(x))) return S(val(x));
    if (val(x) < from || val(x) >= to) {
      if (outside_ == TableRows::Outside::periodic) x = x - (to - from) * std::floor((val(x) - from) / (to - from));
      else if (val(x) < from) return begin(x);
      else if (val(x) > to && outside_ == TableRows::Outside::refuse) return S(refused(val(x)));
    }
    const Piece& p = piece(val(x));
    const S u = x - p.x;
    return p.y + u * (p.b + u * (p.c + u * p.d));
  }

  /// Lowest and highest value from `low` to `high`, which may be infinite, and whether it jumps or has a kink in (low, high].
  struct Over {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    bool breaks = false;
  };
  Over over(double low, double high) const;

  /// Where a table that refuses was asked outside of its rows last on this thread: a sentence; empty: nowhere since clear_refusal().
  static const std::string& last_refusal();
  static void clear_refusal();

 private:
  /// y + b u + c u^2 + d u^3, u = x' - x, up to the next; the last one is what stands behind the end.
  struct Piece {
    double x, y, b = 0.0, c = 0.0, d = 0.0;
  };
  const Piece& piece(double x) const {
    const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), x, [](double a, const Piece& p) { return a < p.x; });
    return next == pieces_.begin() ? *next : next[-1];
  }
  template <class S>
  S begin(const S& x) const {
    const Piece& p = pieces_.front();
    if (outside_ == TableRows::Outside::refuse) return S(refused(val(x)));
    return outside_ == TableRows::Outside::linear ? p.y + p.b * (x - p.x) : S(p.y);
  }
  double refused(double x) const;
  void add_piece(double low, double high, Over& over) const;
  void find_breaks();
  void end_with(const TableRows& rows);

  std::string name_;
  std::vector<Piece> pieces_;
  std::vector<double> breaks_;  // inputs, ascending; of a periodic one in (from, to]
  Over all_;                    // of the rows
  TableRows::Outside outside_ = TableRows::Outside::hold;
};

using Tables = std::map<std::string, Table, std::less<>>;

}  // namespace saltus
