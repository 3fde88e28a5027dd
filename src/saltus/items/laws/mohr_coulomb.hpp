// Cohesion and friction of a contact in space.
#pragma once

#include "saltus/items/laws/mohr_coulomb_law.hpp"

namespace saltus {
using MohrCoulomb = MohrCoulombLaw<3>;
}
