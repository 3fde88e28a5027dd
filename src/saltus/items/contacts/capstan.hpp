// Friction of a rope over a sheave.
#pragma once

#include <cmath>
#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// A rope that does not stretch between the tensions T_1 and T_2 before and behind a sheave: they may differ by e^(mu phi), phi the wrap (Euler, Eytelwein).
/// On length L and slip s their power is -(T_1 + T_2)/2 L' - (T_2 - T_1) s', so that |T_2 - T_1| <= tanh(mu phi / 2) (T_1 + T_2) is Coulomb's cone of
/// coefficient 1 on the rows (L_0 - L, 2 tanh(mu phi / 2) s): lambda = (mean tension, share of the largest friction), with T_2 - T_1 = -2 tanh(mu phi / 2) lambda_2.
/// The second row has a rate only.
struct Capstan {
  double rope_length = 0.0, friction = 0.0;

  using port = CoordPort<3>;
  static constexpr int rows = 2, sliding = 1;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view name = "capstan";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A rope that does not stretch, with friction over a sheave: rows (rope less length, slip in units of the largest friction).";
  static constexpr auto fields() {
    return std::tuple{field("rope_length", &Capstan::rope_length, "m", "length of the rope, at which it comes taut", at_least(0.0)),
                      field("friction", &Capstan::friction, "", "mu between rope and sheave; the law has friction 1", at_least(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"length", "coordinate", true, false, "length of the rope's path: a marker of type rope"},
                      PortInfo{"slip", "coordinate", true, false, "a marker of type rope_slip"}, PortInfo{"wrap", "coordinate", true, false, "a marker of type rope_wrap"}};
  }

  template <class S>
  Vec<S, 2> h(const port::View<S>& x, const Context<S, 2>&) const { return {{rope_length - x.q[0], share(x.q[2]) * x.q[1]}}; }
  template <class S>
  Mat<S, 2, 3> jacobian(const port::View<S>& x, const Context<S, 2>&) const {
    Mat<S, 2, 3> H;
    H(0, 0) = S(-1.0), H(1, 1) = share(x.q[2]);
    return H;
  }

 private:
  template <class S>
  S share(const S& wrap) const {
    using std::exp;
    const S e = exp(friction * wrap);
    return 2.0 * (e - 1.0) / (e + 1.0);
  }
};

}  // namespace saltus
