// Bounds of the output of an operational amplifier, as sets.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (high - v, v - low) >= 0 complementary to lambda >= 0, v = v_A - v_B; lambda_0 - lambda_1 is the voltage between the inputs beyond what the
/// gain asks for. Endpoints A, B and the SourceCurrent of the op_amp, whose equation takes it.
struct OpAmpLimits {
  double low = -1.0, high = 1.0;

  using port = CoordPort<3>;
  static constexpr int rows = 2;
  static constexpr bool linear = true, has_input = true;
  static constexpr std::array<BranchInfo, 0> branches{};
  static constexpr std::string_view name = "op_amp_limits";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "element";
  static constexpr std::string_view doc = "Bounds of the output voltage v_A - v_B of an op_amp: at a bound its inputs have different potentials.";
  static constexpr std::string_view default_law = "complementarity";
  static constexpr std::string_view sample = R"({"low": -0.7, "high": 1.3})";  // of the property tests
  static constexpr auto fields() {
    return std::tuple{field("low", &OpAmpLimits::low, "V", "lowest output", required()), field("high", &OpAmpLimits::high, "V", "highest output", required())};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "output"}, PortInfo{"B", "coordinate", true, false, "where its current comes from"},
                      PortInfo{"current_of", "coordinate", true, false, "the source_current of the op_amp"}};
  }
  std::string invalid() const { return low < high ? "" : "`low` is not below `high`"; }
  template <class S>
  Vec<S, 2> h(const port::View<S>& x, const Context<S, 2>&) const {
    const S v = x.q[0] - x.q[1];
    return {{high - v, v - low}};
  }
  template <class S>
  Vec<S, 3> g(const port::View<S>&, const Context<S, 2>& context) const {
    return {{S(0.0), S(0.0), context.lambda[1] - context.lambda[0]}};
  }
};

}  // namespace saltus
