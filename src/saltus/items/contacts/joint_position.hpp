// Distance of the position of a joint from a value.
#pragma once

#include "saltus/items/contacts/gap_of_joint.hpp"

namespace saltus {
using JointPosition = GapOfJoint<Slide>;
}
