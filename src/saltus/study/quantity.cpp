#include "saltus/study/quantity.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "saltus/base/errors.hpp"
#include "saltus/base/suggest.hpp"
#include "saltus/items/entry.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/math/held_value.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

using Evaluate = std::function<void(Assembly&, const Sample&, double*)>;

struct Named {
  std::string name, unit;
  std::vector<std::string> components;
  Evaluate evaluate;
};

const std::vector<std::string> xyz{"x", "y", "z"};
std::vector<std::string> numbers(int n) {
  std::vector<std::string> r;
  for (int i = 0; i < n; ++i) r.push_back(std::to_string(i));
  return r;
}
void put(const Vec3<double>& v, double* out) { std::copy(v.data(), v.data() + 3, out); }
const Kinematics& at(Assembly& a, const Sample& s) {
  a.update(s.t, s.y, s.lambda, s.data);
  return a.kinematics();
}
/// J a + bias of a marker: (acceleration in W, angular acceleration in M).
Vec6<double> acceleration(const System& s, const Kinematics& k, int m, const double* a) {
  Vec6<double> r = k.bias[m];
  const int begin = s.marker_column_begin[m], n = s.marker_column_begin[m + 1] - begin;
  for (int i = 0; i < 6; ++i)
    for (int c = 0; c < n; ++c) r[i] += k.jacobian[6 * begin + i * n + c] * a[s.marker_columns[begin + c]];
  return r;
}

/// All quantities of one item.
class Offer {
 public:
  explicit Offer(const System& system) : s_(system) {}
  std::vector<Named> list;

  /// What the item's type offers.
  void own(const Pool& pool, int item) {
    int which = 0;
    for (const ItemQuantity& q : pool.quantities()) {
      std::vector<std::string> components;
      for (const std::string_view word : words(q.components)) components.emplace_back(word);
      const std::size_t n = std::max<std::size_t>(1, components.size());
      add(std::string(q.name), std::string(q.unit), std::move(components), [&pool, item, which, n](Assembly& a, const Sample& s, double* o) {
        const Vec3<double> value = pool.quantity(at(a, s), item, which);
        std::copy_n(value.data(), n, o);
      });
      ++which;
    }
  }

  void frame(int m, const Vec3<double>& reference) {
    add("position", "m", xyz, [m](Assembly& a, const Sample& s, double* o) { put(at(a, s).frames[m].p, o); });
    add("displacement", "m", xyz, [m, reference](Assembly& a, const Sample& s, double* o) { put(at(a, s).frames[m].p - reference, o); });
    add("velocity", "m/s", xyz, [m](Assembly& a, const Sample& s, double* o) { put(at(a, s).frames[m].v, o); });
    add("acceleration", "m/s^2", xyz, [m, this_ = &s_](Assembly& a, const Sample& s, double* o) {
      const Vec6<double> r = acceleration(*this_, at(a, s), m, s.a);
      std::copy(r.data(), r.data() + 3, o);
    });
    add("rotation", "rad", xyz, [m](Assembly& a, const Sample& s, double* o) { put(quaternion_log(quaternion_of(at(a, s).frames[m].R)), o); });
    add("quaternion", "", {"w", "x", "y", "z"}, [m](Assembly& a, const Sample& s, double* o) {
      const auto q = quaternion_of(at(a, s).frames[m].R);
      std::copy(q.data(), q.data() + 4, o);
    });
    add("rotation_matrix", "", {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"}, [m](Assembly& a, const Sample& s, double* o) {
      const auto& R = at(a, s).frames[m].R;
      std::copy(R.data(), R.data() + 9, o);
    });
    add("angular_velocity", "rad/s", xyz, [m](Assembly& a, const Sample& s, double* o) {
      const Frame<double>& f = at(a, s).frames[m];
      put(f.R * f.w, o);
    });
    add("angular_velocity_body", "rad/s", xyz, [m](Assembly& a, const Sample& s, double* o) { put(at(a, s).frames[m].w, o); });
    add("angular_acceleration", "rad/s^2", xyz, [m, this_ = &s_](Assembly& a, const Sample& s, double* o) {
      const Kinematics& k = at(a, s);
      const Vec6<double> r = acceleration(*this_, k, m, s.a);
      put(k.frames[m].R * Vec3<double>{{r[3], r[4], r[5]}}, o);
    });
  }

  void coordinates(const NodeEntry& node) {
    const NodePlace& p = node.place;
    const NodeUnits units = s_.node_pools[node.pool]->units();
    const Layout& l = s_.layout;
    const auto slice = [&](const char* name, std::string_view unit, int begin, int n) {
      if (n > 0) add(name, std::string(unit), n == 1 ? std::vector<std::string>{} : numbers(n), [begin, n](Assembly&, const Sample& s, double* o) { std::copy(s.y + begin, s.y + begin + n, o); });
    };
    slice("coordinate", "", p.q, p.sizes.q);
    slice("rate", "", l.v_begin() + p.v, p.sizes.v);
    slice("state", units.state, l.x_begin() + p.x, p.sizes.x);
    slice("value", units.value, l.z_begin() + p.z, p.sizes.z);
    if (p.sizes.v > 0 && p.frame < 0) {
      const int begin = p.v, n = p.sizes.v;
      add("coordinate_acceleration", "", n == 1 ? std::vector<std::string>{} : numbers(n), [begin, n](Assembly&, const Sample& s, double* o) { std::copy(s.a + begin, s.a + begin + n, o); });
    }
  }

  /// Force and torque on the last end (B), from a function that adds the item's forces to a sink.
  void force_on_last(const Pool* pool, int item, std::function<void(const Kinematics&, const Sample&, const ForceSink&)> forces) {
    const std::span<const Endpoint> ends = pool->endpoints(item);
    if (ends.empty()) return;
    const Endpoint end = ends.back();
    const bool of_joint = end.kind == EndpointKind::coordinate && end.coordinate.is_of_joint();
    const std::span<const Endpoint> frames = of_joint ? s_.joint_coordinates.frames(end.coordinate.joint()) : ends;
    const Endpoint last = frames.back(), first = frames.front();
    const std::size_t markers = s_.markers.size(), unknowns = static_cast<std::size_t>(s_.layout.unknowns()) + 1;
    const auto summed = [=](Assembly& a, const Sample& s, auto use) {
      const Kinematics& k = at(a, s);
      std::vector<Vec6<double>> wrench(markers);
      std::vector<double> f(unknowns, 0.0);
      forces(k, s, {wrench.data(), f.data()});
      use(k, wrench, f);
    };
    if (last.kind == EndpointKind::frame) {
      const int m = last.marker;
      add("force", "N", xyz, [=](Assembly& a, const Sample& s, double* o) {
        summed(a, s, [&](const Kinematics&, const auto& w, const auto&) { std::copy(w[m].data(), w[m].data() + 3, o); });
      });
      add("torque", "N m", xyz, [=](Assembly& a, const Sample& s, double* o) {
        summed(a, s, [&](const Kinematics& k, const auto& w, const auto&) { put(k.frames[m].R * Vec3<double>{{w[m][3], w[m][4], w[m][5]}}, o); });
      });
      if (of_joint && &s_.joint_coordinates.motion(end.coordinate.joint()) == &rope_length) {
        const int j = end.coordinate.joint();
        coordinate(j);
        add("tension", "N", {}, [=, rope = &s_.joint_coordinates](Assembly& a, const Sample& s, double* o) {
          summed(a, s, [&](const Kinematics& k, const auto& w, const auto&) {  // at its end it pulls along the last span
            const Vec6<double>& along = rope->gradient(k, j, static_cast<int>(rope->frames(j).size()) - 1);
            *o = -dot(Vec3<double>{{along[0], along[1], along[2]}}, Vec3<double>{{w[m][0], w[m][1], w[m][2]}});
          });
        });
      } else if (frames.size() == 2 && first.kind == EndpointKind::frame) {
        const int A = first.marker;
        add("length", "m", {}, [=](Assembly& a, const Sample& s, double* o) {
          const Kinematics& k = at(a, s);
          *o = norm(k.frames[m].p - k.frames[A].p);
        });
        add("tension", "N", {}, [=](Assembly& a, const Sample& s, double* o) {
          summed(a, s, [&](const Kinematics& k, const auto& w, const auto&) {
            const Vec3<double> d = k.frames[m].p - k.frames[A].p;
            const double length = norm(d);
            *o = length > 0.0 ? -dot(d, Vec3<double>{{w[m][0], w[m][1], w[m][2]}}) / length : 0.0;
          });
        });
        const int counted = of_joint && &s_.joint_coordinates.motion(end.coordinate.joint()) == &motion_of<Twist>() ? end.coordinate.joint()
                                                                                                                   : s_.joint_coordinates.find(motion_of<Twist>(), first, last);
        add("angle", "rad", {}, [=, joints = &s_.joint_coordinates](Assembly& a, const Sample& s, double* o) {
          const Kinematics& k = at(a, s);
          *o = counted >= 0 ? joints->value(k, counted) : alignment::twist(transposed(k.frames[A].R) * k.frames[m].R);
        });
        add("translation", "m", xyz, [=](Assembly& a, const Sample& s, double* o) {
          const Kinematics& k = at(a, s);
          put(transposed_times(k.frames[A].R, k.frames[m].p - k.frames[A].p), o);
        });
        add("angular_rate", "rad/s", {}, [=](Assembly& a, const Sample& s, double* o) {
          const Kinematics& k = at(a, s);
          const Frame<double>&fA = k.frames[A], &fB = k.frames[m];
          *o = transposed_times(fA.R, fB.R * fB.w)[2] - fA.w[2];
        });
      }
    } else {
      const int dof = last.coordinate.dof;
      add("force", ends_unit(ends), {}, [=](Assembly& a, const Sample& s, double* o) {
        summed(a, s, [&](const Kinematics&, const auto&, const auto& f) { *o = f[dof]; });
      });
    }
  }

  /// A coordinate of frames that has a name: the length of a rope.
  void coordinate(int j) {
    const JointCoordinates& all = s_.joint_coordinates;
    const int value = s_.layout.y_size() + 2 * j;
    add(std::string(all.motion(j).name), std::string(all.motion(j).unit), {}, [value](Assembly& a, const Sample& s, double* o) { *o = at(a, s).y[value]; });
    add("rate", std::string(all.motion(j).rate_unit), {}, [value](Assembly& a, const Sample& s, double* o) { *o = at(a, s).y[value + 1]; });
  }

  void relation(const RelationEntry& e) {
    const int row = e.row, n = e.rows, total = s_.layout.rows;
    const auto names = n == 1 ? std::vector<std::string>{} : numbers(n);
    add("multiplier", multiplier_unit(e), names, [row, n](Assembly&, const Sample& s, double* o) { std::copy(s.lambda + row, s.lambda + row + n, o); });
    const RelationPool* pool = s_.relations[e.pool].get();
    if (const std::string_view unit = pool->traits().drive_unit; !unit.empty())
      add("drive", std::string(unit), names, [row, n](Assembly&, const Sample& s, double* o) { std::copy(s.lambda + row, s.lambda + row + n, o); });
    add("residual", "", names, [row, n, total](Assembly& a, const Sample& s, double* o) {
      at(a, s);
      std::vector<double> y(static_cast<std::size_t>(total));
      RowSink sink;
      sink.y = y.data();
      a.relations(sink);
      std::copy(y.begin() + row, y.begin() + row + n, o);
    });
    const int item = e.item;
    own(*pool, item);
    force_on_last(pool, item, [pool, item, row](const Kinematics& k, const Sample&, const ForceSink& sink) { pool->add_reaction(k, item, row, sink); });
  }

  void contacts(const ContactGroup& g) {
    const int d = g.data;
    add("force", "N", xyz, [d](Assembly&, const Sample& s, double* o) { std::copy(s.data + d, s.data + d + 3, o); });
    add("points", "", {}, [d](Assembly&, const Sample& s, double* o) { *o = s.data[d + 3]; });
  }

  void energy() {
    add("kinetic", "J", {}, [](Assembly& a, const Sample& s, double* o) { at(a, s), *o = a.kinetic_energy(); });
    add("potential", "J", {}, [](Assembly& a, const Sample& s, double* o) { at(a, s), *o = a.potential_energy(); });
    add("total", "J", {}, [](Assembly& a, const Sample& s, double* o) { at(a, s), *o = a.kinetic_energy() + a.potential_energy(); });
  }

 private:
  /// Unit of what the equation of a coordinate sums.
  std::string input_unit(const CoordinateRef& c) const {
    if (c.is_of_joint()) return std::string(s_.joint_coordinates.motion(c.joint()).effort_unit);
    for (const NodeEntry& node : s_.nodes) {
      const NodePlace& p = node.place;
      const int z = s_.layout.nv + s_.layout.nx + p.z;
      if (c.kind == CoordinateKind::algebraic && z <= c.dof && c.dof < z + p.sizes.z)
        return std::string(s_.node_pools[node.pool]->units().input);
    }
    return {};
  }
  /// Of a drive its own; of one row between coordinates what enters the last of them that is not ground.
  std::string multiplier_unit(const RelationEntry& e) const {
    const RelationPool& pool = *s_.relations[e.pool];
    if (!pool.traits().drive_unit.empty()) return std::string(pool.traits().drive_unit);
    return e.rows == 1 ? ends_unit(pool.endpoints(e.item)) : std::string();
  }
  std::string ends_unit(std::span<const Endpoint> ends) const {
    for (auto end = ends.rbegin(); end != ends.rend(); ++end)
      if (end->kind == EndpointKind::coordinate && end->coordinate.kind != CoordinateKind::none) return input_unit(end->coordinate);
    return {};
  }
  void add(std::string name, std::string unit, std::vector<std::string> components, Evaluate f) {
    list.push_back({std::move(name), std::move(unit), std::move(components), std::move(f)});
  }
  const System& s_;
};

std::optional<std::vector<Named>> offered(const System& s, const std::string& item) {
  Offer offer(s);
  if (item == "energy") return offer.energy(), std::move(offer.list);
  const auto frame_at = [&](int m) { offer.frame(m, s.reference_frames[m].p); };
  for (const NodeEntry& node : s.nodes)
    if (node.name == item) {
      if (node.place.frame >= 0) frame_at(s.bases[node.place.frame].marker);
      offer.coordinates(node);
      return std::move(offer.list);
    }
  for (const auto& [name, m] : s.named_markers)
    if (name == item) {
      frame_at(m);
      for (const NodeEntry& node : s.nodes)
        if (node.name == item + ".node") offer.coordinates(node);  // of a link: that of its joint
      return std::move(offer.list);
    }
  for (const auto& [name, j] : s.named_coordinates)
    if (name == item) return offer.coordinate(j), std::move(offer.list);
  for (const RelationEntry& e : s.relation_entries)
    if (e.name == item) return offer.relation(e), std::move(offer.list);
  for (const ContactGroup& g : s.contacts.groups)
    if (g.name == item) return offer.contacts(g), std::move(offer.list);
  for (const ItemPlace& place : s.items) {
    if (place.name != item || place.section == "nodes") continue;
    const ItemEntry* entry = find_entry(place.section, place.type);
    if (entry && entry->family == Family::object) {
      const auto ends = s.objects[place.pool]->endpoints(place.item);
      if (ends.size() == 1 && ends[0].kind == EndpointKind::frame) frame_at(ends[0].marker);
      offer.own(*s.objects[place.pool], place.item);
      for (const NodeEntry& node : s.nodes)
        if (!ends.empty() && (ends[0].kind == EndpointKind::frame
                                  ? ends.size() == 1 && node.place.frame >= 0 && node.place.frame == s.markers[ends[0].marker].base
                                  : node.place.v <= ends[0].coordinate.dof && ends[0].coordinate.dof < node.place.v + node.place.sizes.v))
          offer.coordinates(node);
      return std::move(offer.list);
    }
    const ForcePool* pool = s.forces[place.pool].get();
    const int i = place.item;
    offer.own(*pool, i);
    offer.force_on_last(pool, i, [pool, i](const Kinematics& k, const Sample&, const ForceSink& sink) { pool->add_item_force(k, i, sink); });
    return std::move(offer.list);
  }
  return std::nullopt;
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> words(1);
  for (char c : path) {
    if (c == '.') words.emplace_back();
    else words.back() += c;
  }
  return words;
}

std::string all(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

}  // namespace

struct Quantity::Impl {
  std::shared_ptr<const System> system;
  std::string path, unit;
  std::vector<std::string> names;
  Evaluate evaluate;
  int width = 1;       // of the whole quantity
  int component = -1;  // -1: all; -2: the Euclidean norm
};

Quantity::Quantity(std::shared_ptr<const System> system, const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->system = system;
  impl_->path = path;
  std::vector<std::string> words = split(path);
  // An item's own name may hold a dot (`rod.node`): the longest name that is there counts.
  std::optional<std::vector<Named>> list;
  std::size_t used = 1;
  std::string name = words[0];
  if (words.size() > 2)
    if ((list = offered(*system, words[0] + "." + words[1]))) used = 2, name = words[0] + "." + words[1];
  if (!list) list = offered(*system, words[0]);
  if (!list) {
    std::vector<std::string_view> known{"energy"};
    for (const ItemPlace& item : system->items) known.push_back(item.name);
    throw ModelError("outputs/" + path, "'" + words[0] + "' is not an item of the model", did_you_mean(words[0], known));
  }
  const std::string quantity = words.size() > used ? words[used] : "";
  const auto it = std::find_if(list->begin(), list->end(), [&](const Named& n) { return n.name == quantity; });
  if (it == list->end()) {
    std::vector<std::string> names;
    for (const Named& n : *list) names.push_back(n.name);
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string near = did_you_mean(quantity, known);
    throw ModelError("outputs/" + path, "'" + name + "' has no quantity '" + quantity + "'", near.empty() ? "it has " + all(names) : near + " It has " + all(names));
  }
  impl_->evaluate = it->evaluate;
  impl_->unit = it->unit;
  impl_->width = std::max<int>(1, static_cast<int>(it->components.size()));
  impl_->names = it->components;
  if (words.size() > used + 1) {
    const std::string& component = words[used + 1];
    const auto c = std::find(it->components.begin(), it->components.end(), component);
    if (component == "norm" && !it->components.empty()) impl_->component = -2;
    else if (c != it->components.end()) impl_->component = static_cast<int>(c - it->components.begin());
    else throw ModelError("outputs/" + path, "'" + quantity + "' has no component '" + component + "'", "it has " + all(it->components) + ", norm");
    impl_->names.clear();
  }
}

Quantity::~Quantity() = default;
Quantity::Quantity(Quantity&&) noexcept = default;
int Quantity::components() const { return impl_->component == -1 ? impl_->width : 1; }
const std::string& Quantity::unit() const { return impl_->unit; }
const std::string& Quantity::path() const { return impl_->path; }
const std::vector<std::string>& Quantity::component_names() const { return impl_->names; }

void Quantity::evaluate(Assembly& assembly, const Sample& sample, double* out) const {
  const HeldValues held(sample.data);
  if (impl_->component == -1) return impl_->evaluate(assembly, sample, out);
  std::vector<double> whole(static_cast<std::size_t>(impl_->width));
  impl_->evaluate(assembly, sample, whole.data());
  if (impl_->component >= 0) {
    *out = whole[impl_->component];
  } else {
    double square = 0.0;
    for (double x : whole) square += x * x;
    *out = std::sqrt(square);
  }
}

std::vector<std::string> quantities_of(const System& system, const std::string& item) {
  std::vector<std::string> names;
  if (const auto list = offered(system, item))
    for (const Named& n : *list) names.push_back(n.name);
  return names;
}

}  // namespace saltus
