// Quantities that items offer, by name, and how each is evaluated at a recorded state.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saltus/study/quantity.hpp"

namespace saltus::study {

using Evaluate = std::function<void(Assembly&, const Sample&, double*)>;

struct Named {
  std::string name, unit;
  std::vector<std::string> components;  // empty: one number
  Evaluate evaluate;
  std::string like = {};  // path of the quantity whose unit it has, where that is known only of the system
};
using Offered = std::vector<Named>;

/// The motion at a recorded state, with Jacobians and bias of the frames.
inline const Kinematics& at(Assembly& assembly, const Sample& sample) {
  assembly.update(sample.t, sample.y, sample.lambda, sample.data);
  return assembly.kinematics();
}
/// Places and velocities of frames and joint coordinates alone: what most quantities read, and where ropes and wraps are, a small part of the work.
inline const Kinematics& frames_at(Assembly& assembly, const Sample& sample) {
  assembly.update(sample.t, sample.y, sample.lambda, sample.data);
  return assembly.frames();
}
inline void put(const Vec3<double>& v, double* out) { std::copy(v.data(), v.data() + 3, out); }
const std::vector<std::string>& xyz();
std::vector<std::string> numbers(int n);

/// Of a frame: place, motion, rotation, in world axes and in its own.
void add_frame(const System& system, int marker, const Vec3<double>& reference, Offered& out);
/// Of frame B as seen from frame A, in the axes of A. before: what their names begin with.
void add_relative(const System& system, int A, int B, const std::string& before, Offered& out);
/// Angles of a sequence, `angles_xyz`, of what offers a rotation matrix; nothing where the name is not of this kind. Throws ModelError of a sequence that is none.
std::optional<Named> angles_of(const Offered& offered, const std::string& name, const std::string& path);

/// An item with mass: pool of objects, and item in it.
using ObjectRef = std::pair<int, int>;
/// Of objects together: energies; and of those that have frames mass, centre of mass, momentum, moment of momentum.
void add_inertia(const System& system, std::vector<ObjectRef> objects, Offered& out);
/// The same of the link of a kinematic tree whose frame this marker is, without the rotor of its joint; of other frames nothing.
void add_link_inertia(const System& system, int marker, Offered& out);

}  // namespace saltus::study
