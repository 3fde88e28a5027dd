// Frames of links: each a function of the frame of its parent and of the coordinate of the joint between them.
#pragma once

#include <array>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/pool/ports.hpp"
#include "saltus/pool/tree_dynamics.hpp"

namespace saltus {

/// A link's frame stands on that of its parent, which is older: one pass evaluates a tree, one passes wrenches down to its base. Columns of a link are those of its parent, then its own
/// coordinate (none of a fixed joint).
class TreeLinks final : public FrameSource {
 public:
  /// ends: the parent's frame, the coordinate (the ground's of a fixed joint).
  int add(const LinkOfTree& link, std::span<const Endpoint> ends);
  const LinkOfTree& link(int i) const { return links_[i]; }
  int size() const override { return count_of(links_); }
  std::span<const Endpoint> endpoints(int i) const override { return ends_[i]; }
  void place(int i, FrameUse& use) override;
  int columns(const Kinematics& k, int i, int* out) const override;

  Frame<double> frame(const Kinematics& k, int i) const override;
  Vec6<double> bias(const Kinematics& k, int i) const override;
  void jacobian(const Kinematics& k, int i, double* J) const override;
  void scatter(const Kinematics& k, int i, const Vec6<double>& wrench, const ForceSink& sink) const override;
  void add_geometric(const Kinematics& k, int i, const Vec6<double>& wrench, double* G, int n, int offset) const override;
  bool add_rate_jacobian(const Kinematics& k, int i, const double* map, int rows, double* V, int n, int offset) const override;

 private:
  RigidMotion<double> motion(const Kinematics& k, int i) const { return links_[i].joint.motion(k.y[ends_[i][1].coordinate.value]); }
  double rate(const Kinematics& k, int i) const { return k.y[ends_[i][1].coordinate.rate]; }
  const Frame<double>& parent(const Kinematics& k, int i) const { return k.frames[ends_[i][0].marker]; }
  int parent_columns(const Kinematics& k, int i) const { return detail::marker_columns(k, ends_[i][0].marker, nullptr); }

  std::vector<LinkOfTree> links_;
  std::vector<std::array<Endpoint, 2>> ends_;
};

}  // namespace saltus
