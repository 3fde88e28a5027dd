// Dry friction that depends on the sliding speed, and impact, of a contact in space.
#pragma once

#include "saltus/items/laws/stribeck_law.hpp"

namespace saltus {
using StribeckImpact = StribeckLaw<3>;
}
