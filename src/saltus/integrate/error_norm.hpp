// The size of a local error: against the motion of each coordinate, wherever the origin is and whatever the units are.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "saltus/system/system.hpp"

namespace saltus {

/// Whether there are bodies that bend: of several nodes with mass between them, such as beams.
bool bends(const System& system);

/// Errors of one step over what is allowed: tolerance times the range of the motion so far, plus rounding.
///
/// Groups: the translation of a node and its velocity as vectors, its rotation and angular velocity as vectors in its own axes, every
/// other coordinate and first-order state by itself. The range of a group is the ellipsoid about its value at the start that holds all
/// values since then, grown by the smallest rank-one update (Sherman, Morrison 1950): sigma(e) is its radius along the error e. So no
/// axis, origin or unit matters, a small motion beside or across a large one counts by itself, one that dies away keeps the range it
/// had, and one that begins from rest counts by the first step that shows it. Ranges below 1e-5 of the largest of their kind count as that (of
/// first-order states, which have no common unit: 1e-12).
/// A body of several nodes with mass between them (beams) has one range of each kind, the largest of its nodes'.
/// Rounding: a few units in the last digit of the largest |q|, divided by h in velocities. Where h falls it rises: noise cannot drive the
/// step to zero. What solvers leave open comes to it.
///
/// The ranges lie in the state's memory: memory_size() doubles, zero in a fresh state.
class ErrorNorm {
 public:
  /// roundness: a range is at least this share of the largest of its vector in every direction, 0 to 1. With 1 what vibrates along a stiff spring
  /// counts by the swing across it, as a scheme for stiff systems wants that damps what it does not resolve.
  explicit ErrorNorm(const System& system, double roundness = 0.0);

  int memory_size() const { return memory_size_; }
  /// The motion begins at y; nothing where it has begun already (a start anew at a sample).
  void begin(const double* y, double* memory) const;
  /// Of the largest range of its kind, that every one counts as.
  static constexpr double least_share = 1e-5;
  /// What a scheme knows of its step beside the errors.
  struct Given {
    double coarseness = 1.0;         // how much more than rounding is noise
    const double* noise = nullptr;   // of velocities and first-order states (nv + nx), what solvers leave open; null: none
    const double* feels = nullptr;   // which part of a displacement over h velocities (nv) feel, 0 to 1; null: all
    const double* xdot = nullptr;    // rates of first-order states (nx); null: their pace is not known
    double least = least_share;      // in its place, of positions and velocities
  };
  /// Largest error over what is allowed at y, a step h after the last state seen. Errors: of positions (nv, tangent at y), velocities (nv),
  /// first-order states (nx); null: not judged. Infinite or NaN errors come through.
  double worst(const double* memory, const double* y, double h, double tolerance, const double* position, const double* velocity, const double* first_order, const Given& given);
  double worst(const double* memory, const double* y, double h, double tolerance, const double* position, const double* velocity, const double* first_order) {
    return worst(memory, y, h, tolerance, position, velocity, first_order, Given());
  }
  /// How far the motion has come with the y of the last call of worst(), by velocity (nv): of a vector's numbers each its whole length.
  void ranges(const double* memory, double* out) const;
  /// Takes the y of the last call of worst() into the motion. After an accepted step.
  void see(double* memory) const {
    memory[0] += h_;
    take(memory);
  }
  /// The same after a rejected step, where its `worst` error says that it shows how far the motion will come, to `share` of it: what begins from
  /// rest has no other measure, and by the step that begins it alone no step is short enough (a motion that goes with t^4).
  void foresee(double worst, double tolerance, double* memory, double share = 0.1) const {
    if (worst * tolerance <= share) take(memory);
  }

  /// Whether something moves at the y of the last call of worst() three times as fast as the fastest of its kind at `before`, which moves, or a first-order state stands three times as far
  /// from its start as ever: an attempt that lands deep in a stiff contact, or far beyond the knee of a diode, shows no motion that there will be.
  bool runs_away(const double* before, const double* memory) const;

  /// In which time the velocities change by themselves: |v| / |vdot|, largest of each kind, the shortest; first-order states
  /// |x| / |xdot|. Infinite where nothing moves yet.
  double time_of_change(const double* y, const double* vdot, const double* xdot) const;

  /// The time in which the motion of the last call of worst() runs through its range, the longest of its kinds and of first-order states, of
  /// these at most age(): what falls at once has shown no range yet.
  double pace() const;
  /// What of the tolerance a step of a scheme of second order may use, so that errors of a run add up to it: h over pace(). Beside first-order
  /// states, which have shown no range at first, that is at most three times age(): what turns nearly evenly runs through its small range of speeds in far longer. All of it beside bodies
  /// that bend: their vibrations have smaller amplitudes the faster they are, those that are faster than the step err by their amplitude alone, and what
  /// a share of the tolerance asks for vibrations of the step's own speed is far below their part of the motion.
  double share(double h) const { return bends() ? 1.0 : std::min(1.0, h / std::min(pace(), most_pace())); }
  bool bends() const { return range_.size() > 1; }

  /// The time since the motion began, at the end of the step of the last call of worst(): what goes on evenly has no other.
  double age() const { return age_; }
  /// How fast small deviations go on: sqrt(|acceleration| / |displacement|) of stiffness, |acceleration| / |velocity| of damping, the
  /// fastest of the kinds [1/s]. Of differences between two evaluations at one time.
  double fastest_rate(const double* displacement, const double* velocity, const double* acceleration, const double* first_order, const double* first_order_rate) const;

  enum Kind { translation, rotation, coordinate, angle, state, kinds };

 private:
  /// n numbers that are one vector. Memory: [start (4 of a rotation, else n) | matrix C of the ellipsoid d^T C^-1 d = 1, lower triangle],
  /// twice where there is a velocity; of a first-order state the largest square of its rate behind it.
  struct Group {
    Kind kind;
    int n, q, v;          // q, v: index in y; of a first-order state v is its place in x
    int body;             // that bends, from 1 on; 0: of none
    int memory;
    int at;               // of its deviations in deviation_
    double least = 0.0;   // range, in its own unit
  };
  struct Sizes {
    double value[kinds] = {}, rate[kinds] = {};
  };
  using PerKind = double (Sizes::*)[kinds];
  void add(Kind kind, int n, int q, int v, int body);
  void raise(const Group& g, PerKind of, double square);
  double least_range(const Group& g, PerKind of, double least) const;
  double way(int kind) const;
  double most_pace() const { return system_.layout.nx > 0 ? 3.0 * age_ : HUGE_VAL; }
  int start_size(const Group& g) const { return g.kind == rotation ? 4 : g.n; }
  static int triangle(int n) { return n * (n + 1) / 2; }
  void take(double* memory) const;
  void deviations(const double* memory, const double* y, const double* xdot);
  double allowed_share(const double* C, const double* deviation, int n, double floor, const double* error, double tolerance, double noise) const;

  const System& system_;
  std::vector<Group> groups_;
  double roundness_;
  int memory_size_ = 1;  // [ranges begun: 1 + the time since then | largest square of a range, by kind: of values, of rates; the same by body that bends | groups]
  double reach_ = 0.0, arm_ = 0.0;  // of markers: from the origin, within bodies
  std::vector<double> deviation_;  // from the start: [value | rate] by group; of a first-order state its rate itself
  Sizes largest_;                  // |y| by kind
  double rounding_[kinds] = {};    // of values, by kind; of the last call of worst()
  std::vector<Sizes> range_;       // squares of ranges, with those in memory: of all, then by body that bends
  double h_ = 0.0, age_ = 0.0;     // of the last call of worst()
  double slowest_ = 0.0;           // square of the longest time in which a first-order state runs through its range
};

}  // namespace saltus
