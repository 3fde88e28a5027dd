#include "saltus/integrate/group_passes.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/within_step.hpp"

namespace saltus {
namespace {
constexpr double idle = 1e-3;  // of the balls that two shapes hold: what moves less does not pass unseen
constexpr double pieces = 4.0, most_pieces = 64.0;  // for a way as long as those are thick
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

bool GroupPasses::passed(const State& before, const State& after, double unseen) {
  const double h = after.t() - before.t(), closed = 1e-9 * system_.contacts.size;
  if (system_.contacts.empty() || !(h > 0.0)) return false;
  frames_at(after.t(), after.y(), before.data());
  double passes = 0.5 * contacts_.passage(assembly_.kinematics(), 2.0 * h), speed = fastest();
  frames_at(before.t(), before.y(), before.data());
  passes = std::max(passes, 0.5 * contacts_.passage(assembly_.kinematics(), 2.0 * h)), speed = std::max(speed, fastest());
  if (!(passes > idle)) return false;
  const int n = static_cast<int>(std::clamp(std::ceil(pieces * passes), 1.0, most_pieces));
  const double within = std::max(2.0 * speed * h / n, closed);
  find_pairs(within);
  first_ = now_, sunk_.clear();
  system_.map.difference(before.q(), after.q(), way_.data());
  for (int k = 1; k <= n; ++k) {
    before_.swap(now_);
    if (k < n) on_the_way(system_, before, after, way_, static_cast<double>(k) / n, false, y_.data());
    frames_at(before.t() + k * h / n, k < n ? y_.data() : after.y(), before.data());
    find_pairs(within);
    for (const Pair& pair : now_) {
      if (const Pair* begin = found(first_, pair.key); begin && begin->gap <= closed) continue;
      if (k < n && pair.gap < -unseen) sunk_.push_back(pair);
      if (const Pair* last = found(before_, pair.key); last && met_between(*last, pair, h / n, unseen)) return true;
    }
  }
  return std::any_of(sunk_.begin(), sunk_.end(), [&](const Pair& pair) {
    const Pair* end = found(now_, pair.key);
    return !end || !(end->gap < 0.0) || !(dot(end->normal, pair.normal) > 0.5);
  });
}

}  // namespace saltus
