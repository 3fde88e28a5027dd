// Nodes: the coordinates of the system, where they lie, and the frames they carry.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

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
  /// Frame of node `item`; J (6 x nv row-major) maps v to (v in W, w in N) and does not
  /// depend on q; bias is the acceleration at vdot = 0.
  virtual void frame(int item, const double* q, const double* v, Frame<double>& frame, Vec6<double>& bias, double* J) const;
};

inline void NodePool::frame(int, const double*, const double*, Frame<double>&, Vec6<double>&, double*) const {}

/// Node types are structs with static sizes `nq, nv, nx, nz, nd` (absent: 0) or a member `count` of run-time size,
/// `initial(q, v, x, z, d)`, `reference(q)`, and where they carry a frame `frame(q, v, frame, bias, J)`.
template <class N>
class ItemNodePool final : public NodePool {
 public:
  void add(N node) { nodes_.push_back(std::move(node)); }
  const N& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  int size() const override { return static_cast<int>(nodes_.size()); }
  NodeSizes sizes(int i) const override { return node(i).sizes(); }
  NodeUnits units() const override {
    if constexpr (requires { N::units; }) return N::units;
    return {};
  }
  bool has_frame() const override { return requires(const N& n, Frame<double>& f, Vec6<double>& b) { n.frame(nullptr, nullptr, f, b, nullptr); }; }
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
    if constexpr (requires(const N& n) { n.frame(q, v, f, bias, J); }) node(i).frame(q, v, f, bias, J);
  }

 private:
  std::vector<N> nodes_;
};

}  // namespace saltus
