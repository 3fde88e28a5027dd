#include <algorithm>
#include <nlohmann/json.hpp>

#include "saltus/base/index.hpp"
#include "saltus/base/text.hpp"
#include "saltus/model/json_text.hpp"

namespace saltus {

namespace {

using Json = nlohmann::json;

/// Takes the parser's events and builds the tree. The parser tells no places, so each event looks for the start of its
/// token itself, from the end of the one before.
class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(std::string_view text, const std::string& file, Faults& faults, const JsonLimits& limits)
      : text_(text), file_(file), faults_(faults), limits_(limits) {}

  bool null() override { return literal({}, 4); }
  bool boolean(bool x) override { return literal(x, x ? 4 : 5); }
  bool number_integer(number_integer_t x) override { return number(Value(std::int64_t{x})); }
  bool number_unsigned(number_unsigned_t x) override {
    if (x > static_cast<number_unsigned_t>(INT64_MAX)) return number(Value(static_cast<double>(x)));
    return number(Value(static_cast<std::int64_t>(x)));
  }
  bool number_float(number_float_t x, const string_t&) override { return number(Value(x)); }
  bool string(string_t& text) override {
    const Mark mark = skip_string();
    return add(Value(std::move(text)), mark);
  }
  bool binary(binary_t&) override { return false; }  // never in JSON text

  bool start_object(std::size_t) override { return open(Value(Object{})); }
  bool start_array(std::size_t) override { return open(Value(List{})); }
  bool key(string_t& text) override {
    const Mark mark = skip_string();
    open_.back().object()->append(std::move(text), {}, mark);
    return true;
  }
  bool end_object() override {
    find_duplicates(*open_.back().object());
    return close();
  }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override;

  Value take() { return std::move(root_); }

 private:
  Mark token() {
    const std::size_t start = std::min(text_.find_first_not_of(" \t\r\n,:", at_), text_.size());
    return advance_to(start);
  }
  Mark advance_to(std::size_t end) {
    for (; at_ < end; ++at_) {
      if (text_[at_] == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      }
    }
    return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
  }
  Mark skip_string() {
    const Mark mark = token();
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
    return mark;
  }
  bool literal(Value value, std::size_t length) {
    const Mark mark = token();
    at_ += length;
    return add(std::move(value), mark);
  }
  bool number(Value value) {
    const Mark mark = token();
    const std::size_t end = std::min(text_.find_first_not_of("0123456789+-.eE", at_), text_.size());
    const std::size_t digits = end - at_;
    at_ = end;
    if (digits > limits_.number_digits)
      return refuse(mark, "has a number of " + std::to_string(digits) + " characters, the limit is " +
                              std::to_string(limits_.number_digits));
    return add(std::move(value), mark);
  }
  bool open(Value value) {
    value.mark = token();
    ++at_;
    if (count_of(open_) == limits_.depth)
      return refuse(value.mark, "is nested deeper than the limit of " + std::to_string(limits_.depth) + " levels");
    open_.push_back(std::move(value));
    return true;
  }
  bool close() {
    token();
    ++at_;
    Value value = std::move(open_.back());
    open_.pop_back();
    const Mark mark = value.mark;
    return add(std::move(value), mark);
  }
  bool add(Value value, Mark mark) {
    if (++values_ > limits_.values)
      return refuse(mark, "has more than " + std::to_string(limits_.values) + " values, the limit");
    value.mark = mark;
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (List* list = open_.back().list()) {
      list->push_back(std::move(value));
    } else {
      (open_.back().object()->end() - 1)->value = std::move(value);
    }
    return true;
  }
  bool refuse(Mark mark, std::string message, std::string remedy = {}) {
    faults_.error(place(mark), "", std::move(message), std::move(remedy));
    return false;
  }
  Place place(Mark mark) const { return {file_, static_cast<int>(mark.line), static_cast<int>(mark.column)}; }
  void find_duplicates(const Object& object);

  std::string_view text_;
  const std::string& file_;
  Faults& faults_;
  JsonLimits limits_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t values_ = 0;
  std::vector<Value> open_;
  Value root_;
};

void TreeBuilder::find_duplicates(const Object& object) {
  std::vector<const Member*> members;
  members.reserve(object.size());
  for (const Member& member : object) members.push_back(&member);
  std::stable_sort(members.begin(), members.end(), [](auto* a, auto* b) { return a->key < b->key; });
  for (std::size_t i = 1; i < members.size(); ++i) {
    if (members[i]->key != members[i - 1]->key) continue;
    faults_.error(place(members[i]->mark), "",
                  "key " + in_quotes(members[i]->key) + " is given twice, first on line " +
                      std::to_string(members[i - 1]->mark.line),
                  "keep one of them");
  }
}

/// The library's text, without its prefix: `[json.exception...] parse error at line 1, column 5: syntax error ...`.
bool TreeBuilder::parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
  std::string_view what = error.what();
  if (error.id == 406) {  // overflow: the last token was read but is not announced
    const Mark mark = token();
    const std::size_t end = std::min(text_.find_first_not_of("0123456789+-.eE", at_), text_.size());
    return refuse(mark, "number " + shown(text_.substr(at_, end - at_), 40) + " is outside the range of double");
  }
  if (const std::size_t colon = what.find(": "); colon != std::string_view::npos) what = what.substr(colon + 2);
  std::string_view last;
  if (const std::size_t read = what.rfind("; last read: "); read != std::string_view::npos) {
    last = what.substr(read + 13);
    what = what.substr(0, read);
  }
  std::string message(shown(what, 200));
  if (const std::size_t expected = last.rfind("; expected "); expected != std::string_view::npos) {
    message += ", " + shown(last.substr(expected + 2), 60);
    last = last.substr(0, expected);
  }
  if (!last.empty()) message += "; last read " + shown(last, 40);
  const Mark mark = advance_to(std::clamp(position, at_ + 1, text_.size() + 1) - 1);
  return refuse(mark, message, "the file must be JSON (RFC 8259): no comments, no trailing commas, no NaN or Infinity");
}

/// Names an encoding that is not UTF-8 by the first bytes; empty if there is no sign of one.
std::string_view foreign_encoding(std::string_view text) {
  if (text.starts_with("\xFF\xFE")) return "UTF-16 (little endian)";
  if (text.starts_with("\xFE\xFF")) return "UTF-16 (big endian)";
  if (text.size() > 1 && text[0] == '\0') return "UTF-16 (big endian) without a mark, or binary";
  if (text.size() > 1 && text[1] == '\0') return "UTF-16 (little endian) without a mark, or binary";
  return {};
}

}  // namespace

Value parse_json(std::string_view text, const std::string& file, Faults& faults, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    faults.error({file}, "", "has " + std::to_string(text.size()) + " bytes, the limit is " + std::to_string(limits.bytes));
    return {};
  }
  if (const std::string_view encoding = foreign_encoding(text); !encoding.empty()) {
    faults.error({file}, "", "is not UTF-8 but " + std::string(encoding), "save the file as UTF-8");
    return {};
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    faults.error({file}, "", "file is empty", "the least model is {\"saltus\": 1}");
    return {};
  }
  const int errors = faults.errors();
  TreeBuilder builder(text, file, faults, limits);
  const bool read = Json::sax_parse(text.begin(), text.end(), &builder);
  return read && faults.errors() == errors ? builder.take() : Value();
}

}  // namespace saltus
