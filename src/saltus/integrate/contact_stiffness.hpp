// What the forces of contacts between groups add to the stiffness: their points and normals move with the surfaces.
#pragma once

#include <span>
#include <vector>

#include "saltus/system/assembly.hpp"

namespace saltus {

/// The force and the moment of a contact on B, at its point, in the world.
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

/// Motions of B against A, two colliders: of a point and about the axes of the world, each by velocity. Zero motions are left out.
struct PairMotion {
  int A = 0, B = 0;
  std::vector<std::vector<double>> rows;
};

struct ContactStiffness {
  std::vector<StiffnessEntry> entries;
  /// Pairs whose points beside the state are others, as where edges coincide: their wrenches go with points of the bodies and stay as they are in the world. The entries
  /// are right only where none of these motions is left.
  std::vector<PairMotion> stuck;
  /// Identities of wrenches without a contact at the state: nothing is known then.
  std::vector<double> missing;
};

/// -d(H^T r)/dq at (t, y, data), what is along the normals turned with them, by central differences over 1e-4 of the smallest ball that a shape under a wrench holds, or of the model's
/// size: to 1e-8 of its terms on round surfaces, nothing between flat ones. A sphere of radius a on one of radius b has f a b / (a + b) from it against rolling, beside what the lever of
/// the weight adds. Wrenches below 1e-9 of the largest are left out, and columns of velocities that are `still`. The assembly is left at the state.
ContactStiffness contact_stiffness(Assembly& assembly, double t, const double* y, const double* data, std::span<const ContactWrench> wrenches, const std::vector<char>& still = {});

}  // namespace saltus
