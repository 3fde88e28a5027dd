// Impact in Poisson's two phases, without friction.
#pragma once

#include "saltus/items/laws/poisson_law.hpp"

namespace saltus {
using PoissonImpact = PoissonLaw<1>;
}
