// A step of the nonsmooth generalized-alpha: positions that the gaps allow, velocities by the laws, forces.
#include "saltus/integrate/nonsmooth_alpha.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/problem/slip_arms.hpp"

namespace saltus {

NonsmoothStep::NonsmoothStep(const NonsmoothPlan& plan) : plan_(plan), system_(*plan.system), smooth_(plan.smooth), rows_(system_, plan.options.threads, plan.tells_contacts()), blocks_(system_, rows_), trial_(plan.smooth.layout), passes_(system_), control_(system_) {
  closed_ = 1e-9 * system_.contacts.size;
  smooth_.go_on(plan_.bends && plan_.options.error_control);
  back_.resize(system_.layout.nv), move_.resize(system_.layout.unknowns());
}

StepReport NonsmoothStep::start(State& state) {
  take(state, false);
  smooth_.push({});
  StepReport report = smooth_.start(trial_);
  if (report.status != StepStatus::accepted) return report;
  give(state);
  double* memory = state.memory();
  const double jumped = plan_.bends ? memory[plan_.jumped()] : 0.0;
  std::fill(memory + plan_.bore(), memory + plan_.xdot(), 0.0);
  std::fill(memory + plan_.pushed(), memory + state.layout().memory_size, 0.0);
  if (plan_.bends) memory[plan_.jumped()] = jumped;
  if (jumped != 0.0 || (plan_.bends && plan_.options.error_control)) smooth_.begin_anew(state);
  forces_at_start(system_, state, [&](State& trial, double h) { return step(trial, h); });
  return report;
}

StepReport NonsmoothStep::step(State& state, double h) {
  rows_.begin_step();
  begin_bending(state, h);
  begin_following(state, h);
  take(state, true);
  find_adhering(state, h);
  control_.pressing = pressing(state);
  StepReport report = smooth_.step(trial_, h, !control_.pressing);
  if (report.status != StepStatus::accepted) {
    std::copy(trial_.memory(), trial_.memory() + plan_.vdot(), state.memory());  // how far the motion comes
    return report;
  }
  if (bending_.known && !release(h)) return rejected(std::move(report));
  if (plan_.options.error_control && passes_.passed(state, trial_, unseen_share * size())) {
    report = rejected(std::move(report));
    report.cause = "bodies could pass through each other within the step", report.suggested_step = 0.5 * h;
    return report;
  }
  if (!part(state, h, report)) return report.passing ? report : rejected(std::move(report));
  const bool control = plan_.options.error_control;
  if (control) control_.end_v.assign(trial_.v(), trial_.v() + system_.layout.nv), control_.end_x.assign(trial_.x(), trial_.x() + system_.layout.nx);
  if (!strike(state, h, control, report)) return rejected(std::move(report));
  if (control && buried(state, h, report)) return report;
  if (control && !judge(state, h, report)) return report;
  if (control && control_.settles) {  // a flight as small as what the tolerance allows ends in the step: by the velocity where the step began it lands for good
    std::copy(control_.end_v.begin(), control_.end_v.end(), trial_.v()), std::copy(control_.end_x.begin(), control_.end_x.end(), trial_.x());
    if (!strike(state, h, false, report)) return rejected(std::move(report));
  }
  finish(state, h, report);
  return report;
}

StepReport NonsmoothStep::rejected(StepReport report) const {
  report.status = StepStatus::rejected;
  report.cause = rows_.report().cause;
  report.events.clear();
  return report;
}

/// trial_ := the state as generalized_alpha left it, with the velocities after the impacts.
void NonsmoothStep::take(const State& state, bool began) {
  const Layout& l = system_.layout;
  const double* memory = state.memory();
  trial_.t() = state.t(), trial_.h() = state.h();
  std::copy(state.y(), state.y() + l.y_size(), trial_.y());
  std::copy_n(began ? memory + plan_.xdot() : state.xdot(), l.nx, trial_.xdot());
  std::copy(state.data(), state.data() + l.nd, trial_.data());
  std::copy(memory, memory + plan_.vdot(), trial_.memory());
  std::copy_n(began ? memory + plan_.vdot() : state.a(), l.nv, trial_.a());
  std::copy_n(memory + plan_.lambda(), l.rows, trial_.lambda());
  if (!began) std::fill_n(trial_.lambda(), l.rows, 0.0);
}

void NonsmoothStep::give(State& state) const {
  const Layout& l = system_.layout;
  double* memory = state.memory();
  state.t() = trial_.t();
  std::copy(trial_.y(), trial_.y() + l.y_size(), state.y());
  std::copy(trial_.a(), trial_.a() + l.nv, state.a());
  std::copy(trial_.xdot(), trial_.xdot() + l.nx, state.xdot());
  std::copy(trial_.lambda(), trial_.lambda() + l.rows, state.lambda());
  std::copy(trial_.memory(), trial_.memory() + plan_.vdot(), memory);
  std::copy(trial_.a(), trial_.a() + l.nv, memory + plan_.vdot());
  std::copy(trial_.lambda(), trial_.lambda() + l.rows, memory + plan_.lambda());
  std::copy(trial_.xdot(), trial_.xdot() + l.nx, memory + plan_.xdot());
}

/// What adheres before the step: closed, and did not part in the last one, where all its adhesion pulled in vain; what pulls across a gap pulls on.
void NonsmoothStep::find_adhering(const State& state, double h) {
  gaps_.adhering.clear();
  if (!plan_.adhesion) return;
  rows_.configure(state.t(), state.y(), state.data(), closed_);
  blocks_.see(h, state.data());
  for (int b = 0; b < blocks_.size(); ++b)
    if (blocks_.law(b).adhesion() > 0.0 && rows_.value(b) <= closed_ && (blocks_.law(b).across || carried(state, b) || (state.t() == state.begun() && h * rows_.rate(b, 0) <= closed_))) gaps_.adhering.push_back(blocks_.key(b));
}

/// held_ := the joints, or those with a position; the number of their rows.
int NonsmoothStep::hold_joints(bool at_position) {
  held_.clear();
  int count = 0;
  for (int b = 0; b < rows_.relations(); ++b)
    if (at_position ? plan_.held[b] == 1 : plan_.held[b] != 0) held_.push_back({.block = b, .count = rows_.rows(b), .set = &equality_set}), count += rows_.rows(b);
  return joints_ = held_.size(), count;
}

/// Joints, and gaps that are not above `within` or carry: rows y - H U of the displacement U made so far, and as much play in each gap.
void NonsmoothStep::hold_gaps(const State& state, double within, double h, double play) {
  int count = hold_joints(true);
  for (int b = 0; b < blocks_.size(); ++b) {
    if (blocks_.gap(b) && (rows_.value(b) <= within || pressed(b) || adheres(b))) held_.push_back({.block = b, .set = &half_line_set}), ++count;
  }
  bias_.assign(count, 0.0), offset_.assign(held_.size(), 0.0);
  double *shift = bias_.data(), *pull = offset_.data();
  for (HeldRows& rows : held_) {
    rows.shift = shift, rows.offset = nullptr;
    if (adheres(rows.block)) rows.offset = pull, *pull++ = -square_of(state, rows.block, h) * blocks_.law(rows.block).adhesion();
    for (int r = 0; r < rows.count; ++r) *shift++ = (blocks_.gap(rows.block) ? play : 0.0) - rows_.change_of_rate(rows.block, r, move_.data());
  }
}

/// The displacement that they ask for. A body between two others without play has none where places far from the origin are rounded: then as much play as rounding leaves.
bool NonsmoothStep::solve_gaps(const State& state, double within, double h) {
  for (const double play : {0.0, rounding_of_ways(system_, state, size())}) {
    hold_gaps(state, within, h, play);
    rows_.load_nothing();
    if (rows_.solve(resisted(Level::value), held_, 1e-8)) return true;
  }
  return false;
}

// Where bodies bend, an element at a contact is light and stiff. Impulses of forces over the step that moved its mass alone would let it give way by h^2 F / 2m. There the forces of
// contacts are of the equations of motion at the end of the step, as those of joints: what they change of vdot changes v by b1 and q by b0 times that, and the forces of the bodies with it.
// The smooth step has those of the state where it began in them, which are then taken out: M + b0 K + b1 C has the change. A contact that just closed pushes over the step.
void NonsmoothStep::begin_bending(const State& state, double h) {
  if (!plan_.bends) return;
  smooth_.jumped(state.memory()[plan_.jumped()] != 0.0);
  const AlphaWeights w = smooth_.weights(state);
  const double ratio = (1.0 - w.alpha_f) / (1.0 - w.alpha_m), *force = state.memory() + plan_.reaction();
  bending_.moved.value[0] = h * h * w.beta * ratio, bending_.moved.rate[0] = h * w.gamma * ratio;
  bending_.known = force[system_.layout.nv] != 0.0;
  bending_.reaction.assign(force, force + system_.layout.nv);
  bending_.matrix.clear();
  bending_.released.assign(bending_.reaction.size(), 0.0);
  smooth_.push(bending_.reaction);
}

/// That matrix, of where the step first asks for it: what is taken out and what is added must be moved alike.
RowLevel NonsmoothStep::resisted(Level level) {
  if (!plan_.bends && (!plan_.follows || level != Level::rate)) return {.level = level};
  if (!plan_.bends && plan_.skew) return {.level = level, .forces = &following_.moved};
  if (!plan_.bends) {
    if (following_.matrix.empty()) rows_.stiff_mass(following_.moved, following_.matrix);
    return {.level = level, .matrix = following_.matrix.data()};
  }
  if (bending_.matrix.empty()) rows_.stiff_mass(bending_.moved, bending_.matrix);
  return {.level = level, .matrix = bending_.matrix.data()};
}

// The smooth step has forces at velocities and first-order states without what contacts change of these, a damper that of a body that nothing brakes. The change of its end by impulses r is
// that of Newton's matrix, (M + b1 C) W = H^T r, and rates and averages are those at the end: so impulses over a step are of second order, too.
void NonsmoothStep::begin_following(const State& state, double h) {
  if (!plan_.follows) return;
  const AlphaWeights w = smooth_.weights(state);
  following_.moved.rate[0] = h * w.gamma * (1.0 - w.alpha_f) / (1.0 - w.alpha_m);
  following_.moved.value[1] = h * w.gamma1 * (1.0 - w.alpha_f) / (1.0 - w.alpha_m1);
  following_.matrix.clear(), following_.changes.clear();
}

/// What of changes_ are forces that follow it, joints held.
bool NonsmoothStep::follow() {
  rows_.load_nothing();
  rows_.load_change_of_forces(following_.moved, changes_.data());
  std::vector<HeldRows>& joints = ahead_.rows;
  joints.assign(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(joints_));
  ahead_.shift.clear();
  for (const HeldRows& rows : joints)
    for (int r = 0; r < rows.count; ++r) ahead_.shift.push_back(-rows_.rate(rows.block, r));
  double* shift = ahead_.shift.data();
  for (HeldRows& rows : joints) rows.shift = shift, shift += rows.count;
  if (!rows_.solve({}, joints, 1e-9)) return false;
  following_.changes = rows_.report().v;
  return true;
}

/// Takes the forces that contacts had where the step began out of its end.
bool NonsmoothStep::release(double h) {
  const Layout& l = system_.layout;
  configure_end(h);
  hold_joints(true);
  move_.assign(move_.size(), 0.0), rows_.load_nothing();
  for (int i = 0; i < l.nv; ++i) move_[at(i)] = -bending_.moved.value[0] * bending_.reaction[at(i)];
  rows_.load(move_);
  if (!rows_.solve(resisted(Level::value), held_, 1e-8)) return false;
  const std::vector<double>& moved = rows_.report().v;
  const double* nu = rows_.report().r.data();
  for (const HeldRows& rows : held_)
    for (int r = 0; r < rows.count; ++r) trial_.lambda()[system_.relation_entries[rows.block].row + r] += *nu++ / bending_.moved.value[0];
  smooth_q_.assign(trial_.q(), trial_.q() + l.nq);
  system_.map.retract(smooth_q_.data(), moved.data(), l.nq, trial_.q());
  const double by = bending_.moved.rate[0] / bending_.moved.value[0];
  for (int i = 0; i < l.nv; ++i) trial_.v()[i] += by * moved[at(i)], bending_.released[at(i)] = -by / h * moved[at(i)];
  return true;
}

/// Smallest displacement U, by M, of the end of the smooth step that leaves no gap overlapping: Newton's method on the positions.
bool NonsmoothStep::part(const State& state, double h, StepReport& report) {
  const double size = this->size();
  std::fill(move_.begin(), move_.end(), 0.0);
  smooth_q_.assign(trial_.q(), trial_.q() + system_.layout.nq);
  gaps_.pressed.clear();
  double before = HUGE_VAL;
  for (int pass = 0;; ++pass) {
    configure_end(h);
    if (pass == 0 && pass_unseen(state, h, report)) return false;
    double depth = 0.0, open = 0.0;
    for (int b = 0; b < blocks_.size(); ++b)
      if (blocks_.gap(b)) depth = std::max(depth, -rows_.value(b)), open = std::max(open, pressed(b) ? std::abs(rows_.value(b)) : 0.0);
    control_.deep = depth;
    if (pass == 0) {
      control_.late.clear(), control_.overlap = depth;
      for (int b = 0; b < blocks_.size(); ++b)
        if (blocks_.gap(b) && rows_.value(b) < 0.0) control_.late.push_back({blocks_.key(b), rows_.value(b) / rows_.rate(b, 0), rows_.value(b)});
    }
    if (pass == 0 && depth <= 1e-13 * size && gaps_.adhering.empty()) return true;
    if (pass > 0) open = std::max({open, depth, rows_.open({held_.data(), joints_})});
    if (pass > 0 && (open <= 1e-14 * size || pass == 8 || (pass > 1 && open > 0.5 * before))) return true;
    before = pass > 0 ? open : HUGE_VAL;
    if (!solve_gaps(state, depth, h)) return pass == 0 && depth <= closed_;  // what jams has no way out; it hardly overlaps where the step is short
    ++report.iterations;
    std::copy_n(rows_.report().v.begin(), system_.layout.nv, move_.begin());
    gaps_.pressed.clear();
    const double* r = rows_.report().r.data();
    for (const HeldRows& rows : held_) {
      if (rows.set != &equality_set && r[0] > (rows.offset ? *rows.offset : 0.0)) gaps_.pressed.push_back(blocks_.key(rows.block));
      r += rows.count;
    }
    std::copy(smooth_q_.begin(), smooth_q_.end(), trial_.q());
    system_.map.retract(trial_.q(), move_.data());
  }
}

/// Whether a block carried in the last step.
bool NonsmoothStep::carried(const State& state, int block) const {
  const double* memory = state.memory();
  if (block < rows_.relations()) return memory[plan_.bore() + system_.relation_entries[block].row] != 0.0;
  const double identity = rows_.contacts()[block - rows_.relations()].identity(), *ids = memory + plan_.tail() + 1;
  return std::find(ids, ids + static_cast<int>(memory[plan_.tail()]), identity) != ids + static_cast<int>(memory[plan_.tail()]);
}

/// The impact of the step in phases, from the velocities before it; in held_ the offsets and biases of the step that follows. True where there is none.
bool NonsmoothStep::strike_in_phases(const State& state, double h, bool located) {
  ahead_.phased.clear();
  bool any = false;
  for (std::size_t k = joints_; k < held_.size(); ++k)
    if (const LawRef& of = blocks_.law(held_[k].block); of.type->phases > 0) ahead_.phased.push_back({.held = k, .law = &of});
  for (std::size_t k = joints_; k < held_.size(); ++k) any |= hits_[held_[k].block] != 0;
  if (ahead_.phased.empty() || !any) return ahead_.phased.clear(), true;
  std::vector<HeldRows>& ahead = ahead_.rows = held_;
  ahead_.shift.assign(6 * ahead.size(), 0.0);
  for (std::size_t k = joints_; k < ahead.size(); ++k) {
    HeldRows& rows = ahead[k];
    const LawType& type = *blocks_.law(rows.block).type;
    double* shift = ahead_.shift.data() + 6 * k;
    const bool stays = type.phases > 0 && carried(state, rows.block);  // what is left of its rate is no approach
    for (int r = 0; r < std::min(rows.count, 6); ++r) shift[r] = (rows.shift ? rows.shift[r] : 0.0) + (stays && r == 0 ? -rows_.rate(rows.block, r) : (located ? since(rows.block, h) : 1.0) * rows_.change_of_rate(rows.block, r, back_.data()));
    if (type.force_bounded) rows.set_scale = 0.0;
    if (rows.count <= 6) rows.shift = shift;
    rows.offset = nullptr;
  }
  rows_.load_nothing();
  if (!rows_.solve_phases(ahead, ahead_.phased, 1e-10)) return false;
  std::size_t row = 0, next = 0;
  for (std::size_t k = 0; k < ahead.size(); row += at(ahead[k++].count)) {
    if (next == ahead_.phased.size() || ahead_.phased[next].held != k) continue;
    const int block = ahead[k].block;
    blocks_.shift(block)[0] = -std::max(rows_.report().w[row], 0.0);
    std::copy_n(ahead_.phased[next++].percussion, ahead[k].count, blocks_.offset(block));
    held_[k].offset = blocks_.offset(block);
  }
  return true;
}

/// Impulses of the step: of what is closed, with the laws' bias from the velocities before it; of relays, by their forces.
/// The share of the step that is left where a gap closes, as overlap over speed says.
double NonsmoothStep::since(int block, double h) const {
  for (const auto& [key, time, value] : control_.late)
    if (key == blocks_.key(block) && time > 0.0) return std::min(time / h, 1.0);
  return 0.0;
}

/// What was closed before the step, neither closing nor opening: rows that turn into it make no impact. Where something closes that did not carry, the rows are looked at there.
void NonsmoothStep::find_resting(const State& state, double h) {
  gaps_.resting.clear();
  bool closes = false;
  for (int b = 0; b < blocks_.size(); ++b)
    closes |= blocks_.gap(b) && (rows_.value(b) <= closed_ || pressed(b)) && !carried(state, b);
  if (!closes) return;
  rows_.configure(state.t(), state.y(), state.data(), closed_);
  for (int b = 0; b < blocks_.size(); ++b)
    if (blocks_.gap(b) && rows_.value(b) <= closed_ && std::abs(rows_.rate(b, 0)) <= slow(state, b, h)) gaps_.resting.push_back(blocks_.key(b));
  configure_end(h);
}

/// `located`: an impact acts at the end of the step, with the velocities there; else somewhere within, with those before the step.
bool NonsmoothStep::strike(const State& state, double h, bool located, StepReport& report) {
  const Layout& l = system_.layout;
  impulse_.clear(), changes_.clear(), following_.changes.clear(), struck_ = control_.settles = control_.lifted = false;
  bool any = false;
  hold_joints(false);
  for (int i = 0; i < l.nv; ++i) back_[i] = state.v()[i] - trial_.v()[i];
  find_resting(state, h);
  blocks_.begin();
  hits_.assign(blocks_.size(), 0), bending_.time.clear(), bending_.begins.clear();
  for (int b = 0; b < blocks_.size(); ++b) bending_.time.push_back(time_of(state, b, h)), bending_.begins.push_back(!goes_on(state, b));
  for (int b = 0; b < blocks_.size(); ++b) {
    const LawType& type = *blocks_.law(b).type;
    const bool closed = rows_.value(b) <= closed_ || pressed(b) || adheres(b), across = blocks_.gap(b) && !closed && blocks_.law(b).across;
    if (type.equality || (blocks_.gap(b) && !closed && !across)) continue;
    any = true;
    held_.push_back(across ? blocks_.held_across(b, bending_.time[at(b)]) : blocks_.held(b, bending_.time[at(b)], adheres(b)));
    const int count = held_.back().count;
    if (!across && (located ? strikes(b) : type.impact) && !carried(state, b) && !is_in(gaps_.resting, b)) {
      double u[6];
      const double began = rows_.rate(b, 0) + rows_.change_of_rate(b, 0, back_.data());
      const bool flies = located && began > -1e-6 * rows_.rate(b, 0);  // it rose where the step began; what rested there rests
      const bool ends = flies || (located && began < -1e-6 * rows_.reach(b, 0));
      for (int r = 0; r < count; ++r) u[r] = rows_.rate(b, r) + (ends ? since(b, h) : 1.0) * rows_.change_of_rate(b, r, back_.data());
      control_.settles |= flies && u[0] < 0.0;
      if (type.impact) impact_bias(blocks_.law(b), count, u, blocks_.shift(b));
      hits_[b] = held_.back().strikes = u[0] < -slow(state, b, h);
      if (hits_[b] && type.force_bounded) held_.back().set_scale = since(b, h) * h;  // what forces bound acts since the gap closed
      control_.lifted |= pressed(b) && !hits_[b];
    }
  }
  if (!any) return true;
  if (plan_.phases && !strike_in_phases(state, h, located)) return false;
  rows_.load_nothing();
  ImpactWork work;  // laws in phases give none
  // Under error control an impact acts at an instant; at fixed steps somewhere within, and what is far stiffer than the step moves with what is struck.
  const bool hit = std::find(hits_.begin(), hits_.end(), 1) != hits_.end(), follows = plan_.follows && !hit;
  RowLevel rate = hit && (located || !plan_.bends) ? RowLevel{} : resisted(Level::rate);
  rate.direct = 1.0 / h;
  if (!(plan_.phases ? rows_.solve(rate, held_, 1e-9) : rows_.solve_impact(rate, held_, 1e-9, work))) return false;
  report.residual.laws = std::max(report.residual.laws, rows_.report().residual);
  impulse_ = rows_.report().r, changes_ = rows_.report().v;
  std::size_t row = 0;
  for (const HeldRows& rows : held_) {
    struck_ |= hits_[rows.block] && impulse_[row] > 0.0;
    row += at(rows.count);
  }
  if (struck_) report.impacts.add(work);
  control_.turned.clear(), control_.lets_go = false;
  if (!struck_ && !plan_.bends && push_along_the_way(state, h)) {
    impulse_ = rows_.report().r, control_.turned = rows_.report().v;
    changes_.swap(control_.turned);
    for (std::size_t i = 0; i < changes_.size(); ++i) control_.turned[i] = changes_[i] - control_.turned[i];
  }
  control_.rates = rows_.report().w;
  if (follows && !follow()) return false;
  for (int i = 0; i < l.nv; ++i) trial_.v()[i] += changes_[at(i)];
  for (int i = 0; i < l.nx; ++i) trial_.x()[i] += changes_[at(l.nv + i)];
  return true;
}

/// Impulses of forces over a step act along the mean of their directions at its two ends, and friction against the mean slip; along those of the end alone the step is of first
/// order where rows turn or masses vary, which count by their mean, too. The impulses just found load the rows with what their turning makes; the problem is solved once more. False: nothing turns.
bool NonsmoothStep::push_along_the_way(const State& state, double h) {
  const std::vector<double> w = rows_.report().w;
  const auto load_rows = [&](double share) {
    std::size_t row = 0;
    rows_.load_nothing();
    for (const HeldRows& rows : held_) {
      const int block = share < 0.0 ? rows.block : blocks_.of_key(keys_[at(&rows - held_.data())]);
      for (int r = 0; r < rows.count; ++r, ++row)
        if (block >= 0 && impulse_[row] != 0.0) rows_.load_row(block, r, share * impulse_[row]);
    }
  };
  keys_.clear();
  for (const HeldRows& rows : held_) keys_.push_back(blocks_.key(rows.block));
  load_rows(-0.5);
  rows_.load_varying_mass(0.5, changes_.data());
  turning_ = rows_.loads();
  rows_.configure(state.t(), state.y(), state.data(), std::max(0.02 * size(), blocks_.reach()));
  load_rows(0.5);
  rows_.load_varying_mass(-0.5, changes_.data());
  double largest = 0.0, turned = 0.0;
  for (std::size_t i = 0; i < turning_.size(); ++i) {
    largest = std::max(largest, std::abs(rows_.loads()[i]));
    turning_[i] = keys_found() ? turning_[i] + rows_.loads()[i] : 0.0;
    turned = std::max(turned, std::abs(turning_[i]));
  }
  bool slides = false;
  std::size_t row = 0;
  for (std::size_t k = 0; k < held_.size(); row += at(held_[k++].count)) slides |= k >= joints_ && shift_by_slip(k, w.data() + row);
  configure_end(h);
  if (!slides && turned <= 1e-12 * largest) return false;
  rows_.load_nothing();
  rows_.load(turning_);
  RowLevel rate = resisted(Level::rate);
  rate.direct = 1.0 / h;
  if (!rows_.solve(rate, held_, 1e-9)) return false;
  control_.lets_go = lets_go(state, h, w);
  return true;
}

/// Whether a gap opens at the rates w where it stays closed at those of the last solution, or the other way round: it lets go within the step.
bool NonsmoothStep::lets_go(const State& state, double h, const std::vector<double>& w) {
  std::size_t row = 0;
  for (const HeldRows& rows : held_) {
    const auto opens = [&](double rate) { return rate > slow(state, rows.block, h); };
    if (blocks_.gap(rows.block) && opens(w[row]) != opens(rows_.report().w[row])) return true;
    row += at(rows.count);
  }
  return false;
}

/// Whether every contact with an impulse was there where the step began.
bool NonsmoothStep::keys_found() const {
  return std::all_of(keys_.begin(), keys_.end(), [&](double key) { return blocks_.of_key(key) >= 0; });
}

/// The slip where the step began, at which the rows stand, into the shift of what slips on in two directions or more, all rows of an arm of the cone at once:
/// its friction lies along the sum of both.
bool NonsmoothStep::shift_by_slip(std::size_t k, const double* w) {
  const HeldRows& rows = held_[k];
  const int begin = blocks_.of_key(keys_[k]);
  if (begin < 0 || !blocks_.gap(begin)) return false;
  const LawRef& law = blocks_.law(begin);
  if (law.type->by_speed || rows.count > 6) return false;
  SlipArm arms[FrictionArm::most];
  const int count = slip_arms(*law.type->set, law.parameters, arms);
  bool any = false;
  for (int a = 0; a < count; ++a) {
    const SlipArm& arm = arms[a];
    if (arm.count < 2 || !arm.acts()) continue;
    double along = 0.0, now = 0.0, before = 0.0;
    for (int i = 0; i < arm.count; ++i) {
      const double square = arm.weight(i) * arm.weight(i), u = rows_.rate(begin, arm.row[i]), end = w[arm.row[i]];
      along += square * u * end, now += square * end * end, before += square * u * u;
    }
    if (!(along > 0.5 * std::sqrt(now * before)) || !(now > 0.01 * before) || !(before > 0.01 * now)) continue;  // it stops, or starts
    for (int i = 0; i < arm.count; ++i) blocks_.shift(rows.block)[arm.row[i]] += rows_.rate(begin, arm.row[i]);
    any = true;
  }
  return any;
}

void NonsmoothStep::configure_end(double h) {
  rows_.configure(trial_.t(), trial_.y(), trial_.data(), std::max(0.02 * size(), blocks_.reach()));
  blocks_.see(0.5 * h, trial_.data());
}

/// Along rows that stick the contacts take that back, too: what rests would creep under a force that varies.
void NonsmoothStep::hold_what_sticks(const State& state, double h) {
  const int nv = system_.layout.nv;
  std::vector<HeldRows>& sticking = ahead_.rows;
  sticking.clear(), ahead_.shift.clear();
  const double *r = impulse_.data(), *w = control_.rates.data();
  for (const HeldRows& rows : held_) {
    const auto rests = [&](double rate) { return std::abs(rate) <= slow(state, rows.block, h); };
    const bool joint = rows.set == &equality_set;
    if (joint || (blocks_.gap(rows.block) && r[0] > 0.0)) sticking.push_back({.block = rows.block, .count = joint || std::all_of(w, w + rows.count, rests) ? rows.count : 1, .set = &equality_set});
    r += rows.count, w += rows.count;
  }
  for (const HeldRows& rows : sticking)
    for (int k = 0; k < rows.count; ++k) ahead_.shift.push_back(rows_.change_of_rate(rows.block, k, control_.beside.data()) - rows_.value(rows.block, k));
  double* shift = ahead_.shift.data();
  for (HeldRows& rows : sticking) rows.shift = shift, shift += rows.count;
  rows_.load_nothing();
  if (!rows_.solve(resisted(Level::value), sticking, 1e-8)) return;
  for (int i = 0; i < nv; ++i) move_[at(i)] += rows_.report().v[at(i)];
}

/// Without an impact the impulses are those of forces over the step, which move it by h/2 of their change of velocity; then joints and the gaps that carry are closed.
void NonsmoothStep::move_with_forces(State& state, double h) {
  const double over = plan_.bends ? bending_.moved.value[0] / bending_.moved.rate[0] : 0.5 * h;
  for (int i = 0; i < system_.layout.nv; ++i) move_[at(i)] = over * changes_[at(i)];
  if (control_.together) hold_what_sticks(state, h);
  gaps_.pressed.clear();
  std::size_t row = 0;
  for (const HeldRows& rows : held_) {
    const double most = rows.offset ? rows.offset[0] : 0.0;  // what pulls with all its adhesion parts
    if (blocks_.gap(rows.block) && impulse_[row] - most > 1e-9 * (std::abs(impulse_[row]) + std::abs(most))) gaps_.pressed.push_back(blocks_.key(rows.block));
    row += at(rows.count);
  }
  system_.map.retract(smooth_q_.data(), move_.data(), system_.layout.nq, trial_.q());
  std::vector<HeldRows>& closing = ahead_.rows;
  for (int pass = 0; pass < 4; ++pass) {
    rows_.configure(trial_.t(), trial_.y(), trial_.data(), 1e6 * closed_);
    closing.clear();
    for (int b = 0; b < blocks_.size(); ++b)
      if (blocks_.gap(b) ? pressed(b) : b < rows_.relations() && plan_.held[b] == 1) closing.push_back({.block = b, .count = blocks_.gap(b) ? 1 : rows_.rows(b), .set = &equality_set});
    if (!(rows_.open(closing) > std::max(1e-5 * closed_, rounding_of_ways(system_, state, size())))) break;
    rows_.load_nothing();
    if (!rows_.solve(resisted(Level::value), closing, 1e-8)) break;  // rows that contradict each other
    system_.map.retract(trial_.q(), rows_.report().v.data());
  }
  std::copy_n(trial_.q(), system_.layout.nq, state.q());
}

/// Forces of the step, or the events of its impacts; what the next step needs.
void NonsmoothStep::finish(State& state, double h, StepReport& report) {
  const Layout& l = system_.layout;
  before_.assign(state.lambda(), state.lambda() + l.rows);
  std::vector<double>& followed = following_.changes;
  if (!followed.empty()) {
    for (int i = 0; i < l.nv + l.nx; ++i) move_[at(i)] = followed[at(i)] / (i < l.nv ? following_.moved.rate[0] : following_.moved.value[1]);
    smooth_.add_to_rates(trial_, h, {move_.data(), at(l.nv + l.nx)});
  }
  give(state);
  double* memory = state.memory();
  std::fill(memory + plan_.bore(), memory + plan_.xdot(), 0.0);
  std::fill(memory + plan_.tail(), memory + state.layout().memory_size, 0.0);
  system_.contacts.clear_forces(state.data());
  if (plan_.bends) rows_.load_nothing(), bending_.loads = rows_.loads();
  if (impulse_.empty()) return finish_bending(state, h, false);
  const double* r = impulse_.data();
  bool begins = false;
  for (std::size_t k = 0; k < held_.size(); r += held_[k++].count) {
    const HeldRows& rows = held_[k];
    double square = 0.0;
    std::array<double, 6> parts{};
    for (int i = 0; i < rows.count; ++i) square += r[i] * r[i];
    std::copy_n(r, std::min(rows.count, 6), parts.begin());
    if (struck_ && square > 0.0) {
      const bool hit = hits_[rows.block] && blocks_.law(rows.block).type->impact;
      report.events.push_back({state.t(), hit ? "impact" : "percussion", blocks_.name(rows.block), hit ? r[0] : std::sqrt(square), parts});
    }
    const bool contact = k >= joints_;
    const double time = contact || !bending_.known || struck_ ? bending_.time[at(rows.block)] : bending_.moved.rate[0];
    for (int i = 0; plan_.bends && contact && !struck_ && i < rows.count; ++i)
      if (r[i] != 0.0) rows_.load_row(rows.block, rows.row(i), r[i] / time), begins |= bending_.begins[at(rows.block)] != 0;
    if (rows.block < rows_.relations()) {
      const int row = system_.relation_entries[rows.block].row;
      memory[plan_.bore() + row] = contact && stays(state, rows, r, h);
      for (int i = 0; i < rows.count; ++i) {
        if (!struck_) state.lambda()[row + i] += r[i] / time;
        else if (contact && carried_before(rows.block)) state.lambda()[row + i] = before_[row + i];
      }
    } else {
      keep_contact(rows, r, time, h, state, report);
    }
  }
  if (plan_.bends) bending_.loads = rows_.loads();
  const auto pushed = [&](int i) { return (changes_[at(i)] - (followed.empty() ? 0.0 : followed[at(i)])) / h; };
  for (int i = 0; !struck_ && i < l.nv; ++i) state.a()[i] += pushed(i);
  for (int i = 0; i < l.nx; ++i) state.xdot()[i] += pushed(l.nv + i);
  if (!struck_) move_with_forces(state, h);
  finish_bending(state, h, begins);
}

/// Keeps the forces of contacts and what they make of vdot. Behind impacts and where a contact begins the next step begins anew.
void NonsmoothStep::finish_bending(State& state, double h, bool begins) {
  if (!plan_.bends) return;
  const Layout& l = system_.layout;
  double *memory = state.memory(), *force = memory + plan_.reaction();
  std::copy_n(bending_.loads.begin(), l.nv, force);
  force[l.nv] = struck_ ? 0.0 : 1.0;
  if (struck_ || begins) {
    memory[plan_.jumped()] = 1.0;
    for (int i = 0; i < l.nv; ++i) state.a()[i] -= bending_.released[at(i)];
    return smooth_.begin_anew(state);
  }
  std::vector<double>& change = move_;
  for (int i = 0; i < l.nv; ++i) change[at(i)] = ((changes_.empty() ? 0.0 : changes_[at(i)]) - h * bending_.released[at(i)]) / bending_.moved.rate[0];
  smooth_.add_to_rates(trial_, h, {change.data(), at(l.nv)});
  std::copy(trial_.memory(), trial_.memory() + plan_.vdot(), memory);
  std::copy(trial_.a(), trial_.a() + l.nv, memory + plan_.vdot());
  std::copy(trial_.a(), trial_.a() + l.nv, state.a());
  for (std::size_t k = 0; k < system_.relation_entries.size(); ++k) {
    const RelationEntry& e = system_.relation_entries[k];
    for (int r = e.row; plan_.held[k] && r < e.row + e.rows; ++r) memory[plan_.lambda() + r] = state.lambda()[r];
  }
}

/// Whether a contact carries at the end of the step: it does not part, nor has it just struck, but where it has adhesion, which holds it if it does not rebound.
/// What adheres parts where it opens: that it pulls with all its adhesion says nothing, for the forces of redundant contacts are not unique.
bool NonsmoothStep::stays(const State& state, const HeldRows& rows, const double* r, double h) {
  const int block = rows.block;
  if (hits_[block]) return blocks_.law(block).adhesion() > 0.0 && blocks_.shift(block)[0] == 0.0 && r[0] > 0.0;
  return r[0] > (rows.offset ? std::min(*rows.offset, 0.0) : 0.0) || (adheres(block) && control_.rates[r - impulse_.data()] <= slow(state, block, h));
}

/// Force of a contact between groups in the data of its group, its identity in the memory. Impulses of impacts are events, no forces.
void NonsmoothStep::keep_contact(const HeldRows& rows, const double* r, double time, double h, State& state, StepReport& report) {
  const int block = rows.block;
  const Contact& c = rows_.contacts()[block - rows_.relations()];
  double *tail = state.memory() + plan_.tail(), force[6] = {};
  for (int i = 0; !hits_[block] && i < rows.count; ++i) force[i] = r[i] / time;
  give_contact(system_, rows_.contact_set(), c, force, rows.offset ? -*rows.offset / time : 0.0, state.v(), h, state, report);
  if (stays(state, rows, r, h) && tail[0] < plan_.capacity()) tail[1 + static_cast<int>(tail[0]++)] = c.identity();
}

}  // namespace saltus
