// Spring and damper along the z axis of a frame.
#pragma once

#include "saltus/items/connectors/joint_spring_damper.hpp"

namespace saltus {
using SlidingSpringDamper = JointSpringDamper<Slide>;
}
