#include "saltus/model/run_options.hpp"

#include "saltus/base/text.hpp"

namespace saltus {

namespace {

constexpr std::array<PortInfo, 2> object_keys = {PortInfo{"scheme", "scheme"}, PortInfo{"record", "record"}};

struct World {
  Vec3<double> gravity{{0, 0, -9.81}};
  static constexpr auto fields() {
    return std::tuple{field("gravity", &World::gravity, "m/s^2", "acceleration of free fall, world axes")};
  }
};

}  // namespace

RunOptions read_run_options(const Model& model, const FieldContext& context, Faults& faults) {
  RunOptions options;
  const FieldSource source(model.simulation, "simulation", model.file, {});
  read_slots(source, field_slots(options), object_keys, context, faults);
  if (const Value* scheme = model.simulation.find("scheme")) {
    options.scheme_place = source.place(scheme->mark);
    const Value* name = scheme;
    if (const Object* object = scheme->object()) {
      name = object->find("name");
      options.scheme_options = *object;
      options.scheme_options.remove("name");
    }
    if (name && name->text()) {
      options.scheme = *name->text();
    } else {
      faults.error(options.scheme_place, "simulation/scheme",
                   "expected the name of a scheme, got " + kind_text(name ? *name : *scheme),
                   "write \"auto\" or {\"name\": \"generalized_alpha\", \"spectral_radius\": 0.8}");
    }
  }
  if (const Value* record = model.simulation.find("record")) {
    if (record->object()) {
      options.record = *record->object();
    } else {
      faults.error(source.place(record->mark), "simulation/record", "expected an object, got " + kind_text(*record));
    }
  }
  return options;
}

Vec3<double> read_gravity(const Model& model, const FieldContext& context, Faults& faults) {
  World world;
  if (model.gravity.is_null()) return world.gravity;
  Object fields;
  fields.append("gravity", model.gravity);
  Faults found;
  read_slots(FieldSource(fields, "", model.file, {}), field_slots(world), {}, context, found);
  for (Fault fault : found.list()) {
    fault.path.erase(0, 1);  // the tree's root has no name
    faults.add(std::move(fault));
  }
  return world.gravity;
}

}  // namespace saltus
