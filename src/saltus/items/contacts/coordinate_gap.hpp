// Distance of one coordinate from a value.
#pragma once

#include "saltus/items/contacts/gap_of_coordinates.hpp"

namespace saltus {
using CoordinateGap = GapOfCoordinates<CoordPort<1>>;
}
