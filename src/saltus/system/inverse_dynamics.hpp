// Forces of the joints of a kinematic tree for a given motion.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/system/system.hpp"

namespace saltus {

/// One force for each velocity of the tree, in the order of its links, for coordinates q (quaternions of balls and free joints), velocities v and accelerations a. Gravity acts, other forces do not; a base that moves is in
/// its initial state and accelerates as at vdot = 0. ModelError where there is no such tree, or the numbers are not as many as its coordinates.
std::vector<double> inverse_dynamics(const System& system, const std::string& tree, std::span<const double> q, std::span<const double> v, std::span<const double> a);

}  // namespace saltus
