// Gap of a disc's rim over a half-space, without friction.
#pragma once

#include "saltus/items/contacts/disc_rows.hpp"

namespace saltus {
using DiscGap = DiscContact<1>;
}
