#include "saltus/study/quantity.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/base/suggest.hpp"
#include "saltus/items/entry.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/math/rotation.hpp"
#include "saltus/model/quantity_text.hpp"
#include "saltus/study/offered.hpp"

namespace saltus {
namespace {

using namespace study;

/// All quantities of one item.
class Offer {
 public:
  explicit Offer(const System& system) : s_(system) {}
  std::vector<Named> list;

  /// What the item's type offers.
  void own(const Pool& pool, int item) {
    declared(pool.quantities(), [&pool, item](Assembly& a, const Sample& s, int which) { return pool.quantity(at(a, s), item, which); });
  }
  /// What a type declares, value(assembly, sample, which) of up to three numbers.
  template <class Value>
  void declared(std::span<const ItemQuantity> quantities, Value value) {
    int which = 0;
    for (const ItemQuantity& q : quantities) {
      std::vector<std::string> components;
      for (const std::string_view word : words(q.components)) components.emplace_back(word);
      const std::size_t n = std::max<std::size_t>(1, components.size());
      add(std::string(q.name), std::string(q.unit), std::move(components), [value, which, n](Assembly& a, const Sample& s, double* o) {
        const Vec3<double> given = value(a, s, which);
        std::copy_n(given.data(), n, o);
      });
      ++which;
    }
  }

  void frame(int m) {
    add_frame(s_, m, s_.reference_frames[m].p, list);
    if (s_.markers[m].base < 0) return;
    const BaseFrame& base = s_.bases[s_.markers[m].base];
    if (base.node >= 0 || base.marker != m) return;
    const FrameSource* pool = s_.frame_sources[base.pool].get();
    declared(pool->quantities(), [pool, item = base.item](Assembly& a, const Sample& s, int which) { return pool->quantity(at(a, s), item, which); });
  }

  /// Those that a run may change.
  void parameters() {
    for (std::size_t i = 0; i < s_.parameters.size(); ++i)
      add(s_.parameters[i].name, "", {}, [i](Assembly&, const Sample& s, double* o) { *o = s.data[i]; });
  }

  void coordinates(const NodeEntry& node) {
    const NodePlace& p = node.place;
    const NodeUnits units = s_.node_pools[node.pool]->units();
    const Layout& l = s_.layout;
    const auto slice = [&](const char* name, std::string_view unit, int begin, int n) {
      if (n > 0) add(name, std::string(unit), n == 1 ? std::vector<std::string>{} : study::numbers(n), [begin, n](Assembly&, const Sample& s, double* o) { std::copy(s.y + begin, s.y + begin + n, o); });
    };
    slice("coordinate", "", p.q, p.sizes.q);
    slice("rate", "", l.v_begin() + p.v, p.sizes.v);
    slice("state", units.state, l.x_begin() + p.x, p.sizes.x);
    slice("value", units.value, l.z_begin() + p.z, p.sizes.z);
    const NodePool* pool = s_.node_pools[node.pool].get();
    declared(pool->quantities(), [pool, item = node.item, q = p.q, v = l.v_begin() + p.v, x = l.x_begin() + p.x, z = l.z_begin() + p.z](Assembly&, const Sample& s, int which) {
      return pool->quantity(item, which, s.y + q, s.y + v, s.y + x, s.y + z);
    });
    if (p.sizes.v > 0) {
      const int begin = p.v, n = p.sizes.v;
      add("coordinate_acceleration", "", n == 1 ? std::vector<std::string>{} : study::numbers(n), [begin, n](Assembly&, const Sample& s, double* o) { std::copy(s.a + begin, s.a + begin + n, o); });
    }
  }

  using ItemForces = std::function<void(const Kinematics&, const Sample&, const ForceSink&)>;

  /// What the item's forces do on all that it acts on.
  void power(std::span<const Endpoint> ends, const ItemForces& forces) {
    for (const Endpoint& end : ends)
      if (end.kind == EndpointKind::coordinate && end.coordinate.kind != CoordinateKind::ode2 && end.coordinate.kind != CoordinateKind::none) return;
    add("power", "W", {}, [this_ = &s_, forces](Assembly& a, const Sample& s, double* o) { *o = power_of(*this_, at(a, s), s, forces, s.y); });
  }
  /// Sum of forces times rates; y: where the rates of unknowns stand.
  static double power_of(const System& system, const Kinematics& k, const Sample& s, const ItemForces& forces, const double* y) {
    std::vector<Vec6<double>> wrench(system.markers.size());
    std::vector<double> f(static_cast<std::size_t>(system.layout.unknowns()) + 1, 0.0);
    forces(k, s, {wrench.data(), f.data()});
    for (std::size_t m = 0; m < wrench.size(); ++m) {
      const int begin = system.marker_column_begin[m], n = system.marker_column_begin[m + 1] - begin;
      for (int c = 0; c < n; ++c)
        for (int i = 0; i < 6; ++i) f[system.marker_columns[begin + c]] += k.jacobian[6 * begin + i * n + c] * wrench[m][i];
    }
    double sum = 0.0;
    for (int i = 0; i < system.layout.nv; ++i) sum += f[i] * y[system.layout.v_begin() + i];
    return sum;
  }
  /// Of an element of springs and dampers: what it stores, and what its damping takes, the power that is left of it at rest less its power.
  void stored(const ForcePool* pool, int item, bool passive, const ItemForces& forces) {
    add("potential_energy", "J", {}, [pool, item](Assembly& a, const Sample& s, double* o) { *o = pool->item_potential_energy(at(a, s), item); });
    if (!passive || !pool->remembers_turns_only()) return;
    add("dissipation", "W", {}, [this_ = &s_, forces](Assembly& a, const Sample& s, double* o) {
      const double whole = power_of(*this_, at(a, s), s, forces, s.y);
      std::vector<double> resting(s.y, s.y + this_->layout.y_size());
      std::fill_n(resting.begin() + this_->layout.v_begin(), this_->layout.nv, 0.0);
      Sample still = s;
      still.y = resting.data();
      *o = power_of(*this_, at(a, still), still, forces, s.y) - whole;
    });
  }

  /// Force and torque on the last end (B), from a function that adds the item's forces to a sink.
  void force_on_last(const Pool* pool, int item, const ItemForces& forces) {
    std::span<const Endpoint> ends = pool->endpoints(item);
    // A coordinate behind two frames, the travel on a rail, is beside what it joins.
    while (ends.size() > 2 && ends.front().kind == EndpointKind::frame && ends.back().kind == EndpointKind::coordinate) ends = ends.first(ends.size() - 1);
    if (ends.empty()) return;
    power(ends, forces);
    if (is_rope(ends.front())) ends = ends.first(1);  // what it passes over a sheave is beside its length
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
      add("force", "N", xyz(), [=](Assembly& a, const Sample& s, double* o) {
        summed(a, s, [&](const Kinematics&, const auto& w, const auto&) { std::copy(w[m].data(), w[m].data() + 3, o); });
      });
      add("torque", "N m", xyz(), [=](Assembly& a, const Sample& s, double* o) {
        summed(a, s, [&](const Kinematics& k, const auto& w, const auto&) { put(k.frames[m].R * Vec3<double>{{w[m][3], w[m][4], w[m][5]}}, o); });
      });
      add("force_body", "N", xyz(), [=](Assembly& a, const Sample& s, double* o) {
        summed(a, s, [&](const Kinematics& k, const auto& w, const auto&) { put(transposed_times(k.frames[m].R, Vec3<double>{{w[m][0], w[m][1], w[m][2]}}), o); });
      });
      add("torque_body", "N m", xyz(), [=](Assembly& a, const Sample& s, double* o) {
        summed(a, s, [&](const Kinematics&, const auto& w, const auto&) { std::copy(w[m].data() + 3, w[m].data() + 6, o); });
      });
      if (is_rope(end)) {
        const int j = end.coordinate.joint();
        coordinate(j);
        const auto pull = [&](const char* word, int frame, int at) {  // at its ends it pulls along its spans
          add(word, "N", {}, [=, rope = &s_.joint_coordinates](Assembly& a, const Sample& s, double* o) {
            summed(a, s, [&](const Kinematics& k, const auto& w, const auto&) {
              const Vec6<double>& along = rope->gradient(k, j, frame);
              *o = -dot(Vec3<double>{{along[0], along[1], along[2]}}, Vec3<double>{{w[at][0], w[at][1], w[at][2]}});
            });
          });
        };
        pull("tension", count_of(frames) - 1, m);
        pull("first_tension", 0, first.marker);
      } else if (frames.size() == 2 && first.kind == EndpointKind::frame) {
        const int A = first.marker;
        add("length", "m", {}, [=](Assembly& a, const Sample& s, double* o) {
          const Kinematics& k = frames_at(a, s);
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
        motion_between(A, m, counted);
        add_relative(s_, A, m, "relative_", list);
      }
    } else {
      const int dof = last.coordinate.dof;
      add("force", ends_unit(ends), {}, [=](Assembly& a, const Sample& s, double* o) {
        summed(a, s, [&](const Kinematics&, const auto&, const auto& f) { *o = f[dof]; });
      });
    }
  }

  /// How the frame of a marker has moved against that of A; counted: the coordinate of joints that counts its turns, -1: none.
  void motion_between(int A, int m, int counted) {
    add("angle", "rad", {}, [=, joints = &s_.joint_coordinates](Assembly& a, const Sample& s, double* o) {
      const Kinematics& k = frames_at(a, s);
      *o = counted >= 0 ? joints->value(k, counted) : alignment::twist(transposed(k.frames[A].R) * k.frames[m].R);
    });
    add("translation", "m", xyz(), [=](Assembly& a, const Sample& s, double* o) {
      const Kinematics& k = frames_at(a, s);
      put(transposed_times(k.frames[A].R, k.frames[m].p - k.frames[A].p), o);
    });
    add("angular_rate", "rad/s", {}, [=](Assembly& a, const Sample& s, double* o) {
      const Kinematics& k = frames_at(a, s);
      const Frame<double>&fA = k.frames[A], &fB = k.frames[m];
      *o = transposed_times(fA.R, fB.R * fB.w)[2] - fA.w[2];
    });
  }

  bool is_rope(const Endpoint& end) const {
    return end.kind == EndpointKind::coordinate && end.coordinate.is_of_joint() && &s_.joint_coordinates.motion(end.coordinate.joint()) == &rope_length;
  }
  /// A coordinate of frames that has a name: the length of a rope.
  void coordinate(int j) {
    const JointCoordinates& all = s_.joint_coordinates;
    const int value = s_.layout.y_size() + 2 * j;
    add(std::string(all.motion(j).name), std::string(all.motion(j).unit), {}, [value](Assembly& a, const Sample& s, double* o) { *o = frames_at(a, s).y[value]; });
    add("rate", std::string(all.motion(j).rate_unit), {}, [value](Assembly& a, const Sample& s, double* o) { *o = frames_at(a, s).y[value + 1]; });
  }

  void relation(const RelationEntry& e) {
    const int row = e.row, n = e.rows, total = s_.layout.rows;
    const auto names = n == 1 ? std::vector<std::string>{} : study::numbers(n);
    add("multiplier", multiplier_unit(e), names, [row, n](Assembly&, const Sample& s, double* o) { std::copy(s.lambda + row, s.lambda + row + n, o); });
    const RelationPool* pool = s_.relations[e.pool].get();
    if (const std::string_view unit = pool->traits().drive_unit; !unit.empty())
      add("drive", std::string(unit), names, [row, n](Assembly&, const Sample& s, double* o) { std::copy(s.lambda + row, s.lambda + row + n, o); });
    add("residual", "", names, [row, n, total](Assembly& a, const Sample& s, double* o) {
      at(a, s);
      std::vector<double> y(total);
      RowSink sink;
      sink.y = y.data();
      a.relations(sink);
      std::copy(y.begin() + row, y.begin() + row + n, o);
    });
    const int item = e.item;
    own(*pool, item);
    force_on_last(pool, item, [pool, item, row](const Kinematics& k, const Sample&, const ForceSink& sink) { pool->add_reaction(k, item, row, sink); });
  }

  /// What a controller holds until its next sample.
  void controller(const ControllerEntry& c) {
    const auto slice = [&](const char* name, int begin, int n) {
      if (n > 0) add(name, "", n == 1 ? std::vector<std::string>{} : study::numbers(n), [begin, n](Assembly&, const Sample& s, double* o) { std::copy(s.data + begin, s.data + begin + n, o); });
    };
    if (c.outputs == 0 && c.shown == 0 && c.inputs.size() == 1 && c.memory > 0)  // a sensor: what it shows now comes first
      list.push_back({"value", "", {}, [at = c.first](Assembly&, const Sample& s, double* o) { *o = s.data[at]; }, c.inputs[0]});
    else slice("value", c.first + (c.shown ? c.outputs : 0), c.shown ? c.shown : c.outputs);
    slice("output", c.first, c.outputs), slice("memory", c.first + c.outputs, c.memory);
  }
  /// Sums over contacts between groups.
  void contacts(int d) {
    add("force", "N", xyz(), [d](Assembly&, const Sample& s, double* o) { std::copy(s.data + d, s.data + d + 3, o); });
    add("points", "", {}, [d](Assembly&, const Sample& s, double* o) { *o = s.data[d + 3]; });
  }

  /// How many bodies of a presence are there.
  void presence(const std::string& record) {
    std::vector<int> places;
    for (const BodyPresence& p : s_.presences)
      if (p.record == record) places.push_back(p.data);
    add("count", "", {}, [places](Assembly&, const Sample& s, double* o) { *o = static_cast<double>(std::count_if(places.begin(), places.end(), [&](int d) { return s.data[d] > 0.0; })); });
  }

  /// How many bodies of a record sleep.
  void sleepers(const std::string& record) {
    std::vector<int> places;
    for (const Sleeper& p : s_.sleepers)
      if (p.record == record) places.push_back(p.data);
    add("asleep", "", {}, [places](Assembly&, const Sample& s, double* o) { *o = static_cast<double>(std::count_if(places.begin(), places.end(), [&](int d) { return !(s.data[d] > 0.0); })); });
  }

  void energy() {
    add("kinetic", "J", {}, [](Assembly& a, const Sample& s, double* o) { frames_at(a, s), *o = a.kinetic_energy(); });
    add("potential", "J", {}, [](Assembly& a, const Sample& s, double* o) { frames_at(a, s), *o = a.potential_energy(); });
    add("total", "J", {}, [](Assembly& a, const Sample& s, double* o) { frames_at(a, s), *o = a.kinetic_energy() + a.potential_energy(); });
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
  if (item == "parameters" && !s.parameters.empty()) return offer.parameters(), std::move(offer.list);
  const auto frame_at = [&](int m) { offer.frame(m); };
  if (item == "ground") return frame_at(0), std::move(offer.list);
  for (const NodeEntry& node : s.nodes)
    if (node.name == item) {
      if (node.place.frame >= 0) frame_at(s.bases[node.place.frame].marker);
      offer.coordinates(node);
      return std::move(offer.list);
    }
  for (const auto& [name, m] : s.named_markers)
    if (name == item) {
      frame_at(m);
      add_link_inertia(s, m, offer.list);
      for (const NodeEntry& node : s.nodes)
        if (node.name == item + ".node") offer.coordinates(node);  // of a link: that of its joint
      return std::move(offer.list);
    }
  for (const auto& [name, j] : s.named_coordinates)
    if (name == item) return offer.coordinate(j), std::move(offer.list);
  for (const RelationEntry& e : s.relation_entries)
    if (e.name == item) return offer.relation(e), std::move(offer.list);
  for (const ControllerEntry& c : s.controllers)
    if (c.name == item) return offer.controller(c), std::move(offer.list);
  for (const ContactGroup& g : s.contacts.groups)
    if (g.name == item) return offer.contacts(g.data), std::move(offer.list);
  for (const ContactForce& f : s.contacts.forces)
    if (f.name == item) return offer.contacts(f.data), std::move(offer.list);
  for (const BodyPresence& p : s.presences)
    if (p.record == item) return offer.presence(item), std::move(offer.list);
  for (const Sleeper& p : s.sleepers)
    if (p.record == item) return offer.sleepers(item), std::move(offer.list);
  for (const ItemPlace& place : s.items) {
    if (place.name != item || place.section == "nodes") continue;
    const ItemEntry* entry = find_entry(place.section, place.type);
    if (entry && entry->family == Family::object) {
      const auto ends = s.objects[place.pool]->endpoints(place.item);
      if (ends.size() == 1 && ends[0].kind == EndpointKind::frame) frame_at(ends[0].marker);
      offer.own(*s.objects[place.pool], place.item);
      add_inertia(s, {{place.pool, place.item}}, offer.list);
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
    const Offer::ItemForces forces = [pool, i](const Kinematics& k, const Sample&, const ForceSink& sink) { pool->add_item_force(k, i, sink); };
    if (place.section == "connectors") offer.stored(pool, i, entry && entry->passive, forces);
    offer.force_on_last(pool, i, forces);
    return std::move(offer.list);
  }
  return std::nullopt;
}

/// What `relative(A, B)` and `group(A, B, ...)` offer.
std::vector<Named> offered_of_several(const System& s, const ItemsText& items, const std::string& path) {
  const auto frame = [&](const std::string& name) {
    if (name == "ground") return 0;
    for (const NodeEntry& node : s.nodes)
      if (node.name == name && node.place.frame >= 0) return s.bases[node.place.frame].marker;
    for (const auto& [known, m] : s.named_markers)
      if (known == name) return m;
    for (const ItemPlace& place : s.items)
      if (place.name == name && place.section == "bodies" && place.pool >= 0)
        if (const auto ends = s.objects[place.pool]->endpoints(place.item); ends.size() == 1 && ends[0].kind == EndpointKind::frame) return ends[0].marker;
    throw ModelError("outputs/" + path, "'" + name + "' has no frame", "name a body, a frame, a node or ground");
  };
  std::vector<Named> list;
  if (items.word == "relative") {
    if (items.names.size() != 2) throw ModelError("outputs/" + path, "relative has " + std::to_string(items.names.size()) + " items, it is of two frames", "write relative(A, B)");
    add_relative(s, frame(items.names[0]), frame(items.names[1]), "", list);
    return list;
  }
  std::vector<ObjectRef> objects;
  for (const ItemPlace& place : s.items) {
    const bool all = items.names.empty(), named = std::find(items.names.begin(), items.names.end(), place.name) != items.names.end();
    if (place.section == "bodies" && place.pool >= 0 && (all || named)) {
      const ItemEntry* entry = find_entry(place.section, place.type);
      if (entry && entry->family == Family::object) objects.emplace_back(place.pool, place.item);
    }
  }
  if (!items.names.empty() && objects.size() != items.names.size())
    for (const std::string& name : items.names)
      if (std::none_of(s.items.begin(), s.items.end(), [&](const ItemPlace& p) { const ItemEntry* e = find_entry(p.section, p.type); return p.name == name && e && e->family == Family::object; }))
        throw ModelError("outputs/" + path, "'" + name + "' is no body", "a group is of bodies and kinematic trees");
  add_inertia(s, std::move(objects), list);
  return list;
}

/// Words of a path; what is in parentheses holds no dot that parts.
std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (char c : path) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == '.' && depth <= 0) words.emplace_back();
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

  void read_path();
  void read_formula();
  void take_component(const std::string& component, const std::string& of);
};

namespace {

/// A formula of quantities: each operand one number, or as many as the others.
struct Formula {
  Expression expression;
  std::vector<Quantity> operands;
  int width = 1;

  void operator()(Assembly& assembly, const Sample& sample, double* out) const {
    std::vector<std::vector<double>> values;
    for (const Quantity& q : operands) q.evaluate(assembly, sample, values.emplace_back(static_cast<std::size_t>(q.components())).data());
    std::vector<double> in(operands.size() + 1);
    in[0] = sample.t;
    for (int c = 0; c < width; ++c) {
      for (std::size_t i = 0; i < values.size(); ++i) in[i + 1] = values[i][values[i].size() == 1 ? 0 : static_cast<std::size_t>(c)];
      out[c] = expression(in.data());
    }
  }
};

}  // namespace

void Quantity::Impl::read_formula() {
  auto formula = std::make_shared<Formula>();
  std::vector<std::string> inputs{"t"};
  std::string text;
  std::size_t from = path.find('=') + 1;
  for (const QuantityOperand& operand : operands_of(path)) {
    formula->operands.emplace_back(system, operand.inner, operand.component);
    inputs.push_back("quantity_" + std::to_string(inputs.size()));
    text += path.substr(from, operand.begin - from) + inputs.back();
    from = operand.end;
    const Quantity& q = formula->operands.back();
    if (q.components() == 1) continue;
    if (formula->width > 1 && formula->width != q.components())
      throw ModelError("outputs/" + path, "takes vectors of " + std::to_string(formula->width) + " and of " + std::to_string(q.components()) + " numbers together", "take components, such as .x or .norm");
    formula->width = q.components(), names = q.component_names();
  }
  text += path.substr(from);
  std::optional<ExpressionFault> fault;
  formula->expression = Expression::parse(text, inputs, {}, fault);
  if (fault) throw ModelError("outputs/" + path, fault->message, fault->remedy.empty() ? "quantities are written item.quantity, names with other than letters, digits and _ in braces: {rod 1.velocity.x}" : fault->remedy);
  width = formula->width;
  evaluate = [formula](Assembly& a, const Sample& s, double* o) { (*formula)(a, s, o); };
}

void Quantity::Impl::read_path() {
  std::vector<std::string> words = split(path);
  if (words.size() == 1 && std::any_of(system->parameters.begin(), system->parameters.end(), [&](const RunParameter& p) { return p.name == path; })) words.insert(words.begin(), "parameters");
  // An item's own name may hold a dot (`rod.node`): the longest name that is there counts.
  std::optional<std::vector<Named>> list;
  std::size_t used = 1;
  std::string name = words[0];
  if (words.size() > 2)
    if ((list = offered(*system, words[0] + "." + words[1]))) used = 2, name = words[0] + "." + words[1];
  if (!list) list = offered(*system, words[0]);
  if (!list)
    if (const auto items = items_of(words[0])) list = offered_of_several(*system, *items, path);
  if (!list) {
    std::vector<std::string_view> known{"energy"};
    for (const ItemPlace& item : system->items) known.push_back(item.name);
    throw ModelError("outputs/" + path, "'" + words[0] + "' is not an item of the model", did_you_mean(words[0], known));
  }
  const std::string quantity = words.size() > used ? words[used] : "";
  const auto it = std::find_if(list->begin(), list->end(), [&](const Named& n) { return n.name == quantity; });
  std::optional<Named> found = it == list->end() ? angles_of(*list, quantity, path) : *it;
  if (!found) {
    std::vector<std::string> known_names;
    for (const Named& n : *list) known_names.push_back(n.name);
    const std::vector<std::string_view> known(known_names.begin(), known_names.end());
    const std::string near = did_you_mean(quantity, known);
    throw ModelError("outputs/" + path, "'" + name + "' has no quantity '" + quantity + "'", near.empty() ? "it has " + all(known_names) : near + " It has " + all(known_names));
  }
  evaluate = found->evaluate;
  unit = found->like.empty() ? found->unit : Quantity(system, found->like).unit();
  width = std::max<int>(1, count_of(found->components));
  names = found->components;
  if (words.size() > used + 1) take_component(words[used + 1], quantity);
}

void Quantity::Impl::take_component(const std::string& wanted, const std::string& of) {
  const auto c = std::find(names.begin(), names.end(), wanted);
  if (wanted == "norm" && !names.empty()) component = -2;
  else if (c != names.end()) component = static_cast<int>(c - names.begin());
  else throw ModelError("outputs/" + path, "'" + of + "' has no component '" + wanted + "'", names.empty() ? "it is one number" : "it has " + all(names) + ", norm");
  names.clear();
}

Quantity::Quantity(std::shared_ptr<const System> system, const std::string& path, const std::string& component) : impl_(std::make_unique<Impl>()) {
  impl_->system = std::move(system);
  impl_->path = path;
  if (is_formula(path)) impl_->read_formula();
  else impl_->read_path();
  if (!component.empty()) impl_->take_component(component, path);
}

Quantity::~Quantity() = default;
Quantity::Quantity(Quantity&&) noexcept = default;
int Quantity::components() const { return impl_->component == -1 ? impl_->width : 1; }
const std::string& Quantity::unit() const { return impl_->unit; }
const std::string& Quantity::path() const { return impl_->path; }
const std::vector<std::string>& Quantity::component_names() const { return impl_->names; }

void Quantity::evaluate(Assembly& assembly, const Sample& sample, double* out) const {
  if (impl_->component == -1) return impl_->evaluate(assembly, sample, out);
  std::vector<double> whole(impl_->width);
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
  auto list = offered(system, item);
  if (const auto items = items_of(item); !list && items) {
    try {
      list = offered_of_several(system, *items, item);
    } catch (const ModelError&) {  // of items that are not there
    }
  }
  if (list)
    for (const Named& n : *list) names.push_back(n.name);
  return names;
}

}  // namespace saltus
