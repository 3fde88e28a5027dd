// Contact of a disc with a half-space that resists rolling, along x alone.
#pragma once

#include "saltus/items/contacts/plane_rows.hpp"

namespace saltus {
using PlaneRollingContact2d = PlaneContact<2, 1>;
}
