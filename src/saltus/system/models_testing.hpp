// Models for tests and benchmarks: made item by item, or read from the text of a file.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "saltus/model/file.hpp"
#include "saltus/system/compile.hpp"

namespace saltus::test_models {

/// {{"type", "newton_impact"}, {"restitution", 0.5}} as a law in place, or the fields of an item.
inline Object object(std::initializer_list<std::pair<const char*, Value>> members) {
  Object out;
  for (const auto& [key, value] : members) out.append(key, value);
  return out;
}
/// "n3": names of items of one kind.
inline std::string numbered(const char* name, int i) { return name + std::to_string(i); }

/// A model item by item: ModelOf().add("nodes", "n", "node_1d", {{"coordinate", 1.0}}).compiled(). Gravity acts against z.
class ModelOf {
 public:
  ModelOf() { model_.gravity = List{0, 0, -9.81}; }
  ModelOf& add(const char* section, std::string name, const char* type, std::initializer_list<std::pair<const char*, Value>> fields) {
    model_.add(section, type, std::move(name), object(fields));
    return *this;
  }
  std::shared_ptr<const System> compiled() const {
    Faults faults;
    return compile(model_, {}, faults);
  }

 private:
  Model model_;
};

/// The members of a model file as text, without braces; gravity is there.
inline std::shared_ptr<const System> compiled(const std::string& body) {
  Faults faults;
  const Model model = read_model(R"({"saltus": 1, "gravity": [0, 0, -9.81], )" + body + "}", "test", faults);
  faults.raise();
  return compile(model, {}, faults);
}

}  // namespace saltus::test_models
