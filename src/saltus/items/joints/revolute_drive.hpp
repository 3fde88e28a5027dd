// Prescribes the angle of a joint.
#pragma once

#include "saltus/items/joints/scalar_drive.hpp"

namespace saltus {
using RevoluteDrive = ScalarDrive<Twist>;
}
