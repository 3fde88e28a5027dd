// A law: the set of its multiplier, the level it acts on, its activation and its impacts.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "saltus/problem/set.hpp"

namespace saltus {

enum class Acts { any, rate };

/// What a law with memory sees of its rows: at a step, to say what its set is, and at an accepted state, to remember.
struct LawSight {
  int rows = 1;
  double step = 0.0;             // of the problem [s], 1 where its rows are displacements, 0 at an instant
  double since = 0.0;            // from what is remembered to where the rates are [s]
  double ahead = 0.0;            // from there to where the law acts [s]
  double gap = 0.0;              // of a contact, where its law acts in the step
  double closed = 0.0;           // a gap that is no wider is closed
  const double* y = nullptr;     // values at the beginning of the step; null: those of the accepted state
  const double* rate = nullptr;  // of an accepted state; at the beginning of a step, null where they are not known
};

/// A contact whose impact is followed along its impulse: it loads as stiffness x^exponent, and gives back restitution^2 of the work.
struct ImpulseContact {
  double stiffness = 1.0, exponent = 1.0, restitution = 1.0;
};

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
  /// Numbers that a block remembers of accepted states. `begin` at the start of a run and `remember` at each accepted state write them; false: from then on there is nothing to remember.
  int memory = 0;
  bool (*begin)(const void* law, const LawSight& sight, double* memory) = nullptr;
  bool (*remember)(const void* law, const LawSight& sight, double* memory) = nullptr;
  /// What the set reads now, into a buffer of `most_parameters`, and the largest pull [N]. Memory null: there is none any more.
  double (*now)(const void* law, const LawSight& sight, const double* memory, double* parameters) = nullptr;
  /// Widest gap across which it pulls while it remembers [m]. Null: it pulls at closed gaps alone.
  double (*reach)(const void* law) = nullptr;
  /// Its impacts are followed along the impulse. Null: they are problems.
  ImpulseContact (*along_impulse)(const void* law) = nullptr;

  bool pulls() const { return adhesion || memory > 0; }
  static constexpr int most_phase_parameters = 4, most_parameters = 16;
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
    if constexpr (requires { Law::memory; }) {
      static_assert(Law::memory <= LawType::most_parameters);
      t.memory = Law::memory;
      t.begin = [](const void* law, const LawSight& sight, double* memory) { return static_cast<const Law*>(law)->begin(sight, memory); };
      t.remember = [](const void* law, const LawSight& sight, double* memory) { return static_cast<const Law*>(law)->remember(sight, memory); };
      t.now = [](const void* law, const LawSight& sight, const double* memory, double* parameters) { return static_cast<const Law*>(law)->now(sight, memory, parameters); };
    }
    if constexpr (requires(const Law& law) { law.reach(); }) t.reach = [](const void* law) { return static_cast<const Law*>(law)->reach(); };
    if constexpr (requires(const Law& law) { law.along_impulse(); }) t.along_impulse = [](const void* law) { return static_cast<const Law*>(law)->along_impulse(); };
    t.impact = t.bias || t.phases > 0 || t.along_impulse;
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
  double pull = 0.0;                   // of a law with memory, now
  bool across = false;                 // it pulls across an open gap, now

  double adhesion() const { return type->adhesion ? type->adhesion(fields) : pull; }
};

template <class Law>
LawRef law_ref(const Law& law) {
  LawRef ref{.type = &law_type<Law>(), .fields = &law};
  if constexpr (requires { law.written(); }) ref.written = law.written();
  return ref;
}

}  // namespace saltus
