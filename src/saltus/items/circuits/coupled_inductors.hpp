// Inductors on one core.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/items/relations/sizes.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/dynamic_ends.hpp"

namespace saltus {

/// L di/dt = v_A - v_B - R i of n windings, each with the ends A, B and its CurrentState, L symmetric and positive definite.
struct CoupledInductors {
  Matrix inductance;
  std::vector<double> resistance;
  Matrix forces;  // of all ends, by their values

  static constexpr double sign = 1.0;
  static constexpr CoordinateKind coordinates = CoordinateKind::none;
  static constexpr std::array<BranchInfo, 1> branches{{{BranchKind::inductor, 0, 1, 2}}};
  static constexpr std::string_view name = "coupled_inductors";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "element";
  static constexpr std::string_view doc = "Inductors whose fluxes are coupled: v_A - v_B = sum of L di/dt + R i in each winding.";
  static constexpr auto fields() {
    return std::tuple{field("inductance", &CoupledInductors::inductance, "H", "L (n x n), symmetric, positive definite", required()),
                      field("resistance", &CoupledInductors::resistance, "Ohm", "R of each winding (n); default 0", at_least(0.0))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"on", "coordinate", true, true, "of each winding the terminals A, B and its current_state"}}; }
  static constexpr int sample_coordinates = 6;
  static constexpr std::string_view sample = R"json({"inductance": [[2, 0.7], [0.7, 1]], "resistance": [0.3, 0.1]})json";

  std::string invalid(int n) const;
  bool parallel() const { return true; }
  void know_ends(int frames, int n);
  const Matrix& linear() const { return forces; }
  const Matrix& linear_rate() const { static const Matrix none; return none; }
  bool varies() const { return false; }
  template <class S>
  void rest(const CoordinateView<S>& x, S* out) const { std::fill_n(out, x.n, S(0.0)); }
  double potential_energy(const CoordinateView<double>& x) const {
    double twice = 0.0;
    for (int i = 0; i < inductance.rows; ++i)
      for (int j = 0; j < inductance.rows; ++j) twice += inductance(i, j) * x.q[3 * i + 2] * x.q[3 * j + 2];
    return 0.5 * twice;
  }
};

}  // namespace saltus
