#include "saltus/integrate/moreau_statuses.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/mean_slip.hpp"

namespace saltus {

RowStatuses::RowStatuses(const MoreauModel& model, const ActiveRows& rows, const StepBefore& before, const MoreauSolution& solution, const StepEnd& end, const LawOffsets& offsets)
    : model_(model), plan_(model.plan), system_(model.system), rows_(rows), before_(before), solution_(solution), end_(end), offsets_(offsets) {
  status_.resize(plan_.entries.size());
  struck_.resize(system_.layout.unknowns());
}

/// Which rows of a law sit at a bound (two bits a row); contacts: 0 no impulse, 1 stick, 2 slip, 3 bounced, 4 roll or spin without slip.
double RowStatuses::status_of(std::size_t i) const {
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  if (rows_.row[i] < 0) return 0.0;
  const auto rows = [&](const std::vector<double>& x, int from, int to) {
    double m = 0.0;
    for (int r = from; r < to; ++r) m = std::max(m, std::abs(x[e.row + r]));
    return m;
  };
  if (p.gap) {
    if (rows_.across[i] || !(solution_.mu[e.row] > std::min(offsets_.of_row(e.row), 0.0))) return 0.0;
    if (!rests(i)) return 3.0;
    const int slide = e.law.type->set->sliding, turn = slide + 1;  // the first row that turns
    if (slide == 0) return 1.0;
    if (rows(end_.w, 1, turn) > 1e-7 * rows(end_.scale, 0, turn)) return 2.0;
    return turn < e.rows && rows(end_.w, turn, e.rows) > 1e-7 * rows(end_.scale, turn, e.rows) ? 4.0 : 1.0;
  }
  if (p.rubs) return rows(end_.w, 0, e.rows) > 1e-9 * rows(end_.scale, 0, e.rows) ? 1.0 : 0.0;
  if (p.equality || !e.law.type->set->bounds) return 1.0;
  double code = 0.0, factor = 1.0;
  for (int r = 0; r < std::min(e.rows, 25); ++r, factor *= 4.0) {
    const double tolerance = 1e-9 * end_.scale[e.row + r], w = end_.w[e.row + r];
    code += factor * (w > tolerance ? 1.0 : w < -tolerance ? 2.0 : 0.0);
  }
  return code;
}

void RowStatuses::find() {
  for (const int i : rows_.touched) status_[i] = status_of(at(i));
}

bool RowStatuses::differ(const State& state) const {
  for (const int i : rows_.touched)
    if (!plan_.entries[i].gap && state.memory()[plan_.status(i)] != status_[i]) return true;
  return false;
}

/// An approach slower than a millionth of the row's terms is round-off: its impulse belongs to the force.
bool RowStatuses::impact_acted(int i) const {
  const int row = system_.relation_entries[i].row;
  return system_.relation_entries[i].law.type->impact && !rows_.closed[i] && solution_.mu[row] > 0.0 && before_.u_minus[row] < -1e-6 * before_.reach[row];
}

void RowStatuses::write_multipliers(State& state, double h, StepReport& report) {
  for (const int i : rows_.touched) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    double* lambda = state.lambda() + e.row;
    const bool active = rows_.row[i] >= 0;
    for (int r = 0; r < e.rows; ++r) state.memory()[e.row + r] = active ? solution_.mu[e.row + r] : 0.0;
    if (impact_ && active && p.impulse && struck_[p.component]) {
      double square = 0.0;
      std::array<double, 6> rows{};
      for (int r = 0; r < e.rows; ++r) {
        const double impulse = solution_.mu[e.row + r] - h * lambda[r];
        square += impulse * impulse;
        if (r < 6) rows[r] = impulse;
      }
      if (impact_acted(i)) report.events.push_back({state.t(), "impact", e.name, solution_.mu[e.row] - h * lambda[0]});
      else if (square > 0.0) report.events.push_back({state.t(), "percussion", e.name, std::sqrt(square), rows});
      continue;
    }
    for (int r = 0; r < e.rows; ++r) lambda[r] = active ? (p.impulse ? solution_.mu[e.row + r] / h : solution_.mu[e.row + r]) : 0.0;
  }
}

double RowStatuses::way(int i, std::span<const double> ranges) const {
  const MoreauEntry& p = plan_.entries[i];
  const double* H = before_.directions.data() + model_.block_begin[i];
  double way = 0.0;
  for (int c = 0; c < p.columns; ++c)
    if (const int dof = plan_.columns[p.column_begin + c]; dof < system_.layout.nv) way += std::abs(H[c]) * ranges[at(dof)];
  return way;
}

double RowStatuses::fastest_impact(std::span<const double> ranges) const {
  double fastest = 0.0;
  for (const int i : rows_.entries)
    if (impact_acted(i)) fastest = std::max(fastest, -before_.u_minus[system_.relation_entries[i].row] / way(i, ranges));
  return fastest;
}

double RowStatuses::beside(std::span<const double> ranges, double h) const {
  double most = 0.0;
  for (const int i : rows_.entries) {
    if (!impact_acted(i)) continue;
    const int row = system_.relation_entries[i].row;
    most = std::max(most, 0.5 * (-before_.u_minus[row] * h - std::max(0.0, before_.values[row])) / way(i, ranges));
  }
  return most;
}

double RowStatuses::add_impulses(double* impulse) const {
  double given = 0.0;
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (solution_.mu[e.row] == 0.0 || !p.gap || !p.impulse) continue;
    const double* H = before_.directions.data() + model_.block_begin[i];
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int row = e.row; row < e.row + e.rows; ++row, H += p.columns) {
      given += solution_.mu[row] * before_.time_rate[row];
      for (int c = 0; c < p.columns; ++c)
        if (columns[c] < system_.layout.nv) impulse[columns[c]] += H[c] * solution_.mu[row];
    }
  }
  return given;
}

void RowStatuses::report_events(const State& state, StepReport& report) const {
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const LawType& law = *e.law.type;
    const double before = state.memory()[plan_.status(i)], now = status_[i];
    const bool dry = law.set->sliding > 0 || (law.force_bounded && plan_.entries[i].level == Level::rate);
    if (!dry || before == now || before < 0.0) continue;
    const bool contact = plan_.entries[i].gap;
    if (contact && (before == 0.0 || before == 3.0 || now == 0.0 || now == 3.0)) continue;
    const bool slips = contact ? now == 2.0 : now != 0.0;
    report.events.push_back({state.t(), slips ? "slip" : contact && now == 4.0 ? "roll" : "stick", e.name, 0.0});
  }
}

bool RowStatuses::rests(std::size_t i) const {
  const int row = system_.relation_entries[i].row;
  return rows_.row[i] >= 0 && !rows_.across[i] && solution_.mu[row] > offsets_.of_row(row) && -before_.bias[row] <= 1e-7 * before_.reach[row];
}

bool RowStatuses::slips_on() const {
  for (const int i : rows_.entries) {
    if (!rows_.slides[i]) continue;
    const RelationEntry& e = system_.relation_entries[i];
    const double scale = *std::max_element(end_.scale.begin() + e.row + (plan_.entries[i].gap ? 1 : 0), end_.scale.begin() + e.row + e.rows);
    if (!mean_slip::goes_on(model_.laws.relation(i), e.rows, static_cast<unsigned>(rows_.slides[i]), before_.bias.data() + e.row, end_.w.data() + e.row, mean_slip::still * scale)) return false;
  }
  return true;
}

bool RowStatuses::strike() {
  if (impact_) std::fill(struck_.begin(), struck_.end(), char{0});
  impact_ = false;
  for (int i : rows_.entries) {
    if (!impact_acted(i)) continue;
    impact_ = true;
    struck_[plan_.entries[i].component] = 1;
  }
  return impact_;
}

bool RowStatuses::mode_changed(const State& state) const {
  const double* before = state.memory() + plan_.status(0);
  bool changed = false;
  for (const int i : rows_.touched)
    if (!plan_.entries[i].equality && before[i] >= 0.0) changed |= before[i] != status_[i];
  return changed;
}

bool RowStatuses::first_order() const {
  return std::any_of(rows_.entries.begin(), rows_.entries.end(), [&](int i) {
    if (!plan_.entries[i].impulse) return true;
    if (!slips(plan_.entries[i], status_[i])) return false;
    const RelationEntry& e = system_.relation_entries[i];
    const LawRef& law = model_.laws.relation(i);
    if (law.type->by_speed && !rows_.slides[i]) return true;
    const double scale = *std::max_element(end_.scale.begin() + e.row, end_.scale.begin() + e.row + e.rows);
    return (mean_slip::rows(law, e.rows, end_.w.data() + e.row, mean_slip::still * scale) & ~static_cast<unsigned>(rows_.slides[i])) != 0;  // friction that may turn within the step
  });
}

void RowStatuses::write(State& state) const {
  for (const int i : rows_.touched) state.memory()[plan_.status(i)] = status_[i];
}

}  // namespace saltus
