// Memory of the factors of sparse matrices, counted before it is taken.
#pragma once

#include "saltus/math/csr.hpp"

namespace saltus {

/// Throws MemoryError, which names unknowns, entries and bytes, where `bytes` are more than `memory` (0: those that are free), or
/// `refused`. at_least: entries and bytes are what it takes at the least.
void check_factor_memory(int unknowns, double entries, double bytes, double memory, bool refused = false, bool at_least = false);

/// Entries of the lower factor, diagonal included, of a matrix with the pattern of A + A^T whose unknown i is eliminated at step
/// step_of[i], without pivoting; stops counting above `most`. By the rows of the elimination tree (Liu 1990), a count an entry.
double factor_entries(const CsrPattern& A, const int* step_of, double most);

}  // namespace saltus
