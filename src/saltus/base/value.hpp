// The tree that a model file, a Python call and an example are read into: JSON's kinds and a host function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace saltus {

/// Line and column in the file of the record, both 1-based; 0 if unknown.
struct Mark {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Member;
class Value;

/// Function given from the host language: index into the model's functions.
struct Handle {
  std::uint32_t index = 0;
  bool operator==(const Handle&) const = default;
};

using List = std::vector<Value>;

/// Members in the order in which they were written; keys are unique.
class Object {
 public:
  Object();
  Object(const Object& other);
  Object(Object&& other) noexcept;
  Object& operator=(const Object& other);
  Object& operator=(Object&& other) noexcept;
  ~Object();
  /// Null pointer if the key is not there. Linear: objects of items are small, sections are indexed by Model.
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
  /// Replaces the value of a key or adds it at the end.
  void set(std::string_view key, Value value);
  /// Adds at the end; the key must be new.
  void append(std::string key, Value value, Mark mark = {});
  bool remove(std::string_view key);
  std::size_t size() const;
  bool empty() const;
  const Member* begin() const;
  const Member* end() const;
  Member* begin();
  Member* end();
  /// Same keys with the same values, in any order.
  bool operator==(const Object& other) const;

 private:
  std::vector<Member> members_;
};

/// One node. Whole numbers within 64 bits are `integer`, every other number is `number`.
class Value {
 public:
  enum class Kind { null, boolean, integer, number, text, list, object, handle };

  // All in value.cpp: what a variant is made of takes a quarter of a second in each file that sees it.
  Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  Value(bool x);
  Value(int x);
  Value(std::int64_t x);
  Value(double x);
  Value(const char* x);
  Value(std::string_view x);
  Value(std::string x);
  Value(List x);
  Value(Object x);
  Value(Handle x);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is_null() const { return kind() == Kind::null; }
  bool is_number() const { return kind() == Kind::integer || kind() == Kind::number; }

  // Pointers to what the node holds; null if it is of another kind.
  const bool* boolean() const;
  const std::int64_t* integer() const;
  const std::string* text() const;
  const List* list() const;
  const Object* object() const;
  const Handle* handle() const;
  List* list();
  Object* object();
  /// Value of an integer or number; 0 for other kinds.
  double number() const;

  bool operator==(const Value& other) const;

  Mark mark;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Object, Handle> data_;
};

struct Member {
  std::string key;
  Value value;
  Mark mark;  // of the key
};

/// "a list", "text \"abc\"": how an error message names what it found.
std::string kind_text(const Value& value);

/// Shortest text that reads back as the same number.
std::string number_text(double x);
/// Nine digits, for messages.
std::string short_text(double x);

}  // namespace saltus
