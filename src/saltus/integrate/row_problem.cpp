#include "saltus/integrate/row_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "saltus/base/index.hpp"
#include "saltus/integrate/impact_energy.hpp"
#include "saltus/problem/sets.hpp"
#include "saltus/solver/solve_log.hpp"

namespace saltus {
namespace {
constexpr double rounding_of_spins = 1e-6;  // beside which a rate of a contact is none at all: rates that count are 1e-9 of what makes them
constexpr double rounding_of_rates = 1e-12;  // of a natural map against the sizes of the terms of w
}  // namespace

RowProblem::RowProblem(const System& system, int threads, bool with_slip) : system_(system), assembly_(system, threads), contacts_(system.contacts, with_slip), near_(system.contacts) {
  for (const RelationEntry& e : system.relation_entries) {
    std::vector<int> sorted;
    for (int c = 0; c < e.columns; ++c)
      if (const int column = system.relation_columns[e.column_begin + c]; column >= 0 && column < system.layout.unknowns()) sorted.push_back(column);
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    columns_.begin.push_back(count_of(columns_.unique));
    columns_.place_begin.push_back(count_of(columns_.place));
    for (int c = 0; c < e.columns; ++c) {
      const int column = system.relation_columns[e.column_begin + c];
      const auto found = std::lower_bound(sorted.begin(), sorted.end(), column);
      columns_.place.push_back(found != sorted.end() && *found == column ? static_cast<int>(found - sorted.begin()) : -1);
    }
    columns_.unique.insert(columns_.unique.end(), sorted.begin(), sorted.end());
    const RelationTraits traits = system.relations[e.pool]->traits();
    kinds_.first_order.push_back(!sorted.empty() && sorted.front() >= system.layout.nv && sorted.back() < system.layout.nv + system.layout.nx);
    kinds_.own_input.push_back(traits.has_input), kinds_.direct.push_back(traits.uses_lambda);
  }
  D_.assign(system.square_count, 0.0);
  columns_.begin.push_back(count_of(columns_.unique));
  const auto n = at(system.layout.unknowns());
  scratch_.y.resize(system.layout.y_size());
  scratch_.tangent.resize(n + 1);
  cursor_.resize(n + 1);
  mass_.resize(system.pattern.nonzeros());
  constant_mass_ = std::all_of(system.objects.begin(), system.objects.end(), [](const auto& pool) { return pool->constant_mass(); });
  problem_.M.resize(system.layout.unknowns(), system.layout.unknowns());
  problem_.M.resizeNonZeros(system.pattern.nonzeros());
  std::copy(system.pattern.begin.begin(), system.pattern.begin.end(), problem_.M.outerIndexPtr());
  std::copy(system.pattern.column.begin(), system.pattern.column.end(), problem_.M.innerIndexPtr());
  problem_.p0.resize(n);
  assembly_.update(0.0, system.initial_y.data(), nullptr, system.initial_data.data());
  assembly_.mass(1.0, 1.0, mass_.data());
  if (std::find(kinds_.direct.begin(), kinds_.direct.end(), 1) != kinds_.direct.end()) {
    RowSink sink;
    sink.D = D_.data();
    assembly_.relations(sink);
  }
  for (std::size_t i = 0; i < system.relation_entries.size(); ++i) {
    const RelationEntry& e = system.relation_entries[i];
    const double* D = D_.data() + e.square_begin;
    bool holds = kinds_.direct[i] && std::any_of(D, D + e.rows * e.rows, [](double x) { return x != 0.0; });
    for (int c = 0; c < e.columns; ++c) {
      const int column = system.relation_columns[e.column_begin + c];
      holds |= column >= system.layout.nv + system.layout.nx && column < system.layout.unknowns();
    }
    kinds_.valued.push_back(holds);
  }
  affine_.is = is_affine();
  if (!affine_.is) return;
  affine_.system.build(system, assembly_, 0.0, system.initial_data.data());
  for (auto* x : {&rows_.value, &rows_.time_rate, &rows_.rate, &rows_.reach, &rows_.curvature}) x->assign(at(system.layout.rows), 0.0);
}

/// Whether rows are H q + constant of mechanical coordinates alone, so that their rates are H v and nothing curves.
bool RowProblem::is_affine() const {
  if (!constant_mass_ || !system_.contacts.empty() || system_.layout.nx > 0 || system_.layout.nz > 0 || !AffineSystem::can(system_)) return false;
  return std::all_of(system_.relations.begin(), system_.relations.end(), [](const auto& pool) {
    const RelationTraits traits = pool->traits();
    return traits.written == Level::value && !traits.uses_velocity && !traits.uses_lambda;
  });
}

void RowProblem::configure(double t, const double* y, const double* data, double within) {
  const Layout& l = system_.layout;
  here_.t = t, here_.within = within, here_.curvature_known = false;
  std::copy(y, y + l.y_size(), scratch_.y.begin());
  data_.assign(data, data + l.nd);
  if (affine_.is) return find_affine_rates();
  assembly_.update(t, scratch_.y.data(), nullptr, data_.data());
  assembly_.input_blocks();
  if (!system_.contacts.empty()) contacts_.find(assembly_.kinematics(), within);
  const std::size_t rows = at(l.rows + contacts_.rows());
  for (auto* x : {&rows_.value, &rows_.time_rate, &rows_.rate, &rows_.reach, &rows_.curvature}) x->assign(rows, 0.0);
  if (l.rows > 0) {
    RowSink sink;
    sink.y = rows_.value.data();
    sink.time_rate = rows_.time_rate.data();
    if (std::find(kinds_.direct.begin(), kinds_.direct.end(), 1) != kinds_.direct.end()) sink.D = D_.data();
    assembly_.relations(sink);
  }
  find_rates();
}

Assembly& RowProblem::assembly() {
  if (!here_.assembled) assembly_.update(here_.t, scratch_.y.data(), nullptr, data_.data()), assembly_.input_blocks();
  here_.assembled = true;
  return assembly_;
}

bool RowProblem::axes(int block, Vec3<double>* out) {
  if (block >= relations()) return std::copy_n(contact(block).axes, 3, out), true;
  const RelationEntry& e = entry(block);
  const RelationPool& pool = *system_.relations[e.pool];
  const std::span<const Endpoint> ends = pool.endpoints(e.item);
  if (affine_.is || e.rows < 3 || ends.size() != 2 || ends[1].kind != EndpointKind::frame) return false;
  Kinematics k = assembly_.kinematics();
  scratch_.multipliers.assign(at(system_.layout.rows), 0.0), scratch_.wrench.resize(system_.markers.size());
  k.lambda = scratch_.multipliers.data();
  for (int r = 0; r < 2; ++r) {
    Vec6<double>& on_B = scratch_.wrench[at(ends[1].marker)] = {};
    scratch_.multipliers[at(e.row + r)] = 1.0;
    pool.add_reaction(k, e.item, e.row, {.wrench = scratch_.wrench.data()});
    scratch_.multipliers[at(e.row + r)] = 0.0;
    out[r] = {{on_B[0], on_B[1], on_B[2]}};
  }
  out[2] = cross(out[0], out[1]);
  return std::abs(norm(out[0]) - 1.0) < 1e-6 && std::abs(norm(out[2]) - 1.0) < 1e-6;
}

void RowProblem::find_affine_rates() {
  here_.curvature_known = true, here_.assembled = false;
  affine_.system.rows(scratch_.y.data(), rows_.value.data());
  const AffineSystem::Matrix& rates = affine_.system.rate_matrix();
  for (std::size_t i = 0; i < rows_.rate.size(); ++i) {
    double rate = 0.0, reach = 0.0;
    for (int k = rates.begin[i]; k < rates.begin[i + 1]; ++k) {
      const double term = rates.value[at(k)] * scratch_.y[at(rates.column[at(k)])];
      rate += term, reach += std::abs(term);
    }
    rows_.rate[i] = rate, rows_.reach[i] = reach;
  }
}

void RowProblem::find_rates() {
  const double* v = scratch_.y.data() + system_.layout.v_begin();  // v, x, z stand side by side
  int begin = 0, end = system_.layout.nv;
  const auto add = [&](int row, const double* H, const int* columns, int count, double start, bool sums) {
    double rate = start, reach = std::abs(start);
    for (int c = 0; c < count; ++c) {
      if (columns[c] < begin || columns[c] >= end) continue;
      const double term = H[c] * v[columns[c]];
      if (sums) rate += term;
      reach += std::abs(term);
    }
    rows_.rate[row] = rate, rows_.reach[row] = reach;
  };
  for (const RelationEntry& e : system_.relation_entries) {
    const std::size_t i = &e - system_.relation_entries.data();
    const bool first = kinds_.first_order[i] || kinds_.valued[i];
    const bool value = !first && system_.relations[e.pool]->traits().written == Level::value;
    const double* H = assembly_.direction(e);
    if (first) begin = kinds_.valued[i] ? 0 : system_.layout.nv, end = system_.layout.unknowns();
    else begin = 0, end = system_.layout.nv;
    for (int r = 0; r < e.rows; ++r)
      add(e.row + r, H + r * e.columns, system_.relation_columns.data() + e.column_begin, e.columns, value ? rows_.time_rate[e.row + r] : rows_.value[e.row + r], value);
  }
  begin = 0, end = system_.layout.nv;
  for (const Contact& c : contacts_.contacts()) {
    const double turns = rounding_of_spins * spin(c);
    for (int r = 0; r < c.rows; ++r) {
      const int row = system_.layout.rows + c.row + r;
      add(row, contacts_.H(c) + r * c.columns, contacts_.columns(c).data(), c.columns, 0.0, true);
      rows_.reach[row] = std::max(rows_.reach[row], turns);
    }
  }
}

/// The speed that the spins of a contact's bodies would give it at right angles to its arm: of one about the normal, or about the arm itself, rounding of it is left in the rates.
double RowProblem::spin(const Contact& c) const {
  const double* v = scratch_.y.data() + system_.layout.v_begin();
  const std::span<const int> columns = contacts_.columns(c);
  double sum = 0.0;
  for (const RotationBlock& rotation : system_.map.rotations) {
    const auto first = std::find(columns.begin(), columns.end(), rotation.v);
    if (first == columns.end()) continue;
    const auto begin = first - columns.begin();
    double arm = 0.0;
    for (int r = 0; r < c.rows; ++r) {
      const double* H = contacts_.H(c) + r * c.columns + begin;
      arm = std::max(arm, std::hypot(H[0], H[1], H[2]));
    }
    sum += arm * std::hypot(v[rotation.v], v[rotation.v + 1], v[rotation.v + 2]);
  }
  return sum;
}

/// Of relations by their second derivative along the motion; of contacts, whose frames are found anew, by the difference of their rates
/// over a short way of it.
void RowProblem::find_curvature() {
  if (here_.curvature_known) return;
  here_.curvature_known = true;
  here_.noise.clear();
  const Layout& l = system_.layout;
  if (l.rows > 0) {
    RowSink sink;
    sink.curvature = rows_.curvature.data();
    assembly_.relations(sink);
  }
  if (contacts_.contacts().empty()) return;
  double fastest = 0.0;
  const double* v = scratch_.y.data() + l.v_begin();
  for (int i = 0; i < l.nv; ++i) fastest = std::max(fastest, std::abs(v[i]));
  if (fastest == 0.0) return;
  const double e = 1e-5 * std::min(1.0, system_.length_scale) / fastest;
  for (const double side : {1.0, -1.0}) {
    for (int i = 0; i < l.nv; ++i) scratch_.tangent[i] = side * e * v[i];
    scratch_.beside = scratch_.y;
    system_.map.retract(scratch_.beside.data(), scratch_.tangent.data());
    assembly_.update(here_.t + side * e, scratch_.beside.data(), nullptr, data_.data());
    near_.find(assembly_.kinematics(), here_.within + 2e-5 * system_.length_scale);
    for (const Contact& c : contacts_.contacts())
      for (const Contact& other : near_.contacts()) {
        if (other.identity() != c.identity()) continue;
        for (int r = 0; r < c.rows; ++r) {
          double rate = 0.0;
          for (int k = 0; k < other.columns; ++k) rate += near_.H(other)[r * other.columns + k] * v[near_.columns(other)[k]];
          rows_.curvature[l.rows + c.row + r] += side * rate / (2.0 * e);
        }
      }
  }
  assembly_.update(here_.t, scratch_.y.data(), nullptr, data_.data());
  assembly_.input_blocks();
  find_noise(e);
}

/// Rates differenced over a time e have their rounding over it; a row passes it on by what its acceleration takes: H / M over sum H^2 / M.
void RowProblem::find_noise(double e) {
  const Layout& l = system_.layout;
  const double* v = scratch_.y.data() + l.v_begin();
  here_.noise.assign(at(l.nv + l.nx), 0.0);
  for (const Contact& c : contacts_.contacts()) {
    const std::span<const int> columns = contacts_.columns(c);
    const double turns = spin(c);
    for (int r = 0; r < c.rows; ++r) {
      const double* H = contacts_.H(c) + r * c.columns;
      double terms = 0.0, own = 0.0;
      const auto softness = [&](int k) { const double m = mass_[system_.diagonal_slot[columns[k]]]; return m > 0.0 ? 1.0 / m : 0.0; };
      for (int k = 0; k < c.columns; ++k) terms += std::abs(H[k] * v[columns[k]]), own += H[k] * H[k] * softness(k);
      const double noise = std::numeric_limits<double>::epsilon() * std::max(terms, turns) / e;
      if (own > 0.0)
        for (int k = 0; k < c.columns; ++k) here_.noise[at(columns[k])] = std::max(here_.noise[at(columns[k])], std::abs(H[k]) * softness(k) / own * noise);
    }
  }
}

/// Forces that balance leave their last digits, f = eps max |H r|, to the other multipliers of the rows that they share unknowns with, dr = |H| f / H^2, and to what these hold, |H| dr / M. A heavy body
/// on a light one goes with it.
std::span<const double> RowProblem::noise() {
  std::vector<double> &noise = scratch_.noise, &force = scratch_.tangent;
  const auto n = at(system_.layout.nv + system_.layout.nx);
  noise = here_.noise;
  noise.resize(n, 0.0);
  force.assign(at(problem_.unknowns()) + 1, 0.0);
  const int rows = std::min(problem_.rows(), count_of(report_.r));
  const auto each = [&](int row, auto&& of) {
    for (SparseRows::InnerIterator a(problem_.H, row); a; ++a) of(at(static_cast<int>(a.col())), std::abs(a.value()));
  };
  for (int row = 0; row < rows; ++row)
    each(row, [&](std::size_t c, double H) { force[c] = std::max(force[c], std::numeric_limits<double>::epsilon() * std::abs(report_.r[at(row)]) * H); });
  for (int row = 0; row < rows; ++row) {
    double along = 0.0, square = 0.0;
    each(row, [&](std::size_t c, double H) { along += H * force[c], square += H * H; });
    each(row, [&](std::size_t c, double H) {
      const double m = c < n ? mass_[system_.diagonal_slot[c]] : 0.0;
      if (m > 0.0) noise[c] = std::max(noise[c], H * along / (square * m));
    });
  }
  for (int row = 0; row < rows; ++row) {
    double most = 0.0, square = 0.0;
    each(row, [&](std::size_t c, double H) { most = std::max(most, c < n ? H * noise[c] : 0.0), square += H * H; });
    each(row, [&](std::size_t c, double H) {
      if (c < n) noise[c] = std::max(noise[c], H * most / square);
    });
  }
  return noise;
}

int RowProblem::block_of(double identity) const {
  const auto all = contacts_.contacts();
  for (int i = 0; i < count_of(all); ++i)
    if (all[i].identity() == identity) return relations() + i;
  return -1;
}

std::span<const int> RowProblem::columns(int block) const {
  if (block >= relations()) return contacts_.columns(contact(block));
  return {columns_.unique.data() + columns_.begin[block], at(columns_.begin[block + 1] - columns_.begin[block])};
}

/// scratch_.block := H of the block, rows x its columns.
void RowProblem::spread(int block) {
  const std::size_t n = columns(block).size(), m = at(rows(block));
  scratch_.block.assign(n * m, 0.0);
  if (block >= relations()) {
    std::copy_n(contacts_.H(contact(block)), n * m, scratch_.block.begin());
    return;
  }
  const RelationEntry& e = entry(block);
  const double* H = assembly_.direction(e);
  for (int r = 0; r < e.rows; ++r)
    for (int c = 0; c < e.columns; ++c)
      if (const int to = columns_.place[columns_.place_begin[block] + c]; to >= 0) scratch_.block[at(r) * n + at(to)] += H[r * e.columns + c];
}

/// input_ := what multiplies the block's multipliers in the equations, transposed: rows x its columns.
void RowProblem::spread_input(int block) {
  if (!own_input(block)) {
    input_ = scratch_.block;
    return;
  }
  const RelationEntry& e = entry(block);
  const std::size_t n = columns(block).size();
  input_.assign(n * at(e.rows), 0.0);
  for (int c = 0; c < e.columns; ++c)
    if (const int to = columns_.place[columns_.place_begin[block] + c]; to >= 0)
      for (int r = 0; r < e.rows; ++r) input_[at(r) * n + at(to)] += assembly_.B()[e.value_begin + c * e.rows + r];
}

/// What a row has without the unknowns.
double RowProblem::offset(const RowLevel& level, int block, int row) const {
  const int i = row_begin(block) + row;
  if (level.level == Level::value) return value(block, row);
  if (level.level == Level::acceleration) {
    if (valued(block)) return rows_.value[i];
    return first_order(block) ? rows_.time_rate[i] : rows_.curvature[i];  // H xdot + h_t, whose curvature would be its second derivative
  }
  return rows_.rate[i];
}

double RowProblem::open(std::span<const HeldRows> held) const {
  double most = 0.0;
  for (const HeldRows& h : held)
    for (int r = 0; r < h.count; ++r) most = std::max(most, std::abs(offset({.level = Level::value}, h.block, h.row(r))));
  return most;
}

double RowProblem::moving(std::span<const HeldRows> held) const {
  double most = 0.0;
  for (const HeldRows& h : held)
    for (int r = 0; r < h.count; ++r)
      if (const double size = reach(h.block, h.row(r)); size > 0.0) most = std::max(most, std::abs(rate(h.block, h.row(r))) / size);
  return most;
}

double RowProblem::change_of_rate(int block, int row, const double* dv) {
  spread(block);
  const auto c = columns(block);
  const int moves = system_.layout.nv + (first_order(block) ? system_.layout.nx : 0);
  double sum = 0.0;
  for (std::size_t k = 0; k < c.size(); ++k)
    if (c[k] < moves) sum += scratch_.block[at(row) * c.size() + k] * dv[c[k]];
  return sum;
}

ImpactWork RowProblem::work_of(std::span<const HeldRows> held) {
  ImpactWork work;
  const double* velocity = scratch_.y.data() + system_.layout.v_begin();
  const Eigen::Map<const Eigen::VectorXd> change(report_.v.data(), problem_.unknowns());
  const Eigen::VectorXd impulse = problem_.M * change;
  for (int i = 0; i < system_.layout.nv; ++i) work.add(impulse[i], velocity[i], velocity[i] + change[i]);
  const double* r = report_.r.data();
  for (const HeldRows& rows : held) {
    const bool given = rows.block < relations() && system_.relations[entry(rows.block).pool]->traits().uses_time;
    for (int k = 0; given && k < rows.count; ++k) work.done += r[k] * (rate(rows.block, rows.row(k)) - change_of_rate(rows.block, rows.row(k), velocity));
    r += rows.count;
  }
  return work;
}

void RowProblem::add_row(int block, int row, double* out) {
  spread(block);
  const auto c = columns(block);
  for (std::size_t k = 0; k < c.size(); ++k)
    if (c[k] < system_.layout.nv + system_.layout.nx) out[c[k]] += scratch_.block[at(row) * c.size() + k];
}

double RowProblem::compliance(int block, int row) {
  spread(block);
  spread_input(block);
  const auto c = columns(block);
  double sum = 0.0;
  for (std::size_t k = 0; k < c.size(); ++k)
    if (const double m = mass_[system_.diagonal_slot[c[k]]]; m > 0.0) sum += scratch_.block[at(row) * c.size() + k] * input_[at(row) * c.size() + k] / m;
  return sum;
}

void RowProblem::load_forces(double over, double rates_over) {
  scratch_.tangent.resize(problem_.p0.size() + 1);
  if (affine_.is) affine_.system.forces(scratch_.y.data(), scratch_.tangent.data());
  else assembly_.forces(scratch_.tangent.data());
  for (std::size_t i = 0; i < problem_.p0.size(); ++i) problem_.p0[i] = (i < at(system_.layout.nv) ? over : rates_over) * scratch_.tangent[i];
}

void RowProblem::load_nothing() { std::fill(problem_.p0.begin(), problem_.p0.end(), 0.0); }

void RowProblem::load(const std::vector<double>& force) {
  for (std::size_t i = 0; i < problem_.p0.size(); ++i) problem_.p0[i] += force[i];
}

void RowProblem::load_product(double weight, const std::vector<double>& matrix, const double* change) {
  const CsrPattern& pattern = system_.pattern;
  const int moved = system_.layout.nv + system_.layout.nx;
  for (int i = 0; i < moved; ++i)
    for (int k = pattern.begin[i]; k < pattern.begin[i + 1]; ++k)
      if (const int j = pattern.column[k]; j < moved) problem_.p0[i] += weight * matrix[k] * change[j];
}

void RowProblem::load_change_of_forces(const Seeds& forces, const double* change) {
  scratch_.matrix.assign(mass_.size(), 0.0);
  assembly().add_force_matrix(forces, scratch_.matrix.data());
  load_product(-1.0, scratch_.matrix, change);
}

void RowProblem::load_varying_mass(double weight, const double* change) {
  if (constant_mass_) return;
  assembly().mass(1.0, 1.0, mass_.data());
  load_product(weight, mass_, change);
}

void RowProblem::load_row(int block, int row, double multiplier) {
  spread(block);
  spread_input(block);
  const auto c = columns(block);
  for (std::size_t k = 0; k < c.size(); ++k) problem_.p0[c[k]] += multiplier * input_[at(row) * c.size() + k];
}

void RowProblem::matrix(const RowLevel& level) {
  if (level.matrix) {
    std::copy_n(level.matrix, mass_.size(), problem_.M.valuePtr());
    return;
  }
  if (!constant_mass_) assembly_.mass(1.0, 1.0, mass_.data());
  std::copy(mass_.begin(), mass_.end(), problem_.M.valuePtr());
  if (level.forces) return assembly_.add_force_matrix(*level.forces, problem_.M.valuePtr());
  if (level.level == Level::acceleration) {
    constexpr Seeds algebraic{{0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    if (system_.layout.nz > 0) assembly_.add_force_matrix(algebraic, problem_.M.valuePtr());
    return;
  }
  for (int i = system_.layout.nv + system_.layout.nx; i < problem_.unknowns(); ++i)  // algebraic unknowns do not move
    problem_.M.valuePtr()[system_.diagonal_slot[i]] = 1.0;
}

void RowProblem::stiff_mass(const Seeds& forces, std::vector<double>& out) {
  const CsrPattern& pattern = system_.pattern;
  if (transposed_.empty())
    for (int i = 0; i < pattern.rows; ++i)
      for (const int j : pattern.row(i)) transposed_.push_back(pattern.slot(j, i));
  if (!constant_mass_) assembly().mass(1.0, 1.0, mass_.data());
  out = mass_;
  assembly().add_force_matrix(forces, out.data());
  for (std::size_t k = 0; k < transposed_.size(); ++k)
    if (const std::size_t other = at(transposed_[k]); other > k) out[k] = out[other] = 0.5 * (out[k] + out[other]);
}

void RowProblem::build(const RowLevel& level, std::span<const HeldRows> held) {
  if (level.level == Level::acceleration) find_curvature();
  matrix(level);
  const int n = problem_.unknowns();
  int rows = 0, entries = 0;
  bool slides = level.weight != 1.0;
  for (const HeldRows& h : held) {
    rows += h.count, entries += h.count * count_of(columns(h.block));
    slides |= h.slides() || own_input(h.block) || (level.level == Level::acceleration && valued(h.block));
  }
  problem_.symmetric = !slides && !level.forces && (system_.layout.nz == 0 || level.level != Level::acceleration);
  problem_.H.resize(rows, n);
  problem_.H.resizeNonZeros(entries);
  problem_.G.resize(slides ? n : 0, slides ? rows : 0);
  problem_.G.resizeNonZeros(slides ? entries : 0);
  problem_.D.resize(0, 0);
  problem_.b.assign(rows, 0.0);
  problem_.rest.assign(rows, 0.0);
  problem_.blocks.clear();
  if (slides) {
    std::fill(cursor_.begin(), cursor_.end(), 0);
    for (const HeldRows& h : held)
      for (const int c : columns(h.block)) cursor_[c + 1] += h.count;
    for (int i = 0; i < n; ++i) cursor_[i + 1] += cursor_[i];
    std::copy(cursor_.begin(), cursor_.end(), problem_.G.outerIndexPtr());
  }
  int next = 0, row = 0;
  for (const HeldRows& h : held) {
    const auto c = columns(h.block);
    spread(h.block);
    if (slides) spread_input(h.block);
    const bool at_value = level.level == Level::acceleration && valued(h.block);
    problem_.blocks.push_back({.begin = row, .dim = h.count, .set = h.set, .parameters = h.parameters, .set_scale = h.set_scale});
    for (int r = 0; r < h.count; ++r, ++row) {
      const double* H = scratch_.block.data() + at(h.row(r)) * c.size();
      const double pushed = h.offset ? level.weight * h.offset[r] : 0.0;
      problem_.H.outerIndexPtr()[row] = next;
      problem_.rest[row] = h.offset ? -h.offset[r] : 0.0;
      problem_.b[row] = offset(level, h.block, h.row(r)) + (h.shift ? h.shift[r] : 0.0);
      for (std::size_t k = 0; k < c.size(); ++k, ++next) {
        problem_.H.innerIndexPtr()[next] = c[k];
        problem_.H.valuePtr()[next] = at_value && c[k] < system_.layout.nv + system_.layout.nx ? 0.0 : H[k];
        problem_.p0[c[k]] += pushed * H[k];
        if (!slides) continue;
        double input = input_[at(h.row(r)) * c.size() + k];
        for (int t = 0; r == 0 && t < this->rows(h.block) - 1; ++t)
          if (h.slide[t] != 0.0) problem_.p0[c[k]] += level.weight * h.beside[t] * scratch_.block[at(t + 1) * c.size() + k], input += h.slide[t] * scratch_.block[at(t + 1) * c.size() + k];
        const int place = cursor_[c[k]]++;
        problem_.G.innerIndexPtr()[place] = row;
        problem_.G.valuePtr()[place] = level.weight * input;
      }
    }
  }
  problem_.H.outerIndexPtr()[rows] = next;
  problem_.springs.assign(rows, 0.0);
  for (int i = 0; i < rows; ++i)
    for (SparseRows::InnerIterator a(problem_.H, i); a; ++a)
      if (const double m = mass_[system_.diagonal_slot[a.col()]]; m > 0.0) problem_.springs[i] += a.value() * a.value() / m;
  if (level.direct != 0.0) add_direct(level, held);
}

void RowProblem::add_direct(const RowLevel& level, std::span<const HeldRows> held) {
  std::vector<Eigen::Triplet<double>> entries;
  int row = 0;
  for (const HeldRows& h : held) {
    if (h.block < relations() && kinds_.direct[h.block]) {
      int column = 0;
      for (const HeldRows& other : held) {  // rows of one relation may be held apart
        for (int r = 0; other.block == h.block && r < h.count; ++r)
          for (int c = 0; c < other.count; ++c)
            if (const double d = direct(h.block, h.row(r), other.row(c)); d != 0.0) entries.emplace_back(row + r, column + c, level.direct * d);
        column += other.count;
      }
    }
    row += h.count;
  }
  if (entries.empty()) return;
  problem_.D.resize(row, row);
  problem_.D.setFromTriplets(entries.begin(), entries.end());
  problem_.symmetric = false;
}

/// Rows of equalities that others hold already contradict each other by rounding: gives each a little compliance of its own, for the multipliers
/// of least norm. False where there are no equalities.
bool RowProblem::loosen() {
  constexpr double share = 1e-10;  // of sum H^2 / M_ii
  if (problem_.D.nonZeros() > 0) return false;
  const int rows = problem_.rows();
  problem_.D.resize(rows, rows);
  bool any = false;
  for (const Block& block : problem_.blocks)
    for (int i = block.begin; i < block.begin + block.dim; ++i) {
      double own = 0.0;
      for (SparseRows::InnerIterator a(problem_.H, i); a; ++a)
        if (const double m = mass_[system_.diagonal_slot[static_cast<int>(a.col())]]; m > 0.0) own += a.value() * a.value() / m;
      problem_.D.insert(i, i) = block.set == &equality_set ? share * own : 0.0;
      any |= block.set == &equality_set;
    }
  problem_.D.makeCompressed();
  return any;
}

/// Whether some equality rows are held by others. There may be more of them than unknowns under them; of a few it is found by Gram and Schmidt's method, for a body
/// that lies askew in the world has unknowns to spare.
bool RowProblem::overheld() {
  scratch_.moved.assign(problem_.unknowns(), 0);
  int rows = 0, unknowns = 0;
  for (const Block& block : problem_.blocks)
    if (block.set == &equality_set)
      for (int i = block.begin; i < block.begin + block.dim; ++i, ++rows)
        for (SparseRows::InnerIterator a(problem_.H, i); a; ++a)
          if (int& place = scratch_.moved[static_cast<int>(a.col())]; place == 0) place = ++unknowns;
  constexpr int few = 300'000;  // flops
  return rows > unknowns || (rows * rows * unknowns <= few && depend(unknowns));
}

/// Whether an equality row is a combination of those before it, to a millionth of itself; `unknowns` places of them in scratch_.moved, from 1 on.
bool RowProblem::depend(int unknowns) {
  scratch_.directions.clear();
  for (const Block& block : problem_.blocks) {
    if (block.set != &equality_set) continue;
    for (int i = block.begin; i < block.begin + block.dim; ++i) {
      scratch_.directions.resize(scratch_.directions.size() + unknowns, 0.0);
      double* own = scratch_.directions.data() + scratch_.directions.size() - unknowns;
      for (SparseRows::InnerIterator a(problem_.H, i); a; ++a) {
        const double m = mass_[system_.diagonal_slot[static_cast<int>(a.col())]];
        own[scratch_.moved[static_cast<int>(a.col())] - 1] = m > 0.0 ? a.value() / std::sqrt(m) : a.value();
      }
      const double whole = std::sqrt(std::inner_product(own, own + unknowns, own, 0.0));
      if (!(whole > 0.0)) continue;
      for (int k = 0; k < unknowns; ++k) own[k] /= whole;
      for (const double* other = scratch_.directions.data(); other < own; other += unknowns) {
        const double along = std::inner_product(own, own + unknowns, other, 0.0);
        for (int k = 0; k < unknowns; ++k) own[k] -= along * other[k];
      }
      const double left = std::sqrt(std::inner_product(own, own + unknowns, own, 0.0));
      if (left < 1e-6) return true;
      for (int k = 0; k < unknowns; ++k) own[k] /= left;
    }
  }
  return false;
}

/// As a chain of bounded rows; false where it is none, or its solution is not good enough.
bool RowProblem::solve_chain(double tolerance) {
  static const SolverEntry& chain = *find_solver("chain");
  if (!chain.can(problem_)) return false;
  solver_.solve(problem_, {.tolerance = tolerance, .solver = chain.name, .timed = false}, report_);
  return report_.status == SolveStatus::solved;
}

/// Equalities alone, some of which others hold.
bool RowProblem::least_norm(SolveOptions options) {
  static const SolverEntry& entry = *find_solver("least_norm");
  if (!entry.can(problem_)) return false;
  options.solver = entry.name;
  solver_.solve(problem_, options, report_);
  return report_.status == SolveStatus::solved;
}

/// By the solvers of problems.
bool RowProblem::solve_any(double tolerance) {
  SolveOptions options;
  options.tolerance = tolerance;
  options.lost = rounding_of_rates;
  options.timed = false;
  options.flop_budget = 50'000'000 + 1'000'000 * static_cast<std::int64_t>(problem_.rows());  // a few rows are solved in a thousandth of it, or not at all
  // Rows that contradicted each other will do so again at the next stage; multipliers of rows that others hold must not jump from one to the next.
  const bool held_twice = problem_.rows() == contradicting_ || overheld();
  if (held_twice && least_norm(options)) return true;
  const bool again = held_twice && loosen();
  solver_.solve(problem_, options, report_);
  if (report_.status == SolveStatus::solved && report_.solver == "least_norm") contradicting_ = problem_.rows();
  // Multipliers that are lost in the rounding of what moves: no solver comes further.
  const bool stalled = report_.status == SolveStatus::budget || report_.status == SolveStatus::ray;
  if (stalled && report_.velocity_residual <= rounding_of_rates) report_.status = SolveStatus::solved;
  if (report_.status != SolveStatus::solved && !again && loosen()) {
    solver_.solve(problem_, options, report_);
    if (report_.status == SolveStatus::solved) contradicting_ = problem_.rows();
  }
  if (report_.status != SolveStatus::solved && report_.cause.empty()) report_.cause = "no solver solved the problem of the rows";
  return report_.status == SolveStatus::solved;
}

bool RowProblem::solve(const RowLevel& level, std::span<const HeldRows> held, double tolerance) {
  build(level, held);
  const bool solved = solve_chain(tolerance) || solve_any(tolerance);
  if (SolveLog* log = SolveLog::of_run()) log->take(problem_, report_);
  std::size_t row = 0;
  for (const HeldRows& h : held)
    for (int r = 0; r < h.count; ++r, ++row)
      if (h.offset && row < report_.r.size()) report_.r[row] += h.offset[r];
  return solved;
}

/// Percussions of the contacts whose impact is followed along its impulse, at the rates with their shifts.
bool RowProblem::follow(std::span<const HeldRows> held, std::span<PhasedRows> phased) {
  if (std::none_of(phased.begin(), phased.end(), [](const PhasedRows& rows) { return rows.law->type->along_impulse; })) return true;
  build({.level = Level::rate}, held);
  followed_.clear();
  std::vector<int> begin;
  for (const HeldRows& h : held) begin.push_back(begin.empty() ? 0 : begin.back() + (&h - 1)->count);
  for (const PhasedRows& rows : phased)
    if (const LawRef& law = *rows.law; law.type->along_impulse)
      followed_.push_back({.row = begin[rows.held], .rate = problem_.b[begin[rows.held]], .law = law.type->along_impulse(law.fields)});
  if (!impulse_.follow(problem_, followed_)) return false;
  const FollowedContact* next = followed_.data();
  for (PhasedRows& rows : phased)
    if (rows.law->type->along_impulse) std::fill(std::begin(rows.percussion), std::end(rows.percussion), 0.0), rows.percussion[0] = (next++)->percussion;
  return true;
}

bool RowProblem::solve_impact(const RowLevel& level, std::vector<HeldRows>& held, double tolerance, ImpactWork& work) {
  loads_ = problem_.p0;
  const bool solved = solve(level, held, tolerance);
  if (!solved && report_.status != SolveStatus::infeasible) return false;
  if (std::none_of(held.begin(), held.end(), [](const HeldRows& rows) { return rows.strikes; })) return solved;
  if (solved) work = work_of(held);
  std::vector<HeldRows> whole;
  return lessen_restitution(solved, work, [&](double share, ImpactWork& done) {
    if (whole.empty()) whole = held;
    restitution_.clear();
    for (const HeldRows& rows : whole)
      for (int k = 0; rows.strikes && k < rows.count; ++k) restitution_.push_back(share * rows.shift[k]);
    const double* next = restitution_.data();
    for (HeldRows& rows : held)
      if (rows.strikes) rows.shift = next, next += rows.count;
    problem_.p0 = loads_;
    if (!solve(level, held, tolerance)) return false;
    done = work_of(held);
    return true;
  });
}

bool RowProblem::solve_phases(std::vector<HeldRows>& held, std::span<PhasedRows> phased, double tolerance) {
  loads_ = problem_.p0;
  if (!follow(held, phased)) {
    report_ = {};
    report_.cause = "the impact does not end along its impulse";
    return false;
  }
  return in_phases(held, phased, report_.r, [&](const std::vector<HeldRows>& rows) {
    problem_.p0 = loads_;
    return solve({.level = Level::rate}, rows, tolerance);
  });
}

}  // namespace saltus
