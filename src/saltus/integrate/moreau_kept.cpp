#include "saltus/integrate/moreau_kept.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "saltus/base/index.hpp"
#include "saltus/math/packs.hpp"

namespace saltus {
namespace {
constexpr double accuracy = 1e-11;  // as in RowModes
constexpr int most = MoreauPlan::kept_most;

double code(LawMode mode) { return 1.0 + static_cast<double>(mode); }

/// Larger of both; NaN wins, so that it can never pass a test.
double worse(double a, double b) { return b > a || std::isnan(b) ? b : a; }
}  // namespace

void MoreauKept::Blocks::clear(int r, int c) {
  rows = (r + 3) / 4 * 4, columns = c;
  values.assign(rows * c, 0.0);
}

MoreauKept::MoreauKept(const MoreauPlan& plan) : plan_(plan), system_(*plan.system) {
  const Layout& l = system_.layout;
  n_ = l.unknowns(), kept_at_ = plan.kept(), remembers_ = plan.kept_size() > 0;
  states_ = l.nq + n_;
  velocity_of_q_.assign(l.nq, -1);
  for (int i = 0; i < l.nv; ++i)
    if (system_.map.q_of_v[i] >= 0) velocity_of_q_[system_.map.q_of_v[i]] = i;
  follows_modes_ = !plan.entries.empty();
  for (std::size_t i = 0; i < plan.entries.size(); ++i)
    follows_modes_ = follows_modes_ && plan.entries[i].level == Level::value && !plan.entries[i].gap && !plan.entries[i].impulse && system_.relation_entries[i].law.type->set->bounds;
  if (n_ > most) return;
  // All memory at once: maps are made during the run.
  const auto size = at(most), columns = at(1 + states_) + size, rows = size + 2 * plan.entries.size() + 4;
  maps_.reserve(follows_modes_ ? most_maps : 1);
  maps_.push_back(std::make_unique<Map>());
  reserve(*maps_[0]);
  key_.reserve(at(l.rows) + plan.entries.size());
  lu_.reserve(most);
  work_.dense.reserve(size * size), work_.right.reserve(size), work_.factors.resize(columns + 4), work_.out.resize(rows + 4);
  work_.error.resize(size + 4), work_.size.resize(size + 4), work_.end.resize(states_);
}

void MoreauKept::measure_by(std::vector<int> potentials) {
  potentials_ = std::move(potentials);
  between_potentials_.clear();
  const auto is_potential = [&](int column) { return std::find(potentials_.begin(), potentials_.end(), column) != potentials_.end(); };
  for (const MoreauEntry& p : plan_.entries)
    between_potentials_.push_back(p.level == Level::value && p.columns > 0 && std::all_of(plan_.columns.begin() + p.column_begin, plan_.columns.begin() + p.column_begin + p.columns, is_potential));
}

void MoreauKept::reserve(Map& m) const {
  const auto size = at(most), columns = at(1 + states_) + size, entries = plan_.entries.size(), rows = size + 2 * entries + 4;
  m.key.reserve(at(system_.layout.rows) + entries);
  m.rows.reserve(size), m.entries.reserve(size), m.gaps.reserve(entries);
  m.predict.values.reserve(rows * at(1 + states_)), m.residual.values.reserve((size + 4) * columns), m.moves.reserve(size * size);
  m.held.reserve(size), m.matrix_of_held.column.reserve(size * at(states_)), m.matrix_of_held.value.reserve(size * at(states_));
}

/// A map that may be made anew.
MoreauKept::Map& MoreauKept::room() {
  if (maps_.size() == 1 && maps_[0]->key.empty()) return *maps_[0];
  if (follows_modes_ && maps_.size() < most_maps) {
    maps_.push_back(std::make_unique<Map>());
    return *maps_.back();
  }
  Map& map = *maps_[next_];
  next_ = (next_ + 1) % maps_.size();
  return map;
}

bool MoreauKept::is_of(const State& state, double h, double theta) const {
  return map_ && map_->h == h && map_->theta == theta && std::memcmp(map_->key.data(), state.memory() + kept_at_ + 2, map_->key.size() * sizeof(double)) == 0;
}

void MoreauKept::begin(const State& state, const std::vector<char>& off) {
  const double* mode = state.memory() + kept_at_ + 2;
  key_.assign(mode, mode + system_.layout.rows);
  key_.insert(key_.end(), off.begin(), off.end());
}

bool MoreauKept::take(double h, double theta) {
  const auto is = [&](const Map& m) { return m.h == h && m.theta == theta && m.key == key_; };
  if (map_ && is(*map_)) return true;
  for (const std::unique_ptr<Map>& m : maps_)
    if (is(*m)) return map_ = m.get(), true;
  return false;
}

void MoreauKept::forget(State& state) const {
  if (remembers_) state.memory()[kept_at_] = 0.0;
}

void MoreauKept::remember(const Ended& e, State& state) const {
  if (!remembers_) return;
  int rows = 0;
  for (const int i : e.active) {
    const RelationEntry& entry = system_.relation_entries[i];
    rows += entry.rows;
    const SetType& set = *entry.law.type->set;
    if (!set.bounds && !(set.friction && entry.rows == 2)) return forget(state);
  }
  if (n_ + rows > most) return forget(state);
  double *kept = state.memory() + kept_at_, *mode = kept + 2;
  bool same = kept[1] == e.h;
  std::size_t next = 0;
  for (int i = 0; i < count_of(plan_.entries); ++i) {
    const RelationEntry& entry = system_.relation_entries[i];
    const bool active = next < e.active.size() && e.active[next] == i;
    next += active;
    for (int row = entry.row; row < entry.row + entry.rows; ++row) {
      const double now = active ? code(e.mode[row]) : 0.0;
      same &= mode[row] == now;
      mode[row] = now;
    }
  }
  kept[0] = same ? std::min(kept[0] + 1.0, 2.0) : 1.0;
  kept[1] = e.h;
}

void MoreauKept::make(const Ended& e) {
  Map& map = room();
  map_ = &map;
  map.key = key_;
  map.h = e.h, map.theta = e.theta;
  map.rows.clear(), map.entries.clear(), map.gaps.clear();
  for (const int i : e.active) {
    const RelationEntry& entry = system_.relation_entries[i];
    const SetType& set = *entry.law.type->set;
    for (int r = 0; r < entry.rows; ++r) {
      Row row{.row = entry.row + r, .entry = i, .mode = e.mode[entry.row + r]};
      if (set.bounds) row.low = e.low[row.row], row.high = e.high[row.row];
      else if (r == 0) row.normal = true;
      else row.friction = set.friction(entry.law.parameters);
      row.force = plan_.entries[i].impulse ? 1.0 / e.h : 1.0;
      row.between_potentials = between_potentials_[at(i)];
      map.rows.push_back(row);
    }
    const MoreauEntry& p = plan_.entries[i];
    const int end = count_of(map.rows);
    map.entries.push_back({i, end - entry.rows, end,
                           p.gap ? (set.friction && entry.rows > 1 ? Kind::gap_with_friction : Kind::gap)
                                 : p.equality || !set.bounds ? Kind::held : Kind::bounds});
  }
  map.m = count_of(map.rows);
  for (std::size_t i = 0, next = 0; i < plan_.entries.size(); ++i) {
    const bool active = next < e.active.size() && e.active[next] == static_cast<int>(i);
    next += active;
    const RelationEntry& entry = system_.relation_entries[i];
    if (plan_.entries[i].gap) map.gaps.push_back({static_cast<int>(i), entry.row, entry.rows, active});
  }
  map.residual.clear(n_ + map.m, 1 + states_ + n_ + map.m);
  dynamics_rows(e);
  law_rows(e);
  held_rows(e);
  map.regular = factorize(e);
}

/// A xi - G mu - p0, p0 = A xi0 + h ((1 - theta) F + theta F+), F+ where the velocities go on; algebraic rows without h.
void MoreauKept::dynamics_rows(const Ended& e) {
  const Layout& l = system_.layout;
  const AffineSystem::Matrix& forces = e.affine.force_matrix();
  const int end = 1 + states_;
  for (int i = 0; i < n_; ++i) {
    for (int k = system_.pattern.begin[i]; k < system_.pattern.begin[i + 1]; ++k) {
      const int j = system_.pattern.column[k];
      map_->residual(i, end + j) += e.A[k];
      map_->residual(i, 1 + l.nq + j) -= e.A[k];
    }
    const bool ode = i < l.nv + l.nx;
    const double weight = ode ? e.h : 1.0, moved = ode ? e.h * e.theta : 1.0;  // of what changes until the end
    map_->residual(i, 0) -= weight * forces.constant[i];
    for (int k = forces.begin[i]; k < forces.begin[i + 1]; ++k) {
      const int j = forces.column[k];
      map_->residual(i, 1 + j) -= weight * forces.value[k];
      if (j < l.nq && velocity_of_q_[j] >= 0) map_->residual(i, 1 + l.nq + velocity_of_q_[j]) -= moved * e.h * forces.value[k];
    }
  }
  int row = 0;
  for (const int i : e.active) {
    const MoreauEntry& p = plan_.entries[i];
    const int m = system_.relation_entries[i].rows;
    for (int c = 0; c < p.columns; ++c)
      for (int r = 0; r < m; ++r) map_->residual(plan_.columns[p.column_begin + c], end + n_ + row + r) -= e.G[e.C_begin[i] + c * m + r];
    row += m;
  }
}

/// w = C xi + D mu + b; b = rows - C xi0 where the velocities go on, of rows in values and those written as rates. map_->moves beside.
void MoreauKept::law_rows(const Ended& e) {
  const Layout& l = system_.layout;
  const AffineSystem::Matrix& values = e.affine.row_matrix();
  const int end = 1 + states_;
  map_->moves.clear();
  int row = 0;
  for (const int i : e.active) {
    const MoreauEntry& p = plan_.entries[i];
    const RelationEntry& entry = system_.relation_entries[i];
    const bool in_values = p.level == Level::value || !p.value_row;
    for (int r = 0; r < entry.rows; ++r) {
      const int w = n_ + row + r, from = entry.row + r;
      for (int c = 0; c < p.columns; ++c) {
        const int j = plan_.columns[p.column_begin + c];
        const double C = e.C[e.C_begin[i] + r * p.columns + c], inertia = std::abs(e.A[system_.diagonal_slot[j]]);
        map_->residual(w, end + j) += C;
        if (inertia > 0.0 && C != 0.0) map_->moves.push_back({j, std::abs(C) / inertia});
        if (in_values) map_->residual(w, 1 + l.nq + j) -= C;
      }
      map_->rows[row + r].moves_end = count_of(map_->moves);
      for (int c = 0; p.level == Level::value && c < entry.rows; ++c) map_->residual(w, end + n_ + row + c) += e.D[entry.square_begin + r * entry.rows + c];
      if (!in_values) continue;
      map_->residual(w, 0) += values.constant[from];
      for (int k = values.begin[from]; k < values.begin[from + 1]; ++k) {
        const int j = values.column[k];
        map_->residual(w, 1 + j) += values.value[k];
        if (j < l.nq && velocity_of_q_[j] >= 0) map_->residual(w, 1 + l.nq + velocity_of_q_[j]) += e.h * values.value[k];
      }
    }
    row += entry.rows;
  }
}

/// Joints and contacts whose positions PositionProjection keeps.
void MoreauKept::held_rows(const Ended& e) {
  map_->held.clear(), map_->matrix_of_held.column.clear(), map_->matrix_of_held.value.clear();
  const AffineSystem::Matrix& values = e.affine.row_matrix();
  for (int k = 0; plan_.positions.rows > 0 && k < map_->m; ++k) {
    const MoreauEntry& p = plan_.entries[map_->rows[k].entry];
    const std::size_t row = at(map_->rows[k].row);
    if (p.projected < 0 || map_->rows[k].row - system_.relation_entries[map_->rows[k].entry].row >= p.projected_rows) continue;
    const int begin = count_of(map_->matrix_of_held.column);
    map_->matrix_of_held.column.insert(map_->matrix_of_held.column.end(), values.column.begin() + values.begin[row], values.column.begin() + values.begin[row + 1]);
    map_->matrix_of_held.value.insert(map_->matrix_of_held.value.end(), values.value.begin() + values.begin[row], values.value.begin() + values.begin[row + 1]);
    map_->held.push_back({k, p.gap, begin, count_of(map_->matrix_of_held.column), values.constant[row]});
  }
}

/// The map: equations in their modes solved for each column of the state; beside it gaps and rates of the state itself.
bool MoreauKept::factorize(const Ended& e) {
  const int size = n_ + map_->m, end = 1 + states_;
  work_.dense.assign(size * size, 0.0);
  const auto entry = [&](int r, int c) -> double& { return work_.dense[r * size + c]; };
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < size; ++j) entry(i, j) = map_->residual(i, end + j);
  for (int k = 0; k < map_->m; ++k) {
    const Row& row = map_->rows[k];
    if (row.mode == LawMode::holds) {
      for (int j = 0; j < size; ++j) entry(n_ + k, j) = map_->residual(n_ + k, end + j);
      continue;
    }
    entry(n_ + k, n_ + k) = 1.0;
    if (row.friction >= 0.0 && map_->rows[k - 1].mode == LawMode::holds)  // r_t = +- mu r_n
      entry(n_ + k, n_ + k - 1) = (row.mode == LawMode::high ? -1.0 : 1.0) * row.friction;
  }
  if (!lu_.factorize(work_.dense, size)) return false;
  const int gaps = count_of(map_->gaps);
  map_->predict.clear(size + 2 * gaps, 1 + states_);
  work_.right.resize(size);
  for (int j = 0; j <= states_; ++j) {
    for (int i = 0; i < n_; ++i) work_.right[i] = -map_->residual(i, j);
    for (int k = 0; k < map_->m; ++k) {
      const Row& row = map_->rows[k];
      const double bound = row.mode == LawMode::low ? row.low : row.high;
      work_.right[n_ + k] = row.mode == LawMode::holds ? -map_->residual(n_ + k, j) : j == 0 && row.friction < 0.0 && !row.normal ? bound : 0.0;
    }
    lu_.solve(work_.right);
    for (int i = 0; i < size; ++i) {
      if (!std::isfinite(work_.right[i])) return false;
      map_->predict(i, j) = work_.right[i];
    }
  }
  const auto add = [&](int row, const AffineSystem::Matrix& m, int from) {
    map_->predict(row, 0) = m.constant[from];
    for (int k = m.begin[from]; k < m.begin[from + 1]; ++k) map_->predict(row, 1 + m.column[k]) += m.value[k];
  };
  for (int g = 0; g < gaps; ++g) {
    add(size + g, e.affine.row_matrix(), map_->gaps[g].row);
    add(size + gaps + g, e.affine.rate_matrix(), map_->gaps[g].row);
  }
  return true;
}

/// The rule of StepBeginning: closed contacts stay, none closes, open ones left nothing behind.
[[gnu::always_inline]] inline bool MoreauKept::same_contacts(const Map& map, const State& state) const {
  const double closed = 1e-9 * system_.length_scale, held = 1e-6 * system_.length_scale;
  const double *status = state.memory() + plan_.status(0), *lambda = state.lambda(), *impulse = state.memory();
  const double *y = work_.out.data() + n_ + map.m, *rate = y + map.gaps.size();
  for (std::size_t g = 0; g < map.gaps.size(); ++g) {
    const Gap& gap = map.gaps[g];
    if (gap.active) {
      if (!((status[gap.entry] == 1.0 || status[gap.entry] == 2.0) && y[g] <= held)) return false;
      continue;
    }
    if (!(y[g] + 0.5 * map.h * rate[g] > closed) || status[gap.entry] != 0.0) return false;
    for (int row = gap.row; row < gap.row + gap.rows; ++row)
      if (lambda[row] != 0.0 || impulse[row] != 0.0) return false;
  }
  return true;
}

/// work_.size of a row becomes the scale of its terms.
inline void MoreauKept::find_scales(const Map& map) {
  const double *out = work_.out.data(), *equations = work_.size.data();
  double potential = 0.0, *size = work_.size.data() + n_;
  for (const int i : potentials_) potential = std::max(potential, std::abs(out[i]));
  const Move* move = map.moves.data();
  for (int k = 0; k < map.m; ++k) {
    double scale = map.rows[k].between_potentials ? std::max(size[k], potential) : size[k];
    for (const Move* end = map.moves.data() + map.rows[k].moves_end; move != end; ++move) scale = std::max(scale, move->size * equations[move->unknown]);
    size[k] = scale;
  }
}

/// Whether rows and multipliers (work_.error, work_.out) fulfil their laws in their modes; worst: how well.
[[gnu::always_inline]] inline bool MoreauKept::laws_hold(const Map& map, double& worst) {
  double largest = 0.0;
  for (int k = 0; k < map.m; ++k) largest = std::max(largest, std::abs(work_.out[n_ + k]));
  const auto fulfils = [&](double over, double scale) {  // over > 0: that much over the edge
    if (over > 0.0 && scale > 0.0) worst = worse(worst, over / scale);
    return over <= accuracy * scale;
  };
  find_scales(map);
  for (int k = 0; k < map.m; ++k) {
    const Row& row = map.rows[k];
    const double w = work_.error[n_ + k], mu = work_.out[n_ + k];
    const double scale = work_.size[n_ + k];
    if (row.mode == LawMode::holds && scale > 0.0) worst = worse(worst, std::abs(w) / scale);
    bool in = true;
    if (row.normal) in = row.mode == LawMode::holds ? fulfils(-mu, largest) : fulfils(-w, scale);
    else if (row.friction >= 0.0 && map.rows[k - 1].mode != LawMode::holds) in = true;  // no contact force
    else if (row.friction >= 0.0)
      in = row.mode == LawMode::holds ? fulfils(std::abs(mu) - row.friction * std::max(work_.out[n_ + k - 1], 0.0), largest)
                                      : fulfils(row.mode == LawMode::high ? w : -w, scale);
    else if (row.mode == LawMode::holds) in = fulfils(row.low - mu, largest) && fulfils(mu - row.high, largest);
    else if (row.low < row.high) in = fulfils(row.mode == LawMode::low ? -w : w, scale);
    if (!in) return false;
  }
  return worst <= plan_.solver_tolerance;
}

/// The rule of RowStatuses.
[[gnu::always_inline]] inline double MoreauKept::status(const Active& a) const {
  const double *w = work_.error.data() + n_, *scale = work_.size.data() + n_;
  if (a.kind == Kind::held) return 1.0;
  if (a.kind != Kind::bounds) {
    const bool slips = a.kind == Kind::gap_with_friction && std::abs(w[a.first + 1]) > 1e-7 * std::max(scale[a.first], scale[a.first + 1]);
    return !(work_.out[n_ + a.first] > 0.0) ? 0.0 : slips ? 2.0 : 1.0;
  }
  double now = 0.0, factor = 1.0;
  for (int r = a.first; r < std::min(a.end, a.first + 25); ++r, factor *= 4.0)
    now += factor * (w[r] > 1e-9 * scale[r] ? 1.0 : w[r] < -1e-9 * scale[r] ? 2.0 : 0.0);
  return now;
}

bool MoreauKept::switches(const State& state) const {
  const double* before = state.memory() + plan_.status(0);
  for (const Active& a : map_->entries)
    if (before[a.entry] != status(a)) return true;
  return false;
}

/// Mechanical, first-order and algebraic rows apart, each over its largest term.
[[gnu::always_inline]] inline double MoreauKept::equations_error() const {
  const Layout& l = system_.layout;
  const int begin[4] = {0, l.nv, l.nv + l.nx, n_};
  double error = 0.0;
  for (int g = 0; g < 3; ++g) {
    double largest = 0.0, size = 0.0;
    for (int i = begin[g]; i < begin[g + 1]; ++i) largest = worse(largest, std::abs(work_.error[i])), size = std::max(size, work_.size[i]);
    if (largest != 0.0) error = worse(error, size > 0.0 ? largest / size : largest);
  }
  return error;
}

/// Largest |y| of joints and of contacts that carry at work_.end.
double MoreauKept::violation(const Map& map) const {
  double largest = 0.0;
  for (const Held& held : map.held) {
    if (held.gap && !(work_.out[n_ + held.place] > 0.0)) continue;
    double y = held.constant;
    for (int k = held.begin; k < held.end; ++k) y += map.matrix_of_held.value[k] * work_.end[map.matrix_of_held.column[k]];
    largest = worse(largest, std::abs(y));
  }
  return largest;
}

/// work_.factors := (1, state, xi, mu), work_.out := (xi, mu, gaps, their rates), by the map.
inline void MoreauKept::predict(const Map& map, const State& state) {
  double *factors = work_.factors.data(), *out = work_.out.data();
  const double *y = state.y(), *m = map.predict.values.data();
  factors[0] = 1.0;
  for (int i = 0; i < states_; ++i) factors[1 + i] = y[i];
  for (int block = 0; block < map.predict.rows; block += 4) {
    FourDoubles sum{};
    for (int j = 0; j <= states_; ++j, m += 4) sum += load<FourDoubles>(m) * factors[j];
    store(sum, out + block);
  }
}

/// What the result leaves of equations and rows, and the sizes of their terms.
inline void MoreauKept::evaluate(const Map& map) {
  double *factors = work_.factors.data(), *out = work_.out.data(), *error = work_.error.data(), *sizes = work_.size.data();
  for (int k = 0; k < map.m; ++k) {
    const Row& row = map.rows[k];
    double& mu = out[n_ + k];
    if (row.normal) mu = row.mode == LawMode::holds ? mu : 0.0;
    else if (row.friction < 0.0 && row.mode != LawMode::holds) mu = row.mode == LawMode::low ? row.low : row.high;
  }
  for (int i = 0; i < n_ + map.m; ++i) factors[1 + states_ + i] = out[i];
  const double* m = map.residual.values.data();
  for (int block = 0, columns = map.residual.columns; block < map.residual.rows; block += 4) {
    FourDoubles sum{}, size{};
    for (int j = 0; j < columns; ++j, m += 4) {
      const FourDoubles part = load<FourDoubles>(m) * factors[j], positive = part < 0.0 ? -part : part;
      sum += part;
      size = positive > size ? positive : size;
    }
    store(sum, error + block);
    store(size, sizes + block);
  }
}

/// The result into the state; false: joints are left open.
[[gnu::always_inline]] inline bool MoreauKept::write(const Map& map, State& state, double equations, double laws, StepReport& report) {
  const Layout& l = system_.layout;
  const double *factors = work_.factors.data(), *out = work_.out.data(), h = map.h, theta = map.theta;
  for (int i = 0; i < l.nq; ++i) work_.end[i] = factors[1 + i];
  for (int i = 0; i < l.nv; ++i) work_.end[system_.map.q_of_v[i]] += h * ((1.0 - theta) * state.v()[i] + theta * out[i]);
  for (int i = 0; i < n_; ++i) work_.end[l.nq + i] = out[i];
  const double open = map.held.empty() ? 0.0 : violation(map);
  if (!(open <= 1e-13 * system_.length_scale)) return false;
  const double* before = factors + 1 + l.nq;
  for (int i = 0; i < l.nv; ++i) state.a()[i] = (out[i] - before[i]) / h;
  for (int i = 0; i < l.nx; ++i) state.xdot()[i] = (out[l.nv + i] - before[l.nv + i]) / h;
  for (int i = 0; i < states_; ++i) state.y()[i] = work_.end[i];
  for (int k = 0; k < map.m; ++k) {
    const Row& row = map.rows[k];
    const double mu = row.friction < 0.0 && !row.normal ? std::clamp(out[n_ + k], row.low, row.high) : out[n_ + k];
    state.memory()[row.row] = mu;
    state.lambda()[row.row] = mu * row.force;
  }
  state.t() += h;
  report.iterations = 1;
  report.residual = {equations, open / system_.length_scale, laws};
  return true;
}

bool MoreauKept::step(State& state, StepReport& report) {
  const Map& map = *map_;
  if (!map.regular) return false;
  predict(map, state);
  if (!same_contacts(map, state)) return false;
  evaluate(map);
  const double equations = equations_error();
  double laws = 0.0;
  return equations <= plan_.newton_tolerance && laws_hold(map, laws) && !switches(state) && write(map, state, equations, laws, report);
}

int MoreauKept::revise(const State& state) {
  const Map& map = *map_;
  key_ = map.key;
  if (!map.regular) return -1;
  predict(map, state);
  evaluate(map);
  find_scales(map);
  double largest = 0.0;
  for (int k = 0; k < map.m; ++k) largest = std::max(largest, std::abs(work_.out[n_ + k]));
  int changed = 0;
  for (int k = 0; k < map.m; ++k) {
    const Row& row = map.rows[k];
    const double w = work_.error[n_ + k], mu = work_.out[n_ + k], edge = accuracy * work_.size[n_ + k];
    LawMode to = row.mode;
    if (row.mode == LawMode::holds) {
      if (row.low - mu > accuracy * largest) to = LawMode::low;
      else if (mu - row.high > accuracy * largest) to = LawMode::high;
    } else if (row.low < row.high && (row.mode == LawMode::low ? -w : w) > edge) {
      to = LawMode::holds;
    }
    if (to != row.mode) key_[at(row.row)] = code(to), ++changed;
  }
  return changed;
}

bool MoreauKept::release() {
  bool changed = false;
  for (const Row& row : map_->rows) {
    if (row.mode != LawMode::holds || (row.low != 0.0 && row.high != 0.0)) continue;
    key_[at(row.row)] = code(row.low == 0.0 ? LawMode::low : LawMode::high);
    changed = true;
  }
  return changed;
}

bool MoreauKept::accept(State& state, StepReport& report) {
  const double equations = equations_error();
  double laws = 0.0;
  if (!(equations <= plan_.newton_tolerance) || !laws_hold(*map_, laws) || !write(*map_, state, equations, laws, report)) return false;
  double* status_of = state.memory() + plan_.status(0);
  for (const Active& a : map_->entries) status_of[a.entry] = status(a);
  double* kept = state.memory() + kept_at_;
  kept[0] = 2.0, kept[1] = map_->h;
  std::copy(key_.begin(), key_.begin() + system_.layout.rows, kept + 2);
  return true;
}

}  // namespace saltus
