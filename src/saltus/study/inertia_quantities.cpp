#include <algorithm>

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
        if (end.kind == EndpointKind::frame) markers_.push_back(end.marker);
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
    for (const auto& [pool, item] : objects_) add(*s_.objects[pool], item, ForceSink{wrench.data(), force.data()});
    Wrench sum;
    const Vec3<double> about = point(k);
    for (std::size_t i = 0; i < markers_.size(); ++i) {
      const int m = markers_[i];
      const Vec3<double> f{{wrench[m][0], wrench[m][1], wrench[m][2]}}, t{{wrench[m][3], wrench[m][4], wrench[m][5]}};
      sum.force += f, sum.moment += cross(k.frames[m].p - about, f) + k.frames[m].R * t;
      wrench[m] = {};  // several items may share a frame
    }
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
  std::vector<int> markers_;
};

}  // namespace

void add_inertia(const System& system, std::vector<ObjectRef> objects, Offered& out) {
  const Objects all(system, std::move(objects));
  const auto number = [&](const char* name, const char* unit, auto value) {
    out.push_back({name, unit, {}, [all, value](Assembly& a, const Sample& s, double* o) { *o = value(all, at(a, s)); }});
  };
  const auto vector = [&](const char* name, const char* unit, auto value) {
    out.push_back({name, unit, xyz(), [all, value](Assembly& a, const Sample& s, double* o) { put(value(all, at(a, s)), o); }});
  };
  number("kinetic_energy", "J", [](const Objects& x, const Kinematics& k) { return x.kinetic_energy(k); });
  number("potential_energy", "J", [](const Objects& x, const Kinematics& k) { return x.potential_energy(k); });
  if (!all.in_space()) return;
  number("mass", "kg", [](const Objects& x, const Kinematics& k) { return x.center(k).first; });
  vector("center_of_mass", "m", [](const Objects& x, const Kinematics& k) { return x.point(k) + x.center(k).second; });
  vector("center_velocity", "m/s", [](const Objects& x, const Kinematics& k) { return x.momentum(k).force * (1.0 / x.center(k).first); });
  vector("momentum", "kg m/s", [](const Objects& x, const Kinematics& k) { return x.momentum(k).force; });
  vector("angular_momentum", "kg m^2/s", [](const Objects& x, const Kinematics& k) {
    const Wrench p = x.momentum(k);
    return p.moment - cross(x.center(k).second, p.force);
  });
}

}  // namespace saltus::study
