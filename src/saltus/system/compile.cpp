#include "saltus/system/compile.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "saltus/base/index.hpp"
#include "saltus/base/suggest.hpp"
#include "saltus/base/value.hpp"
#include "saltus/items/entry.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/items/markers/joint_coordinate.hpp"
#include "saltus/items/markers/marker_coordinate.hpp"
#include "saltus/items/markers/marker_frame.hpp"
#include "saltus/items/markers/presence.hpp"
#include "saltus/items/markers/rope.hpp"
#include "saltus/items/markers/rope_slip.hpp"
#include "saltus/items/markers/rope_wrap.hpp"
#include "saltus/items/markers/sheave.hpp"
#include "saltus/items/markers/wrap.hpp"
#include "saltus/items/sized_item.hpp"
#include "saltus/math/breaks.hpp"
#include "saltus/model/references.hpp"
#include "saltus/model/run_options.hpp"
#include "saltus/system/builder.hpp"
#include "saltus/system/compile_contacts.hpp"
#include "saltus/system/controllers.hpp"

namespace saltus {
namespace {

std::string kind_name(CoordinateKind kind) {
  if (kind == CoordinateKind::ode2) return "mechanical coordinates";
  return kind == CoordinateKind::ode1 ? "first-order states" : "algebraic unknowns";
}

class Compiler {
 public:
  Compiler(const Model& model, std::span<const Function> functions, Faults& faults)
      : model_(model), faults_(faults), parameters_(model, faults), context_{parameters_, functions} {
    for (const std::string_view section : sections)
      for (const Record* record : std::as_const(model).in_section(section)) records_.push_back(record);
  }

  std::shared_ptr<const System> run(std::vector<std::pair<ControllerEntry, std::vector<double>>> controllers) {
    builder_.parameters(parameters_.of_run());
    builder_.system().gravity = read_gravity(model_, context_, faults_);
    for (const Record* r : records_)
      if (r->section == "nodes") nodes_[r->name] = node(r->name, r->type, FieldSource(*r));
    for (const Record* r : records_)
      if (r->section == "bodies") own_nodes(*r);
    for (auto& [entry, initial] : controllers) {  // what they hold stands behind the data of nodes
      if (entry.first != builder_.system().layout.nd) throw std::logic_error("held values are not where their functions read them");
      builder_.controller(std::move(entry), initial);
    }
    for (const Record* r : records_)
      if (r->section == "markers") markers_[r->name] = r;
    for (const Record* r : records_)
      if (r->section == "markers" && entry_of(r->section, r->type).make_frame_source) source(*r);
    for (const Record* r : records_)
      if (is_link(*r)) link(*r);
    for (const Record* r : records_)
      if (contacts_.take(*r)) continue;
      else if (is_tree(*r)) tree(*r);
      else if (is_link(*r)) builder_.register_item(r->section, r->type, r->name, -1, -1);  // part of its tree
      else if (r->section != "nodes" && r->section != "markers" && r->section != "laws") item(*r);
    contacts_.finish();
    for (const auto& [name, record] : markers_)
      if (record->type == Rope::name) rope(*record);
      else if (record->type == RopeSlip::name || record->type == RopeWrap::name) of_rope(*record);
    for (const auto& [name, record] : markers_)
      if (is_frame(*record))
        builder_.system().named_markers.emplace_back(name, marker(frame(Value(name), record->place, record->path())).marker);
    for (const auto& [name, made] : links_)
      if (made.base >= 0) builder_.system().named_markers.emplace_back(name, marker({.base = made.base}).marker);
    faults_.raise();
    for (const auto& [name, message] : builder_.refer()) {
      const Record& r = *model_.find(name);
      faults_.error(r.place, r.path(), message, "place and turn its ends in the reference position");
    }
    faults_.raise();
    for (const Record* r : records_) time_formulas(*r);
    return builder_.finish();
  }

 private:
  static const ItemEntry& entry_of(std::string_view section, std::string_view type) { return *find_entry(section, type); }

  int node(const std::string& name, const std::string& type, const FieldSource& source) {
    const ItemEntry& e = entry_of("nodes", type);
    const int p = builder_.node_pool(type, e.make_node_pool);
    NodePool& pool = *builder_.system().node_pools[p];
    e.add_node(pool, source, context_, faults_);
    return builder_.register_node(name, type, pool, p);
  }

  /// Formulas of time in the fields of r, by the names of their inputs. Functions of the program are not looked into.
  void time_formulas(const Record& r) {
    const ItemEntry* entry = find_entry(r.section, r.type);
    if (!entry) return;
    for (const FieldInfo& field : entry->fields) {
      const Value* value = field.kind == FieldKind::function ? r.fields.find(field.name) : nullptr;
      if (!value) continue;
      const std::string written = entry->dynamic ? detail::expanded_inputs(field.range.inputs, counts_of(*entry, r.fields)) : std::string(field.range.inputs);
      const std::vector<std::string_view> names = words(written);
      if (names.empty() || names[0] != "t") continue;
      const std::vector<std::string> inputs(names.begin(), names.end());
      const bool condition = r.type == Presence::name || (entry->make_relation_pool && entry->make_relation_pool()->traits().switched);  // by the sign of the function
      const List* list = value->list();
      for (std::size_t i = 0; i < (list ? list->size() : 1); ++i) {
        const std::string* text = (list ? (*list)[i] : *value).text();
        Faults unused;  // what is wrong was said where the item was read
        const auto used = text ? parameters_.used_by(*text, names, r.place, r.path(field.name), unused) : std::nullopt;
        if (!used) continue;
        std::optional<ExpressionFault> fault;
        TimeFormula f{Expression::parse(condition ? "(" + *text + ") > 0" : *text, inputs, *used, fault), count_of(inputs)};
        if (fault) continue;
        std::vector<TimeFormula>& formulas = builder_.system().time_formulas;
        std::vector<Expression> parts = time_parts(f.formula);
        const bool whole = parts.size() == 1 && parts[0].operations() == f.formula.operations();
        if (!whole && has_breaks(f.formula, f.inputs)) formulas.push_back({std::move(f.formula), std::max(f.inputs, 2)});
        for (Expression& part : parts) formulas.push_back({std::move(part), 1});
      }
    }
  }

  /// Frames and coordinates that a record of an item of run-time size names; of a node so many as a search can take.
  static detail::InputCounts counts_of(const ItemEntry& entry, const Object& fields) {
    int frames = 0, coordinates = 0;
    for (const PortInfo& port : entry.ports) {
      const Value* value = fields.find(port.name);
      const int n = !value ? 0 : port.kind == "node" ? 20 : port.many && value->list() ? count_of(*value->list()) : 1;
      if (port.kind == "frame") frames += n;
      else if (port.kind == "coordinate" || port.kind == "node") coordinates += n;
    }
    return {frames, coordinates, fields};
  }

  /// Nodes written in place in a body: {"type": ...} under its port `node`; named after the body.
  void own_nodes(const Record& r) {
    for (const PortInfo& port : entry_of(r.section, r.type).ports) {
      const Value* value = r.fields.find(port.name);
      const Object* object = value && port.kind == "node" ? value->object() : nullptr;
      const Value* type = object ? object->find("type") : nullptr;
      if (!type) continue;
      const FieldSource source(*object, r.path(port.name), r.place.file, value->mark.line ? value->mark : FieldSource(r).mark);
      body_nodes_[r.name] = node(r.name + ".node", *type->text(), source);
    }
  }

  int node_index(const std::string& name, const Place& place, const std::string& path) {
    if (const auto it = nodes_.find(name); it != nodes_.end()) return it->second;
    if (const auto it = body_nodes_.find(name); it != body_nodes_.end()) return it->second;
    const Record* r = model_.find(name);
    if (r && r->section == "bodies")
      if (const Value* value = r->fields.find("node"); value && value->text()) return node_index(*value->text(), place, path);
    faults_.error(place, path, "'" + name + "' has no node of its own", "name a node, or a body on one node");
    return -1;
  }

  std::optional<Vec3<double>> vector(const Value& value, const Place& place, const std::string& path) {
    const List* list = value.list();
    if (!list || list->size() != 3) {
      faults_.error(place, path, "expected 3 numbers, got " + (list ? std::to_string(list->size()) : kind_text(value)));
      return {};
    }
    Vec3<double> r;
    for (int i = 0; i < 3; ++i) {
      const auto x = parameters_.constant((*list)[i], place, path, faults_);
      if (!x) return {};
      r[i] = *x;
    }
    return r;
  }
  std::optional<Vec3<double>> direction(const Value& value, const Place& place, const std::string& path) {
    if (const std::string* text = value.text()) {
      for (int i = 0; i < 3; ++i) {
        const std::string letter(1, "xyz"[i]);
        Vec3<double> r;
        r[i] = text->starts_with("-") ? -1.0 : 1.0;
        if (*text == letter || *text == "-" + letter) return r;
      }
      faults_.error(place, path, "is '" + *text + "', expected x, y, z or a vector");
      return {};
    }
    const auto r = vector(value, place, path);
    if (!r) return {};
    if (!(norm(*r) > 0.0)) {
      faults_.error(place, path, "has length 0", "give a direction such as \"z\"");
      return {};
    }
    if (std::abs(norm(*r) - 1.0) > 1e-6) faults_.warn(place, path, "has length " + number_text(norm(*r)) + ", is scaled to 1");
    return *r * (1.0 / norm(*r));
  }

  Frame<double> world(const FrameOn& f) const {
    if (f.base < 0) return {f.p, f.R, {}, {}};
    const Frame<double>& N = builder_.reference_frame(f.base);
    return {N.p + N.R * f.p, N.R * f.R, {}, {}};
  }
  /// The frame on the same base whose place in the world, in the reference position, is (p, R).
  FrameOn at_world(const FrameOn& on, const Vec3<double>& p, const Mat3<double>& R) const {
    if (on.base < 0) return {-1, p, R};
    const Frame<double>& N = builder_.reference_frame(on.base);
    return {on.base, transposed_times(N.R, p - N.p), transposed(N.R) * R};
  }

  /// A reference to an item. Of parts there is one: `rod.node`, the node of a body.
  Reference reference_to(const Value& value, const Place& place, const std::string& path) {
    Reference reference = read_reference(value, place, path, faults_);
    if (!reference.part.empty() && reference.part != "node")
      faults_.error(place, path, "'" + reference.name + "' has no part '" + reference.part + "'",
                    "name the item alone; a place on a body is {\"body\": name, \"at\": [x, y, z]}");
    return reference;
  }

  /// A marker that is a frame: one fixed to another, or a source.
  static bool is_frame(const Record& marker) { return marker.type == MarkerFrame::name || entry_of("markers", marker.type).make_frame_source; }

  FrameOn marker_frame(const Record& r) {
    const auto marker = read_fields<MarkerFrame>(FieldSource(r), context_, faults_);
    const FrameOn body = frame(*r.fields.find("body"), r.place, r.path("body"));
    return {body.base, body.p + body.R * marker.position, body.R * rotation_exp(marker.rotation)};
  }

  /// The base of a source, made at its first use; -1 and a fault where it cannot be.
  int source(const Record& r) {
    const auto [it, fresh] = sources_.try_emplace(r.name, in_making);
    if (!fresh) {
      if (it->second != in_making) return it->second;
      faults_.error(r.place, r.path(), "stands on itself", "let one of the items between stand on a node");
      return -1;
    }
    const ItemEntry& e = entry_of(r.section, r.type);
    const Record* of = e.stands_on.empty() ? &r : item_under(r, e);
    int base = -1;
    if (of) {
      std::vector<Endpoint> ends;
      for (const PortInfo& port : entry_of(of->section, of->type).ports)
        if (const Value* value = of->fields.find(port.name)) ends.push_back(marker(frame(*value, of->place_of(value->mark), of->path(port.name))));
      FrameSource& pool = builder_.frame_source(r.type, e.make_frame_source);
      e.add_frame_source(pool, FieldSource(r), context_, ends, faults_);
      base = builder_.register_source(pool);
    }
    return sources_[r.name] = base;
  }
  /// What a source stands on: the item that its first port names, null and a fault if it is of another type.
  const Record* item_under(const Record& r, const ItemEntry& e) {
    const Value& value = *r.fields.find(e.ports[0].name);
    const Place place = r.place_of(value.mark);
    const std::string path = r.path(e.ports[0].name);
    const Record* of = model_.find(reference_to(value, place, path).name);
    if (of && of->type == e.stands_on) return of;
    faults_.error(place, path, of ? "'" + of->name + "' is a " + of->type + ", expected a " + std::string(e.stands_on) : "names no " + std::string(e.stands_on));
    return nullptr;
  }

  static bool is_link(const Record& r) { return r.section == "bodies" && entry_of(r.section, r.type).make_link; }
  static bool is_tree(const Record& r) { return r.section == "bodies" && entry_of(r.section, r.type).is_tree; }

  /// A tree whose links are gathered.
  struct TreeMade {
    Tree tree;
    Endpoint base;
    std::vector<Endpoint> coordinates;
    std::vector<const Record*> links;
  };
  struct LinkMade {
    int base = in_making;  // of its frame, -1: it cannot be made
    std::string tree;
    int number = -1;       // among the links of its tree
  };

  /// The frame of a link, index in System::bases, made at its first use with those that carry it; -1 and a fault where it cannot be.
  int link(const Record& r) {
    const auto [it, fresh] = links_.try_emplace(r.name);
    LinkMade& made = it->second;
    if (!fresh) {
      if (made.base == in_making) {
        faults_.error(r.place, r.path("parent"), "'" + r.name + "' stands on itself: its parents lead back to it", "let one of these links stand on the tree; a loop is closed by a joint between two links");
        made.base = -1;
      }
      return made.base;
    }
    Endpoint on;
    std::vector<Endpoint> coordinates;
    LinkOfTree own = entry_of(r.section, r.type).make_link(FieldSource(r), context_, faults_);
    if (!stand(r, made, own, on) || !coordinates_of(r, own.joint, coordinates)) return made.base = -1;
    TreeMade& tree = trees_[made.tree];
    made.number = tree.tree.add(own);
    tree.links.resize(tree.tree.links.size(), &r);
    tree.coordinates.insert(tree.coordinates.end(), coordinates.begin(), coordinates.end());
    return made.base = builder_.system().markers[builder_.link(own, on, coordinates).marker].base;
  }
  /// What a link stands on: its tree, its parent there, and the frame of that.
  bool stand(const Record& r, LinkMade& made, LinkOfTree& own, Endpoint& on) {
    const Value& value = *r.fields.find("parent");
    const Place place = r.place_of(value.mark);
    const Record* parent = model_.find(reference_to(value, place, r.path("parent")).name);
    if (parent && is_link(*parent)) {
      const int base = link(*parent);
      if (base < 0 || made.base == -1) return false;  // said there
      const LinkMade& carrier = links_.at(parent->name);
      made.tree = carrier.tree, own.parent = carrier.number;
      on = marker({.base = base});
      return true;
    }
    if (!parent || !is_tree(*parent)) {
      faults_.error(place, r.path("parent"), parent ? "'" + parent->name + "' is a " + parent->type + ", expected a link or a tree" : "names no link and no tree",
                    R"(a tree on a body is {"type": "kinematic_tree", "base": the body}, and its first link stands on the tree)");
      return false;
    }
    made.tree = parent->name;
    const auto [it, fresh] = trees_.try_emplace(made.tree);
    if (fresh) {
      const Value* base = parent->fields.find("base");
      it->second.base = base ? marker(frame(*base, parent->place_of(base->mark), parent->path("base"))) : builder_.ground();
    }
    on = it->second.base;
    return made.base != -1;
  }
  /// Type of the node under a joint, and what it is in words.
  static std::pair<std::string, std::string> node_of_joint(const JointOfLink& joint) {
    if (joint.type == TreeJoint::ball) return {"node_rotation", "rotation, which a ball joint has"};
    if (joint.type == TreeJoint::free) return {"node_pose", "displacement and rotation, which a free joint has"};
    return {"node_1d", "single mechanical coordinate, which a joint has"};
  }
  bool coordinates_of(const Record& r, const JointOfLink& joint, std::vector<Endpoint>& out) {
    const Value* given = r.fields.find("node");
    const bool fixed = joint.type == TreeJoint::fixed;
    const auto [type, what] = node_of_joint(joint);
    if (fixed || !given) {
      if (fixed && given) faults_.error(r.place_of(given->mark), r.path("node"), "a fixed joint has no coordinate", "leave the node out");
      if (!fixed && !given) faults_.error(r.place, r.path("node"), "is missing: it says where the joint stands", "write \"node\": {\"type\": \"" + type + "\"}");
      return fixed && !given;
    }
    const Place place = r.place_of(given->mark);
    const int n = node_index(r.name, place, r.path("node"));
    if (n < 0) return false;
    const NodeEntry& node = builder_.system().nodes[n];
    const NodeSizes& s = node.place.sizes;
    const NodePool& pool = *builder_.system().node_pools[node.pool];
    const bool fits = joint.has_coordinate() ? s.q == 1 && s.v == 1 && s.x + s.z == 0 : !pool.has_frame() && pool.quaternion_in_q() >= 0 && s.v == count_of(joint.axes());
    if (!fits) {
      faults_.error(place, r.path("node"), "'" + node.name + "' is no " + what, "use a " + type);
      return false;
    }
    const auto [it, fresh] = link_of_node_.try_emplace(n, r.name);
    if (!fresh) faults_.error(place, r.path("node"), "'" + node.name + "' is the coordinate of '" + it->second + "'", "give each joint a node of its own; couple two of them with a relation");
    out = builder_.velocities(n);
    return fresh;
  }
  void tree(const Record& r) {
    const auto it = trees_.find(r.name);
    if (it == trees_.end()) {
      const auto of_it = [&](const auto& made) { return made.second.base == -1; };
      if (std::none_of(links_.begin(), links_.end(), of_it)) faults_.error(r.place, r.path(), "has no links", "add bodies of type tree_link whose parents lead to it");
      return;
    }
    const Tree& t = it->second.tree;
    std::vector<bool> heavy(t.links.size());
    for (std::size_t i = t.links.size(); i-- > 0;) {
      const LinkOfTree& one = t.links[i];
      if (one.mass > 0.0 || std::any_of(one.inertia.a.begin(), one.inertia.a.end(), [](double x) { return x != 0.0; })) heavy[i] = true;
      const bool last = i + 1 == t.links.size() || it->second.links[i + 1] != it->second.links[i];  // of those that its joint became
      if (!heavy[i] && last && one.coordinate >= 0 && one.rotor == 0.0) {
        const Record& at = *it->second.links[i];
        faults_.error(at.place, at.path("mass"), "its joint moves nothing that has mass", "give mass to the link, or to one that it carries");
      }
      if (heavy[i] && one.parent >= 0) heavy[one.parent] = true;
    }
    builder_.tree(r.name, t, it->second.base, it->second.coordinates);
  }

  FrameOn frame(const Value& value, const Place& place, const std::string& path) {
    const Reference reference = reference_to(value, place, path);
    FrameOn base;
    if (const auto it = markers_.find(reference.name); it != markers_.end()) {
      const Record& r = *it->second;
      if (!is_frame(r)) {
        faults_.error(place, path, "'" + reference.name + "' is a " + r.type + ", expected a frame");
        return {};
      }
      base = r.type == MarkerFrame::name ? marker_frame(r) : FrameOn{.base = source(r)};
    } else if (const Record* body = model_.find(reference.name); body && is_link(*body)) {
      base.base = link(*body);
    } else if (reference.name != ground) {
      const int node = node_index(reference.name, place, path);
      if (node >= 0 && (base.base = builder_.base_of(node)) < 0)
        faults_.error(place, path, "'" + reference.name + "' has no position: its node carries no frame",
                      "connect its coordinates instead, with an item that takes coordinates");
    }
    if (!reference.inline_object) return base;
    const Object& o = *reference.inline_object;
    Vec3<double> p{};
    Mat3<double> R = identity<double>();
    if (const Value* local = o.find("local"))
      if (const auto x = vector(*local, place, path + "/local")) p = *x;
    if (const Value* turn = o.find("rotation"))
      if (const auto x = vector(*turn, place, path + "/rotation")) R = rotation_exp(*x);
    FrameOn result{base.base, base.p + base.R * p, base.R * R};
    if (const Value* at = o.find("at"))
      if (const auto x = vector(*at, place, path + "/at")) result = at_world(result, *x, world(result).R);
    for (const Member& member : o)
      if (member.key != "body" && member.key != "node" && member.key != "marker" && member.key != "item" && member.key != "local" &&
          member.key != "rotation" && member.key != "at")
        faults_.error(place, path + "/" + member.key, "unknown key", "use body, at, local, rotation");
    return result;
  }

  Endpoint coordinate(const Value& value, const Place& place, const std::string& path) {
    const Reference reference = reference_to(value, place, path);
    if (reference.name == ground) return builder_.ground_coordinate();
    int i = 0;
    std::string name = reference.name;
    if (const auto it = markers_.find(name); it != markers_.end() && it->second->type == JointCoordinate::name) return joint_coordinate(*it->second);
    if (const auto it = markers_.find(name); it != markers_.end() && it->second->type == Rope::name) return rope(*it->second).length;
    if (const auto it = markers_.find(name); it != markers_.end() && (it->second->type == RopeSlip::name || it->second->type == RopeWrap::name)) return of_rope(*it->second);
    if (const Record* record = model_.find(name); record && record->section == "joints") return motion_of_joint(*record, reference, place, path);
    if (const auto it = markers_.find(name); it != markers_.end() && it->second->type == MarkerCoordinate::name) {
      i = read_fields<MarkerCoordinate>(FieldSource(*it->second), context_, faults_).coordinate;
      name = *it->second->fields.find("node")->text();
    }
    if (reference.inline_object)
      if (const Value* number = reference.inline_object->find("coordinate")) {
        if (number->integer()) i = static_cast<int>(*number->integer());
        else faults_.error(place, path + "/coordinate", "expected a whole number, got " + kind_text(*number));
      }
    const int n = node_index(name, place, path);
    if (n < 0) return builder_.ground_coordinate();
    const NodeEntry& node = builder_.system().nodes[n];
    const NodeSizes& s = node.place.sizes;
    const int count = s.v + s.x + s.z;
    if (i < 0 || i >= count) {
      faults_.error(place, path, "coordinate " + std::to_string(i) + " of '" + name + "' is not there",
                    "it has " + std::to_string(count) + ", from 0");
      return builder_.ground_coordinate();
    }
    const NodePool& pool = *builder_.system().node_pools[node.pool];
    if (const bool numbered = reference.inline_object && reference.inline_object->find("coordinate"); !numbered && name == reference.name && pool.quaternion_in_q() >= 0 && !pool.has_frame()) {
      faults_.error(place, path, "'" + name + "' stands on a " + (s.v == 3 ? "ball" : "free") + " joint, which has no coordinate of its own",
                    s.v == 3 ? "use a joint or a torque on its frame" : "name one of its displacements, {\"node\": \"" + name + "\", \"coordinate\": 0}, or act on its frame");
      return builder_.ground_coordinate();
    }
    if (pool.quaternion_in_q() >= 0 && i >= pool.rates_in_v() && i < pool.rates_in_v() + 3) {
      faults_.error(place, path, "coordinate " + std::to_string(i) + " of '" + name + "' is a rotation in space: it has no coordinate",
                    "use a joint or a torque on its frame");
      return builder_.ground_coordinate();
    }
    return builder_.coordinate(n, i);
  }

  /// The two frames that the fields A and B of a joint's record name.
  std::vector<FrameOn> pair_of(const Record& r) {
    std::vector<FrameOn> frames;
    for (const char* side : {"A", "B"}) {
      const Value& value = *r.fields.find(side);
      frames.push_back(frame(value, r.place_of(value.mark), r.path(side)));
    }
    locate(r, frames);
    return frames;
  }
  /// The motion of a joint, by {"joint": name, "motion": "angle"}; without `motion` the one that it leaves.
  Endpoint motion_of_joint(const Record& joint, const Reference& reference, const Place& place, const std::string& path) {
    const ItemEntry& e = entry_of(joint.section, joint.type);
    const std::string left = e.free_motions ? e.free_motions(FieldSource(joint), context_) : "";
    const Value* given = reference.inline_object ? reference.inline_object->find("motion") : nullptr;
    const std::string asked = given && given->text() ? *given->text() : given ? kind_text(*given) : left;
    const JointMotion* motion = motion_named(asked);
    const bool known = motion && ("|" + left + "|").find("|" + asked + "|") != std::string::npos;
    if (!known) {
      std::string message = "'" + joint.name + "', a " + joint.type + ", ";
      if (left.empty()) message += "leaves no motion that is a coordinate";
      else if (given) message += "does not leave the motion '" + asked + "'";
      else message += "leaves more than one motion";
      faults_.error(place, path, message, left.empty() ? "use the angle or position of a hinge, a slide, a cylindrical joint, or a marker of type joint_coordinate"
                                                        : "write {\"joint\": \"" + joint.name + "\", \"motion\": \"" + left.substr(0, left.find('|')) + "\"}");
      return builder_.ground_coordinate();
    }
    const std::vector<FrameOn> frames = pair_of(joint);
    return builder_.joint_coordinate(*motion, marker(frames[0]), marker(frames[1]));
  }
  Endpoint joint_coordinate(const Record& r) {
    const auto marked = read_fields<JointCoordinate>(FieldSource(r), context_, faults_);
    const std::vector<FrameOn> frames = pair_of(r);
    return builder_.joint_coordinate(*motion_named(marked.motion), marker(frames[0]), marker(frames[1]), marked.center);
  }

  /// One element of a rope: its frame, and what the rope runs over there.
  template <class Shape>
  bool rope_over(const Record& r, FrameOn& on, RopeElement& element) {
    if (r.type != Shape::name) return false;
    const auto item = read_fields<Shape>(FieldSource(r), context_, faults_);
    const FrameOn body = frame(*r.fields.find("body"), r.place, r.path("body"));
    element = item.element();
    on = {body.base, body.p + body.R * item.position, body.R * rotation_exp(item.rotation)};
    return true;
  }
  /// A rope's length, and what its other coordinates are made of.
  struct MadeRope {
    Endpoint length;
    std::shared_ptr<const TautPath> way;
    std::vector<Endpoint> ends;
    std::vector<std::string> names;
  };
  /// Made at its first use.
  const MadeRope& rope(const Record& r) {
    const auto [it, fresh] = ropes_.try_emplace(r.name, MadeRope{builder_.ground_coordinate(), nullptr, {}, {}});
    if (!fresh) return it->second;
    const Value& through = *r.fields.find("through");
    const Place place = r.place_of(through.mark);
    const std::string path = r.path("through");
    std::vector<RopeElement> elements;
    std::vector<Endpoint> ends;
    std::vector<std::string> names;
    const auto one = [&](const Value& v) {
      const std::string name = reference_to(v, place, path).name;
      const auto shape = v.text() ? markers_.find(name) : markers_.end();
      FrameOn on;
      RopeElement element;
      if (shape == markers_.end() || (!rope_over<Sheave>(*shape->second, on, element) && !rope_over<WrapSurface>(*shape->second, on, element))) on = frame(v, place, path);
      elements.push_back(element), ends.push_back(marker(on)), names.push_back(name);
    };
    if (const List* list = through.list()) for (const Value& v : *list) one(v);
    else one(through);
    if (elements.size() < 2 || elements.size() > TautPath::most) {
      faults_.error(place, path, "has " + std::to_string(elements.size()) + " elements, must have 2 to " + std::to_string(TautPath::most), "join two ropes by a linear relation of their lengths");
      return it->second;
    }
    for (const std::size_t end : {std::size_t{0}, elements.size() - 1})
      if (elements[end].kind != RopeOver::point) {
        faults_.error(place, path, std::string(end == 0 ? "begins" : "ends") + " with '" + names[end] + "', which it would run over", "let a point stand there: a body, or a frame of one");
        return it->second;
      }
    std::vector<RigidMotion<double>> at;
    for (const Endpoint& end : ends) at.push_back({builder_.system().reference_frames[end.marker].p, builder_.system().reference_frames[end.marker].R});
    TautPath taut(std::move(elements));
    if (const TautPath::Wrong wrong = taut.wrong(at); wrong.element >= 0) faults_.error(place, path, "'" + names[wrong.element] + "' " + wrong.message, wrong.remedy);
    it->second = {builder_.rope_coordinate(r.name, taut, ends), std::make_shared<const TautPath>(taut), ends, names};
    return it->second;
  }
  /// What a rope passes over a sheave, or the angle by which it lies on it, made at its first use.
  Endpoint of_rope(const Record& r) {
    const auto [it, fresh] = of_ropes_.try_emplace(r.name, builder_.ground_coordinate());
    if (!fresh) return it->second;
    const auto named = [&](const char* word) { return reference_to(*r.fields.find(word), r.place, r.path(word)).name; };
    const std::string on = named("rope"), over = named("sheave");
    const auto record = markers_.find(on);
    if (record == markers_.end() || record->second->type != Rope::name) {
      faults_.error(r.place, r.path("rope"), "'" + on + "' is no rope", "name a marker of type rope");
      return it->second;
    }
    const MadeRope& made = rope(*record->second);
    if (!made.way) return it->second;  // said there
    const auto found = std::find(made.names.begin(), made.names.end(), over);
    if (found == made.names.end()) {
      faults_.error(r.place, r.path("sheave"), "'" + over + "' is not in the rope '" + on + "'", "name a sheave of its list `through`");
      return it->second;
    }
    const TautPath way = made.way->over(r.type == RopeSlip::name ? TautPath::Measure::slip : TautPath::Measure::wrap, static_cast<int>(found - made.names.begin()));
    if (!way.measures()) {
      faults_.error(r.place, r.path("sheave"), "'" + over + "' is no sheave beside points and sheaves", "name a marker of type sheave, with no wrap between it and the next points of the rope");
      return it->second;
    }
    return it->second = builder_.rope_coordinate(r.name, way, made.ends);
  }

  Endpoint marker(const FrameOn& f) {
    if (f.base < 0 && norm(f.p) == 0.0) {
      bool plain = true;
      for (int i = 0; i < 9; ++i) plain &= f.R.a[i] == (i % 4 == 0 ? 1.0 : 0.0);
      if (plain) return builder_.ground();
    }
    return builder_.marker_on(f.base, f.p, f.R);
  }

  LawRef law(const Record& r, const ItemEntry& e) {
    const Value* value = r.fields.find("law");
    std::string type(e.default_law);
    const Object none;
    const Object* fields = &none;
    std::string path = r.path("law");
    Place place = r.place;
    if (value) {
      place = r.place_of(value->mark);
      if (const Object* object = value->object(); object && object->find("type")) {
        type = *object->find("type")->text();
        fields = object;
      } else {
        const Reference reference = read_reference(*value, place, path, faults_);
        const Record* named = model_.find(reference.name);
        if (named && named->section == "laws") {
          type = named->type, fields = &named->fields, path = named->path(), place = named->place;
        } else {
          type = reference.name;
        }
      }
    }
    const ItemEntry& entry = entry_of("laws", type);
    Object values = *fields;
    values.remove("type");
    const FieldSource source(values, path, place.file, {static_cast<std::uint32_t>(place.line), static_cast<std::uint32_t>(place.column)});
    LawInstance instance = entry.make_law(source, context_, faults_);
    if (instance.rows > 0 && e.rows > 0 && instance.rows != e.rows)
      faults_.error(place, path, "'" + type + "' is a law of " + std::to_string(instance.rows) + " rows, " + r.name + " has " + std::to_string(e.rows));
    else if (e.sliding >= 0 && instance.rows > 1 && instance.type->set->sliding != e.sliding)
      faults_.error(place, path, "'" + type + "' is a law of " + std::to_string(instance.type->set->sliding) + " sliding rows, " + r.name + " has " + std::to_string(e.sliding));
    builder_.system().laws.push_back(instance.fields);
    return {.type = instance.type, .fields = instance.fields.get(), .written = instance.written, .rows = instance.rows};
  }

  void item(const Record& r) {
    const ItemEntry& e = entry_of(r.section, r.type);
    if (e.motion) return put(r, e, ends_of_joint(r, e));
    std::vector<FrameOn> frames;
    std::vector<Endpoint> ends;
    std::size_t next = 0;
    for (const PortInfo& port : e.ports) {
      if (!e.dynamic && next == e.endpoints.size()) break;
      if (e.dynamic && port.kind != "node" && port.kind != "coordinate" && port.kind != "frame") continue;
      const Value* value = r.fields.find(port.name);
      if (!value) continue;
      const std::string path = r.path(port.name);
      const Place place = r.place_of(value->mark);
      const auto one = [&](const Value& v) {
        if (e.dynamic ? port.kind == "coordinate" : next < e.endpoints.size() && e.endpoints[next] == EndpointKind::coordinate) {
          ends.push_back(coordinate(v, place, path));
        } else if (e.dynamic) {
          ends.push_back(marker(frame(v, place, path)));
        } else {
          if (const auto own = body_nodes_.find(r.name); port.kind == "node" && own != body_nodes_.end() && v.object())
            frames.push_back({.base = builder_.base_of(own->second)});
          else
            frames.push_back(frame(v, place, path));
          ends.push_back({});
        }
        ++next;
      };
      if (e.dynamic && port.kind == "node") {
        const auto own = value->object() ? body_nodes_.find(r.name) : body_nodes_.end();
        const std::string text = value->text() ? reference_to(*value, place, path).name : "";
        const std::string* name = value->text() ? &text : nullptr;
        const int n = own != body_nodes_.end() ? own->second : name ? node_index(*name, place, path) : -1;
        if (n < 0) {
          if (!name) faults_.error(place, path, "expected the name of a node or a node in place");
          return;
        }
        const NodeEntry& node = builder_.system().nodes[n];
        const NodeSizes& sizes = node.place.sizes;
        if (builder_.system().node_pools[node.pool]->quaternion_in_q() >= 0) {
          faults_.error(place, path, "'" + node.name + "' turns in space: its rotation has no coordinates", "use a node_ode2");
          return;
        }
        for (int i = 0; i < sizes.v + sizes.x + sizes.z; ++i) ends.push_back(builder_.coordinate(n, i));
      } else if (port.kind == "node" && value->object() && e.endpoints[next] == EndpointKind::coordinate) {
        ends.push_back(builder_.coordinate(body_nodes_[r.name], 0));
        ++next;
      } else if (port.many && value->list()) {
        for (const Value& v : *value->list()) one(v);
      } else {
        one(*value);
      }
    }
    if (next < e.endpoints.size()) return;  // reported by the check
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const CoordinateKind wanted = e.coordinate_kinds.empty() ? e.coordinates : e.coordinate_kinds[i], got = ends[i].coordinate.kind;
      if (ends[i].kind != EndpointKind::coordinate || wanted == CoordinateKind::none || got == CoordinateKind::none || got == wanted) continue;
      const std::string path = e.coordinate_kinds.empty() ? r.path() : r.path(e.ports[i].name);
      return faults_.error(r.place, path, std::string(e.name) + " acts on " + kind_name(wanted) + ", got " + kind_name(got));
    }
    if (e.located) locate(r, frames);
    std::size_t f = 0;
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (!e.dynamic && e.endpoints[i] == EndpointKind::frame) ends[i] = marker(frames[f++]);
    if (e.free_motions && e.free_motions(FieldSource(r), context_).starts_with(Twist::name)) builder_.count_angle(ends[0], ends[1]);
    put(r, e, ends);
  }

  std::vector<Endpoint> ends_of_joint(const Record& r, const ItemEntry& e) {
    const std::vector<FrameOn> frames = pair_of(r);
    const double center = e.center ? e.center(FieldSource(r), context_) : 0.0;
    return builder_.ends_of_joint(*e.motion, count_of(e.endpoints), marker(frames[0]), marker(frames[1]), center);
  }

  /// Reads the record into an item of its pool. Items on coordinates of joints, and those of run-time size on frames, have pools of their
  /// own: what is linear in other coordinates is not in those.
  void put(const Record& r, const ItemEntry& e, const std::vector<Endpoint>& ends) {
    const FieldSource source(r);
    System& s = builder_.system();
    const bool of_joints = std::any_of(ends.begin(), ends.end(), [&](const Endpoint& end) { return end.kind == EndpointKind::coordinate ? end.coordinate.is_of_joint() : e.dynamic; });
    const std::string type(e.name), of = of_joints ? type + " of joints" : type;
    switch (e.family) {
      case Family::object: {
        const int p = builder_.object_pool(of, e.make_object_pool);
        e.add_object(*s.objects[p], source, context_, ends, faults_);
        builder_.register_item(r.section, type, r.name, p, s.objects[p]->size() - 1, s.objects[p].get());
        break;
      }
      case Family::force: {
        const int p = builder_.force_pool(of, e.make_force_pool);
        e.add_force(*s.forces[p], source, context_, ends, faults_);
        builder_.register_item(r.section, type, r.name, p, s.forces[p]->size() - 1, s.forces[p].get());
        break;
      }
      case Family::relation: {
        const LawRef law_ref = law(r, e);
        const int p = builder_.relation_pool(of, e.make_relation_pool);
        e.add_relation(*s.relations[p], source, context_, ends, law_ref, faults_);
        const int last = s.relations[p]->size() - 1, rows = s.relations[p]->rows(last);
        if (const int dim = law_ref.rows; dim > 0 && dim != rows && e.rows == 0)
          faults_.error(r.place, r.path("law"), "'" + std::string(law_ref.type->name) + "' is a law of " + std::to_string(dim) + " rows, " + r.name + " has " + std::to_string(rows));
        builder_.register_item(r.section, type, r.name, p, last, s.relations[p].get());
        break;
      }
      default: break;
    }
  }

  /// Moves both frames of a joint to where `at`, `axis` or `rotation` say, in the reference position.
  void locate(const Record& r, std::vector<FrameOn>& frames) {
    const Value *at = r.fields.find("at"), *axis = r.fields.find("axis"), *rotation = r.fields.find("rotation");
    if (!at && !axis && !rotation) return;  // the frames as given
    const Frame<double> B = world(frames[1]);
    Vec3<double> p = B.p;
    Mat3<double> R = B.R;
    if (at) {
      if (at->list()) {
        if (const auto x = vector(*at, r.place_of(at->mark), r.path("at"))) p = *x;
      } else {
        p = world(frame(*at, r.place_of(at->mark), r.path("at"))).p;
      }
    }
    if (axis)
      if (const auto z = direction(*axis, r.place_of(axis->mark), r.path("axis"))) R = basis_with_z(*z);
    if (rotation)
      if (const auto x = vector(*rotation, r.place_of(rotation->mark), r.path("rotation"))) R = rotation_exp(*x);
    for (FrameOn& f : frames) f = at_world(f, p, R);
  }

  const Model& model_;
  std::vector<const Record*> records_;  // as a file holds them, so that a model from its file has the same layout
  Faults& faults_;
  ParameterTable parameters_;
  FieldContext context_;
  SystemBuilder builder_;
  std::map<std::string, int, std::less<>> nodes_, body_nodes_;
  std::map<std::string, const Record*, std::less<>> markers_;
  ContactCompiler contacts_{model_, context_, builder_, faults_,
                            {[this](const auto& value, const auto& place, const auto& path) { return reference_to(value, place, path); },
                             [this](const auto& value, const auto& place, const auto& path) { return frame(value, place, path); },
                             [this](const FrameOn& f) { return marker(f); },
                             [this](const Record& r, const ItemEntry& e) { return law(r, e); }}};
  std::map<std::string, MadeRope, std::less<>> ropes_;
  std::map<std::string, Endpoint, std::less<>> of_ropes_;
  static constexpr int in_making = -2;
  std::map<std::string, int, std::less<>> sources_;  // by name: index in System::bases
  std::map<std::string, LinkMade, std::less<>> links_;
  std::map<std::string, TreeMade, std::less<>> trees_;
  std::map<int, std::string> link_of_node_;
};

}  // namespace

std::shared_ptr<const System> compile(const Model& model, std::span<const Function> functions, Faults& warnings,
                                      std::span<const ControllerRecord> controllers) {
  Faults faults;
  check_model(model, item_catalogue(), functions, faults);
  faults.raise();
  Controlled controlled(model, functions, controllers);
  Compiler compiler(controlled.model, controlled.functions, faults);
  auto system = compiler.run(std::move(controlled.entries));
  for (const Fault& fault : faults.list()) warnings.add(fault);
  return system;
}

}  // namespace saltus
