// What friction does with a row at rest.
#pragma once

#include <span>
#include <vector>

#include "saltus/pool/law.hpp"

namespace saltus {

/// What a law does with a row: it holds it by a multiplier inside the set, or slides at its bound, or acts on it in no way.
enum class Hold { holds, slides, free };
/// Of row r of a law with friction whose multipliers, in its set, are `force`; force[0] > 0.
Hold hold_of(const LawRef& law, int r, const std::vector<double>& force);

/// Whether the friction, force[1] and on, is in the set of the law to `within` [N].
bool holds_friction(const LawType& law, const double* parameters, std::span<const double> force, double within);
/// Friction of points that hold one body may strain it up to their bounds: of the shares that carry the same as `share`, those of least norm. rows: of each share what it does to the
/// unknowns, side by side. Empty where none are.
std::vector<double> least_strain(std::span<const double> rows, std::span<const double> share);

}  // namespace saltus
