// Contact of a sphere with a half-space that resists rolling and spinning.
#pragma once

#include "saltus/items/contacts/plane_rows.hpp"

namespace saltus {
using PlaneRollingContact = PlaneContact<3, 3>;
}
