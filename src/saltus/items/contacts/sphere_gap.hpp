// Contact of two spheres without friction.
#pragma once

#include "saltus/items/contacts/sphere_rows.hpp"

namespace saltus {
using SphereGap = SphereContact<1>;
}
