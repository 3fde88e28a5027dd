// Gap between a disc and a kerb.
#pragma once

#include "saltus/items/contacts/disc_outline_rows.hpp"

namespace saltus {
using DiscOutlineGap = DiscOutlineContact<1>;
}
