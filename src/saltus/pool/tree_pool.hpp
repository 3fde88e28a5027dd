// Kinematic trees as objects: one item a tree, on the frame of its base and the coordinates of its joints.
#pragma once

#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/pool/pool.hpp"
#include "saltus/pool/tree_dynamics.hpp"

namespace saltus {

/// Blocks of a tree hold what two coordinates on one way to the base share, and nothing between branches: of the base's columns, then, coordinate by coordinate, its row over the
/// base and its carriers up to itself, and its column beside the diagonal.
class TreePool final : public ObjectPool {
 public:
  void add(Tree tree, const Endpoint& base, std::span<const Endpoint> coordinates);
  const Tree& tree(int i) const { return trees_[i]; }

  int size() const override { return count_of(trees_); }
  void columns(const Kinematics& k, int i, std::vector<int>& out) const override;
  void add_pattern(const Kinematics& k, int i, CsrBuilder& builder) const override;
  std::span<const Endpoint> endpoints(int i) const override { return {ends_.data() + begin_[i], ends_.data() + begin_[i + 1]}; }
  void place(FrameUse& use) override;

  void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const override;
  void add_item_force(const Kinematics& k, int i, const ForceSink& sink) const override;
  void add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch& scratch, Threads& threads, const BlockSlots& out) const override;
  void add_mass(const Kinematics& k, double scale, PoolScratch& scratch, Threads& threads, const BlockSlots& out) const override;
  double item_kinetic_energy(const Kinematics& k, int i) const override;
  double item_potential_energy(const Kinematics& k, int i) const override;
  /// Of the whole tree, as a wrench on the frame of its base.
  void add_item_momentum(const Kinematics& k, int i, const ForceSink& sink) const override;
  bool constant_mass() const override { return false; }
  bool reads_bias() const override { return biased_; }

  bool solves_mass(const Kinematics& k) const override;
  int solve_mass(const Kinematics& k, const double* force, double* acceleration) const override;

  /// Forces of the joints of tree i for accelerations of its coordinates, the base accelerating as at vdot = 0; one each.
  void inverse_dynamics(const Kinematics& k, int i, const double* acceleration, double* force) const;

 private:
  const Endpoint& base(int i) const { return ends_[begin_[i]]; }
  const Endpoint* joints(int i) const { return ends_.data() + begin_[i] + 1; }
  tree::Motion* motions(const Kinematics& k, int i) const;
  tree::Base moves(const Kinematics& k, int i) const;
  /// Of the item: its coordinates, then the wrench on the base in the tangent of its frame.
  void evaluate(const Kinematics& k, int i, const double* acceleration, double* out) const;
  void scatter(int i, const double* f, const ForceSink& sink) const;
  template <class Entry>
  void write_blocks(int i, int base_columns, const Entry& entry, double* out) const;
  void mass_block(const Kinematics& k, int i, double* out) const;
  void force_block(const Kinematics& k, const Seeds& seeds, int i, double* out) const;
  void add_base(const Kinematics& k, const Seeds& seeds, int i, double* K, double* whole) const;

  std::vector<Tree> trees_;
  std::vector<Endpoint> ends_;  // of each tree: the base, then its coordinates
  std::vector<int> begin_{0};
  bool biased_ = false;  // some base accelerates at vdot = 0
};

}  // namespace saltus
