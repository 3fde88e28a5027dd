// Source of a current between two terminals.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Current(t) from A through the source to B.
struct CurrentSource {
  Function current;

  using port = CoordPair;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::current_source);
  static constexpr std::string_view name = "current_source";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "current_source";
  static constexpr std::string_view doc = "Prescribes the current from A through the source to B.";
  static constexpr auto ports() { return std::array{leaves_at_A, enters_at_B}; }
  static constexpr auto fields() {
    return std::tuple{field("current", &CurrentSource::current, "A", "a function of t", required(function_of("t")))};
  }
  bool constant_matrix() const { return current.is_constant(); }
  bool parallel() const { return current.parallel(); }
  template <class S>
  Vec<S, 1> rhs(const CoordPair::View<S>&, const Context<S>& context) const {
    S prescribed;
    current(&context.t, &prescribed, context.data);
    return {{prescribed}};
  }
};

}  // namespace saltus
