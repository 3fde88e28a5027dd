// The linear problem of a step in given modes: which rows hold (w = 0) and which multipliers sit at a bound.
// A mode turns the laws into equations. The modes of the last step are tried first; rows that contradict their law change
// theirs (Hintermueller, Ito, Kunisch 2002: a semismooth Newton method), at last one at a time (Murty 1974). The factor is
// kept while matrix and modes stay. What this does not solve is left to the solvers of problems.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/moreau_step.hpp"
#include "saltus/math/rank.hpp"

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double accuracy = 1e-11;  // of rows and multipliers against the sizes of their terms
constexpr int all_at_once = 8, most_changes = 60;
constexpr int dense_most = 32;      // unknowns and multipliers together
}  // namespace

/// Bounds of the multipliers of an entry, where its law has such.
void MoreauStep::find_bounds(std::size_t i) {
  const RelationEntry& e = system_.relation_entries[i];
  if (!e.law.type->set->bounds) return;
  const double scale = e.law.type->force_bounded && plan_.entries[i].impulse ? problem_.set_scale : 1.0;
  e.law.type->set->bounds(e.law.parameters, e.rows, scale, low_.data() + e.row, high_.data() + e.row);
}

/// Modes of the last multipliers.
void MoreauStep::first_modes() {
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const SetType& set = *e.law.type->set;
    if (!set.bounds) {  // planar friction: normal, tangential
      const double friction = set.friction(e.law.parameters), normal = solution_.mu[e.row], tangential = solution_.mu[e.row + 1];
      mode_[e.row] = normal > 0.0 ? Mode::holds : Mode::low;
      mode_[e.row + 1] = !(normal > 0.0) ? Mode::low
                             : std::abs(tangential) < friction * normal * (1.0 - 1e-12) ? Mode::holds
                             : tangential > 0.0 ? Mode::high : Mode::low;
      low_[e.row] = low_[e.row + 1] = 0.0;
      continue;
    }
    find_bounds(at(i));
    for (int row = e.row; row < e.row + e.rows; ++row)
      mode_[row] = solution_.mu[row] <= low_[row] ? Mode::low : solution_.mu[row] >= high_[row] ? Mode::high : Mode::holds;
  }
}

/// Right-hand side of a row in its mode.
double MoreauStep::mode_target(std::size_t i, int r) const {
  const int row = system_.relation_entries[i].row + r;
  if (mode_[row] == Mode::holds) return -problem_.b[rows_.row[i] + r];
  if (!system_.relation_entries[i].law.type->set->bounds) return 0.0;
  return mode_[row] == Mode::low ? low_[row] : high_[row];
}

bool MoreauStep::factor_is_current(Factor kind) {
  const bool kept = model_.affine && factored_number_ == problem_.matrices;  // matrices are those of the factor, for the entries in it
  const bool same = factored_ == kind && factored_active_ == rows_.entries && factored_mode_ == mode_ &&
                    (kept || (!model_.affine && factored_A_ == problem_.A && factored_C_ == problem_.C && (plan_.may_be_symmetric || (factored_G_ == problem_.G && factored_D_ == problem_.D))));
  if (same) return true;
  factored_ = Factor::none;
  factored_active_ = rows_.entries;
  factored_mode_ = mode_;
  factored_number_ = problem_.matrices;
  if (model_.affine) return false;
  factored_A_ = problem_.A;
  factored_C_ = problem_.C;
  if (!plan_.may_be_symmetric) factored_G_ = problem_.G, factored_D_ = problem_.D;
  return false;
}

/// Dense [A -G; rows]: sets the trial point. False where it is singular.
bool MoreauStep::solve_mode_dense() {
  const int n = system_.layout.unknowns(), size = n + rows_.count;
  if (!factor_is_current(Factor::dense)) {
    dense_.assign(size * size, 0.0);
    const auto entry = [&](int row, int column) -> double& { return dense_[row * size + column]; };
    for (int row = 0; row < n; ++row)
      for (int k = system_.pattern.begin[row]; k < system_.pattern.begin[row + 1]; ++k) entry(row, system_.pattern.column[k]) = problem_.A[k];
    for (int i : rows_.entries) {
      const RelationEntry& e = system_.relation_entries[i];
      const MoreauEntry& p = plan_.entries[i];
      const double *C = problem_.C.data() + model_.block_begin[i], *G = problem_.G.data() + model_.block_begin[i];
      for (int r = 0; r < e.rows; ++r) {
        const int row = n + rows_.row[i] + r;
        const Mode mode = mode_[e.row + r];
        for (int c = 0; c < p.columns; ++c) {
          const int dof = plan_.columns[p.column_begin + c];
          entry(dof, row) -= G[c * e.rows + r];
          if (mode == Mode::holds) entry(row, dof) += C[r * p.columns + c];
        }
        if (mode != Mode::holds) {
          entry(row, row) = 1.0;
          if (!e.law.type->set->bounds && r == 1 && mode_[e.row] == Mode::holds)  // r_t = +- mu r_n
            entry(row, row - 1) = (mode == Mode::high ? -1.0 : 1.0) * e.law.type->set->friction(e.law.parameters);
        } else if (p.level == Level::value) {
          for (int c = 0; c < e.rows; ++c) entry(row, row - r + c) += problem_.D[e.square_begin + r * e.rows + c];
        }
      }
    }
    if (!lu_.factorize(dense_, size)) return false;
    factored_ = Factor::dense;
  }
  dense_x_.resize(size);
  std::copy(problem_.p0.begin(), problem_.p0.end(), dense_x_.begin());
  for (int i : rows_.entries)
    for (int r = 0; r < system_.relation_entries[i].rows; ++r) dense_x_[n + rows_.row[i] + r] = mode_target(at(i), r);
  lu_.solve(dense_x_);
  if (!std::all_of(dense_x_.begin(), dense_x_.end(), [](double x) { return std::isfinite(x); })) return false;
  std::copy(dense_x_.begin(), dense_x_.begin() + n, trial_xi_.begin());
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    std::copy_n(dense_x_.begin() + n + rows_.row[i], e.rows, trial_mu_.begin() + e.row);
  }
  return true;
}

/// What the diagonal of joints' rows gets in an unsymmetric saddle: 1e-9 of the largest diagonal of C A^-1 G where some of them hold what
/// others hold already, else 0. Told once, by the directions of the first step.
double MoreauStep::proximal_weight() {
  if (proximal_ >= 0.0) return proximal_;
  proximal_ = 0.0;
  CsrBuilder builder(system_.layout.rows, system_.layout.unknowns());
  std::vector<int> rows;
  std::vector<std::size_t> joints;
  for (const int i : rows_.entries) {
    if (!plan_.entries[i].equality) continue;
    const RelationEntry& e = system_.relation_entries[i];
    rows.clear();
    for (int r = 0; r < e.rows; ++r) rows.push_back(e.row + r);
    builder.add_block(rows, std::span(plan_.columns).subspan(at(plan_.entries[i].column_begin), at(plan_.entries[i].columns)));
    joints.push_back(at(i));
  }
  if (joints.size() < 2) return proximal_;
  const CsrLayout layout = builder.build();
  std::vector<double> values(at(layout.pattern.nonzeros()));
  double largest = 0.0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const MoreauEntry& p = plan_.entries[joints[k]];
    const int m = system_.relation_entries[joints[k]].rows;
    const double *C = problem_.C.data() + model_.block_begin[joints[k]], *G = problem_.G.data() + model_.block_begin[joints[k]];
    layout.add(static_cast<int>(k), C, values.data());
    for (int r = 0; r < m; ++r) {
      double sum = 0.0;
      for (int c = 0; c < p.columns; ++c) {
        const double own = std::abs(problem_.A[system_.diagonal_slot[plan_.columns[p.column_begin + c]]]);
        if (own > 0.0) sum += std::abs(C[r * p.columns + c] * G[c * m + r]) / own;
      }
      largest = std::max(largest, sum);
    }
  }
  for (const DependentRow& row : dependent_rows(layout.pattern, values))
    if (!row.with.empty()) proximal_ = 1e-9 * largest;  // empty: rows of no joint
  return proximal_;
}

/// The same as a sparse saddle over all rows with bounds. Symmetric where it can be: then redundant rows do no harm. Where it cannot,
/// these get a little of their multiplier, by which the solution comes nearer to the equations each time (proximal method of multipliers).
bool MoreauStep::solve_mode_sparse() {
  const MoreauSaddle& s = plan_.modes;
  const int n = system_.layout.unknowns();
  const bool symmetric = plan_.may_be_symmetric;
  if (!saddle_ready_) {
    saddle_.analyze(symmetric ? MatrixKind::symmetric_quasidefinite : MatrixKind::unsymmetric, s.pattern, symmetric ? s.rows : 0);
    saddle_ready_ = true;
  }
  const double proximal = symmetric ? 0.0 : proximal_weight();
  const bool current = factor_is_current(Factor::sparse);
  if (!current) {
    std::fill(saddle_values_.begin(), saddle_values_.end(), 0.0);
    for (std::size_t k = 0; k < problem_.A.size(); ++k)
      if (s.system_slot[k] >= 0) saddle_values_[s.system_slot[k]] = problem_.A[k];
  }
  std::copy(problem_.p0.begin(), problem_.p0.end(), saddle_rhs_.begin());
  int row = n;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (!e.law.type->set->bounds) continue;
    const int m = e.rows, columns = p.columns;
    for (int r = 0; r < m; ++r) {
      const int D = s.D_begin[i] + r * m;
      const bool in = rows_.row[i] >= 0, holds = in && mode_[e.row + r] == Mode::holds;
      saddle_rhs_[row + r] = in ? mode_target(i, r) : 0.0;
      for (int c = 0; in && !holds && c < columns; ++c)  // a multiplier at its bound is a given force
        saddle_rhs_[plan_.columns[p.column_begin + c]] += problem_.G[model_.block_begin[i] + c * m + r] * saddle_rhs_[row + r];
      if (current) continue;
      if (!holds) {
        saddle_values_[s.D_slot[D + r]] = symmetric ? -1.0 : 1.0;
        continue;
      }
      for (int c = 0; c < columns; ++c) {
        saddle_values_[s.C_slot[s.C_begin[i] + r * columns + c]] = problem_.C[model_.block_begin[i] + r * columns + c];
        if (!symmetric) saddle_values_[s.G_slot[s.G_begin[i] + c * m + r]] = -problem_.G[model_.block_begin[i] + c * m + r];
      }
      for (int c = 0; p.level == Level::value && c < m; ++c)
        saddle_values_[s.D_slot[D + c]] += problem_.D[e.square_begin + r * m + c];
      if (p.equality) saddle_values_[s.D_slot[D + r]] += proximal;
    }
    row += m;
  }
  const std::size_t size = at(s.pattern.rows);
  if (!current) {
    if (saddle_.factorize({saddle_values_.data(), at(s.pattern.nonzeros())}).status != FactorStatus::ok) return false;
    factored_ = Factor::sparse;
  }
  const int most = proximal > 0.0 ? 4 : 1;
  for (int k = 0; k < most; ++k) {
    row = n;
    for (std::size_t i = 0; k > 0 && i < plan_.entries.size(); ++i) {
      if (!system_.relation_entries[i].law.type->set->bounds) continue;
      for (int r = 0; r < system_.relation_entries[i].rows; ++r, ++row)
        if (plan_.entries[i].equality && rows_.row[i] >= 0) saddle_rhs_[row] = mode_target(i, r) + proximal * saddle_x_[row];
    }
    const LinearReport solved = saddle_.solve({saddle_rhs_.data(), size}, {saddle_x_.data(), size});
    if (!(solved.residual < 1e-8)) return false;
  }
  std::copy(saddle_x_.begin(), saddle_x_.begin() + n, trial_xi_.begin());
  row = n;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (!e.law.type->set->bounds) continue;
    for (int r = 0; r < e.rows; ++r, ++row)
      if (rows_.row[i] >= 0) trial_mu_[e.row + r] = symmetric ? -saddle_x_[row] : saddle_x_[row];
  }
  return true;
}

/// moves_: the largest velocity that one trial multiplier alone would give each unknown. Where reactions balance, as in a chain that hangs at
/// rest, nothing else tells what the round-off in a row is to be measured by.
void MoreauStep::moves_of_multipliers() {
  std::fill(moves_.begin(), moves_.end(), 0.0);
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* G = problem_.G.data() + model_.block_begin[i];
    for (int c = 0; c < p.columns; ++c) {
      const std::size_t dof = at(plan_.columns[p.column_begin + c]);
      const double inertia = std::abs(problem_.A[system_.diagonal_slot[dof]]);
      if (!(inertia > 0.0)) continue;
      for (int r = 0; r < e.rows; ++r) moves_[dof] = std::max(moves_[dof], std::abs(G[c * e.rows + r] * trial_mu_[e.row + r]) / inertia);
    }
  }
}

/// Rows of entry i that contradict their law at the trial point change their mode, if `change`. Returns how many; sets w. `balanced`: measured
/// by moves_of_multipliers as well.
int MoreauStep::check_modes(std::size_t i, double largest_mu, bool change, bool balanced, double& worst) {
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  const SetType& set = *e.law.type->set;
  const double* C = problem_.C.data() + model_.block_begin[i];
  double w[16], size[16];
  int changed = 0;
  const double potential = between_terminals_[i] ? circuit_size_.potential : 0.0;
  if (between_terminals_[i]) largest_mu = std::max(largest_mu, circuit_size_.current);
  const auto contradicts = [&](double by, double scale) {  // by > 0: that much over the edge
    if (scale > 0.0 && by > 0.0) worst = std::max(worst, by / scale);
    return by > accuracy * scale;
  };
  for (int r = 0; r < e.rows; ++r) {
    double sum = problem_.b[rows_.row[i] + r], terms = std::max({std::abs(sum), before_.reach[e.row + r], potential});
    for (int c = 0; c < p.columns; ++c) {
      const std::size_t dof = at(plan_.columns[p.column_begin + c]);
      const double term = C[r * p.columns + c] * trial_xi_[dof];
      sum += term;
      terms = std::max(terms, std::abs(term));
      if (balanced) terms = std::max(terms, std::abs(C[r * p.columns + c]) * moves_[dof]);
    }
    for (int c = 0; p.level == Level::value && c < e.rows; ++c) {
      const double term = problem_.D[e.square_begin + r * e.rows + c] * trial_mu_[e.row + c];
      sum += term;
      terms = std::max(terms, std::abs(term));
    }
    const int row = e.row + r;
    trial_w_[row] = sum, trial_size_[row] = terms;
    w[std::min(r, 15)] = sum, size[std::min(r, 15)] = terms;
    if (!set.bounds) continue;
    const double mu = trial_mu_[row];
    Mode to = mode_[row];
    if (to == Mode::holds) {
      if (terms > 0.0) holds_ = std::max(holds_, std::abs(sum) / terms);
      if (contradicts(low_[row] - mu, largest_mu)) to = Mode::low;
      else if (contradicts(mu - high_[row], largest_mu)) to = Mode::high;
    } else if (low_[row] < high_[row] && contradicts(to == Mode::low ? -sum : sum, terms)) {
      to = Mode::holds;
    }
    if (to != mode_[row]) ++changed;
    if (change) mode_[row] = to;
  }
  if (set.bounds) return changed;
  const int n = e.row, t = e.row + 1;
  const double normal = trial_mu_[n], tangential = trial_mu_[t], most = set.friction(e.law.parameters) * std::max(normal, 0.0);
  Mode to_n = mode_[n], to_t = mode_[t];
  if (to_n == Mode::low) {
    if (contradicts(-w[0], size[0])) to_n = to_t = Mode::holds;
  } else if (contradicts(-normal, largest_mu)) {
    to_n = to_t = Mode::low;
  } else if (to_t == Mode::holds) {
    if (contradicts(std::abs(tangential) - most, largest_mu)) to_t = tangential > 0.0 ? Mode::high : Mode::low;
  } else if (contradicts(to_t == Mode::high ? w[1] : -w[1], size[1])) {
    to_t = Mode::holds;
  }
  if (to_n != mode_[n] || to_t != mode_[t]) ++changed;
  if (change) mode_[n] = to_n, mode_[t] = to_t;
  return changed;
}

bool MoreauStep::solve_modes() {
  bool bounds = true, planar = true;
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const SetType& set = *e.law.type->set;
    bounds &= set.bounds != nullptr;
    planar &= set.bounds || (set.friction && e.rows == 2);
  }
  if (bounds && minkowski_ && search_band()) return true;
  // A dense factor is singular where rows are redundant; the sparse one is not.
  const bool small = system_.layout.unknowns() + rows_.count <= dense_most && (plan_.may_be_symmetric || proximal_weight() == 0.0);
  return (small && planar && search_modes(Factor::dense)) || (bounds && search_modes(Factor::sparse));
}

double MoreauStep::largest_trial_mu() const {
  double largest = 0.0;
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int row = e.row; row < e.row + e.rows; ++row) largest = std::max(largest, std::abs(trial_mu_[row]));
  }
  return largest;
}

/// How far rows that hold are from zero, over the sizes of their terms; a row whose terms are rounding themselves, by the rounding of the
/// largest of its level: one at a pivot at rest, say, of a disk that spins.
double MoreauStep::holds_error() const {
  constexpr double rounding = 1e-4;
  if (holds_ <= plan_.solver_tolerance) return holds_;
  double largest[2] = {0.0, 0.0}, worst = 0.0;
  for (int pass = 0; pass < 2; ++pass)
    for (const int i : rows_.entries) {
      const RelationEntry& e = system_.relation_entries[i];
      const int level = plan_.entries[i].level == Level::rate ? 1 : 0;
      for (int row = e.row; row < e.row + e.rows; ++row) {
        const double size = trial_size_[row];
        if (pass == 0) largest[level] = std::max(largest[level], size);
        else if (e.law.type->set->bounds && mode_[row] == Mode::holds && size > 0.0)
          worst = std::max(worst, std::abs(trial_w_[row]) / std::max(size, rounding * largest[level]));
      }
    }
  return worst;
}

void MoreauStep::measure_circuit(const std::vector<double>& xi) {
  circuit_size_ = {};
  for (const int i : potentials_) {
    circuit_size_.potential = std::max(circuit_size_.potential, std::abs(xi[i]));
    for (int k = system_.pattern.begin[i]; k < system_.pattern.begin[i + 1]; ++k)
      circuit_size_.current = std::max(circuit_size_.current, std::abs(problem_.A[k] * xi[system_.pattern.column[k]]));
  }
}

bool MoreauStep::search_modes(Factor kind) {
  first_modes();
  for (int pass = 0; pass < most_changes; ++pass) {
    if (!(kind == Factor::dense ? solve_mode_dense() : solve_mode_sparse())) return false;
    const double largest_mu = largest_trial_mu();
    measure_circuit(trial_xi_);
    double worst = holds_ = 0.0;
    int changed = 0;
    const bool balanced = pass > 0;
    if (balanced) moves_of_multipliers();
    for (int i : rows_.entries) changed += check_modes(at(i), largest_mu, pass < all_at_once || changed == 0, balanced, worst);
    if (changed != 0) continue;
    worst = std::max(worst, holds_error());
    if (!balanced && !(worst <= plan_.solver_tolerance)) {
      moves_of_multipliers();
      worst = holds_ = 0.0;
      for (int i : rows_.entries) check_modes(at(i), largest_mu, false, true, worst);
      worst = std::max(worst, holds_error());
    }
    return take_modes(worst);
  }
  return false;
}

/// Takes the trial point where its rows and multipliers fulfil their laws to the tolerance; `worst`: how well they do.
bool MoreauStep::take_modes(double worst) {
  if (!(worst <= plan_.solver_tolerance)) return false;
  std::copy(trial_xi_.begin(), trial_xi_.begin() + system_.layout.unknowns(), solution_.xi.begin());
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int row = e.row; row < e.row + e.rows; ++row) {
      solution_.mu[row] = trial_mu_[row];
      if (e.law.type->set->bounds) solution_.mu[row] = std::clamp(solution_.mu[row], low_[row], high_[row]);
      else if (row == e.row) solution_.mu[row] = std::max(0.0, solution_.mu[row]);
      solution_.w[row] = trial_w_[row];
    }
  }
  solution_.laws = worst;
  return true;
}

}  // namespace saltus
