// Contact of a ball or a point with a half-space, friction along x alone.
#pragma once

#include "saltus/items/contacts/plane_rows.hpp"

namespace saltus {
using PlaneContact2d = PlaneContact<2>;
}
