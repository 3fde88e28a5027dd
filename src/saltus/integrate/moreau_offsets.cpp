#include "saltus/integrate/moreau_offsets.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/problem/sets.hpp"

namespace saltus {

LawOffsets::LawOffsets(const MoreauModel& model, MoreauContacts& contacts) : plan_(model.plan), system_(model.system), block_begin_(model.block_begin), laws_(model.laws), contacts_(contacts) {
  offset_.assign(system_.layout.rows, 0.0);
  phase_.resize(plan_.phases > 0 ? plan_.entries.size() : 0);
  for (const RelationEntry& e : system_.relation_entries) follows_ |= e.law.type->along_impulse != nullptr;
  for (const ContactLaw& law : system_.contacts.laws) follows_ |= law.law.type->along_impulse != nullptr;
}

void LawOffsets::adhere(const ActiveRows& rows, double h) {
  any_ = false;
  for (const int i : rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    std::fill_n(offset_.begin() + e.row, e.rows, 0.0);
    if (!e.law.type->pulls() || !plan_.entries[i].gap) continue;
    offset_[e.row] = -(plan_.entries[i].impulse ? h : 1.0) * laws_.relation(i).adhesion();
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
  return phases && (closes || contacts_.strike(false));
}

void LawOffsets::enter_phase(const ActiveRows& rows, int number, StepBefore& before) {
  for (const int i : rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    if (number == 0 && !e.law.type->along_impulse) std::fill_n(offset_.begin() + e.row, e.rows, 0.0);
    phase_[i].set = nullptr;
    if (number >= e.law.type->phases) continue;
    phase_[i].set = e.law.type->phase(e.law.fields, number, offset_.data() + e.row, phase_[i].parameters);
    if (rows.closed[i]) before.bias[e.row] = -before.u_minus[e.row];
  }
  contacts_.enter_phase(number);
}

/// The equalities of the step and the contacts that are followed, in changes of velocity.
bool LawOffsets::follow(const ActiveRows& rows, const StepBefore& before) {
  if (!follows_) return true;
  const int n = system_.layout.unknowns();
  std::vector<Eigen::Triplet<double>> entries;
  impact_.blocks.clear(), followed_.clear();
  int row = 0;
  for (const int i : rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (!p.equality && !e.law.type->along_impulse) continue;
    const double* H = before.directions.data() + block_begin_[i];
    for (int r = 0; r < e.rows; ++r)
      for (int c = 0; c < p.columns; ++c) entries.emplace_back(row + r, plan_.columns[p.column_begin + c], H[r * p.columns + c]);
    if (p.equality) impact_.blocks.push_back({.begin = row, .dim = e.rows, .set = &equality_set});
    else followed_.push_back({.row = row, .rate = rows.closed[i] ? 0.0 : before.u_minus[e.row], .law = e.law.type->along_impulse(e.law.fields)});
    row += e.rows;
  }
  contacts_.append_followed(row, entries, followed_);
  if (followed_.empty()) return true;
  impact_.M.resize(n, n), impact_.M.resizeNonZeros(system_.pattern.nonzeros());
  std::copy(system_.pattern.begin.begin(), system_.pattern.begin.end(), impact_.M.outerIndexPtr());
  std::copy(system_.pattern.column.begin(), system_.pattern.column.end(), impact_.M.innerIndexPtr());
  std::copy(before.mass.begin(), before.mass.end(), impact_.M.valuePtr());
  for (int i = system_.layout.nv; i < n; ++i) impact_.M.valuePtr()[system_.diagonal_slot[i]] = 1.0;  // what has no velocity does not move
  impact_.H.resize(row, n);
  impact_.H.setFromTriplets(entries.begin(), entries.end());
  impact_.p0.assign(n, 0.0);
  if (!impulse_.follow(impact_, followed_)) return false;
  const FollowedContact* next = followed_.data();
  for (const int i : rows.entries)
    if (const RelationEntry& e = system_.relation_entries[i]; e.law.type->along_impulse) offset_[e.row] = (next++)->percussion, any_ = true;
  contacts_.take_followed(next);
  return true;
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
    if (e.law.type->pulls() && plan_.entries[i].gap) offset_[e.row] -= (plan_.entries[i].impulse ? h : 1.0) * laws_.relation(i).adhesion();
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
