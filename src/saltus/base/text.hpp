// Text of strangers in messages: shortened, and with nothing in it that could imitate or hide a line of a log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace saltus {

/// One character of UTF-8: its code point and how many bytes it takes; invalid bytes give U+FFFD and one byte.
struct CodePoint {
  std::uint32_t value = 0;
  int bytes = 1;
};
CodePoint code_point(std::string_view text, std::size_t at);

/// Control characters, line and paragraph separators, and characters of no width or that turn the direction of writing.
bool is_invisible(std::uint32_t code_point);

/// Text with invisible characters written as \n, \t, \u200b; at most `limit` bytes, then `...` where it was cut.
std::string shown(std::string_view text, std::size_t limit = 60);

/// shown() between double quotes.
std::string in_quotes(std::string_view text, std::size_t limit = 60);

/// "1 entry", "3 entries": the count with the word's form; the plural adds `s` unless given.
std::string counted(std::size_t n, std::string_view word, std::string_view plural = {});

}  // namespace saltus
