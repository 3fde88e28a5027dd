// Nodes: the coordinates of the system, where they lie, and the frames they carry.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/base/index.hpp"
#include "saltus/pool/kinematics.hpp"

namespace saltus {

/// Sizes of one node instance.
struct NodeSizes {
  int q = 0, v = 0, x = 0, z = 0, d = 0;
};

/// Units of a node's first-order states, algebraic unknowns, and of what its equations sum: forces on coordinates, currents
/// into a terminal. Empty: not known of the type.
struct NodeUnits {
  std::string_view state = {}, value = {}, input = {};
};

/// Offsets of one node instance in the system.
struct NodePlace {
  NodeSizes sizes;
  int q = 0, v = 0, x = 0, z = 0, d = 0;
  int frame = -1;  // index of its node frame, -1: none
};

/// A node whose frame is wanted: where its coordinates begin in q and v, and the marker and columns to write.
struct FrameTask {
  int item = 0, q = 0, v = 0, marker = 0;
  int columns = 0;  // of its Jacobian, 6 x nv from 6 * columns on
};

/// All nodes of one type. A node with a quaternion says where in its q it lies and where in its v the body rates lie.
class NodePool {
 public:
  virtual ~NodePool() = default;
  virtual int size() const = 0;
  virtual NodeSizes sizes(int item) const = 0;
  virtual NodeUnits units() const { return {}; }
  virtual bool has_frame() const { return false; }
  virtual int quaternion_in_q() const { return -1; }
  virtual int rates_in_v() const { return -1; }
  /// Reference and initial values (given displacement included).
  virtual void initial(int item, double* q, double* v, double* x, double* z, double* d) const = 0;
  /// Reference configuration only: where joints are located.
  virtual void reference(int item, double* q) const = 0;
  /// Frame of node `item`; J (6 x nv row-major) maps v to (v in W, w in N) and may not
  /// depend on q in a node that Newton's method is to see exactly; bias is the acceleration at vdot = 0.
  virtual void frame(int /*item*/, const double* /*q*/, const double* /*v*/, Frame<double>&, Vec6<double>& /*bias*/, double* /*J*/) const {}
  /// The frames of many nodes; q, v of the system. J and bias are written where they are not constant (moves() is empty).
  virtual void frames(std::span<const FrameTask> /*tasks*/, const double* /*q*/, const double* /*v*/, Frame<double>* /*frames*/,
                      Vec6<double>* /*bias*/, double* /*J*/) const {}
  /// Where velocity i is rate moves()[i] of the frame and nothing else (0-2: along the world's axes, 3-5: about the
  /// frame's): J holds columns of the identity and the bias is 0. Empty: J varies. Of a joint in a tree: of what it carries.
  virtual std::span<const int> moves() const { return {}; }
  /// What the type offers to be read, and number `which` of it for item i; the first of the three where it has one number.
  virtual std::span<const ItemQuantity> quantities() const { return {}; }
  virtual Vec3<double> quantity(int /*item*/, int /*which*/, const double* /*q*/, const double* /*v*/, const double* /*x*/, const double* /*z*/) const { return {}; }
  /// The first three entries of q are the origin of the frame in world axes, those of v its velocity.
  virtual bool origin_in_q() const { return false; }
};

/// Node types are structs with `sizes()`, `initial(q, v, x, z, d)`, `reference(q)`. Where they carry a frame: an array `moves`
/// and `frame(q, v, frame)` (and `origin_in_q`), or, where its Jacobian varies, `frame(q, v, frame, bias, J)`.
template <class N>
class ItemNodePool final : public NodePool {
 public:
  static constexpr bool constant = requires(const N& n, Frame<double>& f) { N::moves; n.frame(nullptr, nullptr, f); };
  static constexpr bool varying = requires(const N& n, Frame<double>& f, Vec6<double>& b) { n.frame(nullptr, nullptr, f, b, nullptr); };

  void add(N node) { nodes_.push_back(std::move(node)); }
  const N& node(int i) const { return nodes_[i]; }
  int size() const override { return count_of(nodes_); }
  NodeSizes sizes(int i) const override { return node(i).sizes(); }
  NodeUnits units() const override {
    if constexpr (requires { N::units; }) return N::units;
    return {};
  }
  bool has_frame() const override { return constant || varying; }
  int quaternion_in_q() const override {
    if constexpr (requires { N::quaternion_in_q; }) return N::quaternion_in_q;
    return -1;
  }
  int rates_in_v() const override {
    if constexpr (requires { N::rates_in_v; }) return N::rates_in_v;
    return -1;
  }
  void initial(int i, double* q, double* v, double* x, double* z, double* d) const override { node(i).initial(q, v, x, z, d); }
  void reference(int i, double* q) const override {
    if constexpr (requires(const N& n) { n.reference(q); }) node(i).reference(q);
  }
  void frame(int i, const double* q, const double* v, Frame<double>& f, Vec6<double>& bias, double* J) const override {
    if constexpr (constant) {
      constexpr int n = count_of(N::moves);
      node(i).frame(q, v, f);
      bias = {};
      std::fill(J, J + 6 * n, 0.0);
      for (int c = 0; c < n; ++c) J[N::moves[c] * n + c] = 1.0;
    } else if constexpr (varying) {
      node(i).frame(q, v, f, bias, J);
    }
  }
  void frames(std::span<const FrameTask> tasks, const double* q, const double* v, Frame<double>* frames, Vec6<double>* bias, double* J) const override {
    for (const FrameTask& task : tasks) {
      if constexpr (constant)
        node(task.item).frame(q + task.q, v + task.v, frames[task.marker]);
      else if constexpr (varying)
        node(task.item).frame(q + task.q, v + task.v, frames[task.marker], bias[task.marker], J + 6 * task.columns);
    }
  }
  std::span<const int> moves() const override {
    if constexpr (requires { N::moves; }) return N::moves;
    return {};
  }
  std::span<const ItemQuantity> quantities() const override {
    if constexpr (requires { N::quantities; }) return N::quantities;
    return {};
  }
  Vec3<double> quantity([[maybe_unused]] int i, [[maybe_unused]] int which, [[maybe_unused]] const double* q, [[maybe_unused]] const double* v, [[maybe_unused]] const double* x,
                        [[maybe_unused]] const double* z) const override {
    if constexpr (requires { N::quantities; }) return node(i).quantity(which, q, v, x, z);
    return {};
  }
  bool origin_in_q() const override { return requires { N::origin_in_q; }; }

 private:
  std::vector<N> nodes_;
};

}  // namespace saltus
