// Angle of a joint as a row: a stop, or dry friction.
#pragma once

#include "saltus/items/contacts/joint_gap.hpp"

namespace saltus {
using JointAngle = JointGap<Twist>;
}
