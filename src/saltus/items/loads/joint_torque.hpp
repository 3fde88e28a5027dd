// A drive torque about the z axis of two joint frames.
#pragma once

#include "saltus/items/loads/scalar_load.hpp"

namespace saltus {
using JointTorque = ScalarLoad<Twist>;
}
