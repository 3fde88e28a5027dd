// Contacts of groups in compile(): shapes, groups, layers, materials with their laws, forces that are summed, bodies that come, go and sleep, and contacts by penalty.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "saltus/items/entry.hpp"
#include "saltus/model/references.hpp"
#include "saltus/system/builder.hpp"

namespace saltus {

/// A frame fixed to a base (-1: ground), before it becomes a marker.
struct FrameOn {
  int base = -1;
  Vec3<double> p{};
  Mat3<double> R = identity<double>();
};

class ContactCompiler {
 public:
  /// What compile() reads for them: a name, the frame that it stands for, the marker of that, the law of a record.
  struct Given {
    std::function<Reference(const Value&, const Place&, const std::string&)> reference;
    std::function<FrameOn(const Value&, const Place&, const std::string&)> frame;
    std::function<Endpoint(const FrameOn&)> marker;
    std::function<LawRef(const Record&, const ItemEntry&)> law;
  };
  ContactCompiler(const Model& model, const FieldContext& context, SystemBuilder& builder, Faults& faults, Given given)
      : model_(model), context_(context), builder_(builder), faults_(faults), given_(std::move(given)) {}

  /// Takes the record of a group, a material, ...; false if it is none of these.
  bool take(const Record& r);
  /// After the last record: the laws by materials, bodies that come, go and sleep, and the pool of contacts by penalty.
  void finish();

 private:
  /// The shape of a record, if it is one, and its frame in the body's.
  template <class S>
  bool read_shape(const Record& r, Shape& shape, FrameOn& on);
  /// Index of a shape among the colliders, added at its first use; -1 and a fault if the record is none.
  int collider(const std::string& name, const Place& place, const std::string& path);
  /// Marks the shapes of A and of B; without B those of A stand on both sides.
  void sides(const Record& r, int number, PairSides& of);
  /// Calls take(collider, place) for each shape that a key names.
  template <class Take>
  void each_shape(const Record& r, const char* key, const Take& take);
  void no_contact(const Record& r);
  void contact_group(const Record& r);
  /// Number of the law of a record.
  int contact_law(const Record& r);
  void contact_layer(const Record& r);
  /// Marks the shapes that meet a layer, when all layers are known.
  void meetings_of_layers();
  void unknown_layer(const Record& r, const Place& place, const std::string& name);
  void contact_force(const Record& r);
  void material(const Record& r);
  /// Number of a material that a pair names; -1 and a fault if it is none.
  int material_of(const Record& r, const Value& value);
  /// Warnings of closed meshes that go through themselves, and of those that are free inside where nothing is.
  void closed_meshes();
  /// Whether a shape of another body stands in the mesh of collider i, in the reference position.
  bool holds_another(int i) const;
  /// The table of laws by pairs of materials. A fault for each pair that can meet in a group without a law, and for shapes in one without a material.
  void laws_by_materials();
  /// A fault where a body of a group with a law of the plane can leave it.
  void refuse_out_of_plane(const ContactTable& t, int group);
  void missing_laws(const ContactTable& t, int group);
  /// One pool of all, with the shapes and the pairs left out that the table of contacts has at the end.
  void penalty_contacts();
  std::vector<std::string> bodies_of(const Record& r);
  void sleep(const Record& r);
  void presence(const Record& r);
  /// Faults of shapes that the group names in vain: an error for one that can touch none of its partners, for it would fall through
  /// them all; a warning where some of the pairs have no contact. Linear in the number of shapes.
  void partners(const Record& r, int number);

  const Model& model_;
  const FieldContext& context_;
  SystemBuilder& builder_;
  Faults& faults_;
  Given given_;
  std::map<std::string, int, std::less<>> colliders_;
  std::vector<FrameOn> places_;  // of the colliders
  int exclusions_ = 0;
  std::vector<std::string> materials_;
  std::vector<const Record*> layers_, material_pairs_, penalties_, presences_, sleepers_;
};

}  // namespace saltus
