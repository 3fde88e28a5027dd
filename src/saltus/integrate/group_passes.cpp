#include "saltus/integrate/group_passes.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/within_step.hpp"

namespace saltus {
namespace {
constexpr double idle = 1e-3;  // of the balls that two shapes hold: what moves less does not pass unseen
constexpr double pieces = 4.0;  // for a way as long as those are thick
constexpr int most_looks = 10000;  // of a step that is too long else
}  // namespace

GroupPasses::GroupPasses(const System& system)
    : system_(system), assembly_(system), contacts_(system.contacts), way_(at(system.layout.nv)), y_(at(system.layout.y_size())) {}

/// Of all points of shapes.
double GroupPasses::fastest() {
  const Kinematics& k = assembly_.kinematics();
  double most = 0.0;
  for (const Collider& c : system_.contacts.colliders)
    if (!c.shape.endless() && !c.away(k)) most = std::max(most, norm(k.frames[c.marker].v) + norm(k.frames[c.marker].w) * c.shape.bound());
  return most;
}

/// now_ := the pairs at the frames whose gaps are at most `within`.
void GroupPasses::find_pairs(double within) {
  const Kinematics& k = assembly_.kinematics();
  contacts_.find(k, within);
  now_.clear();
  const auto velocity = [&](int collider, const Vec3<double>& p) {
    const Frame<double>& f = k.frames[system_.contacts.colliders[at(collider)].marker];
    return f.v + cross(f.R * f.w, p - f.p);
  };
  for (const Contact& c : contacts_.contacts()) {
    const Vec3<double> v = velocity(c.B, c.point) - velocity(c.A, c.point);
    now_.push_back({system_.contacts.identity(c.A, c.B, 0), c.gap, dot(c.axes[0], v), c.axes[0], v});
  }
  std::sort(now_.begin(), now_.end(), [](const Pair& a, const Pair& b) { return a.key != b.key ? a.key < b.key : a.gap < b.gap; });
  now_.erase(std::unique(now_.begin(), now_.end(), [](const Pair& a, const Pair& b) { return a.key == b.key; }), now_.end());
}

/// Whether a gap that falls at a and rises at b, a time h later, must have closed: the tangents meet below zero, but for what the path curves towards the other body.
bool GroupPasses::met_between(const Pair& a, const Pair& b, double h, double unseen) const {
  if (!(a.gap > 0.0 && b.gap > 0.0 && a.rate < 0.0 && b.rate > 0.0)) return false;
  const double s = (b.gap - a.gap - b.rate * h) / (a.rate - b.rate);
  const Vec3<double> change = b.velocity - a.velocity;
  const double sag = 0.125 * h * std::max({0.0, -dot(change, a.normal), -dot(change, b.normal)});
  return s > 0.0 && s < h && a.gap + a.rate * s - sag < -unseen;
}

const GroupPasses::Pair* GroupPasses::found(const std::vector<Pair>& pairs, double key) {
  const auto p = std::lower_bound(pairs.begin(), pairs.end(), key, [](const Pair& pair, double k) { return pair.key < k; });
  return p != pairs.end() && p->key == key ? &*p : nullptr;
}

bool GroupPasses::sank(const Pair& pair, double closed, double unseen) const {
  const Pair* begin = found(first_, pair.key);
  return pair.gap < (begin && begin->gap <= closed ? std::min(begin->gap, 0.0) : 0.0) - unseen;
}

/// Of a pair that overlapped on the way: whether it ends as the scheme finds it, deep on the same side, or closed where it was closed.
bool GroupPasses::is_seen(const Pair& sunk, double closed) const {
  const Pair *begin = found(first_, sunk.key), *end = found(now_, sunk.key);
  return end && dot(end->normal, sunk.normal) > 0.5 && end->gap <= (begin && begin->gap <= closed ? closed : 0.0);
}

bool GroupPasses::passed(const State& before, const State& after, double unseen) {
  const double h = after.t() - before.t(), closed = 1e-9 * system_.contacts.size;
  if (system_.contacts.empty() || !(h > 0.0)) return false;
  frames_at(after.t(), after.y(), before.data());
  double passes = 0.5 * contacts_.passage(assembly_.kinematics(), 2.0 * h), speed = fastest();
  frames_at(before.t(), before.y(), before.data());
  passes = std::max(passes, 0.5 * contacts_.passage(assembly_.kinematics(), 2.0 * h)), speed = std::max(speed, fastest());
  if (!(passes > idle)) return false;
  const double piece = std::min(1.0, 1.0 / (pieces * passes)), path = 2.0 * speed * h;  // of two shapes against each other
  double step = piece, within = std::max(path * piece, closed);
  find_pairs(within);
  first_ = now_, sunk_.clear();
  system_.map.difference(before.q(), after.q(), way_.data());
  int looks = 0;
  for (double s = 0.0; s < 1.0;) {
    if (++looks > most_looks) return true;
    double nearest = within;
    for (const Pair& pair : now_) nearest = std::min(nearest, pair.gap);
    step = std::min({std::max(piece, nearest / path), 2.0 * step, 1.0 - s});
    s = s + step < 1.0 ? s + step : 1.0;
    within = std::max(2.0 * path * step, closed);
    before_.swap(now_);
    if (s < 1.0) on_the_way(system_, before, after, way_, s, false, y_.data());
    frames_at(before.t() + s * h, s < 1.0 ? y_.data() : after.y(), before.data());
    find_pairs(within);
    for (const Pair& pair : now_) {
      if (s < 1.0 && sank(pair, closed, unseen)) sunk_.push_back(pair);
      if (const Pair* last = found(before_, pair.key); last && met_between(*last, pair, step * h, unseen)) return true;
    }
  }
  return std::any_of(sunk_.begin(), sunk_.end(), [&](const Pair& pair) { return !is_seen(pair, closed); });
}

}  // namespace saltus
