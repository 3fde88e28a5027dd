// Dry friction and impact in Poisson's two phases in space.
#pragma once

#include "saltus/items/laws/poisson_law.hpp"

namespace saltus {
using PoissonCoulombImpact = PoissonLaw<3>;
}
