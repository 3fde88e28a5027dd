// Spring that yields, on a scalar coordinate.
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B: k (u - p), u = q_B - q_A - offset, p the plastic part: |k (u - p) - c p| <= yield_force with kinematic hardening, c = k h / (1 - h)
/// for a tangent h k of the yielding spring (return mapping: Simo, Hughes, Computational Inelasticity, 1998, 1.4). Remembers p, u and
/// du/dt of an accepted state: from there u goes by the cubic of both values and rates, to a turning point if there is one, and on.
struct ElastoplasticSpring {
  double stiffness = 0.0, yield_force = 0.0, hardening = 0.0, offset = 0.0;

  using port = CoordPair;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr int history = 3;
  static constexpr std::string_view name = "elastoplastic_spring";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "Spring between two coordinates that yields at a force and keeps a plastic elongation, with kinematic hardening.";
  static constexpr auto fields() {
    return std::tuple{field("stiffness", &ElastoplasticSpring::stiffness, "", "k, N/m or N m/rad", required(above(0.0))),
                      field("yield_force", &ElastoplasticSpring::yield_force, "", "force at which it yields first, N or N m", required(above(0.0))),
                      field("hardening", &ElastoplasticSpring::hardening, "", "stiffness of the yielding spring, as a share of k", between(0.0, 0.99)),
                      field("offset", &ElastoplasticSpring::offset, "", "q_B - q_A without force at the start, m or rad")};
  }
  template <class S>
  S lhs(const CoordPair::View<S>& x, const Context<S>& context) const { return stiffness * (x.q - offset - plastic(x, context)); }
  double remember(const CoordPair::View<double>& x, const Context<double>& context, double* kept) const {
    const double p = plastic(x, context);
    kept[0] = p, kept[1] = x.q - offset, kept[2] = x.v;
    return 0.0;
  }
  /// Of the elastic part, and what hardening stores.
  double potential_energy(const CoordPair::View<double>& x, const Context<double>& context) const {
    const double p = plastic(x, context), e = x.q - offset - p;
    return 0.5 * stiffness * e * e + 0.5 * back_stiffness() * p * p;
  }

 private:
  double back_stiffness() const { return stiffness * hardening / (1.0 - hardening); }
  /// Return mapping on a straight path to u (Simo, Hughes 1998, box 1.5).
  template <class S>
  S return_map(const S& u, const S& before) const {
    using std::abs;
    const double c = back_stiffness();
    const S trial = stiffness * (u - before) - c * before, over = abs(trial) - yield_force;
    if (!(over > 0.0)) return before;
    return before + (val(trial) > 0.0 ? 1.0 : -1.0) * over / (stiffness + c);
  }
  template <class S>
  S plastic(const CoordPair::View<S>& x, const Context<S>& context) const {
    const S u = x.q - offset;
    if (!context.history) return return_map(u, S(0.0));
    const double u0 = context.history[1], v0 = context.history[2], h = context.since;
    S p(context.history[0]);
    if (h > 0.0 && v0 * val(x.v) < 0.0) p = return_map(turning_point(u0, h * v0, u, S(h * x.v)), p);
    return return_map(u, p);
  }
  /// Where the cubic from (u0, v0) to (u, v) in unit time turns; v0 and v have different signs, so that it does once.
  template <class S>
  static S turning_point(double u0, double v0, const S& u, const S& v) {
    using std::sqrt;
    const S d = u - u0, a = 3.0 * (v0 + v - 2.0 * d), b = 3.0 * d - 2.0 * v0 - v;  // rate: v0 + 2 b s + a s^2
    const S root = sqrt(b * b - a * v0), q = -1.0 * b - (val(b) > 0.0 ? 1.0 : -1.0) * root;
    const S one = val(a) != 0.0 ? q / a : S(-1.0), other = v0 / q;
    const S s = val(one) >= 0.0 && val(one) <= 1.0 ? one : other;
    return u0 + s * (v0 + s * (b + a * s * (1.0 / 3.0)));
  }
};

}  // namespace saltus
