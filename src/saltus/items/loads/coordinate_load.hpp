// A load on one coordinate.
#pragma once

#include "saltus/items/loads/scalar_load.hpp"

namespace saltus {
using CoordinateLoad = ScalarLoad<NodeCoordinate>;
}
