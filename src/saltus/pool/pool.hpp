// Typed pools: all items of one type in flat arrays behind one virtual call. The assembly (system/) sees only this.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/base/threads.hpp"
#include "saltus/math/csr.hpp"
#include "saltus/pool/history.hpp"
#include "saltus/pool/kinematics.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/pool/ports.hpp"

namespace saltus {

/// Matrix entries of a pool: item i adds its blocks (one of n x n or rows x n, row-major, or those of its add_pattern) at the slots from begin[i] on.
struct BlockSlots {
  const int* begin = nullptr;
  const int* slots = nullptr;
  double* values = nullptr;

  void add(int item, const double* block, int count, double factor = 1.0) const {
    const int* slot = slots + begin[item];
    if (factor == 1.0) {
#pragma GCC unroll 4
      for (int i = 0; i < count; ++i) values[slot[i]] += block[i];
      return;
    }
    for (int i = 0; i < count; ++i) values[slot[i]] += factor * block[i];
  }
};

/// Scratch of a pool's loops, kept by the Workspace: never allocated in a step once it has grown.
struct PoolScratch {
  std::vector<double> items;
};

/// What items compute is put side by side by evaluate(begin, end, out), on all threads at once, and then added in item order
/// by scatter(begin, end, in): the same sums for any number of threads. offset(i): where item i begins among the numbers of
/// all items. One compiled slice serves any number of threads, so that its roundings agree too.
template <class Offset, class Evaluate, class Scatter>
void in_item_order(int n, bool parallel, PoolScratch& scratch, Threads& threads, const Offset& offset, const Evaluate& evaluate, const Scatter& scatter) {
  constexpr int serial_chunk = 64, parallel_chunk = 16384, parallel_from = 256;  // in cache; worth waking threads; fewer are not
  const bool wake = parallel && threads.count() > 1 && n >= parallel_from;
  const int chunk = wake ? parallel_chunk : serial_chunk;
  for (int begin = 0; begin < n; begin += chunk) {
    const int end = std::min(n, begin + chunk);
    const auto first = offset(begin);
    if (const auto need = static_cast<std::size_t>(offset(end) - first); need > scratch.items.size()) scratch.items.resize(need);
    double* out = scratch.items.data();
    const auto slice = [&](int b, int e) __attribute__((noinline)) { evaluate(begin + b, begin + e, out + (offset(begin + b) - first)); };
    if (wake)
      threads.run(end - begin, slice);
    else
      slice(0, end - begin);
    scatter(begin, end, out);
  }
}
/// A function (begin, end, out) of whoever calls, by reference.
class BlocksOf {
 public:
  template <class F>
  BlocksOf(const F& f) : of_(&f), call_([](const void* of, int begin, int end, double* out) { (*static_cast<const F*>(of))(begin, end, out); }) {}
  void operator()(int begin, int end, double* out) const { call_(of_, begin, end, out); }

 private:
  const void* of_;
  void (*call_)(const void*, int, int, double*);
};
/// The same for matrix blocks: evaluate(begin, end, out) writes the blocks of the items, which are then added times factor.
void blocks_in_item_order(int n, bool parallel, PoolScratch& scratch, Threads& threads, const BlockSlots& to, double factor, const BlocksOf& evaluate);

/// Items of one type.
class Pool {
 public:
  virtual ~Pool() = default;
  virtual int size() const = 0;
  /// False while a user function in it must not run on other threads (Python).
  virtual bool parallel() const { return true; }
  /// Appends the unknowns under item i, in the order of its matrix blocks.
  virtual void columns(const Kinematics& k, int item, std::vector<int>& out) const = 0;
  /// Adds the matrix blocks of item i to the pattern, in the order in which they are written: one over its columns where it says nothing else.
  virtual void add_pattern(const Kinematics& k, int item, CsrBuilder& builder) const {
    std::vector<int> all;
    columns(k, item, all);
    builder.add_block(all, all);
  }
  /// Ends of item i, in the order of its ports.
  virtual std::span<const Endpoint> endpoints(int /*item*/) const { return {}; }
  /// Called once when the system is complete: ports learn which points lie in y.
  virtual void place(FrameUse&) {}

  virtual std::span<const ItemQuantity> quantities() const { return {}; }
  /// Number `which` of them; the first of the three where it has one number.
  virtual Vec3<double> quantity(const Kinematics&, int /*item*/, int /*which*/) const { return {}; }
  /// Items that measure from the reference position learn it, k: what is wrong with it for this one, empty if nothing is.
  virtual std::string refer(const Kinematics&, int /*item*/) { return {}; }
  /// Why an item gives no numbers at k, or soon will give none, and what to do; empty: it does.
  virtual std::string trouble(const Kinematics&, int /*item*/) const { return {}; }

  /// Whether its items look for what makes an accepted state doubtful, and what it is for this one at k; empty: nothing. A run warns of the first.
  virtual bool doubts() const { return false; }
  virtual std::string doubt(const Kinematics&, int /*item*/) const { return {}; }

  /// Numbers that each item remembers (history.hpp), and whether they are but counts of turns.
  virtual int history() const { return 0; }
  virtual bool remembers_turns_only() const { return true; }
  /// Where in the history block those of the first item stand; set once when the system is complete.
  void place_history(int first) { history_first_ = first; }
  int history_first(int item) const { return history_first_ + history_begin(item); }
  int history_size(int item) const { return history_begin(item + 1) - history_begin(item); }
  int remembered() const { return history_begin(size()); }
  /// Writes what the items keep of the accepted state at k into the block. row_begin: of relations.
  virtual Remembered remember(const Kinematics&, const int* /*row_begin*/, double* /*block*/) const { return {}; }
  /// Why what an item has written into the block cannot be kept; empty: it can, or the step before was too long for it.
  virtual std::string refusal(int /*item*/, const double* /*block*/) const { return {}; }

 protected:
  /// Numbers that the items in front of this one remember.
  virtual int history_begin(int item) const { return item * history(); }
  int history_first_ = 0;
};

/// Force elements and loads, and the left-hand sides of objects: F += what stands on the right.
class ForcePool : public Pool {
 public:
  virtual void add_forces(const Kinematics& k, PoolScratch& scratch, Threads& threads, const ForceSink& sink) const = 0;
  /// A -= dF/dxi: blocks columns x columns.
  virtual void add_matrix(const Kinematics& k, const Seeds& seeds, PoolScratch& scratch, Threads& threads,
                          const BlockSlots& out) const = 0;
  /// Of one item: what it stores, and of objects that of their weight.
  virtual double item_potential_energy(const Kinematics&, int /*item*/) const { return 0.0; }
  double potential_energy(const Kinematics& k) const {
    double energy = 0.0;
    for (int i = 0; i < size(); ++i) energy += item_potential_energy(k, i);
    return energy;
  }
  /// What add_matrix adds, and what is left of the forces without it, is the same in all configurations and at all times.
  virtual bool constant_matrix() const { return false; }
  /// Adds the forces of one item alone, as add_forces does: what a user reads as its force.
  virtual void add_item_force(const Kinematics&, int /*item*/, const ForceSink&) const {}
  /// Whether an item may have no force at some places and act at others: a bumper, a rope, a contact with stiffness, a formula with branches.
  virtual bool lets_go(int /*item*/) const { return false; }
};

/// Objects with inertia. Mass blocks have the columns of the item; add_forces includes the inertia terms at vdot = 0.
class ObjectPool : public ForcePool {
 public:
  /// M += scale * mass: blocks columns x columns.
  virtual void add_mass(const Kinematics& k, double scale, PoolScratch& scratch, Threads& threads, const BlockSlots& out) const = 0;
  virtual double item_kinetic_energy(const Kinematics&, int /*item*/) const { return 0.0; }
  double kinetic_energy(const Kinematics& k) const {
    double energy = 0.0;
    for (int i = 0; i < size(); ++i) energy += item_kinetic_energy(k, i);
    return energy;
  }
  /// Adds the momentum of one item, M times its rates, to markers and unknowns as a force is added.
  virtual void add_item_momentum(const Kinematics&, int /*item*/, const ForceSink&) const {}
  virtual bool constant_mass() const { return true; }
  /// Whether a user gives masses as functions of the coordinates: each state may show that they are none.
  virtual bool mass_of_user() const { return false; }
  /// What is wrong with the mass of this item at k; empty if nothing is.
  virtual std::string wrong_mass(const Kinematics&, int /*item*/) const { return {}; }
  /// Whether add_forces reads Kinematics::bias. Known after place().
  virtual bool reads_bias() const { return false; }
  /// Whether its items solve with their own masses where none of their unknowns has mass of another's; k holds columns alone.
  virtual bool solves_mass(const Kinematics&) const { return false; }
  /// a := M^-1 force on the unknowns of all items, from their configuration alone. The unknown that has no mass, -1: all have.
  virtual int solve_mass(const Kinematics&, const double* /*force*/, double* /*acceleration*/) const { return -1; }
};

/// What a relation is written on.
enum class Level { value, rate, acceleration };

struct RelationTraits {
  Level written = Level::value;
  bool uses_lambda = false;    // D = dh/dlambda exists
  bool switched = false;       // a row is a rate or, while it is off, its multiplier: velocities jump where it is switched on
  bool uses_velocity = false;  // h_v exists; implied by written = rate
  bool uses_time = false;      // h_t exists
  bool has_input = false;      // g is written; else the input is the adjoint of h
  bool linear = false;         // h and g are linear in coordinates, rates and lambda: all blocks are constant
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
  /// Of the items [begin, end): each writes rows and blocks of its own.
  virtual void evaluate(const Kinematics& k, const RowSink& out, int begin, int end) const = 0;
  /// y := h and F += H^T lambda (or g) of all items for the multipliers k.lambda in one pass, without blocks; false, and nothing
  /// done, where that needs blocks.
  virtual bool residual(const Kinematics&, const int* /*row_begin*/, PoolScratch&, Threads&, double* /*y*/, const ForceSink&) const { return false; }
  /// F += g(lambda) for relations with g. The others' input H^T lambda is summed from H by the assembler.
  virtual void add_input(const Kinematics&, const int* /*row_begin*/, double /*weight*/, const ForceSink&) const {}
  /// A -= weight d(input)/dxi at fixed lambda (geometric stiffness of the reaction), blocks columns x columns.
  virtual void add_input_matrix(const Kinematics& k, const Seeds& seeds, const int* row_begin, double weight, PoolScratch& scratch,
                                Threads& threads, const BlockSlots& out) const = 0;
  /// Adds the input of one item alone for its multipliers k.lambda[row ...]: what a user reads as its reaction.
  virtual void add_reaction(const Kinematics&, int /*item*/, int /*row*/, const ForceSink&) const {}
  /// Characteristic size of each row of an item in its own unit (1 m, 1 rad, ...), for tolerances.
  virtual double row_scale(int /*item*/) const { return 1.0; }
};

}  // namespace saltus
