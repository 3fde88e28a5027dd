// Impact and friction of the mean velocity in the plane.
#pragma once

#include "saltus/items/laws/fremond_law.hpp"

namespace saltus {
using FremondImpact2d = FremondLaw<2>;
}
