// What friction does with a row at rest.
#pragma once

#include <vector>

#include "saltus/pool/law.hpp"

namespace saltus {

/// What a law does with a row: it holds it by a multiplier inside the set, or slides at its bound, or acts on it in no way.
enum class Hold { holds, slides, free };
/// Of row r of a law with friction whose multipliers, in its set, are `force`; force[0] > 0.
Hold hold_of(const LawRef& law, int r, const std::vector<double>& force);

}  // namespace saltus
