// A bond that breaks by damage, without friction.
#pragma once

#include "saltus/items/laws/cohesive_law.hpp"

namespace saltus {
using CohesiveImpact = CohesiveLaw<1>;
}
