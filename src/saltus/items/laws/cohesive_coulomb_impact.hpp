// A bond that breaks by damage, with dry friction, in space.
#pragma once

#include "saltus/items/laws/cohesive_law.hpp"

namespace saltus {
using CohesiveCoulombImpact = CohesiveLaw<3>;
}
