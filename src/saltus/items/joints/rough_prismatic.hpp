// Prismatic joint with friction of its own reaction.
#pragma once

#include "saltus/items/joints/rough_joint.hpp"
