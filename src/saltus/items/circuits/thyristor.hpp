// Thyristor: a diode that waits for its gate.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// As a diode, y = v_B - v_A + V + R lambda, while its gate is above 0 or the last accepted state had a current through it; else y = 1 V: no current.
struct Thyristor {
  Function gate{0.0};
  double threshold = 0.0, resistance = 0.0;

  using port = CoordPair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true, uses_lambda = true, switched = true;
  static constexpr auto branches = one_branch(BranchKind::law);
  static constexpr std::string_view name = "thyristor";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "thyristor";
  static constexpr std::string_view doc = "Thyristor from the anode A to the cathode B: it conducts from the time at which its gate is on and the voltage forward, until the current ends.";
  static constexpr auto ports() { return std::array{anode_A, cathode_B}; }
  static constexpr std::string_view default_law = "complementarity";
  static constexpr std::string_view sample = R"({"gate": 1, "resistance": 0.2})";  // of the property tests
  static constexpr auto fields() {
    return std::tuple{field("gate", &Thyristor::gate, "", "its gate is on while this function of t is above 0", required(function_of("t"))),
                      field("threshold", &Thyristor::threshold, "V", "V: v_A - v_B while it conducts, without its resistance", at_least(0.0)),
                      field("resistance", &Thyristor::resistance, "Ohm", "R in series while it conducts", at_least(0.0))};
  }
  bool parallel() const { return gate.parallel(); }
  static constexpr int history = 1;  // 1: a current flows

  template <class C>
  double remember(const CoordPair::View<double>&, const C& context, double* kept) const {
    kept[0] = context.lambda[0] > 0.0 ? 1.0 : 0.0;
    return 0.0;
  }
  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& x, const Context<S, 1>& context) const {
    S on;
    gate(&context.t, &on, context.data);
    const bool fired = val(on) > 0.0 || (context.history && context.history[0] > 0.5);
    const S row = x.q + threshold + resistance * context.lambda[0];
    return {{fired ? row : 0.0 * row + 1.0}};
  }
};

}  // namespace saltus
