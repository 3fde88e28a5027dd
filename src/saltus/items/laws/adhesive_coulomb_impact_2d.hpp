// Adhesion with a bounded force and dry friction in the plane.
#pragma once

#include "saltus/items/laws/adhesive_law.hpp"

namespace saltus {
using AdhesiveCoulombImpact2d = AdhesiveLaw<2>;
}
