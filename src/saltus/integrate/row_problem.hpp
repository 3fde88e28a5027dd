// Masses and rows of relations and of contacts between groups, with their laws, as one problem [A -B; C D] of the solvers.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/integrate/impulse_impact.hpp"
#include "saltus/integrate/scheme.hpp"
#include "saltus/solver/solve.hpp"
#include "saltus/system/affine.hpp"
#include "saltus/system/assembly.hpp"

namespace saltus {

/// Some rows of a block that are in a problem, and what binds them. Blocks: the relations, then the contacts between groups.
struct HeldRows {
  int block = 0, first = 0, count = 1;
  const SetType* set = nullptr;
  const double* parameters = nullptr;
  double set_scale = 1.0;
  const double* shift = nullptr;   // count numbers that are added to w: the law's bias
  const double* offset = nullptr;  // count numbers: the multiplier less these stands in the set
  const int* which = nullptr;      // its rows among those of the block; null: from `first` on
  bool strikes = false;            // its impact acts; then the shift is its restitution
  /// Of a contact whose first row is n: multipliers of the rows behind it, over that along n less its offset, that are not held: what slides, -mu u_T / |u_T|.
  double slide[5] = {};
  double beside[5] = {};  // what they are beside that: friction of a base


  int row(int r) const { return which ? which[r] : first + r; }
  bool slides() const {
    return std::any_of(std::begin(slide), std::end(slide), [](double x) { return x != 0.0; });
  }
};

/// What an impact in phases needs of some HeldRows, and what it took: the law, its own percussions.
struct PhasedRows {
  std::size_t held = 0;
  const LawRef* law = nullptr;
  double percussion[6] = {};
  PhaseSet set;
};

/// Bias of a law's impact from the velocities before it; nothing where it has none.
inline void impact_bias(const LawRef& law, int rows, const double* u_minus, double* bias) {
  if (law.type->bias) law.type->bias(law.fields, rows, u_minus, bias);
}

/// An impact at an instant in phases (Glocker, Pfeiffer 1995), each one problem: `solve(held)` leaves its multipliers in `r`, row by row as held. The set of that phase for
/// `phased`; others stand in their own sets. What was followed along its impulse has its percussion before. Leaves each law's percussions.
template <class Solve>
bool in_phases(std::vector<HeldRows>& held, std::span<PhasedRows> phased, const std::vector<double>& r, Solve&& solve) {
  int phases = 0;
  for (PhasedRows& rows : phased) {
    phases = std::max(phases, rows.law->type->phases);
    if (!rows.law->type->along_impulse) std::fill(std::begin(rows.percussion), std::end(rows.percussion), 0.0);
  }
  for (int number = 0; number < phases; ++number) {
    for (PhasedRows& rows : phased) {
      HeldRows& h = held[rows.held];
      const LawRef& law = *rows.law;
      h.offset = rows.percussion;
      h.set = law.type->set, h.parameters = law.parameters;
      if (number >= law.type->phases) continue;
      rows.set.set = law.type->phase(law.fields, number, rows.percussion, rows.set.parameters);
      h.set = rows.set.set, h.parameters = rows.set.parameters;
    }
    if (!solve(held)) return false;
    std::size_t row = 0, next = 0;
    for (std::size_t k = 0; k < held.size() && next < phased.size(); row += static_cast<std::size_t>(held[k++].count))
      if (phased[next].held == k) std::copy_n(r.begin() + static_cast<std::ptrdiff_t>(row), held[k].count, phased[next++].percussion);
  }
  return true;
}

/// What a problem holds.
///   value: A dq = p0 + H^T l, w = y + H dq; moves positions.
///   rate: A dv = p0 + H^T r, w = ydot + H dv; r impulses.
///   acceleration: A a = p0 + H^T l, w = yddot; l forces.
/// Rows on first-order states alone stand a level higher: w = y + H dx at rate, ydot at acceleration; of their own dependence on l, D counts `direct` times,
/// one over the step where r is an impulse. Rows that algebraic unknowns or their own multipliers hold stand two higher: w = y at acceleration, whose unknowns
/// are then (a, xdot, dz): changes of z by one step of Newton's method. Relations that say their input B themselves have it in place of H^T.
/// A = M, or M - dF/dxi by `forces` for a scheme whose unknown moves forces, or `matrix`, symmetric positive definite, in the slots of the system's
/// pattern; the input counts `weight` times.
struct RowLevel {
  Level level = Level::rate;
  double weight = 1.0;
  const Seeds* forces = nullptr;
  double direct = 0.0;
  const double* matrix = nullptr;
};

/// The one way to such problems at a configuration. Keeps its memory.
class RowProblem {
 public:
  /// with_slip: the slip of contacts is known (ContactSet).
  explicit RowProblem(const System& system, int threads = 1, bool with_slip = false);

  /// Takes over a configuration, with values and rates of all rows; contacts between groups whose gap is at most `within`.
  void configure(double t, const double* y, const double* data, double within);

  int relations() const { return count_of(system_.relation_entries); }
  std::span<const Contact> contacts() const { return contacts_.contacts(); }
  /// The contacts with their rows.
  const ContactSet& contact_set() const { return contacts_; }
  /// The block of a contact by its identity, -1: not there.
  int block_of(double identity) const;
  /// ContactSet::passage at the configuration.
  double passage(double h) { return near_.passage(assembly_.kinematics(), h); }
  /// ContactSet::way from the configuration.
  double way(double h) { return near_.way(assembly_.kinematics(), h); }
  int rows(int block) const { return block < relations() ? entry(block).rows : contact(block).rows; }
  /// First row's value; a row's rate, and the sum of the magnitudes that make it.
  double value(int block) const { return value(block, 0); }
  /// A row's value; behind the gap of a contact between groups 0.
  double value(int block, int row) const { return block < relations() ? rows_.value[entry(block).row + row] : row == 0 ? contact(block).gap : 0.0; }
  /// The values of a relation, the data of the configuration; null before the first.
  const double* values(int block) const { return rows_.value.data() + entry(block).row; }
  const double* data() const { return data_.empty() ? nullptr : data_.data(); }
  double rate(int block, int row) const { return rows_.rate[row_begin(block) + row]; }
  double reach(int block, int row) const { return rows_.reach[row_begin(block) + row]; }
  /// Whether a block is a relation on first-order states alone: its rate then is its value.
  bool first_order(int block) const { return block < relations() && kinds_.first_order[block]; }
  /// Whether algebraic unknowns or its own multipliers hold a relation at index 1.
  bool valued(int block) const { return block < relations() && kinds_.valued[block]; }
  /// n, t1, t2 in the world, along which the rows of a contact act on B, of a relation by its forces there; false: its rows are no such.
  bool axes(int block, Vec3<double>* out);
  double direct(int block, int row, int column) const { return D_[entry(block).square_begin + row * entry(block).rows + column]; }
  /// out += H of a row, by velocity and first-order state.
  void add_row(int block, int row, double* out);
  /// H dv of a row, H dx of one on first-order states; dv: [dv | dx], dv alone where there are no such rows.
  double change_of_rate(int block, int row, const double* dv);
  /// What a row's acceleration is without accelerations, ydot without xdot of a row on first-order states.
  double drift(int block, int row) {
    find_curvature();
    return offset({.level = Level::acceleration}, block, row);
  }
  /// What rounding leaves in the accelerations solved last, by velocity and first-order state: of the forces that balance there, and where the rates of contacts were differenced.
  std::span<const double> noise();
  /// Largest |y|, and largest |ydot| over the sum of the magnitudes that make it, of the rows held.
  double open(std::span<const HeldRows> held) const;
  double moving(std::span<const HeldRows> held) const;
  /// Of a row as if its unknowns moved alone: sum of H^2 / M_ii.
  double compliance(int block, int row);

  /// p0 of the next problem: forces, times a length of time where multipliers are impulses (of first-order rates another), or nothing; then + H^T multiplier of single rows.
  void load_forces() { load_forces(1.0, 1.0); }
  void load_forces(double over, double rates_over);
  void load_nothing();
  void load_row(int block, int row, double multiplier);
  void load(const std::vector<double>& force);
  /// p0 += dF/dxi by `forces` times a change of unknowns (nv + nx).
  void load_change_of_forces(const Seeds& forces, const double* change);
  /// p0 += weight M times a change of unknowns (nv + nx), where masses are not constant.
  void load_varying_mass(double weight, const double* change);
  const std::vector<double>& loads() const { return problem_.p0; }
  /// Solves; false where no solver did: `report().cause` says why. Multipliers stand in report().r block by block as given, A's unknowns in v.
  [[nodiscard]] bool solve(const RowLevel& level, std::span<const HeldRows> held, double tolerance);
  /// An impact with restitution, as `solve`; `work` is what it does. Where it has to have less (lessen_restitution) the shifts of `held` say so, until the next impact.
  [[nodiscard]] bool solve_impact(const RowLevel& level, std::vector<HeldRows>& held, double tolerance, ImpactWork& work);
  /// An impact in phases, each a `solve` at level rate under the same loads. Leaves the solution of the last, and each law's percussions.
  [[nodiscard]] bool solve_phases(std::vector<HeldRows>& held, std::span<PhasedRows> phased, double tolerance);
  /// out := the symmetric part of M - dF/dxi at the configuration, in the slots of the system's pattern.
  void stiff_mass(const Seeds& forces, std::vector<double>& out);
  const SolveReport& report() const { return report_; }
  /// Forgets what earlier problems left: a step must not depend on those before it but by the state.
  void begin_step() { contradicting_ = -1; }

  /// At the configuration.
  Assembly& assembly();

 private:
  const RelationEntry& entry(int block) const { return system_.relation_entries[block]; }
  const Contact& contact(int block) const { return contacts_.contacts()[block - relations()]; }
  int row_begin(int block) const { return block < relations() ? entry(block).row : system_.layout.rows + contact(block).row; }
  std::span<const int> columns(int block) const;
  double offset(const RowLevel& level, int block, int row) const;
  void spread(int block);
  void spread_input(int block);
  bool own_input(int block) const { return block < relations() && kinds_.own_input[block]; }
  void add_direct(const RowLevel& level, std::span<const HeldRows> held);
  bool is_affine() const;
  void find_affine_rates();
  void find_rates();
  void find_curvature();
  void find_noise(double e);
  double spin(const Contact& c) const;
  void load_product(double weight, const std::vector<double>& matrix, const double* change);
  void matrix(const RowLevel& level);
  bool overheld();
  bool depend(int unknowns);
  bool loosen();
  bool solve_chain(double tolerance);
  bool least_norm(SolveOptions options);
  bool solve_any(double tolerance);
  void build(const RowLevel& level, std::span<const HeldRows> held);
  bool follow(std::span<const HeldRows> held, std::span<PhasedRows> phased);
  ImpactWork work_of(std::span<const HeldRows> held);

  const System& system_;
  Assembly assembly_;
  struct Affine {
    AffineSystem system;
    bool is = false;  // mechanical gaps and forces that are so: a configuration asks no item
  } affine_;
  ContactSet contacts_, near_;
  struct Columns {
    std::vector<int> unique, begin, place, place_begin;  // of a relation, each once and ascending; where its own go
  } columns_;
  struct Rows {
    std::vector<double> value, time_rate, rate, reach, curvature;  // by row of the system, then of the contacts
  } rows_;
  struct Kinds {
    std::vector<char> first_order, own_input, direct, valued;  // by relation
  } kinds_;
  struct Scratch {
    std::vector<double> matrix, block, y, beside, tangent, multipliers;
    std::vector<Vec6<double>> wrench;  // by marker
    std::vector<int> moved;            // by unknown: its place among those under equality rows, from 1 on
    std::vector<double> directions;    // of rows, orthonormal
    std::vector<double> noise;
  } scratch_;
  std::vector<double> data_, loads_, restitution_, input_, D_;
  std::vector<int> cursor_;
  int contradicting_ = -1;  // rows of the last problem that had to be loosened
  struct Configuration {
    double t = 0.0, within = 0.0;
    bool curvature_known = false, assembled = true;
    std::vector<double> noise;  // of the differences, by velocity and first-order state
  } here_;
  bool constant_mass_ = false;
  std::vector<double> mass_;
  std::vector<int> transposed_;  // slot of (j, i) by slot of (i, j), of A; filled where its symmetric part is taken
  Problem problem_;
  Solver solver_;
  SolveReport report_;
  ImpulseImpact impulse_;
  std::vector<FollowedContact> followed_;
};

}  // namespace saltus
