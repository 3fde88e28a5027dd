// Dry friction that depends on the sliding speed, and impact, of a contact in the plane.
#pragma once

#include "saltus/items/laws/stribeck_law.hpp"

namespace saltus {
using StribeckImpact2d = StribeckLaw<2>;
}
