// Contact of a disc's rim with a half-space that resists rolling and spinning.
#pragma once

#include "saltus/items/contacts/disc_rows.hpp"

namespace saltus {
using DiscRollingContact = DiscContact<3, 3>;
}
