#include "saltus/system/presence.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "saltus/base/index.hpp"
#include "saltus/system/penalty_contacts.hpp"
#include "saltus/system/system.hpp"

namespace saltus {

double BodyPresence::slack(double t) { return 1e-12 * std::max(1.0, std::abs(t)); }

bool BodyPresence::left(const Kinematics& k, const double* state_data) const {
  return std::any_of(frames.begin(), frames.end(), [&](int frame) {
    double value = 0.0;
    inside(k.frames[frame].p.data(), &value, state_data);
    return !(value > 0.0);
  });
}

bool BodyPresence::wanted(double t, const double* state_data) const {
  const double e = slack(t);
  if (begin > 0.0 && t < begin - e) return false;
  if (end > 0.0 && t >= end - e) return false;
  double value = 0.0;
  present(&t, &value, state_data);
  return value > 0.0;
}

namespace {
/// Nodes under the ends of a body; -1 among them: something else.
std::set<int> nodes_under(const System& s, const ItemPlace& body) {
  std::set<int> nodes;
  for (const Endpoint& end : body.in->endpoints(body.item)) {
    if (end.kind == EndpointKind::frame) {
      const int base = s.markers[end.marker].base;
      nodes.insert(base < 0 ? -1 : s.bases[base].node);
      continue;
    }
    const auto holds = [&](const NodeEntry& n) { return n.place.v <= end.coordinate.dof && end.coordinate.dof < n.place.v + n.place.sizes.v; };
    const auto found = std::find_if(s.nodes.begin(), s.nodes.end(), holds);
    nodes.insert(end.coordinate.kind == CoordinateKind::ode2 && found != s.nodes.end() ? static_cast<int>(found - s.nodes.begin()) : -1);
  }
  return nodes;
}
}  // namespace

std::pair<std::string, std::string> add_presence(System& s, BodyPresence p, const std::vector<std::string>& bodies) {
  std::set<int> nodes;
  for (const std::string& name : bodies) {
    const auto body = std::find_if(s.items.begin(), s.items.end(), [&](const ItemPlace& item) { return item.name == name && item.section == "bodies"; });
    if (body == s.items.end()) return {"names '" + name + "', which is no body", "name bodies, not their shapes or frames"};
    const std::set<int> own = body->in ? nodes_under(s, *body) : std::set<int>{-1};
    if (own.empty() || own.contains(-1)) return {"names '" + name + "', which has no nodes of its own, as links of a tree", "use a body beside the tree, held by joints"};
    nodes.insert(own.begin(), own.end());
    p.body += (p.body.empty() ? "" : ", ") + name;
  }
  for (const BodyPresence& other : s.presences)
    for (const int n : other.nodes)
      if (nodes.contains(n)) return {"names " + p.body + ", which comes and goes by '" + other.record + "' already", "leave it out of one of them"};
  p.nodes.assign(nodes.begin(), nodes.end());
  p.data = s.layout.nd++;
  s.presences.push_back(std::move(p));
  return {};
}

namespace {
/// Whose unknowns each is: a place in System::presences, -1: of what stays.
using Owners = std::vector<int>;

/// What an item acts on, without the ground.
std::set<int> owners_of(const System& s, const Kinematics& k, const ItemPlace& item, const Owners& owner) {
  std::vector<int> columns;
  item.in->columns(k, item.item, columns);
  std::set<int> found;
  for (const int c : columns)
    if (c < s.layout.unknowns()) found.insert(c < s.layout.nv ? owner[c] : -1);
  return found;
}

Fault fault_of(const ItemPlace& item, const std::string& message, const std::string& remedy) { return {{}, item.section + "/" + item.name, message, remedy}; }

/// What is wrong with an item that acts on the bodies of a presence: nothing where no fault is added.
void check(const System& s, const ItemPlace& item, const std::set<int>& found, std::vector<Fault>& faults) {
  const BodyPresence& p = s.presences[*found.rbegin()];
  if (found.size() > 1) {
    const bool both = *found.begin() >= 0;
    const std::string other = both ? s.presences[*found.begin()].body + ", which comes and goes by itself" : "what stays";
    faults.push_back(fault_of(item, "joins " + p.body + ", which comes and goes ('" + p.record + "'), to " + other,
                              both ? "let them come and go together: m.presence([...], together=True)" : "give them one presence with together=True; bodies that only touch meet as groups: m.contact([A], [B])"));
    return;
  }
  if (item.section != "joints" && item.section != "relations") return;
  const RelationTraits traits = s.relations[item.pool]->traits();
  if (traits.uses_time || !traits.drive_unit.empty())
    faults.push_back(fault_of(item, "prescribes a motion of " + p.body + ", which comes and goes ('" + p.record + "') and rests while it is away", "drive it by a force or torque, or let it stay"));
}

/// Shapes learn of the presence of their body.
void mark_shapes(const System& s, ContactTable& table, const Owners& owner, std::vector<Fault>& faults) {
  for (Collider& c : table.colliders) {
    std::set<int> found;
    for (int m = s.marker_column_begin[c.marker]; m < s.marker_column_begin[c.marker + 1]; ++m)
      if (const int u = s.marker_columns[m]; u < s.layout.nv) found.insert(owner[u]);
    if (found.empty() || *found.rbegin() < 0) continue;
    const BodyPresence& p = s.presences[*found.rbegin()];
    c.presence = p.data;
    if (found.size() > 1) faults.push_back({{}, "markers/" + c.name, "is a shape that moves with " + p.body + ", which comes and goes, and with more", "put it on one body"});
  }
}
}  // namespace

std::vector<Fault> place_presences(System& s) {
  std::vector<Fault> faults;
  if (s.presences.empty()) return faults;
  Owners owner(s.layout.nv, -1);
  const double* v = s.initial_y.data() + s.layout.v_begin();
  for (int i = 0; i < count_of(s.presences); ++i) {
    BodyPresence& p = s.presences[i];
    for (const int n : p.nodes) {
      const NodePlace& place = s.nodes[n].place;
      p.places.emplace_back(place.q, place.sizes.q);
      if (place.frame >= 0) p.frames.push_back(s.bases[place.frame].marker);
      for (int j = place.v; j < place.v + place.sizes.v; ++j) p.unknowns.push_back(j), p.velocities.push_back(v[j]), owner[j] = i;
    }
  }
  Kinematics k;
  k.column_begin = s.marker_column_begin.data(), k.columns = s.marker_columns.data();
  k.joints = &s.joint_coordinates;
  for (const ItemPlace& item : s.items) {
    if (!item.in || dynamic_cast<const PenaltyContacts*>(item.in)) continue;  // their shapes know
    const std::set<int> found = owners_of(s, k, item, owner);
    if (found.empty() || *found.rbegin() < 0) continue;
    check(s, item, found, faults);
    BodyPresence& p = s.presences[*found.rbegin()];
    if (item.section == "bodies") p.objects.emplace_back(item.pool, item.item);
    else if (item.section == "connectors" || item.section == "loads") p.forces.emplace_back(item.pool, item.item);
  }
  mark_shapes(s, s.contacts, owner, faults);
  for (const auto& pool : s.forces)
    if (auto* penalties = dynamic_cast<PenaltyContacts*>(pool.get())) mark_shapes(s, penalties->table(), owner, faults);
  for (const BodyPresence& p : s.presences) {
    const bool there = p.wanted(0.0, s.initial_data.data());
    s.initial_data[p.data] = there ? BodyPresence::there : BodyPresence::away;
    for (const int u : p.unknowns)
      if (!there) s.initial_y[s.layout.v_begin() + u] = 0.0;
  }
  return faults;
}

}  // namespace saltus
