#include "saltus/base/suggest.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "saltus/base/index.hpp"
#include "saltus/base/text.hpp"

namespace saltus {

namespace {
constexpr std::size_t longest = 64;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
}  // namespace

int edit_distance(std::string_view a, std::string_view b, int limit) {
  if (std::abs(count_of(a) - count_of(b)) > limit) return limit + 1;
  if (a.size() > longest || b.size() > longest) return a == b ? 0 : limit + 1;
  using Row = std::array<int, longest + 1>;
  Row before{}, last{}, row{};  // rows i-2, i-1, i of the table of prefixes
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    int least = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
    before = last;
    last = row;
  }
  return std::min(last[b.size()], limit + 1);
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > longest) return {};
  std::string small(word);
  std::transform(small.begin(), small.end(), small.begin(), lower);
  int limit = std::max(1, count_of(word) / 3);
  std::string_view best, extended;
  std::string other;
  for (std::string_view candidate : candidates.first(std::min<std::size_t>(candidates.size(), 20000))) {
    if (candidate.empty() || candidate.size() > longest) continue;
    other.assign(candidate);
    std::transform(other.begin(), other.end(), other.begin(), lower);
    const int distance = edit_distance(small, other, limit);
    if (distance < limit || (distance == limit && best.empty())) {
      best = candidate;
      limit = distance;
    }
    if (extended.empty() && std::min(small.size(), other.size()) >= 3 &&
        (other.starts_with(small) || small.starts_with(other)))
      extended = candidate;
  }
  return best.empty() ? extended : best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view best = nearest(word, candidates);
  return best.empty() ? std::string() : "did you mean " + in_quotes(best) + "?";
}

std::vector<std::string_view> words(std::string_view joined, char separator) {
  std::vector<std::string_view> out;
  while (!joined.empty()) {
    const std::size_t end = joined.find(separator);
    out.push_back(joined.substr(0, end));
    joined = end == std::string_view::npos ? std::string_view() : joined.substr(end + 1);
  }
  return out;
}

std::string listed(std::span<const std::string_view> words, std::size_t limit) {
  std::string out;
  for (std::size_t i = 0; i < words.size() && i < limit; ++i) {
    if (i > 0) out += ", ";
    out += shown(words[i]);
  }
  if (words.size() > limit) out += ", and " + std::to_string(words.size() - limit) + " more";
  return out;
}

}  // namespace saltus
