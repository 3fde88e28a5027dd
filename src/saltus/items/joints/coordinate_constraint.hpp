// Prescribes the difference of two coordinates, or one coordinate.
#pragma once

#include "saltus/items/joints/scalar_drive.hpp"

namespace saltus {
using CoordinateConstraint = ScalarDrive<NodeCoordinate>;
}
