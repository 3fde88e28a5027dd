#include "saltus/integrate/moreau_general.hpp"

#include <algorithm>
#include <utility>

#include "saltus/base/index.hpp"
#include "saltus/integrate/mean_slip.hpp"
#include "saltus/problem/sets.hpp"
#include "saltus/solver/solve_log.hpp"

namespace saltus {
namespace {
/// Of a natural map against the sizes of the terms of velocities.
constexpr double rounding_of_velocities = 1e-13;
/// More contacts make a dense packing.
constexpr int packing_from = 100;
/// Flops after which a packing's problem that is acceptable is not worked on any longer.
constexpr std::int64_t soon_of_packings = 8'000'000, soon_a_row = 50'000;
/// Contacts that are no packing: solver tolerances that are acceptable, after so many flops. Bodies that lie face on face and hardly slide need them, and wheels on one axle.
constexpr double acceptable_of_few = 100.0;
constexpr std::int64_t late_of_few = 20'000'000;
/// Of a row across an open gap: the pull alone.
constexpr double no_bounds[2 * ContactGroup::most_rows] = {};
/// Budgets of a problem that were spent on problems which were not solved, at one place of the run, after which shorter steps are not tried
/// any more.
constexpr double most_lost = 4.0, most_lost_of_packings = 8.0;
}  // namespace

GeneralRows::GeneralRows(const MoreauModel& model, MoreauContacts& contacts, const LawOffsets& offsets, std::vector<int> potentials)
    : plan_(model.plan), system_(model.system), block_begin_(model.block_begin), laws_(model.laws), contacts_(contacts), offsets_(offsets), potentials_(std::move(potentials)) {
  const int n = system_.layout.unknowns();
  problem_.M.resize(n, n);
  problem_.M.resizeNonZeros(system_.pattern.nonzeros());
  std::copy(system_.pattern.begin.begin(), system_.pattern.begin.end(), problem_.M.outerIndexPtr());
  std::copy(system_.pattern.column.begin(), system_.pattern.column.end(), problem_.M.innerIndexPtr());
  if (!potentials_.empty()) problem_.sizes.resize(n);
  problem_.blocks.reserve(plan_.entries.size());
  cursor_.resize(n + 1);
  impulse_.resize(at(n));
  warm_r_.reserve(system_.layout.rows);
  const auto& relations = system_.relation_entries;
  if (std::any_of(relations.begin(), relations.end(), [](const RelationEntry& e) { return e.law.type->by_speed; }))
    for (const RelationEntry& e : relations) halved_.push_back(mean_slip::parameters(e.law));
}

bool GeneralRows::gives_up(double t, double h) {
  lost_.until = std::max(lost_.until, t + h);
  return lost_.budgets > (contacts_.rows() > packing_from ? most_lost_of_packings : most_lost);
}

bool GeneralRows::solve(const RowTask& t) {
  build(t);
  append_blocks(t);
  find_rest(t);
  warm_r_.resize(t.rows.count);
  for (int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; r < e.rows; ++r) warm_r_[t.rows.row[i] + r] = t.solution.mu[e.row + r];
  }
  contacts_.append_warm(warm_r_);
  if (!run_solvers(t)) return false;
  std::copy(report_.v.begin(), report_.v.end(), t.solution.xi.begin());
  t.solution.laws = std::max(report_.residual, report_.scaled_residual);
  contacts_.take(report_.r, t.rows.count);
  for (int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; r < e.rows; ++r) {
      t.solution.mu[e.row + r] = report_.r[t.rows.row[i] + r];
      t.solution.w[e.row + r] = report_.w[t.rows.row[i] + r];
    }
  }
  return true;
}

/// Whether contacts are in the step: between groups, or as relations with friction.
bool GeneralRows::rubs(const RowTask& t) const {
  return contacts_.rows() > 0 || std::any_of(t.rows.entries.begin(), t.rows.entries.end(), [&](int i) { return plan_.entries[i].gap && system_.relation_entries[i].rows > 1; });
}

/// All solvers in turn, within what the problem is given.
bool GeneralRows::run_solvers(const RowTask& t) {
  SolveOptions options;
  options.tolerance = plan_.solver_tolerance;
  options.lost = rounding_of_velocities;
  options.threads = plan_.options.threads;
  // Dense packings have problems that no solver ends soon: a shorter step is the cheaper way on. A few rows are solved in a thousandth
  // of what they are given, or not at all: numbers far out of proportion.
  const bool packing = contacts_.rows() > packing_from;
  const auto all_rows = static_cast<std::int64_t>(t.rows.count + contacts_.rows());
  const std::int64_t budget = packing ? 200'000'000 + 6'000'000 * all_rows : std::min<std::int64_t>(4'000'000'000, 100'000'000 + 4'000'000 * all_rows);
  options.flop_budget = budget;
  if (packing) options.acceptable = plan_.acceptable_residual, options.acceptable_after = soon_of_packings + soon_a_row * all_rows;
  else if (rubs(t)) options.acceptable = std::min(acceptable_of_few * plan_.solver_tolerance, plan_.acceptable_residual), options.acceptable_after = late_of_few;
  if (t.warm) {
    options.warm_r = warm_r_;
    options.warm_v = {t.solution.xi.data(), problem_.p0.size()};
  }
  options.timed = false;
  std::int64_t spent = 0;
  bool gives_energy = false;
  const auto solve = [&] {
    solver_.solve(problem_, options, report_);
    spent += report_.flops;
    if (SolveLog* log = SolveLog::of_run()) log->take(problem_, report_);
    t.solution.velocity_residual = report_.velocity_residual;
    // Impulses of a very short step are lost in the rounding of velocities: no solver comes further.
    if ((report_.status == SolveStatus::budget || report_.status == SolveStatus::ray) && report_.velocity_residual <= rounding_of_velocities) report_.status = SolveStatus::solved;
    gives_energy = this->gives_energy(t);
    if (gives_energy && report_.status == SolveStatus::solved) report_.status = SolveStatus::budget;
  };
  solve();
  const auto is_acceptable = [&] { return !gives_energy && report_.status == SolveStatus::budget && std::max(report_.residual, report_.scaled_residual) <= options.acceptable; };
  if (report_.status != SolveStatus::solved && !is_acceptable()) {  // cold
    options.warm_r = options.warm_v = {};
    solve();
  }
  const std::string cause = report_.cause;
  const std::int64_t enough = spent + budget / 2;
  for (const SolverEntry& arm : solvers()) {  // another solver
    if (packing || report_.status == SolveStatus::solved || report_.status == SolveStatus::infeasible || is_acceptable() || spent >= enough) break;
    if (!arm.can(problem_)) continue;
    options.solver = arm.name;
    options.flop_budget = enough - spent;
    solve();
  }
  t.solution.loose = is_acceptable();
  if (t.solution.loose) return true;
  if (report_.status == SolveStatus::solved) {
    tighten(t, options);
    return true;
  }
  t.solution.contradicts = report_.status == SolveStatus::infeasible;
  lost_.budgets += static_cast<double>(spent) / static_cast<double>(budget);
  t.solution.cause = !cause.empty() ? cause : !report_.cause.empty() ? report_.cause : "no solver solved the problem of the step";  // of all together, not of the last alone
  return false;
}

/// Impulses by which bodies jam, as of a wedge in its gap, may be as large as one likes: a residual beside them hides velocities, by which they give r.w. Solved, that is nothing
/// beside p.p / 2m, p = H^T r.
bool GeneralRows::gives_energy(const RowTask& t) {
  double given = 0.0, scale = 0.0;
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  const auto add = [&](int row) {
    given += report_.r[at(row)] * report_.w[at(row)];
    for (int k = problem_.H.outerIndexPtr()[row]; k < problem_.H.outerIndexPtr()[row + 1]; ++k) impulse_[at(problem_.H.innerIndexPtr()[k])] += problem_.H.valuePtr()[k] * report_.r[at(row)];
  };
  for (const int i : t.rows.entries)
    for (int r = 0; plan_.entries[i].gap && plan_.entries[i].impulse && r < system_.relation_entries[i].rows; ++r) add(t.rows.row[i] + r);
  for (int row = t.rows.count; row < t.rows.count + contacts_.rows(); ++row) add(row);
  if (!(given > 0.0) || !problem_.rest.empty()) return false;
  for (int i = 0; i < system_.layout.nv; ++i)
    if (const double m = problem_.M.valuePtr()[system_.diagonal_slot[i]]; m > 0.0) scale += 0.5 * impulse_[at(i)] * impulse_[at(i)] / m;
  return given > 1e-3 * scale;
}

/// What rests in contacts that are found anew must not leave them within a long step: the way that the residual makes of its weight stays a
/// hundredth of what counts as closed. Kept as it was where no solver comes so far.
void GeneralRows::tighten(const RowTask& t, SolveOptions options) {
  const double h = t.problem.set_scale, way = norm(system_.gravity) * h * h, least = 1e-14;
  const double tolerance = std::max(least, 1e-11 * system_.contacts.size / way);
  if (contacts_.empty() || !(way > 0.0) || tolerance >= plan_.solver_tolerance || std::max(report_.residual, report_.scaled_residual) <= tolerance) return;
  loose_ = report_;
  options.tolerance = tolerance;
  options.acceptable = 0.0;
  options.warm_r = loose_.r, options.warm_v = loose_.v;
  options.solver = {};
  options.flop_budget /= 10;
  solver_.solve(problem_, options, report_);
  if (std::max(report_.residual, report_.scaled_residual) > std::max(loose_.residual, loose_.scaled_residual)) std::swap(report_, loose_);
  report_.status = SolveStatus::solved;
}

/// Multipliers stand in their sets less their offsets: what carries nothing is at minus these.
void GeneralRows::find_rest(const RowTask& t) {
  problem_.rest.clear();
  if (!offsets_.any() && !contacts_.shifted()) return;
  for (const int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; r < e.rows; ++r) problem_.rest.push_back(-offsets_.of_row(e.row + r));
  }
  contacts_.append_rest(problem_.rest);
}

/// Rows as compressed matrices. G stays empty where it is the transposed of H.
void GeneralRows::build(const RowTask& t) {
  std::copy(t.problem.A.begin(), t.problem.A.end(), problem_.M.valuePtr());
  problem_.p0 = t.problem.p0;
  problem_.b = t.problem.b;
  measure_potentials(t);
  const int n = system_.layout.unknowns();
  int entries = contacts_.entries(), squares = 0;
  bool values = false;
  for (int i : t.rows.entries) {
    const int m = system_.relation_entries[i].rows;
    entries += m * plan_.entries[i].columns;
    if (plan_.entries[i].level == Level::value) values = true, squares += m * m;
  }
  const bool own_input = !plan_.may_be_symmetric;
  const int all_rows = t.rows.count + contacts_.rows();
  problem_.symmetric = !own_input;
  problem_.H.resize(all_rows, n);
  problem_.H.resizeNonZeros(entries);
  problem_.D.resize(values ? all_rows : 0, values ? all_rows : 0);
  problem_.D.resizeNonZeros(squares);
  problem_.G.resize(own_input ? n : 0, own_input ? all_rows : 0);
  problem_.G.resizeNonZeros(own_input ? entries : 0);
  if (own_input) count_inputs(t);
  write_rows(t, values);
  problem_.H.outerIndexPtr()[all_rows] = entries;
  problem_.springs.assign(at(all_rows), 0.0);
  for (int row = 0; row < all_rows; ++row)
    for (SparseRows::InnerIterator a(problem_.H, row); a; ++a)
      if (const double m = t.before.mass[system_.diagonal_slot[a.col()]]; m > 0.0) problem_.springs[at(row)] += a.value() * a.value() / m;
}

/// Where a diode conducts to the ground its row is nothing but rounding, of the largest potential.
void GeneralRows::measure_potentials(const RowTask& t) {
  double largest = 0.0;
  for (const int i : potentials_) largest = std::max({largest, std::abs(t.before.xi[i]), std::abs(t.solution.xi[i])});
  for (const int i : potentials_) problem_.sizes[i] = largest;
}

/// cursor_: where the rows of G begin.
void GeneralRows::count_inputs(const RowTask& t) {
  std::fill(cursor_.begin(), cursor_.end(), 0);
  for (int i : t.rows.entries)
    for (int c = 0; c < plan_.entries[i].columns; ++c)
      cursor_[plan_.columns[plan_.entries[i].column_begin + c] + 1] += system_.relation_entries[i].rows;
  contacts_.count_columns(cursor_.data() + 1);
  for (int i = 0; i < system_.layout.unknowns(); ++i) cursor_[i + 1] += cursor_[i];
  std::copy(cursor_.begin(), cursor_.end(), problem_.G.outerIndexPtr());
}

void GeneralRows::write_rows(const RowTask& t, bool values) {
  const bool own_input = !plan_.may_be_symmetric;
  int next = 0, square = 0, row = 0;
  for (int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double *C = t.problem.C.data() + block_begin_[i], *G = t.problem.G.data() + block_begin_[i];
    for (int r = 0; r < e.rows; ++r, ++row) {
      problem_.H.outerIndexPtr()[row] = next;
      for (int c = 0; c < p.columns; ++c, ++next) {
        const int dof = plan_.columns[p.column_begin + c];
        problem_.H.innerIndexPtr()[next] = dof;
        problem_.H.valuePtr()[next] = C[r * p.columns + c];
        if (!own_input) continue;
        const int place = cursor_[dof]++;
        problem_.G.innerIndexPtr()[place] = row;
        problem_.G.valuePtr()[place] = G[c * e.rows + r];
      }
      if (!values) continue;
      problem_.D.outerIndexPtr()[row] = square;
      for (int c = 0; p.level == Level::value && c < e.rows; ++c, ++square) {
        problem_.D.innerIndexPtr()[square] = t.rows.row[i] + c;
        problem_.D.valuePtr()[square] = t.problem.D[e.square_begin + r * e.rows + c];
      }
    }
  }
  contacts_.write_rows(problem_, t.rows.count, next, own_input ? cursor_.data() : nullptr);
  for (int i = t.rows.count; values && i <= t.rows.count + contacts_.rows(); ++i) problem_.D.outerIndexPtr()[i] = square;
}

void GeneralRows::append_blocks(const RowTask& t) {
  const bool in_phase = offsets_.in_phase();
  problem_.blocks.clear();
  for (int i : t.rows.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const bool impulse = plan_.entries[i].impulse;
    const LawRef& law = laws_.relation(i);
    problem_.blocks.push_back({.begin = t.rows.row[i], .dim = e.rows, .set = law.type->set, .parameters = law.parameters,
                               .set_scale = law.type->force_bounded && impulse ? t.problem.set_scale : 1.0});
    if (!halved_.empty() && t.rows.slides[i] && !halved_[at(i)].empty()) problem_.blocks.back().parameters = halved_[at(i)].data();
    if (t.rows.across[i]) problem_.blocks.back().set = &box_set, problem_.blocks.back().parameters = no_bounds;
    if (!in_phase || !offsets_.phase(i).set) continue;
    problem_.blocks.back().set = offsets_.phase(i).set, problem_.blocks.back().parameters = offsets_.phase(i).parameters;
  }
  contacts_.append_blocks(problem_, t.rows.count, t.problem.set_scale);
}

}  // namespace saltus
