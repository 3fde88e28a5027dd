// Spring and damper on the angle about the z axis of two frames.
#pragma once

#include "saltus/items/connectors/scalar_spring_damper.hpp"

namespace saltus {
using TorsionalSpringDamper = ScalarSpringDamper<Twist>;
}
