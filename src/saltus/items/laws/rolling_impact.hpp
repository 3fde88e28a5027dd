// Rolling and spinning resistance of a contact in space.
#pragma once

#include "saltus/items/laws/rolling_law.hpp"

namespace saltus {
using RollingImpact = RollingLaw<6>;
}
