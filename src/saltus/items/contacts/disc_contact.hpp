// Contact of a disc's rim with a half-space.
#pragma once

#include "saltus/items/contacts/disc_rows.hpp"

namespace saltus {
using DiscContact3d = DiscContact<3>;
}
