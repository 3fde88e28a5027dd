// Spring and damper between two coordinates.
#pragma once

#include "saltus/items/connectors/scalar_spring_damper.hpp"

namespace saltus {
using CoordinateSpringDamper = ScalarSpringDamper<NodeCoordinate>;
}
