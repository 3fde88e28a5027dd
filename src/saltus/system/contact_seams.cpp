#include "saltus/system/contact_seams.hpp"

#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/system/contacts.hpp"

namespace saltus {
namespace {
bool round(const Shape& shape) { return shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::ellipsoid; }
}  // namespace

ContactSeams::Seen ContactSeams::seen(const Contact& c, int shape) const {
  const bool is_B = c.B == shape;
  const Vec3<double> n = is_B ? c.axes[0] : c.axes[0] * -1.0;
  return {is_B ? c.A : c.B, c.point - n * (0.5 * c.gap), n, c.gap};
}

/// axis: along which the shape is straight; zero: it is not. side: it is round by its side alone. What is straight touches at several places, and tilted it comes down on the other one: the gap must be as
/// wide as its roundness makes it, half of the way there times the angle between the directions.
bool ContactSeams::keeps_away(const Vec3<double>& axis, bool side, const Seen& lies, const Seen& c) const {
  constexpr double level = 1e-9, touches = 1e-6, upright = 1e-6;  // of the model's size; a sine
  if (lies.other == c.other || !(c.gap > lies.gap) || lies.gap < -touches * table_.size) return false;  // what has gone in is not above the plane
  const Vec3<double> way = c.place - lies.place;
  if (dot(way, lies.n) > level * table_.size || (side && std::abs(dot(axis, c.n)) > upright)) return false;
  return c.gap - lies.gap <= norm(c.n - lies.n) * norm(way - axis * dot(axis, way));
}

const std::vector<char>& ContactSeams::unreachable(const Kinematics& k, const std::vector<Contact>& contacts) {
  out_.assign(contacts.size(), 0);
  last_.assign(table_.colliders.size(), -1), before_.clear();
  for (const Contact& c : contacts)
    for (const int shape : {c.A, c.B}) {
      before_.push_back(last_[at(shape)]);
      last_[at(shape)] = count_of(before_) - 1;
    }
  for (int shape = 0; shape < count_of(last_); ++shape) {
    const Collider& collider = table_.colliders[at(shape)];
    const int last = last_[at(shape)];
    if (last < 0 || before_[at(last)] < 0 || !round(collider.shape)) continue;
    const bool side = collider.shape.kind == ShapeKind::cylinder, straight = side || collider.shape.kind == ShapeKind::capsule;
    const Mat3<double>& R = k.frames[collider.marker].R;
    const Vec3<double> axis = straight ? Vec3<double>{R(0, 2), R(1, 2), R(2, 2)} : Vec3<double>{};
    for (int i = last; i >= 0; i = before_[at(i)]) {
      const Seen c = seen(contacts[at(i / 2)], shape);
      for (int j = last; j >= 0 && !out_[at(i / 2)]; j = before_[at(j)]) out_[at(i / 2)] = keeps_away(axis, side, seen(contacts[at(j / 2)], shape), c);
    }
  }
  return out_;
}

}  // namespace saltus
