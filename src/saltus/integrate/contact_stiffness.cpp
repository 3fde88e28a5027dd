#include "saltus/integrate/contact_stiffness.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrate/accelerations_mass.hpp"

namespace saltus {
namespace {

constexpr double difference_step = 1e-4;  // of the model's size, and of a radian
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Contacts with wrenches at configurations beside one, and what they push.
class Beside {
 public:
  Beside(const System& s, std::span<const ContactWrench> wrenches) : s_(s), wrenches_(wrenches), contacts_(s.contacts) {}

  const ContactWrench* wrench(const Contact& c) const {
    const auto found = std::find_if(wrenches_.begin(), wrenches_.end(), [&](const ContactWrench& w) { return w.name == c.identity(); });
    return found == wrenches_.end() ? nullptr : &*found;
  }
  void find(const Kinematics& k, double within) { contacts_.find(k, within); }
  const ContactSet& contacts() const { return contacts_; }
  /// H^T r of the contacts that are found on the other side, too: what is left at an edge has no derivative.
  const std::vector<double>& pushed(const Beside& other) {
    F_.assign(at(s_.layout.unknowns()) + 1, 0.0);
    for (const Contact& c : contacts_.contacts()) {
      const ContactWrench* w = wrench(c);
      const auto all = other.contacts_.contacts();
      if (!w || std::none_of(all.begin(), all.end(), [&](const Contact& o) { return o.identity() == c.identity(); })) continue;
      double r[ContactGroup::most_rows] = {};
      along_rows(c, *w, r);
      for (int row = 0; row < c.rows; ++row)
        for (int k = 0; k < c.columns; ++k) F_[at(contacts_.columns(c)[at(k)])] += contacts_.H(c)[row * c.columns + k] * r[row];
    }
    return F_;
  }

 private:
  const System& s_;
  std::span<const ContactWrench> wrenches_;
  ContactSet contacts_;
  std::vector<double> F_;
};

}  // namespace

ContactWrench wrench_of(const Contact& c, const double* forces) {
  ContactWrench w{.name = c.identity()};
  for (int r = 0; r < c.rows; ++r) (r < 3 ? w.force : w.moment) += c.axes[r < 3 ? r : (r - 2) % 3] * forces[r];
  return w;
}

void along_rows(const Contact& c, const ContactWrench& w, double* out) {
  if (c.rows == 1) {
    out[0] = dot(w.force, c.axes[0]) < 0.0 ? -norm(w.force) : norm(w.force);
    return;
  }
  for (int r = 0; r < c.rows; ++r) out[r] = r < 3 ? dot(w.force, c.axes[r]) : dot(w.moment, c.axes[(r - 2) % 3]);
}

std::vector<StiffnessEntry> contact_stiffness(Assembly& assembly, double t, const double* y, const double* data, std::span<const ContactWrench> wrenches) {
  const System& s = assembly.system();
  const Layout& l = s.layout;
  std::vector<StiffnessEntry> out;
  if (wrenches.empty()) return out;
  const double size = s.length_scale > 0.0 ? s.length_scale : 1.0, within = 10.0 * difference_step * size;
  Beside beside[] = {{s, wrenches}, {s, wrenches}};
  assembly.update(t, y, nullptr, data);
  const std::vector<double> scale = column_scales(s, assembly.kinematics());
  beside[0].find(assembly.kinematics(), within);
  std::vector<char> moves(at(l.unknowns()) + 1, 0);
  for (const Contact& c : beside[0].contacts().contacts())
    if (beside[0].wrench(c))
      for (const int j : beside[0].contacts().columns(c)) moves[at(j)] = 1;
  std::vector<double> moved(at(l.y_size())), tangent(at(l.nv), 0.0);
  for (int j = 0; j < l.nv; ++j) {
    if (!moves[at(j)]) continue;
    const double step = difference_step * size * scale[at(j)];
    for (const int side : {0, 1}) {
      tangent[at(j)] = side ? step : -step;
      std::copy_n(y, l.y_size(), moved.begin());
      s.map.retract(moved.data(), tangent.data());
      assembly.update(t, moved.data(), nullptr, data);
      beside[side].find(assembly.kinematics(), within);
    }
    tangent[at(j)] = 0.0;
    const std::vector<double>&before = beside[0].pushed(beside[1]), &after = beside[1].pushed(beside[0]);
    for (int i = 0; i < l.nv; ++i)
      if (const double change = after[at(i)] - before[at(i)]; change != 0.0) out.push_back({i, j, -change / (2.0 * step)});
  }
  assembly.update(t, y, nullptr, data);
  return out;
}

}  // namespace saltus
