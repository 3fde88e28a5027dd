#include "saltus/system/sleep.hpp"

#include <algorithm>

#include "saltus/base/index.hpp"
#include "saltus/system/penalty_contacts.hpp"
#include "saltus/system/system.hpp"
#include "saltus/system/usual_contacts.hpp"

namespace saltus {

std::pair<std::string, std::string> add_sleeper(System& s, Sleeper sleeper) {
  const auto body = std::find_if(s.items.begin(), s.items.end(), [&](const ItemPlace& item) { return item.name == sleeper.body && item.section == "bodies"; });
  if (body == s.items.end()) return {"names '" + sleeper.body + "', which is no body", "name bodies, not their shapes or frames"};
  const auto ends = body->in ? body->in->endpoints(body->item) : std::span<const Endpoint>{};
  const int base = ends.size() == 1 && ends[0].kind == EndpointKind::frame ? s.markers[ends[0].marker].base : -1;
  sleeper.node = base < 0 ? -1 : s.bases[base].node;
  if (sleeper.node < 0) return {"names '" + sleeper.body + "', which is no rigid body on a node of its own", "leave it out"};
  for (const Sleeper& other : s.sleepers)
    if (other.node == sleeper.node) return {"names '" + sleeper.body + "', as '" + other.record + "' does", "leave it out of one of them"};
  sleeper.data = s.layout.nd;
  s.layout.nd += 2;
  for (Collider& c : s.contacts.colliders)
    if (c.base == base) {
      c.sleep = sleeper.data;
      sleeper.reach = std::max(sleeper.reach, norm(s.markers[c.marker].p_NM) + c.shape.bound());
    }
  s.sleepers.push_back(std::move(sleeper));
  return {};
}

void place_resting(System& s) {
  s.contacts.asleep.most = usual_contacts(s.contacts);
  s.contacts.asleep.data = s.layout.nd;
  s.layout.nd += 1 + ContactTable::asleep_entry * s.contacts.asleep.most;
}

std::vector<Fault> place_sleepers(System& s) {
  std::vector<Fault> faults;
  if (s.sleepers.empty()) return faults;
  std::vector<int> owner(s.layout.unknowns() + 1, -1);
  for (int i = 0; i < count_of(s.sleepers); ++i) {
    Sleeper& sleeper = s.sleepers[i];
    const NodePlace& place = s.nodes[sleeper.node].place;
    sleeper.frame = s.bases[place.frame].marker;
    for (int j = place.v; j < place.v + place.sizes.v; ++j) sleeper.unknowns.push_back(j), owner[j] = i;
    s.initial_data[sleeper.data] = 1.0;
    s.initial_data[sleeper.data + 1] = Sleeper::never;
  }
  Kinematics k;
  k.column_begin = s.marker_column_begin.data(), k.columns = s.marker_columns.data();
  k.joints = &s.joint_coordinates;
  std::vector<int> columns;
  for (const ItemPlace& item : s.items) {
    if (!item.in || item.section == "bodies") continue;
    columns.clear();
    item.in->columns(k, item.item, columns);
    for (const int c : columns)
      if (c < s.layout.unknowns() && owner[c] >= 0) {
        faults.push_back({{}, item.section + "/" + item.name, "acts on " + s.sleepers[owner[c]].body + ", which may fall asleep ('" + s.sleepers[owner[c]].record + "') and then would not feel it",
                          "leave it out of the sleepers; bodies that only touch meet as groups: m.contact([A], [B])"});
        break;
      }
  }
  return faults;
}

}  // namespace saltus
