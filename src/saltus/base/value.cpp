#include "saltus/base/value.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "saltus/base/text.hpp"

namespace saltus {

Object::Object() = default;
Object::Object(const Object&) = default;
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object&) = default;
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;

const Value* Object::find(std::string_view key) const {
  for (const Member& member : members_)
    if (member.key == key) return &member.value;
  return nullptr;
}

Value* Object::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

void Object::set(std::string_view key, Value value) {
  if (Value* old = find(key)) {
    *old = std::move(value);
  } else {
    append(std::string(key), std::move(value));
  }
}

void Object::append(std::string key, Value value, Mark mark) {
  members_.push_back({std::move(key), std::move(value), mark});
}

bool Object::remove(std::string_view key) {
  return std::erase_if(members_, [&](const Member& member) { return member.key == key; }) > 0;
}

std::size_t Object::size() const { return members_.size(); }
bool Object::empty() const { return members_.empty(); }
const Member* Object::begin() const { return members_.data(); }
const Member* Object::end() const { return members_.data() + members_.size(); }
Member* Object::begin() { return members_.data(); }
Member* Object::end() { return members_.data() + members_.size(); }

bool Object::operator==(const Object& other) const {
  if (size() != other.size()) return false;
  return std::all_of(begin(), end(), [&](const Member& member) {
    const Value* twin = other.find(member.key);
    return twin && *twin == member.value;
  });
}

Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;
Value::Value(bool x) : data_(x) {}
Value::Value(int x) : data_(std::int64_t{x}) {}
Value::Value(std::int64_t x) : data_(x) {}
Value::Value(double x) : data_(x) {}
Value::Value(const char* x) : data_(std::string(x)) {}
Value::Value(std::string_view x) : data_(std::string(x)) {}
Value::Value(std::string x) : data_(std::move(x)) {}
Value::Value(List x) : data_(std::move(x)) {}
Value::Value(Object x) : data_(std::move(x)) {}
Value::Value(Handle x) : data_(x) {}

const bool* Value::boolean() const { return std::get_if<bool>(&data_); }
const std::int64_t* Value::integer() const { return std::get_if<std::int64_t>(&data_); }
const std::string* Value::text() const { return std::get_if<std::string>(&data_); }
const List* Value::list() const { return std::get_if<List>(&data_); }
const Object* Value::object() const { return std::get_if<Object>(&data_); }
const Handle* Value::handle() const { return std::get_if<Handle>(&data_); }
List* Value::list() { return std::get_if<List>(&data_); }
Object* Value::object() { return std::get_if<Object>(&data_); }
bool Value::operator==(const Value& other) const { return data_ == other.data_; }

double Value::number() const {
  if (const auto* x = std::get_if<double>(&data_)) return *x;
  if (const auto* n = integer()) return static_cast<double>(*n);
  return 0.0;
}

std::string kind_text(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null: return "null";
    case Value::Kind::boolean: return *value.boolean() ? "true" : "false";
    case Value::Kind::integer:
    case Value::Kind::number: return number_text(value.number());
    case Value::Kind::text: return in_quotes(*value.text());
    case Value::Kind::list: {
      const std::size_t n = value.list()->size();
      return "a list of " + std::to_string(n) + (n == 1 ? " entry" : " entries");
    }
    case Value::Kind::object: return "an object";
    case Value::Kind::handle: return "a function";
  }
  return {};
}

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

std::string number_text(double x) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return std::string(buffer, end);
}

}  // namespace saltus
