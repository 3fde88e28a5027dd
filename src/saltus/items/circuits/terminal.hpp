// Nodes of circuits: potentials, and the states that elements keep.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// A terminal: its potential is an algebraic unknown, its equation is Kirchhoff's: the currents into it sum to zero.
struct Terminal {
  double voltage = 0.0;

  static constexpr std::string_view name = "terminal";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view doc = "Terminal of a circuit: one potential against ground [V].";
  static constexpr auto fields() { return std::tuple{field("voltage", &Terminal::voltage, "V", "guess of the first potential")}; }
  NodeSizes sizes() const { return {.z = 1}; }
  void initial(double*, double*, double*, double* z, double*) const { z[0] = voltage; }
};

/// Current of an inductor or motor winding: one first-order state.
struct CurrentState {
  double current = 0.0;

  static constexpr std::string_view name = "current_state";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view doc = "Current that a winding keeps [A].";
  static constexpr auto fields() { return std::tuple{field("current", &CurrentState::current, "A", "at the start")}; }
  NodeSizes sizes() const { return {.x = 1}; }
  void initial(double*, double*, double* x, double*, double*) const { x[0] = current; }
};

/// Voltage that a capacitor keeps (first-order state) and the current that changes it (algebraic).
struct ChargeState {
  double voltage = 0.0;

  static constexpr std::string_view name = "charge_state";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view doc = "Voltage that a capacitor keeps [V], and its current [A].";
  static constexpr auto fields() { return std::tuple{field("voltage", &ChargeState::voltage, "V", "v_A - v_B at the start")}; }
  NodeSizes sizes() const { return {.x = 1, .z = 1}; }
  void initial(double*, double*, double* x, double* z, double*) const { x[0] = voltage, z[0] = 0.0; }
};

/// Current through a source that prescribes its voltage (algebraic).
struct SourceCurrent {
  static constexpr std::string_view name = "source_current";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view doc = "Current through a voltage source [A].";
  static constexpr auto fields() { return std::tuple{}; }
  NodeSizes sizes() const { return {.z = 1}; }
  void initial(double*, double*, double*, double* z, double*) const { z[0] = 0.0; }
};

}  // namespace saltus
