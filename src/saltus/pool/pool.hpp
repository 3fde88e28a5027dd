// Typed pools: all items of one type in flat arrays behind one virtual call. The assembly (system/) sees only this.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "saltus/base/threads.hpp"
#include "saltus/pool/kinematics.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/pool/ports.hpp"

namespace saltus {

/// Matrix entries of a pool: item i adds its dense block (n x n or rows x n, row-major) at the slots from begin[i] on.
struct BlockSlots {
  const int* begin = nullptr;
  const int* slots = nullptr;
  double* values = nullptr;

  void add(int item, const double* block, int count, double factor = 1.0) const {
    const int* slot = slots + begin[item];
    for (int i = 0; i < count; ++i) values[slot[i]] += factor * block[i];
  }
};

/// Scratch of a pool's loops, kept by the Workspace: never allocated in a step once it has grown.
struct PoolScratch {
  std::vector<double> port;
};

/// Items of one type.
class Pool {
 public:
  virtual ~Pool() = default;
  virtual int size() const = 0;
  /// False while a user function in it must not run on other threads (Python).
  virtual bool parallel() const { return true; }
  /// Appends the unknowns under item i, in the order of its matrix blocks.
  virtual void columns(const Kinematics& k, int item, std::vector<int>& out) const = 0;
  /// Ends of item i, in the order of its ports.
  virtual std::span<const Endpoint> endpoints(int /*item*/) const { return {}; }
};

/// Force elements and loads, and the left-hand sides of objects: F += what stands on the right.
class ForcePool : public Pool {
 public:
  virtual void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const = 0;
  /// A -= dF/dxi: blocks columns x columns.
  virtual void add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch& scratch, Threads& threads,
                          const BlockSlots& out) const = 0;
  virtual double potential_energy(const Kinematics&) const { return 0.0; }
  /// Adds the forces of one item alone, as add_forces does: what a user reads as its force.
  virtual void add_item_force(const Kinematics&, int /*item*/, const ForceSink&) const {}
};

/// Objects with inertia. Mass blocks have the columns of the item; add_forces includes the inertia terms at vdot = 0.
class ObjectPool : public ForcePool {
 public:
  /// M += scale * mass: blocks columns x columns.
  virtual void add_mass(const Kinematics& k, double scale, const BlockSlots& out) const = 0;
  virtual double kinetic_energy(const Kinematics&) const { return 0.0; }
  virtual bool constant_mass() const { return true; }
};

/// What a relation is written on.
enum class Level { value, rate, acceleration };

struct RelationTraits {
  Level written = Level::value;
  bool uses_lambda = false;    // D = dh/dlambda exists
  bool uses_velocity = false;  // h_v exists; implied by written = rate
  bool uses_time = false;      // h_t exists
  bool has_input = false;      // g is written; else the input is the adjoint of h
  std::string_view drive_unit = {};  // of a drive: unit of its multiplier
};

/// Where a relation pool writes. Null: not wanted. Rows are numbered in the whole system; H, rate_H, turn hold each item's
/// rows x columns block, row-major, from value_begin[item] on; D its rows x rows block from square_begin[item] on.
struct RowSink {
  double* y = nullptr;          // h
  double* time_rate = nullptr;  // h_t
  double* curvature = nullptr;  // yddot at vdot = 0 (written at value), ddot of a rate relation at vdot = 0
  double* H = nullptr;          // dh/dq at fixed v
  double* rate_H = nullptr;     // dh/dv
  double* turn = nullptr;       // d(ydot)/dq at fixed v of relations written at value, ydot = H v + h_t; else 0
  double* D = nullptr;          // dh/dlambda
  double* B = nullptr;          // dg/dlambda, columns x rows; only for relations with g
  const int* row_begin = nullptr;
  const int* value_begin = nullptr;
  const int* square_begin = nullptr;
};

class RelationPool : public Pool {
 public:
  virtual RelationTraits traits() const = 0;
  virtual int rows(int item) const = 0;
  virtual LawRef law(int item) const = 0;
  virtual void evaluate(const Kinematics& k, const RowSink& out) const = 0;
  /// F += g(lambda) for relations with g. The others' input H^T lambda is summed from H by the assembler.
  virtual void add_input(const Kinematics&, const int* /*row_begin*/, double /*weight*/, const ForceSink&) const {}
  /// A -= weight d(input)/dxi at fixed lambda (geometric stiffness of the reaction), blocks columns x columns.
  virtual void add_input_matrix(const Kinematics& k, const Seeds& seeds, const int* row_begin, double weight,
                                const BlockSlots& out) const = 0;
  /// Adds the input of one item alone for its multipliers k.lambda[row ...]: what a user reads as its reaction.
  virtual void add_reaction(const Kinematics&, int /*item*/, int /*row*/, const ForceSink&) const {}
  /// Characteristic size of each row of an item in its own unit (1 m, 1 rad, ...), for tolerances.
  virtual double row_scale(int /*item*/) const { return 1.0; }
};

}  // namespace saltus
