// Prescribes the displacement of a joint.
#pragma once

#include "saltus/items/joints/scalar_drive.hpp"

namespace saltus {
using PrismaticDrive = ScalarDrive<Slide>;
}
