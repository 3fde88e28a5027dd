// Source of a voltage between two terminals.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// v_A - v_B = voltage(t). Endpoints A, B and its SourceCurrent.
struct VoltageSource {
  Function voltage;

  using port = CoordPort<3>;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::voltage_source, 2);
  static constexpr std::string_view name = "voltage_source";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "voltage_source";
  static constexpr std::string_view doc = "Prescribes the voltage between two terminals.";
  static constexpr auto fields() {
    return std::tuple{field("voltage", &VoltageSource::voltage, "V", "v_A - v_B, a function of t", required(function_of("t")))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "terminal, current leaves it into the element"},
                      PortInfo{"B", "coordinate", true, false, "terminal, current enters it"},
                      PortInfo{"current_of", "coordinate", true, false, "its source_current"}};
  }
  bool constant_matrix() const { return voltage.is_constant(); }
  bool parallel() const { return voltage.parallel(); }
  template <class S>
  Vec<S, 3> rhs(const CoordPort<3>::View<S>& x, const Context<S>& context) const {
    S prescribed;
    voltage(&context.t, &prescribed, context.data);
    const S& i = x.q[2];
    return {{-i, i, x.q[0] - x.q[1] - prescribed}};
  }
};

}  // namespace saltus
