// Prescribes the rate of the difference of two coordinates, or of one.
#pragma once

#include "saltus/items/joints/scalar_drive.hpp"

namespace saltus {
using CoordinateSpeedDrive = ScalarSpeedDrive<NodeCoordinate>;
}
