// Cohesion and friction of a contact in the plane.
#pragma once

#include "saltus/items/laws/mohr_coulomb_law.hpp"

namespace saltus {
using MohrCoulomb2d = MohrCoulombLaw<2>;
}
