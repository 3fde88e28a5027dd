// Contact of two spheres that resist rolling and spinning.
#pragma once

#include "saltus/items/contacts/sphere_rows.hpp"

namespace saltus {
using SphereRollingContact = SphereContact<3, 3>;
}
