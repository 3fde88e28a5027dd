// Lock of the angle of a joint.
#pragma once

#include "saltus/items/joints/scalar_lock.hpp"

namespace saltus {
using RevoluteLock = ScalarLock<Twist>;
}
