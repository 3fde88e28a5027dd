// Scalar coordinates of joints: functions of two frames that stand wherever a coordinate of a node can. Springs, stops, drives,
// loads, gears are written once, for "a scalar coordinate".
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/math/taut_path.hpp"
#include "saltus/pool/frame_ports.hpp"
#include "saltus/pool/history.hpp"

namespace saltus {

/// What such a coordinate is a function of: the pair of frames A, B. The struct it is made from declares name, unit, rate_unit,
/// effort_unit, counts_turns, value(view) and gradient(view), its derivative by the tangent of FramePair; turning(view), too, where it is
/// known without dual numbers.
struct JointMotion {
  using View = FramePair::View<double>;
  std::string_view name, unit, rate_unit, effort_unit;
  bool counts_turns;                      // value() is an angle that knows no whole turns: they are counted
  double (*value)(const View&);
  Vec6<double> (*gradient)(const View&);  // the rate is gradient . (v, w)
  Mat6<double> (*turning)(const View&);   // derivative of the gradient by the tangent: row i of its component i
};

template <class M>
const JointMotion& motion_of() {
  using View = JointMotion::View;
  static constexpr JointMotion motion{
      M::name, M::unit, M::rate_unit, M::effort_unit, M::counts_turns, [](const View& x) { return M::value(x); }, [](const View& x) { return M::gradient(x); },
      [](const View& x) {
        if constexpr (requires { M::turning(x); }) return M::turning(x);
        const auto g = M::gradient(FramePair::seeded<6>(x, nullptr, 0, {{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}));
        Mat6<double> turning;
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) turning(i, j) = g[i].d[j];
        return turning;
      }};
  return motion;
}

/// The words of the length of a rope through any number of frames (math/taut_path.hpp). It has no pair: value and gradient are the path's.
inline constexpr JointMotion rope_length{"length", "m", "m/s", "N", false, nullptr, nullptr, nullptr};
/// What a rope passes over a sheave: whole turns of it are counted; and the angle by which it lies on it.
inline constexpr JointMotion rope_slip{"slip", "m", "m/s", "N", true, nullptr, nullptr, nullptr};
inline constexpr JointMotion rope_wrap{"wrap", "rad", "rad/s", "N m", false, nullptr, nullptr, nullptr};

/// All of a system. Where a function takes columns, they are those of its frames in turn.
class JointCoordinates {
 public:
  /// Number of a new coordinate: what is measured of a rope over these frames.
  int add(TautPath path, std::span<const Endpoint> frames, int user);
  /// Number of the coordinate `motion` between two frame ends; equal ones are one. center: of an angle, whole turns are added so that it
  /// starts within half a turn of it. user: the item that asks (place in System::items).
  int add(const JointMotion& motion, const Endpoint& A, const Endpoint& B, double center, int user);
  int size() const { return count_of(all_); }
  /// Some item acts on j: it is evaluated. Others are but remembered.
  void read(int j);
  /// Number of the first coordinate `motion` between these frames, -1: there is none.
  int find(const JointMotion& motion, const Endpoint& A, const Endpoint& B) const;
  const JointMotion& motion(int j) const { return *at(j).motion; }
  double center(int j) const { return at(j).center; }
  /// Its frames: A and B, or those of a rope.
  std::span<const Endpoint> frames(int j) const { return at(j).ends; }
  /// Gradient of a rope's length by the tangent of its frame number `frame`.
  const Vec6<double>& gradient(const Kinematics& k, int j, int frame) const { return by_frames(k, at(j))[frame]; }
  /// Gradients of all: one each, then those by the frames of the ropes.
  int gradients() const { return size() + rope_frames_; }
  void place(FrameUse& use);
  /// Those, by number, whose second derivative some item reads: biases() gives no others.
  void read_twice(const std::vector<char>& twice);

  int read_count() const { return count_of(read_); }
  /// Of those that are read, [begin, end): value and rate in turn, and the gradient, each at the place of its number.
  void evaluate(const Kinematics& k, int begin, int end, double* values, Vec6<double>* gradients) const;
  double value(const Kinematics& k, int j) const;
  void biases(const Kinematics& k, double* out) const;

  int columns(const Kinematics& k, int j, int* out) const;
  /// row += factor J at a column offset.
  void add_jacobian(const Kinematics& k, int j, double factor, double* row, int offset) const;
  /// row += factor d(rate)/dq at fixed v; false: it is zero.
  bool add_rate_jacobian(const Kinematics& k, int j, double factor, double* row, int offset) const;
  void add_force(const Kinematics& k, int j, double force, const ForceSink& sink) const;
  /// G (n x n) += d(J^T force)/dq at fixed force, at a row and column offset.
  void add_geometric(const Kinematics& k, int j, double force, double* G, int n, int offset) const;

  /// What is remembered (history.hpp): angle and rate of those that count turns.
  int history() const { return history_; }
  /// order: of all their numbers, in which they remember.
  void place_history(int first, std::span<const int> order);
  Remembered remember(const Kinematics& k, double* block) const;

 private:
  struct Coordinate {
    const JointMotion* motion;
    std::vector<Endpoint> ends;
    double center;
    int user;
    int remembers;  // where among the numbers remembered, -1: nothing
    bool read;
    std::shared_ptr<const TautPath> rope;  // null: a motion of a pair
    int first = 0;                         // of a rope: its gradients among those of all ropes
  };
  /// Gradients of a rope by the tangents of its frames.
  const Vec6<double>* by_frames(const Kinematics& k, const Coordinate& c) const { return k.joint_gradient + size() + c.first; }
  double rope_bias(const Kinematics& k, const Coordinate& c) const;
  bool add_rope_rate_jacobian(const Kinematics& k, const Coordinate& c, double factor, double* row, int offset) const;
  void add_rope_geometric(const Kinematics& k, const Coordinate& c, double force, double* G, int n, int offset) const;
  const Coordinate& at(int j) const { return all_[j]; }
  const double* before(const Kinematics& k, const Coordinate& c) const { return k.history ? k.history + first_ + c.remembers : nullptr; }
  /// value, and of what counts turns the one of them that goes on from what is remembered.
  double counted(const Kinematics& k, const Coordinate& c, double value) const;

  std::vector<Coordinate> all_;
  std::vector<int> read_, twice_;  // evaluated; those of them whose second derivative is read
  std::map<std::tuple<const JointMotion*, int, int, double>, int> number_;
  int history_ = 0, first_ = 0, rope_frames_ = 0;
};

}  // namespace saltus
