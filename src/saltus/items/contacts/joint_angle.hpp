// Distance of the angle of a joint from a value.
#pragma once

#include "saltus/items/contacts/gap_of_joint.hpp"

namespace saltus {
using JointAngle = GapOfJoint<Twist>;
}
