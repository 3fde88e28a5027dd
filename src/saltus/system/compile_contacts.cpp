#include "saltus/system/compile_contacts.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <utility>

#include "saltus/base/index.hpp"
#include "saltus/base/suggest.hpp"
#include "saltus/items/markers/box_shape.hpp"
#include "saltus/items/markers/capsule_shape.hpp"
#include "saltus/items/markers/cone_shape.hpp"
#include "saltus/items/markers/contact_force.hpp"
#include "saltus/items/markers/contact_group.hpp"
#include "saltus/items/markers/contact_layer.hpp"
#include "saltus/items/markers/cylinder_shape.hpp"
#include "saltus/items/markers/ellipsoid_shape.hpp"
#include "saltus/items/markers/height_field_shape.hpp"
#include "saltus/items/markers/hollow_cylinder_shape.hpp"
#include "saltus/items/markers/hollow_sphere_shape.hpp"
#include "saltus/items/markers/hull_shape.hpp"
#include "saltus/items/markers/implicit_shape.hpp"
#include "saltus/items/markers/material.hpp"
#include "saltus/items/markers/material_pair.hpp"
#include "saltus/items/markers/mesh_shape.hpp"
#include "saltus/items/markers/no_contact.hpp"
#include "saltus/items/markers/penalty_contact.hpp"
#include "saltus/items/markers/plane_shape.hpp"
#include "saltus/items/markers/presence.hpp"
#include "saltus/items/markers/sleep.hpp"
#include "saltus/items/markers/sphere_shape.hpp"
#include "saltus/system/penalty_contacts.hpp"

namespace saltus {
namespace {

/// Those that a contact group can have, by name.
std::string laws_of_contacts() {
  std::string names;
  for (const ItemEntry* e : catalogue())
    if (e->law && ContactGroup::can(*e->law)) names += (names.empty() ? "" : ", ") + std::string(e->name);
  return names;
}

/// Whether a shape of material a in A of the group can touch one of b in B.
bool meet(const ContactTable& t, int group, int a, int b) {
  bool first = true;
  for (int i = 0; i < count_of(t.colliders); ++i) {
    if (t.colliders[i].material != a || !t.in.has(false, i, group)) continue;
    for (int j = 0; j < count_of(t.colliders); ++j)
      if (t.colliders[j].material == b && t.in.has(true, j, group) && i != j && t.group_of(i, j, first) == group) return true;
  }
  return false;
}

/// The body that has a shape, else the shape's own name.
std::string owner(const Record& r) {
  const Value* body = r.fields.find("body");
  if (const Object* object = body->object()) body = object->find("body");
  const std::string* name = body ? body->text() : nullptr;
  return name && *name != ground ? *name : r.name;
}

/// How many shapes of each kind one side of a group has, in all and on each base frame.
struct KindCounts {
  static constexpr int kinds = 12;
  std::array<long, kinds> all{};
  std::unordered_map<int, std::array<long, kinds>> on_frame;

  void add(const Collider& c) { ++all[static_cast<int>(c.shape.kind)], ++on_frame[c.base][static_cast<int>(c.shape.kind)]; }
  /// Those that are on another base frame than c and of kinds that can touch it, or cannot.
  long partners(const Collider& c, bool touching) const {
    const auto own = on_frame.find(c.base);
    long n = 0;
    for (int k = 0; k < kinds; ++k)
      if (can_touch(c.shape.kind, static_cast<ShapeKind>(k)) == touching) n += all[k] - (own == on_frame.end() ? 0 : own->second[k]);
    return n;
  }
};

/// A shape as the author knows it.
std::string shape_text(const Collider& c) {
  static constexpr const char* kinds[] = {"plane", "sphere", "capsule", "cylinder", "box", "cone", "ellipsoid", "hull", "mesh", "hollow sphere", "hollow cylinder", "implicit surface"};
  const std::string kind = kinds[static_cast<int>(c.shape.kind)];
  return "'" + c.owner + (kind[0] == 'e' || kind[0] == 'i' ? "', an " : "', a ") + kind;
}

}  // namespace

bool ContactCompiler::take(const Record& r) {
  const auto is = [&](const char* section, std::string_view type) { return r.section == section && r.type == type; };
  if (is("relations", ContactGroupItem::name)) contact_group(r);
  else if (is("relations", NoContact::name)) no_contact(r);
  else if (is("relations", ContactLayer::name)) contact_layer(r);
  else if (is("relations", ContactForceItem::name)) contact_force(r);
  else if (is("relations", Material::name)) material(r);
  else if (is("relations", MaterialPair::name)) material_pairs_.push_back(&r);
  else if (is("relations", Presence::name)) presences_.push_back(&r);
  else if (is("relations", Sleep::name)) sleepers_.push_back(&r);
  else if (is("connectors", PenaltyContactItem::name)) penalties_.push_back(&r);
  else return false;
  return true;
}

void ContactCompiler::finish() {
  builder_.system().contacts.colliders.shrink_to_fit();
  meetings_of_layers();
  if (faults_.errors() == 0) closed_meshes();
  laws_by_materials();
  for (const Record* r : presences_) presence(*r);
  for (const Record* r : sleepers_) sleep(*r);
  if (!sleepers_.empty()) place_resting(builder_.system());
  penalty_contacts();
}

template <class S>
bool ContactCompiler::read_shape(const Record& r, Shape& shape, FrameOn& on) {
  if (r.type != S::name) return false;
  const int before = faults_.errors();
  auto item = read_fields<S>(FieldSource(r), context_, faults_);
  if constexpr (requires { item.invalid(); })
    if (const std::string message = item.invalid(); !message.empty() && faults_.errors() == before) faults_.error(r.place, r.path(), message);
  if (faults_.errors() > before) return true;
  const FrameOn body = given_.frame(*r.fields.find("body"), r.place, r.path("body"));
  on = {body.base, body.p + body.R * item.position, body.R * rotation_exp(item.rotation)};
  shape = item.shape();
  return true;
}

int ContactCompiler::collider(const std::string& name, const Place& place, const std::string& path) {
  const auto [it, fresh] = colliders_.try_emplace(name, -1);
  if (!fresh) return it->second;
  const Record& r = *model_.find(name);
  Collider c{.name = name};
  FrameOn on;
  if (!read_shape<PlaneShape>(r, c.shape, on) && !read_shape<SphereShape>(r, c.shape, on) && !read_shape<CapsuleShape>(r, c.shape, on) &&
      !read_shape<CylinderShape>(r, c.shape, on) && !read_shape<BoxShape>(r, c.shape, on) && !read_shape<ConeShape>(r, c.shape, on) &&
      !read_shape<EllipsoidShape>(r, c.shape, on) && !read_shape<HullShape>(r, c.shape, on) && !read_shape<MeshShape>(r, c.shape, on) && !read_shape<HeightFieldShape>(r, c.shape, on) &&
      !read_shape<HollowSphereShape>(r, c.shape, on) && !read_shape<HollowCylinderShape>(r, c.shape, on) && !read_shape<ImplicitShape>(r, c.shape, on)) {
    faults_.error(place, path, "'" + name + "' is a " + r.type + ", expected a shape", "use a plane, sphere, capsule, cylinder, cone, box, ellipsoid, hull, mesh, height_field, hollow_sphere, hollow_cylinder or implicit_surface on a body");
    return -1;
  }
  c.base = on.base;
  c.owner = owner(r);
  c.marker = given_.marker(on).marker;
  ContactTable& table = builder_.system().contacts;
  table.colliders.push_back(std::move(c));
  places_.push_back(on);
  for (PairSides* sides : {&table.in, &table.apart, &table.layers, &table.seen}) sides->resize(count_of(table.colliders));
  return it->second = count_of(table.colliders) - 1;
}

void ContactCompiler::sides(const Record& r, int number, PairSides& of) {
  for (const char* side : {"A", "B"})
    each_shape(r, r.fields.find(side) ? side : "A", [&](int i, const Place&) { of.put(*side == 'B', i, number); });
}

template <class Take>
void ContactCompiler::each_shape(const Record& r, const char* key, const Take& take) {
  const Value& value = *r.fields.find(key);
  const std::string path = r.path(key);
  const auto one = [&](const Value& v) {
    const Place place = r.place_of(v.mark);
    if (const int i = collider(given_.reference(v, place, path).name, place, path); i >= 0) take(i, place);
  };
  if (value.list())
    for (const Value& v : *value.list()) one(v);
  else
    one(value);
}

void ContactCompiler::no_contact(const Record& r) {
  ContactTable& table = builder_.system().contacts;
  sides(r, exclusions_++, table.apart);
}

void ContactCompiler::contact_layer(const Record& r) {
  ContactTable& t = builder_.system().contacts;
  each_shape(r, "shapes", [&](int i, const Place&) { t.layers.put(false, i, count_of(layers_)), t.colliders[i].layered = true; });
  layers_.push_back(&r);
}

void ContactCompiler::meetings_of_layers() {
  std::vector<bool> met(layers_.size(), false);
  const auto meet = [&](const Record& r, const Value& v) {
    const Place place = r.place_of(v.mark);
    const std::string name = given_.reference(v, place, r.path("meets")).name;
    const auto found = std::ranges::find(layers_, name, &Record::name);
    if (found == layers_.end()) return unknown_layer(r, place, name);
    const int number = static_cast<int>(found - layers_.begin());
    met[number] = true;
    each_shape(r, "shapes", [&](int i, const Place&) { builder_.system().contacts.layers.put(true, i, number); });
  };
  for (const Record* r : layers_) {
    const Value* meets = r->fields.find("meets");
    for (const Value& v : !meets ? List{} : meets->list() ? *meets->list() : List{*meets}) meet(*r, v);
  }
  for (std::size_t i = 0; i < layers_.size(); ++i)
    if (const Value* meets = layers_[i]->fields.find("meets"); !met[i] && (!meets || (meets->list() && meets->list()->empty())))
      faults_.warn(layers_[i]->place, layers_[i]->path(), "meets no layer, and none meets it: its shapes touch only those that are in no layer", "name in `meets` the layers that they touch");
}

void ContactCompiler::unknown_layer(const Record& r, const Place& place, const std::string& name) {
  std::vector<std::string_view> known;
  for (const Record* layer : layers_) known.push_back(layer->name);
  const std::string near = did_you_mean(name, known);
  faults_.error(place, r.path("meets"), "names '" + name + "', which is no contact_layer", near.empty() ? "the layers are " + listed(known) : near);
}

void ContactCompiler::contact_group(const Record& r) {
  System& s = builder_.system();
  const int before = faults_.errors();
  const int number = count_of(s.contacts.groups);
  sides(r, number, s.contacts.in);
  ContactGroup group{.name = r.name};
  if (r.fields.find("law")) group.law = contact_law(r);
  if (faults_.errors() == before) partners(r, number);
  group.data = s.layout.nd;
  s.layout.nd += 4;
  s.contacts.groups.push_back(std::move(group));
}

int ContactCompiler::contact_law(const Record& r) {
  System& s = builder_.system();
  ContactLaw made{.name = r.name, .law = given_.law(r, *find_entry(r.section, r.type))};
  const LawType& type = *made.law.type;
  made.rows = std::max(type.rows, 1);
  if (!ContactGroup::can(type))
    faults_.error(r.place, r.path("law"), "'" + std::string(type.name) + "' is no law of a contact in space", "use " + laws_of_contacts());
  made.law = s.for_rows(made.law, made.rows);
  s.contacts.laws.push_back(std::move(made));
  return count_of(s.contacts.laws) - 1;
}

void ContactCompiler::contact_force(const Record& r) {
  System& s = builder_.system();
  sides(r, count_of(s.contacts.forces), s.contacts.seen);
  s.contacts.forces.push_back({r.name, s.layout.nd});
  s.layout.nd += 4;
}

void ContactCompiler::material(const Record& r) {
  ContactTable& t = builder_.system().contacts;
  const int number = count_of(materials_);
  materials_.push_back(r.name);
  each_shape(r, "shapes", [&](int i, const Place& place) {
    if (const int known = std::exchange(t.colliders[i].material, number); known >= 0 && known != number)
      faults_.error(place, r.path("shapes"), "has " + shape_text(t.colliders[i]) + ", which is of " + materials_[known] + " already", "leave it out of one of them");
  });
}

int ContactCompiler::material_of(const Record& r, const Value& value) {
  const Place place = r.place_of(value.mark);
  const std::string path = r.path("materials"), name = read_reference(value, place, path, faults_).name;
  const auto found = std::find(materials_.begin(), materials_.end(), name);
  if (found != materials_.end()) return static_cast<int>(found - materials_.begin());
  std::string known;
  for (const std::string& m : materials_) known += (known.empty() ? "" : ", ") + m;
  faults_.error(place, path, "'" + name + "' is no material", known.empty() ? "make one: {\"type\": \"material\", \"shapes\": [...]}" : "the materials are " + known);
  return -1;
}

void ContactCompiler::laws_by_materials() {
  ContactTable& t = builder_.system().contacts;
  std::map<std::pair<int, int>, int> laws;
  for (const Record* r : material_pairs_) {
    const Value& given = *r->fields.find("materials");
    const std::vector<Value> names = given.list() ? std::vector<Value>(given.list()->begin(), given.list()->end()) : std::vector<Value>{given};
    if (names.empty() || names.size() > 2) {
      faults_.error(r->place, r->path("materials"), "has " + std::to_string(names.size()) + " materials", "name two, or one that touches itself");
      continue;
    }
    const int A = material_of(*r, names.front()), B = material_of(*r, names.back());
    if (A < 0 || B < 0) continue;
    if (!laws.try_emplace(std::minmax(A, B), contact_law(*r)).second) faults_.error(r->place, r->path(), "is of " + materials_[A] + " and " + materials_[B] + ", which have a law already", "leave one of them out");
  }
  const int n = t.materials = count_of(materials_);
  t.law_of_materials.assign(n * n, -1);
  for (const auto& [pair, law] : laws) t.law_of_materials[pair.first * n + pair.second] = t.law_of_materials[pair.second * n + pair.first] = law;
  for (int g = 0; g < count_of(t.groups); ++g) {
    if (t.groups[g].law < 0) missing_laws(t, g);
    const auto flat = [](const ContactLaw& law) { return law.flat(); };
    if (t.groups[g].law < 0 ? std::any_of(t.laws.begin(), t.laws.end(), flat) : t.laws[t.groups[g].law].flat()) refuse_out_of_plane(t, g);
  }
}

void ContactCompiler::refuse_out_of_plane(const ContactTable& t, int group) {
  const System& s = builder_.system();
  for (int i = 0; i < count_of(t.colliders); ++i) {
    const int base = t.colliders[i].base;
    if (const int shape = i; base < 0 || !(t.in.has(false, shape, group) || t.in.has(true, shape, group))) continue;
    const int node = s.bases[base].node;
    const std::span<const int> moves = node < 0 ? std::span<const int>{} : s.node_pools[s.nodes[node].pool]->moves();
    if (!moves.empty() && std::all_of(moves.begin(), moves.end(), [](int m) { return m < 2 || m == 5; })) continue;
    const Record& r = *model_.find(t.groups[group].name);
    return faults_.error(r.place, r.path(), "has a law of bodies that stay in a plane, and " + shape_text(t.colliders[i]) + ", which moves in space", "use its law in space, such as coulomb_impact, or a body on a node_rigid_2d");
  }
}

void ContactCompiler::missing_laws(const ContactTable& t, int group) {
  const Record& r = *model_.find(t.groups[group].name);
  std::vector<int> on[2];  // a shape of each material, by side
  for (auto& side : on) side.assign(t.materials, -1);
  for (int i = 0; i < count_of(t.colliders); ++i) {
    const bool in[2] = {t.in.has(false, i, group), t.in.has(true, i, group)};
    if (!in[0] && !in[1]) continue;
    const int m = t.colliders[i].material;
    if (m < 0) return faults_.error(r.place, r.path(), "has no law, and " + shape_text(t.colliders[i]) + ", has no material", "name the shape in a material, or give the contact a `law`");
    for (const int side : {0, 1})
      if (in[side] && on[side][m] < 0) on[side][m] = i;
  }
  const auto name = [&](int m) { return materials_[m]; };
  std::set<std::pair<int, int>> reported;
  for (int a = 0; a < t.materials; ++a)
    for (int b = 0; b < t.materials; ++b) {
      if (on[0][a] < 0 || on[1][b] < 0 || t.law_of_materials[a * t.materials + b] >= 0 || !meet(t, group, a, b)) continue;
      if (!reported.insert(std::minmax(a, b)).second) continue;
      faults_.error(r.place, r.path(), "lets " + name(a) + " (" + shape_text(t.colliders[on[0][a]]) + ") meet " + name(b) + " (" + shape_text(t.colliders[on[1][b]]) + "), a pair of materials without a law",
                    "give it one: {\"type\": \"material_pair\", \"materials\": [\"" + name(a) + "\", \"" + name(b) + "\"], \"law\": ...}, or leave its pairs out with no_contact");
    }
}

void ContactCompiler::penalty_contacts() {
  if (penalties_.empty()) return;
  ContactTable& t = builder_.system().contacts;
  std::vector<std::pair<PenaltyLaw, std::array<std::vector<int>, 2>>> groups;
  for (const Record* r : penalties_) {
    const auto item = read_fields<PenaltyContactItem>(FieldSource(*r), context_, faults_);
    groups.push_back({{item.stiffness, item.exponent, item.damping, item.friction, item.slip_speed, item.model == "hunt_crossley"}, {}});
    for (const int side : {0, 1})
      each_shape(*r, side == 1 && r->fields.find("B") ? "B" : "A", [&](int i, const Place&) { groups.back().second[side].push_back(i); });
  }
  if (faults_.errors() > 0) return;
  const int p = builder_.force_pool(std::string(PenaltyContactItem::name), [] { return std::unique_ptr<ForcePool>(std::make_unique<PenaltyContacts>()); });
  auto& pool = static_cast<PenaltyContacts&>(*builder_.system().forces[p]);
  pool.take_shapes(t);
  for (int i = 0; i < count_of(groups); ++i) {
    pool.add(groups[i].first, groups[i].second[0], groups[i].second[1]);
    builder_.register_item(penalties_[i]->section, penalties_[i]->type, penalties_[i]->name, p, i, &pool);
  }
}

std::vector<std::string> ContactCompiler::bodies_of(const Record& r) {
  const Value& given = *r.fields.find("bodies");
  std::vector<std::string> names;
  for (const Value& v : given.list() ? *given.list() : List{given}) names.push_back(given_.reference(v, r.place_of(v.mark), r.path("bodies")).name);
  return names;
}

void ContactCompiler::sleep(const Record& r) {
  const auto item = read_fields<Sleep>(FieldSource(r), context_, faults_);
  for (const std::string& name : bodies_of(r))
    if (const auto [message, remedy] = add_sleeper(builder_.system(), {.record = r.name, .body = name, .speed = item.speed, .after = item.after}); !message.empty())
      faults_.error(r.place, r.path("bodies"), message, remedy);
}

void ContactCompiler::presence(const Record& r) {
  const auto item = read_fields<Presence>(FieldSource(r), context_, faults_);
  if (const std::string message = item.invalid(); !message.empty()) faults_.error(r.place, r.path(), message);
  const std::vector<std::string> names = bodies_of(r);
  for (std::size_t i = 0; i < (item.together ? 1 : names.size()); ++i) {
    BodyPresence p{.record = r.name, .begin = item.begin + static_cast<double>(i) * item.interval, .end = item.end, .present = item.present, .inside = item.inside};
    const auto [message, remedy] = add_presence(builder_.system(), std::move(p), item.together ? names : std::vector{names[i]});
    if (!message.empty()) faults_.error(r.place, r.path("bodies"), message, remedy);
  }
}

void ContactCompiler::partners(const Record& r, int number) {
  static constexpr const char* known = "all shapes touch each other, but planes, hollow shapes and implicit surfaces none of these";
  const ContactTable& t = builder_.system().contacts;
  const auto in_A = [&](std::size_t a) { return t.in.has(false, static_cast<int>(a), number); };
  const auto in_B = [&](std::size_t a) { return t.in.has(true, static_cast<int>(a), number); };
  KindCounts A, B, both;
  for (std::size_t a = 0; a < t.colliders.size(); ++a) {
    if (in_A(a)) A.add(t.colliders[a]);
    if (in_B(a)) B.add(t.colliders[a]);
    if (in_A(a) && in_B(a)) both.add(t.colliders[a]);
  }
  const auto refused = [&](std::size_t a, bool apart_only) -> std::string {
    for (std::size_t b = 0; b < t.colliders.size(); ++b) {
      const Collider &one = t.colliders[a], &other = t.colliders[b];
      const bool apart = one.base != other.base;
      if (a == b || !((in_A(a) && in_B(b)) || (in_A(b) && in_B(a))) || (apart && can_touch(one.shape.kind, other.shape.kind)) || (apart_only && !apart)) continue;
      return shape_text(one) + ", and " + shape_text(other) + ", which cannot touch: " +
             (apart ? "there is no contact of these kinds" : one.base < 0 ? "both are fixed in the world" : "both are of one body");
    }
    return {};
  };
  std::string first;
  long without = 0, twice = 0;  // pairs; those of shapes on both sides are met in both orders
  for (std::size_t a = 0; a < t.colliders.size(); ++a) {
    if (!in_A(a) && !in_B(a)) continue;
    const Collider& c = t.colliders[a];
    if ((in_A(a) ? B.partners(c, true) : 0) + (in_B(a) ? A.partners(c, true) : 0) == 0) {
      const std::string pair = refused(a, false);
      return faults_.error(r.place, r.path(), pair.empty() ? "has " + shape_text(c) + ", alone: nothing is there that it could touch" : "joins " + pair + ", and the first with none of the others", known);
    }
    if (in_A(a)) without += B.partners(c, false);
    if (in_A(a) && in_B(a)) twice += both.partners(c, false);
    if (first.empty() && (in_A(a) ? B : A).partners(c, false) > 0) first = refused(a, true);
  }
  without -= twice / 2;
  if (without > 0)
    faults_.warn(r.place, r.path(), "joins " + first + (without > 1 ? "; so do " + std::to_string(without - 1) + " more pairs" : "") + "; they pass through each other", known);
}

}  // namespace saltus
