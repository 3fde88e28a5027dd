#include "saltus/pool/joint_coordinates.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/pool/counted_angle.hpp"

namespace saltus {
namespace {
/// The frames of a rope where they are, and what moves them.
class RopeFrames {
 public:
  RopeFrames(const Kinematics& k, std::span<const Endpoint> ends) : k_(k), ends_(ends) {
    for (std::size_t i = 0; i < ends.size(); ++i) at_[i] = {k.frames[ends[i].marker].p, k.frames[ends[i].marker].R};
  }
  TautPath::Frames at() const { return {at_.data(), ends_.size()}; }
  Vec6<double> rate(std::size_t i) const { return FramePort::rate(k_.frames[ends_[i].marker]); }
  /// f(number, marker, column offset) for each frame.
  template <class F>
  void each(const F& f) const {
    int offset = 0;
    for (std::size_t i = 0; i < ends_.size(); offset += detail::marker_columns(k_, ends_[i].marker, nullptr), ++i) f(i, ends_[i].marker, offset);
  }
  static Mat<double, 1, 6> row(const Vec6<double>& g, double factor) {
    Mat<double, 1, 6> r;
    for (int i = 0; i < 6; ++i) r(0, i) = factor * g[i];
    return r;
  }

 private:
  const Kinematics& k_;
  std::span<const Endpoint> ends_;
  std::array<RigidMotion<double>, TautPath::most> at_;
};
/// Derivative of a rope's gradient by the tangents of its frames, 6 n x 6 n.
struct RopeTurning {
  std::size_t n;
  std::vector<double> K;
  RopeTurning(const TautPath& rope, const RopeFrames& frames) : n(6 * static_cast<std::size_t>(rope.size())), K(n * n) { rope.turning(frames.at(), K.data()); }
  double operator()(std::size_t i, std::size_t j, int r, int c) const { return K[(6 * i + r) * n + 6 * j + c]; }
};

/// A force on the tangent of a pair of frames, and what it does to each of them: rows of the rates of A and of B.
struct OnFrames {
  Vec3<double> force, torque;                    // of the pair: in the axes of A, of B
  Vec3<double> force_W, torque_on_A, torque_on_B;  // (force_W, torque_on_B) on B, (-force_W, torque_on_A) on A

  OnFrames(const Kinematics& k, const Endpoint* ends, const FramePair::View<double>& x, const Vec6<double>& g)
      : force{{g[0], g[1], g[2]}}, torque{{g[3], g[4], g[5]}}, force_W(k.frames[ends[0].marker].R * force),
        torque_on_A(-(cross(x.p, force) + x.R * torque)), torque_on_B(torque) {}
};

/// row += factor J_m^T (force, torque) of a marker.
void add_pulled(const Kinematics& k, int marker, const Vec3<double>& force_W, const Vec3<double>& torque, double factor, double* row) {
  if (k.base[marker] < 0) return;
  int at[6];
  if (detail::node_columns(k, marker, 0, at)) {
    const Vec6<double> wrench = detail::wrench_on_base(k, marker, force_W, torque);
    for (int i = 0; i < 6; ++i)
      if (at[i] >= 0) row[at[i]] += factor * wrench[i];
    return;
  }
  const int begin = k.column_begin[marker], n = k.column_begin[marker + 1] - begin;
  const double* J = k.jacobian + 6 * begin;
  for (int i = 0; i < 6; ++i) add_row(factor * (i < 3 ? force_W[i] : torque[i - 3]), J + i * n, n, row);
}

/// row += factor g^T J, J of the pair.
void add_pulled(const Kinematics& k, const Endpoint* ends, const FramePair::View<double>& x, const Vec6<double>& g, double factor, double* row) {
  const OnFrames on(k, ends, x, g);
  add_pulled(k, ends[0].marker, -on.force_W, on.torque_on_A, factor, row);
  add_pulled(k, ends[1].marker, on.force_W, on.torque_on_B, factor, row + detail::marker_columns(k, ends[0].marker, nullptr));
}

Mat<double, 1, 6> row_of(const Vec3<double>& force, const Vec3<double>& torque, double factor) {
  Mat<double, 1, 6> row;
  for (int i = 0; i < 3; ++i) row(0, i) = factor * force[i], row(0, 3 + i) = factor * torque[i];
  return row;
}

/// row += factor g^T d(rate)/dq at fixed v and g: what FramePair::rate_jacobian gives, for one row. False: it is zero.
bool add_rate_pulled(const Kinematics& k, const Endpoint* ends, const FramePair::View<double>& x, const Vec6<double>& g, double factor, double* row) {
  const int a = ends[0].marker, b = ends[1].marker;
  const Frame<double>&A = k.frames[a], &B = k.frames[b];
  const bool sources = detail::on_source(k, a) || detail::on_source(k, b);
  if (dot(A.w, A.w) == 0.0 && dot(B.w, B.w) == 0.0 && dot(x.v, x.v) == 0.0 && !sources) return false;
  const OnFrames on(k, ends, x, g);
  const Vec3<double> spun = cross(on.force, A.w), by_point = A.R * spun;
  const Vec3<double> by_A = cross(on.force, x.v + cross(A.w, x.p)) - cross(spun, x.p) + cross(x.R * on.torque, A.w);
  const Vec3<double> by_B = -cross(on.torque, transposed_times(x.R, A.w));
  const int columns_A = detail::marker_columns(k, a, nullptr), n = columns_A + detail::marker_columns(k, b, nullptr);
  detail::add_mapped<1>(k, a, row_of(by_point, by_A, factor), row, n, 0);
  detail::add_mapped<1>(k, b, row_of(-by_point, by_B, factor), row, n, columns_A);
  detail::add_swing<1>(k, a, row_of(-on.force_W, on.torque_on_A, factor), row, n, 0);
  detail::add_swing<1>(k, b, row_of(on.force_W, on.torque_on_B, factor), row, n, columns_A);
  return true;
}

/// Acceleration of the pair's tangent at vdot = 0.
Vec6<double> bias_of(const Kinematics& k, const Endpoint* ends, const FramePair::View<double>& x) {
  const int a = ends[0].marker, b = ends[1].marker;
  const Frame<double>&A = k.frames[a], &B = k.frames[b];
  const Vec6<double>&on_A = k.bias[a], &on_B = k.bias[b];
  const Vec3<double> spin_A{{on_A[3], on_A[4], on_A[5]}}, spin_B{{on_B[3], on_B[4], on_B[5]}};
  const Vec3<double> apart = transposed_times(A.R, Vec3<double>{{on_B[0] - on_A[0], on_B[1] - on_A[1], on_B[2] - on_A[2]}});
  const Vec3<double> v = apart - cross(A.w, transposed_times(A.R, B.v - A.v)) - cross(spin_A, x.p) - cross(A.w, x.v);
  const Vec3<double> w = spin_B - transposed_times(x.R, spin_A) + cross(x.w, transposed_times(x.R, A.w));
  return {{v[0], v[1], v[2], w[0], w[1], w[2]}};
}
}  // namespace

int JointCoordinates::add(const JointMotion& motion, const Endpoint& A, const Endpoint& B, double center, int user) {
  if (!motion.counts_turns) center = 0.0;
  const auto [it, fresh] = number_.try_emplace({&motion, A.marker, B.marker, center}, size());
  if (!fresh) return it->second;
  all_.push_back({&motion, {A, B}, center, user, -1, false, nullptr});
  if (motion.counts_turns) history_ += CountedAngle::size;
  return size() - 1;
}

int JointCoordinates::add(TautPath path, std::span<const Endpoint> frames, int user) {
  const JointMotion* motions[] = {&rope_length, &rope_slip, &rope_wrap};
  const JointMotion* motion = motions[static_cast<int>(path.measure())];
  if (motion->counts_turns) history_ += CountedAngle::size;
  all_.push_back({motion, {frames.begin(), frames.end()}, 0.0, user, -1, false, std::make_shared<const TautPath>(std::move(path)), rope_frames_});
  rope_frames_ += count_of(frames);
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

void JointCoordinates::read_twice(const std::vector<char>& twice) {
  twice_.clear();
  std::copy_if(read_.begin(), read_.end(), std::back_inserter(twice_), [&](int j) { return twice[j]; });
}

void JointCoordinates::place(FrameUse& use) {
  for (Coordinate& c : all_) detail::place_frames(c.ends.data(), count_of(c.ends), use);  // those but remembered, too: they are on frames that a joint reads
}

double JointCoordinates::counted(const Kinematics& k, const Coordinate& c, double value) const {
  if (c.remembers < 0) return value;
  const double lever = c.rope ? c.rope->lever() : 1.0;  // remembered are angles
  return lever * CountedAngle::nearest(value / lever, CountedAngle::expected(before(k, c), k.since, c.center));
}

void JointCoordinates::evaluate(const Kinematics& k, int begin, int end, double* values, Vec6<double>* gradients) const {
  for (int i = begin; i < end; ++i) {
    const int j = read_[i];
    const Coordinate& c = at(j);
    if (c.rope) {
      const RopeFrames frames(k, c.ends);
      Vec6<double>* g = gradients + size() + c.first;
      values[2 * j] = counted(k, c, c.rope->gradient(frames.at(), g));
      values[2 * j + 1] = 0.0;
      for (std::size_t f = 0; f < c.ends.size(); ++f) values[2 * j + 1] += dot(g[f], frames.rate(f));
      continue;
    }
    const auto view = FramePair::gather(k, c.ends.data());
    gradients[j] = c.motion->gradient(view);
    values[2 * j] = counted(k, c, c.motion->value(view));
    values[2 * j + 1] = dot(gradients[j], FramePair::rate(view));
  }
}

/// d(gradient . rate)/dt: the rate changes, and the gradient turns with the motion.
void JointCoordinates::biases(const Kinematics& k, double* out) const {
  for (const int j : twice_) {
    const Coordinate& c = at(j);
    if (c.rope) {
      out[j] = rope_bias(k, c);
      continue;
    }
    const auto view = FramePair::gather(k, c.ends.data());
    const Vec6<double> rate = FramePair::rate(view);
    out[j] = dot(k.joint_gradient[j], bias_of(k, c.ends.data(), view)) + dot(rate, c.motion->turning(view) * rate);
  }
}

/// g . bias + rate . K rate: the second derivative of the length at vdot = 0.
double JointCoordinates::rope_bias(const Kinematics& k, const Coordinate& c) const {
  const RopeFrames frames(k, c.ends);
  const RopeTurning K(*c.rope, frames);
  double sum = 0.0;
  for (std::size_t i = 0; i < c.ends.size(); ++i) {
    sum += dot(by_frames(k, c)[i], k.bias[c.ends[i].marker]);
    const Vec6<double> left = frames.rate(i);
    for (std::size_t j = 0; j < c.ends.size(); ++j) {
      const Vec6<double> right = frames.rate(j);
      for (int r = 0; r < 6; ++r)
        for (int s = 0; s < 6; ++s) sum += left[r] * K(i, j, r, s) * right[s];
    }
  }
  return sum;
}

double JointCoordinates::value(const Kinematics& k, int j) const {
  const Coordinate& c = at(j);
  return counted(k, c, c.rope ? c.rope->length(RopeFrames(k, c.ends).at()) : c.motion->value(FramePair::gather(k, c.ends.data())));
}

int JointCoordinates::columns(const Kinematics& k, int j, int* out) const {
  int n = 0;
  for (const Endpoint& e : at(j).ends) n += detail::marker_columns(k, e.marker, out ? out + n : nullptr);
  return n;
}

void JointCoordinates::add_jacobian(const Kinematics& k, int j, double factor, double* row, int offset) const {
  const Coordinate& c = at(j);
  if (c.rope)
    return RopeFrames(k, c.ends).each([&](std::size_t i, int marker, int column) {
      detail::add_mapped<1>(k, marker, RopeFrames::row(by_frames(k, c)[i], factor), row, 0, offset + column);
    });
  add_pulled(k, c.ends.data(), FramePair::gather(k, c.ends.data()), k.joint_gradient[j], factor, row + offset);
}

bool JointCoordinates::add_rate_jacobian(const Kinematics& k, int j, double factor, double* row, int offset) const {
  const Coordinate& c = at(j);
  if (c.rope) return add_rope_rate_jacobian(k, c, factor, row, offset);
  const auto view = FramePair::gather(k, c.ends.data());
  const Vec6<double> rate = FramePair::rate(view);
  const bool any = add_rate_pulled(k, c.ends.data(), view, k.joint_gradient[j], factor, row + offset);
  if (dot(rate, rate) == 0.0) return any;
  const Vec6<double> turned = transposed_times(c.motion->turning(view), rate);  // the gradient turns with the frames
  if (dot(turned, turned) == 0.0) return any;
  add_pulled(k, c.ends.data(), view, turned, factor, row + offset);
  return true;
}

/// d(g J v)/dq at fixed v: rate . K turns with the frames, and the frames' own J with q.
bool JointCoordinates::add_rope_rate_jacobian(const Kinematics& k, const Coordinate& c, double factor, double* row, int offset) const {
  const RopeFrames frames(k, c.ends);
  const RopeTurning K(*c.rope, frames);
  bool any = false;
  frames.each([&](std::size_t j, int marker, int column) {
    Vec6<double> turned{};
    for (std::size_t i = 0; i < c.ends.size(); ++i) {
      const Vec6<double> rate = frames.rate(i);
      for (int r = 0; r < 6; ++r)
        for (int s = 0; s < 6; ++s) turned[s] += rate[r] * K(i, j, r, s);
    }
    detail::add_mapped<1>(k, marker, RopeFrames::row(turned, factor), row, 0, offset + column);
    any |= dot(turned, turned) != 0.0;
    any |= detail::add_swing<1>(k, marker, RopeFrames::row(by_frames(k, c)[j], factor), row, 0, offset + column);
  });
  return any;
}

void JointCoordinates::add_force(const Kinematics& k, int j, double force, const ForceSink& sink) const {
  const Coordinate& c = at(j);
  if (c.rope) {
    for (std::size_t i = 0; i < c.ends.size(); ++i) {
      Vec6<double>& wrench = sink.wrench[c.ends[i].marker];
      wrench = wrench + by_frames(k, c)[i] * force;
    }
    return;
  }
  const Vec6<double> on_B = k.joint_gradient[j] * force;
  FramePair::scatter(k, c.ends.data(), FramePair::gather(k, c.ends.data()), on_B.data(), sink);
}

void JointCoordinates::add_geometric(const Kinematics& k, int j, double force, double* G, int n, int offset) const {
  if (force == 0.0) return;
  const Coordinate& c = at(j);
  if (c.rope) return add_rope_geometric(k, c, force, G, n, offset);
  const auto view = FramePair::gather(k, c.ends.data());
  const Vec6<double> on_B = k.joint_gradient[j] * force;
  FramePair::geometric(k, c.ends.data(), view, on_B.data(), G, n, offset);
  const Mat6<double> turning = c.motion->turning(view);
  const int own = FramePair::columns(k, c.ends.data(), nullptr);
  detail::RowBuffer<6> buffer(own);
  double* J = buffer;
  for (int i = 0; i < 6; ++i) {  // the rows of J that turn, or by which others do
    bool used = false;
    for (int l = 0; l < 6; ++l) used = used || turning(i, l) != 0.0 || turning(l, i) != 0.0;
    Vec6<double> unit{};
    unit[i] = 1.0;
    if (used) add_pulled(k, c.ends.data(), view, unit, 1.0, J + i * own);
  }
  for (int i = 0; i < 6; ++i) {  // J^T (force turning J), by rows of turning
    detail::RowBuffer<1> turned(own);
    bool zero = true;
    for (int l = 0; l < 6; ++l)
      if (turning(i, l) != 0.0) add_row(force * turning(i, l), J + l * own, own, turned), zero = false;
    if (zero) continue;
    for (int r = 0; r < own; ++r)
      if (J[i * own + r] != 0.0) add_row(J[i * own + r], turned, own, G + (offset + r) * n + offset);
  }
}

void JointCoordinates::add_rope_geometric(const Kinematics& k, const Coordinate& c, double force, double* G, int n, int offset) const {
  const RopeFrames frames(k, c.ends);
  const RopeTurning K(*c.rope, frames);
  frames.each([&](std::size_t i, int marker, int row) {
    frames.each([&](std::size_t j, int other, int column) {
      Mat6<double> block;
      bool any = false;  // frames that are not neighbours often do not feel each other
      for (int r = 0; r < 6; ++r)
        for (int s = 0; s < 6; ++s) block(r, s) = force * K(i, j, r, s), any |= block(r, s) != 0.0;
      if (any) detail::add_congruent(k, marker, other, block, G, n, offset + row, offset + column);
    });
    const Vec6<double> w = by_frames(k, c)[i] * force;
    detail::add_marker_geometric(k, marker, {{w[0], w[1], w[2]}}, {{w[3], w[4], w[5]}}, G, n, offset + row);
  });
}

Remembered JointCoordinates::remember(const Kinematics& k, double* block) const {
  Remembered worst;
  for (int j = 0; j < size(); ++j) {
    const Coordinate& c = at(j);
    if (c.remembers < 0) continue;
    double angle = 0.0, rate = 0.0;
    if (c.rope) {
      const RopeFrames frames(k, c.ends);
      std::array<Vec6<double>, TautPath::most> g;
      angle = c.rope->gradient(frames.at(), g.data()) / c.rope->lever();
      for (std::size_t f = 0; f < c.ends.size(); ++f) rate += dot(g[f], frames.rate(f)) / c.rope->lever();
    } else {
      const auto view = FramePair::gather(k, c.ends.data());
      angle = c.motion->value(view), rate = dot(c.motion->gradient(view), FramePair::rate(view));
    }
    worst.add(CountedAngle::remember(angle, rate, before(k, c), k.since, c.center, block + first_ + c.remembers), c.user);
  }
  return worst;
}

}  // namespace saltus
