// A law: the set of its multiplier, the level it acts on, its activation and its impacts.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "saltus/problem/set.hpp"

namespace saltus {

enum class Acts { any, rate };

/// What a law says of itself: a scheme asks, it never recognises a law. `law` is the law's struct with its named fields.
struct LawType {
  std::string_view name;
  const SetType* set = nullptr;
  int rows = 0;               // of a relation or contact; 0: any number
  Acts acts = Acts::any;
  bool unilateral = false;    // row 0 is a gap: the block is in a step only while it is closed
  bool equality = false;      // the whole space: may be eliminated into the factor
  bool force_bounded = false; // the set is in force units: scaled by the step when the unknown is an impulse
  bool by_speed = false;      // the set depends on the rows' rates: they have to be those of a motion
  bool oriented = false;      // its tangents are directions of A: t1 lies along the x axis of A
  bool impact = false;        // a gap that closes has an impact, by `bias` or in phases
  /// What the set reads for a relation of `rows` rows; null: nothing.
  std::vector<double> (*set_parameters)(const void* law, int rows) = nullptr;
  /// Bias of an impact from the velocity before the step: w = u+ + bias. Null: none.
  void (*bias)(const void* law, int rows, const double* u_minus, double* bias) = nullptr;
  /// Phases of an impact, solved one after the other at one instant; 0: none. The set of a phase's own percussion, from that of the
  /// phases before it together; its parameters, at most `most_phase_parameters`, into a buffer.
  int phases = 0;
  const SetType* (*phase)(const void* law, int number, const double* percussion, double* parameters) = nullptr;
  /// Largest pull of a closed gap [N]: the multiplier stands in the set shifted by it against row 0. Null: none.
  double (*adhesion)(const void* law) = nullptr;

  static constexpr int most_phase_parameters = 4;
};

/// The set of a phase of an impact, with its parameters.
struct PhaseSet {
  const SetType* set = nullptr;
  double parameters[LawType::most_phase_parameters] = {};
};

/// The table of a law's struct, from what the struct declares; what it leaves out it does not have.
template <class Law>
const LawType& law_type() {
  static const LawType type = [] {
    LawType t{.name = Law::name, .set = Law::set, .rows = Law::set->dim};
    if constexpr (requires { Law::rows; }) t.rows = Law::rows;
    if constexpr (requires { Law::acts; }) t.acts = Law::acts;
    if constexpr (requires { Law::unilateral; }) t.unilateral = Law::unilateral;
    if constexpr (requires { Law::equality; }) t.equality = Law::equality;
    if constexpr (requires { Law::force_bounded; }) t.force_bounded = Law::force_bounded;
    if constexpr (requires { Law::by_speed; }) t.by_speed = Law::by_speed;
    if constexpr (requires { Law::oriented; }) t.oriented = Law::oriented;
    if constexpr (requires(const Law& law) { law.set_parameters(1); })
      t.set_parameters = [](const void* law, int rows) { return static_cast<const Law*>(law)->set_parameters(rows); };
    if constexpr (requires(const Law& law, const double* u, double* b) { law.bias(1, u, b); })
      t.bias = [](const void* law, int rows, const double* u_minus, double* bias) { static_cast<const Law*>(law)->bias(rows, u_minus, bias); };
    if constexpr (requires { Law::phases; }) {
      t.phases = Law::phases;
      t.phase = [](const void* law, int number, const double* percussion, double* parameters) {
        return static_cast<const Law*>(law)->phase(number, percussion, parameters);
      };
    }
    if constexpr (requires(const Law& law) { law.pull(); }) t.adhesion = [](const void* law) { return static_cast<const Law*>(law)->pull(); };
    t.impact = t.bias || t.phases > 0;
    return t;
  }();
  return type;
}

/// A law of one relation or contact group: its type, its fields, and what its set reads of them (all in the System, immutable).
struct LawRef {
  const LawType* type = nullptr;
  const void* fields = nullptr;
  const double* parameters = nullptr;  // of the set, for the rows of the relation: System::finish
  int written = -1;                    // 0 value, 1 rate: the user's word where the law needs one (relay); -1: none
  int rows = 0;                        // that its fields are for; 0: as its type says

  double adhesion() const { return type->adhesion ? type->adhesion(fields) : 0.0; }
};

template <class Law>
LawRef law_ref(const Law& law) {
  LawRef ref{.type = &law_type<Law>(), .fields = &law};
  if constexpr (requires { law.written(); }) ref.written = law.written();
  return ref;
}

}  // namespace saltus
