#include "saltus/integrate/contact_stiffness.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations_mass.hpp"

namespace saltus {
namespace {

constexpr double difference_step = 1e-4;  // of a length, and of a radian

constexpr double small = 1e-9;            // of the largest force: none

/// A wrench at the state: along the normal and in the surface; where it acts, in the axes of both bodies.
struct Carrying {
  const ContactWrench* wrench = nullptr;
  int A = 0, B = 0;
  double along = 0.0, about = 0.0;
  ContactWrench in_surface;
  Vec3<double> arm[2];
  bool stuck = false;  // goes with points of the bodies
  double name() const { return wrench->name; }
};

/// Adds what a wrench at a point of a marker's frame does to the velocities.
void push(const Kinematics& k, int marker, const Vec3<double>& p, const Vec3<double>& force, const Vec3<double>& moment, double* F) {
  const Frame<double>& f = k.frames[marker];
  const Vec3<double> turn = transposed_times(f.R, cross(p - f.p, force) + moment);
  const int begin = k.column_begin[marker], n = k.column_begin[marker + 1] - begin;
  const double* J = k.jacobian + 6 * begin;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; ++j) F[k.columns[begin + i]] += force[j] * J[j * n + i] + turn[j] * J[(3 + j) * n + i];
}

class Differences {
 public:
  Differences(Assembly& assembly, double t, const double* y, const double* data) : assembly_(assembly), s_(assembly.system()), t_(t), y_(y), data_(data), contacts_(s_.contacts) {}

  ContactStiffness of(std::span<const ContactWrench> wrenches, const std::vector<char>& still) {
    ContactStiffness out;
    double largest = 0.0;
    for (const ContactWrench& w : wrenches) largest = std::max(largest, norm(w.force));
    for (const ContactWrench& w : wrenches)
      if (norm(w.force) > small * largest) carrying_.push_back({.wrench = &w});
    if (carrying_.empty()) return out;
    std::sort(carrying_.begin(), carrying_.end(), [](const Carrying& a, const Carrying& b) { return a.name() < b.name(); });
    assembly_.update(t_, y_, nullptr, data_);
    out.missing = place();
    if (!out.missing.empty()) return out;
    steps();
    for (std::size_t j = 0; j < still.size(); ++j)
      if (still[j]) step_[j] = 0.0;
    while (!all_columns(out.entries)) out.entries.clear();
    assembly_.update(t_, y_, nullptr, data_);
    for (const Carrying& c : carrying_)
      if (c.stuck && std::none_of(out.stuck.begin(), out.stuck.end(), [&](const PairMotion& p) { return p.A == c.A && p.B == c.B; })) out.stuck.push_back(motion(c));
    return out;
  }

 private:
  const Kinematics& kinematics() const { return assembly_.kinematics(); }
  int marker(int collider) const { return s_.contacts.colliders[at(collider)].marker; }
  double* forces(int side) {
    F_[side].assign(at(s_.layout.unknowns()) + 1, 0.0);
    return F_[side].data();
  }
  Carrying* known(const Contact& c) {
    const auto found = std::lower_bound(carrying_.begin(), carrying_.end(), c.identity(), [](const Carrying& a, double name) { return a.name() < name; });
    return found != carrying_.end() && found->name() == c.identity() ? &*found : nullptr;
  }

  /// The contacts of the wrenches at the state; what is not found.
  std::vector<double> place() {
    reach_ = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
    for (const Carrying& c : carrying_) {
      const auto [A, B] = s_.contacts.pair_of(c.name());
      for (const int i : {A, B})
        if (const double ball = s_.contacts.colliders[at(i)].shape.thickness(); ball > 0.0) reach_ = std::min(reach_, ball);
    }
    contacts_.find(kinematics(), within());
    std::vector<char> found(carrying_.size(), 0);
    for (const Contact& c : contacts_.contacts())
      if (Carrying* w = known(c)) {
        const Vec3<double>& n = c.axes[0];
        w->A = c.A, w->B = c.B, w->along = dot(w->wrench->force, n), w->about = dot(w->wrench->moment, n);
        w->in_surface = {w->name(), w->wrench->force - n * w->along, w->wrench->moment - n * w->about};
        for (const int side : {0, 1}) {
          const Frame<double>& f = kinematics().frames[marker(side ? c.B : c.A)];
          w->arm[side] = transposed_times(f.R, c.point - f.p);
        }
        found[w - carrying_.data()] = 1;
      }
    std::vector<double> missing;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!found[i]) missing.push_back(carrying_[i].name());
    return missing;
  }

  double within() const { return 10.0 * difference_step * reach_; }

  /// By velocity: so much that no point of contact moves by more than the step; 0 where none does.
  void steps() {
    const Kinematics& k = kinematics();
    const double size = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
    const std::vector<double> scale = column_scales(s_, k);
    step_.assign(at(s_.layout.unknowns()) + 1, 0.0);
    for (const Carrying& c : carrying_)
      for (const int side : {0, 1}) {
        const int m = marker(side ? c.B : c.A), begin = k.column_begin[m], n = k.column_begin[m + 1] - begin;
        const double* J = k.jacobian + 6 * begin;
        for (int i = 0; i < n; ++i) {
          const Vec3<double> v{{J[i], J[n + i], J[2 * n + i]}}, w{{J[3 * n + i], J[4 * n + i], J[5 * n + i]}};
          const double speed = norm(v + k.frames[m].R * cross(w, c.arm[side])), most = size * scale[at(k.columns[begin + i])];
          double& step = step_[at(k.columns[begin + i])];
          step = std::min({step > 0.0 ? step : most, most, speed * most > reach_ ? reach_ / speed : most});
        }
      }
  }

  /// False where points are others on one side: their pairs are stuck from now on.
  bool all_columns(std::vector<StiffnessEntry>& out) {
    bool same = true;
    std::vector<double> moved(at(s_.layout.y_size())), tangent(at(s_.layout.nv), 0.0);
    for (int j = 0; j < s_.layout.nv; ++j) {
      if (step_[at(j)] == 0.0) continue;
      const double step = difference_step * step_[at(j)];
      for (const int side : {0, 1}) {
        tangent[at(j)] = side ? step : -step;
        std::copy_n(y_, s_.layout.y_size(), moved.begin());
        s_.map.retract(moved.data(), tangent.data());
        assembly_.update(t_, moved.data(), nullptr, data_);
        same = pushed(forces(side)) && same;
      }
      tangent[at(j)] = 0.0;
      for (int i = 0; same && i < s_.layout.nv; ++i)
        if (const double change = F_[1][at(i)] - F_[0][at(i)]; change != 0.0) out.push_back({i, j, -change / (2.0 * step)});
    }
    return same;
  }

  /// H^T r here; false where a wrench has no contact.
  bool pushed(double* F) {
    contacts_.find(kinematics(), within());
    std::vector<char> found(carrying_.size(), 0);
    for (const Contact& c : contacts_.contacts()) {
      const Carrying* w = known(c);
      if (!w || w->stuck) continue;
      found[w - carrying_.data()] = 1;
      double r[ContactGroup::most_rows] = {};
      if (c.rows > 1) along_rows(c, w->in_surface, r);
      r[0] = w->along;
      if (c.rows > 5) r[5] = w->about;
      for (int row = 0; row < c.rows; ++row)
        for (int k = 0; k < c.columns; ++k) F[contacts_.columns(c)[at(k)]] += contacts_.H(c)[row * c.columns + k] * r[row];
    }
    bool all = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Carrying& c = carrying_[i];
      if (c.stuck) {
        for (const int side : {0, 1}) {
          const int m = marker(side ? c.B : c.A);
          const Frame<double>& f = kinematics().frames[m];
          const double sign = side ? 1.0 : -1.0;
          push(kinematics(), m, f.p + f.R * c.arm[side], c.wrench->force * sign, c.wrench->moment * sign, F);
        }
      } else if (!found[i]) {
        all = false;
        const int A = c.A, B = c.B;
        for (Carrying& other : carrying_) other.stuck = other.stuck || (other.A == A && other.B == B);
      }
    }
    return all;
  }

  PairMotion motion(const Carrying& c) const {
    PairMotion out{c.A, c.B, {}};
    const Frame<double>& f = kinematics().frames[marker(c.B)];
    const Vec3<double> p = f.p + f.R * c.arm[1];
    for (int i = 0; i < 6; ++i) {
      Vec3<double> d[2] = {};
      d[i / 3][i % 3] = 1.0;
      std::vector<double> row(at(s_.layout.unknowns()) + 1, 0.0);
      push(kinematics(), marker(c.B), p, d[0], d[1], row.data());
      push(kinematics(), marker(c.A), p, -d[0], -d[1], row.data());
      row.resize(at(s_.layout.nv));
      if (std::any_of(row.begin(), row.end(), [](double x) { return x != 0.0; })) out.rows.push_back(std::move(row));
    }
    return out;
  }

  Assembly& assembly_;
  const System& s_;
  double t_;
  const double *y_, *data_;
  ContactSet contacts_;
  std::vector<Carrying> carrying_;  // by name
  std::vector<double> step_, F_[2];
  double reach_ = 1.0;
};

}  // namespace

ContactWrench wrench_of(const Contact& c, const double* forces) {
  ContactWrench w{.name = c.identity()};
  for (int r = 0; r < c.rows; ++r) (r < c.along ? w.force : w.moment) += c.axis(r) * forces[r];
  return w;
}

void along_rows(const Contact& c, const ContactWrench& w, double* out) {
  if (c.rows == 1) {
    out[0] = dot(w.force, c.axes[0]) < 0.0 ? -norm(w.force) : norm(w.force);
    return;
  }
  for (int r = 0; r < c.rows; ++r) out[r] = dot(r < c.along ? w.force : w.moment, c.axis(r));
}

ContactStiffness contact_stiffness(Assembly& assembly, double t, const double* y, const double* data, std::span<const ContactWrench> wrenches, const std::vector<char>& still) {
  return Differences(assembly, t, y, data).of(wrenches, still);
}

}  // namespace saltus
