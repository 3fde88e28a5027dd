#include "saltus/model/quantity_text.hpp"

#include <algorithm>

namespace saltus {
namespace {

bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_word(char c) { return begins_word(c) || is_digit(c); }

/// Behind the bracket that closes the one at `open`; 0: it is not closed.
std::size_t behind_bracket(std::string_view text, std::size_t open) {
  const char closing = text[open] == '(' ? ')' : '}';
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == text[open]) ++depth;
    else if (text[at] == closing && --depth == 0) return at + 1;
  }
  return 0;
}
std::size_t behind_word(std::string_view text, std::size_t at) {
  while (at < text.size() && in_word(text[at])) ++at;
  return at;
}
/// Behind `.word.word`, where it stands at `at`.
std::size_t behind_dots(std::string_view text, std::size_t at) {
  while (at + 1 < text.size() && text[at] == '.' && in_word(text[at + 1])) at = behind_word(text, at + 1);
  return at;
}
std::size_t behind_number(std::string_view text, std::size_t at) {
  while (at < text.size() && (in_word(text[at]) || text[at] == '.' || ((text[at] == '+' || text[at] == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E')))) ++at;
  return at;
}
bool of_several(std::string_view word) { return word == "relative" || word == "group"; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Names in a path that begins at `begin` of the whole text.
void add_names(std::string_view path, std::size_t begin, std::vector<NameSpan>& out) {
  const std::size_t open = path.find('(');
  if (open != std::string_view::npos && of_several(path.substr(0, open))) {
    const std::size_t end = behind_bracket(path, open);
    for (std::size_t at = open + 1; end > 0 && at < end;) {
      const std::size_t stop = std::min(path.find(',', at), end - 1);
      const std::string_view name = trimmed(path.substr(at, stop - at));
      if (!name.empty()) out.push_back({begin + static_cast<std::size_t>(name.data() - path.data()), name.size()});
      at = stop + 1;
    }
    return;
  }
  out.push_back({begin, std::min(path.find('.'), path.size())});
}

}  // namespace

bool is_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first != std::string_view::npos && text[first] == '=';
}

std::vector<QuantityOperand> operands_of(std::string_view text) {
  std::vector<QuantityOperand> out;
  for (std::size_t at = text.find('=') + 1; at < text.size();) {
    const char c = text[at];
    if (c == '{') {
      const std::size_t end = behind_bracket(text, at);
      if (end == 0) return out;
      out.push_back({at, end, std::string(trimmed(text.substr(at + 1, end - at - 2))), {}});
      at = end;
    } else if (c == '(') {
      const std::size_t end = behind_bracket(text, at), last = end == 0 ? 0 : behind_dots(text, end);
      if (last > end) {
        out.push_back({at, last, "=" + std::string(text.substr(at + 1, end - at - 2)), std::string(text.substr(end + 1, last - end - 1))});
        at = last;
      } else {
        ++at;
      }
    } else if (begins_word(c)) {
      std::size_t end = behind_word(text, at);
      if (end < text.size() && text[end] == '(' && of_several(text.substr(at, end - at)))
        if (const std::size_t closed = behind_bracket(text, end)) end = closed;
      const std::size_t last = behind_dots(text, end);
      if (last > end) out.push_back({at, last, std::string(text.substr(at, last - at)), {}});
      at = std::max(last, end);
    } else {
      at = is_digit(c) ? behind_number(text, at) : at + 1;
    }
  }
  return out;
}

std::optional<ItemsText> items_of(std::string_view word) {
  const std::size_t open = word.find('(');
  if (open == std::string_view::npos || word.back() != ')' || !of_several(word.substr(0, open))) return std::nullopt;
  ItemsText items{std::string(word.substr(0, open)), {}};
  std::vector<NameSpan> names;
  add_names(word, 0, names);
  for (const NameSpan& name : names) items.names.emplace_back(word.substr(name.begin, name.length));
  return items;
}

std::vector<NameSpan> names_in(std::string_view text) {
  std::vector<NameSpan> out;
  if (!is_formula(text)) {
    add_names(text, 0, out);
    return out;
  }
  for (const QuantityOperand& operand : operands_of(text)) {
    const std::size_t inner = operand.begin + (text[operand.begin] == '{' ? text.substr(operand.begin).find(operand.inner) : 0);
    if (!is_formula(operand.inner)) add_names(operand.inner, inner, out);
    else
      for (const NameSpan& name : names_in(operand.inner)) out.push_back({operand.begin + name.begin, name.length});  // "(" stands where "=" does
  }
  return out;
}

}  // namespace saltus
