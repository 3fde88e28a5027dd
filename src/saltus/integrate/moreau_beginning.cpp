#include "saltus/integrate/moreau_beginning.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/mean_slip.hpp"
#include "saltus/integrate/moreau_statuses.hpp"

namespace saltus {

StepBeginning::StepBeginning(MoreauModel& model, ActiveRows& rows, StepBefore& before, MoreauContacts& contacts, LawOffsets& offsets)
    : plan_(model.plan), system_(model.system), model_(model), rows_(rows), before_(before), contacts_(contacts), offsets_(offsets) {
  const Layout& l = system_.layout;
  const std::size_t n = at(l.unknowns()), entries = plan_.entries.size();
  y_.resize(l.y_size());
  tangent_.resize(l.nv), accelerations_.resize(l.nv);
  no_lambda_.resize(l.rows);
  sliding_.resize(n);
  first_.resize(entries);
  watches_ = plan_.options.error_control && !model.affine;  // a gap of rows that do not turn overlaps where it was passed
  for (auto* x : {&moves_, &before.xi, &before.forces}) x->resize(n + 1);
  for (auto* x : {&before.values, &before.rate, &before.time_rate, &before.u_minus, &before.reach, &before.bias}) x->resize(l.rows);
  before.mass.resize(system_.pattern.nonzeros());
  before.directions.resize(model.block_size);
  if (model.constant_mass) model.assembly.mass(1.0, 1.0, before.mass.data());
  if (model.affine) model.affine_system.forces(system_.initial_y.data(), before.forces.data());
  for (std::size_t i = 0; model.affine && i < entries; ++i) model.spread_direction(i, before.directions.data());
  for (auto* x : {&rows.entries, &rows.touched}) x->reserve(entries);
  rows.row.assign(entries, -1);
  for (auto* x : {&rows.closed, &rows.slides, &rows.across, &rows.at_end}) x->assign(entries, 0);
}

void StepBeginning::look_at(const State& state) {
  const Layout& l = system_.layout;
  if (model_.affine) {
    if (!model_.affine_system.constant_forces()) model_.affine_system.forces(state.y(), before_.forces.data());
    model_.affine_system.rows(state.y(), before_.values.data());
    model_.affine_system.rates(state.y(), before_.rate.data());
    return;
  }
  model_.assembly.update(state.t(), state.y(), no_lambda_.data(), state.data());
  model_.assembly.forces(before_.forces.data());
  model_.assembly.input_blocks();
  RowSink sink;
  sink.y = before_.values.data();
  if (model_.varies_in_time) sink.time_rate = before_.time_rate.data();
  model_.assembly.relations(sink);
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const bool value_row = plan_.entries[i].value_row;
    const double* H = model_.direction[i];
    const int* columns = system_.relation_columns.data() + e.column_begin;
    for (int r = 0; r < e.rows; ++r, H += e.columns) {
      double sum = value_row ? before_.time_rate[e.row + r] : before_.values[e.row + r];
      for (int c = 0; value_row && c < e.columns; ++c)
        if (columns[c] < l.nv) sum += H[c] * state.v()[columns[c]];
      before_.rate[e.row + r] = sum;
      before_.u_minus[e.row + r] = value_row ? before_.time_rate[e.row + r] : sum;
    }
  }
}

/// Laws that remember see their gaps at mid step.
[[gnu::noinline]] void StepBeginning::see(int i, const State& state, double h) {
  const RelationEntry& e = system_.relation_entries[i];
  const double* values = before_.values.data() + e.row;
  rows_.across[i] = 0;
  if (!model_.laws.remembers(i)) return;
  const double* rate = before_.rate.data() + e.row;
  model_.laws.see(i, {.step = 0.5 * h, .since = model_.laws.since(state.t(), state.data()), .ahead = 0.5 * h, .gap = *values + 0.5 * h * *rate, .y = plan_.entries[i].value_row ? values : nullptr, .rate = rate}, state.data());
}
/// Whether such a law pulls across an open gap.
[[gnu::noinline]] bool StepBeginning::pulls_across(int i) {
  rows_.across[i] = model_.laws.relation(i).across;
  return rows_.across[i] != 0;
}

/// How fast forces alone would close a gap, as if its unknowns moved each by itself.
double StepBeginning::closing_by_forces(std::size_t i) const {
  const RelationEntry& e = system_.relation_entries[i];
  double rate = 0.0;
  for (int c = 0; c < e.columns; ++c) {
    const int dof = system_.relation_columns[e.column_begin + c];
    if (dof < 0 || dof >= system_.layout.nv) continue;
    if (const double inertia = before_.mass[system_.diagonal_slot[dof]]; inertia > 0.0) rate -= model_.direction[i][c] * before_.forces[dof] / inertia;
  }
  return rate;
}

/// Of a gap at the beginning of a second half: whether it could close and open again in either half, which another half of its present motion, and of its acceleration, tells. One that the
/// first half left open and that overlaps now has sunk.
[[gnu::noinline]] bool StepBeginning::may_have_passed(int i, const Gap& now, double h, bool stays, bool open) {
  const double closed = 1e-9 * system_.length_scale, held = 1e-6 * system_.length_scale;
  Gap& first = first_[at(i)];
  if (!second_) return first = now, false;
  if (now.value > closed) return !stays && (now.value - h * now.rate < -closed || now.value + h * (1.5 * now.rate - 0.5 * first.rate) < -closed);
  if (open && now.value < std::min(0.0, first.value) - held) sunk_.push_back({i, -now.value});
  return false;
}

void StepBeginning::choose_active(const State& state, double h, Rows which) {
  const double *status = state.memory() + plan_.status(0), *lambda = state.lambda(), *impulse = state.memory();
  const double closed = 1e-9 * system_.length_scale;  // a solve leaves residual velocities of about 1e-8
  const double held = 1e-6 * system_.length_scale;
  const double *values = before_.values.data(), *rates = before_.rate.data();
  ActiveRows& rows = rows_;
  rows.entries.clear();
  rows.touched.clear();
  sunk_.clear();
  rows.count = 0;
  bool approach = false, closing = false;
  const bool remembering = !model_.laws.empty();
  // What opens faster than its weight, or the forces on it, can close it has bounced: what throws it back within the step makes an impact in the next, with its restitution. Fixed steps are too long for that.
  double bounced = plan_.options.error_control ? std::max(1.0, 1.0 / system_.length_scale) * norm(system_.gravity) * h : HUGE_VAL;
  for (int i = 0; plan_.options.error_control && i < system_.layout.nv; ++i) bounced = std::max(bounced, 1e-6 * std::abs(state.v()[i]));
  const auto leaves = [&](int i, double rate) { return rate > bounced && rate > h * closing_by_forces(at(i)); };
  const int entries = count_of(plan_.entries);
  for (int i = 0; i < entries; ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double y = values[e.row], rate = rates[e.row];
    bool stays = false;
    if (remembering) see(i, state, h);
    bool in = which == Rows::all || (which == Rows::algebraic ? p.algebraic : p.equality && p.level == Level::rate);
    if (p.gap && in) {
      // In contact at the end of the last step: its rate now is what the turning of its direction since then makes of it,
      // neither an approach nor a departure.
      stays = RowStatuses::carries(status[i]) && y <= held;
      const bool gone = e.law.type->pulls() && ((status[i] == 0.0 && rate > 0.0) || (status[i] == 3.0 && leaves(i, rate)));  // what adheres has let go where it opens
      in = stays || (!gone && y + 0.5 * h * rate <= closed && !(e.law.type->impact && y > -held && leaves(i, rate)));
      approach |= !in && y + h * rate < -closed;
      closing |= !stays && y > closed && y + h * rate < -closed;
      if (watches_) closing |= may_have_passed(i, {y, rate}, h, stays, status[i] == 0.0);
      if (remembering && !in && h > 0.0) in = pulls_across(i);
    }
    rows.closed[i] = stays;
    rows.at_end[i] = p.at_end || (plan_.options.error_control && stays);
    rows.row[i] = in ? rows.count : -1;
    bool touched = in || status[i] != 0.0;
    for (int row = e.row; !touched && row < e.row + e.rows; ++row) touched = lambda[row] != 0.0 || impulse[row] != 0.0;
    if (touched) rows.touched.push_back(i);
    if (!in) continue;
    rows.entries.push_back(i);
    rows.count += e.rows;
  }
  met_.approach = approach, met_.closing = closing;
}

/// Directions, mass and contact rows at mid step (Jean 1999), their own motion in time at the end.
void StepBeginning::go_to_mid_step(const State& state, double h, bool finds) {
  const Layout& l = system_.layout;
  const double closed = 1e-9 * system_.contacts.size;
  if (!system_.contacts.empty()) contacts_.clear();
  if (!model_.constant_mass || finds || needs_blocks()) {
    std::copy(state.y(), state.y() + l.y_size(), y_.begin());
    for (int i = 0; i < l.nv; ++i) tangent_[i] = 0.5 * h * state.v()[i];
    system_.map.retract(y_.data(), tangent_.data());
    model_.assembly.update(state.t() + h, y_.data(), no_lambda_.data(), state.data());
    for (int i = 0; finds && i < l.nv; ++i) {
      const double inertia = before_.mass[system_.diagonal_slot[i]];
      accelerations_[at(i)] = inertia > 0.0 ? before_.forces[at(i)] / inertia : 0.0;
    }
    if (finds && plan_.options.error_control) met_.passage = second_ ? contacts_.passage(model_.assembly.kinematics(), 3.0 * h) / 1.5 : contacts_.passage(model_.assembly.kinematics(), h);
    if (finds) contacts_.begin(model_.assembly.kinematics(), closed, 1e-6 * system_.contacts.size, h, before_.xi.data(), accelerations_.data(), state.memory() + plan_.contact_tail);
    if (!model_.constant_mass) model_.assembly.mass(1.0, 1.0, before_.mass.data());
    if (needs_blocks()) model_.assembly.input_blocks();
    if (model_.varies_in_time) {
      RowSink sink;
      sink.time_rate = before_.time_rate.data();
      model_.assembly.relations(sink);
    }
  }
}

void StepBeginning::begin(const State& state, double h, Rows which) {
  const Layout& l = system_.layout;
  std::copy(state.v(), state.v() + l.unknowns(), before_.xi.begin());  // v, x, z stand side by side
  look_at(state);
  const bool finds = which == Rows::all && !system_.contacts.empty();
  if (finds && !plan_.options.error_control && (met_.way = contacts_.way(model_.assembly.kinematics(), h)) < h) return;
  choose_active(state, h, which);
  rows_.rates_alone = which == Rows::equalities;
  go_to_mid_step(state, h, finds);
  for (int i = 0; !(rows_.entries.empty() && contacts_.empty()) && i < l.nv; ++i) {
    const double inertia = before_.mass[system_.diagonal_slot[i]];
    moves_[i] = std::abs(before_.xi[i]) + (inertia > 0.0 ? h * std::abs(before_.forces[i]) / inertia : 0.0);
  }
  find_directions();
  find_slides(state);
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    std::fill_n(before_.bias.begin() + e.row, e.rows, 0.0);
    // Friction against the mean slip of the step, of second order where it turns: rows of twice the mean, u- as their bias.
    for (int r = 0; r < e.rows; ++r)
      if (rows_.slides[i] >> r & 1) before_.bias[e.row + r] = before_.rate[e.row + r];
    if (plan_.gamma < 1.0 && h > 0.0) take_start_in(static_cast<std::size_t>(i));
    if (h > 0.0 && restitutes(i)) e.law.type->bias(e.law.fields, e.rows, before_.u_minus.data() + e.row, before_.bias.data() + e.row);
  }
  if (plan_.shifts) offsets_.adhere(rows_, h);
}

bool StepBeginning::bounces(const double* mu) const {
  return std::any_of(rows_.entries.begin(), rows_.entries.end(), [&](int i) {
    const int row = system_.relation_entries[i].row;
    return restitutes(i) && before_.bias[row] < 0.0 && (!mu || mu[row] > 0.0);
  });
}

void StepBeginning::restitute(double share) {
  for (const int i : rows_.entries) {
    if (!restitutes(i)) continue;
    const RelationEntry& e = system_.relation_entries[i];
    double* bias = before_.bias.data() + e.row;
    e.law.type->bias(e.law.fields, e.rows, before_.u_minus.data() + e.row, bias);
    for (int r = 0; r < e.rows; ++r) bias[r] *= share;
  }
}

/// What the law of an active relation sees of its rows at the start of the step, of gaps while they stay closed of friction alone.
void StepBeginning::take_start_in(std::size_t i) {
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  if (p.equality || (p.gap && !rows_.closed[i])) return;
  const std::vector<double>& start = p.level == Level::value ? before_.values : before_.rate;
  for (int r = p.gap ? 1 : 0; r < e.rows; ++r) before_.bias[e.row + r] = plan_.of_start() * start[e.row + r];
}

/// Whether two relations have the same slip before the step.
bool StepBeginning::slips_as(const RelationEntry& a, const RelationEntry& b) const {
  constexpr double alike = 1e-6;
  double apart = 0.0, speed = 0.0;
  for (int r = a.law.type->unilateral ? 1 : 0; a.rows == b.rows && r < a.rows; ++r) apart = std::hypot(apart, before_.rate[b.row + r] - before_.rate[a.row + r]), speed = std::hypot(speed, before_.rate[a.row + r]);
  return a.rows == b.rows && apart <= alike * speed;
}

/// What slid in the last step: under error control, where shorter steps find what stops. Of more than three that share a body the motion does not determine
/// the forces: these need not be smooth, and friction at the end of the step is safer, but where all slip alike.
void StepBeginning::find_slides(const State& state) {
  if (!plan_.options.error_control || plan_.theta != 0.5) return;
  const double* status = state.memory() + plan_.status(0);
  std::fill(sliding_.begin(), sliding_.end(), Sliding{});
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    rows_.slides[i] = 0;
    if ((plan_.entries[i].gap && !rows_.closed[i]) || !RowStatuses::slips(plan_.entries[i], status[i])) continue;
    const double reach = *std::max_element(before_.reach.begin() + e.row, before_.reach.begin() + e.row + e.rows);
    rows_.slides[i] = static_cast<char>(mean_slip::rows(model_.laws.relation(i), e.rows, before_.rate.data() + e.row, mean_slip::still * reach));
    if (!rows_.slides[i]) continue;
    Sliding& all = sliding_[plan_.entries[i].component];
    if (all.contacts++ == 0) all.first = i;
    all.alike &= slips_as(system_.relation_entries[all.first], e);
  }
  for (const int i : rows_.entries)
    if (const Sliding& all = sliding_[plan_.entries[i].component]; all.contacts > 3 && !all.alike) rows_.slides[i] = 0;
}

/// Some active relation's directions or rates are others at mid step.
bool StepBeginning::needs_blocks() const {
  return model_.varies_in_time || (!model_.affine && std::any_of(rows_.entries.begin(), rows_.entries.end(), [&](int i) {
    return !system_.relations[system_.relation_entries[i].pool]->traits().linear;
  }));
}

/// Directions at mid step, the rows' rates before it, and how far velocities and forces could move the rows.
void StepBeginning::find_directions() {
  const bool affine = model_.affine;
  const int nv = system_.layout.nv;
  const double *rate = before_.rate.data(), *xi = before_.xi.data(), *moves = moves_.data();
  double *u_minus = before_.u_minus.data(), *reach = before_.reach.data();
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (!affine) model_.spread_direction(at(i), before_.directions.data());
    const double* frozen = before_.directions.data() + model_.block_begin[i];
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int row = e.row; row < e.row + e.rows; ++row, frozen += p.columns) {
      double u = affine ? rate[row] : u_minus[row], most = affine && p.value_row ? 0.0 : std::abs(u);
      for (int c = 0; c < p.columns; ++c) {
        const int dof = columns[c];
        if (dof >= nv) continue;
        if (p.value_row && !affine) u += frozen[c] * xi[dof];
        most = std::max(most, std::abs(frozen[c]) * moves[dof]);
      }
      u_minus[row] = u;
      reach[row] = most;
    }
  }
}

bool StepBeginning::slides() const {
  return contacts_.turns().slides() || std::any_of(rows_.entries.begin(), rows_.entries.end(), [&](int i) { return rows_.slides[i] != 0; });
}

void StepBeginning::end_slips() {
  contacts_.turns().end_slips();
  for (const int i : rows_.entries) {
    if (!rows_.slides[i]) continue;
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; r < e.rows; ++r)
      if (rows_.slides[i] >> r & 1) before_.bias[e.row + r] = 0.0;
    rows_.slides[i] = 0;
  }
}

void StepBeginning::set_active(const std::vector<int>& entries) {
  for (const int i : rows_.entries) rows_.row[i] = -1;
  rows_.entries.assign(entries.begin(), entries.end());
  rows_.count = 0;
  for (const int i : rows_.entries) rows_.row[i] = rows_.count, rows_.count += system_.relation_entries[i].rows;
}

}  // namespace saltus
