#include "saltus/pool/tree_links.hpp"

#include <algorithm>

namespace saltus {
namespace {
Vec3<double> part(const Vec6<double>& x, int first) { return {{x[first], x[first + 1], x[first + 2]}}; }
Vec6<double> both(const Vec3<double>& x, const Vec3<double>& y) { return {{x[0], x[1], x[2], y[0], y[1], y[2]}}; }
}  // namespace

int TreeLinks::add(const LinkOfTree& link, const Endpoint& parent, std::span<const Endpoint> coordinates) {
  Place place{link, {parent}, link.joint.axes()};
  place.ends.insert(place.ends.end(), coordinates.begin(), coordinates.end());
  places_.push_back(std::move(place));
  return size() - 1;
}

void TreeLinks::place(int i, FrameUse& use) { use.whole[places_[i].ends[0].marker] = 1; }

int TreeLinks::columns(const Kinematics& k, int i, int* out) const {
  const std::vector<Endpoint>& ends = places_[i].ends;
  int n = detail::marker_columns(k, ends[0].marker, out);
  for (std::size_t c = 1; c < ends.size(); ++c) n += detail::coordinate_columns(k, ends[c].coordinate, out ? out + n : nullptr);
  return n;
}

RigidMotion<double> TreeLinks::motion(const Kinematics& k, int i) const {
  const Place& place = places_[i];
  const JointOfLink& joint = place.link.joint;
  if (joint.has_coordinate() || place.axes.empty()) return joint.motion(place.axes.empty() ? 0.0 : k.y[place.ends[1].coordinate.value]);
  RigidMotion<double> x = joint.at;
  for (std::size_t c = 0; c + 3 < place.axes.size(); ++c) x.p += place.axes[c].axis * k.y[place.ends[c + 1].coordinate.value];
  x.R = x.R * rotation_at(k.y + place.ends.back().coordinate.value);
  return x;
}

TreeLinks::Rates TreeLinks::rates(const Kinematics& k, int i) const {
  const Place& place = places_[i];
  Rates out;
  for (std::size_t c = 0; c < place.axes.size(); ++c) (place.axes[c].turns ? out.turns : out.slides) += place.axes[c].axis * k.y[place.ends[c + 1].coordinate.rate];
  return out;
}

Frame<double> TreeLinks::frame(const Kinematics& k, int i) const {
  const Frame<double>& on = parent(k, i);
  const RigidMotion<double> x = motion(k, i);
  const Rates own = rates(k, i);
  return {on.p + on.R * x.p, on.R * x.R, on.v + on.R * (cross(on.w, x.p) + own.slides), transposed_times(x.R, on.w) + own.turns};
}

Vec6<double> TreeLinks::bias(const Kinematics& k, int i) const {
  const Frame<double>& on = parent(k, i);
  const Vec6<double>& b = k.bias[places_[i].ends[0].marker];
  const RigidMotion<double> x = motion(k, i);
  const Rates own = rates(k, i);
  const Vec3<double> linear = cross(part(b, 3), x.p) + cross(on.w, cross(on.w, x.p) + own.slides * 2.0);
  const Vec3<double> angular = part(b, 3) + cross(on.w, x.R * own.turns);
  return both(part(b, 0) + on.R * linear, transposed_times(x.R, angular));
}

void TreeLinks::jacobian(const Kinematics& k, int i, double* J) const {
  const RigidMotion<double> x = motion(k, i);
  const Mat3<double>& R = parent(k, i).R;
  const int np = parent_columns(k, i), n = columns(k, i, nullptr);
  const double* from = k.jacobian + 6 * k.column_begin[places_[i].ends[0].marker];
  const auto put = [&](int c, const Vec3<double>& v, const Vec3<double>& w) {
    for (int r = 0; r < 3; ++r) J[r * n + c] = v[r], J[(3 + r) * n + c] = w[r];
  };
  for (int c = 0; c < np; ++c) {
    const Vec3<double> v{{from[c], from[np + c], from[2 * np + c]}}, w{{from[3 * np + c], from[4 * np + c], from[5 * np + c]}};
    put(c, v + R * cross(w, x.p), transposed_times(x.R, w));
  }
  int c = np;
  for (const JointAxis& own : places_[i].axes) put(c++, own.turns ? Vec3<double>{} : R * own.axis, own.turns ? own.axis : Vec3<double>{});
}

void TreeLinks::scatter(const Kinematics& k, int i, const Vec6<double>& wrench, const ForceSink& sink) const {
  const Place& place = places_[i];
  const RigidMotion<double> x = motion(k, i);
  const Vec3<double> force = part(wrench, 0), torque = part(wrench, 3), in_parent = transposed_times(parent(k, i).R, force);
  detail::add_wrench(sink.wrench[place.ends[0].marker], force, x.R * torque + cross(x.p, in_parent));
  for (std::size_t c = 0; c < place.axes.size(); ++c) sink.force[place.ends[c + 1].coordinate.dof] += dot(place.axes[c].axis, place.axes[c].turns ? torque : in_parent);
}

/// With g = R^T f in the parent's axes: the parent's torque x.R tau + r x g turns with the joint and with the parent, the force along an axis of the parent with it.
void TreeLinks::add_geometric(const Kinematics& k, int i, const Vec6<double>& wrench, double* G, int n, int offset) const {
  const Place& place = places_[i];
  const RigidMotion<double> x = motion(k, i);
  const Vec3<double> force = part(wrench, 0), torque = part(wrench, 3), g = transposed_times(parent(k, i).R, force);
  const int on = place.ends[0].marker, np = parent_columns(k, i);
  Mat6<double> turned;
  const Mat3<double> swing = skew(x.p) * skew(g);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) turned(3 + r, 3 + c) = swing(r, c);
  detail::add_congruent(k, on, on, turned, G, n, offset, offset);
  const double* J = k.jacobian + 6 * k.column_begin[on] + 3 * np;
  int own = offset + np;
  for (const JointAxis& axis : place.axes) {
    const Vec3<double> by_joint = axis.turns ? x.R * cross(axis.axis, torque) : cross(axis.axis, g);
    for (int c = 0; c < np; ++c) {
      const double entry = J[c] * by_joint[0] + J[np + c] * by_joint[1] + J[2 * np + c] * by_joint[2];
      G[(offset + c) * n + own] += entry;
      if (!axis.turns) G[own * n + offset + c] += entry;
    }
    ++own;
  }
  detail::add_marker_geometric(k, on, force, x.R * torque + cross(x.p, g), G, n, offset);
}

/// v = v_P + R (w_P x r + slides), w = x.R^T w_P + turns.
bool TreeLinks::add_rate_jacobian(const Kinematics& k, int i, const double* map, int rows, double* V, int n, int offset) const {
  const RigidMotion<double> x = motion(k, i);
  const Frame<double>& f = parent(k, i);
  const int on = places_[i].ends[0].marker, np = parent_columns(k, i), count = columns(k, i, nullptr);
  Mat6<double> turn;
  const Mat3<double> swing = f.R * skew(cross(f.w, x.p) + rates(k, i).slides) * -1.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) turn(r, 3 + c) = swing(r, c);
  detail::RowBuffer<6> every(count), of_parent(np);
  double *all = every, *parents = of_parent;
  detail::add_mapped<6>(k, on, turn, all, count, 0);
  if (detail::add_swing<6>(k, on, identity<double, 6>(), parents, np, 0))
    for (int c = 0; c < np; ++c) {
      const Vec3<double> v{{parents[c], parents[np + c], parents[2 * np + c]}}, w{{parents[3 * np + c], parents[4 * np + c], parents[5 * np + c]}};
      const Vec3<double> moved = v + f.R * cross(w, x.p), turned = transposed_times(x.R, w);
      for (int r = 0; r < 3; ++r) all[r * count + c] += moved[r], all[(3 + r) * count + c] += turned[r];
    }
  int c = np;
  for (const JointAxis& own : places_[i].axes) {
    const Vec3<double> moved = own.turns ? Vec3<double>{} : f.R * cross(f.w, own.axis);
    const Vec3<double> turned = own.turns ? cross(transposed_times(x.R, f.w), own.axis) : Vec3<double>{};
    for (int r = 0; r < 3; ++r) all[r * count + c] = moved[r], all[(3 + r) * count + c] = turned[r];
    ++c;
  }
  for (int r = 0; r < rows; ++r)
    for (int s = 0; s < 6; ++s)
      if (map[r * 6 + s] != 0.0) add_row(map[r * 6 + s], all + s * count, count, V + r * n + offset);
  return true;
}

}  // namespace saltus
