// Sets with an offset: impacts in phases ahead of the step, and laws that adhere.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {
namespace {
}  // namespace

/// Offsets of laws that adhere, in a step of length h.
void MoreauStep::adhere(double h) {
  shifted_ = false;
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    std::fill_n(offset_.begin() + e.row, e.rows, 0.0);
    if (!e.law.type->adhesion || !plan_.entries[i].gap) continue;
    offset_[e.row] = -(plan_.entries[i].impulse ? h : 1.0) * e.law.adhesion();
    shifted_ |= offset_[e.row] != 0.0;
  }
}

/// Whether a gap closes under an impact law, faster than rounding, where some law has phases.
bool MoreauStep::strikes() const {
  bool phases = contacts_.have_phases(), closes = false;
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    phases |= e.law.type->phases > 0;
    closes |= e.law.type->impact && !rows_.closed[i] && before_.u_minus[e.row] < -1e-6 * before_.reach[e.row];
  }
  if (!phases || closes) return phases && closes;
  double speed = 0.0;
  for (int i = 0; i < system_.layout.nv; ++i) speed = std::max(speed, std::abs(before_.xi[i]));
  return contacts_.strike(speed);
}

void MoreauStep::set_active(const std::vector<int>& entries) {
  for (const int i : rows_.entries) rows_.row[i] = -1;
  rows_.entries.assign(entries.begin(), entries.end());
  rows_.count = 0;
  for (const int i : rows_.entries) rows_.row[i] = rows_.count, rows_.count += system_.relation_entries[i].rows;
}

/// The impact at the instant before the step, without its forces: a problem over all closed rows for each phase. What laws with phases
/// take in it is the offset of their sets in the step, at whose end gaps open at least as fast as after the impact; the others see impact
/// and step as one. Multipliers that are forces take no part.
bool MoreauStep::percuss(const State& state, double h, Outcome& out) {
  if (!strikes()) return true;
  end_slips();
  problem_.set_scale = 0.0;
  const std::vector<int> all = rows_.entries;
  std::vector<int> impulses = all;
  std::erase_if(impulses, [&](int i) { return !plan_.entries[i].impulse; });
  set_active(impulses);
  int iterations = 0;
  for (int number = 0; number < plan_.phases; ++number) {
    enter_phase(number);
    out = solve(state, 0.0, 1.0);
    iterations += out.iterations;
    if (!out.converged) break;
    take_percussions();
  }
  out.iterations = iterations;
  leave_phases(h);
  set_active(all);
  problem_.set_scale = h;
  return out.converged;
}

/// Sets of a phase. A contact that is held has no approach: what is left of its rate is the turning of its direction.
void MoreauStep::enter_phase(int number) {
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    if (number == 0) std::fill_n(offset_.begin() + e.row, e.rows, 0.0);
    phase_[i].set = nullptr;
    if (number >= e.law.type->phases) continue;
    phase_[i].set = e.law.type->phase(e.law.fields, number, offset_.data() + e.row, phase_[i].parameters);
    if (rows_.closed[i]) before_.bias[e.row] = -before_.u_minus[e.row];
  }
  contacts_.enter_phase(number);
}

void MoreauStep::take_percussions() {
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    if (e.law.type->phases == 0) continue;
    std::copy_n(solution_.mu.begin() + e.row, e.rows, offset_.begin() + e.row);
    shifted_ = true;
  }
  contacts_.take_percussions();
}

void MoreauStep::leave_phases(double h) {
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    phase_[i].set = nullptr;
    if (e.law.type->phases > 0) before_.bias[e.row] = -std::max(end_.w[e.row], 0.0);
    if (e.law.type->adhesion) offset_[e.row] -= (plan_.entries[i].impulse ? h : 1.0) * e.law.adhesion();
  }
  contacts_.leave_phases(h, solution_.xi.data());
}

/// The problem in multipliers less `by` times their offsets: these stand in the sets as they are.
void MoreauStep::shift_sets(double by) {
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* G = problem_.G.data() + model_.block_begin[i];
    for (int r = 0; r < e.rows; ++r) {
      const double offset = by * offset_[e.row + r];
      if (offset == 0.0) continue;
      solution_.mu[e.row + r] -= offset;
      for (int c = 0; c < p.columns; ++c) problem_.p0[plan_.columns[p.column_begin + c]] += G[c * e.rows + r] * offset;
    }
  }
  contacts_.shift(problem_.p0, by);
}

}  // namespace saltus
