// Dry friction and impact of a contact in the plane.
#pragma once

#include "saltus/items/laws/coulomb_law.hpp"

namespace saltus {
using CoulombImpact2d = CoulombLaw<2>;
}
