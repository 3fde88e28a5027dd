#include "saltus/pool/joint_coordinates.hpp"

#include <algorithm>
#include <limits>

#include "saltus/pool/counted_angle.hpp"

namespace saltus {
namespace {
/// Jacobian of the pair of frames, 6 x n.
struct FramesJacobian {
  int n;
  detail::RowBuffer<6> J;
  FramesJacobian(const Kinematics& k, const Endpoint* ends, const FramePair::View<double>& view) : n(FramePair::columns(k, ends, nullptr)), J(n) {
    FramePair::jacobian(k, ends, view, J, n, 0);
  }
  /// row += factor g^T J.
  void add(const Vec6<double>& g, double factor, double* row) {
    for (int i = 0; i < 6; ++i)
      if (const double f = factor * g[i]; f != 0.0) add_row(f, J + i * n, n, row);
  }
};
}  // namespace

int JointCoordinates::add(const JointMotion& motion, const Endpoint& A, const Endpoint& B, double center, int user) {
  if (!motion.counts_turns) center = 0.0;
  const auto [it, fresh] = number_.try_emplace({&motion, A.marker, B.marker, center}, size());
  if (!fresh) return it->second;
  all_.push_back({&motion, {A, B}, center, user, -1, false});
  if (motion.counts_turns) history_ += CountedAngle::size;
  return size() - 1;
}

void JointCoordinates::read(int j) {
  if (Coordinate& c = all_[j]; !c.read) c.read = true, read_.push_back(j);
}

void JointCoordinates::place_history(int first, std::span<const int> order) {
  first_ = first;
  int next = 0;
  for (const int j : order)
    if (Coordinate& c = all_[j]; c.motion->counts_turns) c.remembers = next, next += CountedAngle::size;
}

int JointCoordinates::find(const JointMotion& motion, const Endpoint& A, const Endpoint& B) const {
  const auto it = number_.lower_bound({&motion, A.marker, B.marker, -std::numeric_limits<double>::infinity()});
  if (it == number_.end() || std::get<0>(it->first) != &motion || std::get<1>(it->first) != A.marker || std::get<2>(it->first) != B.marker) return -1;
  return it->second;
}

void JointCoordinates::place(FrameUse& use) {
  for (Coordinate& c : all_) FramePair::place(c.ends, use);  // those but remembered, too: they are on frames that a joint reads
}

double JointCoordinates::counted(const Kinematics& k, const Coordinate& c, double angle) const {
  return c.remembers < 0 ? angle : CountedAngle::nearest(angle, CountedAngle::expected(before(k, c), k.since, c.center));
}

void JointCoordinates::evaluate(const Kinematics& k, int begin, int end, double* values, Vec6<double>* gradients) const {
  for (int i = begin; i < end; ++i) {
    const int j = read_[i];
    const Coordinate& c = at(j);
    const auto view = FramePair::gather(k, c.ends);
    gradients[j] = c.motion->gradient(view);
    values[2 * j] = counted(k, c, c.motion->value(view));
    values[2 * j + 1] = dot(gradients[j], FramePair::rate(view));
  }
}

void JointCoordinates::biases(const Kinematics& k, double* out) const {
  for (const int j : read_) out[j] = at(j).motion->bias(FramePair::along(k, at(j).ends));
}

int JointCoordinates::columns(const Kinematics& k, int j, int* out) const { return FramePair::columns(k, at(j).ends, out); }

void JointCoordinates::add_jacobian(const Kinematics& k, int j, double factor, double* row, int offset) const {
  const Coordinate& c = at(j);
  FramesJacobian(k, c.ends, FramePair::gather(k, c.ends)).add(k.joint_gradient[j], factor, row + offset);
}

bool JointCoordinates::add_rate_jacobian(const Kinematics& k, int j, double factor, double* row, int offset) const {
  const Coordinate& c = at(j);
  const auto view = FramePair::gather(k, c.ends);
  const int n = FramePair::columns(k, c.ends, nullptr);
  const Vec6<double> rate = FramePair::rate(view);
  detail::RowBuffer<6> by_frames(n);
  const bool any = FramePair::rate_jacobian(k, c.ends, view, by_frames, n, 0);
  if (any)
    for (int i = 0; i < 6; ++i) add_row(factor * k.joint_gradient[j][i], by_frames + i * n, n, row + offset);
  if (dot(rate, rate) == 0.0) return any;
  const Vec6<double> turned = transposed_times(c.motion->turning(view), rate);  // the gradient turns with the frames
  if (dot(turned, turned) == 0.0) return any;
  FramesJacobian(k, c.ends, view).add(turned, factor, row + offset);
  return true;
}

void JointCoordinates::add_force(const Kinematics& k, int j, double force, const ForceSink& sink) const {
  const Vec6<double> on_B = k.joint_gradient[j] * force;
  const Coordinate& c = at(j);
  FramePair::scatter(k, c.ends, FramePair::gather(k, c.ends), on_B.data(), sink);
}

void JointCoordinates::add_geometric(const Kinematics& k, int j, double force, double* G, int n, int offset) const {
  if (force == 0.0) return;
  const Coordinate& c = at(j);
  const auto view = FramePair::gather(k, c.ends);
  const Vec6<double> on_B = k.joint_gradient[j] * force;
  FramePair::geometric(k, c.ends, view, on_B.data(), G, n, offset);
  const Mat6<double> turning = c.motion->turning(view);
  FramesJacobian frames(k, c.ends, view);
  const int own = frames.n;
  const double* J = frames.J;
  for (int i = 0; i < 6; ++i) {  // J^T (force turning J), by rows of turning
    detail::RowBuffer<1> turned(own);
    for (int j = 0; j < 6; ++j)
      if (turning(i, j) != 0.0) add_row(force * turning(i, j), J + j * own, own, turned);
    for (int r = 0; r < own; ++r)
      if (J[i * own + r] != 0.0) add_row(J[i * own + r], turned, own, G + (offset + r) * n + offset);
  }
}

Remembered JointCoordinates::remember(const Kinematics& k, double* block) const {
  Remembered worst;
  for (int j = 0; j < size(); ++j) {
    const Coordinate& c = at(j);
    if (c.remembers < 0) continue;
    const auto view = FramePair::gather(k, c.ends);
    const double angle = c.motion->value(view), rate = dot(c.motion->gradient(view), FramePair::rate(view));
    worst.add(CountedAngle::remember(angle, rate, before(k, c), k.since, c.center, block + first_ + c.remembers), c.user);
  }
  return worst;
}

}  // namespace saltus
