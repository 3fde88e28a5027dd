// Rolling resistance of a contact in the plane.
#pragma once

#include "saltus/items/laws/rolling_law.hpp"

namespace saltus {
using RollingImpact2d = RollingLaw<3>;
}
