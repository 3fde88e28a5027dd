// Lock of the position of a joint.
#pragma once

#include "saltus/items/joints/scalar_lock.hpp"

namespace saltus {
using PrismaticLock = ScalarLock<Slide>;
}
