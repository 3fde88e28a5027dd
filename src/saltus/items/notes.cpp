#include "saltus/items/notes.hpp"

#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/items/entry.hpp"

namespace saltus {

std::vector<Fault> rounded_inertias(const Model& model, const FieldContext& context) {
  std::vector<Fault> faults;
  const ItemEntry* entry = find_entry(RigidBody::section, RigidBody::name);
  for (const Record& r : model.records()) {
    if (r.section != RigidBody::section || r.type != RigidBody::name) continue;
    Faults known;  // raised before, by the compiler
    RigidBody body;
    read_slots(r, field_slots(body), entry->ports, context, known);
    if (const std::string message = body.rounded(); !message.empty())
      faults.push_back({r.place, r.path("inertia"), message, "give it with more digits if that matters", Severity::warning});
  }
  return faults;
}

}  // namespace saltus
