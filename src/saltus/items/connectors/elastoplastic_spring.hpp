// Spring that yields, on a scalar coordinate.
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B: k (u - p), u = q_B - q_A - offset, p the plastic part: |k (u - p) - c p| <= yield with kinematic hardening, c = k h / (1 - h)
/// for a tangent h k of the yielding spring. p is remembered (return mapping: Simo, Hughes, Computational Inelasticity, 1998, 1.4).
struct ElastoplasticSpring {
  double stiffness = 0.0, yield = 0.0, hardening = 0.0, offset = 0.0;

  using port = CoordPair;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr int history = 1;
  static constexpr std::string_view name = "elastoplastic_spring";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view doc = "Spring between two coordinates that yields at a force and keeps what it was drawn out, with kinematic hardening.";
  static constexpr auto fields() {
    return std::tuple{field("stiffness", &ElastoplasticSpring::stiffness, "", "k, N/m or N m/rad", required(above(0.0))),
                      field("yield", &ElastoplasticSpring::yield, "", "force at which it yields first, N or N m", required(above(0.0))),
                      field("hardening", &ElastoplasticSpring::hardening, "", "stiffness of the yielding spring, as a share of k", between(0.0, 0.99)),
                      field("offset", &ElastoplasticSpring::offset, "", "q_B - q_A without force at the start, m or rad")};
  }
  template <class S>
  S lhs(const CoordPair::View<S>& x, const Context<S>& context) const {
    const S u = x.q - offset;
    return stiffness * (u - plastic(u, context.history ? context.history[0] : 0.0));
  }
  double remember(const CoordPair::View<double>& x, const Context<double>& context, double* kept) const {
    kept[0] = plastic(x.q - offset, context.history ? context.history[0] : 0.0);
    return 0.0;
  }
  /// Of the elastic part, and what hardening stores.
  double potential_energy(const CoordPair::View<double>& x, const Context<double>& context) const {
    const double u = x.q - offset, p = plastic(u, context.history ? context.history[0] : 0.0);
    return 0.5 * stiffness * (u - p) * (u - p) + 0.5 * back_stiffness() * p * p;
  }

 private:
  double back_stiffness() const { return stiffness * hardening / (1.0 - hardening); }
  template <class S>
  S plastic(const S& u, double before) const {
    using std::abs;
    const double c = back_stiffness();
    const S trial = stiffness * (u - before) - c * before, over = abs(trial) - yield;
    if (!(over > 0.0)) return S(before);
    return before + (val(trial) > 0.0 ? 1.0 : -1.0) * over / (stiffness + c);
  }
};

}  // namespace saltus
