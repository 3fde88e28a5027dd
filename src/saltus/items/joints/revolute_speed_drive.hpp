// Prescribes the angular speed about the z axis of two joint frames.
#pragma once

#include "saltus/items/joints/joint_drive.hpp"

namespace saltus {
using RevoluteSpeedDrive = JointSpeedDrive<Twist>;
}
