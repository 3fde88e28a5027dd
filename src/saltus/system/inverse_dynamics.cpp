#include "saltus/system/inverse_dynamics.hpp"

#include <algorithm>

#include "saltus/base/errors.hpp"
#include "saltus/pool/tree_pool.hpp"
#include "saltus/system/assembly.hpp"

namespace saltus {

std::vector<double> inverse_dynamics(const System& system, const std::string& tree, std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  const auto place = std::find_if(system.items.begin(), system.items.end(), [&](const ItemPlace& item) { return item.section == "bodies" && item.name == tree; });
  const auto* pool = place == system.items.end() || place->pool < 0 ? nullptr : dynamic_cast<const TreePool*>(system.objects[place->pool].get());
  if (!pool) throw ModelError("bodies/" + tree, "is no kinematic tree", "name a body of type kinematic_tree");
  const std::span<const Endpoint> ends = pool->endpoints(place->item).subspan(1);
  const auto check = [&](const char* word, std::span<const double> given) {
    if (given.size() != ends.size())
      throw ModelError("bodies/" + tree, std::string(word) + " has " + std::to_string(given.size()) + " numbers, the tree has " + std::to_string(ends.size()) + " coordinates", "give one for each joint that moves, in the order of the links");
  };
  check("q", q), check("v", v), check("a", a);
  std::vector<double> y = system.initial_y, force(ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) y[ends[i].coordinate.value] = q[i], y[ends[i].coordinate.rate] = v[i];
  Assembly assembly(system);
  assembly.update(0.0, y.data(), nullptr, system.initial_data.data());
  pool->inverse_dynamics(assembly.kinematics(), place->item, a.data(), force.data());
  return force;
}

}  // namespace saltus
