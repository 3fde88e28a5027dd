// Prescribes the speed of a joint.
#pragma once

#include "saltus/items/joints/scalar_drive.hpp"

namespace saltus {
using RevoluteSpeedDrive = ScalarSpeedDrive<Twist>;
}
