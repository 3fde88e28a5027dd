// Pneumatic cylinder on a scalar coordinate.
#pragma once

#include "saltus/items/connectors/cylinder_of.hpp"

namespace saltus {

using PneumaticCylinder = CylinderOf<IdealGas>;

}  // namespace saltus
