#include "saltus/pool/tree_links.hpp"

#include <algorithm>

namespace saltus {
namespace {
Vec3<double> part(const Vec6<double>& x, int first) { return {{x[first], x[first + 1], x[first + 2]}}; }
Vec6<double> both(const Vec3<double>& x, const Vec3<double>& y) { return {{x[0], x[1], x[2], y[0], y[1], y[2]}}; }
}  // namespace

int TreeLinks::add(const LinkOfTree& link, std::span<const Endpoint> ends) {
  links_.push_back(link);
  ends_.push_back({ends[0], ends[1]});
  return size() - 1;
}

void TreeLinks::place(int i, FrameUse& use) {
  use.whole[ends_[i][0].marker] = 1;
  detail::place_coordinate(ends_[i][1].coordinate, use);
}

int TreeLinks::columns(const Kinematics& k, int i, int* out) const {
  const int n = detail::marker_columns(k, ends_[i][0].marker, out);
  return n + detail::coordinate_columns(k, ends_[i][1].coordinate, out ? out + n : nullptr);
}

Frame<double> TreeLinks::frame(const Kinematics& k, int i) const {
  const JointOfLink& joint = links_[i].joint;
  const Frame<double>& on = parent(k, i);
  const RigidMotion<double> x = motion(k, i);
  Frame<double> f{on.p + on.R * x.p, on.R * x.R, on.v + on.R * cross(on.w, x.p), transposed_times(x.R, on.w)};
  if (joint.turns()) f.w += joint.axis * rate(k, i);
  if (joint.slides()) f.v += on.R * (joint.axis_in_parent() * rate(k, i));
  return f;
}

Vec6<double> TreeLinks::bias(const Kinematics& k, int i) const {
  const JointOfLink& joint = links_[i].joint;
  const Frame<double>& on = parent(k, i);
  const Vec6<double>& b = k.bias[ends_[i][0].marker];
  const RigidMotion<double> x = motion(k, i);
  const Vec3<double> spun = joint.axis_in_parent() * rate(k, i);
  Vec3<double> linear = cross(part(b, 3), x.p) + cross(on.w, cross(on.w, x.p)), angular = part(b, 3);
  if (joint.slides()) linear += cross(on.w, spun) * 2.0;
  if (joint.turns()) angular += cross(on.w, spun);
  return both(part(b, 0) + on.R * linear, transposed_times(x.R, angular));
}

void TreeLinks::jacobian(const Kinematics& k, int i, double* J) const {
  const JointOfLink& joint = links_[i].joint;
  const RigidMotion<double> x = motion(k, i);
  const Mat3<double>& R = parent(k, i).R;
  const Endpoint& on = ends_[i][0];
  const int np = parent_columns(k, i), n = columns(k, i, nullptr);
  const double* from = k.jacobian + 6 * k.column_begin[on.marker];
  const auto put = [&](int c, const Vec3<double>& v, const Vec3<double>& w) {
    for (int r = 0; r < 3; ++r) J[r * n + c] = v[r], J[(3 + r) * n + c] = w[r];
  };
  for (int c = 0; c < np; ++c) {
    const Vec3<double> v{{from[c], from[np + c], from[2 * np + c]}}, w{{from[3 * np + c], from[4 * np + c], from[5 * np + c]}};
    put(c, v + R * cross(w, x.p), transposed_times(x.R, w));
  }
  if (n > np) put(np, joint.slides() ? R * joint.axis_in_parent() : Vec3<double>{}, joint.turns() ? joint.axis : Vec3<double>{});
}

void TreeLinks::scatter(const Kinematics& k, int i, const Vec6<double>& wrench, const ForceSink& sink) const {
  const JointOfLink& joint = links_[i].joint;
  const RigidMotion<double> x = motion(k, i);
  const Vec3<double> force = part(wrench, 0), torque = part(wrench, 3), in_parent = transposed_times(parent(k, i).R, force);
  detail::add_wrench(sink.wrench[ends_[i][0].marker], force, x.R * torque + cross(x.p, in_parent));
  if (joint.turns()) sink.force[ends_[i][1].coordinate.dof] += dot(joint.axis, torque);
  if (joint.slides()) sink.force[ends_[i][1].coordinate.dof] += dot(joint.axis_in_parent(), in_parent);
}

/// With g = R^T f in the parent's axes: the parent's torque x.R tau + r x g turns with the joint and with the parent, the force along an axis of the parent with it.
void TreeLinks::add_geometric(const Kinematics& k, int i, const Vec6<double>& wrench, double* G, int n, int offset) const {
  const JointOfLink& joint = links_[i].joint;
  const RigidMotion<double> x = motion(k, i);
  const Vec3<double> force = part(wrench, 0), torque = part(wrench, 3), g = transposed_times(parent(k, i).R, force);
  const int on = ends_[i][0].marker, np = parent_columns(k, i), own = offset + np;
  Mat6<double> turned;
  const Mat3<double> swing = skew(x.p) * skew(g);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) turned(3 + r, 3 + c) = swing(r, c);
  detail::add_congruent(k, on, on, turned, G, n, offset, offset);
  const double* J = k.jacobian + 6 * k.column_begin[on] + 3 * np;
  const Vec3<double> by_joint = joint.turns() ? x.R * cross(joint.axis, torque) : cross(joint.axis_in_parent(), g);
  if (joint.turns() || joint.slides())
    for (int c = 0; c < np; ++c) {
      const double entry = J[c] * by_joint[0] + J[np + c] * by_joint[1] + J[2 * np + c] * by_joint[2];
      G[(offset + c) * n + own] += entry;
      if (joint.slides()) G[own * n + offset + c] += entry;
    }
  detail::add_marker_geometric(k, on, force, x.R * torque + cross(x.p, g), G, n, offset);
}

/// v = v_P + R (w_P x r + a q'), w = x.R^T w_P + a q'.
bool TreeLinks::add_rate_jacobian(const Kinematics& k, int i, const double* map, int rows, double* V, int n, int offset) const {
  const JointOfLink& joint = links_[i].joint;
  const RigidMotion<double> x = motion(k, i);
  const Frame<double>& f = parent(k, i);
  const int on = ends_[i][0].marker, np = parent_columns(k, i), count = columns(k, i, nullptr);
  Vec3<double> inside = cross(f.w, x.p);
  if (joint.slides()) inside += joint.axis_in_parent() * rate(k, i);
  Mat6<double> turn;
  const Mat3<double> swing = f.R * skew(inside) * -1.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) turn(r, 3 + c) = swing(r, c);
  detail::RowBuffer<6> rates(count), of_parent(np);
  double *all = rates, *parents = of_parent;
  detail::add_mapped<6>(k, on, turn, all, count, 0);
  if (detail::add_swing<6>(k, on, identity<double, 6>(), parents, np, 0))
    for (int c = 0; c < np; ++c) {
      const Vec3<double> v{{parents[c], parents[np + c], parents[2 * np + c]}}, w{{parents[3 * np + c], parents[4 * np + c], parents[5 * np + c]}};
      const Vec3<double> moved = v + f.R * cross(w, x.p), turned = transposed_times(x.R, w);
      for (int r = 0; r < 3; ++r) all[r * count + c] += moved[r], all[(3 + r) * count + c] += turned[r];
    }
  if (count > np) {
    const Vec3<double> moved = joint.slides() ? f.R * cross(f.w, joint.axis_in_parent()) : Vec3<double>{};
    const Vec3<double> turned = joint.turns() ? cross(transposed_times(x.R, f.w), joint.axis) : Vec3<double>{};
    for (int r = 0; r < 3; ++r) all[r * count + np] = moved[r], all[(3 + r) * count + np] = turned[r];
  }
  for (int r = 0; r < rows; ++r)
    for (int s = 0; s < 6; ++s)
      if (map[r * 6 + s] != 0.0) add_row(map[r * 6 + s], all + s * count, count, V + r * n + offset);
  return true;
}

}  // namespace saltus
