// Dry friction and impact of a contact in space.
#pragma once

#include "saltus/items/laws/coulomb_law.hpp"

namespace saltus {
using CoulombImpact = CoulombLaw<3>;
}
