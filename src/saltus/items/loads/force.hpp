// A force at the origin of a frame.
#pragma once

#include "saltus/items/loads/frame_load.hpp"

namespace saltus {
using Force = FrameLoad<LoadKind::force>;
}
