#include "saltus/integrate/moreau_release.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "saltus/base/index.hpp"
#include "saltus/integrate/moreau_control.hpp"
#include "saltus/problem/slip_arms.hpp"

namespace saltus {
namespace {
constexpr int most_rows = 64;
constexpr double all = 0.999;  // of the friction that pressure allows: rounding below it
constexpr double safety = 0.9, probe = 1.0 / 8.0;  // probe: of the step, to look behind its end

/// Part of what a distance to a bound is made of that counts as none: multipliers are solved to 1e-8.
constexpr double rounding = 1e-7;

/// Of the largest push on all unknowns, moments by the model's length: what is smaller is rounding; what a multiplier is that should be zero.
constexpr double unfelt = 1e-6, nothing = 1e-12;

/// Share of the step that is left when a distance, `first` at 1/4 and `second` at 3/4, falls through zero; `end`: at its end. held: whatever the first is.
double left_after_zero(double first, double second, double end, double size, bool held = false) {
  const double none = rounding * size;
  if (!((held || first > none) && end < -none)) return 0.0;
  return 0.25 * -end / (second - end);
}

/// Multipliers drawn on to the end of a step: in a straight line, or bent as that of the whole, which stands for the middle, says where it follows those of the halves.
struct DrawnOn {
  const double *first, *second;
  double end[most_rows] = {};

  explicit DrawnOn(int rows, const StepMeans& of) : first(of.first), second(of.second) {
    for (int r = 0; r < rows; ++r) {
      end[r] = 1.5 * second[r] - 0.5 * first[r];
      const double bend = of.whole ? of.whole[r] - 0.5 * (first[r] + second[r]) : 0.0;
      if (std::abs(bend) <= 0.5 * std::abs(second[r] - first[r])) end[r] -= 3.0 * bend;
    }
  }
};

/// Of a cone: the normal force, and each arm that acts. sticks: of a single arm.
double left_of_cone(std::span<const SlipArm> arms, const DrawnOn& of, bool sticks) {
  const double normal[] = {of.first[0], of.second[0], of.end[0]}, size = std::max(std::abs(normal[0]), std::abs(normal[1]));
  double late = left_after_zero(normal[0], normal[1], normal[2], size);
  for (const SlipArm& arm : arms) {
    if (!arm.acts()) continue;
    double left[3];
    for (int k = 0; k < 3; ++k) {
      const double* force = k == 0 ? of.first : k == 1 ? of.second : of.end;
      double along = 0.0;
      for (int c = 0; c < arm.count; ++c) along = std::hypot(along, force[arm.row[c]] / arm.friction[c]);
      left[k] = (k == 2 ? std::max(normal[2], 0.0) : normal[k]) - along;
    }
    late = std::max(late, left_after_zero(left[0], left[1], left[2], size, sticks && arms.size() == 1));
  }
  return late;
}

double left_of_bounds(int rows, const double* low, const double* high, const DrawnOn& of) {
  double late = 0.0;
  for (int r = 0; r < rows; ++r) {
    const double first = of.first[r], second = of.second[r], end = of.end[r], size = std::max(std::abs(first), std::abs(second));
    if (std::isfinite(low[r])) late = std::max(late, left_after_zero(first - low[r], second - low[r], end - low[r], size));
    if (std::isfinite(high[r])) late = std::max(late, left_after_zero(high[r] - first, high[r] - second, high[r] - end, size));
  }
  return late;
}

/// Of any convex set, by its plane where the end is next to it. What was at the set's boundary at the first already has not left it since.
double left_of_convex(const SetType& set, const double* parameters, int rows, const DrawnOn& of) {
  const double none[most_rows] = {};
  double next[most_rows], beyond[most_rows], out = 0.0, size = 0.0;
  set.prox(parameters, rows, of.end, none, 0.0, 1.0, next);
  for (int r = 0; r < rows; ++r) out = std::hypot(out, of.end[r] - next[r]), size = std::max({size, std::abs(of.first[r]), std::abs(of.second[r])});
  if (!(out > rounding * size)) return 0.0;
  double first = 0.0, second = 0.0, left = 0.0;
  for (int r = 0; r < rows; ++r) {
    const double n = (of.end[r] - next[r]) / out;
    first += n * (next[r] - of.first[r]), second += n * (next[r] - of.second[r]), beyond[r] = of.first[r] + rounding * size * n;
  }
  set.prox(parameters, rows, beyond, none, 0.0, 1.0, next);
  for (int r = 0; r < rows; ++r) left = std::max(left, std::abs(beyond[r] - next[r]));
  return left < 0.5 * rounding * size ? left_after_zero(first, second, -out, size) : 0.0;
}

}  // namespace

double late_release(const LawType& law, const double* parameters, int rows, const StepMeans& means, const double* row, bool sticks) {
  const SetType& set = *law.set;
  if (law.equality || rows > most_rows) return 0.0;
  const DrawnOn of(rows, means);
  SlipArm arms[FrictionArm::most];
  if (const int count = slip_arms(set, parameters, arms); count > 0) return left_of_cone({arms, at(count)}, of, sticks);
  if (!set.bounds && !set.standing) return left_of_convex(set, parameters, rows, of);
  double low[most_rows], high[most_rows];
  if (set.bounds) set.bounds(parameters, rows, 1.0, low, high);
  else set.standing(parameters, rows, row, 1.0, low, high);
  return left_of_bounds(rows, low, high, of);
}

double largest_force(const LawRef& law, int rows) {
  constexpr double farthest = 1e30;  // what is next to that is no bound
  if (!law.type->force_bounded || law.type->equality || rows > most_rows) return 0.0;
  const double none[most_rows] = {};
  double largest = 0.0;
  for (int r = 0; r < rows; ++r)
    for (const double side : {-1.0, 1.0})
      for (double far = 1.0; far < farthest; far *= 16.0) {
        double force[most_rows] = {}, next[most_rows];
        force[r] = side * far;
        law.type->set->prox(law.parameters, rows, force, none, 0.0, 1.0, next);
        if (std::abs(next[r]) > 0.5 * far) continue;
        largest = std::max(largest, std::abs(next[r]));
        break;
      }
  return largest;
}

bool draw_on(int rows, const double* whole, const double* first, double* second) {
  double as_mean = 0.0, as_end = 0.0;
  for (int r = 0; r < rows; ++r)
    as_mean = std::max(as_mean, std::abs(whole[r] - 0.5 * (first[r] + second[r]))), as_end = std::max(as_end, std::abs(whole[r] - second[r]));
  if (!(as_mean < as_end)) return false;
  for (int r = 0; r < rows; ++r) second[r] = 1.5 * second[r] - 0.5 * first[r];
  return true;
}

bool all_friction(const LawRef& law, int rows, const double* multipliers) {
  const SetType& set = *law.type->set;
  double friction = 0.0;
  for (int r = 1; r <= set.sliding && r < rows; ++r) friction = std::hypot(friction, multipliers[r]);
  return set.sliding > 0 && (!set.friction || friction > all * set.friction(law.parameters) * multipliers[0]);
}

Switched switched_arms(const LawRef& law, int rows, const double* before, const double* behind) {
  Switched out;
  SlipArm arms[FrictionArm::most];
  const SetType& set = *law.type->set;
  if (rows <= set.sliding + 1 || !(before[0] > 0.0 && behind[0] > 0.0)) return out;
  const int count = slip_arms(set, law.parameters, arms);
  for (const SlipArm* arm = arms; arm < arms + count; ++arm) {
    if (arm->row[0] <= set.sliding || arm->row[arm->count - 1] >= rows || !arm->acts()) continue;
    double was = 0.0, is = 0.0, product = 0.0;
    for (int k = 0; k < arm->count; ++k) {
      const int r = arm->row[k];
      was = std::hypot(was, before[r] / arm->friction[k]), is = std::hypot(is, behind[r] / arm->friction[k]), product += before[r] * behind[r];
    }
    if (!(was > all * before[0])) continue;
    const bool moves = is > all * behind[0];
    out.held |= !moves, out.jumped |= moves && product < 0.0;
  }
  return out;
}

void into_set(const LawRef& law, int rows, double* force) {
  const SetType& set = *law.type->set;
  double low[most_rows], high[most_rows];
  if (law.type->equality) return;
  if (set.bounds) {
    set.bounds(law.parameters, rows, 1.0, low, high);
    for (int r = 0; r < rows; ++r) force[r] = std::clamp(force[r], low[r], high[r]);
  } else if (set.friction) {
    double square = 0.0;
    for (int r = 1; r < rows; ++r) square += force[r] * force[r];
    force[0] = std::max(0.0, force[0]);
    const double most = set.friction(law.parameters) * force[0], size = std::sqrt(square);
    for (int r = 1; r < rows && size > most; ++r) force[r] *= most / size;
  } else {
    const double none[most_rows] = {};
    set.prox(law.parameters, rows, force, none, 0.0, 1.0, low);
    std::copy_n(low, rows, force);
  }
}

const double* MoreauContacts::impulses(const double* tail, const Contact& c) const {
  int low = 0, high = static_cast<int>(tail[0]);  // identities ascend
  while (low < high) {
    const int i = (low + high) / 2;
    (tail[1 + entry_ * i] < c.identity() ? low : high) = tail[1 + entry_ * i] < c.identity() ? i + 1 : i;
  }
  const double* entry = tail + 1 + entry_ * low;
  return low < static_cast<int>(tail[0]) && entry[0] == c.identity() ? entry + 1 : nullptr;
}

double MoreauContacts::late_release(const double* whole, const double* first, const double* second, double h) const {
  double late = 0.0;
  const int l = static_cast<int>(whole[0]), n = static_cast<int>(first[0]), m = static_cast<int>(second[0]);
  for (int i = 0, j = 0, k = 0; i < n && j < m;) {  // identities ascend
    const double *a = first + 1 + entry_ * i, *b = second + 1 + entry_ * j;
    i += a[0] <= b[0], j += b[0] <= a[0];
    if (a[0] != b[0]) continue;
    while (k < l && whole[1 + entry_ * k] < a[0]) ++k;
    const double* w = k < l && whole[1 + entry_ * k] == a[0] ? whole + 1 + entry_ * k : nullptr;
    const auto [A, B] = system_.contacts.pair_of(a[0]);
    bool a_first = true;
    const ContactLaw& law = system_.contacts.laws[system_.contacts.law_number(system_.contacts.group_of(A, B, a_first), A, B)];
    double force[3][ContactGroup::most_rows];  // the tails hold impulses
    for (int r = 0; r < law.rows; ++r) force[0][r] = a[1 + r] / h, force[1][r] = b[1 + r] / h, force[2][r] = w ? 0.5 * w[1 + r] / h : 0.0;
    late = std::max(late, saltus::late_release(*law.law.type, law.law.parameters, law.rows, {w ? force[2] : nullptr, force[0], force[1]}, nullptr));
  }
  return late;
}

void MoreauContacts::draw_on(const double* whole, const double* first, const double* second, double* data) const {
  const double h = second[tail_size(system_) - 1];
  system_.contacts.clear_forces(data);
  const std::span<const Contact> all = set_.contacts();
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].A == all[begin].A && all[end].B == all[begin].B) ++end;
    const std::span<const Contact> pair = all.subspan(begin, end - begin);
    const bool drawn = draws_on(pair, whole, first, h);
    for (const Contact& c : pair) {
      double force[ContactGroup::most_rows];
      const double* before = drawn ? impulses(first, c) : nullptr;
      for (int r = 0; r < c.rows; ++r) {
        const double mean = (mu_[c.row + r] - offset_[c.row + r]) / h;
        force[r] = drawn ? 1.5 * mean - 0.5 * before[r] / h : mean;
      }
      if (drawn && pair.size() == 1 && !across(c)) into_set(law(c), c.rows, force);
      for (int r = 0; r < c.rows; ++r) force[r] += offset_[c.row + r] / h;
      system_.contacts.add_force(c, force, data);
    }
  }
}

/// Of the points of a pair the sum: how they share it is not always unique, and the whole and the halves choose differently.
bool MoreauContacts::draws_on(std::span<const Contact> pair, const double* whole, const double* first, double h) const {
  Vec3<double> sum[3]{};
  double pressed[3] = {};
  for (const Contact& c : pair) {
    const double *of_whole = impulses(whole, c), *of_first = impulses(first, c);
    if (!of_whole || !of_first) return false;
    for (int r = 0; r < std::min(c.rows, c.along); ++r) {
      const double means[3] = {0.5 * of_whole[r] / h, of_first[r] / h, (mu_[c.row + r] - offset_[c.row + r]) / h};
      for (int k = 0; k < 3; ++k) sum[k] += c.axes[r] * means[k], pressed[k] += r == 0 ? means[k] : 0.0;
    }
  }
  if (!(pressed[0] > 0.0 && pressed[1] > 0.0 && pressed[2] > 0.0) || (pair.size() > 1 && !(1.5 * pressed[2] > 0.5 * pressed[1]))) return false;
  return norm(sum[0] - (sum[1] + sum[2]) * 0.5) < norm(sum[0] - sum[2]);
}

/// Slip that turns round, or ends, at contacts that carry before and after; both by the directions of the last step. What slips has all the friction that its pressure
/// allows: other slips are rounding.
Switched MoreauContacts::switched(const double* v_before, const double* v_after, const double* before, const double* after) const {
  constexpr double still = 1e-7;  // of the terms of the slip
  enum class Friction { none, some, all };
  const auto friction = [&](const double* tail, const Contact& c) {
    const double* impulse = impulses(tail, c);
    if (!impulse || !(impulse[0] > 0.0)) return Friction::none;
    return all_friction(law(c), c.rows, impulse) ? Friction::all : Friction::some;
  };
  Switched out;
  for (const Contact& c : set_.contacts()) {
    if (const double *was = impulses(before, c), *is = impulses(after, c); was && is) out.add(switched_arms(law(c), c.rows, was, is));
    const int sliding = std::min(system_.contacts.law(c).type->set->sliding, c.rows - 1);
    double along = 0.0, slip[2] = {}, most = 0.0;
    for (int r = 1; r <= sliding; ++r) {
      const double u[2] = {set_.rate(c, r, v_before), set_.rate(c, r, v_after) + turns_.of(c)[r]};
      along += u[0] * u[1];
      for (const int k : {0, 1}) slip[k] = std::hypot(slip[k], u[k]);
      for (int i = 0; i < c.columns; ++i) most += std::abs(set_.H(c)[r * c.columns + i]) * std::max(std::abs(v_before[set_.columns(c)[i]]), std::abs(v_after[set_.columns(c)[i]]));
    }
    if (!(slip[0] > still * most) || (slip[1] > still * most && !(along < 0.0))) continue;
    if (friction(before, c) != Friction::all) continue;
    const Friction behind = friction(after, c);
    out.jumped |= behind == Friction::all && slip[1] > still * most, out.held |= behind == Friction::some;
  }
  return out;
}

bool MoreauContacts::left(const double* before, const double* after) const {
  const auto pair = [&](const double* tail, int i) { return system_.contacts.pair_of(tail[1 + entry_ * i]); };
  const int n = static_cast<int>(before[0]), m = static_cast<int>(after[0]);
  for (int i = 0, j = 0; i < n;) {  // identities ascend, pair by pair
    const auto here = pair(before, i);
    bool carried = false, carries = false;
    for (; i < n && pair(before, i) == here; ++i) carried |= before[2 + entry_ * i] > 0.0;
    while (j < m && pair(after, j) < here) ++j;
    for (; j < m && pair(after, j) == here; ++j) carries |= after[2 + entry_ * j] > 0.0;
    if (carried && !carries) return true;
  }
  return false;
}

double MoreauStep::late_release(const State& whole, const State& first, const State& second, std::span<const double> rows, double h) const {
  double late = 0.0;
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    if (plan_.entries[i].equality) continue;
    const LawRef& law = model_.laws.relation(i);  // with what it remembers
    const double *means[3] = {whole.lambda() + e.row, first.lambda() + e.row, second.lambda() + e.row};
    double force[3][ContactGroup::most_rows] = {};  // in the set of a law that adheres
    for (int k = 0; k < 3 && law.type->pulls() && e.rows <= ContactGroup::most_rows; ++k) {
      std::copy_n(means[k], e.rows, force[k]);
      force[k][0] += law.adhesion();
      means[k] = force[k];
    }
    const int status = plan_.status(i);
    const bool sticks = plan_.entries[i].gap && first.memory()[status] == 1.0 && second.memory()[status] == 1.0;
    late = std::max(late, saltus::late_release(*law.type, law.parameters, e.rows, {means[0], means[1], means[2]}, rows.data() + e.row, sticks));
  }
  if (system_.contacts.empty()) return late;
  return std::max(late, contacts_.late_release(whole.memory() + plan_.contact_tail, first.memory() + plan_.contact_tail, second.memory() + plan_.contact_tail, h));
}

bool MoreauContacts::lets_go() const {
  return std::any_of(set_.contacts().begin(), set_.contacts().end(), [&](const Contact& c) { return offset_[c.row] < 0.0 && law(c).type->pulls() && !across(c) && !(mu_[c.row] > offset_[c.row]); });
}

bool MoreauStep::lets_go() const {
  if (!plan_.shifts) return false;
  const auto lets_go = [&](int i) {
    const int row = system_.relation_entries[i].row;
    return plan_.entries[i].gap && system_.relation_entries[i].law.type->pulls() && !rows_.across[i] && offsets_.of_row(row) < 0.0 && !(solution_.mu[row] > offsets_.of_row(row));
  };
  return std::any_of(rows_.entries.begin(), rows_.entries.end(), lets_go) || contacts_.lets_go();
}

bool MoreauStep::moves_nothing(std::size_t i, int r) const {
  if (!plan_.entries[i].impulse || plan_.entries[i].columns == 0) return false;
  const int n = plan_.entries[i].columns, all = n * system_.relation_entries[i].rows;
  const auto largest = [](const double* x, int count) { return std::abs(*std::max_element(x, x + count, [](double a, double b) { return std::abs(a) < std::abs(b); })); };
  const double* directions = before_.directions.data() + model_.block_begin[i];
  return largest(directions + r * n, n) <= 1e-14 * largest(directions, all);
}

void MoreauStep::add_action(std::size_t i, const double* multipliers, double* net, double* gross) const {
  const MoreauEntry& p = plan_.entries[i];
  const double* directions = before_.directions.data() + model_.block_begin[i];
  for (int c = 0; c < p.columns; ++c) {
    double force = 0.0;
    for (int r = 0; r < system_.relation_entries[i].rows; ++r) force += directions[r * p.columns + c] * multipliers[r];
    net[plan_.columns[p.column_begin + c]] += force, gross[plan_.columns[p.column_begin + c]] += std::abs(force);
  }
}

Switched MoreauStep::switched(const State& before, const State& after) const {
  const double *from = before.memory() + plan_.status(0), *to = after.memory() + plan_.status(0);
  Switched out;
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (p.equality || from[i] < 0.0) continue;
    if (p.gap) {
      double product = 0.0;  // slip that turns round turns its friction round: impulses, which a start anew keeps
      for (int r = 1; r < e.rows; ++r)
        if (!moves_nothing(at(i), r)) product += before.memory()[e.row + r] * after.memory()[e.row + r];
      out.jumped |= product < 0.0 && to[i] == 2.0;
      out.held |= from[i] == 2.0 && to[i] == 1.0;
      out.add(switched_arms(model_.laws.relation(i), e.rows, before.memory() + e.row, after.memory() + e.row));
      continue;
    }
    if (p.rubs && from[i] > 0.0 && to[i] > 0.0) {
      out.jumped |= std::inner_product(before.memory() + e.row, before.memory() + e.row + e.rows, after.memory() + e.row, 0.0) < 0.0;
      continue;
    }
    const bool passed = p.level == Level::value && e.law.type->force_bounded && p.columns > 0 && plan_.columns[p.column_begin] < system_.layout.nv;
    auto a = static_cast<std::int64_t>(from[i]), b = static_cast<std::int64_t>(to[i]);
    for (; a != b; a /= 4, b /= 4) {
      if (a % 4 == b % 4) continue;
      out.jumped |= passed || b % 4 != 0;
      out.held |= b % 4 == 0;
    }
  }
  if (system_.contacts.empty()) return out;
  out.add(contacts_.switched(before.v(), after.v(), before.memory() + plan_.contact_tail, after.memory() + plan_.contact_tail));
  return out;
}

/// Where a multiplier jumped in the first half all three steps have it jump at the beginning, so that their difference tells nothing: the
/// rates of before may have lasted until the end of that half. What they find held at the end, where the row vanishes by a multiplier between
/// its bounds, may be passed all the same: a step from there tells. Nothing is wrong where a step as short as the tolerance asks jumps too.
/// What adheres and lets go pulls until its step ends: in the second half of the halves as in the whole. quiet: there was no impact in the step before, so that what carried and is left,
/// as a table by a ball that rolls off it, jumped since then.
StepError MoreauControl::unseen_jump(double h, const State& state, const MoreauStep::Change& change, bool quiet) {
  if (!holds_) return {};
  const bool pulled = one_.lets_go();
  const Switched first = one_.switched(before_, half_), both = one_.switched(before_, state);
  const bool switched = first.jumped || both.jumped, left_first = quiet && one_.left(before_, half_), left = left_first || (quiet && one_.left(before_, state));
  const State *from = pulled ? &state : &before_, *behind = first.jumped || left_first ? &half_ : &state;
  if (pulled || (!switched && !left)) {
    if (!pulled && !both.held) return {};
    beyond_ = state;
    const bool known = one_.step(beyond_, probe * h).status == StepStatus::accepted;
    if (!known || !(pulled || one_.switched(before_, beyond_).jumped)) {
      last_.slip_ended = known && both.held && !one_.change().impact;
      return {};
    }
    behind = &beyond_;
  }
  const Layout& l = plan_.system->layout;
  double *velocity = error_.data() + l.nv, *first_order = velocity + l.nv;
  std::fill_n(error_.begin(), l.nv, 0.0);
  for (int i = 0; i < l.nv; ++i) velocity[i] = 0.5 * h * (behind->a()[i] - from->a()[i]);
  for (int i = 0; i < l.nx; ++i) first_order[i] = 0.5 * h * (behind->xdot()[i] - from->xdot()[i]);
  StepError out;
  out.event = true;
  out.error = worst(state, h, plan_.options.tolerance, !change.impact);
  if (!(out.error > 1.0) && left && !switched && !pulled) return {};  // one of several that hold a body, whose loads the motion does not determine
  if (!(out.error > 1.0) || pulled) return out;
  probe_ = before_;
  const double known = std::max(safety * h / out.error, smallest(before_.t()));
  if (one_.step(probe_, known).status == StepStatus::accepted && one_.switched(before_, probe_).jumped && !one_.switched(probe_, *behind).jumped) return {};
  return out;
}

void MoreauControl::exchange(const State& state) {
  std::fill(net_.begin(), net_.end(), 0.0), std::fill(gross_.begin(), gross_.end(), 0.0);
  double difference[most_rows];
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = plan_.system->relation_entries[i];
    if (!plan_.entries[i].impulse || e.rows > most_rows) continue;
    for (int k = 0, r = e.row; k < e.rows; ++k, ++r) difference[k] = whole_.lambda()[r] - 0.5 * (half_.lambda()[r] + state.lambda()[r]);
    one_.add_action(i, difference, net_.data(), gross_.data());
  }
  // Along what none of them pushes, as across the slip, both sums are rounding.
  const int nv = plan_.system->layout.nv;
  double most = 0.0;
  for (int c = 0; c < nv; ++c) most = std::max(most, weight(c) * gross_[at(c)]);
  for (int c = 0; c < nv; ++c) gross_[at(c)] = std::max(gross_[at(c)], unfelt * most / weight(c));
}

double MoreauControl::acting(std::size_t i) const {
  const MoreauEntry& p = plan_.entries[i];
  if (!p.impulse || plan_.system->relations[plan_.system->relation_entries[i].pool]->traits().uses_lambda) return 1.0;
  double share = 0.0;
  for (int k = p.column_begin; k < p.column_begin + p.columns; ++k)
    if (const std::size_t c = at(plan_.columns[k]); gross_[c] > 0.0) share = std::max(share, std::abs(net_[c]) / gross_[c]);
  return share;
}

double MoreauControl::roughness(const State& state) {
  const System& s = *plan_.system;
  const double share = std::sqrt(plan_.options.tolerance);
  double rough = 0.0;
  // What displaces a body by less than a hundredth of the tolerance, over the time in which the motion runs through its range, is rounding beside its inertia: in free flight there is no other force.
  const double time = pace(), felt = time > 0.0 ? 0.01 * plan_.options.tolerance / (share * time * time) : 0.0;
  if (!forces_[0].empty())
    for (const NodeEntry& node : s.nodes) {
      double difference = 0.0, scale = 0.0;  // forces count as they are, moments by the model's length
      for (int i = node.place.v; i < node.place.v + node.place.sizes.v; ++i) {
        const double *F = forces_[0].data(), *F1 = forces_[1].data(), *F2 = forces_[2].data();
        difference = std::max(difference, weight(i) * std::abs(F[i] - 0.5 * (F1[i] + F2[i])));
        scale = std::max({scale, weight(i) * std::abs(F1[i]), weight(i) * std::abs(F2[i]), weight(i) * held_scale_[i], felt * weight(i) * one_.mass(i) * range_[at(i)]});
      }
      if (scale > 0.0) rough = std::max(rough, difference / (share * scale));
    }
  exchange(state);
  const auto by_weight = [&](int i) { return weight(i); };
  double most = 0.0;  // push on an unknown
  for (int i = 0; i < s.layout.nv && !forces_[1].empty(); ++i) most = std::max(most, weight(i) * std::abs(forces_[1][at(i)]));
  for (std::size_t i = 0; i < plan_.entries.size(); ++i)
    if (plan_.entries[i].impulse) most = std::max(most, one_.push(i, state.lambda() + s.relation_entries[i].row, by_weight));
  const double multiplier_share = std::pow(plan_.options.tolerance, 2.0 / 3.0);
  for (int i = 0; i < count_of(plan_.entries); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    if (plan_.entries[i].equality || !lasts(i, state)) continue;
    if (plan_.entries[i].impulse && one_.push(at(i), state.lambda() + e.row, by_weight) <= nothing * most) continue;
    double difference = 0.0, scale = std::max(held_bound_[i], before_.memory()[plan_.largest_multiplier(i)]);
    for (int r = e.row; r < e.row + e.rows; ++r) {
      if (one_.moves_nothing(i, r - e.row)) continue;
      const double whole = whole_.lambda()[r], first = half_.lambda()[r], second = state.lambda()[r];
      difference = std::max(difference, std::min(std::abs(whole - 0.5 * (first + second)), std::abs(whole - second)));
      scale = std::max({scale, std::abs(first), std::abs(second)});
    }
    if (scale > 0.0) rough = std::max(rough, acting(at(i)) * difference / (multiplier_share * scale));
  }
  return rough;
}

double MoreauControl::unknowns_roughness(const State& state) const {
  const Layout& l = plan_.system->layout;
  const double unknown_share = std::min(0.1, 10.0 * std::sqrt(plan_.options.tolerance)), noise = 10.0 * plan_.solver_tolerance;
  double rough = 0.0, most = 0.0;
  const double *before = before_.z(), *half = half_.z(), *after = state.z();
  for (int i = 0; i < l.nz; ++i) most = std::max({most, std::abs(before[i]), std::abs(half[i]), std::abs(after[i])});
  for (int i = 0; i < l.nz; ++i) {
    const double own = std::max({std::abs(before[i]), std::abs(half[i]), std::abs(after[i])});
    const double difference = std::abs(half[i] - 0.5 * (before[i] + after[i]));
    if (std::abs(whole_.z()[i] - after[i]) > 0.25 * difference) continue;  // it swings from step to step: of the scheme, not of a source
    if (own > 0.0) rough = std::max(rough, difference / (unknown_share * own + noise * most));
  }
  return rough;
}

bool MoreauControl::lasts(std::size_t i, const State& state) const {
  const int at_status = plan_.status(static_cast<int>(i));
  const double status = state.memory()[at_status];
  return half_.memory()[at_status] == status && whole_.memory()[at_status] == status && (plan_.entries[i].equality || before_.memory()[at_status] == status);
}

/// A multiplier that acts on velocities and states is the mean of its step: that of the whole is the mean of the halves' then, and 3/2 of the
/// second less 1/2 of the first stands at the end. One that algebraic unknowns feel stands at the end: that of the whole is the second's. So are accelerations, where there was no event.
void MoreauControl::draw_on(State& state, bool event) const {
  const System& s = *plan_.system;
  for (int i = 0; !event && i < s.layout.nv; ++i) {
    const double first = half_.a()[i], second = state.a()[i], drawn_back = 1.5 * first - 0.5 * second;
    if (std::abs(drawn_back - before_.a()[i]) <= 0.6 * std::abs(second - first)) saltus::draw_on(1, whole_.a() + i, &first, state.a() + i);  // it changes evenly: no slip ended. Half of it off is what was not drawn on in the step before
  }
  for (int i = 0; i < count_of(plan_.entries); ++i) {
    double& largest = state.memory()[plan_.largest_multiplier(i)];
    for (int r = s.relation_entries[i].row; r < s.relation_entries[i].row + s.relation_entries[i].rows; ++r) largest = std::max(largest, std::abs(state.lambda()[r]));
  }
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    if (e.rows > most_rows || !lasts(i, state)) continue;
    double* second = state.lambda() + e.row;
    if (!saltus::draw_on(e.rows, whole_.lambda() + e.row, half_.lambda() + e.row, second) || one_.pulls_across(i)) continue;
    const LawRef& law = one_.law(i);
    const double pull = law.adhesion();
    second[0] += pull;
    into_set(law, e.rows, second);
    second[0] -= pull;
  }
  if (last_.slip_ended) take_forces_behind(state);
}

/// Where a slip ended in the step, means of its halves are of forces before and behind that: those of the probe from its end stand there.
void MoreauControl::take_forces_behind(State& state) const {
  const System& s = *plan_.system;
  std::copy_n(beyond_.a(), s.layout.nv, state.a());
  s.contacts.take_forces(beyond_.data(), state.data());
  for (std::size_t i = 0; i < plan_.entries.size(); ++i)
    if (const RelationEntry& e = s.relation_entries[i]; !lasts(i, state)) std::copy_n(beyond_.lambda() + e.row, e.rows, state.lambda() + e.row);
}

/// A parabola through the row at the beginning, the middle and the end of the step: how far it passes zero between them, where the row has one
/// sign at all three and its multiplier stays at its bound.
double MoreauStep::passed_between(const State& before, const State& half, const State& after, const std::array<std::span<const double>, 3>& rows) const {
  double deepest = 0.0, largest = 0.0;
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (p.equality || p.gap || p.level != Level::value || !e.law.type->set->bounds) continue;
    const bool own_part = system_.relations[e.pool]->traits().uses_lambda;
    for (int r = e.row; r < e.row + e.rows; ++r) {
      largest = std::max({largest, std::abs(rows[0][r]), std::abs(rows[1][r]), std::abs(rows[2][r])});
      if (before.lambda()[r] != 0.0 && own_part) continue;
      if (before.lambda()[r] != half.lambda()[r] || half.lambda()[r] != after.lambda()[r]) continue;
      const double sign = rows[1][r] < 0.0 ? -1.0 : 1.0, w0 = sign * rows[0][r], w1 = sign * rows[1][r], w2 = sign * rows[2][r];
      if (!(w0 > 0.0 && w1 > 0.0 && w2 > 0.0)) continue;
      const double slope = 4.0 * w1 - 3.0 * w0 - w2, bend = 2.0 * (w0 + w2) - 4.0 * w1;  // w0 + slope s + bend s^2
      if (!(slope < 0.0 && slope > -2.0 * bend)) continue;
      deepest = std::max(deepest, 0.25 * slope * slope / bend - w0);
    }
  }
  return deepest > 0.0 ? deepest / largest : 0.0;
}

/// Where a law may have switched and switched back between the samples, or algebraic unknowns run more coarsely than allowed, the step is too
/// long. What does not fall with it is a jump: of a source, or of a law that is located already.
void MoreauControl::look_between(double h, const State& state, const MoreauStep::Change& change, StepError& found) {
  if (between_.from != before_.t()) between_ = {before_.t(), HUGE_VAL, HUGE_VAL};
  const auto falls = [](double& last, double now) {
    const bool less = now < 0.6 * last;
    last = std::min(last, now);
    return less;
  };
  if (plan_.system->layout.nz > 0) {
    const double rough = unknowns_roughness(state);
    const bool counts = rough <= 1.0 ? !change.mode : falls(between_.rough, rough) || (h > plan_.options.coarse_step && !change.impact);
    if (counts) found.error = std::max(found.error, std::pow(rough, 0.5 * found.power));
  }
  const double passed = one_.passed_between(before_, half_, state, {row_at_start_, row_at_half_, row_at_end_}) / plan_.options.tolerance;
  if (passed > 1.0 && falls(between_.passed, passed)) found.error = std::max(found.error, 4.0), found.event = true, found.power = 1.0;
}

/// A probe from the end tells the accelerations behind the release; those that the halves drawn on would have are the others. Their
/// difference grows from zero at the release, `late` ago: it makes half of it times `late` of speed, a sixth of it times late^2 of way. What carried and is apart jumps: the ground ended. What adheres lets go in
/// the probe, and the step behind that tells by how much rates jumped at the release.
StepError MoreauControl::missed_release(const State& state, double h, bool lost) {
  constexpr double last_quarter = 0.25;  // behind the place where the second half found its contacts
  StepError out;
  out.power = 2.0;
  const double late = h * (lost ? last_quarter : one_.late_release(whole_, half_, state, row_at_end_, 0.5 * h));
  if (!(late > 0.0)) return out;
  const Layout& l = plan_.system->layout;
  probe_ = state;
  if (one_.step(probe_, probe * h).status != StepStatus::accepted || one_.change().impact) return out;
  if (lost && !one_.left(state, probe_)) return out;  // it stands open by rounding alone
  const bool pulled = one_.lets_go();
  if (pulled) beyond_ = probe_;
  if (pulled && (one_.step(beyond_, probe * h).status != StepStatus::accepted || one_.change().impact)) return out;
  const auto missed = [&](const double* start, const double* half, const double* end, const double* after, int i) {
    const double first = (half[i] - start[i]) / (0.5 * h), second = (end[i] - half[i]) / (0.5 * h);
    return std::abs((after[i] - end[i]) / (probe * h) - (1.5 * second - 0.5 * first));
  };
  double *position = error_.data(), *velocity = position + l.nv, *first_order = velocity + l.nv;
  for (int i = 0; i < l.nv; ++i) {
    const double a = missed(before_.v(), half_.v(), state.v(), probe_.v(), i);
    const double jump = pulled ? std::abs(beyond_.a()[i] - probe_.a()[i]) : lost ? a : 0.0;
    position[i] = (a / 6.0 + 0.5 * jump) * late * late, velocity[i] = (0.5 * a + jump) * late;
  }
  for (int i = 0; i < l.nx; ++i) first_order[i] = 0.5 * late * missed(before_.x(), half_.x(), state.x(), probe_.x(), i);
  out.error = worst(state, h, plan_.options.tolerance, true);
  out.event = out.error > 1.0;
  return out;
}

}  // namespace saltus
