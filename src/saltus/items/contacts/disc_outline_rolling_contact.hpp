// Contact of a disc with a kerb, with resistance to rolling.
#pragma once

#include "saltus/items/contacts/disc_outline_rows.hpp"

namespace saltus {
using DiscOutlineRollingContact = DiscOutlineContact<3, 3>;
}
