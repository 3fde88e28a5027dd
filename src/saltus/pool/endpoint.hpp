// The ends of a connection.
#pragma once

#include <vector>

#include "saltus/pool/kinematics.hpp"

namespace saltus {

enum class EndpointKind { frame, coordinate };

/// One end of a connection: a frame marker or a scalar coordinate. At a marker whose origin is three coordinates in a row
/// (a point, the origin of a rigid body), ports that need the point alone hold the first of the three in `coordinate`.
struct Endpoint {
  EndpointKind kind = EndpointKind::frame;
  int marker = 0;
  CoordinateRef coordinate;

  bool in_y() const { return coordinate.kind == CoordinateKind::ode2; }  // of a frame end: the point lies in y
};

/// What ports learn and say when the system is complete, by marker.
struct FrameUse {
  std::vector<CoordinateRef> point;  // first of the three coordinates of the origin; kind none: it is no part of y
  std::vector<char> origin, whole;   // some port reads p and v of the frame; reads all of it
  std::vector<char> biased;          // its acceleration at vdot = 0 may differ from 0
  CoordinateRef ground{};            // where coordinates of the ground, and those of joints from the first on, stand in the complete system
  int joints = 0;
  bool second_derivatives = true;    // those placed now read second derivatives of coordinates: all but forces
  std::vector<char> second_derivative_of;  // by number of a joint's coordinate: whether it is read
};

}  // namespace saltus
