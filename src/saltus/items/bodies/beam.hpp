// Geometrically exact beam in space between two frames.
#pragma once

#include <array>
#include <string>
#include <tuple>

#include "saltus/math/matrix.hpp"
#include "saltus/math/rigid_motion.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Beam with shear between the frames A and B of its end sections: centroid, x along the beam, y and z the axes of the section. Between them the
/// section moves on a screw, H(xi) = H_A exp(xi d), d = log(H_A^-1 H_B), of constant strain (d - d_0) / L against the reference position, energy
/// L/2 strain^T C strain. A curved or twisted reference is that of the frames; L is the length of its screw. Half of the inertia is at each end.
/// With twists h of the ends in their own axes: d' = T^-1(d) h_B - T^-1(-d) h_A (Sonneville, Cardona, Bruls 2014; strains: Simo 1985).
struct Beam {
  Matrix stiffness{6, 6, std::vector<double>(36)};
  double mass_per_length = 0.0;
  Mat3<double> inertia_per_length{};
  double damping = 0.0;

  using port = Ports<FramePort, FramePort>;
  template <class S> using View = port::View<S>;
  static constexpr bool passive = true;
  static constexpr std::string_view name = "beam";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "beam|stiffness";
  static constexpr std::string_view doc = "Beam with shear between the frames of its end sections, large motions: x along the beam, y and z the axes of the section.";
  static constexpr auto fields() {
    return std::tuple{
        field("stiffness", &Beam::stiffness, "N, N m^2", "of the section (6 x 6), or its diagonal: EA, GA_y, GA_z, GJ, EI_y, EI_z; positive semidefinite", required(entries(6))),
        field("mass_per_length", &Beam::mass_per_length, "kg/m", "mass per length", at_least(0.0)),
        field("inertia_per_length", &Beam::inertia_per_length, "kg m", "inertia of the section per length, about its centroid: rho (I_y + I_z), rho I_y, rho I_z"),
        field("damping", &Beam::damping, "s", "tau: the section answers C (strain + tau dstrain/dt), damping proportional to stiffness", at_least(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "frame", true, false, "section at the start: node, body or frame; x along the beam"},
                      PortInfo{"B", "frame", true, false, "section at the end"}};
  }
  std::string invalid() const {
    if (stiffness.rows != 6 || stiffness.cols != 6) return "stiffness is " + std::to_string(stiffness.rows) + " x " + std::to_string(stiffness.cols) + ", must be 6 x 6";
    return positive_semidefinite(stiffness) ? "" : "stiffness is not symmetric positive semidefinite";
  }

  /// Takes the reference position of the ends; what is wrong with it, empty if nothing is.
  std::string refer(const View<double>& ends) {
    d_0_ = twist(ends);
    length_ = norm(Vec3<double>{{d_0_[0], d_0_[1], d_0_[2]}});
    if (!(length_ > 0.0)) return "its ends are at one point";
    if (d_0_[0] < along * length_) return "the x axes of its ends do not lie along it, from A to B";
    return {};
  }
  double length() const { return length_; }

  template <class S>
  static RigidMotion<S> motion(const Frame<S>& A, const Frame<S>& B) { return between(RigidMotion<S>{A.p, A.R}, RigidMotion<S>{B.p, B.R}); }
  /// Strain: of the centre line along x, y, z, then twist and curvatures, in the axes of the section.
  Vec6<double> strain(const View<double>& ends) const { return (twist(ends) - d_0_) * (1.0 / length_); }
  static constexpr std::array quantities{
      ItemQuantity{"section_force", "N", "force of the section, axes of the section: what the part towards B does on the one towards A"},
      ItemQuantity{"section_moment", "N m", "moment of the section, as the force"},
      ItemQuantity{"strain", "", "of the centre line along x, y, z: stretch and shear"},
      ItemQuantity{"curvature", "1/m", "twist and bending against the reference position, axes of the section"}};
  Vec3<double> quantity(int which, const View<double>& ends) const {
    const auto& [A, B] = ends;
    const Vec6<double> d = motion_log(motion(A, B)), x = which < 2 ? stress(d, motion_tangent_inverse(d), A, B) : strain(ends);
    const int first = which % 2 == 0 ? 0 : 3;
    return {{x[first], x[first + 1], x[first + 2]}};
  }

  template <class S>
  Vec<S, 12> lhs(const Frame<S>& A, const Frame<S>& B, const Context<S>& context) const {
    const Vec6<S> d = motion_log(motion(A, B));
    const Mat6<S> by_B = motion_tangent_inverse(d), by_A = opposite(by_B);
    const Vec6<S> inside = stress(d, by_B, A, B);
    Vec<S, 12> out;
    put_end(A, -transposed_times(by_A, inside), context.gravity, out.data());
    put_end(B, transposed_times(by_B, inside), context.gravity, out.data() + 6);
    return out;
  }
  Mat<double, 12, 12> mass(const View<double>&) const {
    Mat<double, 12, 12> M;
    for (int end = 0; end < 12; end += 6)
      for (int i = 0; i < 3; ++i) {
        M(end + i, end + i) = 0.5 * length_ * mass_per_length;
        for (int j = 0; j < 3; ++j) M(end + 3 + i, end + 3 + j) = 0.5 * length_ * inertia_per_length(i, j);
      }
    return M;
  }
  double potential_energy(const View<double>& ends, const Context<double>& context) const {
    const Vec6<double> e = strain(ends);
    double energy = -0.5 * length_ * mass_per_length * dot(context.gravity, std::get<0>(ends).p + std::get<1>(ends).p);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) energy += 0.5 * length_ * e[i] * stiffness(i, j) * e[j];
    return energy;
  }

 private:
  static constexpr double along = 0.5;  // cosine between x and the beam: ends of a coarse curve stand askew, wrong axes stand across
  static Vec6<double> twist(const View<double>& ends) { return motion_log(motion(std::get<0>(ends), std::get<1>(ends))); }
  /// C (strain + damping strain'), by_B = T^-1(d).
  template <class S>
  Vec6<S> stress(const Vec6<S>& d, const Mat6<S>& by_B, const Frame<S>& A, const Frame<S>& B) const {
    Vec6<S> strained = (d - d_0_) * (1.0 / length_), out;
    if (damping > 0.0) strained += (by_B * body_rate(B) - opposite(by_B) * body_rate(A)) * (damping / length_);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        if (stiffness(i, j) != 0.0) out[i] += stiffness(i, j) * strained[j];
    return out;
  }
  template <class S>
  static Vec6<S> body_rate(const Frame<S>& f) {
    const Vec3<S> v = transposed_times(f.R, f.v);
    return {{v[0], v[1], v[2], f.w[0], f.w[1], f.w[2]}};
  }
  /// The force of the section on one end, in its own axes, with gravity and the moment of its spin.
  template <class S>
  void put_end(const Frame<S>& f, const Vec6<S>& section, const Vec3<double>& gravity, S* out) const {
    const Vec3<S> force = f.R * Vec3<S>{{section[0], section[1], section[2]}};
    const Vec3<S> spin = cross(f.w, inertia_per_length * f.w);
    for (int i = 0; i < 3; ++i) {
      out[i] = force[i] - 0.5 * length_ * mass_per_length * gravity[i];
      out[3 + i] = section[3 + i] + spin[i] * (0.5 * length_);
    }
  }

  Vec6<double> d_0_{};
  double length_ = 1.0;
};

}  // namespace saltus
