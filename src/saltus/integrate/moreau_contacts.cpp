#include "saltus/integrate/moreau_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/problem/sets.hpp"
#include "saltus/system/usual_contacts.hpp"

namespace saltus {
MoreauContacts::MoreauContacts(const System& system, double of_start, bool reported, bool short_steps)
    : system_(system), of_start_(of_start), short_steps_(short_steps), entry_(entry_size(system)), set_(system.contacts, reported), near_(system.contacts), memory_(system), turns_(system.contacts, set_, near_, bias_, u_minus_) {}

int MoreauContacts::entry_size(const System& system) {
  int rows = 0;
  for (const ContactLaw& law : system.contacts.laws) rows = std::max(rows, law.rows);
  return 1 + rows;
}

int MoreauContacts::tail_size(const System& system) {
  if (system.contacts.empty()) return 0;
  return 2 + entry_size(system) * usual_contacts(system.contacts);
}

void MoreauContacts::begin(const Kinematics& k, double closed, double held, double set_scale, const double* velocity, const double* acceleration, const double* tail) {
  known_.names.clear(), known_.carried.clear();
  for (int i = 0; i < static_cast<int>(tail[0]); ++i) known_.names.push_back(tail[1 + entry_ * i]), known_.carried.push_back(tail[2 + entry_ * i] > 0.0);
  const auto number = [&](const Contact& c) {  // in the tail, -1: not there
    const auto found = std::lower_bound(known_.names.begin(), known_.names.end(), c.identity());
    return found != known_.names.end() && *found == c.identity() ? static_cast<int>(found - known_.names.begin()) : -1;
  };
  // What carried lands again where its weight, within the step, would let it fall on the other body.
  const double falls = norm(system_.gravity) * set_scale * set_scale;
  const double within = std::max({closed, held, falls, memory_.reach()});
  set_.find(k, within);
  at_start_.speed = 0.0;
  for (int i = 0; i < system_.layout.nv; ++i) at_start_.speed = std::max(at_start_.speed, std::abs(velocity[i]));
  set_.filter([&](const Contact& c) {
    const int i = number(c);
    // What opens faster than its weight, or the forces on it, can close it, and carries nothing, has bounced: what throws it back within the step makes an impact in the next, with its restitution.
    const LawType& type = *system_.contacts.law(c).type;
    const bool carries = i >= 0 && known_.carried[i];
    const auto opens = [&](double slow) {
      const double rate = carries ? 0.0 : set_.rate(c, 0, velocity);
      return rate > slow && (slow == 0.0 || !short_steps_ || rate > -set_scale * set_.rate(c, 0, acceleration));
    };
    const double slow = std::max(1e-6 * at_start_.speed, short_steps_ ? norm(system_.gravity) * set_scale : 0.0);
    if (short_steps_ && type.impact && !type.pulls() && opens(slow)) return false;
    // What adheres has let go where it opens, of a new one by more than rounding; what has just bounced overlaps by more than what rests.
    const bool gone = type.pulls() && opens(i >= 0 ? 0.0 : c.gap < -0.1 * held ? slow : 1e-6 * at_start_.speed);
    if (c.gap <= closed && !gone) return true;
    if (i >= 0 && known_.carried[i] && (c.gap <= held || (c.gap <= falls && !system_.contacts.law(c).type->pulls()))) return true;
    return set_scale > 0.0 && memory_.of_contacts() && memory_.contact(c, {.step = set_scale, .gap = c.gap}, k.data).across;
  });
  at_start_.closed = std::max(closed, held), at_start_.step = set_scale;
  see(k, set_scale, velocity);
  mu_.assign(set_.rows(), 0.0);
  bias_.assign(mu_.size(), 0.0);
  offset_.assign(mu_.size(), 0.0);
  phase_.clear();
  shifted_ = false;
  u_minus_.assign(mu_.size(), 0.0);
  closes_.assign(mu_.size(), 0);
  for (const Contact& c : set_.contacts())
    for (int r = 0; r < c.rows; ++r) u_minus_[c.row + r] = set_.rate(c, r, velocity);
  in_last_.clear();
  for (const Contact& c : set_.contacts()) in_last_.push_back(set_scale > 0.0 && number(c) >= 0);
  turns_.begin(k, at_start_.speed, within, set_scale, in_last_);
  std::size_t stayed = 0;
  const double last = tail[tail_size(system_) - 1], longer = last > 0.0 && set_scale > 0.0 ? set_scale / last : 1.0;  // what rests has impulses as long as its steps
  for (const Contact& c : set_.contacts()) {
    const int i = number(c);
    const LawRef& law = this->law(c);
    closes_[c.row] = law.type->impact && !(i >= 0 && known_.carried[i]);
    if (closes_[c.row] && law.type->bias) law.type->bias(law.fields, c.rows, u_minus_.data() + c.row, bias_.data() + c.row);
    for (int r = 1; of_start_ > 0.0 && set_scale > 0.0 && !closes_[c.row] && r < c.rows; ++r) bias_[c.row + r] = of_start_ * u_minus_[c.row + r];
    const bool carries = i >= 0 && known_.carried[i], turns = turns_.may(c);
    const double gap = c.gap - (turns ? 0.25 * set_scale * u_minus_[c.row] : 0.0);  // before the step, whose first half turned it
    if (gap > at_start_.closed && carries && !law.type->pulls()) bias_[c.row] = gap / set_scale;
    if (turns) turns_.take(c, this->law(c), tail + 2 + entry_ * i);
    if (!turns || !(carries || turns_.one_of_many(c))) turns_.leave();
    if (law.type->pulls()) offset_[c.row] = -set_scale * law.adhesion(), shifted_ |= offset_[c.row] != 0.0;
    if (i < 0) continue;
    ++stayed;
    const double* r = tail + 2 + entry_ * i;
    for (int row = 0; row < c.rows; ++row) mu_[c.row + row] = longer * r[row];
    mu_[c.row] += offset_[c.row];
  }
  closed_ = stayed < set_.contacts().size();
  opened_ = stayed < known_.names.size();
}

void MoreauContacts::subtract_impulses(double* res, double* term) const {
  for (const Contact& c : set_.contacts())
    for (int r = 0; r < c.rows; ++r)
      for (int i = 0; i < c.columns; ++i) {
        const double impulse = set_.H(c)[r * c.columns + i] * mu_[c.row + r];
        const int dof = set_.columns(c)[i];
        res[dof] -= impulse;
        term[dof] = std::max(term[dof], std::abs(impulse));
      }
}

void MoreauContacts::add_to_problem(std::vector<double>& p0, std::vector<double>& b, int first) const {
  for (const Contact& c : set_.contacts())
    for (int r = 0; r < c.rows; ++r) {
      for (int i = 0; i < c.columns; ++i) p0[set_.columns(c)[i]] -= set_.H(c)[r * c.columns + i] * mu_[c.row + r];
      b[first + c.row + r] = bias_[c.row + r];
    }
}

void MoreauContacts::append_blocks(Problem& problem, int first, double set_scale) const {
  for (const Contact& c : set_.contacts()) {
    const LawRef& law = this->law(c);
    if (across(c)) {
      static constexpr double nothing[2 * ContactGroup::most_rows] = {};
      problem.blocks.push_back({.begin = first + c.row, .dim = c.rows, .set = &box_set, .parameters = nothing, .set_scale = 1.0});
      continue;
    }
    problem.blocks.push_back({.begin = first + c.row, .dim = c.rows, .set = law.type->set, .parameters = law.parameters,
                              .set_scale = law.type->force_bounded ? set_scale : 1.0});
    if (const double* halved = turns_.halved(c)) problem.blocks.back().parameters = halved;
    if (phase_.empty()) continue;
    const PhaseSet& phase = phase_[static_cast<int>(&c - set_.contacts().data())];
    if (phase.set) problem.blocks.back().set = phase.set, problem.blocks.back().parameters = phase.parameters;
  }
}

/// Gaps at mid step, velocities at its beginning, the time at its end.
void MoreauContacts::see(const Kinematics& k, double step, const double* velocity) {
  if (!memory_.of_contacts()) return;
  now_.clear();
  double rate[ContactGroup::most_rows];
  for (const Contact& c : set_.contacts()) {
    for (int r = 0; r < c.rows; ++r) rate[r] = set_.rate(c, r, velocity);
    now_.push_back(memory_.contact(c, {.step = step, .since = std::max(0.0, k.since - step), .ahead = 0.5 * step, .gap = c.gap, .rate = rate}, k.data));
  }
}

bool MoreauContacts::have_phases() const {
  return std::any_of(set_.contacts().begin(), set_.contacts().end(), [&](const Contact& c) { return system_.contacts.law(c).type->phases > 0; });
}

bool MoreauContacts::strike(bool solved) const {
  return std::any_of(set_.contacts().begin(), set_.contacts().end(), [&](const Contact& c) { return closes_[c.row] && u_minus_[c.row] < -1e-6 * at_start_.speed && (!solved || mu_[c.row] > 0.0); });
}

bool MoreauContacts::bounces(bool solved) const {
  return std::any_of(set_.contacts().begin(), set_.contacts().end(), [&](const Contact& c) { return closes_[c.row] && bias_[c.row] < 0.0 && (!solved || mu_[c.row] > 0.0); });
}

void MoreauContacts::restitute(double share) {
  for (const Contact& c : set_.contacts()) {
    const LawRef& law = this->law(c);
    if (!closes_[c.row] || !law.type->bias) continue;
    law.type->bias(law.fields, c.rows, u_minus_.data() + c.row, bias_.data() + c.row);
    for (int r = 0; r < c.rows; ++r) bias_[c.row + r] *= share;
  }
}

void MoreauContacts::enter_phase(int number) {
  phase_.resize(set_.contacts().size());
  std::size_t i = 0;
  for (const Contact& c : set_.contacts()) {
    PhaseSet& phase = phase_[i++];
    phase.set = nullptr;
    const LawRef& law = system_.contacts.law(c);
    if (number == 0 && !law.type->along_impulse) std::fill_n(offset_.begin() + c.row, c.rows, 0.0);
    if (number >= law.type->phases) continue;
    phase.set = law.type->phase(law.fields, number, offset_.data() + c.row, phase.parameters);
    if (!closes_[c.row]) bias_[c.row] = -u_minus_[c.row];  // it is held: what is left of a rate is no approach
  }
}

void MoreauContacts::append_followed(int& row, std::vector<Eigen::Triplet<double>>& entries, std::vector<FollowedContact>& followed) const {
  for (const Contact& c : set_.contacts()) {
    const LawRef& law = system_.contacts.law(c);
    if (!law.type->along_impulse) continue;
    for (int i = 0; i < c.columns; ++i) entries.emplace_back(row, set_.columns(c)[i], set_.H(c)[i]);
    followed.push_back({.row = row++, .rate = closes_[c.row] ? u_minus_[c.row] : 0.0, .law = law.type->along_impulse(law.fields)});
  }
}

void MoreauContacts::take_followed(const FollowedContact* followed) {
  for (const Contact& c : set_.contacts())
    if (system_.contacts.law(c).type->along_impulse) offset_[c.row] = (followed++)->percussion, shifted_ = true;
}

void MoreauContacts::take_percussions() {
  for (const Contact& c : set_.contacts())
    if (system_.contacts.law(c).type->phases > 0) std::copy_n(mu_.begin() + c.row, c.rows, offset_.begin() + c.row);
  shifted_ = true;
}

void MoreauContacts::leave_phases(double set_scale, const double* velocity) {
  phase_.clear();
  for (const Contact& c : set_.contacts()) {
    const LawRef& law = this->law(c);
    offset_[c.row] -= set_scale * law.adhesion();
    if (law.type->phases == 0) continue;
    double opening = 0.0;
    for (int i = 0; i < c.columns; ++i) opening += set_.H(c)[i] * velocity[set_.columns(c)[i]];
    bias_[c.row] = -std::max(opening, 0.0), turns_.reset(c);
  }
}

void MoreauContacts::shift(std::vector<double>& p0, double by) {
  for (const Contact& c : set_.contacts())
    for (int r = 0; r < c.rows; ++r) {
      const double offset = by * offset_[c.row + r];
      if (offset == 0.0) continue;
      mu_[c.row + r] -= offset;
      for (int i = 0; i < c.columns; ++i) p0[set_.columns(c)[i]] += set_.H(c)[r * c.columns + i] * offset;
    }
}

void MoreauContacts::append_warm(std::vector<double>& r) const { r.insert(r.end(), mu_.begin(), mu_.begin() + set_.rows()); }

void MoreauContacts::append_rest(std::vector<double>& rest) const {
  for (int row = 0; row < set_.rows(); ++row) rest.push_back(-offset_[row]);
}

int MoreauContacts::entries() const {
  int n = 0;
  for (const Contact& c : set_.contacts()) n += c.rows * c.columns;
  return n;
}

void MoreauContacts::count_columns(int* counts) const {
  for (const Contact& c : set_.contacts())
    for (const int dof : set_.columns(c)) counts[dof] += c.rows;
}

void MoreauContacts::write_rows(Problem& problem, int first, int next, int* cursor) const {
  for (const Contact& c : set_.contacts())
    for (int r = 0; r < c.rows; ++r) {
      problem.H.outerIndexPtr()[first + c.row + r] = next;
      for (int i = 0; i < c.columns; ++i, ++next) {
        const int dof = set_.columns(c)[i];
        const double value = set_.H(c)[r * c.columns + i];
        problem.H.innerIndexPtr()[next] = dof;
        problem.H.valuePtr()[next] = value;
        if (!cursor) continue;
        const int place = cursor[dof]++;
        problem.G.innerIndexPtr()[place] = first + c.row + r;
        problem.G.valuePtr()[place] = value;
      }
    }
}

void MoreauContacts::take(const std::vector<double>& r, int first) { std::copy(r.begin() + first, r.begin() + first + set_.rows(), mu_.begin()); }

double MoreauContacts::deepest(const Kinematics& k, double enough) {
  near_.find(k, -enough);  // pairs that are not so deep are known soon
  double depth = 0.0;
  for (const Contact& c : near_.contacts()) depth = std::max(depth, -c.gap);
  return depth;
}

double MoreauContacts::farthest(const Kinematics& k, double within, const double* tail) {
  near_.find(k, within);
  double most = 0.0;
  for (const Contact& c : near_.contacts())
    if (std::abs(c.gap) > most && (c.gap < 0.0 || carries(tail, c))) most = std::abs(c.gap);
  return most;
}

bool MoreauContacts::carries(const double* tail, const Contact& c) const {
  const double* r = impulses(tail, c);
  return r && r[0] > 0.0;
}

const double* MoreauContacts::lift(const Kinematics& k, const double* velocity, double h, double depth, double enough, const double* tail, const Held& held, const Problem& like,
                                   const std::vector<double>& mass, Solver& solver, int threads) {
  near_.find(k, depth);  // also those that the others could be pushed into
  parts_.clear();
  for (const Contact& c : near_.contacts()) {
    const double rate = near_.rate(c, 0, velocity);
    parts_.push_back(c.gap < 0.0 && c.gap + h * rate > 0.0 ? Part::leaves : tail && c.gap > 0.0 && carries(tail, c) ? Part::closes : Part::stays);
  }
  if (std::all_of(parts_.begin(), parts_.end(), [](Part part) { return part == Part::leaves; })) return nullptr;
  parting_.M = like.M;
  std::copy(mass.begin(), mass.end(), parting_.M.valuePtr());
  for (int i = 0; i < static_cast<int>(like.M.rows()); ++i)  // algebraic unknowns do not move
    if (double& m = parting_.M.valuePtr()[system_.diagonal_slot[i]]; m == 0.0) m = 1.0;
  parting_.p0.assign(like.M.rows(), 0.0);
  parting_.symmetric = true;
  // What the solver leaves open is a tenth of what is left closed.
  const double tolerance = std::clamp(0.1 * enough / depth, 1e-6, 1e-3);
  if (held.rows() > 0 && part(enough, tolerance, &held, solver, threads)) return parted_.v.data();
  return part(enough, tolerance, nullptr, solver, threads) ? parted_.v.data() : nullptr;  // what is held may contradict the contacts
}

/// Solves the problem of `lift`, with or without what is held.
bool MoreauContacts::part(double enough, double tolerance, const Held* held, Solver& solver, int threads) {
  constexpr double give = 0.01;  // of what closes, over its own compliance: four corners need not agree
  const int n = static_cast<int>(parting_.M.rows()), kept = held ? held->rows() : 0;
  int rows = kept, entries = held ? held->begin.back() : 0;
  std::size_t i = 0;
  for (const Contact& c : near_.contacts())
    if (parts_[i++] != Part::leaves) ++rows, entries += c.columns;
  parting_.b.assign(rows, 0.0);
  parting_.H.resize(rows, n);
  parting_.H.resizeNonZeros(entries);
  parting_.blocks.clear();
  int row = 0, next = 0;
  const auto begin_row = [&](const SetType& set) {
    parting_.H.outerIndexPtr()[row] = next;
    parting_.blocks.push_back({.begin = row++, .dim = 1, .set = &set, .parameters = nullptr, .set_scale = 1.0});
  };
  const auto add = [&](int column, double value) { parting_.H.innerIndexPtr()[next] = column, parting_.H.valuePtr()[next++] = value; };
  for (int r = 0; r < kept; ++r) {
    begin_row(equality_set);
    for (int e = held->begin[r]; e < held->begin[r + 1]; ++e) add(held->column[e], held->value[e]);
  }
  i = 0;
  yield_.assign(at(rows), 0.0);
  for (const Contact& c : near_.contacts()) {
    const Part part = parts_[i++];
    if (part == Part::leaves) continue;
    const bool closes = part == Part::closes;
    for (int e = 0; closes && e < c.columns; ++e) yield_[at(row)] += give * near_.H(c)[e] * near_.H(c)[e] / parting_.M.valuePtr()[system_.diagonal_slot[near_.columns(c)[e]]];
    parting_.b[row] = c.gap + (closes ? 0.0 : 0.5 * enough);  // leaves them closed
    begin_row(closes ? equality_set : half_line_set);
    for (int e = 0; e < c.columns; ++e) add(near_.columns(c)[e], near_.H(c)[e]);
  }
  parting_.H.outerIndexPtr()[row] = next;
  write_yield();
  SolveOptions options;
  options.tolerance = tolerance;
  options.flop_budget = 1'000'000'000;
  options.threads = threads;
  constexpr int many = 60;  // a table of all rows costs more than sweeps
  if (rows > many) options.solver = "race";
  solver.solve(parting_, options, parted_);
  if (rows > many && parted_.status != SolveStatus::solved) {
    options.solver = {};
    solver.solve(parting_, options, parted_);
  }
  return parted_.status == SolveStatus::solved;
}

void MoreauContacts::write_yield() {
  const int rows = count_of(yield_);
  const auto yields = std::count_if(yield_.begin(), yield_.end(), [](double d) { return d > 0.0; });
  parting_.D.resize(yields > 0 ? rows : 0, yields > 0 ? rows : 0);
  parting_.D.resizeNonZeros(yields);
  for (int row = 0, next = 0; yields > 0 && row < rows; ++row) {
    if (yield_[at(row)] > 0.0) parting_.D.innerIndexPtr()[next] = row, parting_.D.valuePtr()[next++] = yield_[at(row)];
    parting_.D.outerIndexPtr()[row + 1] = next;
  }
}

double MoreauContacts::met_within(std::span<const double> ranges, double tolerance) const {
  double worst = 0.0;
  for (const Contact& c : set_.contacts()) {
    const double depth = 0.5 * at_start_.step * std::min(u_minus_[c.row], 0.0) - c.gap - at_start_.closed;
    if (depth > 0.0 && !in_last_[at(static_cast<int>(&c - set_.contacts().data()))]) worst = std::max(worst, depth / (tolerance * way(set_, c, ranges) + at_start_.closed));
  }
  return worst;
}

double MoreauContacts::way(const ContactSet& set, const Contact& c, std::span<const double> ranges) {
  double way = 0.0;
  for (int i = 0; i < c.columns; ++i) way += std::abs(set.H(c)[i]) * ranges[at(set.columns(c)[at(i)])];
  return way;
}

double MoreauContacts::missed(const Kinematics& k, const double* velocity, std::span<const double> ranges, double tolerance, double closed) {
  near_.find(k, closed);
  auto& [pairs, lost] = closed_at_end_;
  pairs.clear();
  for (const Contact& c : near_.contacts()) pairs.emplace_back(c.A, c.B);
  std::sort(pairs.begin(), pairs.end());
  const auto apart = [&, &together = pairs](const Contact& c) { return !std::binary_search(together.begin(), together.end(), std::pair<int, int>{c.A, c.B}); };
  lost = std::any_of(set_.contacts().begin(), set_.contacts().end(), [&](const Contact& c) { return mu_[c.row] > 0.0 && apart(c); });
  double worst = 0.0;
  for (const Contact& c : near_.contacts()) {
    const auto found = std::lower_bound(order_.begin(), order_.end(), std::pair{c.identity(), 0});
    if ((found != order_.end() && found->first == c.identity()) || near_.rate(c, 0, velocity) > 0.0) continue;  // what leaves is left out
    worst = std::max(worst, -c.gap / (tolerance * way(near_, c, ranges) + closed));
  }
  return worst;
}

void MoreauContacts::tell_parted(const double* dq, StepReport& report) const {
  const std::size_t count = std::min(report.contacts.size(), set_.contacts().size());  // behind them those of the first half of the step alone
  for (std::size_t i = 0; i < count; ++i) report.contacts[i].gap += set_.rate(set_.contacts()[i], 0, dq);
}

double MoreauContacts::fastest_impact(std::span<const double> ranges) const {
  double fastest = 0.0;
  for (const Contact& c : set_.contacts()) {
    if (!closes_[c.row] || !(mu_[c.row] > 0.0) || !(u_minus_[c.row] < 0.0)) continue;
    fastest = std::max(fastest, -u_minus_[c.row] / way(set_, c, ranges));
  }
  return fastest;
}

void MoreauContacts::add_impulses(double* impulse) const {
  for (const Contact& c : set_.contacts())
    for (int r = 0; r < c.rows; ++r)
      for (int i = 0; i < c.columns; ++i) impulse[set_.columns(c)[i]] += set_.H(c)[r * c.columns + i] * mu_[c.row + r];
}

void MoreauContacts::accept(double h, double theta, double t, const std::vector<double>& moves, const double* velocity, double* tail, double* data, StepReport& report) {
  const int capacity = (tail_size(system_) - 2) / entry_;
  order_.clear();
  impact_ = false;
  system_.contacts.clear_forces(data);
  report.contacts.clear();
  // An approach slower than a millionth of the fastest velocity, or of what forces could make of it, is rounding.
  const auto reach = [&](const Contact& c) {
    double most = at_start_.speed;
    for (int i = 0; i < c.columns; ++i) most = std::max(most, std::abs(set_.H(c)[i]) * moves[at(set_.columns(c)[i])]);
    return most;
  };
  int number = 0;
  for (const Contact& c : set_.contacts()) {
    order_.emplace_back(c.identity(), number++);
    const ContactGroup& group = system_.contacts.groups[c.group];
    double force[ContactGroup::most_rows];
    for (int r = 0; r < c.rows; ++r) force[r] = mu_[c.row + r] / h;
    system_.contacts.add_force(c, force, data);
    if (set_.with_slip()) {
      report.contacts.push_back(set_.state_of(c, force, -offset_[c.row] / h, velocity, h, turns_.of(c)));
      report.contacts.back().gap += h * ((0.5 - theta) * u_minus_[c.row] + theta * (set_.rate(c, 0, velocity) + 0.5 * *turns_.of(c)));  // found at mid step
    }
    const bool closes = !std::binary_search(known_.names.begin(), known_.names.end(), c.identity());
    if (!closes_[c.row] || !(u_minus_[c.row] < 0.0) || !(mu_[c.row] > 0.0)) continue;
    const double most = reach(c);
    if (closes && u_minus_[c.row] < -1e-9 * most) report.events.push_back({t, "impact", group.name, mu_[c.row]});
    impact_ |= u_minus_[c.row] < -1e-6 * most;
  }
  turns_.end(velocity, mu_, offset_, [&](const Contact& c) -> const LawRef& { return law(c); });
  std::sort(order_.begin(), order_.end());
  const int kept = std::min(capacity, count_of(order_));
  std::fill(tail, tail + tail_size(system_), 0.0);
  tail[0] = kept;
  tail[tail_size(system_) - 1] = h;
  for (int i = 0; i < kept; ++i) {
    const Contact& c = set_.contacts()[order_[i].second];
    double* out = tail + 1 + entry_ * i;
    out[0] = c.identity();
    if (short_steps_ && closes_[c.row] && bias_[c.row] < -1e-6 * reach(c)) continue;  // bounced: it carries nothing
    for (int r = 0; r < c.rows; ++r) out[1 + r] = mu_[c.row + r] - offset_[c.row + r];
  }
}

}  // namespace saltus
