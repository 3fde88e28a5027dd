// How many points of contact a table of shapes is given room for in the memory of a state.
#pragma once

#include "saltus/system/contacts.hpp"

namespace saltus {

/// A ball has twelve neighbours of its size, each shared; a brick of a wall lies on two with four points each, and four beside it.
inline int usual_contacts(const ContactTable& table) {
  if (table.empty()) return 0;
  int points = 16;
  for (const Collider& c : table.colliders) points += c.shape.kind == ShapeKind::sphere ? 8 : 16;
  return points;
}

}  // namespace saltus
