// A torque on a frame.
#pragma once

#include "saltus/items/loads/frame_load.hpp"

namespace saltus {
using Torque = FrameLoad<LoadKind::torque>;
}
