// Every complementary basis of a small problem: all solutions, or the proof that there is none.
#pragma once

#include <vector>

#include "saltus/solver/lemke.hpp"

namespace saltus {

struct Enumeration {
  std::vector<std::vector<double>> x;  // basic solutions: the vertices of the solution set
  bool unbounded = false;              // the set holds a ray
  bool certain = true;                 // false: a nearly singular basis decided by round-off, or too many bases
};

/// Tries all complementary cones of the standard problem; in a singular cone all its independent columns (then the
/// solution set has a continuum or a ray). Work 2^n n^3, 3^ranges more; n at most 16.
Enumeration enumerate_bases(const StandardLcp& problem, double tolerance = 1e-9);

}  // namespace saltus
