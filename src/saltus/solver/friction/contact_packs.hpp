// Four contacts without a common body at once, in vector registers: sweeps with momentum over a problem in body form.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "saltus/math/packs.hpp"
#include "saltus/solver/friction/scaled.hpp"

namespace saltus::friction {

/// The blocks of four contacts stand lane by lane, so that what one contact needs is done for four in the same instructions; v is kept by
/// bodies. Contacts in colours: lane i takes the i-th of four chunks of a colour. Else a contact goes to the first of the last 64 packs that
/// has a lane and none of its bodies. Each is solved exactly with the others held, as in a sweep one by one.
class ContactPacks {
 public:
  /// Starts at x, without momentum.
  ContactPacks(const Scaled& problem, const std::vector<double>& x);

  /// One pass, from y to z: -(z - y).(z - z_last), |z - y|^2.
  std::array<double, 2> sweep();
  /// y = z + momentum (z - z_last).
  void extrapolate(double momentum);
  /// Takes the bodies' velocities anew from the impulses.
  void refresh();
  /// Gives back what `refresh`, due before the next sweep, makes anew.
  void rest();
  /// z.
  void impulses(std::vector<double>& x) const;

 private:
  struct Group { int first, last; };  // packs that one thread takes one after the other
  using Lanes = std::array<int, 4>;   // contacts, -1: none

  void pack(const std::vector<double>& x);
  void pack_in_lanes(const std::array<std::vector<int>, 4>& contacts);
  void pack_in_turns(const std::vector<int>& contacts);
  void place();
  void fill();
  const FourDoubles* block(int pack) const { return blocks_.data() + std::ptrdiff_t{pack} * stride_; }
  const int* places(int pack, int limb) const { return bodies_.data() + 4 * (std::ptrdiff_t{pack} * limbs_ + limb); }
  template <class Work>
  void in_colours(const Work& work) const;
  void sweep_group(int group);
  void extrapolate(double momentum, int first, int last);
  void add_impulses(const Group& group, const std::vector<FourDoubles>& x, double* v) const;

  const Scaled& problem_;
  int limbs_ = 0, stride_ = 0;         // bodies of a contact at most; numbers of a pack in blocks_
  std::vector<Lanes> contacts_;        // of each pack
  std::vector<int> bodies_;            // places in v: pack, limb, lane
  std::vector<FourDoubles> blocks_;    // of each pack: J by limb, row and column; W'_cc^-1; W'_cc; q'; compliance
  std::vector<Group> groups_;
  std::vector<int> colours_{0};        // groups of colour k: [colours_[k], colours_[k + 1])
  std::vector<FourDoubles> y_, z_;     // three of each pack
  std::vector<double> v_, last_v_;     // J^T y, J^T z_last
  std::vector<std::array<FourDoubles, 2>> sums_;  // of each group
};

}  // namespace saltus::friction
