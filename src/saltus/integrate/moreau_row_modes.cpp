#include "saltus/integrate/moreau_row_modes.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

namespace saltus {

CircuitSizes::CircuitSizes(const MoreauModel& model, std::vector<int> of) : system(model.system), potentials(std::move(of)) {
  const MoreauPlan& plan = model.plan;
  for (const MoreauEntry& p : plan.entries) {
    const auto is_potential = [&](int column) { return std::find(potentials.begin(), potentials.end(), column) != potentials.end(); };
    between_terminals.push_back(!potentials.empty() && p.level == Level::value && p.columns > 0 &&
                                std::all_of(plan.columns.begin() + p.column_begin, plan.columns.begin() + p.column_begin + p.columns, is_potential));
  }
}

void CircuitSizes::measure(const std::vector<double>& A, const std::vector<double>& xi) {
  potential = current = 0.0;
  for (const int i : potentials) {
    potential = std::max(potential, std::abs(xi[i]));
    for (int k = system.pattern.begin[i]; k < system.pattern.begin[i + 1]; ++k) current = std::max(current, std::abs(A[k] * xi[system.pattern.column[k]]));
  }
}

RowModes::RowModes(const MoreauModel& model, std::vector<int> potentials)
    : plan_(model.plan), system_(model.system), block_begin_(model.block_begin), circuit_(model, std::move(potentials)) {
  const std::size_t n = at(system_.layout.unknowns()), m = at(system_.layout.rows);
  mode.resize(m);
  for (auto* x : {&low, &high, &trial.mu, &trial.w, &trial.size}) x->resize(m);
  trial.xi.resize(n);
  moves_.resize(n);
}

void RowModes::find_bounds(std::size_t i, double set_scale) {
  const RelationEntry& e = system_.relation_entries[i];
  if (!e.law.type->set->bounds) return;
  const double scale = e.law.type->force_bounded && plan_.entries[i].impulse ? set_scale : 1.0;
  e.law.type->set->bounds(e.law.parameters, e.rows, scale, low.data() + e.row, high.data() + e.row);
}

void RowModes::first(const RowTask& t) {
  for (int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const SetType& set = *e.law.type->set;
    if (!set.bounds) {  // planar friction: normal, tangential
      const double friction = set.friction(e.law.parameters), normal = t.solution.mu[e.row], tangential = t.solution.mu[e.row + 1];
      mode[e.row] = normal > 0.0 ? LawMode::holds : LawMode::low;
      mode[e.row + 1] = !(normal > 0.0) ? LawMode::low
                             : std::abs(tangential) < friction * normal * (1.0 - 1e-12) ? LawMode::holds
                             : tangential > 0.0 ? LawMode::high : LawMode::low;
      low[e.row] = low[e.row + 1] = 0.0;
      continue;
    }
    find_bounds(at(i), t.problem.set_scale);
    for (int row = e.row; row < e.row + e.rows; ++row)
      mode[row] = t.solution.mu[row] <= low[row] ? LawMode::low : t.solution.mu[row] >= high[row] ? LawMode::high : LawMode::holds;
  }
}

double RowModes::target(const RowTask& t, std::size_t i, int r) const {
  const int row = system_.relation_entries[i].row + r;
  if (mode[row] == LawMode::holds) return -t.problem.b[t.rows.row[i] + r];
  if (!system_.relation_entries[i].law.type->set->bounds) return 0.0;
  return mode[row] == LawMode::low ? low[row] : high[row];
}

double RowModes::largest_trial_mu(const RowTask& t) const {
  double largest = 0.0;
  for (const int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int row = e.row; row < e.row + e.rows; ++row) largest = std::max(largest, std::abs(trial.mu[row]));
  }
  return largest;
}

/// moves_: the largest velocity that one trial multiplier alone would give each unknown. Where reactions balance, as in a chain that hangs at
/// rest, nothing else tells what the round-off in a row is to be measured by.
void RowModes::moves_of_multipliers(const RowTask& t) {
  std::fill(moves_.begin(), moves_.end(), 0.0);
  for (const int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* G = t.problem.G.data() + block_begin_[i];
    for (int c = 0; c < p.columns; ++c) {
      const std::size_t dof = at(plan_.columns[p.column_begin + c]);
      const double inertia = std::abs(t.problem.A[system_.diagonal_slot[dof]]);
      if (!(inertia > 0.0)) continue;
      for (int r = 0; r < e.rows; ++r) moves_[dof] = std::max(moves_[dof], std::abs(G[c * e.rows + r] * trial.mu[e.row + r]) / inertia);
    }
  }
}

/// Rows of entry i that contradict their law at the trial point change their mode, if `change`. Returns how many; sets trial.w. `balanced`:
/// measured by moves_of_multipliers as well.
int RowModes::check(const RowTask& t, std::size_t i, double largest_mu, bool change, bool balanced) {
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  const SetType& set = *e.law.type->set;
  const double* C = t.problem.C.data() + block_begin_[i];
  int changed = 0;
  const double potential = circuit_.between_terminals[i] ? circuit_.potential : 0.0;
  if (circuit_.between_terminals[i]) largest_mu = std::max(largest_mu, circuit_.current);
  for (int r = 0; r < e.rows; ++r) {
    double sum = t.problem.b[t.rows.row[i] + r], terms = std::max({std::abs(sum), t.before.reach[e.row + r], potential});
    for (int c = 0; c < p.columns; ++c) {
      const std::size_t dof = at(plan_.columns[p.column_begin + c]);
      const double term = C[r * p.columns + c] * trial.xi[dof];
      sum += term;
      terms = std::max(terms, std::abs(term));
      if (balanced) terms = std::max(terms, std::abs(C[r * p.columns + c]) * moves_[dof]);
    }
    for (int c = 0; p.level == Level::value && c < e.rows; ++c) {
      const double term = t.problem.D[e.square_begin + r * e.rows + c] * trial.mu[e.row + c];
      sum += term;
      terms = std::max(terms, std::abs(term));
    }
    const int row = e.row + r;
    trial.w[row] = sum, trial.size[row] = terms;
    if (!set.bounds) continue;
    const double mu = trial.mu[row];
    LawMode to = mode[row];
    if (to == LawMode::holds) {
      if (terms > 0.0) holds_ = std::max(holds_, std::abs(sum) / terms);
      if (contradicts(low[row] - mu, largest_mu)) to = LawMode::low;
      else if (contradicts(mu - high[row], largest_mu)) to = LawMode::high;
    } else if (low[row] < high[row] && contradicts(to == LawMode::low ? -sum : sum, terms)) {
      to = LawMode::holds;
    }
    if (to != mode[row]) ++changed;
    if (change) mode[row] = to;
  }
  return set.bounds ? changed : check_friction(e, largest_mu, change);
}

/// The same of a planar contact with friction, whose trial.w is known.
int RowModes::check_friction(const RelationEntry& e, double largest_mu, bool change) {
  const int n = e.row, t = e.row + 1;
  const double *w = trial.w.data() + n, *size = trial.size.data() + n;
  const double normal = trial.mu[n], tangential = trial.mu[t], most = e.law.type->set->friction(e.law.parameters) * std::max(normal, 0.0);
  LawMode to_n = mode[n], to_t = mode[t];
  if (to_n == LawMode::low) {
    if (contradicts(-w[0], size[0])) to_n = to_t = LawMode::holds;
  } else if (contradicts(-normal, largest_mu)) {
    to_n = to_t = LawMode::low;
  } else if (to_t == LawMode::holds) {
    if (contradicts(std::abs(tangential) - most, largest_mu)) to_t = tangential > 0.0 ? LawMode::high : LawMode::low;
  } else if (contradicts(to_t == LawMode::high ? w[1] : -w[1], size[1])) {
    to_t = LawMode::holds;
  }
  const int changed = to_n != mode[n] || to_t != mode[t];
  if (change) mode[n] = to_n, mode[t] = to_t;
  return changed;
}

int RowModes::revise(const RowTask& t, Change change, bool balanced) {
  const double largest_mu = largest_trial_mu(t);
  circuit_.measure(t.problem.A, trial.xi);
  if (balanced) moves_of_multipliers(t);
  worst_ = holds_ = 0.0;
  int changed = 0;
  for (const int i : t.rows.entries)
    changed += check(t, at(i), largest_mu, change == Change::all || (change == Change::first && changed == 0), balanced);
  return changed;
}

bool RowModes::consistent(const RowTask& t) {
  const double largest_mu = largest_trial_mu(t);
  circuit_.measure(t.problem.A, trial.xi);
  worst_ = holds_ = 0.0;
  return std::none_of(t.rows.entries.begin(), t.rows.entries.end(), [&](int i) { return check(t, at(i), largest_mu, false, false) > 0; });
}

double RowModes::worst(const RowTask& t) const { return std::max(worst_, holds_error(t)); }

/// How far rows that hold are from zero, over the sizes of their terms; a row whose terms are rounding themselves, by the rounding of the
/// largest of its level: one at a pivot at rest, say, of a disk that spins.
double RowModes::holds_error(const RowTask& t) const {
  constexpr double rounding = 1e-4;
  if (holds_ <= plan_.solver_tolerance) return holds_;
  double largest[2] = {0.0, 0.0}, worst = 0.0;
  for (int pass = 0; pass < 2; ++pass)
    for (const int i : t.rows.entries) {
      const RelationEntry& e = system_.relation_entries[i];
      const int level = plan_.entries[i].level == Level::rate ? 1 : 0;
      for (int row = e.row; row < e.row + e.rows; ++row) {
        const double size = trial.size[row];
        if (pass == 0) largest[level] = std::max(largest[level], size);
        else if (e.law.type->set->bounds && mode[row] == LawMode::holds && size > 0.0)
          worst = std::max(worst, std::abs(trial.w[row]) / std::max(size, rounding * largest[level]));
      }
    }
  return worst;
}

bool RowModes::take(const RowTask& t, double worst) {
  if (!(worst <= plan_.solver_tolerance)) return false;
  std::copy(trial.xi.begin(), trial.xi.begin() + system_.layout.unknowns(), t.solution.xi.begin());
  for (int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int row = e.row; row < e.row + e.rows; ++row) {
      t.solution.mu[row] = trial.mu[row];
      if (e.law.type->set->bounds) t.solution.mu[row] = std::clamp(t.solution.mu[row], low[row], high[row]);
      else if (row == e.row) t.solution.mu[row] = std::max(0.0, t.solution.mu[row]);
      t.solution.w[row] = trial.w[row];
    }
  }
  t.solution.laws = worst;
  return t.solution.in_modes = true;
}

}  // namespace saltus
