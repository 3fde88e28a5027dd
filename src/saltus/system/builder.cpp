#include "saltus/system/builder.hpp"

#include <algorithm>
#include <limits>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/pool/tree_links.hpp"
#include "saltus/pool/tree_pool.hpp"
#include "saltus/system/assembly.hpp"
#include "saltus/system/law_memory.hpp"

namespace saltus {
namespace {
template <class Base, class Make>
int pool_of(std::map<std::string, int>& index, std::vector<std::unique_ptr<Base>>& pools, const std::string& type, Make make) {
  const auto [it, fresh] = index.try_emplace(type, count_of(pools));
  if (fresh) pools.push_back(make());
  return it->second;
}
Frame<double> reference_of(const NodePool& pool, const NodeEntry& e) {
  std::vector<double> q(e.place.sizes.q), v(e.place.sizes.v), J(6 * static_cast<std::size_t>(e.place.sizes.v));
  pool.reference(e.item, q.data());
  Frame<double> frame;
  Vec6<double> bias;
  pool.frame(e.item, q.data(), v.data(), frame, bias, J.data());
  return frame;
}
}  // namespace

int SystemBuilder::node_pool(const std::string& type, std::unique_ptr<NodePool> (*make)()) {
  return pool_of(node_pools_, system_->node_pools, type, make);
}
int SystemBuilder::object_pool(const std::string& type, std::unique_ptr<ObjectPool> (*make)()) {
  return pool_of(object_pools_, system_->objects, type, make);
}
int SystemBuilder::force_pool(const std::string& type, std::unique_ptr<ForcePool> (*make)()) {
  return pool_of(force_pools_, system_->forces, type, make);
}
int SystemBuilder::relation_pool(const std::string& type, std::unique_ptr<RelationPool> (*make)()) {
  return pool_of(relation_pools_, system_->relations, type, make);
}

void SystemBuilder::register_item(const std::string& section, const std::string& type, const std::string& name, int pool, int item, const Pool* in) {
  system_->items.push_back({name, type, section, pool, item, in});
}

int SystemBuilder::register_node(const std::string& name, const std::string& type, NodePool& pool, int pool_index) {
  System& s = *system_;
  NodeEntry e;
  e.name = name;
  e.pool = pool_index;
  e.item = pool.size() - 1;
  NodePlace& p = e.place;
  p.sizes = pool.sizes(e.item);
  p.q = s.layout.nq, p.v = s.layout.nv, p.x = s.layout.nx, p.z = s.layout.nz, p.d = s.layout.nd;
  s.layout.nq += p.sizes.q, s.layout.nv += p.sizes.v, s.layout.nx += p.sizes.x, s.layout.nz += p.sizes.z, s.layout.nd += p.sizes.d;
  const int quaternion = pool.quaternion_in_q(), rates = pool.rates_in_v();
  for (int i = 0; i < p.sizes.v; ++i) {
    const bool turned = quaternion >= 0 && i >= rates && i < rates + 3;
    s.map.q_of_v.push_back(turned ? -1 : p.q + (quaternion >= 0 && i >= rates + 3 ? i + 1 : i));
  }
  if (quaternion >= 0) s.map.rotations.push_back({p.q + quaternion, p.v + rates});
  if (pool.has_frame()) {
    p.frame = count_of(s.bases);
    s.bases.push_back({.node = count_of(s.nodes)});
    reference_.push_back(reference_of(pool, e));
  }
  s.nodes.push_back(e);
  register_item("nodes", type, name, pool_index, e.item);
  return count_of(s.nodes) - 1;
}

FrameSource& SystemBuilder::frame_source(const std::string& type, std::unique_ptr<FrameSource> (*make)()) {
  return *system_->frame_sources[pool_of(frame_sources_, system_->frame_sources, type, make)];
}

int SystemBuilder::register_source(FrameSource& pool) {
  System& s = *system_;
  const auto same = [&](const auto& p) { return p.get() == &pool; };
  const int index = static_cast<int>(std::find_if(s.frame_sources.begin(), s.frame_sources.end(), same) - s.frame_sources.begin());
  const int base = count_of(s.bases);
  s.bases.push_back({.pool = index, .item = pool.size() - 1});
  Kinematics k;
  k.frames = s.reference_frames.data();
  k.y = reference_coordinates().data();
  reference_.push_back(pool.frame(k, pool.size() - 1));
  s.bases.back().marker = marker_on(base).marker;
  return base;
}

/// Sources come after all nodes.
const std::vector<double>& SystemBuilder::reference_coordinates() {
  const System& s = *system_;
  if (std::ssize(reference_y_) == s.layout.y_size()) return reference_y_;
  reference_y_.assign(s.layout.y_size(), 0.0);
  for (const NodeEntry& e : s.nodes) s.node_pools[e.pool]->reference(e.item, reference_y_.data() + e.place.q);
  return reference_y_;
}

Endpoint SystemBuilder::link(const LinkOfTree& link, const Endpoint& parent, std::span<const Endpoint> coordinates) {
  auto& pool = static_cast<TreeLinks&>(frame_source("tree_link", [] { return std::unique_ptr<FrameSource>(std::make_unique<TreeLinks>()); }));
  pool.add(link, parent, coordinates);
  return marker_on(register_source(pool));
}

/// Trees that stand and those on frames that move have pools of their own: the first solve with their own masses.
void SystemBuilder::tree(const std::string& name, Tree tree, const Endpoint& base, std::span<const Endpoint> coordinates) {
  const std::string type = "kinematic_tree";
  const bool stands = system_->markers[base.marker].base < 0;
  const int p = object_pool(stands ? type : type + " on a frame that moves", [] { return std::unique_ptr<ObjectPool>(std::make_unique<TreePool>()); });
  auto& pool = static_cast<TreePool&>(*system_->objects[p]);
  pool.add(std::move(tree), base, coordinates);
  register_item("bodies", type, name, p, pool.size() - 1);
}

Endpoint SystemBuilder::marker_on(int base, const Vec3<double>& p_NM, const Mat3<double>& R_NM) {
  std::array<double, 13> key{static_cast<double>(base)};
  std::copy(p_NM.data(), p_NM.data() + 3, key.begin() + 1);
  std::copy(R_NM.data(), R_NM.data() + 9, key.begin() + 4);
  const auto [it, fresh] = marker_index_.try_emplace(key, count_of(system_->markers));  // equal frames are one
  if (fresh) {
    const Frame<double> N = base < 0 ? Frame<double>{} : reference_frame(base);
    system_->markers.push_back({base, p_NM, R_NM});
    system_->reference_frames.push_back({N.p + N.R * p_NM, N.R * R_NM, {}, {}});
  }
  return {EndpointKind::frame, it->second, {}};
}

Endpoint SystemBuilder::coordinate(int node, int i) {
  // All nodes come before all connections: the layout of the coordinates is final here.
  const NodePlace& p = system_->nodes[node].place;
  const Layout& l = system_->layout;
  Endpoint e{EndpointKind::coordinate, 0, {}};
  if (i < p.sizes.v)
    e.coordinate = {system_->map.q_of_v[p.v + i], l.v_begin() + p.v + i, p.v + i, CoordinateKind::ode2};
  else if ((i -= p.sizes.v) < p.sizes.x)
    e.coordinate = {l.x_begin() + p.x + i, l.ground_value(), l.nv + p.x + i, CoordinateKind::ode1};
  else {
    i -= p.sizes.x;
    e.coordinate = {l.z_begin() + p.z + i, l.ground_value(), l.nv + l.nx + p.z + i, CoordinateKind::algebraic};
  }
  return e;
}

std::vector<Endpoint> SystemBuilder::velocities(int node) {
  const NodeEntry& e = system_->nodes[node];
  std::vector<Endpoint> all;
  for (int i = 0; i < e.place.sizes.v; ++i) {
    all.push_back(coordinate(node, i));
    CoordinateRef& at = all.back().coordinate;
    if (at.value < 0) at.value = e.place.q + system_->node_pools[e.pool]->quaternion_in_q();
  }
  return all;
}

Endpoint SystemBuilder::joint_coordinate(const JointMotion& motion, const Endpoint& A, const Endpoint& B, double center) {
  System& s = *system_;
  const int j = s.joint_coordinates.add(motion, A, B, center, count_of(s.items));
  s.joint_coordinates.read(j);
  return {EndpointKind::coordinate, 0, CoordinateRef::of_joint(j)};
}

Endpoint SystemBuilder::rope_coordinate(const std::string& name, TautPath path, std::span<const Endpoint> frames) {
  System& s = *system_;
  const int j = s.joint_coordinates.add(std::move(path), frames, count_of(s.items));
  s.joint_coordinates.read(j);
  s.named_coordinates.emplace_back(name, j);
  return {EndpointKind::coordinate, 0, CoordinateRef::of_joint(j)};
}

std::vector<Endpoint> SystemBuilder::ends_of_joint(const JointMotion& motion, int count, const Endpoint& A, const Endpoint& B, double center) {
  std::vector<Endpoint> ends(count, ground_coordinate());
  ends.back() = joint_coordinate(motion, A, B, center);
  return ends;
}

void SystemBuilder::count_angle(const Endpoint& A, const Endpoint& B) {
  system_->joint_coordinates.add(motion_of<Twist>(), A, B, 0.0, count_of(system_->items));
}

Endpoint SystemBuilder::ground_coordinate() {
  const Layout& l = system_->layout;
  return {EndpointKind::coordinate, 0, {l.ground_value(), l.ground_value(), l.trash(), CoordinateKind::none}};
}

std::vector<std::pair<std::string, std::string>> SystemBuilder::refer() {
  System& s = *system_;
  Kinematics k;
  k.frames = s.reference_frames.data();
  std::vector<std::pair<std::string, std::string>> wrong;
  const auto each = [&](auto& pools, const auto& in) {
    for (int p = 0; p < count_of(pools); ++p)
      for (int i = 0; i < pools[p]->size(); ++i) {
        const std::string message = pools[p]->refer(k, i);
        if (message.empty()) continue;
        const auto it = std::find_if(s.items.begin(), s.items.end(), [&](const ItemPlace& x) { return in(x.section) && x.pool == p && x.item == i; });
        wrong.emplace_back(it == s.items.end() ? "" : it->name, message);
      }
  };
  each(s.objects, [](const std::string& section) { return section == "bodies"; });
  each(s.forces, [](const std::string& section) { return section == "connectors" || section == "loads"; });
  return wrong;
}

void SystemBuilder::parameters(std::vector<RunParameter> all) {
  system_->layout.nd += count_of(all);
  system_->parameters = std::move(all);
}

void SystemBuilder::controller(ControllerEntry entry, std::span<const double> initial) {
  entry.first = system_->layout.nd;
  system_->layout.nd += entry.outputs + entry.memory + entry.waiting * entry.outputs;
  controller_data_.emplace_back(entry.first, std::vector<double>(initial.begin(), initial.end()));
  for (const auto& [output, place] : entry.parameters) controller_data_.emplace_back(place, std::vector<double>{initial[output]});
  system_->controllers.push_back(std::move(entry));
}

/// By what they are, not by which item asked first: a model that comes back from a file has the same state.
std::vector<int> SystemBuilder::order_of_joint_coordinates() const {
  const System& s = *system_;
  const auto frame = [&](const Endpoint& end) {
    const MarkerEntry& marker = s.markers[end.marker];
    return std::tuple{marker.base, marker.p_NM.a, marker.R_NM.a};
  };
  const auto key = [&](int j) {
    const JointCoordinates& all = s.joint_coordinates;
    return std::tuple{all.motion(j).name, frame(all.frames(j)[0]), frame(all.frames(j)[1]), all.center(j)};
  };
  std::vector<std::pair<decltype(key(0)), int>> sorted;
  for (int j = 0; j < s.joint_coordinates.size(); ++j)
    if (s.joint_coordinates.motion(j).counts_turns) sorted.emplace_back(key(j), j);
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> order;
  for (const auto& entry : sorted) order.push_back(entry.second);
  return order;
}

/// The history block behind all other data.
void SystemBuilder::place_history() {
  System& s = *system_;
  int next = HistoryBlock::head;
  const auto place = [&](auto& pools) {
    for (auto& pool : pools) {
      pool->place_history(next);
      next += pool->remembered();
      s.remembers_turns_only = s.remembers_turns_only && pool->remembers_turns_only();
    }
  };
  place(s.objects), place(s.forces), place(s.relations);
  if (const int laws = LawMemory::size(s); laws > 0) s.law_history = next, next += laws, s.remembers_turns_only = false;
  s.joint_coordinates.place_history(next, order_of_joint_coordinates());
  next += s.joint_coordinates.history();
  if (next == HistoryBlock::head) return;
  if (!s.frame_sources.empty()) s.remembers_turns_only = false;  // nor that of a source
  s.history = s.layout.nd;
  s.layout.nd += next;
  for (const NodeEntry& node : s.nodes) {
    if (node.place.frame < 0) continue;
    const std::span<const int> moves = s.node_pools[node.pool]->moves();
    if (moves.empty()) s.remembers_turns_only = false;  // how fast the frame turns does not stand in v
    for (int i = 0; i < count_of(moves); ++i)
      if (moves[i] >= 3) s.spins.push_back(node.place.v + i);
  }
}

/// What is remembered of the initial state: turns are counted from the reference position, in one step of length 1 with what is
/// given as displacement for its speeds.
void SystemBuilder::start_history() {
  System& s = *system_;
  if (s.history < 0) return;
  const Layout& l = s.layout;
  double* block = s.initial_data.data() + s.history;
  block[HistoryBlock::time] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> y = s.initial_y;
  for (const NodeEntry& e : s.nodes) s.node_pools[e.pool]->reference(e.item, y.data() + e.place.q);
  for (int i = 0; i < l.nv; ++i) {
    const int q = s.map.q_of_v[i];
    y[l.v_begin() + i] = q < 0 ? 0.0 : s.initial_y[q] - y[q];
  }
  Assembly assembly(s, 1, Frames::needed);
  assembly.update(-1.0, y.data(), nullptr, s.initial_data.data());
  (void)assembly.remember(block);
  assembly.update(0.0, s.initial_y.data(), nullptr, s.initial_data.data());
  (void)assembly.remember(block);
}

std::shared_ptr<const System> SystemBuilder::finish() {
  System& s = *system_;
  place_history();
  const auto shrink = [](auto&... lists) { (lists.shrink_to_fit(), ...); };  // grown by doubling; nothing is added from here on
  shrink(s.nodes, s.bases, s.markers, s.reference_frames, s.named_markers, s.items);
  const Layout& l = s.layout;
  s.initial_y.assign(l.y_size(), 0.0);
  s.initial_data.assign(l.nd, 0.0);
  // The model's size: of the box around nodes and places of the ground, wherever the origin is, and of what is fixed to a node. The origin
  // itself counts where there is nothing else to measure by.
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, far = 0.0;
  const auto take = [&](const Vec3<double>& p) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]), far = std::max(far, std::abs(p[i]));
  };
  for (const NodeEntry& e : s.nodes) {
    double* y = s.initial_y.data();
    s.node_pools[e.pool]->initial(e.item, y + e.place.q, y + l.v_begin() + e.place.v, y + l.x_begin() + e.place.x,
                                                            y + l.z_begin() + e.place.z, s.initial_data.data() + e.place.d);
    if (e.place.frame >= 0) take(reference_frame(e.place.frame).p);
  }
  std::transform(s.parameters.begin(), s.parameters.end(), s.initial_data.begin(), [](const RunParameter& p) { return p.value; });
  for (const auto& [first, values] : controller_data_) std::copy(values.begin(), values.end(), s.initial_data.begin() + first);
  double size = 0.0;
  for (std::size_t k = 1; k < s.markers.size(); ++k)
    if (s.markers[k].base < 0) take(s.markers[k].p_NM);
    else size = std::max(size, norm(s.markers[k].p_NM));
  for (int i = 0; i < 3; ++i) size = std::max(size, high[i] - low[i]);
  if (!(size > 0.0)) size = far;
  if (size > 0.0) s.length_scale = size;
  s.contacts.measure(s.length_scale, far);
  for (int b = 0; b < count_of(s.bases); ++b) s.bases[b].marker = marker_on(b).marker;
  if (const auto wrong = refer(); !wrong.empty()) throw ModelError(wrong[0].first, wrong[0].second);
  s.finish();
  if (std::vector<Fault> faults = place_presences(s); !faults.empty()) throw ModelError(std::move(faults));
  if (std::vector<Fault> faults = place_sleepers(s); !faults.empty()) throw ModelError(std::move(faults));
  start_history();
  // Entries take the names of their items, registered in the order of each pool.
  for (const ItemPlace& item : s.items)
    if (item.section == "relations" || item.section == "joints") {
      const int first = s.relation_entry_begin[item.pool];
      s.relation_entries[first + item.item].name = item.name;
    }
  return std::shared_ptr<const System>(std::move(system_));
}

}  // namespace saltus
