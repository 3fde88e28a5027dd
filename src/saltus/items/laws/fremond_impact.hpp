// Impact and friction of the mean velocity in space.
#pragma once

#include "saltus/items/laws/fremond_law.hpp"

namespace saltus {
using FremondImpact = FremondLaw<3>;
}
