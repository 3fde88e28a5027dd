// The nearest right word for a wrong one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace saltus {

/// Edits (insert, delete, replace a letter, swap two neighbours) that turn a into b; `limit` + 1 if there are more.
/// Source: restricted Damerau-Levenshtein distance (Wagner, Fischer 1974; Lowrance, Wagner 1975).
int edit_distance(std::string_view a, std::string_view b, int limit);

/// The candidate with the fewest edits (case does not count), empty if none is near: at most a third of the letters,
/// or one is the beginning of the other. Looks at the first 20,000 candidates only.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// `did you mean "mass"?`, or empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

/// Words of "x|y|z".
std::vector<std::string_view> words(std::string_view joined, char separator = '|');

/// "x, y, z": at most `limit` of them.
std::string listed(std::span<const std::string_view> words, std::size_t limit = 12);

}  // namespace saltus
