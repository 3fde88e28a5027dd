// Hydraulic cylinder on a scalar coordinate.
#pragma once

#include "saltus/items/connectors/cylinder_of.hpp"

namespace saltus {

using HydraulicCylinder = CylinderOf<Oil>;

}  // namespace saltus
