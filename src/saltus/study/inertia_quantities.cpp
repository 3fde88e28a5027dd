#include <algorithm>

#include "saltus/pool/tree_links.hpp"
#include "saltus/study/offered.hpp"

namespace saltus::study {
namespace {

/// Forces that items add, as one force and its moment about a point, in world axes.
struct Wrench {
  Vec3<double> force{}, moment{};
};

/// Items with mass, and the frames on which they stand.
class Objects {
 public:
  Objects(const System& system, std::vector<ObjectRef> objects) : s_(system), objects_(std::move(objects)) {
    for (const auto& [pool, item] : objects_)
      for (const Endpoint& end : s_.objects[pool]->endpoints(item))
        if (end.kind == EndpointKind::frame) {
          markers_.push_back(end.marker);
          bases_.push_back(s_.markers[end.marker].base);
        }
    std::erase_if(bases_, [](int base) { return base < 0; });
  }
  bool in_space() const { return !markers_.empty(); }

  /// Where moments are taken about: near the items, so that far from the origin no digit is lost.
  Vec3<double> point(const Kinematics& k) const { return k.frames[markers_.front()].p; }

  Wrench momentum(const Kinematics& k) const {
    return summed(k, [&](const ObjectPool& pool, int item, const ForceSink& sink) { pool.add_item_momentum(k, item, sink); });
  }
  /// Mass and the centre of mass against point(k): from what a gravity of one along x and along y adds to the forces.
  std::pair<double, Vec3<double>> center(const Kinematics& k) const {
    const Wrench along_x = weight(k, 0), along_y = weight(k, 1);
    const double mass = along_x.force[0];  // c x e_x = (0, c_z, -c_y), c x e_y = (-c_z, 0, c_x)
    return {mass, mass > 0.0 ? Vec3<double>{{along_y.moment[2], -along_x.moment[2], along_x.moment[1]}} * (1.0 / mass) : Vec3<double>{}};
  }
  double kinetic_energy(const Kinematics& k) const {
    double energy = 0.0;
    for (const auto& [pool, item] : objects_) energy += s_.objects[pool]->item_kinetic_energy(k, item);
    return energy;
  }
  double potential_energy(const Kinematics& k) const {
    double energy = 0.0;
    for (const auto& [pool, item] : objects_) energy += s_.objects[pool]->item_potential_energy(k, item);
    return energy;
  }

 private:
  template <class Add>
  Wrench summed(const Kinematics& k, Add add) const {
    std::vector<Vec6<double>> wrench(s_.markers.size());
    std::vector<double> force(static_cast<std::size_t>(s_.layout.unknowns()) + 1, 0.0);
    Wrench sum;
    const Vec3<double> about = point(k);
    const auto take = [&](std::size_t m) {
      const Vec3<double> f{{wrench[m][0], wrench[m][1], wrench[m][2]}}, t{{wrench[m][3], wrench[m][4], wrench[m][5]}};
      sum.force += f, sum.moment += cross(k.frames[m].p - about, f) + k.frames[m].R * t;
      wrench[m] = {};
    };
    bool beside = false;
    for (const auto& [pool, item] : objects_) {
      const auto ends = s_.objects[pool]->endpoints(item);
      add(*s_.objects[pool], item, ForceSink{wrench.data(), force.data()});
      for (const Endpoint& end : ends) end.kind == EndpointKind::frame ? take(end.marker) : void(beside |= end.coordinate.is_of_joint());
    }
    // What acts on the motion of a joint acts on both its frames: what the bodies of the objects get of it counts.
    for (std::size_t m = 0; beside && m < wrench.size(); ++m)
      if (std::ranges::find(bases_, s_.markers[m].base) != bases_.end()) take(m);
    return sum;
  }
  Wrench weight(const Kinematics& k, int axis) const {
    const auto with = [&](const Vec3<double>& gravity) {
      Kinematics other = k;
      other.gravity = gravity;
      return summed(other, [&](const ObjectPool& pool, int item, const ForceSink& sink) { pool.add_item_force(other, item, sink); });
    };
    Vec3<double> one{};
    one[axis] = 1.0;
    const Wrench on = with(one), off = with({});
    return {on.force - off.force, on.moment - off.moment};
  }
  const System& s_;
  std::vector<ObjectRef> objects_;
  std::vector<int> markers_, bases_;  // and the moving frames that they stand on
};

/// A link of a kinematic tree, on the marker of its frame.
class Link {
 public:
  Link(const LinkOfTree& link, int marker) : link_(link), marker_(marker) {}
  bool in_space() const { return true; }
  Vec3<double> point(const Kinematics& k) const { return k.frames[marker_].p; }
  std::pair<double, Vec3<double>> center(const Kinematics& k) const { return {link_.mass, k.frames[marker_].R * link_.center}; }
  Wrench momentum(const Kinematics& k) const {
    const Frame<double>& f = k.frames[marker_];
    const Vec3<double> p = velocity(k) * link_.mass;
    return {p, cross(f.R * link_.center, p) + f.R * (link_.inertia * f.w)};
  }
  double kinetic_energy(const Kinematics& k) const {
    const Vec3<double>&w = k.frames[marker_].w, v = velocity(k);
    return 0.5 * (link_.mass * dot(v, v) + dot(w, link_.inertia * w));
  }
  double potential_energy(const Kinematics& k) const { return -link_.mass * dot(k.gravity, point(k) + center(k).second); }

 private:
  Vec3<double> velocity(const Kinematics& k) const {
    const Frame<double>& f = k.frames[marker_];
    return f.v + f.R * cross(f.w, link_.center);
  }
  LinkOfTree link_;
  int marker_;
};

/// Energies, mass and momentum of `all`, an Objects or a Link.
template <class Mass>
void offer(const Mass& all, Offered& out) {
  const auto number = [&](const char* name, const char* unit, auto value) {
    out.push_back({name, unit, {}, [all, value](Assembly& a, const Sample& s, double* o) { *o = value(all, at(a, s)); }});
  };
  const auto vector = [&](const char* name, const char* unit, auto value) {
    out.push_back({name, unit, xyz(), [all, value](Assembly& a, const Sample& s, double* o) { put(value(all, at(a, s)), o); }});
  };
  number("kinetic_energy", "J", [](const Mass& x, const Kinematics& k) { return x.kinetic_energy(k); });
  number("potential_energy", "J", [](const Mass& x, const Kinematics& k) { return x.potential_energy(k); });
  if (!all.in_space()) return;
  number("mass", "kg", [](const Mass& x, const Kinematics& k) { return x.center(k).first; });
  vector("center_of_mass", "m", [](const Mass& x, const Kinematics& k) { return x.point(k) + x.center(k).second; });
  vector("center_velocity", "m/s", [](const Mass& x, const Kinematics& k) { return x.momentum(k).force * (1.0 / x.center(k).first); });
  vector("momentum", "kg m/s", [](const Mass& x, const Kinematics& k) { return x.momentum(k).force; });
  vector("angular_momentum", "kg m^2/s", [](const Mass& x, const Kinematics& k) {
    const Wrench p = x.momentum(k);
    return p.moment - cross(x.center(k).second, p.force);
  });
}

}  // namespace

void add_inertia(const System& system, std::vector<ObjectRef> objects, Offered& out) { offer(Objects(system, std::move(objects)), out); }

void add_link_inertia(const System& system, int marker, Offered& out) {
  const int base = system.markers[marker].base;
  if (base < 0 || system.bases[base].marker != marker || system.bases[base].node >= 0) return;
  const SourceRef source = system.source(system.bases[base]);
  if (const auto* links = dynamic_cast<const TreeLinks*>(source.pool)) offer(Link(links->link(source.item), marker), out);
}

}  // namespace saltus::study
