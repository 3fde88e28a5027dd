#include "saltus/base/text.hpp"

#include <cstdio>

namespace saltus {

CodePoint code_point(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1};
  const int bytes = first >= 0xF0 && first < 0xF8 ? 4 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xC2 && first < 0xE0 ? 2 : 0;
  if (bytes == 0 || at + static_cast<std::size_t>(bytes) > text.size()) return {0xFFFD, 1};
  std::uint32_t value = first & (0xFFu >> (bytes + 1));
  for (int i = 1; i < bytes; ++i) {
    const std::uint32_t next = byte(at + i);
    if ((next & 0xC0) != 0x80) return {0xFFFD, 1};
    value = value << 6 | (next & 0x3F);
  }
  return {value, bytes};
}

bool is_invisible(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x34F || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

std::string shown(std::string_view text, std::size_t limit) {
  std::string out;
  char escape[12];
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, bytes] = code_point(text, at);
    std::string_view piece = text.substr(at, bytes);
    if (value == '\n') {
      piece = "\\n";
    } else if (value == '\t') {
      piece = "\\t";
    } else if (is_invisible(value) || (value == 0xFFFD && bytes == 1)) {
      const int length = std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(value));
      piece = {escape, static_cast<std::size_t>(length)};
    }
    if (out.size() + piece.size() > limit) return out + "...";
    out += piece;
    at += bytes;
  }
  return out;
}

std::string in_quotes(std::string_view text, std::size_t limit) { return '"' + shown(text, limit) + '"'; }

std::string counted(std::size_t n, std::string_view word, std::string_view plural) {
  std::string out = std::to_string(n) + ' ';
  if (n == 1) return out.append(word);
  return plural.empty() ? out.append(word).append("s") : out.append(plural);
}

}  // namespace saltus
