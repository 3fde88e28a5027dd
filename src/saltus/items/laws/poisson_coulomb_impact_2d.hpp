// Dry friction and impact in Poisson's two phases in the plane.
#pragma once

#include "saltus/items/laws/poisson_law.hpp"

namespace saltus {
using PoissonCoulombImpact2d = PoissonLaw<2>;
}
