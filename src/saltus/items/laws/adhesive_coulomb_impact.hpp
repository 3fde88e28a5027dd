// Adhesion with a bounded force and dry friction in space.
#pragma once

#include "saltus/items/laws/adhesive_law.hpp"

namespace saltus {
using AdhesiveCoulombImpact = AdhesiveLaw<3>;
}
