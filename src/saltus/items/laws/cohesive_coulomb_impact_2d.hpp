// A bond that breaks by damage, with dry friction, in the plane.
#pragma once

#include "saltus/items/laws/cohesive_law.hpp"

namespace saltus {
using CohesiveCoulombImpact2d = CohesiveLaw<2>;
}
