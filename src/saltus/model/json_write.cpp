#include <cmath>
#include <cstdio>

#include "saltus/base/text.hpp"
#include "saltus/model/json_text.hpp"

namespace saltus {

namespace {

class Writer {
 public:
  Writer(Faults& faults, int indent) : faults_(faults), indent_(indent) {}

  void write(const Value& value, const std::string& path, int level);
  std::string take() { return std::move(out_); }

 private:
  void text(std::string_view text);
  void number(double x, const std::string& path);
  void list(const List& list, const std::string& path, int level);
  void object(const Object& object, const std::string& path, int level);
  void new_line(int level) {
    if (indent_ <= 0) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(level * indent_), ' ');
  }

  Faults& faults_;
  int indent_;
  std::string out_;
};

void Writer::write(const Value& value, const std::string& path, int level) {
  switch (value.kind()) {
    case Value::Kind::null: out_ += "null"; break;
    case Value::Kind::boolean: out_ += *value.boolean() ? "true" : "false"; break;
    case Value::Kind::integer: out_ += std::to_string(*value.integer()); break;
    case Value::Kind::number: number(value.number(), path); break;
    case Value::Kind::text: text(*value.text()); break;
    case Value::Kind::list: list(*value.list(), path, level); break;
    case Value::Kind::object: object(*value.object(), path, level); break;
    case Value::Kind::handle:
      faults_.error({}, path, "is a function of the program that made the model, which a model file cannot hold",
                    "write it as an expression, such as \"sin(2*t)\"");
      break;
  }
}

void Writer::text(std::string_view text) {
  out_ += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out_ += "\\\""; break;
      case '\\': out_ += "\\\\"; break;
      case '\n': out_ += "\\n"; break;
      case '\t': out_ += "\\t"; break;
      case '\r': out_ += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          char buffer[8];
          std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(c));
          out_ += buffer;
        } else {
          out_ += c;
        }
    }
  }
  out_ += '"';
}

void Writer::number(double x, const std::string& path) {
  if (!std::isfinite(x)) {
    faults_.error({}, path, "is not finite, which a model file cannot hold");
    return;
  }
  const std::string digits = number_text(x);
  out_ += digits;
  if (digits.find_first_of(".e") == std::string::npos) out_ += ".0";  // stays a `number` when read back
}

void Writer::list(const List& list, const std::string& path, int level) {
  bool flat = true;
  for (const Value& entry : list) flat = flat && !entry.list() && !entry.object();
  out_ += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out_ += flat && indent_ > 0 ? ", " : ",";
    if (!flat) new_line(level + 1);
    write(list[i], path + "/" + std::to_string(i), level + 1);
  }
  if (!flat) new_line(level);
  out_ += ']';
}

void Writer::object(const Object& object, const std::string& path, int level) {
  out_ += '{';
  bool first = true;
  for (const Member& member : object) {
    if (!first) out_ += ',';
    first = false;
    new_line(level + 1);
    text(member.key);
    out_ += indent_ > 0 ? ": " : ":";
    write(member.value, path.empty() ? member.key : path + "/" + member.key, level + 1);
  }
  if (!object.empty()) new_line(level);
  out_ += '}';
}

}  // namespace

std::string json_text(const Value& value, Faults& faults, int indent) {
  Writer writer(faults, indent);
  writer.write(value, "", 0);
  return writer.take();
}

std::string json_text(const Value& value, int indent) {
  Faults faults;
  std::string out = json_text(value, faults, indent);
  faults.raise();
  return out;
}

}  // namespace saltus
