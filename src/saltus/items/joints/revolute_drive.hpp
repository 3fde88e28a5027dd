// Prescribes the angle about the z axis of two joint frames.
#pragma once

#include "saltus/items/joints/joint_drive.hpp"

namespace saltus {
using RevoluteDrive = JointDrive<Twist>;
}
