// Models for tests and benchmarks, made item by item.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "saltus/system/compile.hpp"

namespace saltus::test_models {

/// {{"mass", 1}, {"node", "n"}}: fields of an item.
using Fields = std::initializer_list<std::pair<const char*, Value>>;

inline Object object(Fields members) {
  Object out;
  for (const auto& [key, value] : members) out.append(key, value);
  return out;
}
/// An item in place, as item("newton_impact", {{"restitution", 0.5}}) for a law.
inline Object item(const std::string& type, Fields fields = {}) {
  Object out = object(fields);
  out.append("type", type);
  return out;
}
/// matrix({{1, 0}, {0, "sin(t)"}}).
inline List matrix(std::initializer_list<List> rows) { return List(rows.begin(), rows.end()); }
inline Object coordinate(const std::string& node, int i) { return object({{"node", node}, {"coordinate", i}}); }
/// The first `count` coordinates of a node.
inline List coordinates(const std::string& node, int count) {
  List out;
  for (int i = 0; i < count; ++i) out.emplace_back(coordinate(node, i));
  return out;
}
/// "n3": names of items of one kind.
inline std::string numbered(const char* name, int i) { return name + std::to_string(i); }

/// A model item by item: ModelOf().node("n", "node_1d", {{"coordinate", 1.0}}).compiled(). Gravity acts against z.
class ModelOf {
 public:
  ModelOf() { model_.gravity = List{0, 0, -9.81}; }
  ModelOf& node(std::string name, const char* type, Fields fields = {}) { return add("nodes", std::move(name), type, fields); }
  ModelOf& body(std::string name, const char* type, Fields fields) { return add("bodies", std::move(name), type, fields); }
  ModelOf& marker(std::string name, const char* type, Fields fields) { return add("markers", std::move(name), type, fields); }
  ModelOf& connector(std::string name, const char* type, Fields fields) { return add("connectors", std::move(name), type, fields); }
  ModelOf& joint(std::string name, const char* type, Fields fields) { return add("joints", std::move(name), type, fields); }
  ModelOf& relation(std::string name, const std::string& type, Fields fields) { return add("relations", std::move(name), type, fields); }
  ModelOf& load(std::string name, const char* type, Fields fields) { return add("loads", std::move(name), type, fields); }
  ModelOf& gravity(List acceleration) {
    model_.gravity = std::move(acceleration);
    return *this;
  }
  ModelOf& parameter(std::string name, double value) {
    model_.parameters.append(std::move(name), value);
    return *this;
  }
  const Model& model() const { return model_; }
  std::shared_ptr<const System> compiled() const {
    Faults faults;
    return compile(model_, {}, faults);
  }

 private:
  ModelOf& add(const char* section, std::string name, const std::string& type, Fields fields) {
    model_.add(section, type, std::move(name), object(fields));
    return *this;
  }
  Model model_;
};

}  // namespace saltus::test_models
