// A drive torque about the z axis of two joint frames.
#pragma once

#include "saltus/items/loads/joint_load.hpp"

namespace saltus {
using JointTorque = JointLoad<Twist>;
}
