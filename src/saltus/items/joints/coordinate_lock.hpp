// Lock of a coordinate.
#pragma once

#include "saltus/items/joints/scalar_lock.hpp"

namespace saltus {
using CoordinateLock = ScalarLock<NodeCoordinate>;
}
