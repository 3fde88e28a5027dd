#include "saltus/system/inverse_dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/base/value.hpp"
#include "saltus/pool/tree_pool.hpp"
#include "saltus/system/assembly.hpp"

namespace saltus {
namespace {

/// Where the configuration of the joints stands in y, in the order of the links, and where quaternions begin in this list.
struct Places {
  std::vector<int> all, quaternions;

  Places(const Tree& tree, std::span<const Endpoint> ends) {
    for (std::size_t c = 0; c < ends.size(); ++c) {
      const LinkOfTree& link = tree.links[tree.link_of[c]];
      const bool scalar = link.joint.has_coordinate();
      if (!scalar && link.parent != link.turned_by) continue;  // the ball's first axis stands for it
      if (!scalar) quaternions.push_back(count_of(all));
      for (int i = 0; i < (scalar ? 1 : 4); ++i) all.push_back(ends[c].coordinate.value + i);
    }
  }
};

}  // namespace

std::vector<double> inverse_dynamics(const System& system, const std::string& tree, std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  const auto place = std::find_if(system.items.begin(), system.items.end(), [&](const ItemPlace& item) { return item.section == "bodies" && item.name == tree; });
  const auto* pool = place == system.items.end() || place->pool < 0 ? nullptr : dynamic_cast<const TreePool*>(system.objects[place->pool].get());
  if (!pool) throw ModelError("bodies/" + tree, "is no kinematic tree", "name a body of type kinematic_tree");
  const std::span<const Endpoint> ends = pool->endpoints(place->item).subspan(1);
  const Places places(pool->tree(place->item), ends);
  const auto check = [&](const char* word, std::span<const double> given, std::size_t n, const char* of, const char* remedy) {
    if (given.size() != n) throw ModelError("bodies/" + tree, std::string(word) + " has " + std::to_string(given.size()) + " numbers, the tree has " + std::to_string(n) + of, remedy);
  };
  check("q", q, places.all.size(), " coordinates", "give one for each hinge and slide, the quaternion of a ball, displacement and quaternion of a free joint, in the order of the links");
  const char* const by_link = "give one for each hinge and slide, three for a ball, six for a free joint, in the order of the links";
  check("v", v, ends.size(), " velocities", by_link), check("a", a, ends.size(), " velocities", by_link);
  for (const int first : places.quaternions)
    if (const double length = std::hypot(std::hypot(q[first], q[first + 1]), std::hypot(q[first + 2], q[first + 3])); !(std::abs(length - 1.0) < 1e-6))
      throw ModelError("bodies/" + tree, "q has a quaternion of length " + number_text(length) + " from number " + std::to_string(first) + " on", "give unit quaternions (w, x, y, z)");
  std::vector<double> y = system.initial_y, force(ends.size());
  for (std::size_t i = 0; i < places.all.size(); ++i) y[places.all[i]] = q[i];
  for (std::size_t i = 0; i < ends.size(); ++i) y[ends[i].coordinate.rate] = v[i];
  Assembly assembly(system);
  assembly.update(0.0, y.data(), nullptr, system.initial_data.data());
  pool->inverse_dynamics(assembly.kinematics(), place->item, a.data(), force.data());
  return force;
}

}  // namespace saltus
