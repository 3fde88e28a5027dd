#include "saltus/integrate/moreau_turns.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {
namespace {
/// Contacts of one body that determine their forces, about: what the turning of more adds need not go together as long as the step is iterated. One more where there are few in all: in piles, whose
/// motions are any soon, steps of second order cost more than they give.
constexpr int few_of_a_body = 3, few_in_all = 8;
/// Cosine of 0.2: a normal that turns by more in half a step may have jumped, as on an edge.
constexpr double smooth = 0.98, turned = 0.2;
/// Of their speed: slips that differ by less are alike.
constexpr double alike = 1e-6;
}  // namespace

void ContactTurns::begin(const Kinematics& k, double speed, double within, double step, const std::vector<char>& known) {
  speed_ = speed, fastest_ = 0.0, first_order_ = false;
  turns_.clear();
  turn_.assign(at(set_.rows()), 0.0);
  std::fill(bodies_.begin(), bodies_.end(), Body{});
  for (const Contact& c : set_.contacts()) count(c, k);
  within_ = within + turned * step * fastest_;  // at Newton's iterates they may stand open by what they turn, on both sides of a body alike
  choose(known);
}

/// What stands still holds any number, of which some may turn.
void ContactTurns::choose(const std::vector<char>& known) {
  may_.assign(known.size(), 0);
  if (!allowed_) return;
  for (const Contact& c : set_.contacts()) may_[number(c)] = known[number(c)] && (few(c) || slides_alike(c));
  const auto moving = [&](int collider) -> Body* {
    const int base = table_.colliders[at(collider)].base;
    return base >= 0 && bodies_[at(base)].moves ? &bodies_[at(base)] : nullptr;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Contact& c : set_.contacts()) {
      Body *A = moving(c.A), *B = moving(c.B);
      char& may = may_[number(c)];
      if (may && ((A && A->stays) || (B && B->stays))) may = 0;
      for (Body* body : {A, B})
        if (!may && body && !body->stays) body->stays = changed = true;
    }
  }
}

/// Velocity of B along the surface of A before the step.
Vec3<double> ContactTurns::slip(const Contact& c) const {
  Vec3<double> sum{};
  for (int r = 1; r < std::min(c.rows, c.along); ++r) sum += c.axes[r] * u_minus_[at(c.row + r)];
  return sum;
}

void ContactTurns::count(const Contact& c, const Kinematics& k) {
  const Vec3<double> seen = slip(c);
  const double speed = norm(seen);
  for (const int collider : {c.A, c.B}) {
    const Collider& shape = table_.colliders[at(collider)];
    if (shape.base < 0) continue;
    if (bodies_.size() <= at(shape.base)) bodies_.resize(at(shape.base) + 1);
    Body& body = bodies_[at(shape.base)];
    ++body.contacts;
    const Frame<double>& frame = k.frames[shape.marker];
    fastest_ = std::max(fastest_, norm(frame.v) + norm(frame.w) * norm(c.point - frame.p));
    body.moves |= norm(frame.v) + norm(frame.w) * table_.size > mean_slip::still * speed_;
    if (!(speed > mean_slip::still * speed_)) continue;
    const Vec3<double> own = collider == c.A ? seen * -1.0 : seen;
    body.alike &= !body.slides || norm(own - body.slip) <= alike * speed;
    body.slides = true, body.slip = own;
  }
}

const ContactTurns::Body* ContactTurns::body(int collider) const {
  const int base = table_.colliders[at(collider)].base;
  return base < 0 ? nullptr : &bodies_[at(base)];
}

/// Of one body that moves: what has few contacts adds as many unknowns as they take, however many the other one has, as the ring that balls roll round.
bool ContactTurns::few(const Contact& c) const {
  const Body *A = body(c.A), *B = body(c.B);
  const auto moves = [](const Body* b) { return b && b->moves; };
  const auto has_few = [&](const Body* b) { return moves(b) && b->contacts <= few_of_a_body + (count_of(set_.contacts()) <= few_in_all ? 1 : 0); };
  return has_few(A) || has_few(B) || (!moves(A) && !moves(B));
}

bool ContactTurns::slides_alike(const Contact& c) const {
  const auto alike = [&](int collider) { const Body* b = body(collider); return !b || b->alike; };
  return alike(c.A) && alike(c.B) && norm(slip(c)) > mean_slip::still * speed_;
}

/// Slip in two directions may turn.
void ContactTurns::take(const Contact& c, const LawRef& law, const double* multipliers) {
  const bool all = all_friction(law, c.rows, multipliers) || (!(multipliers[0] > 0.0) && slides_alike(c));
  const unsigned slides = all ? mean_slip::rows(law, c.rows, u_minus_.data() + c.row, mean_slip::still * speed_) : 0;
  turns_.push_back({static_cast<int>(number(c)), slides, all});
  for (int r = 1; r < c.rows; ++r)
    if (slides >> r & 1) bias_[at(c.row + r)] = u_minus_[at(c.row + r)];
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

const double* ContactTurns::halved(const Contact& c) const {
  if (halved_[at(c.law)].empty()) return nullptr;
  const int own = static_cast<int>(number(c));
  const auto found = std::lower_bound(turns_.begin(), turns_.end(), own, [](const Turn& t, int i) { return t.contact < i; });
  return found != turns_.end() && found->contact == own && found->slides != 0 ? halved_[at(c.law)].data() : nullptr;
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
      if (t.slides >> r & 1) continue;
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

void ContactTurns::end_slips() {
  for (Turn& t : turns_) {
    const int row = set_.contacts()[at(t.contact)].row;
    for (int r = 1; t.slides >> r != 0; ++r)
      if (t.slides >> r & 1) bias_[at(row + r)] = 0.0;
    first_order_ |= t.slides != 0;
    t.slides = 0;
  }
}

}  // namespace saltus
