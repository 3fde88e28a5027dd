#include "saltus/integrate/moreau_turns.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
/// Contacts of one body that determine their forces, about: what the turning of more adds need not go together as long as the step is iterated.
constexpr int few_of_a_body = 3;
/// Cosine of 0.2: a normal that turns by more in half a step may have jumped, as on an edge.
constexpr double smooth = 0.98;
/// Of the largest velocity: slower slip is rounding.
constexpr double still = 1e-7;
}  // namespace

void ContactTurns::begin(double speed, double within) {
  speed_ = speed, within_ = within, first_order_ = false;
  turns_.clear();
  turn_.assign(at(set_.rows()), 0.0);
  std::fill(count_.begin(), count_.end(), 0);
  for (const Contact& c : set_.contacts())
    for (const int collider : {c.A, c.B})
      if (const int base = table_.colliders[at(collider)].base; base >= 0) {
        if (count_.size() <= at(base)) count_.resize(at(base) + 1);
        ++count_[at(base)];
      }
}

bool ContactTurns::few(const Contact& c) const {
  const auto number = [&](int collider) { const int base = table_.colliders[at(collider)].base; return base < 0 ? 0 : count_[at(base)]; };
  return std::max(number(c.A), number(c.B)) <= few_of_a_body;
}

/// Slip in two directions may turn.
void ContactTurns::take(const Contact& c, const LawRef& law, const double* multipliers) {
  const int sliding = law.type->set->sliding;
  const bool all = all_friction(law, c.rows, multipliers), slides = all && sliding > 1 && std::hypot(u_minus_[at(c.row + 1)], u_minus_[at(c.row + 2)]) > still * speed_;
  turns_.push_back({static_cast<int>(&c - set_.contacts().data()), slides ? sliding : 0, all});
  for (int r = 1; r <= turns_.back().slides; ++r) bias_[at(c.row + r)] = u_minus_[at(c.row + r)];
}

/// Rates along the directions of `end`, in the axes of c turned with the normal: tangents themselves are as one likes.
void ContactTurns::rates_at(const Contact& end, const Contact& c, const double* velocity, double* rates) const {
  const Vec3<double> n = c.axes[0], both = end.axes[0] + n;
  const auto back = [&](const Vec3<double>& x) { return x - both * (dot(x, both) / (1.0 + dot(end.axes[0], n))) + n * (2.0 * dot(end.axes[0], x)); };
  Vec3<double> along{}, about{};
  for (int r = 0; r < c.rows; ++r) (r < c.along ? along : about) += end.axis(r) * near_.rate(end, r, velocity);
  along = back(along), about = back(about);
  for (int r = 0; r < c.rows; ++r) rates[r] = dot(c.axis(r), r < c.along ? along : about);
}

double ContactTurns::turn(const Kinematics& k, const double* velocity) {
  near_.find(k, within_);
  const std::span<const Contact> ends = near_.contacts();
  std::size_t next = 0;  // both are in one order
  double worst = 0.0;
  for (const Turn& t : turns_) {
    const Contact& c = set_.contacts()[at(t.contact)];
    std::size_t tried = 0;
    for (; tried < ends.size() && ends[next].identity() != c.identity(); ++tried) next = next + 1 < ends.size() ? next + 1 : 0;
    double rates[ContactGroup::most_rows];
    const bool known = tried < ends.size() && dot(ends[next].axes[0], c.axes[0]) > smooth;
    first_order_ |= !known;
    if (known) rates_at(ends[next], c, velocity, rates);
    for (int r = 0; r < c.rows; ++r) {
      if (r > 0 && r <= t.slides) continue;
      const double* H = set_.H(c) + r * c.columns;
      double& turned = turn_[at(c.row + r)];
      const double now = known ? rates[r] - set_.rate(c, r, velocity) : 0.0, change = now - turned;
      double terms = speed_;
      for (int j = 0; j < c.columns; ++j) terms = std::max(terms, std::abs(H[j] * velocity[set_.columns(c)[at(j)]]));
      if (change != 0.0) worst = std::max(worst, std::abs(change) / terms);
      turned = now, bias_[at(c.row + r)] += change;
    }
  }
  return worst;
}

bool ContactTurns::slips_on(const double* velocity) const {
  return std::all_of(turns_.begin(), turns_.end(), [&](const Turn& t) {
    const Contact& c = set_.contacts()[at(t.contact)];
    double mean = 0.0, along = 0.0;
    for (int r = 1; r <= t.slides; ++r) {
      const double before = u_minus_[at(c.row + r)], behind = set_.rate(c, r, velocity);
      mean = std::hypot(mean, before + behind), along += before * behind;
    }
    return t.slides == 0 || (mean > still * speed_ && along > 0.0);
  });
}

void ContactTurns::end_slips() {
  for (Turn& t : turns_) {
    const int row = set_.contacts()[at(t.contact)].row;
    for (int r = 1; r <= t.slides; ++r) bias_[at(row + r)] = 0.0;
    first_order_ |= t.slides > 0;
    t.slides = 0;
  }
}

}  // namespace saltus
