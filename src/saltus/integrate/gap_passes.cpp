#include "saltus/integrate/gap_passes.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

void GapPasses::look_at(const State& before) {
  first_.clear();
  rows_.configure(before.t(), before.y(), before.data(), 0.0);
  for (int b = 0; b < rows_.relations(); ++b)
    if (blocks_.gap(b)) first_.push_back(rows_.value(b)), first_.push_back(rows_.rate(b, 0));
}

double GapPasses::sunk(const State& before, const State& after, std::span<const double> range) {
  look_at(before);
  if (first_.empty()) return 0.0;
  rows_.configure(after.t(), after.y(), before.data(), 0.0);
  row_.resize(at(system_.layout.unknowns()) + 1);
  double worst = 0.0;
  const double* first = first_.data();
  for (int b = 0; b < rows_.relations(); ++b) {
    if (!blocks_.gap(b)) continue;
    const double begun = *first;
    first += 2;
    if (!(begun > 0.0 && rows_.value(b) < 0.0)) continue;
    std::fill(row_.begin(), row_.end(), 0.0);
    rows_.add_row(b, 0, row_.data());
    double way = 0.0;
    for (std::size_t i = 0; i < range.size(); ++i) way += std::abs(row_[i]) * range[i];
    if (way > 0.0) worst = std::max(worst, -rows_.value(b) / way);
  }
  return worst;
}

bool GapPasses::passed(const State& before, const State& after, double unseen) {
  const double h = after.t() - before.t(), closed = 1e-9 * system_.contacts.size;
  look_at(before);
  if (!first_.empty()) rows_.configure(after.t(), after.y(), before.data(), 0.0);
  const double* first = first_.data();
  for (int b = 0; b < rows_.relations() && !first_.empty(); ++b) {
    if (!blocks_.gap(b)) continue;
    const double y0 = first[0], rate0 = first[1], y1 = rows_.value(b), rate1 = rows_.rate(b, 0);
    first += 2;
    if (!(y0 > closed && rate0 < 0.0 && rate1 > 0.0)) continue;
    const double s = (y1 - y0 - rate1 * h) / (rate0 - rate1);  // the tangents y0 + rate0 s and y1 - rate1 (h - s) meet there
    if (s > 0.0 && s < h && y0 + rate0 * s < -unseen) return true;
  }
  return groups_.passed(before, after, unseen);
}

}  // namespace saltus
