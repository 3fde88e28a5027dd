// Items for the tests of this layer, one of each way to use fields() and ports().
#pragma once

#include "saltus/model/item_type.hpp"

namespace saltus::test {

struct RigidBody {
  double mass = 0;
  Mat3<double> inertia = identity<double, 3>();
  Vec3<double> velocity;
  static constexpr std::string_view name = "rigid_body", doc = "Rigid body.";
  static constexpr auto fields() {
    return std::tuple{field("mass", &RigidBody::mass, "kg", "mass", required(at_least(0.0))),
                      field("inertia", &RigidBody::inertia, "kg m^2", "inertia about the centre of mass"),
                      field("velocity", &RigidBody::velocity, "m/s", "initial velocity")};
  }
};

inline constexpr std::array<PortInfo, 2> pair = {PortInfo{"A", "frame"}, PortInfo{"B", "frame"}};

struct Revolute {
  Vec3<double> at;
  Vec3<double> axis{{0, 0, 1}};
  static constexpr std::string_view name = "revolute";
  static constexpr auto ports() { return pair; }
  static constexpr auto fields() {
    return std::tuple{field("at", &Revolute::at, "m", "point of the axis, world"),
                      field("axis", &Revolute::axis, "", "direction of the axis, world", direction())};
  }
};

struct SpringDamper {
  double stiffness = 0, damping = 0, rest_length = 0;
  static constexpr std::string_view name = "spring_damper", picture = "coil|rest_length";
  static constexpr auto ports() { return pair; }
  static constexpr auto fields() {
    return std::tuple{field("stiffness", &SpringDamper::stiffness, "N/m", "axial stiffness",
                            or_else(at_least(0.0), "use `preload` for an initial force")),
                      field("damping", &SpringDamper::damping, "N s/m", "axial damping", at_least(0.0)),
                      field("rest_length", &SpringDamper::rest_length, "m", "unloaded length", at_least(0.0))};
  }
};

struct Contact {
  static constexpr std::string_view name = "contact";
  static constexpr auto ports() { return std::array{PortInfo{"A", "frame"}, PortInfo{"B", "frame"}, PortInfo{"law", "law"}}; }
  static constexpr auto fields() { return std::tuple{}; }
};

struct NewtonImpact {
  double restitution = 0;
  static constexpr std::string_view name = "newton_impact";
  static constexpr auto fields() {
    return std::tuple{field("restitution", &NewtonImpact::restitution, "", "ratio of speeds", between(0, 1))};
  }
};

struct Force {
  Function force;
  static constexpr std::string_view name = "force";
  static constexpr auto ports() { return std::array{PortInfo{"on", "frame"}}; }
  static constexpr auto fields() {
    return std::tuple{field("force", &Force::force, "N", "force, world axes", required(function_of("t", 3)))};
  }
};

/// Every kind of field once.
struct Everything {
  double number = 1.5;
  int count = 3;
  bool on = true;
  std::string word = "x";
  std::vector<double> list{1, 2};
  std::vector<double> quaternion{1, 0, 0, 0};
  Matrix matrix{1, 2, {1, 2}};
  Function function{2.0};
  static constexpr std::string_view name = "everything";
  static constexpr auto ports() { return std::array{PortInfo{"nodes", "node", false, true}}; }
  static constexpr auto fields() {
    return std::tuple{field("number", &Everything::number, "m", "a number", above(0.0)),
                      field("count", &Everything::count, "", "a count", between(1, 10)),
                      field("on", &Everything::on, "", "a switch"),
                      field("word", &Everything::word, "", "a word", one_of("x|y|z")),
                      field("list", &Everything::list, "", "numbers"),
                      field("quaternion", &Everything::quaternion, "", "rotation", Range{.size = 4, .direction = true}),
                      field("matrix", &Everything::matrix, "", "rows"),
                      field("function", &Everything::function, "", "a function", function_of("t|q"))};
  }
};

inline const Catalogue& catalogue() {
  static const std::array<ItemType, 7> types = {
      item_type<RigidBody>("bodies"), item_type<Revolute>("joints"),   item_type<SpringDamper>("connectors"),
      item_type<Contact>("relations"), item_type<NewtonImpact>("laws"), item_type<Force>("loads"),
      item_type<Everything>("sensors")};
  static const Catalogue all = [] {
    Catalogue catalogue;
    for (const ItemType& type : types) catalogue.add(type);
    return catalogue;
  }();
  return all;
}

}  // namespace saltus::test
