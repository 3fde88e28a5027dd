#include "saltus/study/state_layout.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "saltus/base/index.hpp"
#include "saltus/math/rotation.hpp"
#include "saltus/study/quantity.hpp"
#include "saltus/system/law_memory.hpp"

namespace saltus {
namespace {

std::vector<std::string> counted_from_zero(int n) {
  std::vector<std::string> names;
  for (int i = 0; i < n; ++i) names.push_back(std::to_string(i));
  return names;
}

class Parts {
 public:
  explicit Parts(std::shared_ptr<const System> system) : shared_(std::move(system)), s_(*shared_) {}

  std::vector<StatePart> all() {
    for (int i = 0; i < count_of(s_.parameters); ++i) put({"", "data", "data", i, {s_.parameters[i].name}, {""}});
    for (const NodeEntry& node : s_.nodes) of_node(node);
    for (const RelationEntry& e : s_.relation_entries)
      if (e.rows > 0) add(e.name, "lambda", "lam", e.row, e.rows, Quantity(shared_, e.name + ".multiplier").unit());
    const auto sum = [&](const std::string& name, int data) { put({name, "data", "data", data, {"force.x", "force.y", "force.z", "points"}, {"N", "N", "N", ""}}); };
    for (const ContactGroup& g : s_.contacts.groups) sum(g.name, g.data);
    for (const ContactForce& f : s_.contacts.forces) sum(f.name, f.data);
    for (const Sleeper& p : s_.sleepers) put({p.record, "data", "data", p.data, {"awake", "slow_since"}, {"", "s"}});
    for (const BodyPresence& p : s_.presences) put({p.record, "data", "data", p.data, {"present"}, {""}});
    for (const ControllerEntry& c : s_.controllers) add(c.name, "data", "data", c.first, c.outputs + c.memory + c.waiting * c.outputs, "");
    if (s_.history >= 0) {
      put({"", "data", "data", s_.history, {"time", "angular_speed"}, {"s", "rad/s"}});
      for (const ItemPlace& item : s_.items)
        if (item.in) add(item.name, "data", "data", s_.history + item.in->history_first(item.item), item.in->history_size(item.item), "");
      if (const int laws = LawMemory::size(s_); laws > 0)
        put({"", "data", "data", s_.history + s_.law_history, std::vector<std::string>(laws, "laws"), std::vector<std::string>(laws, "")});
      if (const JointCoordinates& turns = s_.joint_coordinates; turns.history() > 0)
        put({"", "data", "data", s_.layout.nd - turns.history(), std::vector<std::string>(turns.history(), "turns"), std::vector<std::string>(turns.history(), "")});
    }
    return std::move(out_);
  }

 private:
  void put(StatePart part) {
    if (!part.names.empty()) out_.push_back(std::move(part));
  }
  void add(const std::string& item, const char* part, const char* array, int begin, int n, std::string_view unit) {
    put({item, part, array, begin, counted_from_zero(n), std::vector<std::string>(n, std::string(unit))});
  }
  void of_node(const NodeEntry& node) {
    const NodePlace& p = node.place;
    const NodePool& pool = *s_.node_pools[node.pool];
    const Layout& l = s_.layout;
    StatePart q{node.name, "q", "y", p.q, counted_from_zero(p.sizes.q), std::vector<std::string>(p.sizes.q)};
    StatePart v{node.name, "v", "y", l.v_begin() + p.v, counted_from_zero(p.sizes.v), std::vector<std::string>(p.sizes.v)};
    name_motions(pool, p, q, v);
    put(std::move(q)), put(std::move(v));
    add(node.name, "x", "y", l.x_begin() + p.x, p.sizes.x, pool.units().state);
    add(node.name, "z", "y", l.z_begin() + p.z, p.sizes.z, pool.units().value);
    add(node.name, "data", "data", p.d, p.sizes.d, "");
  }
  /// Entries that move a frame along or about an axis take the name of it.
  void name_motions(const NodePool& pool, const NodePlace& p, StatePart& q, StatePart& v) const {
    constexpr std::array position{"x", "y", "z", "rx", "ry", "rz"}, rate{"vx", "vy", "vz", "wx", "wy", "wz"};
    constexpr std::array turn{"qw", "qx", "qy", "qz"};
    const std::span<const int> moves = pool.moves();
    for (int i = 0; i < count_of(moves); ++i) {
      v.names[i] = rate[moves[i]], v.units[i] = moves[i] < 3 ? "m/s" : "rad/s";
      const int entry = s_.map.q_of_v[p.v + i] - p.q;
      if (entry >= 0) q.names[entry] = position[moves[i]], q.units[entry] = moves[i] < 3 ? "m" : "rad";
    }
    if (const int first = pool.quaternion_in_q(); first >= 0)
      for (int i = 0; i < 4; ++i) q.names[first + i] = turn[i];
  }

  std::shared_ptr<const System> shared_;
  const System& s_;
  std::vector<StatePart> out_;
};

}  // namespace

std::vector<StatePart> state_parts(const std::shared_ptr<const System>& system) { return Parts(system).all(); }

std::vector<NamedFrame> named_frames(const System& s) {
  std::vector<NamedFrame> frames;
  for (const NodeEntry& node : s.nodes)
    if (node.place.frame >= 0) {
      const std::span<const int> moves = s.node_pools[node.pool]->moves();
      const bool plane = !moves.empty() && std::all_of(moves.begin(), moves.end(), [](int m) { return m == 0 || m == 1 || m == 5; });
      frames.push_back({node.name, s.bases[node.place.frame].marker, plane});
    }
  for (const auto& [name, marker] : s.named_markers) frames.push_back({name, marker, false});
  return frames;
}

void write_pose(const Frame<double>& frame, double* out) {
  std::copy(frame.p.data(), frame.p.data() + 3, out);
  const auto q = quaternion_of(frame.R);
  const double sign = q.data()[0] < 0.0 ? -1.0 : 1.0;
  for (int i = 0; i < 4; ++i) out[3 + i] = sign * q.data()[i];
}

}  // namespace saltus
