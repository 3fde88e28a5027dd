#include "saltus/integrate/within_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/base/index.hpp"
#include "saltus/integrate/history.hpp"

namespace saltus {
namespace {

constexpr int looks = 16;         // at most this share of a step passes unseen
constexpr int most_meetings = 64;  // of pairs of frames that are asked for
constexpr double least_turn = 0.03, unseen = 1e-4;  // angle of a step from which corners are looked at; of the model's size, an overlap that is none
constexpr double most_turn = 0.5;  // beyond it the cubic between two attitudes is not the way: near others such a step is cut
constexpr int most_looks = 64;
constexpr double evenly = 1e-4, soon = 1e-6;  // of forces; of the time, what is located no better
constexpr double closed = 1e-6;   // of the model's size, a gap at which contacts may carry

}  // namespace

WithinStep::WithinStep(const System& system, Step step) : system_(system), assembly_(system), contacts_(system.contacts), wrench_(system.markers.size()), force_(at(system.layout.unknowns() + 1)), step_(std::move(step)) {
  const Kinematics& k = assembly_.frames();
  for (const auto& pool : system.forces)
    for (int i = 0; i < pool->size(); ++i) {
      if (!pool->lets_go(i)) continue;
      Item item{pool.get(), i, {}, {}};
      for (const Endpoint& end : pool->endpoints(i))
        if (end.kind == EndpointKind::frame) item.markers.push_back(end.marker);
      pool->columns(k, i, item.unknowns);
      items_.push_back(std::move(item));
    }
  for (const Collider& c : system.contacts.colliders)
    if (c.base >= 0 && c.shape.kind != ShapeKind::sphere) turning_.push_back(c.marker), reach_ = std::max(reach_, c.shape.bound());
  for (const BodyPresence& p : system.presences)
    if (!p.inside.is_constant()) regions_.push_back(&p);
  breaking_.places = places_of_breaks(system);
  if (breaking_.places.empty()) return;
  motion_ = std::make_unique<Accelerations>(system);
  motion_->hold(std::vector<char>(at(system.layout.rows), 0));  // laws that do not act
  lambda_.resize(at(system.layout.rows)), rates_.resize(at(system.layout.unknowns() + 1));
  for (const RelationEntry& e : system.relation_entries)
    for (int r = e.row; pool_of(system, e).traits().switched && r < e.row + e.rows; ++r) breaking_.rows.push_back(r);
}

/// Whether it has a force at the configuration of the assembly.
bool WithinStep::acts(const Item& item) {
  item.pool->add_item_force(assembly_.frames(), item.item, {wrench_.data(), force_.data()});
  bool any = false;
  for (const int m : item.markers) {
    for (int i = 0; i < 6; ++i) any |= wrench_[at(m)][i] != 0.0;
    wrench_[at(m)] = {};
  }
  for (const int u : item.unknowns)
    if (std::exchange(force_[at(u)], 0.0) != 0.0) any |= u < system_.layout.nv;  // rates of first-order states, as of a tyre's slip, are no forces
  return any;
}

void on_the_way(const System& system, const State& before, const State& after, std::span<const double> way, double share, bool straight, double* y) {
  const Layout& l = system.layout;
  const double h = after.t() - before.t(), s = share, back = 1.0 - s;
  const double bend = straight ? 0.0 : 1.0;  // from the straight way
  double* v = y + l.v_begin();
  const auto off = [&](const State& end, int i) { return bend * (h * end.v()[i] - way[at(i)]); };
  for (int i = 0; i < l.nv; ++i) v[i] = s * way[at(i)] + s * back * (back * off(before, i) - s * off(after, i));
  system.map.retract(before.q(), v, l.nq, y);
  for (int i = 0; i < l.nv; ++i) v[i] = (way[at(i)] + back * (1.0 - 3.0 * s) * off(before, i) - s * (2.0 - 3.0 * s) * off(after, i)) / h;
  for (int i = l.x_begin(); i < l.y_size(); ++i) y[i] = back * before.y()[i] + s * after.y()[i];
}

/// The configuration at a share of the step.
void WithinStep::look_at(const State& before, const State& after, double share) {
  on_the_way(system_, before, after, way_, share, straight_, y_.data());
  assembly_.update(before.t() + share * (after.t() - before.t()), y_.data(), before.lambda(), before.data());
}

/// Shares of the step at which the frames of a pair come closest to each other, as they move at its beginning and on the whole.
void WithinStep::add_meetings(const State& before, const State& after) {
  const double h = after.t() - before.t();
  const auto closest = [&](const Vec3<double>& p, const Vec3<double>& way) {
    const double s = -dot(p, way) / dot(way, way);
    // Beside it, too: two points at one place have no direction, and a spring between them no force.
    if (s > 1e-3 && s < 1.0 - 1e-3 && count_of(shares_) < most_meetings) shares_.push_back(s), shares_.push_back(s - 1e-3);
  };
  std::size_t pair = 0;
  for (const Item* item : idle_) {
    if (item->markers.size() != 2) continue;
    const Frame<double>*frames = assembly_.frames().frames, &a = frames[item->markers[0]], &b = frames[item->markers[1]];
    const Ends& begin = pairs_[pair++];
    closest(begin.p, b.p - a.p - begin.p), closest(begin.p, begin.v * h);
  }
}

/// How deep the deepest point lies in another body, at the configuration of the assembly.
double WithinStep::overlap() {
  contacts_.find(assembly_.kinematics(), 0.0);
  double deepest = 0.0;
  for (const Contact& c : contacts_.contacts()) deepest = std::max(deepest, -c.gap);
  return deepest;
}

/// Whether shapes that turn come so near to others in the step that their corners could touch, however they have turned.
bool WithinStep::comes_near(const State& before, const State& after) {
  for (int i = 0; i <= looks; ++i) {
    look_at(before, after, static_cast<double>(i) / looks);
    contacts_.find(assembly_.kinematics(), 2.0 * reach_);
    if (!contacts_.contacts().empty()) return true;
  }
  return false;
}

bool WithinStep::some_acts() {
  return std::any_of(idle_.begin(), idle_.end(), [&](const Item* item) { return acts(*item); });
}

bool WithinStep::some_left(const State& before) {
  return std::any_of(inside_.begin(), inside_.end(), [&](const BodyPresence* p) { return p->left(assembly_.frames(), before.data()); });
}

/// Where `met` begins to hold between two shares of the step, at the first of which it does not: just behind it.
template <class Met>
double WithinStep::onset(const State& before, const State& after, double low, double high, double enough, const Met& met) {
  while (high - low > enough) {
    const double middle = 0.5 * (low + high);
    look_at(before, after, middle);
    (met() ? high : low) = middle;
  }
  return high;
}

/// Who has no force where the step begins, who is in a region, how deep bodies are in each other.
void WithinStep::begin(const State& before, double length) {
  assembly_.update(before.t(), before.y(), before.lambda(), before.data());
  const Kinematics& k = assembly_.frames();
  idle_.clear(), pairs_.clear(), inside_.clear(), shares_.clear();
  for (const Item& item : items_)
    if (!acts(item)) idle_.push_back(&item);
  turned_ = 0.0;
  for (const int m : turning_) turned_ = std::max(turned_, norm(k.frames[m].w));
  if (turned_ * length > least_turn) overlap_ = overlap();
  for (const BodyPresence* p : regions_)
    if (p->is_there(before.data()) && !p->left(k, before.data())) inside_.push_back(p);
  for (const Item* item : idle_)
    if (item->markers.size() == 2) {
      const Frame<double>&a = k.frames[item->markers[0]], &b = k.frames[item->markers[1]];
      pairs_.push_back({b.p - a.p, b.v - a.v});
    }
}

/// How far bodies that were in their regions are outside of them, by the functions of these, at the configuration of the assembly.
double WithinStep::outside(const State& before) const {
  double most = -HUGE_VAL;
  for (const BodyPresence* p : inside_)
    for (const int frame : p->frames) {
      double value = 0.0;
      p->inside(assembly_.frames().frames[frame].p.data(), &value, before.data());
      most = std::max(most, -value);
    }
  return most;
}

/// Where a body leaves its region that is in it at both ends; 1: none does.
double WithinStep::left_within(const State& before, const State& after) {
  double found = 1.0;
  const auto distance = [&](double share) { return look_at(before, after, share), outside(before); };
  (void)some_share(looks, distance(0.0), distance(1.0), distance, [&](double share) { return found = share, true; });
  return found < 1.0 ? onset(before, after, 0.0, found, 1e-9, [&] { return some_left(before); }) : 1.0;
}

/// The configuration at a share of the step, with multipliers of the equations of motion there.
void WithinStep::look_at_forces(const State& before, const State& after, double share) {
  look_at(before, after, share);
  const double t = before.t() + share * (after.t() - before.t());
  for (int r = 0; r < system_.layout.rows; ++r) lambda_[at(r)] = (1.0 - share) * before.lambda()[r] + share * after.lambda()[r];
  if (motion_->solve(t, y_.data(), before.data(), lambda_.data(), rates_.data()).ok) assembly_.update(t, y_.data(), lambda_.data(), before.data());
}

/// Of joints that break, the square of their forces.
double WithinStep::load() const {
  double square = 0.0;
  for (const int r : breaking_.rows) square += lambda_[at(r)] * lambda_[at(r)];
  return square;
}

/// Whether one does, at the configuration and by the forces of the assembly.
bool WithinStep::breaks(const State& before) {
  data_.assign(before.data(), before.data() + system_.layout.nd);
  double* block = data_.data() + system_.history;
  (void)assembly_.remember(block);
  return std::any_of(breaking_.places.begin(), breaking_.places.end(), [&](int i) { return block[i] != before.data()[system_.history + i]; });
}

/// Whether a set-valued law or a contact between groups acts at one of the ends.
bool WithinStep::laws_act(const State& before, const State& after) {
  for (const RelationEntry& e : system_.relation_entries)
    for (int r = e.row; r < e.row + e.rows; ++r)
      if (!e.law.type->equality && (before.lambda()[r] != 0.0 || after.lambda()[r] != 0.0)) return true;
  for (const State* end : {&before, &after}) {
    if (system_.contacts.empty()) break;
    assembly_.update(end->t(), end->y(), end->lambda(), before.data());
    contacts_.find(assembly_.kinematics(), closed * system_.contacts.size);
    if (!contacts_.contacts().empty()) return true;
  }
  return false;
}

/// Of joints that break: the squares of their forces at both ends, their size, and how far they are in the middle from a straight line.
WithinStep::Loads WithinStep::loads(const State& before, const State& after, const double* middle) const {
  Loads out;
  for (const int r : breaking_.rows) {
    const double a = before.lambda()[r], b = after.lambda()[r], m = middle[r];
    out.bent = std::max(out.bent, std::abs(m - 0.5 * (a + b))), out.size = std::max({out.size, std::abs(a), std::abs(b), std::abs(m)});
    out.first += a * a, out.last += b * b;
  }
  return out;
}

/// Whether none would break by `more` times its force in the state.
bool WithinStep::bears(const State& state, double more) {
  std::copy_n(state.lambda(), system_.layout.rows, lambda_.begin());
  for (const int r : breaking_.rows) lambda_[at(r)] *= more;
  assembly_.update(state.t(), state.y(), lambda_.data(), state.data());
  return !breaks(state);
}

/// The same by forces behind steps of the scheme from the beginning, which has the laws. Such forces are as smooth as the motion, whose error is small: they are looked for where they
/// could be too large by what they differ from a straight line.
double WithinStep::broken_while_laws_act(const State& before, const State& after) {
  constexpr int few_looks = 4;
  constexpr double margin = 4.0;
  const double h = after.t() - before.t();
  const auto go = [&](double share) { return breaking_.trial = before, step_(breaking_.trial, share * h); };
  if (!go(0.5)) return 1.0;
  const auto [first, last, size, bent] = loads(before, after, breaking_.trial.lambda());
  if (!(bent > evenly * size)) return 1.0;
  const double more = 1.0 + margin * bent / size;
  if (bears(before, more) && bears(breaking_.trial, more) && bears(after, more)) return 1.0;
  double found = 1.0;
  const auto distance = [&](double share) {
    if (!go(share) || bears(breaking_.trial, 1.0)) return -1.0 / (1.0 + loads(before, breaking_.trial, breaking_.trial.lambda()).last);
    return 1.0;
  };
  (void)some_share(few_looks, -1.0 / (1.0 + first), -1.0 / (1.0 + last), distance, [&](double share) { return found = share, true; });
  return found;
}

/// Where a joint breaks that bears its force at both ends; 1: none does. Where forces run evenly they are largest at an end.
double WithinStep::broken_within(const State& before, const State& after) {
  if (after.t() - before.t() <= soon * std::max(1.0, std::abs(after.t()))) return 1.0;
  if (laws_act(before, after)) return broken_while_laws_act(before, after);
  look_at_forces(before, after, 0.5);
  const auto [first, last, size, bent] = loads(before, after, lambda_.data());
  if (!(bent > evenly * size)) return 1.0;
  const double least = soon * std::max(1.0, std::abs(after.t())) / (after.t() - before.t());
  const auto broken = [&](double share) { return look_at_forces(before, after, share), breaks(before); };
  if (broken(0.0)) return std::min(1.0, 2.0 * least);  // the scheme has its force later, as a mean
  double low = 0.0, high = broken(1.0) ? 1.0 : HUGE_VAL;
  const auto below = [unit = size](double square) { return -1.0 / (1.0 + square / (unit * unit)); };
  const auto distance = [&](double share) { return broken(share) ? 1.0 : below(load()); };
  (void)some_share(looks, below(first), below(last), distance, [&](double share) { return high = share, true; });
  if (high > 1.0) return 1.0;
  while (high - low > 0.5 * least) {
    const double middle = 0.5 * (low + high);
    (broken(middle) ? high : low) = middle;
  }
  return high;
}

WithinStep::Found WithinStep::first(const State& before, const State& after, bool jumps) {
  const Layout& l = system_.layout;
  const double length = after.t() - before.t();
  if (!(length > 0.0)) return {};
  straight_ = jumps;
  begin(before, length);
  const double angle = turned_ * length;
  const bool turns = angle > least_turn, bears = motion_ && !jumps;
  if (idle_.empty() && inside_.empty() && !turns && !bears) return {};
  way_.resize(at(l.nv)), y_.resize(at(l.y_size()));
  system_.map.difference(before.q(), after.q(), way_.data());
  const Found acting = first_acting(before, after, turns, angle);
  if (acting.share < 1.0 || acting.leaves) return acting;
  if (!inside_.empty() && !jumps)
    if (const double share = left_within(before, after); share < 1.0) return {.share = share, .leaves = true};
  if (bears) return {.share = broken_within(before, after), .breaks = true};
  return {};
}

WithinStep::Found WithinStep::first_acting(const State& before, const State& after, bool turns, double angle) {
  assembly_.update(after.t(), after.y(), before.lambda(), before.data());
  add_meetings(before, after);
  std::erase_if(idle_, [&](const Item* item) { return acts(*item); });
  const bool ends_outside = some_left(before);
  if (turns) overlap_ = std::max(overlap_, overlap());
  if (idle_.empty() && inside_.empty() && !turns) return {};
  const int count = turns ? std::clamp(static_cast<int>(angle / least_turn), looks, most_looks) : looks;
  for (int i = 1; i < count; ++i) shares_.push_back(static_cast<double>(i) / count);
  std::sort(shares_.begin(), shares_.end());
  if (angle > most_turn && comes_near(before, after)) return {most_turn / angle, false};
  const auto outside = [&] { return some_left(before); };
  double last = 0.0;
  for (const double share : shares_) {
    look_at(before, after, share);
    if (some_acts()) return {onset(before, after, last, share, 1e-5, [&] { return some_acts(); }), false};
    if (turns && overlap() > overlap_ + unseen * system_.contacts.size) return {share, false};
    if (some_left(before)) return {onset(before, after, last, share, 1e-9, outside), true};
    last = share;
  }
  return ends_outside ? Found{onset(before, after, last, 1.0, 1e-9, outside), true} : Found{};
}

}  // namespace saltus
