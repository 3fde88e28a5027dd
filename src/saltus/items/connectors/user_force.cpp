#include "saltus/items/connectors/user_force.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace saltus {
namespace {

using View = CoordinateView<double>;

/// Of an input of `function` that is of an axis or of an angular velocity, for directions moved by `value` in place and `rate` in velocity.
Spread of_motion(const View& x, int input, const double* value, const double* rate) {
  Spread s;
  const int frame = (input - 1) / sizes::frame, part = (input - 1) % sizes::frame, first = 6 * frame;
  const Frame<double>& f = x.frame[frame];
  if (part < sizes::pose) {
    s.add_rotation(f, first, part - 3);
    for (int i = 0; i < s.count; ++i) s.by[i] *= value[s.direction[i]];
    return s;
  }
  const int r = part - sizes::pose - 3;  // of R w: its own w moves, and R under it
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3, d = first + 3 + k;
    s.add(d, rate[d] * f.R(r, k) + value[d] * (f.R(r, j) * f.w[i] - f.R(r, i) * f.w[j]));
  }
  return s;
}

}  // namespace

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
  torques = !sizes::absent(function) && frames > 0 && function.outputs() == 6 * frames + n;
  const int tangent = 6 * frames + n;
  direction_of_motion = {no_direction};  // of t
  for (int i = 0; i < frames; ++i)
    for (int part = 0; part < sizes::frame; ++part) {
      const bool velocity = part >= sizes::pose && part < sizes::pose + 3;
      direction_of_motion.push_back(velocity ? tangent + 6 * i + part - sizes::pose : part < 3 ? 6 * i + part : several_directions);
    }
  for (int i = 0; i < n; ++i) direction_of_motion.push_back(6 * frames + i);
  for (int i = 0; i < n; ++i) direction_of_motion.push_back(tangent + 6 * frames + i);
  direction_of_motion.resize(direction_of_motion.size() + memory.size(), no_direction);
  if (!sizes::absent(function)) by_function = FormulaDerivatives::of(function, 1);
  if (!sizes::absent(potential)) by_potential = PlaceDerivatives(potential, frames, n, false);
  if (!sizes::absent(tension)) by_length = PlaceDerivatives(length, frames, n, false), by_tension = FormulaDerivatives::of(tension, 1);
}

bool UserForce::derivatives(const CoordinateView<double>& x, const double* value, const double* rate, double* K) const {
  return (sizes::absent(function) || (by_function && add_function_derivatives(x, value, rate, K))) && (sizes::absent(potential) || (by_potential.known() && add_potential_derivatives(x, value, K))) &&
         (sizes::absent(tension) || (by_length.known() && by_tension && add_tension_derivatives(x, value, rate, K)));
}

bool UserForce::add_function_derivatives(const CoordinateView<double>& x, const double* value, const double* rate, double* K) const {
  const FormulaDerivatives& f = *by_function;
  const int n = x.tangent(), results = f.results();
  sizes::Inputs<double> in(1 + sizes::frame * x.frames + 2 * x.n + memory_size());
  in.add(x.t).add_frames(x).add(x.q, x.n).add(x.v, x.n);
  add_memory(x, in);
  detail::Buffer<double, 256> out(f.size(1));
  f(in.data(), x.data, 1, out.data());
  if (!all_finite(std::span<const double>(out.data(), out.size()))) return false;
  const auto row_of = [&](int result) { return torques ? result : result < 3 * x.frames ? 6 * (result / 3) + result % 3 : 3 * x.frames + result; };
  const double* next = out.data() + results;
  for (const auto [result, input] : f.slopes()) {
    const double d = *next++;
    double* const row = K + row_of(result) * n;
    const int direction = direction_of_motion[input];
    if (direction >= n) row[direction - n] += d * rate[direction - n];
    else if (direction >= 0) row[direction] += d * value[direction];
    if (direction != several_directions) continue;
    const Spread s = of_motion(x, input, value, rate);
    for (int i = 0; i < s.count; ++i) row[s.direction[i]] += d * s.by[i];
  }
  for (int i = 0; torques && i < x.frames; ++i) {  // torques into the axes of the frame, which turn: d(R^T T) = R^T dT - d(theta) x R^T T
    const Mat3<double>& R = x.frame[i].R;
    double* const rows = K + (6 * i + 3) * n;
    for (int c = 0; c < n; ++c) {
      const Vec3<double> world{{rows[c], rows[n + c], rows[2 * n + c]}}, own = transposed_times(R, world);
      for (int r = 0; r < 3; ++r) rows[r * n + c] = own[r];
    }
    const double* T = out.data() + 6 * i + 3;
    const Vec3<double> torque = transposed_times(R, Vec3<double>{{T[0], T[1], T[2]}});
    for (int k = 0; k < 3; ++k) {
      const int c = 6 * i + 3 + k, j = (k + 1) % 3, l = (k + 2) % 3;
      rows[j * n + c] += value[c] * torque[l];
      rows[l * n + c] -= value[c] * torque[j];
    }
  }
  return true;
}

bool UserForce::add_potential_derivatives(const CoordinateView<double>& x, const double* value, double* K) const {
  const int n = x.tangent();
  Places<double> in(*this, x);
  detail::Buffer<double> slope(n);
  detail::Block curvature(n * n);
  const double one = 1.0;
  double V;
  if (!by_potential.curvature(x, in.data(), &one, &V, slope.data(), curvature.data())) return false;
  for (const int r : potential_along)
    for (const int c : potential_along) K[r * n + c] -= curvature[r * n + c] * value[c];
  return true;
}

bool UserForce::add_tension_derivatives(const CoordinateView<double>& x, const double* value, const double* rate, double* K) const {
  const int n = x.tangent();
  Places<double> places(*this, x);
  detail::Buffer<double> slope(n);
  detail::Block curvature(n * n);
  const double one = 1.0;
  double in[] = {x.t, 0.0, 0.0};
  if (!by_length.curvature(x, places.data(), &one, in + 1, slope.data(), curvature.data())) return false;
  detail::Buffer<double> moves(n);
  for (const int d : length_along) moves[d] = UserForce::rate(x, d), in[2] += slope[d] * moves[d];
  double out[4], by_length_itself = 0.0, by_its_rate = 0.0;
  (*by_tension)(in, x.data, 1, out);
  const double* next = out + 1;
  for (const auto [result, input] : by_tension->slopes()) {
    if (input == 0) ++next;
    else (input == 1 ? by_length_itself : by_its_rate) = *next++;
  }
  const double f = out[0];
  if (!std::isfinite(f + by_length_itself + by_its_rate)) return false;
  for (const int c : length_along) {
    double of_rate = 0.0;
    for (const int e : length_along) of_rate += curvature[e * n + c] * moves[e];
    const double df = by_length_itself * slope[c] * value[c] + by_its_rate * (value[c] * of_rate + rate[c] * slope[c]), turned = f * value[c];
    for (const int r : length_along) K[r * n + c] -= df * slope[r] + turned * curvature[r * n + c];
  }
  return true;
}

double UserForce::potential_energy(const CoordinateView<double>& x) const { return sizes::absent(potential) ? 0.0 : scalar(potential, x); }

void UserForce::remember(const CoordinateView<double>& x, double* kept) const {
  if (x.history) evaluate(update, nullptr, x, kept);
  else std::copy(memory.begin(), memory.end(), kept);
}

std::string UserForce::refusal(const double* kept) const {
  const auto wrong = std::find_if(kept, kept + memory.size(), [](double x) { return !std::isfinite(x); });
  if (wrong == kept + memory.size()) return {};
  return "`update` gives m" + std::to_string(wrong - kept) + " = " + (std::isnan(*wrong) ? "nan" : *wrong > 0.0 ? "inf" : "-inf") + "; check it for divisions by zero, log and sqrt, or keep m" + std::to_string(wrong - kept) +
         " there with if(..., ..., m" + std::to_string(wrong - kept) + ")";
}

}  // namespace saltus
