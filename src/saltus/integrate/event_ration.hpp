// Events that crowd are rationed: so many at once, more as coarse steps pass.
#pragma once

#include <algorithm>

namespace saltus::event_ration {

/// Events, or attempts at them, that may be spent at once; of which so many are there again before they are followed one by one once more; one more for every other coarse step.
constexpr double most = 128.0, enough = 32.0, a_step = 0.5;

/// What is spent after so many coarse steps.
inline double left(double spent, double coarse_steps) { return std::max(0.0, spent - a_step * coarse_steps); }

}  // namespace saltus::event_ration
