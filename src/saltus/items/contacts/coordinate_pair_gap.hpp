// Distance between two coordinates.
#pragma once

#include "saltus/items/contacts/gap_of_coordinates.hpp"

namespace saltus {
using CoordinatePairGap = GapOfCoordinates<CoordPair>;
}
