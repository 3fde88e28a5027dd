// Field-effect transistor of linear pieces, as sets.
#pragma once

#include <array>
#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// i_DS = sum c_k (lambda_k - lambda_n+k), lambda_k = max(0, v_GS - h_k), lambda_n+k = max(0, v_GD - h_k), each by y = lambda + h - v >= 0 complementary to
/// lambda >= 0 (Leenaerts, van Bokhoven 1998; Acary, Bonnefon, Brogliato 2011). The sum interpolates K/2 max(v - V, 0)^2 at n equal steps up to `range`,
/// K range^2 / (8 n^2) above it at most; beyond, the last piece goes on.
struct MosfetPiecewise {
  std::string polarity = "n";
  double transconductance = 0.0, threshold = 0.0, range = 0.0;
  int pieces = 4;

  static constexpr int most = 6;
  using port = CoordPort<3>;
  static constexpr int rows = 2 * most;
  static constexpr bool linear = true, uses_lambda = true, has_input = true;
  static constexpr std::array<BranchInfo, 1> branches{{{BranchKind::any, 1, 2, -1}}};
  static constexpr std::string_view name = "mosfet_piecewise";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "transistor";
  static constexpr std::string_view doc = "Field-effect transistor whose square law is a line of pieces, each switched by a complementarity.";
  static constexpr std::string_view default_law = "complementarity";
  static constexpr std::string_view sample = R"({"polarity": "p", "transconductance": 0.5, "threshold": 0.3, "range": 2, "pieces": 3})";  // of the property tests
  static constexpr auto fields() {
    return std::tuple{field("polarity", &MosfetPiecewise::polarity, "", "n or p", one_of("n|p")),
                      field("transconductance", &MosfetPiecewise::transconductance, "A/V^2", "K", required(above(0.0))),
                      field("threshold", &MosfetPiecewise::threshold, "V", "V: gate to source from which it conducts, of type p source to gate", required()),
                      field("range", &MosfetPiecewise::range, "V", "voltage above the threshold up to which the pieces reach", required(above(0.0))),
                      field("pieces", &MosfetPiecewise::pieces, "", "n, 1 to 6", between(1.0, most))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"gate", "coordinate", true, false, "terminal, no current flows through it"}, PortInfo{"A", "coordinate", true, false, "drain"},
                      PortInfo{"B", "coordinate", true, false, "source"}};
  }
  int row_count() const { return 2 * pieces; }
  template <class S>
  Vec<S, rows> h(const port::View<S>& x, const Context<S, rows>& context) const {
    Vec<S, rows> y;
    for (int k = 0; k < 2 * pieces; ++k) {
      const int piece = k % pieces;
      y[k] = context.lambda[k] + (threshold + piece * range / pieces) - sign() * (x.q[0] - x.q[k < pieces ? 2 : 1]);
    }
    return y;
  }
  template <class S>
  Vec<S, 3> g(const port::View<S>&, const Context<S, rows>& context) const {
    const double step = transconductance * range / pieces;  // by which the slope grows: half of it at the threshold
    S i(0.0);
    for (int k = 0; k < pieces; ++k) i += sign() * (k == 0 ? 0.5 : 1.0) * step * (context.lambda[k] - context.lambda[pieces + k]);
    return {{S(0.0), -i, i}};
  }

 private:
  double sign() const { return polarity == "p" ? -1.0 : 1.0; }
};

}  // namespace saltus
