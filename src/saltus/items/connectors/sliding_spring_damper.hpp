// Spring and damper on the position of B along the z axis of A.
#pragma once

#include "saltus/items/connectors/scalar_spring_damper.hpp"

namespace saltus {
using SlidingSpringDamper = ScalarSpringDamper<Slide>;
}
