#include "saltus/integrate/moreau_offsets.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

LawOffsets::LawOffsets(const MoreauModel& model, MoreauContacts& contacts) : plan_(model.plan), system_(model.system), block_begin_(model.block_begin), contacts_(contacts) {
  offset_.assign(system_.layout.rows, 0.0);
  phase_.resize(plan_.phases > 0 ? plan_.entries.size() : 0);
}

void LawOffsets::adhere(const ActiveRows& rows, double h) {
  any_ = false;
  for (const int i : rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    std::fill_n(offset_.begin() + e.row, e.rows, 0.0);
    if (!e.law.type->adhesion || !plan_.entries[i].gap) continue;
    offset_[e.row] = -(plan_.entries[i].impulse ? h : 1.0) * e.law.adhesion();
    any_ |= offset_[e.row] != 0.0;
  }
}

bool LawOffsets::strikes(const ActiveRows& rows, const StepBefore& before) const {
  bool phases = contacts_.have_phases(), closes = false;
  for (const int i : rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    phases |= e.law.type->phases > 0;
    closes |= e.law.type->impact && !rows.closed[i] && before.u_minus[e.row] < -1e-6 * before.reach[e.row];
  }
  if (!phases || closes) return phases && closes;
  double speed = 0.0;
  for (int i = 0; i < system_.layout.nv; ++i) speed = std::max(speed, std::abs(before.xi[i]));
  return contacts_.strike(speed);
}

void LawOffsets::enter_phase(const ActiveRows& rows, int number, StepBefore& before) {
  for (const int i : rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    if (number == 0) std::fill_n(offset_.begin() + e.row, e.rows, 0.0);
    phase_[i].set = nullptr;
    if (number >= e.law.type->phases) continue;
    phase_[i].set = e.law.type->phase(e.law.fields, number, offset_.data() + e.row, phase_[i].parameters);
    if (rows.closed[i]) before.bias[e.row] = -before.u_minus[e.row];
  }
  contacts_.enter_phase(number);
}

void LawOffsets::take_percussions(const ActiveRows& rows, const MoreauSolution& solution) {
  for (const int i : rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    if (e.law.type->phases == 0) continue;
    std::copy_n(solution.mu.begin() + e.row, e.rows, offset_.begin() + e.row);
    any_ = true;
  }
  contacts_.take_percussions();
}

void LawOffsets::leave_phases(const ActiveRows& rows, double h, const std::vector<double>& w, const MoreauSolution& solution, StepBefore& before) {
  for (const int i : rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    phase_[i].set = nullptr;
    if (e.law.type->phases > 0) before.bias[e.row] = -std::max(w[e.row], 0.0);
    if (e.law.type->adhesion) offset_[e.row] -= (plan_.entries[i].impulse ? h : 1.0) * e.law.adhesion();
  }
  contacts_.leave_phases(h, solution.xi.data());
}

void LawOffsets::shift(const ActiveRows& rows, MoreauProblem& problem, MoreauSolution& solution, double by) {
  for (const int i : rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* G = problem.G.data() + block_begin_[i];
    for (int r = 0; r < e.rows; ++r) {
      const double offset = by * offset_[e.row + r];
      if (offset == 0.0) continue;
      solution.mu[e.row + r] -= offset;
      for (int c = 0; c < p.columns; ++c) problem.p0[plan_.columns[p.column_begin + c]] += G[c * e.rows + r] * offset;
    }
  }
  contacts_.shift(problem.p0, by);
}

bool LawOffsets::in_phase() const {
  return std::any_of(phase_.begin(), phase_.end(), [](const PhaseSet& phase) { return phase.set; });
}

}  // namespace saltus
