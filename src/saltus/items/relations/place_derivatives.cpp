#include "saltus/items/relations/place_derivatives.hpp"

#include "saltus/base/index.hpp"

namespace saltus {

void Spread::add_rotation(const Frame<double>& f, int first, int entry) {
  const int r = entry / 3, i = entry % 3, next = (i + 1) % 3, last = (i + 2) % 3;
  add(first + 3 + last, f.R(r, next));
  add(first + 3 + next, -f.R(r, last));
}

PlaceDerivatives::PlaceDerivatives(const Function& f, int frames, int n, bool timed) : formulas_(FormulaDerivatives::of(f, 2)), first_(timed ? 1 : 0) {
  if (timed) direction_ = {time_direction};
  for (int i = 0; i < frames; ++i)
    for (int part = 0; part < sizes::pose; ++part) direction_.push_back(part < 3 ? 6 * i + part : several_directions);
  for (int i = 0; i < n; ++i) direction_.push_back(6 * frames + i);
  while (count_of(direction_) < f.inputs()) direction_.push_back(no_direction);
}

bool PlaceDerivatives::values(const CoordinateView<double>& x, const double* in, int order, Values& out) const {
  (*formulas_)(in, x.data, order, out.data());
  return all_finite(std::span<const double>(out.data(), out.size()));
}

Spread PlaceDerivatives::spread(const CoordinateView<double>& x, int input) const {
  Spread s;
  const int place = input - first_;
  if (direction_[input] == several_directions) s.add_rotation(x.frame[place / sizes::pose], 6 * (place / sizes::pose), place % sizes::pose - 3);
  else if (direction_[input] != no_direction) s.add(direction_[input], 1.0);
  return s;
}

void PlaceDerivatives::add_slopes(const CoordinateView<double>& x, const double* out, double* y, double* slope) const {
  const int n = x.tangent();
  std::copy_n(out, formulas_->results(), y);
  const double* next = out + formulas_->results();
  for (const auto [result, input] : formulas_->slopes()) {
    const double d = *next++;
    if (direction_[input] >= 0) {
      slope[result * n + direction_[input]] += d;
    } else if (direction_[input] == several_directions) {
      const Spread s = spread(x, input);
      for (int i = 0; i < s.count; ++i) slope[result * n + s.direction[i]] += d * s.by[i];
    }
  }
}

template <class Put>
void PlaceDerivatives::each_curve(const CoordinateView<double>& x, const double* out, const Put& put) const {
  const double* next = out + formulas_->results();
  for (const auto [result, input] : formulas_->slopes()) {  // two turns after each other, R [e_a] [e_b] = R (e_b e_a^T - (e_a . e_b) 1)
    const double d = *next++;
    if (direction_[input] != several_directions) continue;
    const int place = input - first_, frame = place / sizes::pose, entry = place % sizes::pose - 3, first = 6 * frame + 3;
    const Mat3<double>& R = x.frame[frame].R;
    for (int b = 0; b < 3; ++b) put(result, first + b, first + entry % 3, d * R(entry / 3, b));
    for (int a = 0; a < 3; ++a) put(result, first + a, first + a, -d * R(entry / 3, entry % 3));
  }
  for (const auto [result, input, other] : formulas_->curves()) {
    const double d = *next++;
    if (const int a = direction_[input], b = direction_[other]; a >= 0 && b >= 0) {
      put(result, a, b, d);
      if (input != other) put(result, b, a, d);
      continue;
    }
    const Spread a = spread(x, input), b = spread(x, other);
    for (int i = 0; i < a.count; ++i)
      for (int j = 0; j < b.count; ++j) {
        put(result, a.direction[i], b.direction[j], d * a.by[i] * b.by[j]);
        if (input != other) put(result, b.direction[j], a.direction[i], d * a.by[i] * b.by[j]);
      }
  }
}

bool PlaceDerivatives::slopes(const CoordinateView<double>& x, const double* in, double* y, double* slope) const {
  Values out(formulas_->size(1));
  if (!values(x, in, 1, out)) return false;
  add_slopes(x, out.data(), y, slope);
  return true;
}

bool PlaceDerivatives::curvature(const CoordinateView<double>& x, const double* in, const double* weight, double* y, double* slope, double* curvature) const {
  Values out(formulas_->size(2));
  if (!values(x, in, 2, out)) return false;
  add_slopes(x, out.data(), y, slope);
  const int n = x.tangent();
  each_curve(x, out.data(), [&](int r, int a, int b, double d) {
    if (a >= 0 && b >= 0) curvature[a * n + b] += weight[r] * d;
  });
  return true;
}

bool PlaceDerivatives::turning(const CoordinateView<double>& x, const double* in, const double* rate, double* turning) const {
  Values out(formulas_->size(2));
  if (!values(x, in, 2, out)) return false;
  const int n = x.tangent();
  each_curve(x, out.data(), [&](int r, int a, int b, double d) {
    if (b >= 0) turning[r * n + b] += d * (a >= 0 ? rate[a] : 1.0);
  });
  return true;
}

}  // namespace saltus
