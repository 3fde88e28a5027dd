// Adhesion with a bounded force, without friction.
#pragma once

#include "saltus/items/laws/adhesive_law.hpp"

namespace saltus {
using AdhesiveImpact = AdhesiveLaw<1>;
}
