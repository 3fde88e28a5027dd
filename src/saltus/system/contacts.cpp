#include "saltus/system/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "saltus/base/index.hpp"
#include "saltus/collision/contact_frame.hpp"
#include "saltus/collision/mesh.hpp"

namespace saltus {

double ContactTable::names() const {
  const double n = static_cast<double>(colliders.size());
  return std::clamp(std::floor(0x1p53 / (n * n)), 1.0, 0x1p31);
}

void PairSides::widen() {
  for (auto& side : bits_) {
    const std::size_t shapes = side.size() / static_cast<std::size_t>(words_), words = words_;
    std::vector<std::uint64_t> wider(shapes * (words + 1), 0);
    for (std::size_t i = 0; i < shapes; ++i) std::copy_n(side.begin() + static_cast<std::ptrdiff_t>(i * words), words_, wider.begin() + static_cast<std::ptrdiff_t>(i * (words + 1)));
    side = std::move(wider);
  }
  ++words_;
}

int ContactTable::group_of(int a, int b, bool& a_first) const {
  const Collider &x = colliders[a], &y = colliders[b];
  if (x.base == y.base || !can_touch(x.shape.kind, y.shape.kind)) return -1;
  bool either = false;
  if (apart.first(a, b, either) >= 0 || !layers_meet(a, b)) return -1;
  return in.first(a, b, a_first);
}

void ContactTable::measure(double model_size, double far) {
  constexpr double larger = 30.0, rounding = 1e-6;
  double largest = 0.0;
  for (const Collider& c : colliders)
    if (c.base >= 0 && !c.shape.endless()) largest = std::max(largest, c.shape.bound());
  size = largest > 0.0 ? std::min(model_size, std::max(larger * largest, rounding * far)) : model_size;
}

void ContactTable::clear_forces(double* data) const {
  for (const ContactGroup& g : groups) std::fill_n(data + g.data, 4, 0.0);
  for (const ContactForce& f : forces) std::fill_n(data + f.data, 4, 0.0);
}

void ContactTable::take_forces(const double* from, double* data) const {
  for (const ContactGroup& g : groups) std::copy_n(from + g.data, 4, data + g.data);
  for (const ContactForce& f : forces) std::copy_n(from + f.data, 4, data + f.data);
}

void ContactTable::add_force(const Contact& c, const double* forces, double* data) const {
  Vec3<double> force{};
  for (int r = 0; r < std::min(c.rows, c.along); ++r) force += c.axes[r] * forces[r];
  const auto add = [&](double* to, double sign) {
    for (int j = 0; j < 3; ++j) to[j] += sign * force[j];
    to[3] += 1.0;
  };
  add(data + groups[c.group].data, 1.0);
  seen.each(c.A, c.B, [&](int number, bool forward) { add(data + this->forces[number].data, forward ? 1.0 : -1.0); });
}

double ContactSet::rate(const Contact& c, int row, const double* velocity) const {
  double sum = 0.0;
  for (int i = 0; i < c.columns; ++i) sum += H(c)[row * c.columns + i] * velocity[columns(c)[i]];
  return sum;
}

ContactState ContactSet::state_of(const Contact& c, const double* forces, double pull, const double* velocity, double step, const double* turn) const {
  ContactState s{.A = c.A, .B = c.B, .group = c.group, .name = c.name, .gap = c.gap, .point = c.point, .normal = c.axes[0], .tangent = c.axes[1], .step = step};
  for (int r = 0; r < c.rows; ++r) (r < c.along ? s.force : s.torque) += c.axis(r) * forces[r];
  for (int r = 1; r < c.along; ++r) s.slip += c.axes[r] * (rate(c, r, velocity) + (turn && r < c.rows ? turn[r] : 0.0));
  const LawRef& law = table_.law(c);
  FrictionArm arms[FrictionArm::most];
  if (const double normal = forces[0] + pull; c.rows > 1 && law.type->set->arms && law.type->set->arms(law.parameters, arms) > 0 && arms[0].acts() && normal > 0.0) {
    double square = 0.0;
    for (int i = 0; i < arms[0].count; ++i)
      if (arms[0].friction[i] > 0.0) square += std::pow(forces[arms[0].first + i] / (arms[0].friction[i] * normal), 2);
    s.share = std::sqrt(square);
  }
  return s;
}

namespace {
/// Whether one of the points in front of point i is at the same place of the x-y plane.
bool again(const ContactPoints& points, int i, double same) {
  const auto at = [&](int j, int c) { return points.point[j].on_A[c] + points.point[j].on_B[c]; };
  for (int j = 0; j < i; ++j)
    if (std::abs(at(i, 0) - at(j, 0)) <= 2.0 * same && std::abs(at(i, 1) - at(j, 1)) <= 2.0 * same) return true;
  return false;
}

/// The way by which two shapes must overlap to pass each other, at least.
double thickness(const Shape& a, const Shape& b) {
  return a.kind == ShapeKind::mesh && b.kind == ShapeKind::mesh ? a.mesh->thickness + b.mesh->thickness : a.thickness() + b.thickness();
}
/// Both sides of all points of one face as far apart as the nearest of them. If they differed, two bodies that turn together would slip at some of the points, by their
/// spin times 1e-8 m of overlap, and what sticks would contradict itself.
void level(ContactPoints& points) {
  double gap[ContactPoints::most];
  for (int i = 0; i < points.count; ++i) {
    gap[i] = points.point[i].gap;
    for (int j = 0; j < points.count; ++j)
      if (dot(points.point[i].normal, points.point[j].normal) > 1.0 - 1e-9) gap[i] = std::min(gap[i], points.point[j].gap);
  }
  for (int i = 0; i < points.count; ++i) {
    ContactPoint& p = points.point[i];
    const Vec3<double> nearer = p.normal * (0.5 * (p.gap - gap[i]));
    p.on_A = p.on_A + nearer, p.on_B = p.on_B - nearer;
  }
}

}  // namespace

void ContactSet::find(const Kinematics& k, double within) {
  contacts_.clear(), columns_.clear(), H_.clear(), balls_.clear(), ball_collider_.clear(), planes_.clear();
  rows_ = 0;
  for (int i = 0; i < static_cast<int>(table_.colliders.size()); ++i) {
    const Collider& c = table_.colliders[i];
    if (c.away(k)) continue;
    if (c.shape.endless()) {
      planes_.push_back(i);
    } else {
      balls_.push_back({k.frames[c.marker].p, c.shape.bound() + 0.5 * std::max(within, 0.0)});
      ball_collider_.push_back(i);
    }
  }
  for (const int plane : planes_)
    for (const int other : ball_collider_) {
      const Frame<double>&P = k.frames[table_.colliders[plane].marker], &f = k.frames[table_.colliders[other].marker];
      if (table_.colliders[plane].shape.hollow()) {
        pair(k, plane, other, within);
        continue;
      }
      const Vec3<double> d = f.p - P.p;
      const double height = P.R(0, 2) * d[0] + P.R(1, 2) * d[1] + P.R(2, 2) * d[2];
      if (height - table_.colliders[other].shape.bound() <= within) pair(k, plane, other, within);
    }
  for (const auto& [a, b] : broad_.pairs(balls_)) pair(k, ball_collider_[a], ball_collider_[b], within);
  const std::vector<char>& unreachable = seams_.unreachable(k, contacts_);
  filter([&](const Contact& c) { return !unreachable[at(static_cast<int>(&c - contacts_.data()))]; });
}

double ContactSet::passage(const Kinematics& k, double h) {
  balls_.clear(), ball_collider_.clear();
  const auto turn = [&](const Collider& c) { return norm(k.frames[c.marker].w) * (c.shape.bound() - c.shape.inner()); };
  for (int i = 0; i < static_cast<int>(table_.colliders.size()); ++i) {
    const Collider& c = table_.colliders[i];
    if (c.shape.endless() || c.away(k)) continue;  // has no other side
    const Frame<double>& f = k.frames[c.marker];
    balls_.push_back({f.p, c.shape.bound() + 0.5 * h * (norm(f.v) + turn(c))});
    ball_collider_.push_back(i);
  }
  double most = 0.0;
  for (const auto& [a, b] : broad_.pairs(balls_)) {
    const int i = ball_collider_[a], j = ball_collider_[b];
    const Collider &A = table_.colliders[i], &B = table_.colliders[j];
    bool a_first = true;
    const double thick = thickness(A.shape, B.shape);
    if (!(thick > 0.0) || table_.group_of(i, j, a_first) < 0) continue;
    most = std::max(most, h * (norm(k.frames[A.marker].v - k.frames[B.marker].v) + turn(A) + turn(B)) / thick);
  }
  return most;
}

Moving ContactSet::moving(const Kinematics& k, int collider) const {
  const Collider& c = table_.colliders[collider];
  const Frame<double>& f = k.frames[c.marker];
  return {&c.shape, {f.p, f.R}, f.v, f.R * f.w};
}

/// Whether some shape moves by more than the ball it holds in a time h: of a pair that passes one does.
bool ContactSet::fast(const Kinematics& k, double h) const {
  for (int i = 0; i < static_cast<int>(table_.colliders.size()); ++i) {
    const Collider& c = table_.colliders[i];
    if (c.shape.endless() || c.away(k)) continue;  // has no other side
    const Frame<double>& f = k.frames[c.marker];
    if (h * (norm(f.v) + norm(f.w) * c.shape.bound()) > c.shape.inner() && h * (norm(f.v) + moving(k, i).turning()) > c.shape.thickness()) return true;
  }
  return false;
}

bool ContactSet::went_far(const Kinematics& k, double h) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Collider& c = table_.colliders[i];
    if (c.base < 0 || c.shape.endless() || c.away(k)) continue;
    const Frame<double>& f = k.frames[c.marker];
    const Vec3<double> d = f.p - places_[i].p;
    const double inner = c.shape.inner(), bound = c.shape.bound(), square = dot(d, d);
    if (bound == inner) {
      if (square > inner * inner) return true;
      continue;
    }
    const double turning = std::sqrt((bound - inner) * (bound + inner) * std::max(dot(places_[i].w, places_[i].w), dot(f.w, f.w)));
    if (std::sqrt(square) + h * turning > c.shape.thickness()) return true;
  }
  return false;
}

double ContactSet::way(const Kinematics& k, double h) {
  constexpr double near = 0.02, found = 0.1;  // of the balls that two shapes hold: the gap at which they have met, the way in which their contact is found
  places_.clear();
  for (const Collider& c : table_.colliders) places_.push_back({k.frames[c.marker].p, k.frames[c.marker].w});
  if (!fast(k, h)) return h;
  balls_.clear(), ball_collider_.clear();
  for (int i = 0; i < static_cast<int>(table_.colliders.size()); ++i) {
    const Collider& c = table_.colliders[i];
    if (c.shape.endless() || c.away(k)) continue;
    const Frame<double>& f = k.frames[c.marker];
    balls_.push_back({f.p + f.v * (0.5 * h), c.shape.bound() + 0.5 * h * norm(f.v)});
    ball_collider_.push_back(i);
  }
  double least = h;
  for (const auto& [i, j] : broad_.pairs(balls_)) {
    const int a = ball_collider_[i], b = ball_collider_[j];
    bool a_first = true;
    if (table_.group_of(a, b, a_first) < 0) continue;
    const Moving A = moving(k, a), B = moving(k, b);
    const double thick = thickness(*A.shape, *B.shape);
    if (!(thick > 0.0) || !(h * (norm(B.v - A.v) + A.turning() + B.turning()) > thick)) continue;
    const Meeting m = meeting(A, B, near * thick, least);
    if (!(m.t < least)) continue;
    const double enough = m.closing > 0.0 ? found * thick / m.closing : h;
    if (m.t > enough) least = m.t;
    else if (h * m.closing > thick) least = std::min(least, enough);
  }
  return least;
}

void ContactSet::pair(const Kinematics& k, int a, int b, double within) {
  bool a_first = true;
  const int group = table_.group_of(a, b, a_first);
  if (group < 0) return;
  if (!a_first) std::swap(a, b);
  const Collider &A = table_.colliders[a], &B = table_.colliders[b];
  if (!resting_ && A.rests(k) && B.rests(k)) return;
  const Frame<double>&fA = k.frames[A.marker], &fB = k.frames[B.marker];
  ContactPoints points = contact_points(A.shape, {fA.p, fA.R}, B.shape, {fB.p, fB.R}, within);
  if (points.count > 1) level(points);
  const bool flat = table_.laws[table_.law_number(group, a, b)].flat();
  const double same = 1e-9 * std::min(A.shape.bound(), B.shape.bound());
  for (int i = 0; i < points.count; ++i)
    if (!(flat && again(points, i, same))) add(k, a, b, group, points.point[i]);
}

void ContactSet::add(const Kinematics& k, int A, int B, int group, const ContactPoint& point) {
  Contact c;
  c.A = A, c.B = B, c.group = group, c.feature = point.feature, c.gap = point.gap;
  c.name = table_.identity(A, B, point.feature);
  c.point = (point.on_A + point.on_B) * 0.5;
  c.law = table_.law_number(group, A, B);
  c.rows = table_.laws[c.law].rows;
  c.row = rows_;
  rows_ += c.rows;
  const auto take = [&](const ContactAxes<double>& axes) { c.axes[0] = axes.n, c.axes[1] = axes.t1, c.axes[2] = axes.t2; };
  if (table_.laws[c.law].flat()) {
    c.along = 2;
    take(plane_axes(point.normal));
  } else if (table_.law(c).type->oriented) {
    const Mat3<double>& R = k.frames[table_.colliders[A].marker].R;
    const ContactAxes<double> in_A = contact_axes(transposed_times(R, point.normal));
    take({R * in_A.n, R * in_A.t1, R * in_A.t2});
  } else {
    take(contact_axes(point.normal));
  }
  // Each side at its own surface: levers that are the radii keep rolling of balls in a ring consistent (docs/decisions/contacts.md).
  struct Side { int marker; double sign; const Vec3<double>* p; };
  Side sides[2] = {{table_.colliders[A].marker, -1.0, &point.on_A}, {table_.colliders[B].marker, 1.0, &point.on_B}};
  const auto first = [&](const Side& s) { return k.column_begin[s.marker] < k.column_begin[s.marker + 1] ? k.columns[k.column_begin[s.marker]] : -1; };
  if (first(sides[1]) < first(sides[0])) std::swap(sides[0], sides[1]);
  c.column_begin = static_cast<int>(columns_.size());
  for (const Side& s : sides)
    for (int i = k.column_begin[s.marker]; i < k.column_begin[s.marker + 1]; ++i) columns_.push_back(k.columns[i]);
  c.columns = static_cast<int>(columns_.size()) - c.column_begin;
  c.value_begin = static_cast<int>(H_.size());
  const int rows = std::max(c.rows, least_rows_);
  H_.resize(H_.size() + static_cast<std::size_t>(rows * c.columns));
  // u = d . (v + R (w x R^T arm)) for each side: d on translations, R^T (arm x d) on rotations in the marker's axes. Turning about d: R^T d.
  for (int r = 0; r < rows; ++r) {
    const bool turns = r >= c.along;
    double* row = H_.data() + c.value_begin + r * c.columns;
    for (const Side& s : sides) {
      const Frame<double>& f = k.frames[s.marker];
      const Vec3<double> along = c.axis(r) * s.sign, d = turns ? Vec3<double>{} : along,
                         turn = transposed_times(f.R, turns ? along : cross(*s.p - f.p, d));
      const int begin = k.column_begin[s.marker], n = k.column_begin[s.marker + 1] - begin;
      const double* J = k.jacobian + 6 * begin;
      for (int i = 0; i < n; ++i, ++row) {
        *row = 0.0;
        for (int j = 0; j < 3; ++j) *row += d[j] * J[j * n + i] + turn[j] * J[(3 + j) * n + i];
      }
    }
  }
  merge_columns(c);
  contacts_.push_back(c);
}

/// Ascending and each once, also where both sides stand on the same unknowns or a source's ends are not in order.
void ContactSet::merge_columns(Contact& c) {
  const std::span<int> columns{columns_.data() + c.column_begin, static_cast<std::size_t>(c.columns)};
  if (std::adjacent_find(columns.begin(), columns.end(), std::greater_equal<>()) == columns.end()) return;
  const std::vector<int> given(columns.begin(), columns.end());
  const std::vector<double> H(H_.begin() + c.value_begin, H_.end());
  const int rows = std::max(c.rows, least_rows_);
  std::sort(columns.begin(), columns.end());
  const int kept = static_cast<int>(std::unique(columns.begin(), columns.end()) - columns.begin());
  std::fill(H_.begin() + c.value_begin, H_.end(), 0.0);
  for (int i = 0; i < c.columns; ++i) {
    const auto place = std::lower_bound(columns.begin(), columns.begin() + kept, given[i]) - columns.begin();
    for (int r = 0; r < rows; ++r) H_[c.value_begin + r * kept + place] += H[r * c.columns + i];
  }
  c.columns = kept;
  columns_.resize(c.column_begin + kept);
  H_.resize(c.value_begin + rows * kept);
}

}  // namespace saltus
