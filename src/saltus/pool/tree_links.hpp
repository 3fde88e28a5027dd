// Frames of links: each a function of the frame of its parent and of the coordinate of the joint between them.
#pragma once

#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/pool/ports.hpp"
#include "saltus/pool/tree_dynamics.hpp"

namespace saltus {

/// A link's frame stands on that of its parent, which is older: one pass evaluates a tree, one passes wrenches down to its base. Columns of a link are those of its parent, then the
/// velocities of its joint.
class TreeLinks final : public FrameSource {
 public:
  /// coordinates: one for each velocity of the joint; those of a rotation in space stand at its quaternion.
  int add(const LinkOfTree& link, const Endpoint& parent, std::span<const Endpoint> coordinates);
  const LinkOfTree& link(int i) const { return places_[i].link; }
  int size() const override { return count_of(places_); }
  std::span<const Endpoint> endpoints(int i) const override { return places_[i].ends; }
  void place(int i, FrameUse& use) override;
  int columns(const Kinematics& k, int i, int* out) const override;

  Frame<double> frame(const Kinematics& k, int i) const override;
  Vec6<double> bias(const Kinematics& k, int i) const override;
  void jacobian(const Kinematics& k, int i, double* J) const override;
  void scatter(const Kinematics& k, int i, const Vec6<double>& wrench, const ForceSink& sink) const override;
  void add_geometric(const Kinematics& k, int i, const Vec6<double>& wrench, double* G, int n, int offset) const override;
  bool add_rate_jacobian(const Kinematics& k, int i, const double* map, int rows, double* V, int n, int offset) const override;

 private:
  struct Place {
    LinkOfTree link;
    std::vector<Endpoint> ends;    // the parent's frame, the coordinates
    std::vector<JointAxis> axes;   // of these
  };
  /// How the link moves as seen from its parent: velocity in the axes of the parent, angular velocity in its own.
  struct Rates {
    Vec3<double> slides{}, turns{};
  };
  RigidMotion<double> motion(const Kinematics& k, int i) const;
  Rates rates(const Kinematics& k, int i) const;
  const Frame<double>& parent(const Kinematics& k, int i) const { return k.frames[places_[i].ends[0].marker]; }
  int parent_columns(const Kinematics& k, int i) const { return detail::marker_columns(k, places_[i].ends[0].marker, nullptr); }

  std::vector<Place> places_;
};

}  // namespace saltus
