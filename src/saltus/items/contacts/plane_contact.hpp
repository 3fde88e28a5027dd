// Contact of a ball or a point with a half-space.
#pragma once

#include "saltus/items/contacts/plane_rows.hpp"

namespace saltus {
using PlaneContact3d = PlaneContact<3>;
}
