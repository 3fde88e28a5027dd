// Gravity between two masses.
#pragma once

#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B: G m_A m_B p / (L^2 + s^2)^(3/2), p from A to B; s is Plummer's softening (1911), 0 for points.
struct MutualGravity {
  double mass_A = 0.0, mass_B = 0.0, constant = 6.6743e-11, softening = 0.0;

  using port = PointPair;
  static constexpr std::string_view name = "mutual_gravity";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "Attraction of two masses by Newton's law of gravity, between two points.";
  static constexpr std::string_view sample = R"({"mass_A": 2, "mass_B": 3, "constant": 0.4, "softening": 0.1})";  // of the property tests: a force that is felt
  static constexpr auto fields() {
    return std::tuple{field("mass_A", &MutualGravity::mass_A, "kg", "mass at A", required(at_least(0.0))),
                      field("mass_B", &MutualGravity::mass_B, "kg", "mass at B", required(at_least(0.0))),
                      field("constant", &MutualGravity::constant, "m^3/(kg s^2)", "G, constant of gravity", or_else(above(0.0), "masses that repel are none")),
                      field("softening", &MutualGravity::softening, "m", "s, size within which the attraction does not grow any more", at_least(0.0))};
  }
  template <class S>
  Vec3<S> lhs(const PointPair::View<S>& r, const Context<S>&) const {
    using std::sqrt;
    const S square = dot(r.p, r.p) + softening * softening;
    if (!(val(square) > 0.0)) return {};  // no direction: no force
    return r.p * (strength() / (square * sqrt(square)));
  }
  double potential_energy(const PointPair::View<double>& r, const Context<double>&) const {
    const double square = dot(r.p, r.p) + softening * softening;
    return square > 0.0 ? -strength() / std::sqrt(square) : 0.0;
  }

 private:
  double strength() const { return constant * mass_A * mass_B; }
};

}  // namespace saltus
