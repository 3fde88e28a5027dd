// Contact of two spheres.
#pragma once

#include "saltus/items/contacts/sphere_rows.hpp"

namespace saltus {
using SphereContact3d = SphereContact<3>;
}
