// Contact of a disc with a kerb.
#pragma once

#include "saltus/items/contacts/disc_outline_rows.hpp"

namespace saltus {
using DiscOutlineContact3d = DiscOutlineContact<3>;
}
