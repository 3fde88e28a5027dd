// What the forces of contacts between groups add to the stiffness: their points and normals move with the surfaces.
#pragma once

#include <span>
#include <vector>

#include "saltus/system/assembly.hpp"

namespace saltus {

/// The force and the moment of a contact on B, at its point, in the world. Without friction the force stays along the normal, else it stays as it is: what it changes is a
/// multiplier's.
struct ContactWrench {
  double name = 0.0;  // the contact's identity
  Vec3<double> force{}, moment{};
};

/// An entry of a matrix of the velocities.
struct StiffnessEntry {
  int row = 0, column = 0;
  double value = 0.0;
};

/// Of forces along the rows of a contact.
ContactWrench wrench_of(const Contact& contact, const double* forces);
/// The wrench along the rows of its contact.
void along_rows(const Contact& contact, const ContactWrench& wrench, double* out);

/// -d(H^T r)/dq at (t, y, data), by central differences over 1e-4 of the model's size: to 1e-8 of its terms on round surfaces, nothing between flat ones. A sphere of radius a on one of radius b
/// has f a b / (a + b) from it against rolling, beside what the lever of the weight adds.
/// The assembly is left at another configuration.
std::vector<StiffnessEntry> contact_stiffness(Assembly& assembly, double t, const double* y, const double* data, std::span<const ContactWrench> wrenches);

}  // namespace saltus
