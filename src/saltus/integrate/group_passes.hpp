// Whether bodies of groups flew through each other within a step, at both ends of which they are apart.
#pragma once

#include <vector>

#include "saltus/integrate/state.hpp"
#include "saltus/system/assembly.hpp"
#include "saltus/system/contacts.hpp"

namespace saltus {

/// Looks along the cubic through positions and velocities of both ends: far from each other as far ahead as no pair can meet, then in pieces in which none moves by much of
/// the balls that its shapes hold. What overlaps on the same side at the end is left to the scheme, and so is what is closed there as it was at the beginning. A surface of triangles has
/// one side: what went through is no contact at the end.
class GroupPasses {
 public:
  explicit GroupPasses(const System& system);
  /// No velocity jumps between the two states. unseen: an overlap that is none [m].
  bool passed(const State& before, const State& after, double unseen);

 private:
  struct Pair {
    double key, gap, rate;  // of the nearest points
    Vec3<double> normal, velocity;  // of B against A
  };
  void frames_at(double t, const double* y, const double* data) { assembly_.update(t, y, nullptr, data); }
  static const Pair* found(const std::vector<Pair>& pairs, double key);
  double fastest();
  void find_pairs(double within);
  bool met_between(const Pair& a, const Pair& b, double h, double unseen) const;
  bool sank(const Pair& pair, double closed, double unseen) const;
  bool is_seen(const Pair& sunk, double closed) const;

  const System& system_;
  Assembly assembly_;
  ContactSet contacts_;
  std::vector<Pair> first_, before_, now_, sunk_;  // ascending in their keys, but the last: what overlapped on the way
  std::vector<double> way_, y_;                    // tangent from one end to the other; a state between them
};

}  // namespace saltus
