// Normal and friction forces of bodies that may enter each other.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Force F that pushes two bodies apart, of the depth d by which they enter each other.
///
/// hertz: K d^n + c d' (Hertz 1881: n = 3/2, K = 4/3 E* sqrt(R)). hunt_crossley, lankarani_nikravesh, flores: K d^n (1 + x d' / v_0), v_0 the
/// speed of the impact, x = 3/2 (1 - e) (Hunt, Crossley 1975, their e = 1 - a v_0), 3/4 (1 - e^2) (Lankarani, Nikravesh 1990), 8/5 (1 - e) / e
/// (Flores, Machado, Silva, Martins 2011). walton_braun: K d to the deepest d_m, from there K_2 (d - d_0) with d_0 = (1 - K / K_2) d_m, not below
/// -K_a d: restitution sqrt(K / K_2) without K_a (Walton, Braun 1986; K_a: Luding 2008). dmt: Hertz less 2 pi w R (Derjaguin, Muller, Toporov 1975).
/// jkr: with contact radius a, d = a^2/R - sqrt(2 pi w a / E*), F = 4 E* a^3 / (3 R) - sqrt(8 pi w E* a^3), from touch to the neck's
/// break at d = -3 a_c^2 / R (Johnson, Kendall, Roberts 1971). Friction: mu F against the slip s, times s / sqrt(s^2 + s_0^2).
/// Remembers: speed of the impact, whether the neck holds, or the deepest d; and d' of the last accepted state.
struct PenaltyForce {
  double stiffness = 0.0, exponent = 1.5, damping = 0.0, restitution = 1.0, rest_speed = 1e-3;
  double unloading = 0.0, cohesion = 0.0, adhesion = 0.0, friction = 0.0, slip_speed = 1e-3;
  bool pulls = false;
  std::string model = "hertz";
  enum class Model { hertz, hunt_crossley, lankarani_nikravesh, flores, walton_braun, dmt, jkr };
  static constexpr std::string_view models = "hertz|hunt_crossley|lankarani_nikravesh|flores|walton_braun|dmt|jkr";

  static constexpr int history = 2;
  static constexpr bool lets_go = true;
  static constexpr auto fields() {
    using P = PenaltyForce;
    return std::tuple{
        field("stiffness", &P::stiffness, "N/m^n", "K, force at a depth of 1 m", required(above(0.0))),
        field("model", &P::model, "", "law of the normal force", one_of(models)),
        field("exponent", &P::exponent, "", "n: 3/2 of Hertz's spheres, 1 a linear spring", or_else(at_least(1.0), "below 1 the force would begin with infinite stiffness")),
        field("damping", &P::damping, "N s/m", "c, while they touch", at_least(0.0)),
        field("restitution", &P::restitution, "", "e of hunt_crossley, lankarani_nikravesh, flores", Range{.low = 0.0, .high = 1.0, .low_open = true}),
        field("rest_speed", &P::rest_speed, "m/s", "least impact speed v_0 of these models: slower impacts count as this fast", above(0.0)),
        field("unloading", &P::unloading, "N/m", "K_2 of walton_braun, at least K", at_least(0.0)),
        field("cohesion", &P::cohesion, "N/m", "K_a of walton_braun", at_least(0.0)),
        field("adhesion", &P::adhesion, "J/m^2", "w of dmt and jkr, work of adhesion", at_least(0.0)),
        field("friction", &P::friction, "", "mu, coefficient of friction", at_least(0.0)),
        field("slip_speed", &P::slip_speed, "m/s", "s_0, below which friction goes to 0", above(0.0)),
        field("pulls", &P::pulls, "", "whether `damping` may pull the bodies together as they part")};
  }
  /// Learns the model as well.
  std::string invalid() {
    of_ = static_cast<Model>(std::count(models.begin(), models.begin() + static_cast<std::ptrdiff_t>(models.find(model)), '|'));  // no name is part of another one
    if (is(Model::walton_braun) && unloading < stiffness) return "`unloading` is less than `stiffness`: the contact would give energy";
    if (!is(Model::walton_braun) && (unloading > 0.0 || cohesion > 0.0)) return "`unloading` and `cohesion` are of the model walton_braun";
    if (is(Model::walton_braun) && exponent != 1.5 && exponent != 1.0) return "the model walton_braun is linear: leave `exponent` out";
    if (!adheres() && adhesion > 0.0) return "`adhesion` is of the models dmt and jkr";
    if (adheres() && exponent != 1.5) return "the models dmt and jkr are of Hertz's spheres: leave `exponent` out";
    if (!of_impact() && restitution != 1.0) return "`restitution` is of the models hunt_crossley, lankarani_nikravesh and flores";
    return {};
  }

  /// F; radius R = 1 / (1/r_A + 1/r_B) of the surfaces.
  template <class S, class C>
  S normal(const S& d, const S& rate, double radius, const C& context) const {
    if (is(Model::jkr)) return neck(d, rate, radius, context);
    if (!(val(d) > 0.0)) return S(0.0);
    if (is(Model::walton_braun)) return yielding(d, rate, context);
    using std::pow;
    S force = stiffness * (exponent == 1.0 ? d : S(pow(d, exponent)));
    if (of_impact()) force *= 1.0 + rate * (loss() / impact_speed(val(rate), context));
    if (is(Model::dmt)) return force - 2.0 * std::numbers::pi * adhesion * radius + damping * rate;
    force += damping * rate;
    return val(force) > 0.0 || pulls ? force : S(0.0);
  }
  /// What is remembered of depth and its rate.
  template <class C>
  double remember(double d, double rate, double radius, const C& context, double* kept) const {
    if (is(Model::jkr)) kept[0] = holds(d, radius, context);
    else if (is(Model::walton_braun)) kept[0] = d > 0.0 ? deepest(d, context) : 0.0;
    else kept[0] = d > 0.0 ? impact_speed(rate, context) : 0.0;
    kept[1] = rate;
    return 0.0;
  }
  /// Of the elastic part; none where it is not a function of the depth.
  double energy(double d, double radius) const {
    if (!(d > 0.0) || is(Model::jkr) || is(Model::walton_braun)) return 0.0;
    return stiffness * std::pow(d, exponent + 1.0) / (exponent + 1.0) - (is(Model::dmt) ? 2.0 * std::numbers::pi * adhesion * radius * d : 0.0);
  }

 private:
  Model of_ = Model::hertz;
  bool is(Model which) const { return of_ == which; }
  bool of_impact() const { return is(Model::hunt_crossley) || is(Model::lankarani_nikravesh) || is(Model::flores); }
  bool adheres() const { return is(Model::dmt) || is(Model::jkr); }
  double loss() const {
    const double e = restitution;
    return is(Model::hunt_crossley) ? 1.5 * (1.0 - e) : is(Model::flores) ? 1.6 * (1.0 - e) / e : 0.75 * (1.0 - e * e);
  }
  /// v_0: that of the touch, seen at the last accepted state in front of it.
  template <class C>
  double impact_speed(double rate, const C& context) const {
    if (!context.history) return std::max(std::abs(rate), rest_speed);
    return context.history[0] > 0.0 ? context.history[0] : std::max(context.history[1], rest_speed);
  }
  template <class C>
  static double deepest(double d, const C& context) { return std::max(d, context.history ? context.history[0] : 0.0); }
  template <class S, class C>
  S yielding(const S& d, const S& rate, const C& context) const {
    const double before = context.history ? context.history[0] : 0.0;
    if (val(d) >= before) return stiffness * d + damping * rate;
    const S back = unloading * (d - (1.0 - stiffness / unloading) * before), least = -cohesion * d;
    return (val(back) > val(least) ? back : least) + damping * rate;
  }
  template <class C>
  double holds(double d, double radius, const C& context) const {
    if (d >= 0.0) return 1.0;
    if (!context.history || context.history[0] == 0.0 || adhesion == 0.0) return 0.0;
    const double least = neck_at_break(radius);
    return d > -3.0 * least * least / radius ? 1.0 : 0.0;
  }
  double modulus(double radius) const { return 0.75 * stiffness / std::sqrt(radius); }
  double neck_at_break(double radius) const { return std::cbrt(std::numbers::pi * adhesion * radius * radius / (8.0 * modulus(radius))); }
  /// a by Newton's method from above on the stable branch, where a^2/R - s sqrt(a) is convex and rises; then on the scalar itself.
  template <class S, class C>
  S neck(const S& d, const S& rate, double radius, const C& context) const {
    if (holds(val(d), radius, context) == 0.0) return S(0.0);
    using std::sqrt;
    const double E = modulus(radius), s = std::sqrt(2.0 * std::numbers::pi * adhesion / E), least = neck_at_break(radius);
    double a = std::max(std::sqrt(radius * std::max(val(d), 0.0)) + 1.6 * std::cbrt(radius * s * radius * s), least);
    double slope = 1.0;
    for (int i = 0; i < 60; ++i) {
      slope = 2.0 * a / radius - (s > 0.0 ? 0.5 * s / std::sqrt(a) : 0.0);
      if (!(slope > 0.0)) return S(0.0);
      const double next = std::max(a - (a * a / radius - s * std::sqrt(a) - val(d)) / slope, least);
      if (std::abs(next - a) <= 1e-15 * a) break;
      a = next;
    }
    S on(a);
    for (int i = 0; i < 3; ++i) on = on - (on * on * (1.0 / radius) - s * sqrt(on) - d) * (1.0 / slope);
    const S cube = on * on * on;
    return (4.0 * E / (3.0 * radius)) * cube - std::sqrt(8.0 * std::numbers::pi * adhesion * E) * sqrt(cube) + damping * rate;
  }
};

/// Where the surfaces of A and B enter each other, axes of A: n from A to B, the place from A.
template <class S>
struct Touch {
  S depth;
  Vec3<S> n, place;
  double radius;  // R of both surfaces
};

/// A force on B = F n - mu F slip / sqrt(slip^2 + s_0^2) at the place of touch; A gets the opposite there. Geometry: touch(view).
template <class Geometry>
struct PenaltyContact : Geometry, PenaltyForce {
  using port = FramePair;
  static constexpr int history = PenaltyForce::history;
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr auto fields() { return std::tuple_cat(Geometry::geometry(), PenaltyForce::fields()); }
  std::string invalid() {
    if (const std::string of_geometry = Geometry::wrong(); !of_geometry.empty()) return of_geometry;
    return PenaltyForce::invalid();
  }
  template <class S>
  Vec6<S> lhs(const FramePair::View<S>& r, const Context<S>& context) const {
    const Touch<S> touch = Geometry::touch(r);
    const Vec3<S> arm = touch.place - r.p, meeting = r.v + cross(r.R * r.w, arm);
    const S apart = dot(touch.n, meeting), F = normal(touch.depth, S(-1.0 * apart), touch.radius, context);
    if (val(F) == 0.0 && !(val(touch.depth) > 0.0)) return {};
    Vec3<S> force = touch.n * F;
    if (friction > 0.0 && val(F) > 0.0) {
      using std::sqrt;
      const Vec3<S> slip = meeting - touch.n * apart;
      force = force - slip * (friction * F / sqrt(dot(slip, slip) + slip_speed * slip_speed));
    }
    const Vec3<S> torque = transposed_times(r.R, cross(arm, force));
    return {{-1.0 * force[0], -1.0 * force[1], -1.0 * force[2], -1.0 * torque[0], -1.0 * torque[1], -1.0 * torque[2]}};
  }
  double remember(const FramePair::View<double>& r, const Context<double>& context, double* kept) const {
    const Touch<double> touch = Geometry::touch(r);
    if (!std::isfinite(touch.depth)) return kept[0] = kept[1] = 0.0;  // no place of touch: the forces tell
    return PenaltyForce::remember(touch.depth, -dot(touch.n, r.v + cross(r.R * r.w, touch.place - r.p)), touch.radius, context, kept);
  }
  bool parallel() const {
    if constexpr (requires(const Geometry& g) { g.profile; }) return Geometry::profile.parallel();
    return true;
  }
  double potential_energy(const FramePair::View<double>& r, const Context<double>&) const {
    const Touch<double> touch = Geometry::touch(r);
    return energy(touch.depth, touch.radius);
  }
  static constexpr std::array quantities{ItemQuantity{"depth", "m", "penetration of the bodies; negative: their gap", ""}};
  Vec3<double> quantity(int, const FramePair::View<double>& r) const { return {{Geometry::touch(r).depth, 0.0, 0.0}}; }
};

}  // namespace saltus
