#include "saltus/items/connectors/user_force.hpp"

namespace saltus {

std::string UserForce::invalid(int frames, int n) const {
  if (const std::string nothing = sizes::on_nothing(frames, n); !nothing.empty()) return nothing;
  const bool along = !sizes::absent(tension);
  if (sizes::absent(function) && sizes::absent(potential) && !along && memory.empty()) return "gives no force: it needs `function`, `potential`, or `length` and `tension`";
  if (along && sizes::absent(length)) return "has a tension and no `length` that it acts along";
  const int forces = 3 * frames + n, torques = 6 * frames + n, given = function.outputs();
  if (!sizes::absent(function) && given != forces && given != torques)
    return "function has " + std::to_string(given) + " results, must have " + std::to_string(forces) + ": " + (frames > 0 ? "three forces a frame" : "") + (frames > 0 && n > 0 ? ", " : "") +
           (n > 0 ? "one effort a coordinate" : "") + (frames > 0 ? ", or " + std::to_string(torques) + " with a torque behind each force" : "");
  if (!memory.empty() && sizes::absent(update)) return "has a memory and no `update` of it";
  if (!memory.empty()) return sizes::wrong("update", update, memory_size());
  return sizes::absent(update) ? "" : "has an update and no `memory`: give its initial values";
}

void UserForce::know_ends(int frames, int n) {
  const auto along = [&](const Function& f) {
    std::vector<int> directions;
    for (int i = 0; i < frames; ++i) {
      const int first = sizes::pose * i;
      bool turns = false;
      for (int j = 3; j < sizes::pose; ++j) turns |= f.depends_on(first + j);
      for (int d = 0; d < 6; ++d)
        if (d < 3 ? f.depends_on(first + d) : turns) directions.push_back(6 * i + d);
    }
    for (int i = 0; i < n; ++i)
      if (f.depends_on(sizes::pose * frames + i)) directions.push_back(6 * frames + i);
    return directions;
  };
  potential_along = along(potential), length_along = along(length);
}

double UserForce::potential_energy(const CoordinateView<double>& x) const { return sizes::absent(potential) ? 0.0 : scalar(potential, x); }

void UserForce::remember(const CoordinateView<double>& x, double* kept) const {
  if (x.history) evaluate(update, x, kept);
  else std::copy(memory.begin(), memory.end(), kept);
}

}  // namespace saltus
