// Contact of two discs in the x-y plane.
#pragma once

#include "saltus/items/contacts/sphere_rows.hpp"

namespace saltus {
using SphereContact2d = SphereContact<2>;
}
