// A load on one coordinate.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// RHS f(t, q, v).
struct CoordinateLoad {
  Function force;

  using port = CoordPort<1>;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "coordinate_load";
  static constexpr std::string_view section = "loads";
  static constexpr std::string_view doc = "A load on one coordinate.";
  static constexpr auto fields() {
    return std::tuple{field("force", &CoordinateLoad::force, "", "f(t, q, v), N or N m; of a first-order state its rate, q the state", required(function_of("t|q|v")))};
  }
  bool parallel() const { return force.parallel(); }
  bool constant_matrix() const { return force.is_constant(); }
  template <class S>
  S rhs(const port::View<S>& x, const Context<S>& context) const {
    const S in[] = {context.t, x.q[0], x.v[0]};
    S f;
    force(in, &f);
    return f;
  }
};

}  // namespace saltus
