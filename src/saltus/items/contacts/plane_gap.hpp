// Contact of a ball or a point with a half-space, without friction.
#pragma once

#include "saltus/items/contacts/plane_rows.hpp"

namespace saltus {
using PlaneGap = PlaneContact<1>;
}
