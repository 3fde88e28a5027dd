// Contacts between groups of shapes that may enter each other: forces of their depth, for every scheme.
#pragma once

#include <string>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/pool/pool.hpp"
#include "saltus/system/contacts.hpp"

namespace saltus {

/// Force at each point, n from A to B, of the depth d and its rate: K d^n + c d', not below 0 (hertz), or K d^n (1 + 3/2 a d') (Hunt, Crossley
/// 1975, whose restitution is 1 - a v_0 for slow impacts). Friction: mu F against the slip s, times s / sqrt(s^2 + s_0^2).
struct PenaltyLaw {
  double stiffness = 0.0, exponent = 1.5, damping = 0.0, friction = 0.0, slip_speed = 1e-3;
  bool hunt_crossley = true;

  /// F, and minus its derivatives by the gap and its rate.
  struct Normal { double force = 0.0, by_gap = 0.0, by_rate = 0.0; };
  Normal normal(double gap, double rate) const;
  double energy(double gap) const;
};

/// One item a group; the shapes of all stand in one table of their own.
class PenaltyContacts final : public ForcePool {
 public:
  /// The shapes, with the pairs that never touch. Before add().
  void take_shapes(ContactTable shapes);
  /// in_A, in_B: the shapes of each side.
  void add(const PenaltyLaw& law, const std::vector<int>& in_A, const std::vector<int>& in_B);

  /// Its shapes, and which of them meet.
  ContactTable& table() { return table_; }

  int size() const override { return count_of(laws_); }
  void columns(const Kinematics& k, int item, std::vector<int>& out) const override;
  void add_pattern(const Kinematics& k, int item, CsrBuilder& builder) const override;
  void place(FrameUse& use) override;
  std::span<const ItemQuantity> quantities() const override;
  Vec3<double> quantity(const Kinematics& k, int item, int which) const override;

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override;
  void add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch& scratch, Threads& threads, const BlockSlots& out) const override;
  void add_item_force(const Kinematics& k, int item, const ForceSink& sink) const override;
  double item_potential_energy(const Kinematics& k, int item) const override;

  /// Nothing but how long a step was beside the one in which two shapes could pass through each other.
  int history() const override { return 1; }
  bool remembers_turns_only() const override { return false; }
  Remembered remember(const Kinematics& k, const int* row_begin, double* block) const override;

 private:
  struct PointForce { Vec3<double> on_B, u; PenaltyLaw::Normal normal; double slip = 0.0; };
  PointForce force(const Kinematics& k, const Contact& c) const;
  template <class Each>
  void each(const Kinematics& k, int item, bool with_rows, const Each& one) const;
  bool in_group(int shape, int item) const;
  bool in_some(int shape) const;
  /// Bases whose unknowns make one block of an item: each for itself, or all together in small scenes.
  std::vector<std::vector<int>> blocks(const Kinematics& k, int item) const;

  ContactTable table_;
  std::vector<PenaltyLaw> laws_;
};

}  // namespace saltus
